#include "search/nested/bias.h"

#include "base/hash.h"
#include "base/real.h"

#include <string.h>

enum { seen_bits = 16, least_batch = 16, most_batch = 1024, usual_moves = 32, least_slots = 64 };
static const double lowest_prior = 1e-6;

/* A slot of the table: says where the factors of a state's moves are stored. */
struct bias_slot {
    uint64_t key; /* 0: free */
    uint32_t first;
    int32_t count; /* number of factors; -1: the state waits for the network */
};

struct nested_bias {
    struct search_run *run;
    const soloist_core *core;
    double factor;
    int depth, start_steps, steps;
    unsigned char *start, *state; /* the state where play-outs begin; the current state of this play-out */
    /* States that were seen once: each entry is a part of a key, and is overwritten by the next state with the same
     * index. */
    uint32_t seen[1 << seen_bits];
    struct bias_slot *slots;
    size_t slot_mask, slot_count;
    struct nested_factor *factors;
    size_t factor_room, factor_count;
    /* batch: size of a batch; count: number of states that wait for the network; waited: number of play-outs since the
     * first of them began to wait. */
    int batch, count, waited;
    unsigned char *states;
    struct evaluation *evaluations;
    soloist_move *moves;
    float *priors;
};

/* ---- life ---- */

static size_t state_size(const struct nested_bias *bias) { return memory_round_up(bias->run->shape.state_size); }

static bool take_batch(struct nested_bias *bias, struct memory *memory) {
    size_t most = (size_t)bias->run->shape.most_moves, batch = (size_t)bias->batch;
    bias->states = memory_take(memory, batch * state_size(bias));
    bias->evaluations = memory_take(memory, batch * sizeof *bias->evaluations);
    bias->moves = memory_take(memory, batch * most * sizeof *bias->moves);
    bias->priors = memory_take(memory, batch * most * sizeof *bias->priors);
    return bias->states && bias->evaluations && bias->moves && bias->priors;
}

static size_t table_size(size_t slots) {
    return slots * sizeof(struct bias_slot) + slots / 2 * usual_moves * sizeof(struct nested_factor);
}

/* Allocates memory for `states` states, or for fewer if memory is short: the tables of all threads together get at most
 * a quarter of what is left. */
static bool take_table(struct nested_bias *bias, struct memory *memory, size_t states) {
    size_t slots = least_slots, most = memory->limit;
    most = most ? (most - memory_used(memory)) / 4 / (size_t)bias->run->threads : SIZE_MAX;
    while (slots < 2 * states && table_size(2 * slots) <= most)
        slots *= 2;
    bias->slot_mask = slots - 1;
    bias->factor_room = slots / 2 * usual_moves + (size_t)bias->run->shape.most_moves;
    bias->slots = memory_take(memory, slots * sizeof *bias->slots);
    bias->factors = memory_take(memory, bias->factor_room * sizeof *bias->factors);
    return bias->slots && bias->factors;
}

struct nested_bias *nested_bias_open(struct search_run *run, double factor, int depth, size_t states) {
    struct memory *memory = &run->budget->memory;
    struct nested_bias *bias = memory_take(memory, sizeof *bias);
    if (!bias)
        return NULL;
    bias->run = run;
    bias->core = run->domain->core;
    bias->factor = factor;
    bias->depth = depth;
    int batch = run->evaluator->batch / run->threads;
    bias->batch = batch < least_batch ? least_batch : batch > most_batch ? most_batch : batch;
    bias->start = memory_take(memory, state_size(bias));
    bias->state = memory_take(memory, state_size(bias));
    if (bias->start && bias->state && take_batch(bias, memory) && take_table(bias, memory, states)) {
        nested_bias_start(bias);
        return bias;
    }
    nested_bias_close(bias);
    return NULL;
}

void nested_bias_close(struct nested_bias *bias) {
    if (!bias)
        return;
    struct memory *memory = &bias->run->budget->memory;
    size_t most = (size_t)bias->run->shape.most_moves, batch = (size_t)bias->batch;
    if (bias->slots)
        memory_give(memory, bias->slots, (bias->slot_mask + 1) * sizeof *bias->slots);
    if (bias->factors)
        memory_give(memory, bias->factors, bias->factor_room * sizeof *bias->factors);
    memory_give(memory, bias->priors, batch * most * sizeof *bias->priors);
    memory_give(memory, bias->moves, batch * most * sizeof *bias->moves);
    memory_give(memory, bias->evaluations, batch * sizeof *bias->evaluations);
    memory_give(memory, bias->states, batch * state_size(bias));
    memory_give(memory, bias->state, state_size(bias));
    memory_give(memory, bias->start, state_size(bias));
    memory_give(memory, bias, sizeof *bias);
}

/* ---- the current state of a play-out ---- */

void nested_bias_start(struct nested_bias *bias) {
    bias->run->domain->life->root(bias->run->instance, bias->start);
    bias->start_steps = 0;
}

