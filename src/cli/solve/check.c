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
#include <stdlib.h>
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
    ROW(ARG_FLAG, any_case, "any-case", 0, NULL, "ignore letter case: the replay finds out which steps are pushes"),
    ROW(ARG_FLAG, json, "json", 0, NULL, "print one JSON object per line"),
    ROW(ARG_FLAG, quiet, "quiet", 'q', NULL, "report only solutions that are not ok, and without --json the totals"),
    ROW(ARG_LIST, plugin, "plugin", 0, "FILE", CLI_PLUGIN_HELP),
    {0},
};
#undef ROW

enum finding { FOUND_OK, FOUND_REJECTED, FOUND_MISSING, FOUND_INVALID };

struct check_result {
    enum finding finding;
    int number;      /* of the solution among those that its level has in the file, from 1 */
    bool any_case;   /* it is rejected only because of upper and lower case */
    bool impossible; /* the claim that the instance has no solution is correct */
    bool needless;   /* no solution is given, and the instance is solved at the start */
    soloist_verdict verdict;
    char left[48];       /* of SameGame: ", cleared" or how many blocks are left; otherwise "" */
    soloist_error error; /* its column is the position in the solution */
};

static struct check_result reject(enum finding finding, const char *text) {
    struct check_result result = {.finding = finding, .number = 1};
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

static void note_left(const soloist_puzzle *puzzle, const char *solution, char *out, size_t room) {
    int64_t counts[SPECIAL_COUNTS];
    errno = 0;
    need_no_failure(special_counts(puzzle, solution, counts));
    int64_t left = counts[SPECIAL_BLOCKS_LEFT];
    if (left == 0)
        snprintf(out, room, ", cleared");
    else if (left > 0)
        snprintf(out, room, ", %" PRId64 " %s left", left, left == 1 ? "block" : "blocks");
}

static struct check_result check_claim(const soloist_puzzle *puzzle, const struct claim *claim, bool any_case) {
    const soloist_life *life = puzzle->domain->life;
    struct check_result result = {.finding = FOUND_OK, .number = 1};
    if (!claim || !claim->solution) {
        if (claim && claim->impossible && life->impossible && life->impossible(puzzle->instance)) {
            result.impossible = true;
            return result;
        }
        if (!(claim && claim->impossible) && is_solved_already(puzzle, &result.verdict)) {
            result.needless = true;
            return result;
        }
        return reject(FOUND_MISSING, claim && claim->impossible
                                         ? "claimed to be unsolvable, which a replay cannot confirm"
                                         : "no solution");
    }
    if (!replay(puzzle, claim->solution, any_case, &result.verdict, &result.error)) {
        result.finding = FOUND_REJECTED;
        result.any_case = !any_case && solutions_need_any_case(puzzle, claim->solution);
    } else {
        compare_counts(puzzle->domain, claim, &result);
        note_left(puzzle, claim->solution, result.left, sizeof result.left);
    }
    return result;
}

struct check_run {
    const struct cli *cli;
    const struct check_options *options;
    const struct input *input;
    const struct solutions *solutions; /* NULL: the solutions inside the levels' own file are checked */
    size_t counts[FOUND_INVALID + 1], any_case;
};
static void tell(struct check_run *run, const struct task *task, const struct check_result *result);

/* Checks every solution that the level has in its own file. */
static void check_inside(struct check_run *run, const struct task *task, const soloist_puzzle *puzzle) {
    const struct special_levels *levels = special_levels(puzzle->domain);
    const char *text;
    size_t length;
    struct check_result result;
    for (int i = 0; levels->solution(&task->chunk, i, &text, &length); i++) {
        struct claim claim = {.id = task->id, .solution = need_text(text, length)};
        result = check_claim(puzzle, &claim, run->options->any_case);
        result.number = i + 1;
        free(claim.solution);
        tell(run, task, &result);
    }
    if (levels->solution(&task->chunk, 0, &text, &length))
        return;
    result = check_claim(puzzle, NULL, false);
    tell(run, task, &result);
}

static void check_task(struct check_run *run, const struct task *task) {
    soloist_puzzle puzzle;
    struct check_result result = {.finding = FOUND_INVALID, .number = 1};
    if (need_code(input_puzzle(run->input, task, &puzzle, &result.error)) != SOLOIST_OK) {
        tell(run, task, &result);
        return;
    }
    if (run->solutions) {
        result = check_claim(&puzzle, solutions_find(run->solutions, task->id), run->options->any_case);
        tell(run, task, &result);
    } else {
        check_inside(run, task, &puzzle);
    }
    soloist_puzzle_free(&puzzle);
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
    json_int(json, "number", result->number);
    json_bool(json, "any_case", result->any_case);
    json_line_print(&line);
}

static void print_text(const struct cli *cli, const struct task *task, const struct check_result *result) {
    static const enum colour colours[] = {COLOUR_GREEN, COLOUR_RED, COLOUR_YELLOW, COLOUR_RED};
    char counts[FORMAT_ROOM], place[CLI_PLACE_ROOM];
    printf("%4d  ", task->id);
    format_name(stdout, task->chunk.name, screen_name_width(20, 42));
    printf("  %s%-8s%s  ", colour_code(cli->out_colour, colours[result->finding]), finding_names[result->finding],
           colour_code(cli->out_colour, COLOUR_NONE));
    if (result->number > 1)
        printf("solution %d: ", result->number);
    if (result->impossible)
        printf("has no solution\n");
    else if (result->needless)
        printf("needs no solution: solved at the start\n");
    else if (result->finding == FOUND_OK)
        printf("%s%s\n", format_verdict(task->source->domain, &result->verdict, counts), result->left);
    else if (result->finding == FOUND_INVALID)
        printf("%s%s\n", cli_line_place(&result->error, place), result->error.text);
    else
        printf("%s%s\n", cli_place(&result->error, place), result->error.text);
}

static void tell(struct check_run *run, const struct task *task, const struct check_result *result) {
    run->counts[result->finding]++;
    run->any_case += result->any_case;
    if (run->options->quiet && result->finding == FOUND_OK)
        return;
    if (run->options->json)
        print_json(task, result);
    else
        print_text(run->cli, task, result);
}

/* solutions: NULL if those inside the file are checked. */
static int check_all(const struct cli *cli, const struct check_options *options, const struct input *input,
                     const struct solutions *solutions) {
    struct check_run run = {.cli = cli, .options = options, .input = input, .solutions = solutions};
    const size_t *counts = run.counts;
    for (size_t i = 0; i < input->task_count; i++)
        check_task(&run, &input->tasks[i]);
    if (!options->json)
        printf("%s%zu ok, %zu rejected, %zu missing, %zu invalid\n", options->quiet ? "" : "\n", counts[FOUND_OK],
               counts[FOUND_REJECTED], counts[FOUND_MISSING], counts[FOUND_INVALID]);
    if (!options->json && run.any_case)
        printf("%zu rejected only because of upper and lower case: try --any-case\n", run.any_case);
    if (counts[FOUND_INVALID] || input->unreadable || !input->task_count)
        return CLI_BAD;
    return counts[FOUND_REJECTED] || counts[FOUND_MISSING] ? CLI_SOME : CLI_OK;
}

/* Whether the file itself can have solutions in it; complains if not. */
static bool may_hold_solutions(const struct input *input) {
    const struct source *source = input->sources[0];
    if (special_levels(source->domain))
        return true;
    cli_complain("check: a file of %s has no solutions in it: name the file of solutions after %s",
                 source->domain->name, source->label);
    return false;
}

static int check_files(struct cli *cli, const struct check_options *options, const struct arg_list *words) {
    struct domain_choice choice;
    struct input input = {0};
    struct solutions solutions;
    if (words->count < 1 || words->count > 2)
        return cli_complain("check: expected FILE, or FILE and SOLUTIONS, got %zu words", words->count);
    if (!plugins_load(cli, &options->plugin) || !lookup_domain(cli, options->domain, &choice))
        return CLI_BAD;
    struct arg_list files = {words->items, 1};
    int status = CLI_BAD;
    if (input_read(cli, &files, &choice, options->only, &input) && !input.unreadable &&
        (input.sources[0]->domain || (cli_complain_at(input.sources[0]->label, &input.tasks[0].error), false))) {
        if (words->count == 1 && may_hold_solutions(&input))
            status = check_all(cli, options, &input, NULL);
        else if (words->count == 2 && solutions_load(cli, words->items[1], &input, &solutions)) {
            status = check_all(cli, options, &input, &solutions);
            solutions_free(&solutions);
        }
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
    .usage = "FILE [SOLUTIONS] [OPTIONS]",
    .about =
        "Without SOLUTIONS, every solution inside FILE is checked (Sokoban). SOLUTIONS is a file that contains the\n"
        "JSON lines of `solve --json`, the lines of `solve --lurd`, whose names say which instances they are about, a\n"
        "collection with Solution sections, or one\n"
        "solution per line in the order of the instances (or of the selected ones, if the file has just as many\n"
        "solutions). In a file with one solution per line, a line - means that the file has no solution for the\n"
        "instance, and ; begins a comment.\n"
        "Exit status: 0 all ok, 1 some rejected or missing, 2 bad input.",
    .args = check_rows,
    .run = run,
};
