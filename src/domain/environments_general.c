/* Many boards played at once through the groups core, reward and learn of any domain. A level's instance is shared by
 * the pool and the boards that play it, and destroyed after the last of them is done with it. */
#include "domain/environments_general.h"

#include "domain/domain.h"
#include "domain/environments.h"

#include <stdlib.h>
#include <string.h>

struct level {
    soloist_puzzle puzzle; /* only the instance, if it was read here */
    int users;             /* boards that play it, and the pool */
    int slot;
};

struct board {
    struct level *level; /* NULL before the first episode */
    int steps;
};

struct general {
    const soloist_domain *domain;
    soloist_episodes episodes;
    bool floats; /* observations are read by general_see alone, so the planes need not be whole numbers */
    struct level_choice choice;
    struct level **pool;
    struct board *boards;
    int channels, height, width, actions; /* of every level; actions is 0 before the first */
    size_t numbers;                       /* of an observation */
    /* Room for what the largest level needs. */
    size_t state_size; /* a multiple of 16 */
    int most_moves;
    unsigned char *states, *before; /* one per board; one */
    soloist_move *moves;
    float *slot, *policy, *priors; /* an observation; one number per action; one per move */
};

static void release(struct level *level) {
    if (!level || --level->users)
        return;
    soloist_puzzle_free(&level->puzzle);
    free(level);
}

static const soloist_instance *instance_of(const struct general *g, int board) {
    return g->boards[board].level->puzzle.instance;
}

static void general_close(void *boards) {
    struct general *g = boards;
    if (!g)
        return;
    for (int i = 0; g->pool && i < g->episodes.levels; i++)
        release(g->pool[i]);
    for (int i = 0; g->boards && i < g->episodes.boards; i++)
        release(g->boards[i].level);
    level_choice_close(&g->choice);
    void *owned[] = {g->pool, g->boards, g->states, g->before, g->moves, g->slot, g->policy, g->priors, g};
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++)
        free(owned[i]);
}

void *general_open(const soloist_domain *domain, const soloist_episodes *episodes, bool floats) {
    struct general *g = calloc(1, sizeof *g);
    if (!g)
        return NULL;
    g->domain = domain;
    g->episodes = *episodes;
    g->floats = floats;
    g->pool = calloc((size_t)episodes->levels, sizeof(struct level *));
    g->boards = calloc((size_t)episodes->boards, sizeof *g->boards);
    if (level_choice_open(&g->choice, episodes) && g->pool && g->boards)
        return g;
    general_close(g);
    return NULL;
}

/* ---- levels ---- */

/* Reallocates the block to which the pointer at `at` points. */
static bool grow(void *at, size_t size) {
    void *block;
    memcpy(&block, at, sizeof block);
    block = realloc(block, size ? size : 1);
    if (block)
        memcpy(at, &block, sizeof block);
    return block;
}

/* Makes room for states of `size` bytes; states that boards are playing are moved to their new places. */
static bool grow_states(struct general *g, size_t size) {
    size_t old = g->state_size, boards = (size_t)g->episodes.boards;
    size = (size + 15) & ~(size_t)15;
    if (size <= old)
        return true;
    if (!grow(&g->before, size) || !grow(&g->states, boards * size))
        return false;
    for (size_t i = boards; old && i--;)
        memmove(g->states + i * size, g->states + i * old, old);
    g->state_size = size;
    return true;
}

static bool grow_moves(struct general *g, int most) {
    if (most <= g->most_moves)
        return true;
    size_t count = (size_t)most;
    if (!grow(&g->moves, count * sizeof *g->moves) || !grow(&g->priors, count * sizeof *g->priors))
        return false;
    g->most_moves = most;
    return true;
}

static bool fits(struct general *g, const soloist_instance *instance, soloist_error *error) {
    const soloist_learn *learn = g->domain->learn;
    int channels, height, width, actions = learn->actions(instance);
    learn->planes(instance, &channels, &height, &width);
    if (!g->actions) {
        size_t numbers = (size_t)channels * (size_t)height * (size_t)width;
        if (!grow(&g->slot, numbers * sizeof *g->slot) || !grow(&g->policy, (size_t)actions * sizeof *g->policy))
            return soloist_fail(error, 0, 0, "no memory for an observation");
        g->channels = channels, g->height = height, g->width = width, g->actions = actions, g->numbers = numbers;
    }
    if (g->channels == channels && g->height == height && g->width == width && g->actions == actions)
        return true;
    return soloist_fail(error, 0, 0, "a level with %d planes of %dx%d and %d actions: expected %d of %dx%d and %d",
                        channels, height, width, actions, g->channels, g->height, g->width, g->actions);
}

