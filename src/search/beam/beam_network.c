/* Beam search in which a network ranks the states: by the product of the network's priors along a line, with one
 * evaluation per state of the layer; or by the cost or score so far plus the network's prediction of the cost or score
 * still to come, with one evaluation per child.
 * Work that concerns only one child is done by a thread pool. Each thread asks for the evaluation of a chunk of states
 * at a time, and the network evaluates the chunks of all threads as one batch. Children that are the same state are
 * evaluated once (beam_merge.c). */
#include "search/beam/beam_layers.h"

#include "base/real.h"
#include "search/guided/questions.h"

#include <string.h>

/* log_units: a rank by priors is a natural logarithm in units of 1/64. least_chunk: for smaller chunks a round of the
 * pool would cost more than it saves. shares: number of chunks per thread in one round. */
enum { log_units = 64, cost_units = 16, least_chunk = 16, most_chunk = 512, shares = 2 };
static const double lowest_prior = 1e-9;

/* What one thread of the pool needs to work on a chunk. */
struct beam_clerk {
    struct evaluation *evaluations;
    size_t *of; /* the candidate that each evaluation belongs to */
    soloist_move *moves;
    float *priors;
    unsigned char *states, *packed;
    soloist_child *children;
    int32_t *guesses;
    soloist_error error;
    enum beam_next next;
};

/* The children of a chunk of entries. */
struct beam_share {
    struct beam_candidate *candidates; /* room for the children of a chunk of entries, most_moves per entry */
    size_t count;
    int generated;
    bool cut; /* some children that may lie on a better line were left out */
};

struct beam_guide {
    enum beam_score score;
    double scale; /* score that a network value of 1 stands for */
    double least_prior;
    size_t chunk, members, first;
    size_t clerk_size; /* bytes of one clerk's arrays */
    struct beam_clerk *clerks;
    unsigned char *blocks;
    struct beam_share *shares; /* an array with `shares` elements per thread of the pool */
    struct beam_candidate *candidates;
    _Atomic bool stopped;
};

/* ---- life ---- */

/* Places a clerk's arrays in its block and returns the size of the block. block NULL: only returns the size. */
static size_t lay_out(struct beam_clerk *clerk, unsigned char *block, const struct search_run *run, size_t chunk) {
    size_t at = 0, most = (size_t)run->shape.most_moves;
#define PART(field, size)                                                                                              \
    clerk->field = block ? (void *)(block + at) : NULL;                                                                \
    at += memory_round_up(size)
    PART(evaluations, chunk * sizeof *clerk->evaluations);
    PART(of, chunk * sizeof *clerk->of);
    PART(moves, chunk * most * sizeof *clerk->moves);
    PART(priors, chunk * most * sizeof *clerk->priors);
    PART(states, chunk * memory_round_up(run->shape.state_size));
    PART(packed, search_packed_size(run));
    PART(children, most * sizeof *clerk->children);
    PART(guesses, most * sizeof *clerk->guesses);
#undef PART
    return (at + 127) & ~(size_t)127;
}

static size_t candidate_room(const struct beam *beam) {
    const struct beam_guide *guide = beam->guide;
    return guide->members * shares * guide->chunk * (size_t)beam->whole->shape.most_moves;
}

bool beam_guide_open(struct beam *beam, enum beam_score score, double least_prior) {
    const struct search_run *run = beam->whole;
    struct beam_guide *guide = beam->guide = memory_take(beam->memory, sizeof *guide);
    if (!guide)
        return false;
    *guide = (struct beam_guide){.score = score, .least_prior = least_prior};
    size_t batch = (size_t)(run->evaluator->batch > 0 ? run->evaluator->batch : 1);
    size_t part = batch / (size_t)run->threads, least = batch < least_chunk ? batch : least_chunk;
    guide->scale = run->evaluator->value_scale > 0 ? run->evaluator->value_scale : 1;
    guide->chunk = part < least ? least : part > most_chunk ? most_chunk : part;
    guide->members = (size_t)thread_pool_size(beam->pool);
    struct beam_clerk none;
    guide->clerk_size = lay_out(&none, NULL, run, guide->chunk);
    guide->clerks = memory_take(beam->memory, guide->members * sizeof *guide->clerks);
    guide->blocks = memory_take(beam->memory, guide->members * guide->clerk_size);
    guide->shares = memory_take(beam->memory, guide->members * shares * sizeof *guide->shares);
    guide->candidates = memory_take(beam->memory, candidate_room(beam) * sizeof *guide->candidates);
    if (!guide->clerks || !guide->blocks || !guide->shares || !guide->candidates)
        return false;
    for (size_t i = 0; i < guide->members; i++)
        lay_out(&guide->clerks[i], guide->blocks + i * guide->clerk_size, run, guide->chunk);
    for (size_t i = 0; i < guide->members * shares; i++)
        guide->shares[i].candidates = guide->candidates + i * guide->chunk * (size_t)run->shape.most_moves;
    return true;
}

