#include "lab/results/merge.h"
#include "lab/results/query.h"
#include "lab/results/replay.h"

#define GIVEN "method, seed, iterations_limit, nodes_limit, time_limit, memory_limit, threads, network"

/* If one of the two stores has an earlier version, instances are compared by their text alone. */
#define SAME_TEXT                                                                                                      \
    "(ours.text, ours.domain, ours.options) = (theirs.text, theirs.domain, theirs.options) AND"                        \
    " (ours.identity GLOB '" SEAL_BY_TEXT "*' OR theirs.identity GLOB '" SEAL_BY_TEXT "*')"

/* The same row may have different numbers in two stores, but it has the same key. */
static const char merging[] =
    "CREATE TEMP TABLE same_instance(theirs INTEGER PRIMARY KEY, ours INTEGER NOT NULL);"
    "INSERT INTO same_instance SELECT theirs.id, ours.id FROM other.instance theirs JOIN main.instance ours"
    " USING(identity);"
    "INSERT OR IGNORE INTO same_instance SELECT theirs.id, min(ours.id) FROM other.instance theirs JOIN main.instance"
    " ours ON " SAME_TEXT " GROUP BY theirs.id;"
    "INSERT INTO instance(identity, domain, options, name, text) SELECT identity, domain, options, name, text FROM"
    " other.instance WHERE id NOT IN (SELECT theirs FROM same_instance);"
    "INSERT OR IGNORE INTO same_instance SELECT theirs.id, ours.id FROM other.instance theirs JOIN main.instance ours"
    " USING(identity);"
    "INSERT OR IGNORE INTO run(instance, " GIVEN ") SELECT ours, " GIVEN
    " FROM other.run JOIN same_instance ON theirs ="
    " run.instance;"
    "CREATE TEMP TABLE same_run AS SELECT theirs.id AS theirs, ours.id AS ours FROM other.run theirs JOIN same_instance"
    " ON same_instance.theirs = theirs.instance JOIN main.run ours ON ours.instance = same_instance.ours AND"
    " (ours.method, ours.seed, ours.iterations_limit, ours.nodes_limit, ours.time_limit, ours.memory_limit,"
    " ours.threads, ours.network) = (theirs.method, theirs.seed, theirs.iterations_limit, theirs.nodes_limit,"
    " theirs.time_limit, theirs.memory_limit, theirs.threads, theirs.network);"
    "CREATE INDEX temp.same_runs ON same_run(ours);"
    "CREATE TEMP TABLE news AS SELECT DISTINCT ours FROM same_run JOIN main.run ON run.id = ours JOIN other.run theirs "
    "ON"
    " theirs.id = same_run.theirs WHERE run.status IS NULL AND theirs.status IS NOT NULL;"
    "UPDATE main.run SET (" STORE_RESULT ") = (SELECT " STORE_RESULT " FROM other.run theirs WHERE theirs.id ="
    " (SELECT same_run.theirs FROM same_run WHERE ours = main.run.id)) WHERE id IN (SELECT ours FROM news);"
    "DELETE FROM main.curve WHERE run IN (SELECT ours FROM news);"
    "INSERT OR IGNORE INTO main.curve(run, " STORE_CURVE ") SELECT ours, " STORE_CURVE
    " FROM news JOIN same_run USING(ours)"
    " JOIN other.curve ON curve.run = same_run.theirs;"
    "INSERT OR IGNORE INTO experiment(name, title, text, scale) SELECT name, title, text, scale FROM other.experiment;"
    "CREATE TEMP TABLE same_experiment AS SELECT theirs.id AS theirs, ours.id AS ours FROM other.experiment theirs"
    " JOIN main.experiment ours USING(name);"
    "INSERT OR IGNORE INTO plan(experiment, run, label, source, number) SELECT same_experiment.ours, same_run.ours, "
    "label, source, number FROM other.plan JOIN"
    " same_experiment ON same_experiment.theirs = experiment JOIN same_run ON same_run.theirs = run;"
    "INSERT OR IGNORE INTO member(experiment, instance, source, number) SELECT same_experiment.ours,"
    " same_instance.ours, source, number FROM other.member"
    " JOIN same_experiment ON same_experiment.theirs = experiment JOIN same_instance ON same_instance.theirs ="
    " instance;";

static const char tidying[] =
    "DROP TABLE same_instance; DROP TABLE same_run; DROP TABLE same_experiment; DROP TABLE news;";

/* Experiments with the same name must be equal. */
static bool agree(const struct store *store, const char *other, soloist_error *error) {
    struct query row;
    query_open(&row, store,
               "SELECT name FROM main.experiment ours JOIN other.experiment theirs USING(name)"
               " WHERE ours.text <> theirs.text",
               error);
    bool differ = query_next(&row);
    if (differ)
        soloist_fail(error, 0, 0, "%.80s has a different experiment named %.80s", other, query_text(&row, 0));
    return query_close(&row) && !differ;
}

static bool merge(const struct store *store, const soloist *engine, const char *other, struct merged *merged,
                  soloist_error *error) {
    if (!agree(store, other, error) || !store_begin(store, error))
        return false;
    bool well = store_execute(store, merging, error) &&
                replay_stored(store, engine, "SELECT ours FROM temp.news", 0, &merged->refused, error) &&
                store_number(store, "SELECT count(*) FROM temp.news", NULL, &merged->runs, error) &&
                store_execute(store, tidying, error) && store_commit(store, error);
    merged->runs -= merged->refused;
    if (!well)
        store_rollback(store);
    return well;
}

/* Attaches a file as `other`; path "": an empty temporary database. */
static bool attach(const struct store *store, const char *path, soloist_error *error) {
    struct query query;
    query_open(&query, store, "ATTACH ?1 AS other", error);
    query_bind(&query, "t", path);
    query_run(&query);
    return query_close(&query);
}

bool store_merge(const struct store *store, const soloist *engine, const char *other, struct merged *merged,
                 soloist_error *error) {
    *merged = (struct merged){0};
    struct store *theirs = store_open_if_whole(other, STORE_READ, &merged->damaged, error);
    store_close(theirs);
    if ((!theirs && !merged->damaged) || !attach(store, theirs ? other : "", error))
        return false;
    bool well = (theirs || rescue(store, other, &merged->rescued, error)) && merge(store, engine, other, merged, error);
    return store_execute(store, "DETACH other", well ? error : NULL) && well;
}
