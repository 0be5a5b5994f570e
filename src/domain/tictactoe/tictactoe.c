/* The tic-tac-toe domain: instances, random positions, and the table that joins the parts of this folder. */
#include "domain/tictactoe/tictactoe.h"
#include "domain/domain.h"

#include <stdlib.h>

static soloist_instance *life_parse(const soloist_chunk *chunk, const void *options, soloist_error *error) {
    (void)options;
    struct tictactoe_state start;
    if (!tictactoe_read_board(chunk, &start, error))
        return NULL;
    soloist_instance *instance = malloc(sizeof *instance);
    if (instance)
        instance->start = start;
    else
        soloist_fail(error, chunk->line, 0, "no memory for a board");
    return instance;
}

static void life_destroy(soloist_instance *instance) { free(instance); }

static void life_shape(const soloist_instance *instance, soloist_shape *shape) {
    (void)instance;
    *shape = (soloist_shape){
        .state_size = sizeof(struct tictactoe_state), .packed_size = 2, .most_moves = 9, .most_steps = 9};
}

static void life_root(const soloist_instance *instance, void *state) {
    *(struct tictactoe_state *)state = instance->start;
}

static const soloist_life tictactoe_life = {
    .size = sizeof(soloist_life),
    .recognise = tictactoe_recognise,
    .next = soloist_next_line,
    .parse = life_parse,
    .destroy = life_destroy,
    .shape = life_shape,
    .root = life_root,
};

/* ---- generator ---- */

#define GENERATE_OPTIONS(T, INT, REAL, BOOL, CHOICE)                                                                   \
    INT(T, marks, 4, 0, 9,                                                                                             \
        "number of marks that random play puts on the board; there are fewer if the game ends earlier")
SOLOIST_OPTIONS(tictactoe_generate_options, GENERATE_OPTIONS);

static soloist_code generate_make(const void *options, soloist_rng *rng, const soloist_sink *sink,
                                  soloist_error *error) {
    (void)error;
    const struct tictactoe_generate_options *wanted = options;
    struct tictactoe_state board = {{0, 0}};
    soloist_playout played = tictactoe_sample.playout(NULL, &board, 0, (int)wanted->marks, rng, NULL, NULL);
    soloist_print(sink, "; %d empty cells%s\n", 9 - (int)played.length, played.ended ? ", over" : "");
    tictactoe_text.print(NULL, &board, sink);
    return SOLOIST_OK;
}

static const soloist_generate generate = {
    .size = sizeof(soloist_generate),
    .options = tictactoe_generate_options_rows,
    .options_size = sizeof(struct tictactoe_generate_options),
    .make = generate_make,
};

const soloist_domain tictactoe_domain = {
    .abi = SOLOIST_ABI,
    .size = sizeof(soloist_domain),
    .name = "tictactoe",
    .summary = "tic-tac-toe: two players, of whom X moves first; the score is 1 if X wins and -1 if O wins",
    .aim = SOLOIST_MOST_SCORE,
    .players = 2,
    .life = &tictactoe_life,
    .core = &tictactoe_core,
    .text = &tictactoe_text,
    .pack = &tictactoe_pack,
    .sample = &tictactoe_sample,
    .generate = &generate,
};
