/* Graded instances: within their bands, each once, the same for the same seed and any number of threads; forms that
 * know symmetries. */
#include "base/buffer.h"
#include "engine/grade.h"
#include "base/stop.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

struct maker {
    soloist *engine;
    const soloist_domain *domain;
    void *options;
    struct grade_result result;
    soloist_error error;
};

static struct maker open_maker(const char *domain, const char *options) {
    struct maker maker = {.engine = soloist_new()};
    maker.domain = soloist_find_domain(maker.engine, domain);
    maker.options = calloc(1, maker.domain->generate->options_size + 1);
    soloist_options_reset(maker.domain->generate->options, maker.options);
    assert_int_equal(soloist_options_parse(maker.domain->generate->options, maker.options, options, &maker.error),
                     SOLOIST_OK);
    return maker;
}

static soloist_code make(struct maker *maker, const struct grade *grade, const struct grade_callbacks *callbacks) {
    static const struct grade_callbacks none;
    grade_free(&maker->result);
    return grade_make(maker->engine, maker->domain, maker->options, grade, callbacks ? callbacks : &none,
                      &maker->result, &maker->error);
}

static char *text_of(const struct maker *maker) {
    struct buffer text;
    buffer_open(&text);
    soloist_sink sink = buffer_sink(&text);
    for (size_t i = 0; i < maker->result.count; i++)
        grade_write(maker->domain, &maker->result.levels[i], i + 1, &sink);
    return buffer_take(&text);
}

static void close_maker(struct maker *maker) {
    grade_free(&maker->result);
    free(maker->options);
    soloist_free(maker->engine);
}

static void test_bands(void **state) {
    (void)state;
    struct maker maker = open_maker("pancake", "n=6");
    struct grade grade = {
        .bands = {.least = {[MEASURE_COST] = 3}, .most = {[MEASURE_COST] = 5}}, .count = 4, .seed = 1, .time_s = 60};
    assert_true(grade_wanted(&grade));
    assert_false(grade_wanted(&(struct grade){.count = 4, .unchanged = true}));
    assert_int_equal(make(&maker, &grade, NULL), SOLOIST_OK);
    assert_int_equal(maker.result.count, 4);
    for (size_t i = 0; i < 4; i++) {
        const struct grade_level *level = &maker.result.levels[i];
        assert_in_range(level->measures.value[MEASURE_COST], 3, 5);
        for (size_t k = 0; k < i; k++)
            assert_string_not_equal(level->board, maker.result.levels[k].board);
    }
    char *first = text_of(&maker);
    assert_int_equal(strncmp(first, "\n; branching ", 13), 0);
    assert_non_null(strstr(first, "\n; 1: cost "));
    assert_int_equal(make(&maker, &grade, NULL), SOLOIST_OK);
    char *second = text_of(&maker);
    assert_string_equal(first, second);
    free(first);
    free(second);
    close_maker(&maker);
}

/* Two steps of efforts, 1 to 4 and 4 to 16, and one instance for each. */
static void test_graded(void **state) {
    (void)state;
    struct maker maker = open_maker("pancake", "n=5");
    struct grade grade = {.bands.most = {[MEASURE_EFFORT] = 16}, .graded = true, .count = 2, .seed = 1, .time_s = 60};
    assert_int_equal(make(&maker, &grade, NULL), SOLOIST_OK);
    assert_int_equal(maker.result.count, 2);
    assert_in_range(maker.result.levels[0].measures.value[MEASURE_EFFORT], 1, 3);
    assert_in_range(maker.result.levels[1].measures.value[MEASURE_EFFORT], 4, 16);
    /* Between 4 and 6 there are only three efforts: the steps without a whole number are left out. */
    grade = (struct grade){.bands = {.least = {[MEASURE_EFFORT] = 4}, .most = {[MEASURE_EFFORT] = 6}},
                           .graded = true,
                           .count = 9,
                           .seed = 1,
                           .time_s = 60};
    assert_int_equal(make(&maker, &grade, NULL), SOLOIST_OK);
    assert_int_equal(maker.result.count, 9);
    close_maker(&maker);
}

