/* `solve --resume FILE`: a file of JSON lines to which a run appends one as each instance ends, and from which a later
 * run takes over what is still valid. The file is only ever appended to, by one process at a time; a killed run loses
 * only what it was working on. */
#ifndef CLI_RESUME_H
#define CLI_RESUME_H

#include "cli/solve/batch.h"

struct resume_entry;

/* Why a stored line was not taken over. */
enum resume_refusal {
    RESUME_CHANGED, /* instance, domain options or objective differ, and the solution alone is not enough */
    RESUME_WRONG,   /* its solution does not solve the instance */
    RESUME_OLD,     /* a proof or a failure written by version 0.1, without an identity */
    RESUME_WEAKER,  /* more is asked now: another method, higher limits, a proof, another game */
    RESUME_REFUSALS
};

struct resume {
    const struct cli *cli;
    const struct input *input;
    const char *path;
    int file;                     /* open, locked, at its end; -1: not open */
    char *text;                   /* what the file held; owned */
    struct resume_entry *entries; /* by task */
    struct outcome **known;       /* indexed by task, for the batch: what need not be run again; NULL: run it */
    size_t taken, refused[RESUME_REFUSALS];
    soloist_limits limits;
    char *method;   /* as requested, with the present names of its options */
    char *networks; /* as requested, one after the other; owned */
    bool prove;     /* a solution that is not proved optimal is not enough */
    bool keep_boards;
    int sitting; /* games for the highest score are played again in each */
};

/* Opens and locks the file, reads it and decides what need not be run (batch->known). Every solution is replayed before
 * it is trusted; a proof is trusted if it is about the same instance, domain options and objective. The seed becomes
 * that of the sitting. Complains and returns false if the file was not written by --resume, is in use, or cannot be
 * written. */
bool resume_open(struct resume *resume, const char *path, struct batch *batch, const struct arg_list *networks,
                 bool prove);
/* Appends a line for an instance that has ended. Complains and returns false if it could not be written completely; the
 * file is then as it was before. */
bool resume_add(struct resume *resume, const struct task *task, const struct outcome *outcome);
/* Says on `stream` how many results were taken over, how many not, and why; nothing if there were none. */
void resume_tell(const struct resume *resume, FILE *stream);
void resume_close(struct resume *resume);

#endif
