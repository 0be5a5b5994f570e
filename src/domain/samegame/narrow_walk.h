/* Walks on boards of at most 16 x 16. The list of groups is kept from move to move, and a move updates only the groups
 * that it affects: those with a block that moves, and those that a moved block of their colour touches afterwards. Most
 * groups have two blocks (pairs); all pairs of a board are found at once, and only larger groups are filled. Groups of
 * the tabu colour are larger than others and change often, but may seldom be played; they are filled only when they may
 * be played. */
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

/* A column as sixteen bytes; row 0 is the first. */
typedef uint8_t narrow_walk_rows __attribute__((vector_size(16), aligned(1), may_alias));

/* The sixteen bytes from index 16 - n on select the rows below row n. */
static const uint8_t narrow_walk_lower[32] = {NARROW_15(0xff), 0xff};

/* Removes the rows of the set `gone` from a column, one run of adjacent rows at a time; the rows above sink. Bytes of
 * the next column come in at the top, where there are no blocks. */
PLANE_INLINE void narrow_walk_sink(uint8_t *to, const uint8_t *from, unsigned gone) {
    do {
        int at = __builtin_ctz(gone), count = __builtin_ctz(~(gone >> at));
        narrow_walk_rows lower = *(const narrow_walk_rows *)(narrow_walk_lower + 16 - at);
        narrow_walk_rows stay = *(const narrow_walk_rows *)from, fall = *(const narrow_walk_rows *)(from + count);
        *(narrow_walk_rows *)to = (stay & lower) | (fall & ~lower);
        gone = gone >> (at + count) << at;
        from = to;
    } while (gone);
}

/* Moves the record of each block's original cell together with the block. first: the first column of the group. */
PLANE_INLINE void narrow_walk_move(struct samegame_walk *walk, int first, plane group, plane occupied) {
    uint16_t gone[17], there[16];
    uint8_t(*from)[16] = walk->from.narrow;
    plane_store(gone, group);
    plane_store(there, occupied);
    gone[16] = 0;
    int c = first, closed = 0;
    for (; gone[c]; c++)
        if (gone[c] == there[c])
            closed++;
        else
            narrow_walk_sink(from[c - closed], from[c], gone[c]);
    if (closed)
        memmove(from[c - closed], from[c], (size_t)(16 - c) * 16);
}

/* A window is a word that contains four adjacent columns. Most groups fit into the window that begins at their first
 * column, and are filled there: operations on words have a shorter latency than those on planes. Behind the last column
 * there are empty ones. */
enum { narrow_window = 4, narrow_last_window = 16 - narrow_window };

struct narrow_windows {
    uint16_t below[16 + narrow_window], left[16 + narrow_window];
};

PLANE_INLINE void narrow_windows_open(struct narrow_windows *windows, const struct narrow_edges *edges) {
    plane_store(windows->below, edges->below);
    plane_store(windows->left, edges->left);
    memset(windows->below + 16, 0, narrow_window * sizeof *windows->below);
    memset(windows->left + 16, 0, narrow_window * sizeof *windows->left);
}

PLANE_INLINE uint64_t narrow_window_at(const uint16_t *columns, int first) {
    uint64_t window;
    memcpy(&window, columns + first, sizeof window);
    return window;
}

PLANE_INLINE uint64_t narrow_window_grow(uint64_t group, uint64_t below, uint64_t left) {
    uint64_t column = (group << 1 & below) | (group & below) >> 1, row = (group << 16 & left) | (group & left) >> 16;
    return group | (column | row);
}

PLANE_INLINE uint64_t narrow_window_group(uint64_t group, uint64_t below, uint64_t left) {
    group = narrow_window_grow(narrow_window_grow(group, below, left), below, left);
    for (;;) {
        uint64_t grown = narrow_window_grow(group, below, left);
        if (grown == group)
            return group;
        group = narrow_window_grow(grown, below, left);
    }
}

PLANE_INLINE uint64_t narrow_window_code(const soloist_instance *instance, const uint8_t *from, uint64_t group) {
    uint64_t code = 0;
    do
        code ^= instance->block_keys[from[__builtin_ctzll(group)]];
    while (group &= group - 1);
    return code;
}

