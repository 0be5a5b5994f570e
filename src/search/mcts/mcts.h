/* Monte-Carlo tree search (S4): what one run, and each of its threads, holds. An iteration walks down the tree by a
 * rule, adds to it, values the leaf, and backs the result up; how it does each is an option. */
#ifndef SEARCH_MCTS_MCTS_H
#define SEARCH_MCTS_MCTS_H

#include "search/mcts/node_copies.h"
#include "search/mcts/rule.h"
#include "search/mcts/tree.h"
#include "search/search.h"

#include "base/table.h"

#include <pthread.h>

/* What a worker has counted and not yet reported. A skipped iteration neither added a node nor removed one. */
struct mcts_counters {
    uint64_t iterations, playouts, nodes, eliminated, skipped, moved;
};

/* A state seen in this iteration: for cycles. */
struct mcts_seen {
    uint64_t key;
    uint32_t stamp;
};

/* What the threads of a run share: the best line so far, which only the run's own thread hands on, and the count of
 * iterations begun. */
struct mcts_team {
    pthread_mutex_t lock; /* of best */
    struct search_line best;
    _Atomic bool has_best, has_news, done;
    _Atomic int32_t best_value;
    uint64_t limit;         /* iterations; 0: any */
    char apart[MCTS_LINE];  /* keeps what all threads read apart from what they write */
    _Atomic uint64_t begun; /* iterations */
    char apart_too[MCTS_LINE];
};

/* Leaf parallelisation: a rise of job announces the leader's next leaf; each helper adds itself to the finished ones.
 */
#define MCTS_LEAF_OVER UINT64_MAX
struct mcts_leaf {
    struct mcts_worker *leader; /* the helpers come after it */
    int helpers;                /* 0: no leaf parallelisation */
    _Atomic uint64_t job;
    _Atomic int finished;
};

enum { MCTS_ROOTS = 1024 };

/* One tree and the game it is for. */
struct mcts {
    struct search_run *run;
    struct mcts_team *team;
    const struct mcts_options *options;
    struct mcts_tree tree;
    struct table states;            /* with one node per state: packed state -> node, MCTS_GONE when eliminated */
    bool goal, two_players, listed; /* listed: moves come from the core's list, nothing pruned */
    bool valued;                    /* all new children of a node at once */
    bool fetched;                   /* states come from the table of states, not by moves */
    bool plain;                 /* values are neither normalised, mixed with the best, nor with all-moves-as-first */
    int reward;                 /* of the domain's own; -1: the value */
    int policy;                 /* of the domain's own play-outs; -1: through the core */
    int length;                 /* of a play-out */
    double scale, unit;         /* units of a node's sum in a result of 1; a result of one unit */
    double path_weight;         /* weight of the path's cost in what a state is worth */
    double dead_value;          /* of a state whose bound is SOLOIST_DEAD */
    _Atomic double most, least; /* results met */
    void *root_state;
    int32_t root_value;
    struct search_line game;      /* the moves before the tree's root */
    struct search_line game_best; /* best line of this game, from its start */
    _Atomic bool has_game_best;
    _Atomic int32_t game_best_value;
    uint64_t limit;    /* iterations of this tree; 0: any */
    _Atomic bool full; /* memory has no room for another node */
    struct mcts_leaf leaf;
    char apart[MCTS_LINE];
    double roots[MCTS_ROOTS]; /* 1 / sqrt(n): divisions and roots would be half of selection's time */
    double logs[MCTS_ROOTS + 1];
    char apart_from_roots[MCTS_LINE];
    _Atomic uint64_t begun; /* iterations of this tree */
    char apart_too[MCTS_LINE];
};

/* Children valued at once below a node of the path. */
enum { MCTS_LONGEST_BURST = 64 };
struct mcts_burst {
    int depth;
    uint32_t count;
    int64_t sum;
};

#define MCTS_GONE UINT32_MAX
enum { MCTS_IDA_DEEPEST = 64 };

