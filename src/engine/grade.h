/* Generates instances, solves them optimally, and keeps those whose measures lie in the wanted bands. */
#ifndef ENGINE_GRADE_H
#define ENGINE_GRADE_H

#include "engine/canonical_form.h"
#include "engine/measure.h"

/* Which instances are wanted, and the limits of the run that makes them. */
struct grade {
    struct measure_bands bands;
    bool graded; /* choose instances whose efforts are spread evenly on a logarithmic scale, and sort them by effort */
    /* True: an instance is kept only as the generator drew it; false: an instance whose measures are outside the bands
     * may be changed until they are inside. */
    bool unchanged;
    bool measured; /* measure every instance even if there is no band */
    double time_s; /* time limit for all instances together; 0: no limit */
    uint64_t count, seed;
    const char *reading; /* options of the domain with which instances are read, as "key=value,..."; may be NULL */
    int threads;         /* number of threads; 0 means 1; the instances do not depend on it */
};

/* An instance that was kept. */
struct grade_level {
    struct canonical_form form;
    char *board, *solution;
    struct measures measures;
    uint64_t drawn;     /* how often the instance was drawn: 1 + its duplicates */
    uint64_t candidate; /* number of the candidate, and of the random stream from which it was made */
};

/* The instances kept so far, with statistics; at the end of the run, this is the result. */
struct grade_result {
    struct grade_level *levels;
    size_t count, room;
    uint64_t candidates; /* candidates examined */
    /* Numbers of candidates that were not kept, by reason. outside: a measure is outside its band; hard: the instance
     * was not solved within the greatest effort wanted; surplus: enough instances in its range of efforts had already
     * been kept; equal: the instance is a duplicate; failed: the generator could not make an instance. */
    uint64_t outside, hard, surplus, equal, failed;
    double time_s;
    /* An estimate of the number of candidates still to be examined; 0: there are enough instances. `at_least`: the
     * true number may be much greater, because in some wanted range of efforts no instance has been found yet or many
     * have been drawn again. */
    double expected;
    bool at_least;
    bool exhausted;     /* every instance kept has been drawn again: there are probably few others */
    double most_effort; /* the greatest effort: states that A* may expand */
};

/* How the caller cancels grade_make and is informed of its progress. Any thread of the run may call the functions, but
 * only one thread at a time. */
struct grade_callbacks {
    soloist_stop_token *stop; /* may be NULL */
    /* Called after every candidate. May be NULL. */
    void (*progress)(void *user, const struct grade_result *result);
    /* Called for every instance as soon as it is kept, in the order of the result, but only if `graded` is false. May
     * be NULL. */
    void (*kept)(void *user, const struct grade_level *level, size_t number);
    void *user;
};

/* Whether instances must be solved and measured, not only generated. */
bool grade_wanted(const struct grade *grade);
/* Makes instances until there are enough, the time is up or the call is cancelled, and then returns SOLOIST_OK. On
 * failure returns another code and fills the error. In both cases the result holds the instances made so far, and the
 * caller frees it. options: the options of the domain's generator. */
soloist_code grade_make(const soloist *engine, const soloist_domain *domain, const void *options,
                        const struct grade *grade, const struct grade_callbacks *callbacks, struct grade_result *result,
                        soloist_error *error);
void grade_free(struct grade_result *result);

/* Writes an instance as a part of a file of its domain, with its measures as comments. number: counted from 1. */
void grade_write(const soloist_domain *domain, const struct grade_level *level, size_t number,
                 const soloist_sink *sink);

#endif
