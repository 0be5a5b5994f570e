/* `soloist lab tune`: finds the best options for a method on an experiment's instances. */
#include "cli/solve/batch.h"
#include "cli/shell/files.h"
#include "cli/lab/lab.h"
#include "cli/shell/plugin.h"
#include "cli/shell/signals.h"
#include "lab/results/tuner.h"

struct tune_options {
    const char *store, *data, *out;
    int by, trials, steps, jobs;
    uint64_t seed;
    bool quiet;
    struct arg_list plugin;
};

#define ROW(kind, field, letter, value, least, most, text)                                                             \
    { kind, #field, letter, offsetof(struct tune_options, field), value, least, most, text }
static const struct arg tune_rows[] = {
    ROW(ARG_CHOICE, by, 0, "model|entropy|grid", 0, 0,
        "choose settings by a Gaussian process (the default), the cross-entropy method, or a grid"),
    ROW(ARG_INT, trials, 0, "N", 1, 100000, "maximum number of settings to try; by default 90, or all with --by grid"),
    ROW(ARG_INT, steps, 0, "N", 1, 1000, "with --by grid: number of values per range, 5 by default"),
    ROW(ARG_TEXT, out, 'o', "FILE", 0, 0, "write the best setting to FILE; EXPERIMENT.preset by default"),
    ROW(ARG_COUNT, seed, 's', "N", 0, 1.9e19, "random seed of the tuner, 1 by default"),
    ROW(ARG_TEXT, store, 0, "FILE", 0, 0, LAB_STORE_HELP),
    ROW(ARG_INT, jobs, 'j', "N", 1, 1024, "number of runs at the same time, one per core by default"),
    ROW(ARG_TEXT, data, 0, "FOLDER", 0, 0, LAB_DATA_HELP),
    ROW(ARG_FLAG, quiet, 'q', NULL, 0, 0, "print only errors"),
    ROW(ARG_LIST, plugin, 0, "FILE", 0, 0, CLI_PLUGIN_HELP),
    {0},
};
#undef ROW

struct tune_screen {
    struct lab_progress progress;
    bool quiet;
};

static void show_runs(void *user, const struct pool_progress *report) {
    struct tune_screen *screen = user;
    if (!screen->quiet)
        lab_progress_show(&screen->progress, report);
}

static void show_generation(void *user, const struct tuner_progress *progress) {
    struct tune_screen *screen = user;
    lab_progress_wipe(&screen->progress);
    if (screen->quiet)
        return;
    printf("%5zu trials, best %.6g%s  %s\n", progress->trials, progress->score,
           progress->rung == TUNE_RUNGS - 1 ? "" : " (on part of the instances)", progress->best);
    fflush(stdout);
}

static int write_preset(struct new_file *out, const struct lab_file *file, const struct tuner_progress *progress) {
    fprintf(out->stream, "# the best of %zu trials by `soloist lab tune %s`: %.6g\n%s\n", progress->trials, file->path,
            progress->score, progress->best);
    return new_file_keep(out) ? CLI_OK : CLI_BAD;
}

/* Makes the trials. Returns an exit status. */
static int find_best(struct cli *cli, const struct tune_options *options, const struct lab_file *file,
                     struct tuner_progress *progress, char *best, size_t room) {
    struct tune_screen screen = {.progress = {.cli = cli}, .quiet = options->quiet};
    struct plan_files files = {.read = lab_read_name, .user = (void *)file};
    soloist_error error = {0};
    struct dispatch *dispatch;
    if (!lab_begin_ranks(cli, &dispatch))
        return CLI_BAD;
    struct store *store = lab_open(options->store, STORE_RUN);
    if (!store)
        return CLI_BAD;
    signals_open();
    struct tuner tuner = {.store = store,
                          .engine = cli->engine,
                          .experiment = &file->experiment,
                          .files = &files,
                          .name = file->name,
                          .text = file->text,
                          .way = options->by ? (enum tuner_way)(options->by - 1) : TUNER_MODEL,
                          .trials = options->trials                 ? (size_t)options->trials
                                    : options->by == 1 + TUNER_GRID ? 100000
                                                                    : 90,
                          .steps = options->steps,
                          .seed = options->seed,
                          .jobs = options->jobs ? options->jobs : batch_cores(),
                          .dispatch = dispatch,
                          .stop = signals_token(),
                          .runs = show_runs,
                          .reported = show_generation,
                          .user = &screen};
    bool well = tuner_run(&tuner, progress, best, room, &error);
    lab_progress_wipe(&screen.progress);
    store_close(store);
    if (!well && signals_stopped())
        return cli_complain("%s", error.text), CLI_SOME;
    if (!well)
        return error.line ? cli_complain_at(file->path, &error), CLI_BAD : cli_complain("%s", error.text);
    return CLI_OK;
}

/* The file is opened before the trials, which would be in vain if it could not be written. */
static int tune(struct cli *cli, const struct tune_options *options, const struct lab_file *file) {
    struct tuner_progress progress;
    struct new_file out;
    soloist_error error = {0};
    char best[600], preset[160];
    lab_add_data(options->data);
    if (!check_report(&file->experiment, &error))
        return error.line ? cli_complain_at(file->path, &error), CLI_BAD : cli_complain("%s", error.text);
    snprintf(preset, sizeof preset, "%s.preset", file->name);
    if (!new_file_open(&out, options->out ? options->out : preset, false))
        return CLI_BAD;
    int status = find_best(cli, options, file, &progress, best, sizeof best);
    if (status == CLI_OK)
        return write_preset(&out, file, &progress);
    new_file_drop(&out);
    return status;
}

static int run(struct cli *cli, const struct command *self, int count, char **words) {
    struct tune_options options = {.store = LAB_STORE, .steps = 5, .seed = 1};
    struct arg_list rest = {0};
    struct lab_file file;
    enum args_verdict verdict = args_parse(self, count, words, &options, &rest);
    int status = verdict == ARGS_DONE ? CLI_OK : CLI_BAD;
    if (verdict == ARGS_GO && options.by != 1 + TUNER_GRID)
        args_idle(&(struct args_given){self, count, words}, "steps", "only --by grid divides ranges into steps");
    if (verdict == ARGS_GO && rest.count != 1)
        cli_complain("lab tune: name one FILE; see `soloist lab tune --help`");
    else if (verdict == ARGS_GO && !lab_refuses_lines("lab tune", options.store) &&
             lab_join_ranks(cli, &(struct lab_wish){.data = options.data, .jobs = options.jobs}, &options.plugin,
                            &status) &&
             plugins_load(cli, &options.plugin) && lab_file_open(&file, rest.items[0])) {
        status = tune(cli, &options, &file);
        lab_file_close(&file);
    }
    arg_list_free(&rest);
    arg_list_free(&options.plugin);
    return status;
}

const struct command lab_tune_command = {
    .name = "lab tune",
    .summary = "find the best options of a method by a Gaussian process, by cross entropy or on a grid",
    .usage = "FILE [OPTIONS]",
    .about =
        "FILE describes an experiment with one method, one budget and lines `tune OPTION LEAST..MOST [log]`,\n"
        "`tune OPTION a|b|c` or `tune OPTION` (its full range). If FILE has a line `better SQL`, the tuner maximises\n"
        "the mean of that SQL expression over the runs of a trial, otherwise the mean score or the share of instances\n"
        "solved. Every trial starts\n"
        "on a ninth of the instances. The best third of the trials continue on a third of the instances, and the best\n"
        "third of these trials then continue on all instances. All runs are stored, so the same command continues "
        "where\n"
        "it was stopped. The best setting is written to a file (--out); the last line of that file is a value for\n"
        "--method.",
    .args = tune_rows,
    .ranks = true,
    .run = run,
};
