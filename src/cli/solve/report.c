/* The output lines of `solve`. Other programs rely on the JSON fields and their order: see the manual page. */
#include "cli/solve/report.h"
#include "base/buffer.h"
#include "base/json.h"
#include "cli/shell/format.h"
#include "cli/shell/json_line.h"
#include "cli/shell/need.h"
#include "cli/shell/plugin.h"
#include "cli/shell/progress.h"
#include "cli/shell/screen.h"
#include "search/special/registry.h"
#include "search/statistics.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Leaves out what matters least until a row fits the screen: first the nodes, then the end of long names, then the
 * time. */
static void fit_row(struct report *report, int width) {
    enum { STATUS = 12, MIDDLE = 26, TIME = 11, NODES = 18, NOTE = 16, LEAST_NAME = 6 };
    int room = width - report->id_width - 2 - STATUS - MIDDLE - NOTE;
    report->shows_nodes = report->name_width + TIME + NODES <= room;
    report->shows_time = LEAST_NAME + TIME <= room;
    room -= report->shows_nodes ? TIME + NODES : report->shows_time ? TIME : 0;
    room = room > LEAST_NAME ? room : LEAST_NAME;
    report->name_width = report->name_width < room ? report->name_width : room;
}

void report_open(struct report *report) {
    int widest_name = 0, last_id = 1;
    for (size_t i = 0; i < report->input->task_count; i++) {
        const struct task *task = &report->input->tasks[i];
        int width = format_width(task->chunk.name);
        widest_name = width > widest_name ? width : widest_name;
        last_id = task->id > last_id ? task->id : last_id;
    }
    report->name_width = widest_name < 24 ? widest_name : 24;
    report->id_width = snprintf(NULL, 0, "%d", last_id);
    fit_row(report, screen_width(report->stream));
    report->rows = need_zeroed(report->input->task_count, sizeof *report->rows);
}

void report_close(struct report *report) {
    free(report->rows);
    report->rows = NULL;
}

/* ---- JSON ---- */

/* Writes a number, or null if it is not known. */
static void json_maybe(struct json_writer *json, const char *name, bool known, int64_t value) {
    if (known)
        json_int(json, name, value);
    else
        json_null(json, name);
}

static void json_solution(struct json_writer *json, const soloist_domain *domain, const char *solution) {
    if (solution && domain->text->solution_is_json)
        json_raw(json, "solution", solution);
    else
        json_text(json, "solution", solution);
}

static void json_found(struct json_writer *json, const soloist_domain *domain, const soloist_result *result) {
    bool found = result->solution != NULL;
    bool scored = domain && domain->aim == SOLOIST_MOST_SCORE;
    json_solution(json, domain, result->solution);
    json_maybe(json, "pushes", found && result->verdict.pushes >= 0, result->verdict.pushes);
    json_maybe(json, "moves", found, result->verdict.moves);
    json_maybe(json, "cost", found && !scored, result->verdict.value);
    json_maybe(json, "score", found && scored, result->verdict.value);
    json_bool(json, "optimal", found && result->optimal);
}

static void json_shares(struct json_writer *json, const struct search_shares *shares) {
    json_maybe(json, "workers", shares->workers, shares->workers);
    if (shares->workers) {
        json_real(json, "least_share", round(shares->least * 1e3) / 1e3);
        json_real(json, "most_share", round(shares->most * 1e3) / 1e3);
        return;
    }
    json_null(json, "least_share");
    json_null(json, "most_share");
}

/* What other programs for the puzzle count, what the proof is about, and what shortening spent. */
static void json_more(struct json_writer *json, const struct outcome *outcome) {
    bool found = outcome->result.solution != NULL;
    int64_t left = found ? outcome->counts[SPECIAL_BLOCKS_LEFT] : SPECIAL_NO_COUNT;
    json_text(json, "optimal_for", found && outcome->result.optimal ? outcome->optimal_for : NULL);
    for (int i = 0; i < SPECIAL_COUNTS; i++)
        json_maybe(json, special_count_name((enum special_count)i), found && outcome->counts[i] != SPECIAL_NO_COUNT,
                   outcome->counts[i]);
    if (left != SPECIAL_NO_COUNT)
        json_bool(json, "cleared", !left);
    else
        json_null(json, "cleared");
    json_uint(json, "polish_nodes", outcome->polish_nodes);
    json_real(json, "polish_s", round(outcome->polish_s * 1e6) / 1e6);
    json_shares(json, &outcome->shares);
    json_text(json, "hash", *outcome->hash ? outcome->hash : NULL);
}

