/* How much of a game's work goes to each of its moves (Seify 2020, sections 5.2.2 and 5.4.5), for games that a search
 * plays move by move. */
#ifndef SEARCH_MOVE_BUDGET_H
#define SEARCH_MOVE_BUDGET_H

#include "base/budget.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* The share of move number `move` (the first is 0) in whatever the first move gets. */
static inline double search_move_share(double decay, size_t move) {
    double share = 1;
    for (size_t i = 0; i < move && decay < 1; i++)
        share *= decay;
    return share;
}

/* The number of iterations before a move: at least 1; 0 means no limit. */
static inline uint64_t search_move_iterations(uint64_t first, double decay, size_t move) {
    uint64_t count = (uint64_t)((double)first * search_move_share(decay, move) + 0.5);
    return first && !count ? 1 : count;
}

/* Claims up to `wanted` iterations within a limit (0: none) for a thread; returns how many were granted. What is not
 * used must be given back by search_claim_back. */
static inline uint64_t search_claim(_Atomic uint64_t *begun, uint64_t limit, uint64_t wanted) {
    if (!limit)
        return wanted;
    uint64_t before = atomic_load_explicit(begun, memory_order_relaxed), got;
    do
        got = limit - before < wanted ? limit - before : wanted;
    while (!atomic_compare_exchange_weak_explicit(begun, &before, before + got, memory_order_relaxed,
                                                  memory_order_relaxed));
    return got;
}

static inline void search_claim_back(_Atomic uint64_t *begun, uint64_t limit, uint64_t unused) {
    if (limit)
        atomic_fetch_sub_explicit(begun, unused, memory_order_relaxed);
}

/* The time before one move. */
struct search_move_clock {
    double end_s; /* when it is used up, in seconds of the run; 0: there is no limit */
    _Atomic bool worked, over;
};

/* first_s: what the first move gets, in seconds, or 0: no limit; share: how much of it this move gets. */
static inline void search_move_begin(struct search_move_clock *clock, const struct budget *budget, double first_s,
                                     double share) {
    clock->end_s = first_s > 0 ? budget_elapsed(budget) + first_s * share : 0;
    atomic_store(&clock->worked, false);
    atomic_store(&clock->over, false);
}

/* Called by any thread that has done an iteration. */
static inline void search_move_worked(struct search_move_clock *clock) {
    if (clock->end_s > 0 && !atomic_load_explicit(&clock->worked, memory_order_relaxed))
        atomic_store(&clock->worked, true);
}

/* Looks at the time; one thread calls it. Each move has at least one iteration. */
static inline void search_move_look(struct search_move_clock *clock, const struct budget *budget) {
    if (clock->end_s > 0 && atomic_load(&clock->worked) && budget_elapsed(budget) >= clock->end_s)
        atomic_store(&clock->over, true);
}

static inline bool search_move_is_over(const struct search_move_clock *clock) {
    return atomic_load_explicit(&clock->over, memory_order_relaxed);
}

#endif
