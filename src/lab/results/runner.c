#include "lab/results/runner.h"
#include "base/arena.h"
#include "lab/results/curve.h"
#include "lab/results/replay.h"
#include "lab/results/save.h"
#include "lab/run/dead_run.h"
#include "lab/run/plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The runs of an experiment that are not done, read from the store. */
struct pile {
    struct memory memory;
    struct arena strings;
    bool full; /* memory ran out for a string */
    struct job *jobs;
    size_t job_count;
    struct pool_tally *tallies;
    size_t tally_count;
    char folder[4000]; /* folder of the trainings' checkpoints */
};

/* ---- reading the store ---- */

static const char *keep(struct pile *pile, struct query *row, int column) {
    const char *text = query_text(row, column);
    size_t length = strlen(text);
    char *copy = arena_take(&pile->strings, length + 1);
    pile->full |= !copy;
    return copy ? memcpy(copy, text, length) : "";
}

static bool no_memory(soloist_error *error) { return soloist_fail(error, 0, 0, "out of memory"); }

static bool add_tally(struct pile *pile, struct query *rows) {
    struct pool_tally *larger = realloc(pile->tallies, (pile->tally_count + 1) * sizeof *larger);
    if (!larger)
        return false;
    pile->tallies = larger;
    larger[pile->tally_count++] =
        (struct pool_tally){keep(pile, rows, 0),          (uint64_t)query_int(rows, 1), (uint64_t)query_int(rows, 2),
                            (uint64_t)query_int(rows, 3), query_real(rows, 4),          query_real(rows, 5)};
    return !pile->full;
}

static bool read_tallies(struct pile *pile, const struct store *store, int64_t experiment, soloist_error *error) {
    struct query rows;
    query_open(&rows, store,
               "WITH wanted AS (SELECT run, min(label) AS label FROM plan WHERE experiment = ?1"
               " GROUP BY run) SELECT label, count(*), count(status), total(status = 'solved'), total(time_s),"
               " total(iif(status = 'solved', value, 0)) FROM wanted JOIN run ON run.id = wanted.run"
               " GROUP BY label ORDER BY min(run.id)",
               error);
    query_bind(&rows, "i", experiment);
    bool well = true;
    while (well && query_next(&rows))
        well = add_tally(pile, &rows) || no_memory(error);
    return query_close(&rows) && well;
}

#define JOB_COLUMNS                                                                                                    \
    "run.id, domain, options, instance.name, instance.text, method, seed, iterations_limit, nodes_limit, time_limit,"  \
    " memory_limit, threads, network"

static struct job read_job(struct pile *pile, struct query *row) {
    return (struct job){.id = query_int(row, 0),
                        .domain = keep(pile, row, 1),
                        .options = keep(pile, row, 2),
                        .name = keep(pile, row, 3),
                        .text = keep(pile, row, 4),
                        .method = keep(pile, row, 5),
                        .network = keep(pile, row, 12),
                        .limits = {.seed = (uint64_t)query_int(row, 6),
                                   .iterations = (uint64_t)query_int(row, 7),
                                   .nodes = (uint64_t)query_int(row, 8),
                                   .time_s = query_real(row, 9),
                                   .memory = (size_t)query_int(row, 10),
                                   .threads = (int)query_int(row, 11)}};
}

static size_t find_tally(const struct pile *pile, const char *label) {
    for (size_t i = 0; i < pile->tally_count; i++)
        if (!strcmp(pile->tallies[i].label, label))
            return i;
    return 0;
}

/* A training that failed is done again: the disk may have been full. So are the failed searches with such a network. */
static bool forget_failed_trainings(const struct store *store, int64_t experiment, soloist_error *error) {
    struct query query;
    query_open(&query, store,
               "UPDATE run SET status = NULL, error = NULL WHERE status = 'invalid' AND (method GLOB 'train*' OR"
               " network GLOB 'trained *') AND id IN (SELECT run FROM plan WHERE experiment = ?1)",
               error);
    query_bind(&query, "i", experiment);
    query_run(&query);
    return query_close(&query);
}

/* In the order that pool.h asks for. */
static bool read_jobs(struct pile *pile, const struct runner *runner, soloist_error *error) {
    struct query rows;
    query_open(&rows, runner->store,
               "SELECT " JOB_COLUMNS ", min(label) FROM plan JOIN run ON run.id = plan.run JOIN instance ON"
               " instance.id = run.instance WHERE experiment = ?1 AND status IS NULL GROUP BY run.id"
               " ORDER BY method GLOB 'train*' DESC, seed, (number - 1) / ?2, threads DESC, number, run.id",
               error);
    query_bind(&rows, "ii", runner->experiment, (int64_t)runner->jobs);
    bool well = true;
    while (well && query_next(&rows)) {
        if ((pile->job_count & (pile->job_count - 1)) == 0) {
            struct job *larger = realloc(pile->jobs, (pile->job_count ? pile->job_count * 2 : 1) * sizeof *larger);
            well = larger || no_memory(error);
            pile->jobs = larger ? larger : pile->jobs;
        }
        if (!well)
            break;
        pile->jobs[pile->job_count] = read_job(pile, &rows);
        pile->jobs[pile->job_count++].tally = find_tally(pile, query_text(&rows, 13));
        well = !pile->full || no_memory(error);
    }
    return query_close(&rows) && well;
}

