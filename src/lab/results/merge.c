#include "lab/results/merge.h"
#include "lab/results/query.h"
#include "lab/results/read_lines.h"
#include "lab/results/replay.h"
#include "lab/run/lines.h"

#include <stdio.h>
#include <stdlib.h>

#define LIMITS "seed, iterations_limit, nodes_limit, time_limit, memory_limit, threads, network"
/* Methods are compared in their present spelling, because their options may have been renamed or written differently.
 */
#define SAME_RUN                                                                                                       \
    "(ours.instance, ours.method, ours.seed, ours.iterations_limit, ours.nodes_limit, ours.time_limit,"                \
    " ours.memory_limit, ours.threads, ours.network) = (theirs.instance, theirs.method, theirs.seed,"                  \
    " theirs.iterations_limit, theirs.nodes_limit, theirs.time_limit, theirs.memory_limit, theirs.threads,"            \
    " theirs.network)"

/* If one of the two stores has an earlier version, instances are compared by their text alone. */
#define SAME_TEXT                                                                                                      \
    "(ours.text, ours.domain, ours.options) = (theirs.text, theirs.domain, theirs.options) AND"                        \
    " (ours.identity GLOB '" SEAL_BY_TEXT "*' OR theirs.identity GLOB '" SEAL_BY_TEXT "*')"

/* The same row may have different numbers in two stores, but it has the same key. */
static const char match_instances[] =
    "CREATE TEMP TABLE same_instance(theirs INTEGER PRIMARY KEY, ours INTEGER NOT NULL);"
    "INSERT INTO same_instance SELECT theirs.id, ours.id FROM other.instance theirs JOIN main.instance ours"
    " USING(identity);"
    "INSERT OR IGNORE INTO same_instance SELECT theirs.id, min(ours.id) FROM other.instance theirs JOIN main.instance"
    " ours ON " SAME_TEXT " GROUP BY theirs.id;";

static const char add_instances[] =
    "INSERT INTO instance(identity, domain, options, name, text) SELECT identity, domain, options, name, text FROM"
    " other.instance WHERE id NOT IN (SELECT theirs FROM same_instance);"
    "INSERT OR IGNORE INTO same_instance SELECT theirs.id, ours.id FROM other.instance theirs JOIN main.instance ours"
    " USING(identity);";

/* Our runs to which results may be added: all, or the planned runs of one experiment (its number). */
static const char list_runs[] =
    "CREATE TEMP TABLE our_run AS SELECT id, instance, spelled(method) AS method, " LIMITS " FROM main.run";
static const char list_planned[] =
    "CREATE TEMP TABLE our_run AS SELECT id, instance, spelled(method) AS method, " LIMITS
    " FROM main.run WHERE id IN (SELECT run FROM main.plan WHERE experiment = %lld)";

static const char list_their_runs[] =
    "CREATE INDEX temp.our_runs ON our_run(instance, method, seed);"
    "CREATE TEMP TABLE their_run AS SELECT id, ours AS instance, spelled(method) AS method, " LIMITS
    " FROM other.run JOIN same_instance ON theirs = run.instance;";

static const char add_runs[] =
    "INSERT OR IGNORE INTO run(instance, method, " LIMITS ") SELECT instance, method, " LIMITS
    " FROM their_run theirs WHERE NOT EXISTS (SELECT 1 FROM our_run ours WHERE " SAME_RUN ");"
    "INSERT INTO our_run SELECT id, instance, spelled(method), " LIMITS
    " FROM main.run WHERE id NOT IN (SELECT id FROM our_run);";

static const char take_results[] =
    "CREATE TEMP TABLE same_run AS SELECT theirs.id AS theirs, ours.id AS ours FROM their_run theirs JOIN our_run ours"
    " ON " SAME_RUN ";"
    "CREATE INDEX temp.same_runs ON same_run(ours);"
    "CREATE TEMP TABLE news AS SELECT DISTINCT ours FROM same_run JOIN main.run ON run.id = ours JOIN other.run theirs "
    "ON"
    " theirs.id = same_run.theirs WHERE run.status IS NULL AND theirs.status IS NOT NULL;"
    "UPDATE main.run SET (" STORE_RESULT ") = (SELECT " STORE_RESULT " FROM other.run theirs WHERE theirs.id ="
    " (SELECT same_run.theirs FROM same_run JOIN other.run ON run.id = same_run.theirs WHERE ours = main.run.id AND"
    " run.status IS NOT NULL)) WHERE id IN (SELECT ours FROM news);"
    "DELETE FROM main.curve WHERE run IN (SELECT ours FROM news);"
    "INSERT OR IGNORE INTO main.curve(run, " STORE_CURVE ") SELECT ours, " STORE_CURVE
    " FROM news JOIN same_run USING(ours)"
    " JOIN other.curve ON curve.run = same_run.theirs;";

