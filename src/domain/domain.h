/* The built-in domains. The contract itself is in soloist.h, which a user's domain includes too. */
#ifndef DOMAIN_DOMAIN_H
#define DOMAIN_DOMAIN_H

#include "soloist_extra.h"

extern const soloist_domain sokoban_domain;       /* pushes; D1 */
extern const soloist_domain sokoban_moves_domain; /* single steps; D2 */
extern const soloist_domain samegame_domain;
extern const soloist_domain tiles_domain;
extern const soloist_domain pancake_domain;
extern const soloist_domain tictactoe_domain;

/* NULL-terminated, in the order that `info` lists them and that file recognition prefers. */
extern const soloist_domain *const domain_builtin[];

#endif
