/* One pass of a beam search over a game, layer by layer; and what passes keep from each other to use again. */
#ifndef SEARCH_BEAM_LAYERS_H
#define SEARCH_BEAM_LAYERS_H

#include "base/table.h"
#include "search/search.h"

/* A state of a layer. The state itself follows. */
struct beam_entry {
    uint32_t step; /* in beam->steps: the last of the line that leads here */
    soloist_move move;
    int64_t value; /* cost or score from the root */
};

/* One move of a line, and the step before it. Never changed, so that a line is what it was when it was found. */
struct beam_step {
    uint32_t before; /* POOL_NONE: the root */
    soloist_move move;
};

/* A child that may come into the next layer. */
struct beam_candidate {
    uint64_t key;
    uint32_t parent; /* entry of the layer */
    soloist_move move;
    int32_t value;
    int32_t rank; /* what the line through it may come to; less is better */
};

struct beam_layer {
    unsigned char *entries;
    size_t room, count;
};

/* Ranks further from the layer's best than this share the last place: they are rarely reached. */
enum { beam_ranks = 1 << 12 };

struct beam {
    struct search_run *whole; /* whose limits count */
    struct search_run *run;   /* the game of this pass: the whole, or a part of it with an instance of its own */
    const soloist_domain *domain;
    struct memory *memory;
    bool goal;                        /* aim: least cost */
    bool admissible;                  /* the bound may drop what cannot beat the best line */
    const soloist_estimate *estimate; /* NULL: the bound, if there is one, must do */
    unsigned want;
    size_t width, entry_size;
    struct table seen; /* packed states of this pass, with their best value */
    struct pool steps;
    struct beam_layer layer, next;
    struct beam_candidate *candidates;
    uint32_t *order; /* candidates by rank */
    size_t candidate_room, candidate_count;
    uint32_t *rank_end; /* [rank]: end of its candidates in order */
    soloist_child *children;
    int32_t *guesses; /* one a child */
    void *packed;
    bool dropped; /* this pass dropped a state that may be on a better line */
    soloist_rng rng;
};

enum beam_next { BEAM_GO_ON, BEAM_FULL, BEAM_REFUSED, BEAM_SPENT };

/* False without memory; to be closed in any case. */
bool beam_open(struct beam *beam, struct search_run *whole);
void beam_close(struct beam *beam);
/* A pass of this width over run's game: lines that end are recorded there, and only what may beat run's best is looked
 * at. beam->dropped says whether anything else was left out. */
enum beam_next beam_pass(struct beam *beam, struct search_run *run, size_t width);

#endif
