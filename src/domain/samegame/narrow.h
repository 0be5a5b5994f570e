/* Boards of at most 16 x 16: one plane of 256 bits has a bit for every cell, so the whole board fits into a few
 * registers.
 *
 * The plane `below` marks each cell that has the same colour as the cell below it; the plane `left` marks each cell
 * that has the same colour as the cell to its left. These two planes are enough to find all groups and to fill a group,
 * whatever the colours. The code avoids branches, because a play-out's time depends on its chain of dependent
 * instructions and on mispredicted branches. */
#ifndef DOMAIN_SAMEGAME_NARROW_H
#define DOMAIN_SAMEGAME_NARROW_H

#include "domain/samegame/key.h"
#include "domain/samegame/plane.h"
#include "domain/samegame/select.h"

struct narrow_board {
    plane colour[SAMEGAME_MOST_PLANES];
};
struct narrow_edges {
    plane occupied, below, left;
};

/* Tables from which a plane for a given cell is read: one row of 31 columns for each row of the board. For a cell in
 * column c, the 16 columns from index 15 - c on are a plane. In narrow_cells, this plane contains only the cell itself;
 * in narrow_befores, it contains all cells before that cell. */
#define NARROW_8(x) x, x, x, x, x, x, x, x
#define NARROW_15(x) NARROW_8(x), x, x, x, x, x, x, x
#define NARROW_CELL(row)                                                                                               \
    { NARROW_15(0), 1u << (row), NARROW_15(0) }
#define NARROW_BEFORE(row)                                                                                             \
    { NARROW_15(0xffff), (1u << (row)) - 1, NARROW_15(0) }
#define NARROW_ROWS(of)                                                                                                \
    of(0), of(1), of(2), of(3), of(4), of(5), of(6), of(7), of(8), of(9), of(10), of(11), of(12), of(13), of(14), of(15)
static const uint16_t narrow_cells[16][32] = {NARROW_ROWS(NARROW_CELL)};
static const uint16_t narrow_befores[16][32] = {NARROW_ROWS(NARROW_BEFORE)};

PLANE_INLINE plane narrow_cell(int column, int row) { return plane_load(&narrow_cells[row][15 - column]); }
PLANE_INLINE plane narrow_before(int column, int row) { return plane_load(&narrow_befores[row][15 - column]); }

PLANE_INLINE void narrow_open(struct narrow_board *board, const struct samegame_narrow *state, int planes) {
    PLANE_UNROLL for (int k = 0; k < planes; k++) { board->colour[k] = plane_load(state->plane[k]); }
}

PLANE_INLINE void narrow_close(const struct narrow_board *board, struct samegame_narrow *state, int planes) {
    PLANE_UNROLL for (int k = 0; k < planes; k++) { plane_store(state->plane[k], board->colour[k]); }
}

/* Cells beyond the edges have colour 0, which equals no block. */
PLANE_INLINE struct narrow_edges narrow_find_edges(const struct narrow_board *board, int planes) {
    plane first = board->colour[0], occupied = first;
    plane under = plane_xor(first, plane_up16(first)), beside = plane_xor(first, plane_right16(first));
    PLANE_UNROLL for (int k = 1; k < planes; k++) {
        plane p = board->colour[k];
        occupied = plane_or(occupied, p);
        under = plane_or(under, plane_xor(p, plane_up16(p)));
        beside = plane_or(beside, plane_xor(p, plane_right16(p)));
    }
    return (struct narrow_edges){occupied, plane_less(occupied, under), plane_less(occupied, beside)};
}

/* Every cell with an equal neighbour. */
PLANE_INLINE plane narrow_playable(const struct narrow_edges *edges) {
    plane first = plane_or(edges->below, plane_down16(edges->below));
    return plane_or(first, plane_or(edges->left, plane_left16(edges->left)));
}

/* Cells that may be the first (leftmost, then lowest) of a group. Such a cell has an equal cell above or to the right,
 * but none below or to the left. If the cell above it is equal to it, that cell has no equal cell to the left either;
 * the same holds for the next cell above, if all three are equal. The result contains the first cell of every group and
 * few other cells. */
PLANE_INLINE plane narrow_starts(const struct narrow_edges *edges) {
    plane leftward = edges->left;
    PLANE_UNROLL for (int i = 0; i < 2; i++) {
        leftward = plane_or(leftward, plane_down16(plane_and(leftward, edges->below)));
    }
    plane onward = plane_or(plane_down16(edges->below), plane_left16(edges->left));
    return plane_less(onward, plane_or(edges->below, leftward));
}

