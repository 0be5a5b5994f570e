/* A candidate begins as an instance that the generator draws from the candidate's random stream. If the instance does
 * not fit and the domain can vary instances, the instance is changed step by step: a random change is kept if the
 * changed instance misses the bands by no more than before. The changes end when the instance fits, or after a long
 * series of changes without improvement. */
#include "engine/grade_candidate.h"
#include "base/buffer.h"
#include "engine/board.h"
#include "engine/make.h"
#include "search/special/registry.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    PATIENCE = 100, /* changes in a row that make nothing better, until a candidate is given up */
    LEAST_EXPANSIONS = 1000,
    HARDER_BY = 8,         /* a change that makes an instance harder by more than this factor is refused */
    SHORTEN_NODES = 20000, /* for a solution with fewer moves */
    DEAD_END_STATES = 200000
};

/* What is known about an instance. miss: by how much it is outside the bands; 0: it fits. */
struct attempt {
    char *text;
    char *solution;
    struct measures measures;
    double miss;
};

static void attempt_free(struct attempt *attempt) {
    free(attempt->text);
    free(attempt->solution);
    *attempt = (struct attempt){0};
}

void grade_level_free(struct grade_level *level) {
    canonical_form_free(&level->form);
    free(level->board);
    free(level->solution);
    *level = (struct grade_level){0};
}

/* Whether the instance may be changed until it fits. */
static bool varies(const struct grade_candidate *candidate) {
    return special_generate(candidate->domain) && !candidate->grade->unchanged;
}

static bool stopped(const struct grade_candidate *candidate) { return stop_token_is_stopped(candidate->stop); }

/* ---- measuring ---- */

/* Measures are looked at in this order: what is cheap first. Those of a later stage count only if those before fit. */
static const enum measure stages[][6] = {
    {MEASURE_SYMMETRY, MEASURES},
    {MEASURE_COST, MEASURE_EFFORT, MEASURE_PUSHES, MEASURES},
    {MEASURE_PUSHES, MEASURE_MOVES, MEASURE_BOX_LINES, MEASURE_BOX_CHANGES, MEASURE_SESSIONS, MEASURE_PLAYER_LINES},
    {MEASURE_BRANCHING, MEASURE_DEAD_ENDS, MEASURES},
};
enum { STAGE_BOARD, STAGE_SOLVED, STAGE_SOLUTION, STAGE_POSITIONS, STAGES };
enum { STAGE_WEIGHT = 1000 }; /* no miss within a stage is as large */

/* Sets the miss of the stage; returns whether the instance fits so far. */
static bool passes(const struct measure_bands *bands, struct attempt *attempt, int stage) {
    double miss = 0;
    for (int i = 0; i < 6 && stages[stage][i] != MEASURES; i++)
        miss += measure_miss(bands, &attempt->measures, stages[stage][i]);
    attempt->miss = miss > 0 ? miss + (STAGES - stage) * STAGE_WEIGHT : 0;
    return !(miss > 0);
}

/* Solves by A*, which may expand at most `expansions` states. False if it does not get to the end. */
static bool solve(struct grade_candidate *candidate, const soloist_puzzle *puzzle, double expansions,
                  struct attempt *attempt) {
    char method[64];
    soloist_result result = {0};
    soloist_limits limits = {.memory = (size_t)4 << 30, .stop = candidate->stop};
    snprintf(method, sizeof method, "astar:expansions=%" PRIu64, (uint64_t)expansions);
    candidate->code = soloist_solve(candidate->engine, puzzle, method, &limits, NULL, &result, &candidate->error);
    int64_t least = varies(candidate); /* changes must not end at an instance that is solved already */
    bool solved = candidate->code == SOLOIST_OK && result.status == SOLOIST_SOLVED && result.optimal &&
                  result.verdict.value >= least;
    if (solved) {
        attempt->solution = result.solution;
        result.solution = NULL;
        measures_set(&attempt->measures, MEASURE_COST, result.verdict.value);
        measures_set(&attempt->measures, MEASURE_EFFORT, (double)result.expanded);
        measures_set(&attempt->measures, MEASURE_MOVES, (double)result.verdict.moves);
        if (result.verdict.pushes >= 0)
            measures_set(&attempt->measures, MEASURE_PUSHES, (double)result.verdict.pushes);
    }
    soloist_result_free(&result);
    return solved;
}

/* Replaces the solution by one of the same least cost that has fewer moves (or pushes, if the cost counts moves), if
 * one is found, and counts it. */
