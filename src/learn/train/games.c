#include "learn/train/games.h"

#include "base/buffer.h"
#include "base/decimal.h"
#include "base/hash.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- new instances ---- */

bool game_source_open(struct game_source *source, const soloist_domain *domain, const char *options,
                      const char *generate, uint64_t seed, soloist_error *error) {
    *source = (struct game_source){.domain = domain, .options = options, .seed = seed};
    if (!domain->generate)
        return true; /* there may be levels; otherwise game_source_make complains */
    source->wanted = calloc(1, domain->generate->options_size + 1);
    if (!source->wanted)
        return soloist_fail(error, 0, 0, "no memory for the generator");
    soloist_options_reset(domain->generate->options, source->wanted);
    if (soloist_options_parse(domain->generate->options, source->wanted, generate, error) == SOLOIST_OK)
        return true;
    game_source_close(source);
    return false;
}

/* Lists the levels of a text, which must live as long as the source. */
static bool list_levels(struct game_source *source, const char *text, size_t length, soloist_error *error) {
    soloist_cursor cursor = soloist_cursor_open(text, length);
    soloist_chunk chunk = {0};
    while (source->domain->life->next(&cursor, &chunk)) {
        if ((source->level_count & (source->level_count - 1)) == 0) { /* the room doubles at every power of two */
            size_t room = source->level_count ? source->level_count * 2 : 1;
            soloist_chunk *grown = realloc(source->levels, room * sizeof *grown);
            if (!grown)
                return soloist_fail(error, 0, 0, "no memory for levels");
            source->levels = grown;
        }
        source->levels[source->level_count++] = chunk;
    }
    return true;
}

static bool add_file(struct game_source *source, const char *path, soloist_error *error) {
    size_t length;
    struct game_levels *file = &source->files[source->file_count];
    file->text = buffer_read_file(path, &length);
    if (!file->text)
        return soloist_fail(error, 0, 0, "%.150s cannot be read: %s", path, strerror(errno));
    file->path = path;
    source->file_count++;
    bool good = list_levels(source, file->text, length, error);
    file->end = source->level_count;
    return good;
}

bool game_source_add_levels(struct game_source *source, const char *const *paths, double share, soloist_error *error) {
    size_t count = 0;
    bool good = true;
    while (paths[count])
        count++;
    source->levels_share = share;
    source->files = calloc(count + 1, sizeof *source->files);
    if (!source->files)
        return soloist_fail(error, 0, 0, "no memory for levels");
    for (size_t i = 0; good && i < count; i++)
        good = add_file(source, paths[i], error);
    return good && (source->level_count ||
                    soloist_fail(error, 0, 0, "the files of --levels have no level of %s", source->domain->name));
}

void game_source_close(struct game_source *source) {
    free(source->wanted);
    free(source->levels);
    for (size_t i = 0; i < source->file_count; i++)
        free(source->files[i].text);
    free(source->files);
    *source = (struct game_source){0};
}

bool game_puzzle_read(const soloist_domain *domain, const char *options, const char *text, size_t length,
                      soloist_puzzle *puzzle, soloist_error *error) {
    soloist_cursor cursor = soloist_cursor_open(text, length);
    soloist_chunk chunk = {0};
    if (!domain->life->next(&cursor, &chunk))
        return soloist_fail(error, 0, 0, "no instance of %s could be generated", domain->name);
    return soloist_puzzle_read(domain, options, &chunk, puzzle, error) == SOLOIST_OK;
}

/* Reads a level of a file. An error names the file and the place in it. */
static bool read_level(const struct game_source *source, size_t index, soloist_puzzle *puzzle, soloist_error *error) {
    const struct game_levels *file = source->files;
    const soloist_chunk *chunk = &source->levels[index];
    soloist_error why = {0};
    if (soloist_puzzle_read(source->domain, source->options, chunk, puzzle, &why) == SOLOIST_OK)
        return true;
    while (file->end <= index)
        file++;
    return soloist_fail(error, 0, 0, "%.90s:%d: %.150s", file->path, why.line ? why.line : chunk->line, why.text);
}

bool game_source_make(const struct game_source *source, uint64_t number, soloist_puzzle *puzzle, soloist_error *error) {
    soloist_rng rng;
    struct buffer text;
    soloist_rng_seed(&rng, source->seed, number);
    if (source->level_count &&
        (!source->wanted || source->levels_share >= 1 || soloist_rng_unit(&rng) < source->levels_share))
        return read_level(source, (size_t)(number % source->level_count), puzzle, error);
    if (!source->wanted)
        return soloist_fail(error, 0, 0, "%s has no generator", source->domain->name);
    buffer_open(&text);
    soloist_sink sink = buffer_sink(&text);
    bool made = source->domain->generate->make(source->wanted, &rng, &sink, error) == SOLOIST_OK;
    if (made && (text.failed || !text.text))
        made = soloist_fail(error, 0, 0, "no memory for an instance");
    made = made && game_puzzle_read(source->domain, source->options, text.text, text.length, puzzle, error);
    buffer_close(&text);
    return made;
}

/* ---- lines ---- */

void game_free(struct game *game) {
    soloist_puzzle_free(&game->puzzle);
    free(game->moves);
    *game = (struct game){0};
}

