/* The contract between methods and the engine. A method is one constant table at the bottom of its own file. All data
 * of one run are in one struct search_run, the first argument of most functions here. */
#ifndef SEARCH_SEARCH_H
#define SEARCH_SEARCH_H

#include "base/alias.h"
#include "base/budget.h"
#include "base/peers.h"
#include "soloist_extra.h"
#include "soloist_method.h"

#include <pthread.h>

/* What a method needs: the needs of enum soloist_need, and a network. If something is missing, needs.c says so in one
 * sentence. */
enum search_need {
    SEARCH_NEEDS_ONE_PLAYER = SOLOIST_NEEDS_ONE_PLAYER,
    SEARCH_NEEDS_GOAL = SOLOIST_NEEDS_LEAST_COST,
    SEARCH_NEEDS_SCORE = SOLOIST_NEEDS_MOST_SCORE,
    SEARCH_NEEDS_BOUND = SOLOIST_NEEDS_BOUND,
    SEARCH_NEEDS_REVERSE = SOLOIST_NEEDS_REVERSE,
    SEARCH_NEEDS_REVERSE_BOUND = SOLOIST_NEEDS_REVERSE_BOUND,
    SEARCH_NEEDS_SAMPLE = SOLOIST_NEEDS_SAMPLE,
    SEARCH_NEEDS_REWARD = SOLOIST_NEEDS_REWARD,
    SEARCH_NEEDS_LEARN = SOLOIST_NEEDS_LEARN,
    SEARCH_NEEDS_LIMIT = SOLOIST_NEEDS_LIMIT,
    SEARCH_NEEDS_TWO_PLAYERS = SOLOIST_NEEDS_TWO_PLAYERS,
    SEARCH_NEEDS_FEATURES = SOLOIST_NEEDS_FEATURES,
    SEARCH_NEEDS_NETWORK = 1 << 12 /* a network, which the caller passes together with the limits */
};

/* Which kind of network a method needs. */
enum search_network { SEARCH_NETWORK_NONE, SEARCH_NETWORK_ANY, SEARCH_NETWORK_WITH_VALUES };

/* Settings of the user that have no effect on some methods. */
enum search_ignored {
    SEARCH_IGNORES_SEED = 1 << 0,
    SEARCH_IGNORES_THREADS = 1 << 1,
    SEARCH_IGNORES_ITERATIONS = 1 << 2,
    SEARCH_IGNORES_NETWORK = 1 << 3
};

/* A line of play from the root to an end, and its value as computed by the search. */
struct search_line {
    soloist_move *moves;
    size_t count, room;
    int32_t value;
};

/* Makes room for `count` moves; this memory does not count towards the memory limit. False: the machine has no memory
 * left, which is recorded in `memory`. */
bool search_line_reserve(struct search_line *line, size_t count, struct memory *memory);
struct search_run;
/* The best line in the domain's notation; the caller frees it. NULL: memory is full. */
char *search_line_text(const struct search_run *run);

/* Lines with which a run may begin, such as the best ones of an earlier run. A method that keeps several good lines
 * replaces them at its end by those with which a later run should begin; other methods leave them alone. Their moves
 * are not trusted: a method plays them only as far as they are legal. */
enum { SEARCH_POOL_MOST = 24 };
struct search_pool {
    struct search_line lines[SEARCH_POOL_MOST];
    int count;
};
void search_pool_free(struct search_pool *pool);

/* What is kept for a watched solve: the best line over all runs of its members. */
struct search_watch {
    struct budget_watch budgets; /* what the budgets of all its members share */
    pthread_mutex_t lock;        /* guards what follows */
    char *line;                  /* in the domain's notation; NULL: none */
    int32_t value;
    uint64_t changes;
};

void search_watch_open(struct search_watch *watch);
void search_watch_close(struct search_watch *watch);

/* How evenly the work of a run was divided: the least and the greatest work of one worker, where the mean is 1. */
struct search_shares {
    int workers; /* threads or processes; 0: not known, or only one */
    double least, most;
};