/* Appends a group of n blocks to the list and returns its index. cell: its first cell. */
PLANE_INLINE int narrow_walk_add(const soloist_instance *instance, struct samegame_walk *walk, int cell, int n,
                                 uint64_t code, int planes) {
    int colour = narrow_colour_at(&walk->state.narrow, cell, planes), at = walk->count++;
    walk->choices[at] = (soloist_choice){.code = code,
                                         .move = narrow_move(cell),
                                         .gain = samegame_step(instance, n),
                                         .prior = samegame_walk_prior(walk, n, colour)};
    return at;
}

PLANE_INLINE void narrow_walk_add_window(const soloist_instance *instance, struct samegame_walk *walk, int cell,
                                         int first, uint64_t group, int n, uint64_t code, int planes) {
    uint16_t *cells = walk->narrow_list.cells[narrow_walk_add(instance, walk, cell, n, code, planes)];
    plane_store(cells, plane_fill16(0));
    memcpy(cells + first, &group, sizeof group);
}

/* Adds the group of a cell if the cell is its first; otherwise does nothing. The group does not fit into the window in
 * which `found` are some of its cells. */
PLANE_INLINE void narrow_walk_add_large(const soloist_instance *instance, struct samegame_walk *walk, int cell,
                                        int first, uint64_t found, const struct narrow_edges *edges, int planes) {
    uint16_t cells[16] = {0};
    memcpy(cells + first, &found, sizeof found);
    plane group = narrow_group(plane_load(cells), edges);
    if (plane_any(plane_and(group, narrow_before(cell / 16, cell % 16))))
        return;
    int n = narrow_count(group);
    uint64_t code = narrow_walk_code(instance, walk, group, cell, n);
    plane_store(walk->narrow_list.cells[narrow_walk_add(instance, walk, cell, n, code, planes)], group);
}

/* Takes the first cell out of a set of cells that is not empty. */
PLANE_INLINE int narrow_walk_take(uint64_t words[4]) {
    int w = !words[0] + !(words[0] | words[1]) + !(words[0] | words[1] | words[2]);
    int cell = w * 64 + __builtin_ctzll(words[w]);
    words[w] &= words[w] - 1;
    return cell;
}

/* The first column of the window for a group whose first cell is `cell`. */
PLANE_INLINE int narrow_window_of(int cell) { return cell / 16 < narrow_last_window ? cell / 16 : narrow_last_window; }

/* Adds the groups whose first cells are in `starts`; cells there that are not the first of their group are ignored. */
PLANE_INLINE void narrow_walk_fill(const soloist_instance *instance, struct samegame_walk *walk, plane starts,
                                   const struct narrow_edges *edges, const struct narrow_windows *windows, int planes) {
    uint64_t words[4];
    plane_store(words, starts);
    for (int count = narrow_count(starts); count > 0; count--) {
        int cell = narrow_walk_take(words), first = narrow_window_of(cell);
        uint64_t below = narrow_window_at(windows->below, first), left = narrow_window_at(windows->left, first);
        uint64_t start = UINT64_C(1) << (cell - 16 * first), group = narrow_window_group(start, below, left);
        if (__builtin_expect(group >> 48 & windows->left[first + narrow_window], 0)) {
            narrow_walk_add_large(instance, walk, cell, first, group, edges, planes);
            continue;
        }
        bool earlier = (group & (start - 1)) | (group & left & 0xffff); /* the group has a cell before this one */
        if (__builtin_expect(earlier, 0))
            continue;
        uint64_t code = narrow_window_code(instance, walk->from.narrow[first], group);
        narrow_walk_add_window(instance, walk, cell, first, group, select_count(group), code, planes);
    }
}

/* The first cells of all pairs; in `upright`, of those with one block above the other. */
PLANE_INLINE plane narrow_pairs(const struct narrow_edges *edges, plane *upright) {
    plane above = plane_down16(edges->below), right = plane_left16(edges->left);
    plane column = plane_or(above, edges->below), row = plane_or(right, edges->left);
    plane later = plane_or(edges->below, edges->left); /* cells that are not the first of a group */
    plane high = plane_down16(plane_less(edges->below, plane_or(above, row)));
    plane far = plane_left16(plane_less(edges->left, plane_or(right, column)));
    *upright = plane_less(high, plane_or(later, right));
    return plane_or(*upright, plane_less(far, plane_or(later, above)));
}

