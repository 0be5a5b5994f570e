#include "domain/domain.h"

const soloist_domain *const domain_builtin[] = {
    &sokoban_domain, &sokoban_moves_domain, &samegame_domain, &tiles_domain, &pancake_domain, &tictactoe_domain, NULL,
};
