/* Declarations that the files of the engine share. */
#ifndef ENGINE_ENGINE_H
#define ENGINE_ENGINE_H

#include "soloist_extra.h"

/* Whether the puzzle was read, and not freed since. */
static inline bool engine_is_read(const soloist_puzzle *puzzle) {
    return puzzle && puzzle->domain && puzzle->instance;
}

struct search_added;
/* The methods that were added to the engine, as an argument for search_find and other functions of search.h. */
const struct search_added *engine_methods(const soloist *engine);
/* Appends a copy of the method. False: no memory. */
struct search_method;
bool engine_append_method(soloist *engine, const struct search_method *method);

/* Checks what must hold before any group of the domain's table may be read: the table's version is known, and each
 * group states its size. */
bool engine_check_sizes(const soloist_domain *domain, soloist_error *error);
/* True if every group of the domain's table is at least as large as in this version of the header. */
bool engine_domain_is_complete(const soloist_domain *domain);
/* A copy of the domain's table in which every group has the size that this version of the header defines. The caller
 * frees it; NULL: no memory. */
soloist_domain *engine_complete_domain(const soloist_domain *domain);
/* Checks a domain's table: the required groups, the required functions of every group present, and valid
 * option rows. False with one sentence in the error. */
bool engine_check_domain(const soloist_domain *domain, soloist_error *error);
/* Two checks of a domain or a method: engine_name_is_plain checks the characters of its name, engine_check_options
 * checks its option rows. owner: "domain" or "method". */
bool engine_name_is_plain(const char *name);
bool engine_check_options(const char *owner, const char *name, const soloist_option *rows, size_t size,
                          soloist_error *error);

/* Several processes (ranks) that solve the same puzzle together. Each rank reads the puzzle and calls engine_solve with
 * the same method. The node and iteration limits that a rank passes are its own share of the total limits. Rank 0 gets
 * the result; the results of the other ranks hold only their statistics. */
struct engine_company {
    struct peers *peers;
    /* Called exactly once per solve. ready: whether this rank can begin to search. Returns whether all ranks can begin
     * to search. */
    bool (*agree)(void *user, bool ready);
    void *user;
};
/* Whether several ranks can run the method together. The method's text must be valid. */
bool engine_method_uses_ranks(const soloist *engine, const char *method);
/* Whether the method with its options, on this domain, is guided by a network. False also if the text is not valid. */
bool engine_method_uses_network(const soloist *engine, const soloist_domain *domain, const char *method);

/* Solves a puzzle as soloist_solve does, with four more arguments, which may be NULL. watch: receives every new best
 * line (sequence of moves). company: the ranks that solve the puzzle together. shares: receives how evenly the work was
 * divided among threads or ranks. pool: on entry, lines with which the search may begin; on return, lines with which a
 * later search should begin. */
struct search_watch;
struct search_pool;
struct search_shares;
soloist_code engine_solve(const soloist *engine, const soloist_puzzle *puzzle, const char *method,
                          const soloist_limits *limits, const soloist_callbacks *callbacks, struct search_watch *watch,
                          const struct engine_company *company, struct search_shares *shares, struct search_pool *pool,
                          soloist_result *result, soloist_error *error);

/* Checks the limits that a caller gives: no limit may be negative, and the time must be a number. */
soloist_code engine_check_limits(const soloist_limits *limits, soloist_error *error);

/* Writes what a search minimises (or maximises), and so what it has proved if its result is optimal: "pushes", "moves",
 * "cost" or "score". verdict: that of any solution. out: POLISH_AIM_ROOM bytes (search/special/polish.h). */
void engine_objective(const soloist_puzzle *puzzle, const soloist_verdict *verdict, char *out);

struct tables_cache *engine_tables(const soloist *engine);

/* Calls the callback that finds networks; if there is no callback, *network is unchanged. On failure returns false and
 * sets the error. */
bool engine_find_network(const soloist *engine, const soloist_puzzle *puzzle, bool valued, soloist_network **network,
                         soloist_error *error);

/* Checks the domain's admissible bounds along the run's best line, which has been replayed: at no state may a bound
 * contradict the cost or score of the line. False with one sentence in the error. both_ways: the proof is
 * bidirectional, so it also relies on the bound for backward search and on consistency. Therefore that bound is checked
 * too, and each bound that the domain declares consistent must be consistent along the line. */
struct search_run;
bool engine_check_bounds(const struct search_run *run, bool both_ways, soloist_error *error);

/* Checks what soloist_method_suits checks, as far as this is possible without an instance. *depends is set to true if
 * the method may still refuse some instances of the domain because of their options or their size. */
soloist_code engine_method_suits_domain(const soloist *engine, const soloist_domain *domain, const char *method,
                                        const soloist_limits *limits, bool *depends, soloist_error *error);

#endif
