/* Nested searches (S17): each level finds a line (a sequence of moves) by calling the level below several times; level
 * 0 is a play-out. This header declares the data of one run and of each of its threads. */
#ifndef SEARCH_NESTED_NESTED_H
#define SEARCH_NESTED_NESTED_H

#include "search/nested/bias.h"
#include "search/nested/line.h"
#include "search/nested/options.h"
#include "search/nested/policy.h"
#include "search/picture.h"
#include "search/search.h"
#include "search/together.h"

#include <pthread.h>

enum { NESTED_MOST_PRIOR = 16, NESTED_MOST_RULES = 128 };

struct nested_stages;

/* Data that the threads of a run share. */
struct nested_team {
    pthread_mutex_t lock; /* guards best, stages, failed and error */
    struct search_line best;
    _Atomic bool has_best, has_news, done;
    _Atomic int64_t best_score;
    bool failed; /* the network failed */
    soloist_error error;
    struct together together;     /* other ranks */
    uint64_t limit;               /* limit on play-outs; 0: none */
    struct nested_stages *stages; /* NULL: the run is not made in stages */
    /* Padding: puts the fields that all threads write and those that they only read into different cache lines. */
    char apart[64];
    _Atomic int ended; /* number of threads that have ended their work */
    _Atomic uint64_t begun;
    _Atomic uint64_t granted; /* if nodes are limited: nodes that were granted to the threads, or used before the run */
    char apart_too[64];
};

/* A run's settings. */
struct nested {
    struct search_run *run;
    struct nested_team *team;
    const struct nested_options *options;
    const soloist_walk *walk; /* the domain's walks; NULL: walks are made from the domain's core */
    bool goal;
    int length;                            /* maximum number of moves in a line */
    int rules;                             /* number of the domain's plain play-out rules */
    int refinements;                       /* number of play-out rules that each refine a plain rule */
    float prior_factor[NESTED_MOST_PRIOR]; /* exp(bias * prior) */
};

/* A level of NRPA: its policy and its best line. */
struct nested_level {
    struct nested_policy policy;
    struct nested_line best;
    int64_t done, of; /* for a watcher: the level's present run has done `done` of its `of` steps */
};

struct nested_node;
struct nested_anneal;

/* A level of NMCS or NMCTS: the walk (the game in progress), and the best line of this game, from the root. */
struct nested_game {
    void *walk;
    soloist_move *moves;
    int count;
    int64_t score;
    void *root; /* the walk at the tree's root; the members from `root` to `least` are used only by NMCTS */
    struct nested_node *nodes;
    uint32_t *path;
    uint32_t node_count;
    double most, least; /* greatest and least result so far */
    int64_t done, of;   /* for a watcher: `done` of `of` moves or iterations have been tried */
};

struct nested_worker {
    struct nested *nested;
    int number;
    bool main;                /* this worker is on the run's own thread, the only one that checks the clock */
    bool stopped;             /* every level must return, because a limit was reached or no better line can exist */
    bool full;                /* memory is full */
    uint64_t tickets;         /* number of play-outs that were claimed from the limit but not yet begun */
    uint64_t granted;         /* if nodes are limited: nodes that were granted to this worker but not yet used */
    uint64_t playouts, nodes; /* numbers of play-outs and nodes not yet reported to the budget */
    double start_s;           /* when the worker began, in seconds since the run's start */
    uint64_t done;            /* number of play-outs that this worker has made */
    soloist_rng rng;
    /* Written at every move. This member is in the middle of the struct, so that it does not share a cache line with
     * another worker. */
    struct search_looks looks;
    int rule;
    void *start, *walk; /* start: the walk from which play-outs begin; walk: the walk of the current play-out */
    int start_count;
    soloist_move *prefix; /* the moves from the root to the start */
    int prefix_count;
    int32_t prefix_value;
    /* Copy of the line that the worker refines or replays, such as the best line of all threads. */
    soloist_move *elite;
    int elite_count;
    int64_t elite_score;
    size_t walk_size;
    void *state;                 /* scratch space to open walks */
    soloist_child *children;     /* scratch space of walks that are made from the core */
    float *weights;              /* weights of a step's choices */
    struct nested_line line;     /* the line of the last play-out */
    struct nested_level *levels; /* NRPA: one per level; other methods: only levels[0], whose policy is empty */
    struct nested_level *beam;   /* NRPA: room for twice as many lines as the beam keeps */
    struct nested_game *games;   /* NMCS and NMCTS: one per level */
    struct nested_adapt adapt;
    struct nested_bias *bias;     /* NULL: no network biases the policy */
    struct nested_anneal *anneal; /* NULL: nothing was annealed yet */
};

