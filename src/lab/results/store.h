/* The results store: one SQLite file, written with full synchronisation under a rollback journal, so that at rest it is
 * a single file that any program can read, and a kill at any moment loses nothing that was committed. */
#ifndef LAB_RESULTS_STORE_H
#define LAB_RESULTS_STORE_H

#include "soloist.h"

#include <sqlite3.h>

enum { STORE_VERSION = 3, STORE_APPLICATION = 0x536f6c6f /* "Solo", in the file's header */ };

struct store {
    sqlite3 *db;
    char *path;
    int lock; /* a file kept open while this process runs experiments, or -1 */
};

enum store_mode {
    STORE_RESCUE, /* must exist; only read, and not checked */
    STORE_READ,   /* must exist; a store of an earlier version is upgraded */
    STORE_WRITE,  /* created if it does not exist; others may write too */
    STORE_RUN     /* the same, and no other process may open it so */
};

/* Returns NULL with an error that names the file and what is wrong. Every page and row is read and checked first, which
 * takes about two seconds for a million runs. */
struct store *store_open(const char *path, enum store_mode mode, soloist_error *error);
/* The same; *damaged: whether it is a store of which some part was altered. */
struct store *store_open_if_whole(const char *path, enum store_mode mode, bool *damaged, soloist_error *error);
void store_close(struct store *store);

/* ---- for the other files of this folder ---- */

/* The key of an instance is its column `identity` (identity.h), a hash of the parsed instance. In a row of an earlier
 * version that was not planned again since, it is a hash of the text alone, and begins with: */
#define STORE_BY_TEXT "text:"
/* The key of a run, without its network, which stores of the first version lack. */
#define STORE_KEY "instance, method, seed, iterations_limit, nodes_limit, time_limit, memory_limit, threads"
/* The result of a run. */
#define STORE_RESULT                                                                                                   \
    "status, stopped, value, moves, pushes, optimal, solution, time_s, cpu_s, nodes, expanded, iterations, playouts,"  \
    " eliminated, skipped, peak_bytes, ran, error, version, signature, finished"
/* The columns of a row of a curve, besides its run. */
#define STORE_CURVE                                                                                                    \
    "row, time_s, value, interval, nodes, iterations, doing, generation, steps, games, positions, policy_loss,"        \
    " value_loss, validation_policy_loss, validation_value_loss, validation_entropy, played, played_mean,"             \
    " played_interval"

/* Fills the error with the file's name and SQLite's reason, and what it means for the user; returns false. */
bool store_fail(const struct store *store, soloist_error *error);
/* Runs statements without results. */
bool store_execute(const struct store *store, const char *sql, soloist_error *error);
/* Begin, commit and roll back a transaction. */
bool store_begin(const struct store *store, soloist_error *error);
bool store_commit(const struct store *store, soloist_error *error);
void store_rollback(const struct store *store);
/* The single integer that a query returns, -1 if it returns no row; a text may be bound to ?1. False with an error. */
bool store_number(const struct store *store, const char *sql, const char *text, int64_t *number, soloist_error *error);

/* space(text), uct(mean, visits, parent, c) for queries. */
bool store_add_functions(const struct store *store, soloist_error *error);

/* The experiment of that name; with NULL the only one, or an error that lists them. 0 with an error. */
int64_t store_find_experiment(const struct store *store, const char *name, soloist_error *error);
enum store_look {
    STORE_LIVE,    /* a view: always up to date */
    STORE_SNAPSHOT /* a copy as of now: much faster if queries join runs with runs */
};
/* From now on SQL finds that experiment's finished runs as `runs`, their curves as `curves` and its instances as
 * `instances`. All calls on one store must use the same kind. */
bool store_look_at(const struct store *store, int64_t experiment, enum store_look look, soloist_error *error);

#endif
