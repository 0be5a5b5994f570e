/* The plan is a sequence of moves of the packing game in reverse order: it says in which order squares are filled and
 * where boxes wait meanwhile. The plan also says which boxes must be in place after each step; the progress of a
 * position is the last step for which all of these boxes are in place. A box is out of plan if it could not reach any
 * of the remaining goals once the next box is packed for good. */
#include "domain/sokoban/feature/feature.h"

#include "base/matching.h"

static uint64_t *board_at(const struct guide *guide, int step) {
    return guide->board + (ptrdiff_t)step * guide->game->words;
}

static uint64_t *zone_at(const struct guide *guide, int step) {
    return guide->zone + (ptrdiff_t)step * guide->game->words;
}

void feature_plan_forget(struct guide *guide) { guide->steps = 0; }

/* Adds a step in which a box comes to `to` from the square `from` (-1: from anywhere). Two consecutive steps of the
 * same box become one. */
static void add_step(struct guide *guide, int from, int to) {
    if (from >= 0 && guide->steps && guide->next[guide->steps - 1] == from) {
        guide->next[guide->steps - 1] = (uint16_t)to;
        return;
    }
    guide->from[guide->steps] = (int16_t)from;
    guide->next[guide->steps++] = (uint16_t)to;
}

/* Fills guide->board: the boxes in place after each step. */
static void make_boards(struct guide *guide) {
    size_t size = (size_t)guide->game->words * sizeof(uint64_t);
    memset(board_at(guide, 0), 0, size);
    for (int step = 0; step < guide->steps; step++) {
        uint64_t *board = board_at(guide, step + 1);
        memcpy(board, board_at(guide, step), size);
        if (guide->from[step] >= 0)
            bitset_remove(board, (unsigned)guide->from[step]);
        bitset_add(board, guide->next[step]);
    }
}

/* The last step before this one that put a box on the square; -1: none. */
static int find_step_to(const struct guide *guide, int before, int square) {
    for (int step = before - 1; step >= 0; step--)
        if (guide->next[step] == square)
            return step;
    return -1;
}

static void drop_step(struct guide *guide, int step) {
    for (guide->steps--; step < guide->steps; step++) {
        guide->next[step] = guide->next[step + 1];
        guide->from[step] = guide->from[step + 1];
    }
}

/* Whether there are at least as many starting squares as boxes still to come from which a box can be pushed to the
 * step's square, around the boxes that are then in place. */
static bool is_open(struct guide *guide, int step) {
    const struct sokoban *game = guide->game;
    uint64_t walls[SOKOBAN_WORDS], goal[SOKOBAN_WORDS] = {0}, reached[SOKOBAN_WORDS];
    int starts = 0, to_come = 0;
    for (int i = 0; i < game->words; i++)
        walls[i] = board_at(guide, step)[i] & ~board_one(guide->from[step], i);
    bitset_add(goal, guide->next[step]);
    haul_from_all(&guide->haul, HAUL_PULL, walls, goal);
    haul_squares(&guide->haul, reached);
    for (int i = 0; i < game->words; i++)
        starts += bits_count(reached[i] & game->root_boxes[i]);
    for (int later = step; later < guide->steps; later++)
        to_come += later == step || guide->from[later] < 0;
    return starts >= to_come;
}

/* Removes the waiting square of each box that could just as well be brought later. */
static void drop_waits(struct guide *guide) {
    for (int step = 0; step < guide->steps; step++) {
        if (guide->from[step] < 0 || !is_open(guide, step))
            continue;
        for (int wait = guide->from[step]; wait >= 0;) {
            int earlier = find_step_to(guide, step, wait);
            if (earlier < 0)
                break;
            wait = guide->from[earlier];
            drop_step(guide, earlier);
            step--;
        }
        guide->from[step] = -1;
        make_boards(guide);
    }
}

/* The least number of pushes that bring a box of the root to the square. A goal deep inside a room has a high number.
 */
static int32_t depth_of(const struct sokoban *game, int square) {
    int32_t least = SOKOBAN_NEVER;
    for (int post = game->post_first[square]; post < game->post_first[square + 1]; post++)
        for (int box = 0; box < game->boxes; box++)
            if (game->from_root[(ptrdiff_t)post * game->boxes + box] < least)
                least = game->from_root[(ptrdiff_t)post * game->boxes + box];
    return least;
}

/* Goals on which boxes were left at the end of the packing game are filled first, the deepest goals before the others.
 */
static void add_left(struct guide *guide, const uint64_t *boxes) {
    enum { ADDED = -1 };
    const struct sokoban *game = guide->game;
    int32_t depth[MATCHING_MOST];
    for (int g = 0; g < game->goals; g++) {
        bool left = bitset_has(boxes, game->goal_square[g]);
        depth[g] = left ? depth_of(game, game->goal_square[g]) : ADDED;
    }
    for (;;) {
        int deepest = 0;
        for (int g = 1; g < game->goals; g++)
            deepest = depth[g] > depth[deepest] ? g : deepest;
        if (depth[deepest] == ADDED)
            return;
        depth[deepest] = ADDED;
        add_step(guide, -1, game->goal_square[deepest]);
    }
}

