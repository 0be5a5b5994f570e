#include "net/back_end.h"
#include "net/module.h"

#include <string.h>

const struct net_back_end *net_back_end_at(int index) {
    const struct net_back_end *cuda = net_module_open("cuda", NULL);
    if (index == 0 && cuda)
        return cuda;
    return index == (cuda != NULL) ? &net_cpu : NULL;
}

static const struct net_back_end *find_any(soloist_error *error) {
    const struct net_back_end *back_end;
    for (int i = 0; (back_end = net_back_end_at(i)); i++)
        if (!back_end->absent())
            return back_end;
    return soloist_fail(error, 0, 0, "no back end can run here"), NULL;
}

/* If the CPU is asked for by name, no other back end is tried: loading another back end would also load half a gigabyte
 * of libraries. */
const struct net_back_end *net_back_end_find(const char *name, soloist_error *error) {
    if (!name || !strcmp(name, "auto"))
        return find_any(error);
    const struct net_back_end *back_end = strcmp(name, net_cpu.name) ? net_module_open(name, error) : &net_cpu;
    const char *why = back_end ? back_end->absent() : NULL;
    return why ? (soloist_fail(error, 0, 0, "%s: %s", name, why), NULL) : back_end;
}

bool net_runner_check(const struct net_runner *runner, int count, soloist_error *error) {
    if (count >= 1 && count <= runner->options.batch)
        return true;
    return soloist_fail(error, 0, 0, "a batch of %d positions: expected 1 to %d", count, runner->options.batch);
}

bool net_runner_check_batch(const struct net_runner *runner, const struct net_batch *batch, soloist_error *error) {
    if (!net_runner_check(runner, batch->count, error))
        return false;
    if (!runner->options.train)
        return soloist_fail(error, 0, 0, "this runner was not opened for training");
    if (batch->targets.policy && !runner->net->policy)
        return soloist_fail(error, 0, 0, "a target for the policy, which the network does not have");
    if (batch->targets.drawn && !batch->targets.policy)
        return soloist_fail(error, 0, 0, "drawn moves without a policy array that marks them");
    if (batch->targets.value && !runner->net->value)
        return soloist_fail(error, 0, 0, "a target for the value, which the network does not have");
    return true;
}
