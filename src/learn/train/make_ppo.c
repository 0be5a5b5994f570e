/* Games whose moves are chosen at random by the policy; each thread plays many at once. The network learns from each
 * move's advantage (advantage actor-critic, Mnih et al. 2016, with generalised advantage estimation, Schulman et al.
 * 2016). There is no search, so a GPU plays thousands of games per second.
 *
 * The games are about a second old when the network learns from them. Therefore the probability that each move had when
 * it was played is stored, and the loss (net/loss.h) has no gradient if the newer weights have already changed that
 * probability by more than the clip range (proximal policy optimisation, Schulman et al. 2017).
 *
 * With look-ahead (play=lookahead) every legal move is tried and the network values the state after it. A move is
 * chosen with probability proportional to its prior times exp(inverse_temperature * advantage / deviation), and these
 * probabilities are the policy target: one step of policy iteration at each state, in which the network learns about
 * all moves, not only about the one that was played.
 *
 * In a domain of least cost a move gains -step_value for each unit of its cost, and a goal gains 1. A game ends without
 * a goal at the step limit, or if no move is left. */
#include "learn/train/makers.h"

#include "base/real.h"
#include "domain/environments.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MOST 10.0      /* advantages are clipped to this many standard deviations */
#define NAP_NS 1000000 /* pause while training wants no more positions */
/* Decay of the running variance: each game lowers the weight of all earlier games by this share. */
#define FORGETS 0.01
/* With look-ahead: share of a uniform policy that is mixed into the priors, so that no prior gets too low to rise
 * again. */
#define EVEN 0.01

/* A move that was played: the network's value before it, the move's probability, and the score it gained. */
struct turn {
    float expected, probability;
    double gain;
};

/* One game in progress. */
struct seat {
    soloist_puzzle puzzle; /* the game's puzzle; if its instance is NULL, there is no game */
    soloist_rng rng;
    void *state;
    size_t state_size; /* bytes that `state` has room for */
    soloist_move *moves;
    float *priors;
    unsigned char *after; /* with look-ahead: the state that each move leads to */
    float *worth;         /* with look-ahead: each move's gain plus the value of the state after it */
    struct sample_target *targets;
    struct turn *turns;
    unsigned char *records;
    int length, room; /* length: number of turns; room: number of turns and records for which memory is allocated */
};

struct table {
    struct makers *makers;
    struct seat *seats;
    struct evaluation *questions; /* evaluations: one per unfinished game, then one per state ahead */
    float **answers;              /* for each state ahead: where its value is to be added */
    int *asked;                   /* the seat that each of the evaluations for games belongs to */
    int ahead;                    /* number of states after legal moves that are to be valued */
    soloist_shape shape;
    bool costs;    /* the domain's aim is the least cost */
    double square; /* running mean of squared advantages; 0: not known yet */
    soloist_error error;
};

static struct samples *samples_of(const struct table *table) { return table->makers->plan.harvest->training; }

static bool out_of_memory(struct table *table) { return soloist_fail(&table->error, 0, 0, "no memory for a game"); }

/* ---- the end of a game ---- */

static double deviation_of(const struct table *table) { return table->square > 0 ? sqrt(table->square) : 1; }

static void count_square(struct table *table, double square, double forgets) {
    table->square = table->square > 0 ? (1 - forgets) * table->square + forgets * square : square;
}

/* Sets each record's advantage (GAE) and its value target, the score still to come. `last`: the score at the end. */
static void weigh_turns(struct table *table, struct seat *seat, double last) {
    const struct maker_plan *plan = &table->makers->plan;
    size_t size = samples_record_size(samples_of(table));
    double advantage = 0, next = last, to_come = last, squares = 0;
    double deviation = deviation_of(table);
    for (int i = seat->length; i-- > 0;) {
        const struct turn *turn = &seat->turns[i];
        advantage = turn->gain + next - (double)turn->expected + plan->gae_lambda * advantage;
        next = (double)turn->expected;
        to_come += turn->gain;
        squares += advantage * advantage;
        double counts = fmax(-MOST, fmin(MOST, advantage / deviation));
        samples_set_value(seat->records + (size_t)i * size, (float)to_come);
        samples_set_drawn(seat->records + (size_t)i * size, (struct net_drawn){turn->probability, (float)counts});
    }
    count_square(table, squares / seat->length, FORGETS);
}