/* A place of a plan has one run. If both plans have a place but another run there, that of the larger scale stays, or
 * else ours: the other run is on an instance that was changed, with a network that was changed, or from a shorter
 * training. */
#define PLACE                                                                                                          \
    "seed, iif(method GLOB 'train*', 'training', iterations_limit || ' ' || nodes_limit || ' ' || time_limit || ' ' ||" \
    " memory_limit || ' ' || threads) AS budget"
#define SAME_PLACE                                                                                                     \
    "(one.experiment, one.label, one.source, one.number, one.seed, one.budget) = (two.experiment, two.label,"          \
    " two.source, two.number, two.seed, two.budget) AND one.run <> two.run"
static const char add_experiments[] =
    "INSERT OR IGNORE INTO experiment(name, title, text, scale) SELECT name, title, text, scale FROM other.experiment;"
    "CREATE TEMP TABLE same_experiment AS SELECT theirs.id AS theirs, ours.id AS ours, theirs.scale > ours.scale AS"
    " larger FROM other.experiment theirs JOIN main.experiment ours USING(name);"
    "UPDATE experiment SET scale = max(scale, (SELECT scale FROM other.experiment theirs WHERE theirs.name ="
    " experiment.name)) WHERE id IN (SELECT ours FROM same_experiment);"
    "CREATE TEMP TABLE two AS SELECT same_experiment.ours AS experiment, larger, same_run.ours AS run, label, source,"
    " number, " PLACE " FROM other.plan JOIN same_experiment ON same_experiment.theirs = experiment JOIN same_run ON"
    " same_run.theirs = plan.run JOIN main.run ON run.id = same_run.ours;"
    "CREATE TEMP TABLE one AS SELECT experiment, plan.run, label, source, number, " PLACE
    " FROM main.plan JOIN main.run ON run.id = plan.run WHERE experiment IN (SELECT ours FROM same_experiment);"
    "CREATE INDEX temp.ones ON one(experiment, label, source, number, seed);"
    "CREATE TEMP TABLE clash AS SELECT two.experiment, larger, two.label, two.source, two.number, one.run AS ours,"
    " two.run AS theirs FROM two JOIN one ON " SAME_PLACE ";"
    "DELETE FROM main.plan WHERE (experiment, run, label, source, number) IN (SELECT experiment, ours, label, source,"
    " number FROM clash WHERE larger);"
    "INSERT OR IGNORE INTO main.plan(experiment, run, label, source, number) SELECT experiment, run, label, source,"
    " number FROM two WHERE (experiment, run, label, source, number) NOT IN (SELECT experiment, theirs, label, source,"
    " number FROM clash WHERE NOT larger);"
    "INSERT OR IGNORE INTO main.member(experiment, instance, source, number) SELECT same_experiment.ours,"
    " same_instance.ours, theirs.source, theirs.number FROM other.member theirs JOIN same_experiment ON"
    " same_experiment.theirs = theirs.experiment JOIN same_instance ON same_instance.theirs = theirs.instance"
    " WHERE (same_experiment.ours, theirs.source, theirs.number) NOT IN (SELECT experiment, source, number FROM"
    " main.member);"
    "DROP TABLE same_experiment; DROP TABLE one; DROP TABLE two; DROP TABLE clash;";

static const char tidying[] =
    "DROP TABLE same_instance; DROP TABLE same_run; DROP TABLE news; DROP TABLE our_run; DROP TABLE their_run;";

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

/* What is taken from a file. */
struct merging {
    const struct store *store;
    const soloist *engine;
    const char *other;
    int64_t experiment; /* only finished runs that this experiment has; 0: everything */
    struct merged *merged;
    soloist_error *error;
};

/* Copies everything from the attached file. */
static bool copy_all(const struct merging *merging) {
    const struct store *store = merging->store;
    return store_execute(store, match_instances, merging->error) &&
           store_execute(store, add_instances, merging->error) && store_execute(store, list_runs, merging->error) &&
           store_execute(store, list_their_runs, merging->error) && store_execute(store, add_runs, merging->error) &&
           store_execute(store, take_results, merging->error) && store_execute(store, add_experiments, merging->error);
}

