#include "search/beam/thread_pool.h"

#include "base/team.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

struct thread_pool {
    struct memory *memory;
    pthread_mutex_t lock; /* guards all fields except `next` */
    pthread_cond_t begun, ended;
    uint64_t round;
    int members, busy;
    bool closing;
    thread_pool_work work;
    void *user;
    size_t count;
    _Atomic size_t next; /* the next item that no thread has begun */
    struct team team;
};

static void work_off(struct thread_pool *pool, int member) {
    size_t item;
    while ((item = atomic_fetch_add_explicit(&pool->next, 1, memory_order_relaxed)) < pool->count)
        pool->work(pool->user, member, item);
}

/* The loop of every member except the first: works in each round until the pool is closed. */
static void stand_by(void *argument, int member) {
    struct thread_pool *pool = argument;
    uint64_t seen = 0;
    pthread_mutex_lock(&pool->lock);
    for (;;) {
        while (!pool->closing && pool->round == seen)
            pthread_cond_wait(&pool->begun, &pool->lock);
        if (pool->closing)
            break;
        seen = pool->round;
        pthread_mutex_unlock(&pool->lock);
        work_off(pool, member);
        pthread_mutex_lock(&pool->lock);
        if (--pool->busy == 0)
            pthread_cond_signal(&pool->ended);
    }
    pthread_mutex_unlock(&pool->lock);
}

struct thread_pool *thread_pool_open(struct memory *memory, int members) {
    struct thread_pool *pool = memory_take(memory, sizeof *pool);
    if (!pool)
        return NULL;
    pool->memory = memory;
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->begun, NULL);
    pthread_cond_init(&pool->ended, NULL);
    pool->members = team_start(&pool->team, members, stand_by, pool);
    return pool;
}

void thread_pool_close(struct thread_pool *pool) {
    if (!pool)
        return;
    pthread_mutex_lock(&pool->lock);
    pool->closing = true;
    pthread_cond_broadcast(&pool->begun);
    pthread_mutex_unlock(&pool->lock);
    team_join(&pool->team);
    pthread_cond_destroy(&pool->begun);
    pthread_cond_destroy(&pool->ended);
    pthread_mutex_destroy(&pool->lock);
    memory_give(pool->memory, pool, sizeof *pool);
}

int thread_pool_size(const struct thread_pool *pool) { return pool->members; }

void thread_pool_run(struct thread_pool *pool, thread_pool_work work, void *user, size_t count) {
    bool alone = count < 2 || pool->members < 2;
    pthread_mutex_lock(&pool->lock);
    pool->work = work;
    pool->user = user;
    pool->count = count;
    atomic_store(&pool->next, 0);
    if (!alone) {
        pool->busy = pool->members - 1;
        pool->round++;
        pthread_cond_broadcast(&pool->begun);
    }
    pthread_mutex_unlock(&pool->lock);
    work_off(pool, 0);
    if (alone)
        return;
    pthread_mutex_lock(&pool->lock);
    while (pool->busy)
        pthread_cond_wait(&pool->ended, &pool->lock);
    pthread_mutex_unlock(&pool->lock);
}
