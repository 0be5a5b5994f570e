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
    struct ranks_module module; /* with the peers; open from ranks_open to ranks_close */
    struct dispatch dispatch;   /* rank 0, from ranks_gather to ranks_close */
    bool opened, gathered, begun;
    /* A helper's standard output and standard error: as they were, and what they are replaced by. */
    FILE *out, *err, *nowhere, *errors;
    char *said; /* what a helper has printed as errors */
    size_t said_length;
};

/* Finds out which rank this is. */
void ranks_look(struct ranks *ranks);
/* If this is not rank 0, nothing that it prints is shown from now on; errors are reported to rank 0 when it greets. */
void ranks_silence(const struct cli *cli);
/* For a command that uses one rank only: whether this rank has nothing to do. Rank 0 says so once. */
bool ranks_leave(const struct cli *cli, const struct command *command);
/* Joins the other ranks, if there are any. From now on this rank uses only its share of the machine. Complains and
 * returns false if that fails. To be closed by ranks_close in either case. */
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
/* The cores of all other ranks; 0: there are none, or they have not been gathered. */
int ranks_far_cores(const struct cli *cli);
/* Sends the wish to the ranks that were gathered, unless they have begun before, so that they begin. Returns their
 * dispatch; NULL: there are no other ranks. */
struct dispatch *ranks_begin(struct cli *cli, const struct buffer *wish);
/* Rank 0: says how many ranks have worked, and how evenly. Prints nothing if there was only one. */
void ranks_tell(const struct cli *cli, FILE *stream);
/* Other ranks: works for rank 0 until it ends this rank. ready: false if an error was reported before; rank 0 is then
 * told about it. Returns an exit status. */
int ranks_help(struct cli *cli, bool ready, const struct dispatch_work *work);

#endif
