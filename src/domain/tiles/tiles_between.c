/* Games from one board to another. The pattern databases are made for one goal, with the blank in one corner. If the
 * game ends at another board, that board's blank is moved to the nearest corner, and the board is rotated until that
 * corner is the databases' corner. Moving the blank makes the databases' sums wrong by a few moves, which is good
 * enough for an estimate. */
#include "domain/tiles/tiles.h"

#include <stdlib.h>
#include <string.h>

/* The image of a square when a square board is rotated by a quarter turn. */
static int rotated(int width, int square) { return square % width * width + width - 1 - square / width; }

/* The number of quarter turns after which the corner nearest to the square is `corner`. */
static int turns_to(int width, int square, int corner) {
    int best = 0, least = 2 * width;
    for (int turns = 0; turns < 4; turns++, square = rotated(width, square)) {
        int distance = tiles_distance_between(width, square, corner);
        if (distance < least)
            least = distance, best = turns;
    }
    return best;
}

static int towards(int from, int to) { return from < to ? 1 : from > to ? -1 : 0; }

static void walk_blank(int width, uint8_t *board, int blank, int corner) {
    while (blank != corner) {
        int rows = towards(blank / width, corner / width), next = blank + rows * width;
        if (!rows)
            next = blank + towards(blank % width, corner % width);
        board[blank] = board[next], board[next] = 0;
        blank = next;
    }
}

/* Sets frame and home so that the part's end corresponds to the databases' goal. */
static void set_frames(soloist_instance *part, int corner) {
    int width = part->width, blank = part->place[TILES_TO_GOAL][0], turns = turns_to(width, blank, corner);
    uint8_t board[TILES_MOST_SQUARES];
    for (int square = 0; square < part->squares; square++) {
        int seen = square;
        for (int t = 0; t < turns; t++)
            seen = rotated(width, seen);
        part->frame[0][square] = (uint8_t)seen;
        part->frame[1][square] = (uint8_t)tiles_mirror(width, seen);
    }
    for (int tile = 0; tile < part->squares; tile++)
        board[part->frame[0][part->place[TILES_TO_GOAL][tile]]] = (uint8_t)tile;
    walk_blank(width, board, part->frame[0][blank], corner);
    for (int square = 0; square < part->squares; square++) {
        part->home[0][board[square]] = (uint8_t)square;
        part->home[1][board[square]] = (uint8_t)tiles_mirror(width, square);
    }
}

soloist_instance *tiles_between(const soloist_instance *instance, const void *from, const void *to) {
    soloist_instance *part = instance->walking[0] || instance->is_part ? NULL : malloc(sizeof *part);
    uint8_t end[TILES_MOST_SQUARES];
    if (!part)
        return NULL;
    *part = *instance;
    part->is_part = true;
    tiles_board_from_state(instance, from, part->start);
    tiles_board_from_state(instance, to, end);
    for (int square = 0; square < part->squares; square++) {
        part->place[TILES_TO_ROOT][part->start[square]] = (uint8_t)square;
        part->place[TILES_TO_GOAL][end[square]] = (uint8_t)square;
    }
    tiles_prepare_moves(part);
    if (part->patterns)
        set_frames(part, instance->place[TILES_TO_GOAL][0]);
    return part;
}
