/* A crew: threads that stand by for a whole run, so that small parts of it can be shared out without a thread being
 * made for each. Work comes as numbered items; who does which is left to chance, so an item's result must depend on its
 * number alone. */
#ifndef SEARCH_CREW_H
#define SEARCH_CREW_H

#include "base/memory.h"

struct crew;

/* Item number `item`, done by member number `member` (0: the thread that called crew_run). */
typedef void (*crew_work)(void *user, int member, size_t item);

/* Of so many members, the caller of crew_run among them; fewer where threads cannot be had. NULL: no memory. */
struct crew *crew_open(struct memory *memory, int members);
void crew_close(struct crew *crew); /* NULL is allowed */
/* At most this many work at once. */
int crew_members(const struct crew *crew);
/* Does items 0 .. count-1 and returns when all are done. One thread at a time. */
void crew_run(struct crew *crew, crew_work work, void *user, size_t count);

#endif
