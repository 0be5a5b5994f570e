/* Simulation (S12). A leaf is evaluated by play-outs (the domain's own, or play-outs by the core: random, eps-greedy or
 * eps-IDA*), by its own reward, or by the best reward that a short breadth-first search finds. */
#include "search/mcts/mcts.h"

#include "search/guided/questions.h"

#include <string.h>

/* Lists every legal move if mcts->listed; otherwise the children that the domain's expand returns, which may be fewer.
 */
int mcts_list(struct mcts_worker *worker, soloist_move last) {
    const struct search_run *run = worker->mcts->run;
    const soloist_core *core = run->domain->core;
    if (worker->mcts->listed)
        return core->moves(run->instance, worker->state, worker->moves);
    unsigned wanted = SOLOIST_WANT_KEY;
    if (worker->mcts->valued)
        wanted |= SOLOIST_WANT_BOUND;
    int count = search_expand(run, core, worker->state, last, wanted, worker->children);
    for (int i = 0; i < count; i++)
        worker->moves[i] = worker->children[i].move;
    return count;
}

double mcts_worth(const struct mcts *mcts, int32_t bound, int32_t path) {
    return bound == SOLOIST_DEAD ? mcts->dead_value : -(double)bound - mcts->path_weight * path;
}

static void fail(struct mcts_team *team, const soloist_error *error) {
    pthread_mutex_lock(&team->lock);
    if (!atomic_load(&team->failed))
        team->error = *error;
    atomic_store(&team->failed, true);
    atomic_store(&team->done, true);
    pthread_mutex_unlock(&team->lock);
}

/* The network's value at a leaf, as Kröger 2024 (chapter 7) proposes it for Schokoban: minus the estimated cost to go,
 * in the same unit as the bound. */
static double ask_network(const struct mcts *mcts, const void *state) {
    struct evaluation question = {.instance = mcts->run->instance, .state = state};
    soloist_error error = {0};
    int32_t last = 0;
    if (mcts->run->domain->core->ended(mcts->run->instance, state, &last))
        return 0;
    if (!search_evaluate(mcts->run, &question, 1, &error)) {
        fail(mcts->team, &error);
        return 0;
    }
    return -guided_cost_to_go(mcts->run->evaluator, (double)question.value);
}

/* The reward of a state that is reached after `steps` moves. */
static double reward_of(const struct mcts_worker *worker, const void *state, int steps) {
    const struct mcts *mcts = worker->mcts;
    const struct search_run *run = mcts->run;
    int32_t last = 0;
    if (mcts->learned)
        return ask_network(mcts, state);
    if (mcts->reward >= 0)
        return run->domain->reward->value(run->instance, mcts->reward, NULL, state, steps);
    if (!mcts->goal)
        return mcts_points(worker);
    if (mcts->solved || !run->domain->bound)
        return run->domain->core->ended(run->instance, state, &last);
    return mcts_worth(mcts, search_bound(run, run->domain->bound, state), worker->value);
}

double mcts_value(struct mcts_worker *worker) {
    return reward_of(worker, worker->state, (int)worker->mcts->game.count + worker->line_length);
}

bool mcts_note_end(struct mcts_worker *worker) {
    const struct search_run *run = worker->mcts->run;
    int32_t last = 0;
    if (!run->domain->core->ended(run->instance, worker->state, &last))
        return false;
    worker->value = search_sum(worker->value, last);
    worker->ended = true;
    return true;
}

/* A play-out by the domain's own function. */
static void play_own(struct mcts_worker *worker, int length) {
    struct mcts *mcts = worker->mcts;
    const struct search_run *run = mcts->run;
    soloist_playout playout =
        run->domain->sample->playout(run->instance, worker->state, mcts->policy, length, &worker->rng,
                                     worker->line + worker->line_length, &run->budget->token);
    worker->line_length += playout.length;
    worker->value = search_sum(worker->value, playout.value);
    worker->ended = playout.ended;
}

/* The index of the move that leads to the highest reward or, if the aim is a score, gains most; among equal moves the
 * first. */
static int greedy_place(struct mcts_worker *worker, int count) {
    const struct mcts *mcts = worker->mcts;
    const struct search_run *run = mcts->run;
    int best = 0, steps = (int)mcts->game.count + worker->line_length + 1;
    double best_value = 0;
    for (int i = 0; i < count && !search_must_break_off(mcts->run, &worker->looks); i++) {
        memcpy(worker->other, worker->state, run->shape.state_size);
        double value = run->domain->core->apply(run->instance, worker->other, worker->moves[i], NULL);
        if (mcts->goal)
            value = reward_of(worker, worker->other, steps);
        if (!i || value > best_value)
            best_value = value, best = i;
    }
    return best;
}

static int pick_place(struct mcts_worker *worker, int count) {
    const struct mcts_options *options = worker->mcts->options;
    enum mcts_simulate simulate = worker->mcts->simulate;
    bool guided = simulate == MCTS_SIMULATE_GREEDY || simulate == MCTS_SIMULATE_IDA_STAR;
    if (!guided || soloist_rng_unit(&worker->rng) < options->eps)
        return (int)soloist_rng_below(&worker->rng, (uint32_t)count);
    if (simulate == MCTS_SIMULATE_GREEDY)
        return greedy_place(worker, count);
    return mcts_ida_place(worker, count);
}

/* Plays one move of a play-out. Unless cycles are allowed, the move must not lead to a state that this iteration has
 * already visited. False: the play-out is over. */
