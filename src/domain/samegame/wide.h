/* Boards of up to 32 x 32: columns of 32 bits in memory, with empty columns on both sides.
 *
 * A move changes few columns. A play-out therefore works on a window: a plane of eight columns around the group. In the
 * window it fills the group, lets blocks sink, and updates `below`, `left` and `draw`. If the group does not fit into
 * the window or a column closes, slower code for the whole board is used. */
#ifndef DOMAIN_SAMEGAME_WIDE_H
#define DOMAIN_SAMEGAME_WIDE_H

#include "domain/samegame/key.h"
#include "domain/samegame/plane.h"
#include "domain/samegame/select.h"

#define WIDE_MARGIN 8 /* empty columns on either side, so that windows never extend beyond the arrays */
#define WIDE_COLUMNS (32 + 2 * WIDE_MARGIN)
#define WIDE_WORDS 16                                        /* number of 64-bit words in 32 columns */
#define WIDE_SHARED static __attribute__((noinline, unused)) /* too large to be inlined for each number of planes */

/* Column c of the board is index c + WIDE_MARGIN. */
struct wide_board {
    uint32_t colour[SAMEGAME_MOST_PLANES][WIDE_COLUMNS];
    /* below: cells equal to the cell below them; left: cells equal to the cell on their left. */
    uint32_t below[WIDE_COLUMNS], left[WIDE_COLUMNS];
    uint32_t draw[WIDE_COLUMNS];   /* cells among which a play-out chooses */
    uint32_t spared[WIDE_COLUMNS]; /* tabu policy: playable cells of the tabu colour */
};

/* The eight columns of a window. */
struct wide_window {
    plane colour[SAMEGAME_MOST_PLANES];
    plane below, left;
};

PLANE_INLINE uint32_t wide_all_if(bool condition) { return condition ? UINT32_MAX : 0; }

/* Recomputes column i of `draw` and `spared`, by the same rules as for narrow boards. */
PLANE_INLINE void wide_refresh_draw(struct wide_board *board, int i, int policy, int tabu, int planes) {
    uint32_t below = board->below[i], left = board->left[i], next = board->left[i + 1];
    if (policy == SAMEGAME_RANDOM) {
        uint32_t leftward = left | (left & below) >> 1;
        leftward |= (leftward & below) >> 1;
        board->draw[i] = (below >> 1 | next) & ~(below | leftward);
    } else {
        uint32_t playable = below | below >> 1 | left | next, spared = playable;
        for (int k = 0; k < planes; k++)
            spared &= board->colour[k][i] ^ wide_all_if(!(tabu >> k & 1));
        board->draw[i] = playable & ~spared;
        board->spared[i] = spared;
    }
}

PLANE_INLINE void wide_refresh_edges(struct wide_board *board, int i, int planes) {
    uint32_t occupied = 0, under = 0, beside = 0;
    for (int k = 0; k < planes; k++) {
        uint32_t here = board->colour[k][i];
        occupied |= here;
        under |= here ^ here << 1;
        beside |= here ^ board->colour[k][i - 1];
    }
    board->below[i] = occupied & ~under;
    board->left[i] = occupied & ~beside;
}

PLANE_INLINE void wide_refresh(struct wide_board *board, int policy, int tabu, int planes) {
    for (int i = WIDE_MARGIN; i < WIDE_MARGIN + 32; i++)
        wide_refresh_edges(board, i, planes);
    for (int i = WIDE_MARGIN; i < WIDE_MARGIN + 32; i++)
        wide_refresh_draw(board, i, policy, tabu, planes);
}

WIDE_SHARED void wide_open(struct wide_board *board, const struct samegame_wide *state, int policy, int tabu,
                           int planes) {
    memset(board, 0, sizeof *board);
    for (int k = 0; k < planes; k++)
        memcpy(board->colour[k] + WIDE_MARGIN, state->plane[k], sizeof state->plane[k]);
    wide_refresh(board, policy, tabu, planes);
}

