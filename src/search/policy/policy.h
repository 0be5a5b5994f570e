/* Tree search guided by a network (Policy-MCTS and PV-MCTS; Seify 2020, chapters 4 to 6). A simulation is suspended
 * when it needs the network, so that many simulations, of one tree or of many games, can be in flight at once and their
 * states can be evaluated in batches.
 *
 * One simulation:
 *
 *     step = policy_tree_begin(tree, simulation);
 *     while (step == POLICY_ASKS) {
 *         ... evaluate simulation->evaluation, alone or together with those of other simulations ...
 *         step = policy_tree_go_on(tree, simulation);
 *     }
 *
 * After the simulations for a move, the root's edges hold visits, means, best results and priors; policy_tree_choose
 * returns the move to play, and policy_tree_advance plays it. Only for one-player domains.
 *
 * In a domain of least cost, the result of a line (a sequence of moves) is 1 - step_value * (its cost), or 0 if the
 * line does not reach a goal within step_limit moves. The network's values are on the same scale (evaluator.h). */
#ifndef SEARCH_POLICY_POLICY_H
#define SEARCH_POLICY_POLICY_H

#include "base/memory.h"
#include "search/evaluator.h"
#include "search/policy/options.h"
#include "search/picture.h"

#include <pthread.h>

#define POLICY_NONE 0u

/* An edge: one move of a node. A result is the score of a whole game, from its first move to its end. In a domain of
 * least cost, a result is a number from 0 to 1 that falls with the cost (see above). */
struct policy_edge {
    soloist_move move;
    float prior;
    uint32_t visits;  /* number of visits, including those in flight */
    uint32_t waiting; /* number of visits in flight */
    uint32_t child;   /* the node that the move leads to; POLICY_NONE: not expanded */
    bool pending : 1; /* a simulation is about to expand this edge */
    bool closed : 1;  /* everything below this edge has been searched, so the edge is not visited again */
    /* No simulation may pass this edge now: it is pending or closed, or all edges of its child are barred. */
    bool barred : 1;
    /* This member does not describe this edge: if the node is `ordered`, edges[i].ranked is the index of the i-th edge
     * in the node's order. */
    uint16_t ranked;
    double sum; /* sum of the results that have been backed up */
    /* Mean of the results, mixed with the best result as the option best_share says. The members `worth`, `best` and
     * `least` are valid only if a result has been backed up. */
    double worth;
    float best, least;
};

/* A node. One block of memory holds the node, then its edges, then its memo, then its state if states are small. */
struct policy_node {
    uint32_t count;     /* number of edges */
    uint32_t visits;    /* number of visits to this node, including those in flight */
    uint32_t open;      /* number of edges that are not closed */
    uint32_t available; /* number of edges that are not barred, so that a simulation may pass them now */
    double first;       /* the first result backed up to this node; used for edges that have no result yet */
    bool has_first;
    bool kept;     /* used only while nodes are freed: this node will be kept */
    bool unlisted; /* its moves are not listed yet; the node gets its edges at its next visit */
    bool asked;    /* the network has been asked for this node's priors */
    bool even;     /* all priors are the same, so edges are tried in the order of moves */
    bool ordered;  /* `ranked` holds an order: first the visited edges, then the unvisited ones by falling prior */
    uint32_t from; /* the index of the edge that leads here; POLICY_NONE: this is the root */
};

/* The result of the last selection at a node, in units of the score. `runner` is the value of the second-best edge and
 * `explore` the exploration term at that time; `bonus` is the greatest prior / (1 + visits) of an edge. As long as only
 * the chosen edge has changed, the value of every other edge is at most runner + bonus * max(0, e - explore), where e
 * is the exploration term now. */
struct policy_memo {
    double runner, explore, bonus;
    double low, high; /* least and greatest `worth` of the other edges that have results */
    uint32_t chosen;  /* the chosen edge, counted from 1; 0: the memo is not valid */
    int32_t value;    /* not part of the memo: the score up to the node's state, if states are stored */
};

/* A special value of policy_node.count: the rest of the chunk is unused. */
#define POLICY_GAP UINT32_MAX

/* The data of one root move in sequential halving (gumbel.c). */
struct policy_lot {
    double score;    /* Gumbel noise + log prior; -inf: the move is not considered */
    uint32_t visits; /* visits since the candidate moves were drawn */
};

struct policy_halving {
    struct policy_lot *lots; /* one lot per root move */
    uint32_t room;           /* number of lots allocated */
    int64_t considered;      /* number of moves that have not been dropped yet */
    int64_t rounds;          /* rounds left in this stage */
    int64_t place;           /* number of moves visited so far in this round */
    int64_t stages;          /* number of stages in all */
    uint32_t level;          /* number of visits that each remaining move had before this round */
};

