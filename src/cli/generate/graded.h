/* `soloist generate` with bands (a wanted range for each measure): makes instances, measures them, and writes those
 * that are kept. */
#ifndef CLI_GENERATE_GRADED_H
#define CLI_GENERATE_GRADED_H

#include "cli/cli.h"
#include "engine/grade.h"

/* Where instances are written, and how. */
struct generate_output {
    FILE *stream;
    bool json;
    bool any; /* something was written */
};

/* Reads "MEASURE=N" words into the lower or the upper limits of the bands. Complains and returns false if a word is
 * wrong. option: the option's name, for the message. */
bool graded_read_bands(const char *option, const struct arg_list *words, double *limits);
/* Makes the instances and writes them. words: the generator's options as "key=value,...". Returns the exit status. */
int graded_run(const struct cli *cli, const soloist_domain *domain, const void *wanted, const struct grade *grade,
               const char *words, struct generate_output *output);

#endif
