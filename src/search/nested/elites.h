/* The pool of a run: good lines (sequences of moves) with different openings, the best first. Lines are compared by the
 * codes of their moves rather than by the moves themselves, because independent moves may occur in any order. */
#ifndef SEARCH_NESTED_ELITES_H
#define SEARCH_NESTED_ELITES_H

#include "base/memory.h"
#include "soloist.h"

#include <stdbool.h>
#include <stdint.h>

enum { ELITES_MOST = 24 };

struct elite {
    int64_t score; /* more is better */
    int rule;      /* the play-out rule of the run that found the line */
    int tries;     /* number of runs that have tried to improve this line */
    int count;     /* number of moves */
    soloist_move *moves;
    uint64_t *codes; /* codes of the moves, in the order of the moves */
};

struct elites {
    struct memory *memory;
    int length; /* maximum number of moves in a line */
    int count;
    struct elite lines[ELITES_MOST + 1]; /* sorted by score; the last is scratch space */
};

/* False: memory is full; the caller must call elites_close even then. */
bool elites_open(struct elites *elites, struct memory *memory, int length);
void elites_close(struct elites *elites);
/* Adds the line in `elites_scratch` to the pool. If the pool has a line with the same opening (most of the moves in the
 * first third of one occur in the other), only the better of the two is kept; otherwise, if the pool is full, the worst
 * line is dropped. Returns whether the line is now in the pool. */
bool elites_add(struct elites *elites);
static inline struct elite *elites_scratch(struct elites *elites) { return &elites->lines[elites->count]; }

#endif