/* One run. The engine fills in the first part, the method the second. A method never frees anything in it. */
struct search_run {
    const soloist_domain *domain;
    const soloist_instance *instance;
    const soloist_puzzle *puzzle; /* the puzzle from which the instance was parsed; NULL: not known */
    soloist_shape shape;
    const void *options;              /* the method's own options struct */
    const struct search_added *added; /* methods that were added to the engine; NULL: none */
    struct budget *budget;
    uint64_t seed;
    int threads; /* >= 1 */
    /* NULL: this process searches alone. Otherwise several processes run the same method on the same instance together,
     * and this is this process's end (base/peers.h). The limits of nodes and memory are then this process's share. At
     * the end of the run, rank 0 has the result; the results of the other ranks are not used. Each rank, including rank
     * 0, counts only its own work; the caller adds up the counts. */
    struct peers *peers;
    struct evaluator *evaluator; /* a network; NULL: none was given */
    struct search_watch *watch;  /* receives every new best line; NULL: nobody watches */
    struct search_pool *pool;    /* NULL: nobody asks for one */
    bool proof_known;            /* the root's bound is admissible: a line of value `proof` is optimal */
    int32_t proof;
    soloist_error *error; /* must be filled in whenever a code other than SOLOIST_OK is returned; never NULL */

    struct search_line best; /* set only by search_record; its moves do not count towards the memory limit */
    bool found;              /* `best` holds a line that reaches an end */
    bool optimal;            /* it is proved that no line is better */
    bool impossible;         /* it is proved that no line reaches an end */
    bool has_iterations, has_playouts, has_expanded, has_tree, has_evaluations;
    uint64_t eliminated, skipped, moved; /* counts of tree search */
    struct search_shares shares;
    char method[160]; /* the method that ran, with its options */
    char note[64];    /* a note for the progress line, such as "depth 14" */
    soloist_progress progress;
};

/* A method. `run` returns SOLOIST_OK no matter how the search ended (budget->stop says which limit ended it; -1: none).
 * If it cannot work, it returns another code and fills in run->error. It must free all memory that it allocates from
 * budget->memory. */
struct search_method {
    const char *name;
    const char *summary; /* one line */
    const soloist_option *options;
    size_t options_size;
    /* "key=value,...": the options that this method sets differently from the defaults of its rows. In one-player
     * domains whose aim is the least cost, goal_preset is used instead of `preset`; in two-player domains,
     * two_player_preset. If goal_preset or two_player_preset is NULL, `preset` is used in those domains too. */
    const char *preset, *goal_preset, *two_player_preset;
    /* For a published program: the value of the domain's option `rules` that stands for its deadlock rules and macros.
     * It is used if the domain has such an option and its value is `auto`. NULL: none. */
    const char *rules;
    const struct option_alias *aliases;                  /* former names; NULL: none */
    unsigned needs;                                      /* enum search_need */
    enum search_network (*network)(const void *options); /* the network needed under these options; NULL: none */
    /* Returns the settings (enum search_ignored) that have no effect on the search under these options. NULL: not
     * known. */
    unsigned (*ignores)(const void *options);
    /* Whether the method can work on the instance with its options; if not, returns false with run->error filled in. It
     * is called before `run`. It is also called on its own, so that a batch can be refused before anything is solved.
     * Therefore it may read only the first part of the run, except the evaluator, and only the limits of the budget.
     * NULL: the method can always work. */
    bool (*suits)(const struct search_run *run);
    soloist_code (*run)(struct search_run *run);
    /* Whether a run with these options proves its solution optimal if no limit ends the run and the domain's bound is
     * admissible. NULL: no; the solution is then proved optimal only if its value happens to meet the root's bound. */
    bool (*proves)(const void *options);
    bool ranks; /* can search together with the same method on other ranks (run->peers) */
    bool added; /* not built in: its line is checked move by move before it is used */
};

/* For the field `proves` of methods that prove optimality under all options. (search.c) */
bool search_proves_always(const void *options);

/* ---- functions that methods use (search.c) ----------------------------------------------------------- */

/* True if the run must end. Call it at every node or iteration, but only from the thread that called `run`. */
static inline bool search_spent(struct search_run *run) { return budget_spent(run->budget, &run->progress); }

