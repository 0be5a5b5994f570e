#include "learn/train/batches.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct place {
    float *planes, *policy, *value;
    struct net_drawn *drawn;
    int count;
    uint64_t number; /* 1 + the number of the batch that is ready here; 0: none */
};

struct maker {
    struct batches *batches;
    struct sample_viewer *viewer;
    pthread_t thread;
    bool started;
};

struct batches {
    const struct samples *samples;
    struct batches_options options;
    size_t count;    /* number of samples in the epoch */
    uint32_t *order; /* order of the samples; NULL: stored order */
    uint64_t last;   /* number of batches in all */
    struct place *places;
    struct maker *makers;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    /* Number of batches that threads have begun to make; number of batches that the reader no longer uses. */
    uint64_t begun, taken;
    bool reading, stop;
};

/* ---- making ---- */

static size_t sample_of(const struct batches *batches, uint64_t number, int row, size_t count, soloist_rng *rng) {
    if (batches->options.order == BATCHES_DRAWN)
        return soloist_rng_below(rng, (uint32_t)count);
    size_t at = (size_t)number * (size_t)batches->options.batch + (size_t)row;
    return batches->order ? batches->order[at] : at;
}

static void make(struct batches *batches, struct sample_viewer *viewer, uint64_t number, struct place *place) {
    const struct batches_options *options = &batches->options;
    size_t here = batches->count, count = batches->count, done = (size_t)number * (size_t)options->batch;
    int ways = options->symmetries && options->order != BATCHES_PLAIN ? samples_symmetries(batches->samples) : 1;
    soloist_rng rng;
    soloist_rng_seed(&rng, options->seed, number);
    if (options->order == BATCHES_DRAWN)
        count = samples_count(batches->samples), here = (size_t)options->batch, done = 0;
    place->count = here - done < (size_t)options->batch ? (int)(here - done) : options->batch;
    for (int row = 0; row < place->count; row++) {
        size_t index = sample_of(batches, number, row, count, &rng);
        int symmetry = ways > 1 ? (int)soloist_rng_below(&rng, (uint32_t)ways) : 0;
        samples_show(batches->samples, viewer, index, symmetry, place->planes + (size_t)row * options->planes,
                     place->policy + (size_t)row * options->actions, &place->value[row], &place->drawn[row]);
        place->value[row] = (float)((double)place->value[row] / options->value_scale);
    }
}

static void *make_batches(void *user) {
    struct maker *maker = user;
    struct batches *batches = maker->batches;
    uint64_t ahead = (uint64_t)batches->options.ahead;
    pthread_mutex_lock(&batches->lock);
    while (!batches->stop && batches->begun < batches->last) {
        if (batches->begun >= batches->taken + ahead) {
            pthread_cond_wait(&batches->changed, &batches->lock);
            continue;
        }
        uint64_t number = batches->begun++;
        struct place *place = &batches->places[number % ahead];
        pthread_mutex_unlock(&batches->lock);
        make(batches, maker->viewer, number, place);
        pthread_mutex_lock(&batches->lock);
        place->number = number + 1;
        pthread_cond_broadcast(&batches->changed);
    }
    pthread_mutex_unlock(&batches->lock);
    return NULL;
}

bool batches_next(struct batches *batches, struct net_batch *batch) {
    pthread_mutex_lock(&batches->lock);
    if (batches->reading) {
        batches->taken++;
        pthread_cond_broadcast(&batches->changed);
    }
    batches->reading = batches->taken < batches->last;
    const struct place *place = &batches->places[batches->taken % (uint64_t)batches->options.ahead];
    while (batches->reading && place->number != batches->taken + 1)
        pthread_cond_wait(&batches->changed, &batches->lock);
    pthread_mutex_unlock(&batches->lock);
    if (!batches->reading)
        return false;
    batch->count = place->count;
    batch->planes = place->planes;
    batch->targets = (struct net_targets){
        .policy = place->policy, .value = place->value, .drawn = batches->options.drawn ? place->drawn : NULL};
    return true;
}

/* ---- life ---- */

