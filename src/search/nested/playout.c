/* Play-outs by a policy: at each step a choice is played with probability proportional to its weight. A choice's weight
 * is looked up when the choice first becomes available, and is kept as long as the choice stays available. */
#include "search/nested/nested.h"

#include <string.h>

enum { lanes = 8 };

/* The weights are added up in eight lanes: index i belongs to lane i modulo 8. The random choice first finds the lane,
 * then the index in it. The speed is limited by additions that depend on each other; with eight lanes, their chain is
 * eight times shorter. */
int nested_draw(float *weights, int count, soloist_rng *rng) {
    float sums[lanes] = {0};
    memset(weights + count, 0, lanes * sizeof *weights);
    for (int i = 0; i < count; i += lanes)
        for (int l = 0; l < lanes; l++)
            sums[l] += weights[i + l];
    float total = ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
    float left = (float)(soloist_rng_next(rng) >> 40) * 0x1p-24f * total;
    int lane = 0, last = 0;
    while (lane < lanes - 1 && left >= sums[lane])
        left -= sums[lane++];
    for (int i = lane; i < count; i += lanes) {
        last = i;
        left -= weights[i];
        if (left < 0)
            break;
    }
    return last;
}

/* Stores the choices of a step in the line; looks up the weights of new choices. */
static void note_choices(struct nested_worker *worker, const struct nested_policy *policy, soloist_choice *choices,
                         int count) {
    struct nested_line *line = &worker->line;
    uint32_t *numbers = line->numbers + line->number_count;
    for (int i = 0; i < count; i++) {
        soloist_choice *choice = &choices[i];
        if (!choice->mark) {
            int32_t prior = choice->prior < NESTED_MOST_PRIOR ? choice->prior : NESTED_MOST_PRIOR - 1;
            float factor = worker->nested->prior_factor[prior];
            choice->mark = line->code_count++;
            line->codes[choice->mark] = (struct nested_code){choice->code, factor};
            choice->weight = policy ? nested_policy_find(policy, choice->code)->weight * factor : factor;
        }
        worker->weights[i] = choice->weight;
        numbers[i] = choice->mark;
    }
}

/* The same with a network's bias. The bias holds for this state only, so each choice gets a new number at this step. */
static void note_biased(struct nested_worker *worker, const struct nested_policy *policy, const soloist_choice *choices,
                        int count, const struct nested_factors *factors) {
    struct nested_line *line = &worker->line;
    uint32_t *numbers = line->numbers + line->number_count;
    for (int i = 0; i < count; i++) {
        const soloist_choice *choice = &choices[i];
        int32_t prior = choice->prior < NESTED_MOST_PRIOR ? choice->prior : NESTED_MOST_PRIOR - 1;
        float factor = worker->nested->prior_factor[prior] * nested_bias_factor(factors, choice->move);
        float weight = policy ? nested_policy_find(policy, choice->code)->weight : 1;
        numbers[i] = line->code_count++;
        line->codes[numbers[i]] = (struct nested_code){choice->code, factor};
        worker->weights[i] = weight * factor;
    }
}

static void note_step(struct nested_worker *worker, const struct nested_policy *policy, soloist_choice *choices,
                      int count) {
    struct nested_factors factors;
    if (worker->bias && nested_bias_find(worker->bias, &factors))
        note_biased(worker, policy, choices, count, &factors);
    else
        note_choices(worker, policy, choices, count);
}

static void note_chosen(struct nested_worker *worker, const soloist_choice *choices, int count, int chosen) {
    struct nested_line *line = &worker->line;
    line->steps[line->count++] =
        (struct nested_step){choices[chosen].move, line->numbers[line->number_count + (uint32_t)chosen],
                             line->number_count, (uint32_t)count};
    line->number_count += (uint32_t)count;
    line->value = search_sum(line->value, choices[chosen].gain);
    if (worker->bias)
        nested_bias_step(worker->bias, choices[chosen].move);
}

/* Sets the line's value and score at its end. */
static void finish(struct nested_worker *worker) {
    struct nested *nested = worker->nested;
    struct nested_line *line = &worker->line;
    int32_t last = 0;
    bool ended = nested_walk_ended(nested, worker->walk, &last);
    line->value = search_sum(line->value, last);
    line->ended = ended && search_fits(nested->run, line->value);
    line->score = nested_walk_score(nested, worker->walk, line->ended, line->value);
}

int nested_steps_left(struct nested_worker *worker) {
    int most = worker->nested->length - worker->prefix_count;
    return most > 0 ? (int)nested_claim_nodes(worker, (uint64_t)most) : most;
}

/* Sets the walk to the start of play-outs and clears the line. */
static void begin(struct nested_worker *worker) {
    nested_walk_copy(worker->nested, worker->walk, worker->start);
    nested_line_clear(&worker->line);
    worker->line.value = worker->prefix_value;
    if (worker->bias)
        nested_bias_begin(worker->bias);
}

static bool ask_network(struct nested_worker *worker) {
    soloist_error error = {0};
    if (!worker->bias || nested_bias_ask(worker->bias, &error))
        return true;
    nested_fail(worker, &error);
    return false;
}

bool nested_play_out(struct nested_worker *worker, const struct nested_policy *policy) {
    struct nested_line *line = &worker->line;
    soloist_choice *choices = worker->walk;
    int count = worker->start_count, most;
    if (!nested_may_begin(worker))
        return false;
    most = nested_steps_left(worker);
    begin(worker);
    while (count && line->count < most && !search_must_break_off(worker->nested->run, &worker->looks)) {
        if (!nested_line_reserve(line, (uint32_t)count)) {
            worker->full = worker->stopped = true;
            return false;
        }
        note_step(worker, policy, choices, count);
        int chosen = nested_draw(worker->weights, count, &worker->rng);
        note_chosen(worker, choices, count, chosen);
        count = nested_walk_play(worker, worker->walk, chosen);
    }
    finish(worker);
    nested_note(worker);
    return ask_network(worker);
}

bool nested_replay(struct nested_worker *worker, const soloist_move *moves, int length) {
    struct nested_line *line = &worker->line;
    soloist_choice *choices = worker->walk;
    int count = worker->start_count;
    begin(worker);
    for (int i = 0; i < length && count; i++) {
        int chosen = nested_place(choices, count, moves[i]);
        if (chosen < 0)
            break;
        if (!nested_line_reserve(line, (uint32_t)count)) {
            worker->full = worker->stopped = true;
            return false;
        }
        note_step(worker, NULL, choices, count);
        note_chosen(worker, choices, count, chosen);
        count = nested_walk_play(worker, worker->walk, chosen);
    }
    finish(worker);
    return true;
}

bool nested_replay_elite(struct nested_worker *worker) {
    worker->rule = 0;
    nested_start(worker, NULL, 0);
    return nested_replay(worker, worker->elite, worker->elite_count);
}
