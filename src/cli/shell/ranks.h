/* The ranks of a program that was started by mpirun or another launcher. Rank 0 does what the program does without a
 * launcher, and hands work to the others (base/dispatch.h). Only rank 0 prints. */
#ifndef CLI_SHELL_RANKS_H
#define CLI_SHELL_RANKS_H

#include "base/dispatch.h"
#include "base/launch.h"
#include "base/ranks.h"
#include "cli/cli.h"

struct ranks {
    struct launch launch;
    struct ranks_module module; /* contains the peers; open from ranks_open to ranks_close */
    struct dispatch dispatch;   /* only on rank 0; open from ranks_gather to ranks_close */
    bool opened, gathered, begun;
    /* On a helper: the original standard output and standard error (out, err), and the streams that replace them
     * (nowhere, errors). */
    FILE *out, *err, *nowhere, *errors;
    char *said; /* the error messages that a helper has printed */
    size_t said_length;
};

/* Finds out which rank this is. */
void ranks_look(struct ranks *ranks);
/* On every rank but rank 0: from now on nothing that the rank prints is shown; its error messages are sent to rank 0 in
 * its greeting (struct dispatch_greeting). */
void ranks_silence(const struct cli *cli);
/* Whether this rank has nothing to do, because the command runs on rank 0 alone and this is another rank. Rank 0 prints
 * a note that the other ranks are not used. */
bool ranks_leave(const struct cli *cli, const struct command *command);
/* Joins the other ranks, if there are any. From now on this rank uses only its share of the machine. Complains and
 * returns false if the ranks cannot be joined. Call ranks_close in either case. */
bool ranks_open(struct cli *cli);
void ranks_close(struct cli *cli);
/* Whether a launcher has started more than one rank. */
bool ranks_are_many(const struct cli *cli);
/* The peers for searches that all ranks make together; NULL: there is only one rank. */
struct peers *ranks_search(const struct cli *cli);
/* Whether this rank works for rank 0. */
bool ranks_is_helper(const struct cli *cli);

/* Rank 0: waits until all ranks are ready. Complains and returns false if one of them cannot work. Does nothing if
 * there are no other ranks. */
bool ranks_gather(struct cli *cli);
/* The number of cores of all other ranks together; 0: there are no other ranks, or ranks_gather was not called. */
int ranks_far_cores(const struct cli *cli);
/* After ranks_gather: tells the other ranks to begin and sends them the parcel `wish` (dispatch_begin), unless they
 * have already begun. Returns the object that sends them work; NULL: there are no other ranks. */
struct dispatch *ranks_begin(struct cli *cli, const struct buffer *wish);
/* Rank 0: prints how many ranks have worked, and how evenly the work was divided among them. Prints nothing if there
 * was only one rank. */
void ranks_tell(const struct cli *cli, FILE *stream);
/* Other ranks: works for rank 0 until rank 0 has no more work. ready: false if an error has been reported on this rank;
 * the error message is then sent to rank 0. Returns an exit status. */
int ranks_help(struct cli *cli, bool ready, const struct dispatch_work *work);

#endif