void beam_guide_close(struct beam *beam) {
    struct beam_guide *guide = beam->guide;
    if (!guide)
        return;
    memory_give(beam->memory, guide->candidates, candidate_room(beam) * sizeof *guide->candidates);
    memory_give(beam->memory, guide->shares, guide->members * shares * sizeof *guide->shares);
    memory_give(beam->memory, guide->blocks, guide->members * guide->clerk_size);
    memory_give(beam->memory, guide->clerks, guide->members * sizeof *guide->clerks);
    memory_give(beam->memory, guide, sizeof *guide);
    beam->guide = NULL;
}

/* ---- a round of the pool ---- */

/* Only the run's own thread checks the clock; when time is up, the rest of the round is skipped. */
static bool has_stopped(struct beam *beam, int member) {
    struct beam_guide *guide = beam->guide;
    if (member == 0 && budget_look(beam->whole->budget, &beam->whole->progress))
        atomic_store(&guide->stopped, true);
    return atomic_load_explicit(&guide->stopped, memory_order_relaxed);
}

static void fail(struct beam_guide *guide, struct beam_clerk *clerk, enum beam_next why) {
    clerk->next = why;
    atomic_store(&guide->stopped, true);
}

static bool judge(struct beam *beam, struct beam_clerk *clerk, size_t count) {
    if (search_evaluate(beam->whole, clerk->evaluations, (int)count, &clerk->error))
        return true;
    fail(beam->guide, clerk, BEAM_FAILED);
    return false;
}

static enum beam_next run_round(struct beam *beam, thread_pool_work work, size_t items) {
    struct beam_guide *guide = beam->guide;
    atomic_store(&guide->stopped, false);
    for (size_t i = 0; i < guide->members; i++)
        guide->clerks[i].next = BEAM_GO_ON;
    thread_pool_run(beam->pool, work, beam, items);
    for (size_t i = 0; i < guide->members; i++)
        if (guide->clerks[i].next != BEAM_GO_ON) {
            *beam->whole->error = guide->clerks[i].error;
            return guide->clerks[i].next;
        }
    return atomic_load(&guide->stopped) ? BEAM_SPENT : BEAM_GO_ON;
}

/* ---- entries: their children, and the network's priors for the moves ---- */

static bool judge_entries(struct beam *beam, struct beam_clerk *clerk, size_t from, size_t to) {
    size_t most = (size_t)beam->whole->shape.most_moves;
    for (size_t i = from, k = 0; i < to; i++, k++) {
        const void *state = beam_entry_at(beam, &beam->layer, i) + 1;
        soloist_move *moves = clerk->moves + k * most;
        clerk->evaluations[k] =
            (struct evaluation){.instance = beam->run->instance,
                                .state = state,
                                .moves = moves,
                                .move_count = beam->domain->core->moves(beam->run->instance, state, moves),
                                .priors = clerk->priors + k * most};
    }
    return judge(beam, clerk, to - from);
}

/* The prior of a child's move. Children come in the order of moves, but some moves may have no child; *place: index in
 * the list of moves at which the last call stopped. */
static double find_prior(const struct evaluation *evaluation, soloist_move move, int *place) {
    while (*place < evaluation->move_count && evaluation->moves[*place] != move)
        ++*place;
    return *place < evaluation->move_count ? (double)evaluation->priors[*place] : 0;
}

