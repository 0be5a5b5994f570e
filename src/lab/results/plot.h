/* Pieces of gnuplot scripts that all figures share. */
#ifndef LAB_RESULTS_PLOT_H
#define LAB_RESULTS_PLOT_H

#include "soloist.h"

/* Writes a text in single quotes for gnuplot, so that mark-up characters have no special meaning. */
void plot_put_quoted(const soloist_sink *sink, const char *text);
/* The same for the label of a tick, which gnuplot takes for a format: a % is written twice. */
void plot_put_tick(const soloist_sink *sink, const char *text);
/* Writes gnuplot's `set terminal` command for a file whose name ends in .svg, .png or .pdf. Returns false with an error
 * if the name ends in something else. */
bool plot_put_terminal(const soloist_sink *sink, const char *path, soloist_error *error);

#endif
