#include "learn/train/makers.h"

#include <string.h>

static void work(void *user, int worker) {
    struct makers *makers = user;
    (void)worker;
    static void (*const ways[])(struct makers *) = {make_by_solving,  make_by_playing, make_by_ppo,
                                                    make_by_teaching, make_by_expert,  make_by_walking_back};
    ways[makers->plan.way](makers);
    atomic_fetch_sub(&makers->working, 1);
}

/* ---- the network in training as the network of a search ---- */

static struct makers *makers_of(const struct evaluator *evaluator) {
    return ((const struct maker_guide *)(const void *)evaluator)->makers;
}

static bool guide_fits(const struct evaluator *evaluator, const soloist_instance *instance, soloist_error *error) {
    const struct evaluator *network = makers_of(evaluator)->plan.evaluator;
    return network->fits(network, instance, error);
}

static bool guide_judge(struct evaluator *evaluator, struct evaluation *evaluations, int count, soloist_error *error) {
    return makers_ask(makers_of(evaluator), evaluations, count, error);
}

static void guide_forget(struct evaluator *evaluator) { (void)evaluator; } /* training remembers no predictions */

static void open_guide(struct makers *makers) {
    const struct maker_plan *plan = &makers->plan;
    if (!plan->guided)
        return;
    makers->guide = (struct maker_guide){*plan->evaluator, makers};
    makers->guide.evaluator.step_value = plan->returns.reward == RETURNS_BY_COST ? plan->returns.step_value : 0;
    makers->guide.evaluator.value_scale = plan->value_scale;
    makers->guide.evaluator.fits = guide_fits;
    makers->guide.evaluator.judge = guide_judge;
    makers->guide.evaluator.forget = guide_forget;
    makers->network = (soloist_network){plan->source->domain, &makers->guide.evaluator};
}

soloist_limits makers_limits(struct makers *makers, uint64_t seed) {
    const struct maker_plan *plan = &makers->plan;
    return (soloist_limits){.time_s = plan->time_s,
                            .iterations = plan->iterations,
                            .threads = 1,
                            .seed = seed,
                            .stop = &makers->stop,
                            .network = plan->guided ? &makers->network : NULL};
}

/* ---- the threads ---- */

bool makers_start(struct makers *makers, const struct maker_plan *plan, soloist_error *error) {
    int wanted = plan->threads > 0 ? plan->threads : 1;
    memset(makers, 0, sizeof *makers);
    makers->plan = *plan;
    stop_token_open(&makers->stop, NULL);
    atomic_init(&makers->next, plan->first);
    makers->harvested = plan->harvest->boards;
    atomic_init(&makers->working, wanted);
    pthread_mutex_init(&makers->lock, NULL);
    open_guide(makers);
    int started = team_start_beside(&makers->team, wanted, work, makers);
    atomic_fetch_sub(&makers->working, wanted - started);
    if (started)
        return true;
    pthread_mutex_destroy(&makers->lock);
    return soloist_fail(error, 0, 0, "no thread for playing games could be started");
}

bool makers_stop(struct makers *makers, soloist_error *error) {
    soloist_stop_token_cancel(&makers->stop);
    if (makers->team.started) {
        team_join(&makers->team);
        pthread_mutex_destroy(&makers->lock);
    }
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
    struct harvest *harvest = makers->plan.harvest;
    pthread_mutex_lock(&harvest->lock);
    bool failed = harvest->failed;
    pthread_mutex_unlock(&harvest->lock);
    pthread_mutex_lock(&makers->lock);
    failed |= makers->failed;
    pthread_mutex_unlock(&makers->lock);
    return failed;
}

void makers_fail(struct makers *makers, const soloist_error *error) {
    pthread_mutex_lock(&makers->lock);
    if (!makers->failed)
        makers->error = *error;
    makers->failed = true;
    pthread_mutex_unlock(&makers->lock);
    soloist_stop_token_cancel(&makers->stop);
}

uint64_t makers_boards(const struct makers *makers) {
    const struct maker_plan *plan = &makers->plan;
    if (plan->way != MAKE_BY_TEACHING && plan->way != MAKE_BY_SOLVING)
        return atomic_load(&makers->next);
    return plan->first + (plan->harvest->boards - makers->harvested);
}

/* Skips instances of another shape, for example boards that lack the highest colour. */
bool makers_next(struct makers *makers, soloist_puzzle *puzzle, uint64_t *number, uint64_t *skipped) {
    const struct maker_plan *plan = &makers->plan;
    soloist_error error = {0};
    uint64_t unused, *passed = skipped ? skipped : &unused;
    *passed = 0;
    while (!stop_token_is_stopped(&makers->stop)) {
        *number = atomic_fetch_add(&makers->next, 1);
        if (plan->games && *number - plan->first >= plan->games)
            return false;
        if (!game_source_make(plan->source, *number, puzzle, &error)) {
            makers_fail(makers, &error);
            return false;
        }
        if (samples_fit(plan->harvest->training, puzzle->instance))
            return true;
        ++*passed;
        soloist_puzzle_free(puzzle);
    }
    return false;
}
