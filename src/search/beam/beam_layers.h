/* One pass of a beam search over a game, layer by layer, and the memory that all passes share. */
#ifndef SEARCH_BEAM_BEAM_LAYERS_H
#define SEARCH_BEAM_BEAM_LAYERS_H

#include "base/table.h"
#include "search/beam/thread_pool.h"
#include "search/picture.h"

/* A state of a layer. The state itself follows. */
struct beam_entry {
    uint32_t step; /* the last step of the line that leads here, as an index into beam->steps */
    soloist_move move;
    int32_t value; /* cost or score from the root */
    int32_t rank;  /* the rank that the state had as a candidate */
};

/* One move of a line, linked to the step before it. Steps never change, so a line stays as it was when it was found. */
struct beam_step {
    uint32_t before; /* index of the previous step; POOL_NONE: the line begins with this step */
    soloist_move move;
};

/* A child that may be kept in the next layer. */
struct beam_candidate {
    uint64_t key;
    uint32_t parent; /* index of its parent's entry in the layer */
    soloist_move move;
    int32_t value;
    int32_t rank; /* predicted result of a line through this child; less is better */
};

struct beam_layer {
    unsigned char *entries;
    uint32_t room;
    size_t count;
};

/* Number of buckets for sorting candidates by rank, one bucket per rank from the layer's best rank on. All ranks
 * further behind share the last bucket, which is rarely used. */
enum { beam_ranks = 1 << 12 };

/* What states are ranked by: the bound or the domain's estimate; a network's priors or values (beam_network.c); or
 * play-outs (beam_playouts.c). */
enum beam_score { BEAM_SCORE_BOUND, BEAM_SCORE_PRIORS, BEAM_SCORE_VALUES, BEAM_SCORE_PLAYOUTS };

struct beam_guide;

enum { BEAM_LAYERS = 128 };

/* Finds children that are the same state (beam_merge.c). */
struct beam_merge {
    uint32_t *slots; /* hash table; a slot is 1 + the index of a candidate; 0: empty */
    size_t room;     /* number of slots allocated */
    size_t parts, part_size;
};

/* How much of a pass is done at the end of each layer, and how wide the layers must be for a pass to end in time
 * (beam_pace.c). Work is counted in seconds if there is a time limit, otherwise in states. */
struct beam_pace {
    double *done; /* [depth]: work of the previous pass up to the end of that layer; NULL: widths are not adjusted */
    double *now;  /* [depth]: the same for this pass */
    int depths, depth; /* depths: number of layers of the previous pass; depth: of this pass so far */
    size_t width;      /* width that this pass began with */
    double begun;      /* work done before this pass */
    double until;      /* work at which this pass is to end; 0: it need not end in time */
    /* Sums over the recent layers of this pass, older layers counting less. cost: work done; size: width times the
     * share of the previous pass's work that was done at that depth. */
    double cost, size;
};

struct beam {
    struct search_run *whole; /* the method's run, whose limits apply to all passes */
    struct search_run *run;   /* the run of this pass: `whole` itself, or a temporary run on another instance */
    const soloist_domain *domain;
    struct memory *memory;
    bool goal; /* the aim is least cost */
    /* The bound is admissible: a state whose bound cannot beat the best line may be dropped. */
    bool admissible;
    const soloist_estimate *estimate; /* NULL: the bound is used, if there is one */
    unsigned want;
    size_t width, entry_size;
    struct table seen; /* packed states of this pass, with their best value */
    struct pool steps;
    struct beam_layer layer, next;
    struct beam_candidate *candidates;
    uint32_t *order; /* candidates by rank */
    size_t candidate_room, candidate_count;
    uint32_t *rank_end;           /* [rank]: where the candidates of that rank end in `order` */
    int32_t best_rank;            /* least rank of the candidates */
    struct thread_pool *pool;     /* NULL: the run's own thread does everything */
    struct beam_guide *guide;     /* NULL: states are not ranked by a network */
    struct beam_players *players; /* NULL: states are not ranked by play-outs */
    struct beam_merge merge;
    struct beam_pace pace;
    size_t siblings; /* most children of one state that are kept; 0: any number */
    uint32_t *kept;  /* for each entry of the layer: how many of its children were kept; used if siblings > 0 */
    size_t kept_room;
    soloist_child *children;
    int32_t *guesses; /* one estimate per child */
    void *packed;
    bool dropped;                      /* this pass dropped a state that may lie on a better line */
    soloist_layer layers[BEAM_LAYERS]; /* of this pass, for painters: layer number n is layers[n % BEAM_LAYERS] */
    int depth;                         /* number of the layer that is expanded now */
    soloist_rng rng;
};

