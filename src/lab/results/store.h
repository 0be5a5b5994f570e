/* The results store is one SQLite file, written with a rollback journal; every commit is fully synchronised to disk,
 * including its folder. When nobody writes, it is a single file that any program can read. Neither a kill nor a power
 * cut loses what was committed. */
#ifndef LAB_RESULTS_STORE_H
#define LAB_RESULTS_STORE_H

#include "lab/run/seal_text.h"
#include "soloist.h"

#include <sqlite3.h>

enum {
    STORE_VERSION = 5,
    STORE_FIRST_SEALED = 3,        /* the first version whose rows have seals */
    STORE_APPLICATION = 0x536f6c6f /* "Solo", in the file's header */
};

struct store {
    sqlite3 *db;
    char *path;
    int lock; /* descriptor of the locked file while this process runs experiments, or -1 */
};

enum store_mode {
    STORE_RESCUE, /* must exist; opened only for reading, and not checked */
    STORE_READ,   /* must exist; a store of an earlier version is upgraded */
    STORE_WRITE,  /* created if it does not exist; other processes may write too */
    STORE_RUN     /* like STORE_WRITE, but only one process at a time may open it in this mode */
};

/* On failure returns NULL with an error that names the file and what is wrong. Every page and row is read and checked
 * first, which takes about two seconds for a million runs. */
struct store *store_open(const char *path, enum store_mode mode, soloist_error *error);
/* Does the same as store_open. If it returns NULL, *damaged says whether the file is a store and a part of it was
 * altered. */
struct store *store_open_if_whole(const char *path, enum store_mode mode, bool *damaged, soloist_error *error);
void store_close(struct store *store);

/* ---- for the other files of this folder ---- */

/* The key of an instance is its column `identity` (identity.h), a hash of the parsed instance. In a row that an earlier
 * version wrote and that has not been planned again, the key is SEAL_BY_TEXT (run/seal_text.h) followed by a hash of
 * the instance's text. */
/* The columns that identify a run. The network is not among them, because stores of the first version lack it. */
#define STORE_KEY "instance, method, seed, iterations_limit, nodes_limit, time_limit, memory_limit, threads"
/* The columns that hold the result of a run: those that every version has, those of the fourth version, and all. */
#define STORE_FIRST_RESULT                                                                                             \
    "status, stopped, value, moves, pushes, optimal, solution, time_s, cpu_s, nodes, expanded, iterations, playouts,"  \
    " eliminated, skipped, peak_bytes, ran, error, version, signature, finished"
#define STORE_FOURTH_RESULT STORE_FIRST_RESULT ", evaluations"
#define STORE_RESULT STORE_FOURTH_RESULT ", tree_depth"
/* The columns of a curve's row, except the column `run`: those that every version with curves has, and all. */
#define STORE_FIRST_CURVE                                                                                              \
    "row, time_s, value, interval, nodes, iterations, doing, generation, steps, games, positions, policy_loss,"        \
    " value_loss, validation_policy_loss, validation_value_loss, validation_entropy, played, played_mean,"             \
    " played_interval"
#define STORE_CURVE STORE_FIRST_CURVE ", stage, iteration_solve_rate"

/* Writes into the error the file's name, SQLite's message, and what the message means for the user. Returns false. */
bool store_fail(const struct store *store, soloist_error *error);
/* Runs statements without results. */
bool store_execute(const struct store *store, const char *sql, soloist_error *error);
/* Begin, commit and roll back a transaction. */
bool store_begin(const struct store *store, soloist_error *error);
bool store_commit(const struct store *store, soloist_error *error);
void store_rollback(const struct store *store);
/* The single integer that a query returns, -1 if it returns no row; `text` is bound to ?1 unless it is NULL. False with
 * an error. */
bool store_number(const struct store *store, const char *sql, const char *text, int64_t *number, soloist_error *error);

/* Adds the functions that docs/LAB.md lists for queries. */
bool store_add_functions(const struct store *store, soloist_error *error);

/* The number of the experiment with this name, or 0 with an error. If name is NULL, there must be only one experiment
 * in the store; if there are several, the error lists them. */
int64_t store_find_experiment(const struct store *store, const char *name, soloist_error *error);
enum store_look {
    STORE_LIVE,    /* a view: always up to date */
    STORE_SNAPSHOT /* a copy as of now: much faster if queries join runs with runs */
};
/* From now on, in SQL, `runs` are this experiment's finished runs, `curves` their curves, and `instances` its
 * instances. All calls for one store must pass the same `look`. */
bool store_look_at(const struct store *store, int64_t experiment, enum store_look look, soloist_error *error);

#endif
