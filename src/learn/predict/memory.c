#include "learn/predict/memory.h"

#include "base/hash.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define LOCKS 64 /* number of locks; each entry is protected by one of them */

struct entry {
    const soloist_instance *instance;
    uint64_t key;
    uint32_t size; /* bytes of the state; 0: the entry is empty */
};

struct prediction_memory {
    _Atomic size_t count;          /* number of entries in use */
    size_t numbers, state, stride; /* state: bytes of the largest state that is kept */
    unsigned char *entries;        /* the entries; each consists of struct entry, the numbers and the state's bytes */
    pthread_mutex_t locks[LOCKS];
};

static struct entry *entry_at(const struct prediction_memory *memory, size_t index) {
    return (struct entry *)(void *)(memory->entries + index * memory->stride);
}

static float *numbers_of(struct entry *entry) { return (float *)(void *)(entry + 1); }

static unsigned char *state_of(const struct prediction_memory *memory, struct entry *entry) {
    return (unsigned char *)(numbers_of(entry) + memory->numbers);
}

static size_t stride_of(size_t numbers, size_t state) {
    return (sizeof(struct entry) + numbers * sizeof(float) + state + 15) & ~(size_t)15;
}

size_t prediction_memory_room(size_t bytes, size_t numbers, size_t state) { return bytes / stride_of(numbers, state); }

size_t prediction_memory_bytes(size_t count, size_t numbers, size_t state) { return count * stride_of(numbers, state); }

/* Pages that are not written take no memory, so that the other entries can stay. */
void prediction_memory_limit(struct prediction_memory *memory, size_t count) {
    count = count ? count : 1;
    size_t now = memory ? atomic_load(&memory->count) : 0;
    while (now > count && !atomic_compare_exchange_weak(&memory->count, &now, count))
        ;
}

struct prediction_memory *prediction_memory_open(size_t count, size_t numbers, size_t state) {
    struct prediction_memory *memory = count ? calloc(1, sizeof *memory) : NULL;
    if (!memory)
        return NULL;
    memory->count = count;
    memory->numbers = numbers;
    memory->state = state;
    memory->stride = stride_of(numbers, state);
    memory->entries = calloc(count, memory->stride);
    if (!memory->entries) {
        free(memory);
        return NULL;
    }
    for (int i = 0; i < LOCKS; i++)
        pthread_mutex_init(&memory->locks[i], NULL);
    return memory;
}

void prediction_memory_close(struct prediction_memory *memory) {
    if (!memory)
        return;
    for (int i = 0; i < LOCKS; i++)
        pthread_mutex_destroy(&memory->locks[i]);
    free(memory->entries);
    free(memory);
}

void prediction_memory_clear(struct prediction_memory *memory) {
    for (size_t i = 0; memory && i < memory->count; i++) {
        pthread_mutex_lock(&memory->locks[i % LOCKS]);
        if (entry_at(memory, i)->size)
            entry_at(memory, i)->size = 0;
        pthread_mutex_unlock(&memory->locks[i % LOCKS]);
    }
}

/* Finds the entry where a state belongs and locks it. */
static struct entry *lock_place(struct prediction_memory *memory, const soloist_instance *instance, uint64_t key,
                                pthread_mutex_t **lock) {
    size_t index = (size_t)(hash_mix(key ^ (uint64_t)(uintptr_t)instance) % memory->count);
    *lock = &memory->locks[index % LOCKS];
    pthread_mutex_lock(*lock);
    return entry_at(memory, index);
}

bool prediction_memory_find(struct prediction_memory *memory, const soloist_instance *instance, uint64_t key,
                            const void *state, size_t size, float *numbers) {
    if (!memory)
        return false;
    pthread_mutex_t *lock;
    struct entry *entry = lock_place(memory, instance, key, &lock);
    bool found = entry->size == size && size && entry->instance == instance && entry->key == key &&
                 !memcmp(state_of(memory, entry), state, size);
    if (found)
        memcpy(numbers, numbers_of(entry), memory->numbers * sizeof *numbers);
    pthread_mutex_unlock(lock);
    return found;
}

void prediction_memory_keep(struct prediction_memory *memory, const soloist_instance *instance, uint64_t key,
                            const void *state, size_t size, const float *numbers) {
    if (!memory || size > memory->state)
        return;
    pthread_mutex_t *lock;
    struct entry *entry = lock_place(memory, instance, key, &lock);
    *entry = (struct entry){instance, key, (uint32_t)size};
    memcpy(numbers_of(entry), numbers, memory->numbers * sizeof *numbers);
    memcpy(state_of(memory, entry), state, size);
    pthread_mutex_unlock(lock);
}