static void json_spent(struct json_writer *json, const soloist_result *result) {
    json_real(json, "time_s", round(result->time_s * 1e6) / 1e6);
    statistics_write(result, json);
    json_text(json, "method", *result->method ? result->method : NULL);
}

/* Whether the run ended by neither a result nor a limit: the instance is wrong, or a network or a replay failed. */
static bool has_failed(const struct outcome *outcome) {
    return outcome->result.status == SOLOIST_INVALID || (!outcome->result.solution && *outcome->error.text);
}

void report_json_members(const struct task *task, const struct outcome *outcome, struct json_writer *json) {
    const soloist_result *result = &outcome->result;
    const soloist_domain *domain = task->source->domain;
    json_int(json, "id", task->id);
    json_text(json, "file", task->source->label);
    json_text(json, "name", task->chunk.name);
    json_text(json, "domain", domain ? domain->name : NULL);
    json_text(json, "status", soloist_status_name(result->status));
    json_text(json, "stopped", has_failed(outcome) ? NULL : soloist_stop_name(result->stopped));
    json_found(json, domain, result);
    json_spent(json, result);
    json_more(json, outcome);
    if (*outcome->error.text)
        json_error(json, &outcome->error);
}

static void print_json(const struct task *task, const struct outcome *outcome) {
    struct json_line line;
    report_json_members(task, outcome, json_line_open(&line));
    json_line_end(&line);
    console_whole(line.text.text, line.text.length); /* report_outcome flushes the stream and checks for errors */
    buffer_close(&line.text);
}

/* ---- text ---- */

static bool has_colour(const struct report *report) {
    return report->stream == stderr ? report->cli->err_colour : report->cli->out_colour;
}

static void print_heading(struct report *report, const struct source *source) {
    if (report->last_source == source)
        return;
    bool colour = has_colour(report);
    soloist_sink sink = cli_sink(report->stream);
    fprintf(report->stream, "%s%s", report->last_source ? "\n" : "", colour_code(colour, COLOUR_BOLD));
    format_path(&sink, source->label);
    fprintf(report->stream, "%s:", colour_code(colour, COLOUR_NONE));
    if (source->instances) /* if there is none, the row below says why */
        fprintf(report->stream, " %s, %d %s", source->domain->name, source->instances,
                source->instances == 1 ? "instance" : "instances");
    fputc('\n', report->stream);
    report->last_source = source;
}

/* Removes the spaces with which counts are aligned: at the start, and more than one between words. */
static char *squeeze(char *text) {
    char *to = text;
    for (const char *from = text; *from; from++)
        if (*from != ' ' || (to > text && to[-1] != ' '))
            *to++ = *from;
    *to = 0;
    return text;
}

/* Prints the middle of the line: the solution's counts, the reason why there is none, or the limit that was reached. */
static void print_middle(const struct report *report, const struct task *task, const struct outcome *outcome) {
    FILE *stream = report->stream;
    const soloist_result *result = &outcome->result;
    char text[FORMAT_ROOM];
    if (result->solution && !report->shows_time) /* the screen is narrow */
        fprintf(stream, "%-20s", squeeze(format_verdict(task->source->domain, &result->verdict, text)));
    else if (result->solution)
        fprintf(stream, "%-24s", format_verdict(task->source->domain, &result->verdict, text));
    else if (has_failed(outcome))
        fprintf(stream, "%-24s", "failed");
    else if (result->status == SOLOIST_UNSOLVED)
        fprintf(stream, "%-24s", format_stop(result->stopped));
    else
        fprintf(stream, "%-24s", result->status == SOLOIST_IMPOSSIBLE ? "proved" : "");
}

enum { NOTES_ROOM = 256 };

