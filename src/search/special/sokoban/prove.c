#include "search/special/sokoban/prove.h"

#include "base/budget.h"
#include "base/buffer.h"
#include "domain/domain.h"

#include <stdlib.h>
#include <string.h>

#define LEAST_S 0.001 /* a search with less time says that its time is over */

struct prover {
    const soloist *engine;
    soloist_limits limits;
    double start_s; /* when the search began */
    struct sokoban_level level, room;
};

/* Sets *limits to the prover's limits with the time that is left. False: no time is left, or the call was cancelled. */
static bool limits_left(const struct prover *prover, soloist_limits *limits) {
    *limits = prover->limits;
    if (limits->time_s > 0)
        limits->time_s -= clock_seconds() - prover->start_s;
    return (prover->limits.time_s <= 0 || limits->time_s > 0) && !stop_token_is_stopped(limits->stop);
}

static void open_token(soloist_stop_token *within, const soloist_limits *limits) {
    stop_token_open(within, limits->stop);
    if (limits->time_s > 0)
        soloist_stop_token_deadline(within, limits->time_s);
}

bool prove_examine(const struct sokoban_level *level, soloist_limits *limits, struct sokoban_explanation *why) {
    soloist_stop_token within;
    double start_s = clock_seconds();
    open_token(&within, limits);
    bool good = sokoban_explain(level, &within, why);
    double left_s = limits->time_s - (clock_seconds() - start_s);
    if (limits->time_s > 0)
        limits->time_s = left_s > LEAST_S ? left_s : LEAST_S;
    return good;
}

/* Whether A* proves that there is no solution even if only the marked boxes are on the board. */
static bool is_dead_with(struct prover *prover, const uint8_t *boxes) {
    struct buffer text;
    soloist_puzzle puzzle;
    soloist_result result = {0};
    soloist_error error;
    soloist_limits limits;
    bool dead = false;
    if (!limits_left(prover, &limits))
        return false;
    sokoban_level_keep(&prover->level, boxes, &prover->room);
    buffer_open(&text);
    soloist_sink sink = buffer_sink(&text);
    sokoban_level_print(&prover->room, &sink);
    soloist_chunk chunk = {.text = text.text, .length = text.length, .line = 1};
    soloist_stop_token within;
    open_token(&within, &limits);
    if (text.text && !text.failed &&
        soloist_puzzle_read_within(&sokoban_domain, NULL, &chunk, &within, &puzzle, &error) == SOLOIST_OK) {
        dead = soloist_solve(prover->engine, &puzzle, "astar", &limits, NULL, &result, &error) == SOLOIST_OK &&
               result.status == SOLOIST_IMPOSSIBLE;
        soloist_result_free(&result);
        soloist_puzzle_free(&puzzle);
    }
    buffer_close(&text);
    return dead;
}

static void take_away(struct prover *prover, struct sokoban_explanation *why) {
    const struct sokoban_level *level = &prover->level;
    why->reason = SOKOBAN_EXHAUSTED;
    why->count = level->boxes;
    for (int i = 0; i < level->width * level->height; i++)
        why->stuck[i] = (level->cells[i] & SOKOBAN_BOX) != 0;
    for (int i = 0; i < level->width * level->height && why->count > 1; i++) {
        if (!why->stuck[i])
            continue;
        why->stuck[i] = 0;
        if (is_dead_with(prover, why->stuck))
            why->count--;
        else
            why->stuck[i] = 1;
    }
}

static soloist_code search_for_proof(struct prover *prover, const soloist_puzzle *puzzle,
                                     const soloist_callbacks *callbacks, struct proof *proof, soloist_error *error) {
    prover->start_s = clock_seconds();
    soloist_code code =
        soloist_solve(prover->engine, puzzle, "auto", &prover->limits, callbacks, &proof->result, error);
    if (code != SOLOIST_OK)
        return code;
    if (proof->result.status == SOLOIST_SOLVED) {
        proof->verdict = PROVE_ALIVE;
    } else if (proof->result.status == SOLOIST_IMPOSSIBLE) {
        proof->verdict = PROVE_DEAD;
        take_away(prover, &proof->why);
    }
    return code;
}

soloist_code prove_position(const soloist *engine, const soloist_puzzle *puzzle, bool quick,
                            const soloist_limits *limits, const soloist_callbacks *callbacks, struct proof *proof,
                            soloist_error *error) {
    struct prover *prover = calloc(1, sizeof *prover);
    *proof = (struct proof){.result = {.status = SOLOIST_UNSOLVED, .verdict.pushes = -1}};
    soloist_code code = SOLOIST_NO_MEMORY;
    if (!prover)
        return code;
    prover->engine = engine;
    prover->limits = *limits;
    if (!sokoban_level_parse(&puzzle->chunk, &prover->level, error)) {
        code = SOLOIST_BAD_INPUT;
    } else if (prove_examine(&prover->level, &prover->limits, &proof->why)) {
        code = SOLOIST_OK;
        if (proof->why.reason != SOKOBAN_NOT_KNOWN_DEAD)
            proof->verdict = PROVE_DEAD;
        else if (!quick)
            code = search_for_proof(prover, puzzle, callbacks, proof, error);
    }
    free(prover);
    return code;
}
