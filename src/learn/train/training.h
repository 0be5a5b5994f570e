/* A training run from start to end: games are made or read, a network learns from them, and the curve and checkpoints
 * are written. There are four ways of training. By generations (Seify 2020, Algorithm 1), all games of a generation are
 * played, then a network learns from them, then the next generation begins. In continuous training one network learns
 * all the time, first from games of a strong sampler, then from self-play. In expert iteration (Ge 2018) a search that
 * the network guides plays some puzzles, then the network learns from the newest games. In actor-critic training (A2C)
 * the network learns from every move that its own policy makes. The last two ways may use a curriculum. */
#ifndef LEARN_TRAIN_TRAINING_H
#define LEARN_TRAIN_TRAINING_H

#include "learn/train/curriculum.h"
#include "learn/train/greedy.h"
#include "learn/train/makers.h"
#include "learn/train/options.h"
#include "learn/predict/predictor.h"
#include "learn/train/trainer.h"

/* One row of the curve. A number that was not measured is NaN. */
struct training_row {
    double time_s, left_s; /* left_s < 0: not known */
    uint64_t row, generation, steps, games, positions;
    struct net_losses training, validation;
    struct harvest_scores played; /* scores of the games made since the last row */
    double greedy;                /* the policy's mean score without search; in a least-cost domain its solve rate */
    double greedy_interval;       /* half the width of the 95 % confidence interval of `greedy` */
    struct interval greedy_ends;  /* least-cost domains: that interval, which is not symmetric about the solve rate */
    int boards;                   /* number of boards on which `greedy` was measured */
    bool goal; /* the domain is least-cost; only then are `greedy_ends`, `cost` and `evaluations` measured */
    /* cost: mean cost of the instances that the policy solved; evaluations: evaluations of all games, divided by the
     * number of solved instances. */
    double cost, evaluations;
    double learned_per_s, judged_per_s;
    uint64_t stage;    /* stage of the curriculum, from 1; 0: the way of training has no curriculum */
    double solve_rate; /* share of the puzzles of the last iteration that were solved */
    const char *doing; /* "solving", "self-play", ... */
};

struct training_result;

/* What the caller wants: the arguments of a training run. */
struct training_wish {
    const soloist *engine;
    const soloist_domain *domain;
    const char *domain_options; /* "key=value,...", or NULL */
    const char *generate;       /* the generator's options, or NULL */
    const char *curriculum;     /* how the generator's options change from stage to stage (curriculum.h), or NULL */
    const struct net *net;
    const float *start; /* initial parameters; NULL: random */
    const char *back_end;
    enum training_way way;
    struct training_options options;
    const char *const *levels; /* files of instances, ended by NULL; or NULL: all instances are generated */
    const char *method;        /* method that makes games by solving; NULL: no such games */
    /* Least-cost domains: the domain in which the method solves; NULL: training_teacher chooses it. */
    const soloist_domain *teacher;
    const char *teacher_options;
    /* Options of the search as "key=value,...": policy_options for self-play, exit_options for expert iteration. */
    const char *search;
    double time_s; /* 0: no limit */
    uint64_t seed;
    int threads;
    const char *folder;       /* folder for checkpoints, games and the curve; must exist */
    bool resume;              /* continue from the checkpoint in the folder */
    const char *const *games; /* files of games to learn from first, ended by NULL; or NULL */
    soloist_stop_token *stop;
    /* Called once, when all arguments and files have been checked and the training begins. False with an error ends the
     * run. May be NULL. */
    bool (*begin)(void *user, soloist_error *error);
    /* Called before the last measurement, which may be long. The result is that of the run, but without the last row of
     * the curve, and its parameters stay with the run. May be NULL. */
    void (*keep)(void *user, const struct training_result *result);
    void (*report)(void *user, const struct training_row *row); /* may be NULL */
    /* Called about once a second by the thread that called training_run. *row holds the present counts and the
     * measurements of the last row of the curve. May be NULL. */
    void (*tick)(void *user, const struct training_row *row);
    /* Called when a file of the folder cannot be written and the training continues, and when the training ends early.
     * NULL: if a file of a checkpoint cannot be written, the run ends with an error. */
    void (*warn)(void *user, const char *text);
    void *user;
};

