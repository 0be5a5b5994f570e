/* The networks of one invocation: opened when the first instance needs them, and shared by all jobs. */
#ifndef CLI_LEARN_NETWORKS_H
#define CLI_LEARN_NETWORKS_H

#include "cli/input/input.h"

#include <pthread.h>

struct networks {
    const struct arg_list *given; /* FILE[:KEY=VALUE,...], as typed; NULL: none */
    int back_end;                 /* 0: not given, otherwise 1 + the index in CLI_BACK_ENDS */
    pthread_mutex_t lock;
    struct opened_network *first;
};

#define CLI_NETWORK_HELP                                                                                               \
    "network for methods that need one, e.g. policy-mcts (may be repeated); by default an installed network is used"
#define CLI_BACK_ENDS "auto|cpu|cuda"
#define CLI_BACK_END_HELP                                                                                              \
    "where networks are computed; auto, the default: on a graphics card if there is one, otherwise on the CPU"

/* From now on the engine gets its networks from *networks: the installed ones, unless networks_give names others. */
void networks_open(struct networks *networks, soloist *engine);
void networks_close(struct networks *networks);
/* From now on only the networks in `given`, which the command's options name, are used. */
void networks_give(struct networks *networks, const struct arg_list *given, int back_end);
/* Writes the name and the hash of the installed network file that a search on the puzzle would use; false with an error
 * if there is no such file. */
bool networks_name(const soloist_puzzle *puzzle, bool valued, char *name, size_t room, soloist_error *error);
/* Opens the given networks for the domains of the input. If one of them cannot be opened, or if none of them fits any
 * of the instances, prints an error message that names the command, and returns false. */
bool networks_check(struct networks *networks, const char *command, const struct input *input);
/* The same before any instance is known: each of the given networks must be one that some domain can open. */
bool networks_check_files(struct networks *networks, const char *command, const soloist *engine);

#endif
