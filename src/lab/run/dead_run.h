/* A run that does not solve its instance: it makes a dead position from the instance and records the value that a
 * network gives to it (learn/dead/dead_values.h). The method of such a run is one of these texts:
 *
 *     dead-by-rules[:OPTIONS]   the domain's rules say which positions are dead. OPTIONS are the options of the domain
 *                               under which its rules leave out moves into dead positions
 *     dead-by-search            a complete search says which positions are dead. The value of a live position with the
 *                               same parent is recorded too
 *
 * Positions are made in the domain in which a teacher would solve the instance (training_teacher), and the options of
 * the instance must be valid there: moves into dead positions must be possible under them. */
#ifndef LAB_RUN_DEAD_RUN_H
#define LAB_RUN_DEAD_RUN_H

#include "learn/dead/dead_values.h"

/* Whether the text begins with one of the two names. */
bool dead_run_is(const char *method);
/* Whether such a run also records the value of a live position. */
bool dead_run_has_pairs(const char *method);
/* Checks the rest of the text, for instances of this domain. False with an error. */
bool dead_run_check(const soloist *engine, const soloist_domain *domain, const char *method, soloist_error *error);
/* network: the one to ask; NULL: the engine finds one. False with an error. */
bool dead_run(const soloist *engine, const soloist_puzzle *puzzle, const char *options, const char *method,
              soloist_network *network, uint64_t seed, struct dead_values *values, soloist_error *error);

#endif
