/* One instance with its domain, options and text, and the referee that replays a solution's text on it. */
#include "domain/domain.h"
#include "domain/validate.h"
#include "engine/engine.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Copies the text and sets the options. Returns another code than SOLOIST_OK if memory runs out or an option is
 * wrong. */
static soloist_code puzzle_prepare(soloist_puzzle *puzzle, const char *options, const soloist_chunk *chunk,
                                   soloist_error *error) {
    const soloist_domain *domain = puzzle->domain;
    puzzle->options = calloc(1, domain->options_size ? domain->options_size : 1);
    puzzle->text = malloc(chunk->length + 1);
    if (!puzzle->options || !puzzle->text) {
        soloist_fail(error, 0, 0, "no memory for an instance of %s", domain->name);
        return SOLOIST_NO_MEMORY;
    }
    if (chunk->length)
        memcpy(puzzle->text, chunk->text, chunk->length);
    puzzle->text[chunk->length] = 0;
    puzzle->chunk = *chunk;
    puzzle->chunk.text = puzzle->text;
    soloist_options_reset(domain->options, puzzle->options);
    return soloist_options_parse(domain->options, puzzle->options, options, error);
}

soloist_code soloist_puzzle_read(const soloist_domain *domain, const char *options, const soloist_chunk *chunk,
                                 soloist_puzzle *puzzle, soloist_error *error) {
    return soloist_puzzle_read_within(domain, options, chunk, NULL, puzzle, error);
}

/* If a parser fails although the text may be right, it can say so only by errno. */
static soloist_code parse(soloist_puzzle *puzzle, soloist_stop_token *stop, soloist_error *error) {
    const soloist_work work = {.stop = stop, .threads = 1};
    soloist_fail(error, puzzle->chunk.line, 0, "not an instance of %s", puzzle->domain->name);
    errno = 0;
    puzzle->instance = domain_parse(puzzle->domain, &puzzle->chunk, puzzle->options, &work, error);
    if (puzzle->instance)
        return SOLOIST_OK;
    return errno == ENOMEM ? SOLOIST_NO_MEMORY : errno == ECANCELED ? SOLOIST_STOPPED : SOLOIST_BAD_INPUT;
}

/* Searches allocate by the shape, so an instance whose shape makes no sense is not opened. */
static soloist_code check_shape(const soloist_puzzle *puzzle, soloist_error *error) {
    soloist_shape shape = {0};
    puzzle->domain->life->shape(puzzle->instance, &shape);
    const char *fault = domain_shape_fault(puzzle->domain, &shape);
    if (!fault)
        return SOLOIST_OK;
    soloist_fail(error, puzzle->chunk.line, 0, "the shape of %s is wrong: %s", puzzle->domain->name, fault);
    return SOLOIST_INTERNAL;
}

soloist_code soloist_puzzle_read_within(const soloist_domain *domain, const char *options, const soloist_chunk *chunk,
                                        soloist_stop_token *stop, soloist_puzzle *puzzle, soloist_error *error) {
    soloist_error spare;
    if (!error)
        error = &spare;
    if (puzzle)
        *puzzle = (soloist_puzzle){.domain = domain};
    if (!domain || !chunk || !puzzle || (chunk->length && !chunk->text)) {
        soloist_fail(error, 0, 0, "soloist_puzzle_read needs a domain, a chunk of text and a puzzle to fill");
        return SOLOIST_MISUSE;
    }
    if (!engine_domain_is_complete(domain)) {
        soloist_fail(error, 0, 0, "the domain's table is an earlier one: pass what soloist_find_domain returns");
        return SOLOIST_MISUSE;
    }
    soloist_code code = puzzle_prepare(puzzle, options, chunk, error);
    if (code == SOLOIST_OK)
        code = parse(puzzle, stop, error);
    if (code == SOLOIST_OK)
        code = check_shape(puzzle, error);
    if (code != SOLOIST_OK)
        soloist_puzzle_free(puzzle);
    else
        *error = (soloist_error){0};
    return code;
}

void soloist_puzzle_free(soloist_puzzle *puzzle) {
    if (!puzzle)
        return;
    if (puzzle->instance)
        puzzle->domain->life->destroy(puzzle->instance);
    free(puzzle->options);
    free(puzzle->text);
    *puzzle = (soloist_puzzle){0};
}

