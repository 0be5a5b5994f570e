/* Corrals: parts of the floor that the player cannot enter, and the boxes around them. A corral begins as one such part
 * with the boxes around it. Whatever blocks a push of these boxes (a box or another such part) is added to the corral,
 * until nothing blocks a push or some push leads out of the corral. Frozen boxes count as walls. There are two uses:
 * corral.c prunes by closed corrals, and corral_deadlock.c looks for corrals that can never be solved. */
#ifndef DOMAIN_SOKOBAN_DEADLOCK_CORRAL_H
#define DOMAIN_SOKOBAN_DEADLOCK_CORRAL_H

#include "domain/sokoban/region.h"

struct corral {
    uint64_t inside[SOKOBAN_WORDS]; /* squares of the corral: whole parts of the floor */
    uint64_t fence[SOKOBAN_WORDS];  /* boxes of the corral, among them all boxes next to `inside` that are not frozen */
    int pushes;                     /* number of possible pushes of these boxes to live squares inside */
};

/* What all corrals of a position share: the player's part of the floor (reach), the rest of the floor (beyond), and the
 * boxes. */
struct yard {
    const struct sokoban *game;
    const uint64_t *reach, *beyond, *frozen;
    uint64_t loose[SOKOBAN_WORDS]; /* boxes that are not frozen */
};

enum corral_growth { CORRAL_CLOSED, CORRAL_GROWN, CORRAL_OPEN };

/* Word i of the set of squares whose neighbour in direction d is in `set`. */
BOARD_INLINE uint64_t corral_next_to(const uint64_t *set, int i, int d, int stride, int n) {
    return d == SOKOBAN_UP     ? board_more(set, i, stride)
           : d == SOKOBAN_LEFT ? board_more(set, i, 1)
           : d == SOKOBAN_DOWN ? board_less(set, i, stride, n)
                               : board_less(set, i, 1, n);
}

/* Removes pushes after which the boxes of the fence and the frozen boxes would be a deadlock even if there were no
 * other boxes. No solution contains such a push, whatever the other boxes do before it. */
BOARD_INLINE void corral_drop_killing(const struct yard *yard, const struct corral *corral, int d, uint64_t *pushes,
                                      int n) {
    const struct sokoban *game = yard->game;
    uint64_t after[SOKOBAN_WORDS];
    for (int i = 0; i < n; i++)
        for (uint64_t left = pushes[i]; left; left &= left - 1) {
            int from = i * 64 + bits_lowest(left), to = from + game->step[d];
            for (int k = 0; k < n; k++)
                after[k] = (corral->fence[k] | yard->frozen[k]) ^ board_one(from, k) ^ board_one(to, k);
            if (sokoban_push_is_dead(game, after, to, from))
                pushes[i] &= ~(left & -left);
        }
}

/* Examines the pushes of the fence in one direction. False if one of them leads out of the corral. Squares that block a
 * push, in front of the box or behind it, are added to `blocks`. */
BOARD_INLINE bool corral_look_along(const struct yard *yard, struct corral *corral, int d, uint64_t *blocks, int n) {
    const struct sokoban *game = yard->game;
    const uint64_t *fence = corral->fence, *inside = corral->inside;
    uint64_t stand[SOKOBAN_WORDS], target[SOKOBAN_WORDS], later[SOKOBAN_WORDS], behind[SOKOBAN_WORDS],
        before[SOKOBAN_WORDS], out = 0;
    for (int i = 0; i < n; i++) {
        uint64_t open = ~(fence[i] | yard->frozen[i]);
        stand[i] = game->floor[i] & open & ~inside[i];
        target[i] = game->live.beside[3 - d][i] & open;
    }
    for (int i = 0; i < n; i++) {
        uint64_t ever =
            fence[i] & corral_next_to(stand, i, 3 - d, game->stride, n) & corral_next_to(target, i, d, game->stride, n);
        uint64_t now = ever & corral_next_to(yard->reach, i, 3 - d, game->stride, n) &
                       corral_next_to(inside, i, d, game->stride, n);
        corral->pushes += bits_count(now);
        later[i] = ever & ~now;
    }
    corral_drop_killing(yard, corral, d, later, n);
    for (int i = 0; i < n; i++) {
        uint64_t stands = corral_next_to(yard->reach, i, 3 - d, game->stride, n);
        behind[i] = later[i] & ~stands;
        before[i] = later[i] & stands;
        out |= before[i] & corral_next_to(yard->reach, i, d, game->stride, n);
    }
    for (int i = 0; i < n; i++)
        blocks[i] |= corral_next_to(behind, i, d, game->stride, n) | corral_next_to(before, i, 3 - d, game->stride, n);
    return !out;
}

