#include "cli/show/game.h"
#include "base/buffer.h"
#include "base/options.h"
#include "cli/shell/need.h"
#include "engine/board.h"
#include "search/special/registry.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static char *state_at(const struct game *game, size_t step) { return game->states + step * game->shape.state_size; }

static char *line_text(const struct game *game) {
    struct buffer text;
    buffer_open(&text);
    soloist_sink sink = buffer_sink(&text);
    game->shown.domain->text->solution(game->shown.instance, game->moves, game->at, &sink);
    return need(buffer_take(&text));
}

soloist_code game_position(const struct game *game, soloist_puzzle *position, soloist_error *error) {
    soloist_cursor cursor = soloist_cursor_open(game->text, strlen(game->text));
    soloist_code code;
    char *options = need(options_changed_text(game->solved.domain->options, game->solved.options));
    bool found = soloist_next_puzzle(game->solved.domain, options, &cursor, position, &code, error);
    free(options);
    if (found)
        return code;
    soloist_fail(error, 0, 0, "the position cannot be read again");
    return SOLOIST_INTERNAL;
}

/* Whether the position differs from the one judged last in more than the player's square: walking loses nothing. */
static bool has_changed(struct game *game) {
    char *text = need_text(game->text, strlen(game->text));
    for (char *at = text; special_levels(game->solved.domain) && *at; at++)
        *at = *at == '@' ? ' ' : *at == '+' ? '.' : *at;
    bool changed = !game->judged || strcmp(game->judged, text) != 0;
    free(game->judged);
    game->judged = text;
    return changed;
}

/* The quick rules: a warning that comes at once, or none. */
static void judge(struct game *game) {
    soloist_puzzle position;
    soloist_error error = {0};
    if (!has_changed(game))
        return;
    soloist_advice_free(&game->told);
    if (game->ended || game->shown.domain->players > 1 ||
        need_code(game_position(game, &position, &error)) != SOLOIST_OK)
        return;
    need_code(soloist_explain(game->cli->engine, &position, true, NULL, NULL, &game->told, &error));
    soloist_puzzle_free(&position);
}

/* Works out everything that depends on the position. */
static void look(struct game *game) {
    const soloist_core *core = game->shown.domain->core;
    const void *state = state_at(game, game->at);
    int32_t last = 0;
    free(game->text);
    free(game->line);
    game->text = need(board_state_text(&game->shown, state));
    game->line = line_text(game);
    game->ended = core->ended(game->shown.instance, state, &last);
    game->value = game->sums[game->at] + (game->ended ? last : 0);
    game->legal_count = game->ended ? 0 : core->moves(game->shown.instance, state, game->legal);
    judge(game);
}

bool game_open(struct game *game, const struct cli *cli, const struct input *input, const struct task *task,
               soloist_error *error) {
    *game = (struct game){.cli = cli, .task = task};
    if (need_code(input_puzzle(input, task, &game->solved, error)) != SOLOIST_OK)
        return false;
    if (need_code(board_shown_puzzle(cli->engine, &game->solved, &game->shown, error)) != SOLOIST_OK) {
        soloist_puzzle_free(&game->solved);
        return false;
    }
    game->shown.domain->life->shape(game->shown.instance, &game->shape);
    game->legal = need_zeroed((size_t)game->shape.most_moves + 1, sizeof *game->legal);
    game->room = 64;
    game->moves = need_zeroed(game->room, sizeof *game->moves);
    game->sums = need_zeroed(game->room + 1, sizeof *game->sums);
    game->states = need_zeroed(game->room + 1, game->shape.state_size);
    game->shown.domain->life->root(game->shown.instance, game->states);
    look(game);
    return true;
}

void game_close(struct game *game) {
    soloist_advice_free(&game->told);
    soloist_puzzle_free(&game->shown);
    soloist_puzzle_free(&game->solved);
    free(game->moves);
    free(game->sums);
    free(game->states);
    free(game->legal);
    free(game->text);
    free(game->line);
    free(game->judged);
    free(game->kept);
}