WIDE_SHARED void wide_close(const struct wide_board *board, struct samegame_wide *state, int planes) {
    for (int k = 0; k < planes; k++)
        memcpy(state->plane[k], board->colour[k] + WIDE_MARGIN, sizeof state->plane[k]);
}

/* ---- the slow code: the whole board ---- */

struct wide_group {
    int first, last; /* indices of the group's first and last column */
    int count;
    uint32_t cells[WIDE_COLUMNS];
};

/* All cells of a column that vertical steps reach from `cells` (Kogge-Stone prefix, upwards and downwards). */
PLANE_INLINE uint32_t wide_fill_column(uint32_t cells, uint32_t below) {
    for (int i = 1; i < 32; i *= 2) {
        cells |= (cells << i & below) | (cells & below) >> i;
        below &= below << i; /* a bit of `below` now stands for a run of 2*i steps */
    }
    return cells;
}

PLANE_INLINE bool wide_spread(const struct wide_board *board, uint32_t *cells, int from, int to) {
    uint32_t reached = cells[from] & board->left[from > to ? from : to];
    uint32_t filled = wide_fill_column(cells[to] | reached, board->below[to]);
    bool grows = filled != cells[to];
    cells[to] = filled;
    return grows;
}

/* Finds the group of a cell: sweeps to the right and to the left over its columns until nothing is added. */
WIDE_SHARED void wide_find_group(const struct wide_board *board, int index, int row, struct wide_group *group) {
    uint32_t *cells = group->cells;
    memset(cells, 0, sizeof group->cells);
    int first = index, last = index;
    cells[index] = wide_fill_column(UINT32_C(1) << row, board->below[index]);
    for (bool grows = true; grows;) {
        grows = false;
        for (int i = first; cells[i]; i++) {
            grows |= wide_spread(board, cells, i, i + 1);
            last = cells[i + 1] && i + 1 > last ? i + 1 : last;
        }
        for (int i = last; i >= first; i--) {
            grows |= wide_spread(board, cells, i, i - 1);
            first = cells[i - 1] && i - 1 < first ? i - 1 : first;
        }
    }
    group->first = first, group->last = last, group->count = 0;
    for (int i = first; i <= last; i++)
        group->count += select_count(cells[i]);
}

/* Closes empty columns from `first` on. */
WIDE_SHARED void wide_close_columns(struct wide_board *board, int first, int planes) {
    int to = first;
    for (int i = first; i < WIDE_MARGIN + 32; i++) {
        uint32_t occupied = 0;
        for (int k = 0; k < planes; k++)
            occupied |= board->colour[k][i];
        for (int k = 0; k < planes; k++)
            board->colour[k][to] = board->colour[k][i];
        to += occupied != 0;
    }
    for (; to < WIDE_MARGIN + 32; to++)
        for (int k = 0; k < planes; k++)
            board->colour[k][to] = 0;
}

/* Removes a group and lets blocks sink; true if a column becomes empty. */
WIDE_SHARED bool wide_sink(struct wide_board *board, const struct wide_group *group, int planes) {
    bool emptied = false;
    for (int i = group->first; i <= group->last; i++) {
        uint32_t gone = group->cells[i], occupied = 0;
        while (gone) {
            uint32_t keep = (gone & -gone) - 1;
            for (int k = 0; k < planes; k++)
                board->colour[k][i] = (board->colour[k][i] & keep) | (board->colour[k][i] >> 1 & ~keep);
            gone = gone >> 1 & ~keep;
        }
        for (int k = 0; k < planes; k++)
            occupied |= board->colour[k][i];
        emptied |= !occupied;
    }
    return emptied;
}

/* Removes the group from the colour planes only; true if columns were closed. */
WIDE_SHARED bool wide_remove(struct wide_board *board, const struct wide_group *group, int planes) {
    bool emptied = wide_sink(board, group, planes);
    if (emptied)
        wide_close_columns(board, group->first, planes);
    return emptied;
}

