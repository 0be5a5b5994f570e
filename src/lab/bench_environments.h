/* The benchmark of environments: many boards stepped at once by random actions. */
#ifndef LAB_BENCH_ENVIRONMENTS_H
#define LAB_BENCH_ENVIRONMENTS_H

#include "soloist.h"

/* Plays `steps` steps on each of `boards` boards, in place, with a step limit of 100 and resets from a pool of 64
 * levels that the domain's generator makes under `levels` ("key=value,..."); the reward is `reward`. Counts board
 * steps. The signature covers rewards, ends and the last observations. */
bool bench_environments(const soloist_domain *domain, const char *levels, const char *reward, int boards, int64_t steps,
                        uint64_t *count, uint64_t *signature, soloist_error *error);

#endif
