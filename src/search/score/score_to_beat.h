/* What the exact searches for the highest score share: games played first, so that there is a score to beat, and the
 * check that play ends. */
#ifndef SEARCH_SCORE_TO_BEAT_H
#define SEARCH_SCORE_TO_BEAT_H

#include "search/search.h"

/* Plays `games` of the domain's own play-outs from the root, its policies in turn, and records the best. Without
 * play-outs it plays none. */
void score_play_first(struct search_run *run, int64_t games);

/* False with run->error filled: lines of play must end by themselves, or the search would not. */
bool score_has_end(const struct search_run *run);

/* The lesser of `bound` and the domain's tight bound, if it has one. If that is at most `enough`, any value between the
 * two may be returned. */
static inline int32_t score_tighten(const struct search_run *run, const void *state, int32_t bound, int64_t enough) {
    const soloist_bound *group = run->domain->bound;
    if (!group->tight)
        return bound;
    int32_t clamped = enough < INT32_MIN ? INT32_MIN : enough > INT32_MAX ? INT32_MAX : (int32_t)enough;
    int32_t tight = group->tight(run->instance, state, clamped);
    return tight < bound ? tight : bound;
}

#endif
