/* Runs gnuplot as a separate program. It reads the script from standard input and writes the figure to standard output.
 * It never gets a file name, which it would run as a command if the name began with '|'. */
#ifndef LAB_RESULTS_GNUPLOT_H
#define LAB_RESULTS_GNUPLOT_H

#include "base/buffer.h"

/* Draws the figure into the file at `path`. If that fails, the file stays as it was. */
bool gnuplot_draw(const struct buffer *script, const char *path, soloist_error *error);

#endif
