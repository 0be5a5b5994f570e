/* The order in which the techniques are applied. Runs (consecutive pushes of one box) are reordered first, because this
 * is fast and saves most of the player's walks. Then windows are searched, small ones first; then runs are reordered
 * again, and the vicinity is searched. The sizes of the first round were tuned on 28 solutions of XSokoban, with limits
 * of 10,000 to 100,000 states. If a round finds no improvement, the next round may use four times as many states. If
 * pushes matter more than moves, only pushes are minimised at the beginning: then the player's exact square does not
 * matter, and there are far fewer positions. */
#include "search/special/sokoban/polish_line.h"

#include "base/buffer.h"
#include "domain/domain.h"
#include "search/special/registry.h"

#include <stdlib.h>

enum {
    FIRST_WINDOW = 8,
    FIRST_NODES = 2000,
    FIRST_POSITIONS = 2000,
    MOST_POSITIONS = 1 << 28,
    FIRST_ORDER = 6,
    MOST_FIRST_NODES = 1 << 20
};

/* Whether the run is over, or the current part of it, which until_s and until_nodes limit, is over. */
static bool is_over(struct polish *polish) {
    return polish_spent(polish) || (polish->until_s > 0 && budget_elapsed(polish->budget) >= polish->until_s) ||
           (polish->until_nodes && atomic_load(&polish->budget->nodes) >= polish->until_nodes);
}

/* Moves a window of `size` pushes along the line and searches it at each place. *complete: no search gave up. True if
 * the line got better. */
static bool slide(struct polish *polish, size_t size, uint64_t nodes, bool *complete) {
    bool helped = false;
    *complete = true;
    for (size_t from = 0; from < polish->line.count && !is_over(polish);) {
        size_t count = polish->line.count, to = from + size < count ? from + size : count;
        enum polish_found found = polish_search(polish, &(struct polish_window){from, to, nodes, NULL});
        helped |= found == POLISH_BETTER;
        *complete &= found != POLISH_GAVE_UP;
        if (to == count)
            break;
        if (found != POLISH_BETTER)
            from += size / 2;
    }
    return helped;
}

/* Tries windows of growing size, as long as they can be searched completely. True if the line got better. */
static bool slide_all(struct polish *polish, uint64_t nodes) {
    bool helped = false, complete = true;
    for (size_t size = FIRST_WINDOW; complete && !polish->optimal && !is_over(polish);) {
        bool better = slide(polish, size, nodes, &complete);
        helped |= better;
        if (better)
            continue;
        if (size >= polish->line.count)
            break;
        size *= 2;
    }
    return helped;
}

/* Reorders sessions, if the walks between them matter. */
static bool reorder(struct polish *polish, int most) {
    return !polish->optimal && polish->line.weights.walks && !is_over(polish) && polish_order(polish, most);
}

static void polish_all(struct polish *polish) {
    uint64_t nodes = FIRST_NODES, positions = FIRST_POSITIONS;
    int order = FIRST_ORDER;
    while (!polish->optimal && polish->line.count && !is_over(polish)) {
        bool helped = reorder(polish, order);
        helped |= slide_all(polish, nodes);
        helped |= reorder(polish, order);
        if (!polish->optimal && !is_over(polish))
            helped |= polish_vicinity(polish, positions) == POLISH_BETTER;
        if (helped)
            continue;
        if (positions >= MOST_POSITIONS)
            budget_stop(polish->budget, SOLOIST_STOP_MEMORY);
        nodes *= 4;
        positions *= 4;
        order *= 2;
    }
}

static void slide_only(struct polish *polish) {
    for (uint64_t nodes = FIRST_NODES; nodes <= MOST_FIRST_NODES && !polish->optimal && !is_over(polish);)
        if (!slide_all(polish, nodes))
            nodes *= 4;
}

/* Applies the technique under another aim until a part of the time or of the nodes is used. */
static void work_for(struct polish *polish, struct polish_aim aim, double part, void (*technique)(struct polish *)) {
    struct polish_aim own = polish->line.weights.aim;
    polish->until_s = polish->budget->limits.time_s * part;
    polish->until_nodes = (uint64_t)((double)polish->budget->limits.nodes * part);
    polish_line_set_aim(&polish->line, aim);
    technique(polish);
    polish->until_s = 0;
    polish->until_nodes = 0;
    polish->optimal = false; /* optimality was proved for the other aim only */
    polish_line_set_aim(&polish->line, own);
}

/* If another count matters more than pushes: looks for a line with fewer pushes, because shortening such a line often
 * leads further in the end. The line found is kept only if it is already better. */
static void try_fewer_pushes(struct polish *polish) {
    struct polish_line before;
    if (!polish_line_open(&before, polish->line.game, polish->line.weights.aim, polish->line.pushes,
                          polish->line.count))
        return;
    work_for(polish, POLISH_PUSHES, 0.125, slide_only);
    work_for(polish, POLISH_PUSHES_MOVES, 0.25, slide_only);
    bool better = polish_line_total(&polish->line) < polish_line_total(&before);
    polish_line_close(better ? &before : &polish->line);
    if (!better)
        polish->line = before;
}

