/* Walks on boards of at most 16 x 16. The list of groups is kept from move to move, and a move updates only the groups
 * that it affects: those with a block that moves, and those that a moved block of their colour touches afterwards. */
#ifndef DOMAIN_SAMEGAME_NARROW_WALK_H
#define DOMAIN_SAMEGAME_NARROW_WALK_H

#include "domain/samegame/narrow.h"
#include "domain/samegame/walk.h"

/* The code of a group. first: its first cell; n: its number of blocks. */
PLANE_INLINE uint64_t narrow_walk_code(const soloist_instance *instance, const struct samegame_walk *walk, plane group,
                                       int first, int n) {
    uint64_t word[4], code = 0;
    plane_store(word, group);
    const uint8_t *from = &walk->from.narrow[0][0];
    int w = first / 64;
    for (uint64_t bits = word[w];;) {
        code ^= instance->block_keys[from[w * 64 + __builtin_ctzll(bits)]];
        bits &= bits - 1;
        if (!--n)
            return code;
        while (!bits)
            bits = word[++w];
    }
}

/* A column as sixteen bytes; row 0 is the lowest byte. */
__extension__ typedef unsigned __int128 narrow_walk_rows;

/* Removes the rows of the set `gone` from a column, one run of adjacent rows at a time; the rows above sink. */
PLANE_INLINE narrow_walk_rows narrow_walk_sink(narrow_walk_rows rows, unsigned gone) {
    while (gone) {
        int at = __builtin_ctz(gone), count = __builtin_ctz(~(gone >> at));
        narrow_walk_rows above = rows >> 8 * at;
        rows = (rows ^ above << 8 * at) | above >> 8 * count << 8 * at;
        gone = gone >> (at + count) << at;
    }
    return rows;
}

/* Moves the record of each block's original cell together with the block. */
PLANE_INLINE void narrow_walk_move(struct samegame_walk *walk, plane group, plane occupied) {
    uint16_t gone[16], there[16];
    plane_store(gone, group);
    plane_store(there, occupied);
    int first = narrow_first_cell(group) / 16, last = narrow_last_cell(group) / 16, closed = 0;
    for (int c = first; c <= last; c++) {
        narrow_walk_rows rows;
        if (gone[c] == there[c]) {
            closed++;
            continue;
        }
        memcpy(&rows, walk->from.narrow[c], sizeof rows);
        rows = narrow_walk_sink(rows, gone[c]);
        memcpy(walk->from.narrow[c - closed], &rows, sizeof rows);
    }
    if (closed)
        memmove(walk->from.narrow[last + 1 - closed], walk->from.narrow[last + 1], (size_t)(15 - last) * 16);
}

PLANE_INLINE void narrow_walk_add(const soloist_instance *instance, struct samegame_walk *walk, plane group,
                                  const struct samegame_narrow *state, int planes) {
    int cell = narrow_first_cell(group), n = narrow_count(group), colour = 0;
    PLANE_UNROLL for (int k = 0; k < planes; k++) { colour |= (state->plane[k][cell / 16] >> cell % 16 & 1) << k; }
    bool spared = colour == walk->tabu;
    int at = spared ? SAMEGAME_WALK_SPARED + walk->spared : walk->others;
    walk->spared += spared;
    walk->others += !spared;
    walk->choices[at] = (soloist_choice){.code = narrow_walk_code(instance, walk, group, cell, n),
                                         .move = narrow_move(cell),
                                         .gain = samegame_step(instance, n),
                                         .prior = samegame_walk_prior(walk, n, colour)};
    plane_store(walk->cells[at], group);
    walk->blocks[at] = (uint16_t)n;
}

/* Sets bit i if group i intersects the zone; at most 64 groups. */
PLANE_INLINE uint64_t narrow_walk_hits(const uint16_t (*cells)[16], int count, plane zone) {
    uint64_t hits = 0;
    for (int i = 0; i < count; i++)
        hits |= (uint64_t)plane_any(plane_and(plane_load(cells[i]), zone)) << i;
    return hits;
}

/* Removes groups from the list of `count` groups that starts at index `from`: if bit i of `hits` is set, group number
 * first + i of this list is removed. Adds the cells of the removed groups to *dropped. Returns how many groups are
 * left. */
PLANE_INLINE int narrow_walk_drop(struct samegame_walk *walk, int from, int first, uint64_t hits, int count,
                                  plane *dropped) {
    while (hits) {
        int bit = 63 - __builtin_clzll(hits), at = from + first + bit, end = from + --count;
        hits ^= UINT64_C(1) << bit;
        *dropped = plane_or(*dropped, plane_load(walk->cells[at]));
        walk->choices[at] = walk->choices[end];
        walk->blocks[at] = walk->blocks[end];
        plane_store(walk->cells[at], plane_load(walk->cells[end]));
    }
    return count;
}