/* ---- the window ---- */

static const uint32_t wide_one_lane[15] = {[7] = UINT32_MAX};
static const uint32_t wide_inner_lanes[8] = {[1] = UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX};

PLANE_INLINE plane wide_lane(int lane) { return plane_load(wide_one_lane + 7 - lane); }

PLANE_INLINE plane wide_grow(plane group, const struct wide_window *window) {
    plane up = plane_and(plane_up32(group), window->below), down = plane_down32(plane_and(group, window->below));
    plane right = plane_and(plane_right32(group), window->left), left = plane_left32(plane_and(group, window->left));
    return plane_or(plane_or(group, plane_or(up, down)), plane_or(left, right));
}

PLANE_INLINE plane wide_fill_window(plane cell, const struct wide_window *window) {
    plane group = wide_grow(wide_grow(cell, window), window);
    for (;;) {
        plane grown = wide_grow(group, window);
        if (!plane_any(plane_xor(grown, group)))
            return group;
        group = wide_grow(grown, window);
    }
}

PLANE_INLINE void wide_sink_window(struct wide_window *window, plane *gone, int planes) {
    plane keep = plane_below_lowest32(*gone);
    PLANE_UNROLL for (int k = 0; k < planes; k++) {
        window->colour[k] = plane_choose(keep, window->colour[k], plane_down32(window->colour[k]));
    }
    *gone = plane_less(plane_down32(*gone), keep);
}

/* Recomputes `below` and `left` of the window after a change in the inner lanes, 1 to 5; `left` of the first lane does
 * not change. */
PLANE_INLINE void wide_window_edges(struct wide_window *window, int planes) {
    plane first = window->colour[0], occupied = first;
    plane under = plane_xor(first, plane_up32(first)), beside = plane_xor(first, plane_right32(first));
    PLANE_UNROLL for (int k = 1; k < planes; k++) {
        plane p = window->colour[k];
        occupied = plane_or(occupied, p);
        under = plane_or(under, plane_xor(p, plane_up32(p)));
        beside = plane_or(beside, plane_xor(p, plane_right32(p)));
    }
    window->below = plane_less(occupied, under);
    window->left = plane_choose(wide_lane(0), window->left, plane_less(occupied, beside));
}

/* Recomputes `draw` and `spared` in the window; the last lane does not change. */
PLANE_INLINE void wide_window_draw(struct wide_board *board, int at, const struct wide_window *window, int policy,
                                   int tabu, int planes) {
    plane below = window->below, left = window->left, last = wide_lane(7);
    plane onward = plane_or(plane_down32(below), plane_left32(left)), draw;
    if (policy == SAMEGAME_RANDOM) {
        plane leftward = plane_or(left, plane_down32(plane_and(left, below)));
        leftward = plane_or(leftward, plane_down32(plane_and(leftward, below)));
        draw = plane_less(onward, plane_or(below, leftward));
    } else {
        plane playable = plane_or(onward, plane_or(below, left)), spared = playable;
        PLANE_UNROLL for (int k = 0; k < planes; k++) {
            spared = plane_and(spared, plane_xor(window->colour[k], plane_fill32(wide_all_if(!(tabu >> k & 1)))));
        }
        draw = plane_less(playable, spared);
        plane_store(board->spared + at, plane_choose(last, plane_load(board->spared + at), spared));
    }
    plane_store(board->draw + at, plane_choose(last, plane_load(board->draw + at), draw));
}

PLANE_INLINE int wide_window_count(plane p) {
    uint64_t word[4];
    plane_store(word, p);
    return select_count(word[0]) + select_count(word[1]) + select_count(word[2]) + select_count(word[3]);
}

/* Plays the group of the cell in lane `lane` and row `row` of the window whose first column is `at`. Returns the number
 * of removed blocks; 0 if the policy is random and the cell is not the first of its group; or -1 if the group does not
 * fit into the window or empties a column. If the result is 0 or -1, nothing is removed. */
