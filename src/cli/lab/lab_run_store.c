/* Runs an experiment and keeps its results in a store. */
#include "cli/lab/lab.h"
#include "cli/shell/files.h"
#include "cli/shell/ranks.h"
#include "cli/shell/signals.h"
#include "cli/solve/batch.h"
#include "lab/results/query.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

/* Reports how many runs failed, and why the first one did. */
static bool tell_invalid(const struct store *store, int64_t id, bool *any, soloist_error *error) {
    struct query rows;
    query_open(
        &rows, store,
        "SELECT source, number, error, count(DISTINCT run.id), min(run.id) FROM plan JOIN run ON run.id = plan.run"
        " WHERE experiment = ?1 AND status = 'invalid' GROUP BY experiment",
        error);
    query_bind(&rows, "i", id);
    *any = query_next(&rows);
    if (*any)
        cli_complain("%lld run%s failed, the first on %s:%lld: %s", (long long)query_int(&rows, 3),
                     query_int(&rows, 3) == 1 ? "" : "s", query_text(&rows, 0), (long long)query_int(&rows, 1),
                     query_text(&rows, 2));
    return query_close(&rows);
}

/* Names the methods whose runs ended with a warning, such as a search that stopped because it added nothing. */
static bool tell_warnings(const struct store *store, int64_t id, soloist_error *error) {
    struct query rows;
    query_open(&rows, store,
               "SELECT label, error, count(DISTINCT run.id) FROM plan JOIN run ON run.id = plan.run WHERE experiment ="
               " ?1 AND status <> 'invalid' AND error IS NOT NULL GROUP BY label, error ORDER BY min(run.id)",
               error);
    query_bind(&rows, "i", id);
    while (query_next(&rows))
        lab_warn(query_text(&rows, 0), (uint64_t)query_int(&rows, 2), query_text(&rows, 1));
    return query_close(&rows);
}

static bool print_summary(const struct store *store, const char *name, int64_t id, uint64_t left,
                          soloist_error *error) {
    struct query row;
    query_open(&row, store,
               "WITH wanted AS (SELECT DISTINCT run FROM plan WHERE experiment = ?1) SELECT"
               " count(*), count(status), total(status = 'solved'), total(status = 'trained'),"
               " total(method NOT GLOB 'train*'), total(status IS NOT NULL AND stopped = 'memory') FROM wanted JOIN run"
               " ON run.id = wanted.run",
               error);
    query_bind(&row, "i", id);
    if (query_next(&row)) {
        double searches = query_real(&row, 4), trainings = query_real(&row, 0) - searches;
        printf("%s: %lld of %lld runs done", name, (long long)query_int(&row, 1), (long long)query_int(&row, 0));
        if (searches > 0 || trainings == 0)
            printf(", %.0f solved", query_real(&row, 2));
        if (trainings > 0)
            printf(", %.0f trained", query_real(&row, 3));
        if (query_real(&row, 5) > 0)
            printf(", %.0f stopped at the memory limit", query_real(&row, 5));
        printf(", in %s\n", store->path);
    }
    if (!query_close(&row))
        return false;
    if (!left)
        printf("`soloist lab show %s%s%s` shows the results\n", name, strcmp(store->path, LAB_STORE) ? " --store " : "",
               strcmp(store->path, LAB_STORE) ? store->path : "");
    else
        printf("interrupted: the same command continues with the remaining %llu\n", (unsigned long long)left);
    return true;
}

/* Does the planned runs and reports on them. *status: the exit status. False with an error. */
static bool run_planned(struct cli *cli, struct store *store, const struct lab_file *file, const struct lab_wish *wish,
                        int64_t experiment, int *status, soloist_error *error) {
    struct lab_progress progress = {.cli = cli};
    struct runner runner = {.store = store,
                            .engine = cli->engine,
                            .experiment = experiment,
                            .jobs = wish->jobs ? wish->jobs : batch_cores(),
                            .dispatch = wish->dispatch,
                            .stop = signals_token(),
                            .progress = wish->quiet ? NULL : lab_progress_show,
                            .user = &progress};
    struct runner_count count;
    bool invalid = false;
    bool well = runner_run(&runner, &count, error);
    lab_progress_wipe(&progress);
    if (!well)
        return false;
    if (count.refused)
        fprintf(stderr, "soloist: %llu stored solutions were not confirmed by the referee; their runs were repeated\n",
                (unsigned long long)count.refused);
    well = tell_invalid(store, experiment, &invalid, error) && tell_warnings(store, experiment, error) &&
           (!lab_has_summary(wish) || print_summary(store, file->name, experiment, count.left, error));
    if (well && lab_has_summary(wish))
        ranks_tell(cli, stdout);
    *status = invalid ? CLI_BAD : count.left ? CLI_SOME : CLI_OK;
    return well;
}

/* Checks the files of --known before the runs are planned, which may take minutes. */
static bool check_known(const struct lab_wish *wish) {
    for (size_t i = 0; i < wish->known.count; i++) {
        const char *path = wish->known.items[i];
        if (path_is_same_file(wish->store, path))
            return cli_complain("--known: %s is the results store itself", path), false;
        if (access(path, R_OK))
            return cli_complain("--known: %s: %s", path, strerror(errno)), false;
    }
    return true;
}

/* Takes the experiment's runs from the files of --known. Their solutions are replayed. */
static bool take_known(const struct cli *cli, const struct store *store, const struct lab_wish *wish,
                       int64_t experiment, soloist_error *error) {
    for (size_t i = 0; i < wish->known.count; i++) {
        const char *path = wish->known.items[i];
        struct merged merged;
        if (!store_take_known(store, cli->engine, path, experiment, &merged, error))
            return false;
        lab_print_missed(stderr, path, &merged, false);
        if (lab_has_summary(wish))
            lab_print_news(path, &merged);
    }
    return true;
}

int lab_run_store(struct cli *cli, const struct lab_file *file, const struct lab_wish *wish,
                  const struct plan_wish *plan, const struct plan_files *files, int64_t *id) {
    soloist_error error = {0};
    int status = CLI_BAD;
    if (!check_known(wish))
        return CLI_BAD;
    struct store *store = lab_open(wish->store, STORE_RUN);
    if (!store)
        return CLI_BAD;
    int64_t experiment = plan_write(store, cli->engine, &file->experiment, plan, files, &error);
    bool well = experiment && take_known(cli, store, wish, experiment, &error) &&
                run_planned(cli, store, file, wish, experiment, &status, &error);
    store_close(store);
    if (id)
        *id = experiment;
    if (well)
        return status;
    return lab_fail(file, plan, &error);
}
