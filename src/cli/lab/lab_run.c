/* `soloist lab run`: runs an experiment and keeps its results in a store or in a file of JSON lines. */
#include "cli/lab/lab.h"
#include "cli/learn/networks.h"
#include "cli/shell/plugin.h"
#include "cli/shell/signals.h"
#include "soloist_tools.h"

#include <string.h>

struct run_options {
    struct lab_wish wish;
    struct arg_list plugin;
};

#define ROW(kind, name, field, letter, value, least, most, text)                                                       \
    { kind, name, letter, offsetof(struct run_options, field), value, least, most, text }
static const struct arg run_rows[] = {
    ROW(ARG_TEXT, "store", wish.store, 0, "FILE", 0, 0, LAB_STORE_RUN_HELP),
    ROW(ARG_INT, "jobs", wish.jobs, 'j', "N", 1, 1024,
        "number of cores to use, all by default; each thread of a run uses one core"),
    ROW(ARG_REAL, "scale", wish.scale, 0, "SHARE", 1e-9, 1, LAB_SCALE_HELP),
    ROW(ARG_TEXT, "data", wish.data, 0, "FOLDER", 0, 0, LAB_DATA_HELP),
    ROW(ARG_LIST, "known", wish.known, 0, "FILE", 0, 0, LAB_KNOWN_HELP),
    ROW(ARG_FLAG, "dry-run", wish.dry_run, 'n', NULL, 0, 0,
        "only check the experiment, its queries and its files, and say how many runs it has and how long they will "
        "take; the time is estimated from a few runs, whose results are not kept"),
    ROW(ARG_FLAG, "quiet", wish.quiet, 'q', NULL, 0, 0,
        "print only errors and what is left out: no progress, no summary"),
    ROW(ARG_LIST, "plugin", plugin, 0, "FILE", 0, 0, CLI_PLUGIN_HELP),
    {0},
};
#undef ROW

static bool name_network(void *user, const soloist_puzzle *puzzle, bool valued, char *name, size_t room,
                         soloist_error *error) {
    (void)user;
    return networks_name(puzzle, valued, name, room, error);
}

static void tell_left_out(void *user, const char *source, const char *why) {
    (void)user;
    size_t length = strlen(source);
    bool named = !strncmp(why, source, length) && why[length] == ':';
    cli_complain("%s%s%s; the runs that need it are skipped", named ? "" : source, named ? "" : ": ", why);
}

static void tell_repeated(void *user, const char *source, uint64_t left_out, uint64_t kept) {
    (void)user;
    if (left_out)
        cli_complain("%s: %llu instance%s left out, because an earlier line with this label has equal ones", source,
                     (unsigned long long)left_out, left_out == 1 ? " is" : "s are");
    if (kept)
        cli_complain("%s: %llu instance%s equal to earlier ones of this set: they are run once, and count as often as "
                     "the set has them",
                     source, (unsigned long long)kept, kept == 1 ? " is" : "s are");
}

bool lab_has_summary(const struct lab_wish *wish) { return !wish->quiet && !wish->table_only; }

int lab_fail(const struct lab_file *file, const struct plan_wish *plan, const soloist_error *error) {
    if (*plan->interrupted)
        return cli_complain("%s", error->text), CLI_SOME;
    return error->line ? cli_complain_at(file->path, error), CLI_BAD : cli_complain("%s", error->text);
}

void lab_warn(const char *label, uint64_t runs, const char *warning) {
    fprintf(stderr, "soloist: warning: %s, %llu runs: %s\n", label, (unsigned long long)runs, warning);
}

/* Names methods whose runs with different seeds are equal. Called at the end, because it is no error. */
static void tell_seeds(const struct cli *cli, const struct experiment *experiment) {
    char names[200] = "";
    const char *last = "";
    size_t count = 0, length = 0;
    for (size_t i = 0; i < experiment->method_count && length < sizeof names; i++) {
        const char *label = experiment->methods[i].label;
        if (!plan_ignores_seeds(cli->engine, experiment, i) || !strcmp(label, last))
            continue;
        length += (size_t)snprintf(names + length, sizeof names - length, "%s%s", count++ ? ", " : "", label);
        last = label;
    }
    if (count)
        cli_complain("%s: %s no random choices, so that runs with different seeds are equal, and intervals that count "
                     "them all are too narrow: add `once` to the method's line",
                     names, count == 1 ? "it makes" : "they make");
}