/* With look-ahead the value target is the TD(lambda) return, which mixes the score still to come with the network's
 * values of the later states. */
static void value_turns(struct table *table, struct seat *seat, double last) {
    size_t size = samples_record_size(samples_of(table));
    double lambda = table->makers->plan.gae_lambda, next = last, to_come = last;
    for (int i = seat->length; i-- > 0;) {
        to_come = seat->turns[i].gain + (1 - lambda) * next + lambda * to_come;
        next = (double)seat->turns[i].expected;
        samples_set_value(seat->records + (size_t)i * size, (float)to_come);
    }
}

static void finish_game(struct table *table, struct seat *seat, double last) {
    double score = last;
    for (int i = 0; i < seat->length; i++)
        score += seat->turns[i].gain;
    if (!seat->length)
        return;
    bool solved = !table->costs || last > 0;
    if (table->costs)
        score = (last - score) / table->makers->plan.returns.step_value; /* the cost of all moves */
    if (table->makers->plan.lookahead)
        value_turns(table, seat, last);
    else
        weigh_turns(table, seat, last);
    harvest_drawn(table->makers->plan.harvest, seat->records, (size_t)seat->length, (int32_t)lround(score), solved);
}

/* ---- what a game gains ---- */

static double gain_of(const struct table *table, int32_t step) {
    return table->costs ? -table->makers->plan.returns.step_value * step : step;
}

static double gain_of_end(const struct table *table, bool ended, int32_t points) {
    return !ended ? 0 : table->costs ? 1 : points;
}

/* Whether the game has ended in this state; *last is what the end itself gains. */
static bool has_ended(const struct table *table, const struct seat *seat, const void *state, double *last) {
    int32_t points = 0;
    bool ended = seat->puzzle.domain->core->ended(seat->puzzle.instance, state, &points);
    *last = gain_of_end(table, ended, points);
    return ended;
}

/* The same for the game's own state, where a game may also end because no move is left, and one of least cost at the
 * step limit. If it goes on, the seat has its *count legal moves. */
static bool is_over(const struct table *table, struct seat *seat, int *count, double *last) {
    int limit = table->costs ? table->makers->plan.step_limit : 0;
    int32_t points;
    soloist_episode stand = episode_stand(seat->puzzle.domain, seat->puzzle.instance, seat->state, seat->length, limit,
                                          seat->moves, count, &points);
    *last = gain_of_end(table, stand == SOLOIST_EPISODE_ENDED, points);
    return stand != SOLOIST_EPISODE_RUNS;
}

/* ---- the beginning of a game ---- */

static bool open_seat(struct table *table, struct seat *seat) {
    size_t moves = (size_t)table->shape.most_moves + 1;
    seat->state = malloc(table->shape.state_size);
    seat->state_size = table->shape.state_size;
    seat->moves = malloc(moves * sizeof *seat->moves);
    seat->priors = malloc(moves * sizeof *seat->priors);
    if (table->makers->plan.lookahead) {
        seat->after = malloc(moves * table->shape.state_size);
        seat->worth = malloc(moves * sizeof *seat->worth);
        seat->targets = malloc(moves * sizeof *seat->targets);
    }
    bool ahead = seat->after && seat->worth && seat->targets;
    return (seat->state && seat->moves && seat->priors && ahead == table->makers->plan.lookahead) ||
           out_of_memory(table);
}

static void leave_seat(struct seat *seat) {
    if (seat->puzzle.instance)
        soloist_puzzle_free(&seat->puzzle);
    seat->puzzle = (soloist_puzzle){0};
}

static void close_seat(struct seat *seat) {
    leave_seat(seat);
    free(seat->state);
    free(seat->moves);
    free(seat->priors);
    free(seat->after);
    free(seat->worth);
    free(seat->targets);
    free(seat->turns);
    free(seat->records);
}

/* Makes room for the states of the seat's instance, which may be larger than those of others. *fits: it has no more
 * moves than there is room for. False with an error. */
