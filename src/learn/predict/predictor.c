#include "learn/predict/predictor.h"

#include "base/real.h"
#include "learn/predict/memory.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { batch_on_processor = 16, batch_elsewhere = 256 };

struct predictor {
    struct evaluator evaluator; /* must be first: pointers to it are cast to struct predictor */
    const soloist_domain *domain;
    const struct net *net;
    const struct net_back_end *back_end;
    size_t actions;
    struct queue *queue;
    struct prediction_memory *memory;
    _Atomic uint64_t remembered;
};

static struct predictor *of(struct evaluator *evaluator) { return (struct predictor *)(void *)evaluator; }

/* ---- one state ---- */

/* Computes the priors: the weights of the legal moves' actions, normalised to sum 1. */
static void answer(const struct predictor *predictor, struct evaluation *evaluation, const float *numbers) {
    const soloist_learn *learn = predictor->domain->learn;
    double sum = 0;
    evaluation->value = numbers[predictor->actions];
    if (predictor->net->policy && learn->priors)
        learn->priors(evaluation->instance, evaluation->state, evaluation->moves, evaluation->move_count, numbers,
                      evaluation->priors);
    for (int i = 0; i < evaluation->move_count; i++) {
        if (!predictor->net->policy)
            evaluation->priors[i] = 1;
        else if (!learn->priors)
            evaluation->priors[i] =
                numbers[learn->action(evaluation->instance, evaluation->state, evaluation->moves[i])];
        sum += (double)evaluation->priors[i];
    }
    for (int i = 0; i < evaluation->move_count; i++)
        evaluation->priors[i] =
            sum > 0 ? (float)((double)evaluation->priors[i] / sum) : 1.0f / (float)evaluation->move_count;
}

/* The instance under which a prediction is cached: NULL if the network's input depends on the state alone. */
static const soloist_instance *owner(const struct predictor *predictor, const struct evaluation *evaluation) {
    return predictor->domain->learn->whole_states ? NULL : evaluation->instance;
}

static size_t state_size(const struct predictor *predictor, const soloist_instance *instance) {
    soloist_shape shape = {0};
    predictor->domain->life->shape(instance, &shape);
    return shape.state_size;
}

static bool recall(struct predictor *predictor, struct evaluation *evaluation, float *numbers) {
    if (!predictor->memory || !evaluation->priors)
        return false;
    uint64_t key = predictor->domain->core->key(evaluation->instance, evaluation->state);
    if (!prediction_memory_find(predictor->memory, owner(predictor, evaluation), key, evaluation->state,
                                state_size(predictor, evaluation->instance), numbers))
        return false;
    answer(predictor, evaluation, numbers);
    atomic_fetch_add_explicit(&predictor->remembered, 1, memory_order_relaxed);
    return true;
}

static void keep(struct predictor *predictor, const struct evaluation *evaluation, const float *numbers) {
    if (!predictor->memory)
        return;
    uint64_t key = predictor->domain->core->key(evaluation->instance, evaluation->state);
    prediction_memory_keep(predictor->memory, owner(predictor, evaluation), key, evaluation->state,
                           state_size(predictor, evaluation->instance), numbers);
}

/* ---- one batch ---- */

/* States that wait to be computed by the network as one batch. */
struct gathered {
    struct evaluation **evaluations; /* owned; the arrays `scratch` and `numbers` follow in the same block */
    float *scratch;
    float *numbers; /* the prediction for one state: the actions' weights, then the value */
    int count;
    bool priors; /* at least one evaluation wants priors */
};

static bool gathered_open(const struct predictor *predictor, struct gathered *gathered, int most) {
    size_t pointers = (size_t)most * sizeof *gathered->evaluations;
    gathered->evaluations = malloc(pointers + (2 * predictor->actions + 1) * sizeof *gathered->numbers);
    if (!gathered->evaluations)
        return false;
    gathered->scratch = (float *)(void *)((char *)gathered->evaluations + pointers);
    gathered->numbers = gathered->scratch + predictor->actions;
    return true;
}

/* Computes the actions' probabilities up to a common factor; this factor cancels out when the probabilities are
 * normalised over the legal moves. */
static void weigh(const float *logits, size_t actions, float *scratch, float *weights) {
    float most = logits[0];
    for (size_t i = 1; i < actions; i++)
        most = logits[i] > most ? logits[i] : most;
    for (size_t i = 0; i < actions; i++)
        scratch[i] = logits[i] - most;
    real_exp_floats(scratch, weights, actions);
}

static void read_answer(struct predictor *predictor, const struct queue_place *place, int i,
                        struct gathered *gathered) {
    struct evaluation *evaluation = gathered->evaluations[i];
    if (!evaluation->priors) {
        evaluation->value = queue_value(predictor->queue, place, i);
        return;
    }
    if (predictor->actions)
        weigh(queue_logits(predictor->queue, place, i), predictor->actions, gathered->scratch, gathered->numbers);
    gathered->numbers[predictor->actions] = queue_value(predictor->queue, place, i);
    keep(predictor, evaluation, gathered->numbers);
    answer(predictor, evaluation, gathered->numbers);
}

static bool compute(struct predictor *predictor, struct gathered *gathered, soloist_error *error) {
    struct queue_place place;
    if (!queue_take(predictor->queue, gathered->count, &place, error))
        return false;
    for (int i = 0; i < gathered->count; i++)
        predictor->domain->learn->encode(gathered->evaluations[i]->instance, gathered->evaluations[i]->state,
                                         net_input(predictor->net).channels, queue_planes(predictor->queue, &place, i));
    bool good = queue_compute(predictor->queue, &place, gathered->priors, error);
    for (int i = 0; good && i < gathered->count; i++)
        read_answer(predictor, &place, i, gathered);
    queue_leave(predictor->queue, &place);
    gathered->count = 0;
    gathered->priors = false;
    return good;
}