/* ---- walks (walk.c): walks of the domain, or walks made from its core; their memory begins with the choices -- */
size_t nested_walk_size(const struct nested *nested);
/* Opens a walk at the root; returns the number of choices. */
int nested_walk_open(struct nested_worker *worker, void *walk, int rule);
void nested_walk_copy(const struct nested *nested, void *to, const void *from);
int nested_walk_play(struct nested_worker *worker, void *walk, int chosen);
bool nested_walk_ended(const struct nested *nested, const void *walk, int32_t *last);
/* The score of a line that stops at the walk's current state. A higher score is better in every domain, even if the
 * domain's aim is the least cost. */
int64_t nested_walk_score(const struct nested *nested, const void *walk, bool ended, int32_t value);

/* ---- where play-outs begin (start.c) ----------------------------------------------------------------- */
/* Makes play-outs begin after the first `count` of these moves. If the play-out rule does not allow one of these moves,
 * play-outs begin before the first such move. */
void nested_start(struct nested_worker *worker, const soloist_move *moves, int count);
/* The index of the choice that plays this move, or -1 if there is none. */
int nested_place(const soloist_choice *choices, int count, soloist_move move);
/* Writes the prefix and then the line's moves into `moves`; returns the number of moves written. */
int nested_whole(const struct nested_worker *worker, const struct nested_line *line, soloist_move *moves);

/* ---- play-outs (playout.c) --------------------------------------------------------------------------- */
/* Chooses an index below `count` at random, with probability proportional to its weight. The array of weights must have
 * room for count + 8 weights. */
int nested_draw(float *weights, int count, soloist_rng *rng);
/* Makes a play-out from worker->start by the policy, and stores its line in worker->line. False: the run must end, and
 * the line is not valid. */
bool nested_play_out(struct nested_worker *worker, const struct nested_policy *policy);

/* Replays the moves, beginning at worker->start, until one of them is not allowed by the play-out rule, and stores the
 * resulting line in worker->line. False: memory is full. */
bool nested_replay(struct nested_worker *worker, const soloist_move *moves, int count);
/* Replays the whole line in worker->elite under rule 0. False: memory is full. */
bool nested_replay_elite(struct nested_worker *worker);
/* How many moves a play-out may make, given its greatest length and what is left of the node limit. */
int nested_steps_left(struct nested_worker *worker);

/* ---- searches ---------------------------------------------------------------------------------------- */
/* Makes one run of nested rollout policy adaptation with `n` calls per level. The best line of the run is then in
 * worker->levels[level].best. */
void nested_nrpa(struct nested_worker *worker, int level, int64_t n);
/* Makes a level's `n` calls of the level below, starting from the level's current policy. */
void nested_run_level(struct nested_worker *worker, int level, int64_t n);
/* Calls a level with a policy. The line that the level finds is then in worker->levels[level].best. */
void nested_call(struct nested_worker *worker, int level, const struct nested_policy *policy, int64_t n);
/* Called on rank 0 only: does the same as nested_call on all ranks at once, and uses the best of their lines
 * (spread.c). */
void nested_call_ranks(struct nested_worker *worker, int level, const struct nested_policy *policy, int64_t n);
/* Called on all other ranks: makes the calls that rank 0 requests by nested_call_ranks, until the search of rank 0
 * ends. */
void nested_assist(struct nested_worker *worker);
/* Whether there is a level whose calls are made by all ranks. */
bool nested_is_spread(const struct nested *nested);
bool nested_adapt_to(struct nested_worker *worker, struct nested_policy *policy, const struct nested_line *line);
/* Tries to improve the level's best line (refine.c) until `playouts` more play-outs are done. */
void nested_refine(struct nested_worker *worker, int level, uint64_t playouts);
/* Chooses among the domain's play-out rules by successive halving, and repeats this until a limit is reached (race.c).
 * A play-out rule says which moves play-outs leave out. */
