/* What programs around the engine need besides solving: texts of states and moves, pictures, new instances, answers of
 * networks, level sets by name, and what `soloist solve` does with a solution once it is found. The Python package is
 * written with these. */
#ifndef SOLOIST_TOOLS_H
#define SOLOIST_TOOLS_H

#include "soloist.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* ---- texts ---- */

/* Frees a text that a function of this header returned. NULL is allowed. */
void soloist_text_free(char *text);
/* A state in the domain's file format; a move for a person to read, `state` being the state before it; a line from the
 * first state in the notation of solutions. Free the text with soloist_text_free; NULL: no memory. */
char *soloist_state_text(const soloist_puzzle *puzzle, const void *state);
char *soloist_move_text(const soloist_puzzle *puzzle, const void *state, soloist_move move);
char *soloist_line_text(const soloist_puzzle *puzzle, const soloist_move *moves, size_t count);
/* The first state exactly as in the file. The text of the puzzle's first state may say less: states of the domain
 * `sokoban`, for example, do not hold the player's exact square. */
char *soloist_root_text(const soloist *engine, const soloist_puzzle *puzzle);

/* ---- pictures ---- */

/* A position as an SVG document in which a square of the board is `square` units wide. state: NULL: the first position
 * exactly as in the file. Domains that the library has no picture of are drawn as text. Free the document with
 * soloist_text_free; NULL: no memory. */
char *soloist_draw(const soloist *engine, const soloist_puzzle *puzzle, const void *state, double square);
/* A solution as an SVG document that moves, `step_s` seconds per move; browsers play it without a script. On success
 * *film is the document, which is freed by soloist_text_free. SOLOIST_BAD_INPUT with an error if the text is not a line
 * of legal moves. */
soloist_code soloist_film(const soloist *engine, const soloist_puzzle *puzzle, const char *solution, size_t length,
                          double step_s, double square, char **film, soloist_error *error);

/* ---- new instances ---- */

/* Makes instance number `number` (0, 1, 2, ...) of a seed with the domain's generator: the same instance that
 * `soloist generate` makes, on every machine. options: "key=value,..." (NULL: the defaults). On success *text is the
 * instance in the domain's file format, below a comment line that estimates its difficulty; free it with
 * soloist_text_free. SOLOIST_UNSUPPORTED if the domain has no generator. */
soloist_code soloist_make(const soloist_domain *domain, const char *options, uint64_t seed, uint64_t number,
                          char **text, soloist_error *error);

/* ---- networks ---- */

/* Writes a network's description and weights as a safetensors file, with the domain's name and no other notes: what a
 * program begins with that trains a description (.net) by itself. False with an error. */
bool soloist_network_write(const soloist_network *network, const char *path, soloist_error *error);
/* Asks a network about `count` states of a puzzle, which lie one after the other, shape.state_size bytes each. priors:
 * room for shape.most_moves numbers per state, of which the first ones are set: the probability of each move, in the
 * order of core.moves, together 1; NULL: not wanted. values: one number per state. In a domain of most score it is the
 * score still to come, in the network's own scale; in a domain of least cost it is 1 for a solved state and 0 for one
 * without a solution. A state without a move gets no priors and one of these values. */
soloist_code soloist_network_evaluate(soloist_network *network, const soloist_puzzle *puzzle, const void *states,
                                      int count, float *priors, float *values, soloist_error *error);

/* ---- level sets by name ---- */

/* Sets are found in the folders that SOLOIST_LEVELS and SOLOIST_DATA name, then in `folders` (separated by colons; may
 * be NULL), next to the running program and in the packages that contain sets. */

/* Reads the set of that name. *text is NULL if no folder holds it; free it with soloist_text_free. SOLOIST_OK or
 * SOLOIST_NO_MEMORY. */
soloist_code soloist_level_set(const char *name, const char *folders, char **text, size_t *length);
/* Calls `found` with `user` for every set that is installed, with the folder that it is in. A name may come more than
 * once; soloist_level_set reads the first. SOLOIST_OK or SOLOIST_NO_MEMORY. */
soloist_code soloist_level_sets(const char *folders, void (*found)(void *user, const char *name, const char *folder),
                                void *user);

/* ---- what `soloist solve` does besides ---- */

/* How a solution is shortened, and what came of it. */
typedef struct soloist_shortening {
    size_t size; /* sizeof(soloist_shortening) */
    /* The counts to minimise, as for soloist_optimize; their first is what the search has minimised. NULL or "any":
     * pushes, then moves; nothing is to be proved. */
    const char *objective;
    /* Seconds to spend. 0: generate about as many states as the search did, within what is left of its time limit, and
     * leave a solution that is proved optimal as it is. */
    double seconds;
    /* Set by the call: what it spent, and which counts are proved to be minimal ("" if that is not proved here). */
    uint64_t nodes;
    double time_s;        /* set by the call: seconds */
    char optimal_for[64]; /* set by the call: the counts, as in objective */
} soloist_shortening;

/* Replaces the result's solution by a shorter one, if one is found. limits: those of the solve that gave the result;
 * may be NULL. The numbers in *result stay those of the search, except that its time includes the shortening. A result
 * without a solution, and one of a domain that cannot shorten solutions, is left as it is. SOLOIST_OK also if nothing
 * was found. SOLOIST_MISUSE or SOLOIST_BAD_INPUT with an error if the objective is wrong. */
soloist_code soloist_shorten(const soloist_puzzle *puzzle, const soloist_limits *limits,
                             const soloist_callbacks *callbacks, soloist_shortening *how, soloist_result *result,
                             soloist_error *error);
/* Whether the method, "NAME" or "NAME:key=value,...", proves that its solutions are optimal. True for a method of a
 * plugin, and if there is no such method: soloist_solve then says what is wrong. */
bool soloist_method_proves(const soloist *engine, const soloist_domain *domain, const char *method);
/* The number of cores that this process may use, at least 1. */
int soloist_cores(void);
/* Bytes of memory that are free for this process, according to kernel and container; 0 if unknown. */
size_t soloist_free_memory(void);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
