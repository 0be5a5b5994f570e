/* Monte-Carlo tree search (S4): the data of one run and of each of its threads. An iteration selects a path down the
 * tree, expands the node at its end, evaluates the leaf, and backs up the result. The options determine how each of
 * these steps is done. */
#ifndef SEARCH_MCTS_MCTS_H
#define SEARCH_MCTS_MCTS_H

#include "search/mcts/node_copies.h"
#include "search/mcts/rule.h"
#include "search/mcts/tree.h"
#include "search/move_budget.h"
#include "search/picture.h"
#include "search/search.h"
#include "search/together.h"

#include "base/table.h"

#include <pthread.h>

/* Numbers that a worker has counted and not yet reported. `skipped` counts iterations that added no node; `moved`
 * counts subtrees that were moved to a shorter path; `depth` is the depth of the deepest node that was added. */
struct mcts_counters {
    uint64_t iterations, playouts, nodes, eliminated, skipped, moved, depth;
};

/* A state that occurred in this iteration; used to detect cycles. */
struct mcts_seen {
    uint64_t key;
    uint32_t stamp;
};

/* Data that the threads of a run share: the best line (sequence of moves) so far, which only the run's own thread
 * reports, and the number of iterations begun. */
struct mcts_team {
    pthread_mutex_t lock; /* guards best and error */
    struct search_line best;
    _Atomic bool has_best, has_news, done;
    _Atomic bool failed; /* the network failed, and `error` says why */
    soloist_error error;
    _Atomic int32_t best_value;
    struct together together; /* other ranks */
    uint64_t limit;           /* limit on iterations; 0: none */
    /* Padding: puts the fields that all threads write and those that they only read into different cache lines. */
    char apart[MCTS_LINE];
    _Atomic uint64_t begun; /* number of iterations begun */
    char apart_too[MCTS_LINE];
};

/* Leaf parallelisation: the leader announces a leaf by incrementing `job`; each helper increments `finished` when it is
 * done with its play-out, which may be unfinished if enough others agree. */
#define MCTS_LEAF_OVER UINT64_MAX
struct mcts_leaf {
    struct mcts_worker *leader; /* its helpers are the elements after it in the array of workers */
    int helpers;                /* 0: no leaf parallelisation */
    int offset;                 /* first_moves=different: number of the move with which the leader's play-out begins */
    _Atomic uint64_t job;
    _Atomic int finished;
    _Atomic bool enough; /* as many play-outs from this leaf have given the same result as the option `agree` demands */
    pthread_mutex_t lock; /* guards the leader's list of results */
};

enum { MCTS_ROOTS = 1024 };

/* One tree, and the game (the moves played so far) that it belongs to. */
struct mcts {
    struct search_run *run;
    struct mcts_team *team;
    const struct mcts_options *options;
    struct mcts_tree tree;
    /* Only with states=one-node: maps a packed state to its node, or to MCTS_GONE if the node was eliminated. */
    struct table states;
    bool goal, two_players, listed; /* listed: all legal moves are used, and none is pruned */
    bool valued;                    /* all new children of a node are evaluated at once */
    bool fetched; /* states are read from the table of states, not made by playing the moves of the path */
    bool plain;   /* means are used unchanged: not normalised and not mixed with best results or RAVE */
    enum mcts_simulate simulate;
    bool solved;                /* reward=solved */
    bool learned;               /* reward=network */
    int reward;                 /* index of the domain's reward that is used; -1: the value of the line */
    int policy;                 /* index of the domain's play-out policy that is used; -1: play-outs by the core */
    int length;                 /* maximum number of moves in a play-out */
    uint64_t order;             /* determines the order in which each node tries its moves */
    double scale, unit;         /* scale: what a result of 1 adds to a node's sum; unit: 1 / scale */
    double path_weight;         /* in the value of a state: weight of the cost of the path to the state */
    double dead_value;          /* value of a state whose bound is SOLOIST_DEAD */
    _Atomic double most, least; /* greatest and least result so far */
    void *root_state;
    int32_t root_value;
    struct search_line game;      /* the moves before the tree's root */
    struct search_line game_best; /* the best line of this game, from its start */
    _Atomic bool has_game_best;
    _Atomic int32_t game_best_value;
    uint64_t limit; /* limit on iterations of this tree; 0: none */
    struct search_move_clock clock;
    _Atomic bool full; /* there is no memory for another node */
    struct mcts_leaf leaf;
    char apart[MCTS_LINE];
    /* [n]: 1 / sqrt(n). Without this table, divisions and square roots take half of the time of selection. */
    double roots[MCTS_ROOTS];
    double logs[MCTS_ROOTS + 1];
    char apart_from_roots[MCTS_LINE];
    _Atomic uint64_t begun; /* iterations of this tree that were begun */
    char apart_too[MCTS_LINE];
};

