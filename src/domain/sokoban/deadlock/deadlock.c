/* Deadlocks that can be detected by a few word operations (D5): squares from which no goal can be reached, boxes that
 * freeze one another, lines along walls, and pairs and triples from a table. Every rule is sound and permanent: all
 * successors of a dead position are dead by the same rules. This is why expand need only examine the pushed box. */
#include "domain/sokoban/deadlock/pairs.h"
#include "domain/sokoban/deadlock/triples.h"

#include <stdlib.h>

static bool post_is_alive(const int32_t *table, int columns, int post) {
    const int32_t *row = table + (ptrdiff_t)post * columns;
    for (int c = 0; c < columns; c++)
        if (row[c] != SOKOBAN_NEVER)
            return true;
    return false;
}

static void mark_alive(const struct sokoban *game, const int32_t *table, int columns, struct sokoban_alive *alive) {
    for (BITSET_EACH(s, game->floor, (size_t)game->words)) {
        int first = game->post_first[s], posts = game->post_first[s + 1] - first, count = 0;
        for (int i = 0; i < posts; i++)
            count += post_is_alive(table, columns, first + i);
        if (count)
            bitset_add(alive->some, (unsigned)s);
        if (count && count < posts)
            bitset_add(alive->sided, (unsigned)s);
        for (int d = 0; d < 4; d++) {
            int side = game->side_next_to[s][d];
            if (side != SOKOBAN_NO_SIDE && post_is_alive(table, columns, first + side))
                bitset_add(alive->beside[d], (unsigned)s);
        }
    }
}

/* Whether walls allow the push and the box can reach a goal afterwards. */
static bool can_push(const struct sokoban *game, int s, int d) {
    int to = s + game->step[d];
    return sokoban_is_floor(game, s - game->step[d]) && sokoban_is_floor(game, to) &&
           bitset_has(game->live.beside[3 - d], (unsigned)to);
}

static void mark_stuck(struct sokoban *game) {
    for (BITSET_EACH(s, game->floor, (size_t)game->words)) {
        if (!can_push(game, s, SOKOBAN_LEFT) && !can_push(game, s, SOKOBAN_RIGHT))
            bitset_add(game->stuck[0], (unsigned)s);
        if (!can_push(game, s, SOKOBAN_UP) && !can_push(game, s, SOKOBAN_DOWN))
            bitset_add(game->stuck[1], (unsigned)s);
    }
}

static bool is_live(const struct sokoban *game, int s) {
    return sokoban_is_floor(game, s) && bitset_has(game->live.some, (unsigned)s);
}

/* Stores the run of live squares that begins at s as a line, if no box on the run can be pushed off sideways, and if
 * the run has fewer goals than squares and fewer goals than the level has boxes. axis 0: along a row. */
static void keep_line(struct sokoban *game, int s, int axis) {
    int step = axis ? game->stride : 1, length = 0, goals = 0;
    for (int at = s; is_live(game, at); at += step, length++) {
        if (!bitset_has(game->stuck[1 - axis], (unsigned)at))
            return;
        goals += bitset_has(game->goal, (unsigned)at);
    }
    if (length <= goals || game->boxes <= goals)
        return;
    uint64_t *squares = game->line_squares + (ptrdiff_t)game->line_count * game->words;
    for (int i = 0, at = s; i < length; i++, at += step) {
        bitset_add(squares, (unsigned)at);
        game->line_of[at][axis] = (int16_t)game->line_count;
    }
    game->line_goals[game->line_count++] = (uint16_t)goals;
}

static int find_lines(struct sokoban *game, bool keep) {
    int starts = 0;
    for (int axis = 0; axis < 2; axis++) {
        int step = axis ? game->stride : 1;
        for (BITSET_EACH(s, game->live.some, (size_t)game->words)) {
            if (is_live(game, s - step))
                continue;
            starts++;
            if (keep)
                keep_line(game, s, axis);
        }
    }
    return starts;
}

bool sokoban_deadlocks_make(struct sokoban *game) {
    mark_alive(game, game->pushes, game->goals, &game->live);
    mark_alive(game, game->from_root, game->boxes, &game->reached);
    mark_stuck(game);
    size_t room = (size_t)find_lines(game, false);
    game->line_goals = calloc(room, sizeof *game->line_goals);
    game->line_squares = calloc(room, (size_t)game->words * sizeof *game->line_squares);
    game->line_of = malloc((size_t)game->size * sizeof *game->line_of);
    if (!game->line_goals || !game->line_squares || !game->line_of)
        return false;
    memset(game->line_of, -1, (size_t)game->size * sizeof *game->line_of);
    find_lines(game, true);
    return true;
}

/* Finds the largest set of boxes in which each box is blocked both along its row and along its column: by a wall, by
 * another box of the set, or because a push either way would lose the box. None of them can be the first to move. */
