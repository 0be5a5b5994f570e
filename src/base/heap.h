/* Two priority queues over 32-bit items: a binary heap for any 64-bit priority, and a bucket queue for small integers,
 * which are the priorities of searches with unit costs. Both pop an item of least priority. */
#ifndef BASE_HEAP_H
#define BASE_HEAP_H

#include "base/memory.h"

#include <stdbool.h>
#include <stdint.h>

struct heap_entry {
    uint64_t priority;
    uint32_t item;
};

struct heap {
    struct memory *memory;
    struct heap_entry *entries;
    size_t count, room;
};

void heap_open(struct heap *heap, struct memory *memory);
bool heap_push(struct heap *heap, uint64_t priority, uint32_t item); /* false when memory is full */
/* False when empty. The order in which items of equal priority are popped depends only on the order of the calls. */
bool heap_pop(struct heap *heap, uint64_t *priority, uint32_t *item);
void heap_close(struct heap *heap);

/* A bucket queue with priorities (major, minor). It pops the item with the least major; among equal majors, the item
 * with the least minor; and among equal priorities, the item pushed last. A* pushes f as major and a constant minus g
 * as minor, so that among equal f the greatest g comes first. Memory grows with the greatest major and with
 * the range of minors within one major; the memory of majors that are no longer needed is freed. */
struct bucket {
    uint32_t *items;
    uint32_t count, room;
};

bool bucket_push(struct memory *memory, struct bucket *bucket, uint32_t item); /* false when memory is full */

struct bucket_queue {
    struct memory *memory;
    struct bucket_row *rows;   /* one per major */
    uint32_t row_count, least; /* all rows below `least` are empty */
    uint64_t count;
};

void bucket_queue_open(struct bucket_queue *queue, struct memory *memory);
/* False when memory is full; the queue is then unchanged. */
bool bucket_queue_push(struct bucket_queue *queue, uint32_t major, uint32_t minor, uint32_t item);
bool bucket_queue_pop(struct bucket_queue *queue, uint32_t *major, uint32_t *minor, uint32_t *item);
/* A guess at the item that the next pop returns, for prefetching: the next item in the bucket of the item popped last.
 * Returns 0 if that bucket is empty. */
uint32_t bucket_queue_hint(const struct bucket_queue *queue);
/* The major of the item that the next pop returns; false when empty. */
bool bucket_queue_least(struct bucket_queue *queue, uint32_t *major);
/* Calls `visit` for every stride-th item, in the order of the majors. */
void bucket_queue_sample(const struct bucket_queue *queue, uint64_t stride,
                         void (*visit)(void *user, uint32_t major, uint32_t item), void *user);
void bucket_queue_close(struct bucket_queue *queue);

#endif
