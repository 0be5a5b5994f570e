/* `soloist explain`: says whether a position is dead, and because of which boxes. */
#include "base/budget.h"
#include "cli/sokoban/advice.h"
#include "cli/shell/format.h"
#include "cli/shell/need.h"
#include "search/special/sokoban/hint.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#define ROW(kind, field, letter, value, least, most, text)                                                             \
    { kind, #field, letter, offsetof(struct advice_options, field), value, least, most, text }
static const struct arg explain_rows[] = {
    ROW(ARG_FLAG, quick, 'q', NULL, 0, 0, "apply only the rules that take milliseconds; do not search"),
    ROW(ARG_SECONDS, time, 't', "SECONDS", 0, 1e9,
        "maximum wall time of the search per position, 5 by default; 0: no limit"),
    ROW(ARG_COUNT, nodes, 'n', "N", 0, 1e18,
        "maximum number of positions that the search generates; 0, the default: no limit"),
    ROW(ARG_TEXT, domain, 'd', "D[:KEY=VALUE,...]", 0, 0, CLI_DOMAIN_HELP),
    ROW(ARG_LIST, plugin, 0, "FILE", 0, 0, CLI_PLUGIN_HELP),
    ROW(ARG_TEXT, only, 0, "1,5-9,...", 0, 0, CLI_ONLY_HELP),
    ROW(ARG_FLAG, json, 0, NULL, 0, 0, "print one JSON object per line"),
    {0},
};
#undef ROW

static void print_json(const struct task *task, const struct sokoban_level *level, const struct proof *proof,
                       double time_s) {
    struct json_line line;
    struct json_writer *json = advice_json_open(&line, task, proof_status_name(proof, level));
    advice_json_stuck(json, level, &proof->why);
    if (proof->verdict == PROVE_ALIVE)
        json_int(json, "pushes", proof->result.verdict.pushes);
    else
        json_null(json, "pushes");
    json_real(json, "time_s", round(time_s * 1e6) / 1e6);
    json_line_print(&line);
}

static void print_text(const struct advice *advice, const struct sokoban_level *level, const struct proof *proof) {
    const struct sokoban_explanation *why = &proof->why;
    const char *status = proof_status_name(proof, level);
    char remedy[FORMAT_ROOM];
    advice_draw(advice, level, proof->verdict == PROVE_DEAD ? why->stuck : NULL, NULL);
    if (proof->verdict == PROVE_DEAD) {
        printf("dead (%s): %s\nX:", sokoban_reason_name(why->reason), sokoban_reason_text(why->reason));
        advice_squares(level, why->stuck);
        printf("\n");
    } else if (*status == 's') {
        printf("solved\n");
    } else if (proof->verdict == PROVE_ALIVE) {
        printf("not dead: it can be solved with %" PRId64 " %s\n", proof->result.verdict.pushes,
               proof->result.verdict.pushes == 1 ? "push" : "pushes");
    } else {
        printf("not known to be dead%s%s\n", advice->options->quick ? " by the quick rules" : ": ",
               advice->options->quick ? "" : advice_remedy(advice, proof->result.stopped, remedy));
    }
}

static int tell_any(const struct advice *advice, const struct task *task, const soloist_puzzle *puzzle) {
    soloist_limits limits = advice_limits(advice);
    soloist_advice given = {0};
    soloist_error error = {0};
    soloist_code code =
        soloist_explain(advice->cli->engine, puzzle, advice->options->quick, &limits, NULL, &given, &error);
    return advice_tell(advice, task, code, &given, &error);
}

static int tell(const struct advice *advice, const struct task *task, const soloist_puzzle *puzzle) {
    if (!advice_is_sokoban(puzzle))
        return tell_any(advice, task, puzzle);
    struct proof *proof = need_bytes(sizeof *proof);
    struct sokoban_level *level = need_bytes(sizeof *level);
    soloist_limits limits = advice_limits(advice);
    soloist_error error = {0};
    double start_s = clock_seconds();
    soloist_code code =
        need_code(prove_position(advice->cli->engine, puzzle, advice->options->quick, &limits, NULL, proof, &error));
    double time_s = clock_seconds() - start_s;
    int status;
    if (code != SOLOIST_OK || !sokoban_level_parse(&task->chunk, level, &error)) {
        status = advice_refuse(advice, task, &error);
    } else {
        status = *proof_status_name(proof, level) == 'u' ? CLI_SOME : CLI_OK;
        if (advice->options->json)
            print_json(task, level, proof, time_s);
        else
            print_text(advice, level, proof);
    }
    soloist_result_free(&proof->result);
    free(proof);
    free(level);
    return status;
}

static int run(struct cli *cli, const struct command *self, int count, char **words) {
    return advice_run(cli, self, count, words, tell);
}

const struct command explain_command = {
    .name = "explain",
    .summary = "say whether a position is dead, and why (Sokoban: which boxes make it dead)",
    .usage = "FILE... [OPTIONS]",
    .about =
        "Works in every domain that has a goal to reach, such as sokoban, tiles and pancake. In a game for the\n"
        "highest score, such as samegame, no position is dead, and the output is only the best score that was found.\n"
        "In Sokoban these rules are tried in turn: dead squares, freeze deadlocks, more boxes than goals along a\n"
        "wall, boxes that cannot all reach different goals, closed diagonals, corrals, positions in which every push\n"
        "leads to one of these deadlocks, and pairs of boxes that could not be solved even without the other boxes.\n"
        "If no rule applies, a search follows. The boxes that the output names form a minimal set: without any one\n"
        "of them, the proof fails (after a search, this needs as many further searches, and the limits may end them\n"
        "early). In domains other than Sokoban, the domain's own test for dead positions is followed by a search. A\n"
        "position is written like an instance of its domain; - is standard input.\n"
        "Exit status: 0 every position is known to be dead, solved or solvable, 1 for some position none of these is\n"
        "known, 2 bad usage or input.",
    .args = explain_rows,
    .run = run,
};
