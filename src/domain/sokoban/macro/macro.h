/* Macro moves (D6): several pushes of one box played as one move. A macro is coded as its first push and the square
 * that the box ends on. The pushes after the first follow from the position: they go straight ahead if nothing blocks
 * them, otherwise along a shortest path with the other boxes as walls. The single pushes remain legal moves; expand
 * lists the macro instead of its first push. */
#ifndef DOMAIN_SOKOBAN_MACRO_MACRO_H
#define DOMAIN_SOKOBAN_MACRO_MACRO_H

#include "domain/sokoban/sokoban.h"

enum sokoban_macro_kind {
    SOKOBAN_PLAIN, /* no macro: just the push */
    /* The push need not be tried: it makes a deadlock, or there is an optimal solution without it. */
    SOKOBAN_NOWHERE,
    SOKOBAN_TUNNEL,     /* the box is pushed on through a tunnel */
    SOKOBAN_GOAL_MACRO, /* the box is pushed on to a goal of the goal room */
};

/* The effect of a move: the square where its box ends, the square where the player stands after it, and the number of
 * pushes. */
struct sokoban_macro {
    int end, stand, pushes;
};

/* Finds where a macro leads in the position. */
struct sokoban_macro sokoban_macro_look_up(const struct sokoban *game, const uint64_t *boxes, soloist_move move);
/* The same for any move, macro or plain push. */
static inline struct sokoban_macro sokoban_macro_of(const struct sokoban *game, const uint64_t *boxes,
                                                    soloist_move move) {
    int box = sokoban_push_box(move);
    if (sokoban_is_macro(move))
        return sokoban_macro_look_up(game, boxes, move);
    return (struct sokoban_macro){box + game->step[move & 3], box, 1};
}
/* The single pushes of a move; `pushes` has room for SOKOBAN_MOST_PLACES. Returns how many there are. */
int sokoban_macro_pushes(const struct sokoban *game, const uint64_t *boxes, soloist_move move, soloist_move *pushes);

/* The effect of a move in the form that the bound needs. */
struct sokoban_shift sokoban_push_shift(const struct sokoban *game, const struct sokoban_state *state,
                                        soloist_move move);

/* For `expand`: `children` are pushes that make no deadlock. Replaces each push by its macro, if it has one, drops the
 * pushes that need not be tried, and applies the goal cut. Returns how many children are left. */
int sokoban_macro_children(const struct sokoban *game, const struct sokoban_state *state, soloist_child *children,
                           int count);
/* For `moves`: adds the macros to a list of pushes, each after its own first push. Returns the new count. */
int sokoban_macro_moves(const struct sokoban *game, const uint64_t *boxes, soloist_move *moves, int count);

/* For `moves` with listing=macros: replaces each push by its macro, even if the position after it is dead, and applies
 * the goal cut. Returns the new count. */
int sokoban_macro_replace(const struct sokoban *game, const struct sokoban_state *state, soloist_move *moves,
                          int count);

/* tunnel.c: sokoban_tunnels_make finds the squares of tunnels; sokoban_tunnel_find finds how far a push goes on through
 * a tunnel, or that it need not be tried (SOKOBAN_NOWHERE). */
void sokoban_tunnels_make(struct sokoban *game);
enum sokoban_macro_kind sokoban_tunnel_find(const struct sokoban *game, const uint64_t *boxes, int box, int d,
                                            struct sokoban_macro *macro);

/* Breadth-first search over the places to which one box can be pushed while the others stay. A place is the box's
 * square * 4 + the direction of the push that brought it there; the player stands behind the box. Places are found in
 * order of the number of pushes. */
#define SOKOBAN_MOST_PLACES (4 * 64 * SOKOBAN_WORDS)
struct sokoban_carry {
    const struct sokoban *game;
    uint64_t others[SOKOBAN_WORDS], seen[4][SOKOBAN_WORDS];
    int head, tail;
    uint16_t places[SOKOBAN_MOST_PLACES], before[SOKOBAN_MOST_PLACES]; /* before: index of the previous place */
};
/* sokoban_carry_open starts the search after the push of `box` in direction d; this push must be possible. Each call of
 * sokoban_carry_next returns the next place, or -1 after the last. */
void sokoban_carry_open(struct sokoban_carry *carry, const struct sokoban *game, const uint64_t *boxes, int box, int d);
int sokoban_carry_next(struct sokoban_carry *carry);
/* The number of pushes to the place that was returned last. */
int sokoban_carry_length(const struct sokoban_carry *carry);

#endif
