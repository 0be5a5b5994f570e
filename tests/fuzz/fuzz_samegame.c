/* Any bytes as a SameGame file: what the reader takes must print as it was read, play by the rules and be judged as the
 * core plays it; what it refuses must be located. The first bytes up to a zero byte, if there is one, are a solution
 * for the boards that follow. */
#include "base/buffer.h"
#include "domain/domain.h"
#include "domain/samegame/samegame.h"

#include <stdlib.h>
#include <string.h>

static const soloist_domain *const game = &samegame_domain;

static void demand(bool holds) {
    if (!holds)
        abort();
}

/* Value of the moves played by the core; false if a group is left. */
static bool replay(const soloist_instance *instance, const soloist_move *moves, long count, int32_t *value) {
    struct samegame_wide state;
    int32_t last = 0;
    *value = 0;
    game->life->root(instance, &state);
    for (long i = 0; i < count; i++)
        *value += game->core->apply(instance, &state, moves[i], NULL);
    demand(game->core->key(instance, &state) == game->core->key_from_scratch(instance, &state));
    bool ended = game->core->ended(instance, &state, &last);
    *value += last;
    return ended;
}

static void judge(const soloist_instance *instance, const soloist_chunk *chunk, const void *options,
                  const char *solution, size_t length) {
    soloist_move moves[512];
    soloist_error error = {0};
    soloist_verdict verdict;
    int32_t value;
    long count = game->text->read(instance, solution, length, moves, 512, &error);
    bool finished = game->text->referee(chunk, options, solution, length, &verdict, &error);
    demand(count <= 512);
    if (count < 0) {
        demand(!finished && error.column > 0);
        return;
    }
    demand(replay(instance, moves, count, &value) == finished);
    demand(!finished || (verdict.value == value && verdict.moves == count));
}

/* A game of each policy, written as a solution and judged. */
static void play(const soloist_instance *instance, const soloist_chunk *chunk, const void *options) {
    soloist_rng rng;
    soloist_rng_seed(&rng, 1, 0);
    for (int policy = 0; policy < 2; policy++) {
        struct samegame_wide state;
        soloist_move trace[512];
        soloist_verdict verdict;
        soloist_error error;
        struct buffer text;
        buffer_open(&text);
        soloist_sink sink = buffer_sink(&text);
        game->life->root(instance, &state);
        soloist_playout played = game->sample->playout(instance, &state, policy, 512, &rng, trace, NULL);
        game->text->solution(instance, trace, (size_t)played.length, &sink);
        demand(played.ended && game->text->referee(chunk, options, text.text, text.length, &verdict, &error));
        demand(verdict.value == played.value && verdict.moves == played.length);
        buffer_close(&text);
    }
}

static void print_and_read(const soloist_instance *instance, const void *options) {
    struct samegame_wide state;
    struct buffer text;
    buffer_open(&text);
    soloist_sink sink = buffer_sink(&text);
    game->life->root(instance, &state);
    game->text->print(instance, &state, &sink);
    soloist_chunk chunk = {.text = text.text, .length = text.length, .line = 1};
    soloist_instance *again = game->life->parse(&chunk, options, NULL);
    demand(again && memcmp(&again->board, &instance->board, sizeof again->board) == 0);
    game->life->destroy(again);
    buffer_close(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const char *text = (const char *)data, *zero = size ? memchr(data, 0, size) : NULL;
    size_t solution = zero ? (size_t)(zero - text) : 0, from = zero ? solution + 1 : 0;
    struct samegame_options options = {.scoring = (int)(size % 5), .tabu = (int64_t)(size % 7)};
    int sure = game->life->recognise(text + from, size - from);
    demand(sure >= 0 && sure <= 100);
    soloist_cursor cursor = soloist_cursor_open(text + from, size - from);
    soloist_chunk chunk;
    for (int boards = 0; boards < 8 && game->life->next(&cursor, &chunk); boards++) {
        soloist_error error = {0};
        soloist_instance *instance = game->life->parse(&chunk, &options, &error);
        if (!instance) {
            demand(error.line >= chunk.line && error.column > 0 && error.text[0]);
            continue;
        }
        print_and_read(instance, &options);
        judge(instance, &chunk, &options, text, solution);
        play(instance, &chunk, &options);
        game->life->destroy(instance);
    }
    return 0;
}
