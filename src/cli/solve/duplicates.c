#include "cli/solve/duplicates.h"
#include "base/buffer.h"
#include "base/options.h"
#include "search/special/registry.h"
#include "cli/shell/need.h"
#include "engine/canonical_form.h"
#include "search/statistics.h"

#include <stdlib.h>
#include <string.h>

/* Whether anything but pushes is to be minimised: then equal levels must have the player on the same square. It is
 * enough to look at the first readable level, because all levels have the same options. */
static bool counts_walks(const struct batch *batch) {
    const struct input *input = batch->input;
    soloist_puzzle puzzle;
    soloist_error error;
    char objective[64] = "";
    if (batch->objective.prove && batch->objective.aim.count > 1)
        return true;
    for (size_t i = 0; i < input->task_count && !*objective; i++) {
        const struct task *task = &input->tasks[i];
        if (!special_levels(task->source->domain) || input_puzzle(input, task, &puzzle, &error) != SOLOIST_OK)
            continue;
        const soloist_option *row = options_find(puzzle.domain->options, "optimal", strlen("optimal"));
        if (row)
            options_value(row, puzzle.options, objective, sizeof objective);
        soloist_puzzle_free(&puzzle);
    }
    return strcmp(objective, "pushes") != 0;
}

static struct canonical_form read_form(const struct task *task, bool walks) {
    struct canonical_form form = {0};
    if (!*task->error.text)
        need_code(canonical_form_read(task->source->domain, &task->chunk, walks, &form));
    return form;
}

size_t *duplicates_find(const struct batch *batch) {
    const struct input *input = batch->input;
    size_t count = input->task_count;
    size_t *duplicates = need_zeroed(count, sizeof *duplicates);
    struct canonical_form *forms = need_zeroed(count, sizeof *forms);
    bool walks = counts_walks(batch);
    for (size_t i = 0; i < count; i++) {
        forms[i] = read_form(&input->tasks[i], walks);
        duplicates[i] = DUPLICATES_NONE;
        for (size_t k = 0; k < i && duplicates[i] == DUPLICATES_NONE; k++)
            if (canonical_form_equal(&forms[i], &forms[k]))
                duplicates[i] = k;
    }
    for (size_t i = 0; i < count; i++)
        canonical_form_free(&forms[i]);
    free(forms);
    return duplicates;
}

/* Converts the original's solution to this board; the caller frees it. NULL if that is impossible. */
static char *carry(const struct task *from, const struct task *to, const char *solution) {
    const struct special_levels *levels = special_levels(to->source->domain);
    struct buffer text;
    buffer_open(&text);
    soloist_sink sink = buffer_sink(&text);
    if (levels && levels->carry(&from->chunk, &to->chunk, solution, &sink))
        return need(buffer_take(&text));
    buffer_close(&text);
    return NULL;
}

/* Whether the levels are equal including the player's square. */
static bool is_same_start(const struct task *from, const struct task *to) {
    struct canonical_form first = read_form(from, true), second = read_form(to, true);
    bool same = canonical_form_equal(&first, &second);
    canonical_form_free(&first);
    canonical_form_free(&second);
    return same;
}

/* Keeps as much of the original's proof as holds for the task. The least number of pushes is the same wherever in his
 * region the player starts; everything else may depend on his square. */
static void keep_proof(const struct task *from, const struct task *to, const soloist_verdict *original,
                       struct outcome *outcome) {
    static const char pushes[] = "pushes";
    const soloist_verdict *verdict = &outcome->result.verdict;
    char *proof = outcome->optimal_for;
    if (verdict->pushes == original->pushes && verdict->moves == original->moves && is_same_start(from, to))
        return;
    if (verdict->pushes == original->pushes && !strncmp(proof, pushes, strlen(pushes))) {
        memcpy(proof, pushes, sizeof pushes);
        return;
    }
    outcome->result.optimal = false;
    *proof = 0;
}

struct outcome *duplicates_answer(const struct batch *batch, size_t task, size_t original,
                                  const struct outcome *known) {
    const struct task *from = &batch->input->tasks[original], *to = &batch->input->tasks[task];
    struct outcome *outcome = need_zeroed(1, sizeof *outcome);
    soloist_puzzle puzzle;
    soloist_result *result = &outcome->result;
    *result = known->result;
    result->moves = NULL;
    result->move_count = 0;
    result->solution = NULL;
    result->time_s = 0;
    statistics_clear(result);
    memcpy(outcome->optimal_for, known->optimal_for, sizeof outcome->optimal_for);
    snprintf(result->method, sizeof result->method, "same as %d of %.100s", from->id, from->source->label);
    memcpy(outcome->reason, known->reason, sizeof outcome->reason);
    outcome->impossible = known->impossible ? outcome->reason : NULL;
    soloist_code code = input_puzzle(batch->input, to, &puzzle, &outcome->error);
    if (code != SOLOIST_OK) {
        batch_settle(code, outcome);
        return outcome;
    }
    if (known->result.solution) {
        result->solution = carry(from, to, known->result.solution);
        if (!result->solution ||
            !soloist_check(&puzzle, result->solution, strlen(result->solution), &result->verdict, &outcome->error)) {
            soloist_result_free(result);
            result->status = SOLOIST_UNSOLVED;
            result->optimal = false;
            *outcome->optimal_for = 0;
        }
        if (result->optimal)
            keep_proof(from, to, &known->result.verdict, outcome);
    }
    batch_describe(batch, &puzzle, outcome);
    soloist_puzzle_free(&puzzle);
    return outcome;
}
