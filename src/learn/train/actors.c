#include "learn/train/actors.h"

#include "base/real.h"

#include <stdlib.h>
#include <string.h>

/* ---- life ---- */

static int find_reward(const soloist_domain *domain, const char *name) {
    for (int i = 0; name && domain->reward && domain->reward->names[i]; i++)
        if (!strcmp(domain->reward->names[i], name))
            return i;
    return -1;
}

bool actors_open(struct actors *actors, const soloist_domain *domain, int count, int channels, size_t planes,
                 size_t actions, const char *reward, uint64_t seed, soloist_error *error) {
    *actors = (struct actors){.domain = domain,
                              .count = count,
                              .channels = channels,
                              .planes = planes,
                              .actions = actions,
                              .seed = seed,
                              .step_limit = 100,
                              .step_value = 0.01,
                              .value_scale = 1,
                              .reward = find_reward(domain, reward)};
    if (reward && actors->reward < 0)
        return soloist_fail(error, 0, 0, "%s has no reward %s", domain->name, reward);
    actors->actors = calloc((size_t)count, sizeof *actors->actors);
    return actors->actors || soloist_fail(error, 0, 0, "no memory for %d actors", count);
}

static void leave_game(struct actor *actor) {
    if (actor->puzzle.instance)
        soloist_puzzle_free(&actor->puzzle);
    actor->puzzle = (soloist_puzzle){0};
}

void actors_close(struct actors *actors) {
    for (int i = 0; actors->actors && i < actors->count; i++) {
        leave_game(&actors->actors[i]);
        free(actors->actors[i].state);
        free(actors->actors[i].before);
        free(actors->actors[i].line);
    }
    free(actors->actors);
    free(actors->moves);
    free(actors->indices);
    *actors = (struct actors){0};
}

/* ---- games ---- */

/* Makes room for a state of the actor's instance, and for its moves. */
static bool reserve(struct actors *actors, struct actor *actor) {
    soloist_shape shape = {0};
    actors->domain->life->shape(actor->puzzle.instance, &shape);
    if (!actor->line)
        actor->line = malloc((size_t)actors->step_limit * sizeof *actor->line);
    if (!actor->line)
        return false;
    if (shape.state_size > actor->state_room) {
        unsigned char *state = realloc(actor->state, shape.state_size);
        actor->state = state ? state : actor->state;
        unsigned char *before = realloc(actor->before, shape.state_size);
        actor->before = before ? before : actor->before;
        if (!state || !before)
            return false;
    }
    actor->state_room = actor->state_room > shape.state_size ? actor->state_room : shape.state_size;
    if (shape.most_moves < actors->move_room)
        return true;
    size_t room = (size_t)shape.most_moves + 1;
    soloist_move *moves = realloc(actors->moves, room * sizeof *moves);
    actors->moves = moves ? moves : actors->moves;
    int *indices = realloc(actors->indices, room * sizeof *indices);
    actors->indices = indices ? indices : actors->indices;
    actors->move_room = moves && indices ? (int)room : actors->move_room;
    return moves && indices;
}

static bool is_over(const struct actors *actors, const struct actor *actor, bool *solved) {
    const soloist_core *core = actors->domain->core;
    int32_t last;
    *solved = core->ended(actor->puzzle.instance, actor->state, &last);
    return *solved || actor->steps >= actors->step_limit ||
           !core->moves(actor->puzzle.instance, actor->state, actors->moves);
}

/* Takes instances until one is not over at its beginning. */
static bool take_game(struct actors *actors, struct actor *actor, soloist_error *error) {
    bool solved, over = true;
    while (over) {
        leave_game(actor);
        if (!level_stream_next(actors->stream, &actor->puzzle, &actor->number, error)) {
            actor->puzzle = (soloist_puzzle){0};
            return false;
        }
        if (!reserve(actors, actor))
            return soloist_fail(error, 0, 0, "no memory for a game");
        actor->stage = actors->stage;
        actor->steps = 0;
        soloist_rng_seed(&actor->rng, actors->seed, actor->number);
        actors->domain->life->root(actor->puzzle.instance, actor->state);
        over = is_over(actors, actor, &solved);
    }
    return true;
}

bool actors_begin(struct actors *actors, soloist_error *error) {
    for (int i = 0; i < actors->count; i++)
        if (!actors->actors[i].puzzle.instance && !take_game(actors, &actors->actors[i], error))
            return false;
    return true;
}

/* ---- a move ---- */

void actors_see(const struct actors *actors, float *planes) {
    for (int i = 0; i < actors->count; i++)
        actors->domain->learn->encode(actors->actors[i].puzzle.instance, actors->actors[i].state, actors->channels,
                                      planes + (size_t)i * actors->planes);
}

/* Draws one of the listed moves by the logits of their actions, and writes the marks. */
static int draw(struct actors *actors, struct actor *actor, int count, const float *logits, float *marks,
                float *probability) {
    const soloist_learn *learn = actors->domain->learn;
    double most = -__builtin_inf(), sum = 0;
    memset(marks, 0, actors->actions * sizeof *marks);
    for (int i = 0; i < count; i++) {
        actors->indices[i] = learn->action(actor->puzzle.instance, actor->state, actors->moves[i]);
        marks[actors->indices[i]] = 1;
        most = (double)logits[actors->indices[i]] > most ? (double)logits[actors->indices[i]] : most;
    }
    for (int i = 0; i < count; i++)
        sum += real_exp((double)logits[actors->indices[i]] - most);
    double left = soloist_rng_unit(&actor->rng) * sum;
    int chosen = 0;
    for (; chosen < count - 1; chosen++)
        if ((left -= real_exp((double)logits[actors->indices[chosen]] - most)) < 0)
            break;
    marks[actors->indices[chosen]] = -1;
    *probability = (float)(real_exp((double)logits[actors->indices[chosen]] - most) / sum);
    return chosen;
}

