/* One pass of a beam search, layer by layer, and the memory that all passes share. Here a line is a sequence of moves
 * from the root, and a step is one move of a line. */
#ifndef SEARCH_BEAM_BEAM_LAYERS_H
#define SEARCH_BEAM_BEAM_LAYERS_H

#include "base/table.h"
#include "search/beam/thread_pool.h"
#include "search/picture.h"

/* A state of a layer. The bytes of the state are stored directly behind this struct. */
struct beam_entry {
    uint32_t step; /* index in beam->steps of the last step of the line that leads to this state */
    soloist_move move;
    int32_t value; /* cost or score from the root */
    int32_t rank;  /* how promising the state is; lower is better */
};

/* One move of a line, linked to the step before it. Steps are never changed, so a line remains as it was found. */
struct beam_step {
    uint32_t before; /* index of the previous step; POOL_NONE: the line begins with this step */
    soloist_move move;
};

/* A child that may be kept in the next layer. */
struct beam_candidate {
    uint64_t key;
    uint32_t parent; /* index of the parent's entry in the current layer */
    soloist_move move;
    int32_t value;
    int32_t rank; /* how promising the child is; lower is better */
};

struct beam_layer {
    unsigned char *entries;
    uint32_t room;
    size_t count;
};

/* Number of buckets for sorting candidates by rank. The first bucket holds the best rank of the layer, the second
 * bucket the next rank, and so on. The last bucket also holds all worse ranks, which are rare. */
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

/* How much work has been done by the end of each layer, and how wide the layers may be so that the pass ends in time
 * (beam_pace.c). Work is counted in seconds if there is a time limit, otherwise in states. */
struct beam_pace {
    double *done; /* [depth]: work of the previous pass up to the end of that layer; NULL: widths are not adjusted */
    double *now;  /* [depth]: work of this pass up to the end of that layer */
    int depths, depth; /* depths: number of layers of the previous pass; depth: of this pass so far */
    size_t width;      /* width that this pass began with */
    double begun;      /* work done before this pass */
    double until;      /* total work at which this pass should end; 0: no such target */
    /* Sums over the layers of this pass, in which older layers have less weight. cost: sum of the work done for each
     * layer. size: sum of w * p / t over the layers, where w is the layer's width, p is the work that the previous pass
     * did at that depth, and t is the total work of the previous pass. */
    double cost, size;
};

struct beam {
    struct search_run *whole; /* the method's run, whose limits apply to all passes */
    struct search_run *run;   /* the run of this pass: `whole` itself, or a temporary run on another instance */
    const soloist_domain *domain;
    struct memory *memory;
    bool goal; /* the aim is least cost */
    /* The bound is admissible, so a state may be dropped if its value plus bound cannot beat the best line. */
    bool admissible;
    const soloist_estimate *estimate; /* the domain's estimate; NULL: the bound is used, if there is one */
    unsigned want;
    size_t width, entry_size;
    struct table seen; /* packed states of this pass, with their best value */
    struct pool steps;
    struct beam_layer layer, next;
    struct beam_candidate *candidates;
    uint32_t *order; /* candidates by rank */
    size_t candidate_room, order_room, candidate_count;
    uint32_t *rank_end;           /* [rank]: where the candidates of that rank end in `order` */
    int32_t best_rank;            /* least rank of the candidates */
    struct thread_pool *pool;     /* NULL: the run's own thread does all the work */
    struct beam_guide *guide;     /* ranking by a network; NULL: not used */
    struct beam_players *players; /* ranking by play-outs; NULL: not used */
    struct beam_merge merge;
    struct beam_pace pace;
    size_t siblings; /* maximum number of children of one state that are kept; 0: no limit */
    uint32_t *kept;  /* for each entry of the layer: how many of its children were kept; used if siblings > 0 */
    size_t kept_room;
    soloist_child *children;
    int32_t *guesses; /* one estimate per child */
    void *packed;
    bool dropped;                      /* this pass dropped a state that may lie on a better line */
    soloist_layer layers[BEAM_LAYERS]; /* the last layers of this pass, for beam_paint: layer n is at n % BEAM_LAYERS */
    int depth;                         /* number of the layer that is being expanded */
    soloist_rng rng;
};

