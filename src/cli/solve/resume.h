/* `solve --resume FILE`: a run appends a JSON line to the file when an instance ends, and a later run reuses the
 * results that are still valid. Lines are only ever appended, by one process at a time; a killed run loses only the
 * instances that it was working on. */
#ifndef CLI_SOLVE_RESUME_H
#define CLI_SOLVE_RESUME_H

#include "cli/solve/batch.h"

struct resume_entry;

/* Why a stored line was not reused. */
enum resume_refusal {
    /* The line is about another instance, other domain options or another objective, and the present command needs more
     * than a solution. */
    RESUME_CHANGED,
    RESUME_REBUILT, /* the line comes from another version of a plugin */
    RESUME_WRONG,   /* the line's solution does not solve the instance */
    RESUME_OLD,     /* version 0.1 wrote the line, which reports a proof or a failure but has no identity */
    /* The line does not satisfy the present command, which asks for another method, higher limits or a proof. */
    RESUME_WEAKER,
    RESUME_AGAIN, /* the line's game counts, but in this sitting the instance is searched again for a higher score */
    RESUME_REFUSALS
};

struct resume {
    const struct cli *cli;
    const struct input *input;
    const char *path;
    int file;                     /* descriptor, locked and positioned at the end; -1: not open */
    char *text;                   /* content of the file when it was opened; owned */
    struct resume_entry *entries; /* indexed by task */
    /* Indexed by task, for batch->known: the outcome that is reused, or NULL if the task must be run. */
    struct outcome **known;
    /* Indexed by task: the best stored game of an instance that is searched again, or NULL. Owned. */
    struct outcome **best;
    char **pools; /* indexed by task, for batch->pools; the array and its texts are owned */
    size_t taken, refused[RESUME_REFUSALS];
    soloist_limits limits;
    char *method;                    /* the method of this run, with its options under their current names */
    char *networks;                  /* the networks of this run, joined in one text; owned */
    bool prove;                      /* a solution must be proved optimal */
    char objective[POLISH_AIM_ROOM]; /* what must be proved: the names of the counts, or "any" */
    bool many;                       /* more than one count must be proved */
    const struct batch *batch;
    /* Number of the sitting, from 1. In each sitting, the instances whose highest score is not proved yet are searched
     * again, with another seed. */
    int sitting;
};

/* Opens and locks the file, reads it and decides which results are reused (batch->known). Every solution is replayed
 * before it is trusted; a proof is trusted if it is about the same instance, domain options and objective. Sets the
 * batch's seed to that of the sitting. Complains and returns false if the file was not written by --resume, is in use,
 * or cannot be written. */
bool resume_open(struct resume *resume, const char *path, struct batch *batch, const struct arg_list *networks);
/* Appends a line for an instance that has ended. Complains and returns false if it could not be written completely; the
 * file is then unchanged. */
bool resume_add(struct resume *resume, const struct task *task, const struct outcome *outcome);
/* What is to be reported of an instance that has been searched: this outcome, or the best game of an earlier sitting if
 * that has a higher score. */
const struct outcome *resume_best(const struct resume *resume, const struct task *task, const struct outcome *outcome);
/* Prints how many results were reused, how many were not, and why; prints nothing if there were no stored results. */
void resume_tell(const struct resume *resume, FILE *stream);
void resume_close(struct resume *resume);

#endif