/* Whether the level can be played and its planes can be written as bytes. */
static bool is_playable(struct general *g, const soloist_instance *instance, soloist_error *error) {
    soloist_shape shape = {0};
    int32_t last;
    g->domain->life->shape(instance, &shape);
    if (!fits(g, instance, error))
        return false;
    if (!grow_states(g, shape.state_size) || !grow_moves(g, shape.most_moves))
        return soloist_fail(error, 0, 0, "no memory for the boards' states");
    g->domain->life->root(instance, g->before);
    if (g->domain->core->ended(instance, g->before, &last) || !g->domain->core->moves(instance, g->before, g->moves))
        return soloist_fail(error, 0, 0, "the level begins at its end, or without a move");
    if (g->floats)
        return true;
    g->domain->learn->encode(instance, g->before, g->channels, g->slot);
    for (size_t i = 0; i < g->numbers; i++)
        if (!(g->slot[i] >= 0 && g->slot[i] <= 255) || g->slot[i] != (float)(uint8_t)g->slot[i])
            return soloist_fail(error, 0, 0, "the planes of %s are not whole numbers from 0 to 255", g->domain->name);
    return true;
}

/* Puts the level into the pool, or frees it if it cannot be played. */
static bool put_level(struct general *g, struct level *level, soloist_error *error) {
    bool first = !g->actions;
    if (!is_playable(g, level->puzzle.instance, error)) {
        g->actions = first ? 0 : g->actions;
        release(level);
        return false;
    }
    release(g->pool[level->slot]);
    g->pool[level->slot] = level;
    return true;
}

static bool general_put(void *boards, int slot, const soloist_chunk *chunk, soloist_error *error) {
    struct general *g = boards;
    struct level *level = calloc(1, sizeof *level);
    if (!level)
        return soloist_fail(error, 0, 0, "no memory for a level");
    *level = (struct level){{.domain = g->domain}, 1, slot};
    level->puzzle.instance = domain_parse(g->domain, chunk, g->episodes.options, &(soloist_work){.threads = 1}, error);
    if (level->puzzle.instance)
        return put_level(g, level, error);
    free(level);
    return false;
}

bool general_adopt(void *boards, int slot, soloist_puzzle *puzzle, soloist_error *error) {
    struct level *level = calloc(1, sizeof *level);
    if (!level)
        return soloist_fail(error, 0, 0, "no memory for a level");
    *level = (struct level){*puzzle, 1, slot};
    *puzzle = (soloist_puzzle){0};
    return put_level(boards, level, error);
}

/* ---- play ---- */

static unsigned char *state_of(const struct general *g, int board) { return g->states + (size_t)board * g->state_size; }

/* observation: NULL if the learner reads floats. */
static void observe(const struct general *g, int board, uint8_t *observation) {
    if (!observation)
        return;
    g->domain->learn->encode(instance_of(g, board), state_of(g, board), g->channels, g->slot);
    for (size_t i = 0; i < g->numbers; i++)
        observation[i] = (uint8_t)g->slot[i];
}

static uint8_t *place_of(const struct general *g, uint8_t *observations, int board) {
    return observations ? observations + (size_t)board * g->numbers : NULL;
}

static void begin_at(struct general *g, int board, int slot) {
    struct level *level = g->pool[slot];
    level->users++;
    release(g->boards[board].level);
    g->boards[board] = (struct board){level, 0};
    g->domain->life->root(level->puzzle.instance, state_of(g, board));
}

static void begin(struct general *g, int board) { begin_at(g, board, level_choice_next(&g->choice, board)); }

static void general_begin(void *boards, int board, int slot, uint8_t *observation) {
    struct general *g = boards;
    if (slot < 0)
        begin(g, board);
    else
        begin_at(g, board, slot);
    observe(g, board, observation);
}

static void general_reset(void *boards, uint8_t *observations) {
    struct general *g = boards;
    for (int i = 0; i < g->episodes.boards; i++) {
        begin(g, i);
        observe(g, i, place_of(g, observations, i));
    }
}

/* The move of an action, or SOLOIST_NO_MOVE. In a domain in which several actions mean one move it is the move that
 * gets a prior if all probability is on the action. */
