#include "learn/train/games.h"

#include "base/buffer.h"

#include <stdlib.h>
#include <string.h>

/* ---- new instances ---- */

bool game_source_open(struct game_source *source, const soloist_domain *domain, const char *options,
                      const char *generate, uint64_t seed, soloist_error *error) {
    *source = (struct game_source){.domain = domain, .options = options, .seed = seed};
    if (!domain->generate)
        return soloist_fail(error, 0, 0, "%s has no generator", domain->name);
    source->wanted = calloc(1, domain->generate->options_size + 1);
    if (!source->wanted)
        return soloist_fail(error, 0, 0, "no memory for the generator");
    soloist_options_reset(domain->generate->options, source->wanted);
    if (soloist_options_parse(domain->generate->options, source->wanted, generate, error) == SOLOIST_OK)
        return true;
    game_source_close(source);
    return false;
}

void game_source_close(struct game_source *source) {
    free(source->wanted);
    source->wanted = NULL;
}

bool game_puzzle_read(const soloist_domain *domain, const char *options, const char *text, size_t length,
                      soloist_puzzle *puzzle, soloist_error *error) {
    soloist_cursor cursor = soloist_cursor_open(text, length);
    soloist_chunk chunk = {0};
    if (!domain->life->next(&cursor, &chunk))
        return soloist_fail(error, 0, 0, "no instance of %s could be generated", domain->name);
    return soloist_puzzle_read(domain, options, &chunk, puzzle, error) == SOLOIST_OK;
}

bool game_source_make(const struct game_source *source, uint64_t number, soloist_puzzle *puzzle, soloist_error *error) {
    soloist_rng rng;
    struct buffer text;
    buffer_open(&text);
    soloist_sink sink = buffer_sink(&text);
    soloist_rng_seed(&rng, source->seed, number);
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

void game_write(const soloist_puzzle *puzzle, const soloist_move *moves, size_t count, int32_t score,
                const soloist_sink *sink) {
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
    soloist_print(sink, "%s\t%d\t", board.text ? board.text : "", (int)score);
    domain->text->solution(puzzle->instance, moves, count, sink);
    soloist_put(sink, "\n");
    buffer_close(&board);
    free(root);
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
    size_t size = (size_t)(score - line);
    char *board = malloc(size + 2);
    if (!board)
        return soloist_fail(error, 0, 0, "no memory for a game");
    for (size_t i = 0; i < size; i++)
        board[i] = line[i] == '|' ? '\n' : line[i];
    memcpy(board + size, "\n", 2);
    game->score = (int32_t)strtol(score + 1, NULL, 10);
    bool good = game_puzzle_read(domain, options, board, size + 1, &game->puzzle, error);
    if (good && !read_moves(game, moves + 1, (size_t)(end - moves - 1), error)) {
        game_free(game);
        good = false;
    }
    free(board);
    return good;
}

/* ---- positions ---- */

void game_samples(const struct samples *samples, const soloist_puzzle *puzzle, const soloist_move *moves, size_t count,
                  int32_t score, void *state, void *records) {
    unsigned char *record = records;
    int32_t so_far = 0;
    puzzle->domain->life->root(puzzle->instance, state);
    for (size_t i = 0; i < count; i++, record += samples_record_size(samples)) {
        struct sample_target target = {moves[i], 1};
        samples_write(samples, record, puzzle->instance, state, (float)(score - so_far), &target, 1);
        so_far += puzzle->domain->core->apply(puzzle->instance, state, moves[i], NULL);
    }
}
