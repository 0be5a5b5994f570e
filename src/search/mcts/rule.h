/* The formulas of selection (S5) and of value normalisation (S14), as pure functions of the statistics. Logarithms are
 * computed by our own code, and square roots are correctly rounded, so that every machine makes the same choices. */
#ifndef SEARCH_MCTS_RULE_H
#define SEARCH_MCTS_RULE_H

#include "search/mcts/options.h"

/* The statistics of one child that a selection formula uses. */
struct mcts_view {
    double mean;     /* mean of the results, normalised if the options say so */
    double variance; /* variance of the results, normalised likewise */
    double visits;   /* n, the number of visits; at least 1, except for puct */
    double root;     /* 1 / sqrt(n) */
};

/* Values that are the same for all children of a node. */
struct mcts_shared {
    double log_parent; /* ln N */
    /* The factor that the exploration terms of all children share: C sqrt(k ln N) for uct and sp, C P sqrt(N) for puct,
     * where P is the uniform prior. */
    double explore;
};

static inline double mcts_uct(const struct mcts_shared *shared, const struct mcts_view *view) {
    return view->mean + shared->explore * view->root;
}

/* If results are not normalised, the minimum of the variance and 1/4 is nearly always 1/4. The published results were
 * obtained with this formula nevertheless. */
static inline double mcts_ucb1_tuned(const struct mcts_shared *shared, const struct mcts_view *view, double c) {
    double share = shared->log_parent / view->visits;
    double variance = view->variance + __builtin_sqrt(2 * share);
    variance = variance < 0 ? 0 : variance < 0.25 ? variance : 0.25;
    return view->mean + c * __builtin_sqrt(share * variance);
}

/* Rounding may make the variance slightly negative. */
static inline double mcts_sp(const struct mcts_shared *shared, const struct mcts_view *view, double d) {
    double variance = view->variance + d / view->visits;
    return mcts_uct(shared, view) + (variance > 0 ? __builtin_sqrt(variance) : 0);
}

static inline double mcts_puct(const struct mcts_shared *shared, const struct mcts_view *view) {
    return view->mean + shared->explore / (1 + view->visits);
}

#endif
