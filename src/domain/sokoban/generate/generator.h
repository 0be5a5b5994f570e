/* Makes new Sokoban levels (Ge 2018, section 3.1): a random walk carves a room, and then the game is played backwards
 * from a solved position. The parameters and their defaults are those of Ge's table 3.1. */
#ifndef DOMAIN_SOKOBAN_GENERATE_GENERATOR_H
#define DOMAIN_SOKOBAN_GENERATE_GENERATOR_H

#include "domain/sokoban/file/level.h"

#define SOKOBAN_GENERATE_OPTIONS(T, INT, REAL, BOOL, CHOICE)                                                           \
    INT(T, width, 10, 3, SOKOBAN_MOST_SIDE, "columns of the board, walls included")                                    \
    INT(T, height, 10, 3, SOKOBAN_MOST_SIDE, "rows of the board, walls included")                                      \
    INT(T, boxes, 4, 1, SOKOBAN_MOST_BOXES, "number of boxes, which is also the number of goals")                      \
    INT(T, most_width, 0, 0, SOKOBAN_MOST_SIDE,                                                                        \
        "each level has a random number of columns, from the value of `width` to the value of `most_width`; 0: "       \
        "always the value of `width`")                                                                                 \
    INT(T, most_height, 0, 0, SOKOBAN_MOST_SIDE,                                                                       \
        "each level has a random number of rows, from the value of `height` to the value of `most_height`; 0: always " \
        "the value of `height`")                                                                                       \
    INT(T, most_boxes, 0, 0, SOKOBAN_MOST_BOXES,                                                                       \
        "each level has a random number of boxes, from the value of `boxes` to the value of `most_boxes`; 0: always "  \
        "the value of `boxes`")                                                                                        \
    INT(T, max_room_tries, 1000, 1, 1e9, "maximum number of rooms that are carved before the generator gives up")      \
    INT(T, max_position_tries, 1, 1, 1e6,                                                                              \
        "number of placements of the goals and the player that are tried in each room")                                \
    INT(T, max_action_depth, 300, 1, 60000, "maximum depth of reverse play, in steps")                                 \
    INT(T, total_positions, 1e5, 2, 1e7, "maximum number of positions that reverse play may find")                     \
    REAL(T, new_direction_prob, 0.35, 0, 1,                                                                            \
         "a random walk carves the room; this is the probability that the walk turns after a step")                    \
    REAL(T, walk_steps_factor, 1.5, 0, 1000,                                                                           \
         "number of steps of the random walk that carves the room, as a multiple of width + height")                   \
    BOOL(T, allow_box_on_goal, false, "accept levels in which a box or the player starts on a goal")                   \
    BOOL(T, solution, false, "write the solution below the level")

SOLOIST_OPTIONS(sokoban_generate_options, SOKOBAN_GENERATE_OPTIONS);

/* A level and how it was made. score = box_swaps * displacement (Ge 2018, equation 3.1). */
struct sokoban_generated {
    struct sokoban_level level;
    int64_t score;
    int box_swaps;    /* how often reverse play changed to another box; choosing the first box counts as a change */
    int displacement; /* sum over the boxes of the Manhattan distance between start and goal */
    int depth;        /* the length of the solution */
    char *solution;   /* LURD, zero-terminated; the caller frees it */
};

/* Returns SOLOIST_STOPPED soon after the token `stop`, which may be NULL, is stopped. */
soloist_code sokoban_generate_level(const struct sokoban_generate_options *options, soloist_rng *rng,
                                    soloist_stop_token *stop, struct sokoban_generated *made, soloist_error *error);

/* Writes a level; does the same as sokoban_generate.make, but can be stopped. quickly: makes the level much faster,
 * because reverse play examines fewer positions. The search for a level of a wanted difficulty starts from such a
 * level. */
soloist_code sokoban_generate_within(const void *options, bool quickly, soloist_rng *rng, soloist_stop_token *stop,
                                     const soloist_sink *sink, soloist_error *error);

extern const soloist_generate sokoban_generate;

#endif