enum beam_next { BEAM_GO_ON, BEAM_FULL, BEAM_REFUSED, BEAM_SPENT, BEAM_FAILED };

static inline struct beam_entry *beam_entry_at(const struct beam *beam, const struct beam_layer *layer, size_t index) {
    return (struct beam_entry *)(void *)(layer->entries + index * beam->entry_size);
}

/* False: memory is full; the caller must close the beam in this case too. */
bool beam_open(struct beam *beam, struct search_run *whole);
void beam_close(struct beam *beam);
/* Makes one pass of this width on the instance of `run`. Lines that reach a goal or the end of play are recorded in
 * `run`. States that cannot lead to a better line than the best of `run` are dropped; beam->dropped says whether the
 * pass also dropped states that might lead to a better one. */
enum beam_next beam_pass(struct beam *beam, struct search_run *run, size_t width);
/* `subject` is a struct beam. Draws its present state for somebody who watches the search (search/picture.h). */
void beam_paint(const void *subject, struct search_picture *picture);

/* ---- shared by all rankings (beam_layers.c) ---- */
/* Records the line that leads to a step, followed by the moves of `tail`. False if memory is full. */
bool beam_record(struct beam *beam, uint32_t step, const soloist_move *tail, size_t tail_count, int32_t value);
/* Makes room for `more` candidates. False if memory is full. */
bool beam_reserve_candidates(struct beam *beam, size_t more);
/* Lists an entry's children, with estimates if the domain has them. Any thread may call it. */
int beam_expand(const struct beam *beam, const struct beam_entry *entry, soloist_child *children, int32_t *guesses);
/* Whether no line through this child can beat the best line. value: the child's cost or score from the root. Any thread
 * may call it while no line is being recorded. */
bool beam_is_hopeless(const struct beam *beam, int64_t value, const soloist_child *child);

/* ---- ranked by play-outs (beam_playouts.c) ---- */
/* Prepares the ranking by play-outs. playouts: number of play-outs per child. False if memory is full. The thread pool
 * must be open. */
bool beam_players_open(struct beam *beam, int playouts);
void beam_players_close(struct beam *beam);
/* Ranks every candidate by the best of its play-outs. A play-out that beats the best line is recorded. */
enum beam_next beam_play_candidates(struct beam *beam);

/* ---- ranked by a network (beam_network.c) ---- */
/* Prepares the ranking by a network. least_prior: a move is left out if its prior is less than this fraction of the
 * highest prior in the same state. False if memory is full. The thread pool must be open. */
bool beam_guide_open(struct beam *beam, enum beam_score score, double least_prior);
void beam_guide_close(struct beam *beam);
/* Expands the layer, stores the children as candidates and ranks them. */
enum beam_next beam_guide_layer(struct beam *beam);

/* ---- children that are the same state (beam_merge.c) ---- */
/* Sets beam->order[i] to the index of the best candidate that has the same key as candidate i; this may be candidate i
 * itself. False if memory is full. */
bool beam_merge(struct beam *beam);
void beam_merge_close(struct beam *beam);

/* ---- passes that end in time (beam_pace.c) ---- */
/* Returns the seconds used so far if there is a time limit, otherwise the number of nodes so far. *limit is set to the
 * time limit or, if there is none, to the node limit; 0: no limit. */
double beam_used(const struct search_run *run, double *limit);
bool beam_pace_open(struct beam *beam);
void beam_pace_close(struct beam *beam);
/* Begins a pass of width beam->width that should end when the total work reaches pace.until. */
void beam_pace_begin(struct beam *beam);
/* Called after each layer: sets beam->width for the next layer. full: the layer just expanded had as many states as its
 * width allowed. */
void beam_pace_step(struct beam *beam, bool full);

#endif
