/* Peers as threads of one process. Every ordered pair of ranks has a ring of bytes with one writer and one reader
 * (Lamport 1983), so that sending and receiving take no lock. The fields that the writer changes and the fields that
 * the reader changes are in different cache lines. Only a rank that has nothing to do takes its lock, to sleep. */
#include "base/peers.h"

#include "base/budget.h"
#include "base/team.h"

#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <time.h>

/* Two cache lines, because processors fetch lines in pairs. */
enum { apart = 128 };
/* Messages of `most` bytes for which a ring has room. */
enum { ring_messages = 4 };
/* Looks for news before a rank goes to sleep: waking it costs its peers more than this costs a core. */
enum { looks_before_sleep = 200 };
static const double longest_wait_s = 0.002;

/* Before each message in a ring. */
struct header {
    uint32_t tag;
    uint32_t size;   /* skip: the rest of the ring is unused, and the next message is at its beginning */
    uint64_t unused; /* so that messages are aligned for any type */
};

static const uint32_t skip = UINT32_MAX;

/* Positions count all bytes ever written; a position modulo the size of the ring is a place in it. */
struct ring {
    _Alignas(apart) _Atomic uint64_t written;
    uint64_t known_read;  /* the writer's last look at `read` */
    _Atomic bool refused; /* the writer was refused when it last looked */
    _Alignas(apart) _Atomic uint64_t read;
    uint64_t known_written; /* the reader's last look at `written` */
    _Alignas(apart) unsigned char *bytes;
};

struct thread_end {
    _Alignas(apart) struct peers peers;
    struct thread_group *group;
    int next;             /* the rank whose ring is looked at first */
    struct ring *holding; /* the ring of the message received last, which still occupies its room; NULL: none */
    uint64_t after;       /* position after that message */
    _Alignas(apart) _Atomic bool asleep;
    pthread_mutex_t lock;
    pthread_cond_t wake;
};

struct thread_group {
    peers_work work;
    void *user;
    int count;
    size_t ring_size;
    struct thread_end *ends;
    struct ring *rings; /* [to * count + from] */
    pthread_mutex_t lock;
    pthread_cond_t begin;
    int started; /* number of ranks; 0: not yet known */
};

static size_t round_up(size_t size) {
    return (size + sizeof(struct header) - 1) / sizeof(struct header) * sizeof(struct header);
}

static size_t room_for(size_t size) { return sizeof(struct header) + round_up(size); }

static struct ring *ring_between(const struct thread_group *group, int from, int to) {
    return &group->rings[to * group->count + from];
}

/* A rank that sleeps is woken only under its lock: it cannot fall asleep between its last look and the signal. */
static void wake_up(struct thread_end *end) {
    if (!atomic_load(&end->asleep))
        return;
    pthread_mutex_lock(&end->lock);
    pthread_cond_signal(&end->wake);
    pthread_mutex_unlock(&end->lock);
}

/* ---- sending ---- */

/* The place for a message of `need` bytes with its header, or NULL: there is no room. *position is moved to it. */
static unsigned char *find_room(struct ring *ring, size_t ring_size, size_t need, uint64_t *position) {
    size_t at = *position % ring_size, rest = ring_size - at, skipped = rest < need ? rest : 0;
    if (*position + skipped + need - ring->known_read > ring_size) {
        ring->known_read = atomic_load(&ring->read);
        if (*position + skipped + need - ring->known_read > ring_size)
            return NULL;
    }
    if (!skipped)
        return ring->bytes + at;
    ((struct header *)(void *)(ring->bytes + at))->size = skip;
    *position += skipped;
    return ring->bytes;
}

