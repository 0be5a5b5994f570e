#include "learn/predictor.h"

#include "learn/memory.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* A runner with the room for one batch. */
struct lane {
    struct net_runner *runner;
    float *planes;  /* the runner's own */
    float *numbers; /* of each position the actions' probabilities, then the value */
    float *logits, *values;
    int *asked; /* which evaluation stands in each place of the batch */
    bool busy;
};

struct predictor {
    struct evaluator evaluator; /* first: a pointer to it is one to this */
    const soloist_domain *domain;
    const struct net *net;
    const struct net_back_end *back_end;
    struct predictor_options options;
    size_t actions;
    struct lane *lanes;
    pthread_mutex_t lock;
    pthread_cond_t freed;
    struct prediction_memory *memory;
    _Atomic uint64_t judged, remembered;
};

static struct predictor *of(struct evaluator *evaluator) { return (struct predictor *)(void *)evaluator; }

/* ---- one batch ---- */

static struct lane *take_lane(struct predictor *predictor) {
    struct lane *lane = NULL;
    pthread_mutex_lock(&predictor->lock);
    while (!lane) {
        for (int64_t i = 0; i < predictor->options.runners && !lane; i++)
            if (!predictor->lanes[i].busy)
                lane = &predictor->lanes[i];
        if (!lane)
            pthread_cond_wait(&predictor->freed, &predictor->lock);
    }
    lane->busy = true;
    pthread_mutex_unlock(&predictor->lock);
    return lane;
}

static void give_lane(struct predictor *predictor, struct lane *lane) {
    pthread_mutex_lock(&predictor->lock);
    lane->busy = false;
    pthread_cond_signal(&predictor->freed);
    pthread_mutex_unlock(&predictor->lock);
}

/* From all actions' probabilities to the moves': what illegal actions have is shared out. */
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
            sum > 1e-20 ? (float)((double)evaluation->priors[i] / sum) : 1.0f / (float)evaluation->move_count;
}

static size_t state_size(const struct predictor *predictor, const soloist_instance *instance) {
    soloist_shape shape;
    predictor->domain->life->shape(instance, &shape);
    return shape.state_size;
}

static bool recall(struct predictor *predictor, struct evaluation *evaluation, float *numbers) {
    uint64_t key = predictor->domain->core->key(evaluation->instance, evaluation->state);
    return prediction_memory_find(predictor->memory, evaluation->instance, key, evaluation->state,
                                  state_size(predictor, evaluation->instance), numbers);
}

static void keep(struct predictor *predictor, const struct evaluation *evaluation, const float *numbers) {
    uint64_t key = predictor->domain->core->key(evaluation->instance, evaluation->state);
    prediction_memory_keep(predictor->memory, evaluation->instance, key, evaluation->state,
                           state_size(predictor, evaluation->instance), numbers);
}

/* The positions gathered in a lane, through the network and back to who asked. */
static bool run_lane(struct predictor *predictor, struct lane *lane, struct evaluation *evaluations, int count,
                     soloist_error *error) {
    size_t actions = predictor->actions;
    if (!predictor->back_end->forward(lane->runner, lane->planes, count, lane->logits, lane->values, error))
        return false;
    for (int i = 0; i < count; i++) {
        if (actions) {
            memcpy(lane->numbers, lane->logits + (size_t)i * actions, actions * sizeof(float));
            net_softmax(lane->numbers, (int)actions);
        }
        lane->numbers[actions] = predictor->net->value ? lane->values[i] : 0;
        keep(predictor, &evaluations[lane->asked[i]], lane->numbers);
        answer(predictor, &evaluations[lane->asked[i]], lane->numbers);
    }
    atomic_fetch_add_explicit(&predictor->judged, (uint64_t)count, memory_order_relaxed);
    return true;
}

static bool judge(struct evaluator *evaluator, struct evaluation *evaluations, int count, soloist_error *error) {
    struct predictor *predictor = of(evaluator);
    struct lane *lane = take_lane(predictor);
    size_t planes = net_shape_size(net_input(predictor->net));
    int gathered = 0;
    bool good = true;
    for (int i = 0; good && i < count; i++) {
        if (recall(predictor, &evaluations[i], lane->numbers)) {
            answer(predictor, &evaluations[i], lane->numbers);
            atomic_fetch_add_explicit(&predictor->remembered, 1, memory_order_relaxed);
            continue;
        }
        predictor->domain->learn->encode(evaluations[i].instance, evaluations[i].state,
                                         lane->planes + (size_t)gathered * planes);
        lane->asked[gathered++] = i;
        if (gathered == predictor->options.batch) {
            good = run_lane(predictor, lane, evaluations, gathered, error);
            gathered = 0;
        }
    }
    if (good && gathered)
        good = run_lane(predictor, lane, evaluations, gathered, error);
    give_lane(predictor, lane);
    return good;
}

