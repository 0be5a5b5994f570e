/* The pool of a run: good lines with different openings, the best first. A line is better known by the codes of its
 * moves than by the moves themselves, because independent moves may come in any order. */
#ifndef SEARCH_NESTED_ELITES_H
#define SEARCH_NESTED_ELITES_H

#include "base/memory.h"
#include "soloist.h"

#include <stdbool.h>
#include <stdint.h>

enum { ELITES_MOST = 24 };

struct elite {
    int64_t score; /* more is better */
    int rule;      /* the play-out rule of the run that found it */
    int tries;     /* runs that have looked for better lines near it */
    int count;     /* number of moves */
    soloist_move *moves;
    uint64_t *codes; /* codes of the moves, in the order of the moves */
};

struct elites {
    struct memory *memory;
    int length; /* most moves in a line */
    int count;
    struct elite lines[ELITES_MOST + 1]; /* sorted by score; the last is scratch space */
};

bool elites_open(struct elites *elites, struct memory *memory,
                 int length); /* false: memory is full; close it all the same */
void elites_close(struct elites *elites);
/* Whether two lines have the same opening: most of the moves in the first third of `line` occur in `other`. */
bool elites_same_opening(const struct elite *line, const struct elite *other);
/* Adds the line in `elites_scratch`. If there is a line with the same opening, only the better of the two is kept;
 * otherwise, if the pool is full, the worst line is dropped. Returns whether the line is now in the pool. */
bool elites_add(struct elites *elites);
static inline struct elite *elites_scratch(struct elites *elites) { return &elites->lines[elites->count]; }

#endif