static enum peers_code thread_send(struct peers *peers, int to, uint32_t tag, const void *bytes, size_t size) {
    struct thread_end *end = (struct thread_end *)peers;
    struct thread_group *group = end->group;
    struct ring *ring = ring_between(group, peers->rank, to);
    assert(to != peers->rank && to >= 0 && to < peers->count && size <= peers->most);
    uint64_t position = atomic_load_explicit(&ring->written, memory_order_relaxed);
    unsigned char *place = find_room(ring, group->ring_size, room_for(size), &position);
    if (atomic_load_explicit(&ring->refused, memory_order_relaxed) == !!place)
        atomic_store(&ring->refused, !place);
    if (!place)
        return PEERS_FULL;
    *(struct header *)(void *)place = (struct header){.tag = tag, .size = (uint32_t)size};
    if (size)
        memcpy(place + sizeof(struct header), bytes, size);
    atomic_store(&ring->written, position + room_for(size));
    wake_up(&group->ends[to]);
    return PEERS_OK;
}

/* ---- receiving ---- */

static bool has_message(struct ring *ring) {
    uint64_t read = atomic_load_explicit(&ring->read, memory_order_relaxed);
    if (read == ring->known_written)
        ring->known_written = atomic_load(&ring->written);
    return read != ring->known_written;
}

/* Gives the room of the message received last back to its sender, who may sleep until there is room. If the sender is
 * refused just now, it looks at `read` once more before it sleeps. */
static void release_last(struct thread_end *end) {
    struct ring *ring = end->holding;
    if (!ring)
        return;
    atomic_store(&ring->read, end->after);
    end->holding = NULL;
    if (atomic_load(&ring->refused))
        wake_up(&end->group->ends[(ring - end->group->rings) % end->group->count]);
}

static void take_message(struct thread_end *end, struct ring *ring, int from, struct peers_message *message) {
    size_t ring_size = end->group->ring_size;
    uint64_t read = atomic_load_explicit(&ring->read, memory_order_relaxed);
    const struct header *header = (const void *)(ring->bytes + read % ring_size);
    if (header->size == skip) {
        read += ring_size - read % ring_size;
        header = (const void *)ring->bytes;
    }
    *message = (struct peers_message){.from = from, .tag = header->tag, .bytes = header + 1, .size = header->size};
    end->holding = ring;
    end->after = read + room_for(header->size);
}

static enum peers_code thread_receive(struct peers *peers, struct peers_message *message) {
    struct thread_end *end = (struct thread_end *)peers;
    release_last(end);
    for (int tried = 0, from = end->next; tried < peers->count;
         tried++, from = from + 1 < peers->count ? from + 1 : 0) {
        struct ring *ring = ring_between(end->group, from, peers->rank);
        if (from == peers->rank || peers_is_done(peers, from) || !has_message(ring))
            continue;
        take_message(end, ring, from, message);
        end->next = from + 1 < peers->count ? from + 1 : 0;
        return PEERS_OK;
    }
    return PEERS_NONE;
}

/* ---- waiting ---- */

/* Whether a message has arrived, or there may be room for one that was refused. */
static bool has_news(struct thread_end *end) {
    const struct peers *peers = &end->peers;
    for (int other = 0; other < peers->count; other++) {
        if (other == peers->rank)
            continue;
        if (!peers_is_done(peers, other) && has_message(ring_between(end->group, other, peers->rank)))
            return true;
        struct ring *out = ring_between(end->group, peers->rank, other);
        if (atomic_load(&out->refused) && atomic_load(&out->read) != out->known_read)
            return true;
    }
    return false;
}

static struct timespec wait_until(void) {
    double until = clock_seconds() + longest_wait_s;
    struct timespec time = {.tv_sec = (time_t)until};
    time.tv_nsec = (long)(1e9 * (until - (double)time.tv_sec));
    return time;
}

