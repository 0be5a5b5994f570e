#include "cli/sokoban/advice.h"
#include "base/buffer.h"
#include "cli/show/draw.h"
#include "cli/solve/batch.h"
#include "cli/shell/plugin.h"
#include "cli/shell/format.h"
#include "cli/shell/need.h"
#include "cli/shell/signals.h"
#include "domain/domain.h"
#include "search/special/registry.h"

#include <math.h>
#include <stdlib.h>

soloist_limits advice_limits(const struct advice *advice) {
    return (soloist_limits){.time_s = advice->options->time,
                            .nodes = advice->options->nodes,
                            .memory = batch_free_memory() / 2,
                            .threads = 1,
                            .seed = 1,
                            .stop = signals_token()};
}

char *advice_remedy(const struct advice *advice, soloist_stop stopped, char *out) {
    const struct advice_options *options = advice->options;
    if (stopped == SOLOIST_STOP_CANCEL)
        snprintf(out, FORMAT_ROOM, "interrupted");
    else if (stopped == SOLOIST_STOP_TIME)
        snprintf(out, FORMAT_ROOM, "try --time %g", options->time * 10);
    else if (stopped == SOLOIST_STOP_NODES)
        snprintf(out, FORMAT_ROOM, "try --nodes %.0f", (double)options->nodes * 10);
    else
        snprintf(out, FORMAT_ROOM, stopped == SOLOIST_STOP_MEMORY ? "out of memory" : "the search gave up");
    return out;
}

bool advice_is_sokoban(const soloist_puzzle *puzzle) {
    return special_same_game(puzzle->domain, &sokoban_domain) ||
           special_same_game(puzzle->domain, &sokoban_moves_domain);
}

static void print_any_json(const struct task *task, const soloist_advice *given) {
    static const char *const names[] = {"unknown", "alive", "solved", "dead"};
    bool alive = given->outlook == SOLOIST_OUTLOOK_ALIVE, lost = given->outlook == SOLOIST_OUTLOOK_LOST;
    struct json_line line;
    struct json_writer *json = advice_json_open(&line, task, given->move ? "hint" : names[given->outlook]);
    json_text(json, "move", given->move);
    json_text(json, "line", given->line);
    if (alive)
        json_int(json, "value", given->result.verdict.value);
    else
        json_null(json, "value");
    json_bool(json, "optimal", given->result.optimal);
    json_text(json, "reason", lost ? given->reason : NULL);
    json_real(json, "time_s", round(given->result.time_s * 1e6) / 1e6);
    json_line_print(&line);
}

/* What is proved about the value of a solution or a game. */
static const char *proof_text(const soloist_domain *domain) {
    return domain->aim == SOLOIST_LEAST_COST ? ", and no solution costs less"
           : domain->players == 1            ? ", and no game scores more"
                                             : " if both players play perfectly";
}

static void print_any(const struct advice *advice, const soloist_domain *domain, const soloist_advice *given) {
    bool cost = domain->aim == SOLOIST_LEAST_COST;
    const soloist_result *result = &given->result;
    char remedy[FORMAT_ROOM];
    if (given->outlook == SOLOIST_OUTLOOK_ENDED)
        printf("%s\n", cost ? "solved" : "the game is over");
    else if (given->outlook == SOLOIST_OUTLOOK_LOST)
        printf("dead (%s): %s\n", given->reason, given->sentence);
    else if (given->outlook == SOLOIST_OUTLOOK_UNKNOWN)
        printf("nothing found and nothing proved%s%s\n", advice->options->quick ? " by the quick rules" : "; ",
               advice->options->quick ? "" : advice_remedy(advice, result->stopped, remedy));
    else if (given->move)
        printf("%s\n%s %d%s\n", given->move, cost ? "cost to the goal" : "score at the end", (int)result->verdict.value,
               result->optimal ? proof_text(domain) : "");
    else
        printf("not dead: %s %d\n", cost ? "it can be solved at a cost of" : "a game is known that scores",
               (int)result->verdict.value);
}

int advice_refuse(const struct advice *advice, const struct task *task, const soloist_error *error) {
    struct json_line line;
    cli_complain_at(task->source->label, error);
    if (!advice->options->json)
        return CLI_BAD;
    struct json_writer *json = advice_json_open(&line, task, soloist_status_name(SOLOIST_INVALID));
    json_error(json, error);
    json_line_print(&line);
    return CLI_BAD;
}

int advice_tell(const struct advice *advice, const struct task *task, soloist_code code, soloist_advice *given,
                const soloist_error *error) {
    int status = given->outlook == SOLOIST_OUTLOOK_UNKNOWN ? CLI_SOME : CLI_OK;
    if (need_code(code) != SOLOIST_OK) {
        status = advice_refuse(advice, task, error);
    } else if (advice->options->json) {
        print_any_json(task, given);
    } else {
        print_any(advice, task->source->domain, given);
    }
    soloist_advice_free(given);
    return status;
}

