/* Functions that the exact searches for the highest score share: play-outs at the beginning, which find a first score
 * to beat, and the check that every sequence of moves comes to an end. */
#ifndef SEARCH_SCORE_SCORE_TO_BEAT_H
#define SEARCH_SCORE_SCORE_TO_BEAT_H

#include "search/search.h"

/* Makes `games` play-outs from the root, using the domain's play-out policies in turn, and records the best line. Does
 * nothing if the domain has no play-outs. */
void score_play_first(struct search_run *run, int64_t games);

/* Returns true if every sequence of moves comes to an end. Otherwise a search might never end, so the function returns
 * false with run->error filled in. */
bool score_has_end(const struct search_run *run);

/* The minimum of `bound` and the domain's tight bound; `bound` if the domain has no tight bound. If this minimum is at
 * most `enough`, the function may return any value from the minimum to `enough`. */
static inline int32_t score_tighten(const struct search_run *run, const void *state, int32_t bound, int64_t enough) {
    const soloist_bound *group = run->domain->bound;
    if (!group->tight)
        return bound;
    int32_t clamped = enough < INT32_MIN ? INT32_MIN : enough > INT32_MAX ? INT32_MAX : (int32_t)enough;
    int32_t tight = group->tight(run->instance, state, clamped);
    return tight < bound ? tight : bound;
}

#endif