static double best_prior(const struct evaluation *evaluation) {
    float best = 0;
    for (int i = 0; i < evaluation->move_count; i++)
        best = evaluation->priors[i] > best ? evaluation->priors[i] : best;
    return (double)best;
}

/* The negative logarithm of the line's probability, in log_units. */
static int32_t rank_by_prior(const struct beam_entry *entry, double prior) {
    return entry->rank - (int32_t)(log_units * real_log(prior > lowest_prior ? prior : lowest_prior));
}

/* Adds an entry's children to the share. evaluation: the entry's, or NULL if it was not evaluated. */
static bool expand_entry(struct beam *beam, struct beam_clerk *clerk, struct beam_share *share, size_t index,
                         const struct evaluation *evaluation) {
    const struct beam_guide *guide = beam->guide;
    const struct beam_entry *entry = beam_entry_at(beam, &beam->layer, index);
    struct search_run run = {.domain = beam->domain, .error = &clerk->error};
    int count = beam_expand(beam, entry, clerk->children, clerk->guesses), place = 0;
    double least = evaluation ? best_prior(evaluation) * guide->least_prior : 0;
    share->generated += count;
    for (int c = 0; c < count; c++) {
        const soloist_child *child = &clerk->children[c];
        double prior = evaluation ? find_prior(evaluation, child->move, &place) : 1;
        int32_t value = search_sum(entry->value, child->step);
        if (beam->goal && !search_add_cost(&run, entry->value, child->step, &value))
            return false;
        if (!search_fits(beam->whole, value))
            continue;
        if (beam_is_hopeless(beam, value, child))
            continue;
        if (prior < least)
            share->cut = true;
        else
            share->candidates[share->count++] =
                (struct beam_candidate){child->key, (uint32_t)index, child->move, value,
                                        guide->score == BEAM_SCORE_PRIORS ? rank_by_prior(entry, prior) : 0};
    }
    return true;
}

static void expand_chunk(void *user, int member, size_t item) {
    struct beam *beam = user;
    struct beam_guide *guide = beam->guide;
    struct beam_clerk *clerk = &guide->clerks[member];
    struct beam_share *share = &guide->shares[item];
    size_t from = guide->first + item * guide->chunk, to = from + guide->chunk;
    bool judged = guide->score == BEAM_SCORE_PRIORS || guide->least_prior > 0;
    to = to < beam->layer.count ? to : beam->layer.count;
    share->count = 0;
    share->generated = 0;
    share->cut = false;
    if (has_stopped(beam, member) || (judged && !judge_entries(beam, clerk, from, to)))
        return;
    for (size_t i = from; i < to; i++)
        if (!expand_entry(beam, clerk, share, i, judged ? &clerk->evaluations[i - from] : NULL)) {
            fail(guide, clerk, BEAM_REFUSED);
            return;
        }
}

/* Joins the children of all shares in one list, in the order of the entries. */
static enum beam_next gather(struct beam *beam, size_t items) {
    struct beam_guide *guide = beam->guide;
    for (size_t i = 0; i < items; i++) {
        const struct beam_share *share = &guide->shares[i];
        if (!beam_reserve_candidates(beam, share->count))
            return BEAM_FULL;
        if (share->count)
            memcpy(beam->candidates + beam->candidate_count, share->candidates,
                   share->count * sizeof *share->candidates);
        beam->candidate_count += share->count;
        beam->dropped |= share->cut;
        search_count_nodes(beam->whole, share->generated);
    }
    return search_spent(beam->whole) ? BEAM_SPENT : BEAM_GO_ON;
}

static enum beam_next expand_all(struct beam *beam) {
    struct beam_guide *guide = beam->guide;
    size_t step = guide->chunk * guide->members * shares;
    enum beam_next next = BEAM_GO_ON;
    for (guide->first = 0; guide->first < beam->layer.count && next == BEAM_GO_ON; guide->first += step) {
        size_t count = beam->layer.count - guide->first < step ? beam->layer.count - guide->first : step;
        size_t items = (count + guide->chunk - 1) / guide->chunk;
        next = run_round(beam, expand_chunk, items);
        if (next == BEAM_GO_ON) {
            search_count_expanded(beam->whole, count);
            next = gather(beam, items);
        }
    }
    return next;
}

