/* The tree search of expert iteration (Ge 2018, section 3.5), for domains of least cost. A game is played move by move;
 * before each move a number of rounds grow the tree. A round goes down from the root by formula 3.2,
 *
 *     Q(s, a) + c P(s, a) sqrt(sum of N(s, b) over b) / (1 + N(s, a)),
 *
 * where N(s, a) counts how often the edge was selected and Q(s, a) is the sum of the values below it divided by N(s, a)
 * (0 if N is 0). At an edge without a node it makes the node of the state there, with all its edges. The network gives
 * their priors and the node's value, which is added to every edge between the node and the root.
 *
 * - A state has at most one node: an edge to a state that was visited elsewhere, or earlier in the game, is closed.
 * - A node whose edges are all closed is closed itself and worth 0, and so is a state without moves, or one that the
 *   game reaches only at its last step. A solved state is worth 1, and may be selected again.
 * - The network is asked about several nodes together. Until then the node's edges have a placeholder as their prior,
 *   and its visit counts without a value.
 *
 * The caller evaluates what exit_tree_gather collects, so that states of many games can be evaluated in one batch. */
#ifndef SEARCH_POLICY_EXIT_TREE_H
#define SEARCH_POLICY_EXIT_TREE_H

#include "base/table.h"
#include "search/evaluator.h"
#include "search/policy/exit_options.h"
#include "search/picture.h"

#define EXIT_NONE UINT32_MAX

/* EXIT_VISITED: the state there was visited elsewhere. EXIT_DEAD: nothing can be won below. EXIT_EXHAUSTED: all edges
 * of the child are closed. Only open edges are selected. */
enum exit_edge_kind { EXIT_OPEN, EXIT_VISITED, EXIT_DEAD, EXIT_EXHAUSTED };

struct exit_edge {
    uint32_t visits;
    uint32_t child; /* EXIT_NONE: no node yet */
    double sum;     /* of the values below */
    enum exit_edge_kind kind;
};

struct exit_node {
    uint32_t parent, from; /* the parent, and the number of its edge that leads here; EXIT_NONE: this is the root */
    uint32_t first, count; /* the node's edges, moves and priors have the numbers first .. first + count - 1 */
    uint32_t open;         /* number of open edges */
    uint32_t visits;       /* sum of the edges' visits */
    int depth;             /* moves since the beginning of the game */
    float value;           /* valid if `valued` */
    bool solved, valued;
};

/* The nodes of a tree; node 0 is the root. */
struct exit_store {
    struct exit_node *nodes;
    unsigned char *states; /* one per node */
    struct exit_edge *edges;
    soloist_move *moves; /* one per edge, like the priors */
    float *priors;
    uint32_t count, edge_count;
    uint32_t node_room, state_room, edge_room, move_room, prior_room;
};

/* A game with its tree. Code outside this folder may only read the fields. */
struct exit_tree {
    const soloist_domain *domain;
    const soloist_instance *instance;
    soloist_shape shape;
    const struct exit_options *options;
    struct memory *memory;
    soloist_rng rng;
    struct exit_store store, spare; /* spare: where the kept part of the tree is copied to */
    struct table visited;           /* the states of the tree and of the game */
    uint32_t *pending;              /* nodes that wait for the network */
    uint32_t pending_count, pending_room;
    unsigned char *state; /* scratch space for one state */
    soloist_move *scratch_moves;
    double *weights;         /* scratch space for drawing a move */
    unsigned char *played;   /* the states of the game before each of its moves */
    struct search_line game; /* the moves played, and their cost so far */
    uint32_t played_room;
    int64_t in_move;  /* rounds since the last move */
    uint64_t nodes;   /* nodes added since the game began */
    uint64_t judged;  /* states evaluated since the game began */
    uint32_t line_to; /* the first solved node; EXIT_NONE: none */
};

/* ---- life ---- */

/* options and memory must outlive the tree. False: no memory. Close the tree even then. */
bool exit_tree_open(struct exit_tree *tree, const soloist_domain *domain, const soloist_instance *instance,
                    const struct exit_options *options, struct memory *memory, uint64_t seed);
/* Begins another game, on this or another instance of the domain. False: no memory. */
bool exit_tree_restart(struct exit_tree *tree, const soloist_instance *instance, uint64_t seed);
void exit_tree_close(struct exit_tree *tree);

/* ---- a move ---- */

/* Runs rounds until `delay` states wait for the network or the rounds of this move are over. Returns how many states
 * wait; 0: a move can be chosen; -1: no memory. */
int exit_tree_gather(struct exit_tree *tree);
/* Writes what the network is to be asked about waiting state number `index`. Its answers go into the tree, except the
 * value. The tree must not change before exit_tree_update. */
void exit_tree_question(struct exit_tree *tree, int index, struct evaluation *question);
void exit_tree_answer(struct exit_tree *tree, int index, float value);
/* Call it after all waiting states were answered: adds the values to the tree. */
void exit_tree_update(struct exit_tree *tree);

/* The move to play; SOLOIST_NO_MOVE: every move of the root is closed, so the game is lost. */
soloist_move exit_tree_choose(struct exit_tree *tree);
/* Plays a move of the root. False: no memory. */
bool exit_tree_advance(struct exit_tree *tree, soloist_move move);

/* ---- what a tree knows ---- */

/* For painters. */
void exit_tree_paint(const struct search_run *run, const struct exit_tree *tree, struct search_picture *picture);

static inline const void *exit_tree_state(const struct exit_tree *tree) { return tree->store.states; }
bool exit_tree_is_solved(const struct exit_tree *tree);
/* Solved, or at the step limit. */
bool exit_tree_is_over(const struct exit_tree *tree);
/* Writes the moves of the game and those that lead from the root to the first solved node found; `line` keeps its
 * memory. False: there is no such node, or no memory. */
bool exit_tree_line(const struct exit_tree *tree, struct search_line *line);

#endif
