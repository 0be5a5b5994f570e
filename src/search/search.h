/* The interface between methods and the engine. A method is one constant table at the bottom of its own file. All data
 * of one run are in one struct search_run, which is the first argument of most functions here. A line is a sequence of
 * moves from the root. */
#ifndef SEARCH_SEARCH_H
#define SEARCH_SEARCH_H

#include "base/alias.h"
#include "base/budget.h"
#include "base/peers.h"
#include "soloist_extra.h"
#include "soloist_method.h"

#include <pthread.h>

/* What a method needs: the needs of enum soloist_need, and a network. If a need is not met, needs.c reports it in one
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

/* User settings that have no effect on some methods. */
enum search_ignored {
    SEARCH_IGNORES_SEED = 1 << 0,
    SEARCH_IGNORES_THREADS = 1 << 1,
    SEARCH_IGNORES_ITERATIONS = 1 << 2,
    SEARCH_IGNORES_NETWORK = 1 << 3
};

/* A sequence of moves from the root to a goal or to the end of play, and its cost or score as computed by the
 * search. */
struct search_line {
    soloist_move *moves;
    size_t count, room;
    int32_t value;
};

/* Makes room for `count` moves; this memory does not count towards the memory limit. False: the operating system
 * refused the memory; this fact is recorded in `memory`. */
bool search_line_reserve(struct search_line *line, size_t count, struct memory *memory);
struct search_run;
/* The best line in the domain's notation; the caller frees it. NULL: memory is full. */
char *search_line_text(const struct search_run *run);

/* Lines with which a run may begin, such as the best lines of an earlier run. A method that keeps several good lines
 * replaces the pool at the end of its run by the lines with which a later run should begin; other methods do not change
 * the pool. The moves need not be legal: a method plays them only as far as they are legal. */
enum { SEARCH_POOL_MOST = 24 };
struct search_pool {
    struct search_line lines[SEARCH_POOL_MOST];
    int count;
};
void search_pool_free(struct search_pool *pool);
/* Adds a line that is written in the domain's notation for solutions. A text that cannot be read, or one for which the
 * pool has no room, is left out. False: memory is full. */
bool search_pool_add(struct search_pool *pool, const soloist_puzzle *puzzle, const char *text, size_t length);

/* The data of a solve that somebody watches: the best line found so far. If the solve runs a mix of methods, this is
 * the best line of all methods (members) of the mix. */
struct search_watch {
    struct budget_watch budgets; /* data that the budgets of all members share */
    pthread_mutex_t lock;        /* guards the members that follow */
    char *line;                  /* the best line in the domain's notation; NULL: none */
    int32_t value;
    uint64_t changes;
};

void search_watch_open(struct search_watch *watch);
void search_watch_close(struct search_watch *watch);

/* How evenly the work of a run was divided: the least and the greatest amount of work done by one worker, as multiples
 * of the mean. */
struct search_shares {
    int workers; /* threads or processes; 0: not known, or only one */
    double least, most;
};

/* Protects the searches from the faults of a domain that is not built in, in which a negative bound or a
 * negative number of children would lead to false proofs. All parts of a solve share one guard. */
struct search_guard {
    bool cost;              /* the aim is least cost: a negative bound counts as 0 */
    atomic_int wrong_count; /* a negative number of children that core.expand returned; 0: none */
    atomic_bool left_out;   /* a line was left out because its cost or score does not fit into 32 bits */
};

/* One run. The engine fills in the members before the empty line, the method fills in those after it. A method never
 * frees any of them. */
