#include "learn/train/samples.h"

#include "base/cache_file.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/squeeze.h"
#include "soloist_extra.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A record consists of this header, the targets and the packed state. If planes are kept instead of states, the targets
 * name actions instead of moves, and after them come a bit per action, which is set if the action is legal, the planes
 * of zeros and ones as bits, and the other planes as floats. */
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
    bool keeps_planes;
    size_t mask, bits; /* if planes are kept: bytes of the legal actions, and how many numbers are kept as bits */
    int channels, targets, symmetries;
    /* size: bytes per record; capacity: maximum number of records; room: the capacity that samples_open allocated. */
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
    return true;
}

static size_t bytes_of_bits(size_t bits) { return (bits + 7) / 8; }

/* How many bytes a position takes, as a packed state or as planes. cells: numbers in a plane. */
static void choose_packing(struct samples *samples, size_t cells) {
    const soloist_domain *domain = samples->domain;
    int bit_planes = domain->learn->bit_planes < samples->channels ? domain->learn->bit_planes : samples->channels;
    samples->packed = domain->pack ? samples->shape.packed_size : samples->shape.state_size;
    samples->keeps_planes = !domain->learn->whole_states;
    if (!samples->keeps_planes)
        return;
    samples->bits = (size_t)bit_planes * cells;
    samples->mask = bytes_of_bits(samples->actions);
    samples->packed = samples->mask + bytes_of_bits(samples->bits) + (samples->planes - samples->bits) * sizeof(float);
}

