/* Every row of the statistics, in both directions: what a part counts reaches the whole, the result, a JSON line and
 * the result that is read from it. */
#include "base/buffer.h"
#include "search/statistics.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

/* A number of its own for each row; peaks are whole MiB, since JSON lines have no others. */
static uint64_t number_of(const struct statistics_row *row) {
    uint64_t number = 1000 + (uint64_t)(row - statistics_rows);
    return row->kind == STATISTICS_PEAK ? number << 20 : number;
}

/* The run has counted the row's number. */
static void count(const struct statistics_row *row, struct search_run *run) {
    if (row->kind == STATISTICS_PEAK)
        atomic_store(&run->budget->memory.peak, (size_t)number_of(row));
    else if (row->kind == STATISTICS_BUDGET_COUNT)
        atomic_fetch_add((_Atomic uint64_t *)((char *)run->budget + row->counter), number_of(row));
    else
        *(uint64_t *)((char *)run + row->counter) += number_of(row);
    if (row->counted != STATISTICS_ALWAYS)
        *(bool *)((char *)run + row->counted) = true;
}

/* The same flag may belong to several rows. */
static bool shares_flag(const struct statistics_row *row, const struct statistics_row *other) {
    return row->known == other->known || other->known == STATISTICS_ALWAYS;
}

static void assert_only(const struct statistics_row *row, uint64_t times, const soloist_result *result) {
    for (const struct statistics_row *other = statistics_rows; other < statistics_rows + STATISTICS_ROWS; other++) {
        assert_int_equal(statistics_value(other, result), other == row ? times * number_of(row) : 0);
        if (other != row && !strcmp(other->field, "expanded"))
            continue; /* known also where no node was made */
        assert_int_equal(statistics_known(other, result), shares_flag(row, other));
    }
}

static soloist_result through_json(const soloist_result *result) {
    struct buffer text;
    struct json_writer json;
    struct json_value line;
    soloist_error error;
    soloist_result back = {0};
    buffer_open(&text);
    soloist_sink sink = buffer_sink(&text);
    json_open(&json, &sink);
    json_object(&json, NULL);
    statistics_write(result, &json);
    json_end(&json, '}');
    assert_true(json_parse(text.text, text.length, &line, &error));
    for (const struct statistics_row *row = statistics_rows; row < statistics_rows + STATISTICS_ROWS; row++)
        assert_int_equal(json_member(line, row->field).kind, statistics_known(row, result) ? JSON_NUMBER : JSON_NULL);
    statistics_read(&back, line);
    buffer_close(&text);
    return back;
}

static void test_each_row_survives(void **state) {
    (void)state;
    for (const struct statistics_row *row = statistics_rows; row < statistics_rows + STATISTICS_ROWS; row++)
        for (int own_budget = 0; own_budget < 2; own_budget++) {
            soloist_limits limits = {0};
            struct budget budgets[2];
            soloist_result result = {0};
            budget_open(&budgets[0], &limits, NULL);
            budget_open(&budgets[1], &limits, NULL);
            struct search_run whole = {.budget = &budgets[0]};
            count(row, &whole);
            struct search_run part = whole;
            statistics_open_part(&part);
            part.budget = &budgets[own_budget];
            count(row, &part);
            statistics_add(&whole, &part);
            statistics_conclude(&whole, &result);
            uint64_t times = row->kind == STATISTICS_PEAK || row->kind == STATISTICS_RUN_MOST ? 1 : 2;
            assert_only(row, times, &result);
            soloist_result back = through_json(&result);
            assert_only(row, times, &back);
            statistics_clear(&back);
            assert_only(row, 0, &back);
        }
}

/* What a part does not count stays known in the whole, and the other way round. */
static void test_flags_add(void **state) {
    (void)state;
    soloist_limits limits = {0};
    struct budget budget;
    budget_open(&budget, &limits, NULL);
    struct search_run whole = {.budget = &budget, .has_iterations = true}, part = whole;
    statistics_open_part(&part);
    assert_false(part.has_iterations);
    part.has_expanded = true;
    statistics_add(&whole, &part);
    assert_true(whole.has_iterations && whole.has_expanded && !whole.has_playouts && !whole.has_tree);
}

/* Lines of earlier versions lack fields. */
static void test_absent_fields(void **state) {
    (void)state;
    static const char text[] = "{\"nodes\":5,\"eliminated\":7,\"playouts\":null}";
    struct json_value line;
    soloist_error error;
    soloist_result result = {0};
    assert_true(json_parse(text, strlen(text), &line, &error));
    statistics_read(&result, line);
    assert_int_equal(result.nodes, 5);
    assert_int_equal(result.eliminated, 7);
    assert_true(result.has_tree && !result.has_playouts && !result.has_expanded && !result.has_iterations);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_row_survives),
        cmocka_unit_test(test_flags_add),
        cmocka_unit_test(test_absent_fields),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
