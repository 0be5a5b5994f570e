/* Lets a network evaluate states that a program gives (soloist_network_evaluate). */
#include "search/evaluator.h"
#include "soloist_tools.h"

#include <stdlib.h>
#include <string.h>

/* One call: the states are asked in groups of the size that the network likes best. */
struct asking {
    struct evaluator *evaluator;
    const soloist_puzzle *puzzle;
    size_t state_size;
    int most_moves, room; /* maximum number of states of a group */
    soloist_move *moves;  /* most_moves per state of a group */
    float *priors;        /* the same; used if the caller wants none */
    struct evaluation *evaluations;
    int *places; /* the number of each state of a group in the caller's list */
    int waiting; /* states of the present group */
};

static bool open_asking(struct asking *asking, soloist_network *network, const soloist_puzzle *puzzle, int count) {
    soloist_shape shape = {0};
    puzzle->domain->life->shape(puzzle->instance, &shape);
    int best = network->evaluator->batch > 0 ? network->evaluator->batch : 1;
    int room = count < best ? count : best;
    size_t numbers = (size_t)room * (size_t)shape.most_moves;
    *asking = (struct asking){.evaluator = network->evaluator,
                              .puzzle = puzzle,
                              .state_size = shape.state_size,
                              .most_moves = shape.most_moves,
                              .room = room};
    asking->moves = malloc(numbers * sizeof *asking->moves + 1);
    asking->priors = malloc(numbers * sizeof *asking->priors + 1);
    asking->evaluations = malloc((size_t)room * sizeof *asking->evaluations + 1);
    asking->places = malloc((size_t)room * sizeof *asking->places + 1);
    return asking->moves && asking->priors && asking->evaluations && asking->places;
}

static void close_asking(struct asking *asking) {
    void *owned[] = {asking->moves, asking->priors, asking->evaluations, asking->places};
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++)
        free(owned[i]);
}

static bool ask_group(struct asking *asking, float *values, soloist_error *error) {
    struct evaluator *evaluator = asking->evaluator;
    if (asking->waiting && !evaluator->judge(evaluator, asking->evaluations, asking->waiting, error))
        return false;
    for (int i = 0; i < asking->waiting; i++)
        values[asking->places[i]] = asking->evaluations[i].value;
    asking->waiting = 0;
    return true;
}

/* Adds a state to the group, or answers at once if there is nothing left to play. */
static void add_state(struct asking *asking, const void *states, int number, float *priors, float *values) {
    const soloist_domain *domain = asking->puzzle->domain;
    const soloist_instance *instance = asking->puzzle->instance;
    const unsigned char *state = (const unsigned char *)states + (size_t)number * asking->state_size;
    size_t at = (size_t)asking->waiting * (size_t)asking->most_moves;
    int32_t last;
    bool ended = domain->core->ended(instance, state, &last);
    int count = ended ? 0 : domain->core->moves(instance, state, asking->moves + at);
    if (!count) {
        values[number] = ended && domain->aim == SOLOIST_LEAST_COST ? 1 : 0;
        return;
    }
    asking->places[asking->waiting] = number;
    asking->evaluations[asking->waiting++] = (struct evaluation){
        .instance = instance,
        .state = state,
        .moves = asking->moves + at,
        .move_count = count,
        .priors = priors ? priors + (size_t)number * (size_t)asking->most_moves : asking->priors + at,
    };
}

soloist_code soloist_network_evaluate(soloist_network *network, const soloist_puzzle *puzzle, const void *states,
                                      int count, float *priors, float *values, soloist_error *error) {
    struct asking asking;
    if (!network || !puzzle || count < 0 || (count && (!states || !values))) {
        soloist_fail(error, 0, 0, "soloist_network_evaluate needs a network, a puzzle, states and room for values");
        return SOLOIST_MISUSE;
    }
    soloist_error spare = {0};
    error = error ? error : &spare;
    if (!soloist_network_fits(network, puzzle, error))
        return SOLOIST_BAD_INPUT;
    bool good = open_asking(&asking, network, puzzle, count);
    soloist_code code = good ? SOLOIST_OK : SOLOIST_NO_MEMORY;
    if (!good)
        soloist_fail(error, 0, 0, "no memory to evaluate %d states", count);
    for (int i = 0; good && i < count; i++) {
        add_state(&asking, states, i, priors, values);
        good = asking.waiting < asking.room || ask_group(&asking, values, error);
    }
    good = good && ask_group(&asking, values, error);
    close_asking(&asking);
    /* The caller may free the puzzle at any time. */
    if (!puzzle->domain->learn->whole_states)
        network->evaluator->forget(network->evaluator);
    return good ? SOLOIST_OK : code == SOLOIST_OK ? SOLOIST_INTERNAL : code;
}
