/* Autodidactic iteration (McAleer et al. 2018), for domains of least cost that can be played backwards. Training states
 * come from random walks backwards from a goal, so that a network learns about states near the goal first and needs no
 * game that reaches a goal. For each move of a state, the network evaluates the state after the move, and step_value
 * times the cost of the move is subtracted from this value. The highest result is the value target of the state, and
 * its move is the policy target. Each thread makes many walks at once. */
#include "learn/train/makers.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#define NAP_NS 1000000 /* pause while training wants no more positions */

/* One walk in progress. */
struct walk {
    soloist_puzzle puzzle; /* without an instance: there is no walk */
    soloist_rng rng;
    size_t size;          /* of a state */
    unsigned char *state; /* then the states after each move */
    soloist_move *moves;
    float *worth; /* of each move */
    unsigned char *records;
    int count, length; /* moves of the state; records written */
    int end;           /* the walk ends after this many records */
};

struct walks {
    struct makers *makers;
    struct walk *walks;
    struct evaluation *questions;
    float **answers; /* where each value is to be added */
    int asked, room;
    soloist_error error;
};

static bool out_of_memory(struct walks *walks) { return soloist_fail(&walks->error, 0, 0, "no memory for a walk"); }

static struct samples *samples_of(const struct walks *walks) { return walks->makers->plan.harvest->training; }

/* ---- a walk's beginning and end ---- */

static void leave(struct walk *walk) {
    if (walk->puzzle.instance)
        soloist_puzzle_free(&walk->puzzle);
    free(walk->state);
    free(walk->moves);
    free(walk->worth);
    free(walk->records);
    *walk = (struct walk){0};
}

/* Begins a walk at a random goal of the next instance. False without an error: there are no more. */
static bool begin(struct walks *walks, struct walk *walk) {
    const struct maker_plan *plan = &walks->makers->plan;
    soloist_shape shape = {0};
    uint64_t number, goals = 1;
    leave(walk);
    if (!makers_next(walks->makers, &walk->puzzle, &number, NULL)) {
        walk->puzzle = (soloist_puzzle){0};
        return false;
    }
    const soloist_instance *instance = walk->puzzle.instance;
    const soloist_reverse *reverse = walk->puzzle.domain->reverse;
    walk->puzzle.domain->life->shape(instance, &shape);
    size_t moves = (size_t)shape.most_moves + 1;
    walk->size = shape.state_size;
    walk->state = malloc((moves + 1) * shape.state_size);
    walk->moves = malloc(moves * sizeof *walk->moves);
    walk->worth = malloc(moves * sizeof *walk->worth);
    walk->records = malloc((size_t)plan->walk_length * samples_record_size(samples_of(walks)));
    if (!walk->state || !walk->moves || !walk->worth || !walk->records)
        return out_of_memory(walks);
    soloist_rng_seed(&walk->rng, plan->source->seed + 5, number);
    /* 1 / depth of all walks come this far: states near the goal, on whose values all others rest, are the most
     * frequent (the document weighs them by 1 / depth). */
    double share = 1 - soloist_rng_unit(&walk->rng);
    walk->end = 1 / share < plan->walk_length ? (int)(1 / share) : plan->walk_length;
    while (goals < 64 && reverse->goal(instance, goals, walk->state))
        goals++;
    return reverse->goal(instance, soloist_rng_below(&walk->rng, (uint32_t)goals), walk->state) ||
           soloist_fail(&walks->error, 0, 0, "%s: an instance has no goal to walk from", walk->puzzle.domain->name);
}

/* ---- one state ---- */

/* Makes one random move backwards. False: the walk is over. */
static bool step_back(struct walk *walk) {
    const soloist_core *back = walk->puzzle.domain->reverse->core;
    if (walk->length == walk->end)
        return false;
    int count = back->moves(walk->puzzle.instance, walk->state, walk->moves);
    if (!count)
        return false;
    back->apply(walk->puzzle.instance, walk->state, walk->moves[soloist_rng_below(&walk->rng, (uint32_t)count)], NULL);
    return true;
}

static bool reserve_questions(struct walks *walks, int more) {
    if (walks->asked + more <= walks->room)
        return true;
    int room = 2 * (walks->asked + more);
    struct evaluation *questions = realloc(walks->questions, (size_t)room * sizeof *questions);
    walks->questions = questions ? questions : walks->questions;
    float **answers = realloc(walks->answers, (size_t)room * sizeof *answers);
    walks->answers = answers ? answers : walks->answers;
    walks->room = questions && answers ? room : walks->room;
    return (questions && answers) || out_of_memory(walks);
}

