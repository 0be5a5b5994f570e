/* A line of pushes with every position on it, and the costs of its parts under an aim. For this folder only. */
#ifndef SEARCH_SPECIAL_SOKOBAN_POLISH_LINE_H
#define SEARCH_SPECIAL_SOKOBAN_POLISH_LINE_H

#include "base/budget.h"
#include "domain/sokoban/sokoban.h"
#include "search/special/sokoban/polish.h"

/* Pushes and moves in one number: the count that matters more is in the upper half, so that costs can be compared as
 * numbers. */
typedef uint64_t polish_cost;
#define POLISH_FAR UINT64_MAX

/* The cost of a push together with the player's walk to it. moves: number of steps, including the push. */
static inline polish_cost polish_push_cost(enum polish_aim aim, int32_t moves) {
    switch (aim) {
    case POLISH_PUSHES_MOVES: return UINT64_C(1) << 32 | (uint32_t)moves;
    case POLISH_MOVES_PUSHES: return (uint64_t)(uint32_t)moves << 32 | 1;
    case POLISH_PUSHES: return UINT64_C(1) << 32;
    case POLISH_MOVES: break;
    }
    return (uint64_t)(uint32_t)moves << 32;
}

static inline polish_cost polish_walk_cost(enum polish_aim aim, int32_t steps) {
    return polish_push_cost(aim, steps) - polish_push_cost(aim, 0);
}

/* A line of `count` pushes. Before push i, the boxes are boxes[i * words ...], and the player is on player[i], where
 * push i - 1 left him. cost[i]: the cost of all pushes before push i. */
struct polish_line {
    const struct sokoban *game;
    enum polish_aim aim;
    soloist_move *pushes; /* box * 4 + direction */
    uint64_t *boxes;
    uint16_t *player;
    polish_cost *cost;
    size_t count;
};

/* Plays the pushes from the root. If memory is full or a push is illegal, returns false, and the line is empty. */
bool polish_line_open(struct polish_line *line, const struct sokoban *game, enum polish_aim aim,
                      const soloist_move *pushes, size_t count);
void polish_line_close(struct polish_line *line);
/* Computes the costs again under another aim. */
void polish_line_set_aim(struct polish_line *line, enum polish_aim aim);
/* Replaces the pushes from .. to - 1 by `middle`, if that makes the line cheaper. False: the line is unchanged. */
bool polish_line_splice(struct polish_line *line, size_t from, size_t to, const soloist_move *middle, size_t count);
static inline const uint64_t *polish_line_boxes(const struct polish_line *line, size_t at) {
    return line->boxes + at * (size_t)line->game->words;
}
static inline polish_cost polish_line_total(const struct polish_line *line) { return line->cost[line->count]; }

/* Plays one push, changing boxes and player. Returns the cost of the push, or POLISH_FAR if the push is illegal. */
polish_cost polish_play(const struct sokoban *game, enum polish_aim aim, uint64_t *boxes, int *player,
                        soloist_move push);

/* What the three techniques share. */
struct polish {
    const soloist_puzzle *puzzle;
    struct polish_line line;
    struct budget *budget;
    soloist_progress progress;
    double until_s; /* end of the current part of the run; 0: not set */
    uint64_t until_nodes;
    bool optimal;
};

bool polish_spent(struct polish *polish);

struct table;

/* One exact search: from position `from` of the line to the boxes of position `to` or, if the line ends there, to any
 * solution. */
struct polish_window {
    size_t from, to;
    uint64_t nodes;           /* number of positions that the search may generate */
    const struct table *near; /* the sets of box squares that the search may enter; NULL: all */
};
enum polish_found { POLISH_NOTHING, POLISH_BETTER, POLISH_GAVE_UP };

/* polish_window.c: looks for a cheaper path and puts it into the line. POLISH_NOTHING: there is none (within `near`).
 */
enum polish_found polish_search(struct polish *polish, const struct polish_window *window);

/* polish_order.c: moves a run of pushes of one box past up to `most` of its neighbouring runs in the line. True if the
 * line got better. */
bool polish_order(struct polish *polish, int most);

/* polish_vicinity.c: looks for a cheaper path through about `positions` positions near the line. POLISH_NOTHING: there
 * is none. */
enum polish_found polish_vicinity(struct polish *polish, uint64_t positions);

#endif
