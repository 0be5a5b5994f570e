/* Pattern databases as a bound. The placement of each pattern's tiles is part of the state and is updated by every
 * move. The board mirrored at its main diagonal gives a second sum from the same databases; the larger of the two sums
 * is the bound. */
#ifndef DOMAIN_TILES_TILES_PATTERNS_H
#define DOMAIN_TILES_TILES_PATTERNS_H

#include "domain/tiles/pattern.h"
#include "domain/tiles/tiles_core.h"

#define TILES_MOST_PATTERNS 6

struct tiles_tables {
    int patterns;
    struct pattern *pattern[TILES_MOST_PATTERNS];
    /* Number of the pattern that a tile belongs to, by the tile's goal square. */
    uint8_t pattern_of[TILES_MOST_SQUARES];
};

/* The part of a state that the databases need: the excess of each pattern and the placement of its tiles. Both arrays
 * hold first the entries of all patterns for the board itself, then those for the mirrored board. Entries from
 * index 2 * patterns on are not part of a state. */
struct tiles_places {
    uint8_t excess[16];
    struct pattern_place place[2 * TILES_MOST_PATTERNS];
};

int tiles_pattern_count(int bound);
/* Whether the bound's databases are made for boards of this size; false with an error. */
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

/* A move's effect on one tile: the squares from and to which the tile slides, and the patterns that it belongs to. */
struct tiles_slip {
    /* Squares on the board [0] and on the mirrored board [1], in the databases' coordinates. */
    int from[2], to[2];
    /* own: the tile's pattern on the board; other: on the mirrored board; mirrored: index of `other` in struct
     * tiles_places. */
    unsigned own, other, mirrored;
};

TILES_INLINE struct tiles_slip tiles_slip_of(const soloist_instance *instance, const struct tiles_state *state,
                                             soloist_move move) {
    const struct tiles_tables *tables = instance->tables;
    unsigned blank = tiles_blank(state);
    int offset = tiles_offset(instance->offsets, move);
    unsigned tile = instance->bits == 4 ? tiles_beside(state->board, blank, offset, 4)
                                        : tiles_beside(state->board, blank, offset, 8);
    unsigned own = tables->pattern_of[instance->home[0][tile]], other = tables->pattern_of[instance->home[1][tile]];
    unsigned from = blank + (unsigned)offset;
    return (struct tiles_slip){{instance->frame[0][from], instance->frame[1][from]},
                               {instance->frame[0][blank], instance->frame[1][blank]},
                               own,
                               other,
                               (unsigned)tables->patterns + other};
}

/* Updates the placements for a move, which the state has not made yet. */
TILES_INLINE void tiles_places_move(const soloist_instance *instance, const struct tiles_state *state,
                                    soloist_move move, struct tiles_places *places) {
    const struct tiles_tables *tables = instance->tables;
    struct tiles_slip slip = tiles_slip_of(instance, state, move);
    struct pattern_place *own = &places->place[slip.own], *other = &places->place[slip.mirrored];
    *own = pattern_move(tables->pattern[slip.own], *own, slip.from[0], slip.to[0]);
    *other = pattern_move(tables->pattern[slip.other], *other, slip.from[1], slip.to[1]);
    places->excess[slip.own] = (uint8_t)pattern_excess(tables->pattern[slip.own], *own);
    places->excess[slip.mirrored] = (uint8_t)pattern_excess(tables->pattern[slip.other], *other);
}

/* By how much the databases' bound exceeds the Manhattan distance, for the board itself and for the mirrored one. */
struct tiles_excess {
    int32_t plain, mirrored;
};

TILES_INLINE struct tiles_excess tiles_places_excess(const soloist_instance *instance,
                                                     const struct tiles_places *places) {
    struct tiles_excess excess = {0, 0};
    for (int p = 0; p < instance->patterns; p++) {
        excess.plain += places->excess[p];
        excess.mirrored += places->excess[instance->patterns + p];
    }
    return excess;
}

TILES_INLINE int32_t tiles_excess_bound(struct tiles_excess excess) {
    return excess.plain > excess.mirrored ? excess.plain : excess.mirrored;
}

/* The excess after a move, without changing the placements; `before` is the excess of `places`. */
TILES_INLINE struct tiles_excess tiles_places_child(const soloist_instance *instance, const struct tiles_state *state,
                                                    soloist_move move, const struct tiles_places *places,
                                                    struct tiles_excess before) {
    const struct tiles_tables *tables = instance->tables;
    struct tiles_slip slip = tiles_slip_of(instance, state, move);
    struct pattern_place own =
        pattern_move(tables->pattern[slip.own], places->place[slip.own], slip.from[0], slip.to[0]);
    struct pattern_place other =
        pattern_move(tables->pattern[slip.other], places->place[slip.mirrored], slip.from[1], slip.to[1]);
    return (struct tiles_excess){
        before.plain - places->excess[slip.own] + pattern_excess(tables->pattern[slip.own], own),
        before.mirrored - places->excess[slip.mirrored] + pattern_excess(tables->pattern[slip.other], other)};
}

#endif
