/* Any bytes as a pancake file: what the reader takes must print as it was read, what it refuses must be located. The
 * first bytes up to a zero byte, if there is one, are a solution for the stacks that follow. */
#include "base/buffer.h"
#include "domain/domain.h"
#include "domain/pancake/pancake.h"

#include <stdlib.h>
#include <string.h>

static void demand(bool holds) {
    if (!holds)
        abort();
}

/* The rules' flip by flip replay must agree with the referee's. */
static bool replay(const soloist_instance *instance, const soloist_move *moves, long count) {
    soloist_shape shape;
    pancake_domain.life->shape(instance, &shape);
    void *state = malloc(shape.state_size);
    int32_t last;
    pancake_domain.life->root(instance, state);
    for (long i = 0; i < count; i++)
        pancake_domain.core->apply(instance, state, moves[i], NULL);
    demand(pancake_domain.core->key(instance, state) == pancake_domain.core->key_from_scratch(instance, state));
    bool ended = pancake_domain.core->ended(instance, state, &last);
    free(state);
    return ended;
}

static void judge(const soloist_instance *instance, const soloist_chunk *chunk, const char *solution, size_t length) {
    soloist_move moves[256];
    soloist_error error = {0};
    soloist_verdict verdict;
    long count = pancake_domain.text->read(instance, solution, length, moves, 256, &error);
    bool solved = pancake_domain.text->referee(chunk, NULL, solution, length, &verdict, &error);
    if (count < 0 || solved)
        demand(count < 0 ? !solved : verdict.moves == count);
    if (count >= 0 && count <= 256)
        demand(replay(instance, moves, count) == solved);
}

static void print_and_read(const soloist_instance *instance, const void *options) {
    soloist_shape shape;
    struct buffer text;
    pancake_domain.life->shape(instance, &shape);
    void *state = malloc(shape.state_size);
    pancake_domain.life->root(instance, state);
    buffer_open(&text);
    soloist_sink sink = buffer_sink(&text);
    pancake_domain.text->print(instance, state, &sink);
    soloist_chunk chunk = {.text = text.text, .length = text.length, .line = 1};
    soloist_instance *again = pancake_domain.life->parse(&chunk, options, NULL);
    demand(again && memcmp(again->start, instance->start, sizeof again->start) == 0);
    pancake_domain.life->destroy(again);
    buffer_close(&text);
    free(state);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const char *text = (const char *)data, *zero = size ? memchr(data, 0, size) : NULL;
    size_t solution_length = zero ? (size_t)(zero - text) : 0, start = zero ? solution_length + 1 : 0;
    _Alignas(16) unsigned char options[64];
    soloist_options_reset(pancake_domain.options, options);
    int sure = pancake_domain.life->recognise(text + start, size - start);
    demand(sure >= 0 && sure <= 100);
    soloist_cursor cursor = soloist_cursor_open(text + start, size - start);
    soloist_chunk chunk;
    while (pancake_domain.life->next(&cursor, &chunk)) {
        soloist_error error = {0};
        soloist_instance *instance = pancake_domain.life->parse(&chunk, options, &error);
        demand(instance || (error.line == chunk.line && error.column > 0 && error.text[0]));
        if (!instance)
            continue;
        print_and_read(instance, options);
        judge(instance, &chunk, text, solution_length);
        pancake_domain.life->destroy(instance);
    }
    return 0;
}
