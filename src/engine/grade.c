/* Candidate number i is generated from random stream i of the seed. A* solves each candidate optimally; the least cost
 * and the number of states expanded (the effort) measure its difficulty. A candidate is kept if both numbers lie in the
 * wanted ranges and no candidate kept before is equal to it up to symmetry. With `graded`, the range of efforts is
 * divided into steps of equal ratio, and each step gets the same number of instances. The clock decides only when to
 * stop, never which candidates are kept. */
#include "engine/grade.h"
#include "base/budget.h"
#include "base/buffer.h"
#include "base/real.h"
#include "engine/board.h"
#include "engine/solutions.h"
#include "search/special/registry.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_STEPS = 50, NODES_PER_EFFORT = 40, MOST_FAILURES = 50, SHORTEN_NODES = 200000 };
static const uint64_t hardest = 1000000; /* greatest effort if no limit is given */

struct grading {
    const soloist *engine;
    const soloist_domain *domain;
    const void *options;
    const struct grade *grade;
    const struct grade_callbacks *callbacks;
    struct grade_result *result;
    size_t steps, left[MOST_STEPS]; /* with `graded`: how many instances each step still needs */
    double start_s;
};

bool grade_wanted(const struct grade *grade) {
    return grade->graded || grade->least_cost || grade->most_cost || grade->least_effort || grade->most_effort;
}

static uint64_t most_effort(const struct grade *grade) { return grade->most_effort ? grade->most_effort : hardest; }

static void open_steps(struct grading *grading) {
    size_t count = grading->grade->count;
    grading->steps = !grading->grade->graded ? 1 : count < MOST_STEPS ? count : MOST_STEPS;
    for (size_t i = 0; i < grading->steps; i++)
        grading->left[i] = count * (i + 1) / grading->steps - count * i / grading->steps;
}

static size_t step_of(const struct grading *grading, uint64_t effort) {
    double least = (double)(grading->grade->least_effort ? grading->grade->least_effort : 1);
    double span = real_log((double)most_effort(grading->grade) / least);
    size_t step = span > 0 ? (size_t)(real_log((double)effort / least) / span * (double)grading->steps) : 0;
    return step < grading->steps ? step : grading->steps - 1;
}

/* ---- one candidate ---- */

/* The candidate's text; the caller frees it. */
static soloist_code make_text(const struct grading *grading, char **made, soloist_error *error) {
    struct buffer text;
    soloist_rng rng;
    buffer_open(&text);
    soloist_sink sink = buffer_sink(&text);
    soloist_rng_seed(&rng, grading->grade->seed, grading->result->candidates);
    soloist_code code = grading->domain->generate->make(grading->options, &rng, &sink, error);
    *made = NULL;
    if (code == SOLOIST_OK && !(*made = buffer_take(&text)))
        code = SOLOIST_NO_MEMORY;
    buffer_close(&text);
    return code;
}

/* The board as it will be written; a domain may leave out parts that no move can reach. NULL if memory runs out. */
static char *tidy_board(const struct grading *grading, const soloist_puzzle *puzzle) {
    const struct special_levels *levels = special_levels(puzzle->domain);
    struct buffer text;
    buffer_open(&text);
    soloist_sink sink = buffer_sink(&text);
    if (levels && levels->tidy(&puzzle->chunk, &sink))
        return buffer_take(&text);
    buffer_close(&text);
    return board_root_text(grading->engine, puzzle);
}

/* Replaces the solution by one of the same least cost that has fewer moves, if one is found. */
static soloist_code shorten(const soloist_puzzle *puzzle, struct grade_level *level) {
    const struct special_levels *levels = special_levels(puzzle->domain);
    struct polish_result result;
    soloist_limits limits = {.nodes = SHORTEN_NODES};
    soloist_error error;
    if (!levels)
        return SOLOIST_OK;
    soloist_code code = levels->polish(puzzle, level->solution, strlen(level->solution), POLISH_PUSHES_MOVES, &limits,
                                       NULL, &result, &error);
    if (code == SOLOIST_OK) {
        free(level->solution);
        level->solution = result.solution;
        level->moves = result.after.moves;
    }
    return code == SOLOIST_NO_MEMORY ? code : SOLOIST_OK;
}