struct mcts_worker {
    struct mcts *mcts;
    int number;
    uint64_t tickets; /* iterations claimed and not yet begun */
    struct mcts_counters counters;
    struct mcts_supply supply;
    soloist_rng rng;
    unsigned char *state, *other, *leaf, *packed; /* where the iteration is; scratch */
    soloist_move *moves;
    soloist_child *children;
    soloist_move *around; /* for looks around a leaf: moves, children and states of each level */
    soloist_child *around_children;
    unsigned char *around_states;
    uint32_t *path;                       /* nodes from the root */
    struct mcts_copy_child **path_copies; /* the copies that count for them; NULL: the nodes themselves do */
    struct mcts_copy *copies;             /* NULL: no copies */
    struct mcts_copy_child *copy_child;   /* of the child just chosen; NULL: none */
    size_t copies_size;
    uint32_t copy_weight; /* what a visit counts for in a copy: the threads */
    uint64_t iteration;
    int8_t *sign; /* of a result for the one who moved there; two players */
    int depth;    /* of the path: its nodes */
    soloist_move *line;
    int line_length, room;
    int32_t value;     /* sum of steps since the game's root */
    bool ended;        /* the line has ended: value includes the end's */
    bool dead_end;     /* nothing leads on from the leaf */
    bool grew, closed; /* this iteration added a node; removed one */
    bool improved;     /* and found a better line */
    bool stands;       /* `state` is the one at the path's end; otherwise it is in the table of states */
    uint32_t valued;   /* children valued at once by the last expansion, and the sum of what they are worth */
    int64_t valued_sum;
    struct mcts_burst valued_at[MCTS_LONGEST_BURST]; /* and by all of this iteration, from the root down */
    int bursts, turns;
    double result;   /* of a helper's play-out */
    int leaf_length; /* the line to the leaf that helpers play from */
    int32_t leaf_value;
    struct mcts_seen *seen;
    uint32_t seen_bits, seen_count, stamp;
    size_t block_size;
    void *block;
    char apart[MCTS_LINE]; /* from the next thread's */
};

/* ---- one iteration (iterate.c) ----------------------------------------------------------------------- */
void mcts_iterate(struct mcts_worker *worker);
/* Plays a move on the worker's state and adds it to its line. False: no memory for a longer line. */
bool mcts_play(struct mcts_worker *worker, soloist_move move);
/* Offers the worker's line, which has ended. */
void mcts_record(struct mcts_worker *worker);
/* Makes room for `more` moves in the line; false: no memory. */
bool mcts_reserve(struct mcts_worker *worker, int more);
size_t mcts_lists_size(int room); /* bytes of the block that begins at path_copies and holds line, path and sign too */
void mcts_back_up_rave(struct mcts_worker *worker, double result);

/* ---- selection (select.c) ---------------------------------------------------------------------------- */
void mcts_settle_units(struct mcts *mcts, double scale);
/* The child to go on with, or POOL_NONE if none is open. */
uint32_t mcts_select(struct mcts_worker *worker, uint32_t index);
/* The root's child that the options call final, or POOL_NONE. */
uint32_t mcts_final(struct mcts_worker *worker);

/* ---- copies of much-visited nodes (node_copies.c) ------------------------------------------------------------- */
bool mcts_copy_open(struct mcts_worker *worker); /* false: no memory */
/* The node's copy for selection, refreshed if it is too old; NULL: the node has too few visits for a copy. */
struct mcts_copy *mcts_copy_get(struct mcts_worker *worker, uint32_t index);
/* The copy if there is one already. */
struct mcts_copy *mcts_copy_find(struct mcts_worker *worker, uint32_t index);
uint32_t mcts_copy_select(struct mcts_worker *worker, struct mcts_copy *copy);
/* Adds everything counted in copies to the tree and drops the copies. */
void mcts_copy_flush(struct mcts_worker *worker);

/* ---- expansion (expand.c) ---------------------------------------------------------------------------- */
/* Adds children to a node whose state is the worker's; the child to step into, or POOL_NONE. */
uint32_t mcts_expand(struct mcts_worker *worker, uint32_t index);
/* Adds the child of one move, known to be legal and without a child. */
uint32_t mcts_expand_move(struct mcts_worker *worker, uint32_t index, soloist_move move);
/* A new node, not yet linked; POOL_NONE: memory is full or the node limit is reached. */
uint32_t mcts_add(struct mcts_worker *worker, uint32_t parent, soloist_move move, uint32_t run);
/* Closes the nodes that have nothing left to try, from the path's end upwards. */
void mcts_eliminate(struct mcts_worker *worker);
/* Closes one node. */
void mcts_close(struct mcts_worker *worker, uint32_t index);
/* The same from any node. */
void mcts_eliminate_from(struct mcts_worker *worker, uint32_t index);
/* One node per state: adds a child of the node, or moves it here, unless a path at least as short is known. */
void mcts_one_node_add(struct mcts_worker *worker, uint32_t parent, const soloist_child *child);
void mcts_forget(struct mcts_worker *worker, uint32_t index);
/* Brings the worker's state to the end of its path. */
void mcts_stand(struct mcts_worker *worker);
bool mcts_one_node_root(struct mcts_worker *worker);

