/* Measures of an instance and its solution, and bands. A band is the range in which a measure should lie.
 * docs/GLOSSARY.md defines each measure. */
#ifndef ENGINE_MEASURE_H
#define ENGINE_MEASURE_H

#include "base/budget.h"

enum measure {
    MEASURE_COST,   /* the proved least cost */
    MEASURE_EFFORT, /* number of states that A* expands until optimality is proved */
    MEASURE_PUSHES,
    MEASURE_MOVES,
    MEASURE_BOX_LINES,
    MEASURE_BOX_CHANGES,
    MEASURE_SESSIONS,
    MEASURE_PLAYER_LINES,
    MEASURE_BRANCHING, /* mean number of legal moves, over all positions of the solution except the last */
    MEASURE_DEAD_ENDS, /* percentage of the moves counted for MEASURE_BRANCHING after which no solution exists */
    /* How many of the eight rotations and reflections leave the board unchanged; pieces are ignored. */
    MEASURE_SYMMETRY,
    MEASURES
};

/* The word by which users choose a measure, such as "box-lines". */
const char *measure_name(enum measure measure);
/* The measure of that name (`length` bytes); MEASURES: there is none. */
enum measure measure_find(const char *name, size_t length);
/* Limits of a band outside these two are useless: no instance, or only a solved one, would be in the band. */
double measure_lowest(enum measure measure);
double measure_highest(enum measure measure);
/* Whether all values of the measure are whole numbers. */
bool measure_is_whole(enum measure measure);
/* Whether the domain's instances have the measure. */
bool measure_suits(enum measure measure, const soloist_domain *domain);

struct measures {
    double value[MEASURES];
    bool known[MEASURES];
};

void measures_set(struct measures *measures, enum measure measure, double value);

struct measure_bands {
    double least[MEASURES], most[MEASURES]; /* most = 0: no upper limit, unless `zero` is true */
    bool zero[MEASURES];                    /* the upper limit is 0 */
};

/* Whether a measure has an upper limit. */
bool measure_has_most(const struct measure_bands *bands, enum measure measure);
bool measure_is_banded(const struct measure_bands *bands, enum measure measure);
/* How far a measure is outside its band: the logarithm of the ratio between the measure and the nearer limit of the
 * band. Returns 0 if the measure is inside its band or has no band. A measure that has a band but is unknown counts as
 * far outside. */
double measure_miss(const struct measure_bands *bands, const struct measures *measures, enum measure measure);

/* Sets the measures that are counted in a solution's text: pushes, moves, box lines, player lines, box changes and
 * pushing sessions. False if memory runs out. */
bool measure_solution(const soloist_puzzle *puzzle, const char *solution, const soloist_verdict *verdict,
                      struct measures *measures);
/* Sets the symmetry, if the domain's instances have this measure. False if the instance cannot be read. */
bool measure_board(const soloist_puzzle *puzzle, struct measures *measures);
/* Sets the measures branching and dead ends. Replays the solution; after every legal move that is not part of the
 * solution, searches for another solution. Dead ends stay unknown if more than `states` states would have to be
 * expanded, or if the token is stopped. SOLOIST_OK or SOLOIST_NO_MEMORY. */
soloist_code measure_positions(const soloist_puzzle *puzzle, const char *solution, uint64_t states,
                               soloist_stop_token *stop, struct measures *measures);

#endif
