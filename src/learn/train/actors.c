#include "learn/train/actors.h"

#include "base/real.h"

#include <stdlib.h>
#include <string.h>

/* ---- life ---- */

static bool allocate(struct actors *actors) {
    size_t count = (size_t)actors->count, limit = (size_t)actors->step_limit;
    actors->actors = calloc(count, sizeof *actors->actors);
    actors->waiting = calloc(count, sizeof *actors->waiting);
    actors->drawn = calloc(count, sizeof *actors->drawn);
    actors->ends = calloc(count, sizeof *actors->ends);
    actors->choices = calloc(actors->actions + 1, sizeof *actors->choices);
    if (!actors->actors || !actors->waiting || !actors->drawn || !actors->ends || !actors->choices)
        return false;
    for (size_t i = 0; i < count; i++)
        if (!(actors->actors[i].line = malloc(limit * sizeof *actors->actors[i].line)))
            return false;
    return true;
}

bool actors_open(struct actors *actors, const soloist_puzzle *like, int count, int channels, const char *reward,
                 int step_limit, uint64_t seed, soloist_error *error) {
    *actors = (struct actors){.domain = like->domain,
                              .count = count,
                              .actions = (size_t)like->domain->learn->actions(like->instance),
                              .seed = seed,
                              .step_limit = step_limit,
                              .step_value = 0.01,
                              .value_scale = 1,
                              .reward = -1};
    if (reward && (actors->reward = environments_reward(like->domain, reward, error)) < 0)
        return false;
    soloist_episodes episodes = {.size = sizeof episodes,
                                 .options = like->options,
                                 .boards = count,
                                 .levels = count,
                                 .reward = actors->reward,
                                 .step_limit = step_limit,
                                 .in_turn = true};
    if (!(actors->boards = environments_open_floats(like, &episodes, channels, error)))
        return false;
    return allocate(actors) || soloist_fail(error, 0, 0, "no memory for %d actors", count);
}

void actors_close(struct actors *actors) {
    for (int i = 0; actors->actors && i < actors->count; i++)
        free(actors->actors[i].line);
    environments_close(actors->boards);
    free(actors->actors);
    free(actors->waiting);
    free(actors->drawn);
    free(actors->ends);
    free(actors->choices);
    *actors = (struct actors){0};
}

/* ---- games ---- */

/* Puts the next instance that is not over at its beginning into a slot. */
static bool fill(struct actors *actors, int slot, soloist_error *error) {
    soloist_code code = SOLOIST_BAD_INPUT;
    while (code == SOLOIST_BAD_INPUT) {
        soloist_puzzle puzzle;
        struct actor_level level = {.stage = actors->stage};
        if (!level_stream_next(actors->stream, &puzzle, &level.number, error))
            return false;
        code = environments_adopt(actors->boards, slot, &puzzle, error);
        actors->waiting[slot] = level;
    }
    return code == SOLOIST_OK;
}

bool actors_attach(struct actors *actors, struct level_stream *stream, int stage, soloist_error *error) {
    uint64_t begun = environments_episodes(actors->boards);
    actors->stream = stream;
    actors->stage = stage;
    actors->next = level_stream_number(stream);
    for (int i = 0; i < actors->count; i++)
        if (!fill(actors, (int)((begun + (uint64_t)i) % (uint64_t)actors->count), error))
            return false;
    return true;
}

/* The actor's board has begun a new game. */
static void take_game(struct actors *actors, int i) {
    struct actor *actor = &actors->actors[i];
    actor->level = actors->waiting[environments_slot(actors->boards, i)];
    actor->steps = 0;
    soloist_rng_seed(&actor->rng, actors->seed, actor->level.number);
    actors->next = actor->level.number + 1;
}

/* Fills the slots of the games that have begun since `before` games had begun. */
static bool fill_again(struct actors *actors, uint64_t before, soloist_error *error) {
    for (uint64_t n = before; n < environments_episodes(actors->boards); n++)
        if (!fill(actors, (int)(n % (uint64_t)actors->count), error))
            return false;
    return true;
}

bool actors_begin(struct actors *actors, soloist_error *error) {
    if (actors->playing)
        return true;
    uint64_t before = environments_episodes(actors->boards);
    environments_reset(actors->boards, NULL);
    actors->playing = true;
    for (int i = 0; i < actors->count; i++)
        take_game(actors, i);
    return fill_again(actors, before, error);
}

/* ---- a move ---- */

void actors_see(const struct actors *actors, float *planes) { environments_see(actors->boards, planes); }

/* Draws one of the actions in `choices` by their logits, and writes the marks. */
static int draw(struct actors *actors, struct actor *actor, int count, const float *logits, float *marks,
                float *probability) {
    const int *choices = actors->choices;
    double most = -__builtin_inf(), sum = 0;
    memset(marks, 0, actors->actions * sizeof *marks);
    for (int i = 0; i < count; i++) {
        marks[choices[i]] = 1;
        most = (double)logits[choices[i]] > most ? (double)logits[choices[i]] : most;
    }
    for (int i = 0; i < count; i++)
        sum += real_exp((double)logits[choices[i]] - most);
    double left = soloist_rng_unit(&actor->rng) * sum;
    int chosen = 0;
    for (; chosen < count - 1; chosen++)
        if ((left -= real_exp((double)logits[choices[chosen]] - most)) < 0)
            break;
    marks[choices[chosen]] = -1;
    *probability = (float)(real_exp((double)logits[choices[chosen]] - most) / sum);
    return choices[chosen];
}

