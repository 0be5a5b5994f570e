/* A team of threads that do one piece of work together. Either the caller is worker 0 and the others are threads, or
 * all workers are threads and the caller does something else meanwhile. If threads cannot be started, the team is
 * smaller; in the worst case the caller is alone. */
#ifndef BASE_TEAM_H
#define BASE_TEAM_H

#include <pthread.h>

enum { TEAM_MOST = 512 }; /* maximum number of workers */

/* What worker number `worker` does; `user` is shared by all workers. */
typedef void (*team_work)(void *user, int worker);

struct team {
    team_work work;
    void *user;
    int started; /* number of threads to be joined */
    struct team_worker {
        const struct team *team;
        int number;
        pthread_t thread;
    } threads[TEAM_MOST];
};

/* Starts workers 1 to `count` - 1, or as many of them as the machine allows; they are numbered without gaps. Returns
 * the number of workers, including the caller. The struct must not move until team_join. */
int team_start(struct team *team, int count, team_work work, void *user);
/* The same for a team to which the caller does not belong: starts workers 0 to `count` - 1 and returns how many could
 * be started. */
int team_start_beside(struct team *team, int count, team_work work, void *user);
/* Waits for the workers that were started. After that, what they wrote may be read. Does nothing if the team is
 * all zero or was joined before. */
void team_join(struct team *team);
/* Starts a team, does the part of worker 0 and joins the others. Returns the size of the team. */
int team_run(int count, team_work work, void *user);
/* Does the same. While other workers are still busy after worker 0, the caller calls `look` about every tenth of a
 * millisecond. */
void team_run_watched(int count, team_work work, void (*look)(void *user), void *user);

#endif
