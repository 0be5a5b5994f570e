/* Play-outs before an exact search: the higher the first score, the more states the bound cuts off. Play-out number i
 * uses random numbers from stream i of the seed. */
#include "search/score/score_to_beat.h"

static void play_once(struct search_run *run, int policy, uint64_t number, void *state, soloist_move *trace) {
    soloist_rng rng;
    soloist_rng_seed(&rng, run->seed, number);
    run->domain->life->root(run->instance, state);
    soloist_playout playout = run->domain->sample->playout(run->instance, state, policy, run->shape.most_steps, &rng,
                                                           trace, &run->budget->token);
    search_count_nodes(run, playout.length);
    atomic_fetch_add_explicit(&run->budget->playouts, 1, memory_order_relaxed);
    if (playout.ended)
        search_record(run, trace, (size_t)playout.length, playout.value);
}

void score_play_first(struct search_run *run, int64_t games) {
    struct memory *memory = &run->budget->memory;
    if (!run->domain->sample || !games)
        return;
    int policies = search_playout_kinds(run->domain->sample);
    size_t trace_size = (size_t)run->shape.most_steps * sizeof(soloist_move);
    void *state = memory_take(memory, run->shape.state_size);
    soloist_move *trace = memory_take(memory, trace_size);
    run->has_playouts = true;
    for (int64_t i = 0; state && trace && i < games && !run->optimal && !search_spent(run); i++)
        play_once(run, (int)(i % policies), (uint64_t)i, state, trace);
    memory_give(memory, state, run->shape.state_size);
    memory_give(memory, trace, trace_size);
}

bool score_has_end(const struct search_run *run) {
    return run->shape.most_steps > 0 ||
           soloist_fail(
               run->error, 0, 0,
               "a search that proves the highest score needs a game of limited length; that of %s is not limited",
               run->domain->name);
}
