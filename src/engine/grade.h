/* Instances of a wanted difficulty: made, solved to the proof, and kept if they fit. */
#ifndef ENGINE_GRADE_H
#define ENGINE_GRADE_H

#include "engine/canonical_form.h"

/* What is wanted. */
struct grade {
    uint64_t least_cost, most_cost;     /* proved least cost (Sokoban: pushes); most 0: no limit */
    uint64_t least_effort, most_effort; /* states that A* expands for the proof; most 0: no limit */
    bool graded;                        /* spread over the efforts on a logarithmic scale, easiest first */
    double time_s;                      /* for all together; 0: no limit */
    uint64_t count, seed;
};

/* An instance that was kept. */
struct grade_level {
    struct canonical_form form;
    char *board, *solution;
    int64_t cost, moves;
    uint64_t effort, candidate;
};

/* What came of it, at the end or so far. */
struct grade_result {
    struct grade_level *levels;
    size_t count;
    uint64_t candidates;                /* looked at */
    uint64_t easy, hard, equal, failed; /* of these, refused: too easy or not wanted any more, ..., could not be made */
    double time_s;
};

/* Whom the maker asks and tells. */
struct grade_callbacks {
    const volatile int *cancel; /* may be NULL */
    /* After every candidate. May be NULL. */
    void (*progress)(void *user, const struct grade_result *result);
    void *user;
};

/* Whether any of it was asked for. */
bool grade_wanted(const struct grade *grade);
/* Makes instances until there are enough, the time is up or it is cancelled: SOLOIST_OK then. Otherwise a code with its
 * error; what was made before is in the result either way, to be freed. options: of the domain's generator. */
soloist_code grade_make(const soloist *engine, const soloist_domain *domain, const void *options,
                        const struct grade *grade, const struct grade_callbacks *callbacks, struct grade_result *result,
                        soloist_error *error);
void grade_free(struct grade_result *result);

/* The instances as a file of their domain, with their figures as comments. words: for the head of the file, how to make
 * the same again. */
void grade_write(const soloist_domain *domain, const struct grade_result *result, const char *words,
                 const soloist_sink *sink);

#endif
