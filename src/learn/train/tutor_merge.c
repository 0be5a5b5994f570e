/* Policy targets of several solutions: if the solutions of one puzzle go on differently from the same position, all
 * these moves share the position's target equally. Solutions by A* with random ties are equally good. So the network
 * learns all these moves instead of a random one of them. */
#include "learn/train/tutor.h"

#include <stdlib.h>
#include <string.h>

/* The positions of all solutions, one after the other. */
struct places {
    const soloist_puzzle *puzzle;
    size_t size, count;
    unsigned char *states;
    uint64_t *keys;
    soloist_move *moves; /* the move that follows */
    float *values;
    bool *chosen;
};

static bool open_places(struct places *places, const struct game *games, int count) {
    soloist_shape shape = {0};
    size_t all = 1;
    places->puzzle->domain->life->shape(places->puzzle->instance, &shape);
    for (int i = 0; i < count; i++)
        all += games[i].count;
    places->size = shape.state_size;
    places->states = malloc(all * shape.state_size);
    places->keys = malloc(all * sizeof *places->keys);
    places->moves = malloc(all * sizeof *places->moves);
    places->values = malloc(all * sizeof *places->values);
    places->chosen = malloc(all * sizeof *places->chosen);
    return places->states && places->keys && places->moves && places->values && places->chosen;
}

static void close_places(struct places *places) {
    free(places->states);
    free(places->keys);
    free(places->moves);
    free(places->values);
    free(places->chosen);
}

static bool add_game(struct tutor *tutor, struct places *places, const struct game *game) {
    const soloist_domain *domain = places->puzzle->domain;
    unsigned char *state = places->states + places->count * places->size;
    if (!game_values(game, &tutor->makers->plan.returns, places->values + places->count))
        return false;
    tutor_choose(tutor, game->count, false, places->chosen + places->count);
    for (size_t i = 0; i < game->count; i++, state += places->size) {
        if (i == 0)
            domain->life->root(places->puzzle->instance, state);
        places->keys[places->count] = domain->core->key(places->puzzle->instance, state);
        places->moves[places->count++] = game->moves[i];
        memcpy(state + places->size, state, places->size);
        domain->core->apply(places->puzzle->instance, state + places->size, game->moves[i], NULL);
    }
    return true;
}

/* The distinct moves that follow the same position. targets: room for one per legal move. */
static int list_moves(const struct places *places, size_t at, struct sample_target *targets) {
    int count = 0;
    for (size_t i = 0; i < places->count; i++) {
        int k = 0;
        if (places->keys[i] != places->keys[at] ||
            memcmp(places->states + i * places->size, places->states + at * places->size, places->size) != 0)
            continue;
        while (k < count && targets[k].move != places->moves[i])
            k++;
        targets[k] = (struct sample_target){places->moves[i], 1};
        count += k == count;
    }
    return count;
}

static bool write_places(struct tutor *tutor, const struct places *places, bool apart) {
    soloist_shape shape = {0};
    places->puzzle->domain->life->shape(places->puzzle->instance, &shape);
    struct sample_target *targets = malloc(((size_t)shape.most_moves + 1) * sizeof *targets);
    bool good = targets;
    for (size_t i = 0; good && i < places->count; i++)
        if (places->chosen[i]) {
            int count = list_moves(places, i, targets);
            good = tutor_position_add(tutor, places->puzzle, places->states + i * places->size, places->values[i],
                                      targets, count, apart);
        }
    free(targets);
    return good;
}

bool tutor_merge(struct tutor *tutor, const struct tutor_position *position, const struct game *games, int count) {
    struct places places = {.puzzle = &position->learner};
    bool good = open_places(&places, games, count);
    for (int i = 0; good && i < count; i++)
        good = add_game(tutor, &places, &games[i]);
    good = good && write_places(tutor, &places, position->apart);
    close_places(&places);
    return good || soloist_fail(&tutor->error, 0, 0, "no memory for a game");
}