/* ---- life ---- */

static bool fits(const struct evaluator *evaluator, const soloist_instance *instance, soloist_error *error) {
    const struct predictor *predictor = (const struct predictor *)(const void *)evaluator;
    const soloist_learn *learn = predictor->domain->learn;
    struct net_shape wants = net_input(predictor->net);
    int channels, height, width;
    learn->planes(instance, &channels, &height, &width);
    if (channels != wants.channels || height != wants.height || width != wants.width)
        return soloist_fail(error, 0, 0, "the instance has planes of %dx%dx%d, the network reads %dx%dx%d", channels,
                            height, width, wants.channels, wants.height, wants.width);
    int actions = learn->actions(instance);
    if (predictor->net->policy && actions != net_actions(predictor->net))
        return soloist_fail(error, 0, 0, "the instance has %d actions, the network's policy %d", actions,
                            net_actions(predictor->net));
    return true;
}

static void forget(struct evaluator *evaluator) { prediction_memory_clear(of(evaluator)->memory); }

static bool open_lane(struct predictor *predictor, struct lane *lane, const float *parameters, soloist_error *error) {
    size_t batch = (size_t)predictor->options.batch;
    struct net_runner_options options = {.batch = (int)batch, .threads = (int)predictor->options.threads};
    lane->runner = predictor->back_end->open(predictor->net, &options, error);
    if (!lane->runner || !predictor->back_end->set(lane->runner, parameters, error))
        return false;
    lane->planes = predictor->back_end->slot(lane->runner);
    lane->numbers = malloc((predictor->actions + 1) * sizeof(float));
    lane->logits = malloc((batch * predictor->actions + 1) * sizeof(float));
    lane->values = malloc(batch * sizeof(float));
    lane->asked = malloc(batch * sizeof *lane->asked);
    if (lane->numbers && lane->logits && lane->values && lane->asked)
        return true;
    return soloist_fail(error, 0, 0, "no memory for a batch of %zu positions", batch);
}

void predictor_close(struct predictor *predictor) {
    if (!predictor)
        return;
    for (int64_t i = 0; predictor->lanes && i < predictor->options.runners; i++) {
        struct lane *lane = &predictor->lanes[i];
        if (lane->runner)
            predictor->back_end->close(lane->runner);
        free(lane->numbers);
        free(lane->logits);
        free(lane->values);
        free(lane->asked);
    }
    free(predictor->lanes);
    prediction_memory_close(predictor->memory);
    pthread_mutex_destroy(&predictor->lock);
    pthread_cond_destroy(&predictor->freed);
    free(predictor);
}

static bool open_lanes(struct predictor *predictor, const float *parameters, soloist_error *error) {
    size_t runners = (size_t)predictor->options.runners, remembered = (size_t)predictor->options.remembered;
    predictor->lanes = calloc(runners, sizeof *predictor->lanes);
    if (!predictor->lanes)
        return soloist_fail(error, 0, 0, "no memory for %zu runners", runners);
    for (size_t i = 0; i < runners; i++)
        if (!open_lane(predictor, &predictor->lanes[i], parameters, error))
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
    predictor->options = *options;
    predictor->actions = (size_t)net_actions(net);
    predictor->evaluator = (struct evaluator){.has_policy = net->policy,
                                              .has_value = net->value,
                                              .batch = (int)options->batch,
                                              .fits = fits,
                                              .judge = judge,
                                              .forget = forget};
    pthread_mutex_init(&predictor->lock, NULL);
    pthread_cond_init(&predictor->freed, NULL);
    if (open_lanes(predictor, parameters, error))
        return predictor;
    predictor_close(predictor);
    return NULL;
}

struct evaluator *predictor_evaluator(struct predictor *predictor) {
    return &predictor->evaluator;
}

bool predictor_set(struct predictor *predictor, const float *parameters, soloist_error *error) {
    prediction_memory_clear(predictor->memory);
    for (int64_t i = 0; i < predictor->options.runners; i++)
        if (!predictor->back_end->set(predictor->lanes[i].runner, parameters, error))
            return false;
    return true;
}

struct predictor_counts predictor_count(struct predictor *predictor) {
    return (struct predictor_counts){atomic_load_explicit(&predictor->judged, memory_order_relaxed),
                                     atomic_load_explicit(&predictor->remembered, memory_order_relaxed)};
}
