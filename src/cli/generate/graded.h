/* `soloist generate` with bands (a wanted range for each measure): makes instances, measures them, and writes those
 * that are kept. */
#ifndef CLI_GENERATE_GRADED_H
#define CLI_GENERATE_GRADED_H

#include "cli/cli.h"
#include "cli/shell/json_line.h"
#include "engine/grade.h"

/* The generator, with its options as a struct and as "key=value,..." (NULL: none), and the plugins that were loaded. */
struct generate_source {
    const soloist_domain *domain;
    const void *options;
    const char *words;
    const struct arg_list *plugins;
};

/* Where instances are written, and how. */
struct generate_output {
    FILE *stream;
    bool json;
    bool any; /* something was written */
};

/* Read "MEASURE=N" words into the lower or the upper limits of the bands. Complain and return false if a word is
 * wrong. */
bool graded_read_least(const struct arg_list *words, struct measure_bands *bands);
bool graded_read_most(const struct arg_list *words, struct measure_bands *bands);
/* Writes the JSON member "board" without newlines at its end. */
void graded_json_board(struct json_writer *json, const char *text, size_t length);
/* Makes the instances and writes them. Returns the exit status. */
int graded_run(const struct cli *cli, const struct generate_source *source, const struct grade *grade,
               struct generate_output *output);

#endif
