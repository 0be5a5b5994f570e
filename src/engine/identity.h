/* What a result belongs to: the instance as it was parsed, not as it was written, the domain with all its options, and
 * what is sought. Where any of these changes, a result of before says nothing. */
#ifndef SEARCH_IDENTITY_H
#define SEARCH_IDENTITY_H

#include "soloist.h"

enum { IDENTITY_ROOM = 33 };

/* 128 bits of a hash, as 32 hexadecimal digits, the same on every machine. False without memory. */
bool identity_of(const soloist *engine, const soloist_puzzle *puzzle, char out[IDENTITY_ROOM]);

#endif
