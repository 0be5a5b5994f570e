/* Two searches towards each other in one domain: forwards from the root by the domain's core, backwards from every goal
 * state by its reverse core. The methods share two tables of packed states, the meeting test, the code that builds a
 * solution from a state where the two sides meet, the least g, f and d of the open states, and the main loop. Each
 * method decides in which order open states are expanded, and when it is proved that no cheaper solution exists. */
#ifndef SEARCH_BIDIRECTIONAL_BIDIRECTIONAL_H
#define SEARCH_BIDIRECTIONAL_BIDIRECTIONAL_H

#include "base/table.h"
#include "search/bidirectional/frontier.h"
#include "search/bidirectional/tally.h"
#include "search/search.h"

#define BIDIRECTIONAL_NEEDS                                                                                            \
    (SEARCH_NEEDS_ONE_PLAYER | SEARCH_NEEDS_GOAL | SEARCH_NEEDS_BOUND | SEARCH_NEEDS_REVERSE |                         \
     SEARCH_NEEDS_REVERSE_BOUND)

enum { FORWARDS, BACKWARDS };

enum { BIDIRECTIONAL_BOUND_DOMAIN, BIDIRECTIONAL_BOUND_NETWORK };
/* The options that all methods have; the options of each method begin with them. */
#define BIDIRECTIONAL_OPTIONS(T, INT, REAL, BOOL, CHOICE)                                                              \
    CHOICE(T, bound, BIDIRECTIONAL_BOUND_DOMAIN, "domain|network",                                                     \
           "source of the bounds: domain: the domain; network: a network that estimates the cost to go h. With "       \
           "bound=network, the search from the root uses h(state), the search from the goals uses h(root) - "          \
           "h(state), and no solution is reported as optimal")
SOLOIST_OPTIONS(bidirectional_options, BIDIRECTIONAL_OPTIONS);

enum bidirectional_status {
    BIDIRECTIONAL_OPEN,
    BIDIRECTIONAL_CLOSED,
    /* Not open, because at the state's present g no path through the state can be cheaper than the best solution. */
    BIDIRECTIONAL_PRUNED,
    BIDIRECTIONAL_DEAD
};

/* Stored before each packed state. */
struct bidirectional_node {
    uint32_t parent; /* index of the state from which `move` led here; POOL_NONE: this is a root */
    soloist_move move;
    int32_t cost;     /* g: least known cost from a root of this side */
    int32_t bound;    /* h: this direction's bound on the cost still to go */
    int32_t opposite; /* h': the other direction's bound, never above g; 0 if the method does not need it */
    uint32_t status;
};

struct bidirectional_side {
    const soloist_core *core;
    const soloist_bound *bound;
    struct table table;
    /* Counts of the open states by g, by f and by d, where d = g - h' is the error of the other direction's bound. */
    struct tally g, f, d;
    uint64_t open;
};

enum bidirectional_next {
    BIDIRECTIONAL_GO_ON,
    BIDIRECTIONAL_PROVED, /* the best solution found is optimal, or there is no solution */
    BIDIRECTIONAL_ENOUGH, /* a solution was found, and the method does not look for a cheaper one */
    BIDIRECTIONAL_FULL,
    BIDIRECTIONAL_REFUSED,
    BIDIRECTIONAL_FAILED /* the network failed */
};

struct bidirectional {
    struct search_run *run;
    const struct bidirectional_rules *rules;
    void *own;                             /* the method's own data */
    struct bidirectional_learned *learned; /* bounds from a network; NULL: the domain's bounds are used */
    struct bidirectional_side side[2];
    int32_t upper;   /* cost of the best solution found; SOLOIST_DEAD: none */
    int32_t epsilon; /* lower bound on the cost of any move */
    bool consistent; /* both bounds are consistent */
    int64_t noted;
    void *state, *child, *packed;
    soloist_child *children;
    size_t scratch_size;
};