/* A burst: one iteration expands several nodes, each a child of the previous one, and evaluates all children of each
 * node at once. Each of these expansions is stored as a struct mcts_burst: the depth of the expanded node in the path,
 * the number of its children, and the sum of their values. */
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
    uint64_t tickets; /* iterations that were claimed but not yet begun */
    struct mcts_counters counters;
    struct mcts_supply supply;
    soloist_rng rng;
    /* state: the current state of the iteration; the others are scratch space. */
    unsigned char *state, *other, *leaf, *packed;
    soloist_move *moves;
    soloist_child *children;
    soloist_move *around; /* three arrays for short searches from a leaf: moves, children and states of each depth */
    soloist_child *around_children;
    unsigned char *around_states;
    uint32_t *path; /* the nodes of this iteration's path, from the root */
    /* For each node of `path`: the private copy in which its visit is counted; NULL: the visit is counted in the node
     * itself. */
    struct mcts_copy_child **path_copies;
    struct mcts_copy *copies;           /* NULL: no copies */
    struct mcts_copy_child *copy_child; /* the copy of the child just chosen; NULL: it has none */
    size_t copies_size;
    uint32_t copy_weight; /* weight of one visit in a copy's statistics: the number of threads */
    struct search_looks looks;
    uint64_t iteration;
    /* Only with two players. For each node of `path`: the factor by which a result is multiplied before it is added to
     * the node's sum. It is 1 if the first player made the move to this node, otherwise -1. */
    int8_t *sign;
    int depth;  /* number of nodes in the path */
    int scored; /* at so many of them, from the root, the formula has valued the children in this iteration */
    soloist_move *line;
    int line_length, room;
    int32_t value;   /* sum of the costs or scores of all moves from the start of the game */
    bool ended;      /* play has ended; `value` then includes what the end of play adds */
    bool dead_end;   /* the leaf has no children */
    bool cycle;      /* the iteration ends in the tree because a move leads to a state that it has visited */
    bool grew;       /* this iteration added a node */
    bool improved;   /* this iteration found a better line */
    bool stands;     /* `state` is the state at the end of the path; false: it must be read from mcts->states */
    uint32_t valued; /* number of children that the last expansion evaluated; valued_sum: sum of their values */
    int64_t valued_sum;
    /* The numbers and sums of evaluated children for every expansion of this iteration, in order of depth. */
    struct mcts_burst valued_at[MCTS_LONGEST_BURST];
    int bursts, turns;
    /* The results of several play-outs from the same leaf: those of all threads, or only this worker's. */
    double *results;
    int result_count;
    bool broken_off; /* the last play-out was not finished, because enough others agree */
    int leaf_length; /* length of the line to the leaf from which the helpers make play-outs */
    int32_t leaf_value;
    struct mcts_seen *seen;
    uint32_t seen_bits, seen_count, stamp;
    size_t block_size;
    void *block;
    char apart[MCTS_LINE]; /* padding before the next thread's data */
};

/* ---- one iteration (iterate.c) ----------------------------------------------------------------------- */
void mcts_iterate(struct mcts_worker *worker);
/* Plays a move on the worker's state and adds it to its line. False: no memory for a longer line. */
bool mcts_play(struct mcts_worker *worker, soloist_move move);
/* Records the worker's line if it is the best so far. Play must have ended. */
void mcts_record(struct mcts_worker *worker);
/* Makes room for `more` moves in the line. False: memory is full. */
bool mcts_reserve(struct mcts_worker *worker, int more);
size_t mcts_lists_size(int room); /* bytes of the block that holds path_copies, line, path and sign */
void mcts_back_up_rave(struct mcts_worker *worker, double result);

