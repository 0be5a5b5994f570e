/* Nested rollout policy adaptation (Rosin 2011): a level calls the level below n times with its own policy, which is
 * adapted to the best line so far after each call. Variations: stabilised NRPA (several play-outs before level 1
 * adapts); limited repetitions (a level ends when it has found its best line a given number of times); a beam of lines
 * at the top, each with its own policy (Cazenave and Teytaud 2012), optionally with the condition that these lines are
 * different (Edelkamp and Cazenave 2016). */
#include "search/nested/nested.h"

#include <string.h>

/* Keeps the better of two lines in `best`. If their scores are equal, the new line is kept, which lets the search
 * drift. `repeats` counts how often the same line was the best in a row. */
static void keep_better(struct nested_line *best, struct nested_line *line, int64_t *repeats) {
    if (line->score < best->score)
        return;
    bool same = line->score == best->score && nested_line_same_moves(best, line);
    *repeats = same ? *repeats + 1 : 1;
    nested_line_swap(best, line);
}

static bool play_out_often(struct nested_worker *worker, struct nested_level *own, int64_t *repeats) {
    for (int64_t i = 0; i < worker->nested->options->playouts; i++) {
        if (!nested_play_out(worker, &own->policy))
            return false;
        keep_better(&own->best, &worker->line, repeats);
    }
    return true;
}

bool nested_adapt_to(struct nested_worker *worker, struct nested_policy *policy, const struct nested_line *line) {
    if (nested_adapt(&worker->adapt, policy, line, worker->nested->options->alpha))
        return true;
    worker->full = worker->stopped = true;
    return false;
}

static bool copy_policy(struct nested_worker *worker, struct nested_policy *to, const struct nested_policy *from) {
    if (nested_policy_copy(to, from))
        return true;
    worker->full = worker->stopped = true;
    return false;
}

void nested_call(struct nested_worker *worker, int level, const struct nested_policy *policy, int64_t n) {
    struct nested_level *called = &worker->levels[level];
    nested_line_clear(&called->best);
    if (copy_policy(worker, &called->policy, policy))
        nested_run_level(worker, level, n);
}

static void call_below(struct nested_worker *worker, int level, const struct nested_policy *policy, int64_t n) {
    bool whole = !worker->prefix_count; /* other ranks begin at the root */
    if (whole && level - 1 == worker->nested->options->spread && nested_is_spread(worker->nested))
        nested_call_ranks(worker, level - 1, policy, n);
    else
        nested_call(worker, level - 1, policy, n);
}

/* When a level begins, its best line may already be set. */
void nested_run_level(struct nested_worker *worker, int level, int64_t n) {
    const struct nested_options *options = worker->nested->options;
    struct nested_level *own = &worker->levels[level];
    int64_t repeats = 0;
    for (int64_t i = 0; i < n && !worker->stopped; i++) {
        own->done = i, own->of = n;
        if (level == 1) {
            if (!play_out_often(worker, own, &repeats))
                return;
        } else {
            call_below(worker, level, &own->policy, n);
            keep_better(&own->best, &own[-1].best, &repeats);
        }
        if (worker->stopped || (options->repeats && repeats >= options->repeats))
            return;
        if (!nested_adapt_to(worker, &own->policy, &own->best))
            return;
    }
}

/* ---- a beam at the top ------------------------------------------------------------------------------- */

static bool is_alike(const struct nested_line *a, const struct nested_line *b) {
    return a->score == b->score && a->count == b->count;
}

/* Moves the last of `count` lines to its place in the order of scores, before lines of equal score. If lines must
 * differ and there is already a similar line, that line is replaced instead. Returns the new number of lines. */
static int place_line(struct nested_level *beam, int count, bool diverse) {
    int at = count - 1;
    for (int i = 0; diverse && i < at; i++)
        if (is_alike(&beam[i].best, &beam[at].best)) {
            struct nested_level kept = beam[i];
            beam[i] = beam[at];
            beam[at] = kept;
            return count - 1;
        }
    for (; at && beam[at].best.score >= beam[at - 1].best.score; at--) {
        struct nested_level kept = beam[at];
        beam[at] = beam[at - 1];
        beam[at - 1] = kept;
    }
    return count;
}

/* In each step the level below is called with the policy of every line. The line that it finds gets a copy of that
 * policy, and the best of all lines are kept. */
static void run_beam(struct nested_worker *worker, int level, int64_t n) {
    const struct nested_options *options = worker->nested->options;
    struct nested_level *beam = worker->beam, *below = &worker->levels[level - 1];
    int count = 1, most = (int)options->beam;
    for (int64_t i = 0; i < n && !worker->stopped; i++) {
        worker->levels[level].done = i, worker->levels[level].of = n;
        int found = count;
        for (int b = 0; b < count && !worker->stopped; b++) {
            struct nested_level *next = &beam[most + b];
            call_below(worker, level, &beam[b].policy, n);
            nested_line_swap(&next->best, &below->best);
            copy_policy(worker, &next->policy, &beam[b].policy);
        }
        for (int b = 0; b < count && !worker->stopped; b++) {
            struct nested_level kept = beam[found];
            beam[found] = beam[most + b];
            beam[most + b] = kept;
            found = place_line(beam, found + 1, options->diverse);
        }
        count = found < most ? found : most;
        for (int b = 0; b < count && !worker->stopped; b++)
            nested_adapt_to(worker, &beam[b].policy, &beam[b].best);
    }
}

/* ---- a run ------------------------------------------------------------------------------------------- */

/* Some runs, chosen at random, begin with the best line of all threads as their best line, if the rule allows its
 * moves. */
static bool begin_shared(struct nested_worker *worker, struct nested_line *best) {
    struct nested_team *team = worker->nested->team;
    double share = worker->nested->options->share;
    if (!(share > 0) || soloist_rng_unit(&worker->rng) >= share || !atomic_load(&team->has_best))
        return true;
    pthread_mutex_lock(&team->lock);
    worker->elite_count = (int)team->best.count;
    memcpy(worker->elite, team->best.moves, team->best.count * sizeof *worker->elite);
    pthread_mutex_unlock(&team->lock);
    if (!nested_replay(worker, worker->elite, worker->elite_count))
        return false;
    if (worker->line.ended && worker->line.count == worker->elite_count)
        nested_line_swap(best, &worker->line);
    return true;
}

void nested_nrpa(struct nested_worker *worker, int level, int64_t n) {
    bool beam = worker->nested->options->beam > 1 && level > 1;
    struct nested_level *top = &worker->levels[level], *own = beam ? worker->beam : top;
    nested_policy_clear(&own->policy);
    nested_line_clear(&own->best);
    if (!nested_policy_reserve(&own->policy, 1) || !begin_shared(worker, &own->best)) {
        worker->full = worker->stopped = true;
        return;
    }
    if (beam) {
        run_beam(worker, level, n);
        nested_line_swap(&top->best, &worker->beam[0].best);
    } else {
        nested_run_level(worker, level, n);
    }
}
