/* A line (sequence of moves) that was played, with the data from which a policy is adapted to it: the codes of all
 * choices at every step, and which choice was played. A choice that stays available over several steps is stored once;
 * steps refer to it by its number, counted from 1. */
#ifndef SEARCH_NESTED_LINE_H
#define SEARCH_NESTED_LINE_H

#include "base/memory.h"
#include "search/nested/policy.h"
#include "soloist.h"

struct nested_step {
    soloist_move move;
    uint32_t played;       /* number of the choice that was played */
    uint32_t first, count; /* the step's choices are numbers[first .. first+count-1] */
};

struct nested_code {
    uint64_t code;
    float factor; /* factor by which the network's prior multiplies the weight of this code */
};

struct nested_line {
    struct memory *memory;
    int64_t score; /* more is better */
    int32_t value; /* cost or score of the line, depending on the domain's aim */
    bool ended;
    int count; /* number of steps */
    struct nested_step *steps;
    uint32_t number_count;
    uint32_t *numbers;
    uint32_t code_count; /* number of codes, including codes[0], which is not used */
    struct nested_code *codes;
    uint32_t step_room, number_room, code_room;
};

#define NESTED_NO_SCORE INT64_MIN

void nested_line_open(struct nested_line *line, struct memory *memory);
void nested_line_close(struct nested_line *line);
/* Removes all steps. */
static inline void nested_line_clear(struct nested_line *line) {
    line->score = NESTED_NO_SCORE;
    line->value = 0;
    line->ended = false;
    line->count = 0;
    line->number_count = 0;
    line->code_count = 1;
}
bool nested_line_grow(struct nested_line *line, uint32_t choices); /* false: memory is full */
/* Makes room for one more step that has `choices` choices. False: memory is full. */
static inline bool nested_line_reserve(struct nested_line *line, uint32_t choices) {
    bool fits = (uint32_t)line->count < line->step_room && line->number_room - line->number_count >= choices &&
                line->code_room - line->code_count >= choices;
    return __builtin_expect(fits, 1) || nested_line_grow(line, choices);
}
static inline void nested_line_swap(struct nested_line *a, struct nested_line *b) {
    struct nested_line kept = *a;
    *a = *b;
    *b = kept;
}
bool nested_line_same_moves(const struct nested_line *a, const struct nested_line *b);

/* ---- adapting (adapt.c) ------------------------------------------------------------------------------ */

/* Scratch space: arrays with one element per code of the line. */
struct nested_adapt {
    struct memory *memory;
    uint32_t room;
    uint32_t *slots;
    float *weights, *shares, *logits;
};

void nested_adapt_open(struct nested_adapt *adapt, struct memory *memory);
void nested_adapt_close(struct nested_adapt *adapt);
/* Moves the policy towards the line: at each step, the logit of the move played gains alpha, and the logit of every
 * choice loses alpha times the probability that the choice had before. False: memory is full. */
bool nested_adapt(struct nested_adapt *adapt, struct nested_policy *policy, const struct nested_line *line,
                  double alpha);

#endif
