/* The player's region, and how a move changes it. Most moves neither divide the region nor join it to another part of
 * the floor, which can be seen from the squares around the box. Only for the other moves is the region flooded
 * again. */
#ifndef DOMAIN_SOKOBAN_REGION_H
#define DOMAIN_SOKOBAN_REGION_H

#include "domain/sokoban/deadlock/pairs.h"
#include "domain/sokoban/deadlock/triples.h"

struct region {
    struct board reach, beyond; /* free squares that the player can reach, and those that he cannot */
    struct board boxes;
    int least;
    bool divided; /* `beyond` is not empty */
};

BOARD_INLINE void region_open(struct region *region, const struct sokoban *game, const uint64_t *boxes, int player,
                              int n) {
    uint64_t *reach = board_open(&region->reach, n), *beyond = board_open(&region->beyond, n);
    uint64_t *copy = board_open(&region->boxes, n);
    for (int i = 0; i < n; i++) {
        copy[i] = boxes[i];
        beyond[i] = game->floor[i] & ~boxes[i];
        reach[i] = board_one(player, i);
    }
    board_flood(beyond, reach, -1, game->stride, n);
    for (int i = 0; i < n; i++)
        beyond[i] &= ~reach[i];
    region->least = board_lowest(reach, n);
    region->divided = !board_empty(beyond, n);
}

/* Whether the region after a move is the old region without the box's new square, perhaps with the box's old square
 * added; *joins says whether that square is added. */
BOARD_INLINE bool region_is_simple(const struct region *region, const struct sokoban *game, int from, int d,
                                   bool *joins) {
    static const unsigned ring_bit[4] = {1, 3, 4, 6};
    int to = from + game->step[d], stride = game->stride;
    *joins = board_neighbours(&region->reach, from, stride) & ~(1u << d);
    if (*joins && region->divided && board_neighbours(&region->beyond, from, stride) & ~(1u << d))
        return false;
    if (!board_has(&region->reach, to))
        return true;
    unsigned ring = board_ring(&region->reach, to, stride) | (unsigned)*joins << ring_bit[3 - d];
    return bitset_has(game->ring_joined, ring);
}

/* The least square of the player's region after the box at `from` has moved one square in direction d and the player
 * stands at `stand`. boxes: as they were before the move. */
BOARD_INLINE int region_after(const struct region *region, const struct sokoban *game, const uint64_t *boxes, int from,
                              int d, int stand, int n) {
    int to = from + game->step[d], least = region->least;
    bool joins;
    if (!region_is_simple(region, game, from, d, &joins))
        return sokoban_least_after(game, boxes, from, to, stand);
    if (to == least)
        least = bitset_next(region->reach.all + 1, (size_t)n, (unsigned)to + 1);
    return joins && from < least ? from : least;
}

/* Makes the region from the boxes and the squares that the player can reach. */
BOARD_INLINE void region_resume(struct region *region, const struct sokoban *game, const uint64_t *boxes,
                                const uint64_t *reach, int n) {
    uint64_t *reached = board_open(&region->reach, n), *beyond = board_open(&region->beyond, n);
    uint64_t *copy = board_open(&region->boxes, n);
    for (int i = 0; i < n; i++) {
        copy[i] = boxes[i];
        reached[i] = reach[i];
        beyond[i] = game->floor[i] & ~boxes[i] & ~reach[i];
    }
    region->least = board_lowest(reached, n);
    region->divided = !board_empty(beyond, n);
}

/* The region after a push; `before` is the region before it. If the push gives access to more floor, the old set of
 * reached squares is extended, which is faster than a new flood. */
