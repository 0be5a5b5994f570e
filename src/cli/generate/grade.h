/* Instances of a wanted difficulty: made, solved to the proof, and kept if they fit. */
#ifndef CLI_GRADE_H
#define CLI_GRADE_H

#include "cli/cli.h"

struct grade {
    uint64_t least_cost, most_cost;     /* proved least cost (Sokoban: pushes); most 0: no limit */
    uint64_t least_effort, most_effort; /* states that A* expands for the proof; most 0: no limit */
    bool graded;                        /* spread over the efforts on a logarithmic scale, easiest first */
    double time_s;                      /* for all together; 0: no limit */
    uint64_t count, seed;
    const char *words; /* the command, for the head of the file */
};

/* Whether any of it was asked for. */
bool grade_wanted(const struct grade *grade);
/* Makes and writes; complains and returns an exit status: CLI_SOME if fewer came out than were asked for. */
int grade_make(const struct cli *cli, const soloist_domain *domain, const void *options, const struct grade *grade,
               FILE *stream);

#endif
