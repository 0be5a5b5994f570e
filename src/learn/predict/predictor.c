#include "learn/predict/predictor.h"

#include "base/real.h"
#include "learn/predict/memory.h"

#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    batch_on_processor = 16,
    batch_elsewhere = 256,
    most_sizes = 8,        /* sizes of boards that are kept ready, for a network of any size */
    memory_size = 1 << 26, /* bytes of remembered predictions per size of such a network */
    batch_bytes = 1 << 24, /* bytes of a batch's values, at most, if it has more than one position */
    state_most = 1024      /* bytes of a state; predictions for larger ones are not remembered */
};

/* The network for one size of boards. */
struct sized {
    struct net own;        /* only for a network of any size */
    const struct net *net; /* NULL: this entry is free */
    size_t actions;
    int batch; /* positions in a batch */
    struct queue *queue;
    struct prediction_memory *memory;
    int users;     /* threads that use it now; while there are any, it must not be closed */
    uint64_t used; /* number of the last use */
};

struct predictor {
    struct evaluator evaluator; /* must be first: pointers to it are cast to struct predictor */
    const soloist_domain *domain;
    const struct net *net;
    const struct net_back_end *back_end;
    struct queue_settings settings;
    size_t most_remembered;
    _Atomic size_t most_bytes; /* of remembered predictions, per size of boards */
    float *parameters;         /* owned */
    /* A network of fixed size has one entry, which stays open. A network of any size has up to most_sizes; the one
     * that was not used for the longest time is closed if another size is needed. */
    struct sized sizes[most_sizes];
    pthread_mutex_t lock; /* protects `sizes` except for what an entry's users use, and the two fields below */
    pthread_cond_t released;
    uint64_t uses;
    struct queue_counts closed; /* counts of entries that were closed */
    _Atomic uint64_t remembered;
};

static struct predictor *of(struct evaluator *evaluator) { return (struct predictor *)(void *)evaluator; }

/* ---- one state ---- */

