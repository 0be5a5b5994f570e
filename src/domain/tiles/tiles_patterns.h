/* Pattern databases as a bound: where each pattern's tiles stand is part of the state and follows every move. The board
 * mirrored at its main diagonal gives a second sum from the same databases; the larger counts. */
#ifndef TILES_TILES_PATTERNS_H
#define TILES_TILES_PATTERNS_H

#include "domain/tiles/pattern.h"
#include "domain/tiles/tiles_core.h"

#define TILES_MOST_PATTERNS 4

struct tiles_tables {
    int patterns;
    struct pattern *pattern[TILES_MOST_PATTERNS];
    uint8_t pattern_of[TILES_MOST_SQUARES]; /* by a tile's goal square */
    uint8_t mirror[32];                     /* square of the mirrored board */
};

/* The part of a state that follows the board: excess of each pattern, then its place; first the board's own, then the
 * mirrored one's. Bytes beyond 2 * patterns are not part of a state. */
struct tiles_places {
    uint8_t excess[2 * TILES_MOST_PATTERNS];
    struct pattern_place place[2 * TILES_MOST_PATTERNS];
};

int tiles_pattern_count(int bound);
/* Is the board one that the bound's databases are made for? */
bool tiles_pattern_fits(const soloist_chunk *chunk, const struct tiles_options *options, int width, int height,
                        soloist_error *error);
void tiles_places_set(const soloist_instance *instance, const uint8_t *board, struct tiles_places *places);

TILES_INLINE size_t tiles_places_size(const soloist_instance *instance) {
    return instance->patterns
               ? offsetof(struct tiles_places, place) + 2 * (size_t)instance->patterns * sizeof(struct pattern_place)
               : 0;
}

TILES_INLINE struct tiles_places *tiles_places_of(const soloist_instance *instance, const void *state) {
    return (struct tiles_places *)(((struct tiles_state *)state)->board + (instance->bits == 4 ? 1 : 4));
}

/* The places after a move of the state's blank; `to` may be `from`. */
TILES_INLINE void tiles_places_move(const soloist_instance *instance, const struct tiles_state *state,
                                    soloist_move move, const struct tiles_places *from, struct tiles_places *to) {
    const struct tiles_tables *tables = instance->tables;
    unsigned blank = tiles_blank(state);
    int offset = tiles_offset(instance->offsets, move), square = (int)blank + offset;
    unsigned tile = instance->bits == 4 ? tiles_beside(state->board, blank, offset, 4)
                                        : tiles_beside(state->board, blank, offset, 8);
    unsigned home = instance->place[TILES_TO_GOAL][tile];
    unsigned own = tables->pattern_of[home], other = tables->pattern_of[tables->mirror[home]];
    unsigned mirrored = (unsigned)tables->patterns + other;
    if (to != from)
        memcpy(to, from, tiles_places_size(instance));
    to->place[own] = pattern_move(tables->pattern[own], from->place[own], square, (int)blank);
    to->place[mirrored] =
        pattern_move(tables->pattern[other], from->place[mirrored], tables->mirror[square], tables->mirror[blank]);
    to->excess[own] = (uint8_t)pattern_excess(tables->pattern[own], to->place[own]);
    to->excess[mirrored] = (uint8_t)pattern_excess(tables->pattern[other], to->place[mirrored]);
}

TILES_INLINE int32_t tiles_places_excess(const soloist_instance *instance, const struct tiles_places *places) {
    int32_t plain = 0, mirrored = 0;
    for (int p = 0; p < instance->patterns; p++) {
        plain += places->excess[p];
        mirrored += places->excess[instance->patterns + p];
    }
    return plain > mirrored ? plain : mirrored;
}

#endif
