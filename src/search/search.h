/* The search contract. A method is one constant table at the bottom of its own file; everything that one run knows
 * and finds hangs off one struct search_run, the first argument of every function here. */
#ifndef SEARCH_SEARCH_H
#define SEARCH_SEARCH_H

#include "base/alias.h"
#include "base/budget.h"
#include "soloist_extra.h"

/* What a method needs of a domain. If one is missing, the error is a plain sentence (needs.c). */
enum search_need {
    SEARCH_NEEDS_ONE_PLAYER = 1 << 0,
    SEARCH_NEEDS_GOAL = 1 << 1,  /* aim: least cost */
    SEARCH_NEEDS_SCORE = 1 << 2, /* aim: most score */
    SEARCH_NEEDS_BOUND = 1 << 3,
    SEARCH_NEEDS_REVERSE = 1 << 4,
    SEARCH_NEEDS_REVERSE_BOUND = 1 << 5,
    SEARCH_NEEDS_SAMPLE = 1 << 6,
    SEARCH_NEEDS_REWARD = 1 << 7,
    SEARCH_NEEDS_LEARN = 1 << 8,
    SEARCH_NEEDS_TWO_PLAYERS = 1 << 10,
    SEARCH_NEEDS_FEATURES = 1 << 11,
    SEARCH_NEEDS_NETWORK = 1 << 12, /* one given with the limits */
    SEARCH_NEEDS_LIMIT = 1 << 9     /* never ends by itself: needs a time, node or iteration limit, or a stop token */
};

/* Which kind of network a method needs. */
enum search_network { SEARCH_NETWORK_NONE, SEARCH_NETWORK_ANY, SEARCH_NETWORK_WITH_VALUES };

/* A line of play from the root to an end, and its value by the search's own count. */
struct search_line {
    soloist_move *moves;
    size_t count, room;
    int32_t value;
};

/* Makes room for `count` moves, not counted in the byte budget; false: the machine has no memory, which `memory` notes.
 */
bool search_line_reserve(struct search_line *line, size_t count, struct memory *memory);
struct search_run;
/* The best line in the domain's notation; the caller frees it. NULL: no memory. */
char *search_line_text(const struct search_run *run);

/* One run. The engine fills the first part, the method the second; a method never frees what is in it. */
struct search_run {
    const soloist_domain *domain;
    const soloist_instance *instance;
    const soloist_puzzle *puzzle; /* that the instance was read from; NULL: not known */
    soloist_shape shape;
    const void *options; /* the method's own struct */
    struct budget *budget;
    uint64_t seed;
    int threads;                 /* >= 1 */
    struct evaluator *evaluator; /* a network; NULL: none was given */
    bool proof_known;            /* the root's bound is admissible: a line of value `proof` is optimal */
    int32_t proof;
    soloist_error *error; /* filled with every code other than SOLOIST_OK; never NULL */

    struct search_line best; /* set only by search_record; a plain block, outside the byte budget */
    bool found;              /* best holds a line that ends */
    bool optimal;            /* proved: no line is better */
    bool impossible;         /* proved: no line ends */
    bool has_iterations, has_playouts, has_expanded, has_tree;
    uint64_t eliminated, skipped, moved; /* of the tree search */
    char method[160];                    /* what ran, with its options */
    char note[64];                       /* for progress: "depth 14" */
    soloist_progress progress;
};

/* A method. run returns SOLOIST_OK however the search ended (budget->stop says which limit ended it; -1: none),
 * otherwise another code with run->error filled. It gives back all that it takes from budget->memory. */
struct search_method {
    const char *name;
    const char *summary; /* one line */
    const soloist_option *options;
    size_t options_size;
    /* "key=value,...": the values in which this method differs from the defaults of its rows. goal_preset replaces
     * preset for one-player domains that aim at least cost, two_player_preset for two-player domains; if NULL, preset
     * holds there too. */
    const char *preset, *goal_preset, *two_player_preset;
    const struct option_alias *aliases;                  /* former names; NULL: none */
    unsigned needs;                                      /* enum search_need */
    enum search_network (*network)(const void *options); /* the network needed under these options; NULL: none */
    /* Whether the method can work on the instance under its options; if not, false with run->error filled. Called
     * before run, and also alone, to refuse a batch before anything is solved: so it may read the first part of the run
     * except the budget and the evaluator. NULL: always. */
    bool (*suits)(const struct search_run *run);
    soloist_code (*run)(struct search_run *run);
};

/* ---- verbs that methods use (search.c) --------------------------------------------------------------- */

/* True when the run must end. Call it at every node or iteration, but only from the thread that called `run`. */
static inline bool search_spent(struct search_run *run) { return budget_spent(run->budget, &run->progress); }

/* Counts `count` states just generated, or as many of them as the node limit still allows; returns how many. The rest
 * must not be looked at, which keeps the limit exact. */
static inline int search_count_nodes(struct search_run *run, int count) {
    uint64_t limit = run->budget->limits.nodes;
    if (limit) {
        uint64_t used = atomic_load_explicit(&run->budget->nodes, memory_order_relaxed);
        uint64_t left = used < limit ? limit - used : 0;
        if (left < (uint64_t)count)
            count = (int)left;
    }
    budget_count_nodes(run->budget, (uint64_t)count);
    return count;
}