/* ---- storing ---- */

struct writer {
    const struct store *store;
    struct query run;
    struct curve_writer curve;
};

static bool save_rows(struct writer *writer, const struct curve_row *row) {
    bool well = true;
    for (; well && row; row = row->next)
        well = curve_save(&writer->curve, row);
    return well;
}

static bool commit(void *book, const struct curve_row *rows, const struct job_outcome *list, soloist_error *error) {
    struct writer *writer = book;
    const struct store *store = writer->store;
    bool well = store_begin(store, error) && save_rows(writer, rows);
    for (; well && list; list = list->next)
        well = save_rows(writer, list->rows.first) && save_outcome(&writer->run, list);
    well = well && store_commit(store, error);
    if (!well)
        store_rollback(store);
    return well;
}

static void pile_open(struct pile *pile, const struct store *store) {
    *pile = (struct pile){0};
    memory_open(&pile->memory, 0);
    arena_open(&pile->strings, &pile->memory);
    snprintf(pile->folder, sizeof pile->folder, "%.3800s.run", store->path);
}

static void pile_close(struct pile *pile) {
    free(pile->jobs);
    free(pile->tallies);
    arena_close(&pile->strings);
}

static bool run_jobs(const struct runner *runner, struct pile *pile, uint64_t *done, soloist_error *error) {
    struct writer writer = {.store = runner->store};
    struct pool_wish wish = {.engine = runner->engine,
                             .folder = pile->folder,
                             .job_list = pile->jobs,
                             .job_count = pile->job_count,
                             .tallies = pile->tallies,
                             .tally_count = pile->tally_count,
                             .jobs = runner->jobs,
                             .dispatch = runner->dispatch,
                             .stop = runner->stop,
                             .commit = commit,
                             .book = &writer,
                             .progress = runner->progress,
                             .user = runner->user};
    bool well = save_open(&writer.run, runner->store, error) &&
                curve_writer_open(&writer.curve, runner->store, error) && pool_run(&wish, done, error);
    curve_writer_close(&writer.curve);
    query_close(&writer.run);
    return well;
}

bool runner_run(const struct runner *runner, struct runner_count *count, soloist_error *error) {
    struct pile pile;
    int64_t refused;
    uint64_t done = 0;
    pile_open(&pile, runner->store);
    bool well = replay_stored(runner->store, runner->engine, "SELECT run FROM plan WHERE experiment = ?1",
                              runner->experiment, &refused, error) &&
                forget_failed_trainings(runner->store, runner->experiment, error) &&
                read_tallies(&pile, runner->store, runner->experiment, error) && read_jobs(&pile, runner, error) &&
                run_jobs(runner, &pile, &done, error);
    *count = (struct runner_count){pile.job_count - done, (uint64_t)refused};
    pile_close(&pile);
    return well;
}

/* A method or domain of a plugin is known only as long as the plugin is loaded. */
static bool check_known(const soloist *engine, const struct job *job, soloist_error *error) {
    soloist_error why = {0};
    bool known = soloist_find_domain(engine, job->domain) ? plan_check_method(engine, job->method, &why)
                                                          : soloist_fail(&why, 0, 0, "no domain %.60s", job->domain);
    return known || soloist_fail(error, 0, 0,
                                 "run %lld cannot be repeated: %.160s (--plugin FILE loads the methods and domains of "
                                 "a plugin)",
                                 (long long)job->id, why.text);
}

/* Repeats the run of the current row. */
static bool repeat(struct pile *pile, const soloist *engine, struct query *row, soloist_stop_token *stop,
                   soloist_result *result, bool *same, soloist_error *error) {
    struct job job = read_job(pile, row);
    struct job_school school = {.engine = engine, .folder = pile->folder};
    struct job_outcome outcome = {0};
    char signature[20];
    job.limits.stop = stop;
    if (pile->full)
        return no_memory(error);
    if (job_is_training(&job) || dead_run_is(job.method))
        return soloist_fail(error, 0, 0, "run %lld is a %s: only searches can be repeated", (long long)job.id,
                            job_is_training(&job) ? "training" : "measurement");
    if (!check_known(engine, &job, error))
        return false;
    job_solve(&school, &job, &outcome);
    rows_free(outcome.rows.first);
    if (outcome.starved)
        return soloist_result_free(&outcome.result), no_memory(error);
    snprintf(signature, sizeof signature, "%016llx", (unsigned long long)job_signature(&outcome.result));
    *same = !strcmp(signature, query_text(row, 13));
    *result = outcome.result;
    return true;
}

bool runner_repeat(const struct store *store, const soloist *engine, int64_t run, soloist_stop_token *stop,
                   soloist_result *result, bool *same, soloist_error *error) {
    struct pile pile;
    struct query row;
    query_open(&row, store,
               "SELECT " JOB_COLUMNS ", signature FROM run JOIN instance ON instance.id = run.instance WHERE run.id ="
               " ?1 AND status IS NOT NULL",
               error);
    query_bind(&row, "i", run);
    pile_open(&pile, store);
    bool well = query_next(&row) ? repeat(&pile, engine, &row, stop, result, same, error)
                                 : row.failed || soloist_fail(error, 0, 0, "%.150s: no finished run %lld", store->path,
                                                              (long long)run);
    pile_close(&pile);
    return query_close(&row) && well;
}
