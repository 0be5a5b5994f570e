/* Tunnel macros (D6). A square is walled along an axis if its neighbours on both sides of the axis are walls: a box
 * there can only be pushed along the axis. Suppose that a box was pushed from c to t in direction d (the player is then
 * at c), and that t is walled and not a goal. In two cases the box can be pushed on to t + d at once without losing an
 * optimal solution:
 *
 * 1. A box at t divides the floor in two. Until this box is pushed again, the player and all pushes stay on the
 * player's side of t, and none of these pushes touches t + d. The box must be pushed again because t is not a goal, and
 * the only possible push is the one to t + d. That push can just as well be made first: the other pushes remain
 * possible, and the position after all of them is the same. If t + d is not free, the position is a deadlock.
 *
 * 2. c and t + d are walled as well. If the next push of the box were back to c, the two pushes would cancel out: c was
 * a dead end in the meantime, so everything else could have been done with the box at c. An optimal solution has no
 * such pair of pushes, so the next push of the box leads to t + d. In the meantime no box can have been pushed to t + d
 * except one that would block it for good, and the player does not need to go there: again the push can be made first.
 * If t + d is not free, the push to t is never needed.
 *
 * In the other variant, that of Marocchi and Crippa 2017, the box is always pushed on to the end of the walled squares
 * or to a goal. If the tunnel is part of a cycle, this loses solutions in which a box must wait in a tunnel and go
 * back. */
#include "domain/sokoban/macro/macro.h"

static bool is_walled(const struct sokoban *game, int square, int axis) {
    int across = game->step[axis ? SOKOBAN_RIGHT : SOKOBAN_DOWN];
    return !sokoban_is_floor(game, square - across) && !sokoban_is_floor(game, square + across);
}

/* Whether a box on the square separates its two neighbours along the axis; the result is not used if one of them is a
 * wall. */
static bool cuts_floor(const struct sokoban *game, int square, int axis) {
    const uint8_t *side = game->side_next_to[square];
    return side[axis ? SOKOBAN_UP : SOKOBAN_LEFT] != side[axis ? SOKOBAN_DOWN : SOKOBAN_RIGHT];
}

void sokoban_tunnels_make(struct sokoban *game) {
    for (BITSET_EACH(square, game->floor, (size_t)game->words))
        for (int axis = 0; axis < 2; axis++) {
            if (!is_walled(game, square, axis))
                continue;
            bitset_add(game->walled[axis], (unsigned)square);
            if (cuts_floor(game, square, axis))
                bitset_add(game->cutting[axis], (unsigned)square);
        }
}

static int axis_of(int d) { return d == SOKOBAN_UP || d == SOKOBAN_DOWN; }

static bool has(const struct sokoban *game, const uint64_t *set, int square) {
    return sokoban_is_floor(game, square) && bitset_has(set, (unsigned)square);
}

/* Whether a box that was pushed to `square` in direction d is pushed on at once. */
static bool goes_on(const struct sokoban *game, int square, int d) {
    const uint64_t *walled = game->walled[axis_of(d)], *cutting = game->cutting[axis_of(d)];
    int step = game->step[d];
    if (!bitset_has(walled, (unsigned)square) || bitset_has(game->goal, (unsigned)square))
        return false;
    if (!has(game, walled, square - step))
        return game->rules.tunnels == SOKOBAN_TUNNELS_KEEPING && bitset_has(cutting, (unsigned)square);
    return game->rules.tunnels == SOKOBAN_TUNNELS_OUT || bitset_has(cutting, (unsigned)square) ||
           has(game, walled, square + step);
}

enum sokoban_macro_kind sokoban_tunnel_find(const struct sokoban *game, const uint64_t *boxes, int box, int d,
                                            struct sokoban_macro *macro) {
    int step = game->step[d], square = box + step, pushes = 1;
    while (goes_on(game, square, d)) {
        if (!sokoban_is_floor(game, square + step) || bitset_has(boxes, (unsigned)(square + step))) {
            if (game->rules.tunnels == SOKOBAN_TUNNELS_OUT)
                break;
            return SOKOBAN_NOWHERE;
        }
        square += step;
        pushes++;
    }
    *macro = (struct sokoban_macro){square, square - step, pushes};
    return pushes > 1 ? SOKOBAN_TUNNEL : SOKOBAN_PLAIN;
}
