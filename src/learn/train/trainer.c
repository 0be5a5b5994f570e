#include "learn/train/trainer.h"
#include "base/stop.h"

#include <stdlib.h>

struct trainer {
    const struct net *net;
    const struct net_back_end *back_end;
    struct training_options options;
    struct net_runner *runner;
    double entropy;                                             /* weight of the entropy bonus */
    float *logits, *values, *logit_gradients, *value_gradients; /* for validation */
};

/* ---- life ---- */

static bool open_runner(struct trainer *trainer, const float *parameters, soloist_error *error) {
    const struct training_options *o = &trainer->options;
    struct net_runner_options options = {.batch = (int)o->batch, .threads = (int)o->net_threads, .train = true};
    soloist_options_reset(optimiser_options_rows, &options.optimiser);
    options.optimiser.rate = o->rate;
    options.optimiser.optimiser = o->optimiser;
    options.optimiser.squares = o->square_decay;
    options.optimiser.epsilon = o->epsilon;
    options.optimiser.l2 = o->l2;
    options.optimiser.clip = o->max_grad_norm;
    trainer->runner = trainer->back_end->open(trainer->net, &options, error);
    return trainer->runner && trainer->back_end->set(trainer->runner, parameters, error);
}

struct trainer *trainer_open(const struct net *net, const float *parameters, const char *back_end,
                             const struct training_options *options, soloist_error *error) {
    const struct net_back_end *chosen = net_back_end_find(back_end, error);
    struct trainer *trainer = chosen ? calloc(1, sizeof *trainer) : NULL;
    if (!trainer)
        return chosen ? (soloist_fail(error, 0, 0, "no memory for a network"), NULL) : NULL;
    size_t batch = (size_t)options->batch, logits = batch * (size_t)net_actions(net) + 1;
    trainer->net = net;
    trainer->back_end = chosen;
    trainer->options = *options;
    trainer->logits = malloc(logits * sizeof(float));
    trainer->logit_gradients = malloc(logits * sizeof(float));
    trainer->values = malloc(batch * sizeof(float));
    trainer->value_gradients = malloc(batch * sizeof(float));
    bool room = trainer->logits && trainer->logit_gradients && trainer->values && trainer->value_gradients;
    if (!room)
        soloist_fail(error, 0, 0, "no memory for batches of %zu", batch);
    if (room && open_runner(trainer, parameters, error))
        return trainer;
    trainer_close(trainer);
    return NULL;
}

void trainer_close(struct trainer *trainer) {
    if (!trainer)
        return;
    if (trainer->runner)
        trainer->back_end->close(trainer->runner);
    free(trainer->logits);
    free(trainer->logit_gradients);
    free(trainer->values);
    free(trainer->value_gradients);
    free(trainer);
}

const char *trainer_back_end(const struct trainer *trainer) { return trainer->back_end->name; }

bool trainer_set(struct trainer *trainer, const float *parameters, soloist_error *error) {
    return trainer->back_end->set(trainer->runner, parameters, error);
}

bool trainer_get(struct trainer *trainer, float *parameters, soloist_error *error) {
    return trainer->back_end->get(trainer->runner, parameters, error);
}

bool trainer_get_memory(struct trainer *trainer, struct net_memory *memory, soloist_error *error) {
    return trainer->back_end->get_memory(trainer->runner, memory, error);
}

bool trainer_set_memory(struct trainer *trainer, const struct net_memory *memory, soloist_error *error) {
    return trainer->back_end->set_memory(trainer->runner, memory, error);
}

void trainer_set_entropy(struct trainer *trainer, double weight) { trainer->entropy = weight; }

/* ---- settings ---- */

struct batches_options trainer_batches(const struct trainer *trainer, enum batches_order order, uint64_t seed) {
    return (struct batches_options){.order = order,
                                    .batch = (int)trainer->options.batch,
                                    .threads = (int)trainer->options.batch_threads,
                                    .seed = seed,
                                    .symmetries = trainer->options.symmetries,
                                    .value_scale = trainer->options.value_scale,
                                    .planes = net_shape_size(net_input(trainer->net)),
                                    .actions = (size_t)net_actions(trainer->net),
                                    .back_end = trainer->back_end};
}

/* The cosine is replaced by a smoothstep polynomial, which differs from it by at most 0.01 and, unlike cos(), gives the
 * same result on every machine. */
