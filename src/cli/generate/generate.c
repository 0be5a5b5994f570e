/* `soloist generate`: makes new instances. Instance number i comes from the i-th random stream of the seed that gives
 * an instance, so that the same arguments give the same instances on every machine, and a larger --count only appends
 * more. */
#include "base/buffer.h"
#include "base/options.h"
#include "base/team.h"
#include "cli/generate/graded.h"
#include "cli/shell/files.h"
#include "cli/shell/lookup.h"
#include "cli/shell/need.h"
#include "cli/shell/plugin.h"
#include "cli/shell/signals.h"
#include "cli/solve/batch.h"
#include "engine/make.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define NO_LIMIT UINT64_MAX

struct generate_options {
    uint64_t count, seed, least_cost, most_cost, least_effort, most_effort;
    bool graded, unchanged, measure, json;
    double time;
    int jobs;
    const char *out;
    struct arg_list plugin, least, most;
};

#define ROW(kind, field, name, letter, value, least, most, text)                                                       \
    { kind, name, letter, offsetof(struct generate_options, field), value, least, most, text }
static const struct arg generate_rows[] = {
    ROW(ARG_COUNT, count, "count", 'c', "N", 1, 1e9, "number of instances, 1 by default"),
    ROW(ARG_COUNT, seed, "seed", 's', "N", 0, 1.9e19, "random seed, 1 by default"),
    ROW(ARG_LIST, least, "least", 0, "MEASURE=N", 0, 0,
        "keep only instances whose measure is at least N, e.g. effort=50 (may be repeated)"),
    ROW(ARG_LIST, most, "most", 0, "MEASURE=N", 0, 0,
        "keep only instances whose measure is at most N (may be repeated)"),
    ROW(ARG_COUNT, least_cost, "least-cost", 0, "N", 0, 1e9, "the same as --least cost=N"),
    ROW(ARG_COUNT, most_cost, "most-cost", 0, "N", 0, 1e9, "the same as --most cost=N"),
    ROW(ARG_COUNT, least_effort, "least-effort", 0, "N", 0, 1e9, "the same as --least effort=N"),
    ROW(ARG_COUNT, most_effort, "most-effort", 0, "N", 1, 1e9, "the same as --most effort=N"),
    ROW(ARG_FLAG, graded, "graded", 0, NULL, 0, 0,
        "spread the instances evenly on a logarithmic scale of efforts, easiest first"),
    ROW(ARG_FLAG, measure, "measure", 0, NULL, 0, 0,
        "measure every instance even without --least, --most or --graded; Sokoban levels are then not changed; "
        "duplicates and instances that A* does not solve within a million states are left out"),
    ROW(ARG_FLAG, unchanged, "unchanged", 0, NULL, 0, 0,
        "never change a Sokoban level: keep only levels that are within the limits as they were generated"),
    ROW(ARG_SECONDS, time, "time", 't', "SECONDS", 0, 1e9,
        "if instances are measured: maximum wall time for all instances together, 60 by default; 0: no limit"),
    ROW(ARG_INT, jobs, "jobs", 'j', "N", 1, TEAM_MOST,
        "if instances are measured: number of threads, one per core by default; the instances do not depend on N"),
    ROW(ARG_TEXT, out, "out", 'o', "FILE", 0, 0, "write the instances to FILE instead of standard output"),
    ROW(ARG_FLAG, json, "json", 0, NULL, 0, 0, "write one JSON object per line"),
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

/* The board; the comments above it and the solution below it become members of their own. */
static void json_parts(struct json_writer *json, const char *text) {
    const char *board = text;
    while (*board == ';' && strchr(board, '\n'))
        board = strchr(board, '\n') + 1;
    const char *solution = strstr(board, "\nSolution: ");
    graded_json_board(json, board, solution ? (size_t)(solution - board) : strlen(board));
    if (solution) {
        solution += strlen("\nSolution: ");
        char *part = need_text(solution, strcspn(solution, "\n"));
        json_text(json, "solution", part);
        free(part);
    }
    char *part = need_text(text, board > text ? (size_t)(board - text) - 1 : 0);
    json_text(json, "comment", *part ? part : NULL);
    free(part);
}

static void write_json(FILE *stream, const soloist_domain *domain, const char *text, uint64_t number) {
    struct json_line line;
    struct json_writer *json = json_line_open(&line);
    json_uint(json, "id", number);
    json_text(json, "domain", domain->name);
    json_parts(json, text);
    json_line_write(&line, stream);
}

/* A size that was chosen at random may be impossible: then the next random stream is tried. This is an error only if
 * many streams in a row fail. */
static const uint64_t most_failures = 50;

static int make_all(const soloist_domain *domain, const char *words, const struct generate_options *options,
                    const struct generate_output *output) {
    uint64_t made = 0, failed = 0; /* failed: streams in a row */
    signals_open();
    for (uint64_t stream = 0; made < options->count; stream++) {
        soloist_error error = {0};
        char *text;
        soloist_code code =
            need_code(make_within(domain, words, options->seed, stream, signals_token(), &text, &error));
        if (code == SOLOIST_OK && output->json)
            write_json(output->stream, domain, text, made + 1);
        else if (code == SOLOIST_OK)
            write_instance(output->stream, text, made == 0);
        soloist_text_free(text);
        made += code == SOLOIST_OK;
        failed = code == SOLOIST_OK ? 0 : failed + 1;
        if (signals_stopped() && made < options->count) {
            cli_complain("generate: interrupted: made %" PRIu64 " of %" PRIu64, made, options->count);
            return made ? CLI_SOME : CLI_BAD;
        }
        if (!made && failed == most_failures)
            return cli_complain("generate: %s", error.text);
        if (failed == most_failures) {
            cli_complain("generate: made %" PRIu64 " of %" PRIu64 ": %s", made, options->count, error.text);
            return CLI_SOME;
        }
    }
    return CLI_OK;
}

/* The wishes that the options express; false if they are wrong. */
static bool read_grade(const struct generate_options *options, struct grade *grade) {
    *grade = (struct grade){.graded = options->graded,
                            .unchanged = options->unchanged,
                            .measured = options->measure,
                            .time_s = options->time,
                            .count = options->count,
                            .seed = options->seed,
                            .threads = options->jobs ? options->jobs : batch_cores()};
    struct measure_bands *bands = &grade->bands;
    bands->least[MEASURE_COST] = (double)options->least_cost;
    if (options->most_cost != NO_LIMIT) {
        bands->most[MEASURE_COST] = (double)options->most_cost;
        bands->zero[MEASURE_COST] = !options->most_cost;
    }
    bands->least[MEASURE_EFFORT] = (double)options->least_effort;
    bands->most[MEASURE_EFFORT] = (double)options->most_effort;
    if (!graded_read_least(&options->least, bands) || !graded_read_most(&options->most, bands))
        return false;
    bool banded = grade->graded;
    for (int i = 0; i < MEASURES; i++)
        banded |= measure_is_banded(bands, (enum measure)i);
    grade->unchanged |= grade->measured && !banded;
    return true;
}

/* The options of the generator that the domain has too, such as the goal of the tiles: with these, instances must be
 * read. */
static void join_shared(const soloist_domain *domain, const char *words, struct buffer *shared) {
    soloist_sink sink = buffer_sink(shared);
    for (size_t length; *words; words += length + (words[length] == ',')) {
        length = strcspn(words, ",");
        if (domain->options && options_find(domain->options, words, strcspn(words, "=,")))
            soloist_print(&sink, "%s%.*s", shared->length ? "," : "", (int)length, words);
    }
    need_whole(shared);
}

static int make_measured(const struct cli *cli, const struct generate_source *source, struct grade *grade,
                         struct generate_output *output) {
    struct buffer shared;
    buffer_open(&shared);
    join_shared(source->domain, source->words ? source->words : "", &shared);
    grade->reading = shared.text;
    int status = graded_run(cli, source, grade, output);
    buffer_close(&shared);
    return status;
}

static void warn_of_idle(const struct cli *cli) {
    static const char why[] = "instances are measured only with --least, --most, --graded or --measure";
    args_idle(&cli->given, "unchanged", "%s", why);
    args_idle(&cli->given, "time", "%s", why);
    args_idle(&cli->given, "jobs", "%s", why);
}

static int write_all(const struct cli *cli, const struct generate_source *source,
                     const struct generate_options *options) {
    struct new_file file = {0};
    struct stat before;
    struct grade grade;
    bool there = options->out && !stat(options->out, &before) && S_ISREG(before.st_mode);
    if (!read_grade(options, &grade) || !new_file_open(&file, options->out ? options->out : "-", true))
        return CLI_BAD;
    struct generate_output output = {file.stream, options->json, false};
    bool measured = grade_wanted(&grade);
    if (!measured)
        warn_of_idle(cli);
    int status = measured ? make_measured(cli, source, &grade, &output)
                          : make_all(source->domain, source->words, options, &output);
    if (status == CLI_BAD) {
        new_file_drop(&file);
        return status;
    }
    if (!new_file_keep(&file))
        return CLI_BAD;
    if (there)
        cli_complain("generate: %s was replaced", options->out);
    return status;
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
        status = write_all(cli, &(struct generate_source){domain, wanted, text.text, &options->plugin}, options);
    free(wanted);
    buffer_close(&text);
    return status;
}

static int generate_words(struct cli *cli, const struct generate_options *options, const struct arg_list *words) {
    struct domain_choice choice;
    if (!words->count)
        return cli_complain("generate: which DOMAIN? `soloist info` lists them");
    const char *colon = strchr(words->items[0], ':');
    if (colon)
        return cli_complain("generate: %s: give the options as separate words: generate %.*s %s", words->items[0],
                            (int)(colon - words->items[0]), words->items[0], colon + 1);
    if (!plugins_load(cli, &options->plugin) || !lookup_domain(cli, words->items[0], &choice))
        return CLI_BAD;
    return generate_domain(cli, choice.domain, options, words);
}

static int run(struct cli *cli, const struct command *self, int count, char **words) {
    struct generate_options options = {.count = 1, .seed = 1, .time = 60, .most_cost = NO_LIMIT};
    struct arg_list rest = {0};
    enum args_verdict verdict = args_parse(self, count, words, &options, &rest);
    int status = verdict == ARGS_GO ? generate_words(cli, &options, &rest) : verdict == ARGS_DONE ? CLI_OK : CLI_BAD;
    arg_list_free(&rest);
    arg_list_free(&options.plugin);
    arg_list_free(&options.least);
    arg_list_free(&options.most);
    return status;
}

const struct command generate_command = {
    .name = "generate",
    .summary = "make new instances, with a difficulty estimate",
    .usage = "DOMAIN [KEY=VALUE ...] [OPTIONS]",
    .about =
        "`soloist info DOMAIN` lists the keys. The same seed gives the same instances.\n"
        "With --least, --most, --graded or --measure, each instance is solved optimally by A* and measured:\n"
        "  cost          the least cost, which A* has proved (Sokoban: the number of pushes)\n"
        "  effort        number of states that A* expands to prove the least cost\n"
        "  moves, pushes, box-lines, box-changes, pushing-sessions, player-lines\n"
        "                counts of the solution that was found (all except moves: Sokoban only)\n"
        "  branching     mean number of legal moves per position of the solution\n"
        "  dead-ends     percentage of legal moves that make the level unsolvable, counted over all positions of the "
        "solution\n"
        "  symmetry      number of rotations and reflections that leave floor and goals unchanged, 1 to 8 (Sokoban)\n"
        "An instance is kept if its measures are within the limits of --least and --most. A Sokoban level outside\n"
        "these limits is changed step by step (walls, goals, boxes, the player's place) until it is within them. No\n"
        "two changed levels have the same floor and goals. A measure that was outside its limits is usually just\n"
        "inside them after the changes; use --graded to spread the instances evenly on a logarithmic scale of\n"
        "efforts. Measured Sokoban levels are written without walls that do not touch the floor, so that a board may "
        "be\n"
        "smaller than its width and height.\n"
        "Exit status: 0 all instances made, 1 fewer made than asked for, 2 bad usage or none made.",
    .args = generate_rows,
    .run = run,
};
