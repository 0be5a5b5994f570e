/* DAgger in a least-cost domain (Ross, Gordon and Bagnell 2011): the network plays games, many at once, and the teacher
 * solves positions that occurred in them. A network that has seen only the teacher's games does not know how to go on
 * in other positions. In half of the games the network plays its most likely move, as it does when it is measured; in
 * the other half it draws moves by their probabilities. A game ends when it is solved, after step_limit moves, or, if
 * the most likely moves are played, when a position occurs again. */
#include "learn/train/tutor.h"

#include <stdlib.h>
#include <string.h>

/* One game in progress. */
struct seat {
    soloist_puzzle puzzle; /* if its instance is NULL, there is no game */
    soloist_shape shape;
    uint64_t number;
    soloist_rng rng;
    bool greedy;
    unsigned char *states; /* the positions so far; the last one is the present one */
    uint64_t *keys;
    soloist_move *moves;
    float *priors;
    int count; /* number of positions */
};

struct table {
    struct tutor *tutor;
    struct seat *seats;
    struct evaluation *questions;
    struct seat **asked;
};

static const struct maker_plan *plan_of(const struct table *table) { return &table->tutor->makers->plan; }

static unsigned char *state_at(const struct seat *seat, int i) {
    return seat->states + (size_t)i * seat->shape.state_size;
}

static void free_room(struct seat *seat) {
    free(seat->states);
    free(seat->keys);
    free(seat->moves);
    free(seat->priors);
    if (seat->puzzle.instance)
        soloist_puzzle_free(&seat->puzzle);
    *seat = (struct seat){0};
}

static bool begin(struct table *table, struct seat *seat, const soloist_puzzle *puzzle) {
    size_t steps = (size_t)plan_of(table)->step_limit + 1;
    seat->puzzle = *puzzle;
    puzzle->domain->life->shape(puzzle->instance, &seat->shape);
    size_t moves = (size_t)seat->shape.most_moves + 1;
    seat->states = malloc(steps * seat->shape.state_size);
    seat->keys = malloc(steps * sizeof *seat->keys);
    seat->moves = malloc(moves * sizeof *seat->moves);
    seat->priors = malloc(moves * sizeof *seat->priors);
    if (!seat->states || !seat->keys || !seat->moves || !seat->priors)
        return soloist_fail(&table->tutor->error, 0, 0, "no memory for a game");
    puzzle->domain->life->root(puzzle->instance, seat->states);
    seat->keys[0] = puzzle->domain->core->key(puzzle->instance, seat->states);
    seat->count = 1;
    return true;
}

/* Begins the next game. Puzzles that are not for DAgger are taught at once. False with an error; if there are no more
 * puzzles, the seat stays empty. */
static bool take_seat(struct table *table, struct seat *seat) {
    struct tutor *tutor = table->tutor;
    soloist_puzzle puzzle;
    uint64_t number;
    free_room(seat);
    while (tutor_next(tutor, &puzzle, &number)) {
        const struct tutor before = *tutor;
        soloist_rng_seed(&tutor->rng, plan_of(table)->source->seed + 1, number);
        if (soloist_rng_unit(&tutor->rng) < plan_of(table)->dagger_share) {
            seat->number = number;
            seat->greedy = soloist_rng_below(&tutor->rng, 2);
            seat->rng = tutor->rng;
            return begin(table, seat, &puzzle);
        }
        if (!tutor_finish(tutor, &before, tutor_puzzle(tutor, &puzzle, number)))
            return false;
    }
    return true;
}

/* Position number i of the game as a puzzle. False with an error; without an instance: the network cannot read it. */
static bool stand_in(struct table *table, const struct seat *seat, int i, soloist_puzzle *puzzle) {
    struct tutor *tutor = table->tutor;
    struct buffer text;
    buffer_open(&text);
    soloist_sink sink = buffer_sink(&text);
    seat->puzzle.domain->text->print(seat->puzzle.instance, state_at(seat, i), &sink);
    bool good = text.text && !text.failed ? game_puzzle_read(seat->puzzle.domain, plan_of(table)->source->options,
                                                             text.text, text.length, puzzle, &tutor->error)
                                          : soloist_fail(&tutor->error, 0, 0, "no memory for a position");
    buffer_close(&text);
    if (good && !samples_fit(plan_of(table)->harvest->training, puzzle->instance)) {
        soloist_puzzle_free(puzzle);
        *puzzle = (soloist_puzzle){0};
    }
    return good;
}

/* Lets the teacher solve a position, which is freed. lost: it is known to have no solution. */
static bool tutor_at(struct tutor *tutor, soloist_puzzle *puzzle, bool lost, bool apart, uint64_t seed) {
    struct tutor_position position;
    bool good;
    if (lost) {
        good = tutor_lost(tutor, puzzle, false, apart);
        soloist_puzzle_free(puzzle);
        return good;
    }
    if (!tutor_position_open(tutor, puzzle, apart, &position))
        return false;
    good = tutor_solution(tutor, &position, seed, true, false);
    tutor_position_close(&position);
    return good;
}