double trainer_rate(const struct training_options *options, uint64_t steps, double done) {
    double t = done < 0 ? 0 : done > 1 ? 1 : done, rate = options->rate * (1 - t * t * (3 - 2 * t));
    double rise = options->warm_up ? ((double)steps + 1) / (double)options->warm_up : 1;
    return rise < 1 ? rate * rise : rate;
}

double trainer_value_weight(const struct training_options *options, double highest) {
    double most = (highest > 1 ? highest : 1) / options->value_scale;
    return options->value_weight / (most * most);
}

static struct net_loss loss_of(const struct trainer *trainer, double highest) {
    return (struct net_loss){.value_weight = (float)trainer_value_weight(&trainer->options, highest),
                             .under = (float)trainer->options.underestimate_weight,
                             .over = (float)trainer->options.overestimate_weight,
                             .entropy = (float)trainer->entropy,
                             .clip_range = (float)trainer->options.clip_range};
}

/* Removes the targets of heads that the network does not have. */
static void leave_out_heads(const struct trainer *trainer, struct net_batch *batch) {
    if (!trainer->net->policy)
        batch->targets.policy = NULL;
    if (!trainer->net->value)
        batch->targets.value = NULL;
}

/* ---- steps ---- */

bool trainer_step(struct trainer *trainer, struct net_batch *batch, double rate, double highest,
                  struct net_losses *losses, soloist_error *error) {
    leave_out_heads(trainer, batch);
    batch->loss = loss_of(trainer, highest);
    trainer->runner->options.optimiser.rate = rate;
    return trainer->back_end->step(trainer->runner, batch, losses, error);
}

bool trainer_forward(struct trainer *trainer, const float *planes, int count, float *logits, float *values,
                     soloist_error *error) {
    return trainer->back_end->forward(trainer->runner, planes, count, logits, values, error);
}

static void add_losses(struct net_losses *sum, const struct net_losses *part, double weight) {
    sum->policy += part->policy * weight;
    sum->value += part->value * weight;
    sum->entropy += part->entropy * weight;
    sum->total += part->total * weight;
}

static struct net_losses mean_losses(const struct net_losses *sum, double positions) {
    struct net_losses mean = {0};
    add_losses(&mean, sum, positions > 0 ? 1 / positions : 0);
    return mean;
}

bool trainer_epoch(struct trainer *trainer, const struct samples *samples, uint64_t seed, double rate, double highest,
                   soloist_stop_token *stop, void (*each_step)(void *user), void *user, struct net_losses *losses,
                   soloist_error *error) {
    struct batches_options options = trainer_batches(trainer, BATCHES_EPOCH, seed);
    struct batches *batches = batches_open(samples, &options, error);
    struct net_batch batch = {0};
    struct net_losses sum = {0}, part;
    double positions = 0;
    bool good = batches != NULL;
    while (good && !stop_token_is_stopped(stop) && batches_next(batches, &batch)) {
        each_step(user);
        good = trainer_step(trainer, &batch, rate, highest, &part, error);
        add_losses(&sum, &part, batch.count);
        positions += batch.count;
    }
    batches_close(batches);
    *losses = mean_losses(&sum, positions);
    return good;
}

/* Adds the losses of all positions of a batch, each with weight 1. */
static bool judge_batch(struct trainer *trainer, struct net_batch *batch, double highest, struct net_losses *sum,
                        soloist_error *error) {
    struct net_loss loss = loss_of(trainer, highest);
    leave_out_heads(trainer, batch);
    if (!trainer->back_end->forward(trainer->runner, batch->planes, batch->count, trainer->logits, trainer->values,
                                    error))
        return false;
    net_loss_add(&loss, &batch->targets, batch->count, 1, net_actions(trainer->net),
                 trainer->net->policy ? trainer->logits : NULL, trainer->net->value ? trainer->values : NULL,
                 trainer->logit_gradients, trainer->value_gradients, sum);
    return true;
}

bool trainer_validate(struct trainer *trainer, const struct samples *samples, size_t most, double highest,
                      struct net_losses *losses, soloist_error *error) {
    struct batches_options options = trainer_batches(trainer, BATCHES_PLAIN, 0);
    options.most = most;
    struct batches *batches = batches_open(samples, &options, error);
    struct net_batch batch = {0};
    struct net_losses sum = {0};
    double positions = 0;
    bool good = batches != NULL;
    while (good && batches_next(batches, &batch)) {
        good = judge_batch(trainer, &batch, highest, &sum, error);
        positions += batch.count;
    }
    batches_close(batches);
    *losses = mean_losses(&sum, positions);
    return good;
}