/* The simpler aims come first: a search under them has fewer positions, and they contain what matters most. */
static void polish_in_turn(struct polish *polish) {
    struct polish_aim aim = polish->line.weights.aim, head = aim;
    if (aim.order[0] != POLISH_COUNT_PUSHES)
        try_fewer_pushes(polish);
    else if (aim.count > 1)
        work_for(polish, POLISH_PUSHES, 0.25, slide_only);
    head.count = 2;
    if (aim.count > 2)
        work_for(polish, head, 0.6, polish_all);
    polish_all(polish);
}

/* Reads the pushes of a solution's text into an array that the caller frees. *count: their number. */
static soloist_move *read_pushes(const soloist_puzzle *puzzle, const char *solution, size_t length, size_t *count,
                                 soloist_error *error) {
    long found = sokoban_text.read(puzzle->instance, solution, length, NULL, 0, error);
    soloist_move *pushes = found < 0 ? NULL : malloc(((size_t)found + 1) * sizeof *pushes);
    if (pushes && sokoban_text.read(puzzle->instance, solution, length, pushes, (size_t)found, error) != found) {
        free(pushes);
        pushes = NULL; /* no memory to read it a second time */
    }
    *count = pushes ? (size_t)found : 0;
    return pushes;
}

static char *write_pushes(const struct polish *polish) {
    struct buffer text;
    buffer_open(&text);
    soloist_sink sink = buffer_sink(&text);
    sokoban_text.solution(polish->puzzle->instance, polish->line.pushes, polish->line.count, &sink);
    return buffer_take(&text);
}

/* Sets the result to the new solution, or to the old one if the referee does not find the new one better. */
static soloist_code settle(const struct polish *polish, const char *solution, size_t length,
                           struct polish_result *result, soloist_error *error) {
    const struct polish_weights *weights = &polish->line.weights;
    struct sokoban_counts before, after;
    char *text = write_pushes(polish);
    if (!text || !soloist_check(polish->puzzle, text, strlen(text), &result->after, error)) {
        free(text);
        return text ? SOLOIST_INTERNAL : SOLOIST_NO_MEMORY;
    }
    bool counted = sokoban_count_text(solution, length, &before) && sokoban_count_text(text, strlen(text), &after);
    if (!counted || polish_counts_cost(weights, &after) >= polish_counts_cost(weights, &before)) {
        free(text);
        text = calloc(1, length + 1);
        if (!text)
            return SOLOIST_NO_MEMORY;
        memcpy(text, solution, length);
        result->after = result->before;
    }
    result->solution = text;
    return SOLOIST_OK;
}

/* Shortens the solution in the domain `sokoban`, whose moves are pushes, even if the puzzle counts steps. */
static soloist_code polish_pushes(const soloist_puzzle *puzzle, const char *solution, size_t length,
                                  struct polish_aim aim, struct budget *budget, struct polish_result *result,
                                  soloist_error *error) {
    struct polish polish = {.puzzle = puzzle, .budget = budget};
    size_t count = 0;
    soloist_move *pushes = read_pushes(puzzle, solution, length, &count, error);
    if (!pushes)
        return SOLOIST_NO_MEMORY;
    soloist_code code = SOLOIST_NO_MEMORY;
    if (polish_line_open(&polish.line, sokoban_of(puzzle->instance), aim, pushes, count)) {
        polish_in_turn(&polish);
        code = settle(&polish, solution, length, result, error);
        result->optimal = polish.optimal || !count;
        polish_line_close(&polish.line);
    }
    free(pushes);
    return code;
}

soloist_code polish_solution(const soloist_puzzle *puzzle, const char *solution, size_t length, struct polish_aim aim,
                             const soloist_limits *limits, const soloist_callbacks *callbacks,
                             struct polish_result *result, soloist_error *error) {
    struct budget budget;
    soloist_puzzle plain;
    *result = (struct polish_result){.before.pushes = -1};
    if (!special_same_game(puzzle->domain, &sokoban_domain) &&
        !special_same_game(puzzle->domain, &sokoban_moves_domain)) {
        soloist_fail(error, 0, 0, "only solutions of Sokoban can be shortened, not those of %s", puzzle->domain->name);
        return SOLOIST_UNSUPPORTED;
    }
    soloist_code code = soloist_puzzle_read(&sokoban_domain, "pairs=off", &puzzle->chunk, &plain, error);
    if (code != SOLOIST_OK)
        return code;
    budget_open(&budget, limits, callbacks);
    if (!soloist_check(&plain, solution, length, &result->before, error))
        code = SOLOIST_BAD_INPUT;
    else
        code = polish_pushes(&plain, solution, length, aim, &budget, result, error);
    int stop = atomic_load(&budget.stop);
    result->stopped = stop >= 0 && !result->optimal ? (soloist_stop)stop : SOLOIST_STOP_GOAL;
    result->nodes = atomic_load(&budget.nodes);
    result->time_s = budget_elapsed(&budget);
    soloist_puzzle_free(&plain);
    return code;
}
