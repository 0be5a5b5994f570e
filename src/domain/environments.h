/* Many boards of one domain, played at once for learners: by the domain's own `environments` group where that suits,
 * otherwise by a general version over core, reward and learn. */
#ifndef DOMAIN_ENVIRONMENTS_H
#define DOMAIN_ENVIRONMENTS_H

#include "soloist_extra.h"

struct environments;

/* Opens the boards. general_only: use the general version even if the domain has its own; tests compare the two. NULL
 * with an error if the domain cannot be played in this way or memory is short. The domain is borrowed. */
struct environments *environments_open(const soloist_domain *domain, const soloist_episodes *episodes,
                                       bool general_only, soloist_error *error);
void environments_close(struct environments *environments); /* NULL is allowed */

/* The functions of soloist_environments. */
bool environments_put(struct environments *environments, int slot, const soloist_chunk *chunk, soloist_error *error);
void environments_reset(struct environments *environments, uint8_t *observations);
void environments_step(struct environments *environments, const int32_t *actions, bool in_place, uint8_t *observations,
                       float *rewards, uint8_t *ends, uint8_t *finals);
void environments_legal(const struct environments *environments, uint8_t *mask);
int environments_slot(const struct environments *environments, int board);
uint64_t environments_episodes(const struct environments *environments);
void environments_begin(struct environments *environments, int board, int slot, uint8_t *observation);
void environments_reseed(struct environments *environments, uint64_t seed);
void environments_print(const struct environments *environments, int board, const soloist_sink *sink);

/* The index of a reward's name, or -1 with an error. */
int environments_reward(const soloist_domain *domain, const char *name, soloist_error *error);

/* The next slot for a board: in turn, or drawn by the board's own stream. */
struct level_choice {
    int levels, boards, first_board;
    bool in_turn;
    uint64_t begun;   /* episodes begun so far, on all boards */
    soloist_rng *rng; /* one per board; owned */
};

bool level_choice_open(struct level_choice *choice, const soloist_episodes *episodes);
void level_choice_reseed(struct level_choice *choice, uint64_t seed);
void level_choice_close(struct level_choice *choice);

static inline int level_choice_next(struct level_choice *choice, int board) {
    uint64_t episode = choice->begun++;
    return choice->in_turn ? (int)(episode % (uint64_t)choice->levels)
                           : (int)soloist_rng_below(&choice->rng[board], (uint32_t)choice->levels);
}

#endif
