/* The built-in domains. The contract itself is in soloist.h, where a user's domain finds it too. */
#ifndef DOMAIN_DOMAIN_H
#define DOMAIN_DOMAIN_H

#include "soloist.h"

extern const soloist_domain sokoban_domain;       /* pushes; D1 */
extern const soloist_domain sokoban_moves_domain; /* single steps; D2 */
extern const soloist_domain samegame_domain;
extern const soloist_domain tiles_domain;
extern const soloist_domain pancake_domain;
extern const soloist_domain tictactoe_domain;

/* NULL-terminated, in the order that `info` shows and recognition prefers. */
extern const soloist_domain *const domain_builtin[];

#endif