struct search_run {
    const soloist_domain *domain;
    const soloist_instance *instance;
    const soloist_puzzle *puzzle; /* the puzzle from which the instance was parsed; NULL: not known */
    soloist_shape shape;
    const void *options;              /* the method's own options struct */
    const struct search_added *added; /* methods that were added to the engine; NULL: none */
    struct budget *budget;
    uint64_t seed;
    int threads; /* number of threads, 1 to SOLOIST_MOST_THREADS */
    /* NULL: this process searches alone. Otherwise several processes (ranks) run the same method on the same instance
     * together, and `peers` connects this process with the others (base/peers.h). The node limit and the memory limit
     * are then this process's share of the total. At the end of the run, rank 0 has the result; the results of the
     * other ranks are not used. Each rank, including rank 0, counts only its own work; the caller adds up the
     * counts. */
    struct peers *peers;
    struct evaluator *evaluator; /* a network; NULL: none was given */
    struct search_watch *watch;  /* receives every new best line; NULL: nobody watches */
    struct search_pool *pool;    /* lines with which the run may begin; NULL: the caller passes none and wants none */
    struct search_guard *guard;  /* NULL: the domain is built in, and its functions are trusted */
    bool proof_known;            /* `proof` is the root's bound and is admissible, so a line of this value is optimal */
    int32_t proof;
    soloist_error *error; /* must be filled in whenever a code other than SOLOIST_OK is returned; never NULL */

    struct search_line best; /* set only by search_record; its moves do not count towards the memory limit */
    bool found;              /* `best` holds a line that reaches a goal or the end of play */
    bool optimal;            /* it is proved that no line is better */
    bool impossible;         /* it is proved that no line reaches a goal or the end of play */
    bool has_iterations, has_playouts, has_expanded, has_tree, has_evaluations;
    uint64_t eliminated, skipped, moved, tree_depth; /* numbers that tree search counts */
    struct search_shares shares;
    char method[160]; /* the method that ran, with its options */
    char note[64];    /* a note for the progress line, such as "depth 14" */
    soloist_progress progress;
};

/* A method. Its function `run` returns SOLOIST_OK whether or not a solution was found (budget->stop says which limit
 * ended the search; -1: none). If the method cannot work, `run` returns another code and fills in run->error. `run`
 * must free all memory that it allocates from budget->memory. */
struct search_method {
    const char *name;
    const char *summary; /* one line of text that describes the method */
    const soloist_option *options;
    size_t options_size;
    /* "key=value,...": the options whose values in this method differ from the defaults in `options`. In one-player
     * domains whose aim is the least cost, goal_preset is used instead of `preset`; in two-player domains,
     * two_player_preset is used instead. If goal_preset or two_player_preset is NULL, `preset` is used in those domains
     * too. */
    const char *preset, *goal_preset, *two_player_preset;
    /* For the method of a published program: the value of the domain's option `rules` that selects the deadlock rules
     * and macros of that program. This value is used if the domain has an option `rules` and the user left it at
     * `auto`. NULL: the method has no such value. */
    const char *rules;
    const struct option_alias *aliases;                  /* former names of options; NULL: none */
    unsigned needs;                                      /* enum search_need */
    enum search_network (*network)(const void *options); /* which network is needed with these options; NULL: none */
    /* Returns the settings (enum search_ignored) that have no effect on the search with these options. NULL: it is not
     * known which settings have no effect. */
    unsigned (*ignores)(const void *options);
    /* Whether the method can work on the instance with its options; if not, returns false with run->error filled in.
     * `suits` is called before `run`. It is also called on its own, so that a batch can be refused before anything is
     * solved. Therefore `suits` may read only the members of the run that the engine fills in, except the evaluator. Of
     * the budget it may read only the limits. If memory runs out, it returns false with errno set to ENOMEM. NULL: the
     * method can always work. */
    bool (*suits)(const struct search_run *run);
    soloist_code (*run)(struct search_run *run);
    /* Whether a run with these options proves its solution optimal, provided that no limit ends the run and the
     * domain's bound is admissible. NULL: no; then a solution is proved optimal only if its value equals the root's
     * bound. */
    bool (*proves)(const void *options);
    bool ranks; /* several ranks can run this method together on one instance (run->peers) */
    bool added; /* the method is not built in; the line that it records is checked move by move before it is used */
};

/* For the field `proves` of methods that prove optimality under all options. (search.c) */
bool search_proves_always(const void *options);

/* ---- functions that methods use (search.c) ----------------------------------------------------------- */

/* Whether the run must end. A method must call this at every node or iteration, but only from the thread that called
 * `run`. */
static inline bool search_spent(struct search_run *run) { return budget_spent(run->budget, &run->progress); }

/* Controls how often a thread reads the clock inside one node or iteration. All members must be zero before the first
 * use. */
