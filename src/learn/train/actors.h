/* The actors of advantage actor-critic (A2C): many games that the same policy plays in step with each other, each move
 * drawn from the policy's probabilities over the legal moves. A game ends when it is solved, when it has no move left,
 * or at the step limit; then the actor takes the next instance. */
#ifndef LEARN_TRAIN_ACTORS_H
#define LEARN_TRAIN_ACTORS_H

#include "learn/train/level_stream.h"
#include "soloist_extra.h"

struct actor {
    soloist_puzzle puzzle;
    uint64_t number; /* of the instance */
    int stage;       /* of the curriculum, in which the instance was made */
    int steps;       /* moves of the game so far */
    soloist_rng rng;
    soloist_move *line;            /* these moves */
    unsigned char *state, *before; /* before: scratch space */
    size_t state_room;
};

/* What the actors have played since the counts were last set to 0. */
struct actors_tally {
    uint64_t ended, solved;
};

struct actors {
    struct actor *actors;
    int count, stage;
    const soloist_domain *domain;
    struct level_stream *stream; /* borrowed; the caller may exchange it between two rounds */
    uint64_t seed;
    int step_limit, reward; /* reward: the number of the domain's reward; -1: 1 at the end, less step_value per move */
    double step_value, value_scale;
    int channels;
    size_t planes, actions; /* numbers per position */
    soloist_move *moves;    /* scratch space */
    int *indices;           /* scratch space: the action of each move */
    int move_room;
    struct actors_tally tally;
};

/* `reward`: the name of one of the domain's rewards; NULL: none. Close the actors even if opening failed. */
bool actors_open(struct actors *actors, const soloist_domain *domain, int count, int channels, size_t planes,
                 size_t actions, const char *reward, uint64_t seed, soloist_error *error);
void actors_close(struct actors *actors);
/* Gives every actor that has no game the next instance. */
bool actors_begin(struct actors *actors, soloist_error *error);

/* Writes what each actor sees: `planes` floats per actor. */
void actors_see(const struct actors *actors, float *planes);
/* Every actor makes one move, drawn by the logits of its legal actions (`actions` floats per actor). Writes, for each
 * actor: the marks of its actions (net/loss.h), the probability of the move, its reward, and whether the game ended. */
bool actors_move(struct actors *actors, const float *logits, float *marks, struct net_drawn *drawn, float *rewards,
                 bool *ended, soloist_error *error);

/* Returns of A2C: returns[t][a] = rewards[t][a] + discount * returns[t + 1][a], where a game that ended has no later
 * rewards, and values[a] stands for the rewards after the last step. All arrays are [steps][actors]. */
void actors_returns(const float *rewards, const bool *ended, const float *values, int steps, int count, double discount,
                    float *returns);

/* The games in progress as a block of actors_size bytes, so that a run can be continued exactly. Their instances are
 * made again by `make`, which knows the generator's options of each stage. False: the block is damaged, or no memory.
 */
size_t actors_size(const struct actors *actors);
void actors_write(const struct actors *actors, void *block);
bool actors_read(struct actors *actors, const void *block,
                 bool (*make)(void *user, int stage, uint64_t number, soloist_puzzle *puzzle), void *user);

#endif