static enum peers_code thread_wait(struct peers *peers, soloist_stop_token *stop) {
    struct thread_end *end = (struct thread_end *)peers;
    release_last(end);
    if (stop && soloist_stopped(stop))
        return PEERS_STOPPED;
    for (int look = 0; look < looks_before_sleep; look++) {
        if (has_news(end))
            return PEERS_OK;
        sched_yield();
    }
    struct timespec until = wait_until();
    pthread_mutex_lock(&end->lock);
    atomic_store(&end->asleep, true);
    if (!has_news(end))
        pthread_cond_timedwait(&end->wake, &end->lock, &until);
    atomic_store(&end->asleep, false);
    pthread_mutex_unlock(&end->lock);
    return stop && soloist_stopped(stop) ? PEERS_STOPPED : PEERS_OK;
}

static const struct peers_maker thread_maker = {.send = thread_send, .receive = thread_receive, .wait = thread_wait};

/* ---- opening and closing ---- */

static void open_end(struct thread_group *group, int rank, size_t most) {
    struct thread_end *end = &group->ends[rank];
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    *end = (struct thread_end){.peers = {.maker = &thread_maker, .rank = rank, .count = group->count, .most = most},
                               .group = group};
    pthread_mutex_init(&end->lock, NULL);
    pthread_cond_init(&end->wake, &monotonic);
    pthread_condattr_destroy(&monotonic);
}

static void close_end(struct thread_end *end) {
    pthread_cond_destroy(&end->wake);
    pthread_mutex_destroy(&end->lock);
}

static size_t ring_bytes(size_t most) { return (ring_messages * room_for(most) + apart - 1) / apart * apart; }

size_t peers_threads_size(int count, size_t most) {
    size_t n = (size_t)count;
    return apart + n * sizeof(struct thread_end) + n * n * (sizeof(struct ring) + ring_bytes(most));
}

/* Divides one block among the ends, the rings and their bytes. */
static void divide(struct thread_group *group, unsigned char *block, size_t most) {
    size_t n = (size_t)group->count;
    block += -(uintptr_t)block % apart;
    group->ends = (struct thread_end *)(void *)block;
    group->rings = (struct ring *)(void *)(block + n * sizeof *group->ends);
    unsigned char *bytes = (unsigned char *)(group->rings + n * n);
    for (size_t i = 0; i < n * n; i++)
        group->rings[i].bytes = bytes + i * group->ring_size;
    for (int rank = 0; rank < group->count; rank++)
        open_end(group, rank, most);
}

/* A thread begins when it is known how many ranks there are. */
static void be_rank(void *user, int rank) {
    struct thread_group *group = user;
    pthread_mutex_lock(&group->lock);
    while (!group->started)
        pthread_cond_wait(&group->begin, &group->lock);
    pthread_mutex_unlock(&group->lock);
    group->ends[rank].peers.count = group->started;
    group->work(group->user, &group->ends[rank].peers);
}

static void let_begin(struct thread_group *group, int started) {
    pthread_mutex_lock(&group->lock);
    group->started = started;
    pthread_cond_broadcast(&group->begin);
    pthread_mutex_unlock(&group->lock);
}

int peers_threads_run(struct memory *memory, int count, size_t most, peers_work work, void *user) {
    count = count < 1 ? 1 : count > TEAM_MOST ? TEAM_MOST : count;
    most = most < PEERS_LEAST ? PEERS_LEAST : most;
    struct thread_group group = {.work = work, .user = user, .count = count, .ring_size = ring_bytes(most)};
    size_t size = peers_threads_size(count, most);
    unsigned char *block = memory_take(memory, size);
    if (!block)
        return 0;
    divide(&group, block, most);
    pthread_mutex_init(&group.lock, NULL);
    pthread_cond_init(&group.begin, NULL);
    struct team team;
    let_begin(&group, team_start(&team, count, be_rank, &group));
    be_rank(&group, 0);
    team_join(&team);
    pthread_cond_destroy(&group.begin);
    pthread_mutex_destroy(&group.lock);
    for (int rank = 0; rank < count; rank++)
        close_end(&group.ends[rank]);
    memory_give(memory, block, size);
    return group.started;
}
