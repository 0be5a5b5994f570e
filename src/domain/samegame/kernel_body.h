/* The kernels of one instruction set: the bodies of narrow.h and wide.h with 3 and with 4 planes. The file that
 * includes this one defines KERNEL_NAME (the table), KERNEL_TEXT (its name for people), PLANE_VECTOR (bytes in a
 * vector) and, if the instruction set includes BMI2, SELECT_HARDWARE. */
#include "domain/samegame/narrow.h"
#include "domain/samegame/narrow_walk.h"
#include "domain/samegame/wide.h"
#include "domain/samegame/wide_walk.h"

#define KERNEL_FUNCTIONS(size, planes)                                                                                 \
    static int size##planes##_moves(const soloist_instance *instance, const void *state, soloist_move *moves) {        \
        (void)instance;                                                                                                \
        return size##_moves(state, moves, planes);                                                                     \
    }                                                                                                                  \
    static int32_t size##planes##_apply(const soloist_instance *instance, void *state, soloist_move move) {            \
        return size##_apply(instance, state, move, planes);                                                            \
    }                                                                                                                  \
    static bool size##planes##_stuck(const soloist_instance *instance, const void *state) {                            \
        (void)instance;                                                                                                \
        return size##_stuck(state, planes);                                                                            \
    }                                                                                                                  \
    static void size##planes##_counts(const soloist_instance *instance, const void *state,                             \
                                      int counts[SAMEGAME_MOST_COLOURS + 1]) {                                         \
        size##_counts(instance, state, counts, planes);                                                                \
    }                                                                                                                  \
    static uint64_t size##planes##_key(const soloist_instance *instance, const void *state) {                          \
        return size##_key(instance, state, planes);                                                                    \
    }                                                                                                                  \
    static int size##planes##_expand(const soloist_instance *instance, const void *state, unsigned want,               \
                                     soloist_child *children) {                                                        \
        return size##_expand(instance, state, want, children, planes);                                                 \
    }                                                                                                                  \
    static soloist_playout size##planes##_playout(const soloist_instance *instance, void *state, int policy,           \
                                                  int limit, soloist_rng *rng, soloist_move *trace) {                  \
        return policy == SAMEGAME_RANDOM ? size##_play(instance, state, SAMEGAME_RANDOM, limit, rng, trace, planes)    \
                                         : size##_play(instance, state, SAMEGAME_TABU, limit, rng, trace, planes);     \
    }                                                                                                                  \
    static int size##planes##_walk_open(const soloist_instance *instance, struct samegame_walk *walk,                  \
                                        const void *state) {                                                           \
        return size##_walk_open(instance, walk, state, planes);                                                        \
    }                                                                                                                  \
    static int size##planes##_walk_play(const soloist_instance *instance, struct samegame_walk *walk, int chosen) {    \
        return size##_walk_play(instance, walk, chosen, planes);                                                       \
    }
KERNEL_FUNCTIONS(narrow, 3)
KERNEL_FUNCTIONS(narrow, 4)
KERNEL_FUNCTIONS(wide, 3)
KERNEL_FUNCTIONS(wide, 4)

#define KERNEL_TABLE(name, of)                                                                                         \
    {                                                                                                                  \
        name, of##_moves, of##_apply, of##_stuck, of##_counts, of##_key, of##_expand, of##_playout, of##_walk_open,    \
            of##_walk_play                                                                                             \
    }

const struct samegame_kernel KERNEL_NAME[2][2] = {
    {KERNEL_TABLE(KERNEL_TEXT, narrow3), KERNEL_TABLE(KERNEL_TEXT, narrow4)},
    {KERNEL_TABLE(KERNEL_TEXT, wide3), KERNEL_TABLE(KERNEL_TEXT, wide4)},
};