/* Counts expanded states; only from the thread that called `run`, so that no locked addition is needed. */
static inline void search_count_expanded(struct search_run *run, uint64_t count) {
    uint64_t expanded = atomic_load_explicit(&run->budget->expanded, memory_order_relaxed);
    atomic_store_explicit(&run->budget->expanded, expanded + count, memory_order_relaxed);
    run->has_expanded = true;
}

/* Counts an iteration done. */
static inline void search_count_iteration(struct search_run *run) {
    atomic_fetch_add_explicit(&run->budget->iterations, 1, memory_order_relaxed);
}

/* How many play-out policies the domain has: the first is uniform over all moves, the last is the best informed. */
static inline int search_playout_kinds(const soloist_sample *sample) {
    int count = 0;
    while (sample->policies[count])
        count++;
    return count;
}

/* Is value `a` better than `b` under the domain's aim? */
static inline bool search_better(const struct search_run *run, int32_t a, int32_t b) {
    return run->domain->aim == SOLOIST_LEAST_COST ? a < b : a > b;
}

/* Offers a line that ends. If it is the first or better than the best, it is copied and true is returned. Sets
 * `optimal` when the value meets the root's bound. One thread at a time. If there is no memory, stops the run and
 * returns false. */
bool search_record(struct search_run *run, const soloist_move *moves, size_t count, int32_t value);

/* A few words for the progress line. */
void search_note(struct search_run *run, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Memory is full: ends the run for that reason; what was found stays. Returns SOLOIST_OK, so that a method can return
 * the call. */
soloist_code search_full(struct search_run *run);

/* *sum becomes a child's cost, cost + step. False for a negative step or an overflow: run->error is filled, and the
 * method returns SOLOIST_UNSUPPORTED. */
bool search_add_cost(struct search_run *run, int32_t cost, int32_t step, int32_t *sum);

/* Runs "NAME:options" as a part of this run with `percent` of what is left of every limit; 100 for the last part.
 * What the part finds is recorded in this run; using up its share does not stop the run. */
soloist_code search_part(struct search_run *run, const char *method, int percent);
/* The same on the puzzle read again with some options of its domain changed ("key=value,..."); does nothing if the
 * options do not suit the puzzle. Solutions count, proofs do not. (variant.c) */
soloist_code search_part_as(struct search_run *run, const char *changes, const char *method, int percent);
/* The run's puzzle, read again with such changes; the caller destroys it. NULL: the run has no puzzle, or the options
 * do not suit it. */
soloist_instance *search_read_again(const struct search_run *run, const char *changes);

/* The size of a packed state in closed tables, and packing and unpacking. */
size_t search_packed_size(const struct search_run *run);
void search_pack(const struct search_run *run, const void *state, void *packed);
void search_unpack(const struct search_run *run, const void *packed, void *state);

/* ---- choosing a method (registry.c, spelling.c, needs.c) --------------------------------------------- */

/* The method of that name (length bytes); NULL: there is none. */
const struct search_method *search_find(const char *name, size_t length);
/* "NAME[:key=value,...]" with every option under its current name or, if `now` is false, under its former name: two
 * texts with equal current spellings are the same method. What is not understood stays as it is. The caller frees it;
 * NULL: no memory. */
char *search_spell(const char *text, bool now);

/* "NAME[:key=value,...]" resolved. */
struct search_choice {
    const struct search_method *method;
    void *options; /* owned */
    void *usual;   /* the method's own values; owned */
};

/* SOLOIST_MISUSE for an unknown name, SOLOIST_BAD_INPUT for wrong options. The domain decides between presets. Former
 * names of options are accepted. */
soloist_code search_choose(const char *text, const soloist_domain *domain, struct search_choice *choice,
                           soloist_error *error);
void search_choice_free(struct search_choice *choice);
/* "NAME" or "NAME:key=value" with what differs from the method's own values. */
void search_choice_text(const struct search_choice *choice, char *out, size_t room);
/* Runs the method if it suits. */
soloist_code search_start(struct search_run *run, const struct search_method *method);
/* SOLOIST_UNSUPPORTED with a one-sentence error if the domain or the limits lack what the method needs. */
soloist_code search_check_needs(const struct search_method *method, const soloist_domain *domain,
                                const soloist_limits *limits, soloist_error *error);

extern const struct search_method search_a_star;
extern const struct search_method search_auto;
extern const struct search_method search_bae;
extern const struct search_method search_beam;
extern const struct search_method search_best_first;
extern const struct search_method search_bfs;
extern const struct search_method search_bhpa;
extern const struct search_method search_branch_and_bound;
extern const struct search_method search_dbbs;
extern const struct search_method search_fess;
extern const struct search_method search_greedy;
extern const struct search_method search_ida_star;
extern const struct search_method search_mm;
extern const struct search_method search_nbs;
extern const struct search_method search_minimax;
extern const struct search_method search_random;
extern const struct search_method search_mcts, search_uct, search_sp_mcts, search_ucb1_tuned;
extern const struct search_method search_vanillaban, search_schokoban;
extern const struct search_method search_bimcts;
extern const struct search_method search_nmcs, search_nmcts, search_nrpa;
extern const struct search_method search_policy_mcts, search_pv_mcts;

#endif