/* Writes the puzzle's first position as the BOARD of a line of the text file. */
static void write_board(const soloist_puzzle *puzzle, const soloist_sink *sink) {
    const soloist_domain *domain = puzzle->domain;
    soloist_shape shape = {0};
    struct buffer board;
    domain->life->shape(puzzle->instance, &shape);
    void *root = malloc(shape.state_size);
    if (!root)
        return;
    buffer_open(&board);
    soloist_sink into = buffer_sink(&board);
    domain->life->root(puzzle->instance, root);
    domain->text->print(puzzle->instance, root, &into);
    while (board.length && board.text[board.length - 1] == '\n')
        board.text[--board.length] = 0;
    for (size_t i = 0; i < board.length; i++)
        board.text[i] = board.text[i] == '\n' ? '|' : board.text[i];
    soloist_put(sink, board.text ? board.text : "");
    buffer_close(&board);
    free(root);
}

uint64_t game_hash(const soloist_puzzle *puzzle) {
    struct buffer board;
    buffer_open(&board);
    soloist_sink sink = buffer_sink(&board);
    write_board(puzzle, &sink);
    uint64_t hash = hash_bytes(board.text, board.length);
    buffer_close(&board);
    return hash;
}

void game_write(const soloist_puzzle *puzzle, const soloist_move *moves, size_t count, int32_t score,
                const soloist_sink *sink) {
    write_board(puzzle, sink);
    soloist_print(sink, "\t%d\t", (int)score);
    puzzle->domain->text->solution(puzzle->instance, moves, count, sink);
    soloist_put(sink, "\n");
}

static bool read_moves(struct game *game, const char *text, size_t length, soloist_error *error) {
    const soloist_text *notation = game->puzzle.domain->text;
    soloist_verdict verdict;
    if (!soloist_check(&game->puzzle, text, length, &verdict, error))
        return false;
    if (verdict.value != game->score)
        return soloist_fail(error, 0, 0, "the game's moves score %d, but its line of text says %d", (int)verdict.value,
                            (int)game->score);
    long count = notation->read(game->puzzle.instance, text, length, NULL, 0, error);
    if (count < 0)
        return false;
    game->moves = malloc(((size_t)count + 1) * sizeof *game->moves);
    game->count = (size_t)count;
    return game->moves ? notation->read(game->puzzle.instance, text, length, game->moves, game->count, error) == count
                       : soloist_fail(error, 0, 0, "no memory for a game");
}

bool game_read(const soloist_domain *domain, const char *options, const char *line, size_t length, struct game *game,
               soloist_error *error) {
    const char *end = line + length, *score = memchr(line, '\t', length);
    const char *moves = score ? memchr(score + 1, '\t', (size_t)(end - score - 1)) : NULL;
    *game = (struct game){0};
    if (!moves)
        return soloist_fail(error, 0, 0,
                            "a game's line must have three fields separated by tabs: board, score and moves");
    double value;
    if (!decimal_read(score + 1, (size_t)(moves - score - 1), &value) || value < INT32_MIN || value > INT32_MAX)
        return soloist_fail(error, 0, 0, "a game's score must be a whole number");
    size_t size = (size_t)(score - line);
    char *board = malloc(size + 2);
    if (!board)
        return soloist_fail(error, 0, 0, "no memory for a game");
    for (size_t i = 0; i < size; i++)
        board[i] = line[i] == '|' ? '\n' : line[i];
    memcpy(board + size, "\n", 2);
    game->score = (int32_t)value;
    bool good = game_puzzle_read(domain, options, board, size + 1, &game->puzzle, error);
    if (good && !read_moves(game, moves + 1, (size_t)(end - moves - 1), error)) {
        game_free(game);
        good = false;
    }
    free(board);
    return good;
}

/* ---- positions ---- */

bool game_values(const struct game *game, const struct returns *returns, float *values) {
    const soloist_puzzle *puzzle = &game->puzzle;
    soloist_shape shape = {0};
    int32_t so_far = 0;
    if (puzzle->domain->aim == SOLOIST_LEAST_COST)
        return returns_along(returns, puzzle, game->moves, game->count, values);
    puzzle->domain->life->shape(puzzle->instance, &shape);
    void *state = malloc(shape.state_size);
    if (!state)
        return false;
    puzzle->domain->life->root(puzzle->instance, state);
    for (size_t i = 0; i < game->count; i++) {
        values[i] = (float)(game->score - so_far);
        so_far += puzzle->domain->core->apply(puzzle->instance, state, game->moves[i], NULL);
    }
    free(state);
    return true;
}

bool game_samples(const struct samples *samples, const struct game *game, const struct returns *returns,
                  const bool *chosen, void *records) {
    const soloist_puzzle *puzzle = &game->puzzle;
    soloist_shape shape = {0};
    unsigned char *record = records;
    puzzle->domain->life->shape(puzzle->instance, &shape);
    void *state = malloc(shape.state_size);
    float *values = malloc((game->count + 1) * sizeof *values);
    bool good = state && values && game_values(game, returns, values);
    if (good)
        puzzle->domain->life->root(puzzle->instance, state);
    for (size_t i = 0; good && i < game->count; i++) {
        struct sample_target target = {game->moves[i], 1};
        if (!chosen || chosen[i]) {
            good = samples_write(samples, record, puzzle->instance, state, values[i], &target, 1);
            record += samples_record_size(samples);
        }
        puzzle->domain->core->apply(puzzle->instance, state, game->moves[i], NULL);
    }
    free(state);
    free(values);
    return good;
}