bool soloist_next_puzzle(const soloist_domain *domain, const char *options, soloist_cursor *cursor,
                         soloist_puzzle *puzzle, soloist_code *code, soloist_error *error) {
    soloist_chunk chunk = {0};
    soloist_code spare;
    code = code ? code : &spare;
    *code = SOLOIST_MISUSE;
    if (!domain || !cursor || !puzzle)
        return soloist_fail(error, 0, 0, "soloist_next_puzzle needs a domain, a cursor and a puzzle to fill");
    *puzzle = (soloist_puzzle){.domain = domain};
    if (!domain->life->next(cursor, &chunk))
        return false;
    *code = soloist_puzzle_read(domain, options, &chunk, puzzle, error);
    return true;
}

bool soloist_validate(const soloist_puzzle *puzzle, uint64_t seed, int walks, int steps, soloist_error *error) {
    soloist_error spare;
    error = error ? error : &spare;
    if (!engine_is_read(puzzle) || walks < 0 || steps < 0)
        return soloist_fail(error, 0, 0, "soloist_validate needs a puzzle that was read");
    return domain_validate(puzzle->domain, puzzle, seed, walks, steps, error);
}

static bool move_is_legal(const soloist_puzzle *puzzle, const void *state, soloist_move move, soloist_move *list) {
    int count = puzzle->domain->core->moves(puzzle->instance, state, list);
    for (int i = 0; i < count; i++)
        if (list[i] == move)
            return true;
    return false;
}

/* Plays the moves by the core group, after checking that each is legal. state and list are scratch space of the
 * caller. */
static bool replay_moves(const soloist_puzzle *puzzle, const soloist_move *moves, long count, void *state,
                         soloist_move *list, soloist_verdict *verdict, soloist_error *error) {
    const soloist_core *core = puzzle->domain->core;
    const soloist_instance *instance = puzzle->instance;
    int64_t sum = 0;
    int32_t last = 0;
    puzzle->domain->life->root(instance, state);
    for (long i = 0; i < count; i++) {
        if (!move_is_legal(puzzle, state, moves[i], list))
            return soloist_fail(error, 0, 0, "move %ld is not legal", i + 1);
        sum += core->apply(instance, state, moves[i], NULL);
    }
    if (!core->ended(instance, state, &last))
        return soloist_fail(error, 0, 0, "the %s is not reached after %ld moves",
                            puzzle->domain->aim == SOLOIST_LEAST_COST ? "goal" : "end", count);
    sum += last;
    if (sum > INT32_MAX || sum < INT32_MIN)
        return soloist_fail(error, 0, 0, "the value does not fit in 32 bits");
    *verdict = (soloist_verdict){(int32_t)sum, count, -1};
    return true;
}

/* The referee for a domain that does not provide one. */
static bool replay_text(const soloist_puzzle *puzzle, const char *solution, size_t length, soloist_verdict *verdict,
                        soloist_error *error) {
    const soloist_text *text = puzzle->domain->text;
    soloist_shape shape = {0};
    puzzle->domain->life->shape(puzzle->instance, &shape);
    long count = text->read(puzzle->instance, solution, length, NULL, 0, error);
    if (count < 0)
        return false;
    soloist_move *moves = malloc(((size_t)count + 1) * sizeof *moves);
    soloist_move *list = malloc(((size_t)shape.most_moves + 1) * sizeof *list);
    void *state = malloc(shape.state_size + 1);
    bool fits = moves && list && state;
    bool good = fits && text->read(puzzle->instance, solution, length, moves, (size_t)count, error) == count &&
                replay_moves(puzzle, moves, count, state, list, verdict, error);
    if (!fits)
        soloist_fail(error, 0, 0, "no memory to replay a solution");
    free(moves);
    free(list);
    free(state);
    return good;
}

bool soloist_check(const soloist_puzzle *puzzle, const char *solution, size_t length, soloist_verdict *verdict,
                   soloist_error *error) {
    soloist_error spare_error;
    soloist_verdict spare_verdict;
    if (!error)
        error = &spare_error;
    if (!verdict)
        verdict = &spare_verdict;
    *error = (soloist_error){0};
    *verdict = (soloist_verdict){0, 0, -1};
    if (!engine_is_read(puzzle) || (!solution && length))
        return soloist_fail(error, 0, 0, "soloist_check needs a puzzle that was read and a solution's text");
    if (!solution)
        solution = "";
    const soloist_text *text = puzzle->domain->text;
    if (text->referee)
        return text->referee(&puzzle->chunk, puzzle->options, solution, length, verdict, error);
    return replay_text(puzzle, solution, length, verdict, error);
}
