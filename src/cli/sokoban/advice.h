/* Declarations that `hint` and `explain` share: both read positions from files and answer one question about each. */
#ifndef CLI_SOKOBAN_ADVICE_H
#define CLI_SOKOBAN_ADVICE_H

#include "cli/input/input.h"
#include "cli/shell/json_line.h"
#include "search/special/sokoban/hint.h"

struct advice_options {
    const char *only, *method, *domain;
    double time;
    uint64_t nodes;
    bool json, quick;
    struct arg_list plugin;
};

/* One run of `hint` or `explain`. advice_run calls `tell` for every position and returns the worst exit status that
 * `tell` returned. */
struct advice {
    const struct cli *cli;
    const struct advice_options *options;
    int (*tell)(const struct advice *advice, const struct task *task, const soloist_puzzle *puzzle);
    size_t count; /* total number of positions */
};
int advice_run(struct cli *cli, const struct command *self, int count, char **words,
               int (*tell)(const struct advice *, const struct task *, const soloist_puzzle *));

soloist_limits advice_limits(const struct advice *advice);
/* Writes why a search found nothing, or which larger limit may help, such as "try --time 50". Returns `out`, which has
 * FORMAT_ROOM bytes. */
char *advice_remedy(const struct advice *advice, soloist_stop stopped, char *out);

/* True for a position of Sokoban, about which the commands can say more than about other domains. */
bool advice_is_sokoban(const soloist_puzzle *puzzle);
/* Complains about a position that cannot be read or searched; with --json also prints a line whose status is invalid.
 * Returns the exit status. */
int advice_refuse(const struct advice *advice, const struct task *task, const soloist_error *error);
/* Prints the advice about a position of any domain, frees it, and returns the exit status. code: what the function that
 * made the advice returned. */
int advice_tell(const struct advice *advice, const struct task *task, soloist_code code, soloist_advice *given,
                const soloist_error *error);

/* Prints the level with its stuck boxes drawn as X, and with an arrow on the square to which the hint pushes a box.
 * stuck and hint may be NULL. */
void advice_draw(const struct advice *advice, const struct sokoban_level *level, const uint8_t *stuck,
                 const struct hint *hint);
/* Prints squares such as "(3,4) (4,4)": column and row, counted from 1. */
void advice_squares(const struct sokoban_level *level, const uint8_t *stuck);

/* Begins a JSON line {"id":...,"file":...,"name":...,"status":...; json_line_print ends it. */
struct json_writer *advice_json_open(struct json_line *line, const struct task *task, const char *status);
void advice_json_stuck(struct json_writer *json, const struct sokoban_level *level,
                       const struct sokoban_explanation *why);

#endif
