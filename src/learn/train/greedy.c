#include "learn/train/greedy.h"

#include "base/stop.h"
#include "domain/environments.h"

#include <math.h>
#include <stdlib.h>

struct seat {
    const soloist_puzzle *puzzle;
    void *state;
    soloist_move *moves;
    float *priors;
    int count;
    bool ended;
};

static bool open_seat(struct seat *seat, const soloist_puzzle *puzzle) {
    soloist_shape shape = {0};
    puzzle->domain->life->shape(puzzle->instance, &shape);
    seat->puzzle = puzzle;
    seat->state = malloc(shape.state_size);
    seat->moves = malloc(((size_t)shape.most_moves + 1) * sizeof *seat->moves);
    seat->priors = malloc(((size_t)shape.most_moves + 1) * sizeof *seat->priors);
    if (!seat->state || !seat->moves || !seat->priors)
        return false;
    puzzle->domain->life->root(puzzle->instance, seat->state);
    return true;
}

/* Whether the game is over; otherwise the seat has its legal moves. */
static bool is_over(struct seat *seat, int step_limit, struct greedy_game *game) {
    const soloist_domain *domain = seat->puzzle->domain;
    int32_t last;
    soloist_episode stand = episode_stand(domain, seat->puzzle->instance, seat->state, game->steps, step_limit,
                                          seat->moves, &seat->count, &last);
    game->value += last;
    game->solved = stand == SOLOIST_EPISODE_ENDED && domain->aim == SOLOIST_LEAST_COST;
    return stand != SOLOIST_EPISODE_RUNS;
}

/* Prepares an evaluation for each game that has not ended; returns their number. */
static int ask(struct seat *seats, int count, int step_limit, struct greedy_game *games, struct evaluation *questions,
               int *asked) {
    int going = 0;
    for (int i = 0; i < count; i++) {
        struct seat *seat = &seats[i];
        if (seat->ended || (seat->ended = is_over(seat, step_limit, &games[i])))
            continue;
        asked[going] = i;
        questions[going++] = (struct evaluation){.instance = seat->puzzle->instance,
                                                 .state = seat->state,
                                                 .moves = seat->moves,
                                                 .move_count = seat->count,
                                                 .priors = seat->priors};
    }
    return going;
}

static void move_on(struct seat *seat, struct greedy_game *game) {
    int best = 0;
    for (int i = 1; i < seat->count; i++)
        best = seat->priors[i] > seat->priors[best] ? i : best;
    game->value += seat->puzzle->domain->core->apply(seat->puzzle->instance, seat->state, seat->moves[best], NULL);
    game->steps++;
}

bool greedy_play(struct evaluator *evaluator, const soloist_puzzle *puzzles, int count, int step_limit,
                 const soloist_stop_token *stop, struct greedy_game *games, soloist_error *error) {
    struct seat *seats = calloc((size_t)count, sizeof *seats);
    struct evaluation *questions = calloc((size_t)count, sizeof *questions);
    int *asked = calloc((size_t)count, sizeof *asked), going;
    bool good = seats && questions && asked;
    for (int i = 0; good && i < count; i++) {
        games[i] = (struct greedy_game){0};
        good = open_seat(&seats[i], &puzzles[i]);
    }
    if (!good)
        soloist_fail(error, 0, 0, "no memory for %d games", count);
    for (int i = 0; good && i < count; i++)
        good = evaluator->fits(evaluator, puzzles[i].instance, error);
    while (good && !stop_token_is_stopped(stop) && (going = ask(seats, count, step_limit, games, questions, asked))) {
        good = evaluator->judge(evaluator, questions, going, error);
        for (int k = 0; good && k < going; k++)
            move_on(&seats[asked[k]], &games[asked[k]]);
    }
    for (int i = 0; seats && i < count; i++) {
        free(seats[i].state);
        free(seats[i].moves);
        free(seats[i].priors);
    }
    free(seats);
    free(questions);
    free(asked);
    return good;
}

struct greedy_summary greedy_sum_up(const struct greedy_game *games, int count) {
    double cost = 0, evaluations = 0;
    int solved = 0;
    for (int i = 0; i < count; i++) {
        solved += games[i].solved;
        cost += games[i].solved ? games[i].value : 0;
        evaluations += games[i].steps;
    }
    return (struct greedy_summary){.rate = 100.0 * solved / count,
                                   .interval = interval_share((uint64_t)solved, (uint64_t)count, 0.95),
                                   .cost = solved ? cost / solved : NAN,
                                   .evaluations = solved ? evaluations / solved : NAN};
}