/* reward: what the boards give. */
static double reward_of(const struct actors *actors, double reward, soloist_episode end) {
    if (actors->reward >= 0)
        return reward;
    if (actors->domain->aim == SOLOIST_MOST_SCORE)
        return reward / actors->value_scale;
    return (end == SOLOIST_EPISODE_ENDED ? 1 : 0) - actors->step_value;
}

bool actors_move(struct actors *actors, const float *logits, float *marks, struct net_drawn *drawn, float *rewards,
                 bool *ended, soloist_error *error) {
    uint64_t before = environments_episodes(actors->boards);
    for (int i = 0; i < actors->count; i++) {
        struct actor *actor = &actors->actors[i];
        int count = environments_choices(actors->boards, i, actors->choices);
        actors->drawn[i] = draw(actors, actor, count, logits + (size_t)i * actors->actions,
                                marks + (size_t)i * actors->actions, &drawn[i].probability);
        actor->line[actor->steps++] = (uint32_t)actors->drawn[i];
    }
    environments_step(actors->boards, actors->drawn, true, NULL, rewards, actors->ends, NULL);
    for (int i = 0; i < actors->count; i++) {
        soloist_episode end = actors->ends[i];
        rewards[i] = (float)reward_of(actors, (double)rewards[i], end);
        ended[i] = end != SOLOIST_EPISODE_RUNS;
        actors->tally.ended += ended[i];
        actors->tally.solved += end == SOLOIST_EPISODE_ENDED;
        if (ended[i])
            take_game(actors, i);
    }
    return fill_again(actors, before, error);
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

/* A game in progress; its actions follow. */
struct written {
    uint64_t number;
    int64_t stage, steps;
    soloist_rng rng;
};

static size_t game_size(const struct actors *actors) {
    return sizeof(struct written) + (size_t)actors->step_limit * sizeof *actors->actors->line;
}

size_t actors_size(const struct actors *actors) { return (size_t)actors->count * game_size(actors); }

void actors_write(const struct actors *actors, void *block) {
    memset(block, 0, actors_size(actors));
    for (int i = 0; i < actors->count; i++) {
        const struct actor *actor = &actors->actors[i];
        struct written written = {actor->level.number, actor->level.stage, actor->steps, actor->rng};
        unsigned char *place = (unsigned char *)block + (size_t)i * game_size(actors);
        memcpy(place, &written, sizeof written);
        memcpy(place + sizeof written, actor->line, (size_t)actor->steps * sizeof *actor->line);
    }
}

/* Reads one game and puts its instance into the slot of the actor's number. */
static bool read_game(struct actors *actors, int i, const unsigned char *place,
                      bool (*make)(void *user, int stage, uint64_t number, soloist_puzzle *puzzle), void *user) {
    struct actor *actor = &actors->actors[i];
    struct written written;
    soloist_puzzle puzzle;
    soloist_error error;
    memcpy(&written, place, sizeof written);
    if (written.steps < 0 || written.steps >= actors->step_limit ||
        !make(user, (int)written.stage, written.number, &puzzle) ||
        environments_adopt(actors->boards, i, &puzzle, &error) != SOLOIST_OK)
        return false;
    memcpy(actor->line, place + sizeof written, (size_t)written.steps * sizeof *actor->line);
    actor->level = (struct actor_level){written.number, (int)written.stage};
    actor->steps = (int)written.steps;
    actor->rng = written.rng;
    return true;
}

static bool is_legal(struct actors *actors, int i, uint32_t action) {
    int count = environments_choices(actors->boards, i, actors->choices);
    for (int k = 0; k < count; k++)
        if (actors->choices[k] == (int)action)
            return true;
    return false;
}

/* Plays all games again, so that all come to their last move in the same step: until its game begins, a board makes
 * steps that change nothing. False: a game is not one of its instance. */
static bool replay(struct actors *actors, float *rewards) {
    int most = 0;
    bool good = true;
    for (int i = 0; i < actors->count; i++)
        most = actors->actors[i].steps > most ? actors->actors[i].steps : most;
    for (int t = 0; good && t <= most; t++) {
        for (int i = 0; i < actors->count; i++)
            if (t == 0 || t == most - actors->actors[i].steps)
                environments_begin(actors->boards, i, i, NULL);
        for (int i = 0; t < most && i < actors->count; i++) {
            const struct actor *actor = &actors->actors[i];
            int at = t - (most - actor->steps);
            good &= at < 0 || is_legal(actors, i, actor->line[at]);
            actors->drawn[i] = at < 0 ? -1 : (int32_t)actor->line[at];
        }
        if (good && t < most)
            environments_step(actors->boards, actors->drawn, true, NULL, rewards, actors->ends, NULL);
        for (int i = 0; t < most && i < actors->count; i++)
            good &= actors->ends[i] == SOLOIST_EPISODE_RUNS;
    }
    return good;
}

bool actors_read(struct actors *actors, const void *block,
                 bool (*make)(void *user, int stage, uint64_t number, soloist_puzzle *puzzle), void *user) {
    bool good = true;
    for (int i = 0; good && i < actors->count; i++)
        good = read_game(actors, i, (const unsigned char *)block + (size_t)i * game_size(actors), make, user);
    float *rewards = malloc((size_t)actors->count * sizeof *rewards);
    good = good && rewards && replay(actors, rewards);
    free(rewards);
    actors->playing = good;
    return good;
}