/* ---- candidates: their network values ---- */

/* The rank of a line whose whole cost or score is predicted to be `value`. Costs are counted in sixteenths, because
 * many states of a layer differ by less than a step. */
static int32_t rank_by_value(const struct beam *beam, double value) {
    double rank = beam->goal ? value * cost_units : -value;
    return rank > 1e9 ? 1000000000 : rank < -1e9 ? -1000000000 : (int32_t)rank;
}

/* What the network predicts still to come. */
static double predicted(const struct beam *beam, double value) {
    return beam->goal ? guided_cost_to_go(beam->whole->evaluator, value) : beam->guide->scale * value;
}

/* Makes the child; true if the network is to evaluate it. The rank of a child where play has ended is its score. A
 * child that was kept before with at least this score gets the worst rank. */
static bool make_child(struct beam *beam, struct beam_clerk *clerk, struct beam_candidate *candidate, void *state) {
    const struct search_run *run = beam->run;
    int32_t last = 0;
    memcpy(state, beam_entry_at(beam, &beam->layer, candidate->parent) + 1, run->shape.state_size);
    beam->domain->core->apply(run->instance, state, candidate->move, NULL);
    if (beam->domain->core->ended(run->instance, state, &last)) {
        candidate->rank = rank_by_value(beam, (double)candidate->value + last);
        return false;
    }
    search_pack(run, state, clerk->packed);
    uint32_t seen = table_find(&beam->seen, candidate->key, clerk->packed);
    if (seen == POOL_NONE || search_better(run, candidate->value, *(const int32_t *)table_extra(&beam->seen, seen)))
        return true;
    candidate->rank = INT32_MAX;
    return false;
}

static void judge_chunk(void *user, int member, size_t item) {
    enum { ahead = 8 };
    struct beam *beam = user;
    struct beam_guide *guide = beam->guide;
    struct beam_clerk *clerk = &guide->clerks[member];
    size_t size = memory_round_up(beam->run->shape.state_size), count = 0, from = item * guide->chunk;
    if (has_stopped(beam, member))
        return;
    for (size_t i = from; i < from + guide->chunk && i < beam->candidate_count; i++) {
        void *state = clerk->states + count * size;
        if (i + ahead < beam->candidate_count)
            table_prefetch(&beam->seen, beam->candidates[i + ahead].key);
        if (beam->order[i] != i || !make_child(beam, clerk, &beam->candidates[i], state))
            continue;
        clerk->of[count] = i;
        clerk->evaluations[count++] = (struct evaluation){.instance = beam->run->instance, .state = state};
    }
    if (!judge(beam, clerk, count))
        return;
    for (size_t k = 0; k < count; k++) {
        struct beam_candidate *candidate = &beam->candidates[clerk->of[k]];
        candidate->rank = rank_by_value(beam, candidate->value + predicted(beam, (double)clerk->evaluations[k].value));
    }
}

/* A candidate that is the same state as its leader has the leader's rank, adjusted by the difference of their costs or
 * scores. */
static void rank_others(struct beam *beam) {
    for (size_t i = 0; i < beam->candidate_count; i++) {
        struct beam_candidate *candidate = &beam->candidates[i], *leader = &beam->candidates[beam->order[i]];
        if (candidate != leader)
            candidate->rank = leader->rank == INT32_MAX ? INT32_MAX
                                                        : leader->rank + rank_by_value(beam, candidate->value) -
                                                              rank_by_value(beam, leader->value);
    }
}

enum beam_next beam_guide_layer(struct beam *beam) {
    struct beam_guide *guide = beam->guide;
    enum beam_next next = expand_all(beam);
    if (next != BEAM_GO_ON || guide->score != BEAM_SCORE_VALUES)
        return next;
    if (!beam_merge(beam))
        return BEAM_FULL;
    next = run_round(beam, judge_chunk, (beam->candidate_count + guide->chunk - 1) / guide->chunk);
    if (next == BEAM_GO_ON)
        rank_others(beam);
    return next;
}
