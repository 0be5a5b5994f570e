/* The value targets in a least-cost domain. By default the value of a position is 1 - step_value * (cost still to
 * come), but at least 0, and 0 if there is no solution (Ge 2018, section 3.5: the reward of expert iteration). If a
 * reward is named, the value is the discounted sum of this reward of the domain (soloist_reward) over the moves to
 * come. */
#ifndef LEARN_TRAIN_RETURNS_H
#define LEARN_TRAIN_RETURNS_H

#include "soloist_extra.h"

#define RETURNS_BY_COST (-1)

struct returns {
    int reward; /* index of the reward's name, or RETURNS_BY_COST */
    double step_value, discount;
};

/* reward: "cost", or the name of one of the domain's rewards. False with an error: the domain has no such reward. */
bool returns_open(struct returns *returns, const soloist_domain *domain, const char *reward, double step_value,
                  double discount, soloist_error *error);

/* Writes the value of each of the `count` positions from the puzzle's root along `moves`, which lead to a goal. False:
 * no memory. */
bool returns_along(const struct returns *returns, const soloist_puzzle *puzzle, const soloist_move *moves, size_t count,
                   float *values);

#endif
