/* SameGame on a plain array, cell by cell: what every fast path is compared with. */
#ifndef TESTS_UNIT_DOMAIN_SAMEGAME_SAMEGAME_REFERENCE_H
#define TESTS_UNIT_DOMAIN_SAMEGAME_SAMEGAME_REFERENCE_H

#include "domain/samegame/samegame.h"

#include <string.h>

struct reference {
    int width, height;
    int cell[32][32]; /* [column][row], row 0 at the bottom */
};

static inline int reference_flood(struct reference *board, int c, int r, int colour, bool mark[32][32]) {
    if (c < 0 || r < 0 || c >= board->width || r >= board->height || mark[c][r] || board->cell[c][r] != colour)
        return 0;
    mark[c][r] = true;
    return 1 + reference_flood(board, c - 1, r, colour, mark) + reference_flood(board, c + 1, r, colour, mark) +
           reference_flood(board, c, r - 1, colour, mark) + reference_flood(board, c, r + 1, colour, mark);
}

/* Groups in the order of their first cells, and how many blocks each has. */
static inline int reference_moves(struct reference *board, soloist_move *moves, int *sizes) {
    bool seen[32][32] = {{false}};
    int count = 0;
    for (int c = 0; c < board->width; c++)
        for (int r = 0; r < board->height; r++)
            if (board->cell[c][r] && !seen[c][r]) {
                int n = reference_flood(board, c, r, board->cell[c][r], seen);
                if (n > 1) {
                    moves[count] = samegame_move(c, r);
                    sizes[count++] = n;
                }
            }
    return count;
}

/* Plays at a cell; returns the blocks taken. */
static inline int reference_play(struct reference *board, int column, int row) {
    bool gone[32][32] = {{false}};
    int n = reference_flood(board, column, row, board->cell[column][row], gone), to = 0;
    struct reference after = {.width = board->width, .height = board->height};
    for (int c = 0; c < board->width; c++) {
        int height = 0;
        for (int r = 0; r < board->height; r++)
            if (board->cell[c][r] && !gone[c][r])
                after.cell[to][height++] = board->cell[c][r];
        to += height > 0;
    }
    *board = after;
    return n;
}

static inline int reference_step(int scoring, int n) {
    const int scores[] = {(n - 2) * (n - 2), (n - 2) * (n - 2), 0, n * (n - 1), n * n - 3 * n + 4};
    return scores[scoring];
}

static inline int reference_last(const struct reference *board, int scoring) {
    int left[10] = {0}, all = 0, penalty = 0;
    for (int c = 0; c < board->width; c++)
        for (int r = 0; r < board->height; r++)
            left[board->cell[c][r]]++, all += board->cell[c][r] != 0;
    for (int colour = 1; colour < 10; colour++)
        penalty += left[colour] ? (left[colour] - 2) * (left[colour] - 2) : 0;
    if (scoring == SAMEGAME_CLICKOMANIA)
        return -all;
    if (scoring == SAMEGAME_JAWBREAKER || scoring == SAMEGAME_WINDOWS)
        return 0;
    if (!all)
        return 1000;
    return scoring == SAMEGAME_STANDARD ? -penalty : -(all - 2) * (all - 2);
}

static inline struct reference reference_of(const soloist_instance *instance, const void *state) {
    struct samegame_board board;
    samegame_state_to_board(instance, state, &board);
    struct reference reference = {.width = board.width, .height = board.height};
    for (int c = 0; c < 32; c++)
        for (int r = 0; r < 32; r++)
            reference.cell[c][r] = board.cell[c][r];
    return reference;
}

/* A random settled board: full, or with columns of random height that sink towards the right. */
static inline void reference_random_board(soloist_rng *rng, int width, int height, int colours, bool full,
                                          struct samegame_board *board) {
    memset(board, 0, sizeof *board);
    board->width = width;
    board->height = height;
    for (int c = 0; c < width; c++) {
        int top = full ? height : (int)soloist_rng_below(rng, (uint32_t)height + 1);
        if (!full && !top && c)
            break;
        for (int r = 0; r < (top ? top : 1); r++)
            board->cell[c][r] = (uint8_t)(1 + soloist_rng_below(rng, (uint32_t)colours));
    }
}

#endif
