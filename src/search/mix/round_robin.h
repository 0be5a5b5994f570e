/* Round robin: different methods take turns on one puzzle, because none is best on all puzzles. Each member is
 * suspended at the end of its turn and resumed in its next one, so that no work is lost. Apart from the first turns,
 * the length of turns does not depend on the run's limit: a longer limit only adds turns. */
#ifndef SEARCH_MIX_ROUND_ROBIN_H
#define SEARCH_MIX_ROUND_ROBIN_H

#include "search/search.h"

struct round_robin_member {
    const char *method;
    int share;           /* share of the work of a round, relative to the other members' shares */
    uint32_t head;       /* least length of its first turn: microseconds, or states if states are limited */
    const char *changes; /* changes to the domain's options; NULL: none */
    bool threads;        /* can use threads that no other member needs */
};

/* Runs as many members at a time as the run has threads. The first answer ends all members. A member that ends without
 * an answer, uses up its part of the memory or refuses the puzzle leaves its turns and memory to the others. With one
 * thread and a limit on states, a run can be repeated exactly. */
soloist_code round_robin_run(struct search_run *run, const struct round_robin_member *members, size_t count);

#endif
