/* Pairs of boxes that are lost: for each square, the set of squares where a second box makes a lost pair. */
#ifndef DOMAIN_SOKOBAN_DEADLOCK_PAIRS_H
#define DOMAIN_SOKOBAN_DEADLOCK_PAIRS_H

#include "domain/sokoban/sokoban.h"

struct sokoban_pair {
    uint16_t box, partner;
};

struct sokoban_pairs {
    uint64_t *all;              /* [size][words] partners that make a lost pair wherever the player is */
    uint64_t *some;             /* [size][words] partners for which that depends on the player */
    uint32_t *first;            /* [size] the square's first entry in `sided` */
    struct sokoban_pair *sided; /* [count] sorted by box, then partner */
    uint64_t *lost;             /* [count][words] the player's squares for which the pair is lost */
    size_t count;
};

/* Whether the box is lost with one of the others; `others` may contain the box itself. */
BOARD_INLINE bool pairs_lose(const struct sokoban_pairs *pairs, const uint64_t *others, int box, int player, int n) {
    const uint64_t *all = pairs->all + (ptrdiff_t)box * n, *some = pairs->some + (ptrdiff_t)box * n;
    uint64_t lost = 0, sided = 0;
    for (int i = 0; i < n; i++) {
        lost |= others[i] & all[i];
        sided |= others[i] & some[i];
    }
    if (lost || !sided)
        return lost;
    for (uint32_t at = pairs->first[box]; at < pairs->count && pairs->sided[at].box == box; at++)
        if (bitset_has(others, pairs->sided[at].partner) &&
            bitset_has(pairs->lost + (ptrdiff_t)at * n, (unsigned)player))
            return true;
    return false;
}

/* Whether two boxes of the position are lost, forwards or backwards, as far as the tables exist. */
bool sokoban_has_lost_pair(const struct sokoban *game, const struct sokoban_state *state);
bool sokoban_has_lost_reverse_pair(const struct sokoban *game, const struct sokoban_state *state);

#endif