/* The properties and functions by which the methods differ. */
struct bidirectional_rules {
    bool wants_opposite; /* nodes store the bounds of both directions, which must then be consistent */
    /* When the method closes a state, the state's cost is the least possible, provided that the bounds are
     * consistent. */
    bool closes_for_good;
    bool never_reopens; /* a closed state stays closed even if a cheaper path to it is found */
    /* Called when a state was opened, or opened again at lower cost. In the second case, older entries of this state in
     * the method's queue are stale. False: memory is full. */
    bool (*enter)(struct bidirectional *search, int side, uint32_t index);
    /* Called before an open state is closed or gets a lower cost. May be NULL. */
    void (*leave)(struct bidirectional *search, int side, uint32_t index);
    /* Expands the next state or states, or reports that no more expansion is needed. It is called only while both sides
     * have open states. */
    enum bidirectional_next (*step)(struct bidirectional *search);
};

/* For the field `suits` of a method: checks that both bounds are admissible (unless they come from a network), and that
 * at least one direction generates all moves. */
bool bidirectional_suits(const struct search_run *run);
/* Checks the same as bidirectional_suits, and also that both bounds are consistent. */
bool bidirectional_suits_consistent(const struct search_run *run);
/* Runs a method. epsilon: lower bound on the cost of any move; if negative, the domain's own lower bound is used. */
soloist_code bidirectional_run(struct search_run *run, const struct bidirectional_rules *rules, void *own,
                               int32_t epsilon);

/* Closes an open state and opens those of its children that may lead to a cheaper solution. */
enum bidirectional_next bidirectional_expand(struct bidirectional *search, int side, uint32_t index);

/* A lower bound on the cost of every solution not yet found, computed from the least g, f and d of both sides. */
int64_t bidirectional_least(struct bidirectional *search);

/* Reports the lower bound that the search has reached, for the progress line. */
void bidirectional_note(struct bidirectional *search, int64_t least);

/* ---- bounds from a network (learned.c) ---- */

/* Whether the options ask for a network's bounds. */
bool bidirectional_is_learned(const void *options);
/* Opens search->learned and gets the network's estimate for the root. The caller must close search->learned even if
 * this fails. */
enum bidirectional_next bidirectional_learned_open(struct bidirectional *search);
void bidirectional_learned_close(struct bidirectional *search);
/* Gets the network's estimates for those of search->children that are not in the side's table yet. False with
 * run->error filled in. */
bool bidirectional_learned_ask(struct bidirectional *search, int side, int count);
/* bidirectional_learned_of: the estimated cost from child number `child` to the goal. bidirectional_learned_bound: one
 * side's bound for a state whose estimated cost to the goal is `to_goal`. */
int32_t bidirectional_learned_of(const struct bidirectional *search, int child);
int32_t bidirectional_learned_bound(const struct bidirectional *search, int side, int32_t to_goal);
/* Functions for the members `proves`, `ignores` and `network` of a method's table. */
bool bidirectional_proves(const void *options);
unsigned bidirectional_ignores(const void *options);
enum search_network bidirectional_network(const void *options);

/* line.c: records the solution through a state that is in both tables. index: the index of the state in each table.
 * False: memory is full. */
bool bidirectional_record(struct bidirectional *search, const uint32_t index[2]);
void bidirectional_unpack(const struct bidirectional *search, int side, uint32_t index, void *state);

/* ---- a queue of open states, least priority number first; a state's number falls when its g falls ---- */

typedef int64_t bidirectional_priority(const struct bidirectional *search, const struct bidirectional_node *node);
/* Pushes an open state; among states of equal priority the one of least h comes first. */
bool bidirectional_push(const struct bidirectional *search, int side, uint32_t index, struct frontier *frontier,
                        bidirectional_priority *priority);
/* Removes stale entries from the front of the queue and returns the first that is not stale, or NULL. */
const struct frontier_entry *bidirectional_head(const struct bidirectional *search, int side, struct frontier *frontier,
                                                bidirectional_priority *priority);

static inline struct bidirectional_node *bidirectional_at(const struct bidirectional *search, int side,
                                                          uint32_t index) {
    return (struct bidirectional_node *)table_extra(&search->side[side].table, index);
}

static inline int64_t bidirectional_f(const struct bidirectional_node *node) {
    return (int64_t)node->cost + node->bound;
}

static inline int64_t bidirectional_d(const struct bidirectional_node *node) {
    return (int64_t)node->cost - node->opposite;
}

#endif
