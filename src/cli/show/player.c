/* The animation. Keys are rows of a table; at every change the whole screen is redrawn from its upper left corner. */
#include "cli/show/player.h"
#include "base/buffer.h"
#include "cli/shell/need.h"
#include "cli/shell/terminal.h"

#include <stdlib.h>
#include <string.h>

struct player {
    const struct player_view *view;
    size_t step;
    double delay_s;
    bool paused, quit;
};

static void toggle_pause(struct player *player) {
    if (player->paused && player->step == player->view->show->count)
        player->step = 0;
    player->paused = !player->paused;
}

static void step_on(struct player *player) {
    player->paused = true;
    player->step += player->step < player->view->show->count;
}

static void step_back(struct player *player) {
    player->paused = true;
    player->step -= player->step > 0;
}

static void go_first(struct player *player) { player->paused = true, player->step = 0; }
static void go_last(struct player *player) { player->paused = true, player->step = player->view->show->count; }
static void faster(struct player *player) { player->delay_s = player->delay_s > 0.01 ? player->delay_s / 1.5 : 0.01; }
static void slower(struct player *player) { player->delay_s = player->delay_s < 5 ? player->delay_s * 1.5 : 5; }
static void quit(struct player *player) { player->quit = true; }

static const struct binding {
    int key;
    void (*act)(struct player *player);
} bindings[] = {
    {' ', toggle_pause}, {'n', step_on},        {KEY_RIGHT, step_on}, {KEY_DOWN, step_on},   {'p', step_back},
    {KEY_UP, step_back}, {KEY_LEFT, step_back}, {KEY_HOME, go_first}, {KEY_END_OF, go_last}, {'+', faster},
    {'=', faster},       {'-', slower},         {'q', quit},          {'Q', quit},           {-1, quit},
};

static void act_on(struct player *player, int key) {
    for (size_t i = 0; i < sizeof bindings / sizeof *bindings; i++)
        if (bindings[i].key == key)
            bindings[i].act(player);
}

static void put_position(const struct player_view *view, size_t step, const soloist_sink *sink) {
    char *text = show_text(view->show, step);
    draw_position(&view->style, view->show->puzzle.domain->name, text, sink);
    free(text);
}

static void put_heading(const struct player_view *view, size_t step, const soloist_sink *sink) {
    char move[64];
    show_move(view->show, step, move, sizeof move);
    soloist_print(sink, "%s%s%zu of %zu%s%s\n", view->title, *view->title ? ": " : "", step, view->show->count,
                  *move ? ", next " : ", end", move);
}

/* Prints as many lines as fit; each erases the rest of its row. */
static void put_screen(const struct buffer *frame, int rows) {
    struct buffer screen;
    buffer_open(&screen);
    soloist_sink sink = buffer_sink(&screen);
    soloist_put(&sink, "\033[H\033[?7l");
    const char *line = frame->text;
    for (int row = 1; line && *line && row < rows; row++) {
        size_t length = strcspn(line, "\n");
        soloist_print(&sink, "%.*s\033[0m\033[K\r\n", (int)length, line);
        line += length + (line[length] == '\n');
    }
    soloist_put(&sink, "\033[J\033[?7h");
    need_whole(&screen);
    fwrite(screen.text, 1, screen.length, stdout);
    fflush(stdout);
    buffer_close(&screen);
}

static void draw(const struct player *player) {
    struct buffer frame;
    int columns, rows;
    buffer_open(&frame);
    soloist_sink sink = buffer_sink(&frame);
    put_heading(player->view, player->step, &sink);
    soloist_put(&sink, player->paused ? "paused: space continues, arrows or n p step, q quits\n\n"
                                      : "space pauses, arrows or n p step, + - speed, q quits\n\n");
    put_position(player->view, player->step, &sink);
    need_whole(&frame);
    terminal_size(&columns, &rows);
    put_screen(&frame, rows);
    buffer_close(&frame);
}

bool player_run(const struct player_view *view) {
    struct player player = {.view = view, .delay_s = view->delay_s};
    fflush(stdout);
    if (!terminal_take())
        return false;
    while (!player.quit) {
        draw(&player);
        int key = terminal_key(player.paused ? -1 : player.delay_s);
        if (key != KEY_NONE)
            act_on(&player, key);
        else if (!player.paused && player.step < view->show->count)
            player.step++;
        else
            player.paused = true, player.quit = view->once;
    }
    terminal_give_back();
    soloist_sink sink = cli_sink(stdout);
    put_heading(view, player.step, &sink);
    put_position(view, player.step, &sink);
    return true;
}

void player_print(const struct player_view *view, bool all) {
    enum { FRAMES = 6 };
    soloist_sink sink = cli_sink(stdout);
    size_t count = view->show->count;
    size_t frames = all || count + 1 <= FRAMES ? count + 1 : FRAMES;
    for (size_t i = 0; i < frames; i++) {
        size_t step = frames > 1 ? i * count / (frames - 1) : 0;
        put_heading(view, step, &sink);
        put_position(view, step, &sink);
        soloist_put(&sink, "\n");
    }
}