PLANE_INLINE int wide_play_window(struct wide_board *board, int at, int lane, int row, int policy, int tabu,
                                  int planes) {
    struct wide_window window;
    PLANE_UNROLL for (int k = 0; k < planes; k++) { window.colour[k] = plane_load(board->colour[k] + at); }
    window.below = plane_load(board->below + at);
    window.left = plane_load(board->left + at);
    uint32_t bit = UINT32_C(1) << row;
    plane group = wide_fill_window(plane_and(wide_lane(lane), plane_fill32(bit)), &window);
    if (policy == SAMEGAME_RANDOM) {
        /* With the random policy, `lane` is always 1, so the cells before this one are those of lane 0 and those below
         * it in lane 1. Cells of the group outside the window need no test: a group that extends beyond the window has
         * a cell in lane 0, which is tested here, or in lane 7, which makes the result -1. */
        plane before = plane_or(wide_lane(0), plane_and(wide_lane(1), plane_fill32(bit - 1)));
        if (plane_any(plane_and(group, before)))
            return 0;
    }
    plane occupied = window.colour[0];
    PLANE_UNROLL for (int k = 1; k < planes; k++) { occupied = plane_or(occupied, window.colour[k]); }
    plane emptied = plane_less(plane_equal32(group, occupied), plane_equal32(occupied, plane_fill32(0)));
    if (plane_any(plane_or(plane_less(group, plane_load(wide_inner_lanes)), emptied)))
        return -1;
    plane gone = group;
    wide_sink_window(&window, &gone, planes);
    wide_sink_window(&window, &gone, planes);
    while (plane_any(gone))
        wide_sink_window(&window, &gone, planes);
    PLANE_UNROLL for (int k = 0; k < planes; k++) { plane_store(board->colour[k] + at, window.colour[k]); }
    wide_window_edges(&window, planes);
    plane_store(board->below + at, window.below);
    plane_store(board->left + at, window.left);
    wide_window_draw(board, at, &window, policy, tabu, planes);
    return wide_window_count(group);
}

/* ---- drawing ---- */

/* A set of cells from which one is chosen at random. The cells are counted per word, and per group of four words. */
struct wide_draw {
    const uint32_t *cells;
    int upto[WIDE_WORDS]; /* number of cells in the earlier words of the same group of four */
    int before[4];        /* number of cells in the earlier groups of four words */
    int count;
};

/* Reads one word. Copying all words at once would use wider loads that only partly overlap the stores of the last
 * window. Store forwarding then fails, and the loads stall. */
PLANE_INLINE uint64_t wide_draw_word(const struct wide_draw *draw, int w) {
    uint64_t word;
    memcpy(&word, draw->cells + 2 * w, sizeof word);
    return word;
}

PLANE_INLINE void wide_draw_open(struct wide_draw *draw, const uint32_t *cells) {
    int count = 0;
    draw->cells = cells + WIDE_MARGIN;
    for (int four = 0; four < 4; four++) {
        int within = 0;
        for (int w = four * 4; w < four * 4 + 4; w++) {
            draw->upto[w] = within;
            within += select_count(wide_draw_word(draw, w));
        }
        draw->before[four] = count;
        count += within;
    }
    draw->count = count;
}

/* Finds the member of the set that has exactly `rank` members before it; returns 32 * column + row of this cell. */
PLANE_INLINE int wide_draw_cell(const struct wide_draw *draw, int rank) {
    int four = (rank >= draw->before[1]) + (rank >= draw->before[2]) + (rank >= draw->before[3]);
    const int *upto = draw->upto + four * 4;
    rank -= draw->before[four];
    int w = (rank >= upto[1]) + (rank >= upto[2]) + (rank >= upto[3]);
    return (four * 4 + w) * 64 + select_bit(wide_draw_word(draw, four * 4 + w), rank - upto[w]);
}

