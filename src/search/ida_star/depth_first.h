/* Depth-first search below a cost threshold: one iteration of IDA* (Korf 1985), without recursion.
 *
 * Children whose f is at most the threshold wait on a stack as whole states, so that no move has to be undone. When a
 * limit ends a run, the stack is not changed, so that the caller can raise the limit and continue the search.
 *
 * The search is written once, as the inline function depth_first_search, and compiled several times:
 * depth_first_generic calls the functions of any domain; in depth_first_tiles15 (depth_first_tiles.h) the functions of
 * the 15-puzzle are inlined. The node counts of all compiled copies are equal. */
#ifndef SEARCH_IDA_STAR_DEPTH_FIRST_H
#define SEARCH_IDA_STAR_DEPTH_FIRST_H

#include "search/ida_star/piece.h"
#include "search/search.h"

#include <string.h>

enum depth_first_end {
    DEPTH_FIRST_FOUND,     /* path, path_length and cost hold a solution */
    DEPTH_FIRST_EXHAUSTED, /* no solution at or below the threshold; next_threshold is the least f above it */
    DEPTH_FIRST_LIMIT,     /* `generated` has reached the limit; the run may be continued */
    DEPTH_FIRST_NO_MEMORY, /* the stacks cannot grow; the run may be continued */
    DEPTH_FIRST_REFUSED    /* after `cost`, a move costs bad_step: that is negative, or the sum overflows */
};

#define DEPTH_FIRST_NO_THRESHOLD INT32_MAX /* value of next_threshold if no child was above the threshold */
/* A function that lists a fixed number of children adds this to the bound of each child that does not exist. Every
 * threshold is less than half of this number. */
#define DEPTH_FIRST_ABSENT (1 << 29)

/* A child that waits on the stack. The bytes of its state are stored directly behind this struct. */
struct depth_first_entry {
    soloist_move move; /* the move that led to the child */
    uint32_t depth;
    int32_t cost;  /* from the root */
    int32_t bound; /* bound of the state; stored only by depth_first_generic */
};

struct depth_first {
    const soloist_domain *domain;
    const soloist_instance *instance;
    size_t state_size; /* in bytes, rounded up to whole 8-byte words */
    uint32_t most_moves;
    /* Test every state for a goal, not only those of bound 0, because the bound is not admissible or not trusted. */
    bool ask_all;
    struct search_guard *guard; /* set by the caller after depth_first_open; NULL: the domain is trusted */
    /* Other workers search parts of the tree. `generated` then also counts the children that were generated after the
     * goal. */
    bool shared;
    struct memory *memory;
    /* Arrays that grow with depth: path has one move per level, waiting has most_moves children per level. */
    soloist_move *path;
    unsigned char *waiting;
    uint32_t depth_room;
    /* The state being expanded. */
    unsigned char *state;
    soloist_child *children;
    /* The search itself. */
    size_t waiting_size; /* bytes in use */
    uint32_t path_length;
    int32_t threshold, next_threshold;
    /* Children generated in all iterations, counted as Korf counts them: without the root and without children
     * generated after the goal. */
    uint64_t generated;
    uint64_t expanded; /* states expanded in all iterations */
    int32_t cost, bad_step;
};

/* The f of a child, at most the greatest threshold. */
static inline int32_t depth_first_f(int32_t cost, int32_t bound) {
    uint32_t f = (uint32_t)cost + (uint32_t)bound;
    return f < (uint32_t)SOLOIST_DEAD ? (int32_t)f : SOLOIST_DEAD - 1;
}

/* Whether a child's cost, cost + step, is a cost; if not, notes both. */
static inline bool depth_first_can_add(struct depth_first *search, int32_t cost, int32_t step) {
    if ((uint32_t)step < (uint32_t)(SOLOIST_DEAD - cost)) /* false also for a negative step */
        return true;
    search->cost = cost;
    search->bad_step = step;
    return false;
}

