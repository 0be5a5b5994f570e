/* Functions that only Sokoban has. Sokoban's two domains read the same files. Inertia and relevance cuts exist only for
 * the domain whose moves are pushes. */
#include "domain/sokoban/file/canonical.h"
#include "domain/sokoban/file/counts.h"
#include "domain/domain.h"
#include "domain/sokoban/sokoban.h"
#include "search/special/registry.h"
#include "base/buffer.h"
#include "search/special/sokoban/polish.h"
#include "search/special/sokoban/prove.h"
#include "search/special/sokoban/relevance.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool write_canonical(const soloist_chunk *chunk, bool walks, const soloist_sink *sink) {
    unsigned char bytes[SOKOBAN_CANONICAL_ROOM];
    struct sokoban_level level;
    struct sokoban_view view;
    if (!sokoban_level_parse(chunk, &level, NULL))
        return false;
    size_t length = (walks ? sokoban_canonical_moves : sokoban_canonical)(&level, bytes, &view);
    sink->write(sink->to, (const char *)bytes, length);
    return true;
}

static bool write_tidy(const soloist_chunk *chunk, const soloist_sink *sink) {
    struct sokoban_level level, tidy;
    if (!sokoban_level_parse(chunk, &level, NULL))
        return false;
    sokoban_level_tidy(&level, &tidy);
    sokoban_level_print(&tidy, sink);
    return true;
}

static bool carry(const soloist_chunk *from, const soloist_chunk *to, const char *solution, const soloist_sink *sink) {
    struct sokoban_level levels[2];
    return sokoban_level_parse(from, &levels[0], NULL) && sokoban_level_parse(to, &levels[1], NULL) &&
           sokoban_carry_solution(&levels[0], &levels[1], solution, strlen(solution), sink);
}

static bool write_space(const soloist_chunk *chunk, const soloist_sink *sink) {
    struct sokoban_level *level = malloc(sizeof *level);
    char digits[SOKOBAN_SPACE_ROOM];
    int squares, locking;
    bool good = level && sokoban_level_parse(chunk, level, NULL);
    if (good) {
        sokoban_space(level, &squares, &locking, digits, sizeof digits);
        soloist_put(sink, digits);
    }
    free(level);
    return good;
}

static soloist_code tell_reason(const soloist_puzzle *puzzle, const struct sokoban_explanation *why,
                                soloist_advice *advice, soloist_error *error) {
    struct sokoban_level *level = malloc(sizeof *level);
    struct buffer board;
    buffer_open(&board);
    soloist_sink sink = buffer_sink(&board);
    advice->outlook = SOLOIST_OUTLOOK_LOST;
    snprintf(advice->reason, sizeof advice->reason, "%s", sokoban_reason_name(why->reason));
    snprintf(advice->sentence, sizeof advice->sentence, "%s", sokoban_reason_text(why->reason));
    if (level && sokoban_level_parse(&puzzle->chunk, level, error)) {
        sokoban_level_print_stuck(level, why->stuck, &sink);
        advice->board = buffer_take(&board);
    }
    buffer_close(&board);
    free(level);
    return advice->board ? SOLOIST_OK : SOLOIST_NO_MEMORY;
}

static soloist_code explain(const soloist *engine, const soloist_puzzle *puzzle, bool quick,
                            const soloist_limits *limits, const soloist_callbacks *callbacks, soloist_advice *advice,
                            soloist_error *error) {
    struct proof *proof = malloc(sizeof *proof);
    if (!proof)
        return SOLOIST_NO_MEMORY;
    soloist_code code = prove_position(engine, puzzle, quick, limits, callbacks, proof, error);
    if (code == SOLOIST_OK) {
        advice->result = proof->result;
        if (proof->verdict == PROVE_ALIVE)
            advice->outlook = SOLOIST_OUTLOOK_ALIVE;
        else if (proof->verdict == PROVE_DEAD)
            code = tell_reason(puzzle, &proof->why, advice, error);
    }
    free(proof);
    return code;
}

/* Inertia (Junghanns and Schaeffer 2001; D7): pushes of the box that was pushed last come first. */
static int64_t moved_from(const soloist_instance *instance, soloist_move move) {
    (void)instance;
    return sokoban_push_box(move);
}

static int64_t moved_to(const soloist_instance *instance, soloist_move move) {
    return sokoban_push_end(sokoban_of(instance), move);
}

static const struct special_levels levels = {"pushes",
                                             sokoban_chunk_solution,
                                             sokoban_referee_any_case,
                                             write_canonical,
                                             write_tidy,
                                             carry,
                                             polish_solution,
                                             write_space,
                                             explain};
static const struct special_ida_star ida_star = {.moved_from = moved_from,
                                                 .moved_to = moved_to,
                                                 .relevance_open = relevance_open,
                                                 .relevance_close = relevance_close,
                                                 .relevant = relevance_cut};

static bool count_solution(const soloist_puzzle *puzzle, const char *solution, size_t length,
                           int64_t counts[SPECIAL_COUNTS]) {
    struct sokoban_counts found;
    (void)puzzle;
    if (!sokoban_count_text(solution, length, &found))
        return false;
    counts[SPECIAL_BOX_LINES] = found.box_lines;
    counts[SPECIAL_BOX_CHANGES] = found.box_changes;
    counts[SPECIAL_PUSHING_SESSIONS] = found.pushing_sessions;
    counts[SPECIAL_PLAYER_LINES] = found.player_lines;
    return true;
}

const struct special special_sokoban = {&sokoban_domain, &levels, &ida_star, count_solution, &special_sokoban_generate};
const struct special special_sokoban_moves = {&sokoban_moves_domain, &levels, NULL, count_solution,
                                              &special_sokoban_generate};