/* A canonical form makes symmetric boards equal; if the domain has none, boards are compared as texts. */
static soloist_code find_form(const soloist_puzzle *puzzle, struct grade_level *level) {
    soloist_code code = canonical_form_read(puzzle->domain, &puzzle->chunk, false, &level->form);
    return code == SOLOIST_OK && !level->form.bytes ? canonical_form_of_text(level->board, &level->form) : code;
}

static bool is_known(const struct grade_result *result, const struct grade_level *level) {
    for (size_t i = 0; i < result->count; i++)
        if (canonical_form_equal(&result->levels[i].form, &level->form))
            return true;
    return false;
}

static void level_free(struct grade_level *level) {
    canonical_form_free(&level->form);
    free(level->board);
    free(level->solution);
}

/* Whether cost and effort lie in the wanted ranges; if not, adds 1 to the counter for the reason. */
static bool fits(struct grading *grading, const soloist_result *result) {
    const struct grade *grade = grading->grade;
    uint64_t cost = (uint64_t)result->verdict.value;
    bool proved = result->status == SOLOIST_SOLVED && result->optimal;
    if (!proved || result->expanded > most_effort(grade) || (grade->most_cost && cost > grade->most_cost))
        return grading->result->hard++, false;
    if (!cost || result->expanded < grade->least_effort || cost < grade->least_cost ||
        (grade->graded && !grading->left[step_of(grading, result->expanded)]))
        return grading->result->easy++, false;
    return true;
}

static soloist_code keep(struct grading *grading, const soloist_puzzle *puzzle, soloist_result *solved) {
    struct grade_result *result = grading->result;
    struct grade_level level = {.board = tidy_board(grading, puzzle),
                                .solution = solved->solution,
                                .cost = solved->verdict.value,
                                .moves = solved->verdict.moves,
                                .effort = solved->expanded,
                                .candidate = result->candidates - 1};
    solved->solution = NULL;
    soloist_code code = level.board ? find_form(puzzle, &level) : SOLOIST_NO_MEMORY;
    bool known = code == SOLOIST_OK && is_known(result, &level);
    result->equal += known;
    if (code == SOLOIST_OK && !known)
        code = shorten(puzzle, &level);
    if (code != SOLOIST_OK || known)
        return level_free(&level), code;
    grading->left[step_of(grading, level.effort)] -= grading->grade->graded;
    result->levels[result->count++] = level;
    return SOLOIST_OK;
}

/* Solves the candidate and keeps it if it fits. */
static soloist_code look_at_puzzle(struct grading *grading, const soloist_puzzle *puzzle, soloist_error *error) {
    soloist_result solved = {0};
    soloist_limits limits = {.nodes = most_effort(grading->grade) * NODES_PER_EFFORT,
                             .memory = (size_t)4 << 30,
                             .stop = grading->callbacks->stop};
    soloist_code code = soloist_solve(grading->engine, puzzle, "astar", &limits, NULL, &solved, error);
    if (code == SOLOIST_OK && fits(grading, &solved))
        code = keep(grading, puzzle, &solved);
    soloist_result_free(&solved);
    return code;
}

static soloist_code look_at_candidate(struct grading *grading, soloist_error *error) {
    soloist_puzzle puzzle;
    soloist_chunk chunk;
    char *text;
    soloist_code code = make_text(grading, &text, error);
    grading->result->candidates++;
    if (code == SOLOIST_NO_MEMORY)
        return code;
    /* A size that was chosen at random may be impossible; this is an error only if all sizes are impossible. */
    if (code != SOLOIST_OK)
        return grading->result->candidates > ++grading->result->failed || grading->result->failed < MOST_FAILURES
                   ? SOLOIST_OK
                   : code;
    soloist_cursor cursor = soloist_cursor_open(text, strlen(text));
    code = grading->domain->life->next(&cursor, &chunk)
               ? soloist_puzzle_read(grading->domain, NULL, &chunk, &puzzle, error)
               : SOLOIST_BAD_INPUT;
    if (code == SOLOIST_OK) {
        code = look_at_puzzle(grading, &puzzle, error);
        soloist_puzzle_free(&puzzle);
    }
    free(text);
    return code;
}

