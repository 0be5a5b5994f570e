/* Makes new boards: a random solvable permutation (all are equally likely), or a random walk from the goal. */
#include "domain/tiles/tiles.h"

#include <stdlib.h>

#define GENERATE_OPTIONS(T, INT, REAL, BOOL, CHOICE)                                                                   \
    INT(T, width, 4, TILES_LEAST_SIDE, TILES_MOST_SIDE, "number of squares in a row")                                  \
    INT(T, height, 4, TILES_LEAST_SIDE, TILES_MOST_SIDE, "number of rows")                                             \
    INT(T, walk, 0, 0, 1e6, "number of random moves from the goal; 0: a random permutation instead")                   \
    CHOICE(T, goal, 0, "blank-first|blank-last", "goal board: blank-first: 0 1 2 ...; blank-last: 1 2 ... 0")
SOLOIST_OPTIONS(tiles_generate_options, GENERATE_OPTIONS);

static void exchange(uint8_t *a, uint8_t *b) {
    uint8_t keep = *a;
    *a = *b, *b = keep;
}

static void shuffle(int width, int height, bool blank_last, uint8_t *board, soloist_rng *rng) {
    int squares = width * height;
    for (int i = squares - 1; i > 0; i--)
        exchange(&board[i], &board[soloist_rng_below(rng, (uint32_t)i + 1)]);
    if (!tiles_is_odd(width, height, board, blank_last))
        return;
    /* Exchanging two tiles turns different odd permutations into different even ones: all even permutations stay
     * equally likely. */
    int first = board[0] == 0, second = first + 1 + (board[first + 1] == 0);
    exchange(&board[first], &board[second]);
}

static void walk_randomly(int width, int height, int64_t moves, uint8_t *board, soloist_rng *rng) {
    int x = 0, y = 0;
    for (int i = 0; i < width * height; i++)
        if (board[i] == 0)
            x = i % width, y = i / width;
    while (moves > 0) {
        static const int dx[TILES_DIRECTIONS] = {0, -1, 1, 0}, dy[TILES_DIRECTIONS] = {-1, 0, 0, 1};
        uint32_t direction = soloist_rng_below(rng, TILES_DIRECTIONS);
        int to_x = x + dx[direction], to_y = y + dy[direction];
        if (to_x < 0 || to_x >= width || to_y < 0 || to_y >= height)
            continue; /* an illegal move is rejected and chosen again, so that all legal moves are equally likely */
        exchange(&board[y * width + x], &board[to_y * width + to_x]);
        x = to_x, y = to_y;
        moves--;
    }
}

static soloist_code make(const void *options, soloist_rng *rng, const soloist_sink *sink, soloist_error *error) {
    const struct tiles_generate_options *o = options;
    int width = (int)o->width, height = (int)o->height, squares = width * height;
    uint8_t board[TILES_MOST_SQUARES], place[TILES_MOST_SQUARES];
    (void)error;
    for (int tile = 0; tile < squares; tile++) {
        place[tile] = (uint8_t)tiles_goal_square(squares, o->goal, tile);
        board[place[tile]] = (uint8_t)tile;
    }
    if (o->walk > 0)
        walk_randomly(width, height, o->walk, board, rng);
    else
        shuffle(width, height, o->goal, board, rng);
    int32_t manhattan = tiles_manhattan(width, height, board, place);
    soloist_print(sink, "; %dx%d, at least %d moves (Manhattan distance %d)%s\n", width, height,
                  (int)(manhattan + tiles_linear_conflict(width, height, board, place)), (int)manhattan,
                  o->goal ? "; to be solved with -d tiles:goal=blank-last" : "");
    tiles_write_board(width, height, board, sink);
    return SOLOIST_OK;
}

const soloist_generate tiles_generate = {.size = sizeof(soloist_generate),
                                         .options = tiles_generate_options_rows,
                                         .options_size = sizeof(struct tiles_generate_options),
                                         .make = make};