/* What stands at the end of a line: why there is no solution, or what is proved about it and whether the board is
 * cleared. */
static void write_notes(const struct outcome *outcome, char out[NOTES_ROOM]) {
    const soloist_result *result = &outcome->result;
    int64_t left = result->solution ? outcome->counts[SPECIAL_BLOCKS_LEFT] : SPECIAL_NO_COUNT;
    bool optimal = result->solution && result->optimal;
    int length = snprintf(out, NOTES_ROOM, "%s%s%s", outcome->impossible ? outcome->impossible : "",
                          optimal ? "optimal " : "", optimal ? outcome->optimal_for : "");
    const char *comma = *out ? ", " : "";
    if (left == 0)
        snprintf(out + length, NOTES_ROOM - (size_t)length, "%scleared", comma);
    else if (left > 0)
        snprintf(out + length, NOTES_ROOM - (size_t)length, "%s%" PRId64 " %s left", comma, left,
                 left == 1 ? "block" : "blocks");
}

static void print_counts(FILE *stream, const struct outcome *outcome) {
    static const char *const labels[] = {"box lines", "box changes", "pushing sessions", "player lines"};
    const char *between = "";
    for (int i = SPECIAL_BOX_LINES; i <= SPECIAL_PLAYER_LINES; i++)
        if (outcome->counts[i] != SPECIAL_NO_COUNT) {
            fprintf(stream, "%s%s %" PRId64, between, labels[i], outcome->counts[i]);
            between = ", ";
        }
    if (*between)
        fputc('\n', stream);
}

static void print_line(const struct report *report, const struct task *task, const struct outcome *outcome) {
    static const enum colour colours[] = {COLOUR_GREEN, COLOUR_YELLOW, COLOUR_CYAN, COLOUR_RED};
    const soloist_result *result = &outcome->result;
    FILE *stream = report->stream;
    bool colour = has_colour(report);
    char text[FORMAT_ROOM], notes[NOTES_ROOM], place[CLI_PLACE_ROOM];
    fprintf(stream, "%*d  ", report->id_width, task->id);
    format_name(stream, task->chunk.name, report->name_width);
    fprintf(stream, "  %s%-10s%s  ", colour_code(colour, colours[result->status]), soloist_status_name(result->status),
            colour_code(colour, COLOUR_NONE));
    if (result->status == SOLOIST_INVALID) {
        fprintf(stream, "%s%s\n", cli_line_place(&outcome->error, place), outcome->error.text);
        return;
    }
    print_middle(report, task, outcome);
    write_notes(outcome, notes);
    if (report->shows_time)
        fprintf(stream, "  %9s", format_seconds(result->time_s, text));
    if (report->shows_nodes)
        fprintf(stream, "  %10s %s", format_count(result->nodes, text),
                result->nodes != 1 ? "nodes"
                : *notes           ? "node " /* the notes stay in their column */
                                   : "node");
    fprintf(stream, "%s%s\n", *notes ? "  " : "", notes);
    /* With only one instance, all counts and the solution itself are printed. */
    if (report->input->task_count == 1 && result->solution) {
        print_counts(stream, outcome);
        if (report->stream == stdout)
            fprintf(stream, "\n%s\n", result->solution);
    }
}

/* One line of --lurd: name, counts and solution, separated by tabs. An instance without a solution has its status and
 * a - instead, so that lines and instances correspond. */
static void print_lurd(const struct task *task, const struct outcome *outcome) {
    const soloist_result *result = &outcome->result;
    const char *name = task->chunk.name;
    char counts[FORMAT_ROOM];
    console_keep_lines(true);
    if (*name)
        format_name(stdout, name, format_width(name));
    else
        printf("%d", task->id);
    if (!result->solution)
        printf("\t%s\t-\n", soloist_status_name(result->status));
    else
        printf("\t%s\t%s\n", squeeze(format_verdict(task->source->domain, &result->verdict, counts)),
               *result->solution ? result->solution : "-");
    console_keep_lines(false);
}