/* A game with its tree. Code outside this folder may only read the fields. */
struct policy_tree {
    const soloist_domain *domain;
    const soloist_instance *instance;
    soloist_shape shape;
    const struct policy_options *options;
    struct memory *memory;
    _Atomic uint64_t *nodes_left; /* how many nodes may still be added; trees may share it; NULL: no limit */
    soloist_stop_token *stop;     /* stops play-outs and evaluations; the caller sets it later; may be NULL */
    bool asks;                    /* the network is used */
    bool informed;                /* the network's priors are used */
    bool valued;                  /* the network's value is used */
    bool played_out;              /* leaves are evaluated by play-outs */
    bool guided;                  /* play-outs follow the network's priors */
    bool lists_late;     /* a leaf's moves are listed at its second visit, because most leaves are visited once */
    uint32_t ask_visits; /* number of visits before the network evaluates a node; 0: it evaluates every new node */
    int playout;         /* if play-outs are not guided: number of the domain's play-out policy */
    double value_scale;  /* score that a network value of 1 stands for */
    bool costs;          /* the domain's aim is the least cost */
    double step_value;   /* if `costs`: how much each unit of cost lowers a result */
    int step_limit;      /* if `costs`: a game that is not solved after this number of moves has the result 0 */
    int length;          /* maximum number of moves in a play-out */
    uint64_t seed;       /* seed of the random numbers; simulation number i uses stream i */
    uint64_t begun;      /* number of simulations begun in this game */
    uint64_t in_move;    /* number of simulations begun since the last move */
    uint64_t playouts;   /* number of play-outs that reached the end of the game */
    uint64_t nodes;      /* number of nodes expanded */

    pthread_mutex_t lock;        /* guards all fields that follow */
    pthread_cond_t changed;      /* signalled when an edge becomes available again or the tree is over */
    int waiting;                 /* number of threads that wait for `changed` */
    struct policy_edge **chunks; /* memory for blocks; a block never crosses the end of a chunk */
    uint32_t chunk_count, chunk_room, used;
    /* Space that a block needs for its node, memo and state, in units of sizeof(struct policy_edge). */
    uint32_t beside;
    uint32_t prune_at; /* value of `used` at which the memory of discarded nodes is reclaimed */
    uint32_t root;     /* POLICY_NONE: not expanded */
    bool root_pending;
    /* Noise was added to the root's priors, and the moves for sequential halving were chosen. */
    bool root_ready;
    bool full;               /* there is no memory for another node */
    double least, most;      /* least and greatest result so far */
    void *root_state;        /* the current state of the game */
    int32_t root_value;      /* the game's score so far */
    struct search_line game; /* the moves played in the game */
    struct search_line best; /* the best complete line, from the game's first move; kept if the tree is discarded */
    bool has_best;
    bool left_out; /* a complete line was not kept, because its value does not fit into 32 bits */
    struct policy_halving halving;
};

enum policy_phase { POLICY_IDLE, POLICY_LEAF, POLICY_PRIORS, POLICY_ROLLOUT };

struct policy_passage {
    uint32_t node, edge; /* edge: number of an edge of the node, counted from 1 */
};

/* A simulation in flight, used by one thread at a time. */
struct policy_simulation {
    /* The caller evaluates this when policy_tree_begin or policy_tree_go_on has returned POLICY_ASKS. */
    struct evaluation evaluation;
    double result; /* result of the simulation just done */

    struct memory *memory;
    enum policy_phase phase;
    soloist_rng rng;
    struct policy_passage *path; /* the edges that the simulation has passed */
    soloist_move *line;          /* the moves since the tree's root */
    int depth, length, room;
    /* When the simulation leaves the tree: number of moves of the line that have already been played on `state`. */
    int played;
    bool booked;          /* a node was taken from the tree's nodes_left, and is not yet added */
    uint32_t leaf;        /* the node that was expanded or is being evaluated; POLICY_NONE: none */
    int32_t value;        /* score of the line so far */
    bool ended;           /* the line reaches the end of the game, and `value` includes the score that the end adds */
    bool at_end;          /* play has ended at the leaf, without a play-out */
    double leaf_value;    /* score up to the leaf plus the network's value of the leaf, in units of the score */
    unsigned char *state; /* the state at the end of the line */
    soloist_move *moves;  /* the legal moves of that state */
    float *priors;
    void *block;
    size_t block_size, state_room;
    int move_room;
};

