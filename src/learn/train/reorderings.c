/* Moves are identified by their codes: a walk keeps a move's code even when earlier moves shift its blocks. */
#include "learn/train/reorderings.h"

#include "soloist_extra.h"

#include <stdlib.h>
#include <string.h>

struct reordering {
    const soloist_domain *domain;
    const soloist_instance *instance;
    void *walk, *trial, *state; /* the current position, as a walk and as a state; trial: scratch */
    int choices;                /* number of choices of `walk` */
    uint64_t *rest;             /* codes of the moves not yet played, in the game's original order */
    size_t left;
    struct sample_target *fronts; /* the moves that can come next; room for shape.most_moves of them */
    int *places;                  /* index in `rest` of each move in `fronts` */
};

static int find_code(const soloist_choice *choices, int count, uint64_t code) {
    for (int i = 0; i < count; i++)
        if (choices[i].code == code)
            return i;
    return -1;
}

/* Fills `rest` with the codes of the game's moves. False: a move is not among the walk's choices. */
static bool read_codes(struct reordering *o, const soloist_move *moves, size_t count) {
    const soloist_walk *walk = o->domain->walk;
    const soloist_choice *choices = o->trial;
    o->domain->life->root(o->instance, o->state);
    int found = walk->open(o->instance, o->trial, o->state, 0, 0);
    for (size_t k = 0; k < count; k++) {
        int i = 0;
        while (i < found && choices[i].move != moves[k])
            i++;
        if (i == found)
            return false;
        o->rest[k] = choices[i].code;
        found = walk->play(o->instance, o->trial, i);
    }
    o->left = count;
    return true;
}

/* Whether the other moves of `rest` can still be played in order after the choice `chosen`, whose code is at index
 * `place` of `rest`. If so, the same blocks are removed, and the game ends in the same position. */
static bool can_come_first(struct reordering *o, int chosen, size_t place) {
    const soloist_walk *walk = o->domain->walk;
    walk->copy(o->instance, o->trial, o->walk);
    int found = walk->play(o->instance, o->trial, chosen);
    for (size_t k = 0; k < o->left; k++) {
        int i = k == place ? -1 : find_code(o->trial, found, o->rest[k]);
        if (k == place)
            continue;
        if (i < 0)
            return false;
        found = walk->play(o->instance, o->trial, i);
    }
    return true;
}

static int find_fronts(struct reordering *o) {
    const soloist_choice *choices = o->walk;
    int count = 0;
    for (int i = 0; i < o->choices; i++) {
        size_t place = 0;
        while (place < o->left && o->rest[place] != choices[i].code)
            place++;
        if (place == o->left || (place && !can_come_first(o, i, place)))
            continue;
        o->fronts[count] = (struct sample_target){choices[i].move, 1};
        o->places[count++] = (int)place;
    }
    return count;
}

static int32_t play(struct reordering *o, int front) {
    const soloist_walk *walk = o->domain->walk;
    size_t place = (size_t)o->places[front];
    int chosen = find_code(o->walk, o->choices, o->rest[place]);
    int32_t gain = o->domain->core->apply(o->instance, o->state, o->fronts[front].move, NULL);
    o->choices = walk->play(o->instance, o->walk, chosen);
    o->left--;
    memmove(o->rest + place, o->rest + place + 1, (o->left - place) * sizeof *o->rest);
    return gain;
}

static bool go_through(struct reordering *o, const struct samples *samples, int32_t score, soloist_rng *rng,
                       unsigned char *record) {
    int32_t so_far = 0;
    o->domain->life->root(o->instance, o->state);
    o->choices = o->domain->walk->open(o->instance, o->walk, o->state, 0, 0);
    for (; o->left; record += samples_record_size(samples)) {
        int count = find_fronts(o);
        if (!count)
            return false;
        samples_write(samples, record, o->instance, o->state, (float)(score - so_far), o->fronts, count);
        so_far += play(o, (int)soloist_rng_below(rng, (uint32_t)count));
    }
    return true;
}

bool reorderings_samples(const struct samples *samples, const soloist_puzzle *puzzle, const soloist_move *moves,
                         size_t count, int32_t score, soloist_rng *rng, void *records) {
    soloist_shape shape = {0};
    puzzle->domain->life->shape(puzzle->instance, &shape);
    size_t walk = puzzle->domain->walk->walk_size(puzzle->instance), most = (size_t)shape.most_moves;
    struct reordering o = {.domain = puzzle->domain,
                           .instance = puzzle->instance,
                           .walk = calloc(1, walk),
                           .trial = calloc(1, walk),
                           .state = malloc(shape.state_size),
                           .rest = malloc((count + 1) * sizeof *o.rest),
                           .fronts = malloc(most * sizeof *o.fronts),
                           .places = malloc(most * sizeof *o.places)};
    bool done = o.walk && o.trial && o.state && o.rest && o.fronts && o.places && read_codes(&o, moves, count) &&
                go_through(&o, samples, score, rng, records);
    free(o.walk), free(o.trial), free(o.state);
    free(o.rest), free(o.fronts), free(o.places);
    return done;
}