/* Copies the results of the runs that the experiment has. */
static bool copy_planned(const struct merging *merging) {
    const struct store *store = merging->store;
    char list[sizeof list_planned + 32];
    snprintf(list, sizeof list, list_planned, (long long)merging->experiment);
    return store_execute(store, match_instances, merging->error) && store_execute(store, list, merging->error) &&
           store_execute(store, list_their_runs, merging->error) && store_execute(store, take_results, merging->error);
}

static bool merge(const struct merging *merging) {
    const struct store *store = merging->store;
    struct merged *merged = merging->merged;
    soloist_error *error = merging->error;
    if ((!merging->experiment && !agree(store, merging->other, error)) || !store_begin(store, error))
        return false;
    bool well = (merging->experiment ? copy_planned : copy_all)(merging) &&
                replay_stored(store, merging->engine, "SELECT ours FROM temp.news", 0, &merged->refused, error) &&
                store_number(store, "SELECT count(*) FROM temp.news", NULL, &merged->runs, error) &&
                store_execute(store, tidying, error) && store_commit(store, error);
    merged->runs -= merged->refused;
    if (!well)
        store_rollback(store);
    return well;
}

/* spelled(method): the present spelling of a run's method. */
static void spelled(sqlite3_context *context, int count, sqlite3_value **values) {
    (void)count;
    const char *method = (const char *)sqlite3_value_text(values[0]);
    char *text = method ? plan_spell(sqlite3_user_data(context), method, true) : NULL;
    if (text)
        sqlite3_result_text(context, text, -1, free);
    else
        sqlite3_result_error_nomem(context);
}

/* Attaches a file as `other`; path "": an empty temporary database. */
static bool attach(const struct merging *merging, const char *path) {
    const struct store *store = merging->store;
    struct query query;
    if (sqlite3_create_function(store->db, "spelled", 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC, (void *)merging->engine,
                                spelled, NULL, NULL) != SQLITE_OK)
        return store_fail(store, merging->error);
    query_open(&query, store, "ATTACH ?1 AS other", merging->error);
    query_bind(&query, "t", path);
    query_run(&query);
    return query_close(&query);
}

static bool detach(const struct merging *merging, bool well) {
    return store_execute(merging->store, "DETACH other", well ? merging->error : NULL) && well;
}

static bool merge_store(const struct merging *merging) {
    const struct store *store = merging->store;
    struct merged *merged = merging->merged;
    struct store *theirs = store_open_if_whole(merging->other, STORE_READ, &merged->damaged, merging->error);
    store_close(theirs);
    if ((!theirs && !merged->damaged) || !attach(merging, theirs ? merging->other : ""))
        return false;
    bool well = (theirs || (rescue_make_tables(store, merging->error) &&
                            rescue(store, merging->other, &merged->rescued, merging->error))) &&
                merge(merging);
    return detach(merging, well);
}

static bool merge_lines(const struct merging *merging, const char *text, size_t length) {
    const struct store *store = merging->store;
    struct merged *merged = merging->merged;
    if (!attach(merging, ""))
        return false;
    bool well = lines_make_tables(store, merging->error) &&
                lines_read_all(store, text, length, &merged->rescued, merging->error) && merge(merging);
    merged->damaged = merged->rescued.lines > 0;
    return detach(merging, well);
}

/* The text of the file if it holds JSON lines, otherwise NULL. *starved: memory ran out. */
static char *read_lines(const char *path, size_t *length, bool *starved) {
    char start[2];
    FILE *file = fopen(path, "rb");
    bool ours = file && fread(start, 1, sizeof start, file) == sizeof start && lines_recognise(start, sizeof start);
    if (file)
        fclose(file);
    char *text = ours ? buffer_read_file(path, length) : NULL;
    *starved = ours && !text;
    return text;
}

static bool take(const struct merging *merging) {
    size_t length;
    bool starved;
    *merging->merged = (struct merged){0};
    char *text = read_lines(merging->other, &length, &starved);
    if (starved)
        return soloist_fail(merging->error, 0, 0, "%.150s: out of memory, or it cannot be read", merging->other);
    bool well = text ? merge_lines(merging, text, length) : merge_store(merging);
    free(text);
    return well;
}

bool store_merge(const struct store *store, const soloist *engine, const char *other, struct merged *merged,
                 soloist_error *error) {
    return take(&(struct merging){store, engine, other, 0, merged, error});
}

bool store_take_known(const struct store *store, const soloist *engine, const char *other, int64_t experiment,
                      struct merged *merged, soloist_error *error) {
    return take(&(struct merging){store, engine, other, experiment, merged, error});
}
