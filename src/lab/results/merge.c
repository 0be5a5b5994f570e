#include "lab/results/merge.h"

#define GIVEN "method, seed, iterations_limit, nodes_limit, time_limit, memory_limit, threads, network"

/* Numbers differ between stores; what a row is known by does not. */
static const char merging[] =
    "INSERT OR IGNORE INTO instance(domain, options, name, text) SELECT domain, options, name, text FROM "
    "other.instance;"
    "CREATE TEMP TABLE same_instance AS SELECT theirs.id AS theirs, ours.id AS ours FROM other.instance theirs"
    " JOIN main.instance ours USING(text, domain, options);"
    "CREATE UNIQUE INDEX temp.same_instances ON same_instance(theirs);"
    "INSERT OR IGNORE INTO run(instance, " GIVEN ") SELECT ours, " GIVEN
    " FROM other.run JOIN same_instance ON theirs ="
    " run.instance;"
    "CREATE TEMP TABLE same_run AS SELECT theirs.id AS theirs, ours.id AS ours FROM other.run theirs JOIN same_instance"
    " ON same_instance.theirs = theirs.instance JOIN main.run ours ON ours.instance = same_instance.ours AND"
    " (ours.method, ours.seed, ours.iterations_limit, ours.nodes_limit, ours.time_limit, ours.memory_limit,"
    " ours.threads, ours.network) = (theirs.method, theirs.seed, theirs.iterations_limit, theirs.nodes_limit,"
    " theirs.time_limit, theirs.memory_limit, theirs.threads, theirs.network);"
    "CREATE UNIQUE INDEX temp.same_runs ON same_run(ours);"
    "CREATE TEMP TABLE news AS SELECT ours FROM same_run JOIN main.run ON run.id = ours JOIN other.run theirs ON"
    " theirs.id = same_run.theirs WHERE run.status IS NULL AND theirs.status IS NOT NULL;"
    "UPDATE main.run SET (" STORE_RESULT ") = (SELECT " STORE_RESULT " FROM other.run theirs WHERE theirs.id ="
    " (SELECT same_run.theirs FROM same_run WHERE ours = main.run.id)) WHERE id IN (SELECT ours FROM news);"
    "DELETE FROM main.curve WHERE run IN (SELECT ours FROM news);"
    "INSERT INTO main.curve(run, " STORE_CURVE ") SELECT ours, " STORE_CURVE " FROM news JOIN same_run USING(ours)"
    " JOIN other.curve ON curve.run = same_run.theirs;"
    "INSERT OR IGNORE INTO experiment(name, title, text, scale) SELECT name, title, text, scale FROM other.experiment;"
    "CREATE TEMP TABLE same_experiment AS SELECT theirs.id AS theirs, ours.id AS ours FROM other.experiment theirs"
    " JOIN main.experiment ours USING(name);"
    "INSERT OR IGNORE INTO plan SELECT same_experiment.ours, same_run.ours, label, source, number FROM other.plan JOIN"
    " same_experiment ON same_experiment.theirs = experiment JOIN same_run ON same_run.theirs = run;"
    "INSERT OR IGNORE INTO member SELECT same_experiment.ours, same_instance.ours, source, number FROM other.member"
    " JOIN same_experiment ON same_experiment.theirs = experiment JOIN same_instance ON same_instance.theirs ="
    " instance;";

static const char tidying[] =
    "DROP TABLE same_instance; DROP TABLE same_run; DROP TABLE same_experiment; DROP TABLE news;";

/* An experiment of the same name must be the same. */
static bool agree(const struct store *store, const char *other, soloist_error *error) {
    sqlite3_stmt *row = store_prepare(store,
                                      "SELECT name FROM main.experiment ours JOIN other.experiment theirs USING(name)"
                                      " WHERE ours.text <> theirs.text",
                                      error);
    if (!row)
        return false;
    bool differ = sqlite3_step(row) == SQLITE_ROW;
    if (differ)
        soloist_fail(error, 0, 0, "%.80s has another experiment of the name %.80s", other,
                     (const char *)sqlite3_column_text(row, 0));
    sqlite3_finalize(row);
    return !differ;
}

static bool merge(const struct store *store, const char *other, int64_t *runs, soloist_error *error) {
    if (!agree(store, other, error) || !store_execute(store, "BEGIN IMMEDIATE", error))
        return false;
    bool well = store_execute(store, merging, error);
    *runs = well ? store_number(store, "SELECT count(*) FROM news", NULL) : 0;
    well = well && store_execute(store, tidying, error) && store_execute(store, "COMMIT", error);
    if (!well)
        sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
    return well;
}

bool store_merge(const struct store *store, const char *other, int64_t *runs, soloist_error *error) {
    struct store *theirs = store_open(other, STORE_READ, error); /* a store, and of this version? */
    if (!theirs)
        return false;
    store_close(theirs);
    sqlite3_stmt *attach = store_prepare(store, "ATTACH ?1 AS other", error);
    if (!attach)
        return false;
    store_bind(attach, "t", other);
    bool well = sqlite3_step(attach) == SQLITE_DONE || store_fail(store, error);
    sqlite3_finalize(attach);
    if (!well)
        return false;
    well = merge(store, other, runs, error);
    sqlite3_exec(store->db, "DETACH other", NULL, NULL, NULL);
    return well;
}
