/* Makes new stacks: a random permutation, or random flips from the sorted stack, as in the test set of Spoerer 2021. A
 * comment above the stack gives its gap count, which is close to the number of flips needed. */
#include "domain/pancake/pancake.h"

#include <stdlib.h>

#define GENERATE_OPTIONS(T, INT, REAL, BOOL, CHOICE)                                                                   \
    INT(T, n, 10, 1, PANCAKE_MOST, "number of pancakes in the stack")                                                  \
    INT(T, flips, 0, 0, 1000000, "number of random flips from the sorted stack; 0: a random permutation instead")
SOLOIST_OPTIONS(pancake_generate_options, GENERATE_OPTIONS);

static void flip(int *stack, int count) {
    for (int i = 0, j = count - 1; i < j; i++, j--) {
        int kept = stack[i];
        stack[i] = stack[j];
        stack[j] = kept;
    }
}

static void shuffle(int *stack, int n, soloist_rng *rng) {
    for (int i = n - 1; i > 0; i--) {
        int j = (int)soloist_rng_below(rng, (uint32_t)i + 1), kept = stack[i];
        stack[i] = stack[j];
        stack[j] = kept;
    }
}

/* stack[n] is the plate. */
static int count_gaps(const int *stack, int n) {
    int gaps = 0;
    for (int i = 0; i < n; i++)
        gaps += abs(stack[i] - stack[i + 1]) > 1;
    return gaps;
}

static soloist_code generate_make(const void *options, soloist_rng *rng, const soloist_sink *sink,
                                  soloist_error *error) {
    (void)error;
    const struct pancake_generate_options *wanted = options;
    int stack[PANCAKE_MOST + 1], n = (int)wanted->n;
    for (int i = 0; i <= n; i++)
        stack[i] = i + 1;
    if (wanted->flips == 0)
        shuffle(stack, n, rng);
    for (int64_t i = 0; i < wanted->flips && n > 1; i++)
        flip(stack, 2 + (int)soloist_rng_below(rng, (uint32_t)n - 1));
    int gaps = count_gaps(stack, n);
    soloist_print(sink, "; %d pancakes, %d gap%s: at least %d flip%s\n", n, gaps, gaps == 1 ? "" : "s", gaps,
                  gaps == 1 ? "" : "s");
    for (int i = 0; i < n; i++)
        soloist_print(sink, "%d%s", stack[i], i + 1 < n ? " " : "\n");
    return SOLOIST_OK;
}

const soloist_generate pancake_generate = {
    .size = sizeof(soloist_generate),
    .options = pancake_generate_options_rows,
    .options_size = sizeof(struct pancake_generate_options),
    .make = generate_make,
};