/* Computes the priors: the weights of the legal moves' actions, normalised to sum 1. */
static void answer(const struct predictor *predictor, const struct sized *sized, struct evaluation *evaluation,
                   const float *numbers) {
    const soloist_learn *learn = predictor->domain->learn;
    double sum = 0;
    evaluation->value = numbers[sized->actions];
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

static bool recall(struct predictor *predictor, struct sized *sized, struct evaluation *evaluation, float *numbers) {
    if (!sized->memory || !evaluation->priors)
        return false;
    uint64_t key = predictor->domain->core->key(evaluation->instance, evaluation->state);
    if (!prediction_memory_find(sized->memory, owner(predictor, evaluation), key, evaluation->state,
                                state_size(predictor, evaluation->instance), numbers))
        return false;
    answer(predictor, sized, evaluation, numbers);
    atomic_fetch_add_explicit(&predictor->remembered, 1, memory_order_relaxed);
    return true;
}

static void keep(struct predictor *predictor, struct sized *sized, const struct evaluation *evaluation,
                 const float *numbers) {
    if (!sized->memory)
        return;
    uint64_t key = predictor->domain->core->key(evaluation->instance, evaluation->state);
    prediction_memory_keep(sized->memory, owner(predictor, evaluation), key, evaluation->state,
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

static bool gathered_open(const struct sized *sized, struct gathered *gathered, int most) {
    size_t pointers = (size_t)most * sizeof *gathered->evaluations;
    gathered->evaluations = malloc(pointers + (2 * sized->actions + 1) * sizeof *gathered->numbers);
    if (!gathered->evaluations)
        return false;
    gathered->scratch = (float *)(void *)((char *)gathered->evaluations + pointers);
    gathered->numbers = gathered->scratch + sized->actions;
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

static void read_answer(struct predictor *predictor, struct sized *sized, const struct queue_place *place, int i,
                        struct gathered *gathered) {
    struct evaluation *evaluation = gathered->evaluations[i];
    if (!evaluation->priors) {
        evaluation->value = queue_value(sized->queue, place, i);
        return;
    }
    if (sized->actions)
        weigh(queue_logits(sized->queue, place, i), sized->actions, gathered->scratch, gathered->numbers);
    gathered->numbers[sized->actions] = queue_value(sized->queue, place, i);
    keep(predictor, sized, evaluation, gathered->numbers);
    answer(predictor, sized, evaluation, gathered->numbers);
}

static bool compute(struct predictor *predictor, struct sized *sized, struct gathered *gathered, soloist_error *error) {
    struct queue_place place;
    if (!queue_take(sized->queue, gathered->count, &place, error))
        return false;
    for (int i = 0; i < gathered->count; i++)
        predictor->domain->learn->encode(gathered->evaluations[i]->instance, gathered->evaluations[i]->state,
                                         net_input(predictor->net).channels, queue_planes(sized->queue, &place, i));
    bool good = queue_compute(sized->queue, &place, gathered->priors, error);
    for (int i = 0; good && i < gathered->count; i++)
        read_answer(predictor, sized, &place, i, gathered);
    queue_leave(sized->queue, &place);
    gathered->count = 0;
    gathered->priors = false;
    return good;
}

/* Evaluates states of one size. */
static bool judge_sized(struct predictor *predictor, struct sized *sized, struct evaluation *evaluations, int count,
                        soloist_error *error) {
    struct gathered gathered = {0};
    if (!gathered_open(sized, &gathered, count))
        return soloist_fail(error, 0, 0, "no memory for the network's inputs and outputs");
    bool good = true;
    for (int i = 0; good && i < count; i++) {
        if (recall(predictor, sized, &evaluations[i], gathered.numbers))
            continue;
        gathered.evaluations[gathered.count++] = &evaluations[i];
        gathered.priors |= evaluations[i].priors != NULL;
        if (gathered.count == sized->batch)
            good = compute(predictor, sized, &gathered, error);
    }
    if (good && gathered.count)
        good = compute(predictor, sized, &gathered, error);
    free(gathered.evaluations);
    return good;
}

/* ---- sizes ---- */

static struct net_shape shape_of(const struct predictor *predictor, const soloist_instance *instance) {
    struct net_shape shape;
    predictor->domain->learn->planes(instance, &shape.channels, &shape.height, &shape.width);
    return shape;
}

static void close_sized(struct predictor *predictor, struct sized *sized) {
    if (sized->queue) {
        struct queue_counts counts = queue_count(sized->queue);
        predictor->closed.judged += counts.judged;
        predictor->closed.batches += counts.batches;
    }
    queue_close(sized->queue);
    prediction_memory_close(sized->memory);
    net_free(&sized->own);
    *sized = (struct sized){0};
}

/* How many predictions are remembered for boards of one size. */
static size_t count_remembered(struct predictor *predictor, size_t numbers) {
    size_t most = predictor->most_remembered, bytes = atomic_load(&predictor->most_bytes);
    size_t affordable = prediction_memory_room(bytes, numbers, state_most) + 1;
    return most < affordable ? most : affordable;
}

/* The values of all layers for one position. Layers that share a buffer count once. */
static size_t count_values(const struct net *net) {
    int owner[NET_MOST_LAYERS + 1];
    size_t sizes[NET_MOST_LAYERS + 1] = {0}, sum = net_shape_size(net_input(net));
    net_share_buffers(net, owner);
    for (int i = 1; i <= net->count; i++) {
        size_t size = net_shape_size(net->layers[i].out), *shared = &sizes[owner[i]];
        *shared = size > *shared ? size : *shared;
    }
    for (int i = 1; i <= net->count; i++)
        sum += sizes[i];
    return sum;
}

/* The usual batch; less on large boards, whose batches would take much memory without being faster. */
static int batch_for(const struct predictor *predictor, size_t values) {
    size_t most = batch_bytes / (values * sizeof(float) + 1), usual = (size_t)predictor->settings.batch;
    return predictor->evaluator.apart || most >= usual ? (int)usual : most > 1 ? (int)most : 1;
}

static bool open_sized(struct predictor *predictor, struct sized *sized, soloist_error *error) {
    struct queue_settings settings = predictor->settings;
    sized->actions = (size_t)net_actions(sized->net);
    settings.batch = sized->batch = batch_for(predictor, count_values(sized->net));
    sized->queue = queue_open(sized->net, predictor->parameters, predictor->back_end, &settings, error);
    if (!sized->queue)
        return false;
    size_t numbers = sized->actions + 1, most = count_remembered(predictor, numbers);
    sized->memory = prediction_memory_open(most, numbers, state_most);
    return sized->memory || !most || soloist_fail(error, 0, 0, "no memory to remember %zu predictions", most);
}

/* Finds the entry of a size; otherwise a free one or, last, the one unused for the longest time. NULL: all are in use.
 */
static struct sized *find_sized(struct predictor *predictor, struct net_shape shape) {
    struct sized *oldest = NULL;
    for (int i = 0; i < most_sizes; i++) {
        struct sized *sized = &predictor->sizes[i];
        struct net_shape has = sized->net ? net_input(sized->net) : (struct net_shape){0};
        if (sized->net && has.height == shape.height && has.width == shape.width)
            return sized;
        if (!sized->users && (!oldest || sized->used < oldest->used))
            oldest = sized;
    }
    return oldest;
}

/* Takes the network for an instance's size, for as long as the caller uses it; NULL with an error. */
static struct sized *take_sized(struct predictor *predictor, const soloist_instance *instance, soloist_error *error) {
    if (!net_is_any_size(predictor->net))
        return &predictor->sizes[0];
    struct net_shape shape = shape_of(predictor, instance);
    struct sized *sized;
    pthread_mutex_lock(&predictor->lock);
    while (!(sized = find_sized(predictor, shape)))
        pthread_cond_wait(&predictor->released, &predictor->lock);
    bool good = true;
    if (!sized->net || net_input(sized->net).height != shape.height || net_input(sized->net).width != shape.width) {
        close_sized(predictor, sized);
        good = net_at_size(predictor->net, shape.height, shape.width, &sized->own, error);
        sized->net = good ? &sized->own : NULL;
        good = good && open_sized(predictor, sized, error);
        if (!good)
            close_sized(predictor, sized);
    }
    sized->users += good;
    sized->used = ++predictor->uses;
    pthread_mutex_unlock(&predictor->lock);
    return good ? sized : NULL;
}

static void release_sized(struct predictor *predictor, struct sized *sized) {
    if (!net_is_any_size(predictor->net))
        return;
    pthread_mutex_lock(&predictor->lock);
    sized->users--;
    pthread_cond_signal(&predictor->released);
    pthread_mutex_unlock(&predictor->lock);
}

/* The number of evaluations at the beginning whose instances have the size of the first. */
static int count_same_size(const struct predictor *predictor, const struct evaluation *evaluations, int count) {
    if (!net_is_any_size(predictor->net))
        return count;
    struct net_shape shape = shape_of(predictor, evaluations[0].instance);
    int same = 1;
    for (; same < count; same++) {
        if (evaluations[same].instance == evaluations[same - 1].instance)
            continue;
        struct net_shape next = shape_of(predictor, evaluations[same].instance);
        if (next.height != shape.height || next.width != shape.width)
            break;
    }
    return same;
}

static bool judge(struct evaluator *evaluator, struct evaluation *evaluations, int count, soloist_error *error) {
    struct predictor *predictor = of(evaluator);
    bool good = true;
    for (int from = 0; good && from < count;) {
        int same = count_same_size(predictor, evaluations + from, count - from);
        struct sized *sized = take_sized(predictor, evaluations[from].instance, error);
        good = sized && judge_sized(predictor, sized, evaluations + from, same, error);
        if (sized)
            release_sized(predictor, sized);
        from += same;
    }
    return good;
}

/* ---- life ---- */

static bool reads_actions(const struct net *net, int actions, soloist_error *error) {
    return !net->policy || actions == net_actions(net) ||
           soloist_fail(error, 0, 0, "the instance has %d actions, but the network's policy has %d", actions,
                        net_actions(net));
}

bool predictor_reads(const struct net *net, const soloist_domain *domain, const soloist_instance *instance,
                     soloist_error *error) {
    struct net_shape wants = net_input(net);
    int channels, height, width, actions = domain->learn->actions(instance);
    domain->learn->planes(instance, &channels, &height, &width);
    bool reads = wants.channels == channels || wants.channels == channels + domain->learn->more_planes;
    if (net_is_any_size(net) && !reads)
        return soloist_fail(error, 0, 0, "the instance has %d planes, but the network reads %d", channels,
                            wants.channels);
    if (!net_is_any_size(net) && (!reads || height != wants.height || width != wants.width))
        return soloist_fail(error, 0, 0, "the instance has planes of %dx%dx%d, but the network reads %dx%dx%d",
                            channels, height, width, wants.channels, wants.height, wants.width);
    if (!net_is_any_size(net))
        return reads_actions(net, actions, error);
    struct net sized;
    if (!net_at_size(net, height, width, &sized, error))
        return false;
    reads = reads_actions(&sized, actions, error);
    net_free(&sized);
    return reads;
}

/* How many times as many cells the instance has as the shapes of the network, which may accept boards of any size. */
static double scale_of(const struct predictor *predictor, const soloist_instance *instance) {
    struct net_shape shape = shape_of(predictor, instance), own = net_input(predictor->net);
    return (double)shape.height * shape.width / ((double)own.height * own.width);
}

/* A core computes this many multiplications in a few hundredths of a second. Another device computes its largest batch
 * in less. */
static int at_once(const struct evaluator *self, const soloist_instance *instance) {
    static const double affordable = 2e9;
    const struct predictor *predictor = (const struct predictor *)(const void *)self;
    double states = affordable / (net_multiplications(predictor->net) * scale_of(predictor, instance) + 1);
    return states > INT_MAX || self->apart ? INT_MAX : states < 1 ? 1 : (int)states;
}

/* What one batch takes: its values, the network's outputs, and the weights in the order in which they are computed
 * with, of which a transformed kernel has four times as many. */
static size_t lane_bytes(const struct predictor *predictor, size_t values, size_t actions) {
    size_t batch = (size_t)batch_for(predictor, values), scratch = 1 << 20;
    size_t weights = predictor->evaluator.apart ? 0 : 6 * predictor->net->parameters;
    return (batch * (values + actions) + weights) * sizeof(float) + scratch;
}

static void limit_memory(struct predictor *predictor, size_t most) {
    size_t now = atomic_load(&predictor->most_bytes);
    while (now > most && !atomic_compare_exchange_weak(&predictor->most_bytes, &now, most))
        ;
    pthread_mutex_lock(&predictor->lock);
    for (int i = 0; i < most_sizes; i++)
        prediction_memory_limit(predictor->sizes[i].memory,
                                prediction_memory_room(most, predictor->sizes[i].actions + 1, state_most));
    pthread_mutex_unlock(&predictor->lock);
}

static size_t expect(struct evaluator *self, const soloist_instance *instance, int threads, size_t limit) {
    struct predictor *predictor = of(self);
    const struct net *net = predictor->net;
    size_t lanes = (size_t)(threads < predictor->settings.queues ? threads : predictor->settings.queues);
    size_t values = (size_t)((double)count_values(net) * scale_of(predictor, instance));
    size_t actions = net->policy ? (size_t)predictor->domain->learn->actions(instance) : 0;
    if (limit)
        limit_memory(predictor, limit / 8);
    return lanes * lane_bytes(predictor, values, actions) + 3 * net->parameters * sizeof(float) +
           prediction_memory_bytes(count_remembered(predictor, actions + 1), actions + 1, state_most);
}

static bool fits(const struct evaluator *evaluator, const soloist_instance *instance, soloist_error *error) {
    const struct predictor *predictor = (const struct predictor *)(const void *)evaluator;
    return predictor_reads(predictor->net, predictor->domain, instance, error);
}

static void forget(struct evaluator *evaluator) {
    struct predictor *predictor = of(evaluator);
    pthread_mutex_lock(&predictor->lock);
    for (int i = 0; i < most_sizes; i++)
        prediction_memory_clear(predictor->sizes[i].memory);
    pthread_mutex_unlock(&predictor->lock);
}

void predictor_close(struct predictor *predictor) {
    if (!predictor)
        return;
    for (int i = 0; i < most_sizes; i++)
        close_sized(predictor, &predictor->sizes[i]);
    pthread_mutex_destroy(&predictor->lock);
    pthread_cond_destroy(&predictor->released);
    free(predictor->parameters);
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
    size_t size = predictor->net->parameters * sizeof(float);
    predictor->settings = settle(options, predictor->back_end);
    predictor->most_remembered = (size_t)options->remembered;
    atomic_init(&predictor->most_bytes, net_is_any_size(predictor->net) ? memory_size : SIZE_MAX / 2);
    predictor->evaluator.batch = predictor->settings.batch;
    predictor->evaluator.apart = predictor->back_end != &net_cpu;
    predictor->parameters = malloc(size + 1);
    if (!predictor->parameters)
        return soloist_fail(error, 0, 0, "no memory for a network");
    memcpy(predictor->parameters, parameters, size);
    if (net_is_any_size(predictor->net))
        return true;
    predictor->sizes[0].net = predictor->net;
    return open_sized(predictor, &predictor->sizes[0], error);
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
    pthread_mutex_init(&predictor->lock, NULL);
    pthread_cond_init(&predictor->released, NULL);
    predictor->evaluator = (struct evaluator){.has_policy = net->policy,
                                              .has_value = net->value,
                                              .at_once = at_once,
                                              .expect = expect,
                                              .fits = fits,
                                              .judge = judge,
                                              .forget = forget};
    predictor->evaluator.self = &predictor->evaluator;
    if (open_parts(predictor, parameters, options, error))
        return predictor;
    predictor_close(predictor);
    return NULL;
}

struct evaluator *predictor_evaluator(struct predictor *predictor) {
    return &predictor->evaluator;
}

bool predictor_set(struct predictor *predictor, const float *parameters, soloist_error *error) {
    forget(&predictor->evaluator);
    memcpy(predictor->parameters, parameters, predictor->net->parameters * sizeof(float));
    for (int i = 0; i < most_sizes; i++)
        if (predictor->sizes[i].queue && !queue_set(predictor->sizes[i].queue, parameters, error))
            return false;
    return true;
}

void predictor_remember(struct predictor *predictor, size_t count, size_t bytes, size_t state) {
    struct sized *sized = &predictor->sizes[0];
    size_t room = prediction_memory_room(bytes, sized->actions + 1, state);
    prediction_memory_close(sized->memory);
    sized->memory = prediction_memory_open(count < room ? count : room, sized->actions + 1, state);
}

struct predictor_counts predictor_count(struct predictor *predictor) {
    struct predictor_counts sum = {.remembered = atomic_load_explicit(&predictor->remembered, memory_order_relaxed)};
    pthread_mutex_lock(&predictor->lock);
    sum.judged = predictor->closed.judged;
    sum.batches = predictor->closed.batches;
    for (int i = 0; i < most_sizes; i++)
        if (predictor->sizes[i].queue) {
            struct queue_counts counts = queue_count(predictor->sizes[i].queue);
            sum.judged += counts.judged;
            sum.batches += counts.batches;
        }
    pthread_mutex_unlock(&predictor->lock);
    return sum;
}
