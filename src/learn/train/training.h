/* A training run from start to end: games are made or read, a network learns from them, the curve and checkpoints are
 * written. Two ways: generations (Seify 2020, Algorithm 1: all games of a generation, then training, then the next),
 * and continuous (games of a strong sampler first, then self-play, while one network learns all the time). */
#ifndef LEARN_TRAINING_H
#define LEARN_TRAINING_H

#include "learn/train/greedy.h"
#include "learn/train/makers.h"
#include "learn/train/options.h"
#include "learn/predict/predictor.h"
#include "learn/train/trainer.h"

/* What one row of the curve says. */
struct training_row {
    double time_s, left_s; /* left_s < 0: not known */
    uint64_t row, generation, steps, games, positions;
    struct net_losses training, validation;
    struct harvest_scores played; /* games made since the last row */
    double greedy, greedy_interval;
    double learned_per_s, judged_per_s;
    const char *doing; /* "solving", "self-play", ... */
};

/* What the caller asks for. */
struct training_wish {
    const soloist *engine;
    const soloist_domain *domain;
    const char *domain_options; /* "key=value,...", or NULL */
    const char *generate;       /* the generator's options, or NULL */
    const struct net *net;
    const float *start; /* parameters to begin with; NULL: drawn */
    const char *back_end;
    enum training_way way;
    struct training_options options;
    const char *method; /* method for games by solving; NULL: no such games */
    const char *search; /* options of self-play's search, "key=value,..." */
    double time_s;      /* 0: no limit */
    uint64_t seed;
    int threads;
    const char *folder;       /* of checkpoints, games and curve; it exists */
    bool resume;              /* go on from what is there */
    const char *const *games; /* files of games to begin with, NULL-terminated; or NULL */
    soloist_stop_token *stop;
    void (*report)(void *user, const struct training_row *row); /* may be NULL */
    void *user;
};

/* What it has come to. */
struct training_result {
    float *parameters; /* owned */
    struct training_row row;
    char back_end[32];
    uint64_t refused; /* lines of files of games */
};

/* Sets the defaults of a way of training. */
void training_options_for(enum training_way way, bool has_value, struct training_options *options);
/* Runs until the time, the steps or the generations are over, or the token is stopped. False with an error: the result
 * holds nothing. */
bool training_run(const struct training_wish *wish, struct training_result *result, soloist_error *error);
void training_result_free(struct training_result *result);
/* Scores of the boards that the policy plays alone. */
uint64_t training_exam_seed(uint64_t seed);

/* ---- parts of this folder ---- */

/* A run under way. */
struct training {
    const struct training_wish *wish;
    struct training_options options; /* with zeros resolved */
    struct game_source source, exam_source;
    soloist_puzzle shape; /* an instance that stands for all */
    soloist_puzzle *exam; /* boards for the policy alone */
    struct samples *training, *validation;
    struct harvest harvest;
    FILE *lines, *curve;
    struct trainer *trainer;
    struct predictor *examiner, *player; /* player: NULL until self-play begins */
    pthread_rwlock_t weights;            /* of the player */
    struct policy_options search, plain; /* plain: without a network */
    struct makers makers;
    bool making, playing, drawing, tried, leading;
    struct batches *batches;           /* NULL: none yet */
    uint64_t drawn_steps, drawn_added; /* when drawing began */
    _Atomic uint64_t wanted;           /* positions, by drawing */
    double solved_mean;                /* score of the games by solving */
    double next_trial;                 /* share of the time at which self-play begins */
    float *parameters, *mean;          /* mean: running */
    uint64_t mean_looks;
    /* Counters that a checkpoint keeps. */
    uint64_t steps, generation, rows, boards;
    double before_s;                          /* of the runs before this one */
    double start_s, row_s, save_s, refresh_s; /* row_s, save_s, refresh_s: when that was last done */
    double row_cost, save_cost;               /* seconds that it took */
    uint64_t row_judged, row_steps, save_steps;
    struct net_losses sum; /* since the last row */
    uint64_t summed;
    struct training_row row;
    const char *doing;
    uint64_t refused;
};

double training_time(const struct training *training);
/* True if time or steps are over, or the caller cancelled. */
bool training_is_over(const struct training *training);
/* 0 to 1: how much of time or steps is used. */
double training_done(const struct training *training);
double training_highest(const struct training *training);
bool training_row_is_due(const struct training *training);
bool training_save_is_due(const struct training *training);
/* Puts the weights to be kept into training->parameters. */
bool training_take_weights(struct training *training, soloist_error *error);
/* Measures the network in training->parameters and writes a row. */
bool training_report(struct training *training, soloist_error *error);
/* with_network: self-play by the network, or games by solving of which a share begins with its moves. */
bool training_start_makers(struct training *training, enum make_way way, uint64_t games, int64_t simulations,
                           bool with_network, soloist_error *error);
bool training_stop_makers(struct training *training, soloist_error *error);
bool training_open_player(struct training *training, soloist_error *error);
bool training_save(struct training *training, soloist_error *error); /* checkpoint.c */
bool training_restore(struct training *training, soloist_error *error);
bool training_continuous(struct training *training, soloist_error *error);
bool training_generations(struct training *training, soloist_error *error);

/* curve.c */
void curve_write(FILE *stream, const struct training_row *row);
/* Opens the curve for more rows after the first `rows`. NULL with an error. */
FILE *curve_open(const char *path, uint64_t rows, soloist_error *error);

#endif
