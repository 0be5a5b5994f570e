/* The benchmark of environments: many boards stepped at once by random actions. */
#ifndef LAB_BENCH_ENVIRONMENTS_H
#define LAB_BENCH_ENVIRONMENTS_H

#include "soloist.h"

/* Plays `steps` steps on each of `boards` boards, with the reward named `reward`. A game ends after at most 100 steps;
 * its board then continues with one of 64 levels, which the domain's generator makes with the options `levels`
 * ("key=value,..."). *count is the number of steps on all boards together. The signature covers samples of the rewards
 * and of the flags for ended games, and the last observations. */
bool bench_environments(const soloist_domain *domain, const char *levels, const char *reward, int boards, int64_t steps,
                        uint64_t *count, uint64_t *signature, soloist_error *error);

#endif
