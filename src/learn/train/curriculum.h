/* A curriculum (Ge 2018, section 3.2): a training run begins with easy instances and goes on to harder ones. It
 * consists of a number of stages and, for each stage, the values of some options of the domain's generator:
 *
 *     stages=100,max_action_depth=10..300,total_positions=100..100000:log,allow_box_on_goal=true..false:last
 *
 * Over the stages an option goes from its first value to its last: in equal steps (":linear", the default for numbers),
 * by equal factors (":log"), or by a single change at the last stage (":last"). Values that are not numbers can only
 * change by ":last". A single value holds in all stages. A published curriculum can be given by its name instead. */
#ifndef LEARN_TRAIN_CURRICULUM_H
#define LEARN_TRAIN_CURRICULUM_H

#include "soloist.h"

enum { CURRICULUM_MOST_ITEMS = 16, CURRICULUM_TEXT = 64, CURRICULUM_WINDOW = 10 };

enum curriculum_change { CURRICULUM_LINEAR, CURRICULUM_LOG, CURRICULUM_LAST };

struct curriculum_item {
    char option[CURRICULUM_TEXT], first[CURRICULUM_TEXT], last[CURRICULUM_TEXT];
    enum curriculum_change change;
};

struct curriculum {
    int stages; /* at least 1 */
    struct curriculum_item items[CURRICULUM_MOST_ITEMS];
    int count;
};

/* text: a curriculum in the format above, or the name of a published one; NULL: a single stage that changes nothing.
 * False with an error. */
bool curriculum_read(struct curriculum *curriculum, const char *text, soloist_error *error);
/* Prints the generator's options in stage number `stage` (from 1) as "key=value,...": first `base`, which may be NULL,
 * then those of the curriculum. */
void curriculum_stage(const struct curriculum *curriculum, int stage, const char *base, const soloist_sink *sink);

/* The solve rates of the newest iterations, for curriculum_promotes. */
struct curriculum_history {
    uint64_t iterations;
    double rates[CURRICULUM_WINDOW]; /* rates[i % CURRICULUM_WINDOW]: the rate of iteration i, counted from 0 */
};

/* Adds the solve rate (0 to 1) of an iteration. Returns whether the next iteration belongs to the next stage. Two
 * conditions must hold. First, there have been at least 10 iterations since training began. Second, the rate is above
 * 90 %, or it is above 50 % and differs by less than one percentage point from the mean of the last 10 rates, including
 * this one. */
bool curriculum_promotes(struct curriculum_history *history, double rate);

#endif