enum policy_step {
    POLICY_DONE, /* the simulation is over */
    POLICY_ASKS, /* simulation->evaluation waits for the network */
    /* No simulation was begun: every move is blocked by simulations in flight, or no node may be added. */
    POLICY_BUSY,
    POLICY_OVER, /* no simulation was begun: play has ended at the root, the tree is closed, or memory is full */
};

/* ---- life (tree.c, simulation.c) --------------------------------------------------------------------- */

/* evaluator: NULL for uniform priors (plain MCTS); only its properties are read, and the pointer is not stored. options
 * and memory must outlive the tree. The caller must close the tree even if opening failed. The game begins at the
 * instance's root, with random numbers from `seed`. */
bool policy_tree_open(struct policy_tree *tree, const soloist_domain *domain, const soloist_instance *instance,
                      const struct policy_options *options, const struct evaluator *evaluator, struct memory *memory,
                      uint64_t seed);
void policy_tree_close(struct policy_tree *tree);
/* Starts another game in the same memory, on this or another instance of the same domain. No simulation may be in
 * flight. False: memory is full. */
bool policy_tree_restart(struct policy_tree *tree, const soloist_instance *instance, uint64_t seed);

/* Opens a struct that can be used for many simulations and trees, one after the other; its memory grows as needed. All
 * bytes of the struct must be zero before it is opened. */
void policy_simulation_open(struct policy_simulation *simulation, struct memory *memory);
void policy_simulation_close(struct policy_simulation *simulation);

/* ---- one simulation (simulate.c); several threads may call these on one tree, each with its own simulations -- */

enum policy_step policy_tree_begin(struct policy_tree *tree, struct policy_simulation *simulation);
/* Continues after simulation->evaluation was evaluated. */
enum policy_step policy_tree_go_on(struct policy_tree *tree, struct policy_simulation *simulation);
/* After POLICY_BUSY on a shared tree: waits until an edge becomes available again or a short time has passed. */
void policy_tree_wait(struct policy_tree *tree);
/* Abandons a simulation in flight and restores the tree as if the simulation had never begun; used if the network
 * fails. */
void policy_tree_abandon(struct policy_tree *tree, struct policy_simulation *simulation);
/* Notes that memory is full, so that no simulation is begun any more. */
void policy_tree_fill(struct policy_tree *tree);

/* Used if no simulation has reached the end of the game: makes a line that follows the most visited edges down the tree
 * and then plays random moves. No other thread may use the tree. False: the line does not reach the end. */
bool policy_tree_complete(struct policy_tree *tree, struct policy_simulation *simulation);

/* ---- many simulations at once (in_flight.c) ---------------------------------------------------------- */

/* The simulations of one thread, on one tree. */
struct policy_in_flight {
    struct policy_simulation *simulations;
    /* Scratch space: the simulations whose states are in `evaluations`. Both arrays have room for `count` elements. */
    struct policy_simulation **asking;
    struct evaluation *evaluations;
    int count;
    uint64_t asked; /* number of states that the last round sent to the network */
    struct memory *memory;
};

/* The caller must call policy_in_flight_close even if this returns false. */
bool policy_in_flight_open(struct policy_in_flight *in_flight, int count, struct memory *memory);
void policy_in_flight_close(struct policy_in_flight *in_flight);
/* Abandons the simulations in flight; returns how many there were. */
int policy_in_flight_clear(struct policy_in_flight *in_flight, struct policy_tree *tree);
/* Begins up to *may simulations and subtracts their number from *may. Then evaluates all states for which simulations
 * wait, and continues these simulations; if the tree's token is stopped meanwhile, the states that are left stay in
 * flight. Returns the number of simulations that ended; -1 with an error: all simulations were abandoned. *waits is set
 * to true if no simulation is in flight and none could be begun. */
int policy_in_flight_round(struct policy_in_flight *in_flight, struct policy_tree *tree, int64_t *may,
                           struct evaluator *evaluator, bool *waits, soloist_error *error);

/* ---- results of a tree; these functions may be called only while no simulation is in flight --------- */

/* The root's edges in the order in which the domain lists moves; NULL, with a count of 0, before the root is
 * expanded. */
const struct policy_edge *policy_tree_root(const struct policy_tree *tree, int *count);
/* The mean of the results that have been backed up; `otherwise` if there are none. */
static inline double policy_edge_mean(const struct policy_edge *edge, double otherwise) {
    uint32_t back = edge->visits - edge->waiting;
    return back ? edge->sum / back : otherwise;
}
/* The estimated final score: the highest mean result of a root move, or, if no root move has a result, the root's own
 * first result. */
double policy_tree_value(const struct policy_tree *tree);
/* The move to play, chosen as the option `final` says or by sequential halving (gumbel.c); SOLOIST_NO_MOVE before the
 * root is expanded. */
