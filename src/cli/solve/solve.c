/* `soloist solve`: reads instances and solves them. */
#include "base/budget.h"
#include "cli/solve/batch.h"
#include "cli/learn/networks.h"
#include "cli/solve/games.h"
#include "cli/solve/outfile.h"
#include "cli/shell/plugin.h"
#include "cli/shell/progress.h"
#include "cli/solve/report.h"
#include "cli/solve/resume.h"
#include "cli/shell/signals.h"
#include "cli/shell/ranks.h"
#include "cli/solve/duplicates.h"
#include "cli/solve/remote.h"
#include "cli/solve/writeback.h"
#include "cli/solve/objective.h"
#include "engine/engine.h"
#include "search/special/registry.h"

#include <stdlib.h>
#include <string.h>

struct solve_options {
    const char *domain, *method, *only, *out, *resume, *games, *optimal;
    double time, polish;
    uint64_t nodes, iterations, seed;
    size_t memory;
    int threads, jobs, back_end;
    bool json, quiet, write_back, table, reuse, first, lurd, save, across;
    struct objective objective; /* from --optimal */
    struct arg_list plugin, network;
};

#define ROW(kind, field, letter, value, least, most, text)                                                             \
    { kind, #field, letter, offsetof(struct solve_options, field), value, least, most, text }
static const struct arg solve_rows[] = {
    ROW(ARG_TEXT, domain, 'd', "D[:KEY=VALUE,...]", 0, 0, CLI_DOMAIN_HELP),
    ROW(ARG_TEXT, method, 'm', "NAME[:KEY=VALUE,...]", 0, 0,
        "search method; auto, the default, chooses a suitable mix of methods"),
    ROW(ARG_LIST, network, 0, "FILE[:KEY=VALUE,...]", 0, 0, CLI_NETWORK_HELP),
    {ARG_CHOICE, "back-end", 0, offsetof(struct solve_options, back_end), CLI_BACK_ENDS, 0, 0, CLI_BACK_END_HELP},
    ROW(ARG_SECONDS, time, 't', "SECONDS", 0, 1e9, "maximum wall time per instance, 10 by default; 0: no limit"),
    ROW(ARG_COUNT, nodes, 'n', "N", 0, 1e18,
        "maximum number of states that are generated per instance, without those of the shortening that --polish "
        "describes; 0, the default: no limit"),
    ROW(ARG_COUNT, iterations, 0, "N", 0, 1e18,
        "maximum number of iterations of the search per instance; 0, the default: no limit"),
    ROW(ARG_SIZE, memory, 0, "SIZE", 1, 1e18,
        "memory limit for all jobs together, e.g. 500M, 4G; half of the free memory by default"),
    ROW(ARG_INT, threads, 0, "N", 1, SOLOIST_MOST_THREADS,
        "number of threads per instance; by default the number of cores divided by the number of jobs, at least 1"),
    ROW(ARG_COUNT, seed, 's', "N", 0, 1.9e19, "random seed, 1 by default"),
    ROW(ARG_TEXT, optimal, 0, OBJECTIVE_VALUES, 0, 0,
        "Sokoban: find a solution with the fewest pushes or moves and prove it optimal; pushes-moves: among the "
        "solutions with the fewest pushes, find one with the fewest moves; -box-lines, -box-changes and -sessions may "
        "be added as further tie-breakers; any, the default: the solution need not be optimal"),
    ROW(ARG_SECONDS, polish, 0, "SECONDS", 0, 1e9,
        "Sokoban: spend SECONDS on shortening each solution; what the search has proved to be minimal stays so. By "
        "default, and with 0, solutions proved optimal are not shortened, and shortening of the others generates at "
        "most 20,000 "
        "states or a quarter of the search's states, whichever is more, but never more than the search did, and ends "
        "when --time is over. SameGame: after --time, spend SECONDS on improving each game by simulated annealing"),
    ROW(ARG_FLAG, first, 0, NULL, 0, 0, "Sokoban: report the solution that the search found, without shortening it"),
    ROW(ARG_TEXT, only, 0, "1,5-9,...", 0, 0, CLI_ONLY_HELP),
    ROW(ARG_INT, jobs, 'j', "N", 1, 1024,
        "number of instances that are solved at the same time; by default enough to keep every core busy"),
    ROW(ARG_FLAG, across, 0, NULL, 0, 0,
        "under mpirun: all ranks solve each instance together, one instance after the other; this is the default for a "
        "single instance if the method supports it"),
    ROW(ARG_TEXT, out, 'o', "FILE", 0, 0,
        "write the solutions to FILE: for Sokoban as a .sok collection, in other domains one solution per line; if "
        "FILE is -, the solutions go to standard output and everything else to standard error"),
    ROW(ARG_FLAG, save, 0, NULL, 0, 0,
        "write the solutions of each FILE beside it, e.g. those of levels.xsb to levels.sok; an existing file is never "
        "overwritten"),
    ROW(ARG_FLAG, lurd, 0, NULL, 0, 0,
        "print one line per instance: name, counts and solution, separated by tabs; the summary goes to standard "
        "error"),
    {ARG_FLAG, "write-back", 0, offsetof(struct solve_options, write_back), NULL, 0, 0,
     "Sokoban: add the solutions to the level file itself, or with --out to a copy of it"},
    ROW(ARG_TEXT, resume, 0, "FILE", 0, 0,
        "append a JSON line to FILE whenever an instance is finished; use the results that FILE already holds instead "
        "of solving those instances again"),
    ROW(ARG_TEXT, games, 0, "FILE", 0, 0,
        "nrpa: begin the search of each instance with its game in FILE, a file as `check` reads it, and look for a "
        "better one"),
    ROW(ARG_FLAG, reuse, 0, NULL, 0, 0,
        "Sokoban: if several levels are equal up to rotation and reflection, solve one of them and use its solution "
        "for the others"),
    ROW(ARG_FLAG, table, 0, NULL, 0, 0,
        "at the end print a table with one row per file: numbers of instances solved and proved optimal, and times; "
        "several files have it by default"),
    ROW(ARG_FLAG, json, 0, NULL, 0, 0, "print one JSON object per line, in the order of the instances"),
    ROW(ARG_FLAG, quiet, 'q', NULL, 0, 0,
        "print only errors, warnings and what --json or --lurd prints: no other results, no summary, no progress; "
        "--out is still "
        "written"),
    ROW(ARG_LIST, plugin, 0, "FILE", 0, 0, CLI_PLUGIN_HELP),
    {0},
};
#undef ROW

/* How cores and memory are divided among jobs. */
struct plan {
    int jobs, threads;
    size_t memory;
};

/* Whether all ranks solve each instance together. */
static bool is_together(const struct cli *cli, const struct solve_options *options, size_t tasks) {
    const char *method = objective_method(cli, &options->objective, options->method);
    return ranks_are_many(cli) && (options->across || tasks == 1) &&
           engine_method_uses_ranks(cli->engine, method ? method : "auto");
}

/* Says if ranks will not be used as the user may expect. False: --across cannot be followed. */
static bool check_across(const struct cli *cli, const struct solve_options *options, size_t tasks) {
    const char *method = objective_method(cli, &options->objective, options->method);
    if (!ranks_are_many(cli)) {
        args_idle(&cli->given, "across", "there is only one rank (start the program by mpirun)");
        return true;
    }
    if ((!options->across && tasks != 1) || is_together(cli, options, tasks))
        return true;
    int size = method ? (int)strcspn(method, ":") : 4;
    if (options->across)
        cli_complain("--across: %.*s cannot search on several ranks together", size, method ? method : "auto");
    else
        cli_complain("solve: warning: %.*s solves an instance on one rank; the others have nothing to do", size,
                     method ? method : "auto");
    return !options->across;
}

/* far: the cores of other ranks, which solve instances too, each with as many threads as this rank. */
static struct plan make_plan(const struct solve_options *options, size_t tasks, int far) {
    int cores = batch_cores(), instances = tasks < 1024 ? (int)tasks : 1024;
    struct plan plan = {options->jobs, options->threads, options->memory};
    if (far && !plan.jobs && !plan.threads) {
        int each = (cores + far) / (instances > 0 ? instances : 1);
        plan.threads = each < 1 ? 1 : each < cores ? each : cores;
    }
    if (!plan.jobs)
        plan.jobs = plan.threads ? cores / plan.threads : cores;
    plan.jobs = plan.jobs > instances ? instances : plan.jobs;
    plan.jobs = plan.jobs < 1 ? 1 : plan.jobs;
    if (!plan.threads)
        plan.threads = cores / plan.jobs > 1 ? cores / plan.jobs : 1;
    plan.threads = plan.threads < SOLOIST_MOST_THREADS ? plan.threads : SOLOIST_MOST_THREADS;
    if (!plan.memory)
        plan.memory = batch_free_memory() / 2;
    return plan;
}

/* Whether the method suits at least one instance of the file; if not, *error says why it does not suit the first. For a
 * file without a readable instance the result is true, because then the method is not to blame. */
static bool suits_some(const struct cli *cli, const struct input *input, const struct source *source,
                       const char *method, const soloist_limits *limits, soloist_error *error) {
    bool refused = false, depends;
    if (!source->domain)
        return true;
    /* Reading a large instance takes long, so it is not read only to check the method. */
    if (engine_method_suits_domain(cli->engine, source->domain, method, limits, &depends, error) == SOLOIST_OK &&
        !depends)
        return true;
    for (size_t i = 0; i < input->task_count; i++) {
        soloist_puzzle puzzle;
        soloist_error why = {0};
        if (input->tasks[i].source != source || input_puzzle(input, &input->tasks[i], &puzzle, &why) != SOLOIST_OK)
            continue;
        soloist_code code = soloist_method_suits(cli->engine, &puzzle, method, limits, &why);
        soloist_puzzle_free(&puzzle);
        if (code == SOLOIST_OK)
            return true;
        if (!refused)
            *error = why;
        refused = true;
    }
    return !refused;
}

/* A method that suits no instance of a file is refused before anything is solved. */
static bool check_method(const struct cli *cli, const struct input *input, const char *method,
                         const soloist_limits *limits) {
    for (size_t i = 0; i < input->source_count; i++) {
        soloist_error error = {0};
        if (!suits_some(cli, input, input->sources[i], method, limits, &error))
            return cli_complain_at(input->sources[i]->label, &error), false;
    }
    return true;
}

/* Domains other than Sokoban have one cost, which in those of ours is the number of moves. */
static void warn_of_other_counts(const struct solve_options *options) {
    const struct polish_aim *aim = &options->objective.aim;
    if (options->objective.prove && (aim->count > 1 || aim->order[0] != POLISH_COUNT_MOVES))
        cli_complain("solve: warning: --optimal %s: this objective is for Sokoban only; here the least cost is proved",
                     options->optimal);
}

/* Whether nrpa, which alone begins with given games, takes part in the search. */
static bool uses_games(const struct solve_options *options, const struct input *input) {
    bool scored = !input->source_count;
    for (size_t i = 0; i < input->source_count; i++) {
        const soloist_domain *domain = input->sources[i]->domain;
        scored |= !domain || domain->aim == SOLOIST_MOST_SCORE;
    }
    return options->method && strncmp(options->method, "auto", 4) != 0 ? strstr(options->method, "nrpa") != NULL
                                                                       : scored;
}

/* Warns about options that change nothing here. */
static void warn_of_idle_options(const struct cli *cli, const struct solve_options *options,
                                 const struct input *input) {
    bool levels = !input->source_count; /* if no file could be read, nothing is known about the options */
    bool games = false;
    for (size_t i = 0; i < input->source_count; i++) {
        const soloist_domain *domain = input->sources[i]->domain;
        levels |= !domain || special_levels(domain);
        games |= domain && domain->walk && domain->walk->parts;
    }
    if (!levels && !games)
        args_idle(&cli->given, "polish", "it improves solutions of Sokoban and SameGame only");
    if (!levels) {
        args_idle(&cli->given, "first", "only Sokoban solutions are shortened");
        args_idle(&cli->given, "reuse", "it compares Sokoban levels only");
        warn_of_other_counts(options);
    }
    if (!uses_games(options, input))
        args_idle(&cli->given, "games", "only nrpa begins with given games");
    if (options->json || options->quiet)
        args_idle(&cli->given, "table", "--%s leaves the table out", options->json ? "json" : "quiet");
}

struct solve_run {
    bool failed; /* a write failed: nothing more is started, reported or stored */
    struct report report;
    struct outfile out;
    struct writeback writeback;
    struct resume resume;
};

/* The first failed write ends the run, because results that cannot be written are useless. */
static void go_on(struct solve_run *run, bool written) {
    if (written)
        return;
    run->failed = true;
    signals_raise();
}

/* On a screen rows come as instances finish; files and pipes get them in order. */
static bool is_shown_at_once(const struct solve_run *run) {
    return run->report.cli->out_terminal && !run->report.json && !run->report.lurd;
}

static void emit(void *user, const struct task *task, const struct outcome *outcome) {
    struct solve_run *run = user;
    if (outcome->resumed) /* no job worked on it */
        progress_done(run->report.progress, outcome->result.status == SOLOIST_SOLVED);
    if (run->failed)
        return;
    const struct outcome *best = resume_best(&run->resume, task, outcome);
    writeback_add(&run->writeback, task, &best->result.verdict, best->result.solution);
    bool shown = is_shown_at_once(run) && !outcome->resumed;
    go_on(run, outfile_add(&run->out, task, best) && (shown || report_outcome(&run->report, task, best)));
}

static void finished(void *user, const struct task *task, const struct outcome *outcome) {
    struct solve_run *run = user;
    progress_done(run->report.progress, outcome->result.status == SOLOIST_SOLVED);
    if (!run->failed)
        go_on(run, resume_add(&run->resume, task, outcome));
    if (!run->failed && is_shown_at_once(run))
        go_on(run, report_outcome(&run->report, task, resume_best(&run->resume, task, outcome)));
}

/* Completes the output files and says on the stream, which may be NULL, what was written. */
static int solve_close(struct solve_run *run, FILE *tell, int status) {
    bool written = outfile_close(&run->out, tell) && !run->failed;
    written &= writeback_close(&run->writeback, tell);
    resume_close(&run->resume);
    progress_close(run->report.progress);
    report_close(&run->report);
    return written ? status : CLI_BAD;
}

/* Ends before anything is solved: no file is written. */
static int give_up(struct solve_run *run) {
    writeback_drop(&run->writeback);
    return solve_close(run, NULL, CLI_BAD);
}

/* Whether solutions alone go to standard output. */
static bool is_stdout_taken(const struct solve_options *options) {
    return options->lurd || (options->out && !strcmp(options->out, "-"));
}

/* What rank 0 and its helpers do in the same way with every instance. */
static struct batch make_batch(struct cli *cli, const struct solve_options *options, const struct input *input,
                               const struct plan *plan) {
    return (struct batch){.cli = cli,
                          .input = input,
                          .method = objective_method(cli, &options->objective, options->method),
                          .limits = {.time_s = options->time,
                                     .nodes = options->nodes,
                                     .iterations = options->iterations,
                                     .memory = batch_share(plan->memory, plan->jobs),
                                     .threads = plan->threads,
                                     .seed = options->seed,
                                     .stop = signals_token()},
                          .jobs = plan->jobs,
                          .keep_boards = options->out || options->save,
                          .hash = options->json || options->resume,
                          .objective = options->objective,
                          .shorten = options->first        ? SHORTEN_NOT
                                     : options->polish > 0 ? SHORTEN_SECONDS
                                                           : SHORTEN_DEFAULT,
                          .polish_s = options->polish};
}

/* Lets the other ranks begin, if there are any, and runs the batch. */
static void run_batch(struct cli *cli, struct batch *batch) {
    struct buffer wish;
    buffer_open(&wish);
    remote_put_wish(batch, &wish);
    batch->dispatch = ranks_begin(cli, &wish);
    buffer_close(&wish);
    batch_run(batch);
}

static int solve_all(struct cli *cli, const struct solve_options *options, const struct input *input) {
    struct solve_run run = {.report = {cli, input, .json = options->json, .quiet = options->quiet,
                                       .lurd = options->lurd, .table = options->table,
                                       .objective = &options->objective}};
    run.report.stream = is_stdout_taken(options) ? stderr : stdout;
    run.report.kept = options->out || options->save || options->write_back || options->lurd || options->resume;
    if (!ranks_gather(cli) || !check_across(cli, options, input->task_count))
        return CLI_BAD;
    bool together = is_together(cli, options, input->task_count);
    struct plan plan =
        together ? make_plan(options, 1, 0) : make_plan(options, input->task_count, ranks_far_cores(cli));
    struct batch batch = make_batch(cli, options, input, &plan);
    batch.peers = together ? ranks_search(cli) : NULL;
    if (!objective_suits(cli, &options->objective, input, batch.method) ||
        !check_method(cli, input, batch.method, &batch.limits))
        return CLI_BAD;
    lookup_ignored(cli, batch.method);
    warn_of_idle_options(cli, options, input);
    if (options->write_back ? !writeback_open(&run.writeback, input, options->out)
        : options->save     ? !outfile_open_beside(&run.out, input, options->resume)
                            : options->out && !outfile_open(&run.out, options->out, input))
        return CLI_BAD;
    run.writeback.aim = options->objective.aim;
    run.report.progress = options->quiet ? NULL : progress_open(cli, input->task_count);
    report_open(&run.report);
    signals_open();
    batch.progress = run.report.progress;
    batch.finished = finished;
    batch.emit = emit;
    batch.user = &run;
    if (options->resume && !resume_open(&run.resume, options->resume, &batch, &options->network))
        return give_up(&run);
    if (options->games && !games_open(options->games, &batch)) {
        games_close(&batch);
        return give_up(&run);
    }
    size_t *duplicates = options->reuse ? duplicates_find(&batch) : NULL;
    batch.duplicates = duplicates;
    double start_s = clock_seconds();
    run_batch(cli, &batch);
    free(duplicates);
    if (options->games)
        games_close(&batch);
    progress_close(run.report.progress);
    run.report.progress = NULL;
    if (!run.report.asked && !strncmp(batch.method ? batch.method : "auto", "auto", 4))
        args_idle(&cli->given, "network", "no search asked it; name a method that does, such as phs or pv-mcts");
    struct report_limits given = {
        options->time, clock_seconds() - start_s, options->nodes, options->iterations, plan.memory, plan.jobs,
        plan.threads, options->first};
    if (!run.failed)
        report_summary(&run.report, &given);
    if (!run.failed && !options->quiet && !options->json)
        ranks_tell(cli, run.report.stream);
    if (options->resume && !run.failed && !options->quiet)
        resume_tell(&run.resume, options->json ? stderr : run.report.stream);
    bool silent = options->json || options->quiet || run.failed;
    return solve_close(&run, silent ? NULL : run.report.stream, report_status(&run.report));
}

/* A network that cannot be opened, or fits none of the instances, is reported before anything is solved. */
static int solve_input(struct cli *cli, const struct solve_options *options, const struct input *input) {
    networks_give(cli->networks, &options->network, options->back_end);
    int status = networks_check(cli->networks, "solve", input) ? solve_all(cli, options, input) : CLI_BAD;
    networks_give(cli->networks, NULL, 0);
    return status;
}

/* Options that contradict each other are refused: what one of them asks for would not be done. */
static bool check_options(const struct solve_options *options) {
    const struct {
        bool both;
        const char *text;
    } rows[] = {
        {options->first && options->polish > 0, "--first and --polish"},
        {options->json && options->lurd, "--json and --lurd"},
        {options->json && options->out && !strcmp(options->out, "-"), "--json and --out -"},
        {options->lurd && options->out && !strcmp(options->out, "-"), "--lurd and --out -"},
        {options->games && options->resume, "--games and --resume"},
        {options->save && options->out, "--save and --out"},
        {options->save && options->write_back, "--save and --write-back"},
        {path_is_same_file(options->resume, options->out), "--resume and --out with the same file"},
        {path_is_same_file(options->games, options->out), "--games and --out with the same file"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].both)
            return cli_complain("%s exclude each other", rows[i].text), false;
    return true;
}

/* Understands the options, of which some need plugins. */
static bool read_options(struct cli *cli, struct solve_options *options, struct domain_choice *choice) {
    return check_options(options) && objective_read(options->optimal, &options->objective) &&
           plugins_load(cli, &options->plugin) && lookup_domain(cli, options->domain, choice) &&
           lookup_method(cli, options->method);
}

/* Solves instances for rank 0, which reads the files. */
static int solve_help(struct cli *cli, struct solve_options *options) {
    struct domain_choice choice = {0};
    bool ready = read_options(cli, options, &choice);
    struct plan plan = make_plan(options, SIZE_MAX, 0);
    struct input input = {.options = choice.options, .cost = options->objective.cost};
    networks_give(cli->networks, &options->network, options->back_end);
    struct batch batch = make_batch(cli, options, &input, &plan);
    struct remote_helper helper = {&batch, plan.jobs * plan.threads, plan.memory, ranks_search(cli), false};
    struct dispatch_work work = remote_work(&helper);
    signals_open();
    int status = ranks_help(cli, ready, &work);
    networks_give(cli->networks, NULL, 0);
    return status;
}

static int solve_files(struct cli *cli, struct solve_options *options, const struct arg_list *files) {
    struct domain_choice choice;
    struct input input;
    if (!files->count)
        return cli_complain(
            "solve: which FILE? `soloist info levels` lists the level sets, `soloist solve --help` the options");
    if (!ranks_open(cli))
        return CLI_BAD;
    if (ranks_is_helper(cli))
        return solve_help(cli, options);
    if (!read_options(cli, options, &choice))
        return CLI_BAD;
    int status = CLI_BAD;
    if (input_read(cli, files, &choice, options->only, &input)) {
        input.cost = options->objective.cost;
        status = solve_input(cli, options, &input);
    }
    input_free(&input);
    return status;
}

static int run(struct cli *cli, const struct command *self, int count, char **words) {
    struct solve_options options = {.time = 10, .seed = 1};
    struct arg_list files = {0};
    enum args_verdict verdict = args_parse(self, count, words, &options, &files);
    int status = verdict == ARGS_GO ? solve_files(cli, &options, &files) : verdict == ARGS_DONE ? CLI_OK : CLI_BAD;
    arg_list_free(&files);
    arg_list_free(&options.plugin);
    arg_list_free(&options.network);
    return status;
}

const struct command solve_command = {
    .name = "solve",
    .summary = "solve instances; the method is chosen automatically",
    .usage = "FILE... [OPTIONS]",
    .about =
        "FILE is a file, - for standard input, or the name of a level set (`soloist info levels`).\n"
        "FILE:1-20 selects instances by number. Before a solution is reported, it is replayed to check that it obeys\n"
        "the rules. Ctrl-C stops the search and reports the best solution so far; a second Ctrl-C ends the program.\n"
        "Exit status: 0 every instance solved or proved impossible, 1 some not solved or without the proof that "
        "--optimal\n"
        "asks for, 2 bad usage or input.",
    .args = solve_rows,
    .ranks = true,
    .run = run,
};