struct samples *samples_open(const soloist_domain *domain, const soloist_instance *instance, int channels,
                             size_t capacity, int targets, soloist_error *error) {
    if (!check_domain(domain, error))
        return NULL;
    struct samples *samples = calloc(1, sizeof *samples);
    if (!samples)
        return soloist_fail(error, 0, 0, "no memory for positions"), NULL;
    int plain, height, width;
    samples->domain = domain;
    samples->instance = instance;
    domain->life->shape(instance, &samples->shape);
    domain->learn->planes(instance, &plain, &height, &width);
    samples->channels = channels ? channels : plain;
    samples->planes = (size_t)samples->channels * (size_t)height * (size_t)width;
    samples->actions = (size_t)domain->learn->actions(instance);
    samples->symmetries = domain->learn->symmetries ? domain->learn->symmetries(instance) : 1;
    samples->targets = targets > 0 ? targets : 1;
    choose_packing(samples, (size_t)height * (size_t)width);
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
    bool same = shape.state_size == samples->shape.state_size && shape.packed_size == samples->shape.packed_size;
    return !memcmp(mine, theirs, sizeof mine) && (size_t)learn->actions(instance) == samples->actions &&
           (same || samples->keeps_planes);
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

static void set_bit(unsigned char *bits, size_t at) { bits[at / 8] |= (unsigned char)(1u << at % 8); }
static bool get_bit(const unsigned char *bits, size_t at) { return bits[at / 8] >> at % 8 & 1; }

/* Turns weights of moves into a policy with one number per action. */
static void spread(const struct samples *samples, const soloist_instance *instance, const void *state,
                   const soloist_move *moves, const float *parts, int count, float *policy) {
    const soloist_learn *learn = samples->domain->learn;
    memset(policy, 0, samples->actions * sizeof *policy);
    if (learn->share)
        learn->share(instance, state, moves, parts, count, policy);
    else
        for (int i = 0; i < count; i++)
            policy[learn->action(instance, state, moves[i])] += parts[i];
}

/* Scratch memory for writing the planes of one position: one block, which begins with `numbers`. */
struct scratch {
    float *numbers; /* planes, or one number per action */
    float *parts;
    soloist_move *moves;
    struct sample_target *actions;
};

static bool open_scratch(struct scratch *scratch, const struct samples *samples, size_t moves) {
    size_t numbers = samples->planes > samples->actions ? samples->planes : samples->actions;
    unsigned char *block = malloc(numbers * sizeof(float) + moves * (sizeof(float) + sizeof(soloist_move)) +
                                  samples->actions * sizeof(struct sample_target));
    if (!block)
        return false;
    scratch->numbers = (float *)(void *)block;
    scratch->parts = scratch->numbers + numbers;
    scratch->moves = (soloist_move *)(void *)(scratch->parts + moves);
    scratch->actions = (struct sample_target *)(void *)(scratch->moves + moves);
    return true;
}

/* The actions of the targets, heaviest kept. */
static uint32_t write_actions(const struct samples *samples, struct scratch *scratch, struct sample_target *kept,
                              const soloist_instance *instance, const void *state, const struct sample_target *targets,
                              int count) {
    int held = 0;
    for (int i = 0; i < count; i++) {
        scratch->moves[i] = targets[i].move;
        scratch->parts[i] = targets[i].weight;
    }
    spread(samples, instance, state, scratch->moves, scratch->parts, count, scratch->numbers);
    for (size_t i = 0; i < samples->actions; i++)
        if (scratch->numbers[i] > 0)
            scratch->actions[held++] = (struct sample_target){(soloist_move)i, scratch->numbers[i]};
    return keep_heaviest(kept, samples->targets, scratch->actions, held);
}

static void write_mask(const struct samples *samples, struct scratch *scratch, const soloist_instance *instance,
                       const void *state, unsigned char *mask) {
    int count = samples->domain->core->moves(instance, state, scratch->moves);
    for (int i = 0; i < count; i++)
        scratch->parts[i] = 1;
    spread(samples, instance, state, scratch->moves, scratch->parts, count, scratch->numbers);
    for (size_t i = 0; i < samples->actions; i++)
        if (scratch->numbers[i] > 0)
            set_bit(mask, i);
}

static bool write_planes(const struct samples *samples, void *record, const soloist_instance *instance,
                         const void *state, const struct sample_target *targets, int count) {
    struct scratch scratch;
    soloist_shape shape = {0};
    unsigned char *at = state_of(samples, record);
    samples->domain->life->shape(instance, &shape);
    if (!open_scratch(&scratch, samples, (size_t)(count > shape.most_moves ? count : shape.most_moves)))
        return false;
    ((struct record *)record)->targets =
        write_actions(samples, &scratch, targets_of(record), instance, state, targets, count);
    write_mask(samples, &scratch, instance, state, at);
    samples->domain->learn->encode(instance, state, samples->channels, scratch.numbers);
    at += samples->mask;
    for (size_t i = 0; i < samples->bits; i++)
        if (scratch.numbers[i] != 0)
            set_bit(at, i);
    memcpy(at + bytes_of_bits(samples->bits), scratch.numbers + samples->bits,
           (samples->planes - samples->bits) * sizeof(float));
    free(scratch.numbers);
    return true;
}

bool samples_write(const struct samples *samples, void *record, const soloist_instance *instance, const void *state,
                   float value, const struct sample_target *targets, int count) {
    struct record *head = record;
    memset(record, 0, samples->size);
    head->value = value;
    if (samples->keeps_planes)
        return write_planes(samples, record, instance, state, targets, count);
    head->targets = keep_heaviest(targets_of(record), samples->targets, targets, count);
    if (samples->domain->pack)
        samples->domain->pack->pack(samples->instance, state, state_of(samples, record));
    else
        memcpy(state_of(samples, record), state, samples->packed);
    return true;
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

static void show_state(const struct samples *samples, struct sample_viewer *viewer, bool drawn, float *planes,
                       float *policy) {
    unpack(samples, viewer);
    samples->domain->learn->encode(samples->instance, viewer->state, samples->channels, planes);
    int count = drawn ? mark_moves(samples, viewer) : list_targets(viewer);
    spread(samples, samples->instance, viewer->state, viewer->moves, viewer->parts, count, policy);
}

/* Eight bits at a time: most of the time of making a batch goes into this. */
static void show_bits(const unsigned char *bits, size_t count, float *numbers) {
    size_t at = 0;
    for (; at + 8 <= count; at += 8)
        for (size_t k = 0; k < 8; k++)
            numbers[at + k] = (float)(bits[at / 8] >> k & 1);
    for (; at < count; at++)
        numbers[at] = get_bit(bits, at);
}

static void show_planes(const struct samples *samples, struct sample_viewer *viewer, bool drawn, float *planes,
                        float *policy) {
    const struct sample_target *targets = targets_of(viewer->record);
    int count = (int)((struct record *)(void *)viewer->record)->targets;
    const unsigned char *mask = state_of(samples, viewer->record), *bits = mask + samples->mask;
    show_bits(bits, samples->bits, planes);
    memcpy(planes + samples->bits, bits + bytes_of_bits(samples->bits),
           (samples->planes - samples->bits) * sizeof(float));
    for (size_t i = 0; i < samples->actions; i++)
        policy[i] = drawn && get_bit(mask, i);
    for (int i = 0; i < count; i++)
        policy[targets[i].move] = drawn ? -1 : targets[i].weight;
}

void samples_show(const struct samples *samples, struct sample_viewer *viewer, size_t index, int symmetry,
                  float *planes, float *policy, float *value, struct net_drawn *drawn) {
    const soloist_learn *learn = samples->domain->learn;
    pthread_rwlock_rdlock(lock_of(samples));
    memcpy(viewer->record, samples->records + index * samples->size, samples->size);
    pthread_rwlock_unlock(lock_of(samples));
    struct record head = *(struct record *)(void *)viewer->record;
    *value = head.value;
    if (drawn)
        *drawn = head.drawn;
    (samples->keeps_planes ? show_planes : show_state)(samples, viewer, head.drawn.probability > 0,
                                                       symmetry ? viewer->planes : planes,
                                                       symmetry ? viewer->policy : policy);
    if (symmetry)
        learn->reflect(samples->instance, symmetry, samples->channels, viewer->planes, viewer->policy, planes, policy);
}

/* ---- files ---- */

#define MAGIC "SOLSMP03"

struct header {
    char magic[8];
    uint64_t size, packed, count, added, next;
    double highest;
    uint64_t length, hash; /* of the squeezed records that follow */
};

/* The newest records (`most` of them; 0: all), oldest first, so that loading them into a smaller ring keeps the newest;
 * NULL: no memory. */
static unsigned char *copy_records(struct samples *samples, size_t most, struct header *header) {
    pthread_rwlock_rdlock(&samples->lock);
    size_t count = most && most < samples->count ? most : samples->count;
    *header = (struct header){.size = samples->size,
                              .packed = samples->packed,
                              .count = count,
                              .added = samples->added,
                              .next = samples->next,
                              .highest = samples->highest};
    memcpy(header->magic, MAGIC, sizeof header->magic);
    size_t length = count * samples->size;
    size_t ring = samples->count < samples->capacity ? samples->count : samples->capacity;
    size_t first = ring ? (samples->next + ring - count) % ring : 0; /* the oldest sample to be written */
    size_t before_end = (ring - first < count ? ring - first : count) * samples->size;
    unsigned char *copy = malloc(length ? length : 1);
    if (copy) {
        memcpy(copy, samples->records + first * samples->size, before_end);
        memcpy(copy + before_end, samples->records, length - before_end);
    }
    pthread_rwlock_unlock(&samples->lock);
    return copy;
}

/* Whether none of the samples is older than the newest `most`, and they stand in the order of their age. */
static bool keeps_all(const struct samples *samples, size_t most) {
    pthread_rwlock_rdlock(lock_of(samples));
    bool all = samples->count <= most && samples->next == samples->count % samples->capacity;
    pthread_rwlock_unlock(lock_of(samples));
    return all;
}

bool samples_keep(struct samples *samples, size_t most) {
    struct header header;
    if (keeps_all(samples, most))
        return true;
    unsigned char *copy = most ? copy_records(samples, most, &header) : NULL;
    if (most && !copy)
        return false;
    pthread_rwlock_wrlock(&samples->lock);
    samples->count = most ? header.count : 0;
    if (samples->count)
        memcpy(samples->records, copy, samples->count * samples->size);
    samples->next = samples->count % samples->capacity;
    pthread_rwlock_unlock(&samples->lock);
    free(copy);
    return true;
}

bool samples_save(struct samples *samples, const char *path, size_t most) {
    struct header header;
    unsigned char *copy = copy_records(samples, most, &header);
    size_t length = header.count * samples->size;
    unsigned char *squeezed = copy ? malloc(squeeze_room(length)) : NULL;
    if (squeezed) {
        header.length = squeeze(copy, samples->size, length, squeezed);
        header.hash = hash_bytes(squeezed, header.length);
    }
    bool saved = squeezed && cache_file_replace(path, &header, sizeof header, squeezed, header.length);
    free(copy);
    free(squeezed);
    return saved;
}

/* Reads the records that follow the header; NULL: damaged, or no memory. */
static unsigned char *read_records(FILE *stream, const struct header *header) {
    if (header->count > SIZE_MAX / 2 / header->size || header->length > squeeze_room(header->count * header->size))
        return NULL;
    size_t length = header->count * header->size;
    unsigned char *squeezed = malloc(header->length + 1), *records = malloc(length + 1);
    bool good = squeezed && records && fread(squeezed, 1, header->length + 1, stream) == header->length &&
                hash_bytes(squeezed, header->length) == header->hash &&
                unsqueeze(squeezed, header->length, header->size, records, length);
    free(squeezed);
    if (!good)
        free(records);
    return good ? records : NULL;
}

bool samples_load(struct samples *samples, const char *path) {
    FILE *stream = fopen(path, "rb");
    struct header header;
    if (!stream)
        return false;
    bool good = fread(&header, sizeof header, 1, stream) == 1 && !memcmp(header.magic, MAGIC, sizeof header.magic) &&
                header.size == samples->size && header.packed == samples->packed;
    unsigned char *records = good ? read_records(stream, &header) : NULL;
    good &= records != NULL;
    /* A full ring gets each sample in its former place, so that a resumed run draws the same batches. */
    if (good && header.count == samples->capacity)
        samples->next = header.next % samples->capacity;
    if (good)
        samples_add(samples, records, header.count);
    free(records);
    fclose(stream);
    if (good) {
        samples->added = header.added;
        samples->highest = header.highest;
    }
    return good;
}
