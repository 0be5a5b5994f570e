/* Nested searches (S17): a level plays its line by calling the level below, down to play-outs. What one run, and each
 * of its threads, holds. */
#ifndef SEARCH_NESTED_NESTED_H
#define SEARCH_NESTED_NESTED_H

#include "search/nested/bias.h"
#include "search/nested/line.h"
#include "search/nested/options.h"
#include "search/nested/policy.h"
#include "search/search.h"

#include <pthread.h>

enum { NESTED_MOST_PRIOR = 16, NESTED_MOST_RULES = 64 };

/* What the threads of a run share. */
struct nested_team {
    pthread_mutex_t lock; /* of best */
    struct search_line best;
    _Atomic bool has_best, has_news, done;
    _Atomic int64_t best_score;
    bool failed; /* the network failed; needs the lock */
    soloist_error error;
    uint64_t limit; /* play-outs; 0: any */
    char apart[64]; /* keeps what all threads read apart from what they write */
    _Atomic uint64_t begun;
    char apart_too[64];
};

/* A run's settings. */
struct nested {
    struct search_run *run;
    struct nested_team *team;
    const struct nested_options *options;
    const soloist_walk *walk; /* NULL: walks through the core */
    bool goal;
    int length; /* of a play-out */
    int rules;
    float prior_factor[NESTED_MOST_PRIOR]; /* exp(bias * prior) */
};

/* A level of nrpa: its policy and its best line. */
struct nested_level {
    struct nested_policy policy;
    struct nested_line best;
};

struct nested_node;

/* A level of nmcs or nmcts: where its game is, and the best line of it, from the root. */
struct nested_game {
    void *walk;
    soloist_move *moves;
    int count;
    int64_t score;
    void *root; /* nmcts: where the tree begins; nodes, and those of an iteration */
    struct nested_node *nodes;
    uint32_t *path;
    uint32_t node_count;
    double most, least; /* results met */
};

struct nested_worker {
    struct nested *nested;
    int number;
    bool main;                /* runs on the run's own thread, the only one that checks the clock */
    bool stopped;             /* a limit, or nothing more to find: every level returns */
    bool full;                /* no memory */
    uint64_t tickets;         /* play-outs claimed and not yet begun */
    uint64_t playouts, nodes; /* not yet reported */
    double start_s;           /* when the worker began, in seconds since the run's start */
    uint64_t done;            /* play-outs in all */
    soloist_rng rng;
    int rule;
    void *start, *walk; /* where play-outs begin, under the rule; the walk of a play-out */
    int start_count;
    soloist_move *prefix; /* the moves from the root to the start */
    int prefix_count;
    int32_t prefix_value;
    soloist_move *elite; /* the line that is being refined, or that another thread found */
    int elite_count;
    int64_t elite_score;
    size_t walk_size;
    void *state;                 /* scratch for opening walks */
    soloist_child *children;     /* scratch of walks through the core */
    float *weights;              /* of a step's choices */
    struct nested_line line;     /* of the last play-out */
    struct nested_level *levels; /* nrpa: one per level; otherwise only the first, whose policy is empty */
    struct nested_level *beam;   /* nrpa: twice as many as lines are kept */
    struct nested_game *games;   /* nmcs, nmcts: of each level */
    struct nested_adapt adapt;
    struct nested_bias *bias; /* NULL: no network's */
};

/* ---- walks (walk.c): the domain's own, or through the core; a walk begins with its choices ------------ */
size_t nested_walk_size(const struct nested *nested);
/* Stands at the root; how many choices there are. */
int nested_walk_open(struct nested_worker *worker, void *walk, int rule);
void nested_walk_copy(const struct nested *nested, void *to, const void *from);
int nested_walk_play(struct nested_worker *worker, void *walk, int chosen);
bool nested_walk_ended(const struct nested *nested, const void *walk, int32_t *last);
/* The score of a line that ends where the walk is; more is better, whatever the domain's aim. */
int64_t nested_walk_score(const struct nested *nested, const void *walk, bool ended, int32_t value);

/* ---- where play-outs begin (start.c) ----------------------------------------------------------------- */
/* Makes play-outs begin after the first `count` of these moves. */
void nested_start(struct nested_worker *worker, const soloist_move *moves, int count);
/* The place of the choice that is this move, or -1. */
int nested_place(const soloist_choice *choices, int count, soloist_move move);
/* The line with the moves before its start; returns how many there are. */
int nested_whole(const struct nested_worker *worker, const struct nested_line *line, soloist_move *moves);

/* ---- play-outs (playout.c) --------------------------------------------------------------------------- */
/* Draws one of `count` places with probability proportional to its weight; the weights have room up to a multiple of 8.
 */
int nested_draw(float *weights, int count, soloist_rng *rng);
/* Plays worker->line from worker->start by the policy; false: the run must end, and the line is not valid. */
bool nested_play_out(struct nested_worker *worker, const struct nested_policy *policy);

/* Replays the moves from worker->start into worker->line, as far as the rule allows them. False: no memory.
 */
bool nested_replay(struct nested_worker *worker, const soloist_move *moves, int count);

/* ---- searches ---------------------------------------------------------------------------------------- */
/* One run of nested rollout policy adaptation, with `n` calls per level; its line is in worker->levels[level].best.
 */
void nested_nrpa(struct nested_worker *worker, int level, int64_t n);
/* A level's calls of the level below, starting from the level's current policy. */
void nested_run_level(struct nested_worker *worker, int level, int64_t n);
bool nested_adapt_to(struct nested_worker *worker, struct nested_policy *policy, const struct nested_line *line);
/* Searches repeatedly for better lines near the level's best one, until `playouts` more play-outs are done. */
void nested_refine(struct nested_worker *worker, int level, uint64_t playouts);
/* Races of rules, until a limit ends them. */
void nested_race(struct nested_worker *worker);

/* One game of nested Monte-Carlo search, and one tree of nested Monte-Carlo tree search, from worker->start on. */
void nested_nmcs(struct nested_worker *worker, int level);
void nested_nmcts(struct nested_worker *worker, int level);
/* Plays a choice of the walk and adds it to worker->prefix; returns the number of choices after it. */
int nested_step(struct nested_worker *worker, void *walk, int chosen);
/* A play-out from where the walk stands, for games[level]. */
void nested_sample(struct nested_worker *worker, int level, const void *walk, int count);
/* Keeps a line, if it is better than the best of games[level]. */
void nested_keep(struct nested_worker *worker, int level, int64_t score, const soloist_move *moves, int count);
bool nested_tree_open(struct nested_game *game, struct memory *memory, size_t n, size_t length);
void nested_tree_close(struct nested_game *game, struct memory *memory, size_t n, size_t length);

/* ---- the run (run.c) ---------------------------------------------------------------------------- */
/* May another play-out begin? */
bool nested_may_begin(struct nested_worker *worker);
/* Counts the play-out and offers its line. */
void nested_note(struct nested_worker *worker);
/* The network failed: ends the run. */
void nested_fail(struct nested_worker *worker, const soloist_error *error);
/* Puts the worker at the root under the rule, with the random numbers of run number `game`. */
void nested_begin(struct nested_worker *worker, uint64_t game, int rule);
bool nested_suits(const struct search_run *run);
soloist_code nested_run(struct search_run *run);
/* Fills in a run's settings from its options; false: run->error says what is wrong with them. */
soloist_code nested_settle(struct search_run *run, struct nested_team *team, struct nested *nested);
/* worker.c */
bool nested_worker_open(struct nested_worker *worker, struct nested *nested, int number);
void nested_worker_close(struct nested_worker *worker);

#endif
