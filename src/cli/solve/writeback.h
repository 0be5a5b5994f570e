/* `--write-back`: level files written again unchanged, with the solutions added. */
#ifndef CLI_WRITEBACK_H
#define CLI_WRITEBACK_H

#include "cli/input/input.h"

struct writeback {
    const struct input *input;
    const char *out;  /* NULL: into the files themselves */
    char **solutions; /* by task; owned */
};

/* Complains and returns false if it is impossible: other domains, level sets by name, one name for several files. */
bool writeback_open(struct writeback *writeback, const struct input *input, const char *out);
/* Keeps a solution, unless the file already has one that is as good in pushes and in moves. */
void writeback_add(struct writeback *writeback, const struct task *task, const soloist_verdict *verdict,
                   const char *solution);
/* Writes every file that gets a solution (with --out, the file in any case); each appears only when it is complete.
 * Complains and returns false if one could not be written. */
bool writeback_close(struct writeback *writeback);

#endif