soloist_move policy_tree_choose(struct policy_tree *tree);
/* Plays a move at the root. With the option `keep`, the subtree below this move is kept. False: memory is full. */
bool policy_tree_advance(struct policy_tree *tree, soloist_move move);
/* True if the game has ended; *score (may be NULL) is then its final score. The game's moves are in tree->game. */
bool policy_tree_ended(struct policy_tree *tree, int32_t *score);
/* Whether the game has reached its step limit (domains of least cost). */
bool policy_tree_is_spent(const struct policy_tree *tree);
/* The result of a line in a domain of least cost: value - step_value * cost, but at least 0. value: the value of the
 * state at the end of the line. */
static inline double policy_worth(const struct policy_tree *tree, double value, int32_t cost) {
    double worth = value - tree->step_value * cost;
    return worth > 0 ? worth : 0;
}
/* Whether everything below the root has been searched. */
bool policy_tree_is_closed(const struct policy_tree *tree);
/* Whether no simulation can be begun any more. May be called while simulations are in flight. */
bool policy_tree_is_over(struct policy_tree *tree);

/* ---- used only inside this folder ------------------------------------------------------------------- */

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
/* The node's state. NULL: states are too large to be stored in nodes, and are computed again from the root's state. */
static inline unsigned char *policy_state_at(const struct policy_tree *tree, uint32_t index) {
    return tree->beside > 2 ? (unsigned char *)(policy_memo_at(tree, index) + 1) : NULL;
}
/* Must be called when a node has changed. edge: the only edge that changed; 0: several edges changed. */
static inline void policy_change(const struct policy_tree *tree, uint32_t index, uint32_t edge) {
    struct policy_memo *memo = policy_memo_at(tree, index);
    memo->chosen = edge == memo->chosen ? edge : 0;
}
/* Adds a node with its edges. priors NULL: uniform priors. count 0: the node's moves will be listed later. POLICY_NONE:
 * memory is full. The caller holds the lock. */
uint32_t policy_tree_add(struct policy_tree *tree, const soloist_move *moves, const float *priors, int count);
/* Allocates `edges` consecutive edges and returns the first index. POLICY_NONE: memory is full. The caller holds the
 * lock. */
uint32_t policy_tree_take(struct policy_tree *tree, uint32_t edges);
/* Makes the node the root; all nodes not below it are freed, now or later (prune.c). */
void policy_tree_lower(struct policy_tree *tree, uint32_t root);
/* Records a line on which play has ended, if it is the best so far. line: the moves from the tree's root. The caller
 * holds the lock. */
void policy_tree_record(struct policy_tree *tree, const soloist_move *line, int length, int32_t value);
/* Makes room in the simulation for the tree's states and a line of `length` moves. */
bool policy_simulation_reserve(struct policy_simulation *simulation, const struct policy_tree *tree, int length);
/* The number, counted from 1, of the edge that PUCT chooses at a node that has an available edge (select.c). */
uint32_t policy_select(struct policy_tree *tree, uint32_t node);
/* The member `worth` of an edge, or `otherwise` if the edge has no result yet. */
static inline double policy_edge_worth(const struct policy_edge *edge, double otherwise) {
    return edge->visits > edge->waiting ? edge->worth : otherwise;
}
/* Draws the tree for somebody who watches the search. Takes the lock. */
void policy_paint(const struct search_run *run, struct policy_tree *tree, struct search_picture *picture);
/* Orders the edges of a node whose priors are known (order.c). The caller holds the lock. */
void policy_order(struct policy_tree *tree, uint32_t node);
/* Chooses one of the moves at random, with probability equal to its prior. */
int policy_draw(const float *priors, int count, soloist_rng *rng);
/* Adds Dirichlet noise to the root's priors (noise.c). */
void policy_add_noise(struct policy_tree *tree, soloist_rng *rng);
/* Generates `count` gamma variates of shape alpha and divides them by their sum. */
void policy_dirichlet(soloist_rng *rng, double alpha, int count, double *shares);
/* Sequential halving (gumbel.c). policy_halving_draw draws at random the root moves that are considered.
 * policy_halving_select returns the number of the next edge to visit, or 0 if the caller must wait.
 * policy_halving_final returns the number of the edge that is played in the end. */
bool policy_halving_draw(struct policy_tree *tree, soloist_rng *rng);
uint32_t policy_halving_select(struct policy_tree *tree);
uint32_t policy_halving_final(const struct policy_tree *tree);

/* The functions `suits` and `run` of the methods of this folder (run.c). */
bool policy_suits(const struct search_run *run);
soloist_code policy_run(struct search_run *run);

#endif
