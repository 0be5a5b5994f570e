#include "net/back_end.h"
#include "net/module.h"
#include "base/module.h"

#include <string.h>

const struct net_back_end *net_back_end_at(int index) {
    const struct net_back_end *cuda = net_module_open("cuda", NULL);
    if (index == 0 && cuda)
        return cuda;
    return index == (cuda != NULL) ? &net_cpu : NULL;
}

/* The CUDA module is loaded only if the machine has a driver for it: the libraries that it needs take hundreds of
 * megabytes. */
static const struct net_back_end *find_any(void) {
    const struct net_back_end *cuda = module_has_library("libcuda.so.1") ? net_module_open("cuda", NULL) : NULL;
    return cuda && !cuda->absent() ? cuda : &net_cpu;
}

/* If the CPU is asked for by name, no other back end is tried, for the same reason. */
const struct net_back_end *net_back_end_find(const char *name, soloist_error *error) {
    if (!name || !strcmp(name, "auto"))
        return find_any();
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
