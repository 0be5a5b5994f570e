/* The tree search of expert iteration (Ge 2018, section 3.5), for domains of least cost. A game is played move by move;
 * before each move a number of rounds grow the tree. A round goes down from the root by formula 3.2,
 *
 *     Q(s, a) + c P(s, a) sqrt(sum of N(s, b) over b) / (1 + N(s, a)),
 *
 * where N(s, a) is the number of times the edge (s, a) was selected, and Q(s, a) is the sum of the values below the
 * edge divided by N(s, a), or 0 if N(s, a) is 0. When the round reaches an edge without a child, it adds a node for the
 * state there, with all edges of this node. The network computes the priors of these edges and the value of the node.
 * The value is added to every edge between the node and the root.
 *
 * - A state has at most one node: an edge is closed if it leads to a state that was visited elsewhere in the tree or
 *   earlier in the game.
 * - A node whose edges are all closed is closed too, and its value is 0. The same holds for a state without moves, and
 *   for an unsolved state that is reached at the step limit. A solved state has the value 1, and may be selected again.
 * - The network evaluates several nodes together. Until a node is evaluated, its edges have a placeholder as their
 *   prior, and its visit is counted but adds no value.
 *
 * The caller evaluates the states that exit_tree_gather collects, so that states of many games can be evaluated in one
 * batch. */
#ifndef SEARCH_POLICY_EXIT_TREE_H
#define SEARCH_POLICY_EXIT_TREE_H

#include "base/table.h"
#include "search/evaluator.h"
#include "search/policy/exit_options.h"
#include "search/picture.h"

#define EXIT_NONE UINT32_MAX

/* EXIT_OPEN: the edge may be selected. All other edges are closed. EXIT_VISITED: the edge leads to a state that was
 * visited elsewhere. EXIT_DEAD: the edge leads to a state from which no goal can be reached in this game.
 * EXIT_EXHAUSTED: all edges of the child are closed. */
enum exit_edge_kind { EXIT_OPEN, EXIT_VISITED, EXIT_DEAD, EXIT_EXHAUSTED };

struct exit_edge {
    uint32_t visits;
    uint32_t child; /* EXIT_NONE: no node yet */
    double sum;     /* sum of the values backed up through this edge */
    enum exit_edge_kind kind;
};

struct exit_node {
    uint32_t parent, from; /* the parent, and the number of its edge that leads here; EXIT_NONE: this is the root */
    uint32_t first, count; /* the node's edges, moves and priors have the numbers first .. first + count - 1 */
    uint32_t open;         /* number of open edges */
    uint32_t visits;       /* sum of the edges' visits */
    int depth;             /* number of moves since the beginning of the game */
    float value;           /* valid if `valued` is true */
    bool solved, valued;
};

/* The nodes of a tree; node 0 is the root. */
struct exit_store {
    struct exit_node *nodes;
    unsigned char *states; /* one per node */
    struct exit_edge *edges;
    soloist_move *moves; /* one per edge */
    float *priors;       /* one per edge */
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
    struct exit_store store, spare; /* spare: the store to which the kept part of the tree is copied */
    struct table visited;           /* all states of the tree and of the game so far */
    uint32_t *pending;              /* nodes that wait for the network */
    uint32_t pending_count, pending_room;
    unsigned char *state; /* scratch space for one state */
    soloist_move *scratch_moves;
    double *weights;         /* scratch space for drawing a move */
    unsigned char *played;   /* the state of the game before each move */
    struct search_line game; /* the moves played so far, and their cost */
    uint32_t played_room;
    int64_t in_move;  /* number of rounds since the last move */
    uint64_t nodes;   /* number of nodes added since the game began */
    uint64_t judged;  /* number of states evaluated since the game began */
    uint32_t line_to; /* the first solved node; EXIT_NONE: none */
};

/* ---- life ---- */

/* options and memory must outlive the tree. False: no memory; the caller must close the tree even then. */
bool exit_tree_open(struct exit_tree *tree, const soloist_domain *domain, const soloist_instance *instance,
                    const struct exit_options *options, struct memory *memory, uint64_t seed);
/* Begins another game, on this or another instance of the domain. False: no memory. */
bool exit_tree_restart(struct exit_tree *tree, const soloist_instance *instance, uint64_t seed);
void exit_tree_close(struct exit_tree *tree);

/* ---- a move ---- */

/* Runs up to `most` rounds, each of which adds at most one node, until `delay` states wait for the network or the
 * rounds of this move are over. Returns the number of states that wait; 0: the rounds are over, and a move can be
 * chosen; -1: no memory. */
int exit_tree_gather(struct exit_tree *tree, uint64_t most);
/* Fills in *question for waiting state number `index`. The caller then passes *question to the network. The network
 * writes the priors directly into the tree; the caller passes the value to exit_tree_answer. The tree must not change
 * before exit_tree_update. */
void exit_tree_question(struct exit_tree *tree, int index, struct evaluation *question);
void exit_tree_answer(struct exit_tree *tree, int index, float value);
/* Called when the values of all waiting states were passed to exit_tree_answer: adds these values to the tree. */
void exit_tree_update(struct exit_tree *tree);

/* Chooses the move to play. SOLOIST_NO_MOVE: all edges of the root are closed, so the game is lost. */
soloist_move exit_tree_choose(struct exit_tree *tree);
/* Plays a move of the root. False: no memory. */
bool exit_tree_advance(struct exit_tree *tree, soloist_move move);

/* ---- reading a tree ---- */

/* Draws the tree for somebody who watches the search. */
void exit_tree_paint(const struct search_run *run, const struct exit_tree *tree, struct search_picture *picture);

static inline const void *exit_tree_state(const struct exit_tree *tree) { return tree->store.states; }
bool exit_tree_is_solved(const struct exit_tree *tree);
/* Whether the game is solved or has reached the step limit. */
bool exit_tree_is_over(const struct exit_tree *tree);
/* Writes the moves of the game so far, followed by the moves from the root to the first solved node found. The memory
 * of `line` is reused. False: there is no such node, or no memory. */
bool exit_tree_line(const struct exit_tree *tree, struct search_line *line);

#endif
