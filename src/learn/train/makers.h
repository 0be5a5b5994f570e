/* Threads that make games to learn from. All threads get instances from one source and add their games to one harvest.
 * There are six ways to make games. A method of the engine solves each instance (make_solve.c); tree search with a
 * network plays (make_play.c); or moves are chosen at random from the policy of a network that learns by PPO
 * (make_ppo.c). The other three ways are for least-cost domains: a method solves positions from which a network learns
 * moves and costs (make_teach.c; make_dagger.c for positions that the network itself reaches), the expert of expert
 * iteration plays (make_expert.c), or states come from walks backwards from the goal (make_backward.c). */
#ifndef LEARN_TRAIN_MAKERS_H
#define LEARN_TRAIN_MAKERS_H

#include "base/team.h"
#include "learn/train/harvest.h"
#include "search/policy/exit_options.h"
#include "search/policy/policy.h"
#include "base/stop.h"

#include <stdatomic.h>

enum make_way { MAKE_BY_SOLVING, MAKE_BY_PLAYING, MAKE_BY_PPO, MAKE_BY_TEACHING, MAKE_BY_EXPERT, MAKE_BY_WALKING_BACK };

/* A game of expert iteration. The value targets of its records are set later. */
struct expert_game {
    soloist_puzzle puzzle; /* owned; puzzle.instance is NULL if there was no game */
    bool solved;
    soloist_move *moves; /* owned */
    size_t length;
    int32_t cost;           /* of all moves */
    unsigned char *records; /* owned; records of some of the game's positions */
    int32_t *to_come;       /* owned; for each record: the cost of the moves that were still to come */
    size_t count;           /* number of records */
};
enum make_policy_target { MAKE_ACTION, MAKE_VISITS };
enum make_value_target { MAKE_RETURN, MAKE_MEAN };

struct maker_plan {
    const struct game_source *source;
    struct harvest *harvest;
    int threads;
    uint64_t first; /* number of the first instance */
    uint64_t games; /* number of games; 0: no limit */
    enum make_way way;

    /* For solving: */
    const soloist *engine;
    const char *method;
    bool guided;         /* the method uses a network: the one that is being trained */
    double time_s;       /* seconds per game; 0: no limit */
    uint64_t iterations; /* iterations per game; 0: no limit */
    /* Share of the games that begin at a position reached by the network's own moves (dagger_start.c). */
    double dagger_share;

    /* For teaching, which also uses the fields for solving: */
    /* The domain in which the method solves. A solution's text is then read as moves of the learner's domain. */
    const soloist_domain *teacher;
    const char *teacher_options; /* its options, or NULL */
    struct returns returns;
    int seeds;            /* number of times that each puzzle is solved, with different seeds */
    int dagger_positions; /* number of positions to solve from each game that the network did not solve */
    int dagger_solved;    /* number of positions to solve from each game that the network solved */
    bool merge;           /* a position's policy target combines the moves of all solutions (tutor_merge.c) */
    int pairs;            /* positions per solution; 0: all */
    int step_limit;       /* maximum number of moves of a game that the network plays */
    double dead_share;    /* share of the puzzles from which a dead position is taken */
    int64_t dead_states;  /* maximum number of positions that are visited to find a dead one */
    bool write_games;

    /* For self-play by tree search: */
    const struct policy_options *search;
    int64_t simulations; /* simulations per move */
    enum make_policy_target policy_target;
    enum make_value_target value_target;

    /* For self-play by PPO, where moves are chosen at random from the policy: */
    double gae_lambda;          /* lambda of generalised advantage estimation (GAE) */
    bool lookahead;             /* each legal move is tried, and the network evaluates the state after it */
    double inverse_temperature; /* priors are multiplied by exp(inverse_temperature * advantage / deviation) */
    double value_scale;         /* points of score that a network's value of 1 stands for */
    /* Threads pause when more positions than this have been added; NULL: they never pause. */
    const _Atomic uint64_t *wanted;