static soloist_move move_of(const struct general *g, const soloist_instance *instance, const void *state, int action) {
    const soloist_learn *learn = g->domain->learn;
    int count = g->domain->core->moves(instance, state, g->moves);
    if (action < 0 || action >= g->actions)
        return SOLOIST_NO_MOVE;
    if (learn->priors) {
        memset(g->policy, 0, (size_t)g->actions * sizeof *g->policy);
        g->policy[action] = 1;
        learn->priors(instance, state, g->moves, count, g->policy, g->priors);
    }
    for (int i = 0; i < count; i++)
        if (learn->priors ? g->priors[i] > 0 : learn->action(instance, state, g->moves[i]) == action)
            return g->moves[i];
    return SOLOIST_NO_MOVE;
}

/* Plays one action; returns the reward. */
static double play(const struct general *g, int board, int action, soloist_episode *end) {
    const soloist_instance *instance = instance_of(g, board);
    unsigned char *state = state_of(g, board);
    soloist_move move = move_of(g, instance, state, action);
    int32_t gain = 0, last = 0;
    int steps = ++g->boards[board].steps, count;
    memcpy(g->before, state, g->state_size);
    if (move != SOLOIST_NO_MOVE)
        gain = g->domain->core->apply(instance, state, move, NULL);
    *end = episode_stand(g->domain, instance, state, steps, g->episodes.step_limit, g->moves, &count, &last);
    if (g->episodes.reward >= 0)
        return g->domain->reward->value(instance, g->episodes.reward, g->before, state, steps);
    gain += last;
    return g->domain->aim == SOLOIST_LEAST_COST ? -gain : gain; /* a whole number, so never -0 */
}

static void general_step(void *boards, const int32_t *actions, bool in_place, uint8_t *observations, float *rewards,
                         uint8_t *ends, uint8_t *finals) {
    struct general *g = boards;
    (void)in_place;
    for (int i = 0; i < g->episodes.boards; i++) {
        soloist_episode end;
        rewards[i] = (float)play(g, i, actions[i], &end);
        ends[i] = (uint8_t)end;
        if (end)
            observe(g, i, place_of(g, finals, i));
        if (end)
            begin(g, i);
        observe(g, i, place_of(g, observations, i));
    }
}

static void general_legal(const void *boards, uint8_t *mask) {
    const struct general *g = boards;
    const soloist_learn *learn = g->domain->learn;
    for (int i = 0; i < g->episodes.boards; i++, mask += g->actions) {
        const soloist_instance *instance = instance_of(g, i);
        int count = g->domain->core->moves(instance, state_of(g, i), g->moves);
        memset(g->policy, 0, (size_t)g->actions * sizeof *g->policy);
        for (int k = 0; k < count; k++)
            if (learn->share)
                g->priors[k] = 1;
            else
                g->policy[learn->action(instance, state_of(g, i), g->moves[k])] = 1;
        if (learn->share)
            learn->share(instance, state_of(g, i), g->moves, g->priors, count, g->policy);
        for (int a = 0; a < g->actions; a++)
            mask[a] = g->policy[a] > 0;
    }
}

static int general_slot(const void *boards, int board) {
    return ((const struct general *)boards)->boards[board].level->slot;
}

static uint64_t general_episodes(const void *boards) { return ((const struct general *)boards)->choice.begun; }

static void general_reseed(void *boards, uint64_t seed) {
    level_choice_reseed(&((struct general *)boards)->choice, seed);
}

static void general_print(const void *boards, int board, const soloist_sink *sink) {
    const struct general *g = boards;
    g->domain->text->print(instance_of(g, board), state_of(g, board), sink);
}

void general_see(const void *boards, int channels, float *planes) {
    const struct general *g = boards;
    size_t numbers = (size_t)channels * (size_t)g->height * (size_t)g->width;
    for (int i = 0; i < g->episodes.boards; i++)
        g->domain->learn->encode(instance_of(g, i), state_of(g, i), channels, planes + (size_t)i * numbers);
}

int general_choices(const void *boards, int board, int *actions) {
    const struct general *g = boards;
    int count = g->domain->core->moves(instance_of(g, board), state_of(g, board), g->moves);
    for (int i = 0; i < count; i++)
        actions[i] = g->domain->learn->action(instance_of(g, board), state_of(g, board), g->moves[i]);
    return count;
}

const soloist_environments environments_general = {
    .size = sizeof(soloist_environments),
    .close = general_close,
    .put = general_put,
    .reset = general_reset,
    .step = general_step,
    .legal = general_legal,
    .slot = general_slot,
    .episodes = general_episodes,
    .begin = general_begin,
    .reseed = general_reseed,
    .print = general_print,
};