static bool shuffle(struct batches *batches) {
    soloist_rng rng;
    batches->order = malloc(batches->count * sizeof *batches->order);
    if (!batches->order)
        return false;
    soloist_rng_seed(&rng, batches->options.seed, UINT64_MAX);
    for (size_t i = 0; i < batches->count; i++) {
        size_t k = soloist_rng_below(&rng, (uint32_t)i + 1);
        batches->order[i] = batches->order[k];
        batches->order[k] = (uint32_t)i;
    }
    return true;
}

static void *take(const struct batches *batches, size_t count) {
    const struct net_back_end *back_end = batches->options.back_end;
    return back_end ? back_end->take(count * sizeof(float)) : malloc(count * sizeof(float));
}

static void give(const struct batches *batches, void *numbers) {
    if (!batches->options.back_end)
        free(numbers);
    else if (numbers)
        batches->options.back_end->give(numbers);
}

static bool open_places(struct batches *batches) {
    const struct batches_options *options = &batches->options;
    size_t batch = (size_t)options->batch;
    batches->places = calloc((size_t)options->ahead, sizeof *batches->places);
    batches->makers = calloc((size_t)options->threads, sizeof *batches->makers);
    if (!batches->places || !batches->makers)
        return false;
    for (int i = 0; i < options->ahead; i++) {
        struct place *place = &batches->places[i];
        place->planes = take(batches, batch * options->planes);
        place->policy = take(batches, batch * options->actions + 1);
        place->value = take(batches, batch);
        place->drawn = take(batches, batch * 2);
        if (!place->planes || !place->policy || !place->value || !place->drawn)
            return false;
    }
    return true;
}

static bool start_makers(struct batches *batches) {
    for (int i = 0; i < batches->options.threads; i++) {
        struct maker *maker = &batches->makers[i];
        maker->batches = batches;
        maker->viewer = sample_viewer_open(batches->samples);
        maker->started = maker->viewer && !pthread_create(&maker->thread, NULL, make_batches, maker);
        if (!maker->started)
            return false;
    }
    return true;
}

/* Sets how many batches there will be and the number of the first. */
static void number_batches(struct batches *batches) {
    const struct batches_options *options = &batches->options;
    size_t used = options->most && options->most < batches->count ? options->most : batches->count;
    batches->last = (used + (size_t)options->batch - 1) / (size_t)options->batch;
    if (options->order != BATCHES_DRAWN)
        return;
    batches->last = UINT64_MAX;
    batches->begun = batches->taken = options->first;
}

struct batches *batches_open(const struct samples *samples, const struct batches_options *options,
                             soloist_error *error) {
    struct batches *batches = calloc(1, sizeof *batches);
    if (!batches)
        return soloist_fail(error, 0, 0, "no memory for batches"), NULL;
    batches->samples = samples;
    batches->options = *options;
    batches->options.threads = options->threads > 0 ? options->threads : 1;
    batches->options.ahead = options->ahead > 0 ? options->ahead : batches->options.threads + 2;
    pthread_mutex_init(&batches->lock, NULL);
    pthread_cond_init(&batches->changed, NULL);
    batches->count = samples_count(samples);
    number_batches(batches);
    if (batches->count && (options->order != BATCHES_EPOCH || shuffle(batches)) && open_places(batches) &&
        start_makers(batches))
        return batches;
    soloist_fail(error, 0, 0, batches->count ? "no memory for batches" : "there are no positions to learn from");
    batches_close(batches);
    return NULL;
}

void batches_close(struct batches *batches) {
    if (!batches)
        return;
    pthread_mutex_lock(&batches->lock);
    batches->stop = true;
    pthread_cond_broadcast(&batches->changed);
    pthread_mutex_unlock(&batches->lock);
    for (int i = 0; batches->makers && i < batches->options.threads; i++) {
        if (batches->makers[i].started)
            pthread_join(batches->makers[i].thread, NULL);
        sample_viewer_close(batches->makers[i].viewer);
    }
    for (int i = 0; batches->places && i < batches->options.ahead; i++) {
        give(batches, batches->places[i].planes);
        give(batches, batches->places[i].policy);
        give(batches, batches->places[i].value);
        give(batches, batches->places[i].drawn);
    }
    free(batches->places);
    free(batches->makers);
    free(batches->order);
    pthread_mutex_destroy(&batches->lock);
    pthread_cond_destroy(&batches->changed);
    free(batches);
}