static bool judge(struct evaluator *evaluator, struct evaluation *evaluations, int count, soloist_error *error) {
    struct predictor *predictor = of(evaluator);
    struct gathered gathered = {0};
    if (!gathered_open(predictor, &gathered, count))
        return soloist_fail(error, 0, 0, "no memory for the network's inputs and outputs");
    bool good = true;
    for (int i = 0; good && i < count; i++) {
        if (recall(predictor, &evaluations[i], gathered.numbers))
            continue;
        gathered.evaluations[gathered.count++] = &evaluations[i];
        gathered.priors |= evaluations[i].priors != NULL;
        if (gathered.count == predictor->evaluator.batch)
            good = compute(predictor, &gathered, error);
    }
    if (good && gathered.count)
        good = compute(predictor, &gathered, error);
    free(gathered.evaluations);
    return good;
}

/* ---- life ---- */

bool predictor_reads(const struct net *net, const soloist_domain *domain, const soloist_instance *instance,
                     soloist_error *error) {
    struct net_shape wants = net_input(net);
    int channels, height, width, actions = domain->learn->actions(instance);
    domain->learn->planes(instance, &channels, &height, &width);
    bool reads = wants.channels == channels || wants.channels == channels + domain->learn->more_planes;
    if (!reads || height != wants.height || width != wants.width)
        return soloist_fail(error, 0, 0, "the instance has planes of %dx%dx%d, but the network reads %dx%dx%d",
                            channels, height, width, wants.channels, wants.height, wants.width);
    if (net->policy && actions != net_actions(net))
        return soloist_fail(error, 0, 0, "the instance has %d actions, but the network's policy has %d", actions,
                            net_actions(net));
    return true;
}

static bool fits(const struct evaluator *evaluator, const soloist_instance *instance, soloist_error *error) {
    const struct predictor *predictor = (const struct predictor *)(const void *)evaluator;
    return predictor_reads(predictor->net, predictor->domain, instance, error);
}

static void forget(struct evaluator *evaluator) { prediction_memory_clear(of(evaluator)->memory); }

void predictor_close(struct predictor *predictor) {
    if (!predictor)
        return;
    queue_close(predictor->queue);
    prediction_memory_close(predictor->memory);
    free(predictor);
}

/* The CPU computes one batch per core, and small batches as efficiently as large ones; a GPU computes one batch after
 * the other. */
static struct queue_settings settle(const struct predictor_options *options, const struct net_back_end *back_end) {
    bool processor = back_end == &net_cpu;
    long cores = processor ? sysconf(_SC_NPROCESSORS_ONLN) : 1;
    int64_t runners = cores > options->threads ? cores / options->threads : 1;
    runners = options->runners ? options->runners : runners < 256 ? runners : 256;
    return (struct queue_settings){.batch = (int)(options->batch ? options->batch
                                                  : processor    ? batch_on_processor
                                                                 : batch_elsewhere),
                                   .runners = (int)runners,
                                   .threads = (int)options->threads,
                                   .queues = (int)(options->queues ? options->queues : runners + (processor ? 1 : 2)),
                                   .retries = (int)options->retries,
                                   .wait_s = options->wait / 1000,
                                   .fill = options->fill};
}

static bool open_parts(struct predictor *predictor, const float *parameters, const struct predictor_options *options,
                       soloist_error *error) {
    struct queue_settings settings = settle(options, predictor->back_end);
    size_t remembered = (size_t)options->remembered;
    predictor->evaluator.batch = settings.batch;
    predictor->evaluator.apart = predictor->back_end != &net_cpu;
    predictor->queue = queue_open(predictor->net, parameters, predictor->back_end, &settings, error);
    if (!predictor->queue)
        return false;
    predictor->memory = prediction_memory_open(remembered, predictor->actions + 1);
    return predictor->memory || !remembered ||
           soloist_fail(error, 0, 0, "no memory to remember %zu predictions", remembered);
}

struct predictor *predictor_open(const soloist_domain *domain, const struct net *net, const float *parameters,
                                 const char *back_end, const struct predictor_options *options, soloist_error *error) {
    if (!domain->learn)
        return soloist_fail(error, 0, 0, "%s does not show its states to networks", domain->name), NULL;
    const struct net_back_end *chosen = net_back_end_find(back_end, error);
    struct predictor *predictor = chosen ? calloc(1, sizeof *predictor) : NULL;
    if (!predictor)
        return chosen ? (soloist_fail(error, 0, 0, "no memory for a network"), NULL) : NULL;
    predictor->domain = domain;
    predictor->net = net;
    predictor->back_end = chosen;
    predictor->actions = (size_t)net_actions(net);
    predictor->evaluator = (struct evaluator){
        .has_policy = net->policy, .has_value = net->value, .fits = fits, .judge = judge, .forget = forget};
    if (open_parts(predictor, parameters, options, error))
        return predictor;
    predictor_close(predictor);
    return NULL;
}

struct evaluator *predictor_evaluator(struct predictor *predictor) {
    return &predictor->evaluator;
}

bool predictor_set(struct predictor *predictor, const float *parameters, soloist_error *error) {
    prediction_memory_clear(predictor->memory);
    return queue_set(predictor->queue, parameters, error);
}

struct predictor_counts predictor_count(struct predictor *predictor) {
    struct queue_counts counts = queue_count(predictor->queue);
    return (struct predictor_counts){counts.judged, atomic_load_explicit(&predictor->remembered, memory_order_relaxed),
                                     counts.batches};
}
