#include "domain/sokoban/generate/vary.h"

#define CELLS (SOKOBAN_MOST_SIDE * SOKOBAN_MOST_SIDE)

/* How often each change is drawn, in twentieths. Fitted by hand to levels of 3 and 4 boxes: opening walls and moving
 * goals and boxes most often lead to a harder level. */
enum { OPEN_WALL = 5, FILL_FLOOR = 2, MOVE_GOAL = 6, MOVE_BOX = 6, MOVE_PLAYER = 1, ALL_CHANGES = 20 };

/* Which cells may be chosen: those that have all bits of `with` and none of `without`. */
static int draw_cell(const struct sokoban_level *level, int with, int without, soloist_rng *rng) {
    uint16_t cells[CELLS];
    uint32_t count = 0;
    for (int i = 0; i < level->width * level->height; i++)
        if ((level->cells[i] & with) == with && !(level->cells[i] & without))
            cells[count++] = (uint16_t)i;
    return count ? cells[soloist_rng_below(rng, count)] : -1;
}

/* Marks the floor that can be reached from `from` without entering cells that have a bit of `blocked`; returns how many
 * cells that are. */
static int flood(const struct sokoban_level *level, int from, int blocked, uint8_t *reached) {
    const int step[4] = {-level->width, -1, 1, level->width};
    uint16_t queue[CELLS];
    int tail = 0;
    for (int i = 0; i < level->width * level->height; i++)
        reached[i] = 0;
    reached[from] = 1;
    queue[tail++] = (uint16_t)from;
    for (int head = 0; head < tail; head++)
        for (int d = 0; d < 4; d++) {
            int to = queue[head] + step[d];
            if (reached[to] || !(level->cells[to] & SOKOBAN_INSIDE) || level->cells[to] & blocked)
                continue;
            reached[to] = 1;
            queue[tail++] = (uint16_t)to;
        }
    return tail;
}

static bool open_wall(struct sokoban_level *level, soloist_rng *rng) {
    const int step[4] = {-level->width, -1, 1, level->width};
    uint16_t cells[CELLS];
    uint32_t count = 0;
    for (int y = 1; y < level->height - 1; y++)
        for (int x = 1; x < level->width - 1; x++) {
            int cell = y * level->width + x, beside = 0;
            for (int d = 0; d < 4; d++)
                beside |= level->cells[cell + step[d]];
            if (!(level->cells[cell] & SOKOBAN_INSIDE) && beside & SOKOBAN_INSIDE)
                cells[count++] = (uint16_t)cell;
        }
    if (!count)
        return false;
    level->cells[cells[soloist_rng_below(rng, count)]] = SOKOBAN_INSIDE;
    return true;
}

static bool fill_floor(struct sokoban_level *level, soloist_rng *rng) {
    uint8_t reached[CELLS];
    int cell = draw_cell(level, SOKOBAN_INSIDE, SOKOBAN_BOX | SOKOBAN_GOAL, rng);
    if (cell < 0 || cell == level->player)
        return false;
    int whole = flood(level, level->player, 0, reached);
    level->cells[cell] = SOKOBAN_WALL;
    if (flood(level, level->player, 0, reached) == whole - 1)
        return true;
    level->cells[cell] = SOKOBAN_INSIDE;
    return false;
}

/* Moves a box or a goal, which is the bit `what`, from one cell to another. */
static bool shift(struct sokoban_level *level, int what, int from, int to) {
    if (from < 0 || to < 0)
        return false;
    level->cells[from] = (uint8_t)(level->cells[from] & ~what);
    level->cells[to] = (uint8_t)(level->cells[to] | what);
    return true;
}

static bool move_goal(struct sokoban_level *level, bool allow_box_on_goal, soloist_rng *rng) {
    int from = draw_cell(level, SOKOBAN_GOAL, 0, rng);
    int to = draw_cell(level, SOKOBAN_INSIDE, SOKOBAN_GOAL | (allow_box_on_goal ? 0 : SOKOBAN_BOX), rng);
    return (to != level->player || allow_box_on_goal) && shift(level, SOKOBAN_GOAL, from, to);
}

/* To a neighbouring cell or to any cell, with equal probabilities. */
static bool move_box(struct sokoban_level *level, bool allow_box_on_goal, soloist_rng *rng) {
    const int step[4] = {-level->width, -1, 1, level->width};
    int taken = SOKOBAN_BOX | (allow_box_on_goal ? 0 : SOKOBAN_GOAL);
    int from = draw_cell(level, SOKOBAN_BOX, 0, rng);
    if (from < 0)
        return false;
    int to = soloist_rng_below(rng, 2) ? from + step[soloist_rng_below(rng, 4)]
                                       : draw_cell(level, SOKOBAN_INSIDE, taken, rng);
    if (to < 0 || to == level->player || !(level->cells[to] & SOKOBAN_INSIDE) || level->cells[to] & taken)
        return false;
    return shift(level, SOKOBAN_BOX, from, to);
}

static bool move_player(struct sokoban_level *level, bool allow_box_on_goal, soloist_rng *rng) {
    uint8_t reached[CELLS];
    int to = draw_cell(level, SOKOBAN_INSIDE, SOKOBAN_BOX | (allow_box_on_goal ? 0 : SOKOBAN_GOAL), rng);
    flood(level, level->player, SOKOBAN_BOX, reached);
    if (to < 0 || reached[to])
        return false;
    level->player = to;
    return true;
}

bool sokoban_level_vary(struct sokoban_level *level, bool allow_box_on_goal, soloist_rng *rng) {
    int draw = (int)soloist_rng_below(rng, ALL_CHANGES);
    if ((draw -= OPEN_WALL) < 0)
        return open_wall(level, rng);
    if ((draw -= FILL_FLOOR) < 0)
        return fill_floor(level, rng);
    if ((draw -= MOVE_GOAL) < 0)
        return move_goal(level, allow_box_on_goal, rng);
    if ((draw -= MOVE_BOX) < 0)
        return move_box(level, allow_box_on_goal, rng);
    return move_player(level, allow_box_on_goal, rng);
}
