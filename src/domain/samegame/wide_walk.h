/* Walks on boards of up to 32 x 32: all groups are listed again after every move. */
#ifndef DOMAIN_SAMEGAME_WIDE_WALK_H
#define DOMAIN_SAMEGAME_WIDE_WALK_H

#include "domain/samegame/walk.h"
#include "domain/samegame/wide.h"

PLANE_INLINE uint64_t wide_walk_code(const soloist_instance *instance, const struct samegame_walk *walk,
                                     const struct wide_group *group) {
    uint64_t code = 0;
    for (int i = group->first; i <= group->last; i++)
        for (uint32_t cells = group->cells[i]; cells; cells &= cells - 1)
            code ^= instance->block_keys[walk->from.wide[i - WIDE_MARGIN][__builtin_ctz(cells)]];
    return code;
}

/* Moves the record of each block's original cell together with the block. */
PLANE_INLINE void wide_walk_move(struct samegame_walk *walk, const struct wide_board *board,
                                 const struct wide_group *group, int planes) {
    int to = 0;
    for (int c = 0; c < 32; c++) {
        uint32_t there = 0, gone = group->cells[c + WIDE_MARGIN];
        int put = 0;
        for (int k = 0; k < planes; k++)
            there |= board->colour[k][c + WIDE_MARGIN];
        for (int r = 0; r < 32; r++)
            if (there >> r & ~gone >> r & 1)
                walk->from.wide[to][put++] = walk->from.wide[c][r];
        to += put > 0;
    }
}

/* Moves the playable groups of the tabu colour, which are at the end of the array, behind the groups of the other
 * colours; returns the number of choices. blocks: the number of blocks of each of the `spared` groups at the end; left:
 * the number of blocks of the tabu colour. */
PLANE_INLINE int wide_walk_show(struct samegame_walk *walk, int others, int spared, const int *blocks, int left) {
    bool all = !others, late = walk->steps > SAMEGAME_WALK_MOVES;
    int count = others;
    for (int i = spared - 1; i >= 0; i--)
        if (all || blocks[i] == left || (blocks[i] == 2 && late))
            walk->choices[count++] = walk->choices[SAMEGAME_WALK_ROOM - 1 - i];
    return walk->count = count;
}

WIDE_SHARED int wide_walk_list(const soloist_instance *instance, struct samegame_walk *walk, struct wide_board *board,
                               int planes) {
    struct wide_group group;
    int index = WIDE_MARGIN, left = 0, others = 0, spared = 0, blocks[SAMEGAME_WALK_ROOM];
    while (wide_next_group(board, &index, &group)) {
        soloist_move move = wide_group_move(&group);
        int colour = wide_colour_at(board, group.first, samegame_row(move), planes), at = others;
        if (colour == walk->tabu) {
            blocks[spared] = group.count;
            at = SAMEGAME_WALK_ROOM - ++spared;
        } else {
            others++;
        }
        walk->choices[at] = (soloist_choice){.code = wide_walk_code(instance, walk, &group),
                                             .move = move,
                                             .gain = samegame_step(instance, group.count),
                                             .prior = samegame_walk_prior(walk, group.count, colour)};
    }
    if (walk->tabu) {
        int counts[SAMEGAME_MOST_COLOURS + 1];
        wide_counts(instance, &walk->state.wide, counts, planes);
        left = counts[walk->tabu];
    }
    return wide_walk_show(walk, others, spared, blocks, left);
}

WIDE_SHARED int wide_walk_open(const soloist_instance *instance, struct samegame_walk *walk,
                               const struct samegame_wide *state, int planes) {
    struct wide_board board;
    for (int cell = 0; cell < 1024; cell++)
        walk->from.wide[cell / 32][cell % 32] = (uint16_t)cell;
    memcpy(&walk->state.wide, state, instance->state_size);
    wide_open(&board, state, SAMEGAME_RANDOM, 0, planes);
    return wide_walk_list(instance, walk, &board, planes);
}

WIDE_SHARED int wide_walk_play(const soloist_instance *instance, struct samegame_walk *walk, int chosen, int planes) {
    struct wide_board board;
    struct wide_group group;
    soloist_move move = walk->choices[chosen].move;
    wide_open(&board, &walk->state.wide, SAMEGAME_RANDOM, 0, planes);
    wide_find_group(&board, samegame_column(move) + WIDE_MARGIN, samegame_row(move), &group);
    wide_walk_move(walk, &board, &group, planes);
    wide_remove(&board, &group, planes);
    wide_refresh(&board, SAMEGAME_RANDOM, 0, planes);
    wide_close(&board, &walk->state.wide, planes);
    return wide_walk_list(instance, walk, &board, planes);
}

#endif
