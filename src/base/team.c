#include "base/team.h"

#include <stdatomic.h>
#include <stddef.h>
#include <time.h>

static void *begin(void *argument) {
    const struct team_worker *self = argument;
    self->team->work(self->team->user, self->number);
    return NULL;
}

/* Starts workers `first` to `count` - 1. Returns the number of the first worker that was not started. */
static int start(struct team *team, int first, int count, team_work work, void *user) {
    team->work = work;
    team->user = user;
    int number = first;
    for (; number < count && number < TEAM_MOST; number++) {
        struct team_worker *worker = &team->threads[number - first];
        worker->team = team;
        worker->number = number;
        if (pthread_create(&worker->thread, NULL, begin, worker))
            break;
    }
    team->started = number - first;
    return number;
}

int team_start(struct team *team, int count, team_work work, void *user) { return start(team, 1, count, work, user); }

int team_start_beside(struct team *team, int count, team_work work, void *user) {
    return start(team, 0, count, work, user);
}

void team_join(struct team *team) {
    for (int i = 0; i < team->started; i++)
        pthread_join(team->threads[i].thread, NULL);
    team->started = 0;
}

int team_run(int count, team_work work, void *user) {
    struct team team;
    int size = team_start(&team, count, work, user);
    work(user, 0);
    team_join(&team);
    return size;
}

struct watched {
    team_work work;
    void *user;
    _Atomic int busy;
};

static void do_part(void *user, int worker) {
    struct watched *watched = user;
    watched->work(watched->user, worker);
    atomic_fetch_sub(&watched->busy, 1);
}

void team_run_watched(int count, team_work work, void (*look)(void *user), void *user) {
    struct team team;
    struct watched watched = {work, user, count};
    int size = team_start(&team, count, do_part, &watched);
    atomic_fetch_sub(&watched.busy, count - size);
    do_part(&watched, 0);
    while (atomic_load(&watched.busy)) {
        nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
        look(user);
    }
    team_join(&team);
}