/* The teacher solves some of the game's positions, chosen at random: more of them if the network failed, because there
 * it has more to learn. Once one of them has no solution, neither have the
 * later ones. */
static bool finish(struct table *table, struct seat *seat) {
    const struct maker_plan *plan = plan_of(table);
    struct tutor *tutor = table->tutor;
    const struct tutor before = *tutor;
    soloist_puzzle puzzle;
    int32_t last;
    bool solved = seat->puzzle.domain->core->ended(seat->puzzle.instance, state_at(seat, seat->count - 1), &last);
    bool apart = harvest_is_apart(plan->harvest, game_hash(&seat->puzzle)), good = true;
    int count = seat->count - solved, left = solved ? plan->dagger_solved : plan->dagger_positions;
    tutor->rng = seat->rng;
    tutor->status = SOLOIST_SOLVED;
    for (int i = 0; good && i < count && left && !stop_token_is_stopped(&tutor->makers->stop); i++) {
        if (soloist_rng_below(&tutor->rng, (uint32_t)(count - i)) >= (uint32_t)left)
            continue;
        left--;
        good = stand_in(table, seat, i, &puzzle) &&
               (!puzzle.instance ||
                tutor_at(tutor, &puzzle, tutor->status == SOLOIST_IMPOSSIBLE, apart, seat->number + (uint64_t)i));
        if (tutor->status == SOLOIST_UNSOLVED)
            break;
    }
    return tutor_finish(tutor, &before, good);
}

/* Whether the network's game goes on from the present position; then the evaluation is prepared. */
static bool asks(struct table *table, struct seat *seat, struct evaluation *question) {
    const soloist_core *core = seat->puzzle.domain->core;
    const unsigned char *state = state_at(seat, seat->count - 1);
    int32_t last;
    if (seat->count > plan_of(table)->step_limit || core->ended(seat->puzzle.instance, state, &last))
        return false;
    for (int i = 0; seat->greedy && i < seat->count - 1; i++)
        if (seat->keys[i] == seat->keys[seat->count - 1])
            return false;
    *question = (struct evaluation){.instance = seat->puzzle.instance,
                                    .state = state,
                                    .moves = seat->moves,
                                    .move_count = core->moves(seat->puzzle.instance, state, seat->moves),
                                    .priors = seat->priors};
    return question->move_count > 0;
}

static void move_on(struct seat *seat, int count) {
    const soloist_core *core = seat->puzzle.domain->core;
    int best = 0;
    for (int i = 1; i < count; i++)
        best = seat->priors[i] > seat->priors[best] ? i : best;
    if (!seat->greedy)
        best = policy_draw(seat->priors, count, &seat->rng);
    unsigned char *state = state_at(seat, seat->count);
    memcpy(state, state_at(seat, seat->count - 1), seat->shape.state_size);
    core->apply(seat->puzzle.instance, state, seat->moves[best], NULL);
    seat->keys[seat->count++] = core->key(seat->puzzle.instance, state);
}

/* Plays one move in every game. *count: number of games that are not over. */
static bool play_round(struct table *table, int *count) {
    *count = 0;
    for (int i = 0; i < plan_of(table)->parallel_games; i++) {
        struct seat *seat = &table->seats[i];
        while (seat->puzzle.instance && !asks(table, seat, &table->questions[*count]))
            if (!finish(table, seat) || !take_seat(table, seat))
                return false;
        if (seat->puzzle.instance)
            table->asked[(*count)++] = seat;
    }
    if (!*count || stop_token_is_stopped(&table->tutor->makers->stop))
        return true;
    if (!makers_ask(table->tutor->makers, table->questions, *count, &table->tutor->error))
        return false;
    for (int i = 0; i < *count; i++)
        move_on(table->asked[i], table->questions[i].move_count);
    return true;
}

bool tutor_with_dagger(struct tutor *tutor) {
    size_t seats = (size_t)tutor->makers->plan.parallel_games;
    struct table table = {.tutor = tutor,
                          .seats = calloc(seats, sizeof *table.seats),
                          .questions = calloc(seats, sizeof *table.questions),
                          .asked = calloc(seats, sizeof *table.asked)};
    bool good = table.seats && table.questions && table.asked;
    int count = 1;
    if (!good)
        soloist_fail(&tutor->error, 0, 0, "no memory for games");
    for (size_t i = 0; good && i < seats; i++)
        good = take_seat(&table, &table.seats[i]);
    while (good && count && !stop_token_is_stopped(&tutor->makers->stop))
        good = play_round(&table, &count);
    for (size_t i = 0; table.seats && i < seats; i++)
        free_room(&table.seats[i]);
    free(table.seats);
    free(table.questions);
    free(table.asked);
    return good;
}
