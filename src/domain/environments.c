/* Many boards played at once, by the domain's own group or by the general version. */
#include "domain/environments.h"

#include "domain/environments_general.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct environments {
    const soloist_environments *table;
    void *boards;
    /* For boards that show floats. */
    int channels; /* 0: they show bytes */
    int actions;
    uint8_t *bytes; /* what the domain's own version shows; NULL: the general version plays */
    size_t numbers; /* of an observation; of `bytes`: that many per board */
    size_t all;     /* of all observations */
    uint8_t *mask;  /* the legal actions of each board, in the domain's own version */
    bool mask_is_old;
};

/* A group that was compiled before its last functions existed lacks them. */
static bool is_whole(const soloist_environments *table) { return table->begin && table->reseed && table->print; }

static bool suits(const soloist_environments *own, const soloist_episodes *episodes) {
    return own && is_whole(own) && own->suits(episodes);
}

/* own: the domain's own group, or NULL: the general version plays. */
static struct environments *open_boards(const soloist_domain *domain, const soloist_environments *own,
                                        const soloist_episodes *episodes, bool floats, soloist_error *error) {
    struct environments *made = NULL;
    if (!domain->learn || domain->players != 1) {
        soloist_fail(error, 0, 0, "%s cannot be played on many boards: %s", domain->name,
                     domain->learn ? "it has two players"
                                   : "it lacks the group `learn`, which describes states to networks");
        return NULL;
    }
    if ((made = calloc(1, sizeof *made))) {
        made->table = own ? own : &environments_general;
        made->boards = own ? own->open(episodes) : general_open(domain, episodes, floats);
    }
    if (made && made->boards)
        return made;
    soloist_fail(error, 0, 0, "no memory for %d boards", episodes->boards);
    free(made);
    return NULL;
}

struct environments *environments_open(const soloist_domain *domain, const soloist_episodes *episodes,
                                       bool general_only, soloist_error *error) {
    bool own = !general_only && suits(domain->environments, episodes);
    return open_boards(domain, own ? domain->environments : NULL, episodes, false, error);
}

struct environments *environments_open_floats(const soloist_puzzle *like, const soloist_episodes *episodes,
                                              int channels, soloist_error *error) {
    const soloist_domain *domain = like->domain;
    int plain, height, width, boards = episodes->boards;
    domain->learn->planes(like->instance, &plain, &height, &width);
    bool own = plain == channels && suits(domain->environments, episodes);
    struct environments *made = open_boards(domain, own ? domain->environments : NULL, episodes, true, error);
    if (!made)
        return NULL;
    made->channels = channels;
    made->actions = domain->learn->actions(like->instance);
    made->numbers = (size_t)channels * (size_t)height * (size_t)width;
    made->all = made->numbers * (size_t)boards;
    if (!own)
        return made;
    made->bytes = calloc(made->all, 1);
    made->mask = calloc((size_t)boards, (size_t)made->actions);
    if (made->bytes && made->mask)
        return made;
    soloist_fail(error, 0, 0, "no memory for %d boards", boards);
    environments_close(made);
    return NULL;
}

void environments_close(struct environments *e) {
    if (!e)
        return;
    e->table->close(e->boards);
    free(e->bytes);
    free(e->mask);
    free(e);
}

bool environments_put(struct environments *e, int slot, const soloist_chunk *chunk, soloist_error *error) {
    return e->table->put(e->boards, slot, chunk, error);
}

/* The own version always writes bytes: into the caller's array, or into that of the boards. */
static uint8_t *bytes_of(struct environments *e, uint8_t *observations) {
    e->mask_is_old = true;
    return observations ? observations : e->bytes;
}

void environments_reset(struct environments *e, uint8_t *observations) {
    e->table->reset(e->boards, bytes_of(e, observations));
}

void environments_step(struct environments *e, const int32_t *actions, bool in_place, uint8_t *observations,
                       float *rewards, uint8_t *ends, uint8_t *finals) {
    e->table->step(e->boards, actions, in_place, bytes_of(e, observations), rewards, ends, finals);
}

