/* A solution as a sequence of pushes (a line), with every position on it and the costs of its parts under an aim. Only
 * files of this folder include this header. */
#ifndef SEARCH_SPECIAL_SOKOBAN_POLISH_LINE_H
#define SEARCH_SPECIAL_SOKOBAN_POLISH_LINE_H

#include "base/budget.h"
#include "domain/sokoban/file/counts.h"
#include "domain/sokoban/sokoban.h"
#include "search/special/sokoban/polish.h"

/* All counts of an aim combined into one number, so that costs can be compared: the first two counts have 32 bits each
 * in the upper half, and up to three more counts share the lower half. The alignment is 8 bytes, because search tables
 * align their data to 8 bytes. */
__extension__ typedef unsigned __int128 polish_cost __attribute__((aligned(8)));
#define POLISH_FAR (~(polish_cost)0)
/* The first two counts of a cost; the priority queue of a search is ordered by these. */
static inline uint64_t polish_cost_head(polish_cost cost) { return (uint64_t)(cost >> 64); }

/* An aim, and what one unit of each count costs under this aim: 0 if the aim does not name the count. */
struct polish_weights {
    struct polish_aim aim;
    polish_cost one[POLISH_COUNTS];
    bool walks;  /* the player's square matters, because the aim is not the number of pushes alone */
    bool recent; /* the last push matters, because the aim names box lines or box changes */
};
polish_cost polish_counts_cost(const struct polish_weights *weights, const struct sokoban_counts *counts);

/* The cost of a push together with the player's walk to it. last: the previous push, or SOLOIST_NO_MOVE; moves: number
 * of the player's moves, including the push. */
static inline polish_cost polish_push_cost(const struct polish_weights *weights, const struct sokoban *game,
                                           soloist_move last, soloist_move push, int32_t moves) {
    const polish_cost *one = weights->one;
    polish_cost cost = one[POLISH_COUNT_PUSHES] + (uint32_t)moves * one[POLISH_COUNT_MOVES];
    bool first = last == SOLOIST_NO_MOVE;
    bool other = first || sokoban_push_box(push) != sokoban_push_end(game, last);
    if (weights->recent && other)
        cost += one[POLISH_COUNT_BOX_CHANGES];
    if (weights->recent && (other || (push & 3) != (last & 3)))
        cost += one[POLISH_COUNT_BOX_LINES];
    return first || moves > 1 ? cost + one[POLISH_COUNT_SESSIONS] : cost;
}

/* The least cost of any push. */
static inline polish_cost polish_least_cost(const struct polish_weights *weights) {
    return weights->one[POLISH_COUNT_PUSHES] + weights->one[POLISH_COUNT_MOVES];
}

/* A line of `count` pushes. Before push i, the boxes are boxes[i * words ...], and the player is on player[i], where
 * push i - 1 left him. cost[i]: the cost of all pushes before push i. */
struct polish_line {
    const struct sokoban *game;
    struct polish_weights weights;
    soloist_move *pushes; /* box * 4 + direction */
    uint64_t *boxes;
    uint16_t *player;
    polish_cost *cost;
    size_t count;
};

/* Plays the pushes from the root. If memory is full or a push is illegal, returns false, and the line is empty. */
bool polish_line_open(struct polish_line *line, const struct sokoban *game, struct polish_aim aim,
                      const soloist_move *pushes, size_t count);
void polish_line_close(struct polish_line *line);
/* Sets another aim and computes the costs again. */
void polish_line_set_aim(struct polish_line *line, struct polish_aim aim);
/* Replaces the pushes number `from` to `to` - 1 by `middle`, if that makes the line cheaper. False: the line is
 * unchanged. */
bool polish_line_splice(struct polish_line *line, size_t from, size_t to, const soloist_move *middle, size_t count);
static inline const uint64_t *polish_line_boxes(const struct polish_line *line, size_t at) {
    return line->boxes + at * (size_t)line->game->words;
}
/* The push before push number `at`, or SOLOIST_NO_MOVE. */
static inline soloist_move polish_line_last(const struct polish_line *line, size_t at) {
    return at ? line->pushes[at - 1] : SOLOIST_NO_MOVE;
}
static inline polish_cost polish_line_total(const struct polish_line *line) { return line->cost[line->count]; }

/* Plays one push and updates boxes and player. last: the previous push. Returns the cost of the push, or POLISH_FAR if
 * the push is illegal. */
polish_cost polish_play(const struct sokoban *game, const struct polish_weights *weights, uint64_t *boxes, int *player,
                        soloist_move last, soloist_move push);

/* The data that the three techniques (see polish.h) share. */
struct polish {
    const soloist_puzzle *puzzle;
    struct polish_line line;
    struct budget *budget;
    soloist_progress progress;
    double until_s; /* time at which the current part of the run must end; 0: not set */
    uint64_t until_nodes;
    bool optimal;
};

bool polish_spent(struct polish *polish);
/* Counts `count` positions that were just generated. If the node limit allows fewer, counts only that many. Returns the
 * number counted. Positions that were not counted must not be used, so that the limit holds exactly. */
int polish_count_nodes(struct polish *polish, int count);

struct table;

/* One exact search: from position `from` of the line to the boxes of position `to` or, if `to` is the end of the line,
 * to any solution. */
struct polish_window {
    size_t from, to;
    uint64_t nodes;           /* maximum number of positions that the search may generate */
    const struct table *near; /* the sets of box squares that may occur in the search; NULL: all */
};
enum polish_found { POLISH_NOTHING, POLISH_BETTER, POLISH_GAVE_UP };

/* polish_window.c: looks for a cheaper path between the two positions of the window and inserts it into the line.
 * POLISH_NOTHING: there is no cheaper path (within `near`). */
enum polish_found polish_search(struct polish *polish, const struct polish_window *window);

/* polish_order.c: tries to move each run (consecutive pushes of one box) past up to `most` of its neighbouring runs in
 * the line. True if the line got better. */
bool polish_order(struct polish *polish, int most);

/* polish_vicinity.c: looks for a cheaper path through about `positions` positions near the line. POLISH_NOTHING: there
 * is no cheaper path. */
enum polish_found polish_vicinity(struct polish *polish, uint64_t positions);

#endif
