/* Iterations of a depth-first search that several workers share: one worker begins at the root, and a worker without
 * work asks other workers, which give it pieces of their trees (work stealing). The workers are threads of one process,
 * or processes on many machines. They communicate only by messages (base/peers.h), so the same code serves both.
 *
 * Worker 0 leads: it begins every iteration and detects when the iteration has ended. For this detection, the workers
 * of an iteration form a tree (Dijkstra and Scholten 1980): a worker that gives a piece to an idle worker becomes the
 * parent of that worker. When a worker has no work left, and all pieces that it gave away have been confirmed, it
 * confirms its own piece to its parent; the confirmation contains its summary (struct split_summary). When worker 0 has
 * no work left, and all pieces that it gave away are confirmed, no worker has work, and no piece is in transit.
 *
 * If an iteration is likely to be long, worker 0 first cuts the tree into many pieces, and hands them out in the order
 * in which one thread would search them. So all workers search near the place where one thread would search, and in the
 * last iteration they find the solution after about the same number of nodes as one thread. Without this order, the
 * number of nodes would depend on chance: on 48 of Korf's 15-puzzles, 16 workers generated 1.36 times the nodes of one
 * thread. A worker that begins a piece asks for the next one at once, so that it need not wait for it later.
 *
 * A worker without work sends only a limited number of requests. It first asks a few workers chosen at random, which
 * answer at once. Then it asks its neighbours (the workers whose numbers are 1, 2, 4, ... higher), which remember the
 * request until they can give it a piece; meanwhile the worker waits without sending messages. These neighbours are its
 * lifelines (Saraswat et al. 2011); they keep the number of messages low even among a thousand workers. */
#ifndef SEARCH_IDA_STAR_SPLIT_H
#define SEARCH_IDA_STAR_SPLIT_H

#include "search/ida_star/piece.h"
#include "search/search.h"

#define SPLIT_NO_THRESHOLD INT32_MAX /* value of next_threshold if no state was cut off */

enum split_end {
    SPLIT_FOUND,   /* the run has recorded a solution */
    SPLIT_DONE,    /* all states with f at most the threshold have been searched */
    SPLIT_STOPPED, /* a limit was reached, or the run was cancelled */
    SPLIT_FULL,    /* memory is full */
    SPLIT_REFUSED  /* the search cannot work on the instance; the worker's error says why */
};

/* The data of an iteration that all workers need. */
struct split_round {
    int32_t threshold;
    uint32_t number; /* from 1 */
    uint32_t flags;  /* defined by the kind of search */
};

/* The result of an iteration, or of one worker's part of it. */
struct split_summary {
    int32_t next_threshold; /* the least f that was cut off, or SPLIT_NO_THRESHOLD */
    uint32_t flags;         /* defined by the kind of search; the flags of all workers are combined by "or" */
};

struct split_worker;

/* A kind of search that can be split. Each worker has its own walk: the data of its part of the search. */
struct split_kind {
    /* Makes a worker's walk; NULL: memory is full. `user` is the argument of split_run; the threads of one process
     * share it. */
    void *(*open)(void *user, struct split_worker *worker);
    void (*close)(void *walk);
    /* Called by worker 0 only: runs iterations by split_iterate until the search has ended. */
    soloist_code (*lead)(void *walk);
    /* Searches a piece of the tree, or the whole tree if piece is NULL. Updates the summary for every state that it
     * cuts off. Must call split_look before it has generated more nodes than the last call allowed, and must return
     * SPLIT_STOPPED when split_look returns 0. If it finds a solution, it passes the solution to split_found and
     * returns SPLIT_FOUND. */
    enum split_end (*search)(void *walk, const struct split_round *round, const uint32_t *piece,
                             struct split_summary *summary);
    /* Called by split_look: removes a part of the tree that the walk has not searched yet and writes it into the piece.
     * The part should be near the root, because it is then large. False: the walk cannot give a part away, or memory is
     * full. */
    bool (*give)(void *walk, struct piece *piece);
    /* May be NULL. Cuts the whole tree into about `wanted` pieces, and passes them to split_add in the order in which
     * one thread would search them. The return values are those of `search`. */
    enum split_end (*scatter)(void *walk, const struct split_round *round, uint32_t wanted,
                              struct split_summary *summary);
};

/* Whether the run has several threads or peers, so that split_run should be used. */
bool split_is_wanted(const struct search_run *run);

/* The number of nodes after which a search should call split_look: a few milliseconds' work. */
uint64_t split_usual_slice(const struct search_run *run);

/* Runs a search on all threads or peers of the run. slice: number of nodes that a worker generates before it looks for
 * messages. If that is more than usual, the limits are checked in between. */
soloist_code split_run(struct search_run *run, const struct split_kind *kind, void *user, uint64_t slice);

/* Called instead of split_run by a process that does not have enough memory to take part; informs the other processes,
 * if there are any. If this process is worker 0, the search ends; otherwise the others search without it. */
soloist_code split_run_without_memory(struct search_run *run);

/* The run that a worker uses. A worker that is a process uses the original run. If the workers are threads, worker 0
 * uses the original run, and every other worker uses a copy that has its own `error`. The budget is shared by the
 * threads of a process. */
struct search_run *split_worker_run(struct split_worker *worker);

/* Runs one iteration; called by `lead` only. */
enum split_end split_iterate(struct split_worker *worker, const struct split_round *round,
                             struct split_summary *summary);

/* Adds a piece to the queue of pieces that worker 0 hands out; called by `scatter` only. False: memory is full. */
bool split_add(struct split_worker *worker, const struct split_round *round, const struct piece *piece);

/* How many nodes a search may generate before its first call of split_look; 0: it must stop. */
uint64_t split_grant(struct split_worker *worker);

/* Reports the numbers of nodes and of expanded states since the last call, handles messages and gives work away.
 * Returns how many nodes may be generated before the next call; 0: the search must stop. */
uint64_t split_look(struct split_worker *worker, uint64_t nodes, uint64_t expanded);

/* Reports numbers of nodes and of expanded states; does nothing else. */
void split_count(struct split_worker *worker, uint64_t nodes, uint64_t expanded);

/* Reports a solution. Worker 0 records the first solution that is reported to it. */
void split_found(struct split_worker *worker, const soloist_move *moves, size_t count, int32_t cost);

#endif
