/* Seeding of xoshiro256**: its four words come from SplitMix64, which starts from a mix of seed and stream. */
#include "base/hash.h"
#include "soloist.h"

void soloist_rng_seed(soloist_rng *rng, uint64_t seed, uint64_t stream) {
    uint64_t x = hash_mix(seed + 0x9e3779b97f4a7c15u) ^ hash_mix(~stream);
    for (int i = 0; rng && i < 4; i++)
        rng->s[i] = hash_mix(x += 0x9e3779b97f4a7c15u);
}