/* False: memory is full; the caller must call depth_first_close in this case too. The domain's aim must be the least
 * cost. */
bool depth_first_open(struct depth_first *search, const soloist_domain *domain, const soloist_instance *instance,
                      struct memory *memory);
void depth_first_close(struct depth_first *search);

/* Begins an iteration at the root. Returns DEPTH_FIRST_FOUND if the root is a goal, or DEPTH_FIRST_EXHAUSTED if the f
 * of every child is above the threshold. Otherwise returns DEPTH_FIRST_LIMIT, and the caller must then run the
 * iteration. */
enum depth_first_end depth_first_begin(struct depth_first *search, int32_t threshold);
/* Begins to search a piece of the tree that another worker gave away, in an iteration with this threshold. The stack
 * must be empty. next_threshold is not changed. False: memory is full. */
bool depth_first_take(struct depth_first *search, int32_t threshold, const uint32_t *piece);
/* Gives away some of the entries that are nearest to the root: writes them into the piece and removes them from the
 * stack. At least one entry stays on the stack. False: the stack has fewer than two entries, or there is no memory for
 * the piece. */
bool depth_first_give(struct depth_first *search, struct piece *piece);
/* Removes the newest entry from the stack and writes it into a piece. The newest entry must have the same depth as the
 * oldest. This holds after depth_first_begin, and after depth_first_take followed by one expansion. False: the stack is
 * empty, or memory is full. */
bool depth_first_pop(struct depth_first *search, struct piece *piece);
/* Runs until a goal is found, the stack is empty, or `generated` is at least `limit`. */
enum depth_first_end depth_first_generic(struct depth_first *search, uint64_t limit);

/* Used by depth_first_search. depth_first_grow enlarges the arrays, so that the search can go deeper (false: memory is
 * full); depth_first_uncount subtracts from `generated` the children that were generated after the goal. */
bool depth_first_grow(struct depth_first *search);
void depth_first_uncount(struct depth_first *search);

#define DEPTH_FIRST_INLINE static inline __attribute__((always_inline))

/* Copies a state from the stack, word by word. The function `apply` has just written these words one at a time. A
 * compiler would copy a small state by wide loads, and a processor cannot forward two narrow stores to one wide
 * load. */
DEPTH_FIRST_INLINE void depth_first_load(void *state, const void *from, const size_t size) {
    if (size > 128) {
        memcpy(state, from, size);
        return;
    }
    for (size_t i = 0; i < size; i += 8) {
        uint64_t word;
        memcpy(&word, (const char *)from + i, 8);
        __asm__("" : "+r"(word));
        memcpy((char *)state + i, &word, 8);
    }
}

/* Puts a child on the stack: copies the parent's state and plays the move on it. */
DEPTH_FIRST_INLINE void depth_first_push(const soloist_instance *instance, const soloist_core *core,
                                         struct depth_first_entry *entry, const soloist_child *child, uint32_t depth,
                                         int32_t cost, const void *parent, const size_t state_size,
                                         const bool keep_bound) {
    entry->move = child->move;
    entry->depth = depth;
    entry->cost = cost;
    if (keep_bound)
        entry->bound = child->bound;
    for (size_t i = 0; i < state_size; i += 8)
        memcpy((char *)(entry + 1) + i, (const char *)parent + i, 8);
    core->apply(instance, entry + 1, child->move, NULL);
}

/* The search. In a specialised copy, `core`, `state_size` and `slots` are compile-time constants, and `state` and
 * `children` are local variables. If slots > 0, the loop has no branch that is hard to predict: `expand` always writes
 * `slots` children and adds DEPTH_FIRST_ABSENT to the bound of those that do not exist. Each child is written to the
 * top of the stack, but the top moves up only if the child's f is at most the threshold. */
