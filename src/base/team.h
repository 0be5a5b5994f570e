/* A team of threads that do one piece of work together. The caller is worker 0; the others live until they are joined.
 * If the machine refuses a thread, the team is smaller; in the worst case the caller works alone. */
#ifndef BASE_TEAM_H
#define BASE_TEAM_H

#include <pthread.h>

enum { TEAM_MOST = 512 }; /* most workers, including the caller */

/* What worker number `worker` does; `user` is shared by all workers. */
typedef void (*team_work)(void *user, int worker);

struct team {
    team_work work;
    void *user;
    int size; /* number of workers, including the caller */
    struct team_worker {
        const struct team *team;
        int number;
        pthread_t thread;
    } others[TEAM_MOST - 1];
};

/* Starts workers 1 to `count` - 1, or as many of them as the machine allows; they are numbered without gaps. Returns
 * the size of the team. The struct must not move until team_join. */
int team_start(struct team *team, int count, team_work work, void *user);
/* Waits for the workers that were started. After that, what they wrote may be read. */
void team_join(struct team *team);
/* Starts a team, does the part of worker 0 and joins the others. Returns the size of the team. */
int team_run(int count, team_work work, void *user);

#endif
