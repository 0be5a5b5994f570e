/* The memory for buckets grows with the priorities, so entries of large priority go to a heap. */
#include "search/bidirectional/frontier.h"

enum { most_bucket = 1 << 16, minor_bits = 24, most_minor = (1 << minor_bits) - 1 };

void frontier_open(struct frontier *frontier, struct memory *memory) {
    *frontier = (struct frontier){0};
    bucket_queue_open(&frontier->near, memory);
    heap_open(&frontier->far, memory);
}

void frontier_close(struct frontier *frontier) {
    bucket_queue_close(&frontier->near);
    heap_close(&frontier->far);
    frontier->has_head = false;
}

static bool store(struct frontier *frontier, struct frontier_entry entry) {
    if (entry.major <= most_bucket && entry.minor <= most_bucket)
        return bucket_queue_push(&frontier->near, (uint32_t)entry.major, entry.minor, entry.item);
    uint32_t minor = entry.minor < most_minor ? entry.minor : most_minor;
    return heap_push(&frontier->far, entry.major << minor_bits | minor, entry.item);
}

/* Whether an entry comes before the head; of two equal entries, the one pushed last comes first. */
static bool comes_first(const struct frontier_entry *entry, const struct frontier_entry *head) {
    return entry->major != head->major ? entry->major < head->major : entry->minor <= head->minor;
}

bool frontier_push(struct frontier *frontier, struct frontier_entry entry) {
    if (!frontier->has_head || !comes_first(&entry, &frontier->head))
        return store(frontier, entry);
    if (!store(frontier, frontier->head))
        return false;
    frontier->head = entry;
    return true;
}

static bool take_near(struct frontier *frontier, struct frontier_entry *entry) {
    uint32_t major;
    bool taken = bucket_queue_pop(&frontier->near, &major, &entry->minor, &entry->item);
    entry->major = major;
    return taken;
}

static bool take_far(struct frontier *frontier, struct frontier_entry *entry) {
    uint64_t priority;
    if (!heap_pop(&frontier->far, &priority, &entry->item))
        return false;
    entry->major = priority >> minor_bits;
    entry->minor = (uint32_t)(priority & most_minor);
    return true;
}

const struct frontier_entry *frontier_peek(struct frontier *frontier) {
    uint32_t least;
    if (!frontier->has_head) {
        bool near = bucket_queue_least(&frontier->near, &least);
        bool far_first = near && frontier->far.count && frontier->far.entries[0].priority >> minor_bits < least;
        frontier->has_head =
            near && !far_first ? take_near(frontier, &frontier->head) : take_far(frontier, &frontier->head);
    }
    return frontier->has_head ? &frontier->head : NULL;
}

void frontier_drop(struct frontier *frontier) { frontier->has_head = false; }