PLANE_INLINE soloist_move wide_group_move(const struct wide_group *group) {
    return samegame_move(group->first - WIDE_MARGIN, __builtin_ctz(group->cells[group->first]));
}

/* Makes a move of a play-out by the slow code. Returns the number of removed blocks, or 0 if the policy is random and
 * the cell is not the first of its group. */
PLANE_INLINE int wide_play_board(struct wide_board *board, int cell, int policy, int tabu, int planes) {
    struct wide_group group;
    wide_find_group(board, cell / 32 + WIDE_MARGIN, cell % 32, &group);
    if (policy == SAMEGAME_RANDOM && wide_group_move(&group) != (soloist_move)cell)
        return 0;
    wide_remove(board, &group, planes);
    wide_refresh(board, policy, tabu, planes);
    return group.count;
}

WIDE_SHARED void wide_counts(const soloist_instance *instance, const struct samegame_wide *state,
                             int counts[SAMEGAME_MOST_COLOURS + 1], int planes) {
    memset(counts, 0, (SAMEGAME_MOST_COLOURS + 1) * sizeof *counts);
    for (int colour = 1; colour <= instance->colours; colour++)
        for (int c = 0; c < instance->width; c++) {
            uint32_t cells = UINT32_MAX;
            for (int k = 0; k < planes; k++)
                cells &= state->plane[k][c] ^ wide_all_if(!(colour >> k & 1));
            counts[colour] += select_count(cells);
        }
}

WIDE_SHARED uint64_t wide_key(const soloist_instance *instance, const struct samegame_wide *state, int planes) {
    uint64_t key = 0;
    for (int c = 0; c < instance->width; c++)
        key ^= key_column_wide(state, planes, c);
    return key;
}

PLANE_INLINE soloist_playout wide_play(const soloist_instance *instance, struct samegame_wide *state, int policy,
                                       int limit, soloist_rng *rng, soloist_move *trace, int planes) {
    struct wide_board board;
    soloist_playout result = {0, 0, false};
    int64_t squares = 0, blocks = 0;
    int tabu = instance->tabu, lane = policy == SAMEGAME_RANDOM ? 1 : 3;
    wide_open(&board, state, policy, tabu, planes);
    for (;;) {
        struct wide_draw draw;
        wide_draw_open(&draw, board.draw);
        if (policy == SAMEGAME_TABU && !draw.count)
            wide_draw_open(&draw, board.spared);
        result.ended = draw.count == 0;
        if (result.ended || result.length == limit)
            break;
        int n = 0, cell = 0;
        while (!n) {
            cell = wide_draw_cell(&draw, (int)soloist_rng_below(rng, (uint32_t)draw.count));
            if (trace && policy == SAMEGAME_TABU) {
                struct wide_group group;
                wide_find_group(&board, cell / 32 + WIDE_MARGIN, cell % 32, &group);
                cell = (int)wide_group_move(&group);
            }
            n = wide_play_window(&board, cell / 32 + WIDE_MARGIN - lane, lane, cell % 32, policy, tabu, planes);
            if (n < 0)
                n = wide_play_board(&board, cell, policy, tabu, planes);
        }
        if (trace)
            trace[result.length] = (soloist_move)cell;
        squares += (int64_t)n * n, blocks += n;
        result.length++;
    }
    wide_close(&board, state, planes);
    state->key = wide_key(instance, state, planes);
    result.value = (int32_t)(instance->square * squares + instance->once * blocks + instance->flat * result.length);
    if (result.ended) {
        int counts[SAMEGAME_MOST_COLOURS + 1];
        wide_counts(instance, state, counts, planes);
        result.value += samegame_last(instance, counts);
    }
    return result;
}

/* ---- the core ---- */

