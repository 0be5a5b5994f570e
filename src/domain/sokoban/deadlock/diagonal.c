/* Closed diagonals (D5). The centres are free squares one diagonal step apart, each enclosed by boxes and walls. For
 * two consecutive centres, the two squares that are next to both of them form a link. A box of a link can only be
 * pushed into one of these two centres, because the player cannot stand in a centre. The diagonal ends where both
 * squares of a link are walls, or where the square of the next centre is a wall.
 *
 * A box that was pushed into a centre from the link below can move on only if a box of the link above has moved away.
 * That box can only have been pushed into the next centre above, where it has the same problem, and so on to the end of
 * the diagonal, where no box can move away. For a box that comes from above the same holds downwards. The first box
 * that is pushed into a centre therefore stays in a centre for ever: if no centre is a goal, no box of a link may be
 * pushed any more. If one centre is a goal, a single box may be pushed there; after that, one of the two halves above
 * and below the goal is closed for good. */
#include "domain/sokoban/sokoban.h"

struct diagonal {
    const struct sokoban *game;
    const uint64_t *boxes;
    int player;
    int along, down; /* two steps in square numbers, along a row and along a column; their sum is one diagonal step */
};

static bool is_wall(const struct diagonal *d, int square) { return !sokoban_is_floor(d->game, square); }

static bool is_box(const struct diagonal *d, int square) {
    return sokoban_is_floor(d->game, square) && bitset_has(d->boxes, (unsigned)square);
}

static bool is_solid(const struct diagonal *d, int square) { return is_wall(d, square) || is_box(d, square); }

/* Whether the diagonal ends after this centre, in the direction of `sign`. */
static bool ends_behind(const struct diagonal *d, int centre, int sign) {
    int along = sign * d->along, down = sign * d->down;
    return is_wall(d, centre + along + down) || (is_wall(d, centre + along) && is_wall(d, centre + down));
}

/* The last centre of the diagonal in the direction of `sign`; -1: the diagonal is open at that end. */
static int last_centre(const struct diagonal *d, int centre, int sign) {
    int along = sign * d->along, down = sign * d->down;
    while (!ends_behind(d, centre, sign)) {
        centre += along + down;
        if (centre == d->player || is_box(d, centre) || !is_solid(d, centre + along) || !is_solid(d, centre + down))
            return -1;
    }
    return centre;
}

static bool is_box_off_goal(const struct diagonal *d, int square) {
    return is_box(d, square) && !bitset_has(d->game->goal, (unsigned)square);
}

/* A goal among the centres divides the diagonal into two halves: off[i] says whether a box of half i is off its
 * goal. */
static bool halves_are_lost(const struct diagonal *d, int first, int last) {
    bool off[2] = {is_box_off_goal(d, first - d->along) || is_box_off_goal(d, first - d->down), false};
    int goals = 0, step = d->along + d->down;
    for (int centre = first;; centre += step) {
        goals += bitset_has(d->game->goal, (unsigned)centre);
        if (goals > 1)
            return false;
        off[goals] |=
            is_box_off_goal(d, centre) || is_box_off_goal(d, centre + d->along) || is_box_off_goal(d, centre + d->down);
        if (centre == last)
            return off[0] && (!goals || off[1]);
    }
}

static bool is_closed_through(const struct diagonal *d, int centre) {
    int first = last_centre(d, centre, -1), last = first < 0 ? -1 : last_centre(d, centre, 1);
    return last >= 0 && halves_are_lost(d, first, last);
}

/* Tests both diagonals of a free square that has four solid neighbours. */
static bool is_lost_around(const struct sokoban *game, const uint64_t *boxes, int centre, int player) {
    struct diagonal d = {game, boxes, player, 1, game->stride};
    if (centre == player)
        return false;
    if (is_closed_through(&d, centre))
        return true;
    d.along = -1;
    return is_closed_through(&d, centre);
}

bool sokoban_closes_diagonal(const struct sokoban *game, const uint64_t *boxes, int to, int player) {
    struct diagonal d = {game, boxes, player, 1, game->stride};
    for (int i = 0; i < 4; i++) {
        int centre = to + game->step[i];
        bool shut = !is_solid(&d, centre);
        for (int k = 0; k < 4 && shut; k++)
            shut = is_solid(&d, centre + game->step[k]);
        if (shut && is_lost_around(game, boxes, centre, player))
            return true;
    }
    return false;
}

BOARD_INLINE bool any_closed(const struct sokoban *game, const uint64_t *boxes, int player, int n) {
    uint64_t free[SOKOBAN_WORDS];
    for (int i = 0; i < n; i++)
        free[i] = game->floor[i] & ~boxes[i];
    for (int i = 0; i < n; i++) {
        uint64_t open = board_more(free, i, 1) | board_less(free, i, 1, n) | board_more(free, i, game->stride) |
                        board_less(free, i, game->stride, n);
        for (uint64_t shut = free[i] & ~open; shut; shut &= shut - 1)
            if (is_lost_around(game, boxes, i * 64 + bits_lowest(shut), player))
                return true;
    }
    return false;
}

bool sokoban_has_closed_diagonal(const struct sokoban *game, const uint64_t *boxes, int player) {
    bool found = false;
    SOKOBAN_BY_WORDS(game, found = any_closed(game, boxes, player, n));
    return found;
}