struct search_looks {
    unsigned left;     /* number of calls of search_must_break_off until the clock is read again */
    unsigned interval; /* number of calls between two readings of the clock */
    double last_s;     /* time of the last reading */
};

/* Reads the clock, and adapts the interval to the time that a call takes. */
bool search_look(struct search_run *run, struct search_looks *looks);

/* For work inside one node or iteration that may take long, such as a play-out: whether this work must stop. It should
 * be called for every move or child. Any thread may call this function, with its own `looks`. */
static inline bool search_must_break_off(struct search_run *run, struct search_looks *looks) {
    if (stop_token_was_seen(&run->budget->token))
        return true;
    return looks->left-- == 0 && search_look(run, looks);
}

/* Opens the guard; returns NULL if the domain is built in. (guard.c) */
struct search_guard *search_guard_open(struct search_guard *guard, const soloist_domain *domain);
/* Raises negative bounds to 0 and returns the number of children. A negative number is noted, and counts as 0. */
int search_guard_mend(struct search_guard *guard, unsigned want, soloist_child *children, int count);

/* The same, without effect if the domain is built in. */
static inline int search_guard_children(struct search_guard *guard, unsigned want, soloist_child *children, int count) {
    return guard ? search_guard_mend(guard, want, children, count) : count;
}

/* Whether a line was left out because its value does not fit into 32 bits. */
static inline bool search_left_out(const struct search_guard *guard) { return guard && atomic_load(&guard->left_out); }

/* False with an error if the domain has returned a negative number of children. */
bool search_guard_holds(struct search_guard *guard, const soloist_domain *domain, soloist_error *error);

/* The children of a state, by the core of forward or backward play. Every method expands states by this function, and
 * takes a single bound from search_bound, so that no bound on a cost is negative. */
static inline int search_expand(const struct search_run *run, const soloist_core *core, const void *state,
                                soloist_move last, unsigned want, soloist_child *children) {
    int count = core->expand(run->instance, state, last, want, children);
    return search_guard_children(run->guard, want, children, count);
}

static inline int32_t search_bound(const struct search_run *run, const soloist_bound *bound, const void *state) {
    int32_t value = bound->value(run->instance, state);
    return value < 0 && run->guard && run->guard->cost ? 0 : value;
}

/* Counts `count` states that were just generated. If the node limit allows fewer, counts only that many. Returns the
 * number counted. The method must not use the states that were not counted, so that the limit holds exactly. */
static inline int search_count_nodes(struct search_run *run, int count) {
    uint64_t limit = run->budget->limits.nodes, used, left;
    if (!limit) {
        budget_count_nodes(run->budget, (uint64_t)count);
        return count;
    }
    used = atomic_load_explicit(&run->budget->nodes, memory_order_relaxed);
    do { /* repeated if another thread counts at the same time */
        left = used < limit ? limit - used : 0;
        if (left < (uint64_t)count)
            count = (int)left;
    } while (!atomic_compare_exchange_weak_explicit(&run->budget->nodes, &used, used + (uint64_t)count,
                                                    memory_order_relaxed, memory_order_relaxed));
    return count;
}

/* Counts expanded states. Only the thread that called `run` may call this function, because the addition is not
 * atomic. */
static inline void search_count_expanded(struct search_run *run, uint64_t count) {
    uint64_t expanded = atomic_load_explicit(&run->budget->expanded, memory_order_relaxed);
    atomic_store_explicit(&run->budget->expanded, expanded + count, memory_order_relaxed);
    run->has_expanded = true;
}

/* Whether the run has a network that fits the instance and computes what is wanted: priors, values or both. If true,
 * the number of evaluations will be reported. If false, run->error is filled in, and the method must return
 * SOLOIST_UNSUPPORTED. (search.c) */
bool search_check_network(struct search_run *run, bool priors, bool values);

struct evaluation;
/* Evaluates `count` states by the run's network (evaluator.h) and counts these evaluations. Any thread may call it. On
 * failure returns false with an error. (search.c) */
