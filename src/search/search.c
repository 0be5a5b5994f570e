/* Functions that all methods use: recording lines, adding up costs, dividing a budget among the parts of a run. */
#include "search/search.h"

#include "base/buffer.h"
#include "search/evaluator.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool search_line_reserve(struct search_line *line, size_t count, struct memory *memory) {
    if (count <= line->room && line->moves)
        return true;
    soloist_move *grown = realloc(line->moves, (count + 1) * sizeof *grown);
    if (!grown)
        return memory_refused(memory), false;
    line->moves = grown;
    line->room = count + 1;
    return true;
}

void search_pool_free(struct search_pool *pool) {
    for (int i = 0; i < SEARCH_POOL_MOST; i++)
        free(pool->lines[i].moves);
    *pool = (struct search_pool){0};
}

bool search_pool_add(struct search_pool *pool, const soloist_puzzle *puzzle, const char *text, size_t length) {
    const soloist_text *notation = puzzle->domain->text;
    soloist_error error;
    long count = notation->read(puzzle->instance, text, length, NULL, 0, &error);
    if (count <= 0 || pool->count == SEARCH_POOL_MOST)
        return true;
    soloist_move *moves = calloc((size_t)count, sizeof *moves);
    if (!moves)
        return false;
    if (notation->read(puzzle->instance, text, length, moves, (size_t)count, &error) == count)
        pool->lines[pool->count++] =
            (struct search_line){.moves = moves, .count = (size_t)count, .room = (size_t)count};
    else
        free(moves);
    return true;
}

char *search_line_text(const struct search_run *run) {
    struct buffer buffer;
    buffer_open(&buffer);
    soloist_sink sink = buffer_sink(&buffer);
    run->domain->text->solution(run->instance, run->best.moves, run->best.count, &sink);
    return buffer_take(&buffer);
}

void search_watch_open(struct search_watch *watch) {
    *watch = (struct search_watch){0};
    budget_watch_open(&watch->budgets);
    pthread_mutex_init(&watch->lock, NULL);
}

void search_watch_close(struct search_watch *watch) {
    free(watch->line);
    budget_watch_close(&watch->budgets);
    pthread_mutex_destroy(&watch->lock);
}

/* Without memory for the text, the watcher misses a line; the search goes on. */
static void show_line(const struct search_run *run) {
    struct search_watch *watch = run->watch;
    pthread_mutex_lock(&watch->lock);
    char *line = !watch->line || search_better(run, run->best.value, watch->value) ? search_line_text(run) : NULL;
    if (line) {
        free(watch->line);
        watch->line = line;
        watch->value = run->best.value;
        watch->changes++;
    }
    pthread_mutex_unlock(&watch->lock);
}

bool search_record(struct search_run *run, const soloist_move *moves, size_t count, int32_t value) {
    if (!search_fits(run, value) || (run->found && !search_better(run, value, run->best.value)))
        return false;
    if (!search_line_reserve(&run->best, count, &run->budget->memory)) {
        search_full(run);
        return false;
    }
    if (count)
        memcpy(run->best.moves, moves, count * sizeof *moves);
    run->best.count = count;
    run->best.value = value;
    run->found = true;
    run->progress.best = value;
    run->progress.has_best = true;
    if (run->proof_known && !search_better(run, run->proof, value))
        run->optimal = true;
    if (run->watch)
        show_line(run);
    return true;
}

void search_note(struct search_run *run, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(run->note, sizeof run->note, format, arguments);
    va_end(arguments);
    run->progress.note = run->note;
}

soloist_code search_full(struct search_run *run) {
    budget_stop(run->budget, SOLOIST_STOP_MEMORY);
    return SOLOIST_OK;
}

soloist_code search_failed(const struct search_run *run) {
    return atomic_load(&run->budget->stop) >= 0 ? SOLOIST_OK : SOLOIST_INTERNAL;
}

bool search_add_cost(struct search_run *run, int32_t cost, int32_t step, int32_t *sum) {
    if (step < 0)
        return soloist_fail(run->error, 0, 0, "%s has a move of negative cost (%d)", run->domain->name, (int)step);
    if (cost >= SOLOIST_DEAD - step)
        return soloist_fail(run->error, 0, 0, "a line of play in %s costs more than fits into 32 bits",
                            run->domain->name);
    *sum = cost + step;
    return true;
}

