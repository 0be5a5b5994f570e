/* Distributed NRPA (Negrevergne and Cazenave 2017): rank 0 makes the run. Whenever rank 0 calls the level that the
 * option `spread` names, all ranks make the same call with the same policy but different random numbers, and the best
 * line of all ranks is used. */
#include "search/nested/nested.h"

#include <string.h>

bool nested_is_spread(const struct nested *nested) {
    return nested->options->spread > 0 && nested->run->peers && nested->options->search == NESTED_NRPA;
}

/* ---- messages ---- */

struct call {
    int32_t level, rule;
    int64_t n;
};

static void put_call(struct buffer *parcel, const struct call *call, const struct nested_policy *policy) {
    parcel_put(parcel, call, sizeof *call);
    parcel_put(parcel, &policy->count, sizeof policy->count);
    for (size_t i = 0; policy->slots && i < (size_t)1 << policy->bits; i++)
        if (policy->slots[i].code)
            parcel_put(parcel, &policy->slots[i], sizeof *policy->slots);
}

/* False: memory is full, or it is not a call. */
static bool take_policy(struct parcel_reader *parcel, struct nested_policy *policy) {
    uint32_t count;
    struct nested_weight weight;
    parcel_take(parcel, &count, sizeof count);
    nested_policy_clear(policy);
    if (parcel->wrong || !nested_policy_reserve(policy, count + 1))
        return false;
    for (; count; count--) {
        parcel_take(parcel, &weight, sizeof weight);
        if (parcel->wrong)
            return false;
        *nested_policy_add(policy, weight.code) = weight;
    }
    return true;
}

/* The line of an answer as its moves; rank 0 replays them to know the choices that there were. */
static void put_line(struct buffer *parcel, const struct nested_line *line) {
    int32_t count = line->score == NESTED_NO_SCORE ? -1 : line->count;
    parcel_put(parcel, &line->score, sizeof line->score);
    parcel_put(parcel, &count, sizeof count);
    for (int i = 0; i < count; i++)
        parcel_put(parcel, &line->steps[i].move, sizeof line->steps[i].move);
}

/* Keeps the line of an answer in worker->elite if it is better than *score. */
static void take_answer(struct nested_worker *worker, struct parcel_reader *parcel, int64_t *score) {
    int64_t found;
    int32_t count;
    parcel_take(parcel, &found, sizeof found);
    parcel_take(parcel, &count, sizeof count);
    if (parcel->wrong || count < 0 || count > worker->nested->length || found <= *score)
        return;
    parcel_take(parcel, worker->elite, (size_t)count * sizeof *worker->elite);
    if (parcel->wrong)
        return;
    worker->elite_count = count;
    *score = found;
}

/* ---- rank 0 ---- */

/* Waits for the answers of all other ranks. Returns whether one is better than this rank's own line, which is then in
 * worker->elite. */
static bool await_answers(struct nested_worker *worker, int64_t score) {
    struct nested *nested = worker->nested;
    struct together *together = &nested->team->together;
    int64_t best = score;
    while (together->awaited && !search_spent(nested->run)) {
        struct parcel_reader parcel;
        if (together_next(together, &parcel, nested_adopt, nested))
            take_answer(worker, &parcel, &best);
        else
            together_wait(together);
    }
    return best > score;
}

void nested_call_ranks(struct nested_worker *worker, int level, const struct nested_policy *policy, int64_t n) {
    struct call call = {level, worker->rule, n};
    struct buffer parcel;
    buffer_open(&parcel);
    put_call(&parcel, &call, policy);
    together_call(&worker->nested->team->together, &parcel);
    nested_call(worker, level, policy, n);
    struct nested_level *called = &worker->levels[level];
    if (worker->stopped || !await_answers(worker, called->best.score))
        return;
    if (!nested_replay(worker, worker->elite, worker->elite_count)) {
        worker->full = worker->stopped = true;
        return;
    }
    if (worker->line.count == worker->elite_count && worker->line.score > called->best.score)
        nested_line_swap(&called->best, &worker->line);
}

/* ---- other ranks ---- */

static void answer_call(struct nested_worker *worker, struct parcel_reader *parcel, uint64_t number) {
    struct nested_policy policy;
    struct call call;
    struct buffer answer;
    nested_policy_open(&policy, &worker->nested->run->budget->memory);
    parcel_take(parcel, &call, sizeof call);
    bool good =
        !parcel->wrong && call.level > 0 && call.level < worker->nested->options->level && take_policy(parcel, &policy);
    nested_line_clear(&worker->levels[worker->nested->options->spread].best);
    if (good && !worker->stopped) {
        nested_begin(worker, number, call.rule);
        nested_call(worker, call.level, &policy, call.n);
    }
    nested_policy_close(&policy);
    buffer_open(&answer);
    put_line(&answer, &worker->levels[worker->nested->options->spread].best);
    together_answer(&worker->nested->team->together, &answer);
}

/* After its own limits are spent, a rank still answers, with nothing, so that rank 0 does not wait for it. */
void nested_assist(struct nested_worker *worker) {
    struct nested *nested = worker->nested;
    struct together *together = &nested->team->together;
    struct parcel_reader parcel;
    uint64_t number = 0;
    while (!together->over && atomic_load(&nested->run->budget->stop) != SOLOIST_STOP_CANCEL) {
        if (together_next(together, &parcel, nested_adopt, nested))
            answer_call(worker, &parcel, number++);
        else if (stop_token_is_stopped(nested->run->budget->limits.stop))
            budget_stop(nested->run->budget, SOLOIST_STOP_CANCEL);
        else
            together_wait(together);
    }
}
