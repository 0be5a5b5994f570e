/* Games whose moves are drawn from the policy, many at once a thread, for the network to learn from how much better or
 * worse than it expected each move came out (policy gradient with a value as baseline: advantage actor-critic, Mnih et
 * al. 2016; the advantage is the generalised one of Schulman et al. 2016). Nothing is searched, so that a graphics card
 * plays thousands of games a second.
 *
 * The games are a second old: each move's probability is kept, so that the loss (net/loss.h) ends to push where the
 * newer weights have already gone far enough (proximal policy optimisation, Schulman et al. 2017). */
#include "learn/makers.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

#define MOST 4.0       /* deviations that an advantage counts at most, either way */
#define NAP_NS 1000000 /* while the network has enough to learn from */
#define FORGETS 0.01   /* of the deviation's square a game */

/* A move that was made: what the network expected before it, and what it brought. */
struct turn {
    float expected, probability;
    int32_t gain;
};

/* One game under way. */
struct seat {
    soloist_puzzle puzzle; /* instance NULL: none */
    soloist_rng rng;
    void *state;
    soloist_move *moves;
    float *priors;
    struct turn *turns;
    unsigned char *records;
    int length, room; /* turns; that there is room for */
};

struct table {
    struct makers *makers;
    struct seat *seats;
    struct evaluation *questions;
    int *asked; /* the question's seat */
    soloist_shape shape;
    double square; /* of advantages, a running mean */
    soloist_error error;
};

static struct samples *samples_of(const struct table *table) { return table->makers->plan.harvest->training; }

static bool out_of_memory(struct table *table) { return soloist_fail(&table->error, 0, 0, "no memory for a game"); }

/* ---- the end of a game ---- */

/* Each move's advantage, and what was still to come for the value. */
static void weigh_turns(struct table *table, struct seat *seat, int32_t last) {
    const struct maker_plan *plan = &table->makers->plan;
    size_t size = samples_record_size(samples_of(table));
    double advantage = 0, next = last, to_come = last, squares = 0;
    double deviation = table->square > 0 ? sqrt(table->square) : 1;
    for (int i = seat->length; i-- > 0;) {
        const struct turn *turn = &seat->turns[i];
        advantage = turn->gain + next - (double)turn->expected + plan->trace * advantage;
        next = (double)turn->expected;
        to_come += turn->gain;
        squares += advantage * advantage;
        double counts = fmax(-MOST, fmin(MOST, advantage / deviation));
        samples_set_value(seat->records + (size_t)i * size, (float)to_come);
        samples_set_drawn(seat->records + (size_t)i * size, (struct net_drawn){turn->probability, (float)counts});
    }
    double mean = squares / seat->length;
    table->square = table->square > 0 ? (1 - FORGETS) * table->square + FORGETS * mean : mean;
}

static void finish_game(struct table *table, struct seat *seat, int32_t last) {
    int32_t score = last;
    for (int i = 0; i < seat->length; i++)
        score += seat->turns[i].gain;
    if (!seat->length)
        return;
    weigh_turns(table, seat, last);
    harvest_drawn(table->makers->plan.harvest, seat->records, (size_t)seat->length, score);
}

/* ---- its beginning ---- */

static bool open_seat(struct table *table, struct seat *seat) {
    size_t moves = (size_t)table->shape.most_moves + 1;
    seat->state = malloc(table->shape.state_size);
    seat->moves = malloc(moves * sizeof *seat->moves);
    seat->priors = malloc(moves * sizeof *seat->priors);
    return (seat->state && seat->moves && seat->priors) || out_of_memory(table);
}

static void close_seat(struct seat *seat) {
    if (seat->puzzle.instance)
        soloist_puzzle_free(&seat->puzzle);
    free(seat->state);
    free(seat->moves);
    free(seat->priors);
    free(seat->turns);
    free(seat->records);
}

/* A new game; there may be none left. */
static void take_seat(struct table *table, struct seat *seat) {
    uint64_t number;
    if (seat->puzzle.instance)
        soloist_puzzle_free(&seat->puzzle);
    seat->puzzle = (soloist_puzzle){0};
    seat->length = 0;
    if (!makers_next(table->makers, &seat->puzzle, &number)) {
        seat->puzzle = (soloist_puzzle){0};
        return;
    }
    soloist_rng_seed(&seat->rng, table->makers->plan.source->seed + 2, number);
    seat->puzzle.domain->life->root(seat->puzzle.instance, seat->state);
}

