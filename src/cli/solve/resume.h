/* `solve --resume FILE`: a file of JSON lines to which a run adds one as each instance ends, and from which a later run
 * takes over what still holds. The file is only ever added to, by one process at a time; a run that was killed loses
 * what it was working on, nothing else. */
#ifndef CLI_RESUME_H
#define CLI_RESUME_H

#include "cli/solve/batch.h"

struct resume_entry;

/* Why a stored line was not taken over. */
enum resume_refusal {
    RESUME_CHANGED, /* the instance, a domain option or the objective is another, and the solution alone is not enough */
    RESUME_WRONG,   /* its solution does not solve the instance */
    RESUME_OLD,     /* a proof or a failure that version 0.1 wrote without saying what it is about */
    RESUME_WEAKER,  /* more is asked now: another method, higher limits, a proof, another game */
    RESUME_REFUSALS
};

struct resume {
    const struct cli *cli;
    const struct input *input;
    const char *path;
    int file;   /* open, locked, at its end; -1: not open */
    char *text; /* what the file held; owned */
    struct resume_entry *entries; /* by task */
    struct outcome **known;       /* by task: what need not be run again, for the batch; NULL: run it */
    size_t taken, refused[RESUME_REFUSALS];
    soloist_limits limits;
    char *method; /* as asked for, its options under the names of today */
    char *networks;     /* as asked for, one after the other; owned */
    bool prove;         /* a solution that is not proved optimal is not enough */
    bool keep_boards;
    int sitting; /* games of most score are played again in each */
};

/* Opens and locks the file, reads what is there and decides what is done (batch->known). Every solution is replayed
 * before it is believed; a proof is believed if it is about the same instance, domain options and objective. The seed
 * becomes the sitting's. Complains and returns false if the file is none of ours, is in use, or cannot be written. */
bool resume_open(struct resume *resume, const char *path, struct batch *batch, const struct arg_list *networks,
                 bool prove);
/* Adds a line for an instance that has ended. Complains and returns false if it could not be written whole: then the
 * file is as it was before. */
bool resume_add(struct resume *resume, const struct task *task, const struct outcome *outcome);
/* Says on `stream` how many results were taken over, how many not, and why; nothing if there were none. */
void resume_tell(const struct resume *resume, FILE *stream);
void resume_close(struct resume *resume);

#endif
