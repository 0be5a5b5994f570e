/* Starting positions that the network itself reaches. A network that has seen only positions of the expert's games does
 * not know how to play in other positions; here the expert finishes games that the network began (DAgger: Ross, Gordon
 * and Bagnell 2011). */
#include "base/buffer.h"
#include "learn/train/makers.h"

#include <stdlib.h>

struct leader {
    const soloist_puzzle *puzzle;
    soloist_shape shape;
    void *state;
    soloist_move *moves, *line;
    float *priors;
    int length; /* number of moves in the line */
};

static bool open_leader(struct leader *leader, const soloist_puzzle *puzzle, soloist_error *error) {
    *leader = (struct leader){.puzzle = puzzle};
    puzzle->domain->life->shape(puzzle->instance, &leader->shape);
    size_t moves = (size_t)leader->shape.most_moves + 1, steps = (size_t)leader->shape.most_steps + 1;
    leader->state = malloc(leader->shape.state_size);
    leader->moves = malloc(moves * sizeof *leader->moves);
    leader->priors = malloc(moves * sizeof *leader->priors);
    leader->line = malloc(steps * sizeof *leader->line);
    return (leader->state && leader->moves && leader->priors && leader->line) ||
           soloist_fail(error, 0, 0, "no memory for a game");
}

static void close_leader(struct leader *leader) {
    free(leader->state);
    free(leader->moves);
    free(leader->priors);
    free(leader->line);
}

/* Plays moves chosen at random by the network's priors until the game ends or has `most` moves. */
static bool play(struct makers *makers, struct leader *leader, int most, soloist_rng *rng, soloist_error *error) {
    const soloist_domain *domain = leader->puzzle->domain;
    const soloist_instance *instance = leader->puzzle->instance;
    int32_t last;
    domain->life->root(instance, leader->state);
    while (leader->length < most && !stop_token_is_stopped(&makers->stop) &&
           !domain->core->ended(instance, leader->state, &last)) {
        struct evaluation question = {.instance = instance,
                                      .state = leader->state,
                                      .moves = leader->moves,
                                      .move_count = domain->core->moves(instance, leader->state, leader->moves),
                                      .priors = leader->priors};
        if (!makers_ask(makers, &question, 1, error))
            return false;
        soloist_move move = leader->moves[policy_draw(leader->priors, question.move_count, rng)];
        domain->core->apply(instance, leader->state, move, NULL);
        leader->line[leader->length++] = move;
    }
    return true;
}

/* Makes a puzzle of the position after the line's first `steps` moves. */
static bool stand_in(struct makers *makers, struct leader *leader, int steps, soloist_puzzle *made,
                     soloist_error *error) {
    const soloist_domain *domain = leader->puzzle->domain;
    struct buffer text;
    domain->life->root(leader->puzzle->instance, leader->state);
    for (int i = 0; i < steps; i++)
        domain->core->apply(leader->puzzle->instance, leader->state, leader->line[i], NULL);
    buffer_open(&text);
    soloist_sink sink = buffer_sink(&text);
    domain->text->print(leader->puzzle->instance, leader->state, &sink);
    bool read =
        text.text && game_puzzle_read(domain, makers->plan.source->options, text.text, text.length, made, error);
    buffer_close(&text);
    return read;
}

bool dagger_start(struct makers *makers, soloist_puzzle *puzzle, soloist_rng *rng, soloist_error *error) {
    struct leader leader;
    soloist_puzzle made;
    int32_t last;
    bool good = open_leader(&leader, puzzle, error) &&
                play(makers, &leader, (int)soloist_rng_below(rng, (uint32_t)leader.shape.most_steps) + 1, rng, error);
    /* If the game ended before it had `most` moves, the start is an earlier position of that game, chosen at random. */
    if (good && leader.length > 1 && puzzle->domain->core->ended(puzzle->instance, leader.state, &last))
        leader.length = 1 + (int)soloist_rng_below(rng, (uint32_t)leader.length - 1);
    if (good && leader.length > 1) {
        good = stand_in(makers, &leader, leader.length, &made, error);
        bool fits = good && samples_fit(makers->plan.harvest->training, made.instance);
        if (good && !fits)
            soloist_puzzle_free(&made);
        if (fits) {
            soloist_puzzle_free(puzzle);
            *puzzle = made;
        }
    }
    close_leader(&leader);
    return good;
}
