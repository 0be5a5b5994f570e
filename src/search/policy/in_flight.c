/* Many simulations at once: each round begins as many simulations as there is room for. All states that these
 * simulations need evaluated go to the network as one batch. */
#include "search/policy/policy.h"

#include <errno.h>

enum { asked_together = 4 };

bool policy_in_flight_open(struct policy_in_flight *in_flight, int count, struct memory *memory) {
    size_t number = (size_t)count;
    *in_flight = (struct policy_in_flight){.memory = memory, .count = count};
    in_flight->simulations = memory_take(memory, number * sizeof *in_flight->simulations);
    in_flight->asking = memory_take(memory, number * sizeof *in_flight->asking);
    in_flight->evaluations = memory_take(memory, number * sizeof *in_flight->evaluations);
    for (int i = 0; in_flight->simulations && i < count; i++)
        policy_simulation_open(&in_flight->simulations[i], memory);
    return in_flight->simulations && in_flight->asking && in_flight->evaluations;
}

void policy_in_flight_close(struct policy_in_flight *in_flight) {
    if (!in_flight->memory)
        return;
    size_t number = (size_t)in_flight->count;
    for (int i = 0; in_flight->simulations && i < in_flight->count; i++)
        policy_simulation_close(&in_flight->simulations[i]);
    memory_give(in_flight->memory, in_flight->simulations, number * sizeof *in_flight->simulations);
    memory_give(in_flight->memory, in_flight->asking, number * sizeof *in_flight->asking);
    memory_give(in_flight->memory, in_flight->evaluations, number * sizeof *in_flight->evaluations);
}

/* Begins a simulation in every idle struct; returns how many of them ended without needing the network. */
static int begin(struct policy_in_flight *in_flight, struct policy_tree *tree, int64_t *may) {
    int done = 0;
    for (int i = 0; i < in_flight->count; i++)
        while (in_flight->simulations[i].phase == POLICY_IDLE && *may > 0) {
            enum policy_step step = policy_tree_begin(tree, &in_flight->simulations[i]);
            if (step == POLICY_BUSY || step == POLICY_OVER)
                return done;
            --*may;
            done += step == POLICY_DONE;
        }
    return done;
}

/* Evaluates the states of the first `count` simulations that ask. Returns how many of them were evaluated: fewer if the
 * tree's token was stopped, -1 with an error if the network failed. */
static int judge(struct policy_in_flight *in_flight, struct policy_tree *tree, struct evaluator *evaluator, int count,
                 soloist_error *error) {
    for (int i = 0; i < count; i++)
        in_flight->evaluations[i] = in_flight->asking[i]->evaluation;
    int judged =
        count ? search_judge_in_parts(evaluator, tree->instance, tree->stop, in_flight->evaluations, count, error) : 0;
    if (judged < 0 && errno == ENOMEM)
        policy_tree_fill(tree);
    for (int i = 0; i < judged; i++)
        in_flight->asking[i]->evaluation.value = in_flight->evaluations[i].value;
    return judged;
}

int policy_in_flight_clear(struct policy_in_flight *in_flight, struct policy_tree *tree) {
    int abandoned = 0;
    for (int i = 0; i < in_flight->count; i++) {
        if (in_flight->simulations[i].phase == POLICY_IDLE)
            continue;
        policy_tree_abandon(tree, &in_flight->simulations[i]);
        abandoned++;
    }
    return abandoned;
}

/* With ask_visits only few simulations need the network; then the others continue until there are enough states for a
 * batch. */
static bool can_wait(const struct policy_in_flight *in_flight, const struct policy_tree *tree, int asking, int done) {
    int least = in_flight->count < asked_together ? in_flight->count : asked_together;
    return tree->ask_visits && done && asking < least;
}

int policy_in_flight_round(struct policy_in_flight *in_flight, struct policy_tree *tree, int64_t *may,
                           struct evaluator *evaluator, bool *waits, soloist_error *error) {
    int done = begin(in_flight, tree, may), asking = 0;
    for (int i = 0; i < in_flight->count; i++)
        if (in_flight->simulations[i].phase != POLICY_IDLE)
            in_flight->asking[asking++] = &in_flight->simulations[i];
    in_flight->asked = 0;
    if (can_wait(in_flight, tree, asking, done))
        return done;
    int judged = judge(in_flight, tree, evaluator, asking, error);
    if (judged < 0) {
        policy_in_flight_clear(in_flight, tree);
        return -1;
    }
    in_flight->asked = (uint64_t)judged;
    *waits = !asking && !done;
    for (int i = 0; i < judged; i++)
        done += policy_tree_go_on(tree, in_flight->asking[i]) == POLICY_DONE;
    return done;
}
