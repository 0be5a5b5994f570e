/* The richer planes: what the player can reach, where boxes are lost, which pushes there are and what they do. */
#include "domain/sokoban/learn.h"
#include "domain/sokoban/region.h"

const int learn_far[4] = {2, 4, 7, 11}, learn_matching[6] = {4, 8, 12, 16, 22, 30};

struct writer {
    const struct sokoban *game;
    const struct sokoban_state *state;
    size_t cells;
    float *slot;
};

static void mark(const struct writer *w, int plane, int square) {
    w->slot[(size_t)plane * w->cells + (size_t)sokoban_cell(w->game, square)] = 1;
}

/* The least number of pushes that take a lone box from a square to a goal. If a box is there, the player is on the side
 * where he is now; otherwise he is on the best one. */
static int32_t distance_of(const struct writer *w, int square) {
    const struct sokoban *game = w->game;
    int first = game->post_first[square], last = game->post_first[square + 1];
    int32_t least = SOKOBAN_NEVER;
    if (bitset_has(w->state->boxes, (unsigned)square)) {
        first = sokoban_post(game, square, (int)w->state->player);
        last = first + 1;
    }
    for (ptrdiff_t i = (ptrdiff_t)first * game->goals; i < (ptrdiff_t)last * game->goals; i++)
        least = game->pushes[i] < least ? game->pushes[i] : least;
    return least;
}

static void mark_squares(const struct writer *w) {
    for (BITSET_EACH(square, w->game->floor, (size_t)w->game->words)) {
        int32_t distance = distance_of(w, square);
        if (!bitset_has(w->game->live.some, (unsigned)square))
            mark(w, MORE_DEAD, square);
        for (int i = 0; i < 4 && distance >= learn_far[i]; i++)
            mark(w, MORE_FAR + i, square);
    }
}

/* Whether the quick rules call the position after a push dead. */
static bool is_deadly(const struct sokoban *game, const uint64_t *boxes, int to, int d) {
    uint64_t frozen[SOKOBAN_WORDS];
    return !bitset_has(game->live.beside[3 - d], (unsigned)to) || sokoban_fills_line(game, boxes, to) ||
           (sokoban_may_freeze(game, boxes, to) && sokoban_frozen(game, boxes, frozen));
}

static void mark_push(const struct writer *w, int box, int d, int32_t matching) {
    uint64_t block[sizeof(struct sokoban_state) / sizeof(uint64_t) + SOKOBAN_WORDS];
    struct sokoban_state *after = (struct sokoban_state *)(void *)block;
    int to = box + w->game->step[d];
    memcpy(after, w->state, sokoban_state_size(w->game));
    bitset_remove(after->boxes, (unsigned)box);
    bitset_add(after->boxes, (unsigned)to);
    after->player = (uint32_t)box;
    bool closer = sokoban_least_matching(w->game, after, true) < matching;
    int kind = is_deadly(w->game, after->boxes, to, d) ? MORE_DEADLY : closer ? MORE_CLOSER : MORE_OTHER;
    mark(w, kind + d, box);
}

BOARD_INLINE void mark_moves(const struct writer *w, int32_t matching, int n) {
    soloist_move moves[4 * SOKOBAN_MOST_BOXES];
    struct region region;
    int count = region_list_pushes(w->game, w->state, false, &region, moves, n);
    for (int i = 0; i < count; i++)
        mark_push(w, (int)(moves[i] >> 2), (int)(moves[i] & 3), matching);
    for (BITSET_EACH(square, region.reach.all + 1, (size_t)n))
        mark(w, MORE_REACH, square);
}

static void mark_matching(const struct writer *w, int32_t matching) {
    for (int i = 0; i < 6 && matching >= learn_matching[i]; i++)
        for (size_t cell = 0; cell < w->cells; cell++)
            w->slot[(size_t)(MORE_MATCHING + i) * w->cells + cell] = 1;
}

void learn_encode_more(const struct sokoban *game, const struct sokoban_state *state, float *slot) {
    struct writer writer = {game, state, (size_t)(game->level.width * game->level.height), slot};
    int32_t matching = sokoban_least_matching(game, state, true);
    uint64_t frozen[SOKOBAN_WORDS];
    mark_squares(&writer);
    sokoban_frozen(game, state->boxes, frozen);
    for (BITSET_EACH(box, frozen, (size_t)game->words))
        mark(&writer, MORE_FROZEN, box);
    SOKOBAN_BY_WORDS(game, mark_moves(&writer, matching, n));
    mark_matching(&writer, matching);
}
