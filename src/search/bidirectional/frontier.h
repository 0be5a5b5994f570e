/* A priority queue of open states: buckets for small priorities, a heap for larger ones, so that costs may be large.
 * The head is stored separately, so that it can be looked at without being removed. The entry of least `major` comes
 * first; ties go to the least `minor`, then to the entry pushed last. */
#ifndef SEARCH_BIDIRECTIONAL_FRONTIER_H
#define SEARCH_BIDIRECTIONAL_FRONTIER_H

#include "base/heap.h"

struct frontier_entry {
    uint64_t major; /* below 2^40 */
    uint32_t minor, item;
};

struct frontier {
    struct bucket_queue near;
    struct heap far;
    struct frontier_entry head;
    bool has_head;
};

void frontier_open(struct frontier *frontier, struct memory *memory);
bool frontier_push(struct frontier *frontier, struct frontier_entry entry); /* false: memory is full */
/* The head of the queue, or NULL if the queue is empty. Valid until the next call of a function of this header. */
const struct frontier_entry *frontier_peek(struct frontier *frontier);
void frontier_drop(struct frontier *frontier); /* removes the head that frontier_peek returned */
void frontier_close(struct frontier *frontier);

#endif
