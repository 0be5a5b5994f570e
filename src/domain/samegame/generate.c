/* Makes new boards: every block gets a random colour, all equally likely. A comment above the board says how hard it
 * is: the average number of blocks left after random games, how many of these games clear the board, and their best
 * score. */
#include "domain/samegame/samegame.h"

#include <stdlib.h>

#define SAMEGAME_GENERATE(T, INT, REAL, BOOL, CHOICE)                                                                  \
    INT(T, width, 15, 1, SAMEGAME_MOST_SIDE, "number of columns")                                                      \
    INT(T, height, 15, 1, SAMEGAME_MOST_SIDE, "number of rows")                                                        \
    INT(T, colours, 5, 1, SAMEGAME_MOST_COLOURS, "number of colours")
SOLOIST_OPTIONS(samegame_generate_options, SAMEGAME_GENERATE);

#define GAMES 200

static void write_estimate(const soloist_instance *instance, soloist_rng *rng, const soloist_sink *sink) {
    struct samegame_wide state;
    int counts[SAMEGAME_MOST_COLOURS + 1], cleared = 0, left = 0;
    int32_t best = INT32_MIN;
    for (int game = 0; game < GAMES; game++) {
        samegame_state_from_board(instance, &instance->board, &state);
        soloist_playout played = instance->kernel->playout(instance, &state, SAMEGAME_RANDOM, INT32_MAX, rng, NULL);
        best = played.value > best ? played.value : best;
        instance->kernel->counts(instance, &state, counts);
        int here = 0;
        for (int c = 1; c <= SAMEGAME_MOST_COLOURS; c++)
            here += counts[c];
        left += here;
        cleared += !here;
    }
    int tenths = (left * 10 + GAMES / 2) / GAMES;
    soloist_print(sink, "; %d random games leave %d.%d blocks, clear %d, best %d\n", GAMES, tenths / 10, tenths % 10,
                  cleared, (int)best);
}

static soloist_code make(const void *of, soloist_rng *rng, const soloist_sink *sink, soloist_error *error) {
    const struct samegame_generate_options *options = of;
    struct samegame_options scoring;
    struct samegame_board board = {.width = (int)options->width, .height = (int)options->height};
    for (int c = 0; c < board.width; c++)
        for (int r = 0; r < board.height; r++)
            board.cell[c][r] = (uint8_t)(1 + soloist_rng_below(rng, (uint32_t)options->colours));
    soloist_options_reset(samegame_options_rows, &scoring);
    soloist_instance *instance = samegame_instance_make(&board, &scoring);
    if (!instance) {
        soloist_fail(error, 0, 0, "no memory for the board");
        return SOLOIST_NO_MEMORY;
    }
    soloist_print(sink, "; %dx%d, %d colours\n", board.width, board.height, (int)options->colours);
    write_estimate(instance, rng, sink);
    samegame_board_print(&board, sink);
    free(instance);
    return SOLOIST_OK;
}

const soloist_generate samegame_generate = {
    .size = sizeof(soloist_generate),
    .options = samegame_generate_options_rows,
    .options_size = sizeof(struct samegame_generate_options),
    .make = make,
};
