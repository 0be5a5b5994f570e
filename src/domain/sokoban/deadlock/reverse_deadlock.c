/* Deadlocks of the game played backwards: positions that cannot be reached from the root. The rules detect boxes on
 * squares to which no box of the root can be pushed; pairs of boxes, from a table, that cannot both have come from the
 * root; and boxes off the root's squares that block one another so that none can be pulled. As in forward play, every
 * rule is sound and permanent, so expand need only examine the pulled box. If costs count steps, only the first rule is
 * used. */
#include "domain/sokoban/deadlock/pairs.h"
#include "domain/sokoban/deadlock/triples.h"

#include <stdlib.h>

/* Whether walls allow the pull and the box can still come from the root afterwards. */
static bool can_pull(const struct sokoban *game, int s, int d) {
    int to = s + game->step[d];
    return sokoban_is_floor(game, to) && sokoban_is_floor(game, to + game->step[d]) &&
           bitset_has(game->reached.beside[d], (unsigned)to);
}

bool sokoban_reverse_deadlocks_make(struct sokoban *game) {
    size_t n = (size_t)game->words;
    if (!game->rules.freeze || game->rules.exact)
        return true;
    game->pull_stuck = calloc(4 * n, sizeof *game->pull_stuck);
    if (!game->pull_stuck)
        return false;
    for (BITSET_EACH(s, game->floor, n))
        for (int d = 0; d < 4; d++)
            if (!can_pull(game, s, d))
                bitset_add(game->pull_stuck + (size_t)d * n, (unsigned)s);
    return true;
}

/* Whether no pull of the box at s is possible as long as the boxes of the set stay where they are. */
static bool is_held(const struct sokoban *game, const uint64_t *set, int s) {
    for (int d = 0; d < 4; d++) {
        int to = s + game->step[d];
        if (!bitset_has(game->pull_stuck + (ptrdiff_t)d * game->words, (unsigned)s) && !bitset_has(set, (unsigned)to) &&
            !bitset_has(set, (unsigned)(to + game->step[d])))
            return false;
    }
    return true;
}

/* Finds the largest set of boxes that block one another: none of them can be the first to move. True if one of them is
 * not on a square where a box of the root stands. */
static bool is_frozen(const struct sokoban *game, const uint64_t *boxes) {
    uint64_t held[SOKOBAN_WORDS], off_root = 0;
    bool changed = true;
    memcpy(held, boxes, (size_t)game->words * sizeof *held);
    while (changed) {
        changed = false;
        for (BITSET_EACH(box, held, (size_t)game->words))
            if (!is_held(game, held, box)) {
                held[box >> 6] &= ~(UINT64_C(1) << (box & 63));
                changed = true;
            }
    }
    for (int i = 0; i < game->words; i++)
        off_root |= held[i] & ~game->root_boxes[i];
    return off_root;
}

bool sokoban_pull_is_dead(const struct sokoban *game, const uint64_t *boxes, int to, int player) {
    const struct sokoban_triples *triples = triples_of(game, true);
    return (game->reverse_pairs && pairs_lose(game->reverse_pairs, boxes, to, player, game->words)) ||
           (triples && triples_lose(triples, boxes, to, player, game->words)) ||
           (game->pull_stuck && is_held(game, boxes, to) && is_frozen(game, boxes));
}

bool sokoban_reverse_dead(const soloist_instance *instance, const void *state) {
    const struct sokoban *game = sokoban_of(instance);
    const struct sokoban_state *s = state;
    return (game->rules.dead_squares && sokoban_on_unreached_square(game, s)) ||
           (game->reverse_pairs && sokoban_has_lost_reverse_pair(game, s)) || sokoban_has_lost_triple(game, s, true) ||
           (game->pull_stuck && is_frozen(game, s->boxes));
}
