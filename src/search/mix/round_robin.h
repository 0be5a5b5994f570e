/* Round robin: different methods (the members) take turns on one puzzle, because no method is best on all puzzles. Each
 * member is suspended at the end of its turn and resumed in its next turn, so that no work is lost. Apart from the
 * first turns, the length of a turn does not depend on the run's limits: a larger limit only adds turns. */
#ifndef SEARCH_MIX_ROUND_ROBIN_H
#define SEARCH_MIX_ROUND_ROBIN_H

#include "search/search.h"

/* Runs as many members at a time as the run has threads. When a member has an answer, all members end. If a member ends
 * without an answer, uses up its part of the memory or refuses the puzzle, the others get its turns and its memory.
 * With one thread and a limit on nodes, a run can be repeated exactly. */
soloist_code round_robin_run(struct search_run *run, const soloist_member *members, size_t count);

#endif
