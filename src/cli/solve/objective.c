#include "cli/solve/objective.h"
#include "base/options.h"
#include "cli/shell/lookup.h"
#include "cli/shell/need.h"
#include "search/special/registry.h"
#include "soloist_tools.h"

#include <string.h>

bool objective_read(const char *text, struct objective *objective) {
    static const char *const costs[POLISH_COUNTS] = {[POLISH_COUNT_PUSHES] = "pushes", [POLISH_COUNT_MOVES] = "moves"};
    soloist_error error;
    *objective = (struct objective){.text = text, .aim = POLISH_PUSHES_MOVES};
    if (!text || !strcmp(text, "any"))
        return true;
    if (!polish_aim_read(text, &objective->aim, &error))
        return cli_complain("--optimal %s; or only the word any", error.text), false;
    objective->prove = true;
    objective->cost = costs[objective->aim.order[0]];
    if (!objective->cost)
        return cli_complain("--optimal %s: it must begin with pushes or moves; `soloist optimize --aim` shortens by "
                            "any count",
                            text),
               false;
    return true;
}

const char *objective_method(const struct cli *cli, const struct objective *objective, const char *method) {
    static const char *const proving[] = {"astar", "bfs"};
    struct method_row row;
    if (method || !objective->prove)
        return method;
    for (size_t i = 0; i < sizeof proving / sizeof *proving; i++)
        if (method_find(cli, proving[i], strlen(proving[i]), &row))
            return proving[i];
    return NULL;
}

/* Whether for some instance the options of the domain leave a solution of least cost in the search, and the bound below
 * the true cost. */
static bool can_be_proved(const struct input *input) {
    bool refused = false;
    if (!input->options) /* no domain loses solutions unless it is told to; reading a large instance takes long */
        return true;
    for (size_t i = 0; i < input->task_count; i++) {
        soloist_puzzle puzzle;
        soloist_error error;
        const soloist_domain *domain = input->tasks[i].source->domain;
        const soloist_bound *bound = domain ? domain->bound : NULL;
        if (!bound || input_puzzle(input, &input->tasks[i], &puzzle, &error) != SOLOIST_OK)
            continue;
        bool possible = bound->admissible(puzzle.instance) && (!bound->lossless || bound->lossless(puzzle.instance));
        soloist_puzzle_free(&puzzle);
        if (possible)
            return true;
        refused = true;
    }
    return !refused;
}

static const soloist_domain *first_domain(const struct input *input) {
    for (size_t i = 0; i < input->source_count; i++)
        if (input->sources[i]->domain)
            return input->sources[i]->domain;
    return NULL;
}

/* The value of the option "optimal" among the options that the user gave to the domain; "" if it is not there. */
static const char *given_cost(const struct input *input) {
    static const char key[] = "optimal=";
    for (const char *at = input->options; at && *at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
        if (!strncmp(at, key, strlen(key)))
            return at + strlen(key);
    return "";
}

static bool is_end(char c) { return !c || c == ','; }

/* Whether the cost of every Sokoban domain can be what the objective begins with. */
static bool is_counted(const struct objective *objective, const struct input *input) {
    const char *given = given_cost(input);
    if (*given &&
        (strncmp(given, objective->cost, strlen(objective->cost)) != 0 || !is_end(given[strlen(objective->cost)])))
        return cli_complain("--optimal %s contradicts --domain %s:optimal=%.*s: give only one of them", objective->text,
                            input->sources[0]->domain->name, (int)strcspn(given, ","), given),
               false;
    for (size_t i = 0; i < input->source_count; i++) {
        const soloist_domain *domain = input->sources[i]->domain;
        if (special_levels(domain) && !options_find(domain->options, "optimal", strlen("optimal")) &&
            strcmp(objective->cost, "moves") != 0)
            return cli_complain("--optimal %s: the cost of %s is the number of moves: use --domain sokoban",
                                objective->text, domain->name),
                   false;
    }
    return true;
}

bool objective_suits(const struct cli *cli, const struct objective *objective, const struct input *input,
                     const char *method) {
    const soloist_domain *domain = first_domain(input);
    if (!objective->prove || !domain || !method)
        return true;
    if (!is_counted(objective, input))
        return false;
    if (domain->aim == SOLOIST_MOST_SCORE)
        return cli_complain("--optimal %s: it asks for the least cost, but the aim of %s is the highest score: leave "
                            "out --optimal",
                            objective->text, domain->name),
               false;
    if (!soloist_method_proves(cli->engine, domain, method))
        return cli_complain("--optimal: %s does not prove that a solution is optimal: use astar, idastar or bfs, or "
                            "leave out --method",
                            method),
               false;
    if (!can_be_proved(input))
        return cli_complain("--optimal: with these options of %s nothing can be proved, because they may lose the best "
                            "solution or overestimate its cost",
                            domain->name),
               false;
    return true;
}
