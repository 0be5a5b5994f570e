/* Reads a file of solutions as claims about instances. The file is in the JSON Lines format, a .sok collection, or a
 * plain text with one solution per line. */
#ifndef ENGINE_SOLUTIONS_H
#define ENGINE_SOLUTIONS_H

#include "engine/input.h"

enum claimed { CLAIMED_PUSHES, CLAIMED_MOVES, CLAIMED_COST, CLAIMED_SCORE, CLAIMED_COUNTS };

/* What a file says about one instance. */
struct claim {
    int id;
    char *solution;  /* null-terminated, owned; NULL: no solution is given */
    bool impossible; /* the file claims that the instance has no solution */
    bool has[CLAIMED_COUNTS];
    int64_t count[CLAIMED_COUNTS];
};

struct solutions {
    struct claim *claims;
    size_t count;
};

/* Reads claims about the instances of the input's first source (number 0). The domain of this source must be known.
 * Claims about instances that are not selected are skipped. SOLOIST_OK, SOLOIST_BAD_INPUT with line and column in the
 * error, or SOLOIST_NO_MEMORY. */
soloist_code solutions_read(const soloist *engine, const struct input *input, const char *text, size_t length,
                            struct solutions *solutions, soloist_error *error);
void solutions_free(struct solutions *solutions);
/* The first claim about instance number `id`, or NULL. A collection may have several solutions of one level. */
const struct claim *solutions_find(const struct solutions *solutions, int id);

/* ---- writing solutions in formats that solutions_read can read ---- */

/* Writes one level of a collection: its board, its title (NULL or "" if it has none) and its solution. */
void solutions_write_collection(const char *board, const char *title, const char *solution, const soloist_sink *sink);
/* Writes the solution as one line of plain text, after a line with the comment "; id name". */
void solutions_write_line(int id, const char *name, const char *solution, const soloist_sink *sink);

#endif