void environments_legal(const struct environments *e, uint8_t *mask) { e->table->legal(e->boards, mask); }

int environments_slot(const struct environments *e, int board) { return e->table->slot(e->boards, board); }

uint64_t environments_episodes(const struct environments *e) { return e->table->episodes(e->boards); }

void environments_begin(struct environments *e, int board, int slot, uint8_t *observation) {
    uint8_t *bytes = bytes_of(e, observation);
    e->table->begin(e->boards, board, slot, bytes == e->bytes && bytes ? bytes + (size_t)board * e->numbers : bytes);
}

void environments_reseed(struct environments *e, uint64_t seed) { e->table->reseed(e->boards, seed); }

void environments_print(const struct environments *e, int board, const soloist_sink *sink) {
    e->table->print(e->boards, board, sink);
}

/* ---- floats ---- */

soloist_code environments_adopt(struct environments *e, int slot, soloist_puzzle *puzzle, soloist_error *error) {
    errno = 0;
    bool put = e->bytes ? e->table->put(e->boards, slot, &puzzle->chunk, error)
                        : general_adopt(e->boards, slot, puzzle, error);
    soloist_code code = put ? SOLOIST_OK : errno == ENOMEM ? SOLOIST_NO_MEMORY : SOLOIST_BAD_INPUT;
    soloist_puzzle_free(puzzle);
    return code;
}

void environments_see(const struct environments *e, float *planes) {
    if (!e->bytes)
        general_see(e->boards, e->channels, planes);
    else
        for (size_t i = 0; i < e->all; i++)
            planes[i] = (float)e->bytes[i];
}

int environments_choices(struct environments *e, int board, int *actions) {
    if (!e->bytes)
        return general_choices(e->boards, board, actions);
    if (e->mask_is_old)
        e->table->legal(e->boards, e->mask);
    e->mask_is_old = false;
    const uint8_t *mask = e->mask + (size_t)board * (size_t)e->actions;
    int count = 0;
    for (int i = 0; i < e->actions; i++)
        if (mask[i])
            actions[count++] = i;
    return count;
}

soloist_episode episode_stand(const soloist_domain *domain, const soloist_instance *instance, const void *state,
                              int steps, int step_limit, soloist_move *moves, int *count, int32_t *last) {
    *count = *last = 0;
    if (domain->core->ended(instance, state, last))
        return SOLOIST_EPISODE_ENDED;
    *last = 0;
    *count = domain->core->moves(instance, state, moves);
    return !*count                             ? SOLOIST_EPISODE_STUCK
           : step_limit && steps >= step_limit ? SOLOIST_EPISODE_CUT_OFF
                                               : SOLOIST_EPISODE_RUNS;
}

/* ---- rewards and levels ---- */

int environments_reward(const soloist_domain *domain, const char *name, soloist_error *error) {
    for (int i = 0; domain->reward && domain->reward->names[i]; i++)
        if (strcmp(domain->reward->names[i], name) == 0)
            return i;
    soloist_fail(error, 0, 0, "%s has no reward called %s", domain->name, name);
    return -1;
}

bool level_choice_open(struct level_choice *choice, const soloist_episodes *episodes) {
    *choice = (struct level_choice){.levels = episodes->levels,
                                    .boards = episodes->boards,
                                    .first_board = episodes->first_board,
                                    .in_turn = episodes->in_turn};
    choice->rng = malloc((size_t)episodes->boards * sizeof *choice->rng);
    if (choice->rng)
        level_choice_reseed(choice, episodes->seed);
    return choice->rng;
}

void level_choice_reseed(struct level_choice *choice, uint64_t seed) {
    choice->begun = 0;
    for (int i = 0; i < choice->boards; i++)
        soloist_rng_seed(&choice->rng[i], seed, (uint64_t)(choice->first_board + i));
}

void level_choice_close(struct level_choice *choice) { free(choice->rng); }
