/* Many simulations at once: each round begins as many as there are slots for and hands all that ask to the network in
 * one call, so that batches form. */
#include "search/policy/policy.h"

enum { asked_together = 4 };

bool policy_flight_open(struct policy_flight *flight, int count, struct memory *memory) {
    size_t number = (size_t)count;
    *flight = (struct policy_flight){.memory = memory, .count = count};
    flight->slots = memory_take(memory, number * sizeof *flight->slots);
    flight->asking = memory_take(memory, number * sizeof *flight->asking);
    flight->evaluations = memory_take(memory, number * sizeof *flight->evaluations);
    for (int i = 0; flight->slots && i < count; i++)
        policy_slot_open(&flight->slots[i], memory);
    return flight->slots && flight->asking && flight->evaluations;
}

void policy_flight_close(struct policy_flight *flight) {
    if (!flight->memory)
        return;
    size_t number = (size_t)flight->count;
    for (int i = 0; flight->slots && i < flight->count; i++)
        policy_slot_close(&flight->slots[i]);
    memory_give(flight->memory, flight->slots, number * sizeof *flight->slots);
    memory_give(flight->memory, flight->asking, number * sizeof *flight->asking);
    memory_give(flight->memory, flight->evaluations, number * sizeof *flight->evaluations);
}

/* Fills the free slots; how many simulations were over at once. */
static int begin(struct policy_flight *flight, struct policy_tree *tree, int64_t *may) {
    int done = 0;
    for (int i = 0; i < flight->count; i++)
        while (flight->slots[i].phase == POLICY_IDLE && *may > 0) {
            enum policy_step step = policy_tree_begin(tree, &flight->slots[i]);
            if (step == POLICY_BUSY || step == POLICY_OVER)
                return done;
            --*may;
            done += step == POLICY_DONE;
        }
    return done;
}

/* Judges the evaluations of slots that ask in one call. room: for as many evaluations. */
static bool judge(struct evaluator *evaluator, struct policy_slot *const *slots, int count, struct evaluation *room,
                  soloist_error *error) {
    for (int i = 0; i < count; i++)
        room[i] = slots[i]->evaluation;
    if (count && !evaluator->judge(evaluator, room, count, error))
        return false;
    for (int i = 0; i < count; i++)
        slots[i]->evaluation.value = room[i].value;
    return true;
}

void policy_flight_clear(struct policy_flight *flight, struct policy_tree *tree) {
    for (int i = 0; i < flight->count; i++)
        if (flight->slots[i].phase != POLICY_IDLE)
            policy_tree_abandon(tree, &flight->slots[i]);
}

/* Where few simulations ask (ask_visits), the others go on until some answers can be had in one go. */
static bool can_wait(const struct policy_flight *flight, const struct policy_tree *tree, int asking, int done) {
    int least = flight->count < asked_together ? flight->count : asked_together;
    return tree->ask_visits && done && asking < least;
}

int policy_flight_round(struct policy_flight *flight, struct policy_tree *tree, int64_t *may,
                        struct evaluator *evaluator, bool *waits, soloist_error *error) {
    int done = begin(flight, tree, may), asking = 0;
    for (int i = 0; i < flight->count; i++)
        if (flight->slots[i].phase != POLICY_IDLE)
            flight->asking[asking++] = &flight->slots[i];
    if (can_wait(flight, tree, asking, done))
        return done;
    if (!judge(evaluator, flight->asking, asking, flight->evaluations, error)) {
        policy_flight_clear(flight, tree);
        return -1;
    }
    *waits = !asking && !done;
    for (int i = 0; i < asking; i++)
        done += policy_tree_go_on(tree, flight->asking[i]) == POLICY_DONE;
    return done;
}