static void shorten(struct grade_candidate *candidate, const soloist_puzzle *puzzle, struct attempt *attempt) {
    const struct special_levels *levels = special_levels(puzzle->domain);
    struct polish_result polished;
    soloist_limits limits = {.nodes = SHORTEN_NODES, .stop = candidate->stop};
    soloist_error error;
    bool pushes = attempt->measures.known[MEASURE_PUSHES];
    soloist_verdict verdict = {.moves = (int64_t)attempt->measures.value[MEASURE_MOVES],
                               .pushes = pushes ? (int64_t)attempt->measures.value[MEASURE_PUSHES] : -1};
    bool counts_pushes = attempt->measures.value[MEASURE_COST] == attempt->measures.value[MEASURE_PUSHES];
    soloist_code code = levels ? levels->polish(puzzle, attempt->solution, strlen(attempt->solution),
                                                counts_pushes ? POLISH_PUSHES_MOVES : POLISH_MOVES_PUSHES, &limits,
                                                NULL, &polished, &error)
                               : SOLOIST_UNSUPPORTED;
    if (code == SOLOIST_NO_MEMORY)
        candidate->code = code;
    if (code == SOLOIST_OK) {
        free(attempt->solution);
        attempt->solution = polished.solution;
        verdict = polished.after;
    }
    if (!measure_solution(puzzle, attempt->solution, &verdict, &attempt->measures))
        candidate->code = SOLOIST_NO_MEMORY;
}

/* Takes all measures, stage by stage, until one misses its band. False if the instance has no solution within reach. */
static bool measure_puzzle(struct grade_candidate *candidate, const soloist_puzzle *puzzle, double expansions,
                           struct attempt *attempt) {
    bool banded = measure_is_banded(&candidate->bands, MEASURE_SYMMETRY);
    if (banded && !measure_board(puzzle, &attempt->measures))
        return false;
    if (!passes(&candidate->bands, attempt, STAGE_BOARD))
        return true;
    if (!solve(candidate, puzzle, expansions, attempt))
        return false;
    if (!passes(&candidate->bands, attempt, STAGE_SOLVED))
        return true;
    shorten(candidate, puzzle, attempt);
    if (candidate->code != SOLOIST_OK || !passes(&candidate->bands, attempt, STAGE_SOLUTION))
        return candidate->code == SOLOIST_OK;
    candidate->code =
        measure_positions(puzzle, attempt->solution, DEAD_END_STATES, candidate->stop, &attempt->measures);
    passes(&candidate->bands, attempt, STAGE_POSITIONS);
    return candidate->code == SOLOIST_OK && measure_board(puzzle, &attempt->measures);
}

/* Reads attempt->text and measures it. The puzzle stays open only if the instance fits. */
static bool measure_text(struct grade_candidate *candidate, double expansions, struct attempt *attempt,
                         soloist_puzzle *puzzle) {
    soloist_cursor cursor = soloist_cursor_open(attempt->text, strlen(attempt->text));
    soloist_chunk chunk;
    if (!candidate->domain->life->next(&cursor, &chunk))
        return false;
    candidate->code = soloist_puzzle_read_within(candidate->domain, candidate->grade->reading, &chunk, candidate->stop,
                                                 puzzle, &candidate->error);
    if (candidate->code != SOLOIST_OK)
        return false;
    bool measured = measure_puzzle(candidate, puzzle, expansions, attempt);
    if (!measured || attempt->miss > 0)
        soloist_puzzle_free(puzzle);
    return measured;
}

/* ---- changing ---- */

/* The least number of expansions that shows whether a change is an improvement. */
static double expansions_for(const struct grade_candidate *candidate, const struct attempt *attempt) {
    double most = candidate->bands.most[MEASURE_EFFORT], effort = attempt->measures.value[MEASURE_EFFORT];
    double enough = effort * HARDER_BY > LEAST_EXPANSIONS ? effort * HARDER_BY : LEAST_EXPANSIONS;
    return effort > most ? effort : enough < most ? enough : most;
}

static char *draw_text(struct grade_candidate *candidate, soloist_rng *rng, bool quickly) {
    const struct special_generate *special = special_generate(candidate->domain);
    struct buffer text;
    buffer_open(&text);
    soloist_sink sink = buffer_sink(&text);
    candidate->code =
        quickly ? special->draw(candidate->options, true, rng, candidate->stop, &sink, &candidate->error)
                : make_draw(candidate->domain, candidate->options, rng, candidate->stop, &sink, &candidate->error);
    char *made = candidate->code == SOLOIST_OK ? buffer_take(&text) : NULL;
    if (candidate->code == SOLOIST_OK && !made)
        candidate->code = SOLOIST_NO_MEMORY;
    buffer_close(&text);
    return made;
}

/* A changed copy of the text; NULL: the change that was drawn is not possible, or memory ran out (candidate->code). */
static char *vary_text(struct grade_candidate *candidate, const char *text, soloist_rng *rng) {
    soloist_cursor cursor = soloist_cursor_open(text, strlen(text));
    soloist_chunk chunk;
    struct buffer changed;
    buffer_open(&changed);
    soloist_sink sink = buffer_sink(&changed);
    char *made = NULL;
    if (candidate->domain->life->next(&cursor, &chunk) &&
        special_generate(candidate->domain)->vary(candidate->options, &chunk, rng, &sink) &&
        !(made = buffer_take(&changed)))
        candidate->code = SOLOIST_NO_MEMORY;
    buffer_close(&changed);
    return made;
}

