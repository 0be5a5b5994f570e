/* The weight of exploration of tree searches, which may grow with the visits of a node (Silver and others 2018). */
#ifndef SEARCH_EXPLORATION_H
#define SEARCH_EXPLORATION_H

#include "base/real.h"

/* C(s) = c + ln((1 + N + c_base) / c_base); c_base = 0: the constant c. */
static inline double search_exploration(double c, double c_base, double visits) {
    return c_base > 0 ? c + real_log((1 + visits + c_base) / c_base) : c;
}

#endif
