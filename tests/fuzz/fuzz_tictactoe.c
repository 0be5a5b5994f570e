/* Any bytes as a tic-tac-toe file: what the reader takes must print as it was read, what it refuses must be located.
 * The first bytes up to a zero byte, if there is one, are a game for the boards that follow. */
#include "base/buffer.h"
#include "domain/domain.h"
#include "domain/tictactoe/tictactoe.h"

#include <stdlib.h>
#include <string.h>

static void demand(bool holds) {
    if (!holds)
        abort();
}

/* Reader and referee must agree with core on a game. */
static void judge(const soloist_instance *instance, const soloist_chunk *chunk, const char *game, size_t length) {
    soloist_move moves[9];
    soloist_error error = {0};
    soloist_verdict verdict = {0};
    long count = tictactoe_domain.text->read(instance, game, length, moves, 9, &error);
    bool finished = tictactoe_domain.text->referee(chunk, NULL, game, length, &verdict, &error);
    demand(count <= 9 && (count >= 0 || !finished));
    if (count < 0)
        return;
    struct tictactoe_state state = instance->start;
    int32_t result;
    for (long i = 0; i < count; i++) {
        demand(!tictactoe_domain.core->ended(instance, &state, &result));
        tictactoe_domain.core->apply(instance, &state, moves[i], NULL);
    }
    demand(tictactoe_domain.core->ended(instance, &state, &result) == finished);
    if (finished)
        demand(verdict.value == result && verdict.moves == count);
}

static void print_and_read(const soloist_instance *instance) {
    struct buffer text;
    buffer_open(&text);
    soloist_sink sink = buffer_sink(&text);
    tictactoe_domain.text->print(instance, &instance->start, &sink);
    soloist_chunk chunk = {.text = text.text, .length = text.length, .line = 1};
    soloist_instance *again = tictactoe_domain.life->parse(&chunk, NULL, NULL);
    demand(again && memcmp(&again->start, &instance->start, sizeof again->start) == 0);
    tictactoe_domain.life->destroy(again);
    buffer_close(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const char *text = (const char *)data, *zero = size ? memchr(data, 0, size) : NULL;
    size_t game_length = zero ? (size_t)(zero - text) : 0, start = zero ? game_length + 1 : 0;
    int sure = tictactoe_domain.life->recognise(text + start, size - start);
    demand(sure >= 0 && sure <= 100);
    soloist_cursor cursor = soloist_cursor_open(text + start, size - start);
    soloist_chunk chunk;
    while (tictactoe_domain.life->next(&cursor, &chunk)) {
        soloist_error error = {0};
        soloist_instance *instance = tictactoe_domain.life->parse(&chunk, NULL, &error);
        demand(instance || (error.line == chunk.line && error.column > 0 && error.text[0]));
        if (!instance)
            continue;
        print_and_read(instance);
        judge(instance, &chunk, text, game_length);
        tictactoe_domain.life->destroy(instance);
    }
    return 0;
}
