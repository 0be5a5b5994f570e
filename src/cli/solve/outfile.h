/* `--out` and `--save`: solutions in the format that other programs for the puzzle read. */
#ifndef CLI_SOLVE_OUTFILE_H
#define CLI_SOLVE_OUTFILE_H

#include "base/buffer.h"
#include "cli/solve/batch.h"
#include "cli/shell/files.h"

struct outfile {
    struct new_file file;
    bool replaces; /* there was a file of that name */
    bool beside;   /* each source has its own file beside it, opened when the source's first solution is added */
    const struct source *last_source;
    size_t solutions, in_file; /* numbers of solutions in all files and in the open file */
    struct buffer news;        /* lines about the files that are complete; owned */
};

/* Opens the file. Complains and returns false if it cannot be created or is one of the inputs. */
bool outfile_open(struct outfile *out, const char *path, const struct input *input);
/* What to do instead of naming a file twice. */
#define SELECT_TOGETHER "name one file once, with all numbers, as in FILE:4,5"
/* For --save: no file is opened yet. Complains and returns false if a source is not a file, if the file for its
 * solutions already exists, or if it is also that of another source or `resume`, the file of --resume. */
bool outfile_open_beside(struct outfile *out, const struct input *input, const char *resume);
/* Adds an outcome's solution, if it has one. Complains and returns false if it could not be written. */
bool outfile_add(struct outfile *out, const struct task *task, const struct outcome *outcome);
/* Gives the file its name. If there is no solution, an earlier file of that name stays unchanged. Says on the stream,
 * which may be NULL, what was written. Complains and returns false if the file could not be written. */
bool outfile_close(struct outfile *out, FILE *tell);
/* "solution" or "solutions". */
const char *outfile_noun(size_t count);

#endif
