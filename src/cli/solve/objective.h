/* What `solve` looks for: any solution or, with --optimal, a solution that is proved to have the fewest pushes or
 * moves. A second count may break ties: pushes-moves means the fewest moves among the solutions with the fewest
 * pushes. */
#ifndef CLI_SOLVE_OBJECTIVE_H
#define CLI_SOLVE_OBJECTIVE_H

#include "cli/cli.h"
#include "engine/input.h"
#include "search/special/polish.h"

/* The values of --optimal that help shows. */
#define OBJECTIVE_VALUES "any|pushes|pushes-moves|moves|moves-pushes"

struct objective {
    const char *text; /* as the user gave it; NULL: any */
    /* The counts that shortening minimises and, if `prove` is set, that must be proved minimal. */
    struct polish_aim aim;
    bool prove;
    const char *cost; /* what the search minimises: "pushes" or "moves"; NULL: the domain's default */
};

/* Reads the value of --optimal; NULL means any. Complains and returns false if it is wrong. */
bool objective_read(const char *text, struct objective *objective);
/* The method to use: the given one; if no method is given and a proof is wanted, the first method that proves
 * optimality. */
const char *objective_method(const struct cli *cli, const struct objective *objective, const char *method);
/* Whether this method can give the wanted proof on the instances of the input; true if no proof is wanted. Complains
 * and returns false if it cannot. */
bool objective_suits(const struct cli *cli, const struct objective *objective, const struct input *input,
                     const char *method);

#endif
