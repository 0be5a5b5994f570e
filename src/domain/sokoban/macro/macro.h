/* Macro moves (D6): several pushes of one box played as one move. A macro is coded as its first push and the square
 * that the box ends on. The pushes between follow from the position: straight on if nothing is in the way, else a
 * shortest path, the other boxes being walls. The single pushes stay legal moves; expand puts the macro in the place of
 * the first.
 */
#ifndef SOKOBAN_MACRO_H
#define SOKOBAN_MACRO_H

#include "domain/sokoban/sokoban.h"

enum sokoban_macro_kind {
    SOKOBAN_PLAIN,      /* no macro: the push alone */
    SOKOBAN_NOWHERE,    /* the push need not be looked at: it loses, or can be left out of a best solution */
    SOKOBAN_TUNNEL,     /* on through a tunnel */
    SOKOBAN_GOAL_MACRO, /* on to a goal of the goal room */
};

/* Where a move takes its box, where the player stands then, and by how many pushes. */
struct sokoban_macro {
    int end, stand, pushes;
};

/* A macro looked up in the position. */
struct sokoban_macro sokoban_macro_look_up(const struct sokoban *game, const uint64_t *boxes, soloist_move move);
/* The same for any move. */
static inline struct sokoban_macro sokoban_macro_of(const struct sokoban *game, const uint64_t *boxes,
                                                    soloist_move move) {
    int box = sokoban_push_box(move);
    if (sokoban_is_macro(move))
        return sokoban_macro_look_up(game, boxes, move);
    return (struct sokoban_macro){box + game->step[move & 3], box, 1};
}
/* Its single pushes; `pushes` has room for SOKOBAN_MOST_PLACES. Returns how many. */
int sokoban_macro_pushes(const struct sokoban *game, const uint64_t *boxes, soloist_move move, soloist_move *pushes);

/* The same as the bound wants to see it. */
struct sokoban_shift sokoban_push_shift(const struct sokoban *game, const struct sokoban_state *state,
                                        soloist_move move);

/* For expand: puts macros in the place of pushes that are not dead, drops those that lead nowhere and makes the goal
 * cut. Returns how many are left. */
int sokoban_macro_children(const struct sokoban *game, const struct sokoban_state *state, soloist_child *children,
                           int count);
/* For moves: adds the macros to a list of pushes, each behind its own. Returns the new count. */
int sokoban_macro_moves(const struct sokoban *game, const uint64_t *boxes, soloist_move *moves, int count);

/* tunnel.c: the squares of tunnels; and how far the push goes on, or SOKOBAN_NOWHERE. */
void sokoban_tunnels_make(struct sokoban *game);
enum sokoban_macro_kind sokoban_tunnel_find(const struct sokoban *game, const uint64_t *boxes, int box, int d,
                                            struct sokoban_macro *macro);

/* A box is pushed about, the others stay. A place is the box's square * 4 + the direction of the push that brought it
 * there; the player stands behind it. Places come in the order of their distance. */
#define SOKOBAN_MOST_PLACES (4 * 64 * SOKOBAN_WORDS)
struct sokoban_carry {
    const struct sokoban *game;
    uint64_t others[SOKOBAN_WORDS], seen[4][SOKOBAN_WORDS];
    int head, tail;
    uint16_t places[SOKOBAN_MOST_PLACES], before[SOKOBAN_MOST_PLACES]; /* before: the index that it was reached from */
};
/* Begins after the push of `box` in direction d, which is possible; then place after place, -1 after the last. */
void sokoban_carry_open(struct sokoban_carry *carry, const struct sokoban *game, const uint64_t *boxes, int box, int d);
int sokoban_carry_next(struct sokoban_carry *carry);
/* The number of pushes up to the place that came last. */
int sokoban_carry_length(const struct sokoban_carry *carry);

#endif