/* The outcome of a run. */
struct training_result {
    float *parameters; /* owned */
    struct training_row row;
    char back_end[32];
    int64_t batch;    /* positions in a batch */
    uint64_t refused; /* number of lines in files of games that could not be used */
    bool unsaved;     /* the last checkpoint could not be written */
    bool damaged;     /* the run failed because the checkpoint to continue from is missing, damaged or another run's */
};

/* Sets the defaults of a way of training. */
void training_options_for(enum training_way way, const soloist_domain *domain, bool has_value,
                          struct training_options *options);
/* The teacher's domain: a method searches in it for solutions, from which a network learns moves of `domain`. It is a
 * domain whose solutions are shown as moves of `domain` (soloist_text.shown_in), for example sokoban, whose moves are
 * pushes, if `domain` is sokoban-moves. If there is none, it is `domain` itself. */
const soloist_domain *training_teacher(const soloist *engine, const soloist_domain *domain);
/* Why an option of training, whose name has this length, has no effect in such a run; NULL: it has one. (idle.c) */
const char *training_option_idle(const struct training_wish *wish, const char *name, size_t length);
/* Runs until the time, the steps or the generations are over, or the token is stopped. On failure returns false with an
 * error, and of the result only `damaged` is set. */
bool training_run(const struct training_wish *wish, struct training_result *result, soloist_error *error);
void training_result_free(struct training_result *result);
/* For a training run with this seed: the seed of the boards on which its policy plays without search. */
uint64_t training_exam_seed(uint64_t seed);

/* ---- for the files of this folder only ---- */

/* A run in progress. */
struct training {
    const struct training_wish *wish;
    struct training_options options; /* those of the wish, but 0 for "automatic" is replaced by the value chosen */
    struct game_source source, exam_source;
    soloist_puzzle shape; /* an instance with the planes and actions that the network reads */
    struct net net;       /* the network for boards of that size */
    soloist_puzzle *exam; /* boards on which the policy plays without search */
    int exam_count;
    struct returns returns; /* defines the value targets in a least-cost domain */
    struct samples *training, *validation;
    struct harvest harvest;
    FILE *lines, *curve;
    struct trainer *trainer;
    struct predictor *examiner, *player; /* player: NULL until self-play begins */
    pthread_rwlock_t weights;            /* protects the player's weights */
    struct policy_options search, plain; /* plain: without a network */
    struct exit_options expert;          /* the search of expert iteration */
    struct expert_game *expert_games;    /* receives the games of this iteration */
    struct curriculum curriculum;
    struct curriculum_history history;
    int stage;                     /* of the curriculum, from 1 */
    uint64_t stage_steps;          /* number of steps when the stage began */
    uint64_t tally, solved;        /* puzzles that ended in this iteration, and how many of them were solved */
    double solve_rate, last_worth; /* solve rate and median reward of the last iteration's games */
    struct makers makers;
    bool making, playing, drawing, tried;
    bool dagger;                   /* the network plays the first moves of some games */
    bool guided;                   /* the method that makes games is guided by the network in training */
    const soloist_domain *teacher; /* the domain in which that method solves, with its options (or NULL) */
    const char *teacher_options;
    struct batches *batches;           /* NULL: none yet */
    uint64_t drawn_steps, drawn_added; /* number of steps and of added samples when self-play by PPO began */
    _Atomic uint64_t wanted;           /* self-play by PPO pauses when more positions than this were added */
    double solved_mean;                /* mean score of the games made by solving */
    double next_trial;                 /* share of the training time after which self-play is tried next */
    float *parameters, *mean;          /* mean: the running mean of the weights */
    uint64_t mean_looks;
    /* Counters that a checkpoint keeps. */
    uint64_t steps, generation, rows, boards;
    double before_s; /* seconds of training before this run was resumed */
    /* Values of clock_seconds(): when this run began; at the last row and checkpoint; when `player` last got new
     * weights. */
    double start_s, row_s, save_s, refresh_s;
    double tick_s;              /* time of the last tick */
    double row_cost, save_cost; /* seconds that the last row and the last checkpoint took */
    uint64_t row_judged, row_steps, save_steps;
    struct net_losses sum; /* sum of the losses since the last row; summed: number of steps in this sum */
    uint64_t summed;
    struct training_row row;
    const char *doing;
    uint64_t refused;
    uint64_t optimised; /* steps of the optimiser at the last checkpoint */
    bool unsaved;       /* the last checkpoint could not be written */
    bool damaged;       /* the checkpoint to continue from cannot be used */
    bool stopped;       /* the caller has ended the training; the last measurement is made nevertheless */
    bool broken_off;    /* the run was stopped during a measurement: there are no more */
    bool lost_games;    /* games.txt could not be written */
    bool used_up;       /* continuous training has no more positions to learn from */
};

