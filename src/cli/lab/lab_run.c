/* `soloist lab run`, `lab list`, `lab merge` and `lab repeat`: run experiments, list the experiments of a store, merge
 * stores, and repeat one run. */
#include "cli/solve/batch.h"
#include "cli/shell/format.h"
#include "cli/lab/lab.h"
#include "cli/learn/networks.h"
#include "cli/shell/plugin.h"
#include "cli/shell/signals.h"
#include "lab/results/query.h"

#include <stdlib.h>
#include <string.h>

struct run_options {
    struct lab_wish wish;
    bool quiet;
    struct arg_list plugin;
};

#define ROW(kind, name, field, letter, value, least, most, text)                                                       \
    { kind, name, letter, offsetof(struct run_options, field), value, least, most, text }
static const struct arg run_rows[] = {
    ROW(ARG_TEXT, "store", wish.store, 0, "FILE", 0, 0, LAB_STORE_HELP),
    ROW(ARG_INT, "jobs", wish.jobs, 'j', "N", 1, 1024,
        "number of cores to use, all by default; each thread of a run uses one"),
    ROW(ARG_REAL, "scale", wish.scale, 0, "SHARE", 1e-9, 1,
        "share (0 to 1) of the instances to use, taken at equal distances from the whole list; each training is "
        "shortened to the same share of its length; 1 by default"),
    ROW(ARG_TEXT, "data", wish.data, 0, "FOLDER", 0, 0, LAB_DATA_HELP),
    ROW(ARG_FLAG, "quiet", wish.quiet, 'q', NULL, 0, 0, "print only errors: no progress, no summary"),
    ROW(ARG_LIST, "plugin", plugin, 0, "FILE", 0, 0, CLI_PLUGIN_HELP),
    {0},
};
#undef ROW

/* Reports how many runs failed, and why the first one did. */
static bool tell_invalid(const struct store *store, int64_t id, bool *any, soloist_error *error) {
    struct query rows;
    query_open(&rows, store,
               "SELECT source, number, error, count(*) FROM plan JOIN run ON run.id = plan.run"
               " WHERE experiment = ?1 AND status = 'invalid' GROUP BY experiment",
               error);
    query_bind(&rows, "i", id);
    *any = query_next(&rows);
    if (*any)
        cli_complain("%lld runs failed, the first on %s:%lld: %s", (long long)query_int(&rows, 3), query_text(&rows, 0),
                     (long long)query_int(&rows, 1), query_text(&rows, 2));
    return query_close(&rows);
}

