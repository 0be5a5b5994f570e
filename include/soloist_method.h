/* What you need to write a search method of your own. A method consists of one constant table and one function that
 * searches. The method works on every domain that has the groups of functions that it needs. Users choose the method by
 * its name, like a built-in method: in a program, on the command line, in experiments and in training.
 * docs/ADD_A_METHOD.md explains an example. */
#ifndef SOLOIST_METHOD_H
#define SOLOIST_METHOD_H

#include "soloist.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* What a method needs: groups of functions and properties of the domain, or a limit. Several needs are joined by |. If
 * a domain lacks something that the method needs, the engine does not run the method and returns an error that says
 * what is missing. So the method need not test whether the groups that it needs are NULL. */
typedef enum soloist_need {
    SOLOIST_NEEDS_ONE_PLAYER = 1 << 0,
    SOLOIST_NEEDS_LEAST_COST = 1 << 1, /* the domain's aim is SOLOIST_LEAST_COST */
    SOLOIST_NEEDS_MOST_SCORE = 1 << 2, /* the domain's aim is SOLOIST_MOST_SCORE */
    SOLOIST_NEEDS_BOUND = 1 << 3,
    /* the solutions that the method records may contain moves that reverse.forward returned */
    SOLOIST_NEEDS_REVERSE = 1 << 4,
    /* the method's proofs may rely on the bound for backward play */
    SOLOIST_NEEDS_REVERSE_BOUND = 1 << 5,
    SOLOIST_NEEDS_SAMPLE = 1 << 6,
    SOLOIST_NEEDS_REWARD = 1 << 7,
    SOLOIST_NEEDS_LEARN = 1 << 8,
    /* The method never ends by itself, so it needs a limit on time, nodes or iterations, or a stop token. */
    SOLOIST_NEEDS_LIMIT = 1 << 9,
    SOLOIST_NEEDS_TWO_PLAYERS = 1 << 10,
    SOLOIST_NEEDS_FEATURES = 1 << 11
} soloist_need;

/* One run of a method on one instance. The engine owns the run, which ends when the method's function returns. */
typedef struct search_run soloist_run;

/* A method is one constant table. The table states its size, so that later versions of this header can add fields at
 * its end. Fields that did not exist yet when a method was compiled are taken to be 0. */
typedef struct soloist_method {
    int abi;                       /* SOLOIST_ABI */
    size_t size;                   /* sizeof(soloist_method) */
    const char *name;              /* made of a-z, 0-9, - and _; at most 63 characters */
    const char *summary;           /* one line */
    const soloist_option *options; /* the method's option rows, or NULL if it has no options */
    size_t options_size;           /* the size of the struct that the rows describe */
    unsigned needs;                /* bits of soloist_need */
    /* The function that searches. It reports solutions by soloist_run_record, and proofs by soloist_run_claim_optimal
     * and soloist_run_claim_impossible. It returns SOLOIST_OK no matter how the search ended, with one exception: after
     * a call of soloist_run_fail, it returns the code that this call returned. Before it returns, the function must
     * give back all memory that it took from the run and end all threads that it started. Several threads may call the
     * function at once, each with a run of its own, so the function must not keep static data that changes. */
    soloist_code (*run)(soloist_run *run);
} soloist_method;

/* Adds a method after checking its table. The texts and rows to which the table points are borrowed and must outlive
 * the engine. Do not call soloist_add_method while the engine is solving a puzzle. */
soloist_code soloist_add_method(soloist *engine, const soloist_method *method, soloist_error *error);

/* A plugin is a shared object that defines soloist_plugin_method for a method, or soloist_plugin for a domain, or both
 * functions. The table that soloist_plugin_method returns must stay valid while the plugin is loaded. */
const soloist_method *soloist_plugin_method(void);

/* ======================================================================================================
 * The functions that a method calls. Unless a comment states otherwise, only the thread in which the engine called the
 * method's function may call these functions.
 * ====================================================================================================== */

/* ---- what the run provides; any thread may call these functions ---- */

/* Return the domain, the instance (or a session of the instance) and the sizes of its states and move lists. */
const soloist_domain *soloist_run_domain(const soloist_run *run);
const soloist_instance *soloist_run_instance(const soloist_run *run);
const soloist_shape *soloist_run_shape(const soloist_run *run);
/* Returns the method's options: a struct of options_size bytes, filled according to the option rows. */
const void *soloist_run_options(const soloist_run *run);
uint64_t soloist_run_seed(const soloist_run *run);
/* Returns how many threads the method may use, 1 or more. With one thread, two runs with the same seed and node limit
 * must give the same result. */
int soloist_run_threads(const soloist_run *run);
/* Returns whether the cost or score `a` is better than `b`, according to the domain's aim. */
bool soloist_run_better(const soloist_run *run, int32_t a, int32_t b);