/* Levels of Sokoban are changed until they fit. They are the same for every number of threads, and no two of them have
 * the same room. */
static void test_changed_levels(void **state) {
    (void)state;
    struct maker maker = open_maker("sokoban", "width=7,height=7,boxes=2,total_positions=500");
    struct grade grade = {.bands = {.least = {[MEASURE_EFFORT] = 12, [MEASURE_BRANCHING] = 2},
                                    .most = {[MEASURE_EFFORT] = 40, [MEASURE_DEAD_ENDS] = 50}},
                          .graded = true,
                          .count = 6,
                          .seed = 3};
    char *texts[3];
    for (int i = 0; i < 3; i++) {
        grade.threads = 1 + 2 * i;
        assert_int_equal(make(&maker, &grade, NULL), SOLOIST_OK);
        assert_int_equal(maker.result.count, 6);
        texts[i] = text_of(&maker);
    }
    assert_string_equal(texts[0], texts[1]);
    assert_string_equal(texts[0], texts[2]);
    for (size_t i = 0; i < 6; i++) {
        const struct grade_level *level = &maker.result.levels[i];
        const double *value = level->measures.value;
        assert_in_range(value[MEASURE_EFFORT], 12, 40);
        assert_true(level->measures.known[MEASURE_DEAD_ENDS] && value[MEASURE_DEAD_ENDS] <= 50);
        assert_true(value[MEASURE_BRANCHING] >= 2);
        for (size_t k = 0; k < i; k++)
            assert_false(canonical_form_equal(&level->form, &maker.result.levels[k].form));
    }
    for (int i = 0; i < 3; i++)
        free(texts[i]);
    close_maker(&maker);
}

/* If nothing fits, the number of candidates still to be expected is only a lower limit. */
static void stop_after_ten(void *user, const struct grade_result *result) {
    if (result->candidates == 10)
        soloist_stop_token_cancel(user);
}

static void test_outlook(void **state) {
    (void)state;
    struct maker maker = open_maker("pancake", "n=6");
    struct grade grade = {.bands.least = {[MEASURE_COST] = 99}, .count = 2, .seed = 1};
    soloist_stop_token cancel = {0};
    struct grade_callbacks callbacks = {.stop = &cancel, .progress = stop_after_ten, .user = &cancel};
    assert_int_equal(make(&maker, &grade, &callbacks), SOLOIST_OK);
    assert_int_equal(maker.result.candidates, 10);
    assert_int_equal(maker.result.outside, 10);
    assert_true(maker.result.at_least);
    assert_true(maker.result.expected == 22);
    close_maker(&maker);
}

/* There are two stacks of two pancakes: when both have been drawn again, no number is expected. */
static void stop_after_hundred(void *user, const struct grade_result *result) {
    if (result->candidates == 100)
        soloist_stop_token_cancel(user);
}

static void test_instances_run_out(void **state) {
    (void)state;
    struct maker maker = open_maker("pancake", "n=2");
    struct grade grade = {.measured = true, .unchanged = true, .count = 5, .seed = 1};
    soloist_stop_token cancel = {0};
    struct grade_callbacks callbacks = {.stop = &cancel, .progress = stop_after_hundred, .user = &cancel};
    assert_int_equal(make(&maker, &grade, &callbacks), SOLOIST_OK);
    assert_int_equal(maker.result.count, 2);
    assert_int_equal(maker.result.equal, 98);
    assert_true(maker.result.at_least && maker.result.exhausted);
    close_maker(&maker);
}

static void count_kept(void *user, const struct grade_level *level, size_t number) {
    size_t *kept = user;
    assert_int_equal(number, ++*kept);
    assert_non_null(level->board);
}

static void test_kept_at_once(void **state) {
    (void)state;
    struct maker maker = open_maker("pancake", "n=6");
    struct grade grade = {.measured = true, .unchanged = true, .count = 3, .seed = 1};
    size_t kept = 0;
    struct grade_callbacks callbacks = {.kept = count_kept, .user = &kept};
    assert_int_equal(make(&maker, &grade, &callbacks), SOLOIST_OK);
    assert_int_equal(kept, 3);
    close_maker(&maker);
}

