/* Back ends that compute networks: the CPU or a GPU. A runner is one network with its parameters on one back end, for
 * batches up to a fixed size. Planes are laid out as the domains write them: [position][channel][height][width]. */
#ifndef NET_BACK_END_H
#define NET_BACK_END_H

#include "net/loss.h"
#include "net/net.h"
#include "net/optimiser.h"

struct net_runner_options {
    int batch;   /* maximum number of positions per call; 0: 64 */
    int threads; /* threads on the CPU; 0: one */
    bool train;  /* the runner can compute gradients and train */
    struct optimiser_options optimiser;
};

struct net_batch {
    int count;
    const float *planes;
    struct net_targets targets;
    struct net_loss loss;
};

/* The first member of every runner; each back end adds its own fields after it. */
struct net_runner {
    const struct net_back_end *back_end;
    const struct net *net; /* borrowed: must outlive the runner */
    struct net_runner_options options;
};

/* The state of an optimiser: two numbers per parameter, and the number of steps made so far. The caller owns the
 * arrays. */
struct net_memory {
    float *mean, *square;
    uint64_t steps;
};

/* The functions of a back end; each back end has one constant table of them. Only one thread at a time may call a
 * runner, but several runners may work at once. */
struct net_back_end {
    const char *name;
    /* Returns one sentence that says why this back end cannot run here, or NULL if it can. */
    const char *(*absent)(void);
    const char *(*about)(void); /* a few words on the hardware that it uses */
    /* Makes a runner, or returns NULL with an error. Its parameters are all zero until they are set. */
    struct net_runner *(*open)(const struct net *net, const struct net_runner_options *options, soloist_error *error);
    void (*close)(struct net_runner *runner);
    /* `set` and `get` copy the parameters: net->parameters floats in the layout of net.h. `set` also resets the
     * optimiser. */
    bool (*set)(struct net_runner *runner, const float *parameters, soloist_error *error);
    bool (*get)(struct net_runner *runner, float *parameters, soloist_error *error);
    /* The runner's own buffer for a batch of planes. If the planes are written there, `forward` need not copy them. */
    float *(*slot)(struct net_runner *runner);
    /* Allocate and free memory that this back end accesses fastest, for batches and results; NULL: no memory. */
    void *(*take)(size_t size);
    void (*give)(void *memory);
    /* Computes logits [count][actions] and values [count]; either pointer may be NULL. */
    bool (*forward)(struct net_runner *runner, const float *planes, int count, float *logits, float *values,
                    soloist_error *error);
    /* Computes the loss and its gradients (an array of net->parameters floats); the parameters do not change. */
    bool (*gradients)(struct net_runner *runner, const struct net_batch *batch, float *gradients,
                      struct net_losses *losses, soloist_error *error);
    /* Copy the optimiser's state, so that training can continue later as if it had not stopped. */
    bool (*get_memory)(struct net_runner *runner, struct net_memory *memory, soloist_error *error);
    bool (*set_memory)(struct net_runner *runner, const struct net_memory *memory, soloist_error *error);
    /* One step of the optimiser, at the learning rate that runner->options holds at this time; *losses are the losses
     * before the step. */
    bool (*step)(struct net_runner *runner, const struct net_batch *batch, struct net_losses *losses,
                 soloist_error *error);
};

extern const struct net_back_end net_cpu;

/* The back ends, best first; NULL after the last. A back end in a separate file is included if it can be loaded
 * (module.h). */
const struct net_back_end *net_back_end_at(int index);
/* Finds a back end by name; NULL or "auto": the best that can run here. On failure returns NULL with an error. */
const struct net_back_end *net_back_end_find(const char *name, soloist_error *error);

/* The checks that every back end makes first. */
bool net_runner_check(const struct net_runner *runner, int count, soloist_error *error);
bool net_runner_check_batch(const struct net_runner *runner, const struct net_batch *batch, soloist_error *error);

#endif
