/* The built-in domains. The domain contract is in soloist.h, which a user's own domain also includes. */
#ifndef DOMAIN_DOMAIN_H
#define DOMAIN_DOMAIN_H

#include "soloist_extra.h"

extern const soloist_domain sokoban_domain;       /* a move is a push; D1 */
extern const soloist_domain sokoban_moves_domain; /* a move is one step; D2 */
extern const soloist_domain samegame_domain;
extern const soloist_domain tiles_domain;
extern const soloist_domain pancake_domain;
extern const soloist_domain tictactoe_domain;

/* All built-in domains; NULL ends the list. `info` lists them in this order. If a file may belong to several domains,
 * the first of them is chosen. */
extern const soloist_domain *const domain_builtin[];
bool domain_is_builtin(const soloist_domain *domain);

/* Makes an instance by parse_within if the domain has it, otherwise by parse. */
static inline soloist_instance *domain_parse(const soloist_domain *domain, const soloist_chunk *chunk,
                                             const void *options, const soloist_work *work, soloist_error *error) {
    const soloist_life *life = domain->life;
    return life->parse_within ? life->parse_within(chunk, options, work, error) : life->parse(chunk, options, error);
}

/* One phrase about what is wrong with the sizes that a domain states for an instance; NULL: nothing. */
const char *domain_shape_fault(const soloist_domain *domain, const soloist_shape *shape);

#endif
