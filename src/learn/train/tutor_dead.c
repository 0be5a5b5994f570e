/* Dead positions to learn from (Ge 2018, section 3.4): a depth-first search in random order visits positions of the
 * teacher's domain, whose rules, deadlock tables included, say which of them are dead; one of these is chosen. */
#include "learn/dead/dead_states.h"
#include "learn/train/tutor.h"

#include <string.h>

/* The dead position as a puzzle of the learner's domain. */
static bool learn_dead(struct tutor *tutor, const char *text, bool apart) {
    const struct game_source *source = tutor->makers->plan.source;
    soloist_puzzle puzzle;
    if (!game_puzzle_read(source->domain, source->options, text, strlen(text), &puzzle, &tutor->error))
        return false;
    bool good = true;
    if (samples_fit(tutor->makers->plan.harvest->training, puzzle.instance))
        good = tutor_lost(tutor, &puzzle, true, apart);
    soloist_puzzle_free(&puzzle);
    return good;
}

bool tutor_dead(struct tutor *tutor, const struct tutor_position *position) {
    const struct maker_plan *plan = &tutor->makers->plan;
    const soloist_chunk *chunk = &position->learner.chunk;
    struct dead_maker maker = {.engine = plan->engine,
                               .domain = plan->teacher,
                               .plain = plan->teacher_options,
                               .strict = plan->teacher_options,
                               .most = plan->dead_states};
    struct dead_pair pair;
    if (!plan->teacher->bound)
        return true;
    bool good = dead_by_rules(&maker, chunk->text, chunk->length, soloist_rng_below(&tutor->rng, UINT32_MAX), &pair,
                              &tutor->error) &&
                (!pair.dead || learn_dead(tutor, pair.dead, position->apart));
    dead_pair_free(&pair);
    return good;
}