/* ---- all candidates ---- */

static bool is_over(const struct grading *grading) {
    soloist_stop_token *stop = grading->callbacks->stop;
    double limit = grading->grade->time_s;
    return grading->result->count == grading->grade->count || stop_token_is_stopped(stop) ||
           (limit > 0 && clock_seconds() - grading->start_s >= limit);
}

static int by_effort(const void *a, const void *b) {
    const struct grade_level *x = a, *y = b;
    if (x->effort != y->effort)
        return x->effort < y->effort ? -1 : 1;
    if (x->cost != y->cost)
        return x->cost < y->cost ? -1 : 1;
    return x->candidate < y->candidate ? -1 : 1;
}

static soloist_code check_wish(const soloist_domain *domain, const struct grade *grade, soloist_error *error) {
    if (domain->aim != SOLOIST_LEAST_COST || !domain->bound) {
        soloist_fail(error, 0, 0, "%s does not minimise a cost with a bound, so difficulty cannot be proved",
                     domain->name);
        return SOLOIST_UNSUPPORTED;
    }
    if ((grade->most_cost && grade->most_cost < grade->least_cost) || most_effort(grade) < grade->least_effort) {
        soloist_fail(error, 0, 0, "the upper limit is below the lower one");
        return SOLOIST_MISUSE;
    }
    return SOLOIST_OK;
}

soloist_code grade_make(const soloist *engine, const soloist_domain *domain, const void *options,
                        const struct grade *grade, const struct grade_callbacks *callbacks, struct grade_result *result,
                        soloist_error *error) {
    struct grading grading = {engine, domain, options, grade, callbacks, result, .start_s = clock_seconds()};
    *result = (struct grade_result){0};
    soloist_code code = check_wish(domain, grade, error);
    if (code != SOLOIST_OK)
        return code;
    result->levels = calloc(grade->count ? grade->count : 1, sizeof *result->levels);
    if (!result->levels)
        return SOLOIST_NO_MEMORY;
    open_steps(&grading);
    while (code == SOLOIST_OK && !is_over(&grading)) {
        code = look_at_candidate(&grading, error);
        result->time_s = clock_seconds() - grading.start_s;
        if (callbacks->progress)
            callbacks->progress(callbacks->user, result);
    }
    if (grade->graded)
        qsort(result->levels, result->count, sizeof *result->levels, by_effort);
    return code;
}

void grade_free(struct grade_result *result) {
    for (size_t i = 0; i < result->count; i++)
        level_free(&result->levels[i]);
    free(result->levels);
    *result = (struct grade_result){0};
}

/* ---- the file ---- */

static void write_board(const char *board, const soloist_sink *sink) {
    soloist_put(sink, board);
    if (*board && board[strlen(board) - 1] != '\n')
        soloist_put(sink, "\n");
}

void grade_write(const soloist_domain *domain, const struct grade_result *result, const char *words,
                 const soloist_sink *sink) {
    const struct special_levels *levels = special_levels(domain);
    soloist_put(sink, "; ");
    soloist_put(sink, words);
    soloist_print(sink, "\n; %zu of %" PRIu64 " candidates; effort: states that A* expands to prove the optimum\n",
                  result->count, result->candidates);
    for (size_t i = 0; i < result->count; i++) {
        const struct grade_level *level = &result->levels[i];
        soloist_print(sink, "\n; %zu: %" PRId64 " %s, %" PRId64 " moves, effort %" PRIu64 "\n", i + 1, level->cost,
                      levels ? levels->cost : "cost", level->moves, level->effort);
        if (levels) {
            soloist_put(sink, "\n");
            solutions_write_collection(level->board, NULL, level->solution, sink);
        } else {
            write_board(level->board, sink);
        }
    }
}
