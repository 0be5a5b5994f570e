/* Simulated annealing of a whole line (Kirkpatrick, Gelatt and Vecchi 1983). A line gives every part of the board a
 * time: the step at which the part is used up. A trial changes the line at one step: it plays another choice there, or
 * postpones the choice of the line. After that it always plays the choice whose parts have the lowest mean time. What
 * the change does not concern is therefore played as before, even if other parts have joined a group meanwhile.
 * A trial needs no policy, and begins at the step that it changes. */
#include "search/nested/nested.h"

#include "base/real.h"

#include <math.h>
#include <string.h>

/* Every stride-th walk of a line is kept, so that a trial can begin near the step that it changes. The temperature is
 * computed once per `steady` trials. */
enum { stride = 4, steady = 64 };

/* Share of the trials that postpone a choice. On six boards, 0.2 and 0.7 were worse (MEASURED.md). */
static const double postponing = 0.4;

struct anneal_step {
    soloist_move move;
    int chosen, count; /* the choice played, and the number of choices */
    int first;         /* its parts are parts[first ..] up to those of the next step */
    int32_t value;     /* what the moves before it gained */
};

struct anneal_line {
    struct anneal_step *steps; /* one more than there are moves */
    uint16_t *parts;
    void **walks; /* walks[i] is the walk before step i * stride */
    int count;
    int64_t score;
};

struct nested_anneal {
    float times[SOLOIST_MOST_PARTS]; /* of the current line */
    struct anneal_line now, trial;
};

/* ---- memory ---------------------------------------------------------------------------------------------- */

static size_t walk_count(const struct nested_worker *worker) { return (size_t)worker->nested->length / stride + 1; }

static bool line_open(const struct nested_worker *worker, struct anneal_line *line) {
    struct memory *memory = &worker->nested->run->budget->memory;
    line->steps = memory_take(memory, ((size_t)worker->nested->length + 1) * sizeof *line->steps);
    line->parts = memory_take(memory, SOLOIST_MOST_PARTS * sizeof *line->parts);
    line->walks = memory_take(memory, walk_count(worker) * sizeof *line->walks);
    bool good = line->steps && line->parts && line->walks;
    for (size_t i = 0; good && i < walk_count(worker); i++)
        good = (line->walks[i] = memory_take(memory, worker->walk_size)) != NULL;
    return good;
}

static void line_close(const struct nested_worker *worker, struct anneal_line *line) {
    struct memory *memory = &worker->nested->run->budget->memory;
    for (size_t i = 0; line->walks && i < walk_count(worker); i++)
        memory_give(memory, line->walks[i], worker->walk_size);
    memory_give(memory, line->walks, walk_count(worker) * sizeof *line->walks);
    memory_give(memory, line->parts, SOLOIST_MOST_PARTS * sizeof *line->parts);
    memory_give(memory, line->steps, ((size_t)worker->nested->length + 1) * sizeof *line->steps);
}

void nested_anneal_close(struct nested_worker *worker) {
    struct nested_anneal *anneal = worker->anneal;
    if (!anneal)
        return;
    line_close(worker, &anneal->trial);
    line_close(worker, &anneal->now);
    memory_give(&worker->nested->run->budget->memory, anneal, sizeof *anneal);
    worker->anneal = NULL;
}

static bool open_anneal(struct nested_worker *worker) {
    if (!worker->anneal)
        worker->anneal = memory_take(&worker->nested->run->budget->memory, sizeof *worker->anneal);
    return worker->anneal && (worker->anneal->trial.walks ||
                              (line_open(worker, &worker->anneal->now) && line_open(worker, &worker->anneal->trial)));
}

/* ---- trials ---------------------------------------------------------------------------------------------- */

/* The mean time of a choice's parts. */
static float time_of(const struct nested_worker *worker, int choice) {
    uint16_t parts[SOLOIST_MOST_PARTS];
    int count = worker->nested->walk->parts(worker->nested->run->instance, worker->walk, choice, parts);
    float sum = 0;
    for (int i = 0; i < count; i++)
        sum += worker->anneal->times[parts[i]];
    return sum / (float)count;
}

/* The choice whose time comes first. The time of a choice is kept in its weight. */
static int first_choice(const struct nested_worker *worker, int count) {
    soloist_choice *choices = worker->walk;
    int best = 0;
    float first = INFINITY;
    for (int i = 0; i < count; i++) {
        if (!choices[i].mark) {
            choices[i].mark = 1;
            choices[i].weight = time_of(worker, i);
        }
        float time = choices[i].weight;
        best = time < first ? i : best;
        first = time < first ? time : first;
    }
    return best;
}

/* Plays the line's step number `at`, which is this choice, on worker->walk; returns the number of choices after it. */
static int play_step(struct nested_worker *worker, struct anneal_line *line, int at, int count, int chosen) {
    const struct nested *nested = worker->nested;
    const soloist_choice *choice = (const soloist_choice *)worker->walk + chosen;
    struct anneal_step *step = &line->steps[at];
    if (at % stride == 0)
        nested_walk_copy(nested, line->walks[at / stride], worker->walk);
    step->move = choice->move;
    step->chosen = chosen;
    step->count = count;
    step[1].first =
        step->first + nested->walk->parts(nested->run->instance, worker->walk, chosen, line->parts + step->first);
    step[1].value = search_sum(step->value, choice->gain);
    return nested_walk_play(worker, worker->walk, chosen);
}

/* Ends the line after `count` steps. False: this is not the end of a game. */
static bool end_line(const struct nested_worker *worker, struct anneal_line *line, int count) {
    int32_t last = 0;
    bool ended = nested_walk_ended(worker->nested, worker->walk, &last);
    int32_t value = search_sum(line->steps[count].value, last);
    line->count = count;
    line->score = nested_walk_score(worker->nested, worker->walk, ended, value);
    return ended && search_fits(worker->nested->run, value);
}

