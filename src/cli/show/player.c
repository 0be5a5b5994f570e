/* The animation. Keys are rows of a table; at every change the whole screen is redrawn from its upper left corner. */
#include "cli/show/player.h"
#include "cli/shell/need.h"
#include "cli/shell/terminal.h"
#include "cli/show/stage.h"

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
    draw_position(&view->style, view->show->puzzle.domain->name, text, NULL, sink);
    free(text);
}

static void put_heading(const struct player_view *view, size_t step, const soloist_sink *sink) {
    char move[64];
    show_move(view->show, step, move, sizeof move);
    soloist_print(sink, "%s%s%zu of %zu%s%s\n", view->title, *view->title ? ": " : "", step, view->show->count,
                  *move ? ", next " : ", end", move);
}

static void draw(const struct player *player) {
    const struct show *show = player->view->show;
    struct stage stage;
    struct buffer heading;
    stage_open(&stage, player->view->style.utf8);
    buffer_open(&heading);
    soloist_sink sink = buffer_sink(&heading);
    put_heading(player->view, player->step, &sink);
    need_whole(&heading);
    heading.text[heading.length - 1] = 0;
    stage_say(&stage, &stage.above, heading.text);
    stage_say(&stage, &stage.above,
              player->paused ? "paused: space continues, arrows or n p step, q quits"
                             : "space pauses, arrows or n p step, + - speed, q quits");
    stage_say(&stage, &stage.above, "");
    buffer_close(&heading);
    char *text = show_text(show, player->step);
    int x = 0, y = 0;
    text_find(text, "@+", &x, &y); /* Sokoban: the view follows the player */
    stage_draw(&stage, &player->view->style, show->puzzle.domain->name, text, NULL, x, y);
    free(text);
    stage_show(&stage);
}

void player_loop(const struct player_view *view, size_t *step) {
    struct player player = {.view = view, .delay_s = view->delay_s};
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
    *step = player.step;
}

bool player_run(const struct player_view *view) {
    size_t step;
    fflush(stdout);
    if (!terminal_take(false))
        return false;
    player_loop(view, &step);
    terminal_give_back();
    soloist_sink sink = cli_sink(stdout);
    put_heading(view, step, &sink);
    put_position(view, step, &sink);
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