/* ---- a move ---- */

static bool reserve_turn(struct table *table, struct seat *seat) {
    if (seat->length < seat->room)
        return true;
    int room = seat->room * 2 + 64;
    struct turn *turns = realloc(seat->turns, (size_t)room * sizeof *turns);
    seat->turns = turns ? turns : seat->turns;
    unsigned char *records = realloc(seat->records, (size_t)room * samples_record_size(samples_of(table)));
    seat->records = records ? records : seat->records;
    if (!turns || !records)
        return out_of_memory(table);
    seat->room = room;
    return true;
}

/* Draws a move and makes it. */
static bool move_on(struct table *table, struct seat *seat, const struct evaluation *answer) {
    if (!reserve_turn(table, seat))
        return false;
    const soloist_core *core = seat->puzzle.domain->core;
    int drawn = policy_draw(seat->priors, answer->move_count, &seat->rng);
    soloist_move move = seat->moves[drawn];
    struct sample_target target = {move, 1};
    samples_write(samples_of(table), seat->records + (size_t)seat->length * samples_record_size(samples_of(table)),
                  seat->state, 0, &target, 1);
    seat->turns[seat->length].probability = seat->priors[drawn];
    seat->turns[seat->length].expected = (float)(table->makers->plan.value_scale * (double)answer->value);
    seat->turns[seat->length++].gain = core->apply(seat->puzzle.instance, seat->state, move, NULL);
    return true;
}

/* ---- a thread ---- */

/* The seat's next question; false: there are no more games. */
static bool ask(struct table *table, struct seat *seat, struct evaluation *question) {
    int32_t last;
    while (seat->puzzle.instance) {
        const soloist_core *core = seat->puzzle.domain->core;
        if (!core->ended(seat->puzzle.instance, seat->state, &last)) {
            *question = (struct evaluation){.instance = seat->puzzle.instance,
                                            .state = seat->state,
                                            .moves = seat->moves,
                                            .move_count = core->moves(seat->puzzle.instance, seat->state, seat->moves),
                                            .priors = seat->priors};
            return true;
        }
        finish_game(table, seat, last);
        take_seat(table, seat);
    }
    return false;
}

/* One move of every game; *asked: games that are not over. */
static bool play_round(struct table *table, int *asked) {
    const struct maker_plan *plan = &table->makers->plan;
    *asked = 0;
    for (int i = 0; i < plan->at_once; i++)
        if (ask(table, &table->seats[i], &table->questions[*asked]))
            table->asked[(*asked)++] = i;
    if (!*asked)
        return true;
    if (!makers_ask(table->makers, table->questions, *asked, &table->error))
        return false;
    for (int i = 0; i < *asked; i++)
        if (!move_on(table, &table->seats[table->asked[i]], &table->questions[i]))
            return false;
    return true;
}

static bool open_table(struct table *table) {
    size_t seats = (size_t)table->makers->plan.at_once;
    table->seats = calloc(seats, sizeof *table->seats);
    table->questions = calloc(seats, sizeof *table->questions);
    table->asked = calloc(seats, sizeof *table->asked);
    if (!table->seats || !table->questions || !table->asked)
        return out_of_memory(table);
    samples_shape(samples_of(table), &table->shape);
    for (size_t i = 0; i < seats; i++) {
        if (!open_seat(table, &table->seats[i]))
            return false;
        take_seat(table, &table->seats[i]);
    }
    return true;
}

static void close_table(struct table *table) {
    for (int i = 0; table->seats && i < table->makers->plan.at_once; i++)
        close_seat(&table->seats[i]);
    free(table->seats);
    free(table->questions);
    free(table->asked);
}

/* Positions that nobody would learn from before newer weights come are not worth playing. */
static void wait_until_wanted(struct makers *makers) {
    const struct maker_plan *plan = &makers->plan;
    while (plan->wanted && !makers->stop && samples_added(plan->harvest->training) > atomic_load(plan->wanted))
        nanosleep(&(struct timespec){.tv_nsec = NAP_NS}, NULL);
}

void make_by_drawing(struct makers *makers) {
    struct table table = {.makers = makers};
    int asked = 1;
    bool good = open_table(&table);
    while (good && asked && !makers->stop) {
        wait_until_wanted(makers);
        good = play_round(&table, &asked);
    }
    if (!good)
        makers_fail(makers, &table.error);
    close_table(&table);
}
