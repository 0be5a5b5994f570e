/* The bench signature: each part of the benchmark does fixed single-threaded work on the project's own instances and
 * counts it exactly. The counts and signatures do not depend on floating point and are the same on every machine and
 * compiler; only the times differ. */
#ifndef LAB_BENCH_H
#define LAB_BENCH_H

#include "soloist.h"

struct bench_row {
    const char *part;   /* "domain.what" */
    uint64_t count;     /* number of nodes, play-outs or leaves (depending on the part) in one pass */
    uint64_t signature; /* a hash over the results of one pass */
    double time_s;      /* time of all passes */
    double per_s;       /* nodes, play-outs or leaves per second */
};

size_t bench_count(void);
const char *bench_part(size_t index); /* NULL past the last */
/* Runs a part for about half a second at scale 1, and for one pass at scale 0. False with an error if it cannot run, or
 * if two passes differ. */
bool bench_run(size_t index, double scale, struct bench_row *row, soloist_error *error);

#endif
