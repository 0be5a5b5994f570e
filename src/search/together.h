/* Root-parallel search over ranks: each rank searches by itself with random numbers of its own, and the ranks share the
 * best line. A line goes to rank 0, which passes it on to all others if it is the best so far. If the run has no other
 * ranks, the functions do nothing. Only the run's own thread may call them. */
#ifndef SEARCH_TOGETHER_H
#define SEARCH_TOGETHER_H

#include "base/mail.h"
#include "base/parcel.h"
#include "search/search.h"

struct together {
    struct search_run *run; /* NULL: there are no other ranks */
    struct mail mail;
    bool stopping;     /* rank 0: the other ranks were told to stop */
    bool known;        /* a best line is known to the other ranks */
    int64_t score;     /* its score */
    bool over;         /* other ranks: rank 0's search has ended */
    int awaited;       /* rank 0: number of answers to a call that have not arrived */
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
/* Sends a line to the other ranks, unless they already know a line with that score. */
void together_tell(struct together *together, const struct search_line *line, int64_t score);
/* Receives a line of another rank that is better than all lines sent or received before; false: there is none. Also
 * ends the run if another rank was cancelled. It may be called often, because only few of the calls look for messages.
 */
bool together_hear(struct together *together, struct together_line *line);
/* ---- calls: a search whose parts rank 0 hands to all other ranks, such as a level of a nested search ---- */

/* Rank 0: sends a call to all other ranks; takes the buffer's content. Until all answers have been taken, together_hear
 * hears nothing. */
void together_call(struct together *together, struct buffer *call);
/* Rank 0: the next answer to the call; other ranks: the next call. False: there is none yet. The parcel is valid until
 * the next call of any function here. Lines that arrive are handed to `take`. */
bool together_next(struct together *together, struct parcel_reader *parcel,
                   void (*take)(void *user, const struct together_line *line), void *user);
/* Other ranks: answers a call; takes the buffer's content. */
void together_answer(struct together *together, struct buffer *answer);
/* Waits a little for messages. */
void together_wait(struct together *together);

/* ---- the end ---- */

/* Every rank must call this when its search has ended. On rank 0 the call waits for the other ranks and calls `take`
 * for every better line of theirs. */
void together_close(struct together *together, void (*take)(void *user, const struct together_line *line), void *user);

#endif