static bool fit_instance(struct table *table, struct seat *seat, bool *fits) {
    soloist_shape shape = {0};
    seat->puzzle.domain->life->shape(seat->puzzle.instance, &shape);
    *fits = shape.most_moves <= table->shape.most_moves;
    if (shape.state_size <= seat->state_size)
        return true;
    void *state = realloc(seat->state, shape.state_size);
    seat->state = state ? state : seat->state;
    size_t moves = (size_t)table->shape.most_moves + 1;
    unsigned char *after = seat->after ? realloc(seat->after, moves * shape.state_size) : NULL;
    seat->after = after ? after : seat->after;
    if (!state || (seat->after && !after))
        return out_of_memory(table);
    seat->state_size = shape.state_size;
    return true;
}

/* Begins a new game, if there are instances left. */
static void take_seat(struct table *table, struct seat *seat) {
    uint64_t number;
    bool fits = false;
    seat->length = 0;
    while (!fits) {
        leave_seat(seat);
        if (!makers_next(table->makers, &seat->puzzle, &number, NULL)) {
            seat->puzzle = (soloist_puzzle){0};
            return;
        }
        if (!fit_instance(table, seat, &fits)) {
            leave_seat(seat);
            makers_fail(table->makers, &table->error);
            return;
        }
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

/* Multiplies the priors by exp(inverse_temperature * advantage / deviation) and makes the result the policy target. */
static void lead_priors(struct table *table, struct seat *seat, int count) {
    double mean = 0, square = 0, sum = 0, most = -INFINITY;
    double inverse_temperature = table->makers->plan.inverse_temperature;
    for (int i = 0; i < count; i++) {
        seat->priors[i] = (float)(1 - EVEN) * seat->priors[i] + (float)EVEN / (float)count;
        mean += (double)seat->priors[i] * (double)seat->worth[i];
        most = fmax(most, (double)seat->worth[i]);
    }
    for (int i = 0; i < count; i++)
        square += (double)seat->priors[i] * ((double)seat->worth[i] - mean) * ((double)seat->worth[i] - mean);
    if (count > 1)
        count_square(table, square, FORGETS / 50);
    for (int i = 0; i < count; i++) {
        seat->priors[i] *= (float)real_exp(inverse_temperature * ((double)seat->worth[i] - most) / deviation_of(table));
        sum += (double)seat->priors[i];
    }
    for (int i = 0; i < count; i++) {
        seat->priors[i] = (float)((double)seat->priors[i] / sum);
        seat->targets[i] = (struct sample_target){seat->moves[i], seat->priors[i]};
    }
}

/* Chooses a move at random by its probability and plays it. */
static bool move_on(struct table *table, struct seat *seat, const struct evaluation *answer) {
    if (!reserve_turn(table, seat))
        return false;
    const soloist_core *core = seat->puzzle.domain->core;
    if (table->makers->plan.lookahead)
        lead_priors(table, seat, answer->move_count);
    int drawn = policy_draw(seat->priors, answer->move_count, &seat->rng);
    soloist_move move = seat->moves[drawn];
    struct sample_target target = {move, 1};
    unsigned char *record = seat->records + (size_t)seat->length * samples_record_size(samples_of(table));
    if (!samples_write(samples_of(table), record, seat->puzzle.instance, seat->state, 0,
                       seat->targets ? seat->targets : &target, seat->targets ? answer->move_count : 1))
        return out_of_memory(table);
    seat->turns[seat->length].probability = seat->priors[drawn];
    seat->turns[seat->length].expected = (float)(table->makers->plan.value_scale * (double)answer->value);
    seat->turns[seat->length++].gain = gain_of(table, core->apply(seat->puzzle.instance, seat->state, move, NULL));
    return true;
}

/* ---- a thread ---- */

/* Prepares the seat's next evaluation, in a new game if the last one has ended. False: there are no more games. */
static bool ask(struct table *table, struct seat *seat, struct evaluation *question) {
    double last;
    int count;
    while (seat->puzzle.instance) {
        if (!is_over(table, seat, &count, &last)) {
            *question = (struct evaluation){.instance = seat->puzzle.instance,
                                            .state = seat->state,
                                            .moves = seat->moves,
                                            .move_count = count,
                                            .priors = seat->priors};
            return true;
        }
        finish_game(table, seat, last);
        take_seat(table, seat);
    }
    return false;
}

/* Prepares an evaluation for each state to which a legal move leads, unless the game ends there. */
static void look_ahead(struct table *table, struct seat *seat, int count, struct evaluation *questions) {
    const soloist_core *core = seat->puzzle.domain->core;
    size_t size = seat->state_size;
    for (int i = 0; i < count; i++) {
        unsigned char *after = seat->after + (size_t)i * size;
        double last;
        memcpy(after, seat->state, size);
        seat->worth[i] = (float)gain_of(table, core->apply(seat->puzzle.instance, after, seat->moves[i], NULL));
        if (has_ended(table, seat, after, &last)) {
            seat->worth[i] += (float)last;
            continue;
        }
        questions[table->ahead] = (struct evaluation){.instance = seat->puzzle.instance, .state = after};
        table->answers[table->ahead++] = &seat->worth[i];
    }
}

/* Plays one move in every game. *asked: number of games that are not over. */
static bool play_round(struct table *table, int *asked) {
    const struct maker_plan *plan = &table->makers->plan;
    *asked = 0;
    for (int i = 0; i < plan->parallel_games; i++)
        if (ask(table, &table->seats[i], &table->questions[*asked]))
            table->asked[(*asked)++] = i;
    if (!*asked)
        return true;
    table->ahead = 0;
    for (int i = 0; plan->lookahead && i < *asked; i++)
        look_ahead(table, &table->seats[table->asked[i]], table->questions[i].move_count, table->questions + *asked);
    if (!makers_ask(table->makers, table->questions, *asked + table->ahead, &table->error))
        return false;
    for (int i = 0; i < table->ahead; i++)
        *table->answers[i] += (float)(plan->value_scale * (double)table->questions[*asked + i].value);
    for (int i = 0; i < *asked; i++)
        if (!move_on(table, &table->seats[table->asked[i]], &table->questions[i]))
            return false;
    return true;
}

static bool open_table(struct table *table) {
    samples_shape(samples_of(table), &table->shape);
    size_t seats = (size_t)table->makers->plan.parallel_games;
    size_t ahead = table->makers->plan.lookahead ? seats * (size_t)table->shape.most_moves : 0;
    table->seats = calloc(seats, sizeof *table->seats);
    table->questions = calloc(seats + ahead, sizeof *table->questions);
    table->answers = calloc(ahead + 1, sizeof *table->answers);
    table->asked = calloc(seats, sizeof *table->asked);
    if (!table->seats || !table->questions || !table->answers || !table->asked)
        return out_of_memory(table);
    for (size_t i = 0; i < seats; i++) {
        if (!open_seat(table, &table->seats[i]))
            return false;
        take_seat(table, &table->seats[i]);
    }
    return true;
}

static void close_table(struct table *table) {
    for (int i = 0; table->seats && i < table->makers->plan.parallel_games; i++)
        close_seat(&table->seats[i]);
    free(table->seats);
    free(table->questions);
    free(table->answers);
    free(table->asked);
}

/* Waits while more positions have been added than training wants at present. */
static void wait_until_wanted(struct makers *makers) {
    const struct maker_plan *plan = &makers->plan;
    while (plan->wanted && !stop_token_is_stopped(&makers->stop) &&
           samples_added(plan->harvest->training) > atomic_load(plan->wanted))
        nanosleep(&(struct timespec){.tv_nsec = NAP_NS}, NULL);
}

void make_by_ppo(struct makers *makers) {
    struct table table = {.makers = makers, .costs = makers->plan.source->domain->aim == SOLOIST_LEAST_COST};
    int asked = 1;
    bool good = open_table(&table);
    while (good && asked && !stop_token_is_stopped(&makers->stop)) {
        wait_until_wanted(makers);
        good = play_round(&table, &asked);
    }
    if (!good)
        makers_fail(makers, &table.error);
    close_table(&table);
}