static bool print_summary(const struct store *store, const char *name, int64_t id, uint64_t left,
                          soloist_error *error) {
    struct query row;
    query_open(&row, store,
               "WITH wanted AS (SELECT DISTINCT run FROM plan WHERE experiment = ?1) SELECT"
               " count(*), count(status), total(status = 'solved'), total(status = 'trained'),"
               " total(method NOT GLOB 'train*') FROM wanted JOIN run ON run.id = wanted.run",
               error);
    query_bind(&row, "i", id);
    if (query_next(&row)) {
        double searches = query_real(&row, 4), trainings = query_real(&row, 0) - searches;
        printf("%s: %lld of %lld runs done", name, (long long)query_int(&row, 1), (long long)query_int(&row, 0));
        if (searches > 0 || trainings == 0)
            printf(", %.0f solved", query_real(&row, 2));
        if (trainings > 0)
            printf(", %.0f trained", query_real(&row, 3));
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

static bool name_network(void *user, const soloist_puzzle *puzzle, bool valued, char *name, size_t room,
                         soloist_error *error) {
    (void)user;
    return networks_name(puzzle, valued, name, room, error);
}

static void tell_left_out(void *user, const char *source, const char *why) {
    (void)user;
    cli_complain("%s: %s; the runs that need it are skipped", source, why);
}

/* Does the planned runs and reports on them. *status: the exit status. False with an error. */
static bool run_planned(struct cli *cli, struct store *store, const struct lab_file *file, const struct lab_wish *wish,
                        int64_t experiment, int *status, soloist_error *error) {
    struct lab_progress progress = {.cli = cli};
    struct runner runner = {.store = store,
                            .engine = cli->engine,
                            .experiment = experiment,
                            .jobs = wish->jobs ? wish->jobs : batch_cores(),
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
    well = tell_invalid(store, experiment, &invalid, error) &&
           (wish->quiet || print_summary(store, file->name, experiment, count.left, error));
    *status = invalid ? CLI_BAD : count.left ? CLI_SOME : CLI_OK;
    return well;
}

int lab_run_file(struct cli *cli, const struct lab_file *file, const struct lab_wish *wish, int64_t *id) {
    struct plan_wish plan = {.name = file->name, .text = file->text, .scale = wish->scale};
    struct plan_files files = {lab_read_name, (void *)file, name_network, tell_left_out};
    soloist_error error = {0};
    int status = CLI_BAD;
    lab_add_data(wish->data);
    struct store *store = lab_open(wish->store, STORE_RUN);
    if (!store)
        return CLI_BAD;
    int64_t experiment = plan_write(store, cli->engine, &file->experiment, &plan, &files, &error);
    signals_open();
    bool well = experiment && run_planned(cli, store, file, wish, experiment, &status, &error);
    store_close(store);
    if (id)
        *id = experiment;
    if (well)
        return status;
    return error.line ? cli_complain_at(file->path, &error), CLI_BAD : cli_complain("%s", error.text);
}

static int run(struct cli *cli, const struct command *self, int count, char **words) {
    struct run_options options = {.wish = {.store = LAB_STORE, .scale = 1}};
    struct arg_list rest = {0};
    struct lab_file file;
    enum args_verdict verdict = args_parse(self, count, words, &options, &rest);
    int status = verdict == ARGS_DONE ? CLI_OK : CLI_BAD;
    if (verdict == ARGS_GO && rest.count != 1)
        cli_complain("lab run: name one FILE; see `soloist lab run --help`");
    else if (verdict == ARGS_GO && plugins_load(cli, &options.plugin) && lab_file_open(&file, rest.items[0])) {
        status = lab_run_file(cli, &file, &options.wish, NULL);
        lab_file_close(&file);
    }
    arg_list_free(&rest);
    arg_list_free(&options.plugin);
    return status;
}

const struct command lab_run_command = {
    .name = "lab run",
    .summary = "run an experiment, or continue it",
    .usage = "FILE [OPTIONS]",
    .about =
        "FILE describes an experiment: methods x budgets x instances x seeds, and trainings x seeds. docs/LAB.md\n"
        "explains its format, and data/experiments/example.lab is an example. Every finished run is committed to the\n"
        "store, so the command may be stopped or killed at any moment: the same command does the remaining runs, and\n"
        "continues a training from its last checkpoint. If FILE was changed, only runs that the store does not have "
        "yet\n"
        "are made.\n"
        "Exit status: 0 complete, 1 interrupted, 2 bad usage or input, or the store failed.",
    .args = run_rows,
    .run = run,
};

/* ---- lab list ---- */

struct list_options {
    const char *store;
};

#define ROW(kind, field, letter, value, least, most, text)                                                             \
    { kind, #field, letter, offsetof(struct list_options, field), value, least, most, text }
static const struct arg list_rows[] = {
    ROW(ARG_TEXT, store, 0, "FILE", 0, 0, LAB_STORE_HELP),
    {0},
};
#undef ROW

static int list_experiments(const char *path) {
    struct store *store = lab_open(path, STORE_READ);
    soloist_error error = {0};
    struct query rows;
    if (!store)
        return CLI_BAD;
    query_open(&rows, store,
               "SELECT name, title, scale, count(DISTINCT run.id), count(DISTINCT iif(status IS NULL, NULL, run.id))"
               " FROM experiment LEFT JOIN plan ON experiment = experiment.id LEFT JOIN run ON run.id = run"
               " GROUP BY experiment.id",
               &error);
    while (query_next(&rows)) {
        format_name(stdout, query_text(&rows, 0), 16);
        printf(" %7lld of %lld runs done", (long long)query_int(&rows, 4), (long long)query_int(&rows, 3));
        if (query_real(&rows, 2) < 1)
            printf(", scale %g", query_real(&rows, 2));
        printf("  %s\n", query_text(&rows, 1));
    }
    bool well = query_close(&rows);
    store_close(store);
    return well ? CLI_OK : cli_complain("%s", error.text);
}

static int run_list(struct cli *cli, const struct command *self, int count, char **words) {
    (void)cli;
    struct list_options options = {LAB_STORE};
    struct arg_list rest = {0};
    enum args_verdict verdict = args_parse(self, count, words, &options, &rest);
    int status = verdict == ARGS_GO ? list_experiments(options.store) : verdict == ARGS_DONE ? CLI_OK : CLI_BAD;
    arg_list_free(&rest);
    return status;
}

const struct command lab_list_command = {
    .name = "lab list",
    .summary = "list the experiments of a store and their progress",
    .usage = "[OPTIONS]",
    .args = list_rows,
    .run = run_list,
};

/* ---- lab merge ---- */

static int print_merged(const char *other, const struct merged *merged) {
    const struct rescued *rescued = &merged->rescued;
    if (merged->damaged)
        printf("%s is damaged: %lld of its runs could be read, at least %lld could not\n", other,
               (long long)rescued->read, (long long)rescued->lost);
    if (merged->refused)
        printf("%s: %lld solutions were not confirmed by the referee; their runs will be repeated\n", other,
               (long long)merged->refused);
    printf("%s: %lld finished runs are new\n", other, (long long)merged->runs);
    return merged->refused || rescued->lost ? CLI_SOME : CLI_OK;
}

static int merge(const struct cli *cli, const char *path, const struct arg_list *others) {
    struct store *store = lab_open(path, STORE_RUN);
    soloist_error error = {0};
    int status = CLI_OK;
    if (!store)
        return CLI_BAD;
    for (size_t i = 0; i < others->count && status != CLI_BAD; i++) {
        struct merged merged;
        int one = store_merge(store, cli->engine, others->items[i], &merged, &error)
                      ? print_merged(others->items[i], &merged)
                      : cli_complain("%s", error.text);
        status = one > status ? one : status;
    }
    store_close(store);
    return status;
}

static int run_merge(struct cli *cli, const struct command *self, int count, char **words) {
    struct list_options options = {LAB_STORE};
    struct arg_list rest = {0};
    int status;
    if (lab_parse(self, count, words, &options, &rest, 1, 1000, &status))
        status = merge(cli, options.store, &rest);
    arg_list_free(&rest);
    return status;
}

const struct command lab_merge_command = {
    .name = "lab merge",
    .summary = "add the runs of other stores to this one",
    .usage = "STORE... [OPTIONS]",
    .about =
        "For experiments that several machines share. Two runs are the same if instance, method, seed and limits are\n"
        "equal; a run already finished here is not replaced. From a damaged store all runs that can still be read\n"
        "are added. Exit status: 0 all runs were read, 1 some could not be read, 2 bad usage, or none could be read.",
    .args = list_rows,
    .run = run_merge,
};

/* ---- lab repeat ---- */

struct repeat_options {
    const char *store;
    struct arg_list plugin;
};

#define ROW(kind, field, letter, value, least, most, text)                                                             \
    { kind, #field, letter, offsetof(struct repeat_options, field), value, least, most, text }
static const struct arg repeat_rows[] = {
    ROW(ARG_TEXT, store, 0, "FILE", 0, 0, LAB_STORE_HELP),
    ROW(ARG_LIST, plugin, 0, "FILE", 0, 0, CLI_PLUGIN_HELP),
    {0},
};
#undef ROW

static int repeat(struct cli *cli, const char *path, const char *word) {
    soloist_error error = {0};
    soloist_result result = {0};
    bool same = false;
    char *end, time[FORMAT_ROOM];
    long long number = strtoll(word, &end, 10);
    if (*end || number < 1)
        return cli_complain("lab repeat: %s: expected the number of a run (`lab show --runs` lists them)", word);
    struct store *store = lab_open(path, STORE_READ);
    if (!store)
        return CLI_BAD;
    signals_open();
    bool well = runner_repeat(store, cli->engine, number, signals_token(), &result, &same, &error);
    store_close(store);
    if (!well)
        return cli_complain("%s", error.text);
    printf("run %lld: %s, %s, %llu nodes, %s: %s\n", number, soloist_status_name(result.status),
           soloist_stop_name(result.stopped), (unsigned long long)result.nodes, format_seconds(result.time_s, time),
           same ? "the same result" : "NOT the result that is stored");
    if (result.solution)
        printf("%s\n", result.solution);
    soloist_result_free(&result);
    return same ? CLI_OK : CLI_SOME;
}

static int run_repeat(struct cli *cli, const struct command *self, int count, char **words) {
    struct repeat_options options = {.store = LAB_STORE};
    struct arg_list rest = {0};
    enum args_verdict verdict = args_parse(self, count, words, &options, &rest);
    int status = verdict == ARGS_DONE ? CLI_OK : CLI_BAD;
    if (verdict == ARGS_GO && rest.count != 1)
        cli_complain("lab repeat: name one run; `soloist lab show --runs` lists them");
    else if (verdict == ARGS_GO && plugins_load(cli, &options.plugin))
        status = repeat(cli, options.store, rest.items[0]);
    arg_list_free(&rest);
    arg_list_free(&options.plugin);
    return status;
}

const struct command lab_repeat_command = {
    .name = "lab repeat",
    .summary = "repeat one stored run, using only its row in the store",
    .usage = "RUN [OPTIONS]",
    .about = "RUN is the number of a run (`lab show --runs`). A single-threaded run that ended at a node or iteration "
             "limit\n"
             "gives the same result on every machine. Exit status: 0 same result, 1 different result, 2 bad usage.",
    .args = repeat_rows,
    .run = run_repeat,
};