PLANE_INLINE plane narrow_grow(plane group, const struct narrow_edges *edges) {
    plane up = plane_and(plane_up16(group), edges->below), down = plane_down16(plane_and(group, edges->below));
    plane right = plane_and(plane_right16(group), edges->left), left = plane_left16(plane_and(group, edges->left));
    return plane_or(plane_or(group, plane_or(up, down)), plane_or(left, right));
}

/* Fills the group of a cell. Most groups have two or three blocks: two steps of growth find them, and the third
 * confirms that nothing was added. */
PLANE_INLINE plane narrow_group(plane cell, const struct narrow_edges *edges) {
    plane group = narrow_grow(narrow_grow(cell, edges), edges);
    for (;;) {
        plane grown = narrow_grow(group, edges);
        if (!plane_any(plane_xor(grown, group)))
            return group;
        group = narrow_grow(grown, edges);
    }
}

PLANE_INLINE int narrow_count(plane p) {
    uint64_t word[4];
    plane_store(word, p);
    return select_count(word[0]) + select_count(word[1]) + select_count(word[2]) + select_count(word[3]);
}

/* Removes the lowest block of `gone` in every column; the blocks above it sink by one. */
PLANE_INLINE void narrow_sink(struct narrow_board *board, plane *gone, int planes) {
    plane keep = plane_below_lowest16(*gone);
    PLANE_UNROLL for (int k = 0; k < planes; k++) {
        board->colour[k] = plane_choose(keep, board->colour[k], plane_down16(board->colour[k]));
    }
    *gone = plane_less(plane_down16(*gone), keep);
}

/* Closes emptied columns one after the other: all columns to the right of an emptied column move left by one place. */
PLANE_INLINE void narrow_close_columns(struct narrow_board *board, plane emptied, int planes) {
    do {
        uint64_t word[4];
        plane_store(word, emptied);
        int w = word[0] ? 0 : word[1] ? 1 : word[2] ? 2 : 3;
        plane stay = narrow_before(w * 4 + __builtin_ctzll(word[w]) / 16, 0);
        PLANE_UNROLL for (int k = 0; k < planes; k++) {
            board->colour[k] = plane_choose(stay, board->colour[k], plane_left16(board->colour[k]));
        }
        emptied = plane_choose(stay, emptied, plane_left16(emptied));
    } while (plane_any(emptied));
}

/* Removes a group; true if columns were closed. */
PLANE_INLINE bool narrow_remove(struct narrow_board *board, plane group, plane occupied, int planes) {
    plane emptied = plane_less(plane_equal16(group, occupied), plane_equal16(occupied, plane_fill16(0)));
    narrow_sink(board, &group, planes);
    narrow_sink(board, &group, planes);
    while (plane_any(group))
        narrow_sink(board, &group, planes);
    bool closes = plane_any(emptied);
    if (closes)
        narrow_close_columns(board, emptied, planes);
    return closes;
}

/* A set of cells from which one is chosen at random. */
struct narrow_draw {
    uint64_t word[4];
    int upto[4]; /* upto[w]: number of cells in the words before word w */
    int count;
};

PLANE_INLINE void narrow_draw_open(struct narrow_draw *draw, plane cells) {
    plane_store(draw->word, cells);
    int count = 0;
    PLANE_UNROLL for (int w = 0; w < 4; w++) {
        draw->upto[w] = count;
        count += select_count(draw->word[w]);
    }
    draw->count = count;
}

/* Finds the member of the set that has exactly `rank` members before it; returns 16 * column + row of this cell. */
PLANE_INLINE int narrow_draw_cell(const struct narrow_draw *draw, int rank) {
    int w = (rank >= draw->upto[1]) + (rank >= draw->upto[2]) + (rank >= draw->upto[3]);
    return w * 64 + select_bit(draw->word[w], rank - draw->upto[w]);
}

PLANE_INLINE int narrow_first_cell(plane p) {
    uint64_t word[4];
    plane_store(word, p);
    int w = word[0] ? 0 : word[1] ? 1 : word[2] ? 2 : 3;
    return w * 64 + __builtin_ctzll(word[w]);
}

PLANE_INLINE int narrow_last_cell(plane p) {
    uint64_t word[4];
    plane_store(word, p);
    int w = word[3] ? 3 : word[2] ? 2 : word[1] ? 1 : 0;
    return w * 64 + 63 - __builtin_clzll(word[w]);
}

