/* The functions of soloist_method.h, for methods that are not built in. They call the functions that the built-in
 * methods use. This file also checks the line that an added method has recorded. */
#include "search/search.h"

#include <stdio.h>
#include <stdlib.h>

const soloist_domain *soloist_run_domain(const soloist_run *run) { return run ? run->domain : NULL; }
const soloist_instance *soloist_run_instance(const soloist_run *run) { return run ? run->instance : NULL; }
const soloist_shape *soloist_run_shape(const soloist_run *run) { return run ? &run->shape : NULL; }
const void *soloist_run_options(const soloist_run *run) { return run ? run->options : NULL; }
uint64_t soloist_run_seed(const soloist_run *run) { return run ? run->seed : 0; }
int soloist_run_threads(const soloist_run *run) { return run ? run->threads : 0; }
bool soloist_run_better(const soloist_run *run, int32_t a, int32_t b) { return run && search_better(run, a, b); }

bool soloist_run_spent(soloist_run *run) { return !run || search_spent(run); }
soloist_stop_token *soloist_run_stop_token(soloist_run *run) { return run ? &run->budget->token : NULL; }
int soloist_run_count_nodes(soloist_run *run, int count) { return run ? search_count_nodes(run, count) : 0; }

void soloist_run_count_expanded(soloist_run *run, uint64_t count) {
    if (run)
        search_count_expanded(run, count);
}

void soloist_run_count_iteration(soloist_run *run) {
    if (!run)
        return;
    run->has_iterations = true;
    search_count_iteration(run);
}

void *soloist_run_take(soloist_run *run, size_t size) {
    void *block = run ? memory_take(&run->budget->memory, size) : NULL;
    if (block)
        memory_expect_random(block, size);
    return block;
}

void *soloist_run_resize(soloist_run *run, void *block, size_t old_size, size_t new_size) {
    void *moved = run ? memory_resize(&run->budget->memory, block, old_size, new_size) : NULL;
    if (moved)
        memory_expect_random(moved, new_size);
    return moved;
}

void soloist_run_give(soloist_run *run, void *block, size_t size) {
    if (run)
        memory_give(&run->budget->memory, block, size);
}

soloist_code soloist_run_full(soloist_run *run) { return run ? search_full(run) : SOLOIST_MISUSE; }

size_t soloist_run_packed_size(const soloist_run *run) { return run ? search_packed_size(run) : 0; }

void soloist_run_pack(const soloist_run *run, const void *state, void *packed) {
    if (run && state && packed)
        search_pack(run, state, packed);
}

void soloist_run_unpack(const soloist_run *run, const void *packed, void *state) {
    if (run && packed && state)
        search_unpack(run, packed, state);
}

bool soloist_run_add_cost(soloist_run *run, int32_t cost, int32_t step, int32_t *sum) {
    return run && sum && search_add_cost(run, cost, step, sum);
}

bool soloist_run_record(soloist_run *run, const soloist_move *moves, size_t count, int32_t value) {
    return run && (moves || !count) && search_record(run, moves, count, value);
}

bool soloist_run_found(const soloist_run *run, int32_t *value) {
    if (!run)
        return false;
    if (run->found && value)
        *value = run->best.value;
    return run->found;
}

/* A method's claim has no effect if it contradicts what was recorded: a line that does not exist cannot be optimal, and
 * a puzzle for which there is a line is not impossible. */
void soloist_run_claim_optimal(soloist_run *run) {
    if (run)
        run->optimal = run->found;
}

void soloist_run_claim_impossible(soloist_run *run) {
    if (run)
        run->impossible = !run->found;
}

bool soloist_run_is_optimal(const soloist_run *run) { return run && run->optimal; }

void soloist_run_note(soloist_run *run, const char *format, ...) {
    char text[sizeof run->note];
    va_list arguments;
    if (!run || !format)
        return;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    search_note(run, "%s", text);
}

soloist_code soloist_run_fail(soloist_run *run, soloist_code code, const char *format, ...) {
    char text[sizeof run->error->text] = "";
    va_list arguments;
    if (!run)
        return SOLOIST_MISUSE;
    va_start(arguments, format);
    if (format)
        vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    soloist_fail(run->error, 0, 0, "%s", text);
    return code;
}

static bool is_legal(const struct search_run *run, const void *state, soloist_move move, soloist_move *list) {
    int count = run->domain->core->moves(run->instance, state, list);
    while (count > 0 && list[count - 1] != move)
        count--;
    return count > 0;
}

/* The number of the first illegal move, counted from 1; 0: all moves are legal. */
static size_t find_illegal(const struct search_run *run, void *state, soloist_move *list) {
    run->domain->life->root(run->instance, state);
    for (size_t i = 0; i < run->best.count; i++) {
        if (!is_legal(run, state, run->best.moves[i], list))
            return i + 1;
        run->domain->core->apply(run->instance, state, run->best.moves[i], NULL);
    }
    return 0;
}

soloist_code search_check_line(struct search_run *run, const char *method) {
    void *state = malloc(run->shape.state_size);
    soloist_move *list = malloc(((size_t)run->shape.most_moves + 1) * sizeof *list);
    soloist_code code = state && list ? SOLOIST_OK : SOLOIST_NO_MEMORY;
    size_t illegal = code == SOLOIST_OK ? find_illegal(run, state, list) : 0;
    if (illegal) {
        soloist_fail(run->error, 0, 0, "%s recorded a line whose move number %zu is not legal", method, illegal);
        code = SOLOIST_INTERNAL;
    } else if (code != SOLOIST_OK) {
        memory_refused(&run->budget->memory);
        soloist_fail(run->error, 0, 0, "no memory to check the line found by %s", method);
    }
    if (code != SOLOIST_OK)
        run->found = run->optimal = false;
    free(list);
    free(state);
    return code;
}
