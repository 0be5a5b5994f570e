#include "base/team.h"

#include <stddef.h>

static void *begin(void *argument) {
    const struct team_worker *self = argument;
    self->team->work(self->team->user, self->number);
    return NULL;
}

int team_start(struct team *team, int count, team_work work, void *user) {
    team->work = work;
    team->user = user;
    team->size = 1;
    int size = 1; /* a local variable, because workers must not read team->size while it is still growing */
    for (; size < count && size < TEAM_MOST; size++) {
        struct team_worker *worker = &team->others[size - 1];
        worker->team = team;
        worker->number = size;
        if (pthread_create(&worker->thread, NULL, begin, worker))
            break;
    }
    return team->size = size;
}

void team_join(struct team *team) {
    for (int i = 0; i < team->size - 1; i++)
        pthread_join(team->others[i].thread, NULL);
    team->size = 1;
}

int team_run(int count, team_work work, void *user) {
    struct team team;
    int size = team_start(&team, count, work, user);
    work(user, 0);
    team_join(&team);
    return size;
}