BOARD_INLINE bool freeze(const struct sokoban *game, const uint64_t *boxes, uint64_t *frozen, int n) {
    uint64_t held[SOKOBAN_WORDS], off_goal = 0, changed;
    for (int i = 0; i < n; i++)
        frozen[i] = boxes[i];
    do {
        changed = 0;
        for (int i = 0; i < n; i++) {
            uint64_t row = game->stuck[0][i] | board_more(frozen, i, 1) | board_less(frozen, i, 1, n);
            uint64_t column =
                game->stuck[1][i] | board_more(frozen, i, game->stride) | board_less(frozen, i, game->stride, n);
            held[i] = frozen[i] & row & column;
            changed |= held[i] ^ frozen[i];
        }
        for (int i = 0; i < n; i++)
            frozen[i] = held[i];
    } while (changed);
    for (int i = 0; i < n; i++)
        off_goal |= frozen[i] & ~game->goal[i];
    return off_goal;
}

bool sokoban_frozen(const struct sokoban *game, const uint64_t *boxes, uint64_t *frozen) {
    bool dead = false;
    SOKOBAN_BY_WORDS(game, dead = freeze(game, boxes, frozen, n));
    return dead;
}

static bool has_box(const struct sokoban *game, const uint64_t *boxes, int square) {
    return sokoban_is_floor(game, square) && bitset_has(boxes, (unsigned)square);
}

bool sokoban_may_freeze(const struct sokoban *game, const uint64_t *boxes, int box) {
    return (bitset_has(game->stuck[0], (unsigned)box) || has_box(game, boxes, box - 1) ||
            has_box(game, boxes, box + 1)) &&
           (bitset_has(game->stuck[1], (unsigned)box) || has_box(game, boxes, box - game->stride) ||
            has_box(game, boxes, box + game->stride));
}

static bool line_is_full(const struct sokoban *game, const uint64_t *boxes, int line) {
    const uint64_t *squares = game->line_squares + (ptrdiff_t)line * game->words;
    int spare = game->line_goals[line];
    for (int i = 0; i < game->words; i++)
        for (uint64_t on = boxes[i] & squares[i]; on; on &= on - 1)
            if (--spare < 0)
                return true;
    return false;
}

bool sokoban_fills_line(const struct sokoban *game, const uint64_t *boxes, int to) {
    for (int axis = 0; axis < 2; axis++)
        if (game->line_of[to][axis] >= 0 && line_is_full(game, boxes, game->line_of[to][axis]))
            return true;
    return false;
}

bool sokoban_push_is_dead(const struct sokoban *game, const uint64_t *boxes, int to, int player) {
    const struct sokoban_triples *triples = triples_of(game, false);
    uint64_t frozen[SOKOBAN_WORDS];
    return (game->pairs && pairs_lose(game->pairs, boxes, to, player, game->words)) ||
           (triples && triples_lose(triples, boxes, to, player, game->words)) ||
           (game->rules.wall_line && sokoban_fills_line(game, boxes, to)) ||
           (game->rules.freeze && sokoban_may_freeze(game, boxes, to) && sokoban_frozen(game, boxes, frozen));
}

static bool any_lost(const struct sokoban *game, const struct sokoban_state *state, const struct sokoban_alive *alive,
                     const int32_t *table, int columns) {
    for (int i = 0; i < game->words; i++)
        if (state->boxes[i] & ~alive->some[i])
            return true;
    for (int i = 0; i < game->words; i++)
        for (uint64_t on = state->boxes[i] & alive->sided[i]; on; on &= on - 1) {
            int post = sokoban_post(game, i * 64 + bits_lowest(on), (int)state->player);
            if (!post_is_alive(table, columns, post))
                return true;
        }
    return false;
}

bool sokoban_on_dead_square(const struct sokoban *game, const struct sokoban_state *state) {
    return any_lost(game, state, &game->live, game->pushes, game->goals);
}

bool sokoban_on_unreached_square(const struct sokoban *game, const struct sokoban_state *state) {
    return any_lost(game, state, &game->reached, game->from_root, game->boxes);
}

bool sokoban_on_full_line(const struct sokoban *game, const uint64_t *boxes) {
    for (int line = 0; line < game->line_count; line++)
        if (line_is_full(game, boxes, line))
            return true;
    return false;
}

bool sokoban_dead_or_frozen(const struct sokoban *game, const struct sokoban_state *state, uint64_t *frozen) {
    if ((game->rules.dead_squares && sokoban_on_dead_square(game, state)) ||
        (game->rules.wall_line && sokoban_on_full_line(game, state->boxes)))
        return true;
    if ((game->pairs && sokoban_has_lost_pair(game, state)) || sokoban_has_lost_triple(game, state, false))
        return true;
    if (game->rules.diagonals && sokoban_has_closed_diagonal(game, state->boxes, (int)state->player))
        return true;
    if (game->rules.freeze)
        return sokoban_frozen(game, state->boxes, frozen);
    memset(frozen, 0, (size_t)game->words * sizeof *frozen);
    return false;
}

bool sokoban_dead(const soloist_instance *instance, const void *state) {
    uint64_t frozen[SOKOBAN_WORDS];
    return sokoban_dead_or_frozen(sokoban_of(instance), state, frozen);
}
