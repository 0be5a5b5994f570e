#include "learn/train/returns.h"

#include <stdlib.h>
#include <string.h>

bool returns_open(struct returns *returns, const soloist_domain *domain, const char *reward, double step_value,
                  double discount, soloist_error *error) {
    *returns = (struct returns){RETURNS_BY_COST, step_value, discount};
    if (!strcmp(reward, "cost"))
        return true;
    for (int i = 0; domain->reward && domain->reward->names[i]; i++)
        if (!strcmp(domain->reward->names[i], reward)) {
            returns->reward = i;
            return true;
        }
    return soloist_fail(error, 0, 0, "%s has no reward named %.60s", domain->name, reward);
}

/* The reward of each step, or its cost. */
static void gather_steps(const struct returns *returns, const soloist_puzzle *puzzle, const soloist_move *moves,
                         size_t count, void *before, void *after, size_t size, float *steps) {
    const soloist_domain *domain = puzzle->domain;
    domain->life->root(puzzle->instance, after);
    for (size_t i = 0; i < count; i++) {
        memcpy(before, after, size);
        int32_t cost = domain->core->apply(puzzle->instance, after, moves[i], NULL);
        steps[i] = returns->reward == RETURNS_BY_COST
                       ? (float)cost
                       : (float)domain->reward->value(puzzle->instance, returns->reward, before, after, (int)i + 1);
    }
}

bool returns_along(const struct returns *returns, const soloist_puzzle *puzzle, const soloist_move *moves, size_t count,
                   float *values) {
    soloist_shape shape = {0};
    puzzle->domain->life->shape(puzzle->instance, &shape);
    unsigned char *states = malloc(2 * shape.state_size);
    if (!states)
        return false;
    gather_steps(returns, puzzle, moves, count, states, states + shape.state_size, shape.state_size, values);
    free(states);
    double later = 0;
    for (size_t i = count; i-- > 0;) {
        if (returns->reward == RETURNS_BY_COST) {
            later += (double)values[i];
            values[i] = later * returns->step_value < 1 ? (float)(1 - returns->step_value * later) : 0;
        } else {
            later = (double)values[i] + returns->discount * later;
            values[i] = (float)later;
        }
    }
    return true;
}
