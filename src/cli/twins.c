#include "cli/twins.h"
#include "base/buffer.h"
#include "search/board.h"
#include "cli/form.h"
#include "cli/hooks.h"

#include <stdlib.h>
#include <string.h>

static struct form read_form(const struct task *task) {
    struct sokoban_level level;
    if (*task->error.text || !hooks_find(task->source->domain) || !sokoban_level_parse(&task->chunk, &level, NULL))
        return (struct form){0};
    return form_of_level(&level);
}

size_t *twins_find(const struct input *input) {
    size_t count = input->task_count;
    size_t *twins = malloc((count + 1) * sizeof *twins);
    struct form *forms = calloc(count + 1, sizeof *forms);
    if (!twins || !forms)
        abort();
    for (size_t i = 0; i < count; i++) {
        forms[i] = read_form(&input->tasks[i]);
        twins[i] = TWINS_NONE;
        for (size_t k = 0; k < i && twins[i] == TWINS_NONE; k++)
            if (form_equal(&forms[i], &forms[k]))
                twins[i] = k;
    }
    for (size_t i = 0; i < count; i++)
        form_free(&forms[i]);
    free(forms);
    return twins;
}

/* The twin's solution on this board, to be freed; NULL if that cannot be. */
static char *carry(const struct task *from, const struct task *to, const char *solution) {
    struct sokoban_level *levels = malloc(2 * sizeof *levels);
    struct buffer text;
    buffer_open(&text);
    soloist_sink sink = buffer_sink(&text);
    bool good = levels && sokoban_level_parse(&from->chunk, &levels[0], NULL) &&
                sokoban_level_parse(&to->chunk, &levels[1], NULL) &&
                sokoban_carry_solution(&levels[0], &levels[1], solution, strlen(solution), &sink);
    free(levels);
    if (good)
        return buffer_take(&text);
    buffer_close(&text);
    return NULL;
}

struct outcome *twins_answer(const struct batch *batch, size_t task, size_t twin, const struct outcome *known) {
    const struct task *from = &batch->input->tasks[twin], *to = &batch->input->tasks[task];
    struct outcome *outcome = calloc(1, sizeof *outcome);
    soloist_puzzle puzzle;
    if (!outcome)
        abort();
    soloist_result *result = &outcome->result;
    *result = known->result;
    result->moves = NULL;
    result->move_count = 0;
    result->solution = NULL;
    result->time_s = 0;
    result->nodes = result->expanded = result->iterations = result->playouts = 0;
    snprintf(result->method, sizeof result->method, "same as %d of %.100s", from->id, from->source->label);
    memcpy(outcome->reason, known->reason, sizeof outcome->reason);
    outcome->impossible = known->impossible ? outcome->reason : NULL;
    if (input_puzzle(batch->input, to, &puzzle, &outcome->error) != SOLOIST_OK) {
        result->status = SOLOIST_INVALID;
        return outcome;
    }
    if (known->result.solution) {
        result->solution = carry(from, to, known->result.solution);
        if (!result->solution ||
            !soloist_check(&puzzle, result->solution, strlen(result->solution), &result->verdict, &outcome->error)) {
            soloist_result_free(result);
            result->status = SOLOIST_UNSOLVED;
            result->optimal = false;
        }
        /* Least moves depend on where the player stands in his region. */
        result->optimal &= result->verdict.value == known->result.verdict.value;
    }
    if (batch->keep_boards)
        outcome->board = board_root_text(batch->cli->engine, &puzzle);
    soloist_puzzle_free(&puzzle);
    return outcome;
}
