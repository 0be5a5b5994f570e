/* Many boards played at once, by the domain's own group or by the general version. */
#include "domain/environments.h"

#include "domain/environments_general.h"

#include <stdlib.h>
#include <string.h>

struct environments {
    const soloist_environments *table;
    void *boards;
};

/* A group that was compiled before its last functions existed lacks them. */
static bool is_whole(const soloist_environments *table) { return table->begin && table->reseed && table->print; }

struct environments *environments_open(const soloist_domain *domain, const soloist_episodes *episodes,
                                       bool general_only, soloist_error *error) {
    const soloist_environments *own = general_only ? NULL : domain->environments;
    if (!domain->learn || domain->players != 1) {
        soloist_fail(error, 0, 0, "%s cannot be played on many boards: %s", domain->name,
                     domain->learn ? "it has two players" : "it has no learn group");
        return NULL;
    }
    struct environments *made = calloc(1, sizeof *made);
    if (made) {
        made->table = own && is_whole(own) && own->suits(episodes) ? own : &environments_general;
        made->boards = made->table == own ? own->open(episodes) : general_open(domain, episodes);
    }
    if (made && made->boards)
        return made;
    soloist_fail(error, 0, 0, "no memory for %d boards", episodes->boards);
    free(made);
    return NULL;
}

void environments_close(struct environments *e) {
    if (e)
        e->table->close(e->boards);
    free(e);
}

bool environments_put(struct environments *e, int slot, const soloist_chunk *chunk, soloist_error *error) {
    return e->table->put(e->boards, slot, chunk, error);
}

void environments_reset(struct environments *e, uint8_t *observations) { e->table->reset(e->boards, observations); }

void environments_step(struct environments *e, const int32_t *actions, bool in_place, uint8_t *observations,
                       float *rewards, uint8_t *ends, uint8_t *finals) {
    e->table->step(e->boards, actions, in_place, observations, rewards, ends, finals);
}

void environments_legal(const struct environments *e, uint8_t *mask) { e->table->legal(e->boards, mask); }

int environments_slot(const struct environments *e, int board) { return e->table->slot(e->boards, board); }

uint64_t environments_episodes(const struct environments *e) { return e->table->episodes(e->boards); }

void environments_begin(struct environments *e, int board, int slot, uint8_t *observation) {
    e->table->begin(e->boards, board, slot, observation);
}

void environments_reseed(struct environments *e, uint64_t seed) { e->table->reseed(e->boards, seed); }

void environments_print(const struct environments *e, int board, const soloist_sink *sink) {
    e->table->print(e->boards, board, sink);
}

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