/* Names methods that no limit but memory ends. Called before the runs, because they may take hours. */
static void tell_limits(const struct cli *cli, const struct experiment *experiment) {
    const char *last = "";
    for (size_t i = 0; i < experiment->method_count; i++) {
        const struct experiment_method *method = &experiment->methods[i];
        const struct experiment_limits *limits = &method->limits;
        const char *why = soloist_method_ignores(cli->engine, method->text, "iterations");
        if (!why || !limits->iterations || limits->nodes || limits->time_s > 0 || !strcmp(method->label, last))
            continue;
        cli_complain("%s: warning: it %s, so only the memory limits its runs: give it nodes= or time=", method->label,
                     why);
        last = method->label;
    }
}

/* Runs a checked experiment, or only counts its runs. */
static int run_or_count(struct cli *cli, const struct lab_file *file, const struct lab_wish *wish,
                        const struct plan_wish *plan, const struct plan_files *files, int64_t *id) {
    if (wish->dry_run)
        return lab_dry_run(cli, file, wish, plan, files);
#if SOLOIST_WITH_SQLITE
    if (!lab_is_lines(wish->store))
        return lab_run_store(cli, file, wish, plan, files, id);
#else
    if (!lab_is_lines(wish->store))
        return cli_complain("%s: this build has no SQLite: name a file that ends in .jsonl", wish->store);
#endif
    if (wish->known.count)
        return cli_complain("--known needs a results store, not a file of JSON lines");
    if (id)
        *id = 0;
    return lab_run_lines(cli, file, wish, plan, files);
}

int lab_run_file(struct cli *cli, const struct lab_file *file, const struct lab_wish *wish, int64_t *id) {
    bool interrupted = false;
    struct plan_wish plan = {.name = file->name,
                             .text = file->text,
                             .scale = wish->scale,
                             .extent = wish->extent,
                             .stop = signals_token(),
                             .interrupted = &interrupted};
    struct plan_files files = {lab_read_name, (void *)file, name_network, tell_left_out,
                               wish->quiet ? NULL : tell_repeated};
    soloist_error error = {0};
    lab_add_data(wish->data);
    bool well = plan_check_methods(cli->engine, &file->experiment, &error);
#if SOLOIST_WITH_SQLITE
    well = well && check_report(&file->experiment, &error);
#endif
    if (!well)
        return lab_fail(file, &plan, &error);
    struct lab_wish own = *wish;
    if (!lab_begin_ranks(cli, &own.dispatch))
        return CLI_BAD;
    if (!wish->quiet)
        tell_limits(cli, &file->experiment);
    signals_open(); /* from now on Ctrl-C ends even the planning in good order */
    int status = run_or_count(cli, file, &own, &plan, &files, id);
    if (status != CLI_BAD && !wish->quiet && cli_flush())
        tell_seeds(cli, &file->experiment);
    return status;
}

static int run(struct cli *cli, const struct command *self, int count, char **words) {
    struct run_options options = {.wish = {.store = LAB_STORE, .scale = 1}};
    struct arg_list rest = {0};
    struct lab_file file;
    enum args_verdict verdict = args_parse(self, count, words, &options, &rest);
    int status = verdict == ARGS_DONE ? CLI_OK : CLI_BAD;
    if (verdict == ARGS_GO && rest.count != 1)
        cli_complain("lab run: name one FILE; see `soloist lab run --help`");
    else if (verdict == ARGS_GO && lab_join_ranks(cli, &options.wish, &options.plugin, &status) &&
             plugins_load(cli, &options.plugin) && lab_file_open(&file, rest.items[0])) {
        if (options.wish.dry_run)
            args_idle(&(struct args_given){self, count, words}, "known", "--dry-run keeps no runs");
        status = lab_run_file(cli, &file, &options.wish, NULL);
        lab_file_close(&file);
    }
    arg_list_free(&rest);
    arg_list_free(&options.wish.known);
    arg_list_free(&options.plugin);
    return status;
}

const struct command lab_run_command = {
    .name = "lab run",
    .summary = "run an experiment, or continue it",
    .usage = "FILE [OPTIONS]",
    .about =
        "FILE describes an experiment. An experiment has one run for each combination of a method, a budget, an\n"
        "instance and a seed, and one for each combination of a training and a seed. docs/LAB.md explains the format\n"
        "of FILE, and data/experiments/example.lab is an example. Every finished run is committed to the store, so\n"
        "the command may be stopped or killed at any moment. The same command then does the remaining runs and\n"
        "continues a training from its last checkpoint. If FILE was changed, only runs that the store does not have\n"
        "yet are made. If the store's name ends in .jsonl, it is a text file to which one line per run is appended;\n"
        "this needs no SQLite, and `lab merge` adds such files to a store.\n"
        "Exit status: 0 complete, 1 interrupted, 2 bad usage or input, or the store failed.",
    .args = run_rows,
    .ranks = true,
    .run = run,
};
