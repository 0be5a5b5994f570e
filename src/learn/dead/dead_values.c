#include "learn/dead/dead_values.h"
#include "learn/predict/network.h"
#include "learn/train/games.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* by_rules: positions visited per puzzle; by_search: steps of a random walk; label_nodes: limit of a search that
 * labels. */
enum { by_rules = 1000, by_walk = 40, label_nodes = 2000000 };

struct dead_maker dead_maker_for(const soloist *engine, const soloist_domain *domain, const char *plain,
                                 const char *strict, bool by_search) {
    return (struct dead_maker){.engine = engine,
                               .domain = domain,
                               .plain = plain,
                               .strict = strict,
                               .most = by_search ? by_walk : by_rules,
                               .method = "astar",
                               .nodes = label_nodes};
}

/* The network's value of the puzzle's first state; *fits is false if the network cannot read it. */
static bool judge(const struct dead_question *question, const soloist_puzzle *puzzle, float *value, bool *fits,
                  soloist_error *error) {
    struct evaluator *evaluator = question->network->evaluator;
    soloist_error misfit;
    soloist_shape shape = {0};
    puzzle->domain->life->shape(puzzle->instance, &shape);
    void *state = calloc(1, shape.state_size);
    if (!state)
        return soloist_fail(error, 0, 0, "out of memory");
    puzzle->domain->life->root(puzzle->instance, state);
    struct evaluation asked = {.instance = puzzle->instance, .state = state};
    errno = 0;
    *fits = evaluator->fits(evaluator, puzzle->instance, &misfit);
    bool starved = !*fits && errno == ENOMEM;
    if (starved)
        *error = misfit;
    bool good = *fits ? evaluator->judge(evaluator, &asked, 1, error) : !starved;
    if (*fits && !puzzle->domain->learn->whole_states)
        evaluator->forget(evaluator);
    *value = asked.value;
    free(state);
    return good;
}

static bool ask(const struct dead_question *question, const char *text, float *value, bool *fits,
                soloist_error *error) {
    soloist_puzzle puzzle;
    if (!game_puzzle_read(question->domain, question->options, text, strlen(text), &puzzle, error))
        return false;
    bool good = judge(question, &puzzle, value, fits, error);
    soloist_puzzle_free(&puzzle);
    return good;
}

bool dead_values_of(const struct dead_question *question, const char *text, size_t length, uint64_t seed,
                    struct dead_values *values, soloist_error *error) {
    struct dead_pair pair = {0};
    bool fits = true;
    *values = (struct dead_values){0};
    bool good =
        (question->by_search ? dead_by_search : dead_by_rules)(&question->maker, text, length, seed, &pair, error);
    if (good && pair.dead) {
        good = ask(question, pair.dead, &values->dead, &fits, error);
        if (good && fits && pair.live)
            good = ask(question, pair.live, &values->live, &fits, error);
        values->found = good && fits;
    }
    dead_pair_free(&pair);
    return good;
}