bool search_evaluate(struct search_run *run, struct evaluation *evaluations, int count, soloist_error *error);
struct evaluator;
/* Evaluates the states in parts, so that the token (NULL: none) is checked every few hundredths of a second. Returns
 * how many states were evaluated before it was stopped; -1 with an error: the network failed. Any thread may call it.
 * (search.c) */
int search_judge_in_parts(struct evaluator *evaluator, const soloist_instance *instance, soloist_stop_token *stop,
                          struct evaluation *evaluations, int count, soloist_error *error);
/* The same as search_evaluate for many states: the limit on time and the stop token are checked every few hundredths of
 * a second. False: one of them ended the run, or the network failed, and run->error is filled in. The method must then
 * return search_failed(run). (search.c) */
bool search_evaluate_in_parts(struct search_run *run, struct evaluation *evaluations, int count);

/* Counts one iteration. */
static inline void search_count_iteration(struct search_run *run) {
    atomic_fetch_add_explicit(&run->budget->iterations, 1, memory_order_relaxed);
}

/* The number of play-out policies of the domain. The first policy is uniform over all moves, the last one uses the most
 * knowledge about the game. */
static inline int search_playout_kinds(const soloist_sample *sample) {
    int count = 0;
    while (sample->policies[count])
        count++;
    return count;
}

/* The index of a name in a list that ends with NULL; if the list itself is NULL, it counts as empty. If the name is not
 * in the list, returns -1 with run->error filled in: "DOMAIN has no WHAT NAME; it has ...". (search.c) */
int search_find_name(const struct search_run *run, const char *what, const char *name, const char *const *names);

/* Whether value `a` is better than `b` by the domain's aim. */
static inline bool search_better(const struct search_run *run, int32_t a, int32_t b) {
    return run->domain->aim == SOLOIST_LEAST_COST ? a < b : a > b;
}

/* The cost or score of a line of this value after one more move. SOLOIST_DEAD stands for every number that does not fit
 * into 32 bits, and stays. */
static inline int32_t search_sum(int32_t value, int32_t step) {
    int32_t sum;
    return value == SOLOIST_DEAD || __builtin_add_overflow(value, step, &sum) ? SOLOIST_DEAD : sum;
}

/* Whether a finished line of this value can be recorded. False: its value does not fit into 32 bits, and the user will
 * be warned that such lines were left out. Any thread may call it. */
static inline bool search_fits(const struct search_run *run, int32_t value) {
    if (value != SOLOIST_DEAD)
        return true;
    if (run->guard)
        atomic_store_explicit(&run->guard->left_out, true, memory_order_relaxed);
    return false;
}

/* Records a line that reaches a goal or the end of play: if the line is the first one or better than the best so far,
 * copies it and returns true. Sets `optimal` if the value equals the root's bound. A value of SOLOIST_DEAD is not
 * recorded (see search_sum). Only one thread at a time may call this function. If memory is full, stops the run and
 * returns false. */
bool search_record(struct search_run *run, const soloist_move *moves, size_t count, int32_t value);

