/* Threads that play games to learn from, each thread its own games, all from one source of instances into one harvest:
 * by solving each instance with a method of the engine (make_solve.c), by self-play with a network, each thread playing
 * many games at once (make_play.c), or by drawing moves from its policy, which learns by PPO (make_ppo.c). */
#ifndef LEARN_MAKERS_H
#define LEARN_MAKERS_H

#include "base/team.h"
#include "learn/train/harvest.h"
#include "search/policy/policy.h"
#include "base/stop.h"

#include <stdatomic.h>

enum make_way { MAKE_BY_SOLVING, MAKE_BY_PLAYING, MAKE_BY_PPO };
enum make_policy_target { MAKE_ACTION, MAKE_VISITS };
enum make_value_target { MAKE_RETURN, MAKE_MEAN };

struct maker_plan {
    const struct game_source *source;
    struct harvest *harvest;
    int threads;
    uint64_t first; /* number of the first instance */
    uint64_t games; /* how many; 0: without end */
    enum make_way way;

    /* By solving: */
    const soloist *engine;
    const char *method;
    double time_s;       /* of one game; 0: by iterations */
    uint64_t iterations; /* 0: by time */
    double dagger_share; /* of the games: those that begin where the network leads to (dagger_start.c) */

    /* By self-play: */
    const struct policy_options *search;
    int64_t simulations; /* a move */
    enum make_policy_target policy_target;
    enum make_value_target value_target;

    /* By drawing: */
    double gae_lambda;              /* of the generalised advantage estimate (GAE) */
    bool lookahead;                 /* every move is made on trial and valued */
    double inverse_temperature;     /* then: how far an advantage of one deviation leads the priors */
    double value_scale;             /* points that the network's value of 1 stands for */
    const _Atomic uint64_t *wanted; /* number of positions after which playing pauses; NULL: no limit */

    /* By several: */
    int parallel_games;          /* games of one thread */
    struct evaluator *evaluator; /* NULL: none; self-play is then plain MCTS */
    pthread_rwlock_t *weights;   /* held for reading while the network is asked */
};

struct makers {
    struct maker_plan plan;
    struct team team;
    soloist_stop_token stop;
    _Atomic uint64_t next; /* number of the next instance */
    _Atomic int working;   /* threads that have not ended */
    pthread_mutex_t lock;
    bool failed; /* then error says why */
    soloist_error error;
};

/* Starts the threads; *makers must not move until makers_stop. False with an error: nothing runs. */
bool makers_start(struct makers *makers, const struct maker_plan *plan, soloist_error *error);
/* Ends the threads; unfinished games are lost. False with an error: one of the threads had failed. Harmless on makers
 * that are all zero. */
bool makers_stop(struct makers *makers, soloist_error *error);
bool makers_are_done(struct makers *makers);
bool makers_have_failed(struct makers *makers);

/* For all makers: the next instance; false: there are no more, or *makers failed. */
bool makers_next(struct makers *makers, soloist_puzzle *puzzle, uint64_t *number);
void makers_fail(struct makers *makers, const soloist_error *error);
/* Replaces the puzzle by a position that the network's moves reach from it; if none is worth playing, the puzzle stays.
 * False with an error. */
bool dagger_start(struct makers *makers, soloist_puzzle *puzzle, soloist_rng *rng, soloist_error *error);
/* Has questions answered under the weights' lock. */
bool makers_ask(struct makers *makers, struct evaluation *questions, int count, soloist_error *error);
void make_by_solving(struct makers *makers);
void make_by_playing(struct makers *makers);
void make_by_ppo(struct makers *makers);

#endif