/* ---- simulation (simulate.c, ida.c) ------------------------------------------------------------------ */
/* The result of the worker's current leaf. */
double mcts_simulate(struct mcts_worker *worker);
/* True if play has ended in the worker's state; the end's value is then added. */
bool mcts_note_end(struct mcts_worker *worker);
/* Under reward=auto: what a state is worth, given its bound and the value of the path to it. */
double mcts_worth(const struct mcts *mcts, int32_t bound, int32_t path);
/* What the worker's state is worth now. */
double mcts_value(struct mcts_worker *worker);
/* One play-out from where the worker stands; the best line is kept. */
double mcts_play_out(struct mcts_worker *worker);
/* Leaf parallelisation: mcts_leaf_help plays from the leader's leaves until there are no more; mcts_leaf_lead returns
 * the leader's result after all have played. */
void mcts_leaf_help(struct mcts_worker *worker);
double mcts_leaf_lead(struct mcts_worker *worker);
/* eps-IDA*'s choice: a place in worker->moves. */
int mcts_ida_place(struct mcts_worker *worker, int count);
/* Moves that may be played from the worker's state; fills moves and, unless listed, children. */
int mcts_list(struct mcts_worker *worker, soloist_move last);

/* ---- cycles (seen.c) --------------------------------------------------------------------------------- */
void mcts_seen_clear(struct mcts_worker *worker);
/* Notes a state's key; false if it was there. */
bool mcts_seen_add(struct mcts_worker *worker, uint64_t key);
bool mcts_seen_has(const struct mcts_worker *worker, uint64_t key);

/* ---- the run (run.c, worker.c) ------------------------------------------------------------------ */
bool mcts_suits(const struct search_run *run);
soloist_code mcts_run(struct search_run *run);
bool mcts_worker_open(struct mcts_worker *worker, struct mcts *mcts, int number);
void mcts_worker_close(struct mcts_worker *worker);

/* The weight of the path's cost in tree number `number`. */
static inline double mcts_path_weight_of(const struct mcts_options *options, int number) {
    return number % 2 && options->second_path_weight >= 0 ? options->second_path_weight : options->path_weight;
}

static inline double mcts_inverse_root(const struct mcts *mcts, uint32_t visits) {
    return visits < MCTS_ROOTS ? mcts->roots[visits] : 1 / __builtin_sqrt((double)visits);
}

/* ln n; for large n interpolated in the table, with an error of at most 5e-7. */
static inline double mcts_log(const struct mcts *mcts, uint32_t visits) {
    if (visits <= MCTS_ROOTS)
        return mcts->logs[visits];
    int shift = 22 - __builtin_clz(visits);
    uint32_t whole = visits >> shift;
    double part = (double)(visits & ((1u << shift) - 1)) / (double)(1u << shift);
    return shift * 0.69314718055994530942 + mcts->logs[whole] + part * (mcts->logs[whole + 1] - mcts->logs[whole]);
}

/* A result in the units of a node's sum. */
static inline int64_t mcts_units(const struct mcts *mcts, double result) {
    double scaled = result * mcts->scale;
    return (int64_t)(scaled < 0 ? scaled - 0.5 : scaled + 0.5);
}

/* Adds to a statistic; a single thread does without the locked instruction. */
#define MCTS_ADD(tree, place, amount)                                                                                  \
    ((tree)->shared ? (void)atomic_fetch_add_explicit(place, amount, memory_order_relaxed)                             \
                    : atomic_store_explicit(place, atomic_load_explicit(place, memory_order_relaxed) + (amount),       \
                                            memory_order_relaxed))

#endif
