/* Builds the entries of a pattern database. */
#ifndef DOMAIN_TILES_PATTERN_BUILD_H
#define DOMAIN_TILES_PATTERN_BUILD_H

#include "domain/tiles/pattern.h"

/* The bytes of memory that pattern_build needs in addition to the entries. */
size_t pattern_build_bytes(const struct pattern *pattern);
/* Computes the entries of a pattern whose tables are made: half a byte each, in (sets * orders + 1) / 2 bytes, which
 * the caller has zeroed. Returns SOLOIST_OK, SOLOIST_NO_MEMORY or, if `stop` was stopped, SOLOIST_UNSUPPORTED. */
soloist_code pattern_build(const struct pattern *pattern, uint8_t *entries, int threads, soloist_stop_token *stop,
                           pattern_progress progress, void *user);

/* Sets order[i] to the object at place i in permutation number `rank` of `tiles` objects. */
void pattern_unrank(int tiles, uint32_t rank, uint8_t *order);
uint32_t pattern_rank(int tiles, const uint8_t *order);

#endif
