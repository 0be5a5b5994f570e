#include "search/special/sokoban/hint.h"

#include <stdlib.h>

const char *hint_status_name(enum hint_status status) {
    static const char *const names[] = {"unknown", "hint", "solved", "dead"};
    return names[status];
}

/* Follows the solution's letters up to the first push, and stores that push in the hint. */
static void find_push(const struct sokoban_level *level, struct hint *hint) {
    int at = level->player;
    for (const char *letter = hint->result.solution; *letter; letter++) {
        int small = *letter | 32;
        at += small == 'l' ? -1 : small == 'r' ? 1 : small == 'u' ? -level->width : level->width;
        hint->letters++;
        if (*letter < 'a') {
            hint->column = at % level->width + 1;
            hint->row = at / level->width + 1;
            hint->direction = small == 'l' ? "left" : small == 'r' ? "right" : small == 'u' ? "up" : "down";
            return;
        }
    }
}

static soloist_code search_hint(const soloist *engine, const soloist_puzzle *puzzle, const char *method,
                                const soloist_limits *limits, const struct sokoban_level *level, struct hint *hint,
                                soloist_error *error) {
    soloist_code code = soloist_solve(engine, puzzle, method, limits, NULL, &hint->result, error);
    if (code == SOLOIST_OK && hint->result.status == SOLOIST_IMPOSSIBLE) {
        hint->status = HINT_DEAD;
        hint->why.reason = SOKOBAN_EXHAUSTED;
    } else if (code == SOLOIST_OK && hint->result.solution) {
        hint->status = *hint->result.solution ? HINT_PUSH : HINT_SOLVED;
        find_push(level, hint);
    }
    return code;
}

soloist_code hint_find(const soloist *engine, const soloist_puzzle *puzzle, const char *method,
                       const soloist_limits *limits, struct hint *hint, soloist_error *error) {
    struct sokoban_level *level = malloc(sizeof *level);
    soloist_code code = SOLOIST_OK;
    soloist_limits left = limits ? *limits : (soloist_limits){0};
    *hint = (struct hint){0};
    if (!level)
        code = SOLOIST_NO_MEMORY;
    else if (!sokoban_level_parse(&puzzle->chunk, level, error))
        code = SOLOIST_BAD_INPUT;
    else if (!prove_examine(level, &left, &hint->why))
        code = SOLOIST_NO_MEMORY;
    else if (hint->why.reason != SOKOBAN_NOT_KNOWN_DEAD)
        hint->status = HINT_DEAD;
    else
        code = search_hint(engine, puzzle, method, &left, level, hint, error);
    free(level);
    return code;
}

const char *proof_status_name(const struct proof *proof, const struct sokoban_level *level) {
    bool solved = true;
    for (int i = 0; i < level->width * level->height; i++)
        solved &= !(level->cells[i] & SOKOBAN_BOX) || level->cells[i] & SOKOBAN_GOAL;
    return solved                          ? "solved"
           : proof->verdict == PROVE_DEAD  ? "dead"
           : proof->verdict == PROVE_ALIVE ? "alive"
                                           : "unknown";
}
