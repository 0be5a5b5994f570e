/* A thread pool: threads that stand by for a whole run, so that small parts of it can be shared out without a thread
 * being made for each. Work comes as numbered items; who does which is left to chance, so an item's result must depend
 * on its number alone. */
#ifndef SEARCH_THREAD_POOL_H
#define SEARCH_THREAD_POOL_H

#include "base/memory.h"

struct thread_pool;

/* Item number `item`, done by member number `member` (0: the thread that called thread_pool_run). */
typedef void (*thread_pool_work)(void *user, int member, size_t item);

/* Of so many members, the caller of thread_pool_run among them; fewer where threads cannot be had. NULL: no memory. */
struct thread_pool *thread_pool_open(struct memory *memory, int members);
void thread_pool_close(struct thread_pool *pool); /* NULL is allowed */
/* At most this many work at once. */
int thread_pool_size(const struct thread_pool *pool);
/* Does items 0 .. count-1 and returns when all are done. One thread at a time. */
void thread_pool_run(struct thread_pool *pool, thread_pool_work work, void *user, size_t count);

#endif