void nested_bias_start_step(struct nested_bias *bias, soloist_move move) {
    if (bias->start_steps++ < bias->depth)
        bias->core->apply(bias->run->instance, bias->start, move, NULL);
}

void nested_bias_begin(struct nested_bias *bias) {
    bias->steps = bias->start_steps;
    if (bias->steps < bias->depth)
        memcpy(bias->state, bias->start, bias->run->shape.state_size);
}

void nested_bias_step(struct nested_bias *bias, soloist_move move) {
    if (++bias->steps < bias->depth)
        bias->core->apply(bias->run->instance, bias->state, move, NULL);
}

/* ---- the table ---- */

static struct bias_slot *find_slot(const struct nested_bias *bias, uint64_t key) {
    size_t at = hash_mix(key) & bias->slot_mask;
    while (bias->slots[at].key && bias->slots[at].key != key)
        at = (at + 1) & bias->slot_mask;
    return &bias->slots[at];
}

static void forget_all(struct nested_bias *bias) {
    memset(bias->slots, 0, (bias->slot_mask + 1) * sizeof *bias->slots);
    bias->slot_count = bias->factor_count = 0;
}

/* Queues the current state for the network. */
static void want(struct nested_bias *bias, struct bias_slot *slot, uint64_t key) {
    size_t most = (size_t)bias->run->shape.most_moves, k = (size_t)bias->count++;
    soloist_move *moves = bias->moves + k * most;
    unsigned char *state = bias->states + k * state_size(bias);
    memcpy(state, bias->state, bias->run->shape.state_size);
    bias->evaluations[k] = (struct evaluation){.instance = bias->run->instance,
                                               .state = state,
                                               .moves = moves,
                                               .move_count = bias->core->moves(bias->run->instance, state, moves),
                                               .priors = bias->priors + k * most};
    *slot = (struct bias_slot){key, 0, -1};
    bias->slot_count++;
}

bool nested_bias_find(struct nested_bias *bias, struct nested_factors *factors) {
    if (bias->steps >= bias->depth)
        return false;
    uint64_t key = bias->core->key(bias->run->instance, bias->state) | 1;
    struct bias_slot *slot = find_slot(bias, key);
    if (slot->key) {
        *factors = (struct nested_factors){bias->factors + slot->first, slot->count};
        return slot->count > 0;
    }
    uint64_t hash = hash_mix(key ^ UINT64_C(0x9e3779b97f4a7c15));
    uint32_t *seen = &bias->seen[hash >> (64 - seen_bits)];
    if (*seen == (uint32_t)hash && bias->count < bias->batch && 2 * bias->slot_count <= bias->slot_mask)
        want(bias, slot, key);
    *seen = (uint32_t)hash;
    return false;
}

/* Insertion sort, because lists of moves are nearly sorted. */
static void sort_by_move(struct nested_factor *factors, int count) {
    for (int i = 1; i < count; i++)
        for (int at = i; at && factors[at].move < factors[at - 1].move; at--) {
            struct nested_factor kept = factors[at];
            factors[at] = factors[at - 1];
            factors[at - 1] = kept;
        }
}

static void keep(struct nested_bias *bias, const struct evaluation *evaluation) {
    uint64_t key = bias->core->key(bias->run->instance, evaluation->state) | 1;
    struct bias_slot *slot = find_slot(bias, key);
    struct nested_factor *factors = bias->factors + bias->factor_count;
    for (int i = 0; i < evaluation->move_count; i++) {
        double prior = (double)evaluation->priors[i];
        prior = prior > lowest_prior ? prior : lowest_prior;
        factors[i] = (struct nested_factor){evaluation->moves[i], (float)real_exp(bias->factor * real_log(prior))};
    }
    sort_by_move(factors, evaluation->move_count);
    bias->slot_count += !slot->key;
    *slot = (struct bias_slot){key, (uint32_t)bias->factor_count, evaluation->move_count};
    bias->factor_count += (size_t)evaluation->move_count;
}

float nested_bias_factor(const struct nested_factors *factors, soloist_move move) {
    int low = 0, high = factors->count - 1;
    while (low < high) {
        int middle = (low + high) / 2;
        if (factors->factors[middle].move < move)
            low = middle + 1;
        else
            high = middle;
    }
    return factors->factors[low].factor;
}

/* A full table is emptied: states that still matter will soon be queued again. */
bool nested_bias_ask(struct nested_bias *bias, soloist_error *error) {
    size_t most = (size_t)bias->run->shape.most_moves;
    bool full = 2 * bias->slot_count > bias->slot_mask;
    bias->waited += bias->count > 0;
    if (bias->count < bias->batch && bias->waited < bias->batch && !full)
        return true;
    if (!search_evaluate(bias->run, bias->evaluations, bias->count, error))
        return false;
    if (full || bias->factor_count + (size_t)bias->count * most > bias->factor_room)
        forget_all(bias);
    for (int i = 0; i < bias->count; i++)
        if (bias->factor_count + most <= bias->factor_room)
            keep(bias, &bias->evaluations[i]);
    bias->count = bias->waited = 0;
    return true;
}
