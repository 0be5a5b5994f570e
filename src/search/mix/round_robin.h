/* Round robin: different methods take turns on one puzzle, because none is best on all. Each member is suspended at the
 * end of its turn and resumed in its next one, so that no work is lost. Turns do not depend on the run's limit: a
 * longer limit only adds turns. */
#ifndef SEARCH_ROUND_ROBIN_H
#define SEARCH_ROUND_ROBIN_H

#include "search/search.h"

struct round_robin_member {
    const char *method;
    int share;           /* of the work of a round, beside the other members' shares */
    uint32_t head;       /* microseconds (states, where those are limited) of its first turn, if its share is less */
    const char *changes; /* of the domain's options; NULL: none */
    bool threads;        /* can use those that are to spare */
};

/* As many members at a time as the run has threads. The first answer ends all; a member that ends without one, uses up
 * its part of the memory or refuses the puzzle leaves its turns and memory to the others. On one thread and with states
 * limited everything repeats exactly. */
soloist_code round_robin_run(struct search_run *run, const struct round_robin_member *members, size_t count);

#endif