/* Called after the network has failed: if the reason is that memory ran out, that ends the run. */
static void note_starved(struct search_run *run) {
    if (errno == ENOMEM)
        search_full(run);
}

bool search_check_network(struct search_run *run, bool priors, bool values) {
    soloist_error why = {0};
    const char *lack = NULL;
    if (!run->evaluator)
        lack = "a network is needed";
    else if (errno = 0, !run->evaluator->fits(run->evaluator, run->instance, &why))
        lack = why.text;
    else if (priors && !run->evaluator->has_policy)
        lack = "the network gives no priors";
    else if (values && !run->evaluator->has_value)
        lack = "the network gives no values";
    run->has_evaluations |= !lack;
    if (lack == why.text)
        note_starved(run);
    return !lack || soloist_fail(run->error, 0, 0, "%.80s: %.160s", run->method, lack);
}

bool search_evaluate(struct search_run *run, struct evaluation *evaluations, int count, soloist_error *error) {
    atomic_fetch_add_explicit(&run->budget->evaluations, (uint64_t)count, memory_order_relaxed);
    errno = 0;
    bool judged = !count || run->evaluator->judge(run->evaluator, evaluations, count, error);
    if (!judged)
        note_starved(run);
    return judged;
}

int search_judge_in_parts(struct evaluator *evaluator, const soloist_instance *instance, soloist_stop_token *stop,
                          struct evaluation *evaluations, int count, soloist_error *error) {
    int most = evaluator->at_once ? evaluator->at_once(evaluator->self, instance) : count, done = 0;
    errno = 0;
    while (done < count && !(stop && soloist_stopped(stop))) {
        int part = count - done < most ? count - done : most;
        if (!evaluator->judge(evaluator, evaluations + done, part, error))
            return -1;
        done += part;
    }
    return done;
}

bool search_evaluate_in_parts(struct search_run *run, struct evaluation *evaluations, int count) {
    int done =
        search_judge_in_parts(run->evaluator, run->instance, &run->budget->token, evaluations, count, run->error);
    if (done > 0)
        atomic_fetch_add_explicit(&run->budget->evaluations, (uint64_t)done, memory_order_relaxed);
    if (done < 0)
        note_starved(run);
    return done == count;
}

size_t search_packed_size(const struct search_run *run) {
    return run->domain->pack ? run->shape.packed_size : run->shape.state_size;
}

void search_pack(const struct search_run *run, const void *state, void *packed) {
    if (run->domain->pack)
        run->domain->pack->pack(run->instance, state, packed);
    else
        memcpy(packed, state, run->shape.state_size);
}

void search_unpack(const struct search_run *run, const void *packed, void *state) {
    if (run->domain->pack)
        run->domain->pack->unpack(run->instance, packed, state);
    else
        memcpy(state, packed, run->shape.state_size);
}

/* The limit of a part: what was used so far plus `percent` of what is left. It is at least 1, because 0 means "no
 * limit". */
static uint64_t share_of(uint64_t limit, uint64_t used, int percent) {
    if (!limit)
        return 0;
    uint64_t left = limit > used ? limit - used : 0;
    uint64_t share = left / 100 * (unsigned)percent + left % 100 * (unsigned)percent / 100;
    return used + share > 0 ? used + share : 1;
}

/* Reads the clock about once per millisecond, but at least every `longest` calls, because calls may suddenly take
 * longer. */
bool search_look(struct search_run *run, struct search_looks *looks) {
    enum { longest = 256 };
    double now = clock_seconds(), gap = now - looks->last_s;
    if (gap < 0.5e-3 && looks->interval < longest)
        looks->interval = 2 * looks->interval + 1;
    else if (gap > 2e-3)
        looks->interval /= 4;
    looks->last_s = now;
    looks->left = looks->interval;
    return soloist_stopped(&run->budget->token);
}