/* Whether standard output and standard error end in the same terminal, file or pipe. */
static bool is_one_place(const struct cli *cli) {
    struct stat out, err;
    if (cli->out_terminal && cli->err_terminal)
        return true;
    return !fstat(STDOUT_FILENO, &out) && !fstat(STDERR_FILENO, &err) && out.st_dev == err.st_dev &&
           out.st_ino == err.st_ino;
}

/* Prints an error on standard error. Does nothing if the line about the instance, which shows the error too, goes to
 * the same place. */
static void complain(struct report *report, const struct task *task, const soloist_error *error) {
    bool lines = !report->json && !report->quiet && !report->lurd;
    bool seen = lines && (report->stream == stderr || is_one_place(report->cli));
    if (seen || (!error->line && !strcmp(report->last_error, error->text)))
        return;
    cli_complain_at(task->source->label, error);
    memcpy(report->last_error, error->text, sizeof report->last_error);
}

/* Whether a solution lacks the proof that --optimal asks for. A proof about further counts exists in domains that can
 * shorten solutions; in the others the cost is the only count. */
static bool lacks_proof(const struct report *report, const struct task *task, const struct outcome *outcome) {
    const struct objective *objective = report->objective;
    char name[POLISH_AIM_ROOM];
    if (!objective->prove || !outcome->result.solution)
        return false;
    bool many = objective->aim.count > 1 && special_levels(task->source->domain);
    return !outcome->result.optimal || (many && strcmp(outcome->optimal_for, polish_aim_name(objective->aim, name)));
}

static void keep_internal_error(struct report *report, const struct task *task, const struct outcome *outcome) {
    char mark[PLUGIN_MARK_ROOM];
    plugins_mark(report->cli->plugins, task->source->domain, NULL, mark);
    report->error_in_plugin = *mark;
    memcpy(report->internal_error, outcome->error.text, sizeof report->internal_error);
}

/* If --optimal moves is not what the search minimises. In a domain that can shorten solutions, the options say what a
 * move costs. */
static void warn_of_cost(struct report *report, const struct task *task, const struct outcome *outcome) {
    const struct objective *objective = report->objective;
    const soloist_result *result = &outcome->result;
    if (!objective->prove || objective->aim.order[0] != POLISH_COUNT_MOVES || report->warned_of_cost ||
        !result->solution || special_levels(task->source->domain) || strcmp(outcome->optimal_for, "cost"))
        return;
    bool equal = result->verdict.value == result->verdict.moves;
    cli_complain("solve: warning: --optimal %s: the cost of %s %s the number of moves; the least cost is proved",
                 objective->text, task->source->domain->name, equal ? "need not be" : "is not");
    report->warned_of_cost = true;
}

bool report_outcome(struct report *report, const struct task *task, const struct outcome *outcome) {
    const soloist_result *result = &outcome->result;
    report->by_status[result->status]++;
    report->rows[task - report->input->tasks] =
        (struct report_row){true, result->status == SOLOIST_SOLVED, result->optimal, result->time_s};
    if (result->status == SOLOIST_UNSOLVED)
        report->by_stop[result->stopped]++;
    if (lacks_proof(report, task, outcome)) {
        report->unproved++;
        report->unproved_by_stop[result->stopped]++;
    }
    if (result->has_evaluations) {
        report->asked++;
        report->evaluations += result->evaluations;
    }
    progress_wipe(report->progress);
    if (*outcome->error.text) {
        if (result->status != SOLOIST_INVALID && !report->internal_errors++)
            keep_internal_error(report, task, outcome);
        complain(report, task, &outcome->error);
    }
    warn_of_cost(report, task, outcome);
    if (*result->warning) {
        soloist_error warning = {.line = task->chunk.line};
        memcpy(warning.text, result->warning, sizeof warning.text);
        cli_complain_at(task->source->label, &warning);
    }
    flockfile(report->stream); /* see need_failed */
    if (report->json) {
        print_json(task, outcome);
    } else if (report->lurd) {
        print_lurd(task, outcome);
    } else if (!report->quiet) {
        print_heading(report, task->source);
        print_line(report, task, outcome);
    }
    funlockfile(report->stream);
    return cli_flush();
}

/* ---- summary ---- */