/* check.c. False with an error: with these arguments nothing could be learned, or some would have no effect. */
bool training_check(const struct training *training, soloist_error *error);
/* Whether the files of games can be opened and read. */
bool training_check_games(struct training *training, soloist_error *error);
/* Reports that a file of games cannot be read; errno says why. Returns false. */
bool training_games_fail(const char *path, soloist_error *error);

double training_time(const struct training *training);
/* True if time or steps are over, or the caller cancelled. */
bool training_is_over(const struct training *training);
/* The part of the time limit or of the steps that is used up, 0 to 1. */
double training_done(const struct training *training);
/* Adds the losses of one step to those of the next row of the curve. */
void training_add_losses(struct training *training, const struct net_losses *losses);
double training_highest(const struct training *training);
bool training_row_is_due(const struct training *training);
bool training_save_is_due(const struct training *training);
/* Copies the weights that will be saved into training->parameters. False with an error if they are not finite. */
bool training_take_weights(struct training *training, soloist_error *error);
/* Reports the present counts, if the last report was at least a second ago. */
void training_tick(struct training *training);
/* Passes the network in training->parameters to training_wish.keep. */
void training_keep(struct training *training);
/* Measures the network in training->parameters and writes a row. */
bool training_report(struct training *training, soloist_error *error);
/* with_network: a network plays the games or, if a method solves, plays to positions that the method then solves
 * (DAgger). */
bool training_start_makers(struct training *training, enum make_way way, uint64_t games, int64_t simulations,
                           bool with_network, soloist_error *error);
bool training_stop_makers(struct training *training, soloist_error *error);
bool training_open_player(struct training *training, soloist_error *error);
/* checkpoint.c. False with an error only if nobody is warned (training_wish.warn). */
bool training_save(struct training *training, soloist_error *error);
/* Writes the counters again, after a row that follows the last checkpoint. */
bool training_save_counters(struct training *training, soloist_error *error);
/* Reports that this part of a checkpoint could not be written (errno says why), and removes the other new parts. */
bool training_save_failed(struct training *training, const char *part, soloist_error *error);
/* Writes the games made so far to the disk. */
void training_flush_games(struct training *training);
/* training_save_part writes a part of the next checkpoint, which training_save completes; training_load_part reads a
 * part of the last checkpoint. */
bool training_save_part(const struct training *training, const char *name, const void *bytes, size_t length);
bool training_load_part(const struct training *training, const char *name, void *bytes, size_t length);
bool training_restore(struct training *training, soloist_error *error);
bool training_continuous(struct training *training, soloist_error *error);
bool training_generations(struct training *training, soloist_error *error);
bool training_expert_iteration(struct training *training, soloist_error *error);
bool training_actor_critic(struct training *training, soloist_error *error);
/* Makes instances come from the curriculum's present stage. */
bool training_open_stage(struct training *training, soloist_error *error);
/* Ends an iteration, in which training->solved of training->tally puzzles were solved; goes on to the next stage if the
 * curriculum's rule allows it. */
bool training_close_iteration(struct training *training, soloist_error *error);

/* curve.c */
void curve_write(FILE *stream, const struct training_row *row);
/* Opens the curve's file for adding rows, after cutting it down to its first `rows` rows. NULL with an error. */
FILE *curve_open(const char *path, uint64_t rows, soloist_error *error);

#endif
