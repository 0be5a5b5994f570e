#include "search/statistics.h"

/* Parts of a row, for numbers whose members have the same name in the budget (or the run) and in the result. */
#define IN_BUDGET(name) STATISTICS_BUDGET_COUNT, .counter = offsetof(struct budget, name), VALUE(name)
#define IN_RUN(name) STATISTICS_RUN_COUNT, .counter = offsetof(struct search_run, name), VALUE(name)
#define MOST_IN_RUN(name) STATISTICS_RUN_MOST, .counter = offsetof(struct search_run, name), VALUE(name)
#define VALUE(name) .value = offsetof(soloist_result, name)
#define IF(flag) .counted = offsetof(struct search_run, flag), .known = offsetof(soloist_result, flag)
#define ALWAYS .counted = STATISTICS_ALWAYS, .known = STATISTICS_ALWAYS

const struct statistics_row statistics_rows[STATISTICS_ROWS] = {
    {"nodes", "nodes", IN_BUDGET(nodes), ALWAYS},
    {"expanded", "expanded", IN_BUDGET(expanded), IF(has_expanded)},
    {"iterations", "iterations", IN_BUDGET(iterations), IF(has_iterations)},
    {"playouts", "playouts", IN_BUDGET(playouts), IF(has_playouts)},
    {"evaluations", "evaluations", IN_BUDGET(evaluations), IF(has_evaluations)},
    {"eliminated", "eliminated", IN_RUN(eliminated), IF(has_tree)},
    {"skipped", "skipped", IN_RUN(skipped), IF(has_tree)},
    {"moved", NULL, IN_RUN(moved), IF(has_tree)},
    {"tree_depth", "tree_depth", MOST_IN_RUN(tree_depth), IF(has_tree)},
    {"peak_mb", "peak_bytes", STATISTICS_PEAK, VALUE(peak_bytes), ALWAYS},
};

/* ---- access to members by their offsets ---- */

static bool flag_at(const void *object, size_t offset) {
    return offset == STATISTICS_ALWAYS || *(const bool *)((const char *)object + offset);
}

static void raise_flag(void *object, size_t offset, bool up) {
    if (offset != STATISTICS_ALWAYS)
        *(bool *)((char *)object + offset) |= up;
}

static _Atomic uint64_t *budget_counter(const struct statistics_row *row, struct budget *budget) {
    return (_Atomic uint64_t *)((char *)budget + row->counter);
}

static uint64_t *run_counter(const struct statistics_row *row, const struct search_run *run) {
    return (uint64_t *)((char *)run + row->counter);
}

static uint64_t greater(uint64_t a, uint64_t b) { return a > b ? a : b; }

static void set_value(const struct statistics_row *row, soloist_result *result, uint64_t value) {
    char *member = (char *)result + row->value;
    if (row->kind == STATISTICS_PEAK)
        *(size_t *)member = (size_t)value;
    else
        *(uint64_t *)member = value;
}

uint64_t statistics_value(const struct statistics_row *row, const soloist_result *result) {
    const char *member = (const char *)result + row->value;
    return row->kind == STATISTICS_PEAK ? *(const size_t *)member : *(const uint64_t *)member;
}

bool statistics_known(const struct statistics_row *row, const soloist_result *result) {
    return flag_at(result, row->known);
}

/* ---- runs ---- */

void statistics_open_part(struct search_run *part) {
    for (const struct statistics_row *row = statistics_rows; row < statistics_rows + STATISTICS_ROWS; row++) {
        if (row->kind == STATISTICS_RUN_COUNT || row->kind == STATISTICS_RUN_MOST)
            *run_counter(row, part) = 0;
        if (row->counted != STATISTICS_ALWAYS)
            *(bool *)((char *)part + row->counted) = false;
    }
}

void statistics_add(struct search_run *whole, const struct search_run *part) {
    for (const struct statistics_row *row = statistics_rows; row < statistics_rows + STATISTICS_ROWS; row++) {
        if (row->kind == STATISTICS_RUN_COUNT)
            *run_counter(row, whole) += *run_counter(row, part);
        else if (row->kind == STATISTICS_RUN_MOST)
            *run_counter(row, whole) = greater(*run_counter(row, whole), *run_counter(row, part));
        else if (row->kind == STATISTICS_BUDGET_COUNT && part->budget != whole->budget)
            atomic_fetch_add(budget_counter(row, whole->budget), atomic_load(budget_counter(row, part->budget)));
        raise_flag(whole, row->counted, flag_at(part, row->counted));
    }
}

static uint64_t count_of(const struct statistics_row *row, const struct search_run *run) {
    switch (row->kind) {
    case STATISTICS_BUDGET_COUNT: return atomic_load(budget_counter(row, run->budget));
    case STATISTICS_RUN_COUNT:
    case STATISTICS_RUN_MOST: return *run_counter(row, run);
    default: return memory_peak(&run->budget->memory);
    }
}

void statistics_conclude(const struct search_run *run, soloist_result *result) {
    for (const struct statistics_row *row = statistics_rows; row < statistics_rows + STATISTICS_ROWS; row++) {
        set_value(row, result, count_of(row, run));
        raise_flag(result, row->known, flag_at(run, row->counted));
    }
    /* If no node was generated, none was expanded; this is known even if the method does not count. */
    result->has_expanded |= !result->nodes;
}

/* ---- results ---- */

void statistics_clear(soloist_result *result) {
    for (const struct statistics_row *row = statistics_rows; row < statistics_rows + STATISTICS_ROWS; row++)
        set_value(row, result, 0);
}

void statistics_add_result(soloist_result *whole, const soloist_result *part) {
    for (const struct statistics_row *row = statistics_rows; row < statistics_rows + STATISTICS_ROWS; row++) {
        uint64_t ours = statistics_value(row, whole), theirs = statistics_value(row, part);
        set_value(row, whole, row->kind == STATISTICS_RUN_MOST ? greater(ours, theirs) : ours + theirs);
        raise_flag(whole, row->known, flag_at(part, row->known));
    }
}

void statistics_write(const soloist_result *result, struct json_writer *json) {
    for (const struct statistics_row *row = statistics_rows; row < statistics_rows + STATISTICS_ROWS; row++) {
        uint64_t value = statistics_value(row, result);
        if (!statistics_known(row, result))
            json_null(json, row->field);
        else
            json_uint(json, row->field, row->kind == STATISTICS_PEAK ? (value + (1 << 20) - 1) >> 20 : value);
    }
}

void statistics_read(soloist_result *result, struct json_value line) {
    for (const struct statistics_row *row = statistics_rows; row < statistics_rows + STATISTICS_ROWS; row++) {
        struct json_value field = json_member(line, row->field);
        uint64_t value = 0;
        json_get_uint(field, &value);
        set_value(row, result, row->kind == STATISTICS_PEAK ? value << 20 : value);
        raise_flag(result, row->known, field.kind == JSON_NUMBER);
    }
}
