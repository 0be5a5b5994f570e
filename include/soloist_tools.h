/* Functions that programs need besides solving: texts of states and moves, pictures, new instances, evaluations by
 * networks, level sets by name, and the shortening of solutions as in `soloist solve`. The Python package uses them. */
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
/* soloist_state_text returns a state in the domain's file format. soloist_move_text returns a move for a person to
 * read; `state` is the state before the move. soloist_line_text returns a sequence of moves that begins at the first
 * state, in the notation of solutions. Free the text with soloist_text_free; NULL: no memory. */
char *soloist_state_text(const soloist_puzzle *puzzle, const void *state);
char *soloist_move_text(const soloist_puzzle *puzzle, const void *state, soloist_move move);
char *soloist_line_text(const soloist_puzzle *puzzle, const soloist_move *moves, size_t count);
/* Returns the first state exactly as in the file. soloist_state_text may lose something: a state of the domain
 * `sokoban`, for example, does not hold the player's exact square. */
char *soloist_root_text(const soloist *engine, const soloist_puzzle *puzzle);

/* ---- pictures ---- */

/* Draws a position as an SVG document in which a square of the board is `square` units wide. If state is NULL, it draws
 * the first position exactly as in the file. If the library has no picture for the domain, it draws the text of the
 * position. Free the document with soloist_text_free; NULL: no memory. */
char *soloist_draw(const soloist *engine, const soloist_puzzle *puzzle, const void *state, double square);
/* Draws a solution as an animated SVG document, with `step_s` seconds per move; browsers play it without a script. On
 * success *film is the document; free it with soloist_text_free. Returns SOLOIST_BAD_INPUT with an error if the text is
 * not a sequence of legal moves. */
soloist_code soloist_film(const soloist *engine, const soloist_puzzle *puzzle, const char *solution, size_t length,
                          double step_s, double square, char **film, soloist_error *error);

/* ---- new instances ---- */

/* Makes an instance with the domain's generator. The seed and `number` (0, 1, 2, ...) decide which one: on every
 * machine it is the same instance that `soloist generate` makes. options: "key=value,..." (NULL: the defaults). On
 * success *text is the instance in the domain's file format, below a comment line that estimates its difficulty; free
 * it with soloist_text_free. Returns SOLOIST_UNSUPPORTED if the domain has no generator. */
soloist_code soloist_make(const soloist_domain *domain, const char *options, uint64_t seed, uint64_t number,
                          char **text, soloist_error *error);

/* ---- networks ---- */

/* Writes a network's description and weights as a safetensors file; the only other information in the file is the
 * domain's name. A program that trains a network with its own code can open a description (.net), write this file, and
 * begin training from it. On failure returns false with an error. */
bool soloist_network_write(const soloist_network *network, const char *path, soloist_error *error);
/* Lets a network evaluate `count` states of a puzzle, which are stored one after the other, shape.state_size bytes
 * each. priors has room for shape.most_moves numbers per state, or is NULL if no priors are wanted. For each state, the
 * first of these numbers are set to the probabilities of its moves, in the order of core.moves. The probabilities add
 * up to 1. A network without a policy head gives all moves the same probability.
 *
 * values gets one number per state: the network's prediction for the rest of the game under good play. In a domain that
 * maximises a score, this is the score still to come, divided by `soloist.value_scale` of the network's file. In a
 * domain that minimises cost, it is 1 minus `soloist.step_value` (0.01 if the file does not say otherwise) times the
 * cost still to come, so the estimated cost is (1 - value) / step_value. A value near 0 means that the state is far
 * from a goal or has no solution. A network that was trained by actor-critic or with `reward=NAME` predicts the
 * discounted sum of the rewards to come instead. Predictions are not bounds, and may leave the range from 0 to 1. A
 * network without a value head gives 0.
 *
 * If the game has ended in a state, or there is no move, the network does not evaluate the state. It then gets no
 * priors; its value is 1 if it is a goal of a domain that minimises cost, otherwise 0. */
soloist_code soloist_network_evaluate(soloist_network *network, const soloist_puzzle *puzzle, const void *states,
                                      int count, float *priors, float *values, soloist_error *error);

/* ---- level sets by name ---- */

/* Level sets are searched for in these places, in this order: the folders that the environment variables SOLOIST_LEVELS
 * and SOLOIST_DATA name; `folders` (separated by colons; may be NULL); next to the running program; the folders of
 * installed packages that contain level sets. */

/* Reads the set of that name. *text is NULL if no folder holds the set; free it with soloist_text_free. Returns
 * SOLOIST_OK or SOLOIST_NO_MEMORY. */
soloist_code soloist_level_set(const char *name, const char *folders, char **text, size_t *length);
/* Calls `found` for every installed set, with `user`, the name of the set and its folder. The same name may be reported
 * more than once; soloist_level_set reads the first set of that name. Returns SOLOIST_OK or SOLOIST_NO_MEMORY. */
soloist_code soloist_level_sets(const char *folders, void (*found)(void *user, const char *name, const char *folder),
                                void *user);

/* ---- what else `soloist solve` does ---- */

/* How a solution is shortened, and the outcome. */
typedef struct soloist_shortening {
    size_t size; /* sizeof(soloist_shortening) */
    /* The counts to minimise, written as for soloist_optimize; the first is the count that the search has minimised.
     * NULL or "any": pushes, then moves, and it need not be proved that they are minimal. */
    const char *objective;
    /* Seconds to spend. 0: spend as much as `soloist solve` does by default. If the objective has several counts, this
     * means all the time and all the states that the limits still allow. If it has one count or none, a number of
     * states is spent: as many as the search generated, but if the search generated more than 20,000, a quarter of that
     * number and at least 20,000. With one count or none, a solution that is already proved optimal is not shortened.
     */
    double seconds;
    uint64_t nodes;       /* set by the call: states that it generated */
    double time_s;        /* set by the call: seconds that it took */
    char optimal_for[64]; /* set by the call: the counts that it proved minimal, written as in objective; "": none */
} soloist_shortening;

/* Replaces the result's solution by a shorter one, if one is found. limits: the limits of the solve that gave the
 * result; may be NULL. The counts in *result stay those of the search, but its time then includes the shortening. A
 * result without a solution is not changed; nor is the result of a domain whose solutions cannot be shortened. Returns
 * SOLOIST_OK even if no shorter solution was found, and SOLOIST_MISUSE with an error if an argument or the objective is
 * wrong. */
soloist_code soloist_shorten(const soloist_puzzle *puzzle, const soloist_limits *limits,
                             const soloist_callbacks *callbacks, soloist_shortening *how, soloist_result *result,
                             soloist_error *error);
/* Whether the method, "NAME" or "NAME:key=value,...", proves that its solutions are optimal. Also returns true for
 * every method of a plugin, and for a method that does not exist: soloist_solve will report that error. */
bool soloist_method_proves(const soloist *engine, const soloist_domain *domain, const char *method);
/* The number of cores that this process may use, at least 1. */
int soloist_cores(void);
/* Bytes of memory that are free for this process, according to the kernel and the container; 0 if unknown. */
size_t soloist_free_memory(void);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