static void print_totals(const struct report *report, const struct report_limits *limits) {
    FILE *stream = report->stream;
    char time[FORMAT_ROOM];
    fprintf(stream, "\n%zu solved", report->by_status[SOLOIST_SOLVED]);
    for (int status = SOLOIST_UNSOLVED; status <= SOLOIST_INVALID; status++)
        if (report->by_status[status])
            fprintf(stream, ", %zu %s", report->by_status[status], soloist_status_name((soloist_status)status));
    fprintf(stream, " of %zu in %s (%d %s of %d %s)\n", report->input->task_count, format_seconds(limits->wall_s, time),
            limits->jobs, limits->jobs == 1 ? "job" : "jobs", limits->threads,
            limits->threads == 1 ? "thread" : "threads");
    if (report->asked)
        fprintf(stream, "the network was asked about %.1f states per instance",
                (double)report->evaluations / (double)report->asked);
    if (report->asked && report->asked < report->input->task_count)
        fprintf(stream, ", counting only the %zu instance%s whose search could ask it", report->asked,
                report->asked == 1 ? "" : "s");
    if (report->asked)
        fprintf(stream, "\n");
}

/* Prints how many proofs are missing, and the limits that ended them. If the search itself reached its end, the
 * shortening after it, which proves the further counts, was ended by the same limits. */
static void print_unproved(const struct report *report, const struct report_limits *limits) {
    const size_t *stops = report->unproved_by_stop;
    bool ended = stops[SOLOIST_STOP_GOAL] || stops[SOLOIST_STOP_EXHAUSTED];
    bool skipped = ended && limits->first, later = ended && !limits->first;
    const struct {
        const char *option;
        bool reached;
    } rows[] = {
        {"--time", stops[SOLOIST_STOP_TIME] || (later && limits->time_s > 0)},
        {"--nodes", stops[SOLOIST_STOP_NODES] || (later && limits->nodes)},
        {"--iterations", stops[SOLOIST_STOP_ITERATIONS]},
        {"--memory", stops[SOLOIST_STOP_MEMORY]},
    };
    char aim[POLISH_AIM_ROOM];
    const char *between = skipped ? ": leave out --first, and try a larger " : ": try a larger ";
    const char *end = skipped ? ": leave out --first" : "";
    if (!report->unproved)
        return;
    fprintf(report->stream, "%zu solved without the proof that --optimal %s asks for", report->unproved,
            polish_aim_name(report->objective->aim, aim));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].reached) {
            fprintf(report->stream, "%s%s", between, rows[i].option);
            between = " or ";
            end = "";
        }
    fprintf(report->stream, "%s\n", end);
}

/* Prints which limits ended the unsolved instances, and the options that would allow ten times as much (for memory,
 * four times). */
static void print_stops(const struct report *report, const struct report_limits *limits) {
    FILE *stream = report->stream;
    char now[FORMAT_ROOM], more[FORMAT_ROOM];
    const size_t *stops = report->by_stop;
    if (stops[SOLOIST_STOP_TIME])
        fprintf(stream, "%zu ended by the time limit of %s: try --time %g\n", stops[SOLOIST_STOP_TIME],
                format_seconds(limits->time_s, now), limits->time_s * 10);
    print_unproved(report, limits);
    if (stops[SOLOIST_STOP_NODES])
        fprintf(stream, "%zu ended by the node limit of %s: try --nodes %.0f\n", stops[SOLOIST_STOP_NODES],
                format_count(limits->nodes, now), (double)limits->nodes * 10);
    if (stops[SOLOIST_STOP_ITERATIONS])
        fprintf(stream, "%zu ended by the iteration limit of %s: try --iterations %.0f\n",
                stops[SOLOIST_STOP_ITERATIONS], format_count(limits->iterations, now), (double)limits->iterations * 10);
    if (stops[SOLOIST_STOP_MEMORY])
        fprintf(stream, "%zu ended by the memory limit of %s (%s per job): try a larger --memory or fewer --jobs\n",
                stops[SOLOIST_STOP_MEMORY], format_size(limits->memory, now),
                format_size(batch_share(limits->memory, limits->jobs), more));
    if (stops[SOLOIST_STOP_EXHAUSTED])
        fprintf(stream, "%zu on which the method gave up: another --method may do better\n",
                stops[SOLOIST_STOP_EXHAUSTED]);
    if (report->internal_errors)
        fprintf(stream, "%zu with an error of the program or of a plugin, the first: %s: %s\n", report->internal_errors,
                report->internal_error,
                report->error_in_plugin ? "check the plugin with `soloist info --check`" : "please report this");
}

