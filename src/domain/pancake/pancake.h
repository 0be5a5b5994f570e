/* The pancake problem: a stack of n pancakes of sizes 1..n is given, top first. A flip of k reverses the top k
 * pancakes. The aim is to sort the stack by as few flips as possible. These declarations are shared by the files of
 * this folder. */
#ifndef DOMAIN_PANCAKE_PANCAKE_H
#define DOMAIN_PANCAKE_PANCAKE_H

#include "soloist_extra.h"

#define PANCAKE_MOST 128
#define PANCAKE_ROOM 144 /* pancakes and the plate, rounded up to a multiple of 16 bytes */

/* The two directions of search. The forward direction counts gaps relative to the goal, the backward one relative to
 * the root. */
enum pancake_direction { PANCAKE_FORWARD, PANCAKE_BACKWARD };

/* What two neighbours in a stack contribute to its key and to its gap count. */
struct pancake_pair {
    uint64_t key;
    uint32_t gap;
};

/* The label of each pancake: its place in the target stack of a direction of search, or 0 if the bound ignores this
 * pancake. */
struct pancake_labels {
    uint8_t of[PANCAKE_MOST + 2];
    bool same; /* every pancake's label is its own number */
};

struct soloist_instance {
    int n;
    int stride;  /* n + 2: number of entries per row of `pairs` */
    size_t room; /* bytes of memory for a stack */
    struct pancake_labels labels[2];
    uint8_t start[PANCAKE_ROOM], goal[PANCAKE_ROOM];
    /* Entry a * stride + b is for pancake a directly above pancake b. The key of entry a * stride + a is for pancake a
     * on top of the stack. */
    struct pancake_pair pairs[];
};

struct pancake_state {
    uint64_t key;
    uint32_t gaps; /* number of gaps relative to the goal; gaps relative to the root are counted when needed */
    uint32_t zero;
    uint8_t stack[]; /* pancakes, top first; then the plate, n + 1; then zeros up to instance.room */
};

/* The choices "gap" and "none" of the option `bound`. */
enum pancake_bound { PANCAKE_GAP, PANCAKE_NONE };

#define PANCAKE_OPTIONS(T, INT, REAL, BOOL, CHOICE)                                                                    \
    INT(T, gap, 0, 0, PANCAKE_MOST, "k of the bound GAP-k, which ignores the k smallest pancakes")                     \
    CHOICE(T, bound, PANCAKE_GAP, "gap|none",                                                                          \
           "lower bound: gap: the number of pairs of neighbours that differ in size by more than one; none: no bound")

/* Reads one stack into stack[0..n-1]; returns n, or 0 with an error, which includes the position in the file. */
int pancake_read_stack(const soloist_chunk *chunk, uint8_t stack[PANCAKE_MOST], soloist_error *error);
int pancake_recognise(const char *text, size_t length);

/* Computes key and gap count of state->stack from scratch. */
void pancake_complete(const soloist_instance *instance, struct pancake_state *state);

extern const soloist_core pancake_core;
extern const soloist_bound pancake_gap;
extern const soloist_reverse pancake_reverse;
extern const soloist_pack pancake_pack;
extern const soloist_sample pancake_sample;
extern const soloist_reward pancake_reward;
extern const soloist_text pancake_text;
extern const soloist_generate pancake_generate;
extern const soloist_hints pancake_hints;

#endif
