#include "lab/run/dead_run.h"
#include "base/suggest.h"
#include "engine/engine.h"
#include "learn/train/training.h"
#include "search/evaluator.h"

#include <string.h>

#define BY_RULES "dead-by-rules"
#define BY_SEARCH "dead-by-search"

bool dead_run_has_pairs(const char *method) { return !strncmp(method, BY_SEARCH, strlen(BY_SEARCH)); }

/* The text after the name: "" or ":OPTIONS" in a valid method. */
static const char *rest_of(const char *method) {
    return method + strlen(dead_run_has_pairs(method) ? BY_SEARCH : BY_RULES);
}

bool dead_run_is(const char *method) {
    return dead_run_has_pairs(method) || !strncmp(method, BY_RULES, strlen(BY_RULES));
}

static bool shows_states(const soloist_domain *domain, const char *method, soloist_error *error) {
    return domain->learn || soloist_fail(error, 0, 0,
                                         "%.60s needs a domain that shows its states to networks; %.40s"
                                         " does not",
                                         method, domain->name);
}

bool dead_run_check(const soloist *engine, const soloist_domain *domain, const char *method, soloist_error *error) {
    const soloist_domain *maker = training_teacher(engine, domain);
    const char *rest = rest_of(method);
    if (*rest && (*rest != ':' || dead_run_has_pairs(method)))
        return soloist_fail(error, 0, 0, "%.60s: expected " BY_RULES "[:OPTIONS] or " BY_SEARCH, method);
    if (domain->aim != SOLOIST_LEAST_COST)
        return soloist_fail(error, 0, 0, "%.60s needs a domain that minimises cost; %.40s maximises a score", method,
                            domain->name);
    if (!shows_states(domain, method, error))
        return false;
    return suggest_check_options(maker->options, maker->options_size, *rest ? rest + 1 : NULL, error);
}

bool dead_run(const soloist *engine, const soloist_puzzle *puzzle, const char *options, const char *method,
              soloist_network *network, uint64_t seed, struct dead_values *values, soloist_error *error) {
    const char *rest = rest_of(method);
    bool by_search = dead_run_has_pairs(method);
    if (!shows_states(puzzle->domain, method, error))
        return false;
    if (!network && !engine_find_network(engine, puzzle, true, &network, error))
        return false;
    if (!network || !network->evaluator->has_value)
        return soloist_fail(error, 0, 0, "%.60s needs a network with values", method);
    struct dead_question question = {.maker = dead_maker_for(engine, training_teacher(engine, puzzle->domain), options,
                                                             *rest ? rest + 1 : options, by_search),
                                     .by_search = by_search,
                                     .network = network,
                                     .domain = puzzle->domain,
                                     .options = options};
    return dead_values_of(&question, puzzle->text, puzzle->chunk.length, seed, values, error);
}
