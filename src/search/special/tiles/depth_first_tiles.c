/* The 15-puzzle's functions as a constant table for the depth-first search. Child number d is always the move in
 * direction d, so the compiler knows every shift that does not depend on the blank's square. A child is marked absent
 * if its move would leave the board or undo the last move. */
#include "search/special/tiles/depth_first_tiles.h"

#include "domain/domain.h"
#include "domain/tiles/tiles_core.h"
#include "search/special/registry.h"

TILES_INLINE int32_t apply(const soloist_instance *instance, void *state, soloist_move move, void *undo) {
    (void)undo;
    return tiles_apply_body(instance, state, move, TILES_OFFSETS(4), 4);
}

TILES_INLINE bool ended(const soloist_instance *instance, const void *state, int32_t *last) {
    const struct tiles_state *s = state;
    (void)instance;
    *last = 0;
    return tiles_distance(s->summary, TILES_TO_GOAL) == 0;
}

TILES_INLINE int expand(const soloist_instance *instance, const void *state, soloist_move last, unsigned want,
                        soloist_child *children) {
    unsigned open = instance->open[tiles_blank(state)] & ~(8u >> last);
    (void)want;
    for (unsigned move = 0; move < TILES_DIRECTIONS; move++) {
        children[move].move = move;
        children[move].step = 1;
        children[move].bound = tiles_child_distance(instance, state, move, TILES_OFFSETS(4), 4, TILES_TO_GOAL) +
                               (int32_t)(~open >> move & 1) * DEPTH_FIRST_ABSENT;
    }
    return 0x4332322132212110 >> open * 4 & 15; /* the number of bits in `open`: one hexadecimal digit per value */
}

static const soloist_core core = {.size = sizeof(soloist_core), .apply = apply, .ended = ended, .expand = expand};

enum depth_first_end depth_first_tiles15(struct depth_first *search, uint64_t limit) {
    uint64_t state[2];
    soloist_child children[TILES_DIRECTIONS];
    return depth_first_search(search, search->instance, &core, sizeof state, TILES_DIRECTIONS, state, children, limit);
}

static special_depth_first *choose(const soloist_instance *instance) {
    bool fits = instance->width == 4 && instance->height == 4 && instance->bound == TILES_MANHATTAN;
    return fits ? depth_first_tiles15 : NULL;
}

static const struct special_ida_star ida_star = {.depth_first = choose};
const struct special special_tiles = {&tiles_domain, NULL, &ida_star};
