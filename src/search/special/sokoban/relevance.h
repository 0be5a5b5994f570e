/* Relevance cuts for Sokoban: the three functions for relevance in struct special_ida_star. */
#ifndef SEARCH_SOKOBAN_RELEVANCE_H
#define SEARCH_SOKOBAN_RELEVANCE_H

#include "search/ida_star/ida_star.h"

struct relevance *relevance_open(struct search_run *run, const struct ida_star_settings *settings);
void relevance_close(struct relevance *relevance);
int relevance_cut(const struct relevance *relevance, const struct ida_star_path *path, soloist_move last,
                  soloist_child *children, int count);

#endif
