/* `--write-back`: writes level files again, unchanged except that solutions are added. */
#ifndef CLI_SOLVE_WRITEBACK_H
#define CLI_SOLVE_WRITEBACK_H

#include "cli/input/input.h"
#include "search/special/polish.h"

struct writeback {
    const struct input *input;
    const char *out;  /* NULL: the files themselves are replaced */
    bool replaces;    /* there was a file of the name `out` */
    char **solutions; /* indexed by task; owned */
    /* What else a solution may be better in than those of the file; by default it has no count: only pushes and moves
     * matter. Set it after writeback_open. */
    struct polish_aim aim;
};

/* Whether a solution is better under the aim than another one. The referee has accepted both. */
bool writeback_is_better(struct polish_aim aim, const char *solution, const char *than);

/* Complains and returns false if solutions cannot be written back: for other domains than Sokoban, for level sets given
 * by name, or if there is one output name for several files. */
bool writeback_open(struct writeback *writeback, const struct input *input, const char *out);
/* Stores a solution for writing, unless the file already has one that is at least as good in pushes, in moves and under
 * the aim. */
void writeback_add(struct writeback *writeback, const struct task *task, const soloist_verdict *verdict,
                   const char *solution);
/* Writes every file to which a solution is added. If no solution is added, --out makes a copy of the levels, but leaves
 * an earlier file of that name as it is. Each file appears under its name only when it is complete. Says on the stream,
 * which may be NULL, what was written. Complains and returns false if a file could not be written. */
bool writeback_close(struct writeback *writeback, FILE *tell);
/* Ends without writing anything. */
void writeback_drop(struct writeback *writeback);

#endif
