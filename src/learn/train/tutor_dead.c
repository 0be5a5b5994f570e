/* Dead positions to learn from (Ge 2018, section 3.4): a depth-first search in random order visits positions of the
 * teacher's domain, whose rules, deadlock tables included, say which of them are dead; one of these is chosen. */
#include "learn/dead/dead_states.h"
#include "learn/train/tutor.h"

#include <stdlib.h>
#include <string.h>

/* The value is 0, and no move is preferred. */
static bool add_evenly(struct tutor *tutor, const soloist_puzzle *puzzle, bool apart) {
    soloist_shape shape = {0};
    puzzle->domain->life->shape(puzzle->instance, &shape);
    size_t most = (size_t)shape.most_moves + 1;
    void *state = malloc(shape.state_size);
    soloist_move *moves = malloc(most * sizeof *moves);
    struct sample_target *targets = malloc(most * sizeof *targets);
    bool good = state && moves && targets;
    if (!good)
        soloist_fail(&tutor->error, 0, 0, "no memory for a position");
    if (good) {
        puzzle->domain->life->root(puzzle->instance, state);
        int count = puzzle->domain->core->moves(puzzle->instance, state, moves);
        for (int i = 0; i < count; i++)
            targets[i] = (struct sample_target){moves[i], 1};
        good = tutor_position_add(tutor, puzzle, state, 0, targets, count, apart);
    }
    free(state);
    free(moves);
    free(targets);
    return good;
}

/* The dead position as a puzzle of the learner's domain. */
static bool learn_dead(struct tutor *tutor, const char *text, bool apart) {
    const struct game_source *source = tutor->makers->plan.source;
    soloist_puzzle puzzle;
    if (!game_puzzle_read(source->domain, source->options, text, strlen(text), &puzzle, &tutor->error))
        return false;
    bool good = true;
    if (samples_fit(tutor->makers->plan.harvest->training, puzzle.instance))
        good = add_evenly(tutor, &puzzle, apart);
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
