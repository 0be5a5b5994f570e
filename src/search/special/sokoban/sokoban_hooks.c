/* Sokoban's hooks. Its two domains read the same files. */
#include "domain/sokoban/file/canonical.h"
#include "search/special/hooks.h"
#include "search/special/sokoban/polish.h"

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

static soloist_code shorten(const soloist_puzzle *puzzle, const char *solution, uint64_t nodes, char **shorter,
                            int64_t *moves) {
    struct polish_result result;
    soloist_error error;
    soloist_limits limits = {.nodes = nodes};
    soloist_code code =
        polish_solution(puzzle, solution, strlen(solution), POLISH_PUSHES_MOVES, &limits, NULL, &result, &error);
    if (code == SOLOIST_OK) {
        *shorter = result.solution;
        *moves = result.after.moves;
    }
    return code;
}

#define HOOKS(name)                                                                                                    \
    { name, "pushes", sokoban_chunk_solution, sokoban_referee_any_case, write_canonical, write_tidy, carry, shorten }
const struct hooks sokoban_hooks = HOOKS("sokoban");
const struct hooks sokoban_moves_hooks = HOOKS("sokoban-moves");
