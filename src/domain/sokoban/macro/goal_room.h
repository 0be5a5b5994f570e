/* The goal room and its macros (D6; goal macros: Junghanns and Schaeffer 2001). A room is a part of the floor around
 * adjacent goals. A box that is pushed into the room is pushed on to a goal immediately. For each set of filled goals,
 * a table names the goal to be filled next, so that no goal gets blocked. The price is that neither a solution nor the
 * least number of pushes is guaranteed: a solution may need a box to wait in the room, or the macro may take a longer
 * path. */
#ifndef DOMAIN_SOKOBAN_MACRO_GOAL_ROOM_H
#define DOMAIN_SOKOBAN_MACRO_GOAL_ROOM_H

#include "domain/sokoban/macro/macro.h"

#define GOAL_ROOM_ENTRIES 14
#define GOAL_ROOM_GOALS 64 /* maximum number of goals of a room; each has one bit in `filled` */
#define GOAL_ROOM_NO_GOAL 255

/* A push that brings a box into the room: the square of the room on which the box arrives, and the direction of the
 * push. */
struct goal_room_entry {
    uint16_t square;
    uint8_t d;
};

/* A node of the goal-macro tree. */
struct goal_room_node {
    uint64_t filled;
    uint8_t used, fillable;
    uint8_t target[GOAL_ROOM_ENTRIES]; /* for each entry: number of the goal to fill next */
};

struct goal_room {
    uint64_t inside[SOKOBAN_WORDS];
    int squares, goal_count, entry_count;
    int32_t score;
    uint16_t goal[GOAL_ROOM_GOALS];
    struct goal_room_entry entry[GOAL_ROOM_ENTRIES];
    int node_count;
    struct goal_room_node *nodes; /* hash table, keyed by `filled` */
};

/* goal_room.c: finds the best room and builds its tree; game->goal_room stays NULL if no room is good enough. False if
 * there is no memory or the work is stopped. */
bool sokoban_goal_room_make(struct sokoban *game, soloist_stop_token *stop);
void sokoban_goal_room_free(struct goal_room *room);

/* goal_macro.c: builds the tree. False if there is no memory. */
bool sokoban_goal_tree_make(const struct sokoban *game, struct goal_room *room, soloist_stop_token *stop);
/* Whether a push brings its box into the room (with goal_cuts=far, perhaps after further pushes) and from there to the
 * next goal. On entry, *macro is the macro found so far, or just the push; on success it is replaced by the goal
 * macro. */
bool sokoban_goal_macro_find(const struct sokoban *game, const uint64_t *boxes, int box, int d,
                             struct sokoban_macro *macro);

#endif
