/* Options of training under the names that they had before: read, spelled as today, and the same as under the new
 * names. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/buffer.h"
#include "learn/train/options.h"

#include <string.h>

/* Every former name. */
static const struct {
    const char *before, *now;
} pairs[] = {
    {"orders=3", "reorderings=3"},
    {"lead=0.25", "dagger=0.25"},
    {"lead_steps=7", "dagger_steps=7"},
    {"trace=0.5", "gae_lambda=0.5"},
    {"ratio=0.1", "clip_range=0.1"},
    {"play=draw", "play=ppo"},
    {"play=look", "play=lookahead"},
    {"sharp=3", "inverse_temperature=3"},
    {"drawn=1000", "drawn_capacity=1000"},
    {"at_once=8", "parallel_games=8"},
    {"average=0.5", "ema_decay=0.5"},
    {"average_steps=9", "ema_steps=9"},
    {"clip=0.5", "max_grad_norm=0.5"},
    {"under=2", "underestimate_weight=2"},
    {"over=0.5", "overestimate_weight=0.5"},
    {"least=100", "learning_starts=100"},
    {"anew=false", "from_scratch=false"},
    {"batch=64,orders=0,play=draw,rate=1e-3", "batch=64,reorderings=0,play=ppo,rate=1e-3"},
};

static void expect_spelling(const char *text, bool now, const char *expected) {
    struct buffer buffer;
    buffer_open(&buffer);
    soloist_sink sink = buffer_sink(&buffer);
    training_options_spell(text, now, &sink);
    assert_string_equal(buffer.text, expected);
    buffer_close(&buffer);
}

static void spells_both_ways(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        expect_spelling(pairs[i].before, true, pairs[i].now);
        expect_spelling(pairs[i].now, true, pairs[i].now);
        expect_spelling(pairs[i].now, false, pairs[i].before);
        expect_spelling(pairs[i].before, false, pairs[i].before);
    }
    expect_spelling("play=search,leads=1,orders", true, "play=search,leads=1,reorderings");
}

static void reads_both_alike(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        struct training_options usual, before, now;
        soloist_error error = {0};
        memset(&usual, 0, sizeof usual);
        soloist_options_reset(training_options_rows, &usual);
        before = now = usual;
        assert_int_equal(training_options_parse(&before, pairs[i].before, &error), SOLOIST_OK);
        assert_int_equal(training_options_parse(&now, pairs[i].now, &error), SOLOIST_OK);
        assert_memory_equal(&before, &now, sizeof now);
        assert_memory_not_equal(&usual, &now, sizeof now);
    }
}

static void refuses_under_the_new_name(void **state) {
    (void)state;
    struct training_options options;
    soloist_error error = {0};
    soloist_options_reset(training_options_rows, &options);
    assert_int_equal(training_options_parse(&options, NULL, &error), SOLOIST_OK);
    assert_int_equal(training_options_parse(&options, "lead=2", &error), SOLOIST_BAD_INPUT);
    assert_string_equal(error.text, "dagger=2: expected a value from 0 to 1");
    assert_int_equal(training_options_parse(&options, "play=nothing", &error), SOLOIST_BAD_INPUT);
    assert_string_equal(error.text, "play=nothing: expected one of search|ppo|lookahead|backward");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spells_both_ways),
        cmocka_unit_test(reads_both_alike),
        cmocka_unit_test(refuses_under_the_new_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
