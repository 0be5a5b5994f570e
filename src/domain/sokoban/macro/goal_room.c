/* Finds the goal room: every group of three or more adjacent goals is grown square by square, each time by the square
 * that gives the best score. The best of all rooms seen on the way is kept. */
#include "domain/sokoban/macro/goal_room.h"

#include <stdlib.h>

/* Maximum number of squares in a room: growing it further would take more time than macros save. */
#define MOST_SQUARES 400

/* Whether a box can be pushed into the room to `square` in direction d. */
static bool lets_box_in(const struct sokoban *game, const uint64_t *inside, int square, int d) {
    int box = square - game->step[d], player = box - game->step[d];
    return sokoban_is_floor(game, box) && !bitset_has(inside, (unsigned)box) && sokoban_is_floor(game, player) &&
           bitset_has(game->live.some, (unsigned)box) && bitset_has(game->live.some, (unsigned)square);
}

/* The score is 1000 * (20 - entrances) + 5 * squares - 100 * (entrances for the player only) - 500 * boxes, where
 * `entrances` are those through which boxes can be pushed. -1 if there are no such entrances. */
static int32_t score_of(const struct sokoban *game, const uint64_t *inside) {
    uint64_t outside[SOKOBAN_WORDS];
    int entrances = 0, player_only = 0, squares = 0, boxes = 0, n = game->words;
    for (int i = 0; i < n; i++) {
        outside[i] = game->floor[i] & ~inside[i];
        squares += bits_count(inside[i]);
        boxes += bits_count(inside[i] & game->root_boxes[i]);
    }
    for (int i = 0; i < n; i++)
        for (uint64_t edge = inside[i] & board_spread(outside, i, game->stride, n); edge; edge &= edge - 1) {
            int square = i * 64 + bits_lowest(edge), ways = 0;
            for (int d = 0; d < 4; d++)
                ways += lets_box_in(game, inside, square, d);
            entrances += ways > 0;
            player_only += !ways;
        }
    return entrances ? 1000 * (20 - entrances) + 5 * squares - 100 * player_only - 500 * boxes : -1;
}

/* Adds the neighbour of the room that gives the best score; false if there is none. */
static bool grow(const struct sokoban *game, uint64_t *inside, int32_t *score) {
    int best = -1, n = game->words;
    uint64_t border[SOKOBAN_WORDS];
    for (int i = 0; i < n; i++)
        border[i] = board_spread(inside, i, game->stride, n) & game->floor[i] & ~inside[i];
    for (BITSET_EACH(square, border, (size_t)n)) {
        bitset_add(inside, (unsigned)square);
        int32_t now = score_of(game, inside);
        bitset_remove(inside, (unsigned)square);
        if (best < 0 || now > *score) {
            best = square;
            *score = now;
        }
    }
    if (best >= 0)
        bitset_add(inside, (unsigned)best);
    return best >= 0;
}

static void keep_best(struct goal_room *room, const uint64_t *inside, int32_t score, int words) {
    if (score <= room->score)
        return;
    room->score = score;
    memcpy(room->inside, inside, (size_t)words * sizeof *inside);
}

static void grow_group(const struct sokoban *game, struct goal_room *room, uint64_t *inside, soloist_stop_token *stop) {
    int32_t score = score_of(game, inside);
    keep_best(room, inside, score, game->words);
    for (int i = 0; i < MOST_SQUARES && !soloist_stopped(stop) && grow(game, inside, &score); i++)
        keep_best(room, inside, score, game->words);
}

static int count_squares(const uint64_t *set, int words) {
    int count = 0;
    for (int i = 0; i < words; i++)
        count += bits_count(set[i]);
    return count;
}

/* Grows a room from every group of three goals or more. */
static void find_room(const struct sokoban *game, struct goal_room *room, soloist_stop_token *stop) {
    uint64_t left[SOKOBAN_WORDS];
    memcpy(left, game->goal, sizeof left);
    room->score = -1;
    for (int square; (square = board_lowest(left, game->words)) >= 0;) {
        uint64_t group[SOKOBAN_WORDS] = {0};
        bitset_add(group, (unsigned)square);
        board_flood(left, group, -1, game->stride, game->words);
        for (int i = 0; i < game->words; i++)
            left[i] &= ~group[i];
        if (count_squares(group, game->words) >= 3)
            grow_group(game, room, group, stop);
    }
}

/* Lists the room's goals and entries; false if there are none, or too many. */
static bool list_room(const struct sokoban *game, struct goal_room *room) {
    room->squares = count_squares(room->inside, game->words);
    for (BITSET_EACH(square, room->inside, (size_t)game->words)) {
        if (bitset_has(game->goal, (unsigned)square)) {
            if (room->goal_count == GOAL_ROOM_GOALS)
                return false;
            room->goal[room->goal_count++] = (uint16_t)square;
        }
        for (int d = 0; d < 4; d++) {
            if (!lets_box_in(game, room->inside, square, d))
                continue;
            if (room->entry_count == GOAL_ROOM_ENTRIES)
                return false;
            room->entry[room->entry_count++] = (struct goal_room_entry){(uint16_t)square, (uint8_t)d};
        }
    }
    return room->entry_count > 0;
}

/* A room is refused if a box starts inside it off a goal, because the plan would shut that box in. Small rooms are used
 * only if they have one entrance: IDA* with 200,000 nodes then solves 141 levels of Microban, but 137 if two entrances
 * are allowed and 135 with any number. On the first 30 levels of XSokoban (50,000 nodes, goal_cuts=far) the three
 * variants solve 9, 11 and 11. */
static bool is_worth_it(const struct sokoban *game, const struct goal_room *room) {
    for (int i = 0; i < game->words; i++)
        if (room->inside[i] & game->root_boxes[i] & ~game->goal[i])
            return false;
    return room->score >= (room->goal_count < 6 ? 19000 : 18000);
}

bool sokoban_goal_room_make(struct sokoban *game, soloist_stop_token *stop) {
    struct goal_room *room = calloc(1, sizeof *room);
    if (!room)
        return false;
    find_room(game, room, stop);
    if (soloist_stopped(stop)) {
        free(room);
        return false;
    }
    if (room->score < 0 || !list_room(game, room) || !is_worth_it(game, room)) {
        free(room);
        return true;
    }
    game->goal_room = room;
    return sokoban_goal_tree_make(game, room, stop);
}

void sokoban_goal_room_free(struct goal_room *room) {
    if (room)
        free(room->nodes);
    free(room);
}
