#include "cli/shell/ranks.h"
#include "cli/shell/machine.h"
#include "cli/shell/signals.h"
#include "cli/solve/batch.h"

#include <stdlib.h>
#include <string.h>

void ranks_look(struct ranks *ranks) { *ranks = (struct ranks){.launch = launch_look()}; }

/* The streams are replaced, not the file descriptors: what ends a program in an emergency still writes to
 * descriptor 2. */
void ranks_silence(const struct cli *cli) {
    struct ranks *ranks = cli->ranks;
    if (!ranks_is_helper(cli))
        return;
    ranks->nowhere = fopen("/dev/null", "w");
    ranks->errors = open_memstream(&ranks->said, &ranks->said_length);
    ranks->out = stdout, ranks->err = stderr;
#if defined(__GLIBC__)
    stdout = ranks->nowhere ? ranks->nowhere : stdout;
    stderr = ranks->errors ? ranks->errors : stderr;
#endif
}

static void end_silence(struct ranks *ranks) {
#if defined(__GLIBC__)
    stdout = ranks->out ? ranks->out : stdout;
    stderr = ranks->err ? ranks->err : stderr;
#endif
    if (ranks->nowhere)
        fclose(ranks->nowhere);
    if (ranks->errors)
        fclose(ranks->errors);
    free(ranks->said);
}

bool ranks_are_many(const struct cli *cli) { return cli->ranks->launch.count > 1; }

struct peers *ranks_search(const struct cli *cli) {
    return cli->ranks->module.search;
}

bool ranks_is_helper(const struct cli *cli) { return cli->ranks->launch.rank > 0; }

bool ranks_leave(const struct cli *cli, const struct command *command) {
    const struct launch *launch = &cli->ranks->launch;
    if (launch->count == 1 || command->ranks)
        return false;
    if (!launch->rank)
        fprintf(stderr, "soloist: %s runs on rank 0 alone; the others are not used\n", command->name);
    return launch->rank > 0;
}

bool ranks_open(struct cli *cli) {
    struct ranks *ranks = cli->ranks;
    soloist_error error = {0};
    if (ranks->launch.count == 1)
        return true;
    ranks->opened = true;
    if (!ranks_module_open(&ranks->module, &error))
        return cli_complain("%d ranks were started, but %s", ranks->launch.count, error.text), false;
    machine_share(ranks->module.cores, ranks->module.node_ranks);
    return true;
}

void ranks_close(struct cli *cli) {
    struct ranks *ranks = cli->ranks;
    if (ranks->module.peers && !ranks->launch.rank &&
        !ranks->gathered) /* helpers wait for an answer to their greeting */
        ranks->gathered = dispatch_open(&ranks->dispatch, ranks->module.peers, signals_token(), NULL);
    if (ranks->gathered)
        dispatch_close(&ranks->dispatch);
    ranks_module_close(&ranks->module);
    end_silence(ranks);
}

/* Prints what a rank that cannot work complained about. */
static void tell_of_rank(const struct dispatch *dispatch, int rank) {
    const struct dispatch_greeting *greeting = &dispatch->greetings[rank];
    cli_complain("rank %d on %s cannot work: %s", rank, greeting->node, greeting->complaint);
}

bool ranks_gather(struct cli *cli) {
    struct ranks *ranks = cli->ranks;
    struct dispatch *dispatch = &ranks->dispatch;
    soloist_error error = {0};
    if (!ranks->module.peers || ranks->gathered)
        return true;
    ranks->gathered = true;
    if (!dispatch_open(dispatch, ranks->module.peers, signals_token(), &error))
        return cli_complain("%s", error.text), false;
    for (int rank = 1; rank < dispatch->count; rank++)
        if (!dispatch->greetings[rank].ready)
            return tell_of_rank(dispatch, rank), false;
    return true;
}

int ranks_far_cores(const struct cli *cli) { return cli->ranks->gathered ? cli->ranks->dispatch.cores : 0; }

struct dispatch *ranks_begin(struct cli *cli, const struct buffer *wish) {
    struct ranks *ranks = cli->ranks;
    if (!ranks->gathered)
        return NULL;
    if (!ranks->begun)
        dispatch_begin(&ranks->dispatch, wish, NULL); /* dispatch_give reports a failure */
    ranks->begun = true;
    return &ranks->dispatch;
}

void ranks_tell(const struct cli *cli, FILE *stream) {
    const struct ranks *ranks = cli->ranks;
    double least, most;
    int cores = batch_cores();
    if (!ranks->gathered || !dispatch_shares(&ranks->dispatch, &least, &most))
        return;
    for (int rank = 1; rank < ranks->dispatch.count; rank++)
        cores += ranks->dispatch.greetings[rank].own_cores;
    fprintf(stream, "%d ranks with %d cores; each rank did %.0f to %.0f %% of a rank's mean work\n",
            ranks->dispatch.count, cores, 100 * least, 100 * most);
}

int ranks_help(struct cli *cli, bool ready, const struct dispatch_work *work) {
    struct ranks *ranks = cli->ranks;
    struct dispatch_greeting greeting = {.ready = ready, .cores = work->cores, .own_cores = batch_cores()};
    soloist_error error = {0};
    snprintf(greeting.node, sizeof greeting.node, "%s", ranks->module.node);
    fflush(stderr);
    if (ranks->said)
        snprintf(greeting.complaint, sizeof greeting.complaint, "%s", ranks->said);
    greeting.complaint[strcspn(greeting.complaint, "\n")] = 0;
    if (dispatch_help(ranks->module.peers, &greeting, work, &error))
        return CLI_OK;
    dprintf(2, "soloist: rank %d on %s: %s\n", ranks->launch.rank, greeting.node, error.text);
    return CLI_BAD;
}
