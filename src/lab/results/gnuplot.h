/* gnuplot as a program of its own. It reads a script from one end and writes the picture to the other: it never sees
 * the name of a file, which it would take for a command where it begins with a '|'. */
#ifndef LAB_RESULTS_GNUPLOT_H
#define LAB_RESULTS_GNUPLOT_H

#include "base/buffer.h"

/* The picture is in the file whole, or the file is as it was. */
bool gnuplot_draw(const struct buffer *script, const char *path, soloist_error *error);

#endif
