/* Chooses the next trial of a tuning: at random, on a grid, by the cross-entropy method, or at the highest upper
 * confidence bound of a Gaussian process (Srinivas et al. 2010). A point has a coordinate for each option: a number
 * from 0 to 1 for a range, and the index of the chosen value for a list of choices. All random numbers come from one
 * stream, so that a tuning can be repeated exactly. */
#ifndef LAB_TUNE_H
#define LAB_TUNE_H

#include "soloist.h"

#define TUNE_NO_SCORE (-1e300)
enum { TUNE_MOST = 16, TUNE_MOST_CHOICES = 16, TUNE_RUNGS = 3 };

struct tune_option {
    const char *name;
    double least, most;
    bool logarithmic, whole;
    int choices;      /* 0: a range */
    const char *text; /* "a|b|c" */
};

struct tune_space {
    struct tune_option options[TUNE_MOST];
    int count;
};

struct tune_point {
    double at[TUNE_MOST];
};

/* A trial: a point, and its score on each rung. A rung is a share of the instances; higher scores are better. */
struct tune_trial {
    struct tune_point point;
    double scores[TUNE_RUNGS]; /* TUNE_NO_SCORE: no run of the trial has a value */
    int rungs;                 /* number of known scores; 0: still running */
};

/* Writes a point as text, such as "c=0.5,rule=sp". */
void tune_write(const struct tune_space *space, const struct tune_point *point, char *out, size_t room);
void tune_random(const struct tune_space *space, soloist_rng *rng, struct tune_point *point);
/* Point number `index` of a grid with `steps` values in each range; false: the grid has no such point. */
bool tune_grid(const struct tune_space *space, int steps, uint64_t index, struct tune_point *point);
/* Chooses the point with the highest upper confidence bound, given the scores on the highest rung that enough trials
 * have reached. As long as there are too few trials, and occasionally later, the point is random. False if memory runs
 * out. */
bool tune_model(const struct tune_space *space, const struct tune_trial *trials, size_t count, soloist_rng *rng,
                struct tune_point *point);

/* The cross-entropy method keeps a normal distribution for each range and probabilities for each choice. */
struct tune_entropy {
    double mean[TUNE_MOST], spread[TUNE_MOST];
    double share[TUNE_MOST][TUNE_MOST_CHOICES];
};
void tune_entropy_open(const struct tune_space *space, struct tune_entropy *entropy);
void tune_entropy_draw(const struct tune_space *space, const struct tune_entropy *entropy, soloist_rng *rng,
                       struct tune_point *point);
/* Moves the distribution towards the best trials. */
void tune_entropy_learn(const struct tune_space *space, const struct tune_trial *const *elite, size_t count,
                        struct tune_entropy *entropy);

/* For sorting trials, best first: the trial with more known scores, then the one with the higher score on its last
 * rung, then the earlier one. */
int tune_compare(const struct tune_trial *a, const struct tune_trial *b);

#endif
