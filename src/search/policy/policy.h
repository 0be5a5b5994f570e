/* Tree search guided by a network (Policy-MCTS and PV-MCTS; Seify 2020, chapters 4 to 6), interruptible where the
 * network is asked: many simulations, of one tree or of many games, are in flight at once, so that batches form.
 *
 * One simulation:
 *
 *     step = policy_tree_begin(tree, simulation);
 *     while (step == POLICY_ASKS) {
 *         ... simulation->evaluation is evaluated, alone or with those of other simulations ...
 *         step = policy_tree_go_on(tree, simulation);
 *     }
 *
 * After the simulations of a move the root's edges hold visits, means, best results and priors; policy_tree_choose
 * returns the move and policy_tree_advance plays it. For domains of one player that aim at most score. */
#ifndef SEARCH_POLICY_POLICY_H
#define SEARCH_POLICY_POLICY_H

#include "base/memory.h"
#include "search/evaluator.h"
#include "search/policy/options.h"
#include "search/search.h"

#include <pthread.h>

#define POLICY_NONE 0u

/* A move of a node. Results are whole scores, from the game's first move to its end. */
struct policy_edge {
    soloist_move move;
    float prior;
    uint32_t visits;  /* including those in flight */
    uint32_t waiting; /* under way */
    uint32_t child;   /* node, POLICY_NONE: not expanded */
    bool pending : 1; /* a simulation is about to expand it */
    bool closed : 1;  /* everything below is known: not visited again */
    bool barred : 1;  /* pending, closed, or everything below is held: no simulation may go down now */
    uint16_t ranked;  /* unrelated to this edge: the edge at this place of the node's order, if it is ordered */
    double sum;       /* of results that are back */
    double worth; /* mean of the results, mixed with the best by best_share; valid if a result is back, like the next
                   * two */
    float best, least;
};

/* A node lies before its edges; its memo, and its state where states are small, after them, in one block. */
struct policy_node {
    uint32_t count;     /* of edges */
    uint32_t visits;    /* begun: its own, and its edges' */
    uint32_t open;      /* edges not closed */
    uint32_t available; /* edges that a simulation may go down now: not closed, not pending, available below */
    double first;       /* the first result that came back here; edges without a result count with it */
    bool has_first;
    bool kept;     /* while the tree is pruned */
    bool unlisted; /* its moves are not listed yet: it gets edges when it is visited again */
    bool asked;    /* the network has been asked for its priors */
    bool even;     /* all priors are the same: edges are tried in their order */
    bool ordered;  /* `ranked` holds an order: edges with visits, then the others from the highest prior down */
    uint32_t from; /* the edge that leads here, as an index of blocks; POLICY_NONE: the root */
};

/* What the last choice among a node's edges found, in points. As long as only the chosen edge has changed, no other
 * edge can be worth more than `runner` plus `bonus` times the growth of the exploration term since then. */
struct policy_memo {
    double runner, explore, bonus;
    double low, high; /* worth of the other edges that have results */
    uint32_t chosen;  /* edge, from 1; 0: not valid */
    int32_t value;    /* score up to the node's state, if states are kept; not part of the memo */
};

/* Stands in place of a node's count: the chunk is unused from here to its end. */
#define POLICY_GAP UINT32_MAX

/* Sequential halving at the root (gumbel.c). */
struct policy_lot {
    double score;    /* Gumbel noise + log prior; -inf: not drawn */
    uint32_t visits; /* since the draw */
};

struct policy_halving {
    struct policy_lot *lots; /* of each root move */
    uint32_t room;           /* moves there is room for */
    int64_t considered;      /* moves still in */
    int64_t rounds;          /* left for them */
    int64_t place;           /* moves visited in this round */
    int64_t stages;          /* in all */
    uint32_t level;          /* visits that a move has had before this round */
};

