/* Which bytes of a packed state decide to which rank it belongs. If all bytes decided, nearly every child would belong
 * to another rank than its parent. If the only bytes that decide are those that few moves change, most children stay on
 * the rank of their parent, but ranks may get unequal shares (Burns, Lemons, Ruml and Zhou 2010 and Jinnai and Fukunaga
 * 2017 compare such abstractions). A random walk shows how often each byte changes. The bytes that change least often
 * are chosen, one after the other, until they distinguish a third of the states of the walk. On 15-puzzles with 16
 * ranks this halves the number of messages, and no rank got less than four fifths of the mean number of states. */
#include "search/best_first/distributed_rank.h"

#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

enum { samples = 256, longest_walk = 64 };

struct sampler {
    const struct search_run *run;
    size_t size;          /* of a packed state */
    void *state, *packed; /* packed: aligned */
    soloist_move *moves;
    unsigned char *walked;   /* the packed states of the walk, one after the other */
    uint32_t *changes;       /* per byte: how many moves changed it */
    uint64_t *sums, *sorted; /* per sample: hash of the bytes taken so far */
};

/* Walks at random from the root, anew when the walk is long or cannot go on. Every rank makes the same walk. */
static void walk(struct sampler *s) {
    const struct search_run *run = s->run;
    soloist_rng rng;
    int32_t last;
    soloist_rng_seed(&rng, 1, 0);
    for (int i = 0, length = longest_walk; i < samples; i++, length++) {
        int count = length < longest_walk ? run->domain->core->moves(run->instance, s->state, s->moves) : 0;
        bool goes_on = count > 0 && !run->domain->core->ended(run->instance, s->state, &last);
        unsigned char *packed = s->walked + (size_t)i * s->size, *before = packed - s->size;
        if (goes_on) {
            soloist_move move = s->moves[soloist_rng_below(&rng, (uint32_t)count)];
            run->domain->core->apply(run->instance, s->state, move, NULL);
        } else {
            run->domain->life->root(run->instance, s->state);
            length = 0;
        }
        search_pack(run, s->state, s->packed);
        memcpy(packed, s->packed, s->size);
        for (size_t b = 0; goes_on && b < s->size; b++)
            s->changes[b] += packed[b] != before[b];
    }
}

static int compare(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* How many samples differ in the bytes that make up the sums. */
static int count_different(struct sampler *s) {
    int different = 1;
    memcpy(s->sorted, s->sums, samples * sizeof *s->sums);
    qsort(s->sorted, samples, sizeof *s->sorted, compare);
    for (int i = 1; i < samples; i++)
        different += s->sorted[i] != s->sorted[i - 1];
    return different;
}

static void add_byte(struct sampler *s, size_t byte) {
    for (int i = 0; i < samples; i++)
        s->sums[i] = hash_mix(s->sums[i] ^ (s->walked[(size_t)i * s->size + byte] + 1u));
}

/* The byte that changes least often among those that change at all; `size`: none is left. */
static size_t find_calmest(const struct sampler *s) {
    size_t best = s->size;
    for (size_t b = 0; b < s->size; b++)
        if (s->changes[b] && (best == s->size || s->changes[b] < s->changes[best]))
            best = b;
    return best;
}

static void choose(struct sampler *s, struct distributed_bytes *bytes) {
    for (size_t b = 0; b < s->size; b++)
        add_byte(s, b);
    int all = count_different(s);
    memset(s->sums, 0, samples * sizeof *s->sums);
    while (bytes->count < distributed_most_bytes) {
        size_t byte = find_calmest(s);
        if (byte == s->size)
            break;
        s->changes[byte] = 0;
        bytes->at[bytes->count++] = (uint32_t)byte;
        add_byte(s, byte);
        if (3 * count_different(s) >= all)
            return;
    }
    bytes->count = 0; /* these bytes do not tell enough states apart */
}

bool distributed_choose_bytes(const struct search_run *run, struct distributed_bytes *bytes) {
    struct memory *memory = &run->budget->memory;
    struct sampler s = {.run = run, .size = search_packed_size(run)};
    size_t state = memory_round_up(run->shape.state_size), packed = memory_round_up(s.size);
    size_t moves = memory_round_up((size_t)run->shape.most_moves * sizeof(soloist_move));
    size_t walked = memory_round_up(samples * s.size), changes = memory_round_up(s.size * sizeof *s.changes);
    size_t sums = samples * sizeof *s.sums, size = state + packed + moves + walked + changes + 2 * sums;
    unsigned char *block = memory_take(memory, size);
    bytes->count = 0;
    if (!block)
        return false;
    s.state = block;
    s.packed = block + state;
    s.moves = (soloist_move *)(void *)(block + state + packed);
    s.walked = block + state + packed + moves;
    s.changes = (uint32_t *)(void *)(s.walked + walked);
    s.sums = (uint64_t *)(void *)(s.walked + walked + changes);
    s.sorted = s.sums + samples;
    walk(&s);
    choose(&s, bytes);
    memory_give(memory, block, size);
    return true;
}