static double reward_of(const struct actors *actors, const struct actor *actor, int32_t gain, bool solved) {
    const soloist_domain *domain = actors->domain;
    if (domain->aim == SOLOIST_MOST_SCORE)
        return gain / actors->value_scale;
    if (actors->reward >= 0)
        return domain->reward->value(actor->puzzle.instance, actors->reward, actor->before, actor->state, actor->steps);
    return (solved ? 1 : 0) - actors->step_value;
}

static bool move_actor(struct actors *actors, struct actor *actor, const float *logits, float *marks,
                       struct net_drawn *drawn, float *reward, bool *ended, soloist_error *error) {
    const soloist_core *core = actors->domain->core;
    soloist_shape shape = {0};
    bool solved;
    actors->domain->life->shape(actor->puzzle.instance, &shape);
    int count = core->moves(actor->puzzle.instance, actor->state, actors->moves);
    int chosen = draw(actors, actor, count, logits, marks, &drawn->probability);
    memcpy(actor->before, actor->state, shape.state_size);
    int32_t gain = core->apply(actor->puzzle.instance, actor->state, actors->moves[chosen], NULL);
    actor->line[actor->steps++] = actors->moves[chosen];
    *ended = is_over(actors, actor, &solved);
    *reward = (float)reward_of(actors, actor, gain, solved);
    if (!*ended)
        return true;
    actors->tally.ended++;
    actors->tally.solved += solved;
    return take_game(actors, actor, error);
}

bool actors_move(struct actors *actors, const float *logits, float *marks, struct net_drawn *drawn, float *rewards,
                 bool *ended, soloist_error *error) {
    for (int i = 0; i < actors->count; i++)
        if (!move_actor(actors, &actors->actors[i], logits + (size_t)i * actors->actions,
                        marks + (size_t)i * actors->actions, &drawn[i], &rewards[i], &ended[i], error))
            return false;
    return true;
}

/* ---- returns ---- */

void actors_returns(const float *rewards, const bool *ended, const float *values, int steps, int count, double discount,
                    float *returns) {
    for (int a = 0; a < count; a++) {
        double later = (double)values[a];
        for (int t = steps - 1; t >= 0; t--) {
            size_t at = (size_t)t * (size_t)count + (size_t)a;
            later = (double)rewards[at] + (ended[at] ? 0 : discount * later);
            returns[at] = (float)later;
        }
    }
}

/* ---- checkpoints ---- */

/* A game in progress; its moves follow. */
struct written {
    uint64_t number;
    int64_t stage, steps;
    soloist_rng rng;
};

static size_t game_size(const struct actors *actors) {
    return sizeof(struct written) + (size_t)actors->step_limit * sizeof(soloist_move);
}

size_t actors_size(const struct actors *actors) { return (size_t)actors->count * game_size(actors); }

void actors_write(const struct actors *actors, void *block) {
    memset(block, 0, actors_size(actors));
    for (int i = 0; i < actors->count; i++) {
        const struct actor *actor = &actors->actors[i];
        struct written written = {actor->number, actor->stage, actor->steps, actor->rng};
        unsigned char *place = (unsigned char *)block + (size_t)i * game_size(actors);
        memcpy(place, &written, sizeof written);
        memcpy(place + sizeof written, actor->line, (size_t)actor->steps * sizeof *actor->line);
    }
}

/* Plays a line again; false: it is not a line of this instance. */
static bool replay(struct actors *actors, struct actor *actor) {
    const soloist_core *core = actors->domain->core;
    const soloist_instance *instance = actor->puzzle.instance;
    bool legal = true;
    actors->domain->life->root(instance, actor->state);
    for (int i = 0; legal && i < actor->steps; i++) {
        int count = core->moves(instance, actor->state, actors->moves);
        legal = false;
        for (int k = 0; k < count; k++)
            legal |= actors->moves[k] == actor->line[i];
        if (legal)
            core->apply(instance, actor->state, actor->line[i], NULL);
    }
    return legal;
}

bool actors_read(struct actors *actors, const void *block,
                 bool (*make)(void *user, int stage, uint64_t number, soloist_puzzle *puzzle), void *user) {
    for (int i = 0; i < actors->count; i++) {
        struct actor *actor = &actors->actors[i];
        struct written written;
        const unsigned char *place = (const unsigned char *)block + (size_t)i * game_size(actors);
        memcpy(&written, place, sizeof written);
        if (written.steps < 0 || written.steps >= actors->step_limit ||
            !make(user, (int)written.stage, written.number, &actor->puzzle) || !reserve(actors, actor))
            return false;
        memcpy(actor->line, place + sizeof written, (size_t)written.steps * sizeof *actor->line);
        actor->number = written.number;
        actor->stage = (int)written.stage;
        actor->steps = (int)written.steps;
        actor->rng = written.rng;
        if (!replay(actors, actor))
            return false;
    }
    return true;
}