/* A game with its tree. Code outside this folder may only read the fields. */
struct policy_tree {
    const soloist_domain *domain;
    const soloist_instance *instance;
    soloist_shape shape;
    const struct policy_options *options;
    struct memory *memory;
    bool asks;           /* leaves go to the network */
    bool informed;       /* its priors count */
    bool valued;         /* its value counts */
    bool played_out;     /* leaves are */
    bool guided;         /* play-outs follow the network's priors */
    bool lists_late;     /* moves of a leaf are not listed before the second visit: most have only one */
    uint32_t ask_visits; /* visits to a node before the network is asked; 0: asked when the node is made */
    int playout;         /* otherwise: number of the domain's play-out policy */
    double value_scale;  /* what its value of 1 is worth */
    int length;          /* of a play-out at most */
    uint64_t seed;       /* simulation number i draws from stream i */
    uint64_t begun;      /* simulations of this game */
    uint64_t in_move;    /* of them since the last move */
    uint64_t playouts;   /* play-outs to the end */
    uint64_t nodes;      /* expanded */

    pthread_mutex_t lock;        /* protects all that follows */
    pthread_cond_t changed;      /* signalled when something is available again or the tree is over */
    int waiting;                 /* threads that wait for that */
    struct policy_edge **chunks; /* blocks of edges, never across a chunk's end */
    uint32_t chunk_count, chunk_room, used;
    uint32_t beside;   /* places of a block that are not edges: the node, its memo and its state */
    uint32_t prune_at; /* value of `used` at which the discarded nodes are pruned */
    uint32_t root;     /* POLICY_NONE: not expanded */
    bool root_pending;
    bool root_ready;         /* its priors have their noise, its halving is drawn */
    bool full;               /* no memory for another node */
    double least, most;      /* results met */
    void *root_state;        /* where the game stands */
    int32_t root_value;      /* its score so far */
    struct search_line game; /* moves made */
    struct search_line best; /* the best line that ended, from the game's first move; not forgotten with the tree */
    bool has_best;
    struct policy_halving halving;
};

enum policy_phase { POLICY_IDLE, POLICY_LEAF, POLICY_PRIORS, POLICY_ROLLOUT };

struct policy_passage {
    uint32_t node, edge; /* edge: counted from the node's first, 1 */
};

/* A simulation under way, for one thread at a time. */
struct policy_simulation {
    struct evaluation
        evaluation; /* to be evaluated after policy_tree_begin or policy_tree_go_on returned POLICY_ASKS */
    double result;  /* of the simulation just done */

    struct memory *memory;
    enum policy_phase phase;
    soloist_rng rng;
    struct policy_passage *path; /* edges passed */
    soloist_move *line;          /* moves since the tree's root */
    int depth, length, room;
    int played;        /* moves of the line that are already played in `state`, when the simulation leaves the tree */
    uint32_t leaf;     /* node expanded or asked about; POLICY_NONE: none */
    int32_t value;     /* score of the line so far */
    bool ended;        /* the line has: the score includes the end's */
    bool at_end;       /* the path itself leads to the end */
    double leaf_value; /* the network's value of the leaf, in points, with the score so far */
    unsigned char *state; /* at the line's end */
    soloist_move *moves;  /* that can be made there */
    float *priors;
    void *block;
    size_t block_size, state_room;
    int move_room;
};

enum policy_step {
    POLICY_DONE, /* the simulation is over */
    POLICY_ASKS, /* simulation->evaluation waits for the network */
    POLICY_BUSY, /* nothing was begun: every move is held by simulations in flight */
    POLICY_OVER, /* nothing was begun: the root has ended, everything below it is known, or memory is full */
};

/* ---- life (tree.c, simulation.c) --------------------------------------------------------------------- */

/* evaluator: NULL for uniform priors (plain MCTS); it is not kept: only its properties are read. Borrows options and
 * memory. Close the tree even if opening failed. The game begins at the instance's root, with random numbers from
 * `seed`. */
