/* The key of a state is the exclusive or of one hash per column, computed from the column's content and its number.
 * After a move, only the hashes of the columns that have changed are computed again. */
#ifndef DOMAIN_SAMEGAME_KEY_H
#define DOMAIN_SAMEGAME_KEY_H

#include "base/hash.h"
#include "domain/samegame/samegame.h"

static inline uint64_t key_column_narrow(const struct samegame_narrow *state, int planes, int column) {
    uint64_t content = 0;
    for (int k = 0; k < planes; k++)
        content |= (uint64_t)state->plane[k][column] << 16 * k;
    return hash_mix(content + (uint64_t)(column + 1) * 0x9e3779b97f4a7c15u);
}

static inline uint64_t key_column_wide(const struct samegame_wide *state, int planes, int column) {
    uint64_t low = state->plane[0][column] | (uint64_t)state->plane[1][column] << 32;
    uint64_t high = state->plane[2][column] | (uint64_t)(planes > 3 ? state->plane[3][column] : 0) << 32;
    return hash_mix(hash_mix(low + (uint64_t)(column + 1) * 0x9e3779b97f4a7c15u) + high);
}

#endif
