/* A proof of optimality relies on what the domain claims about its bounds. The line that a search found can refute
 * these claims: no state on the line may be reported as dead, and the bound of a state must not exceed the true cost of
 * the rest of the line. The check is exact for this line, costs one bound per move, and detects a plugin's wrong bound
 * that would otherwise be trusted. */
#include "engine/engine.h"
#include "search/search.h"

#include <stdio.h>

/* One line checked against one bound. */
struct witness {
    const struct search_run *run;
    const soloist_bound *bound;
    bool cost;       /* the aim is least cost */
    bool backwards;  /* the bound is that of backward search: a bound on the cost from the root */
    bool consistent; /* the bound must be consistent as well */
    int32_t before;  /* bound of the previous state */
    soloist_error *error;
};

/* Writes an error such as "the bound of graph is wrong, and nothing is proved by it: after move 2 of the solution it
 * ...". */
static bool refuse(const struct witness *witness, size_t place, const char *what) {
    char where[60] = "at the start";
    if (place)
        snprintf(where, sizeof where, "after move %zu of the solution", place);
    return soloist_fail(witness->error, 0, 0, "the bound %sof %.40s is wrong, so it proves nothing: %s it %s",
                        witness->backwards ? "for backward play " : "", witness->run->domain->name, where, what);
}

/* rest: the cost or score of the part of the line after the state, or, for a backward bound, of the part before it. */
static bool check_value(const struct witness *witness, size_t place, int32_t value, int64_t rest) {
    char what[100];
    if (witness->cost && value == SOLOIST_DEAD)
        return refuse(witness, place, "calls the state dead");
    if (witness->cost ? value <= rest : value >= rest)
        return true;
    snprintf(what, sizeof what, "is %d, but the true value is %s %lld", (int)value,
             witness->cost ? "at most" : "at least", (long long)rest);
    return refuse(witness, place, what);
}

/* Checks consistency, for least cost: a move in the direction of the search lowers the bound by at most its cost. */
static bool check_step(const struct witness *witness, size_t place, int32_t value, int32_t step) {
    int64_t change = (int64_t)witness->before - value;
    char what[100];
    if (!witness->consistent || !place || (witness->backwards ? -change : change) <= step)
        return true;
    snprintf(what, sizeof what, "is %d and was %d before: not consistent, since the move costs %d", (int)value,
             (int)witness->before, (int)step);
    return refuse(witness, place, what);
}

static bool check_state(struct witness *witness, const void *state, size_t place, int32_t step, int64_t rest) {
    const soloist_bound *bound = witness->bound;
    const soloist_instance *instance = witness->run->instance;
    if (!bound)
        return true;
    int32_t value = search_bound(witness->run, bound, state);
    if (witness->cost && bound->dead && bound->dead(instance, state))
        value = SOLOIST_DEAD;
    if (!check_value(witness, place, value, rest) || !check_step(witness, place, value, step))
        return false;
    witness->before = value;
    if (witness->cost || !bound->tight || rest <= INT32_MIN)
        return true;
    return check_value(witness, place, bound->tight(instance, state, (int32_t)(rest - 1)), rest);
}

static bool walk(const struct search_run *run, struct witness *forwards, struct witness *backwards, void *state) {
    int64_t spent = 0;
    int32_t step = 0;
    run->domain->life->root(run->instance, state);
    for (size_t i = 0;; i++) {
        if (!check_state(forwards, state, i, step, run->best.value - spent) ||
            !check_state(backwards, state, i, step, spent))
            return false;
        if (i == run->best.count)
            return true;
        step = run->domain->core->apply(run->instance, state, run->best.moves[i], NULL);
        spent += step;
    }
}

static const soloist_bound *if_admissible(const struct search_run *run, const soloist_bound *bound) {
    return bound && bound->admissible(run->instance) ? bound : NULL;
}

bool engine_check_bounds(const struct search_run *run, bool both_ways, soloist_error *error) {
    const soloist_domain *domain = run->domain;
    struct memory *memory = &run->budget->memory;
    if (domain->players != 1)
        return true;
    struct witness forwards = {.run = run,
                               .bound = if_admissible(run, domain->bound),
                               .cost = domain->aim == SOLOIST_LEAST_COST,
                               .error = error};
    struct witness backwards = forwards;
    backwards.bound = both_ways ? if_admissible(run, domain->reverse->bound) : NULL;
    backwards.backwards = true;
    forwards.consistent = both_ways && forwards.bound && forwards.bound->consistent(run->instance);
    backwards.consistent = both_ways && backwards.bound && backwards.bound->consistent(run->instance);
    if (!forwards.bound && !backwards.bound)
        return true;
    void *state = memory_take(memory, run->shape.state_size);
    if (!state)
        return soloist_fail(error, 0, 0, "no memory to check the bounds of %.60s along the solution", domain->name);
    bool good = walk(run, &forwards, &backwards, state);
    memory_give(memory, state, run->shape.state_size);
    return good;
}
