/* Dead positions to learn from (Ge 2018, section 3.4): a depth-first search in random order visits positions of the
 * teacher's domain, whose bound says which of them are dead; one of the dead ones is chosen at random. The search does
 * not go on below a dead position. */
#include "learn/train/tutor.h"

#include <stdlib.h>
#include <string.h>

struct descent {
    const soloist_puzzle *puzzle;
    soloist_shape shape;
    unsigned char *stack; /* states that are still to be visited */
    size_t count, room;
    void *chosen; /* the dead position chosen so far */
    uint64_t dead;
    soloist_move *moves;
};

static bool is_dead(const struct descent *d, const void *state) {
    const soloist_bound *bound = d->puzzle->domain->bound;
    return (bound->dead && bound->dead(d->puzzle->instance, state)) ||
           bound->value(d->puzzle->instance, state) == SOLOIST_DEAD;
}

static bool push(struct descent *d, const void *state) {
    size_t size = d->shape.state_size;
    if (d->count == d->room) {
        size_t room = 2 * d->room + 64;
        unsigned char *grown = realloc(d->stack, room * size);
        if (!grown)
            return false;
        d->stack = grown;
        d->room = room;
    }
    memcpy(d->stack + d->count++ * size, state, size);
    return true;
}

static void shuffle(soloist_move *moves, int count, soloist_rng *rng) {
    for (int i = count; i > 1; i--) {
        int k = (int)soloist_rng_below(rng, (uint32_t)i);
        soloist_move move = moves[i - 1];
        moves[i - 1] = moves[k], moves[k] = move;
    }
}

/* Visits the children of the state on top of the stack. scratch: two states. */
static bool visit(struct descent *d, unsigned char *scratch, soloist_rng *rng) {
    const soloist_core *core = d->puzzle->domain->core;
    size_t size = d->shape.state_size;
    unsigned char *state = scratch, *child = scratch + size;
    int32_t last;
    memcpy(state, d->stack + --d->count * size, size);
    if (core->ended(d->puzzle->instance, state, &last))
        return true;
    int count = core->moves(d->puzzle->instance, state, d->moves);
    shuffle(d->moves, count, rng);
    for (int i = 0; i < count; i++) {
        memcpy(child, state, size);
        core->apply(d->puzzle->instance, child, d->moves[i], NULL);
        if (is_dead(d, child)) {
            if (!soloist_rng_below(rng, (uint32_t)++d->dead))
                memcpy(d->chosen, child, size);
        } else if (!push(d, child)) {
            return false;
        }
    }
    return true;
}

static bool search(struct descent *d, int64_t most, soloist_rng *rng) {
    unsigned char *scratch = malloc(2 * d->shape.state_size);
    bool good = scratch && push(d, d->chosen);
    for (int64_t visited = 0; good && d->count && visited < most; visited++)
        good = visit(d, scratch, rng);
    free(scratch);
    return good;
}

/* The chosen position as a puzzle of the learner's domain. */
static bool learn_dead(struct tutor *tutor, const struct descent *d, bool apart) {
    const struct game_source *source = tutor->makers->plan.source;
    struct buffer text;
    soloist_puzzle puzzle;
    buffer_open(&text);
    soloist_sink sink = buffer_sink(&text);
    d->puzzle->domain->text->print(d->puzzle->instance, d->chosen, &sink);
    bool good = text.text
                    ? game_puzzle_read(source->domain, source->options, text.text, text.length, &puzzle, &tutor->error)
                    : soloist_fail(&tutor->error, 0, 0, "no memory for a position");
    buffer_close(&text);
    if (!good)
        return false;
    if (samples_fit(tutor->makers->plan.harvest->training, puzzle.instance))
        good = tutor_lost(tutor, &puzzle, apart);
    soloist_puzzle_free(&puzzle);
    return good;
}

bool tutor_dead(struct tutor *tutor, const struct tutor_position *position) {
    struct descent d = {.puzzle = &position->teacher};
    const soloist_domain *domain = d.puzzle->domain;
    if (!domain->bound)
        return true;
    domain->life->shape(d.puzzle->instance, &d.shape);
    d.chosen = malloc(d.shape.state_size);
    d.moves = malloc(((size_t)d.shape.most_moves + 1) * sizeof *d.moves);
    bool good = d.chosen && d.moves;
    if (good)
        domain->life->root(d.puzzle->instance, d.chosen);
    good = good && search(&d, tutor->makers->plan.dead_states, &tutor->rng);
    if (!good)
        soloist_fail(&tutor->error, 0, 0, "no memory for a position");
    good = good && (!d.dead || learn_dead(tutor, &d, position->apart));
    free(d.stack);
    free(d.chosen);
    free(d.moves);
    return good;
}
