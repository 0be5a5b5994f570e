/* Plays many boards of one domain at once, for learning algorithms. If the domain has an `environments` group that can
 * play the given episodes, this group is used. Otherwise a general version is used, which is based on the groups core,
 * reward and learn. There are three kinds of users. Programs call the functions soloist_boards_..., which write
 * observations as bytes into the program's arrays. The other two are Python's environments and the actors of
 * actor-critic training; the actors read floats for their network and choose among the legal moves.
 *
 * Two parts of learn/train use only episode_stand of this file: self-play by PPO, and games that the policy plays
 * without search. Both parts pass states instead of planes to an evaluator and keep samples of these states. They may
 * look ahead, and they stop when the instances run out. */
#ifndef DOMAIN_ENVIRONMENTS_H
#define DOMAIN_ENVIRONMENTS_H

#include "soloist_extra.h"

struct environments;

/* Opens the boards. general_only: use the general version even if the domain has its own; tests compare the two. NULL
 * with an error if the domain cannot be played in this way or memory is short. The domain is borrowed. */
struct environments *environments_open(const soloist_domain *domain, const soloist_episodes *episodes,
                                       bool general_only, soloist_error *error);
void environments_close(struct environments *environments); /* NULL is allowed */

/* The same as environments_open, but for a network that reads floats: environments_see writes `channels` planes per
 * board. The planes may include the domain's additional planes, and their values need not be whole numbers. The
 * argument `like` is a puzzle that was parsed with the domain's options; every level must have planes and actions of
 * the same numbers and sizes as this puzzle, which must outlive the boards. For these boards, the caller of a function
 * below passes NULL instead of an array for observations. */
struct environments *environments_open_floats(const soloist_puzzle *like, const soloist_episodes *episodes,
                                              int channels, soloist_error *error);

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

/* For boards that show floats. */

/* The same as environments_put for a puzzle that was read already. The function takes ownership of the puzzle, even if
 * it fails. Returns SOLOIST_BAD_INPUT with an error if the level cannot be played, and SOLOIST_NO_MEMORY if there is no
 * memory. */
soloist_code environments_adopt(struct environments *environments, int slot, soloist_puzzle *puzzle,
                                soloist_error *error);
/* Writes the observations of all boards: channels x height x width floats per board. */
void environments_see(const struct environments *environments, float *planes);
/* Writes the actions of a board's legal moves and returns how many there are. They are in the order in which core lists
 * the moves, or in ascending order if the domain's own version plays. Only for domains in which each move is one
 * action. */
int environments_choices(struct environments *environments, int board, int *actions);

/* Whether a game goes on after `steps` steps, or why it has ended. step_limit: maximum number of steps; 0: no limit.
 * Unless the domain's rules have ended the game, writes the legal moves to `moves`, which has room for
 * shape.most_moves. *count: the number of these moves. *last: what the end of the game itself adds to the score or
 * cost, or 0. A game that is both stuck and at the limit counts as stuck. */
soloist_episode episode_stand(const soloist_domain *domain, const soloist_instance *instance, const void *state,
                              int steps, int step_limit, soloist_move *moves, int *count, int32_t *last);

/* The index of the reward with this name, or -1 with an error. */
int environments_reward(const soloist_domain *domain, const char *name, soloist_error *error);

/* Chooses the slot (the level) for the next episode on a board: in turn, or at random by the board's own generator. */
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
