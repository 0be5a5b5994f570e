/* Searches that each rank makes by itself with random numbers of its own, and that share the best line: root-parallel
 * search over ranks. A line goes to rank 0, which passes it on to all others if it is the best so far. The same calls
 * do nothing if the run has no other ranks. Only the run's own thread may call them. */
#ifndef SEARCH_TOGETHER_H
#define SEARCH_TOGETHER_H

#include "base/mail.h"
#include "search/search.h"

struct together {
    struct search_run *run; /* NULL: there are no other ranks */
    struct mail mail;
    bool stopping;     /* rank 0: the other ranks were told to stop */
    bool known;        /* a best line is known to the other ranks */
    int64_t score;     /* its score */
    int ended;         /* rank 0: number of other ranks that have ended */
    unsigned patience; /* calls of together_hear until messages are looked for again */
};

/* A line of another rank. */
struct together_line {
    int64_t score; /* more is better */
    int32_t value;
    const soloist_move *moves; /* valid until the next call */
    size_t count;
};

/* Gives this rank random numbers of its own: changes the run's seed, except on rank 0. False: no memory. */
bool together_open(struct together *together, struct search_run *run);
/* Tells the other ranks a line, unless they know one with that score. */
void together_tell(struct together *together, const struct search_line *line, int64_t score);
/* A line of another rank that is better than all that were told or heard before; false: none. Also ends the run if
 * another rank was cancelled. It may be called often: it seldom looks. */
bool together_hear(struct together *together, struct together_line *line);
/* To be called when this rank's search has ended. On rank 0, waits for the other ranks, calling `take` for every better
 * line of theirs; it must be called on all ranks. */
void together_close(struct together *together, void (*take)(void *user, const struct together_line *line), void *user);

#endif
