/* `soloist check`: the referee. The command replays claimed solutions by the rules alone; no search code is used
 * here. */
#include "base/buffer.h"
#include "cli/shell/json_line.h"
#include "cli/shell/format.h"
#include "search/special/registry.h"
#include "cli/shell/need.h"
#include "cli/shell/screen.h"
#include "cli/shell/plugin.h"
#include "cli/input/solutions.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

struct check_options {
    const char *domain, *only;
    bool json, quiet, any_case;
    struct arg_list plugin;
};

#define ROW(kind, field, name, letter, value, text)                                                                    \
    { kind, name, letter, offsetof(struct check_options, field), value, 0, 0, text }
static const struct arg check_rows[] = {
    ROW(ARG_TEXT, domain, "domain", 'd', "D[:KEY=VALUE,...]", CLI_DOMAIN_HELP),
    ROW(ARG_TEXT, only, "only", 0, "1,5-9,...", CLI_ONLY_HELP),
    ROW(ARG_FLAG, any_case, "any-case", 0, NULL, "ignore letter case: whether a step pushes is worked out by replay"),
    ROW(ARG_FLAG, json, "json", 0, NULL, "print one JSON object per line"),
    ROW(ARG_FLAG, quiet, "quiet", 'q', NULL, "report only solutions that are not ok"),
    ROW(ARG_LIST, plugin, "plugin", 0, "FILE", CLI_PLUGIN_HELP),
    {0},
};
#undef ROW

enum finding { FOUND_OK, FOUND_REJECTED, FOUND_MISSING, FOUND_INVALID };

struct check_result {
    enum finding finding;
    bool impossible; /* the claim that the instance has no solution is correct */
    soloist_verdict verdict;
    soloist_error error; /* its column is the position in the solution */
};

static struct check_result reject(enum finding finding, const char *text) {
    struct check_result result = {.finding = finding};
    soloist_fail(&result.error, 0, 0, "%s", text);
    return result;
}

static bool replay(const soloist_puzzle *puzzle, const char *solution, bool any_case, soloist_verdict *verdict,
                   soloist_error *error) {
    const struct special_levels *levels = special_levels(puzzle->domain);
    errno = 0;
    bool good = any_case && levels
                    ? levels->referee_any_case(&puzzle->chunk, solution, strlen(solution), verdict, error)
                    : soloist_check(puzzle, solution, strlen(solution), verdict, error);
    need_no_failure(good);
    return good;
}

/* The counts that the file claims must equal those of the replay. */
static void compare_counts(const soloist_domain *domain, const struct claim *claim, struct check_result *result) {
    static const char *const names[] = {"pushes", "moves", "cost", "score"};
    bool scored = domain->aim == SOLOIST_MOST_SCORE;
    const int64_t counted[] = {result->verdict.pushes, result->verdict.moves, result->verdict.value,
                               result->verdict.value};
    for (int i = 0; i < CLAIMED_COUNTS; i++) {
        bool applies = i == CLAIMED_COST ? !scored : i == CLAIMED_SCORE ? scored : true;
        if (!applies || !claim->has[i] || claim->count[i] == counted[i])
            continue;
        if (i == CLAIMED_COST && claim->count[i] == result->verdict.moves)
            continue; /* for Sokoban solved for the fewest moves, the cost is the number of moves */
        result->finding = FOUND_REJECTED;
        soloist_fail(&result->error, 0, 0, "claims %" PRId64 " %s, the replay counts %" PRId64, claim->count[i],
                     names[i], counted[i]);
        return;
    }
}

/* An instance whose start position is already solved needs no solution. */
static bool is_solved_already(const soloist_puzzle *puzzle, soloist_verdict *verdict) {
    struct buffer nothing;
    soloist_error error;
    soloist_move none = SOLOIST_NO_MOVE;
    buffer_open(&nothing);
    soloist_sink sink = buffer_sink(&nothing);
    puzzle->domain->text->solution(puzzle->instance, &none, 0, &sink);
    need_whole(&nothing);
    bool solved = replay(puzzle, nothing.text ? nothing.text : "", false, verdict, &error);
    buffer_close(&nothing);
    return solved;
}

static struct check_result check_claim(const soloist_puzzle *puzzle, const struct claim *claim, bool any_case) {
    const soloist_life *life = puzzle->domain->life;
    struct check_result result = {FOUND_OK, false, {0}, {0}};
    if (!claim || !claim->solution) {
        if (claim && claim->impossible && life->impossible && life->impossible(puzzle->instance)) {
            result.impossible = true;
            return result;
        }
        if (!(claim && claim->impossible) && is_solved_already(puzzle, &result.verdict))
            return result;
        return reject(FOUND_MISSING, claim && claim->impossible
                                         ? "claimed to be unsolvable, which a replay cannot confirm"
                                         : "no solution");
    }
    if (!replay(puzzle, claim->solution, any_case, &result.verdict, &result.error))
        result.finding = FOUND_REJECTED;
    else
        compare_counts(puzzle->domain, claim, &result);
    return result;
}

static struct check_result check_task(const struct input *input, const struct task *task,
                                      const struct solutions *solutions, bool any_case) {
    soloist_puzzle puzzle;
    struct check_result result = {.finding = FOUND_INVALID};
    if (need_code(input_puzzle(input, task, &puzzle, &result.error)) != SOLOIST_OK)
        return result;
    result = check_claim(&puzzle, solutions_find(solutions, task->id), any_case);
    soloist_puzzle_free(&puzzle);
    return result;
}

