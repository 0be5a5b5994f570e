/* States that are collected and then sent to the network in one call. */
#ifndef SEARCH_GUIDED_QUESTIONS_H
#define SEARCH_GUIDED_QUESTIONS_H

#include "search/evaluator.h"
#include "search/search.h"

struct questions {
    struct search_run *run;
    int count, room;
    struct evaluation *evaluations; /* [count]: the states, and after questions_ask the answers */
    uint32_t *of;                   /* [count]: the number that the caller gave to each state */
    unsigned char *states;
    soloist_move *moves; /* NULL: only values are wanted */
    float *priors;
    void *block;
    size_t size;
};

/* room: maximum number of states per call. priors: whether priors are wanted, or only values. False: memory is full;
 * the caller must close it in this case too. */
bool questions_open(struct questions *questions, struct search_run *run, int room, bool priors);
void questions_close(struct questions *questions);
/* The room that suits a search which may ask about `wanted` states at a time: at most a few batches, because more does
 * not make the network faster. */
int questions_room(const struct search_run *run, int64_t wanted);
/* Copies a state, in which play has not ended; there must be room. Returns its question, with the list of its moves if
 * priors are wanted. */
struct evaluation *questions_add(struct questions *questions, const void *state, uint32_t of);
static inline bool questions_are_full(const struct questions *questions) { return questions->count == questions->room; }
/* Asks the network about all states; the answers stay until questions_clear. False with run->error filled in. */
bool questions_ask(struct questions *questions);
static inline void questions_clear(struct questions *questions) { questions->count = 0; }

/* The cost to go that a network's value stands for: (1 - value) / step_value, at least 0. Of a network whose file does
 * not say what a step is worth, 100 times (1 - value) is taken, as in Ge 2018. */
double guided_cost_to_go(const struct evaluator *evaluator, double value);

/* Replaces each prior p by p^(1/temperature), scaled so that they add up to 1 again: below 1 the likely moves become
 * likelier, above 1 all become more alike. */
void guided_temper(float *priors, int count, double temperature);

#endif