/* One step of growth: adds what blocks a push of the fence. */
BOARD_INLINE enum corral_growth corral_grow(const struct yard *yard, struct corral *corral, int n) {
    uint64_t blocks[SOKOBAN_WORDS];
    for (int i = 0; i < n; i++)
        blocks[i] = 0;
    corral->pushes = 0;
    for (int d = 0; d < 4; d++)
        if (!corral_look_along(yard, corral, d, blocks, n))
            return CORRAL_OPEN;
    if (board_empty(blocks, n))
        return CORRAL_CLOSED;
    for (int i = 0; i < n; i++) {
        corral->fence[i] |= blocks[i] & yard->loose[i];
        corral->inside[i] |= blocks[i] & yard->beyond[i];
    }
    return CORRAL_GROWN;
}

/* Whether every solution must push a box of the fence. */
BOARD_INLINE bool corral_must_push(const struct yard *yard, const struct corral *corral, int n) {
    const struct sokoban *game = yard->game;
    uint64_t off_goal = 0;
    int goals = game->goals;
    for (int i = 0; i < n; i++) {
        off_goal |= corral->fence[i] & ~game->goal[i];
        goals -= bits_count(corral->inside[i] & game->goal[i]);
    }
    return off_goal || goals < game->boxes;
}

/* Extends `inside` to the whole parts of the floor that it touches, and adds the boxes around them to the fence. */
BOARD_INLINE void corral_flood(const struct yard *yard, struct corral *corral, int n) {
    board_flood(yard->beyond, corral->inside, -1, yard->game->stride, n);
    for (int i = 0; i < n; i++)
        corral->fence[i] |= board_spread(corral->inside, i, yard->game->stride, n) & yard->loose[i];
}

/* Begins a corral with the part of the floor that contains the square. */
BOARD_INLINE void corral_begin(const struct yard *yard, struct corral *corral, int square, int n) {
    for (int i = 0; i < n; i++) {
        corral->inside[i] = board_one(square, i);
        corral->fence[i] = 0;
    }
    corral_flood(yard, corral, n);
}

/* Grows the corral until it is CORRAL_CLOSED or CORRAL_OPEN. */
BOARD_INLINE enum corral_growth corral_finish(const struct yard *yard, struct corral *corral, int n) {
    enum corral_growth growth;
    while ((growth = corral_grow(yard, corral, n)) == CORRAL_GROWN)
        corral_flood(yard, corral, n);
    return growth;
}

BOARD_INLINE void yard_open(struct yard *yard, const struct sokoban *game, const struct region *region,
                            const uint64_t *frozen, int n) {
    yard->game = game;
    yard->reach = region->reach.all + 1;
    yard->beyond = region->beyond.all + 1;
    yard->frozen = frozen;
    for (int i = 0; i < n; i++)
        yard->loose[i] = region->boxes.all[i + 1] & ~frozen[i];
}

/* corral.c: finds the boxes to which the next push may be restricted: the fence of the PI-corral with the fewest
 * pushes, or no box if a corral is a deadlock. False if no corral has fewer pushes than `count`, the number of all
 * pushes to live squares. frozen: boxes that will never be pushed again. */
bool sokoban_corral(const struct sokoban *game, const struct region *region, const uint64_t *frozen, int count,
                    uint64_t *fence);
/* corral_deadlock.c: returns true if the corral is a deadlock, that is, if its boxes cannot all be pushed to goals and
 * no pushes of these boxes let the player into the corral. */
bool sokoban_corral_is_lost(const struct yard *yard, const struct corral *corral);

#endif