/* Sets the note of the progress line. */
void search_note(struct search_run *run, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Ends the run because memory is full; the best line found is kept. Returns SOLOIST_OK, so that a method can write
 * "return search_full(run)". */
soloist_code search_full(struct search_run *run);

/* What a method returns if its network did not evaluate all states: SOLOIST_OK if the run was stopped meanwhile,
 * otherwise SOLOIST_INTERNAL. */
soloist_code search_failed(const struct search_run *run);

/* Sets *sum to a child's cost, cost + step. If the step is negative or the sum overflows, fills in run->error and
 * returns false; the method must then return SOLOIST_UNSUPPORTED. */
bool search_add_cost(struct search_run *run, int32_t cost, int32_t step, int32_t *sum);

/* Runs the method "NAME:options" as a part of this run. The part may use `percent` per cent of what is left of every
 * limit; the last part should get 100. The lines and proofs that the part finds are recorded in this run. When the part
 * has used up its share, the run continues. */
soloist_code search_part(struct search_run *run, const char *method, int percent);
/* Does the same as search_part, but parses the run's puzzle again with some domain options changed ("key=value,..."),
 * and runs the part on the new instance. Does nothing if the options do not suit the puzzle. The part's solutions are
 * recorded, but its proofs are ignored. (variant.c) */
soloist_code search_part_as(struct search_run *run, const char *changes, const char *method, int percent);
/* Runs a method. If the method names its own `rules` and the domain's option `rules` is `auto`, the puzzle is parsed
 * again with the rules of the method, and the method runs on this new instance. Otherwise the method runs on the run's
 * own instance. (variant.c) */
soloist_code search_run_by_rules(struct search_run *run, const struct search_method *method);
/* The run's puzzle, parsed again with some domain options changed, and a session of it. */
struct search_variant {
    soloist_instance *parsed;
    soloist_instance *session; /* NULL: the domain has no sessions */
    size_t booked;             /* number of bytes that the variant uses, counted towards the run's memory limit */
};
/* Opens a variant. False: the run has no puzzle, the options do not suit the puzzle, or memory is full. */
bool search_variant_open(struct search_variant *variant, const struct search_run *run, const char *changes);
void search_variant_close(struct search_variant *variant, const struct search_run *run);
/* The instance that is searched: the session if there is one, otherwise the parsed instance. */
const soloist_instance *search_variant_instance(const struct search_variant *variant);

/* Functions for packed states: the size of a packed state in bytes, packing and unpacking. If the domain has no `pack`
 * group, the packed state is a copy of the state. */
size_t search_packed_size(const struct search_run *run);
void search_pack(const struct search_run *run, const void *state, void *packed);
void search_unpack(const struct search_run *run, const void *packed, void *state);

/* ---- choosing a method (registry.c, spelling.c, needs.c) --------------------------------------------- */

/* A list of the methods that were added to an engine, in the order in which they were added. NULL is the empty list. */
struct search_added {
    struct search_method method;
    struct search_added *next;
};

/* Finds a method, built in or added, by its name, which has `length` bytes. NULL: there is none. */
const struct search_method *search_find(const struct search_added *added, const char *name, size_t length);
/* Method number `index` (0, 1, 2, ...): first come the built-in methods, then the added ones; NULL past the last. */
const struct search_method *search_at(const struct search_added *added, size_t index);
/* Rewrites "NAME[:key=value,...]" so that every option has its current name or, if `now` is false, its former name. Two
 * texts that are equal after rewriting with current names mean the same method. Unknown words are not changed. The
 * caller frees the result; NULL: memory is full. */
char *search_spell(const struct search_added *added, const char *text, bool now);

/* The method and the options that a text "NAME[:key=value,...]" stands for. */
struct search_choice {
    const struct search_method *method;
    void *options; /* owned */
    void *usual;   /* the method's default options; owned */
};

/* Finds the method and parses the options. Returns SOLOIST_MISUSE for an unknown name, SOLOIST_BAD_INPUT for wrong
 * options. Which preset of the method is used depends on the domain (see struct search_method). Former names of options
 * are accepted. */
soloist_code search_choose(const struct search_added *added, const char *text, const soloist_domain *domain,
                           struct search_choice *choice, soloist_error *error);
void search_choice_free(struct search_choice *choice);
/* The settings (enum search_ignored) that have no effect on the chosen method with its options. */
unsigned search_ignores(const struct search_choice *choice);
/* For the field `ignores` of methods that use no network. search_ignores_all: for methods with one thread that have
 * neither random choices nor iterations; search_ignores_threads: for methods with one thread that have random choices
 * or iterations; search_ignores_network: for methods with several threads. */
unsigned search_ignores_all(const void *options);
unsigned search_ignores_threads(const void *options);
unsigned search_ignores_network(const void *options);
/* "NAME" or "NAME:key=value,...", with the options that differ from the method's defaults. */
void search_choice_text(const struct search_choice *choice, char *out, size_t room);
/* Runs the method if its function `suits` returns true; otherwise returns SOLOIST_UNSUPPORTED. After the run, removes
 * the predictions for the instance from the network's cache, and checks that the method has freed its memory. If the
 * method failed without an error text, writes one. */
soloist_code search_start(struct search_run *run, const struct search_method *method);
/* Checks that every move of the best line is legal, because the behaviour of a domain's functions on an illegal move is
 * undefined. If a move is illegal, the line is dropped, with an error that names the method. (run.c) */
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
