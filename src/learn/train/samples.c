#include "learn/train/samples.h"

#include "base/cache_file.h"
#include "base/memory.h"
#include "soloist_extra.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A record consists of this header, the targets and the packed state. */
struct record {
    float value;
    uint32_t targets;
    struct net_drawn drawn; /* probability 0: the target is not a move of self-play by PPO */
};

struct samples {
    const soloist_domain *domain;
    const soloist_instance *instance;
    soloist_shape shape;
    /* packed: bytes of a packed state; planes, actions: floats of its planes and of its policy. */
    size_t packed, planes, actions;
    int channels, targets, symmetries;
    /* size: bytes per record; capacity: most records; room: the capacity that samples_open allocated. */
    size_t size, capacity, room;
    unsigned char *records; /* a ring buffer */
    size_t count, next;
    uint64_t added;
    double highest;
    pthread_rwlock_t lock; /* protects records, count, next, added and highest */
};

struct sample_viewer {
    unsigned char *record;
    void *state;
    soloist_move *moves;
    float *parts; /* the weights of the moves */
    float *planes, *policy;
};

/* ---- life ---- */

static bool check_domain(const soloist_domain *domain, soloist_error *error) {
    if (!domain->learn)
        return soloist_fail(error, 0, 0, "%s does not show its states to networks", domain->name);
    if (!domain->learn->whole_states)
        return soloist_fail(error, 0, 0, "a state of %s does not contain everything that a network needs",
                            domain->name);
    return true;
}

struct samples *samples_open(const soloist_domain *domain, const soloist_instance *instance, int channels,
                             size_t capacity, int targets, soloist_error *error) {
    struct samples *samples = check_domain(domain, error) ? calloc(1, sizeof *samples) : NULL;
    if (!samples)
        return NULL;
    int plain, height, width;
    samples->domain = domain;
    samples->instance = instance;
    domain->life->shape(instance, &samples->shape);
    domain->learn->planes(instance, &plain, &height, &width);
    samples->channels = channels ? channels : plain;
    samples->packed = domain->pack ? samples->shape.packed_size : samples->shape.state_size;
    samples->planes = (size_t)samples->channels * (size_t)height * (size_t)width;
    samples->actions = (size_t)domain->learn->actions(instance);
    samples->symmetries = domain->learn->symmetries ? domain->learn->symmetries(instance) : 1;
    samples->targets = targets > 0 ? targets : 1;
    samples->size = sizeof(struct record) + (size_t)samples->targets * sizeof(struct sample_target);
    samples->size = (samples->size + samples->packed + 3) & ~(size_t)3;
    samples->capacity = samples->room = capacity ? capacity : 1;
    samples->records = memory_reserve(samples->capacity * samples->size);
    pthread_rwlock_init(&samples->lock, NULL);
    if (samples->records)
        return samples;
    soloist_fail(error, 0, 0, "no memory for %zu positions", capacity);
    samples_close(samples);
    return NULL;
}

void samples_close(struct samples *samples) {
    if (!samples)
        return;
    memory_release(samples->records, samples->room * samples->size);
    pthread_rwlock_destroy(&samples->lock);
    free(samples);
}

void samples_restart(struct samples *samples, size_t capacity) {
    pthread_rwlock_wrlock(&samples->lock);
    samples->capacity = capacity < samples->room ? capacity : samples->room;
    samples->count = samples->next = 0;
    pthread_rwlock_unlock(&samples->lock);
}

void samples_shape(const struct samples *samples, soloist_shape *shape) { *shape = samples->shape; }

bool samples_fit(const struct samples *samples, const soloist_instance *instance) {
    soloist_shape shape = {0};
    int mine[3], theirs[3];
    const soloist_learn *learn = samples->domain->learn;
    samples->domain->life->shape(instance, &shape);
    learn->planes(samples->instance, &mine[0], &mine[1], &mine[2]);
    learn->planes(instance, &theirs[0], &theirs[1], &theirs[2]);
    return !memcmp(mine, theirs, sizeof mine) && (size_t)learn->actions(instance) == samples->actions &&
           shape.state_size == samples->shape.state_size && shape.packed_size == samples->shape.packed_size;
}

/* ---- adding ---- */

size_t samples_record_size(const struct samples *samples) { return samples->size; }

static struct sample_target *targets_of(void *record) {
    return (struct sample_target *)(void *)((struct record *)record + 1);
}

static unsigned char *state_of(const struct samples *samples, void *record) {
    return (unsigned char *)(targets_of(record) + samples->targets);
}

