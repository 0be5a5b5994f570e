/* `soloist play`: a person plays the instances, or sees a solution step by step. */
#include "base/ranges.h"
#include "cli/shell/need.h"
#include "cli/learn/networks.h"
#include "cli/show/player.h"
#include "cli/show/playing.h"
#include "cli/show/saved.h"
#include "cli/show/solution.h"
#include "cli/shell/plugin.h"

#include <stdlib.h>
#include <string.h>

struct play_options {
    const char *domain, *method, *only, *solution, *solutions, *out;
    double time, delay;
    uint64_t seed;
    bool ascii, all, once, film;
    int back_end;
    struct arg_list plugin, network;
};

#define ROW(kind, field, letter, value, least, most, text)                                                             \
    { kind, #field, letter, offsetof(struct play_options, field), value, least, most, text }
static const struct arg play_rows[] = {
    ROW(ARG_TEXT, domain, 'd', "D[:KEY=VALUE,...]", 0, 0, CLI_DOMAIN_HELP),
    ROW(ARG_TEXT, only, 0, "N", 0, 0, "number of the instance to begin with, 1 by default"),
    ROW(ARG_TEXT, out, 'o', "FILE", 0, 0,
        "file for games that you save; by default beside FILE, with a name that ends in .played.sok or .played.txt"),
    ROW(ARG_FLAG, film, 0, NULL, 0, 0,
        "show a solution instead of playing: the one in FILE if there is one, otherwise one that a search finds"),
    ROW(ARG_TEXT, solution, 0, "TEXT", 0, 0, "solution to show, as text (implies --film)"),
    ROW(ARG_TEXT, solutions, 0, "FILE", 0, 0,
        "file with the solution, in any format that `check` reads (implies --film)"),
    ROW(ARG_TEXT, method, 'm', "NAME[:KEY=VALUE,...]", 0, 0, "method that finds the solutions for films and hints"),
    ROW(ARG_LIST, network, 0, "FILE[:KEY=VALUE,...]", 0, 0, CLI_NETWORK_HELP),
    {ARG_CHOICE, "back-end", 0, offsetof(struct play_options, back_end), CLI_BACK_ENDS, 0, 0, CLI_BACK_END_HELP},
    ROW(ARG_SECONDS, time, 't', "SECONDS", 0, 1e9,
        "time limit for finding a solution or a hint, 10 by default; 0: no limit"),
    ROW(ARG_COUNT, seed, 's', "N", 0, 1.9e19, "random seed, 1 by default"),
    ROW(ARG_SECONDS, delay, 0, "SECONDS", 0.001, 60, "pause between the steps of a film, 0.15 by default"),
    ROW(ARG_FLAG, once, 0, NULL, 0, 0, "show a film and quit at its end without waiting for a key"),
    ROW(ARG_FLAG, ascii, 0, NULL, 0, 0, "draw with ASCII characters only"),
    ROW(ARG_FLAG, all, 0, NULL, 0, 0, "print every position of a solution instead of showing a film"),
    ROW(ARG_LIST, plugin, 0, "FILE", 0, 0, CLI_PLUGIN_HELP),
    {0},
};
#undef ROW

static int show_solution(const struct cli *cli, const struct play_options *options, const struct task *task,
                         const soloist_puzzle *puzzle, const char *solution) {
    struct show show;
    soloist_error error = {0};
    if (!show_open(cli, puzzle, solution, &show, &error))
        return cli_complain("play: %s", error.text);
    bool film = cli->out_terminal && !options->all;
    struct player_view view = {.show = &show,
                               .style = {cli->out_colour, cli->utf8 && !options->ascii},
                               .title = task->chunk.name,
                               .delay_s = options->delay,
                               .once = options->once};
    /* Output to a file is plain ASCII, which is readable everywhere. */
    view.style.utf8 &= cli->out_terminal;
    if (!film || !player_run(&view))
        player_print(&view, options->all);
    show_close(&show);
    return CLI_OK;
}

/* Warns about options of searches if the solution that is shown does not come from a search. */
static void warn_of_idle_options(const struct cli *cli, const struct play_options *options, const struct task *task,
                                 const soloist_puzzle *puzzle) {
    static const char *const of_searches[] = {"method", "time", "seed", "network", "back-end"};
    bool given = options->solution || options->solutions;
    char *own = given ? NULL : solution_own(puzzle, task);
    for (size_t i = 0; (given || own) && i < sizeof of_searches / sizeof *of_searches; i++)
        args_idle(&cli->given, of_searches[i], given ? "the solution is given" : "the file has a solution");
    args_idle(&cli->given, "out", "a film saves no games");
    free(own);
}

static int show_task(struct cli *cli, const struct play_options *options, const struct input *input,
                     const struct task *task) {
    soloist_puzzle puzzle;
    soloist_error error = {0};
    int status = CLI_BAD;
    if (need_code(input_puzzle(input, task, &puzzle, &error)) != SOLOIST_OK)
        return cli_complain_at(task->source->label, &error), CLI_BAD;
    struct solution_request request = {.command = "play",
                                       .solution = options->solution,
                                       .solutions = options->solutions,
                                       .method = options->method,
                                       .time_s = options->time,
                                       .seed = options->seed};
    warn_of_idle_options(cli, options, task, &puzzle);
    char *solution = solution_find(cli, &request, input, task, &puzzle, &status);
    if (solution)
        status = show_solution(cli, options, task, &puzzle, solution);
    free(solution);
    soloist_puzzle_free(&puzzle);
    return status;
}

/* Without a terminal nobody can play: the solution is printed instead. */
static int play_input(struct cli *cli, const struct play_options *options, const struct input *input) {
    size_t first = 0;
    while (options->only && first < input->task_count && !ranges_hold(options->only, input->tasks[first].id))
        first++;
    if (first == input->task_count)
        return cli_complain("play: --only %s selects none of the %zu instance%s", options->only, input->task_count,
                            input->task_count == 1 ? "" : "s");
    bool film = options->film || options->solution || options->solutions || options->all || options->once;
    int status = -1;
    if (!film && options->out && !saved_suits(options->out, input))
        return CLI_BAD;
    if (!film && cli->out_terminal) {
        lookup_ignored(cli, options->method);
        status = playing_run(cli, input, first,
                             &(struct playing_rules){.method = options->method,
                                                     .out = options->out,
                                                     .time_s = options->time,
                                                     .delay_s = options->delay,
                                                     .seed = options->seed,
                                                     .style = {cli->out_colour, cli->utf8 && !options->ascii}});
    }
    return status >= 0 ? status : show_task(cli, options, input, &input->tasks[first]);
}

static int play_file(struct cli *cli, const struct play_options *options, const struct arg_list *files) {
    struct domain_choice choice;
    struct input input = {0};
    if (files->count != 1)
        return cli_complain("play: expected one FILE, got %zu", files->count);
    if (!plugins_load(cli, &options->plugin) || !lookup_domain(cli, options->domain, &choice) ||
        !lookup_method(cli, options->method))
        return CLI_BAD;
    int status = CLI_BAD;
    networks_give(cli->networks, &options->network, options->back_end);
    if (options->out && !strcmp(options->out, "-"))
        cli_complain("play: --out -: games are saved in a file");
    else if (options->only && (!ranges_valid(options->only) || strpbrk(options->only, ",-")))
        cli_complain("play: --only %s: expected the number of the instance to begin with", options->only);
    else if (input_read(cli, files, &choice, NULL, &input) && input.task_count &&
             networks_check(cli->networks, "play", &input))
        status = play_input(cli, options, &input);
    networks_give(cli->networks, NULL, 0);
    input_free(&input);
    return status;
}

static int run(struct cli *cli, const struct command *self, int count, char **words) {
    struct play_options options = {.time = 10, .delay = 0.15, .seed = 1};
    struct arg_list files = {0};
    enum args_verdict verdict = args_parse(self, count, words, &options, &files);
    int status = verdict == ARGS_GO ? play_file(cli, &options, &files) : verdict == ARGS_DONE ? CLI_OK : CLI_BAD;
    arg_list_free(&files);
    arg_list_free(&options.plugin);
    arg_list_free(&options.network);
    return status;
}

const struct command play_command = {
    .name = "play",
    .summary = "play puzzles in the terminal, or watch a solution",
    .usage = "FILE [OPTIONS]",
    .about =
        "The arrow keys or hjkl move: in Sokoban the player, in tiles the tile beside the blank. In SameGame and\n"
        "pancakes these keys choose a move, and space plays it. In other domains you choose from the list of legal\n"
        "moves. Keys: u undo, y redo, r restart, ? hint (Enter plays it), f film, s save, c continue a saved game, n\n"
        "next and p previous instance, q quit. If a position is lost, a message says so; in Sokoban the boxes that\n"
        "are the reason are marked X. Games are saved in a file that `check` reads: a finished game as a solution, an\n"
        "unfinished one as a snapshot (Sokoban) or as a comment. Nothing that is already in that file is removed.\n"
        "When you quit, all games are printed, whether they are saved or not.\n"
        "\n"
        "With --film a solution is shown: the one that you give or, if you give none, the one in FILE. If FILE has\n"
        "no solution, a search finds one first. Keys: space pauses, arrows or n and p step, + and - change the\n"
        "speed, q quits. If the output is not a terminal, a few positions of the solution are printed.",
    .args = play_rows,
    .run = run,
};