/* How often a thread reads the clock inside one node or iteration. All zero at first. */
struct search_looks {
    unsigned left;     /* calls of search_must_break_off until the clock is read again */
    unsigned interval; /* calls between two readings of the clock */
    double last_s;     /* time of the last reading */
};

/* Reads the clock, and adapts the interval to the time that a call takes. */
bool search_look(struct search_run *run, struct search_looks *looks);

/* For work inside one node or iteration that may take long, such as a play-out: true if it must break off. Any thread
 * may call it, with `looks` of its own. Call it for every move or child. */
static inline bool search_must_break_off(struct search_run *run, struct search_looks *looks) {
    if (stop_token_was_seen(&run->budget->token))
        return true;
    return looks->left-- == 0 && search_look(run, looks);
}

/* Counts `count` states just generated, or as many of them as the node limit still allows; returns how many it counted.
 * The method must not use the states that were not counted, so that the limit holds exactly. */
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

/* Counts expanded states. Call it only from the thread that called `run`: it adds without locking. */
static inline void search_count_expanded(struct search_run *run, uint64_t count) {
    uint64_t expanded = atomic_load_explicit(&run->budget->expanded, memory_order_relaxed);
    atomic_store_explicit(&run->budget->expanded, expanded + count, memory_order_relaxed);
    run->has_expanded = true;
}

/* Whether the run has a network that fits the instance and gives priors and values if these are wanted. If so, the
 * run's evaluations will be reported. False with run->error filled in: the method must return SOLOIST_UNSUPPORTED.
 * (search.c) */
bool search_check_network(struct search_run *run, bool priors, bool values);

struct evaluation;
/* Asks the run's network about `count` states (evaluator.h) and counts these states. Any thread may call it. On failure
 * returns false with an error. (search.c) */
bool search_evaluate(struct search_run *run, struct evaluation *evaluations, int count, soloist_error *error);

/* Counts one iteration. */
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

/* The index of a name in a list that ends with NULL; the list may be NULL, and is then empty. If the name is not there,
 * returns -1 with run->error filled in: "DOMAIN has no WHAT NAME; it has ...". (search.c) */
int search_find_name(const struct search_run *run, const char *what, const char *name, const char *const *names);

/* Whether value `a` is better than `b` by the domain's aim. */
static inline bool search_better(const struct search_run *run, int32_t a, int32_t b) {
    return run->domain->aim == SOLOIST_LEAST_COST ? a < b : a > b;
}

/* Records a line that reaches an end: if it is the first or better than the best, copies it and returns true. Sets
 * `optimal` if the value meets the root's bound. Only one thread at a time may call it. If memory is full, it stops the
 * run and returns false. */
bool search_record(struct search_run *run, const soloist_move *moves, size_t count, int32_t value);

