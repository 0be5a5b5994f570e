#include "domain/domain.h"

const soloist_domain *const domain_builtin[] = {
    &sokoban_domain, &sokoban_moves_domain, &samegame_domain, &tiles_domain, &pancake_domain, &tictactoe_domain, NULL,
};

/* A larger size is a negative number that was converted. */
enum { most_size = INT32_MAX };

const char *domain_shape_fault(const soloist_domain *domain, const soloist_shape *shape) {
    if (!shape->state_size)
        return "state_size is 0";
    if (shape->state_size > most_size || shape->undo_size > most_size || shape->packed_size > most_size)
        return "a size is negative or too large";
    if (shape->most_moves < 0 || shape->most_steps < 0)
        return "most_moves or most_steps is negative";
    if (domain->pack && !shape->packed_size)
        return "packed_size is 0, but there is a pack group";
    return NULL;
}

bool domain_is_builtin(const soloist_domain *domain) {
    size_t i = 0;
    while (domain_builtin[i] && domain_builtin[i] != domain)
        i++;
    return domain_builtin[i];
}
