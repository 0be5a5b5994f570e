/* The actors of advantage actor-critic (A2C): many games that the same policy plays in step with each other, each move
 * drawn from the policy's probabilities over the legal moves. A game ends when it is solved, when it has no move left,
 * or at the step limit; then the actor takes the next instance. The games are played on the boards of
 * domain/environments.h, which are also part of the library's interfaces for C and Python. */
#ifndef LEARN_TRAIN_ACTORS_H
#define LEARN_TRAIN_ACTORS_H

#include "domain/environments.h"
#include "learn/train/level_stream.h"

/* The number of an instance, and the stage of the curriculum in which it was made. */
struct actor_level {
    uint64_t number;
    int stage;
};

struct actor {
    struct actor_level level;
    int steps; /* moves of the game so far */
    soloist_rng rng;
    uint32_t *line; /* the actions of these moves */
};

/* What the actors have played since the counts were last set to 0. */
struct actors_tally {
    uint64_t ended, solved;
};

struct actors {
    struct actor *actors;
    int count, stage;
    const soloist_domain *domain;
    /* Game number n, counted from 0, begins with the level in slot n % count of the boards' pool of levels. */
    struct environments *boards;
    struct actor_level *waiting; /* the level in each slot */
    bool playing;                /* every actor has a game */
    uint64_t next;               /* 1 + the number of the instance with which the newest game began */
    struct level_stream *stream; /* borrowed */
    uint64_t seed;
    /* reward: index of the domain's reward, or -1 if none was named. If none was named, the reward in a score domain is
     * the score divided by value_scale; in a least-cost domain it is 1 for reaching a goal, minus step_value for each
     * move. */
    int step_limit, reward;
    double step_value, value_scale;
    size_t actions; /* number of actions of an instance, which is the number of logits per actor */
    int32_t *drawn; /* scratch space: the action of each actor */
    uint8_t *ends;  /* scratch space */
    int *choices;   /* scratch space: the actions of an actor's legal moves */
    struct actors_tally tally;
};

/* like: a puzzle that has the same planes and actions as all instances, and the same options of the domain; borrowed.
 * channels: planes that the network reads. reward: the name of one of the domain's rewards; NULL: none. Close the
 * actors even if opening failed. */
bool actors_open(struct actors *actors, const soloist_puzzle *like, int count, int channels, const char *reward,
                 int step_limit, uint64_t seed, soloist_error *error);
void actors_close(struct actors *actors);
/* From now on instances come from this stream, which nobody else uses, and belong to this stage. */
bool actors_attach(struct actors *actors, struct level_stream *stream, int stage, soloist_error *error);
/* Gives every actor its first instance; does nothing if actors_read has restored the games of the actors. */
bool actors_begin(struct actors *actors, soloist_error *error);

/* Writes the network's input for each actor: the planes of its position. */
void actors_see(const struct actors *actors, float *planes);
/* Every actor makes one move, drawn by the logits of its legal actions (`actions` floats per actor). Writes, for each
 * actor: the marks that tell chosen, legal and illegal actions apart (net/loss.h), the probability of the move, its
 * reward, and whether the game ended. */
bool actors_move(struct actors *actors, const float *logits, float *marks, struct net_drawn *drawn, float *rewards,
                 bool *ended, soloist_error *error);

/* Returns of A2C: returns[t][a] = rewards[t][a] + discount * returns[t + 1][a]. The second term is left out if the game
 * of actor a ended at step t; at the last step, values[a] takes the place of returns[t + 1][a]. All arrays are
 * [steps][actors]. */
void actors_returns(const float *rewards, const bool *ended, const float *values, int steps, int count, double discount,
                    float *returns);

/* The games in progress as a block of actors_size bytes, so that a run can be continued exactly. Their instances are
 * made again by `make`, which knows the generator's options of each stage. actors_read must be called before
 * actors_attach; it returns false if the block is damaged or memory runs out. */
size_t actors_size(const struct actors *actors);
void actors_write(const struct actors *actors, void *block);
bool actors_read(struct actors *actors, const void *block,
                 bool (*make)(void *user, int stage, uint64_t number, soloist_puzzle *puzzle), void *user);

#endif
