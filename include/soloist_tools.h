/* Functions that a program may need besides those that solve puzzles. They write states and moves as text, draw
 * positions, make new instances, and evaluate states by networks. They also find level sets by name, and shorten
 * solutions as `soloist solve` does. The Python package uses these functions. */
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
/* soloist_state_text returns a state in the domain's file format. soloist_move_text returns a move as text for a person
 * to read; `state` is the state before the move. soloist_line_text returns the given moves, which begin at the puzzle's
 * first state, as text in the notation of solutions. Free the text with soloist_text_free. The functions return NULL if
 * memory runs out or an argument is wrong. */
char *soloist_state_text(const soloist_puzzle *puzzle, const void *state);
char *soloist_move_text(const soloist_puzzle *puzzle, const void *state, soloist_move move);
char *soloist_line_text(const soloist_puzzle *puzzle, const soloist_move *moves, size_t count);
/* Returns the puzzle's first state exactly as in the file. The text that soloist_state_text returns may contain less: a
 * state of the domain `sokoban`, for example, does not hold the player's exact square. */
char *soloist_root_text(const soloist *engine, const soloist_puzzle *puzzle);

/* ---- pictures ---- */

/* Draws a position as an SVG document in which a square of the board is `square` units wide. If `state` is NULL, the
 * puzzle's first position is drawn exactly as in the file. If the library cannot draw positions of the domain, the
 * document shows the position as text. Free the document with soloist_text_free. Returns NULL if memory runs out or an
 * argument is wrong. */
char *soloist_draw(const soloist *engine, const soloist_puzzle *puzzle, const void *state, double square);
/* Draws a solution as an animated SVG document, with `step_s` seconds per move; browsers play the animation without a
 * script. On success, *film is the document; free it with soloist_text_free. Returns SOLOIST_BAD_INPUT with an error if
 * the text is not a sequence of legal moves. */
soloist_code soloist_film(const soloist *engine, const soloist_puzzle *puzzle, const char *solution, size_t length,
                          double step_s, double square, char **film, soloist_error *error);

/* ---- new instances ---- */

/* Makes an instance with the domain's generator. The same options, `seed` and `number` (0, 1, 2, ...) give the same
 * instance on every machine; `soloist generate` makes the same instance too. The argument `options` has the form
 * "key=value,..."; NULL means the default options. On success, *text is the instance in the domain's file format, below
 * comment lines that estimate its difficulty; free the text with soloist_text_free. Returns SOLOIST_UNSUPPORTED if
 * the domain has no generator. */
soloist_code soloist_make(const soloist_domain *domain, const char *options, uint64_t seed, uint64_t number,
                          char **text, soloist_error *error);

/* ---- networks ---- */

/* Writes a network's description and weights as a safetensors file; the only other information in the file is the
 * domain's name. A program that trains networks with its own code can open a network description (.net), write it as
 * such a file, and begin training from that file. On failure, returns false with an error. */
bool soloist_network_write(const soloist_network *network, const char *path, soloist_error *error);
/* Lets a network evaluate `count` states of a puzzle, which are stored one after the other, shape.state_size bytes
 * each. The array `priors` has room for shape.most_moves numbers per state; pass NULL if you do not want priors. For
 * each state, the function writes the probability of each legal move, in the order in which core.moves lists the moves.
 * The probabilities of a state's moves add up to 1. A network without a policy head gives all moves of a state the same
 * probability.
 *
 * The array `values` gets one number per state: the network's prediction for the rest of the game under good play. In a
 * domain that maximises a score, the value is the score still to come, divided by `soloist.value_scale`, a number in
 * the network's file. In a domain that minimises cost, the value is 1 - step_value * cost, where cost is the cost still
 * to come. step_value is the number `soloist.step_value` in the network's file, or 0.01 if the file does not contain
 * it. So the estimated cost is (1 - value) / step_value. A value near 0 means that the state is far from a goal or has
 * no solution. A network that was trained by actor-critic or with `reward=NAME` predicts the discounted sum of the
 * rewards to come instead. Predictions are not bounds, and may lie outside the range from 0 to 1. A network without a
 * value head gives the value 0.
 *
 * The network does not evaluate a state in which the game has ended or no move is legal. Such a state gets no priors.
 * Its value is 1 if the state is a goal of a domain that minimises cost; in all other cases its value is 0. */
soloist_code soloist_network_evaluate(soloist_network *network, const soloist_puzzle *puzzle, const void *states,
                                      int count, float *priors, float *values, soloist_error *error);

/* ---- level sets by name ---- */

/* Level sets are looked for first in the folders named by the environment variables SOLOIST_LEVELS and SOLOIST_DATA,
 * and then in the folders of the argument `folders` (separated by colons, or NULL). After that, folders next to the
 * running program are searched, and finally folders in which other installed packages keep level sets. */

/* Reads the level set that is called `name`. *text is set to its text, which you free with soloist_text_free, or to
 * NULL if no folder holds the set. Returns SOLOIST_OK, SOLOIST_NO_MEMORY, or SOLOIST_MISUSE if an argument is wrong. */