/* Keeps the `room` targets of greatest weight, in their original order, and scales their weights to sum 1. */
static uint32_t keep_heaviest(struct sample_target *kept, int room, const struct sample_target *targets, int count) {
    int held = 0;
    double sum = 0;
    for (int i = 0; i < count; i++) {
        if (!(targets[i].weight > 0))
            continue;
        if (held == room) {
            int least = 0;
            for (int k = 1; k < held; k++)
                least = kept[k].weight < kept[least].weight ? k : least;
            if (targets[i].weight <= kept[least].weight)
                continue;
            held--;
            for (int k = least; k < held; k++)
                kept[k] = kept[k + 1];
        }
        kept[held++] = targets[i];
    }
    for (int i = 0; i < held; i++)
        sum += (double)kept[i].weight;
    for (int i = 0; i < held; i++)
        kept[i].weight = (float)((double)kept[i].weight / sum);
    return (uint32_t)held;
}

void samples_write(const struct samples *samples, void *record, const void *state, float value,
                   const struct sample_target *targets, int count) {
    struct record *head = record;
    memset(record, 0, samples->size);
    head->value = value;
    head->targets = keep_heaviest(targets_of(record), samples->targets, targets, count);
    if (samples->domain->pack)
        samples->domain->pack->pack(samples->instance, state, state_of(samples, record));
    else
        memcpy(state_of(samples, record), state, samples->packed);
}

void samples_set_value(void *record, float value) { ((struct record *)record)->value = value; }

void samples_set_drawn(void *record, struct net_drawn drawn) { ((struct record *)record)->drawn = drawn; }

void samples_add(struct samples *samples, const void *records, size_t count) {
    const unsigned char *from = records;
    pthread_rwlock_wrlock(&samples->lock);
    for (size_t i = 0; i < count; i++, from += samples->size) {
        struct record head;
        memcpy(&head, from, sizeof head);
        double value = head.value < 0 ? -(double)head.value : (double)head.value;
        samples->highest = value > samples->highest ? value : samples->highest;
        memcpy(samples->records + samples->next * samples->size, from, samples->size);
        samples->next = (samples->next + 1) % samples->capacity;
        samples->count += samples->count < samples->capacity;
    }
    samples->added += count;
    pthread_rwlock_unlock(&samples->lock);
}

void samples_shuffle(const struct samples *samples, void *records, size_t count, soloist_rng *rng) {
    unsigned char *at = records;
    size_t size = samples->size;
    for (size_t i = count; i > 1; i--) {
        unsigned char *a = at + (i - 1) * size, *b = at + (size_t)soloist_rng_below(rng, (uint32_t)i) * size;
        for (size_t k = 0; k < size; k++) {
            unsigned char byte = a[k];
            a[k] = b[k], b[k] = byte;
        }
    }
}

/* ---- counts ---- */

static pthread_rwlock_t *lock_of(const struct samples *samples) { return (pthread_rwlock_t *)&samples->lock; }

size_t samples_count(const struct samples *samples) {
    pthread_rwlock_rdlock(lock_of(samples));
    size_t count = samples->count;
    pthread_rwlock_unlock(lock_of(samples));
    return count;
}

uint64_t samples_added(const struct samples *samples) {
    pthread_rwlock_rdlock(lock_of(samples));
    uint64_t added = samples->added;
    pthread_rwlock_unlock(lock_of(samples));
    return added;
}

double samples_highest(const struct samples *samples) {
    pthread_rwlock_rdlock(lock_of(samples));
    double highest = samples->highest;
    pthread_rwlock_unlock(lock_of(samples));
    return highest;
}

int samples_symmetries(const struct samples *samples) { return samples->symmetries; }

/* ---- reading ---- */

struct sample_viewer *sample_viewer_open(const struct samples *samples) {
    struct sample_viewer *viewer = calloc(1, sizeof *viewer);
    if (!viewer)
        return NULL;
    viewer->record = malloc(samples->size);
    viewer->state = malloc(samples->shape.state_size);
    viewer->planes = malloc(samples->planes * sizeof(float));
    viewer->policy = malloc(samples->actions * sizeof(float));
    size_t moves = (size_t)samples->shape.most_moves + (size_t)samples->targets;
    viewer->moves = malloc(moves * sizeof *viewer->moves);
    viewer->parts = malloc(moves * sizeof *viewer->parts);
    if (viewer->record && viewer->state && viewer->planes && viewer->policy && viewer->moves && viewer->parts)
        return viewer;
    sample_viewer_close(viewer);
    return NULL;
}

void sample_viewer_close(struct sample_viewer *viewer) {
    if (!viewer)
        return;
    free(viewer->record);
    free(viewer->state);
    free(viewer->planes);
    free(viewer->policy);
    free(viewer->moves);
    free(viewer->parts);
    free(viewer);
}

