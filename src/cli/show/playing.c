/* The loop of a game: keys are rows of a table, and after every key the whole screen is drawn again. Each instance
 * keeps its game while others are played; before the program ends, it asks about games that are not saved. Afterwards
 * the moves of all games are printed, saved or not. */
#include "cli/show/playing.h"
#include "cli/shell/format.h"
#include "cli/shell/need.h"
#include "cli/shell/terminal.h"
#include "cli/show/controls.h"
#include "cli/show/player.h"
#include "cli/show/saved.h"
#include "cli/show/solution.h"
#include "cli/show/stage.h"
#include "cli/solve/batch.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct playing {
    const struct cli *cli;
    const struct input *input;
    const struct playing_rules *rules;
    struct game **games; /* one per task; NULL: not opened yet */
    size_t current;
    struct hand hand;
    char message[400]; /* said once, until the next key */
    bool asking;       /* whether to quit although something is not saved */
    bool quit, lost;   /* lost: the input has ended */
};

static void say(struct playing *playing, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void say(struct playing *playing, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(playing->message, sizeof playing->message, format, arguments);
    va_end(arguments);
}

/* ---- the screen ---- */

static void say_outcome(const struct playing *playing, struct stage *stage) {
    const struct game *game = playing->hand.game;
    char text[400];
    if (game->ended)
        stage_say(stage, &stage->above,
                  game->shown.domain->aim == SOLOIST_MOST_SCORE ? "the game is over: s saves it, n goes on"
                                                                : "solved! s saves the solution, n goes on");
    else if (game->told.outlook == SOLOIST_OUTLOOK_LOST) {
        snprintf(text, sizeof text, "lost (%s): %s%s", game->told.reason, game->told.sentence,
                 game->at ? "; u takes back" : "");
        stage_say(stage, &stage->above, text);
    } else if (!game->legal_count) {
        stage_say(stage, &stage->above, "no move is left; u takes back");
    } else {
        stage_say(stage, &stage->above, "");
    }
}

static void say_above(const struct playing *playing, struct stage *stage) {
    const struct game *game = playing->hand.game;
    const char *name = game->task->chunk.name;
    char counts[160], text[400];
    controls_of(game)->count(&playing->hand, counts, sizeof counts);
    snprintf(text, sizeof text, "%d of %d%s%s: %s", game->task->id, game->task->source->instances, *name ? " " : "",
             name, counts);
    stage_say(stage, &stage->above, text);
    say_outcome(playing, stage);
}

static void draw(struct playing *playing) {
    struct hand *hand = &playing->hand;
    const struct controls *controls = controls_of(hand->game);
    const char *domain = hand->game->shown.domain->name;
    struct stage stage;
    char keys[300];
    hand_mark(hand);
    stage_open(&stage, playing->rules->style.utf8);
    say_above(playing, &stage);
    snprintf(keys, sizeof keys, "%s, u undo, y redo, r restart, ? hint, f film, s save, n next, p previous, q quit",
             controls->keys);
    stage_say(&stage, &stage.below, playing->message);
    if (stage.rows >= 10)
        stage_say(&stage, &stage.below, keys);
    stage_draw(&stage, &playing->rules->style, domain, hand->game->text, hand->marks, hand->x, hand->y);
    if (!controls->domain) {
        soloist_sink sink = buffer_sink(&stage.board);
        stage.focus = 0;
        int rows = stage_board_rows(&stage), used = 0;
        for (const char *at = hand->game->text; *at; at++)
            used += *at == '\n';
        controls_list(hand, rows - used > 3 ? rows - used : 3, &sink);
    }
    stage_show(&stage);
}

/* ---- levels ---- */

/* Opens the game of a task, or shows the one that is open. False if the task cannot be read. */
static bool go_to(struct playing *playing, size_t index) {
    soloist_error error = {0};
    struct game *game = playing->games[index];
    if (!game) {
        game = need_zeroed(1, sizeof *game);
        if (!game_open(game, playing->cli, playing->input, &playing->input->tasks[index], &error)) {
            say(playing, "instance %d cannot be read: line %d: %s", playing->input->tasks[index].id, error.line,
                error.text);
            free(game);
            return false;
        }
        playing->games[index] = game;
    }
    hand_close(&playing->hand);
    playing->hand.game = game;
    playing->current = index;
    return true;
}

/* ---- the engine ---- */

struct thought {
    struct playing *playing;
    soloist_stop_token *stop;
    const char *what;
};

/* Called while the engine works: shows that it does, and stops it at any key or signal. The thread that reads keys
 * otherwise is waiting for the engine. */
static void show_thought(void *user, const soloist_progress *report) {
    struct thought *thought = user;
    char nodes[FORMAT_ROOM];
    if (terminal_signal() || terminal_key(0) != KEY_NONE)
        soloist_stop_token_cancel(thought->stop);
    say(thought->playing, "%s: %.1f s, %s states; any key stops", thought->what, report->time_s,
        format_count(report->nodes, nodes));
    draw(thought->playing);
}

static soloist_limits limits_of(const struct playing_rules *rules, soloist_stop_token *stop) {
    return (soloist_limits){.time_s = rules->time_s,
                            .memory = batch_free_memory() / 2,
                            .threads = batch_cores(),
                            .seed = rules->seed,
                            .stop = stop};
}

static void tell_hint(struct playing *playing, const soloist_advice *advice, const soloist_error *error) {
    struct hand *hand = &playing->hand;
    if (*error->text)
        say(playing, "no hint: %s", error->text);
    else if (advice->outlook == SOLOIST_OUTLOOK_LOST)
        say(playing, "no hint: from here it cannot be solved (%s)", advice->reason);
    else if (!advice->move)
        say(playing, "no hint: nothing found in %.1f s; --time gives more", advice->result.time_s);
    else
        say(playing, "hint: %s; Enter plays it", advice->move);
    if (advice->line)
        hand->hint_line = need_text(advice->line, strlen(advice->line));
}

/* The hint is one move of the puzzle that is solved, which may be several of those that are played. */
static void find_hinted_move(struct hand *hand) {
    const struct controls *controls = controls_of(hand->game);
    soloist_error error;
    soloist_move *moves;
    size_t count;
    if (!hand->hint_line || !game_read_line(hand->game, hand->hint_line, &moves, &count, &error))
        return;
    hand->hinted = count ? moves[0] : SOLOIST_NO_MOVE;
    free(moves);
    if (controls->suggest && hand->hinted != SOLOIST_NO_MOVE)
        controls->suggest(hand);
}

static void ask_hint(struct playing *playing) {
    struct hand *hand = &playing->hand;
    soloist_puzzle position;
    soloist_error error = {0};
    soloist_advice advice = {0};
    hand_drop_hint(hand);
    if (hand->game->ended)
        return say(playing, "the game is over: there is nothing to do");
    if (need_code(game_position(hand->game, &position, &error)) != SOLOIST_OK)
        return say(playing, "no hint: %s", error.text);
    struct thought thought = {playing, need(soloist_stop_token_new()), "looking for a hint"};
    soloist_callbacks callbacks = {show_thought, NULL, &thought};
    soloist_limits limits = limits_of(playing->rules, thought.stop);
    need_code(
        soloist_hint(playing->cli->engine, &position, playing->rules->method, &limits, &callbacks, &advice, &error));
    tell_hint(playing, &advice, &error);
    soloist_advice_free(&advice);
    soloist_stop_token_free(thought.stop);
    soloist_puzzle_free(&position);
    find_hinted_move(hand);
}

static void play_hint(struct playing *playing) {
    struct hand *hand = &playing->hand;
    soloist_error error = {0};
    char *line = need_text(hand->hint_line, strlen(hand->hint_line));
    hand_drop_hint(hand);
    if (!game_follow(hand->game, line, &error))
        say(playing, "the hint cannot be played: %s", error.text);
    free(line);
}

/* ---- the film ---- */

static char *find_solution(struct playing *playing) {
    const struct game *game = playing->hand.game;
    char *own = solution_own(&game->solved, game->task);
    if (own)
        return own;
    soloist_result result = {0};
    soloist_error error = {0};
    struct thought thought = {playing, need(soloist_stop_token_new()), "solving"};
    soloist_callbacks callbacks = {show_thought, NULL, &thought};
    soloist_limits limits = limits_of(playing->rules, thought.stop);
    soloist_code code = need_code(soloist_solve(playing->cli->engine, &game->solved, playing->rules->method, &limits,
                                                &callbacks, &result, &error));
    soloist_stop_token_free(thought.stop);
    char *solution = result.solution;
    result.solution = NULL;
    if (code != SOLOIST_OK)
        say(playing, "no film: %s", error.text);
    else if (!solution && result.status == SOLOIST_IMPOSSIBLE)
        say(playing, "no film: it is proved that there is no solution");
    else if (!solution)
        say(playing, "no film: %s after %.1f s; --time gives more", soloist_status_name(result.status), result.time_s);
    soloist_result_free(&result);
    return solution;
}

static void watch(struct playing *playing) {
    const struct game *game = playing->hand.game;
    struct show show;
    soloist_error error = {0};
    size_t step;
    char *solution = find_solution(playing);
    if (!solution)
        return;
    playing->message[0] = 0;
    if (show_open(playing->cli, &game->solved, solution, &show, &error)) {
        player_loop(&(struct player_view){.show = &show,
                                          .style = playing->rules->style,
                                          .title = game->task->chunk.name,
                                          .delay_s = playing->rules->delay_s},
                    &step);
        show_close(&show);
    } else {
        say(playing, "no film: %s", error.text);
    }
    free(solution);
}

/* ---- saving ---- */

/* The caller frees it. */
static char *save_path(const struct playing *playing, const struct game *game) {
    const char *out = playing->rules->out;
    return out ? need_text(out, strlen(out)) : saved_default_path(game->task->source);
}

/* A finished game is replayed by the referee before it is called a solution. */
static bool save_game(struct playing *playing, struct game *game) {
    soloist_error error = {0};
    errno = 0;
    bool good = !game->ended || soloist_check(&game->solved, game->line, strlen(game->line), NULL, &error);
    need_no_failure(good);
    char *path = save_path(playing, game);
    good = good && saved_add(path, game, &error);
    if (good) {
        game_keep(game);
        say(playing, "%s saved in %s", game->ended ? "the solution is" : "the moves so far are", path);
    } else {
        say(playing, "not saved: %s", error.text);
    }
    free(path);
    return good;
}

/* Reports a saved game when its level is opened, and plays its moves if the user wants. */
static void find_saved(struct playing *playing, bool play) {
    struct game *game = playing->hand.game;
    soloist_error error = {0};
    char *path = save_path(playing, game), *line = saved_find(path, game);
    if (line && play) {
        game_restart(game);
        if (game_follow(game, line, &error))
            game_keep(game);
        else
            say(playing, "the saved game cannot be continued: %s", error.text);
    } else if (line && !game->at) {
        say(playing, "an unfinished game is saved: c continues it");
    } else if (play) {
        say(playing, "no unfinished game is saved");
    }
    free(line);
    free(path);
}

static void continue_saved(struct playing *playing) { find_saved(playing, true); }

static void save(struct playing *playing) {
    struct game *game = playing->hand.game;
    if (!game->at)
        say(playing, "nothing to save yet");
    else
        save_game(playing, game);
}

/* Saves every game that is not; what fails stays unsaved, with a message. */
static void save_all(struct playing *playing) {
    for (size_t i = 0; i < playing->input->task_count; i++)
        if (playing->games[i] && !game_is_kept(playing->games[i]))
            save_game(playing, playing->games[i]);
}

static void go_next(struct playing *playing) {
    for (size_t i = playing->current + 1; i < playing->input->task_count; i++)
        if (go_to(playing, i)) {
            find_saved(playing, false);
            return;
        }
    say(playing, "this is the last one");
}

static void go_previous(struct playing *playing) {
    for (size_t i = playing->current; i-- > 0;)
        if (go_to(playing, i)) {
            find_saved(playing, false);
            return;
        }
    say(playing, "this is the first one");
}

static size_t count_unsaved(const struct playing *playing) {
    size_t count = 0;
    for (size_t i = 0; i < playing->input->task_count; i++)
        count += playing->games[i] && !game_is_kept(playing->games[i]);
    return count;
}

static void ask_to_quit(struct playing *playing) {
    size_t unsaved = count_unsaved(playing);
    playing->quit = !unsaved;
    playing->asking = unsaved;
    if (unsaved)
        say(playing, "%zu game%s not saved: s saves and quits, q quits, any other key goes on", unsaved,
            unsaved == 1 ? " is" : "s are");
}

static void answer(struct playing *playing, int key) {
    playing->asking = false;
    playing->lost = key == -1;
    if (key == 's')
        save_all(playing);
    playing->quit = key == -1 || key == 'q' || key == 'Q' || (key == 's' && !count_unsaved(playing));
}

/* ---- keys ---- */

static void undo(struct playing *playing) {
    if (!game_undo(playing->hand.game))
        say(playing, "this is the beginning");
}

static void redo(struct playing *playing) {
    if (!game_redo(playing->hand.game))
        say(playing, "nothing was taken back");
}

static void restart(struct playing *playing) { game_restart(playing->hand.game); }
static void lose_terminal(struct playing *playing) { playing->quit = playing->lost = true; }

static const struct binding {
    int key;
    void (*act)(struct playing *playing);
} bindings[] = {
    {'u', undo},        {127, undo},        {8, undo},          {'y', redo},           {'r', restart},
    {'?', ask_hint},    {'f', watch},       {'s', save},        {'c', continue_saved}, {'n', go_next},
    {'p', go_previous}, {'q', ask_to_quit}, {'Q', ask_to_quit}, {-1, lose_terminal},
};

static const struct {
    int key;
    enum control control;
} directions[] = {
    {KEY_UP, CONTROL_UP},       {'k', CONTROL_UP},    {KEY_LEFT, CONTROL_LEFT}, {'h', CONTROL_LEFT},
    {KEY_RIGHT, CONTROL_RIGHT}, {'l', CONTROL_RIGHT}, {KEY_DOWN, CONTROL_DOWN}, {'j', CONTROL_DOWN},
    {' ', CONTROL_ACT},         {'\n', CONTROL_ACT},  {'\r', CONTROL_ACT},
};

static void press_control(struct playing *playing, enum control control) {
    struct hand *hand = &playing->hand;
    const struct controls *controls = controls_of(hand->game);
    size_t at = hand->game->at;
    hand_drop_hint(hand);
    controls->press(hand, control);
    bool chosen = controls->suggest != NULL; /* moves are chosen with a cursor, and space plays them */
    if (chosen && control == CONTROL_ACT && hand->game->at == at && !hand->game->ended)
        say(playing, "this is not a legal move");
}

static void press(struct playing *playing, int key) {
    struct hand *hand = &playing->hand;
    bool enter = key == '\n' || key == '\r';
    if (enter && hand->hint_line) {
        play_hint(playing);
        return;
    }
    for (size_t i = 0; i < sizeof directions / sizeof *directions; i++)
        if (directions[i].key == key)
            press_control(playing, directions[i].control);
    for (size_t i = 0; i < sizeof bindings / sizeof *bindings; i++)
        if (bindings[i].key == key) {
            hand_drop_hint(hand);
            bindings[i].act(playing);
        }
}

static void act_on(struct playing *playing, int key) {
    if (key == KEY_REDRAW || key == KEY_NONE)
        return;
    playing->message[0] = 0;
    if (playing->asking)
        answer(playing, key);
    else
        press(playing, key);
}

/* ---- the end ---- */

/* All games are on the screen at least, to be copied from there. */
static void print_games(const struct playing *playing) {
    for (size_t i = 0; i < playing->input->task_count; i++) {
        const struct game *game = playing->games[i];
        if (!game || !game->at)
            continue;
        const char *name = game->task->chunk.name;
        printf("%d%s", game->task->id, *name ? " " : "");
        format_name(stdout, name, format_width(name));
        printf(": %s, %s:\n", game->ended ? "finished" : "unfinished", game_is_kept(game) ? "saved" : "not saved");
        console_whole(game->line, strlen(game->line));
        console_whole("\n", 1);
    }
    fflush(stdout);
}

static void close_games(struct playing *playing) {
    hand_close(&playing->hand);
    for (size_t i = 0; i < playing->input->task_count; i++)
        if (playing->games[i]) {
            game_close(playing->games[i]);
            free(playing->games[i]);
        }
    free(playing->games);
}

int playing_run(const struct cli *cli, const struct input *input, size_t first, const struct playing_rules *rules) {
    struct playing playing = {
        .cli = cli, .input = input, .rules = rules, .current = first, .hand.hinted = SOLOIST_NO_MOVE};
    playing.games = need_zeroed(input->task_count, sizeof *playing.games);
    fflush(stdout);
    if (!go_to(&playing, first)) {
        cli_complain("%s: %s", input->tasks[first].source->label, playing.message);
        close_games(&playing);
        return CLI_BAD;
    }
    if (!terminal_take(true)) {
        close_games(&playing);
        return -1;
    }
    find_saved(&playing, false);
    while (!playing.quit && !terminal_signal()) {
        draw(&playing);
        act_on(&playing, terminal_key(-1));
    }
    terminal_give_back();
    /* When the program is told to end, or the terminal is gone, nobody can be asked. */
    if (playing.lost || terminal_signal())
        save_all(&playing);
    if (*playing.message)
        printf("%s\n", playing.message);
    print_games(&playing);
    close_games(&playing);
    terminal_end_by_signal();
    return CLI_OK;
}
