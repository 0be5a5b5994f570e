/* The identity of a puzzle: a hash of the instance as parsed (not as written), the domain with all its options, and the
 * objective. If any of these changes, an earlier result no longer applies. */
#ifndef ENGINE_IDENTITY_H
#define ENGINE_IDENTITY_H

#include "soloist.h"

enum { IDENTITY_ROOM = 33 };

/* A 128-bit hash as 32 hexadecimal digits, the same on every machine. False if memory runs out. */
bool identity_of(const soloist *engine, const soloist_puzzle *puzzle, char out[IDENTITY_ROOM]);

enum { HASH_ROOM = 17 };

/* A 64-bit hash of the instance as 16 hexadecimal digits, the same on every machine. It does not depend on the options
 * or on the objective. If the domain defines a canonical form (engine/canonical_form.h), equivalent instances, such as
 * a Sokoban level and its reflection, have the same hash. False if memory runs out. */
bool identity_hash(const soloist *engine, const soloist_puzzle *puzzle, char out[HASH_ROOM]);

#endif
