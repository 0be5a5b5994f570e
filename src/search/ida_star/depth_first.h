/* Depth-first search below a cost threshold: one iteration of IDA* (Korf 1985), without recursion.
 *
 * Children that pass the threshold wait on a stack as whole states, so that no move has to be undone. When a limit ends
 * a run, the stack stays as it is: raise the limit and run again to continue.
 *
 * There is one body, depth_first_search, and copies of it with equal node counts: depth_first_generic calls the
 * functions of any domain; depth_first_tiles15 (depth_first_tiles.h) has those of the 15-puzzle inlined. */
#ifndef SEARCH_DEPTH_FIRST_H
#define SEARCH_DEPTH_FIRST_H

#include "base/memory.h"
#include "soloist_extra.h"

#include <string.h>

enum depth_first_end {
    DEPTH_FIRST_FOUND,     /* path, path_length and cost are a solution */
    DEPTH_FIRST_EXHAUSTED, /* none at or below the threshold; next_threshold is the least value above */
    DEPTH_FIRST_LIMIT,     /* `generated` has reached the limit; the run may be continued */
    DEPTH_FIRST_NO_MEMORY  /* the stacks cannot grow; the run may be continued */
};

#define DEPTH_FIRST_NO_THRESHOLD INT32_MAX /* next_threshold when nothing was cut off */
#define DEPTH_FIRST_ABSENT (1 << 29)       /* marks a slot without a child; every threshold is less than half of it */

/* A child that waits. Its state follows. */
struct depth_first_entry {
    soloist_move move; /* that led to it */
    uint32_t depth;
    int32_t cost;  /* from the root */
    int32_t bound; /* kept by the generic copy only */
};

struct depth_first {
    const soloist_domain *domain;
    const soloist_instance *instance;
    size_t state_size; /* in whole words */
    uint32_t most_moves;
    bool ask_all; /* no admissible bound: any state may be a goal, not only those of bound 0 */
    struct memory *memory;
    /* What grows with depth: a move a level, most_moves waiting children a level. */
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
    uint64_t generated; /* children in all iterations, as Korf counts: not the root, nor what follows the goal */
    uint64_t expanded;  /* states in all iterations */
    int32_t cost;
};

/* False when memory is full; close it even then. The domain must aim at least cost. */
bool depth_first_open(struct depth_first *search, const soloist_domain *domain, const soloist_instance *instance,
                      struct memory *memory);
void depth_first_close(struct depth_first *search);

/* Begins an iteration at the root. FOUND if the root is a goal, EXHAUSTED if none of its children passes, else LIMIT:
 * run it. */
enum depth_first_end depth_first_begin(struct depth_first *search, int32_t threshold);
/* Runs until the goal, the end of the stack, or until `generated` is at least `limit`. */
enum depth_first_end depth_first_generic(struct depth_first *search, uint64_t limit);

/* For the body: makes room for more depth; takes from the count what was generated but comes after the goal. */
bool depth_first_grow(struct depth_first *search);
void depth_first_uncount(struct depth_first *search);

#define DEPTH_FIRST_INLINE static inline __attribute__((always_inline))

/* Takes a state from the stack. Its words are kept apart: apply has just written them one by one, and a processor
 * cannot forward two narrow stores to the one wide load that a compiler would make of a small copy. */
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

/* Puts a child on the stack: its state is the parent's with the move played. */
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

/* The body. In a specialised copy `core`, `state_size` and `slots` are constants, `state` and `children` are local, and
 * with slots > 0 the loop has no branch that is hard to predict: expand writes that many places for any state, with
 * DEPTH_FIRST_ABSENT added to the bound where there is no child, and every place is pushed, but the top of the stack
 * moves up only under those that pass. */
DEPTH_FIRST_INLINE enum depth_first_end depth_first_search(struct depth_first *search,
                                                           const soloist_instance *restrict instance,
                                                           const soloist_core *core, const size_t state_size,
                                                           const int slots, void *restrict state,
                                                           soloist_child *restrict children, uint64_t limit) {
    const size_t entry_size = sizeof(struct depth_first_entry) + state_size;
    unsigned char *bottom = search->waiting, *top = bottom + search->waiting_size;
    int32_t threshold = search->threshold, last;
    uint32_t least_excess = (uint32_t)(search->next_threshold - threshold - 1);
    uint64_t generated = search->generated, expanded = search->expanded;
    soloist_move *path = search->path;
    uint32_t depth_room = search->depth_room;
    bool ask_all = search->ask_all;
    enum depth_first_end end = DEPTH_FIRST_EXHAUSTED;
    while (top > bottom) {
        if (generated >= limit) {
            end = DEPTH_FIRST_LIMIT;
            break;
        }
        /* 1. Take the newest. */
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
        /* 2. Put its children in its place: the last first, so that the first is taken first. What is left over the
         * threshold, less one, is negative for those that pass, and so the greatest unsigned. */
        top = (unsigned char *)entry;
        int count = core->expand(instance, state, move, SOLOIST_WANT_BOUND, children);
        generated += (uint64_t)count;
        expanded++;
        for (int i = slots ? slots : count; i-- > 0;) {
            int32_t child_cost = cost + children[i].step;
            uint32_t excess = (uint32_t)(child_cost + children[i].bound - threshold - 1), pass = excess >> 31;
            least_excess = excess < least_excess ? excess : least_excess;
            if (slots || pass)
                depth_first_push(instance, core, (struct depth_first_entry *)top, &children[i], depth + 1, child_cost,
                                 state, state_size, !slots);
            top += pass * entry_size;
        }
    }
    search->waiting_size = (size_t)(top - bottom);
    search->next_threshold =
        least_excess < DEPTH_FIRST_ABSENT / 2 ? threshold + 1 + (int32_t)least_excess : DEPTH_FIRST_NO_THRESHOLD;
    search->generated = generated;
    search->expanded = expanded;
    if (end == DEPTH_FIRST_FOUND)
        depth_first_uncount(search);
    return end;
}

#endif