static bool is_legal(const struct game *game, soloist_move move) {
    for (int i = 0; i < game->legal_count; i++)
        if (game->legal[i] == move)
            return true;
    return false;
}

static void grow(struct game *game) {
    if (game->at < game->room)
        return;
    game->room *= 2;
    game->moves = need_resized(game->moves, game->room, sizeof *game->moves);
    game->sums = need_resized(game->sums, game->room + 1, sizeof *game->sums);
    game->states = need_resized(game->states, game->room + 1, game->shape.state_size);
}

bool game_play(struct game *game, soloist_move move) {
    if (!is_legal(game, move))
        return false;
    if (game->at < game->count && game->moves[game->at] == move)
        return game_redo(game);
    grow(game);
    char *before = state_at(game, game->at), *after = state_at(game, game->at + 1);
    memcpy(after, before, game->shape.state_size);
    int32_t step = game->shown.domain->core->apply(game->shown.instance, after, move, NULL);
    game->moves[game->at] = move;
    game->sums[game->at + 1] = game->sums[game->at] + step;
    game->count = ++game->at;
    look(game);
    return true;
}

bool game_undo(struct game *game) {
    if (!game->at)
        return false;
    game->at--;
    look(game);
    return true;
}

bool game_redo(struct game *game) {
    if (game->at == game->count)
        return false;
    game->at++;
    look(game);
    return true;
}

void game_restart(struct game *game) {
    game->at = 0;
    free(game->judged); /* the boxes may be where they are now, but the player elsewhere */
    game->judged = NULL;
    look(game);
}

bool game_read_line(const struct game *game, const char *line, soloist_move **moves, size_t *count,
                    soloist_error *error) {
    soloist_puzzle position, shown;
    if (need_code(game_position(game, &position, error)) != SOLOIST_OK)
        return false;
    soloist_code code = need_code(board_shown_puzzle(game->cli->engine, &position, &shown, error));
    soloist_puzzle_free(&position);
    if (code != SOLOIST_OK)
        return false;
    const soloist_text *text = shown.domain->text;
    size_t length = strlen(line);
    errno = 0;
    long found = text->read(shown.instance, line, length, NULL, 0, error);
    need_no_failure(found >= 0);
    *count = found > 0 ? (size_t)found : 0;
    *moves = need_zeroed(*count + 1, sizeof **moves);
    bool good = found >= 0 && text->read(shown.instance, line, length, *moves, *count, error) == found;
    need_no_failure(good);
    soloist_puzzle_free(&shown);
    if (!good)
        free(*moves);
    return good;
}

bool game_follow(struct game *game, const char *line, soloist_error *error) {
    soloist_move *moves;
    size_t count;
    if (!game_read_line(game, line, &moves, &count, error))
        return false;
    bool good = true;
    for (size_t i = 0; good && i < count; i++)
        good = game_play(game, moves[i]) || soloist_fail(error, 0, 0, "move %zu is not legal", i + 1);
    free(moves);
    return good;
}

int32_t game_step(const struct game *game, soloist_move move) {
    void *state = need_bytes(game->shape.state_size + 1);
    memcpy(state, state_at(game, game->at), game->shape.state_size);
    int32_t step = game->shown.domain->core->apply(game->shown.instance, state, move, NULL);
    free(state);
    return step;
}

char *game_move_text(const struct game *game, soloist_move move) {
    struct buffer text;
    buffer_open(&text);
    soloist_sink sink = buffer_sink(&text);
    game->shown.domain->text->move(game->shown.instance, state_at(game, game->at), move, &sink);
    return need(buffer_take(&text));
}

bool game_is_kept(const struct game *game) { return !game->at || (game->kept && !strcmp(game->kept, game->line)); }

void game_keep(struct game *game) {
    free(game->kept);
    game->kept = need_text(game->line, strlen(game->line));
}
