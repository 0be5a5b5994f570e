/* A line of pushes with every position on it, and what its parts cost under an aim. Internal to the folder. */
#ifndef SEARCH_SOKOBAN_POLISH_LINE_H
#define SEARCH_SOKOBAN_POLISH_LINE_H

#include "base/budget.h"
#include "domain/sokoban/sokoban.h"
#include "search/special/sokoban/polish.h"

/* Two counts in one number, so that sums and comparisons are lexicographic: the first aim in the upper half. */
typedef uint64_t polish_cost;
#define POLISH_FAR UINT64_MAX

/* Of a push together with the walk to it: `moves` steps in all. */
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

/* Pushes number 0 .. count - 1; before push i the boxes are boxes[i * words ...] and the player stands on player[i],
 * where the push before left him. cost[i]: of the pushes before i. */
struct polish_line {
    const struct sokoban *game;
    enum polish_aim aim;
    soloist_move *pushes; /* box * 4 + direction */
    uint64_t *boxes;
    uint16_t *player;
    polish_cost *cost;
    size_t count;
};

/* Plays the pushes from the root. False without memory, or if one cannot be played: the line is then empty. */
bool polish_line_open(struct polish_line *line, const struct sokoban *game, enum polish_aim aim,
                      const soloist_move *pushes, size_t count);
void polish_line_close(struct polish_line *line);
/* Counts the costs again under another aim. */
void polish_line_set_aim(struct polish_line *line, enum polish_aim aim);
/* Puts `middle` in place of the pushes from .. to - 1. False: as it was. */
bool polish_line_splice(struct polish_line *line, size_t from, size_t to, const soloist_move *middle, size_t count);
static inline const uint64_t *polish_line_boxes(const struct polish_line *line, size_t at) {
    return line->boxes + at * (size_t)line->game->words;
}
static inline polish_cost polish_line_total(const struct polish_line *line) { return line->cost[line->count]; }

/* Plays one push with boxes and player changed; its cost, or POLISH_FAR if it cannot be played. */
polish_cost polish_play(const struct sokoban *game, enum polish_aim aim, uint64_t *boxes, int *player,
                        soloist_move push);

/* What the ways of shortening share. */
struct polish {
    const soloist_puzzle *puzzle;
    struct polish_line line;
    struct budget *budget;
    soloist_progress progress;
    double until_s; /* of a part of the run; 0: not set */
    uint64_t until_nodes;
    bool optimal;
};

bool polish_spent(struct polish *polish);

struct table;

/* One exact search: from position `from` of the line to the boxes of position `to` (at the end: to any solution). */
struct polish_window {
    size_t from, to;
    uint64_t nodes;           /* positions that it may generate */
    const struct table *near; /* sets of boxes that it may enter; NULL: all */
};
enum polish_found { POLISH_NOTHING, POLISH_BETTER, POLISH_GAVE_UP };

/* polish_window.c: puts a cheaper path in place if there is one. POLISH_NOTHING: there is none (within `near`). */
enum polish_found polish_search(struct polish *polish, const struct polish_window *window);

/* polish_order.c: moves pushing sessions before or behind up to `most` others; true if that helped. */
bool polish_order(struct polish *polish, int most);

/* polish_vicinity.c: looks at about so many positions near the line. POLISH_NOTHING: they hold nothing better. */
enum polish_found polish_vicinity(struct polish *polish, uint64_t positions);

#endif