/* ---- output ---- */

static const char *const finding_names[] = {"ok", "rejected", "missing", "invalid"};

static void print_json(const struct task *task, const struct check_result *result) {
    struct json_line line;
    const soloist_domain *domain = task->source->domain;
    bool counted = result->finding == FOUND_OK && !result->impossible;
    bool scored = domain && domain->aim == SOLOIST_MOST_SCORE;
    struct json_writer *json = json_line_open(&line);
    json_int(json, "id", task->id);
    json_text(json, "file", task->source->label);
    json_text(json, "name", task->chunk.name);
    json_text(json, "domain", domain ? domain->name : NULL);
    json_text(json, "verdict", finding_names[result->finding]);
    const struct {
        const char *name;
        bool known;
        int64_t value;
    } rows[] = {
        {"pushes", counted && result->verdict.pushes >= 0, result->verdict.pushes},
        {"moves", counted, result->verdict.moves},
        {"cost", counted && !scored, result->verdict.value},
        {"score", counted && scored, result->verdict.value},
        {"line", result->error.line > 0 && result->finding == FOUND_INVALID, result->error.line},
        {"column", result->error.column > 0 && result->finding != FOUND_OK, result->error.column},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (rows[i].known)
            json_int(json, rows[i].name, rows[i].value);
        else
            json_null(json, rows[i].name);
    }
    json_text(json, "error", result->finding == FOUND_OK ? NULL : result->error.text);
    json_line_print(&line);
}

static void print_text(const struct cli *cli, const struct task *task, const struct check_result *result) {
    static const enum colour colours[] = {COLOUR_GREEN, COLOUR_RED, COLOUR_YELLOW, COLOUR_RED};
    char counts[FORMAT_ROOM];
    printf("%4d  ", task->id);
    format_name(stdout, task->chunk.name, screen_name_width(20, 42));
    printf("  %s%-8s%s  ", colour_code(cli->out_colour, colours[result->finding]), finding_names[result->finding],
           colour_code(cli->out_colour, COLOUR_NONE));
    if (result->impossible)
        printf("has no solution\n");
    else if (result->finding == FOUND_OK)
        printf("%s\n", format_verdict(task->source->domain, &result->verdict, counts));
    else if (result->finding == FOUND_INVALID)
        printf("line %d, column %d: %s\n", result->error.line, result->error.column, result->error.text);
    else if (result->error.column > 0)
        printf("at %d: %s\n", result->error.column, result->error.text);
    else
        printf("%s\n", result->error.text);
}

static int check_all(const struct cli *cli, const struct check_options *options, const struct input *input,
                     const struct solutions *solutions) {
    size_t counts[FOUND_INVALID + 1] = {0};
    for (size_t i = 0; i < input->task_count; i++) {
        struct check_result result = check_task(input, &input->tasks[i], solutions, options->any_case);
        counts[result.finding]++;
        if (options->json)
            print_json(&input->tasks[i], &result);
        else if (!options->quiet || result.finding != FOUND_OK)
            print_text(cli, &input->tasks[i], &result);
    }
    if (!options->json)
        printf("%s%zu ok, %zu rejected, %zu missing, %zu invalid\n", options->quiet ? "" : "\n", counts[FOUND_OK],
               counts[FOUND_REJECTED], counts[FOUND_MISSING], counts[FOUND_INVALID]);
    if (counts[FOUND_INVALID] || input->unreadable || !input->task_count)
        return CLI_BAD;
    return counts[FOUND_REJECTED] || counts[FOUND_MISSING] ? CLI_SOME : CLI_OK;
}

static int check_files(struct cli *cli, const struct check_options *options, const struct arg_list *words) {
    struct domain_choice choice;
    struct input input = {0};
    struct solutions solutions;
    if (words->count != 2)
        return cli_complain("check: expected FILE and SOLUTIONS, got %zu words", words->count);
    if (!plugins_load(cli, &options->plugin) || !lookup_domain(cli, options->domain, &choice))
        return CLI_BAD;
    struct arg_list files = {words->items, 1};
    int status = CLI_BAD;
    if (input_read(cli, &files, &choice, options->only, &input) && !input.unreadable &&
        (input.sources[0]->domain || (cli_complain_at(input.sources[0]->label, &input.tasks[0].error), false)) &&
        solutions_load(cli, words->items[1], &input, &solutions)) {
        status = check_all(cli, options, &input, &solutions);
        solutions_free(&solutions);
    }
    input_free(&input);
    return status;
}

static int run(struct cli *cli, const struct command *self, int count, char **words) {
    struct check_options options = {0};
    struct arg_list rest = {0};
    enum args_verdict verdict = args_parse(self, count, words, &options, &rest);
    int status = verdict == ARGS_GO ? check_files(cli, &options, &rest) : verdict == ARGS_DONE ? CLI_OK : CLI_BAD;
    arg_list_free(&rest);
    arg_list_free(&options.plugin);
    return status;
}

const struct command check_command = {
    .name = "check",
    .summary = "verify solutions by replaying them with an independent referee",
    .usage = "FILE SOLUTIONS [OPTIONS]",
    .about =
        "SOLUTIONS are the JSON lines of `solve --json`, a collection with Solution sections (it may be FILE\n"
        "itself), or plain lines: one solution per line in the order of the instances, - for none, ; for comments.\n"
        "Exit status: 0 all ok, 1 some rejected or missing, 2 bad input.",
    .args = check_rows,
    .run = run,
};
