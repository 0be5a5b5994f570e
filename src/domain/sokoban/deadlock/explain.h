/* Explains by the quick deadlock rules why a position is dead, and finds a small set of its boxes that is dead by
 * itself. */
#ifndef DOMAIN_SOKOBAN_DEADLOCK_EXPLAIN_H
#define DOMAIN_SOKOBAN_DEADLOCK_EXPLAIN_H

#include "domain/sokoban/file/level.h"

enum sokoban_reason {
    SOKOBAN_NOT_KNOWN_DEAD,
    SOKOBAN_DEAD_SQUARE,     /* no goal can be reached from a box's square */
    SOKOBAN_FROZEN,          /* boxes that block each other for good, not all on goals */
    SOKOBAN_FULL_LINE,       /* there are more boxes than goals along a wall that boxes cannot leave */
    SOKOBAN_NO_MATCHING,     /* the boxes cannot be assigned to different goals */
    SOKOBAN_LOST_PAIR,       /* two boxes that cannot both reach goals even if all other boxes are removed */
    SOKOBAN_CLOSED_DIAGONAL, /* boxes along a diagonal enclose squares that no push can open */
    SOKOBAN_LOST_CORRAL,     /* a part of the floor that the player cannot enter can neither be opened nor solved */
    SOKOBAN_NO_PUSH,         /* every push that is left leads to one of the above */
    SOKOBAN_EXHAUSTED,       /* no rule: an exhaustive search has found no solution (search/special/sokoban/prove.h) */
    SOKOBAN_SOME_BOXES       /* one of the rules, but there was no time to find out which boxes matter */
};

/* A short name, such as "dead square" or "freeze". */
const char *sokoban_reason_name(enum sokoban_reason reason);
/* The reason as a sentence. */
const char *sokoban_reason_text(enum sokoban_reason reason);

struct sokoban_explanation {
    enum sokoban_reason reason;
    int count; /* number of stuck boxes */
    /* For each cell: whether it has a box that helps to make the position dead. If one of these boxes is removed, the
     * rules no longer prove that the others are dead; the table of pairs may still do so if another rule proved it
     * before. With SOKOBAN_SOME_BOXES this does not hold. */
    uint8_t stuck[SOKOBAN_MOST_SIDE * SOKOBAN_MOST_SIDE];
};

/* Examines the level's current position. False if there is no memory. stop: may be NULL; soon
 * after it is stopped, this ends with SOKOBAN_NOT_KNOWN_DEAD or SOKOBAN_SOME_BOXES. */
bool sokoban_explain(const struct sokoban_level *level, soloist_stop_token *stop,
                     struct sokoban_explanation *explanation);

/* Copies the level with only the marked boxes. */
void sokoban_level_keep(const struct sokoban_level *level, const uint8_t *boxes, struct sokoban_level *kept);

#endif