/* Sets the note of the progress line. */
void search_note(struct search_run *run, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Ends the run because memory is full; what was found is kept. Returns SOLOIST_OK, so that a method can write
 * "return search_full(run)". */
soloist_code search_full(struct search_run *run);

/* Sets *sum to a child's cost, cost + step. If the step is negative or the sum overflows, fills in run->error and
 * returns false; the method must then return SOLOIST_UNSUPPORTED. */
bool search_add_cost(struct search_run *run, int32_t cost, int32_t step, int32_t *sum);

/* Runs the method "NAME:options" as a part of this run. The part may use `percent` of what is left of every limit; the
 * last part should get 100. What the part finds is recorded in this run. When the part has used up its share, the run
 * goes on. */
soloist_code search_part(struct search_run *run, const char *method, int percent);
/* The same, but the part runs on the run's puzzle parsed again with some domain options changed ("key=value,...").
 * Nothing is done if the options do not suit the puzzle. The part's solutions are recorded, but its proofs are ignored.
 * (variant.c) */
soloist_code search_part_as(struct search_run *run, const char *changes, const char *method, int percent);
/* Runs the method itself. If the method has rules of its own and the domain's options leave the rules to the method, it
 * runs on the puzzle parsed again with these rules; otherwise it runs on the run's own instance. (variant.c) */
soloist_code search_run_by_rules(struct search_run *run, const struct search_method *method);
/* The run's puzzle, parsed again with some domain options changed, and a session of it. */
struct search_variant {
    soloist_instance *parsed;
    soloist_instance *session; /* NULL: the domain has no sessions */
    size_t booked;             /* bytes that the variant takes from the run's memory limit */
};
/* Opens a variant. False: the run has no puzzle, the options do not suit the puzzle, or memory is full. */
bool search_variant_open(struct search_variant *variant, const struct search_run *run, const char *changes);
void search_variant_close(struct search_variant *variant, const struct search_run *run);
/* The instance to be searched: the session if there is one. */
const soloist_instance *search_variant_instance(const struct search_variant *variant);

/* Packed states: their size in bytes, packing and unpacking. If the domain has no `pack` group, the packed state is a
 * copy of the state. */
size_t search_packed_size(const struct search_run *run);
void search_pack(const struct search_run *run, const void *state, void *packed);
void search_unpack(const struct search_run *run, const void *packed, void *state);

/* ---- choosing a method (registry.c, spelling.c, needs.c) --------------------------------------------- */

/* A list of the methods that were added to an engine, in the order in which they were added. NULL is the empty list. */
struct search_added {
    struct search_method method;
    struct search_added *next;
};

/* The method of that name (length bytes), built in or added; NULL: there is none. */
const struct search_method *search_find(const struct search_added *added, const char *name, size_t length);
/* Method number `index` (0, 1, 2, ...): first come the built-in methods, then the added ones; NULL past the last. */
const struct search_method *search_at(const struct search_added *added, size_t index);
/* Rewrites "NAME[:key=value,...]" so that every option has its current name or, if `now` is false, its former name. If
 * two texts are equal under current names, they mean the same method. Unknown words stay as they are. The caller frees
 * the result; NULL: memory is full. */
char *search_spell(const struct search_added *added, const char *text, bool now);

/* The method and the options that a text "NAME[:key=value,...]" stands for. */
struct search_choice {
    const struct search_method *method;
    void *options; /* owned */
    void *usual;   /* the method's default options; owned */
};

/* Returns SOLOIST_MISUSE for an unknown name, SOLOIST_BAD_INPUT for wrong options. The domain decides which preset is
 * used. Former names of options are accepted. */
soloist_code search_choose(const struct search_added *added, const char *text, const soloist_domain *domain,
                           struct search_choice *choice, soloist_error *error);
void search_choice_free(struct search_choice *choice);
/* The settings (enum search_ignored) that have no effect on the chosen method under its options. */
unsigned search_ignores(const struct search_choice *choice);
/* For the field `ignores` of methods that use no network. search_ignores_all: for methods with one thread that have
 * neither random choices nor iterations; search_ignores_threads: for methods with one thread that have random choices
 * or iterations; search_ignores_network: for methods with several threads. */
unsigned search_ignores_all(const void *options);
unsigned search_ignores_threads(const void *options);
unsigned search_ignores_network(const void *options);
/* "NAME" or "NAME:key=value,...", with the options that differ from the method's defaults. */
void search_choice_text(const struct search_choice *choice, char *out, size_t room);
/* Runs the method if its `suits` allows it; otherwise returns SOLOIST_UNSUPPORTED. After the run, lets the network
 * forget predictions that belong to the instance, and checks that the method has freed its memory. If the method failed
 * without an error text, writes one. */
soloist_code search_start(struct search_run *run, const struct search_method *method);
/* Checks that every move of the best line is legal, because the functions of a domain may do anything on an illegal
 * move. If a move is illegal, the line is dropped, with an error that names the method. (run.c) */
soloist_code search_check_line(struct search_run *run, const char *method);
/* Returns SOLOIST_UNSUPPORTED with a one-sentence error if the domain or the limits lack something that the method
 * needs. */
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
extern const struct search_method search_marocchi_uct, search_marocchi_sp_mcts, search_marocchi_ucb1_tuned;
extern const struct search_method search_seify_mcts;
extern const struct search_method search_vanillaban, search_schokoban;
extern const struct search_method search_vanillaban_tuned, search_schokoban_tuned;
extern const struct search_method search_bimcts;
extern const struct search_method search_nmcs, search_nmcts, search_nrpa;
extern const struct search_method search_policy_mcts, search_pv_mcts, search_exit_mcts;
extern const struct search_method search_policy, search_levints, search_phs;

#endif