soloist_code soloist_level_set(const char *name, const char *folders, char **text, size_t *length);
/* Calls the function `found` for every installed level set, with `user`, the name of the set and its folder. The same
 * name may be reported more than once; soloist_level_set reads the set of that name that it finds first. Returns
 * SOLOIST_OK, SOLOIST_NO_MEMORY, or SOLOIST_MISUSE if `found` is NULL. */
soloist_code soloist_level_sets(const char *folders, void (*found)(void *user, const char *name, const char *folder),
                                void *user);

/* ---- other things that the command `soloist solve` does ---- */

/* How to shorten a solution, and the outcome. */
typedef struct soloist_shortening {
    size_t size; /* sizeof(soloist_shortening) */
    /* The counts to minimise, written like the argument `aim` of soloist_optimize; the first is the count that the
     * search has minimised. NULL or "any" means: pushes first, then moves, or the other way round if the search has
     * minimised moves; the shortened solution need not be proved optimal. */
    const char *objective;
    /* Seconds to spend on shortening. In SameGame, the game is improved by simulated annealing for as many seconds, and
     * not at all if the seconds are 0. In Sokoban, 0 means the default of `soloist solve`, which depends on the
     * objective. If the objective has several counts, shortening may use all the time and all the states that the
     * limits still allow. If the objective has one count or none, shortening generates at most the number of states
     * that the search generated. If the search generated more than 20,000 states, this maximum is a quarter of their
     * number, but at least 20,000. With one count or none, a solution that is already proved optimal is not shortened
     * by default. */
    double seconds;
    uint64_t nodes;       /* set by soloist_shorten: the number of states that it generated */
    double time_s;        /* set by soloist_shorten: the seconds that it took */
    /* Set by soloist_shorten: the counts that it proved to be minimal, written as in `objective`; "" if there are none.
     */
    char optimal_for[64];
} soloist_shortening;

/* Replaces the solution in *result by a shorter one (in SameGame, by a game with a higher score), if one is found. The
 * list result->moves may be freed and set to NULL even if none is found; the solution's text and its verdict stay
 * valid. The argument `limits` holds the limits of the solve that returned the result; it may be NULL. The numbers of
 * nodes and iterations in *result remain those of the search, but the time in *result then includes the time of the
 * shortening. A result without a solution is not changed, and neither is a result of a domain whose solutions cannot
 * be shortened. Returns SOLOIST_OK even if no shorter solution was found, and SOLOIST_MISUSE with an error if an
 * argument or the objective is wrong. */
soloist_code soloist_shorten(const soloist_puzzle *puzzle, const soloist_limits *limits,
                             const soloist_callbacks *callbacks, soloist_shortening *how, soloist_result *result,
                             soloist_error *error);
/* More about the solution of a result. The numbers are -1 in domains that have no such count, and if there is no
 * solution. */
typedef struct soloist_details {
    size_t size; /* sizeof(soloist_details) */
    /* If the result is optimal: what the search has proved to be optimal, "pushes", "moves", "cost" or "score"; "" if
     * it is not. In a domain that is not built in it is "cost" or "score". The shortening of a solution may prove more
     * (see soloist_shortening). */
    char optimal_for[64];
    int64_t box_lines;        /* Sokoban: straight runs of pushes of one box */
    int64_t box_changes;      /* Sokoban: runs of pushes of one box, even with steps between the pushes */
    int64_t pushing_sessions; /* Sokoban: runs of pushes, of any boxes, without a step between the pushes */
    int64_t player_lines;     /* Sokoban: straight runs of moves */
    int64_t blocks_left;      /* SameGame: blocks that are left on the board */
} soloist_details;

/* Fills *details. Returns SOLOIST_OK, SOLOIST_NO_MEMORY, or SOLOIST_MISUSE if an argument is wrong. */
soloist_code soloist_describe(const soloist_puzzle *puzzle, const soloist_result *result, soloist_details *details);

/* Returns why an argument of a solve has no effect on the method ("NAME" or "NAME:key=value,..."): a phrase that
 * follows the method's name, such as "makes no random choices". The argument is "seed", "threads", "iterations" or
 * "network". Returns NULL if the argument has an effect, if the method does not exist, and if a pointer is NULL. */
const char *soloist_method_ignores(const soloist *engine, const char *method, const char *argument);
/* Returns whether the method ("NAME" or "NAME:key=value,...") proves that its solutions are optimal. The result
 * is also true for every method of a plugin, and for a method that does not exist (soloist_solve reports that error).
 * NULL as `method` is the default method. If another pointer is NULL, the result is false. */
bool soloist_method_proves(const soloist *engine, const soloist_domain *domain, const char *method);
/* Returns the number of processor cores that this process may use, at least 1. */
int soloist_cores(void);
/* Returns how many bytes of memory are free for this process, according to the kernel and the container; 0 if this is
 * unknown. */
size_t soloist_free_memory(void);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