BOARD_INLINE void region_follow(struct region *region, const struct region *before, const struct sokoban *game,
                                int from, int d, int n) {
    uint64_t boxes[SOKOBAN_WORDS], free[SOKOBAN_WORDS], reach[SOKOBAN_WORDS];
    int to = from + game->step[d];
    bool joins, simple = region_is_simple(before, game, from, d, &joins);
    bool keeps = simple || !board_has(&before->reach, to);
    for (int i = 0; i < n; i++) {
        boxes[i] = before->boxes.all[i + 1] ^ board_one(from, i) ^ board_one(to, i);
        free[i] = game->floor[i] & ~boxes[i];
        reach[i] = (keeps ? before->reach.all[i + 1] & free[i] : 0) | board_one(from, i);
    }
    if (!simple)
        board_flood(free, reach, -1, game->stride, n);
    region_resume(region, game, boxes, reach, n);
}

/* Fills pushes[d] with the boxes that the player can push in direction d to a square of targets[d]. */
BOARD_INLINE void region_pushes(const struct region *region, const struct sokoban *game, const uint64_t *boxes,
                                uint64_t targets[4][SOKOBAN_WORDS], uint64_t pushes[4][SOKOBAN_WORDS], int n) {
    const uint64_t *reach = region->reach.all + 1;
    int stride = game->stride;
    for (int i = 0; i < n; i++) {
        pushes[SOKOBAN_UP][i] = boxes[i] & board_less(reach, i, stride, n) & board_more(targets[0], i, stride);
        pushes[SOKOBAN_LEFT][i] = boxes[i] & board_less(reach, i, 1, n) & board_more(targets[1], i, 1);
        pushes[SOKOBAN_RIGHT][i] = boxes[i] & board_more(reach, i, 1) & board_less(targets[2], i, 1, n);
        pushes[SOKOBAN_DOWN][i] = boxes[i] & board_more(reach, i, stride) & board_less(targets[3], i, stride, n);
    }
}

/* The same for pulls: the player stands on the square to which the box moves and has a free square behind him. */
BOARD_INLINE void region_pulls(const struct region *region, const struct sokoban *game, const uint64_t *boxes,
                               uint64_t targets[4][SOKOBAN_WORDS], uint64_t pulls[4][SOKOBAN_WORDS], int n) {
    const uint64_t *reach = region->reach.all + 1;
    uint64_t to[4][SOKOBAN_WORDS];
    int stride = game->stride;
    for (int i = 0; i < n; i++) {
        to[SOKOBAN_UP][i] = targets[0][i] & reach[i] & board_more(reach, i, stride);
        to[SOKOBAN_LEFT][i] = targets[1][i] & reach[i] & board_more(reach, i, 1);
        to[SOKOBAN_RIGHT][i] = targets[2][i] & reach[i] & board_less(reach, i, 1, n);
        to[SOKOBAN_DOWN][i] = targets[3][i] & reach[i] & board_less(reach, i, stride, n);
    }
    for (int i = 0; i < n; i++) {
        pulls[SOKOBAN_UP][i] = boxes[i] & board_more(to[0], i, stride);
        pulls[SOKOBAN_LEFT][i] = boxes[i] & board_more(to[1], i, 1);
        pulls[SOKOBAN_RIGHT][i] = boxes[i] & board_less(to[2], i, 1, n);
        pulls[SOKOBAN_DOWN][i] = boxes[i] & board_less(to[3], i, stride, n);
    }
}

/* Lists the moves of the sets that region_pushes or region_pulls filled, ordered by the box's square, then by
 * direction. */
BOARD_INLINE int region_list(uint64_t sets[4][SOKOBAN_WORDS], soloist_move *moves, int n) {
    int count = 0;
    for (int i = 0; i < n; i++)
        for (uint64_t any = sets[0][i] | sets[1][i] | sets[2][i] | sets[3][i]; any; any &= any - 1) {
            int bit = bits_lowest(any), box = i * 64 + bit;
            for (int d = 0; d < 4; d++) {
                moves[count] = (soloist_move)(box * 4 + d);
                count += sets[d][i] >> bit & 1;
            }
        }
    return count;
}

/* Computes the player's region and lists the pushes: only those to live squares if live_only is true, otherwise all. If
 * the rule of dead squares is off, all squares count as live. */
