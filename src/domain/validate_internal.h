/* Declarations that the files of the property checker share: the blocks that it lends to a domain, and where a walk
 * stands. */
#ifndef DOMAIN_VALIDATE_INTERNAL_H
#define DOMAIN_VALIDATE_INTERNAL_H

#include "soloist_extra.h"

/* Blocks are followed by guard bytes, so that a domain that writes too far is caught without a sanitizer. */
enum validate_block {
    BLOCK_STATE,  /* where the walk stands */
    BLOCK_PARENT, /* where it stood before */
    BLOCK_CHILD,
    BLOCK_COPY,
    BLOCK_UNDO,
    BLOCK_PACKED,
    BLOCK_MOVES,
    BLOCK_REPLIES,  /* a second list of moves */
    BLOCK_BACKWARD, /* a third */
    BLOCK_CHILDREN,
    BLOCK_FACTS, /* struct validate_fact of each move */
    BLOCK_LINE,  /* moves of the walk, or of a play-out */
    BLOCK_SLOT,  /* a network's input */
    BLOCK_COUNT
};

/* A child as the single functions describe it: expand must agree. */
struct validate_fact {
    uint64_t key;
    int32_t step, bound;
    bool dead;
    bool back;   /* the child is the state before this one */
    bool pruned; /* left out of expand: another move can come first */
};

/* One direction of play. */
struct validate_game {
    const char *name;
    const soloist_core *core;
    const soloist_bound *bound; /* may be NULL */
};

struct validator {
    const soloist_domain *domain;
    const soloist_puzzle *puzzle;
    const soloist_instance *instance;
    soloist_shape shape;
    soloist_rng rng;
    soloist_error *error;
    int walks, steps;
    int channels; /* of a slot */
    unsigned char *blocks[BLOCK_COUNT];
    size_t sizes[BLOCK_COUNT];
    const struct validate_game *game; /* where the walk stands, for messages */
    int walk, step;
};

/* Records what fails and where; returns false. */
bool validate_fail(struct validator *v, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The state prints as a text that is read back as the same position. */
bool validate_print(struct validator *v, const void *state);
/* The text of the first `count` moves of BLOCK_LINE, worth `value`, is read back as these moves, and the referee
 * agrees. */
bool validate_solution(struct validator *v, int count, int64_t value, bool ended);
/* Whether the last of the first `count` moves of BLOCK_LINE is a macro: then the text is read as more moves. */
bool validate_is_macro(struct validator *v, int count);
/* Checks that play-outs of every policy end as they report. */
bool validate_playouts(struct validator *v);
/* Checks walks by every rule against core. */
bool validate_walks(struct validator *v);
/* Checks that a network's input and the rewards are finite numbers, and that actions are in range. */
bool validate_learning(struct validator *v, const void *state);

#endif
