/* Goal macros: a tree says which goal of the room is filled next, and macros are made from it. A node is a set of
 * filled goals. For each entry it names the farthest goal to which a box can be pushed from there, such that all other
 * goals can still be filled afterwards, one box at a time. The tree is built with only the room's packed boxes on the
 * board. In a position, the path is searched again with all boxes on the board; if there is none, the push remains a
 * plain push. */
#include "domain/sokoban/macro/goal_room.h"

#include "base/hash.h"

#include <stdlib.h>

#define MOST_NODES 4096 /* maximum number of nodes of the tree; the hash table has twice as many slots */
/* Limits on the work of building the tree: searches for paths, and words of sets of squares that these read or write.
 * The second limit matters on large boards only, where the searches would take seconds. */
#define MOST_SEARCHES 600
#define MOST_WORDS (1 << 22)

struct planner {
    const struct sokoban *game;
    struct goal_room *room;
    soloist_stop_token *stop;
    int searches, enough; /* searches: number of searches made; enough: number of goals that are to be filled */
    int64_t places;       /* visited by the searches */
};

static bool has_had_enough(const struct planner *planner) {
    return planner->searches >= MOST_SEARCHES || planner->places * planner->game->words >= MOST_WORDS;
}

/* The node of a set of filled goals, or the empty slot for it. */
static struct goal_room_node *node_place(const struct goal_room *room, uint64_t filled) {
    uint64_t at = hash_mix(filled) & (2 * MOST_NODES - 1);
    while (room->nodes[at].used && room->nodes[at].filled != filled)
        at = (at + 1) & (2 * MOST_NODES - 1);
    return &room->nodes[at];
}

/* The node of a set of filled goals, created if necessary; NULL: the table is full. */
static struct goal_room_node *node_take(struct goal_room *room, uint64_t filled) {
    struct goal_room_node *node = node_place(room, filled);
    if (node->used)
        return node;
    if (room->node_count == MOST_NODES)
        return NULL;
    room->node_count++;
    node->used = 1;
    node->filled = filled;
    memset(node->target, GOAL_ROOM_NO_GOAL, sizeof node->target);
    return node;
}

static int goal_number(const struct goal_room *room, int square) {
    for (int g = 0; g < room->goal_count; g++)
        if (room->goal[g] == square)
            return g;
    return GOAL_ROOM_NO_GOAL;
}

/* Lists the goals to which a box can be pushed from an entry, the nearest first. */
static int list_targets(struct planner *planner, uint64_t filled, int entry, uint8_t *targets) {
    const struct sokoban *game = planner->game;
    const struct goal_room *room = planner->room;
    struct goal_room_entry in = room->entry[entry];
    uint64_t boxes[SOKOBAN_WORDS] = {0}, listed = filled;
    struct sokoban_carry carry;
    int count = 0, place;
    for (int g = 0; g < room->goal_count; g++)
        if (filled >> g & 1)
            bitset_add(boxes, room->goal[g]);
    planner->searches++;
    if (bitset_has(boxes, in.square))
        return 0;
    sokoban_carry_open(&carry, game, boxes, in.square - game->step[in.d], in.d);
    while ((place = sokoban_carry_next(&carry)) >= 0) {
        if (++planner->places % 64 == 0 && soloist_stopped(planner->stop))
            return 0;
        int goal = bitset_has(room->inside, (unsigned)(place >> 2)) ? goal_number(room, place >> 2) : GOAL_ROOM_NO_GOAL;
        if (goal != GOAL_ROOM_NO_GOAL && !(listed >> goal & 1)) {
            listed |= UINT64_C(1) << goal;
            targets[count++] = (uint8_t)goal;
        }
    }
    return count;
}

enum { UNKNOWN, FILLABLE, NOT_FILLABLE };

/* Whether the rest of the room can be filled, box by box. */
static bool is_fillable(struct planner *planner, uint64_t filled) {
    uint8_t targets[GOAL_ROOM_GOALS];
    if (bits_count(filled) >= planner->enough)
        return true;
    struct goal_room_node *node = node_take(planner->room, filled);
    if (!node || (node->fillable == UNKNOWN && has_had_enough(planner)))
        return false;
    if (node->fillable != UNKNOWN)
        return node->fillable == FILLABLE;
    for (int entry = 0; entry < planner->room->entry_count && node->fillable == UNKNOWN; entry++) {
        int count = list_targets(planner, filled, entry, targets);
        while (count-- && node->fillable == UNKNOWN)
            if (is_fillable(planner, filled | UINT64_C(1) << targets[count]))
                node->fillable = FILLABLE;
    }
    if (node->fillable == UNKNOWN)
        node->fillable = NOT_FILLABLE;
    return node->fillable == FILLABLE;
}