BOARD_INLINE int region_list_pushes(const struct sokoban *game, const struct sokoban_state *state, bool live_only,
                                    struct region *region, soloist_move *moves, int n) {
    uint64_t targets[4][SOKOBAN_WORDS], pushes[4][SOKOBAN_WORDS];
    live_only = live_only && game->rules.dead_squares;
    region_open(region, game, state->boxes, (int)state->player, n);
    for (int d = 0; d < 4; d++)
        for (int i = 0; i < n; i++)
            targets[d][i] =
                game->floor[i] & ~state->boxes[i] & (live_only ? game->live.beside[3 - d][i] : ~UINT64_C(0));
    region_pushes(region, game, state->boxes, targets, pushes, n);
    return region_list(pushes, moves, n);
}

/* Whether a push to a live square leads to a deadlock by a lost pair or triple, a full line, or frozen boxes. A box can
 * freeze only if a neighbouring box or walls block it both along its row and along its column. */
BOARD_INLINE bool region_push_kills(const struct region *region, const struct sokoban *game, int from, int d, int n) {
    int to = from + game->step[d];
    uint64_t after[SOKOBAN_WORDS], frozen[SOKOBAN_WORDS];
    unsigned near = board_neighbours(&region->boxes, to, game->stride) & ~(8u >> d);
    bool held = (near & 6 || bitset_has(game->stuck[0], (unsigned)to)) &&
                (near & 9 || bitset_has(game->stuck[1], (unsigned)to));
    const struct sokoban_triples *triples = triples_of(game, false);
    bool lined = game->line_of[to][0] >= 0 || game->line_of[to][1] >= 0;
    if (!held && !lined && !game->pairs && !triples)
        return false;
    for (int i = 0; i < n; i++)
        after[i] = region->boxes.all[i + 1] ^ board_one(from, i) ^ board_one(to, i);
    return (game->pairs && pairs_lose(game->pairs, after, to, from, n)) ||
           (triples && triples_lose(triples, after, to, from, n)) ||
           (lined && game->rules.wall_line && sokoban_fills_line(game, after, to)) ||
           (held && game->rules.freeze && sokoban_frozen(game, after, frozen));
}

/* Whether a push encloses a single free square: one whose only free neighbour was the box's new square. */
BOARD_INLINE bool region_shuts_square(const struct region *region, const struct sokoban *game, int from, int d) {
    static const unsigned side[4] = {1u << 1, 1u << 3, 1u << 4, 1u << 6};
    static const unsigned corners[4] = {1u << 0 | 1u << 2, 1u << 0 | 1u << 5, 1u << 2 | 1u << 7, 1u << 5 | 1u << 7};
    int to = from + game->step[d], stride = game->stride;
    unsigned free = board_ring(&region->reach, to, stride);
    if (region->divided)
        free |= board_ring(&region->beyond, to, stride);
    for (int k = 0; k < 4; k++) {
        int beyond = to + 2 * game->step[k];
        if (k != 3 - d && (free & (side[k] | corners[k])) == side[k] && !board_has(&region->reach, beyond) &&
            !board_has(&region->beyond, beyond))
            return true;
    }
    return false;
}

/* Whether a push closes a diagonal; false if rules.diagonals is off. The small searches of corrals and patterns do
 * without this rule: they find the same deadlocks after a few positions. */
BOARD_INLINE bool region_push_closes(const struct region *region, const struct sokoban *game, int from, int d, int n) {
    int to = from + game->step[d];
    uint64_t after[SOKOBAN_WORDS];
    if (!game->rules.diagonals || !region_shuts_square(region, game, from, d))
        return false;
    for (int i = 0; i < n; i++)
        after[i] = region->boxes.all[i + 1] ^ board_one(from, i) ^ board_one(to, i);
    return sokoban_closes_diagonal(game, after, to, from);
}

#endif
