/* One pass of a beam search over a game, layer by layer, and the memory that passes reuse. */
#ifndef SEARCH_BEAM_LAYERS_H
#define SEARCH_BEAM_LAYERS_H

#include "base/table.h"
#include "search/beam/thread_pool.h"
#include "search/search.h"

/* A state of a layer. The state itself follows. */
struct beam_entry {
    uint32_t step; /* in beam->steps: the last of the line that leads here */
    soloist_move move;
    int32_t value; /* cost or score from the root */
    int32_t rank;  /* by which it came into the layer */
};

/* One move of a line, and the step before it. Steps never change, so that a line stays as it was when it was found. */
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
    int32_t rank; /* predicted result of the line through it; less is better */
};

struct beam_layer {
    unsigned char *entries;
    uint32_t room;
    size_t count;
};

/* All ranks further than this from the layer's best share the last bucket: they are rarely reached. */
enum { beam_ranks = 1 << 12 };

/* What states are ranked by: the bound or the domain's estimate; a network's priors or values (beam_network.c); or
 * play-outs (beam_playouts.c). */
enum beam_score { BEAM_SCORE_BOUND, BEAM_SCORE_PRIORS, BEAM_SCORE_VALUES, BEAM_SCORE_PLAYOUTS };

struct beam_guide;

/* Which children are the same state (beam_merge.c). */
struct beam_merge {
    uint32_t *slots; /* 1 + candidate; 0: none */
    size_t room;     /* slots that memory has room for */
    size_t parts, part_size;
};

/* How far passes are through when a layer is done, and how wide the layers must be for a pass to end in time
 * (beam_pace.c). Work is counted in seconds or states, as the limits are. */
struct beam_pace {
    double *done;      /* [depth]: work of the last pass up to the end of that layer */
    double *now;       /* of this pass */
    int depths, depth; /* of the last pass, of this one */
    size_t width;      /* that this pass began with */
    double begun;      /* work done before this pass */
    double until;      /* when it is to end; 0: no hurry */
    double cost, size; /* recent layers: work done, and the corresponding part of the last pass times the width */
};

struct beam {
    struct search_run *whole; /* whose limits count */
    struct search_run *run;   /* the game of this pass: the whole, or a part of it with an instance of its own */
    const soloist_domain *domain;
    struct memory *memory;
    bool goal;                        /* aim: least cost */
    bool admissible;                  /* the bound may drop what cannot beat the best line */
    const soloist_estimate *estimate; /* NULL: the bound is used, if there is one */
    unsigned want;
    size_t width, entry_size;
    struct table seen; /* packed states of this pass, with their best value */
    struct pool steps;
    struct beam_layer layer, next;
    struct beam_candidate *candidates;
    uint32_t *order; /* candidates by rank */
    size_t candidate_room, candidate_count;
    uint32_t *rank_end;           /* [rank]: end of its candidates in order */
    int32_t best_rank;            /* of the candidates */
    struct thread_pool *pool;     /* NULL: the run's own thread does all */
    struct beam_guide *guide;     /* NULL: not ranked by a network */
    struct beam_players *players; /* NULL: not ranked by play-outs */
    struct beam_merge merge;
    struct beam_pace pace;
    size_t siblings; /* most children kept of one state; 0: any number */
    uint32_t *kept;  /* [entry of the layer]: children that were kept; only with siblings */
    size_t kept_room;
    soloist_child *children;
    int32_t *guesses; /* one a child */
    void *packed;
    bool dropped; /* this pass dropped a state that may be on a better line */
    soloist_rng rng;
};

enum beam_next { BEAM_GO_ON, BEAM_FULL, BEAM_REFUSED, BEAM_SPENT, BEAM_FAILED };

static inline struct beam_entry *beam_entry_at(const struct beam *beam, const struct beam_layer *layer, size_t index) {
    return (struct beam_entry *)(void *)(layer->entries + index * beam->entry_size);
}

/* False: no memory; close it even then. */
bool beam_open(struct beam *beam, struct search_run *whole);
void beam_close(struct beam *beam);
/* One pass of this width over run's game: lines that end are recorded in run, and only states that may beat run's best
 * are kept. beam->dropped says whether anything else was left out. */
enum beam_next beam_pass(struct beam *beam, struct search_run *run, size_t width);

/* ---- what the ways to rank share (beam_layers.c) ---- */
/* Records the line to a step with what follows; false without memory. */
bool beam_record(struct beam *beam, uint32_t step, const soloist_move *tail, size_t tail_count, int32_t value);
/* Makes room for `more` candidates; false: no memory. */
bool beam_reserve_candidates(struct beam *beam, size_t more);
/* An entry's children, and guesses where the domain has them; any thread. */
int beam_expand(const struct beam *beam, const struct beam_entry *entry, soloist_child *children, int32_t *guesses);
/* No line through a child of this value can beat the best one; any thread, while none is recorded. */
bool beam_is_hopeless(const struct beam *beam, int64_t value, const soloist_child *child);

/* ---- ranked by play-outs (beam_playouts.c) ---- */
/* playouts: number per child. False: no memory. The thread pool must be open. */
bool beam_players_open(struct beam *beam, int playouts);
void beam_players_close(struct beam *beam);
/* Ranks all candidates by the best of their play-outs; better lines are recorded. */
enum beam_next beam_play_candidates(struct beam *beam);

/* ---- ranked by a network (beam_network.c) ---- */
/* least_prior: children whose move has less than this share of the best move's prior are left out. False without
 * memory. The pool is there. */
bool beam_guide_open(struct beam *beam, enum beam_score score, double least_prior);
void beam_guide_close(struct beam *beam);
/* Makes the layer's candidates and ranks them. */
enum beam_next beam_guide_layer(struct beam *beam);

/* ---- children that are the same state (beam_merge.c) ---- */
/* order[i] becomes the candidate that leads i, which may be itself. False without memory. */
bool beam_merge(struct beam *beam);
void beam_merge_close(struct beam *beam);

/* ---- passes that end in time (beam_pace.c) ---- */
/* How much of the limit that counts has been used, and all of it (0: there is none). */
double beam_used(const struct search_run *run, double *limit);
bool beam_pace_open(struct beam *beam);
void beam_pace_close(struct beam *beam);
/* Begins a pass of beam->width that is to end by pace.until. */
void beam_pace_begin(struct beam *beam);
/* After a layer, which was full or not: sets beam->width for the next one. */
void beam_pace_step(struct beam *beam, bool full);

#endif
