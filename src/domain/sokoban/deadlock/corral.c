/* PI-corral pruning (D5; Damgaard's YASS). The boxes divide the floor into the player's part and other parts. Let U (in
 * the code: inside) be some of the other parts, and let K (fence) be a set of boxes that contains every box next to U.
 * As long as no box of K has been pushed, neither the player nor another box can enter U or a square of K, because U is
 * surrounded only by walls and K. Consider all pushes of boxes of K that can become possible while no box of K has been
 * pushed, except those that lead to a deadlock. Suppose that each of them is already possible now and leads into U.
 * Then these pushes commute with all pushes of other boxes: a solution that first pushes a box of K after pushes p1 ..
 * pk of other boxes can make that push before them. That push blocks no square outside U, so p1 .. pk remain possible,
 * and the result is the same: the boxes, the player's part and the number of pushes. A solution must push some box of K
 * if a box of K is off its goal, or if the goals outside U do not suffice; then it is enough to try the pushes of K. If
 * there are none, the position is a deadlock. */
#include "domain/sokoban/deadlock/corral.h"

/* Finds the part of the floor in `rest` that contains the square, removes that part from `rest`, and grows a corral
 * from it. True if the corral can be used for pruning. */
BOARD_INLINE bool find_part(const struct yard *yard, struct corral *corral, uint64_t *rest, int square, int n) {
    corral_begin(yard, corral, square, n);
    for (int i = 0; i < n; i++)
        rest[i] &= ~corral->inside[i];
    return corral_finish(yard, corral, n) == CORRAL_CLOSED && corral_must_push(yard, corral, n);
}

BOARD_INLINE bool find_corral(const struct sokoban *game, const struct region *region, const uint64_t *frozen,
                              int count, uint64_t *fence, int n) {
    uint64_t rest[SOKOBAN_WORDS];
    struct yard yard;
    struct corral corral;
    bool found = false;
    yard_open(&yard, game, region, frozen, n);
    for (int i = 0; i < n; i++)
        rest[i] = yard.beyond[i];
    for (int square; count && (square = board_lowest(rest, n)) >= 0;) {
        if (!find_part(&yard, &corral, rest, square, n))
            continue;
        bool lost = game->rules.corral_deadlocks && sokoban_corral_is_lost(&yard, &corral);
        if (lost || (game->rules.corrals && corral.pushes < count)) {
            count = lost ? 0 : corral.pushes;
            for (int i = 0; i < n; i++)
                fence[i] = lost ? 0 : corral.fence[i];
            found = true;
        }
    }
    return found;
}

bool sokoban_corral(const struct sokoban *game, const struct region *region, const uint64_t *frozen, int count,
                    uint64_t *fence) {
    bool found = false;
    if (game->rules.corrals || game->rules.corral_deadlocks)
        SOKOBAN_BY_WORDS(game, found = find_corral(game, region, frozen, count, fence, n));
    return found;
}
