/* The policy without search: in each position it plays the move of highest prior. All games are played at once. Playing
 * without search is the quickest way to measure a network. */
#ifndef LEARN_TRAIN_GREEDY_H
#define LEARN_TRAIN_GREEDY_H

#include "base/interval.h"
#include "search/evaluator.h"

/* One game. */
struct greedy_game {
    bool solved;   /* least-cost domains: a goal was reached */
    int32_t value; /* the score, or the cost so far */
    int steps;     /* number of moves, each of which took one evaluation */
};

/* Plays `count` games. step_limit: maximum number of moves of a game; 0: no limit, only for domains in which every game
 * ends. stop: breaks the games off, whose results are then of no use; or NULL. False with an error: the network failed
 * or does not fit, or there is no memory. */
bool greedy_play(struct evaluator *evaluator, const soloist_puzzle *puzzles, int count, int step_limit,
                 const soloist_stop_token *stop, struct greedy_game *games, soloist_error *error);

/* Statistics of games in a least-cost domain. A number that is not known is NaN. */
struct greedy_summary {
    double rate; /* percentage of games solved */
    struct interval interval;
    double cost;        /* mean cost of the solved games */
    double evaluations; /* evaluations in all games, divided by the number of solved games */
};
struct greedy_summary greedy_sum_up(const struct greedy_game *games, int count);

#endif
