/* One candidate of graded generation. A candidate depends only on the generator's options, the bands, the seed and the
 * candidate's number, so that threads can make candidates in any order. */
#ifndef ENGINE_GRADE_CANDIDATE_H
#define ENGINE_GRADE_CANDIDATE_H

#include "engine/grade.h"

enum grade_verdict {
    GRADE_FITS,
    GRADE_OUTSIDE, /* at least one measure misses its band */
    GRADE_HARD,    /* the instance was not solved within the greatest effort wanted */
    GRADE_FAILED,  /* the generator could not make an instance; see error */
    GRADE_STOPPED, /* the work was cancelled; the candidate does not count */
    GRADE_BROKEN   /* the whole run must end; code and error say why */
};

/* The work of one thread on one candidate. The caller sets the members before the empty line. */
struct grade_candidate {
    const soloist *engine;
    const soloist_domain *domain;
    const void *options;
    const struct grade *grade;
    /* The bands that this candidate aims at; the band of the effort always has an upper limit. */
    struct measure_bands bands;
    soloist_stop_token *stop;
    uint64_t number;

    enum grade_verdict verdict;
    struct grade_level level; /* set if the verdict is GRADE_FITS; the caller then owns it */
    soloist_code code;
    soloist_error error;
};

void grade_candidate_make(struct grade_candidate *candidate);
void grade_level_free(struct grade_level *level);

#endif