DEPTH_FIRST_INLINE enum depth_first_end depth_first_search(struct depth_first *search,
                                                           const soloist_instance *restrict instance,
                                                           const soloist_core *core, const size_t state_size,
                                                           const int slots, void *restrict state,
                                                           soloist_child *restrict children, uint64_t limit) {
    const size_t entry_size = sizeof(struct depth_first_entry) + state_size;
    unsigned char *bottom = search->waiting, *top = bottom + search->waiting_size;
    int32_t threshold = search->threshold, next = search->next_threshold, last;
    uint32_t least_excess = (uint32_t)(search->next_threshold - threshold - 1);
    uint64_t generated = search->generated, expanded = search->expanded;
    soloist_move *path = search->path;
    uint32_t depth_room = search->depth_room;
    bool ask_all = search->ask_all;
    struct search_guard *guard = search->guard;
    enum depth_first_end end = DEPTH_FIRST_EXHAUSTED;
    while (top > bottom) {
        if (generated >= limit) {
            end = DEPTH_FIRST_LIMIT;
            break;
        }
        /* 1. Take the newest entry. */
        struct depth_first_entry *entry = (struct depth_first_entry *)(top - entry_size);
        soloist_move move = entry->move;
        uint32_t depth = entry->depth;
        int32_t cost = entry->cost;
        if (depth + 1 >= depth_room) {
            search->waiting_size = (size_t)(top - bottom);
            if (!depth_first_grow(search)) {
                end = DEPTH_FIRST_NO_MEMORY;
                break;
            }
            bottom = search->waiting, top = bottom + search->waiting_size;
            path = search->path, depth_room = search->depth_room;
            continue;
        }
        depth_first_load(state, entry + 1, state_size);
        path[depth - 1] = move;
        if ((slots || entry->bound == 0 || ask_all) && core->ended(instance, state, &last)) {
            search->path_length = depth;
            search->cost = cost;
            end = DEPTH_FIRST_FOUND;
            break;
        }
        /* 2. Replace the entry by its children, the last child first, so that the first child is handled next. A child
         * stays if its excess, f - threshold - 1, is negative. As an unsigned number a negative excess is huge: its top
         * bit says that the child stays, and the minimum over all excesses is not affected by such a huge number. */
        top = (unsigned char *)entry;
        int count = core->expand(instance, state, move, SOLOIST_WANT_BOUND, children);
        if (!slots)
            count = search_guard_children(guard, SOLOIST_WANT_BOUND, children, count);
        generated += (uint64_t)count;
        expanded++;
        for (int i = slots ? slots : count; i-- > 0;) {
            if (!slots) { /* any domain: costs may be large, so sums are checked */
                if (!depth_first_can_add(search, cost, children[i].step)) {
                    end = DEPTH_FIRST_REFUSED;
                    break;
                }
                int32_t f = depth_first_f(cost + children[i].step, children[i].bound);
                if (f > threshold) {
                    next = f < next ? f : next;
                    continue;
                }
                depth_first_push(instance, core, (struct depth_first_entry *)top, &children[i], depth + 1,
                                 cost + children[i].step, state, state_size, true);
                top += entry_size;
                continue;
            }
            int32_t child_cost = cost + children[i].step;
            uint32_t excess = (uint32_t)(child_cost + children[i].bound - threshold - 1), pass = excess >> 31;
            least_excess = excess < least_excess ? excess : least_excess;
            depth_first_push(instance, core, (struct depth_first_entry *)top, &children[i], depth + 1, child_cost,
                             state, state_size, false);
            top += pass * entry_size;
        }
        if (!slots && end == DEPTH_FIRST_REFUSED)
            break;
    }
    search->waiting_size = (size_t)(top - bottom);
    search->next_threshold = !slots                                  ? next
                             : least_excess < DEPTH_FIRST_ABSENT / 2 ? threshold + 1 + (int32_t)least_excess
                                                                     : DEPTH_FIRST_NO_THRESHOLD;
    search->generated = generated;
    search->expanded = expanded;
    if (end == DEPTH_FIRST_FOUND && !search->shared)
        depth_first_uncount(search);
    return end;
}

#endif
