/* Declarations that the files of the property checker share: the blocks of memory that it passes to a domain, and the
 * current state of a walk. */
#ifndef DOMAIN_VALIDATE_INTERNAL_H
#define DOMAIN_VALIDATE_INTERNAL_H

#include "soloist_extra.h"

/* Each block is followed by guard bytes, which detect a domain that writes too far. */
enum validate_block {
    BLOCK_STATE,  /* the walk's current state */
    BLOCK_PARENT, /* the walk's previous state */
    BLOCK_CHILD,
    BLOCK_COPY,
    BLOCK_UNDO,
    BLOCK_PACKED,
    BLOCK_MOVES,
    BLOCK_REPLIES,  /* a second list of moves */
    BLOCK_BACKWARD, /* a third list of moves */
    BLOCK_CHILDREN,
    BLOCK_FACTS,  /* one struct validate_fact per move */
    BLOCK_LINE,   /* the moves of the walk, or of a play-out */
    BLOCK_SLOT,   /* a network's input */
    BLOCK_VISITS, /* one struct validate_visit per state of the walk */
    BLOCK_COUNT
};

/* What apply, key, bound and dead say about a child; expand must agree with them. */
struct validate_fact {
    uint64_t key;
    int32_t step, bound;
    bool dead;
    bool back;   /* the child is the walk's previous state */
    bool pruned; /* bound.pruned returns true for the move, so expand must leave out this child */
};

/* A state of a walk: its bound, and the cost or score of the moves that led to it. */
struct validate_visit {
    int64_t value;
    int32_t bound;
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
    int channels; /* number of planes in BLOCK_SLOT */
    unsigned char *blocks[BLOCK_COUNT];
    size_t sizes[BLOCK_COUNT];
    const struct validate_game *game; /* the direction of the walk, for messages */
    int walk, step;
};

/* Records what fails and where; returns false. */
bool validate_fail(struct validator *v, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Checks that the state prints as a text that is read back as the same position. */
bool validate_print(struct validator *v, const void *state);
/* Checks that the text of the first `count` moves of BLOCK_LINE, with total value `value`, is read back as these moves,
 * and that the referee agrees. */
bool validate_solution(struct validator *v, int count, int64_t value, bool ended);
/* Whether the last of the first `count` moves of BLOCK_LINE is a macro: then its text is read back as several moves. */
bool validate_is_macro(struct validator *v, int count);
/* Checks that the moves of play-outs, when replayed, give the result that the play-outs reported, for every policy. */
bool validate_playouts(struct validator *v);
/* Checks that walks under every rule agree with the core functions. */
bool validate_walks(struct validator *v);
/* Checks that a network's input and the rewards are finite numbers, and that actions are in range. */
bool validate_learning(struct validator *v, const void *state);

#endif
