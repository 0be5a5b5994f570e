#include "learn/train/makers.h"

#include <stdlib.h>
#include <string.h>

static void *work(void *user) {
    struct makers *makers = user;
    static void (*const ways[])(struct makers *) = {make_by_solving, make_by_playing, make_by_ppo};
    ways[makers->plan.way](makers);
    atomic_fetch_sub(&makers->working, 1);
    return NULL;
}

/* A flag that is only ever set needs no memory ordering; the thread sanitizer cannot know that. */
__attribute__((no_sanitize("thread"))) static void raise_flag(volatile int *flag) { *flag = 1; }

bool makers_start(struct makers *makers, const struct maker_plan *plan, soloist_error *error) {
    memset(makers, 0, sizeof *makers);
    makers->plan = *plan;
    makers->plan.threads = plan->threads > 0 ? plan->threads : 1;
    atomic_init(&makers->next, plan->first);
    makers->threads = calloc((size_t)makers->plan.threads, sizeof *makers->threads);
    pthread_mutex_init(&makers->lock, NULL);
    while (makers->threads && makers->started < makers->plan.threads) {
        atomic_fetch_add(&makers->working, 1);
        if (pthread_create(&makers->threads[makers->started], NULL, work, makers)) {
            atomic_fetch_sub(&makers->working, 1);
            break;
        }
        makers->started++;
    }
    if (makers->started)
        return true;
    makers_stop(makers, NULL);
    return soloist_fail(error, 0, 0, "no thread for playing games could be started");
}

bool makers_stop(struct makers *makers, soloist_error *error) {
    raise_flag(&makers->stop);
    for (int i = 0; i < makers->started; i++)
        pthread_join(makers->threads[i], NULL);
    if (makers->threads)
        pthread_mutex_destroy(&makers->lock);
    free(makers->threads);
    makers->threads = NULL;
    makers->started = 0;
    if (makers->failed && error)
        *error = makers->error;
    return !makers->failed;
}

bool makers_are_done(struct makers *makers) { return !atomic_load(&makers->working); }

bool makers_ask(struct makers *makers, struct evaluation *questions, int count, soloist_error *error) {
    const struct maker_plan *plan = &makers->plan;
    if (plan->weights)
        pthread_rwlock_rdlock(plan->weights);
    bool judged = plan->evaluator->judge(plan->evaluator, questions, count, error);
    if (plan->weights)
        pthread_rwlock_unlock(plan->weights);
    return judged;
}

bool makers_have_failed(struct makers *makers) {
    pthread_mutex_lock(&makers->lock);
    bool failed = makers->failed;
    pthread_mutex_unlock(&makers->lock);
    return failed;
}

void makers_fail(struct makers *makers, const soloist_error *error) {
    pthread_mutex_lock(&makers->lock);
    if (!makers->failed)
        makers->error = *error;
    makers->failed = true;
    pthread_mutex_unlock(&makers->lock);
    raise_flag(&makers->stop);
}

/* Skips instances of another shape, for example boards that lack the highest colour. */
bool makers_next(struct makers *makers, soloist_puzzle *puzzle, uint64_t *number) {
    const struct maker_plan *plan = &makers->plan;
    soloist_error error = {0};
    while (!makers->stop) {
        *number = atomic_fetch_add(&makers->next, 1);
        if (plan->games && *number - plan->first >= plan->games)
            return false;
        if (!game_source_make(plan->source, *number, puzzle, &error)) {
            makers_fail(makers, &error);
            return false;
        }
        if (samples_fit(plan->harvest->training, puzzle->instance))
            return true;
        soloist_puzzle_free(puzzle);
    }
    return false;
}