/* Finds the next group in the order of moves, and removes its cells from board->draw. */
WIDE_SHARED bool wide_next_group(struct wide_board *board, int *index, struct wide_group *group) {
    while (*index < WIDE_MARGIN + 32 && !board->draw[*index])
        ++*index;
    if (*index == WIDE_MARGIN + 32)
        return false;
    wide_find_group(board, *index, __builtin_ctz(board->draw[*index]), group);
    for (int i = group->first; i <= group->last; i++)
        board->draw[i] &= ~group->cells[i];
    return true;
}

WIDE_SHARED int wide_moves(const struct samegame_wide *state, soloist_move *moves, int planes) {
    struct wide_board board;
    struct wide_group group;
    int count = 0, index = WIDE_MARGIN;
    wide_open(&board, state, SAMEGAME_RANDOM, 0, planes);
    while (wide_next_group(&board, &index, &group))
        moves[count++] = wide_group_move(&group);
    return count;
}

WIDE_SHARED bool wide_stuck(const struct samegame_wide *state, int planes) {
    struct wide_board board;
    uint32_t any = 0;
    wide_open(&board, state, SAMEGAME_RANDOM, 0, planes);
    for (int i = 0; i < WIDE_COLUMNS; i++)
        any |= board.draw[i];
    return !any;
}

/* The key after a group is removed. before: the state before the removal; board: the board after it. */
WIDE_SHARED uint64_t wide_child_key(const soloist_instance *instance, const struct samegame_wide *before,
                                    const struct wide_board *board, const struct wide_group *group, bool closes,
                                    int planes) {
    struct samegame_wide after;
    uint64_t key = before->key;
    wide_close(board, &after, planes);
    int last = closes ? instance->width - 1 : group->last - WIDE_MARGIN;
    for (int c = group->first - WIDE_MARGIN; c <= last; c++)
        key ^= key_column_wide(before, planes, c) ^ key_column_wide(&after, planes, c);
    return key;
}

WIDE_SHARED int32_t wide_apply(const soloist_instance *instance, struct samegame_wide *state, soloist_move move,
                               int planes) {
    struct wide_board board;
    struct wide_group group;
    wide_open(&board, state, SAMEGAME_RANDOM, 0, planes);
    wide_find_group(&board, samegame_column(move) + WIDE_MARGIN, samegame_row(move), &group);
    bool closes = wide_remove(&board, &group, planes);
    state->key = wide_child_key(instance, state, &board, &group, closes, planes);
    wide_close(&board, state, planes);
    return samegame_step(instance, group.count);
}

PLANE_INLINE int wide_colour_at(const struct wide_board *board, int i, int row, int planes) {
    int colour = 0;
    for (int k = 0; k < planes; k++)
        colour |= (int)(board->colour[k][i] >> row & 1) << k;
    return colour;
}

WIDE_SHARED int wide_expand(const soloist_instance *instance, const struct samegame_wide *state, unsigned want,
                            soloist_child *children, int planes) {
    struct wide_board board;
    struct wide_group group;
    int counts[SAMEGAME_MOST_COLOURS + 1], count = 0, index = WIDE_MARGIN;
    wide_open(&board, state, SAMEGAME_RANDOM, 0, planes);
    if (want & SOLOIST_WANT_BOUND)
        wide_counts(instance, state, counts, planes);
    while (wide_next_group(&board, &index, &group)) {
        soloist_move move = wide_group_move(&group);
        soloist_child *child = &children[count++];
        *child = (soloist_child){.key = 0, .move = move, .step = samegame_step(instance, group.count), .bound = 0};
        if (want & SOLOIST_WANT_KEY) {
            struct wide_board after = board;
            bool closes = wide_remove(&after, &group, planes);
            child->key = wide_child_key(instance, state, &after, &group, closes, planes);
        }
        if (want & SOLOIST_WANT_BOUND) {
            int colour = wide_colour_at(&board, group.first, samegame_row(move), planes);
            counts[colour] -= group.count;
            child->bound = samegame_upper_bound(instance, counts);
            counts[colour] += group.count;
        }
    }
    return count;
}

#endif