/* ---- selection (select.c) ---------------------------------------------------------------------------- */
void mcts_settle_units(struct mcts *mcts, double scale);
/* The child that the formula prefers, or POOL_NONE if all children are eliminated. */
uint32_t mcts_select(struct mcts_worker *worker, uint32_t index);
/* Draws a tree for somebody who watches the search. subject: the first worker of the tree. */
void mcts_paint(const void *subject, struct search_picture *picture);
/* The child of the root that the option `final` chooses when the iterations for a move are done, or POOL_NONE. */
uint32_t mcts_final(struct mcts_worker *worker);

/* The move that the option `final` chooses by the summed statistics of several trees whose roots have the same state.
 * SOLOIST_NO_MOVE: no move has a visit, or memory is full. (merge.c) */
soloist_move mcts_merged_final(struct mcts *const *trees, int count);

/* ---- copies of much-visited nodes (node_copies.c) ------------------------------------------------------------- */
bool mcts_copy_open(struct mcts_worker *worker); /* false: no memory */
/* The node's copy for selection, which is made or refreshed if necessary. NULL: the node cannot have a copy now, for
 * instance because it has too few visits. */
struct mcts_copy *mcts_copy_get(struct mcts_worker *worker, uint32_t index);
/* The node's copy if there is one already, otherwise NULL. */
struct mcts_copy *mcts_copy_find(struct mcts_worker *worker, uint32_t index);
uint32_t mcts_copy_select(struct mcts_worker *worker, struct mcts_copy *copy);
/* Adds all visits and results counted in copies to the tree and drops the copies. */
void mcts_copy_flush(struct mcts_worker *worker);

/* ---- expansion (expand.c) ---------------------------------------------------------------------------- */
/* Adds children to the node at the end of the worker's path. Returns the child with which the path continues, or
 * POOL_NONE. */
uint32_t mcts_expand(struct mcts_worker *worker, uint32_t index);
/* Adds the child to which a move leads. The move must be legal and must not have a child yet. */
uint32_t mcts_expand_move(struct mcts_worker *worker, uint32_t index, soloist_move move);
/* Makes a new node, which the caller must link to the tree. POOL_NONE: memory is full or the node limit is reached. */
uint32_t mcts_add(struct mcts_worker *worker, uint32_t parent, soloist_move move, uint32_t run);
/* Eliminates nodes below which no move is left to try, from the end of the path towards the root. */
void mcts_eliminate(struct mcts_worker *worker);
/* Eliminates one node. */
void mcts_close(struct mcts_worker *worker, uint32_t index);
/* Does the same as mcts_eliminate, but begins at a given node. */
void mcts_eliminate_from(struct mcts_worker *worker, uint32_t index);
/* Only with states=one-node: adds a child to the node. If the child's state already has a node elsewhere in the tree,
 * that node becomes a child of `parent` if the new path is shorter; otherwise nothing changes. */
void mcts_one_node_add(struct mcts_worker *worker, uint32_t parent, const soloist_child *child);
void mcts_forget(struct mcts_worker *worker, uint32_t index);
/* Sets the worker's state to the state at the end of its path. */
void mcts_stand(struct mcts_worker *worker);
bool mcts_one_node_root(struct mcts_worker *worker);

/* ---- simulation (simulate.c, ida.c) ------------------------------------------------------------------ */
/* Evaluates the worker's current leaf and returns the result. */
double mcts_simulate(struct mcts_worker *worker);
/* Whether a network evaluates states. (run.c) */
bool mcts_is_learned(const struct mcts_options *options);
/* Whether play has ended in the worker's state. If it has, the cost or score of the end of play is added to the value
 * of the line. */
bool mcts_note_end(struct mcts_worker *worker);
/* With reward=auto: the value of a state, computed from its bound and the cost or score of the path to it. */
double mcts_worth(const struct mcts *mcts, int32_t bound, int32_t path);
/* The value of the worker's current state. */
double mcts_value(struct mcts_worker *worker);
/* Makes one play-out of at most `length` moves from the worker's state and returns its result. The play-out's line is
 * recorded if it is the best so far. */
double mcts_play_out(struct mcts_worker *worker, int length);
/* Leaf parallelisation. mcts_leaf_help makes play-outs from the leader's leaves until the leader announces no more
 * leaves. mcts_leaf_lead waits until all play-outs from a leaf are done, and returns the first of the leader's results;
 * there is at least one. */