    /* For expert iteration: */
    /* Options of the expert's tree search; not used if `method` is set: then the method is the expert. */
    const struct exit_options *expert;
    struct expert_game *expert_games; /* element i receives game number `first` + i; zeroed by the caller */
    size_t puzzle_samples;            /* maximum number of records of one game */

    /* For walks backwards: */
    int walk_length; /* moves */

    /* For more than one of these ways: */
    int parallel_games;          /* number of games that each thread plays at once */
    struct evaluator *evaluator; /* NULL: no network; self-play is then plain MCTS */
    pthread_rwlock_t *weights;   /* locked for reading while the network evaluates */
};

/* The network in training as the network of a guided method. */
struct maker_guide {
    struct evaluator evaluator; /* first, so that a pointer to it is a pointer to the guide */
    struct makers *makers;
};

struct makers {
    struct maker_plan plan;
    struct maker_guide guide;
    soloist_network network; /* the guide, for the limits of a search */
    struct team team;
    soloist_stop_token stop;
    _Atomic uint64_t next; /* number of the next instance */
    uint64_t harvested;    /* harvest.boards when the makers were started */
    _Atomic int working;   /* threads still running */
    pthread_mutex_t lock;
    bool failed; /* a thread has failed, and `error` says why */
    soloist_error error;
};

/* Starts the threads; *makers must stay at its address until makers_stop. On failure returns false with an error, and
 * no thread runs. */
bool makers_start(struct makers *makers, const struct maker_plan *plan, soloist_error *error);
/* Ends the threads; unfinished games are lost. Returns false with an error if one of the threads had failed. Does
 * nothing if *makers is all zero. */
bool makers_stop(struct makers *makers, soloist_error *error);
bool makers_are_done(struct makers *makers);
/* Whether one of the threads has failed, or memory for the games has run out. */
bool makers_have_failed(struct makers *makers);

/* ---- used by make_solve.c, make_play.c, make_ppo.c and make_expert.c ---- */

/* Number of the instance with which other makers are to continue. For ways that solve or teach, the harvest counts the
 * instances: if one thread does so without DAgger, the number is exactly the first instance whose games are not in the
 * harvest. Several threads, or the many games of DAgger, finish their instances in any order; and a thread that teaches
 * adds its records to the harvest only when it has 256 of them, which may be those of 256 instances or, if some gave no
 * record, of more. As many instances as are then in the harvest out of turn are lost, and as many are made twice. The
 * caller holds the lock of the harvest, unless the makers have stopped. */
uint64_t makers_boards(const struct makers *makers);
/* Takes the next instance. *skipped: how many instances of another shape come before it. They are finished with the
 * instances that the thread took earlier, so a way that counts instances counts them next; others pass NULL. False:
 * there are no more instances, or the makers were stopped or failed; *skipped is set nevertheless. */
bool makers_next(struct makers *makers, soloist_puzzle *puzzle, uint64_t *number, uint64_t *skipped);
void makers_fail(struct makers *makers, const soloist_error *error);
/* Replaces the puzzle by a position that the network reaches from it by its own moves; if there is no suitable
 * position, the puzzle is unchanged. False with an error. */
bool dagger_start(struct makers *makers, soloist_puzzle *puzzle, soloist_rng *rng, soloist_error *error);
/* The limits of a search by the plan's method: one thread, and the network in training if the method is guided. */
soloist_limits makers_limits(struct makers *makers, uint64_t seed);
/* Lets the network evaluate these states, with `weights` locked for reading. */
bool makers_ask(struct makers *makers, struct evaluation *questions, int count, soloist_error *error);
void make_by_solving(struct makers *makers);
void make_by_playing(struct makers *makers);
void make_by_ppo(struct makers *makers);
void make_by_teaching(struct makers *makers);
void make_by_expert(struct makers *makers);
void make_by_walking_back(struct makers *makers);
void expert_game_free(struct expert_game *game);

#endif