static void unpack(const struct samples *samples, struct sample_viewer *viewer) {
    const unsigned char *packed = state_of(samples, viewer->record);
    if (samples->domain->pack)
        samples->domain->pack->unpack(samples->instance, packed, viewer->state);
    else
        memcpy(viewer->state, packed, samples->packed);
}

/* Lists the position's legal moves; marks the one that was played with -1, the others with 1. */
static int mark_moves(const struct samples *samples, struct sample_viewer *viewer) {
    soloist_move drawn = targets_of(viewer->record)->move;
    int count = samples->domain->core->moves(samples->instance, viewer->state, viewer->moves);
    for (int i = 0; i < count; i++)
        viewer->parts[i] = viewer->moves[i] == drawn ? -1 : 1;
    return count;
}

static int list_targets(struct sample_viewer *viewer) {
    const struct sample_target *targets = targets_of(viewer->record);
    int count = (int)((struct record *)(void *)viewer->record)->targets;
    for (int i = 0; i < count; i++) {
        viewer->moves[i] = targets[i].move;
        viewer->parts[i] = targets[i].weight;
    }
    return count;
}

/* Turns weights of moves into a policy with one number per action. */
static void spread(const struct samples *samples, struct sample_viewer *viewer, bool drawn, float *policy) {
    const soloist_learn *learn = samples->domain->learn;
    int count = drawn ? mark_moves(samples, viewer) : list_targets(viewer);
    memset(policy, 0, samples->actions * sizeof *policy);
    if (learn->share)
        learn->share(samples->instance, viewer->state, viewer->moves, viewer->parts, count, policy);
    else
        for (int i = 0; i < count; i++)
            policy[learn->action(samples->instance, viewer->state, viewer->moves[i])] += viewer->parts[i];
}

void samples_show(const struct samples *samples, struct sample_viewer *viewer, size_t index, int symmetry,
                  float *planes, float *policy, float *value, struct net_drawn *drawn) {
    const soloist_learn *learn = samples->domain->learn;
    pthread_rwlock_rdlock(lock_of(samples));
    memcpy(viewer->record, samples->records + index * samples->size, samples->size);
    pthread_rwlock_unlock(lock_of(samples));
    unpack(samples, viewer);
    struct record head = *(struct record *)(void *)viewer->record;
    *value = head.value;
    if (drawn)
        *drawn = head.drawn;
    learn->encode(samples->instance, viewer->state, samples->channels, symmetry ? viewer->planes : planes);
    spread(samples, viewer, head.drawn.probability > 0, symmetry ? viewer->policy : policy);
    if (symmetry)
        learn->reflect(samples->instance, symmetry, samples->channels, viewer->planes, viewer->policy, planes, policy);
}

/* ---- files ---- */

#define MAGIC "SOLSMP02"

struct header {
    char magic[8];
    uint64_t size, packed, count, added;
    double highest;
};

/* The oldest samples are written first, so that loading them into a smaller ring keeps the newest. */
bool samples_save(struct samples *samples, const char *path) {
    pthread_rwlock_rdlock(&samples->lock);
    struct header header = {.size = samples->size,
                            .packed = samples->packed,
                            .count = samples->count,
                            .added = samples->added,
                            .highest = samples->highest};
    memcpy(header.magic, MAGIC, sizeof header.magic);
    size_t oldest = samples->count < samples->capacity ? 0 : samples->next * samples->size;
    size_t length = samples->count * samples->size;
    unsigned char *copy = malloc(length ? length : 1);
    if (copy) {
        memcpy(copy, samples->records + oldest, length - oldest);
        memcpy(copy + (length - oldest), samples->records, oldest);
    }
    pthread_rwlock_unlock(&samples->lock);
    bool saved = copy && cache_file_replace(path, &header, sizeof header, copy, length);
    free(copy);
    return saved;
}

bool samples_load(struct samples *samples, const char *path) {
    FILE *stream = fopen(path, "rb");
    struct header header;
    if (!stream)
        return false;
    bool good = fread(&header, sizeof header, 1, stream) == 1 && !memcmp(header.magic, MAGIC, sizeof header.magic) &&
                header.size == samples->size && header.packed == samples->packed;
    unsigned char *record = good ? malloc(samples->size) : NULL;
    for (uint64_t i = 0; record && good && i < header.count; i++) {
        good = fread(record, samples->size, 1, stream) == 1;
        if (good)
            samples_add(samples, record, 1);
    }
    good &= record != NULL;
    free(record);
    fclose(stream);
    if (good) {
        samples->added = header.added;
        samples->highest = header.highest;
    }
    return good;
}