void mcts_leaf_help(struct mcts_worker *worker);
double mcts_leaf_lead(struct mcts_worker *worker);
/* Whether the play-outs from this leaf may end because enough of them agree. */
static inline bool mcts_leaf_has_enough(const struct mcts *mcts) {
    return atomic_load_explicit(&mcts->leaf.enough, memory_order_relaxed);
}
/* Adds a result to a worker's results. True: as many of them are equal as the option `agree` demands of `wanted`
 * play-outs. */
bool mcts_add_result(struct mcts_worker *worker, double result, int64_t wanted);
/* The index in worker->moves of the move that eps-IDA* chooses. */
int mcts_ida_place(struct mcts_worker *worker, int count);
/* Writes the moves that may be played from the worker's state to worker->moves and, unless mcts->listed is set, the
 * children to worker->children. Returns the number of moves. */
int mcts_list(struct mcts_worker *worker, soloist_move last);

/* ---- cycles (seen.c) --------------------------------------------------------------------------------- */
void mcts_seen_clear(struct mcts_worker *worker);
/* Adds a state's key to the keys of this iteration; false if it was among them already. */
bool mcts_seen_add(struct mcts_worker *worker, uint64_t key);
bool mcts_seen_has(const struct mcts_worker *worker, uint64_t key);

/* ---- the run (run.c, worker.c) ------------------------------------------------------------------ */
bool mcts_suits(const struct search_run *run);
soloist_code mcts_run(struct search_run *run);
bool mcts_worker_open(struct mcts_worker *worker, struct mcts *mcts, int number);
void mcts_worker_close(struct mcts_worker *worker);

static inline bool mcts_plays_out(enum mcts_simulate simulate) {
    return simulate != MCTS_SIMULATE_NONE && simulate != MCTS_SIMULATE_BREADTH;
}

/* The value of the option path_weight for tree number `number`; trees with odd numbers use second_path_weight if it is
 * set. */
static inline double mcts_path_weight_of(const struct mcts_options *options, int number) {
    return number % 2 && options->second_path_weight >= 0 ? options->second_path_weight : options->path_weight;
}

static inline double mcts_inverse_root(const struct mcts *mcts, uint32_t visits) {
    return visits < MCTS_ROOTS ? mcts->roots[visits] : 1 / __builtin_sqrt((double)visits);
}

/* The natural logarithm of `visits`. For large numbers it is interpolated from the table, with an error of at most
 * 5e-7. */
static inline double mcts_log(const struct mcts *mcts, uint32_t visits) {
    if (visits <= MCTS_ROOTS)
        return mcts->logs[visits];
    int shift = 22 - __builtin_clz(visits);
    uint32_t whole = visits >> shift;
    double part = (double)(visits & ((1u << shift) - 1)) / (double)(1u << shift);
    return shift * 0.69314718055994530942 + mcts->logs[whole] + part * (mcts->logs[whole + 1] - mcts->logs[whole]);
}

/* The score of the worker's line so far; one that does not fit into 32 bits counts as the lowest. */
static inline double mcts_points(const struct mcts_worker *worker) {
    return worker->value == SOLOIST_DEAD ? INT32_MIN : worker->value;
}

/* Converts a result to the integer units in which a node's sum is stored. Results of more than 2^38 units count as that
 * many, so that millions of them can be added up. */
static inline int64_t mcts_units(const struct mcts *mcts, double result) {
    const double most = (double)((int64_t)1 << 38);
    double scaled = result * mcts->scale;
    scaled = scaled < -most ? -most : scaled < most ? scaled : most;
    return (int64_t)(scaled < 0 ? scaled - 0.5 : scaled + 0.5);
}

/* Stores a value in `place` if it is greater (most) or less than what is there. */
static inline void mcts_keep_extreme(_Atomic double *place, double value, bool most) {
    double old = atomic_load_explicit(place, memory_order_relaxed);
    while ((most ? value > old : value < old) &&
           !atomic_compare_exchange_weak_explicit(place, &old, value, memory_order_relaxed, memory_order_relaxed))
        ;
}

/* Adds to a node's statistic. If only one thread uses the tree, no locked instruction is needed. */
#define MCTS_ADD(tree, place, amount)                                                                                  \
    ((tree)->shared ? (void)atomic_fetch_add_explicit(place, amount, memory_order_relaxed)                             \
                    : atomic_store_explicit(place, atomic_load_explicit(place, memory_order_relaxed) + (amount),       \
                                            memory_order_relaxed))

#endif
