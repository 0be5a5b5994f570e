/* States that are collected and then sent to the network in one call. */
#ifndef SEARCH_GUIDED_QUESTIONS_H
#define SEARCH_GUIDED_QUESTIONS_H

#include "search/evaluator.h"
#include "search/search.h"

struct questions {
    struct search_run *run;
    int count, room;
    struct evaluation *evaluations; /* [count]: the states, and after questions_ask their evaluations */
    uint32_t *of;                   /* [count]: the number that the caller gave to each state */
    unsigned char *states;
    soloist_move *moves; /* NULL: only values are wanted */
    float *priors;
    void *block;
    size_t size;
};

/* room: maximum number of states per call of the network. priors: true if priors and values are wanted, false if only
 * values are. False: memory is full; the caller must close it in this case too. */
bool questions_open(struct questions *questions, struct search_run *run, int room, bool priors);
void questions_close(struct questions *questions);
/* The best value of `room` for a search that wants to evaluate `wanted` states at a time. It is at most a few batches,
 * because larger calls do not make the network faster. */
int questions_room(const struct search_run *run, int64_t wanted);
/* Adds a copy of a state in which play has not ended. There must be room for it. Returns the state's evaluation, which
 * is not computed yet; if priors are wanted, its list of moves is filled in. of: a number by which the caller
 * recognises the state. */
struct evaluation *questions_add(struct questions *questions, const void *state, uint32_t of);
static inline bool questions_are_full(const struct questions *questions) { return questions->count == questions->room; }
/* Calls the network for all states; the evaluations stay valid until questions_clear. False: as in
 * search_evaluate_in_parts. */
bool questions_ask(struct questions *questions);
static inline void questions_clear(struct questions *questions) { questions->count = 0; }

/* The cost to go that a network's value stands for: (1 - value) / step_value, at least 0. If the network's file does
 * not contain a step_value, the cost is 100 (1 - value), as in Ge 2018. */
double guided_cost_to_go(const struct evaluator *evaluator, double value);

/* Replaces each prior p by p^(1/temperature), scaled so that the priors add up to 1 again. A temperature below 1 makes
 * likely moves likelier; a temperature above 1 makes the priors more equal. */
void guided_temper(float *priors, int count, double temperature);

#endif