void nested_race(struct nested_worker *worker);
/* Makes a short run that measures the speed of play-outs, before a race or before the stages. */
void nested_measure(struct nested_worker *worker);
/* Estimated number of play-outs that this thread can still make under the limits; 0: no limit. */
double nested_playouts_left(const struct nested_worker *worker);
/* The number of calls per level with which a run of `level` levels makes about `playouts` play-outs. */
int64_t nested_calls_for(const struct nested_options *options, int level, double playouts);
/* Functions for runs in stages, which the threads share (stages.c). */
bool nested_has_stages(const struct nested *nested);
struct nested_stages *nested_stages_open(const struct nested *nested);               /* NULL: memory is full */
void nested_stages_close(const struct nested *nested, struct nested_stages *stages); /* NULL is allowed */
void nested_stages(struct nested_worker *worker);
/* Stores the best lines in run->pool, for a later run. */
void nested_stages_leave(const struct nested *nested);

/* Improves the line in worker->elite by simulated annealing with this many trials (anneal.c). The temperature falls
 * from `from` to `to`, both as shares of the line's score. The domain's walks must have parts. */
void nested_anneal(struct nested_worker *worker, double playouts, double from, double to);
void nested_anneal_close(struct nested_worker *worker);

/* Plays one game of nested Monte-Carlo search from worker->start. */
void nested_nmcs(struct nested_worker *worker, int level);
/* Grows one tree of nested Monte-Carlo tree search from worker->start. */
void nested_nmcts(struct nested_worker *worker, int level);
/* Plays a choice of the walk and adds its move to worker->prefix. Returns the number of choices after this move. */
int nested_step(struct nested_worker *worker, void *walk, int chosen);
/* Makes a play-out from the walk's current state, and stores its line in games[level] if it is better than the line
 * there. */
void nested_sample(struct nested_worker *worker, int level, const void *walk, int count);
/* Stores a line in games[level] if it is better than the line there. */
void nested_keep(struct nested_worker *worker, int level, int64_t score, const soloist_move *moves, int count);
bool nested_tree_open(struct nested_game *game, struct memory *memory, size_t n, size_t length);
void nested_tree_close(struct nested_game *game, struct memory *memory, size_t n, size_t length);

/* ---- the run (run.c) ---------------------------------------------------------------------------- */
/* Whether another play-out may begin. */
bool nested_may_begin(struct nested_worker *worker);
/* Returns how many of `wanted` nodes the worker may generate under the node limit. Each of several threads is granted a
 * part of what is left, so that all of them together never exceed the limit. */
uint64_t nested_claim_nodes(struct nested_worker *worker, uint64_t wanted);
/* Lets the other threads have what was granted to the worker and is not used. */
void nested_return_nodes(struct nested_worker *worker);
/* Counts nodes that the worker has generated. */
void nested_count_nodes(struct nested_worker *worker, uint64_t count);
/* If a line that another rank sent is better than the team's best line, makes it the team's best line. user: the struct
 * nested. */
void nested_adopt(void *user, const struct together_line *line);
/* Makes the worker's line the team's best, unless another thread has found a better one meanwhile. */
void nested_offer(struct nested_worker *worker);
/* Counts the play-out that was just made, and records its line if it is the best so far. */
void nested_note(struct nested_worker *worker);
/* From time to time adds the worker's counts to those of the run. */
void nested_report(struct nested_worker *worker);
/* Ends the run because the network failed. */
void nested_fail(struct nested_worker *worker, const soloist_error *error);
/* Makes play-outs begin at the root under this play-out rule, with the random numbers of run number `game`. */
void nested_begin(struct nested_worker *worker, uint64_t game, int rule);
bool nested_suits(const struct search_run *run);
soloist_code nested_run(struct search_run *run);
/* Fills in a run's settings from its options. If the options need a network and there is no suitable one, returns an
 * error code and fills in run->error. */
soloist_code nested_settle(struct search_run *run, struct nested_team *team, struct nested *nested);
/* worker.c */
bool nested_worker_open(struct nested_worker *worker, struct nested *nested, int number);
void nested_worker_close(struct nested_worker *worker);

#endif
