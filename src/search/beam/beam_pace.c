/* Makes a pass end in time. The work of a pass is distributed over its layers in much the same way for every width.
 * Therefore two numbers determine how wide the coming layers may be: the fraction of the previous pass's work that was
 * done by this depth, and the work that the recent layers of this pass took. */
#include "search/beam/beam_layers.h"

enum { most_depths = 4096 };
static const double fading = 0.8, widest = 4, narrowest = 0.125;

double beam_used(const struct search_run *run, double *limit) {
    const struct budget *budget = run->budget;
    *limit = budget->limits.time_s > 0 ? budget->limits.time_s : (double)budget->limits.nodes;
    return budget->limits.time_s > 0 ? budget_elapsed(budget) : (double)atomic_load(&budget->nodes);
}

bool beam_pace_open(struct beam *beam) {
    struct beam_pace *pace = &beam->pace;
    pace->done = memory_take(beam->memory, most_depths * sizeof *pace->done);
    pace->now = memory_take(beam->memory, most_depths * sizeof *pace->now);
    return pace->done && pace->now;
}

void beam_pace_close(struct beam *beam) {
    memory_give(beam->memory, beam->pace.done, most_depths * sizeof *beam->pace.done);
    memory_give(beam->memory, beam->pace.now, most_depths * sizeof *beam->pace.now);
}

void beam_pace_begin(struct beam *beam) {
    struct beam_pace *pace = &beam->pace;
    double limit, *last = pace->done;
    if (!pace->done)
        return;
    if (pace->depth) {
        pace->done = pace->now, pace->now = last;
        pace->depths = pace->depth;
    }
    pace->depth = 0;
    pace->width = beam->width;
    pace->begun = beam_used(beam->whole, &limit);
    pace->cost = pace->size = 0;
}

/* The share of the previous pass's work that was done by the end of a layer. */
static double share_done(const struct beam_pace *pace, int depth) {
    return depth < 0 ? 0 : pace->done[depth] / pace->done[pace->depths - 1];
}

/* Sets the width so that the remaining layers use up the time that is left for this pass. */
static void adjust(struct beam *beam, double used) {
    const struct beam_pace *pace = &beam->pace;
    double rest = 1 - share_done(pace, pace->depth - 1), least = (double)pace->width * narrowest;
    if (!(pace->cost > 0) || !(pace->size > 0) || !(rest > 0))
        return;
    double width = (pace->until - used) / (pace->cost / pace->size * rest), most = (double)pace->width * widest;
    width = width < least ? least : width > most ? most : width;
    beam->width = width < 1 ? 1 : (size_t)width;
}

void beam_pace_step(struct beam *beam, bool full) {
    struct beam_pace *pace = &beam->pace;
    double limit, used = pace->done ? beam_used(beam->whole, &limit) : 0;
    if (!pace->done || pace->depth == most_depths)
        return;
    double before = pace->depth ? pace->now[pace->depth - 1] : 0;
    pace->now[pace->depth++] = used - pace->begun;
    if (pace->until <= 0 || !full || pace->depth >= pace->depths || !(pace->done[pace->depths - 1] > 0))
        return;
    double size = share_done(pace, pace->depth - 1) - share_done(pace, pace->depth - 2);
    pace->cost = fading * pace->cost + (used - pace->begun - before);
    pace->size = fading * pace->size + size * (double)beam->width;
    adjust(beam, used);
}