/* ---- the table of files ---- */

static int by_time(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* A quantile of the times: the time within which the share `part` of the instances ended. */
static double quantile(const double *times, size_t count, double part) {
    size_t rank = (size_t)ceil(part * (double)count);
    return count ? times[rank ? rank - 1 : 0] : 0;
}

/* A narrow screen has no room for the quantiles of the times. */
static bool table_is_whole(FILE *stream) { return screen_width(stream) >= 75; }

static int table_name_width(FILE *stream) {
    int room = screen_width(stream) - (table_is_whole(stream) ? 61 : 39);
    return room < 12 ? 12 : room < 32 ? room : 32;
}

static void print_file(const struct report *report, const struct source *source, double *times) {
    FILE *stream = report->stream;
    const struct input *input = report->input;
    size_t count = 0, solved = 0, optimal = 0;
    double sum = 0;
    for (size_t i = 0; i < input->task_count; i++) {
        const struct report_row *row = &report->rows[i];
        if (!row->reported || (source && input->tasks[i].source != source))
            continue;
        times[count++] = row->time_s;
        sum += row->time_s;
        solved += row->solved;
        optimal += row->solved && row->optimal;
    }
    char text[FORMAT_ROOM], most[FORMAT_ROOM];
    qsort(times, count, sizeof *times, by_time);
    const char *slash = source ? strrchr(source->label, '/') : NULL;
    format_name(stream, slash ? slash + 1 : source ? source->label : "all", table_name_width(stream));
    fprintf(stream, "  %8zu  %6zu  %7zu  %10s", count, solved, optimal, format_seconds(sum, text));
    if (table_is_whole(stream))
        fprintf(stream, "  %9s  %9s", format_seconds(quantile(times, count, 0.5), text),
                format_seconds(quantile(times, count, 0.9), most));
    fputc('\n', stream);
}

static void print_table(const struct report *report) {
    FILE *stream = report->stream;
    double *times = need_zeroed(report->input->task_count, sizeof *times);
    fprintf(stream, "\n%-*s  %8s  %6s  %7s  %10s%s\n", table_name_width(stream), "file", "reported", "solved",
            "optimal", "time", table_is_whole(stream) ? "     median       90 %" : "");
    for (size_t i = 0; i < report->input->source_count; i++)
        print_file(report, report->input->sources[i], times);
    if (report->input->source_count > 1)
        print_file(report, NULL, times);
    free(times);
}

void report_summary(const struct report *report, const struct report_limits *limits) {
    FILE *stream = report->stream;
    size_t reported = 0;
    for (int status = SOLOIST_SOLVED; status <= SOLOIST_INVALID; status++)
        reported += report->by_status[status];
    if (report->json || report->quiet || !report->input->task_count)
        return;
    if (report->table || report->input->source_count > 1)
        print_table(report);
    print_totals(report, limits);
    print_stops(report, limits);
    if (reported < report->input->task_count)
        fprintf(stream, "interrupted: %zu not tried\n", report->input->task_count - reported);
    else if (report->by_stop[SOLOIST_STOP_CANCEL])
        fprintf(stream, "interrupted\n");
    if (!report->kept && report->by_status[SOLOIST_SOLVED] && report->input->task_count > 1)
        fprintf(stream, "the solutions were not kept: --lurd prints them, --save or --out FILE writes them\n");
}

int report_status(const struct report *report) {
    size_t answered = report->by_status[SOLOIST_SOLVED] + report->by_status[SOLOIST_IMPOSSIBLE];
    if (report->by_status[SOLOIST_INVALID] || report->input->unreadable)
        return CLI_BAD;
    return answered - report->unproved == report->input->task_count ? CLI_OK : CLI_SOME;
}
