/* Curricula: what the text says, the generator's options in each stage, and the rule of promotion on histories that are
 * written out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/buffer.h"
#include "learn/train/curriculum.h"

#include <string.h>

static void expect_stage(const char *text, int stage, const char *base, const char *expected) {
    struct curriculum curriculum;
    soloist_error error = {0};
    struct buffer buffer;
    assert_true(curriculum_read(&curriculum, text, &error));
    buffer_open(&buffer);
    soloist_sink sink = buffer_sink(&buffer);
    curriculum_stage(&curriculum, stage, base, &sink);
    assert_string_equal(buffer.text ? buffer.text : "", expected);
    buffer_close(&buffer);
}

/* The numbers of section 3.2: depth 10 + 290 (n - 1) / 99, positions 100 * 1000^((n - 1) / 99). */
static void the_published_stages(void **state) {
    (void)state;
    expect_stage("ge", 1, NULL, "max_action_depth=10,total_positions=100,allow_box_on_goal=true");
    expect_stage("ge", 2, NULL, "max_action_depth=13,total_positions=107,allow_box_on_goal=true");
    expect_stage("ge", 50, "boxes=4", "boxes=4,max_action_depth=154,total_positions=3054,allow_box_on_goal=true");
    expect_stage("ge", 99, NULL, "max_action_depth=297,total_positions=93260,allow_box_on_goal=true");
    expect_stage("ge", 100, NULL, "max_action_depth=300,total_positions=100000,allow_box_on_goal=false");
}

static void ranges(void **state) {
    (void)state;
    expect_stage(NULL, 1, "a=1", "a=1");
    expect_stage(NULL, 1, NULL, "");
    expect_stage("stages=3,a=1..2,b=0.5..1", 2, NULL, "a=2,b=0.75");
    expect_stage("stages=3,a=8..2", 2, NULL, "a=5");
    expect_stage("stages=3,a=1..9:last,c=x", 2, NULL, "a=1,c=x");
    expect_stage("stages=3,a=1..9:last,c=x", 3, NULL, "a=9,c=x");
    expect_stage("stages=3,a=1..100:log", 2, NULL, "a=10");
    expect_stage("stages=1,a=1..9", 1, NULL, "a=9");
}

static void mistakes(void **state) {
    (void)state;
    static const struct {
        const char *text, *part;
    } wrong[] = {{"go", "neither OPTION=FIRST..LAST nor a published curriculum (ge)"},
                 {"stages=0", "whole number from 1"},
                 {"stages=2.5", "whole number from 1"},
                 {"a=1..", "missing"},
                 {"=1", "missing"},
                 {"a=1..2:fast", "not linear, log or last"},
                 {"a=true..false:log", "only numbers can change by log"},
                 {"a=0..5:log", "above 0"},
                 {"", "number of stages is missing"},
                 {"a=1..2", "number of stages is missing"},
                 {"stages=2", "no option changes"},
                 {"stages=2,stages=3,a=1..2", "stages is given twice"},
                 {"stages=2,a=1..2,a=2..3", "a is given twice"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct curriculum curriculum;
        soloist_error error = {0};
        assert_false(curriculum_read(&curriculum, wrong[i].text, &error));
        assert_non_null(strstr(error.text, wrong[i].part));
    }
}

/* Solve rates in percent, and after which of them the stage rises. */
static void promotion(void **state) {
    (void)state;
    static const struct {
        int rate;
        bool promotes;
    } written[] = {
        /* Nine good iterations are too few, the tenth is the first that may promote. */
        {95, false},
        {95, false},
        {95, false},
        {95, false},
        {95, false},
        {95, false},
        {95, false},
        {95, false},
        {95, false},
        {95, true},
        /* From now on no iterations have to be waited for. The mean of ten is 93.5: 80 is neither near it nor above 90.
         */
        {80, false},
        /* 90 is not above 90 and the mean is 93; 91 is above 90. */
        {90, false},
        {91, true},
        /* The means are 88.1, 83.6, ..., 61.1. */
        {50, false},
        {50, false},
        {50, false},
        {50, false},
        {50, false},
        {50, false},
        {50, false},
        /* The means are 59.6, 56.2, 51.1 and 51.1. */
        {65, false},
        {56, true},
        {40, false},
        {50, false},
        /* The means are 51.2, 51.4, 51.5 and 52. */
        {51, true},
        {52, true},
        {51, true},
        {55, false},
        /* The means are 53, 53, 52, 52, 53, 54, 54, 54 and 55. */
        {60, false},
        {50, false},
        {55, false},
        {56, false},
        {50, false},
        {60, false},
        {51, false},
        {52, false},
        {61, false},
        /* The mean is 55, then 55 and 56. */
        {55, true},
        {60, false},
        {60, false},
        /* The mean is 56, exactly 1 away, which is not less than 1. */
        {55, false},
    };
    struct curriculum_history history = {0};
    for (size_t i = 0; i < sizeof written / sizeof *written; i++)
        if (curriculum_promotes(&history, written[i].rate / 100.0) != written[i].promotes)
            fail_msg("iteration %zu with %d %%", i + 1, written[i].rate);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_published_stages), cmocka_unit_test(ranges),
                                       cmocka_unit_test(mistakes), cmocka_unit_test(promotion)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
