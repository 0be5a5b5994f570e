/* One candidate of graded generation. It depends only on the generator's options, the bands, the seed and its number,
 * so that threads can make candidates in any order. */
#ifndef ENGINE_GRADE_CANDIDATE_H
#define ENGINE_GRADE_CANDIDATE_H

#include "engine/grade.h"

enum grade_verdict {
    GRADE_FITS,
    GRADE_OUTSIDE, /* at least one measure misses its band */
    GRADE_HARD,    /* not solved within the greatest effort wanted */
    GRADE_FAILED,  /* the generator could not make an instance; see error */
    GRADE_STOPPED, /* the token stopped the work; the candidate does not count */
    GRADE_BROKEN   /* code and error say why the whole run must end */
};

/* The work of one thread on one candidate. The caller sets the first part. */
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
    struct grade_level level; /* if it fits; owned by whoever takes it */
    soloist_code code;
    soloist_error error;
};

void grade_candidate_make(struct grade_candidate *candidate);
void grade_level_free(struct grade_level *level);

#endif
