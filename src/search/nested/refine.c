/* Refines a line, by repeating the following: the first moves of the line are kept, a policy is adapted to the rest of
 * the line, and a short run that begins after the kept moves looks for a better line. */
#include "search/nested/nested.h"

static void set_elite(struct nested_worker *worker, const struct nested_line *line) {
    worker->elite_count = nested_whole(worker, line, worker->elite);
    worker->elite_score = line->score;
}

/* Adapts a new policy `times` times to the part of the line after its first `from` moves. */
static bool pull(struct nested_worker *worker, struct nested_policy *policy, int from, int64_t times) {
    if (!nested_replay(worker, worker->elite + from, worker->elite_count - from))
        return false;
    nested_policy_clear(policy);
    for (int64_t i = 0; i < times; i++)
        if (!nested_adapt_to(worker, policy, &worker->line))
            return false;
    return true;
}

void nested_refine(struct nested_worker *worker, int level, uint64_t playouts) {
    const struct nested_options *options = worker->nested->options;
    uint64_t until = worker->done + playouts;
    int own = (int)options->refine_level;
    struct nested_level *top = &worker->levels[own];
    set_elite(worker, &worker->levels[level].best);
    while (!worker->stopped && worker->done < until) {
        int keep = (int)soloist_rng_below(&worker->rng, (uint32_t)(worker->elite_count * options->refine_keep) + 1);
        int64_t times = 1 + soloist_rng_below(&worker->rng, (uint32_t)options->refine_pull);
        nested_start(worker, worker->elite, keep);
        if (!pull(worker, &top->policy, keep, times))
            return;
        nested_line_clear(&top->best); /* it belongs to another beginning */
        nested_run_level(worker, own, options->refine_n);
        if (top->best.score >= worker->elite_score)
            set_elite(worker, &top->best);
    }
}