static void count_calls(void *user, const struct grade_result *result) {
    uint64_t *calls = user;
    assert_int_equal(result->candidates, ++*calls);
}

static void test_callbacks(void **state) {
    (void)state;
    struct maker maker = open_maker("pancake", "n=6");
    struct grade grade = {.bands.least = {[MEASURE_COST] = 1}, .count = 2, .seed = 1};
    uint64_t calls = 0;
    soloist_stop_token cancel = {0};
    struct grade_callbacks callbacks = {.stop = &cancel, .progress = count_calls, .user = &calls};
    assert_int_equal(make(&maker, &grade, &callbacks), SOLOIST_OK);
    assert_int_equal(calls, maker.result.candidates);
    soloist_stop_token_cancel(&cancel);
    assert_int_equal(make(&maker, &grade, &callbacks), SOLOIST_OK);
    assert_int_equal(maker.result.count, 0);
    close_maker(&maker);
}

static void test_wishes_that_cannot_be(void **state) {
    (void)state;
    struct maker maker = open_maker("samegame", "");
    struct grade grade = {.bands = {.least = {[MEASURE_COST] = 5}, .most = {[MEASURE_COST] = 3}}, .count = 1};
    assert_int_equal(make(&maker, &grade, NULL), SOLOIST_UNSUPPORTED);
    close_maker(&maker);
    maker = open_maker("pancake", "n=6");
    assert_int_equal(make(&maker, &grade, NULL), SOLOIST_MISUSE);
    assert_string_equal(maker.error.text, "cost: the upper limit is below the lower one");
    grade = (struct grade){.bands.least = {[MEASURE_BOX_LINES] = 5}, .count = 1};
    assert_int_equal(make(&maker, &grade, NULL), SOLOIST_UNSUPPORTED);
    assert_string_equal(maker.error.text, "pancake has no measure box-lines");
    close_maker(&maker);
}

static struct canonical_form form_of(const soloist_domain *domain, const char *text, bool walks) {
    soloist_chunk chunk = {.text = text, .length = strlen(text), .line = 1, .name = ""};
    struct canonical_form form;
    assert_int_equal(canonical_form_read(domain, &chunk, walks, &form), SOLOIST_OK);
    return form;
}

static void test_canonical_forms(void **state) {
    (void)state;
    soloist *engine = soloist_new();
    const soloist_domain *sokoban = soloist_find_domain(engine, "sokoban");
    static const char *const levels[] = {"######\n#@ $.#\n######\n", "######\n#.$ @#\n######\n",
                                         "######\n# @$.#\n######\n"};
    struct canonical_form forms[5] = {form_of(sokoban, levels[0], false), form_of(sokoban, levels[1], false),
                                      form_of(sokoban, levels[2], false), form_of(sokoban, levels[2], true),
                                      form_of(soloist_find_domain(engine, "pancake"), "2 1", false)};
    assert_true(canonical_form_equal(&forms[0], &forms[1]));
    assert_true(canonical_form_equal(&forms[0], &forms[2]));
    struct canonical_form walked = form_of(sokoban, levels[0], true);
    assert_false(canonical_form_equal(&walked, &forms[3]));
    assert_null(forms[4].bytes);
    assert_false(canonical_form_equal(&forms[4], &forms[4]));
    canonical_form_free(&walked);
    for (int i = 0; i < 5; i++)
        canonical_form_free(&forms[i]);
    soloist_free(engine);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bands),
        cmocka_unit_test(test_graded),
        cmocka_unit_test(test_changed_levels),
        cmocka_unit_test(test_outlook),
        cmocka_unit_test(test_instances_run_out),
        cmocka_unit_test(test_kept_at_once),
        cmocka_unit_test(test_callbacks),
        cmocka_unit_test(test_wishes_that_cannot_be),
        cmocka_unit_test(test_canonical_forms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