bool policy_tree_open(struct policy_tree *tree, const soloist_domain *domain, const soloist_instance *instance,
                      const struct policy_options *options, const struct evaluator *evaluator, struct memory *memory,
                      uint64_t seed);
void policy_tree_close(struct policy_tree *tree);
/* Starts another game in the same memory, on this or another instance of the same domain. No simulation may be in
 * flight. False: no memory. */
bool policy_tree_restart(struct policy_tree *tree, const soloist_instance *instance, uint64_t seed);

/* One struct may be reused for many simulations and trees, one at a time; it grows as needed. It must be all zeros
 * before it is opened. */
void policy_simulation_open(struct policy_simulation *simulation, struct memory *memory);
void policy_simulation_close(struct policy_simulation *simulation);

/* ---- one simulation (simulate.c); several threads may call these on one tree, each with simulations of its own -- */

enum policy_step policy_tree_begin(struct policy_tree *tree, struct policy_simulation *simulation);
/* Continues after simulation->evaluation was evaluated. */
enum policy_step policy_tree_go_on(struct policy_tree *tree, struct policy_simulation *simulation);
/* After POLICY_BUSY on a shared tree: waits a moment, at most until something is available again.
 */
void policy_tree_wait(struct policy_tree *tree);
/* Gives up a simulation in flight, as if it had never begun: for when the network failed. */
void policy_tree_abandon(struct policy_tree *tree, struct policy_simulation *simulation);

/* Makes a line when no simulation has reached the end of the game: down the tree by most visits, then at random. No
 * other thread may use the tree. False: the line does not end. */
bool policy_tree_complete(struct policy_tree *tree, struct policy_simulation *simulation);

/* ---- many at once (in_flight.c) ---------------------------------------------------------------------- */

/* The simulations of one thread, on one tree. */
struct policy_in_flight {
    struct policy_simulation *simulations;
    struct policy_simulation **asking; /* as many */
    struct evaluation *evaluations;    /* as many */
    int count;
    struct memory *memory;
};

bool policy_in_flight_open(struct policy_in_flight *in_flight, int count,
                           struct memory *memory); /* close it all the same */
void policy_in_flight_close(struct policy_in_flight *in_flight);
/* Abandons the simulations in flight. */
void policy_in_flight_clear(struct policy_in_flight *in_flight, struct policy_tree *tree);
/* Begins up to *may simulations and subtracts them from *may, evaluates all that ask in one call, and continues them.
 * Returns how many ended; -1 with an error: all are given up. *waits: none is in flight and none could be begun. */
int policy_in_flight_round(struct policy_in_flight *in_flight, struct policy_tree *tree, int64_t *may,
                           struct evaluator *evaluator, bool *waits, soloist_error *error);

/* ---- what a tree tells; while no simulation is under way -------------------------------------------- */

/* The root's moves in the order of core; NULL, with a count of 0, before it is expanded. */
const struct policy_edge *policy_tree_root(const struct policy_tree *tree, int *count);
/* Mean of the results that are back; `otherwise` where none is. */
static inline double policy_edge_mean(const struct policy_edge *edge, double otherwise) {
    uint32_t back = edge->visits - edge->waiting;
    return back ? edge->sum / back : otherwise;
}
/* The estimated final score: the highest mean of a root move, or the root's own first result if no move has one. */
double policy_tree_value(const struct policy_tree *tree);
/* The move to make, by `final` or by Gumbel; SOLOIST_NO_MOVE before the root is expanded. */
soloist_move policy_tree_choose(struct policy_tree *tree);
/* Plays a move at the root; the subtree below it is kept under the option `keep`. False: no memory. */
bool policy_tree_advance(struct policy_tree *tree, soloist_move move);
/* True where the game has ended; *score (may be NULL) is then what it ended with. The game's moves are tree->game. */
bool policy_tree_ended(struct policy_tree *tree, int32_t *score);
/* Everything below the root is known. */
bool policy_tree_is_closed(const struct policy_tree *tree);
/* No simulation can be begun any more. May be called while others are in flight. */
bool policy_tree_is_over(struct policy_tree *tree);

