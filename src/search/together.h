/* Root-parallel search over ranks: each rank searches independently with its own random numbers, and the ranks share
 * the best line (sequence of moves). A rank sends a new best line to rank 0, which forwards it to all other ranks if it
 * is the best so far. If the run has no other ranks, the functions do nothing. Only the run's own thread may call
 * them. */
#ifndef SEARCH_TOGETHER_H
#define SEARCH_TOGETHER_H

#include "base/mail.h"
#include "base/parcel.h"
#include "search/search.h"

struct together {
    struct search_run *run; /* NULL: there are no other ranks */
    struct mail mail;
    bool stopping;     /* on rank 0: it has sent the other ranks the order to stop */
    bool known;        /* a best line has been sent to or received from other ranks */
    int64_t score;     /* score of that line */
    bool over;         /* on other ranks: rank 0's search has ended */
    int awaited;       /* on rank 0: number of answers to a call that have not arrived */
    int ended;         /* on rank 0: number of other ranks whose search has ended */
    unsigned patience; /* number of calls of together_hear until it checks for messages again */
};

/* A line that another rank has sent. */
struct together_line {
    int64_t score; /* more is better */
    int32_t value;
    const soloist_move *moves; /* valid until the next use of any function of this header */
    size_t count;
};

/* Changes the run's seed on all ranks except rank 0, so that each rank has its own random numbers. False: no memory. */
bool together_open(struct together *together, struct search_run *run);
/* Sends a line to the other ranks, unless they already know a line with that score. */
void together_tell(struct together *together, const struct search_line *line, int64_t score);
/* Receives a line from another rank that is better than all lines sent or received before; false: there is none. Also
 * ends the run if another rank was cancelled. This function may be called often, because most calls return at once
 * without checking for messages. */
bool together_hear(struct together *together, struct together_line *line);
/* ---- calls: rank 0 asks all other ranks to take part in a search, such as a level of a nested search ---- */

/* On rank 0: sends a call to all other ranks; takes ownership of the buffer's content. Until together_next has returned
 * all answers, together_hear returns false. */
void together_call(struct together *together, struct buffer *call);
/* On rank 0, gets the next answer to the call; on other ranks, gets the next call. False: none has arrived yet. The
 * parcel is valid until the next use of any function of this header. Lines of other ranks that arrive meanwhile are
 * passed to `take`. */
bool together_next(struct together *together, struct parcel_reader *parcel,
                   void (*take)(void *user, const struct together_line *line), void *user);
/* On other ranks: answers a call; takes ownership of the buffer's content. */
void together_answer(struct together *together, struct buffer *answer);
/* Waits for messages, but only for a short time. */
void together_wait(struct together *together);

/* ---- the end ---- */

/* Every rank must call this when its search has ended. On rank 0, this function waits until all other ranks have ended,
 * and passes every better line that they send to `take`. */
void together_close(struct together *together, void (*take)(void *user, const struct together_line *line), void *user);

#endif
