/* New instances, by generators that can be stopped. */
#ifndef ENGINE_MAKE_H
#define ENGINE_MAKE_H

#include "soloist_tools.h"

/* Writes an instance that the domain's generator makes from `rng`. options: the generator's options struct. `stop` may
 * be NULL; the built-in Sokoban generator, which is the only slow one, returns SOLOIST_STOPPED soon after it is
 * stopped. */
soloist_code make_draw(const soloist_domain *domain, const void *options, soloist_rng *rng, soloist_stop_token *stop,
                       const soloist_sink *sink, soloist_error *error);

/* Does the same as soloist_make, but can be stopped, as make_draw. */
soloist_code make_within(const soloist_domain *domain, const char *options, uint64_t seed, uint64_t number,
                         soloist_stop_token *stop, char **text, soloist_error *error);

#endif
