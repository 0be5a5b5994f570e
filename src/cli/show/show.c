#include "cli/show/show.h"
#include "base/buffer.h"
#include "cli/shell/need.h"
#include "engine/board.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool read_moves(struct show *show, const char *solution, soloist_error *error) {
    const soloist_puzzle *puzzle = &show->puzzle;
    size_t length = strlen(solution);
    errno = 0;
    long count = puzzle->domain->text->read(puzzle->instance, solution, length, NULL, 0, error);
    need_no_failure(count >= 0);
    if (count < 0)
        return false;
    show->count = (size_t)count;
    show->moves = need_zeroed(show->count, sizeof *show->moves);
    bool again =
        puzzle->domain->text->read(puzzle->instance, solution, length, show->moves, show->count, error) == count;
    need_no_failure(again);
    return again;
}

static bool is_legal(const struct show *show, const void *state, soloist_move move, soloist_move *moves) {
    int count = show->puzzle.domain->core->moves(show->puzzle.instance, state, moves);
    for (int i = 0; i < count; i++)
        if (moves[i] == move)
            return true;
    return false;
}

static bool play_moves(struct show *show, soloist_error *error) {
    const soloist_puzzle *puzzle = &show->puzzle;
    soloist_shape shape = {0};
    puzzle->domain->life->shape(puzzle->instance, &shape);
    show->state_size = shape.state_size;
    show->states = need_zeroed(show->count + 1, shape.state_size);
    soloist_move *legal = need_zeroed((size_t)shape.most_moves + 1, sizeof *legal);
    bool good = true;
    puzzle->domain->life->root(puzzle->instance, show->states);
    for (size_t i = 0; good && i < show->count; i++) {
        char *before = show->states + i * shape.state_size, *after = before + shape.state_size;
        if (!is_legal(show, before, show->moves[i], legal)) {
            good = soloist_fail(error, 0, 0, "move %zu is not legal", i + 1);
        } else {
            memcpy(after, before, shape.state_size);
            puzzle->domain->core->apply(puzzle->instance, after, show->moves[i], NULL);
        }
    }
    free(legal);
    return good;
}

bool show_open(const struct cli *cli, const soloist_puzzle *puzzle, const char *solution, struct show *show,
               soloist_error *error) {
    *show = (struct show){0};
    /* A domain may be solved in larger moves (pushes) than are shown (steps). It then names the domain whose steps are
     * shown. */
    if (need_code(board_shown_puzzle(cli->engine, puzzle, &show->puzzle, error)) == SOLOIST_OK &&
        read_moves(show, solution, error) && play_moves(show, error))
        return true;
    show_close(show);
    return false;
}

void show_close(struct show *show) {
    if (show->puzzle.instance)
        soloist_puzzle_free(&show->puzzle);
    free(show->moves);
    free(show->states);
    *show = (struct show){0};
}

const void *show_state(const struct show *show, size_t step) { return show->states + step * show->state_size; }

char *show_text(const struct show *show, size_t step) {
    return need(board_state_text(&show->puzzle, show_state(show, step)));
}

void show_move(const struct show *show, size_t step, char *out, size_t room) {
    struct buffer text;
    *out = 0;
    if (step >= show->count)
        return;
    buffer_open(&text);
    soloist_sink sink = buffer_sink(&text);
    show->puzzle.domain->text->move(show->puzzle.instance, show_state(show, step), show->moves[step], &sink);
    need_whole(&text);
    snprintf(out, room, "%s", text.text ? text.text : "");
    buffer_close(&text);
}