PLANE_INLINE soloist_move narrow_move(int cell) { return samegame_move(cell / 16, cell % 16); }

/* Chooses a group at random, all with equal probability: chooses a cell of the set, and repeats this if the cell is not
 * the first of its group. */
PLANE_INLINE plane narrow_draw_group(const struct narrow_edges *edges, const struct narrow_draw *draw, soloist_rng *rng,
                                     int *cell) {
    for (;;) {
        *cell = narrow_draw_cell(draw, (int)soloist_rng_below(rng, (uint32_t)draw->count));
        plane group = narrow_group(narrow_cell(*cell / 16, *cell % 16), edges);
        if (__builtin_expect(!plane_any(plane_and(group, narrow_before(*cell / 16, *cell % 16))), 1))
            return group;
    }
}

/* All cells of a colour. */
PLANE_INLINE plane narrow_colour(const struct narrow_board *board, int colour, int planes) {
    plane cells = plane_xor(board->colour[0], plane_fill16(colour & 1 ? 0 : 0xffff));
    PLANE_UNROLL for (int k = 1; k < planes; k++) {
        cells = plane_and(cells, plane_xor(board->colour[k], plane_fill16(colour >> k & 1 ? 0 : 0xffff)));
    }
    return cells;
}

/* The cells among which a play-out chooses. Under the tabu policy these are the playable cells that do not have the
 * tabu colour or, if there are none, all playable cells. */
PLANE_INLINE plane narrow_choices(const struct narrow_board *board, const struct narrow_edges *edges, int policy,
                                  int tabu, int planes) {
    if (policy == SAMEGAME_RANDOM)
        return narrow_starts(edges);
    plane all = narrow_playable(edges), other = plane_less(all, narrow_colour(board, tabu, planes));
    return plane_any(other) ? other : all;
}

PLANE_INLINE void narrow_counts(const soloist_instance *instance, const struct samegame_narrow *state,
                                int counts[SAMEGAME_MOST_COLOURS + 1], int planes) {
    struct narrow_board board;
    narrow_open(&board, state, planes);
    counts[0] = 0;
    for (int colour = 1; colour <= SAMEGAME_MOST_COLOURS; colour++)
        counts[colour] = colour <= instance->colours ? narrow_count(narrow_colour(&board, colour, planes)) : 0;
}

PLANE_INLINE uint64_t narrow_key(const soloist_instance *instance, const struct samegame_narrow *state, int planes) {
    uint64_t key = 0;
    for (int c = 0; c < instance->width; c++)
        key ^= key_column_narrow(state, planes, c);
    return key;
}

PLANE_INLINE soloist_playout narrow_play(const soloist_instance *instance, struct samegame_narrow *state, int policy,
                                         int limit, soloist_rng *rng_of_caller, soloist_move *trace, int planes) {
    struct narrow_board board;
    soloist_playout result = {0, 0, false};
    soloist_rng rng = *rng_of_caller;
    int64_t squares = 0, blocks = 0;
    narrow_open(&board, state, planes);
    for (;;) {
        struct narrow_edges edges = narrow_find_edges(&board, planes);
        struct narrow_draw draw;
        narrow_draw_open(&draw, narrow_choices(&board, &edges, policy, instance->tabu, planes));
        result.ended = draw.count == 0;
        if (result.ended || result.length == limit)
            break;
        plane group;
        int cell;
        if (policy == SAMEGAME_RANDOM) {
            group = narrow_draw_group(&edges, &draw, &rng, &cell);
        } else {
            cell = narrow_draw_cell(&draw, (int)soloist_rng_below(&rng, (uint32_t)draw.count));
            group = narrow_group(narrow_cell(cell / 16, cell % 16), &edges);
        }
        if (trace)
            trace[result.length] = narrow_move(policy == SAMEGAME_RANDOM ? cell : narrow_first_cell(group));
        int n = narrow_count(group);
        squares += n * n, blocks += n;
        result.length++;
        narrow_remove(&board, group, edges.occupied, planes);
    }
    *rng_of_caller = rng;
    narrow_close(&board, state, planes);
    state->key = narrow_key(instance, state, planes);
    result.value = (int32_t)(instance->square * squares + instance->once * blocks + instance->flat * result.length);
    if (result.ended) {
        int counts[SAMEGAME_MOST_COLOURS + 1];
        narrow_counts(instance, state, counts, planes);
        result.value += samegame_last(instance, counts);
    }
    return result;
}

