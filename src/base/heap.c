/* The binary heap (Williams 1964), which moves a hole instead of swapping, and the two-level bucket queue (Dial
 * 1969). */
#include "base/heap.h"

#include <string.h>

void heap_open(struct heap *heap, struct memory *memory) { *heap = (struct heap){.memory = memory}; }

/* Doubles an array, or grows it by less if memory is too short for that. False: memory is full. */
static bool grow_array(struct memory *memory, void **array, size_t *room, size_t size, size_t first) {
    for (size_t more = *room ? *room : first, least = more < 64 ? more : more / 64; more >= least; more /= 2) {
        void *grown = memory_resize(memory, *array, *room * size, (*room + more) * size);
        if (grown) {
            *array = grown;
            *room += more;
            return true;
        }
    }
    return false;
}

static bool heap_grow(struct heap *heap) {
    void *entries = heap->entries;
    bool grown = grow_array(heap->memory, &entries, &heap->room, sizeof *heap->entries, 64);
    heap->entries = entries;
    return grown;
}

bool heap_push(struct heap *heap, uint64_t priority, uint32_t item) {
    if (heap->count == heap->room && !heap_grow(heap))
        return false;
    struct heap_entry *entries = heap->entries;
    size_t at = heap->count++;
    for (; at && priority < entries[(at - 1) / 2].priority; at = (at - 1) / 2)
        entries[at] = entries[(at - 1) / 2];
    entries[at] = (struct heap_entry){priority, item};
    return true;
}

bool heap_pop(struct heap *heap, uint64_t *priority, uint32_t *item) {
    struct heap_entry *entries = heap->entries;
    if (!heap->count)
        return false;
    *priority = entries[0].priority;
    *item = entries[0].item;
    struct heap_entry last = entries[--heap->count];
    size_t at = 0, count = heap->count;
    for (size_t child; (child = 2 * at + 1) < count; at = child) {
        child += child + 1 < count && entries[child + 1].priority < entries[child].priority;
        if (last.priority <= entries[child].priority)
            break;
        entries[at] = entries[child];
    }
    entries[at] = last;
    return true;
}

void heap_close(struct heap *heap) {
    memory_give(heap->memory, heap->entries, heap->room * sizeof *heap->entries);
    heap_open(heap, heap->memory);
}

/* ---- buckets ---- */

/* The buckets of one major priority: minors first .. first + room - 1. */
struct bucket_row {
    struct bucket *buckets;
    uint32_t first, room;
    uint32_t least; /* the buckets before this index are empty */
    uint64_t count;
};

void bucket_queue_open(struct bucket_queue *queue, struct memory *memory) {
    *queue = (struct bucket_queue){.memory = memory};
}

static bool add_rows(struct bucket_queue *queue, uint32_t major) {
    size_t count = (size_t)major + 1 + major / 2, size = sizeof *queue->rows;
    count = count > UINT32_MAX ? UINT32_MAX : count < 16 ? 16 : count;
    if (major == UINT32_MAX)
        return false;
    void *grown = memory_resize(queue->memory, queue->rows, queue->row_count * size, count * size);
    if (!grown)
        return false;
    queue->rows = grown;
    memset(queue->rows + queue->row_count, 0, (count - queue->row_count) * size);
    queue->row_count = (uint32_t)count;
    return true;
}

static void close_row(struct memory *memory, struct bucket_row *row) {
    for (uint32_t i = 0; i < row->room; i++)
        memory_give(memory, row->buckets[i].items, row->buckets[i].room * sizeof *row->buckets[i].items);
    memory_give(memory, row->buckets, row->room * sizeof *row->buckets);
    *row = (struct bucket_row){0};
}

/* Widens a row so that it has a bucket for `minor`; also adds as many spare buckets on that side as the row had before,
 * at least 4. */