/* Lists the state's moves; asks about the states after them, except goals, which are worth 1. */
static bool look_ahead(struct walks *walks, struct walk *walk) {
    const soloist_core *core = walk->puzzle.domain->core;
    const soloist_instance *instance = walk->puzzle.instance;
    int32_t last;
    walk->count = core->ended(instance, walk->state, &last) ? 0 : core->moves(instance, walk->state, walk->moves);
    if (!reserve_questions(walks, walk->count))
        return false;
    for (int i = 0; i < walk->count; i++) {
        unsigned char *after = walk->state + (size_t)(i + 1) * walk->size;
        memcpy(after, walk->state, walk->size);
        int32_t cost = core->apply(instance, after, walk->moves[i], NULL);
        walk->worth[i] = (float)(-walks->makers->plan.returns.step_value * cost);
        if (core->ended(instance, after, &last)) {
            walk->worth[i] += 1;
            continue;
        }
        walks->questions[walks->asked] = (struct evaluation){.instance = instance, .state = after};
        walks->answers[walks->asked++] = &walk->worth[i];
    }
    return true;
}

/* Writes the state's record. A state in which play has ended has none. */
static bool note(struct walks *walks, struct walk *walk) {
    int best = 0;
    if (!walk->count)
        return true;
    for (int i = 1; i < walk->count; i++)
        best = walk->worth[i] > walk->worth[best] ? i : best;
    float value = walk->worth[best] > 0 ? walk->worth[best] : 0;
    struct sample_target target = {walk->moves[best], 1};
    unsigned char *record = walk->records + (size_t)walk->length++ * samples_record_size(samples_of(walks));
    return samples_write(samples_of(walks), record, walk->puzzle.instance, walk->state, value, &target, 1) ||
           out_of_memory(walks);
}

/* ---- a thread ---- */

/* Moves a walk on by one state, or begins another. *going: there is a walk. */
static bool move_on(struct walks *walks, struct walk *walk, bool *going) {
    *going = walk->puzzle.instance != NULL;
    if (*going && !step_back(walk)) {
        harvest_drawn(walks->makers->plan.harvest, walk->records, (size_t)walk->length, 0, false);
        *going = begin(walks, walk) && step_back(walk);
        if (!*going)
            return !*walks->error.text;
    }
    return !*going || look_ahead(walks, walk);
}

static bool make_round(struct walks *walks, bool *going) {
    const struct maker_plan *plan = &walks->makers->plan;
    *going = false;
    walks->asked = 0;
    for (int i = 0; i < plan->parallel_games; i++) {
        bool goes;
        walks->walks[i].count = 0;
        if (!move_on(walks, &walks->walks[i], &goes))
            return false;
        *going |= goes;
    }
    if (walks->asked && !makers_ask(walks->makers, walks->questions, walks->asked, &walks->error))
        return false;
    /* A state that is no goal needs a move: values above what that leaves would only feed on themselves. */
    float most = (float)(1 - plan->returns.step_value);
    for (int i = 0; i < walks->asked; i++) {
        float value = walks->questions[i].value;
        *walks->answers[i] += value > most ? most : value > 0 ? value : 0;
    }
    for (int i = 0; i < plan->parallel_games; i++)
        if (!note(walks, &walks->walks[i]))
            return false;
    return true;
}

static bool open_walks(struct walks *walks) {
    size_t count = (size_t)walks->makers->plan.parallel_games;
    walks->walks = calloc(count, sizeof *walks->walks);
    if (!walks->walks)
        return out_of_memory(walks);
    for (size_t i = 0; i < count; i++)
        if (!begin(walks, &walks->walks[i]) && *walks->error.text)
            return false;
    return true;
}

void make_by_walking_back(struct makers *makers) {
    const struct maker_plan *plan = &makers->plan;
    struct walks walks = {.makers = makers};
    bool good = open_walks(&walks), going = true;
    while (good && going && !stop_token_is_stopped(&makers->stop)) {
        if (plan->wanted && samples_added(plan->harvest->training) > atomic_load(plan->wanted))
            nanosleep(&(struct timespec){.tv_nsec = NAP_NS}, NULL);
        else
            good = make_round(&walks, &going);
    }
    if (!good)
        makers_fail(makers, &walks.error);
    for (int i = 0; walks.walks && i < plan->parallel_games; i++)
        leave(&walks.walks[i]);
    free(walks.walks);
    free(walks.questions);
    free(walks.answers);
}