/* Finds the squares that are filled after the step and stay filled in all later steps. */
static void find_settled(const struct guide *guide, int step, uint64_t *settled) {
    int words = guide->game->words;
    memcpy(settled, board_at(guide, step), (size_t)words * sizeof *settled);
    for (int later = step + 1; later <= guide->steps; later++)
        for (int i = 0; i < words; i++)
            settled[i] &= board_at(guide, later)[i];
}

/* Live squares from which no remaining goal can be reached after `step` steps. */
static void find_zone(struct guide *guide, int step, uint64_t *zone) {
    const struct sokoban *game = guide->game;
    uint64_t settled[SOKOBAN_WORDS], goals[SOKOBAN_WORDS], reached[SOKOBAN_WORDS];
    find_settled(guide, step, settled);
    for (int i = 0; i < game->words; i++)
        goals[i] = game->goal[i] & ~settled[i];
    haul_from_all(&guide->haul, HAUL_PULL, settled, goals);
    haul_squares(&guide->haul, reached);
    for (int i = 0; i < game->words; i++)
        zone[i] = board_empty(goals, game->words) ? 0 : game->live.some[i] & ~reached[i] & ~settled[i];
}

/* Boxes should leave a zone well before a step cuts it off. Therefore, whenever the zone changes at a step, the new
 * zone also replaces that of the steps before, back to the previous change. The last step cuts off nothing. */
static void spread_zones(struct guide *guide) {
    int words = guide->game->words, since = 0;
    for (int step = 1; step + 1 < guide->steps; step++) {
        if (board_equal(zone_at(guide, step), zone_at(guide, step - 1), words))
            continue;
        for (int early = since; early < step; early++)
            memcpy(zone_at(guide, early), zone_at(guide, step), (size_t)words * sizeof(uint64_t));
        since = step;
    }
}

static void make_zones(struct guide *guide) {
    for (int step = 0; step < guide->steps; step++)
        find_zone(guide, step + 1, zone_at(guide, step));
    spread_zones(guide);
}

/* Whether a move of the packing game takes a box from a goal to which no earlier move brought it: in forward play, this
 * is where a box comes to stay. */
static bool is_final(const struct sokoban *game, const soloist_move *moves, size_t at) {
    int goal = feature_from(moves[at]);
    for (size_t earlier = 0; earlier < at; earlier++)
        if (feature_to(moves[earlier]) == goal)
            return false;
    return bitset_has(game->goal, (unsigned)goal);
}

void feature_adopt(const soloist_instance *instance, void *block, const void *state, const soloist_move *moves,
                   size_t count) {
    struct guide *guide = block;
    const struct sokoban *game = sokoban_of(instance);
    const uint64_t *boxes = ((const struct sokoban_state *)state)->boxes;
    uint64_t on_board[SOKOBAN_WORDS] = {0};
    guide->steps = 0;
    if (guide->kind == PLAN_NONE || (int)count + game->boxes > feature_most_steps(game))
        return;
    add_left(guide, boxes);
    for (int i = 0; i < game->words; i++)
        on_board[i] = boxes[i] & game->goal[i];
    while (count--) {
        int from = feature_from(moves[count]), to = feature_to(moves[count]);
        if (guide->kind == PLAN_STAYING && !is_final(game, moves, count))
            continue;
        bool here = !(moves[count] & FEATURE_SINK) && bitset_has(on_board, (unsigned)to);
        add_step(guide, here ? to : -1, from);
        bitset_remove(on_board, (unsigned)to);
        bitset_add(on_board, (unsigned)from);
    }
    make_boards(guide);
    if (!guide->waits)
        drop_waits(guide);
    make_zones(guide);
}

BOARD_INLINE int last_board(const struct guide *guide, const uint64_t *boxes, int n) {
    for (int step = guide->steps; step > 0; step--) {
        const uint64_t *board = guide->board + (ptrdiff_t)step * n;
        uint64_t missing = 0;
        for (int i = 0; i < n; i++)
            missing |= board[i] & ~boxes[i];
        if (!missing)
            return step;
    }
    return 0;
}

int feature_packed(const struct guide *guide, const uint64_t *boxes) {
    int packed = 0;
    if (guide->steps) {
        SOKOBAN_BY_WORDS(guide->game, packed = last_board(guide, boxes, n));
        return packed;
    }
    for (int i = 0; i < guide->game->words; i++)
        packed += bits_count(boxes[i] & guide->game->goal[i]);
    return packed;
}

int feature_out_of_plan(const struct guide *guide, const uint64_t *boxes, int packed) {
    int count = 0;
    if (packed >= guide->steps)
        return 0;
    for (int i = 0; i < guide->game->words; i++)
        count += bits_count(boxes[i] & zone_at(guide, packed)[i]);
    return count;
}