static int tell_task(const struct advice *advice, const struct input *input, const struct task *task) {
    soloist_puzzle puzzle;
    soloist_error error;
    if (need_code(input_puzzle(input, task, &puzzle, &error)) != SOLOIST_OK)
        return advice_refuse(advice, task, &error);
    if (!advice->options->json && advice->count > 1) {
        bool several = input->source_count > 1;
        printf("%s%s%s%d  ", task == input->tasks ? "" : "\n", several ? task->source->label : "", several ? ": " : "",
               task->id);
        format_name(stdout, task->chunk.name, format_width(task->chunk.name));
        printf("\n");
    }
    int status = advice->tell(advice, task, &puzzle);
    fflush(stdout);
    soloist_puzzle_free(&puzzle);
    return status;
}

static int tell_all(const struct advice *advice, const struct input *input) {
    int worst = input->unreadable ? CLI_BAD : CLI_OK;
    if (advice->options->quick) {
        args_idle(&advice->cli->given, "time", "--quick does not search");
        args_idle(&advice->cli->given, "nodes", "--quick does not search");
    }
    signals_open();
    size_t told = 0;
    for (; told < input->task_count && !signals_stopped(); told++) {
        int status = tell_task(advice, input, &input->tasks[told]);
        worst = status > worst ? status : worst;
    }
    if (told < input->task_count) {
        cli_complain("interrupted: %zu not tried", input->task_count - told);
        worst = worst > CLI_SOME ? worst : CLI_SOME;
    }
    return worst;
}

int advice_run(struct cli *cli, const struct command *self, int count, char **words,
               int (*tell)(const struct advice *, const struct task *, const soloist_puzzle *)) {
    struct advice_options options = {.time = 5};
    struct arg_list files = {0};
    struct domain_choice choice = {0};
    struct input input = {0};
    enum args_verdict verdict = args_parse(self, count, words, &options, &files);
    int status = verdict == ARGS_DONE ? CLI_OK : CLI_BAD;
    if (verdict == ARGS_GO && !files.count)
        status = cli_complain("%s: which FILE? - is standard input", self->name);
    else if (verdict == ARGS_GO && plugins_load(cli, &options.plugin) && lookup_domain(cli, options.domain, &choice) &&
             lookup_method(cli, options.method) && input_read(cli, &files, &choice, options.only, &input))
        lookup_ignored(cli, options.method),
            status = tell_all(&(struct advice){cli, &options, tell, input.task_count}, &input);
    input_free(&input);
    arg_list_free(&options.plugin);
    arg_list_free(&files);
    return status;
}

void advice_draw(const struct advice *advice, const struct sokoban_level *level, const uint8_t *stuck,
                 const struct hint *hint) {
    const struct cli *cli = advice->cli;
    struct draw_style style = {cli->out_colour, cli->utf8 && cli->out_terminal};
    struct buffer text;
    buffer_open(&text);
    soloist_sink sink = buffer_sink(&text), out = cli_sink(stdout);
    sokoban_level_print_stuck(level, stuck, &sink);
    need_whole(&text);
    uint8_t *marks = need_zeroed(text.length + 1, 1);
    if (hint && hint->direction)
        draw_mark_push(text.text, marks, hint->column - 1, hint->row - 1, hint->direction[0]);
    draw_position(&style, "sokoban", text.text, marks, &out);
    free(marks);
    buffer_close(&text);
}

void advice_squares(const struct sokoban_level *level, const uint8_t *stuck) {
    for (int i = 0; i < level->width * level->height; i++)
        if (stuck[i])
            printf(" (%d,%d)", i % level->width + 1, i / level->width + 1);
}

struct json_writer *advice_json_open(struct json_line *line, const struct task *task, const char *status) {
    struct json_writer *json = json_line_open(line);
    json_int(json, "id", task->id);
    json_text(json, "file", task->source->label);
    json_text(json, "name", task->chunk.name);
    json_text(json, "status", status);
    return json;
}

void advice_json_stuck(struct json_writer *json, const struct sokoban_level *level,
                       const struct sokoban_explanation *why) {
    bool dead = why->reason != SOKOBAN_NOT_KNOWN_DEAD;
    json_text(json, "reason", dead ? sokoban_reason_name(why->reason) : NULL);
    json_array(json, "boxes");
    for (int i = 0; dead && i < level->width * level->height; i++)
        if (why->stuck[i]) {
            json_array(json, NULL);
            json_int(json, NULL, i % level->width + 1);
            json_int(json, NULL, i / level->width + 1);
            json_end(json, ']');
        }
    json_end(json, ']');
}
