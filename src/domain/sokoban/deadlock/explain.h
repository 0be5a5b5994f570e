/* Why a position is dead, by the rules that cost next to nothing, and with how few of its boxes it still is. */
#ifndef SOKOBAN_EXPLAIN_H
#define SOKOBAN_EXPLAIN_H

#include "domain/sokoban/file/level.h"

enum sokoban_reason {
    SOKOBAN_NOT_KNOWN_DEAD,
    SOKOBAN_DEAD_SQUARE,     /* a box from whose square no goal can be reached */
    SOKOBAN_FROZEN,          /* boxes that hold each other for good, not all on goals */
    SOKOBAN_FULL_LINE,       /* more boxes along a wall that they cannot leave than goals */
    SOKOBAN_NO_MATCHING,     /* the boxes cannot have different goals */
    SOKOBAN_LOST_PAIR,       /* two boxes that could not be solved even alone */
    SOKOBAN_CLOSED_DIAGONAL, /* boxes along a diagonal that shut in squares which no push can open */
    SOKOBAN_LOST_CORRAL,     /* a part that the player cannot enter, and that can neither be opened nor solved */
    SOKOBAN_NO_PUSH,         /* every push that is left makes one of the above */
    SOKOBAN_EXHAUSTED        /* none of these: a search has looked at everything (see search/sokoban/prove.h) */
};

/* "dead square", "freeze", ... and a sentence. */
const char *sokoban_reason_name(enum sokoban_reason reason);
const char *sokoban_reason_text(enum sokoban_reason reason);

struct sokoban_explanation {
    enum sokoban_reason reason;
    int count; /* of stuck boxes */
    /* By cell: the boxes that make it dead. Without any one of them these rules no longer say so. */
    uint8_t stuck[SOKOBAN_MOST_SIDE * SOKOBAN_MOST_SIDE];
};

/* Looks at the level as it stands. False without memory. */
bool sokoban_explain(const struct sokoban_level *level, struct sokoban_explanation *explanation);

/* The level with those boxes only that are marked. */
void sokoban_level_keep(const struct sokoban_level *level, const uint8_t *boxes, struct sokoban_level *kept);

#endif
