/* Iterations of a depth-first search that several workers share: one worker begins at the root, and a worker without
 * work asks others, which give it pieces of their tree (work stealing). The workers are threads, or processes on many
 * machines: they only exchange messages (base/peers.h), so the same code serves both.
 *
 * Worker 0 leads: it begins every iteration and learns when the iteration has ended. To find that out exactly, the
 * workers of an iteration form a tree (Dijkstra and Scholten 1980): whoever gives a piece to a worker that has nothing
 * to do becomes its parent. A worker that has no work left, and whose pieces have all been confirmed, confirms its own
 * piece to its parent, together with what it learned. When worker 0 has no work left and all its pieces are confirmed,
 * no worker has work, and no piece is on its way.
 *
 * If an iteration will be long, worker 0 first cuts the tree into many pieces, and hands them out in the order in which
 * one thread would search them. So all workers are near the place where one thread would be, and in the last iteration
 * they find the solution after about as many nodes as one thread. Without this, luck would decide: on 48 of Korf's
 * 15-puzzles, 16 workers generated 1.36 times the nodes of one thread. A worker asks for its next piece when it begins
 * one, so that it need not wait.
 *
 * No worker keeps asking without an end: a worker without work first asks a few others at random, who answer at once.
 * Then it asks its neighbours (those whose numbers are 1, 2, 4, ... higher), who remember the request until they can
 * give it a piece; in the meantime it only waits. This also keeps the number of messages low among a thousand workers
 * (the lifelines of Saraswat et al. 2011). */
#ifndef SEARCH_IDA_STAR_SPLIT_H
#define SEARCH_IDA_STAR_SPLIT_H

#include "search/ida_star/piece.h"
#include "search/search.h"

#define SPLIT_NO_THRESHOLD INT32_MAX /* nothing was cut off */

enum split_end {
    SPLIT_FOUND,   /* the run has recorded a solution */
    SPLIT_DONE,    /* everything within the threshold has been searched */
    SPLIT_STOPPED, /* a limit was reached, or the run was cancelled */
    SPLIT_FULL,    /* memory is full */
    SPLIT_REFUSED  /* the search cannot work on the instance; the worker's error says why */
};

/* What all workers must know about an iteration. */
struct split_round {
    int32_t threshold;
    uint32_t number; /* from 1 */
    uint32_t flags;  /* of the search itself */
};

/* What an iteration has learned. */
struct split_summary {
    int32_t next_threshold; /* the least f that was cut off, or SPLIT_NO_THRESHOLD */
    uint32_t flags;         /* of the search itself; those of all workers are combined by "or" */
};

struct split_worker;

/* A search that can be split. Each worker has a walk of its own. */
struct split_kind {
    /* Makes a worker's walk; NULL: memory is full. `user` is what split_run was given; threads of one process share it.
     */
    void *(*open)(void *user, struct split_worker *worker);
    void (*close)(void *walk);
    /* Worker 0's part: begins iterations by split_iterate until the search has ended. */
    soloist_code (*lead)(void *walk);
    /* Searches a piece of the tree, or the whole tree (piece == NULL), and adds to the summary what it cut off. It
     * calls split_look as often as that function demands, and returns SPLIT_STOPPED if split_look says so. If it finds
     * a solution, it passes it to split_found and returns SPLIT_FOUND. */
    enum split_end (*search)(void *walk, const struct split_round *round, const uint32_t *piece,
                             struct split_summary *summary);
    /* Called by split_look: removes a part from what the walk has still to search and writes it into the piece. The
     * part should be large, that is near the root. False: the walk has nothing to spare, or memory is full. */
    bool (*give)(void *walk, struct piece *piece);
    /* May be NULL. Cuts the whole tree into about `wanted` pieces, and passes them to split_add in the order in which
     * one thread would search them. Returns like `search`. */
    enum split_end (*scatter)(void *walk, const struct split_round *round, uint32_t wanted,
                              struct split_summary *summary);
};

/* Whether the run has several threads or peers, so that split_run should be used. */
bool split_is_wanted(const struct search_run *run);

/* Runs a search by all threads or peers of the run. slice: nodes between two calls of split_look. */
soloist_code split_run(struct search_run *run, const struct split_kind *kind, void *user, uint64_t slice);

/* For a process that has no memory to take part: tells the other processes, if there are any. Worker 0 then ends the
 * search; the others do without this process. */
soloist_code split_run_without_memory(struct search_run *run);

/* The run that a worker sees. Worker 0 has the run itself, the other threads have copies, with an error of their own.
 * The budget is shared by the threads of a process. */
struct search_run *split_worker_run(struct split_worker *worker);

/* One iteration; called by `lead` only. */
enum split_end split_iterate(struct split_worker *worker, const struct split_round *round,
                             struct split_summary *summary);

/* Adds a piece to those that wait to be handed out; called by `scatter` only. False: memory is full. */
bool split_add(struct split_worker *worker, const struct split_round *round, const struct piece *piece);

/* How many nodes a search may generate before its first call of split_look; 0: it must stop. */
uint64_t split_grant(struct split_worker *worker);

/* Reports nodes and expanded states since the last call, handles messages and gives work away. Returns how many nodes
 * may be generated before the next call; 0: the search must stop. */
uint64_t split_look(struct split_worker *worker, uint64_t nodes, uint64_t expanded);

/* Reports nodes and expanded states; does nothing else. */
void split_count(struct split_worker *worker, uint64_t nodes, uint64_t expanded);

/* Reports a solution; worker 0 records the first one that it hears of. */
void split_found(struct split_worker *worker, const soloist_move *moves, size_t count, int32_t cost);

#endif