static bool play_on(struct mcts_worker *worker, soloist_move last) {
    const struct search_run *run = worker->mcts->run;
    int cycles = worker->mcts->options->cycles, count = mcts_list(worker, last);
    while (count) {
        int place = pick_place(worker, count);
        soloist_move move = worker->moves[place];
        if (cycles != MCTS_CYCLES_KEPT) {
            memcpy(worker->other, worker->state, run->shape.state_size);
            run->domain->core->apply(run->instance, worker->other, move, NULL);
            if (!mcts_seen_add(worker, run->domain->core->key(run->instance, worker->other))) {
                if (cycles == MCTS_CYCLES_STOP)
                    return false;
                worker->moves[place] = worker->moves[--count];
                continue;
            }
        }
        return mcts_play(worker, move);
    }
    return false;
}

static void play_through_core(struct mcts_worker *worker, int length) {
    const struct mcts *mcts = worker->mcts;
    const struct search_run *run = mcts->run;
    const soloist_bound *bound = run->domain->bound;
    soloist_move last = worker->line_length ? worker->line[worker->line_length - 1] : SOLOIST_NO_MOVE;
    for (int i = 0; !mcts_note_end(worker) && i < length; i++) {
        if (search_must_break_off(mcts->run, &worker->looks))
            return;
        worker->broken_off = mcts_leaf_has_enough(mcts);
        if (worker->broken_off)
            return;
        if (mcts->listed && bound && bound->dead && bound->dead(run->instance, worker->state))
            return;
        if (!play_on(worker, last))
            return;
        last = worker->line[worker->line_length - 1];
    }
}

double mcts_play_out(struct mcts_worker *worker, int length) {
    struct mcts *mcts = worker->mcts;
    worker->broken_off = false;
    if (mcts->policy >= 0 && length > 0)
        play_own(worker, length);
    else
        play_through_core(worker, length);
    if (worker->broken_off)
        return 0;
    worker->counters.playouts++;
    if (worker->ended && !mcts->two_players)
        mcts_record(worker);
    return mcts->goal ? mcts_value(worker) : mcts_points(worker);
}

/* Forgets the states of the last play-out: only those on the path to the leaf count as visited. */
static void see_only_the_path(struct mcts_worker *worker, int length) {
    const struct search_run *run = worker->mcts->run;
    mcts_seen_clear(worker);
    memcpy(worker->other, worker->mcts->root_state, run->shape.state_size);
    mcts_seen_add(worker, run->domain->core->key(run->instance, worker->other));
    for (int i = 0; i < length; i++) {
        run->domain->core->apply(run->instance, worker->other, worker->line[i], NULL);
        mcts_seen_add(worker, run->domain->core->key(run->instance, worker->other));
    }
}

bool mcts_add_result(struct mcts_worker *worker, double result, int64_t wanted) {
    double share = worker->mcts->options->agree;
    int equal = 1;
    for (int i = 0; share > 0 && i < worker->result_count; i++)
        equal += worker->results[i] == result;
    worker->results[worker->result_count++] = result;
    return share > 0 && equal >= share * (double)wanted;
}

/* The mean of several play-outs from the same leaf; of at least one, if the run must stop. */
static double play_out_often(struct mcts_worker *worker, int64_t times) {
    struct search_run *run = worker->mcts->run;
    int length = worker->line_length;
    int32_t value = worker->value;
    double sum = 0;
    bool enough = false;
    memcpy(worker->leaf, worker->state, run->shape.state_size);
    worker->result_count = 0;
    for (int64_t i = 0; i < times && !enough && !(i && search_must_break_off(run, &worker->looks)); i++) {
        memcpy(worker->state, worker->leaf, run->shape.state_size);
        worker->line_length = length;
        worker->value = value;
        worker->ended = false;
        if (i && worker->mcts->options->cycles != MCTS_CYCLES_KEPT)
            see_only_the_path(worker, length);
        double result = mcts_play_out(worker, worker->mcts->length);
        sum += result;
        enough = mcts_add_result(worker, result, times);
    }
    return sum / worker->result_count;
}

/* The best reward of any state within a few moves of the leaf. A state that several lines reach is looked at again each
 * time. */
static double best_around(struct mcts_worker *worker, int depth) {
    const struct search_run *run = worker->mcts->run;
    double best = mcts_value(worker);
    int length = worker->line_length;
    if (mcts_note_end(worker)) {
        mcts_record(worker);
        worker->ended = false;
        return worker->mcts->goal ? best : mcts_points(worker);
    }
    soloist_move *moves = worker->around + (size_t)(depth > 0 ? depth - 1 : 0) * (size_t)run->shape.most_moves;
    int count = depth > 0 ? mcts_list(worker, length ? worker->line[length - 1] : SOLOIST_NO_MOVE) : 0;
    unsigned char *own = worker->around_states + (size_t)depth * run->shape.state_size;
    if (count) {
        memcpy(moves, worker->moves, (size_t)count * sizeof *moves);
        memcpy(own, worker->state, run->shape.state_size);
    }
    for (int i = 0; i < count && !search_must_break_off(worker->mcts->run, &worker->looks); i++) {
        int32_t value = worker->value;
        memcpy(worker->state, own, run->shape.state_size);
        if (!mcts_play(worker, moves[i]))
            break;
        double found = best_around(worker, depth - 1);
        best = found > best ? found : best;
        worker->line_length = length;
        worker->value = value;
    }
    return best;
}

double mcts_simulate(struct mcts_worker *worker) {
    const struct mcts_options *options = worker->mcts->options;
    if (worker->mcts->simulate == MCTS_SIMULATE_NONE)
        return mcts_value(worker);
    if (worker->mcts->simulate == MCTS_SIMULATE_BREADTH)
        return best_around(worker, (int)options->depth);
    if (worker->mcts->leaf.helpers)
        return mcts_leaf_lead(worker);
    return options->rollouts > 1 ? play_out_often(worker, options->rollouts)
                                 : mcts_play_out(worker, worker->mcts->length);
}
