/* Scorings: the score of a move is a polynomial in the number of blocks. The score at the end, and the bound on what
 * can still be gained, depend only on how many blocks of each colour are left. */
#include "domain/samegame/samegame.h"

void samegame_scoring_set(soloist_instance *instance, int scoring) {
    static const int32_t steps[][3] = {
        [SAMEGAME_STANDARD] = {1, -4, 4},   [SAMEGAME_BLOCKS] = {1, -4, 4},  [SAMEGAME_CLICKOMANIA] = {0, 0, 0},
        [SAMEGAME_JAWBREAKER] = {1, -1, 0}, [SAMEGAME_WINDOWS] = {1, -3, 4},
    };
    instance->scoring = scoring;
    instance->square = steps[scoring][0];
    instance->once = steps[scoring][1];
    instance->flat = steps[scoring][2];
}

static int32_t penalty(int left) { return left ? (left - 2) * (left - 2) : 0; }

int32_t samegame_last(const soloist_instance *instance, const int counts[SAMEGAME_MOST_COLOURS + 1]) {
    int32_t left = 0, by_colour = 0;
    for (int c = 1; c <= instance->colours; c++) {
        left += counts[c];
        by_colour += penalty(counts[c]);
    }
    switch (instance->scoring) {
    case SAMEGAME_STANDARD: return left ? -by_colour : 1000;
    case SAMEGAME_BLOCKS: return left ? -penalty(left) : 1000;
    case SAMEGAME_CLICKOMANIA: return -left;
    default: return 0;
    }
}

/* The score if every colour could be removed in one move (Schadd et al. 2012). This is an upper bound, because each
 * polynomial gives more for a + b blocks than for a and b separately. A single block of a colour cannot be removed, so
 * there is no bonus for clearing the board; in Clickomania that block itself costs a point. */
int32_t samegame_upper_bound(const soloist_instance *instance, const int counts[SAMEGAME_MOST_COLOURS + 1]) {
    int32_t bound = 0, single = 0;
    for (int c = 1; c <= instance->colours; c++) {
        bound += counts[c] > 1 ? samegame_step(instance, counts[c]) : 0;
        single += counts[c] == 1;
    }
    switch (instance->scoring) {
    case SAMEGAME_STANDARD:
    case SAMEGAME_BLOCKS: return bound + (single ? 0 : 1000);
    case SAMEGAME_CLICKOMANIA: return -single;
    default: return bound;
    }
}