/* Sets worker->walk to the current line's walk before step number `at`, and forgets the times of its choices. */
static int return_to(struct nested_worker *worker, int at) {
    const struct anneal_line *now = &worker->anneal->now;
    nested_walk_copy(worker->nested, worker->walk, now->walks[at / stride]);
    for (int i = at / stride * stride; i < at; i++)
        nested_walk_play(worker, worker->walk, now->steps[i].chosen);
    soloist_choice *choices = worker->walk;
    for (int i = 0; i < now->steps[at].count; i++)
        choices[i].mark = 0;
    return now->steps[at].count;
}

static void set_times(struct nested_anneal *anneal, const struct anneal_line *line, int at, float time) {
    for (int i = line->steps[at].first; i < line->steps[at + 1].first; i++)
        anneal->times[line->parts[i]] = time;
}

/* Plays a trial that differs from the current line at step number `at`. False: it has no end. */
static bool try_at(struct nested_worker *worker, int at) {
    struct nested_anneal *anneal = worker->anneal;
    struct anneal_line *trial = &anneal->trial;
    const struct anneal_line *now = &anneal->now;
    int most = nested_steps_left(worker), count = return_to(worker, at), chosen = -1, step = at;
    if (count < 2 || soloist_rng_unit(&worker->rng) < postponing)
        set_times(anneal, now, at,
                  (float)at + 0.5f + (float)soloist_rng_below(&worker->rng, (uint32_t)(now->count - at)));
    else
        chosen = (int)soloist_rng_below(&worker->rng, (uint32_t)count);
    trial->steps[at].first = now->steps[at].first;
    trial->steps[at].value = now->steps[at].value;
    for (; count && step < worker->nested->length && step - at < most; step++, chosen = -1)
        count = play_step(worker, trial, step, count, chosen < 0 ? first_choice(worker, count) : chosen);
    worker->playouts++;
    worker->done++;
    nested_count_nodes(worker, (uint64_t)(step - at));
    return end_line(worker, trial, step);
}

/* Makes the trial the current line. Parts that only the former line used up come last. */
static void accept(struct nested_anneal *anneal, int at) {
    struct anneal_line *now = &anneal->now, *trial = &anneal->trial;
    for (int i = at; i < now->count; i++)
        set_times(anneal, now, i, (float)trial->count);
    for (int i = at; i < trial->count; i++)
        set_times(anneal, trial, i, (float)i);
    int first = trial->steps[at].first;
    memcpy(now->steps + at, trial->steps + at, (size_t)(trial->count + 1 - at) * sizeof *now->steps);
    memcpy(now->parts + first, trial->parts + first,
           (size_t)(trial->steps[trial->count].first - first) * sizeof *now->parts);
    for (int i = (at + stride - 1) / stride; i * stride < trial->count; i++) {
        void *kept = now->walks[i];
        now->walks[i] = trial->walks[i];
        trial->walks[i] = kept;
    }
    now->count = trial->count;
    now->score = trial->score;
}

/* ---- a run ----------------------------------------------------------------------------------------------- */

/* Makes worker->elite the current line. False: it is not a whole game. */
static bool begin(struct nested_worker *worker) {
    struct nested_anneal *anneal = worker->anneal;
    int count = nested_walk_open(worker, worker->walk, 0), step = 0;
    for (int i = 0; i < SOLOIST_MOST_PARTS; i++)
        anneal->times[i] = (float)worker->elite_count;
    anneal->now.steps[0] = (struct anneal_step){0};
    for (; step < worker->elite_count && count; step++) {
        int chosen = nested_place(worker->walk, count, worker->elite[step]);
        if (chosen < 0)
            return false;
        count = play_step(worker, &anneal->now, step, count, chosen);
        set_times(anneal, &anneal->now, step, (float)step);
    }
    return end_line(worker, &anneal->now, step) && step;
}

/* Copies the current line to worker->elite, and offers it if it is the best of all threads. */
static void keep(struct nested_worker *worker) {
    const struct anneal_line *now = &worker->anneal->now;
    worker->elite_count = now->count;
    for (int i = 0; i < now->count; i++)
        worker->elite[i] = now->steps[i].move;
    if (now->score > atomic_load(&worker->nested->team->best_score) && nested_replay_elite(worker))
        nested_offer(worker);
}

void nested_anneal(struct nested_worker *worker, double playouts, double from, double to) {
    struct nested_anneal *anneal;
    if (!open_anneal(worker)) {
        worker->full = worker->stopped = true;
        return;
    }
    anneal = worker->anneal;
    worker->rule = 0;
    nested_start(worker, NULL, 0);
    if (!begin(worker))
        return;
    double size = (double)(anneal->now.score < 0 ? -anneal->now.score : anneal->now.score) + 1, heat = 0;
    int64_t best = anneal->now.score;
    for (uint64_t i = 0; (double)i < playouts && nested_may_begin(worker); i++) {
        if (i % steady == 0)
            heat = size * real_exp(real_log(from) + (real_log(to) - real_log(from)) * (double)i / playouts);
        int at = (int)soloist_rng_below(&worker->rng, (uint32_t)anneal->now.count);
        bool ended = try_at(worker, at);
        double change = (double)(anneal->trial.score - anneal->now.score);
        if (ended && (change >= 0 || soloist_rng_unit(&worker->rng) < real_exp(change / heat)))
            accept(anneal, at);
        else
            set_times(anneal, &anneal->now, at, (float)at);
        if (anneal->now.score > best) {
            best = anneal->now.score;
            keep(worker);
        }
        nested_report(worker);
    }
}