/* Adds the pairs whose first cells are in `firsts`. */
PLANE_INLINE void narrow_walk_add_pairs(const soloist_instance *instance, struct samegame_walk *walk, plane firsts,
                                        plane upright, int planes) {
    uint64_t words[4];
    uint16_t uprights[16];
    plane_store(words, firsts);
    plane_store(uprights, upright);
    for (int count = narrow_count(firsts); count > 0; count--) {
        int cell = narrow_walk_take(words), first = narrow_window_of(cell), at = cell - 16 * first;
        int other = uprights[cell / 16] >> cell % 16 & 1 ? 1 : 16;
        const uint8_t *from = &walk->from.narrow[0][0] + cell;
        uint64_t group = (UINT64_C(1) | UINT64_C(1) << other) << at;
        uint64_t code = instance->block_keys[from[0]] ^ instance->block_keys[from[other]];
        narrow_walk_add_window(instance, walk, cell, first, group, 2, code, planes);
    }
}

/* Sets bit i if group i intersects the zone; at most 64 groups. There must be room for three more groups. */
PLANE_INLINE uint64_t narrow_walk_hits(const uint16_t (*cells)[16], int count, plane zone) {
    uint64_t hits = 0;
    for (int i = 0; i < count; i += 4) {
        plane common[4];
        PLANE_UNROLL for (int k = 0; k < 4; k++) { common[k] = plane_and(plane_load(cells[i + k]), zone); }
        hits |= (uint64_t)plane_any4(common) << i;
    }
    return count < 64 ? hits & ((UINT64_C(1) << count) - 1) : hits;
}

/* Removes the groups from the list whose bits are set in `hits`, where bit i stands for group first + i. Adds the cells
 * of the removed groups to *dropped. */
PLANE_INLINE void narrow_walk_drop(struct samegame_walk *walk, int first, uint64_t hits, plane *dropped) {
    uint16_t(*cells)[16] = walk->narrow_list.cells;
    while (hits) {
        int bit = 63 - __builtin_clzll(hits), at = first + bit, end = --walk->count;
        hits ^= UINT64_C(1) << bit;
        *dropped = plane_or(*dropped, plane_load(cells[at]));
        walk->choices[at] = walk->choices[end];
        plane_store(cells[at], plane_load(cells[end]));
    }
}

/* Removes the groups that intersect the zone from the list. All groups are tested first, without branches, because the
 * results of the tests are unpredictable. */
PLANE_INLINE void narrow_walk_keep(struct samegame_walk *walk, plane zone, plane *dropped) {
    const uint16_t(*cells)[16] = (const uint16_t(*)[16])walk->narrow_list.cells;
    int count = walk->count;
    if (__builtin_expect(count > 64, 0)) {
        uint64_t high = narrow_walk_hits(cells + 64, count - 64, zone), low = narrow_walk_hits(cells, 64, zone);
        narrow_walk_drop(walk, 64, high, dropped);
        narrow_walk_drop(walk, 0, low, dropped);
        return;
    }
    narrow_walk_drop(walk, 0, narrow_walk_hits(cells, count, zone), dropped);
}

/* Whether the cells, which all have the same colour, are one group. Most sets that are not one contain a cell without
 * an equal neighbour. */
PLANE_INLINE bool narrow_walk_is_group(plane cells, plane starts, const struct narrow_edges *edges) {
    if (!plane_any(cells) || plane_any(plane_less(cells, narrow_playable(edges))))
        return false;
    if (narrow_count(plane_and(cells, starts)) == 1)
        return true;
    int cell = narrow_first_cell(cells);
    return !plane_any(plane_xor(narrow_group(narrow_cell(cell / 16, cell % 16), edges), cells));
}

/* Adds the choice that removes all blocks of the tabu colour. */
PLANE_INLINE void narrow_walk_add_whole(const soloist_instance *instance, struct samegame_walk *walk, plane tabu,
                                        int planes) {
    struct samegame_narrow_list *list = &walk->narrow_list;
    int at = narrow_walk_add(instance, walk, narrow_first_cell(tabu), narrow_count(tabu), list->whole.code, planes);
    walk->choices[at].mark = list->whole.mark;
    walk->choices[at].weight = list->whole.weight;
    plane_store(list->cells[at], tabu);
    list->whole_at = at;
}

/* Adds all groups that may be played and are not in the list. again: contains the cells of all these groups that do not
 * have the tabu colour. */
