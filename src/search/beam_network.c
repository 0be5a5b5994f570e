/* A beam that a network ranks: by how likely it thinks all moves of a line were, one judgement a state of the layer; or
 * by the score so far with what it expects to come, one judgement a child. States go to the network a batch at a
 * time. */
#include "search/beam_layers.h"

#include "base/real.h"
#include "search/evaluator.h"

#include <pthread.h>
#include <string.h>

/* Ranks of likelihood: parts of a natural logarithm. */
enum { log_units = 64, most_threads = 64, least_part = 8 };
static const double least_prior = 1e-9;

bool beam_guide_open(struct beam *beam, enum beam_score score) {
    struct beam_guide *guide = &beam->guide;
    const struct search_run *run = beam->whole;
    *guide = (struct beam_guide){.score = score};
    if (score == BEAM_SCORE_BOUND || score == BEAM_SCORE_PLAYOUTS)
        return true;
    guide->scale = run->evaluator->value_scale > 0 ? run->evaluator->value_scale : 1;
    guide->room = (size_t)(run->evaluator->batch > 0 ? run->evaluator->batch : 1) * (size_t)run->threads;
    size_t moves = guide->room * (size_t)run->shape.most_moves;
    guide->evaluations = memory_take(beam->memory, guide->room * sizeof *guide->evaluations);
    guide->of = memory_take(beam->memory, guide->room * sizeof *guide->of);
    guide->moves = memory_take(beam->memory, moves * sizeof *guide->moves);
    guide->priors = memory_take(beam->memory, moves * sizeof *guide->priors);
    guide->states = memory_take(beam->memory, guide->room * memory_round_up(run->shape.state_size));
    return guide->evaluations && guide->of && guide->moves && guide->priors && guide->states;
}

void beam_guide_close(struct beam *beam) {
    struct beam_guide *guide = &beam->guide;
    size_t moves = guide->room * (size_t)beam->whole->shape.most_moves;
    memory_give(beam->memory, guide->evaluations, guide->room * sizeof *guide->evaluations);
    memory_give(beam->memory, guide->of, guide->room * sizeof *guide->of);
    memory_give(beam->memory, guide->moves, moves * sizeof *guide->moves);
    memory_give(beam->memory, guide->priors, moves * sizeof *guide->priors);
    memory_give(beam->memory, guide->states, guide->room * memory_round_up(beam->whole->shape.state_size));
}

/* Adds a state to those to be judged; false: it has no moves. */
static bool add(struct beam *beam, const void *state, size_t of) {
    struct beam_guide *guide = &beam->guide;
    size_t most = (size_t)beam->whole->shape.most_moves;
    soloist_move *moves = guide->moves + guide->count * most;
    int count = beam->domain->core->moves(beam->run->instance, state, moves);
    if (!count)
        return false;
    guide->of[guide->count] = of;
    guide->evaluations[guide->count] = (struct evaluation){.instance = beam->run->instance,
                                                           .state = state,
                                                           .moves = moves,
                                                           .move_count = count,
                                                           .priors = guide->priors + guide->count * most};
    guide->count++;
    return true;
}

/* A thread's part of the states. */
struct part {
    struct evaluator *evaluator;
    struct evaluation *evaluations;
    int count;
    bool good;
    soloist_error error;
};

static void *judge_part(void *argument) {
    struct part *part = argument;
    part->good = part->evaluator->judge(part->evaluator, part->evaluations, part->count, &part->error);
    return NULL;
}

/* The run's threads share the work: making planes and reading priors takes longer than a graphics card does. */
static bool judge(struct beam *beam) {
    struct beam_guide *guide = &beam->guide;
    struct part parts[most_threads];
    pthread_t threads[most_threads];
    int count = (int)guide->count, wanted = beam->whole->threads, started = 0;
    wanted = count / least_part < wanted ? count / least_part : wanted;
    wanted = wanted < 1 ? 1 : wanted < most_threads ? wanted : most_threads;
    for (int i = 0; i < wanted; i++) {
        int from = (int)((int64_t)count * i / wanted), to = (int)((int64_t)count * (i + 1) / wanted);
        parts[i] = (struct part){beam->whole->evaluator, guide->evaluations + from, to - from, true, {0}};
    }
    while (started < wanted - 1 && !pthread_create(&threads[started], NULL, judge_part, &parts[started]))
        started++;
    for (int i = started; count && i < wanted; i++)
        judge_part(&parts[i]);
    bool good = true;
    for (int i = 0; i < wanted; i++) {
        if (i < started)
            pthread_join(threads[i], NULL);
        if (!parts[i].good)
            *beam->whole->error = parts[i].error;
        good = good && parts[i].good;
    }
    return good;
}

/* ---- by priors ---- */

bool beam_guide_entries(struct beam *beam, size_t first) {
    struct beam_guide *guide = &beam->guide;
    guide->count = 0;
    guide->first = first;
    for (size_t i = first; i < beam->layer.count && i < first + guide->room; i++)
        add(beam, beam_entry_at(beam, &beam->layer, i) + 1, i);
    return judge(beam);
}

int32_t beam_guide_rank(const struct beam *beam, size_t index, soloist_move move) {
    const struct beam_guide *guide = &beam->guide;
    size_t k = index - guide->first < guide->count ? index - guide->first : guide->count;
    while (k && (k == guide->count || guide->of[k] > index))
        k--;
    const struct evaluation *evaluation = &guide->evaluations[k];
    for (int i = 0; i < evaluation->move_count; i++)
        if (evaluation->moves[i] == move) {
            double prior = (double)evaluation->priors[i], units = log_units;
            return beam_entry_at(beam, &beam->layer, index)->rank -
                   (int32_t)(units * real_log(prior > least_prior ? prior : least_prior));
        }
    return INT32_MAX;
}

/* ---- by values ---- */

static void take_values(struct beam *beam) {
    struct beam_guide *guide = &beam->guide;
    for (size_t k = 0; k < guide->count; k++) {
        struct beam_candidate *candidate = &beam->candidates[guide->of[k]];
        double score = candidate->value + guide->scale * (double)guide->evaluations[k].value;
        candidate->rank = score > 1e9 ? -1000000000 : score < -1e9 ? 1000000000 : -(int32_t)score;
    }
    guide->count = 0;
}

/* A child that has ended is worth what it is. */
static void add_child(struct beam *beam, size_t index) {
    const struct search_run *run = beam->run;
    struct beam_candidate *candidate = &beam->candidates[index];
    unsigned char *state = beam->guide.states + beam->guide.count * memory_round_up(run->shape.state_size);
    int32_t last = 0;
    memcpy(state, beam_entry_at(beam, &beam->layer, candidate->parent) + 1, run->shape.state_size);
    beam->domain->core->apply(run->instance, state, candidate->move, NULL);
    if (beam->domain->core->ended(run->instance, state, &last) || !add(beam, state, index))
        candidate->rank = -(candidate->value + last);
}

enum beam_next beam_guide_candidates(struct beam *beam) {
    struct beam_guide *guide = &beam->guide;
    guide->count = 0;
    for (size_t i = 0; i < beam->candidate_count; i++) {
        add_child(beam, i);
        if (guide->count < guide->room && i + 1 < beam->candidate_count)
            continue;
        if (!judge(beam))
            return BEAM_FAILED;
        take_values(beam);
        if (search_spent(beam->whole))
            return BEAM_SPENT;
    }
    return BEAM_GO_ON;
}
