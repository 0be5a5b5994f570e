/* `soloist generate`: makes new instances. Instance number i comes from random stream i of the seed, so that the same
 * arguments give the same instances on every machine, and a larger --count only appends more. */
#include "base/budget.h"
#include "base/buffer.h"
#include "base/options.h"
#include "cli/shell/files.h"
#include "cli/shell/lookup.h"
#include "cli/shell/need.h"
#include "cli/shell/plugin.h"
#include "cli/shell/signals.h"
#include "engine/grade.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct generate_options {
    uint64_t count, seed, least_cost, most_cost, least_effort, most_effort;
    bool graded;
    double time;
    const char *out;
    struct arg_list plugin;
};

#define ROW(kind, field, name, letter, value, least, most, text)                                                       \
    { kind, name, letter, offsetof(struct generate_options, field), value, least, most, text }
static const struct arg generate_rows[] = {
    ROW(ARG_COUNT, count, "count", 'c', "N", 1, 1e9, "how many instances, 1 by default"),
    ROW(ARG_COUNT, seed, "seed", 's', "N", 0, 1.9e19, "random seed, 1 by default"),
    ROW(ARG_COUNT, least_cost, "least-cost", 0, "N", 0, 1e9,
        "keep only instances whose optimal cost is at least N (Sokoban: pushes)"),
    ROW(ARG_COUNT, most_cost, "most-cost", 0, "N", 1, 1e9, "keep only instances whose optimal cost is at most N"),
    ROW(ARG_COUNT, least_effort, "least-effort", 0, "N", 0, 1e9,
        "keep only instances for which A* expands at least N states"),
    ROW(ARG_COUNT, most_effort, "most-effort", 0, "N", 1, 1e9,
        "keep only instances for which A* expands at most N states, 1M by default"),
    ROW(ARG_FLAG, graded, "graded", 0, NULL, 0, 0,
        "spread the instances evenly over the range of efforts, easiest first"),
    ROW(ARG_SECONDS, time, "time", 't', "SECONDS", 0, 1e9,
        "time limit for the five options above: give up after SECONDS, 60 by default; 0: no limit"),
    ROW(ARG_TEXT, out, "out", 'o', "FILE", 0, 0, "write the instances to FILE instead of standard output"),
    ROW(ARG_LIST, plugin, "plugin", 0, "FILE", 0, 0, CLI_PLUGIN_HELP),
    {0},
};
#undef ROW

/* Joins "key=value" words into one option text. */
static void join_words(const struct arg_list *words, struct buffer *text) {
    soloist_sink sink = buffer_sink(text);
    for (size_t i = 1; i < words->count; i++)
        soloist_print(&sink, "%s%s", i > 1 ? "," : "", words->items[i]);
}

static bool has_rows(const char *text) {
    const char *line = strchr(text, '\n');
    size_t rows = 0;
    for (const char *at = text; at; at = line ? line + 1 : NULL) {
        line = strchr(at, '\n');
        rows += *at && *at != ';' && *at != '#' && *at != '\n';
    }
    return rows > 1;
}

/* Instances of several rows need a blank line between them. */
static void write_instance(FILE *stream, const char *text, bool first) {
    size_t length = strlen(text);
    if (!first && has_rows(text))
        fputc('\n', stream);
    fputs(text, stream);
    if (!length || text[length - 1] != '\n')
        fputc('\n', stream);
}

static int make_all(const soloist_domain *domain, const void *wanted, const struct generate_options *options,
                    FILE *stream) {
    signals_open();
    for (uint64_t i = 0; i < options->count && !signals_stopped(); i++) {
        soloist_rng rng;
        soloist_error error = {0};
        struct buffer text;
        buffer_open(&text);
        soloist_sink sink = buffer_sink(&text);
        soloist_rng_seed(&rng, options->seed, i);
        soloist_code code = need_code(domain->generate->make(wanted, &rng, &sink, &error));
        need_whole(&text);
        if (code == SOLOIST_OK && text.text)
            write_instance(stream, text.text, i == 0);
        buffer_close(&text);
        if (code != SOLOIST_OK)
            return cli_complain("generate: %s", error.text);
    }
    return signals_stopped() ? CLI_SOME : CLI_OK;
}

/* The command that makes the same instances again. */
static void write_command(const soloist_domain *domain, const struct grade *grade, const char *wanted,
                          const soloist_sink *sink) {
    soloist_print(sink, "soloist generate %s", domain->name);
    for (; wanted && *wanted; wanted += strcspn(wanted, ",") + (wanted[strcspn(wanted, ",")] == ','))
        soloist_print(sink, " %.*s", (int)strcspn(wanted, ","), wanted);
    const struct {
        const char *name;
        uint64_t value;
    } rows[] = {{"least-cost", grade->least_cost},
                {"most-cost", grade->most_cost},
                {"least-effort", grade->least_effort},
                {"most-effort", grade->most_effort}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].value)
            soloist_print(sink, " --%s %" PRIu64, rows[i].name, rows[i].value);
    soloist_print(sink, "%s --count %" PRIu64 " --seed %" PRIu64, grade->graded ? " --graded" : "", grade->count,
                  grade->seed);
    soloist_print(sink, " --time %g", grade->time_s);
}

struct graded_progress {
    const struct cli *cli;
    uint64_t wanted;
    double shown_s;
};

