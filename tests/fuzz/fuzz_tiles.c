/* Any bytes as a file of sliding tiles: what the reader takes must print as it was read, what it refuses must be
 * located. The bytes before a zero byte, if there is one, are a solution for the boards that follow. */
#include "base/buffer.h"
#include "domain/domain.h"
#include "domain/tiles/tiles.h"

#include <stdlib.h>
#include <string.h>

#define MOST_MOVES 256

static void demand(bool holds) {
    if (!holds)
        abort();
}

/* Plays the moves through the core; false as soon as one is not legal. */
static bool replay(const soloist_instance *instance, const soloist_move *moves, long count) {
    uint64_t state[64];
    soloist_move legal[4];
    int32_t last;
    tiles_domain.life->root(instance, state);
    for (long i = 0; i < count; i++) {
        int choices = tiles_domain.core->moves(instance, state, legal);
        while (choices > 0 && legal[choices - 1] != moves[i])
            choices--;
        if (choices == 0)
            return false;
        tiles_domain.core->apply(instance, state, moves[i], NULL);
    }
    demand(tiles_domain.core->key(instance, state) == tiles_domain.core->key_from_scratch(instance, state));
    return tiles_domain.core->ended(instance, state, &last);
}

/* The core and the referee must agree on a solution. */
static void judge(const soloist_instance *instance, const soloist_chunk *chunk, const void *options,
                  const char *solution, size_t length) {
    soloist_move moves[MOST_MOVES];
    soloist_error error = {0};
    soloist_verdict verdict = {0};
    long count = tiles_domain.text->read(instance, solution, length, moves, MOST_MOVES, &error);
    demand(count >= 0 || (error.column > 0 && error.text[0]));
    bool solved = tiles_domain.text->referee(chunk, options, solution, length, &verdict, &error);
    demand(solved ? verdict.moves == count && !tiles_domain.life->impossible(instance) : error.column > 0);
    if (count <= MOST_MOVES)
        demand((count >= 0 && replay(instance, moves, count)) == solved);
}

static void print_and_read(const soloist_instance *instance, const void *options) {
    uint64_t state[64];
    struct buffer text;
    buffer_open(&text);
    soloist_sink sink = buffer_sink(&text);
    tiles_domain.life->root(instance, state);
    tiles_domain.text->print(instance, state, &sink);
    soloist_chunk chunk = {.text = text.text, .length = text.length, .line = 1};
    soloist_instance *again = tiles_domain.life->parse(&chunk, options, NULL);
    demand(again && memcmp(again, instance, sizeof *again) == 0);
    demand(tiles_domain.life->recognise(text.text, text.length) == 90);
    tiles_domain.life->destroy(again);
    buffer_close(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const char *text = (const char *)data, *zero = size ? memchr(data, 0, size) : NULL;
    size_t solution_length = zero ? (size_t)(zero - text) : 0, start = zero ? solution_length + 1 : 0;
    struct tiles_options options;
    soloist_options_reset(tiles_domain.options, &options);
    options.goal = size % 2;
    if (!size)
        return 0;
    int sure = tiles_domain.life->recognise(text + start, size - start);
    demand(sure >= 0 && sure <= 100);
    soloist_cursor cursor = soloist_cursor_open(text + start, size - start);
    soloist_chunk chunk;
    while (tiles_domain.life->next(&cursor, &chunk)) {
        soloist_error error = {0};
        soloist_instance *instance = tiles_domain.life->parse(&chunk, &options, &error);
        demand(instance || (error.line == chunk.line && error.column > 0 && error.text[0]));
        if (!instance)
            continue;
        print_and_read(instance, &options);
        judge(instance, &chunk, &options, text, solution_length);
        tiles_domain.life->destroy(instance);
    }
    return 0;
}
