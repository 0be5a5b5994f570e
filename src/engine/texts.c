/* Texts and pictures of states, moves and solutions, for programs that embed the library. */
#include "base/buffer.h"
#include "domain/picture/paint.h"
#include "domain/picture/svg.h"
#include "engine/board.h"
#include "engine/engine.h"
#include "soloist_tools.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void soloist_text_free(char *text) { free(text); }

char *soloist_state_text(const soloist_puzzle *puzzle, const void *state) {
    return engine_is_read(puzzle) && state ? board_state_text(puzzle, state) : NULL;
}

char *soloist_root_text(const soloist *engine, const soloist_puzzle *puzzle) {
    return engine && engine_is_read(puzzle) ? board_root_text(engine, puzzle) : NULL;
}

char *soloist_move_text(const soloist_puzzle *puzzle, const void *state, soloist_move move) {
    struct buffer text;
    if (!engine_is_read(puzzle) || !state)
        return NULL;
    buffer_open(&text);
    soloist_sink sink = buffer_sink(&text);
    puzzle->domain->text->move(puzzle->instance, state, move, &sink);
    return buffer_take(&text);
}

char *soloist_line_text(const soloist_puzzle *puzzle, const soloist_move *moves, size_t count) {
    struct buffer text;
    if (!engine_is_read(puzzle) || (!moves && count))
        return NULL;
    buffer_open(&text);
    soloist_sink sink = buffer_sink(&text);
    puzzle->domain->text->solution(puzzle->instance, moves, count, &sink);
    return buffer_take(&text);
}

/* Writes the scene as a document and closes the scene. NULL: no memory. */
static char *document(struct scene *scene, const soloist_puzzle *puzzle, size_t step, double step_s, double square) {
    struct buffer text;
    const char *title = *puzzle->chunk.name ? puzzle->chunk.name : puzzle->domain->name;
    buffer_open(&text);
    soloist_sink sink = buffer_sink(&text);
    bool whole = svg_document(scene, title, step, step_s, square, &sink);
    scene_close(scene);
    if (whole)
        return buffer_take(&text);
    buffer_close(&text);
    return NULL;
}

char *soloist_draw(const soloist *engine, const soloist_puzzle *puzzle, const void *state, double square) {
    struct scene scene;
    char *text = state ? soloist_state_text(puzzle, state) : soloist_root_text(engine, puzzle);
    if (!text)
        return NULL;
    paint_position(&scene, puzzle->domain->name, text);
    free(text);
    return document(&scene, puzzle, 0, 0, square);
}

/* ---- films ---- */

/* A line that is being played. */
struct play {
    soloist_puzzle puzzle; /* of the domain in whose moves solutions are shown */
    soloist_shape shape;
    soloist_move *moves, *legal;
    size_t count;
    void *state;
};

static void play_close(struct play *play) {
    free(play->moves);
    free(play->legal);
    free(play->state);
    soloist_puzzle_free(&play->puzzle);
}

/* Reads the line and goes to the first state. On failure there is nothing to close. */
static soloist_code play_open(struct play *play, const soloist *engine, const soloist_puzzle *puzzle,
                              const char *solution, size_t length, soloist_error *error) {
    *play = (struct play){0};
    soloist_code code = board_shown_puzzle(engine, puzzle, &play->puzzle, error);
    if (code != SOLOIST_OK)
        return code;
    const soloist_domain *domain = play->puzzle.domain;
    const soloist_instance *instance = play->puzzle.instance;
    errno = 0;
    long count = domain->text->read(instance, solution, length, NULL, 0, error);
    if (count < 0) {
        code = errno == ENOMEM ? SOLOIST_NO_MEMORY : SOLOIST_BAD_INPUT;
        play_close(play);
        return code;
    }
    play->count = (size_t)count;
    domain->life->shape(instance, &play->shape);
    play->moves = calloc(play->count + 1, sizeof *play->moves);
    play->legal = calloc((size_t)play->shape.most_moves + 1, sizeof *play->legal);
    play->state = malloc(play->shape.state_size + 1);
    if (!play->moves || !play->legal || !play->state ||
        domain->text->read(instance, solution, length, play->moves, play->count, error) != count) {
        play_close(play);
        return SOLOIST_NO_MEMORY;
    }
    domain->life->root(instance, play->state);
    return SOLOIST_OK;
}

/* Plays move number `index`, if it is legal. */
static bool play_on(struct play *play, size_t index, soloist_error *error) {
    const soloist_core *core = play->puzzle.domain->core;
    int count = core->moves(play->puzzle.instance, play->state, play->legal);
    for (int i = 0; i < count; i++)
        if (play->legal[i] == play->moves[index]) {
            core->apply(play->puzzle.instance, play->state, play->moves[index], NULL);
            return true;
        }
    return soloist_fail(error, 0, 0, "move %zu is not legal", index + 1);
}

/* Adds the position after move number `index` to the film; *text is the position before it, and becomes the one
 * after. */
static soloist_code film_step(struct play *play, struct scene *scene, size_t index, char **text, soloist_error *error) {
    char *move = soloist_move_text(&play->puzzle, play->state, play->moves[index]);
    soloist_code code = !move ? SOLOIST_NO_MEMORY : play_on(play, index, error) ? SOLOIST_OK : SOLOIST_BAD_INPUT;
    char *after = code == SOLOIST_OK ? board_state_text(&play->puzzle, play->state) : NULL;
    if (after)
        paint_step(scene, play->puzzle.domain->name, index + 1, *text, move, after);
    else if (code == SOLOIST_OK)
        code = SOLOIST_NO_MEMORY;
    free(move);
    free(*text);
    *text = after;
    return code;
}

soloist_code soloist_film(const soloist *engine, const soloist_puzzle *puzzle, const char *solution, size_t length,
                          double step_s, double square, char **film, soloist_error *error) {
    soloist_error spare;
    struct play play;
    struct scene scene;
    error = error ? error : &spare;
    *error = (soloist_error){0};
    if (film)
        *film = NULL;
    if (!film || !engine || !engine_is_read(puzzle) || (!solution && length)) {
        soloist_fail(error, 0, 0, "soloist_film needs an engine, a puzzle that was read, a solution and a film to set");
        return SOLOIST_MISUSE;
    }
    soloist_code code = play_open(&play, engine, puzzle, solution, length, error);
    if (code != SOLOIST_OK)
        return code;
    char *text = board_state_text(&play.puzzle, play.state);
    if (!text) {
        play_close(&play);
        return SOLOIST_NO_MEMORY;
    }
    paint_position(&scene, play.puzzle.domain->name, text);
    for (size_t i = 0; code == SOLOIST_OK && i < play.count; i++)
        code = film_step(&play, &scene, i, &text, error);
    free(text);
    if (code == SOLOIST_OK)
        *film = document(&scene, puzzle, SIZE_MAX, step_s, square);
    else
        scene_close(&scene);
    play_close(&play);
    return code == SOLOIST_OK && !*film ? SOLOIST_NO_MEMORY : code;
}