static bool widen_row(struct memory *memory, struct bucket_row *row, uint32_t minor) {
    if (!row->count) /* an empty row may have any range left over from earlier use: start again at `minor` */
        close_row(memory, row);
    uint64_t first = row->room ? row->first : minor, end = first + row->room;
    uint64_t spare = row->room < 4 ? 4 : row->room;
    if (minor < first)
        first = minor > spare ? minor - spare : 0;
    else
        end = minor + spare < UINT32_MAX ? minor + spare : (uint64_t)UINT32_MAX + 1;
    uint64_t room = end - first;
    struct bucket *buckets = room > UINT32_MAX ? NULL : memory_take(memory, room * sizeof *buckets);
    if (!buckets)
        return false;
    uint32_t shift = row->room ? row->first - (uint32_t)first : 0;
    if (row->room)
        memcpy(buckets + shift, row->buckets, row->room * sizeof *buckets);
    memory_give(memory, row->buckets, row->room * sizeof *buckets);
    row->buckets = buckets;
    row->first = (uint32_t)first;
    row->room = (uint32_t)room;
    row->least += shift;
    return true;
}

bool bucket_push(struct memory *memory, struct bucket *bucket, uint32_t item) {
    if (bucket->count == bucket->room) {
        void *items = bucket->items;
        size_t room = bucket->room;
        if (room > UINT32_MAX / 2 || !grow_array(memory, &items, &room, sizeof *bucket->items, 4))
            return false;
        bucket->items = items;
        bucket->room = (uint32_t)room;
    }
    bucket->items[bucket->count++] = item;
    return true;
}

bool bucket_queue_push(struct bucket_queue *queue, uint32_t major, uint32_t minor, uint32_t item) {
    if (major >= queue->row_count && !add_rows(queue, major))
        return false;
    struct bucket_row *row = &queue->rows[major];
    if ((!row->room || minor < row->first || minor - row->first >= row->room) && !widen_row(queue->memory, row, minor))
        return false;
    uint32_t at = minor - row->first;
    if (!bucket_push(queue->memory, &row->buckets[at], item))
        return false;
    row->least = !row->count++ || at < row->least ? at : row->least;
    queue->least = !queue->count++ || major < queue->least ? major : queue->least;
    return true;
}

bool bucket_queue_least(struct bucket_queue *queue, uint32_t *major) {
    if (!queue->count)
        return false;
    for (; !queue->rows[queue->least].count; queue->least++)
        close_row(queue->memory, &queue->rows[queue->least]);
    *major = queue->least;
    return true;
}

bool bucket_queue_pop(struct bucket_queue *queue, uint32_t *major, uint32_t *minor, uint32_t *item) {
    if (!bucket_queue_least(queue, major))
        return false;
    struct bucket_row *row = &queue->rows[*major];
    while (!row->buckets[row->least].count)
        row->least++;
    struct bucket *bucket = &row->buckets[row->least];
    *minor = row->first + row->least;
    *item = bucket->items[--bucket->count];
    row->count--;
    queue->count--;
    return true;
}

uint32_t bucket_queue_hint(const struct bucket_queue *queue) {
    if (queue->least >= queue->row_count || !queue->rows[queue->least].count)
        return 0;
    const struct bucket_row *row = &queue->rows[queue->least];
    const struct bucket *bucket = &row->buckets[row->least];
    return bucket->count ? bucket->items[bucket->count - 1] : 0;
}

void bucket_queue_sample(const struct bucket_queue *queue, uint64_t stride,
                         void (*visit)(void *user, uint32_t major, uint32_t item), void *user) {
    uint64_t skip = 0;
    for (uint32_t major = queue->least; queue->count && major < queue->row_count; major++) {
        const struct bucket_row *row = &queue->rows[major];
        for (uint32_t i = 0; row->count && i < row->room; i++) {
            uint32_t count = row->buckets[i].count;
            for (; skip < count; skip += stride)
                visit(user, major, row->buckets[i].items[skip]);
            skip -= count;
        }
    }
}

void bucket_queue_close(struct bucket_queue *queue) {
    for (uint32_t i = 0; i < queue->row_count; i++)
        close_row(queue->memory, &queue->rows[i]);
    memory_give(queue->memory, queue->rows, queue->row_count * sizeof *queue->rows);
    bucket_queue_open(queue, queue->memory);
}