PLANE_INLINE int narrow_moves(const struct samegame_narrow *state, soloist_move *moves, int planes) {
    struct narrow_board board;
    narrow_open(&board, state, planes);
    struct narrow_edges edges = narrow_find_edges(&board, planes);
    plane starts = narrow_starts(&edges);
    int count = 0;
    while (plane_any(starts)) {
        int cell = narrow_first_cell(starts);
        moves[count++] = narrow_move(cell);
        starts = plane_less(starts, narrow_group(narrow_cell(cell / 16, cell % 16), &edges));
    }
    return count;
}

PLANE_INLINE bool narrow_stuck(const struct samegame_narrow *state, int planes) {
    struct narrow_board board;
    narrow_open(&board, state, planes);
    struct narrow_edges edges = narrow_find_edges(&board, planes);
    return !plane_any(plane_or(edges.below, edges.left));
}

PLANE_INLINE int32_t narrow_apply(const soloist_instance *instance, struct samegame_narrow *state, soloist_move move,
                                  int planes) {
    struct narrow_board board;
    narrow_open(&board, state, planes);
    struct narrow_edges edges = narrow_find_edges(&board, planes);
    plane group = narrow_group(narrow_cell(samegame_column(move), samegame_row(move)), &edges);
    int from = samegame_column(move), last = narrow_last_cell(group) / 16;
    if (narrow_remove(&board, group, edges.occupied, planes))
        last = instance->width - 1;
    for (int c = from; c <= last; c++)
        state->key ^= key_column_narrow(state, planes, c);
    narrow_close(&board, state, planes);
    for (int c = from; c <= last; c++)
        state->key ^= key_column_narrow(state, planes, c);
    return samegame_step(instance, narrow_count(group));
}

/* The key of a child that differs from its parent only in the columns `from` to `last`. */
PLANE_INLINE uint64_t narrow_child_key(const struct narrow_board *board, uint64_t key, const uint64_t *parent_columns,
                                       int from, int last, int planes) {
    struct samegame_narrow child;
    narrow_close(board, &child, planes);
    for (int c = from; c <= last; c++)
        key ^= parent_columns[c] ^ key_column_narrow(&child, planes, c);
    return key;
}

PLANE_INLINE int narrow_colour_at(const struct samegame_narrow *state, int cell, int planes) {
    int colour = 0;
    PLANE_UNROLL for (int k = 0; k < planes; k++) { colour |= (state->plane[k][cell / 16] >> cell % 16 & 1) << k; }
    return colour;
}

PLANE_INLINE int narrow_expand(const soloist_instance *instance, const struct samegame_narrow *state, unsigned want,
                               soloist_child *children, int planes) {
    struct narrow_board board;
    narrow_open(&board, state, planes);
    struct narrow_edges edges = narrow_find_edges(&board, planes);
    plane starts = narrow_starts(&edges);
    uint64_t columns[16];
    int counts[SAMEGAME_MOST_COLOURS + 1], count = 0;
    for (int c = 0; want & SOLOIST_WANT_KEY && c < instance->width; c++)
        columns[c] = key_column_narrow(state, planes, c);
    if (want & SOLOIST_WANT_BOUND)
        narrow_counts(instance, state, counts, planes);
    while (plane_any(starts)) {
        int cell = narrow_first_cell(starts);
        plane group = narrow_group(narrow_cell(cell / 16, cell % 16), &edges);
        int n = narrow_count(group);
        soloist_child *child = &children[count++];
        starts = plane_less(starts, group);
        *child = (soloist_child){.key = 0, .move = narrow_move(cell), .step = samegame_step(instance, n), .bound = 0};
        if (want & SOLOIST_WANT_KEY) {
            struct narrow_board after = board;
            bool closes = narrow_remove(&after, group, edges.occupied, planes);
            int last = closes ? instance->width - 1 : narrow_last_cell(group) / 16;
            child->key = narrow_child_key(&after, state->key, columns, cell / 16, last, planes);
        }
        if (want & SOLOIST_WANT_BOUND) {
            int colour = narrow_colour_at(state, cell, planes);
            counts[colour] -= n;
            child->bound = samegame_upper_bound(instance, counts);
            counts[colour] += n;
        }
    }
    return count;
}

#endif
