#include "learn/train/greedy.h"

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

/* Prepares an evaluation for each game that has not ended; returns their number. */
static int ask(struct seat *seats, int count, int32_t *scores, struct evaluation *questions, int *asked) {
    int going = 0;
    for (int i = 0; i < count; i++) {
        struct seat *seat = &seats[i];
        const soloist_core *core = seat->puzzle->domain->core;
        int32_t last;
        if (seat->ended)
            continue;
        if (core->ended(seat->puzzle->instance, seat->state, &last)) {
            seat->ended = true;
            scores[i] += last;
            continue;
        }
        seat->count = core->moves(seat->puzzle->instance, seat->state, seat->moves);
        asked[going] = i;
        questions[going++] = (struct evaluation){.instance = seat->puzzle->instance,
                                                 .state = seat->state,
                                                 .moves = seat->moves,
                                                 .move_count = seat->count,
                                                 .priors = seat->priors};
    }
    return going;
}

static int32_t move_on(struct seat *seat) {
    int best = 0;
    for (int i = 1; i < seat->count; i++)
        best = seat->priors[i] > seat->priors[best] ? i : best;
    return seat->puzzle->domain->core->apply(seat->puzzle->instance, seat->state, seat->moves[best], NULL);
}

bool greedy_play(struct evaluator *evaluator, const soloist_puzzle *puzzles, int count, int32_t *scores,
                 soloist_error *error) {
    struct seat *seats = calloc((size_t)count, sizeof *seats);
    struct evaluation *questions = calloc((size_t)count, sizeof *questions);
    int *asked = calloc((size_t)count, sizeof *asked), going;
    bool good = seats && questions && asked;
    for (int i = 0; good && i < count; i++) {
        scores[i] = 0;
        good = open_seat(&seats[i], &puzzles[i]);
    }
    if (!good)
        soloist_fail(error, 0, 0, "no memory for %d games", count);
    for (int i = 0; good && i < count; i++)
        good = evaluator->fits(evaluator, puzzles[i].instance, error);
    while (good && (going = ask(seats, count, scores, questions, asked))) {
        good = evaluator->judge(evaluator, questions, going, error);
        for (int k = 0; good && k < going; k++)
            scores[asked[k]] += move_on(&seats[asked[k]]);
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