static void share_limits(struct budget *budget, int percent) {
    soloist_limits *limits = &budget->limits;
    limits->nodes = share_of(limits->nodes, atomic_load(&budget->nodes), percent);
    limits->iterations = share_of(limits->iterations, atomic_load(&budget->iterations), percent);
    limits->memory = (size_t)share_of(limits->memory, memory_used(&budget->memory), percent);
    budget->memory.limit = limits->memory;
    if (limits->time_s > 0) {
        double used = budget_elapsed(budget);
        double left = limits->time_s > used ? limits->time_s - used : 0;
        limits->time_s = used + left * percent / 100;
    }
}

/* Checks that a method has freed all its memory. Memory that it has not freed is no longer counted, so that later
 * methods are not affected. */
static soloist_code check_memory(struct search_run *run, const struct search_method *method, size_t before) {
    struct memory *memory = &run->budget->memory;
    ptrdiff_t kept = (ptrdiff_t)(memory_used(memory) - before); /* below 0 if it freed more than it allocated */
    if (!kept)
        return SOLOIST_OK;
    memory_unbook(memory, (size_t)kept);
    if (kept > 0)
        soloist_fail(run->error, 0, 0, "%s kept %td bytes of memory that it must give back", method->name, kept);
    else
        soloist_fail(run->error, 0, 0, "%s gave back %td bytes of memory more than it took", method->name, -kept);
    return SOLOIST_INTERNAL;
}

int search_find_name(const struct search_run *run, const char *what, const char *name, const char *const *names) {
    char known[160] = "";
    size_t used = 0;
    for (int i = 0; names && names[i]; i++) {
        if (!strcmp(names[i], name))
            return i;
        if (used < sizeof known)
            used += (size_t)snprintf(known + used, sizeof known - used, "%s%s", i ? ", " : "", names[i]);
    }
    soloist_fail(run->error, 0, 0, "%s has no %s %s; it has %s", run->domain->name, what, name, used ? known : "none");
    return -1;
}

soloist_code search_start(struct search_run *run, const struct search_method *method) {
    size_t before = memory_used(&run->budget->memory);
    errno = 0;
    if (method->suits && !method->suits(run))
        return errno == ENOMEM ? search_full(run) : SOLOIST_UNSUPPORTED;
    run->error->text[0] = 0;
    soloist_code code = search_run_by_rules(run, method);
    /* If a network, or a member of a mix, found no memory, that is why the method failed. */
    if (code != SOLOIST_OK && atomic_load(&run->budget->stop) == SOLOIST_STOP_MEMORY)
        code = SOLOIST_OK;
    /* A later instance may have the address of this one. */
    if (run->has_evaluations && run->domain->learn && !run->domain->learn->whole_states)
        run->evaluator->forget(run->evaluator);
    /* If a domain has macros, backward play gives the parts of a macro, which `moves` need not list. */
    if (method->added && run->found && !(method->needs & SEARCH_NEEDS_REVERSE)) {
        soloist_code legal = search_check_line(run, method->name);
        code = code == SOLOIST_OK ? legal : code;
    }
    if (code == SOLOIST_OK)
        return check_memory(run, method, before);
    if (!run->error->text[0])
        soloist_fail(run->error, 0, 0, "%s failed without saying why", method->name);
    return code;
}

soloist_code search_part(struct search_run *run, const char *text, int percent) {
    struct budget *budget = run->budget;
    struct search_choice choice;
    soloist_code code = search_choose(run->added, text, run->domain, &choice, run->error);
    if (code != SOLOIST_OK)
        return code;
    const void *own_options = run->options;
    soloist_limits whole = budget->limits;
    code = search_check_needs(choice.method, run->domain, &whole, run->error);
    if (code == SOLOIST_OK) {
        share_limits(budget, percent);
        budget->next_look = 0;
        run->options = choice.options;
        code = search_start(run, choice.method);
        run->options = own_options;
        budget->limits = whole;
        budget->memory.limit = whole.memory;
        /* If the part has used up only its share, the run goes on; if it has reached a limit of the run, the next check
         * of the budget notices that. */
        if (percent < 100 && atomic_load(&budget->stop) != SOLOIST_STOP_CANCEL)
            atomic_store(&budget->stop, -1);
        budget->next_look = 0;
    }
    search_choice_free(&choice);
    return code;
}

bool search_proves_always(const void *options) {
    (void)options;
    return true;
}
