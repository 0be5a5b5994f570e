/* `solve --resume FILE`: a file of JSON lines that a run adds to as each instance ends, and that a later run goes on
 * from. A run that was killed loses what it was working on, nothing else. */
#ifndef CLI_RESUME_H
#define CLI_RESUME_H

#include "cli/batch.h"

struct resume_entry;

struct resume {
    const struct cli *cli;
    const struct input *input;
    const char *path;
    FILE *stream;                 /* NULL: no such file was asked for */
    struct resume_entry *entries; /* by task */
    struct outcome **known;       /* by task: what need not be run again, for the batch; NULL: run it */
    char **others;                /* lines about other instances, kept as they are */
    size_t other_count, taken;
    soloist_limits limits;
    const char *method; /* as asked for */
    bool prove;         /* a solution that is not proved optimal is not enough */
    bool keep_boards;
    int sitting; /* games of most score are played again in each */
};

/* Reads what is there, decides what is done (batch->known) and opens the file for more. Solutions are replayed before
 * they are believed. The seed becomes the sitting's. Complains and returns false if the file is wrong or cannot be
 * written. */
bool resume_open(struct resume *resume, const char *path, struct batch *batch, bool prove);
/* Adds a line for an instance that has ended. */
void resume_add(struct resume *resume, const struct task *task, const struct outcome *outcome);
/* Leaves one line an instance, in order, in place of the lines as they came. */
bool resume_close(struct resume *resume);

#endif
