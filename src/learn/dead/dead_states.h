/* Positions without a solution, to find out whether a network recognises them (item L11 in docs/REFERENCES.md).
 *
 * dead_by_rules (Ge 2018, section 3.4): a depth-first search in random order visits positions of a puzzle, and one of
 * those that the domain's rules call dead is chosen at random. The domain is opened twice: with `plain` options, under
 * which it lists every move, and with `strict` options, under which its rules leave out moves into dead positions.
 *
 * dead_by_search: a random walk visits positions that have a solution. An exhaustive search solves children of
 * a visited position, or proves that they have no solution. One visited position with children of both kinds is chosen
 * at random, and one of its children of each kind. */
#ifndef LEARN_DEAD_DEAD_STATES_H
#define LEARN_DEAD_DEAD_STATES_H

#include "soloist_extra.h"

struct dead_maker {
    const soloist *engine;
    const soloist_domain *domain; /* in which positions are made */
    const char *plain, *strict;   /* its options, as "key=value,..." or NULL */
    int64_t most;                 /* maximum number of positions visited per puzzle */
    /* Method that decides whether a position has a solution, with the domain's default options. */
    const char *method;
    uint64_t nodes; /* node limit of the method; a position that it cannot decide is left out */
};

/* Positions as text that the domain can read; both NULL: none was found. The caller frees them. */
struct dead_pair {
    char *dead;
    char *live; /* has a solution and the same parent as `dead`; NULL if made by dead_by_rules */
};

/* From a puzzle's text, dead_by_rules makes a dead position, and dead_by_search a dead and a live one. False with an
 * error. */
bool dead_by_rules(const struct dead_maker *maker, const char *text, size_t length, uint64_t seed,
                   struct dead_pair *pair, soloist_error *error);
bool dead_by_search(const struct dead_maker *maker, const char *text, size_t length, uint64_t seed,
                    struct dead_pair *pair, soloist_error *error);
void dead_pair_free(struct dead_pair *pair);

/* The area under the ROC curve of a classifier that calls positions of low value dead: the probability that a dead
 * position has a lower value than a live one, where equal values count one half. Sorts both arrays. NaN if one is
 * empty. */
double dead_area(float *dead, size_t dead_count, float *live, size_t live_count);

#endif