/* ---- parts of this folder --------------------------------------------------------------------------- */

enum { POLICY_CHUNK_BITS = 12 };
static inline struct policy_edge *policy_block(const struct policy_tree *tree, uint32_t index) {
    return &tree->chunks[index >> POLICY_CHUNK_BITS][index & ((1u << POLICY_CHUNK_BITS) - 1)];
}
static inline struct policy_node *policy_node_at(const struct policy_tree *tree, uint32_t index) {
    return (struct policy_node *)(void *)policy_block(tree, index);
}
static inline struct policy_memo *policy_memo_at(const struct policy_tree *tree, uint32_t index) {
    return (struct policy_memo *)(void *)(policy_block(tree, index) + 1 + policy_node_at(tree, index)->count);
}
/* The node's state; NULL: states are too large to keep and are made again from the root's. */
static inline unsigned char *policy_state_at(const struct policy_tree *tree, uint32_t index) {
    return tree->beside > 2 ? (unsigned char *)(policy_memo_at(tree, index) + 1) : NULL;
}
/* Call when a node has changed: `edge` is the only edge that did, 0: more than one edge. */
static inline void policy_change(const struct policy_tree *tree, uint32_t index, uint32_t edge) {
    struct policy_memo *memo = policy_memo_at(tree, index);
    memo->chosen = edge == memo->chosen ? edge : 0;
}
/* Adds a node with its edges; priors are uniform if NULL; without moves the node is unlisted. POLICY_NONE: memory is
 * full. Needs the lock. */
uint32_t policy_tree_add(struct policy_tree *tree, const soloist_move *moves, const float *priors, int count);
/* Allocates `edges` consecutive edges and returns the first index; POLICY_NONE: memory is full. Needs the lock. */
uint32_t policy_tree_take(struct policy_tree *tree, uint32_t edges);
/* The node becomes the root; all other nodes are freed, now or later (prune.c). */
void policy_tree_lower(struct policy_tree *tree, uint32_t root);
/* Offers a line from the tree's root that has ended. Needs the lock. */
void policy_tree_record(struct policy_tree *tree, const soloist_move *line, int length, int32_t value);
/* Makes room in the simulation for the tree's states and a line of `length` moves. */
bool policy_simulation_reserve(struct policy_simulation *simulation, const struct policy_tree *tree, int length);
/* The edge that PUCT chooses at a node with an available edge (select.c); edges count from 1. */
uint32_t policy_select(struct policy_tree *tree, uint32_t node);
/* An edge's mean, mixed with its best result by best_share; `otherwise` if no result is back. */
static inline double policy_edge_worth(const struct policy_edge *edge, double otherwise) {
    return edge->visits > edge->waiting ? edge->worth : otherwise;
}
/* Orders the edges of a node that has its priors (order.c). Needs the lock. */
void policy_order(struct policy_tree *tree, uint32_t node);
/* Draws one of the moves by their priors. */
int policy_draw(const float *priors, int count, soloist_rng *rng);
/* Dirichlet noise onto the root's priors (noise.c). */
void policy_add_noise(struct policy_tree *tree, soloist_rng *rng);
/* Draws `count` gammas of shape alpha and divides them by their sum. */
void policy_dirichlet(soloist_rng *rng, double alpha, int count, double *shares);
/* Sequential halving (gumbel.c): a new root's moves are drawn; the root's next edge, 0: wait; the edge it ends with. */
bool policy_halving_draw(struct policy_tree *tree, soloist_rng *rng);
uint32_t policy_halving_select(struct policy_tree *tree);
uint32_t policy_halving_final(const struct policy_tree *tree);

/* The methods' run (run.c). */
bool policy_suits(const struct search_run *run);
soloist_code policy_run(struct search_run *run);

#endif
