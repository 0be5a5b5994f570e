/* The open list of A*: the state of least f comes first; ties go to the least `minor`, then to the state pushed
 * last. */
#ifndef SEARCH_BEST_FIRST_OPEN_LIST_H
#define SEARCH_BEST_FIRST_OPEN_LIST_H

#include "base/heap.h"
#include "base/pool.h"

/* States whose f or `minor` exceeds this number are kept in a heap instead of buckets, because the memory for buckets
 * grows with these values. */
enum { open_list_most_bucket = 1 << 16 };

struct open_list {
    struct bucket_queue near;
    struct heap far;
};

static inline void open_list_open(struct open_list *list, struct memory *memory) {
    bucket_queue_open(&list->near, memory);
    heap_open(&list->far, memory);
}

static inline void open_list_close(struct open_list *list) {
    heap_close(&list->far);
    bucket_queue_close(&list->near);
}

/* False: memory is full. */
static inline bool open_list_push(struct open_list *list, uint64_t f, uint32_t minor, uint32_t index) {
    if (f >= UINT32_MAX)
        f = UINT32_MAX;
    if (f <= open_list_most_bucket && minor <= open_list_most_bucket)
        return bucket_queue_push(&list->near, (uint32_t)f, minor, index);
    return heap_push(&list->far, f << 32 | minor, index);
}

/* The f of the next state; false: the list is empty. */
static inline bool open_list_least(struct open_list *list, uint32_t *f) {
    bool near = bucket_queue_least(&list->near, f);
    if (!list->far.count)
        return near;
    uint32_t far = (uint32_t)(list->far.entries[0].priority >> 32);
    *f = near && *f <= far ? *f : far;
    return true;
}

/* The next state, and its f; POOL_NONE: the list is empty. */
static inline uint32_t open_list_pop(struct open_list *list, uint32_t *f) {
    uint64_t priority;
    uint32_t minor, index, least;
    bool near = bucket_queue_least(&list->near, &least);
    if (near && (!list->far.count || list->far.entries[0].priority >> 32 >= least)) {
        bucket_queue_pop(&list->near, f, &minor, &index);
        return index;
    }
    if (!heap_pop(&list->far, &priority, &index))
        return POOL_NONE;
    *f = (uint32_t)(priority >> 32);
    return index;
}

/* Calls `visit` for every stride-th state, with its f. */
static inline void open_list_sample(const struct open_list *list, uint64_t stride,
                                    void (*visit)(void *user, uint32_t f, uint32_t index), void *user) {
    bucket_queue_sample(&list->near, stride, visit, user);
    for (size_t i = 0; i < list->far.count; i += stride)
        visit(user, (uint32_t)(list->far.entries[i].priority >> 32), list->far.entries[i].item);
}

static inline uint64_t open_list_count(const struct open_list *list) { return list->near.count + list->far.count; }

#endif
