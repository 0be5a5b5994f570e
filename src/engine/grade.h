/* Instances of a wanted difficulty: generated, solved optimally, and kept if they fit. */
#ifndef ENGINE_GRADE_H
#define ENGINE_GRADE_H

#include "engine/canonical_form.h"

/* What is wanted. */
struct grade {
    /* Limits on the proved least cost (in Sokoban: pushes); most_cost 0: no limit. */
    uint64_t least_cost, most_cost;
    /* Limits on the number of states that A* expands until optimality is proved; most_effort 0: no limit. */
    uint64_t least_effort, most_effort;
    bool graded;   /* spread the efforts evenly on a logarithmic scale, easiest instance first */
    double time_s; /* time limit for all instances together; 0: no limit */
    uint64_t count, seed;
};

/* An instance that was kept. */
struct grade_level {
    struct canonical_form form;
    char *board, *solution;
    int64_t cost, moves;
    uint64_t effort, candidate;
};

/* The instances made so far; at the end, the result. */
struct grade_result {
    struct grade_level *levels;
    size_t count;
    uint64_t candidates; /* candidates examined */
    /* Numbers of candidates that were refused because they were too easy or not needed, too hard, or duplicates;
     * failed: candidates that could not be generated. */
    uint64_t easy, hard, equal, failed;
    double time_s;
};

/* How the caller cancels grade_make and is informed of its progress. */
struct grade_callbacks {
    soloist_stop_token *stop; /* may be NULL */
    /* Called after every candidate. May be NULL. */
    void (*progress)(void *user, const struct grade_result *result);
    void *user;
};

/* Whether any condition on cost or effort is set. */
bool grade_wanted(const struct grade *grade);
/* Makes instances until there are enough, the time is up or the call is cancelled, and then returns SOLOIST_OK. On
 * failure returns another code and fills the error. In both cases the result holds what was made, and the caller frees
 * it. options: those of the domain's generator. */
soloist_code grade_make(const soloist *engine, const soloist_domain *domain, const void *options,
                        const struct grade *grade, const struct grade_callbacks *callbacks, struct grade_result *result,
                        soloist_error *error);
void grade_free(struct grade_result *result);

/* Writes the instances as a file of their domain, with cost and effort as comments. words: the command that makes the
 * same instances again, which is written at the top of the file. */
void grade_write(const soloist_domain *domain, const struct grade_result *result, const char *words,
                 const soloist_sink *sink);

#endif
