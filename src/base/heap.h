/* Two priority queues over 32-bit items: a binary heap for any 64-bit priority, and a bucket queue for small
 * integers, which is what unit-cost searches have. Both pop the least priority. */
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
/* False when empty. The order of equal priorities depends on nothing but the order of the calls. */
bool heap_pop(struct heap *heap, uint64_t *priority, uint32_t *item);
void heap_close(struct heap *heap);

/* Buckets by (major, minor): pops the least major, among them the least minor, among them the last pushed. A* pushes
 * (f, -g within f) as minor = most - g. Memory goes with the greatest major and with the spread of minors inside one
 * major; rows that a pop has passed are given back. */
struct bucket {
    uint32_t *items;
    uint32_t count, room;
};

bool bucket_push(struct memory *memory, struct bucket *bucket, uint32_t item); /* false when memory is full */

struct bucket_queue {
    struct memory *memory;
    struct bucket_row *rows;   /* one per major */
    uint32_t row_count, least; /* no row below `least` holds anything */
    uint64_t count;
};

void bucket_queue_open(struct bucket_queue *queue, struct memory *memory);
/* False when memory is full; the queue is then as before. */
bool bucket_queue_push(struct bucket_queue *queue, uint32_t major, uint32_t minor, uint32_t item);
bool bucket_queue_pop(struct bucket_queue *queue, uint32_t *major, uint32_t *minor, uint32_t *item);
/* An item that may be the next: the one under the last popped. 0: there is none, or it is far to seek. */
uint32_t bucket_queue_hint(const struct bucket_queue *queue);
/* The major that the next pop will give; false when empty. */
bool bucket_queue_least(struct bucket_queue *queue, uint32_t *major);
void bucket_queue_close(struct bucket_queue *queue);

#endif
