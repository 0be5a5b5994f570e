/* The pancake domain: how an instance is made, and the table that joins the parts of this folder. */
#include "domain/pancake/pancake_core.h"
#include "base/hash.h"
#include "domain/domain.h"

#include <stdlib.h>

SOLOIST_OPTIONS(pancake_options, PANCAKE_OPTIONS);

#define PANCAKE_KEYS 0x70616e63u /* family of Zobrist keys */

static void fill_goal(soloist_instance *instance) {
    for (int i = 0; i <= instance->n; i++)
        instance->goal[i] = (uint8_t)(i + 1);
}

/* The k smallest pancakes have label 0 in both directions. Without a bound, all pancakes and the plate have label 0. */
static void fill_labels(soloist_instance *instance, const struct pancake_options *options) {
    int plate = instance->n + 1, ignored = options->bound == PANCAKE_NONE ? plate : (int)options->gap;
    for (int i = 0; i < plate; i++) {
        int pancake = instance->start[i];
        if (pancake > ignored) {
            instance->labels[PANCAKE_FORWARD].of[pancake] = (uint8_t)pancake;
            instance->labels[PANCAKE_BACKWARD].of[pancake] = (uint8_t)(i + 1);
        }
    }
    if (ignored < plate)
        for (int d = 0; d < 2; d++)
            instance->labels[d].of[plate] = (uint8_t)plate;
    instance->labels[PANCAKE_FORWARD].same = ignored == 0;
}

static void fill_pairs(soloist_instance *instance) {
    const uint8_t *label = instance->labels[PANCAKE_FORWARD].of;
    for (int a = 1; a < instance->stride; a++)
        for (int b = a; b < instance->stride; b++) {
            struct pancake_pair pair = {.key = hash_zobrist(PANCAKE_KEYS, (uint32_t)(a * 256 + b)),
                                        .gap = pancake_is_gap(label[a], label[b])};
            instance->pairs[a * instance->stride + b] = instance->pairs[b * instance->stride + a] = pair;
        }
}

static soloist_instance *life_parse(const soloist_chunk *chunk, const void *options, soloist_error *error) {
    uint8_t stack[PANCAKE_MOST];
    int n = pancake_read_stack(chunk, stack, error);
    if (!n)
        return NULL;
    size_t stride = (size_t)n + 2;
    soloist_instance *instance = calloc(1, sizeof *instance + stride * stride * sizeof(struct pancake_pair));
    if (!instance) {
        soloist_fail(error, chunk->line, 0, "no memory for a stack of %d", n);
        return NULL;
    }
    instance->n = n;
    instance->stride = (int)stride;
    instance->room = ((size_t)n + 1 + 15) / 16 * 16;
    memcpy(instance->start, stack, (size_t)n);
    instance->start[n] = (uint8_t)(n + 1);
    fill_goal(instance);
    fill_labels(instance, options);
    fill_pairs(instance);
    return instance;
}

static void life_destroy(soloist_instance *instance) { free(instance); }

static void life_shape(const soloist_instance *instance, soloist_shape *shape) {
    *shape = (soloist_shape){
        .state_size = sizeof(struct pancake_state) + instance->room,
        .undo_size = sizeof(struct pancake_undo),
        .packed_size = instance->n > 16 ? (size_t)instance->n : 8,
        .most_moves = instance->n > 1 ? instance->n - 1 : 1,
        .least_step = 1,
        .most_steps = 0,
    };
}

static void life_root(const soloist_instance *instance, void *state) {
    memcpy(((struct pancake_state *)state)->stack, instance->start, instance->room);
    pancake_complete(instance, state);
}

static const soloist_life pancake_life = {
    .size = sizeof(soloist_life),
    .recognise = pancake_recognise,
    .next = soloist_next_line,
    .parse = life_parse,
    .destroy = life_destroy,
    .shape = life_shape,
    .root = life_root,
};

const soloist_domain pancake_domain = {
    .abi = SOLOIST_ABI,
    .size = sizeof(soloist_domain),
    .name = "pancake",
    .summary = "pancakes: sort a stack by flipping its top, with the fewest flips",
    .aim = SOLOIST_LEAST_COST,
    .players = 1,
    .options = pancake_options_rows,
    .options_size = sizeof(struct pancake_options),
    .life = &pancake_life,
    .core = &pancake_core,
    .text = &pancake_text,
    .bound = &pancake_gap,
    .reverse = &pancake_reverse,
    .pack = &pancake_pack,
    .sample = &pancake_sample,
    .reward = &pancake_reward,
    .generate = &pancake_generate,
    .hints = &pancake_hints,
};
