/* Bounds that follow from the board alone: parity, Manhattan distance, and the linear conflicts of Hansson, Mayer and
 * Yung (1992). */
#include "domain/tiles/tiles.h"

/* Every move exchanges the blank with a tile and moves the blank by one square: the permutation's parity and the colour
 * of the blank's square (as on a chessboard) change together. */
bool tiles_is_odd(int width, int height, const uint8_t *board, bool blank_last) {
    int squares = width * height, exchanges = 0;
    uint8_t tiles[TILES_MOST_SQUARES];
    for (int square = 0; square < squares; square++) {
        int place = tiles_goal_square(squares, blank_last, board[square]);
        tiles[square] = (uint8_t)place;
        if (board[square] == 0)
            exchanges += place % width + place / width + square % width + square / width;
    }
    for (int square = 0; square < squares; square++)
        for (; tiles[square] != square; exchanges++) {
            uint8_t other = tiles[square];
            tiles[square] = tiles[other];
            tiles[other] = other;
        }
    return exchanges % 2 != 0;
}

int32_t tiles_manhattan(int width, int height, const uint8_t *board, const uint8_t *place) {
    int32_t sum = 0;
    for (int square = 0; square < width * height; square++)
        if (board[square])
            sum += tiles_distance_between(width, square, place[board[square]]);
    return sum;
}

/* The least number of values to remove so that the rest is increasing: the count minus the length of the longest
 * increasing subsequence. */
static int least_removed(const int *values, int count) {
    int length[TILES_MOST_SIDE], longest = 0;
    for (int i = 0; i < count; i++) {
        length[i] = 1;
        for (int j = 0; j < i; j++)
            if (values[j] < values[i] && length[j] >= length[i])
                length[i] = length[j] + 1;
        if (length[i] > longest)
            longest = length[i];
    }
    return count - longest;
}

/* The line begins at `first`, and its squares are `step` apart. Returns how many of the tiles that are in this line and
 * belong to it must leave it, so that the others can be in order. */
static int line_conflict(const uint8_t *board, const uint8_t *place, int first, int step, int count, int width) {
    int values[TILES_MOST_SIDE], kept = 0;
    for (int i = 0; i < count; i++) {
        int tile = board[first + i * step], to = place[tile];
        if (tile && (step == 1 ? to / width == first / width : to % width == first))
            values[kept++] = to;
    }
    return kept > 1 ? least_removed(values, kept) : 0;
}

int32_t tiles_linear_conflict(int width, int height, const uint8_t *board, const uint8_t *place) {
    int removed = 0;
    for (int row = 0; row < height; row++)
        removed += line_conflict(board, place, row * width, 1, width, width);
    for (int column = 0; column < width; column++)
        removed += line_conflict(board, place, column, width, height, width);
    return 2 * removed;
}