/* Removes the groups that intersect the zone from the list of `count` groups that starts at index `from`. All groups
 * are tested first, without branches, because the results of the tests are unpredictable. */
PLANE_INLINE int narrow_walk_keep(struct samegame_walk *walk, int from, int count, plane zone, plane *dropped) {
    if (__builtin_expect(count > 64, 0)) {
        uint64_t high = narrow_walk_hits((const uint16_t(*)[16])walk->cells + from + 64, count - 64, zone);
        uint64_t low = narrow_walk_hits((const uint16_t(*)[16])walk->cells + from, 64, zone);
        count = narrow_walk_drop(walk, from, 64, high, count, dropped);
        return narrow_walk_drop(walk, from, 0, low, count, dropped);
    }
    uint64_t hits = narrow_walk_hits((const uint16_t(*)[16])walk->cells + from, count, zone);
    return narrow_walk_drop(walk, from, 0, hits, count, dropped);
}

/* Adds all groups that contain at least one cell of `cells` to the walk's lists. */
PLANE_INLINE void narrow_walk_find(const soloist_instance *instance, struct samegame_walk *walk, plane cells,
                                   const struct narrow_edges *edges, const struct samegame_narrow *state, int planes) {
    plane seeds = plane_and(cells, narrow_playable(edges));
    while (plane_any(seeds)) {
        int cell = narrow_first_cell(seeds);
        plane group = narrow_group(narrow_cell(cell / 16, cell % 16), edges);
        seeds = plane_less(seeds, group);
        narrow_walk_add(instance, walk, group, state, planes);
    }
}

PLANE_INLINE int narrow_walk_left(const struct samegame_walk *walk, const struct narrow_board *board, int planes) {
    return walk->tabu ? narrow_count(narrow_colour(board, walk->tabu, planes)) : 0;
}

PLANE_INLINE int narrow_walk_open(const soloist_instance *instance, struct samegame_walk *walk,
                                  const struct samegame_narrow *state, int planes) {
    struct narrow_board board;
    narrow_open(&board, state, planes);
    struct narrow_edges edges = narrow_find_edges(&board, planes);
    narrow_close(&board, &walk->state.narrow, planes);
    walk->others = walk->spared = 0;
    for (int cell = 0; cell < 256; cell++)
        walk->from.narrow[cell / 16][cell % 16] = (uint8_t)cell;
    narrow_walk_find(instance, walk, edges.occupied, &edges, state, planes);
    return samegame_walk_show(walk, narrow_walk_left(walk, &board, planes));
}

/* The cells whose content may change when a group is removed: in the group's columns all cells from its lowest block
 * up, and all cells to the right of a column that closes. */
PLANE_INLINE plane narrow_walk_changed(plane group, plane occupied) {
    plane nothing = plane_fill16(0), all = plane_fill16(0xffff);
    plane changed = plane_less(all, plane_below_lowest16(group));
    plane emptied = plane_less(plane_equal16(group, occupied), plane_equal16(occupied, nothing));
    if (plane_any(emptied)) {
        int cell = narrow_first_cell(emptied);
        changed = plane_or(changed, plane_less(all, narrow_before(cell / 16, 0)));
    }
    return changed;
}

PLANE_INLINE int narrow_walk_play(const soloist_instance *instance, struct samegame_walk *walk, int chosen,
                                  int planes) {
    struct samegame_narrow *state = &walk->state.narrow;
    struct narrow_board board;
    int place = samegame_walk_place(walk, chosen);
    plane group = plane_load(walk->cells[place]), occupied;
    narrow_open(&board, state, planes);
    occupied = board.colour[0];
    PLANE_UNROLL for (int k = 1; k < planes; k++) { occupied = plane_or(occupied, board.colour[k]); }
    plane changed = narrow_walk_changed(group, occupied);
    narrow_walk_move(walk, group, occupied);
    narrow_remove(&board, group, occupied, planes);
    struct narrow_edges edges = narrow_find_edges(&board, planes);
    narrow_close(&board, state, planes);
    plane zone = plane_or(changed, narrow_grow(plane_and(changed, edges.occupied), &edges)), again = zone;
    walk->others = narrow_walk_keep(walk, 0, walk->others, zone, &again);
    walk->spared = narrow_walk_keep(walk, SAMEGAME_WALK_SPARED, walk->spared, zone, &again);
    narrow_walk_find(instance, walk, again, &edges, state, planes);
    return samegame_walk_show(walk, narrow_walk_left(walk, &board, planes));
}

#endif
