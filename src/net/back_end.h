/* What computes networks: the processor, a graphics card. A runner is one network with its parameters on one back end,
 * for batches up to a size. Planes come as the domains write them: [position][channel][height][width]. */
#ifndef NET_BACK_END_H
#define NET_BACK_END_H

#include "net/loss.h"
#include "net/net.h"
#include "net/optimiser.h"

struct net_runner_options {
    int batch;   /* positions at once, at most; 0: 64 */
    int threads; /* of the processor; 0: 1 */
    bool train;  /* room for gradients too */
    struct optimiser_options optimiser;
};

struct net_batch {
    int count;
    const float *planes;
    struct net_targets targets;
    struct net_loss loss;
};

/* The head of every runner; the rest is the back end's own. */
struct net_runner {
    const struct net_back_end *back_end;
    const struct net *net; /* borrowed: outlives the runner */
    struct net_runner_options options;
};

/* What an optimiser has seen: two numbers a parameter and how many steps; owned by the caller. */
struct net_memory {
    float *mean, *square;
    uint64_t steps;
};

/* One constant table a back end. One thread at a time calls a runner; several runners may work at once. */
struct net_back_end {
    const char *name;
    /* One sentence why it cannot run here, or NULL. */
    const char *(*absent)(void);
    const char *(*about)(void); /* a few words on what it runs on */
    /* NULL with an error. Parameters are all zero until they are set. */
    struct net_runner *(*open)(const struct net *net, const struct net_runner_options *options, soloist_error *error);
    void (*close)(struct net_runner *runner);
    /* net->parameters floats in the layout of net.h. set also forgets what the optimiser has seen. */
    bool (*set)(struct net_runner *runner, const float *parameters, soloist_error *error);
    bool (*get)(struct net_runner *runner, float *parameters, soloist_error *error);
    /* The runner's own room for a batch of planes: what is written there needs no copy on its way. */
    float *(*slot)(struct net_runner *runner);
    /* Memory for batches and answers that this back end reads and writes fastest; NULL: no memory. */
    void *(*take)(size_t size);
    void (*give)(void *memory);
    /* Logits [count][actions] and values [count]; either may be NULL. */
    bool (*forward)(struct net_runner *runner, const float *planes, int count, float *logits, float *values,
                    soloist_error *error);
    /* The loss and its gradients, net->parameters floats; moves nothing. */
    bool (*gradients)(struct net_runner *runner, const struct net_batch *batch, float *gradients,
                      struct net_losses *losses, soloist_error *error);
    /* What the optimiser has seen, there and back: for training that goes on later as if it had not stopped. */
    bool (*get_memory)(struct net_runner *runner, struct net_memory *memory, soloist_error *error);
    bool (*set_memory)(struct net_runner *runner, const struct net_memory *memory, soloist_error *error);
    /* One step of the optimiser, by the rate that stands in runner->options now; *losses are those before it. */
    bool (*step)(struct net_runner *runner, const struct net_batch *batch, struct net_losses *losses,
                 soloist_error *error);
};

extern const struct net_back_end net_cpu;

/* Best first; NULL past the last. Those in a file of their own are there if it can be loaded (module.h). */
const struct net_back_end *net_back_end_at(int index);
/* By name; NULL or "auto": the best that can run here. NULL with an error. */
const struct net_back_end *net_back_end_find(const char *name, soloist_error *error);

/* The checks that every back end makes first. */
bool net_runner_check(const struct net_runner *runner, int count, soloist_error *error);
bool net_runner_check_batch(const struct net_runner *runner, const struct net_batch *batch, soloist_error *error);

#endif