PLANE_INLINE int narrow_walk_find(const soloist_instance *instance, struct samegame_walk *walk, plane again,
                                  const struct narrow_board *board, const struct narrow_edges *edges, int planes) {
    struct samegame_narrow_list *list = &walk->narrow_list;
    struct narrow_windows windows;
    narrow_windows_open(&windows, edges);
    plane upright, pairs = narrow_pairs(edges, &upright), starts = narrow_starts(edges);
    plane tabu = narrow_colour(board, walk->tabu, planes);
    plane tabu_pairs = walk->steps > SAMEGAME_WALK_MOVES ? plane_and(pairs, tabu) : plane_fill16(0);
    plane in_list = plane_less(plane_load(list->pairs), again), others = plane_less(again, tabu);
    plane_store(list->pairs, tabu_pairs);
    narrow_walk_add_pairs(instance, walk, plane_or(plane_and(pairs, others), plane_less(tabu_pairs, in_list)), upright,
                          planes);
    narrow_walk_fill(instance, walk, plane_less(plane_and(starts, others), pairs), edges, &windows, planes);
    list->kept = walk->count;
    if (!walk->tabu)
        return walk->count;
    if (!plane_any(plane_less(starts, tabu)))
        narrow_walk_fill(instance, walk, plane_less(starts, tabu_pairs), edges, &windows, planes);
    else if (!plane_any(tabu_pairs) && narrow_walk_is_group(tabu, starts, edges))
        narrow_walk_add_whole(instance, walk, tabu, planes);
    return walk->count;
}

PLANE_INLINE int narrow_walk_open(const soloist_instance *instance, struct samegame_walk *walk,
                                  const struct samegame_narrow *state, int planes) {
    struct samegame_narrow_list *list = &walk->narrow_list;
    struct narrow_board board;
    narrow_open(&board, state, planes);
    struct narrow_edges edges = narrow_find_edges(&board, planes);
    narrow_close(&board, &walk->state.narrow, planes);
    for (int cell = 0; cell < 256 + 16; cell++)
        walk->from.narrow[cell / 16][cell % 16] = (uint8_t)cell;
    plane tabu = narrow_colour(&board, walk->tabu, planes);
    list->whole = (soloist_choice){.code = 0};
    if (walk->tabu && plane_any(tabu))
        list->whole.code = narrow_walk_code(instance, walk, tabu, narrow_first_cell(tabu), narrow_count(tabu));
    list->whole_at = -1;
    walk->count = 0;
    plane_store(list->pairs, plane_fill16(0));
    return narrow_walk_find(instance, walk, edges.occupied, &board, &edges, planes);
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

/* Removes the choices from the list that are not kept. If the chosen group has the tabu colour, the choice that removes
 * all blocks of this colour becomes another one. */
PLANE_INLINE void narrow_walk_leave(struct samegame_walk *walk, int chosen, int planes) {
    struct samegame_narrow_list *list = &walk->narrow_list;
    const soloist_choice *choice = &walk->choices[chosen];
    int cell = samegame_column(choice->move) * 16 + samegame_row(choice->move);
    if (list->whole_at >= 0)
        list->whole = walk->choices[list->whole_at];
    else
        list->whole.mark = 0;
    if (narrow_colour_at(&walk->state.narrow, cell, planes) == walk->tabu) {
        list->whole.code ^= choice->code;
        list->whole.mark = 0;
    }
    list->whole_at = -1;
    walk->count = list->kept;
}

PLANE_INLINE int narrow_walk_play(const soloist_instance *instance, struct samegame_walk *walk, int chosen,
                                  int planes) {
    struct samegame_narrow *state = &walk->state.narrow;
    struct narrow_board board;
    plane group = plane_load(walk->narrow_list.cells[chosen]), occupied;
    narrow_walk_leave(walk, chosen, planes);
    narrow_open(&board, state, planes);
    occupied = board.colour[0];
    PLANE_UNROLL for (int k = 1; k < planes; k++) { occupied = plane_or(occupied, board.colour[k]); }
    plane changed = narrow_walk_changed(group, occupied);
    narrow_walk_move(walk, samegame_column(walk->choices[chosen].move), group, occupied);
    narrow_remove(&board, group, occupied, planes);
    struct narrow_edges edges = narrow_find_edges(&board, planes);
    narrow_close(&board, state, planes);
    plane zone = plane_or(changed, narrow_grow(plane_and(changed, edges.occupied), &edges)), again = zone;
    narrow_walk_keep(walk, zone, &again);
    return narrow_walk_find(instance, walk, again, &board, &edges, planes);
}

#endif
