/* One pass of a beam search over a game, layer by layer; and what passes keep from each other to use again. */
#ifndef SEARCH_BEAM_LAYERS_H
#define SEARCH_BEAM_LAYERS_H

#include "base/table.h"
#include "search/search.h"

/* A state of a layer. The state itself follows. */
struct beam_entry {
    uint32_t step; /* in beam->steps: the last of the line that leads here */
    soloist_move move;
    int32_t value; /* cost or score from the root */
    int32_t rank;  /* by which it came into the layer */
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

/* What ranks: the bound or the domain's estimate; a network's priors or values (beam_network.c); or play-outs
 * (beam_playouts.c). */
enum beam_score { BEAM_SCORE_BOUND, BEAM_SCORE_PRIORS, BEAM_SCORE_VALUES, BEAM_SCORE_PLAYOUTS };

/* A batch of states for the network. */
struct beam_guide {
    enum beam_score score;
    double scale; /* points that a value of 1 stands for */
    struct evaluation *evaluations;
    size_t *of; /* entry or candidate that each is of */
    soloist_move *moves;
    float *priors;
    unsigned char *states; /* of candidates */
    size_t room, count, first;
};

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
    int32_t best_rank;  /* of the candidates */
    struct beam_guide guide;
    struct beam_players *players; /* NULL: not ranked by play-outs */
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

/* False without memory; to be closed in any case. */
bool beam_open(struct beam *beam, struct search_run *whole, enum beam_score score);
void beam_close(struct beam *beam);
/* A pass of this width over run's game: lines that end are recorded there, and only what may beat run's best is looked
 * at. beam->dropped says whether anything else was left out. */
enum beam_next beam_pass(struct beam *beam, struct search_run *run, size_t width);

/* Records the line to a step with what follows; false without memory. */
bool beam_record(struct beam *beam, uint32_t step, const soloist_move *tail, size_t tail_count, int32_t value);

/* ---- ranked by play-outs (beam_playouts.c) ---- */
/* So many play-outs a child; false without memory. */
bool beam_players_open(struct beam *beam, int playouts);
void beam_players_close(struct beam *beam);
/* Ranks all candidates by the best of their play-outs; better lines are recorded. */
enum beam_next beam_play_candidates(struct beam *beam);

/* ---- ranked by a network (beam_network.c) ---- */
bool beam_guide_open(struct beam *beam, enum beam_score score);
void beam_guide_close(struct beam *beam);
/* Has a batch of the layer's entries judged, from `first` on; false: the network failed. */
bool beam_guide_entries(struct beam *beam, size_t first);
/* The rank of a move of one of them: how unlikely the line is. */
int32_t beam_guide_rank(const struct beam *beam, size_t index, soloist_move move);
/* Ranks all candidates by what the network expects of them. */
enum beam_next beam_guide_candidates(struct beam *beam);

#endif
