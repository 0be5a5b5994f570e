#include "search/beam/crew.h"

#include "base/team.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

struct crew {
    struct memory *memory;
    pthread_mutex_t lock; /* of all but next */
    pthread_cond_t begun, ended;
    uint64_t round;
    int members, busy;
    bool closing;
    crew_work work;
    void *user;
    size_t count;
    _Atomic size_t next; /* item that nobody has */
    struct team team;
};

static void work_off(struct crew *crew, int member) {
    size_t item;
    while ((item = atomic_fetch_add_explicit(&crew->next, 1, memory_order_relaxed)) < crew->count)
        crew->work(crew->user, member, item);
}

/* A member but the first: works off every round, until the crew is closed. */
static void stand_by(void *argument, int member) {
    struct crew *crew = argument;
    uint64_t seen = 0;
    pthread_mutex_lock(&crew->lock);
    for (;;) {
        while (!crew->closing && crew->round == seen)
            pthread_cond_wait(&crew->begun, &crew->lock);
        if (crew->closing)
            break;
        seen = crew->round;
        pthread_mutex_unlock(&crew->lock);
        work_off(crew, member);
        pthread_mutex_lock(&crew->lock);
        if (--crew->busy == 0)
            pthread_cond_signal(&crew->ended);
    }
    pthread_mutex_unlock(&crew->lock);
}

struct crew *crew_open(struct memory *memory, int members) {
    struct crew *crew = memory_take(memory, sizeof *crew);
    if (!crew)
        return NULL;
    crew->memory = memory;
    pthread_mutex_init(&crew->lock, NULL);
    pthread_cond_init(&crew->begun, NULL);
    pthread_cond_init(&crew->ended, NULL);
    crew->members = team_start(&crew->team, members, stand_by, crew);
    return crew;
}

void crew_close(struct crew *crew) {
    if (!crew)
        return;
    pthread_mutex_lock(&crew->lock);
    crew->closing = true;
    pthread_cond_broadcast(&crew->begun);
    pthread_mutex_unlock(&crew->lock);
    team_join(&crew->team);
    pthread_cond_destroy(&crew->begun);
    pthread_cond_destroy(&crew->ended);
    pthread_mutex_destroy(&crew->lock);
    memory_give(crew->memory, crew, sizeof *crew);
}

int crew_members(const struct crew *crew) { return crew->members; }

void crew_run(struct crew *crew, crew_work work, void *user, size_t count) {
    bool alone = count < 2 || crew->members < 2;
    pthread_mutex_lock(&crew->lock);
    crew->work = work;
    crew->user = user;
    crew->count = count;
    atomic_store(&crew->next, 0);
    if (!alone) {
        crew->busy = crew->members - 1;
        crew->round++;
        pthread_cond_broadcast(&crew->begun);
    }
    pthread_mutex_unlock(&crew->lock);
    work_off(crew, 0);
    if (alone)
        return;
    pthread_mutex_lock(&crew->lock);
    while (crew->busy)
        pthread_cond_wait(&crew->ended, &crew->lock);
    pthread_mutex_unlock(&crew->lock);
}