/* Tries one change; returns whether it made the attempt better. */
static bool change(struct grade_candidate *candidate, struct attempt *attempt, soloist_rng *rng,
                   soloist_puzzle *puzzle) {
    struct attempt changed = {.text = vary_text(candidate, attempt->text, rng)};
    double before = attempt->miss;
    if (!changed.text)
        return false;
    bool measured = measure_text(candidate, expansions_for(candidate, attempt), &changed, puzzle);
    if (measured && changed.miss <= attempt->miss) {
        struct attempt old = *attempt;
        *attempt = changed;
        changed = old;
    }
    attempt_free(&changed);
    return attempt->miss < before;
}

static void change_until_it_fits(struct grade_candidate *candidate, struct attempt *attempt, soloist_rng *rng,
                                 soloist_puzzle *puzzle) {
    for (int vain = 0; attempt->miss > 0 && vain < PATIENCE && candidate->code == SOLOIST_OK && !stopped(candidate);)
        vain = change(candidate, attempt, rng, puzzle) ? 0 : vain + 1;
}

/* ---- keeping ---- */

/* The board as it will be written; a domain may leave out parts that no move can reach. NULL if memory runs out. */
static char *tidy_board(const struct grade_candidate *candidate, const soloist_puzzle *puzzle) {
    const struct special_levels *levels = special_levels(puzzle->domain);
    struct buffer text;
    buffer_open(&text);
    soloist_sink sink = buffer_sink(&text);
    if (levels && levels->tidy(&puzzle->chunk, &sink))
        return buffer_take(&text);
    buffer_close(&text);
    return board_root_text(candidate->engine, puzzle);
}

/* Two instances with the same form are duplicates. Instances that were changed until they fit are duplicates even if
 * they differ only in where the pieces start. */
static soloist_code find_form(const struct grade_candidate *candidate, const soloist_puzzle *puzzle,
                              struct grade_level *level) {
    soloist_code code = candidate->grade->unchanged
                            ? canonical_form_read(puzzle->domain, &puzzle->chunk, false, &level->form)
                            : canonical_form_room(puzzle->domain, &puzzle->chunk, &level->form);
    return code == SOLOIST_OK && !level->form.bytes ? canonical_form_of_text(level->board, &level->form) : code;
}

static void keep(struct grade_candidate *candidate, const soloist_puzzle *puzzle, struct attempt *attempt) {
    struct grade_level *level = &candidate->level;
    *level = (struct grade_level){.board = tidy_board(candidate, puzzle),
                                  .solution = attempt->solution,
                                  .measures = attempt->measures,
                                  .candidate = candidate->number};
    attempt->solution = NULL;
    candidate->code = level->board ? find_form(candidate, puzzle, level) : SOLOIST_NO_MEMORY;
    candidate->verdict = GRADE_FITS;
}

/* A code that ends the run, as opposed to one that concerns this candidate alone. */
static void settle(struct grade_candidate *candidate) {
    if (candidate->code != SOLOIST_OK)
        candidate->verdict = GRADE_BROKEN;
    if (stopped(candidate))
        candidate->verdict = GRADE_STOPPED;
    if (candidate->verdict != GRADE_FITS)
        grade_level_free(&candidate->level);
}

void grade_candidate_make(struct grade_candidate *candidate) {
    bool changes = varies(candidate);
    struct attempt attempt = {0};
    soloist_puzzle puzzle;
    soloist_rng rng;
    soloist_rng_seed(&rng, candidate->grade->seed, candidate->number);
    attempt.text = draw_text(candidate, &rng, changes);
    if (!attempt.text) {
        candidate->verdict = candidate->code == SOLOIST_NO_MEMORY ? GRADE_BROKEN
                             : candidate->code == SOLOIST_STOPPED ? GRADE_STOPPED
                                                                  : GRADE_FAILED;
        return;
    }
    double most = candidate->bands.most[MEASURE_EFFORT];
    if (!measure_text(candidate, changes ? most * HARDER_BY : most, &attempt, &puzzle)) {
        candidate->verdict = GRADE_HARD;
    } else {
        if (changes)
            change_until_it_fits(candidate, &attempt, &rng, &puzzle);
        candidate->verdict = GRADE_OUTSIDE;
        if (!(attempt.miss > 0)) {
            keep(candidate, &puzzle, &attempt);
            soloist_puzzle_free(&puzzle);
        }
    }
    settle(candidate);
    attempt_free(&attempt);
}
