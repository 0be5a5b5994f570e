/* Lost pairs: two boxes that cannot both reach goals even if no other box is on the board. For each square of one box,
 * the tables give the squares where a second box (its partner) makes a lost pair. */
#ifndef DOMAIN_SOKOBAN_DEADLOCK_PAIRS_H
#define DOMAIN_SOKOBAN_DEADLOCK_PAIRS_H

#include "domain/sokoban/sokoban.h"

struct sokoban_pair {
    uint16_t box, partner;
};

struct sokoban_pairs {
    /* [size][words]: for each square, the partners that make a lost pair wherever the player is. */
    uint64_t *all;
    /* [size][words]: for each square, the partners that make a lost pair only if the player is on certain squares. */
    uint64_t *some;
    uint32_t *first;            /* [size]: index of each square's first entry in `sided` */
    struct sokoban_pair *sided; /* [count]: the pairs of `some`, sorted by box, then partner */
    /* [count][words]: for each pair of `sided`, the player's squares for which it is lost. */
    uint64_t *lost;
    size_t count;
};

/* Whether the box forms a lost pair with one of the others; `others` may contain the box itself. */
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

/* Whether the position contains a lost pair; false if there is no table. */
bool sokoban_has_lost_pair(const struct sokoban *game, const struct sokoban_state *state);
/* If the position contains a lost pair, stores the squares of one. */
bool sokoban_find_lost_pair(const struct sokoban *game, const struct sokoban_state *state, int pair[2]);
/* The same as sokoban_has_lost_pair in backward play. */
bool sokoban_has_lost_reverse_pair(const struct sokoban *game, const struct sokoban_state *state);

#endif
