/* `soloist hint`: prints the next push in any position, and how many pushes and moves remain. */
#include "cli/sokoban/advice.h"
#include "cli/shell/format.h"
#include "cli/shell/need.h"
#include "engine/engine.h"
#include "search/special/polish.h"
#include "search/special/sokoban/hint.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#define ROW(kind, field, letter, value, least, most, text)                                                             \
    { kind, #field, letter, offsetof(struct advice_options, field), value, least, most, text }
static const struct arg hint_rows[] = {
    ROW(ARG_SECONDS, time, 't', "SECONDS", 0, 1e9, "maximum wall time per position, 5 by default; 0: no limit"),
    ROW(ARG_COUNT, nodes, 'n', "N", 0, 1e18,
        "maximum number of states that are generated per position; 0, the default: no limit"),
    ROW(ARG_TEXT, method, 'm', "NAME[:KEY=VALUE,...]", 0, 0, "search method; auto by default"),
    ROW(ARG_TEXT, domain, 'd', "D[:KEY=VALUE,...]", 0, 0, CLI_DOMAIN_HELP),
    ROW(ARG_LIST, plugin, 0, "FILE", 0, 0, CLI_PLUGIN_HELP),
    ROW(ARG_TEXT, only, 0, "1,5-9,...", 0, 0, CLI_ONLY_HELP),
    ROW(ARG_FLAG, json, 0, NULL, 0, 0, "print one JSON object per line"),
    {0},
};
#undef ROW

static void print_json(const struct task *task, const soloist_puzzle *puzzle, const struct sokoban_level *level,
                       const struct hint *hint) {
    struct json_line line;
    char letters[8192], objective[POLISH_AIM_ROOM];
    engine_objective(puzzle, &hint->result.verdict, objective);
    struct json_writer *json = advice_json_open(&line, task, hint_status_name(hint->status));
    if (hint->direction) {
        snprintf(letters, sizeof letters, "%.*s", hint->letters, hint->result.solution);
        json_object(json, "push");
        json_int(json, "column", hint->column);
        json_int(json, "row", hint->row);
        json_text(json, "direction", hint->direction);
        json_end(json, '}');
        json_text(json, "letters", letters);
        json_int(json, "pushes_left", hint->result.verdict.pushes);
        json_int(json, "moves_left", hint->result.verdict.moves);
    } else {
        json_null(json, "push");
        json_null(json, "letters");
        json_null(json, "pushes_left");
        json_null(json, "moves_left");
    }
    json_bool(json, "optimal", hint->result.optimal);
    json_text(json, "optimal_for", hint->result.optimal ? objective : NULL);
    advice_json_stuck(json, level, &hint->why);
    json_real(json, "time_s", round(hint->result.time_s * 1e6) / 1e6);
    json_line_print(&line);
}

static void print_push(const soloist_puzzle *puzzle, const struct hint *hint) {
    const soloist_result *result = &hint->result;
    char objective[POLISH_AIM_ROOM];
    printf("push the box at column %d, row %d %s: %.*s\n", hint->column, hint->row, hint->direction, hint->letters,
           result->solution);
    printf("%" PRId64 " %s and %" PRId64 " %s to the end", result->verdict.pushes,
           result->verdict.pushes == 1 ? "push" : "pushes", result->verdict.moves,
           result->verdict.moves == 1 ? "move" : "moves");
    engine_objective(puzzle, &result->verdict, objective);
    if (result->optimal)
        printf(", no solution has fewer %s", objective);
    printf("\n");
}

static void print_text(const struct advice *advice, const soloist_puzzle *puzzle, const struct sokoban_level *level,
                       const struct hint *hint) {
    bool dead = hint->status == HINT_DEAD;
    char remedy[FORMAT_ROOM];
    if (hint->direction || dead)
        advice_draw(advice, level, dead ? hint->why.stuck : NULL, hint);
    if (hint->direction)
        print_push(puzzle, hint);
    else if (hint->status == HINT_SOLVED)
        printf("solved\n");
    else if (hint->status == HINT_DEAD)
        printf("dead (%s): %s; `soloist explain` says more\n", sokoban_reason_name(hint->why.reason),
               sokoban_reason_text(hint->why.reason));
    else
        printf("no hint: nothing found and nothing proved; %s\n", advice_remedy(advice, hint->result.stopped, remedy));
}

static int tell_any(const struct advice *advice, const struct task *task, const soloist_puzzle *puzzle) {
    soloist_limits limits = advice_limits(advice);
    soloist_advice given = {0};
    soloist_error error = {0};
    soloist_code code =
        soloist_hint(advice->cli->engine, puzzle, advice->options->method, &limits, NULL, &given, &error);
    return advice_tell(advice, task, code, &given, &error);
}

static int tell(const struct advice *advice, const struct task *task, const soloist_puzzle *puzzle) {
    if (!advice_is_sokoban(puzzle))
        return tell_any(advice, task, puzzle);
    struct hint *hint = need_zeroed(1, sizeof *hint);
    struct sokoban_level *level = need_bytes(sizeof *level);
    soloist_limits limits = advice_limits(advice);
    soloist_error error = {0};
    int status;
    soloist_code code =
        need_code(hint_find(advice->cli->engine, puzzle, advice->options->method, &limits, hint, &error));
    if (code != SOLOIST_OK || !sokoban_level_parse(&task->chunk, level, &error)) {
        status = advice_refuse(advice, task, &error);
    } else {
        status = hint->status == HINT_UNKNOWN ? CLI_SOME : CLI_OK;
        if (advice->options->json)
            print_json(task, puzzle, level, hint);
        else
            print_text(advice, puzzle, level, hint);
    }
    soloist_result_free(&hint->result);
    free(hint);
    free(level);
    return status;
}

static int run(struct cli *cli, const struct command *self, int count, char **words) {
    return advice_run(cli, self, count, words, tell);
}

const struct command hint_command = {
    .name = "hint",
    .summary = "give the next move in a position",
    .usage = "FILE... [OPTIONS]",
    .about =
        "Works in every domain: sokoban, samegame, tiles, pancake, tictactoe and plugin domains. A position is\n"
        "written like an instance of its domain; - is standard input. The position is solved, and the first move of\n"
        "the solution is printed (Sokoban: the first push, drawn on the board as an arrow, with the number of pushes\n"
        "and moves to the end). The hint for tiles names the tile that slides and its direction; in a solution, the\n"
        "letters U, L, D and R are directions of the blank. The hint for samegame names one cell of the group to\n"
        "remove, first in words and then as [column,row], the notation of solutions, in which columns and rows are\n"
        "counted from 0 at the lower left corner. If the position is dead, or if no solution was found, the output\n"
        "says so instead. Exit status: 0 every position got a hint, is already solved or is proved dead, 1 for some\n"
        "position no hint was found, 2 bad usage or input.",
    .args = hint_rows,
    .run = run,
};