enum beam_next { BEAM_GO_ON, BEAM_FULL, BEAM_REFUSED, BEAM_SPENT, BEAM_FAILED };

static inline struct beam_entry *beam_entry_at(const struct beam *beam, const struct beam_layer *layer, size_t index) {
    return (struct beam_entry *)(void *)(layer->entries + index * beam->entry_size);
}

/* False: memory is full; the caller must close the beam in this case too. */
bool beam_open(struct beam *beam, struct search_run *whole);
void beam_close(struct beam *beam);
/* Makes one pass of this width over the game of `run`. Finished lines are recorded in `run`. States that cannot lead to
 * a better line than the best of `run` are dropped; beam->dropped says whether the pass also dropped states that
 * might. */
enum beam_next beam_pass(struct beam *beam, struct search_run *run, size_t width);
/* The painter of a struct beam. */
void beam_paint(const void *subject, struct search_picture *picture);

/* ---- shared by all rankings (beam_layers.c) ---- */
/* Records the line that leads to a step, followed by the moves of `tail`. False if memory is full. */
bool beam_record(struct beam *beam, uint32_t step, const soloist_move *tail, size_t tail_count, int32_t value);
/* Makes room for `more` candidates. False if memory is full. */
bool beam_reserve_candidates(struct beam *beam, size_t more);
/* Lists an entry's children, with estimates if the domain has them. Any thread may call it. */
int beam_expand(const struct beam *beam, const struct beam_entry *entry, soloist_child *children, int32_t *guesses);
/* Whether no line through a child of this value can beat the best one. Any thread may call it while no line is being
 * recorded. */
bool beam_is_hopeless(const struct beam *beam, int64_t value, const soloist_child *child);

/* ---- ranked by play-outs (beam_playouts.c) ---- */
/* playouts: number of play-outs per child. False if memory is full. The thread pool must be open. */
bool beam_players_open(struct beam *beam, int playouts);
void beam_players_close(struct beam *beam);
/* Ranks all candidates by the best of their play-outs; better lines are recorded. */
enum beam_next beam_play_candidates(struct beam *beam);

/* ---- ranked by a network (beam_network.c) ---- */
/* least_prior: children whose move has less than this share of the best move's prior are left out. False if memory is
 * full. The thread pool must be open. */
bool beam_guide_open(struct beam *beam, enum beam_score score, double least_prior);
void beam_guide_close(struct beam *beam);
/* Makes the layer's candidates and ranks them. */
enum beam_next beam_guide_layer(struct beam *beam);

/* ---- children that are the same state (beam_merge.c) ---- */
/* Sets beam->order[i] to the best candidate that has the same key as candidate i; this may be i itself. False if memory
 * is full. */
bool beam_merge(struct beam *beam);
void beam_merge_close(struct beam *beam);

/* ---- passes that end in time (beam_pace.c) ---- */
/* How much of the time limit or, if there is none, of the node limit has been used. *limit: that limit; 0: there is
 * none. */
double beam_used(const struct search_run *run, double *limit);
bool beam_pace_open(struct beam *beam);
void beam_pace_close(struct beam *beam);
/* Begins a pass of width beam->width that is to end by pace.until. */
void beam_pace_begin(struct beam *beam);
/* Called after each layer: sets beam->width for the next one. full: the layer just expanded had as many states as its
 * width allowed. */
void beam_pace_step(struct beam *beam, bool full);

#endif
