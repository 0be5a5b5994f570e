/* The goal room and its macros (D6; Junghanns and Schaeffer's goal macros). A room is a part of the floor around goals
 * that lie together. A box that is pushed in goes on at once to the goal that a table names for the goals already
 * filled, so that the room is packed in an order that leaves no goal blocked. What is gained is paid for: a solution
 * may need a box to wait in the room, or a longer path may be taken; neither least pushes nor a solution is sure to be
 * kept.
 */
#ifndef SOKOBAN_GOAL_ROOM_H
#define SOKOBAN_GOAL_ROOM_H

#include "domain/sokoban/macro/macro.h"

#define GOAL_ROOM_ENTRIES 14
#define GOAL_ROOM_GOALS 64 /* bits of a word */
#define GOAL_ROOM_NO_GOAL 255

/* A push that takes a box in: to this square of the room, in this direction. */
struct goal_room_entry {
    uint16_t square;
    uint8_t d;
};

/* A node of the goal-macro tree. */
struct goal_room_node {
    uint64_t filled;
    uint8_t used, fillable;
    uint8_t target[GOAL_ROOM_ENTRIES]; /* by entry: the number of the goal to fill next */
};

struct goal_room {
    uint64_t inside[SOKOBAN_WORDS];
    int squares, goal_count, entry_count;
    int32_t score;
    uint16_t goal[GOAL_ROOM_GOALS];
    struct goal_room_entry entry[GOAL_ROOM_ENTRIES];
    int node_count;
    struct goal_room_node *nodes; /* by hash of `filled` */
};

/* goal_room.c: finds the best room, and makes its tree; game->goal_room stays NULL where there is none worth it. False
 * without memory. */
bool sokoban_goal_room_make(struct sokoban *game);
void sokoban_goal_room_free(struct goal_room *room);

/* goal_macro.c: the tree. */
bool sokoban_goal_tree_make(const struct sokoban *game, struct goal_room *room);
/* Whether a push, or the path that the box can go on by itself, brings it into the room and on to the goal that is
 * next; macro: what is known of the push so far, and what it becomes. */
bool sokoban_goal_macro_find(const struct sokoban *game, const uint64_t *boxes, int box, int d,
                             struct sokoban_macro *macro);

#endif