static void show_progress(void *user, const struct grade_result *result) {
    struct graded_progress *progress = user;
    double now = clock_seconds();
    if (!progress->cli->err_terminal || now - progress->shown_s < 0.2)
        return;
    progress->shown_s = now;
    fprintf(stderr, "\r\033[K%zu of %" PRIu64 " kept, %" PRIu64 " examined, %.0f s", result->count, progress->wanted,
            result->candidates, result->time_s);
    fflush(stderr);
}

static int report_graded(const struct grade *grade, const struct grade_result *result) {
    if (result->count == grade->count)
        return CLI_OK;
    cli_complain("generate: %s: kept %zu of %" PRIu64 " wanted from %" PRIu64 " candidates (refused: %" PRIu64
                 " too easy or no longer needed, %" PRIu64 " too hard, %" PRIu64 " duplicates, %" PRIu64
                 " impossible to make): try wider ranges, other sizes or more --time",
                 signals_stopped() ? "interrupted" : "the time is up", result->count, grade->count, result->candidates,
                 result->easy, result->hard, result->equal, result->failed);
    return result->count ? CLI_SOME : CLI_BAD;
}

static int make_graded(const struct cli *cli, const soloist_domain *domain, const void *wanted,
                       const struct grade *grade, const char *words, FILE *stream) {
    struct graded_progress progress = {cli, grade->count, 0};
    struct grade_callbacks callbacks = {signals_token(), show_progress, &progress};
    struct grade_result result;
    soloist_error error = {0};
    signals_open();
    soloist_code code = grade_make(cli->engine, domain, wanted, grade, &callbacks, &result, &error);
    if (cli->err_terminal)
        fputs("\r\033[K", stderr);
    need_code(code);
    if (result.count) {
        struct buffer command;
        buffer_open(&command);
        soloist_sink text = buffer_sink(&command), sink = cli_sink(stream);
        write_command(domain, grade, words, &text);
        need_whole(&command);
        grade_write(domain, &result, command.text, &sink);
        buffer_close(&command);
    }
    int status = code == SOLOIST_OK ? report_graded(grade, &result) : cli_complain("generate: %s", error.text);
    grade_free(&result);
    return status;
}

static int write_all(const struct cli *cli, const soloist_domain *domain, const void *wanted,
                     const struct generate_options *options, const char *words) {
    struct new_file file = {0};
    struct grade grade = {.least_cost = options->least_cost,
                          .most_cost = options->most_cost,
                          .least_effort = options->least_effort,
                          .most_effort = options->most_effort,
                          .graded = options->graded,
                          .time_s = options->time,
                          .count = options->count,
                          .seed = options->seed};
    if (!new_file_open(&file, options->out ? options->out : "-", true))
        return CLI_BAD;
    int status = grade_wanted(&grade) ? make_graded(cli, domain, wanted, &grade, words, file.stream)
                                      : make_all(domain, wanted, options, file.stream);
    if (status == CLI_BAD) {
        new_file_drop(&file);
        return status;
    }
    return new_file_keep(&file) ? status : CLI_BAD;
}

static int generate_domain(const struct cli *cli, const soloist_domain *domain, const struct generate_options *options,
                           const struct arg_list *words) {
    const soloist_generate *generate = domain->generate;
    if (!generate)
        return cli_complain("generate: %s has no generator", domain->name);
    struct buffer text;
    buffer_open(&text);
    join_words(words, &text);
    need_whole(&text);
    void *wanted = need_zeroed(1, generate->options_size);
    int status = CLI_BAD;
    soloist_options_reset(generate->options, wanted);
    if (lookup_options(domain->name, generate->options, text.text) &&
        soloist_options_parse(generate->options, wanted, text.text, NULL) == SOLOIST_OK)
        status = write_all(cli, domain, wanted, options, text.text);
    free(wanted);
    buffer_close(&text);
    return status;
}

static int generate_words(struct cli *cli, const struct generate_options *options, const struct arg_list *words) {
    struct domain_choice choice;
    if (!words->count)
        return cli_complain("generate: which DOMAIN? `soloist info` lists them");
    if (!plugins_load(cli, &options->plugin) || !lookup_domain(cli, words->items[0], &choice))
        return CLI_BAD;
    if (choice.options)
        return cli_complain("generate: give the options as separate words: generate %s %s", choice.domain->name,
                            choice.options);
    return generate_domain(cli, choice.domain, options, words);
}

static int run(struct cli *cli, const struct command *self, int count, char **words) {
    struct generate_options options = {.count = 1, .seed = 1, .time = 60};
    struct arg_list rest = {0};
    enum args_verdict verdict = args_parse(self, count, words, &options, &rest);
    int status = verdict == ARGS_GO ? generate_words(cli, &options, &rest) : verdict == ARGS_DONE ? CLI_OK : CLI_BAD;
    arg_list_free(&rest);
    arg_list_free(&options.plugin);
    return status;
}

const struct command generate_command = {
    .name = "generate",
    .summary = "make new instances, with a difficulty estimate",
    .usage = "DOMAIN [KEY=VALUE ...] [OPTIONS]",
    .about =
        "`soloist info DOMAIN` lists the keys. The same seed gives the same instances.\n"
        "With a range of costs or efforts, or with --graded, each instance is solved optimally by A*. It is kept if\n"
        "its cost and effort (states that A* expands) are in range and it is no duplicate. Sokoban levels that are\n"
        "equal up to rotation and reflection are duplicates; each level is written with its shortest solution.\n"
        "Exit status: 0 all made, 1 fewer than asked for, 2 bad usage or none made.",
    .args = generate_rows,
    .run = run,
};
