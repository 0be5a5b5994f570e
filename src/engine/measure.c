#include "engine/measure.h"
#include "base/real.h"
#include "search/special/registry.h"

#include <math.h>
#include <string.h>

enum { FAR_OUTSIDE = 10 };

static const char *const names[MEASURES] = {
    "cost",         "effort",    "pushes",    "moves",    "box-lines", "box-changes", "pushing-sessions",
    "player-lines", "branching", "dead-ends", "symmetry",
};

const char *measure_name(enum measure measure) { return names[measure]; }

enum measure measure_find(const char *name, size_t length) {
    for (int i = 0; i < MEASURES; i++)
        if (strlen(names[i]) == length && !memcmp(names[i], name, length))
            return (enum measure)i;
    return length == 8 && !memcmp(name, "sessions", 8) ? MEASURE_SESSIONS : MEASURES; /* as --aim calls them */
}

double measure_lowest(enum measure measure) { return measure == MEASURE_SYMMETRY || measure == MEASURE_EFFORT; }

double measure_highest(enum measure measure) {
    return measure == MEASURE_SYMMETRY ? 8 : measure == MEASURE_DEAD_ENDS ? 100 : INFINITY;
}

bool measure_is_whole(enum measure measure) { return measure != MEASURE_BRANCHING && measure != MEASURE_DEAD_ENDS; }

bool measure_suits(enum measure measure, const soloist_domain *domain) {
    switch (measure) {
    case MEASURE_PUSHES:
    case MEASURE_BOX_LINES:
    case MEASURE_BOX_CHANGES:
    case MEASURE_SESSIONS:
    case MEASURE_PLAYER_LINES:
    case MEASURE_SYMMETRY: return special_generate(domain);
    default: return true;
    }
}

void measures_set(struct measures *measures, enum measure measure, double value) {
    measures->value[measure] = value;
    measures->known[measure] = true;
}

bool measure_has_most(const struct measure_bands *bands, enum measure measure) {
    return bands->most[measure] > 0 || bands->zero[measure];
}

bool measure_is_banded(const struct measure_bands *bands, enum measure measure) {
    return bands->least[measure] > 0 || measure_has_most(bands, measure);
}

/* One is added to both, because a measure may be 0. */
static double ratio(double greater, double less) { return real_log((greater + 1) / (less + 1)); }

double measure_miss(const struct measure_bands *bands, const struct measures *measures, enum measure measure) {
    double least = bands->least[measure], most = bands->most[measure], value = measures->value[measure];
    if (!measure_is_banded(bands, measure))
        return 0;
    if (!measures->known[measure])
        return FAR_OUTSIDE;
    if (value < least)
        return ratio(least, value);
    return measure_has_most(bands, measure) && value > most ? ratio(value, most) : 0;
}

bool measure_solution(const soloist_puzzle *puzzle, const char *solution, const soloist_verdict *verdict,
                      struct measures *measures) {
    static const enum measure counted[SPECIAL_COUNTS] = {
        [SPECIAL_BOX_LINES] = MEASURE_BOX_LINES,
        [SPECIAL_BOX_CHANGES] = MEASURE_BOX_CHANGES,
        [SPECIAL_PUSHING_SESSIONS] = MEASURE_SESSIONS,
        [SPECIAL_PLAYER_LINES] = MEASURE_PLAYER_LINES,
        [SPECIAL_BLOCKS_LEFT] = MEASURES,
    };
    int64_t counts[SPECIAL_COUNTS];
    if (!special_counts(puzzle, solution, counts))
        return false;
    measures_set(measures, MEASURE_MOVES, (double)verdict->moves);
    if (verdict->pushes >= 0)
        measures_set(measures, MEASURE_PUSHES, (double)verdict->pushes);
    for (int i = 0; i < SPECIAL_COUNTS; i++)
        if (counted[i] != MEASURES && counts[i] != SPECIAL_NO_COUNT)
            measures_set(measures, counted[i], (double)counts[i]);
    return true;
}

static void write_nothing(void *to, const char *text, size_t length) { (void)to, (void)text, (void)length; }

bool measure_board(const soloist_puzzle *puzzle, struct measures *measures) {
    const struct special_generate *special = special_generate(puzzle->domain);
    soloist_sink nowhere = {write_nothing, NULL};
    int symmetries = 0;
    if (!special)
        return true;
    if (!special->room(&puzzle->chunk, &symmetries, &nowhere))
        return false;
    measures_set(measures, MEASURE_SYMMETRY, symmetries);
    return true;
}
