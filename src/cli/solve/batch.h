/* Solves many instances by several jobs at once and reports their outcomes in order. */
#ifndef CLI_SOLVE_BATCH_H
#define CLI_SOLVE_BATCH_H

#include "cli/input/input.h"
#include "cli/shell/plugin.h"
#include "engine/identity.h"
#include "cli/solve/objective.h"
#include "search/special/registry.h"

/* The key of a stored result: the instance's identity (engine/identity.h) and, if the domain or the method comes from a
 * plugin, a hash of the plugin. A proof under other rules or by other code must not be reused. */
#define BATCH_IDENTITY_ROOM (IDENTITY_ROOM + PLUGIN_MARK_ROOM)
void batch_identity(const struct cli *cli, const soloist_puzzle *puzzle, const char *method,
                    char out[BATCH_IDENTITY_ROOM]);

/* The outcome of one instance. */
struct outcome {
    soloist_result result;
    soloist_error error; /* text is "" on success */
    char *pool;          /* JSON array of move sequences with which a later search should begin; NULL: none; owned */
    char *board;         /* the instance as text, if the batch keeps boards; owned */
    /* Why there is no solution, as the domain says it; points into `reason`. NULL: the instance is not known to be
     * impossible. */
    const char *impossible;
    char reason[160];
    char identity[BATCH_IDENTITY_ROOM]; /* "" unless batch.identify is set and the instance is valid */
    bool resumed;                       /* the outcome was reused from an earlier run */
    char optimal_for[POLISH_AIM_ROOM];  /* if the result is optimal: the quantity that is optimal, such as "pushes" */
    /* Nodes and seconds spent on shortening the solution. The numbers in `result` are those of the search alone, except
     * that the time in `result` includes the shortening. */
    uint64_t polish_nodes;
    double polish_s;
    struct search_shares shares;    /* how evenly the work was divided among the threads or ranks */
    int64_t counts[SPECIAL_COUNTS]; /* counts of the solution; SPECIAL_NO_COUNT: the count does not apply */
    char hash[HASH_ROOM];           /* hash of the instance; "" unless batch.hash is set and the instance is valid */
};

struct progress;
struct dispatch;

struct batch {
    const struct cli *cli;
    const struct input *input;
    const char *method;    /* NULL: auto */
    soloist_limits limits; /* per job */
    int jobs;
    bool keep_boards, identify, hash; /* whether outcomes include the board, the identity, and the hash */
    struct objective objective;
    enum shortening { SHORTEN_DEFAULT, SHORTEN_NOT, SHORTEN_SECONDS } shorten; /* see soloist_shorten */
    double polish_s;           /* with SHORTEN_SECONDS: seconds per solution */
    struct progress *progress; /* may be NULL */
    struct dispatch *dispatch; /* helpers on other ranks (remote.h); NULL: none */
    struct peers *peers;       /* if not NULL, all ranks solve each instance together, over these peers */
    /* Indexed by task: the task's outcome if it is known beforehand, otherwise NULL. Known outcomes are emitted in the
     * order of the tasks, like all others, and freed. This pointer itself may be NULL. */
    struct outcome **known;
    /* Indexed by task: the move sequences with which the task's search begins, as the text of a JSON array, or NULL if
     * there are none. If this pointer itself is NULL, outcomes have no pool. */
    char **pools;
    const size_t *duplicates; /* see duplicates.h; NULL: every task is run */
    /* Called as soon as a task has been run, even if earlier tasks are still running, but never by two threads at once.
     * May be NULL. */
    void (*finished)(void *user, const struct task *task, const struct outcome *outcome);
    /* Called for every outcome in the order of the tasks, never by two threads at once. The outcome is freed
     * afterwards. */
    void (*emit)(void *user, const struct task *task, const struct outcome *outcome);
    void *user;
};

/* Runs until all tasks are done or the stop token is stopped; if the token is stopped, tasks already started are
 * finished and emitted, and the other tasks are not run. Returns how many tasks were emitted. */
size_t batch_run(const struct batch *batch);

/* Reads and solves one task; the outcome must be zeroed. callbacks may be NULL. company: NULL unless all ranks solve
 * the task together. If they do, only rank 0 completes the outcome. */
struct engine_company;
void batch_solve(const struct batch *batch, const struct task *task, const soloist_callbacks *callbacks,
                 const struct engine_company *company, struct outcome *outcome);
void outcome_free(struct outcome *outcome); /* NULL is allowed */
/* Fills in the outcome of an instance that could not be read or solved. */
void batch_settle(soloist_code code, struct outcome *outcome);
/* Adds to an outcome the counts of its solution and, if the batch wants them, its board, identity and hash. */
void batch_describe(const struct batch *batch, const soloist_puzzle *puzzle, struct outcome *outcome);

/* The memory of each of several jobs that share it. As a limit, 0 means "no limit", so a limit never becomes 0. */
static inline size_t batch_share(size_t memory, int jobs) {
    size_t share = memory / (size_t)jobs;
    return memory && !share ? 1 : share;
}

/* The number of cores that this process may use. */
int batch_cores(void);
/* Bytes of memory available to new programs, according to kernel and container; 0 if unknown. */
size_t batch_free_memory(void);

#endif