/* Chooses a goal for every entry, and adds the resulting sets to `waiting`. */
static void plan_from(struct planner *planner, uint64_t filled, uint64_t *waiting, int *count) {
    uint8_t targets[GOAL_ROOM_GOALS];
    struct goal_room_node *node = node_take(planner->room, filled);
    for (int entry = 0; node && entry < planner->room->entry_count; entry++) {
        for (int left = list_targets(planner, filled, entry, targets); left--;) {
            uint64_t next = filled | UINT64_C(1) << targets[left];
            if (!is_fillable(planner, next))
                continue;
            node->target[entry] = targets[left];
            waiting[(*count)++] = next;
            break;
        }
    }
}

static uint64_t filled_goals(const struct goal_room *room, const uint64_t *boxes) {
    uint64_t filled = 0;
    for (int g = 0; g < room->goal_count; g++)
        filled |= (uint64_t)bitset_has(boxes, room->goal[g]) << g;
    return filled;
}

static bool is_planned(const struct goal_room_node *node, int entries) {
    for (int entry = 0; entry < entries; entry++)
        if (node->target[entry] != GOAL_ROOM_NO_GOAL)
            return true;
    return false;
}

bool sokoban_goal_tree_make(const struct sokoban *game, struct goal_room *room, soloist_stop_token *stop) {
    struct planner planner = {.game = game,
                              .room = room,
                              .stop = stop,
                              .enough = game->boxes < room->goal_count ? game->boxes : room->goal_count};
    uint64_t *waiting = malloc(((size_t)MOST_NODES * GOAL_ROOM_ENTRIES + 1) * sizeof *waiting);
    room->nodes = calloc(2 * MOST_NODES, sizeof *room->nodes);
    int count = 0;
    bool good = waiting && room->nodes;
    if (good)
        waiting[count++] = filled_goals(room, game->root_boxes);
    while (count && !has_had_enough(&planner) && !soloist_stopped(stop)) {
        uint64_t filled = waiting[--count];
        const struct goal_room_node *node = node_place(room, filled);
        if (bits_count(filled) < planner.enough && !(node->used && is_planned(node, room->entry_count)))
            plan_from(&planner, filled, waiting, &count);
    }
    free(waiting);
    return good && !soloist_stopped(stop);
}

/* The square of the goal that a box at this place is to fill next; -1: none, or the place is not an entry. */
static int next_goal(const struct goal_room *room, const struct goal_room_node *node, int place) {
    for (int entry = 0; entry < room->entry_count; entry++)
        if (room->entry[entry].square * 4 + room->entry[entry].d == place)
            return node->target[entry] == GOAL_ROOM_NO_GOAL ? -1 : room->goal[node->target[entry]];
    return -1;
}

bool sokoban_goal_macro_find(const struct sokoban *game, const uint64_t *boxes, int box, int d,
                             struct sokoban_macro *macro) {
    const struct goal_room *room = game->goal_room;
    bool far = game->rules.goal_cuts == SOKOBAN_GOAL_CUTS_FAR;
    struct sokoban_carry carry;
    int place, goal = -1;
    if (bitset_has(room->inside, (unsigned)box) || (!far && !bitset_has(room->inside, (unsigned)macro->end)))
        return false;
    const struct goal_room_node *node = node_place(room, filled_goals(room, boxes));
    if (!node->used)
        return false;
    sokoban_carry_open(&carry, game, boxes, box, d);
    while ((place = sokoban_carry_next(&carry)) >= 0) {
        int square = place >> 2;
        if (goal < 0 && bitset_has(room->inside, (unsigned)square) && (goal = next_goal(room, node, place)) < 0)
            return false;
        if (square == goal) {
            *macro = (struct sokoban_macro){goal, goal - game->step[place & 3], sokoban_carry_length(&carry)};
            return true;
        }
    }
    return false;
}