/* ---- limits ---- */

/* Returns true if the run must end because a limit is reached or the run was cancelled. The method must then give back
 * its memory and return SOLOIST_OK. Call soloist_run_spent at every node or iteration: the call is cheap, because it
 * reads the clock only about once per millisecond. */
bool soloist_run_spent(soloist_run *run);
/* Returns a token that is stopped when the run is cancelled or its time is over, but not when a limit on nodes or
 * iterations is reached. Pass the token to functions of the domain that may take long, and to threads that the method
 * starts. */
soloist_stop_token *soloist_run_stop_token(soloist_run *run);
/* Counts `count` newly generated states. If the node limit does not allow that many, counts only the states that it
 * still allows. Returns how many states were counted. The method must not use the states that were not counted, so that
 * the limit holds exactly. Any thread may call this function. */
int soloist_run_count_nodes(soloist_run *run, int count);
/* Counts `count` states whose children were generated. */
void soloist_run_count_expanded(soloist_run *run, uint64_t count);
/* Counts one iteration, for methods that work in iterations. Any thread may call this function. */
void soloist_run_count_iteration(soloist_run *run);

/* ---- memory within the run's memory limit; any thread may call these functions ---- */

/* Returns a block of zeroed bytes that is aligned for every type, or NULL if the limit is reached or the system has no
 * more memory. Large blocks use large pages if the system has them, because large pages make random access faster. */
void *soloist_run_take(soloist_run *run, size_t size);
/* Grows or shrinks a block; if `block` is NULL and old_size is 0, allocates a new block. New bytes are not zeroed. If
 * the call returns NULL, the old block is unchanged. */
void *soloist_run_resize(soloist_run *run, void *block, size_t old_size, size_t new_size);
/* Gives a block back; `size` must be the present size of the block. NULL is allowed. */
void soloist_run_give(soloist_run *run, void *block, size_t size);
/* Ends the run because memory is full; the best solution found so far is kept. Returns SOLOIST_OK, so that a method can
 * write "return soloist_run_full(run)" once it has given its blocks back. */
soloist_code soloist_run_full(soloist_run *run);

/* ---- states in closed tables; any thread may call these functions ---- */

/* If the domain has a `pack` group, packed states are smaller than states; if not, packed states are copies of states.
 * Equal states have equal packed bytes. The blocks `state` and `packed` must both be aligned for every type. */
size_t soloist_run_packed_size(const soloist_run *run);
void soloist_run_pack(const soloist_run *run, const void *state, void *packed);
void soloist_run_unpack(const soloist_run *run, const void *packed, void *state);

/* ---- results of the run ---- */

/* Sets *sum to cost + step, the cost of a child. If the step is negative or the sum overflows, fills the run's error
 * and returns false; the method must then return SOLOIST_UNSUPPORTED. Any thread may call this function, but only one
 * thread at a time. */
bool soloist_run_add_cost(soloist_run *run, int32_t cost, int32_t step, int32_t *sum);
/* Records a line: a sequence of moves from the root to a goal or to the end of play. The argument `value` is the sum of
 * the costs or scores of the line's moves, plus what the end of play adds. If the line is the first one or better than
 * the best line so far, it is copied, and the call returns true. The engine replays the best line after the run. The
 * solve fails if that line contains an illegal move, does not reach a goal or the end of play, or does not have the
 * given value. Any thread may call this function, but only one thread at a time. */
bool soloist_run_record(soloist_run *run, const soloist_move *moves, size_t count, int32_t value);
/* Returns whether a line was recorded. If so, *value is set to the value of the best line, unless `value` is NULL. In a
 * mix of methods, another method that ran earlier may have recorded that line. */
bool soloist_run_found(const soloist_run *run, int32_t *value);
/* soloist_run_claim_optimal claims that no line is better than the best recorded one; soloist_run_claim_impossible
 * claims that there is no solution. The engine checks the domain's bounds along a line that is claimed to be optimal.
 * The engine ignores both claims if bound.lossless returns false, because the domain may then have pruned the best
 * solution or all solutions. */
void soloist_run_claim_optimal(soloist_run *run);
void soloist_run_claim_impossible(soloist_run *run);
/* Returns whether the best line is known to be optimal, because the method claimed so, or because the line's value
 * equals the bound of the root. If so, the method can stop searching. */
bool soloist_run_is_optimal(const soloist_run *run);
/* Sets a short text that is shown in the progress line, for example "depth 14". */
void soloist_run_note(soloist_run *run, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Fills the run's error with one sentence and returns `code`: SOLOIST_UNSUPPORTED if the method cannot work on this
 * instance, SOLOIST_INTERNAL for an error that should be impossible. */
soloist_code soloist_run_fail(soloist_run *run, soloist_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
