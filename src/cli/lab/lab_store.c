/* `soloist lab list`, `lab merge` and `lab repeat`: list the experiments of a store, merge stores, and repeat one run.
 */
#include "cli/shell/files.h"
#include "cli/shell/format.h"
#include "cli/lab/lab.h"
#include "cli/shell/plugin.h"
#include "cli/shell/signals.h"
#include "lab/results/query.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
    int status;
    if (lab_parse(self, count, words, &options, &rest, 0, 0, &status))
        status = list_experiments(options.store);
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

static const char *plural(int64_t count) { return count == 1 ? "" : "s"; }

static void print_rescued(FILE *out, const char *other, const struct rescued *rescued) {
    if (!rescued->lines && rescued->lost > 0)
        fprintf(out, "%s is damaged: %lld of its runs could be read, at least %lld could not\n", other,
                (long long)rescued->read, (long long)rescued->lost);
    else if (!rescued->lines)
        fprintf(out, "%s is damaged: %lld of its runs could be read; nothing shows whether there were more\n", other,
                (long long)rescued->read);
    else
        fprintf(out, "%s is damaged: %lld finished run%s could be read, %lld of its lines could not\n", other,
                (long long)rescued->read, plural(rescued->read), (long long)rescued->lines);
}

void lab_print_missed(FILE *out, const char *other, const struct merged *merged, bool advise) {
    const struct rescued *rescued = &merged->rescued;
    const char *mark = out == stderr ? "soloist: " : "";
    if (merged->damaged) {
        fputs(mark, out);
        print_rescued(out, other, rescued);
    }
    if (merged->refused)
        fprintf(out, "%s%s: %lld solution%s not confirmed by the referee; %s will be repeated\n", mark, other,
                (long long)merged->refused, merged->refused == 1 ? " was" : "s were",
                merged->refused == 1 ? "its run" : "their runs");
    if (rescued->unknown && !merged->damaged) {
        fprintf(out,
                "%s%s: %lld finished run%s left out, because neither this file nor the store describes %s instance%s",
                mark, other, (long long)rescued->unknown, rescued->unknown == 1 ? " was" : "s were",
                rescued->unknown == 1 ? "its" : "their", plural(rescued->unknown));
        if (advise)
            fprintf(out, ": `soloist lab run FILE --known %s` takes those of an experiment", other);
        fputc('\n', out);
    }
}

void lab_print_news(const char *other, const struct merged *merged) {
    printf("%s: %lld finished run%s new\n", other, (long long)merged->runs, merged->runs == 1 ? " is" : "s are");
}

/* Prints what a merge has added, and returns an exit status: CLI_SOME if something could not be added. */
static int print_merged(const char *path, const char *other, const struct merged *merged) {
    int64_t lacking = merged->rescued.plans;
    if (merged->damaged && !merged->rescued.read)
        return cli_complain("%s is damaged, and none of its runs could be read", other);
    lab_print_missed(stdout, other, merged, true);
    if (lacking > 0)
        printf("%s: its plan lacks %lld run%s: `soloist lab run FILE --store %s` completes it\n", other,
               (long long)lacking, plural(lacking), path);
    lab_print_news(other, merged);
    return merged->refused || merged->damaged || merged->rescued.unknown || lacking > 0 ? CLI_SOME : CLI_OK;
}

static int merge(const struct cli *cli, const char *path, const struct arg_list *others) {
    for (size_t i = 0; i < others->count; i++)
        if (path_is_same_file(path, others->items[i]))
            return cli_complain("lab merge: %s is the store to which runs are to be added: name another with --store",
                                others->items[i]);
    for (size_t i = 0; i < others->count; i++)
        if (access(others->items[i], R_OK))
            return cli_complain("lab merge: %s: %s", others->items[i], strerror(errno));
    bool fresh = access(path, F_OK);
    struct store *store = lab_open(path, STORE_RUN);
    soloist_error error = {0};
    int status = CLI_OK;
    bool any = false;
    if (!store)
        return CLI_BAD;
    for (size_t i = 0; i < others->count && status != CLI_BAD; i++) {
        struct merged merged;
        int one = store_merge(store, cli->engine, others->items[i], &merged, &error)
                      ? print_merged(path, others->items[i], &merged)
                      : cli_complain("%s", error.text);
        status = one > status ? one : status;
        any |= one != CLI_BAD;
    }
    if (fresh && !any) /* nothing was added to the store that was made just now */
        unlink(path);
    store_close(store);
    return status == CLI_BAD && any ? CLI_SOME : status;
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
    .summary = "add the runs of other stores, or files of JSON lines, to this store",
    .usage = "STORE... [OPTIONS]",
    .about =
        "Use this verb if several machines share the runs of an experiment. STORE is a store, or a file of JSON\n"
        "lines that `lab run` wrote. Two runs are the same if instance, method, seed and limits are equal, however\n"
        "the method's options are spelled; a finished run that is already in this store is not replaced. From a\n"
        "damaged store all runs that can still be read are added. Exit status: 0 all runs were read, 1 some could\n"
        "not be read, 2 bad usage, or none could be read.",
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
    .about = "RUN is the number of a run (`lab show --runs` lists the numbers). A single-threaded run that ended at a\n"
             "node or iteration limit gives the same result on every machine. Exit status: 0 same result, 1 different\n"
             "result, 2 bad usage.",
    .args = repeat_rows,
    .run = run_repeat,
};
