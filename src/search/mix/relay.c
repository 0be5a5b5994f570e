/* The relay: every member is a thread with a run and a budget of its own, and there are as many batons as the run has
 * threads. Who holds one runs; at the end of a turn, told by the budget's look, it waits until it is handed one again.
 * Rounds are twice as long each: most of what a member solves it solves soon. */
#include "search/mix/relay.h"

#include "search/mix/portfolio.h"
#include "search/statistics.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most_members = 24, first_round = 250 /* work for each share */, least_part = 16 };

enum runner_state { RUNNER_NEW, RUNNER_WAITS, RUNNER_RUNS, RUNNER_ENDED };

struct runner {
    struct relay *relay;
    const struct relay_member *member;
    enum runner_state state; /* under the relay's lock, as all of the relay */
    bool has_thread;
    pthread_t thread;
    pthread_cond_t turn;
    struct search_run run;
    struct budget budget;
    uint64_t microseconds; /* used when its last turn ended */
    uint64_t granted;      /* nodes that it may have counted when its turn ends, where they are limited */
    soloist_error error;
    soloist_code code;
};

struct relay {
    struct search_run *run; /* as it came */
    struct runner runners[most_members];
    int count, batons;
    uint64_t round; /* work for each share that members have done after this round */
    size_t memory, peak;
    bool over;
    struct runner *winner;
    soloist_callbacks callbacks;
    pthread_mutex_t lock;
    pthread_cond_t ended;
};

/* ---- what a turn may use ---- */

static uint64_t nodes_of(const struct runner *runner) { return atomic_load(&runner->budget.nodes); }

/* Turns are of equal work: states where those are limited, which repeats exactly; else microseconds, for the states of
 * one member may cost forty times those of another. */
static uint64_t work_of(const struct runner *runner) {
    return runner->relay->run->budget->limits.nodes ? nodes_of(runner) : runner->microseconds;
}

/* A head is no more than a small part of what there is. */
static uint64_t head_of(const struct relay *relay, const struct relay_member *member) {
    const soloist_limits *limits = &relay->run->budget->limits;
    uint64_t most = limits->nodes ? limits->nodes / least_part : UINT64_MAX;
    if (!limits->nodes && limits->time_s > 0 && limits->time_s < 1000)
        most = (uint64_t)(1e6 * limits->time_s) / least_part;
    return member->head < most ? member->head : most;
}

/* The work that a member has done after its turn. */
static uint64_t turn_end(const struct relay *relay, const struct runner *runner) {
    uint64_t end = relay->round * (uint64_t)runner->member->share, head = head_of(relay, runner->member);
    return end > head ? end : head;
}

/* What the members have not used, less what those that run have been given. */
static uint64_t nodes_left(const struct relay *relay) {
    uint64_t limit = relay->run->budget->limits.nodes, used = atomic_load(&relay->run->budget->nodes);
    for (int i = 0; i < relay->count; i++) {
        const struct runner *runner = &relay->runners[i];
        used += runner->state == RUNNER_RUNS ? runner->granted : nodes_of(runner);
    }
    return limit > used ? limit - used : 0;
}

/* Shares of the memory are as those of the turns; members that have ended have none. */
static size_t memory_share(const struct relay *relay, const struct runner *runner) {
    uint64_t shares = 0;
    for (int i = 0; i < relay->count; i++)
        if (relay->runners[i].state != RUNNER_ENDED)
            shares += (uint64_t)relay->runners[i].member->share;
    size_t share = relay->memory / shares * (size_t)runner->member->share;
    return relay->memory && !share ? 1 : share;
}

/* With several batons what is left of counted states is dealt out, so that the limit holds for all together. */
static bool give_turn(struct relay *relay, struct runner *runner, int batons_left) {
    struct budget *budget = &runner->budget;
    if (relay->run->budget->limits.nodes) {
        uint64_t left = nodes_left(relay), part = left / (unsigned)batons_left;
        if (!left)
            return false;
        budget->limits.nodes = runner->granted = nodes_of(runner) + (part ? part : 1);
    }
    budget->limits.memory = budget->memory.limit = memory_share(relay, runner);
    if (relay->run->budget->limits.nodes)
        budget->pause_at = turn_end(relay, runner);
    else
        budget->pause_at_s = 1e-6 * (double)turn_end(relay, runner);
    return true;
}

/* ---- handing batons on ---- */

static void note_peak(struct relay *relay) {
    size_t used = 0;
    for (int i = 0; i < relay->count; i++)
        used += relay->runners[i].state == RUNNER_RUNS ? memory_peak(&relay->runners[i].budget.memory)
                                                       : memory_used(&relay->runners[i].budget.memory);
    relay->peak = used > relay->peak ? used : relay->peak;
}

static bool is_free(const struct runner *runner) {
    return runner->state == RUNNER_NEW || runner->state == RUNNER_WAITS;
}

/* The first member that has not had its turn of this round; if all had theirs, of the next one. */
static struct runner *choose_next(struct relay *relay) {
    bool some = false;
    for (int i = 0; i < relay->count; i++)
        some |= is_free(&relay->runners[i]);
    while (some) {
        for (int i = 0; i < relay->count; i++)
            if (is_free(&relay->runners[i]) && work_of(&relay->runners[i]) < turn_end(relay, &relay->runners[i]))
                return &relay->runners[i];
        relay->round *= 2;
    }
    return NULL;
}

/* Ends all: those that wait wake up to find that they must. */
static void end_all(struct relay *relay) {
    relay->over = true;
    for (int i = 0; i < relay->count; i++) {
        struct runner *runner = &relay->runners[i];
        if (runner->state == RUNNER_NEW)
            runner->state = RUNNER_ENDED;
        budget_stop(&runner->budget, SOLOIST_STOP_CANCEL);
        pthread_cond_signal(&runner->turn);
    }
}

static void *run_member(void *argument);

/* Without a thread to be had a member is passed over. */
static void wake(struct runner *runner) {
    bool fresh = runner->state == RUNNER_NEW;
    runner->state = RUNNER_RUNS;
    if (!fresh)
        pthread_cond_signal(&runner->turn);
    else if (pthread_create(&runner->thread, NULL, run_member, runner))
        runner->state = RUNNER_ENDED;
    else
        runner->has_thread = true;
}

static void hand_on(struct relay *relay) {
    int running = 0, ended = 0;
    for (int i = 0; i < relay->count; i++)
        running += relay->runners[i].state == RUNNER_RUNS;
    while (!relay->over && running < relay->batons) {
        struct runner *next = choose_next(relay);
        if (!next)
            break;
        if (!give_turn(relay, next, relay->batons - running)) {
            if (!running)
                end_all(relay);
            break;
        }
        wake(next);
        running += next->state == RUNNER_RUNS;
    }
    for (int i = 0; i < relay->count; i++)
        ended += relay->runners[i].state == RUNNER_ENDED;
    if (ended == relay->count)
        pthread_cond_signal(&relay->ended);
}

/* The budget's pause: a member's turn is over. */
static void pause_turn(void *argument) {
    struct runner *runner = argument;
    struct relay *relay = runner->relay;
    pthread_mutex_lock(&relay->lock);
    note_peak(relay);
    runner->microseconds = 1 + (uint64_t)(1e6 * clock_cpu_seconds());
    runner->state = RUNNER_WAITS;
    hand_on(relay);
    while (runner->state == RUNNER_WAITS && !relay->over)
        pthread_cond_wait(&runner->turn, &relay->lock);
    runner->state = RUNNER_RUNS;
    pthread_mutex_unlock(&relay->lock);
}

/* Limits of the whole run; the others end one member only. */
static bool ended_by_limit(const struct runner *runner) {
    int stop = atomic_load(&runner->budget.stop);
    return stop == SOLOIST_STOP_TIME || stop == SOLOIST_STOP_CANCEL;
}

static void *run_member(void *argument) {
    struct runner *runner = argument;
    struct relay *relay = runner->relay;
    const struct relay_member *member = runner->member;
    runner->code = member->changes ? search_part_as(&runner->run, member->changes, member->method, 100)
                                   : search_part(&runner->run, member->method, 100);
    pthread_mutex_lock(&relay->lock);
    note_peak(relay);
    runner->state = RUNNER_ENDED;
    bool failed = runner->code != SOLOIST_OK && runner->code != SOLOIST_UNSUPPORTED;
    if (portfolio_answered(&runner->run) && !relay->winner)
        relay->winner = runner;
    if (relay->winner || failed || ended_by_limit(runner))
        end_all(relay);
    hand_on(relay);
    pthread_mutex_unlock(&relay->lock);
    return NULL;
}

/* ---- opening and closing ---- */

/* Told of all members together. */
static void tell(void *user, const soloist_progress *progress) {
    struct relay *relay = user;
    const soloist_callbacks *callbacks = relay->run->budget->callbacks;
    soloist_progress told = *progress;
    pthread_mutex_lock(&relay->lock);
    told.nodes = told.iterations = told.expanded = 0;
    told.memory = 0;
    for (int i = 0; i < relay->count; i++) {
        const struct budget *budget = &relay->runners[i].budget;
        told.nodes += atomic_load(&budget->nodes);
        told.iterations += atomic_load(&budget->iterations);
        told.expanded += atomic_load(&budget->expanded);
        told.memory += memory_used(&budget->memory);
    }
    callbacks->progress(callbacks->user, &told);
    pthread_mutex_unlock(&relay->lock);
}

static void open_runner(struct relay *relay, int number, const struct relay_member *member) {
    const struct search_run *run = relay->run;
    struct runner *runner = &relay->runners[number];
    int spare = relay->batons - relay->count;
    budget_open(&runner->budget, &run->budget->limits, relay->callbacks.progress ? &relay->callbacks : NULL);
    runner->budget.start_s = run->budget->start_s;
    runner->budget.pause = pause_turn;
    runner->budget.pause_user = runner;
    runner->relay = relay;
    runner->member = member;
    runner->run = *run;
    statistics_open_part(&runner->run);
    runner->run.budget = &runner->budget;
    runner->run.best = (struct search_line){0};
    runner->run.error = &runner->error;
    runner->run.threads = member->threads && spare > 0 ? 1 + spare : 1;
    runner->code = SOLOIST_UNSUPPORTED;
    pthread_cond_init(&runner->turn, NULL);
}

/* What a member found and used becomes the run's. */
static void close_runner(struct relay *relay, struct runner *runner) {
    struct search_run *run = relay->run;
    const struct search_run *part = &runner->run;
    if (runner->has_thread)
        pthread_join(runner->thread, NULL);
    pthread_cond_destroy(&runner->turn);
    if (part->found)
        search_record(run, part->best.moves, part->best.count, part->best.value);
    run->optimal |= part->optimal;
    run->impossible |= part->impossible;
    statistics_add(run, part);
    free(part->best.moves);
}

/* Who answered; else all that ran, each name once. */
static void tell_method(const struct relay *relay) {
    struct search_run *run = relay->run;
    if (relay->winner) {
        snprintf(run->method, sizeof run->method, "%s", relay->winner->member->method);
        return;
    }
    run->method[0] = 0;
    for (int i = 0; i < relay->count; i++) {
        const char *name = relay->runners[i].member->method;
        size_t length = strlen(run->method), size = strcspn(name, ":");
        bool before = false;
        for (int j = 0; j < i; j++)
            before |= relay->runners[j].has_thread && !strncmp(relay->runners[j].member->method, name, size);
        if (relay->runners[i].has_thread && !before)
            snprintf(run->method + length, sizeof run->method - length, "%s%.*s", length ? "+" : "", (int)size, name);
    }
}

/* A member's failure; else that all refused; else nothing. */
static soloist_code worst_code(struct relay *relay) {
    soloist_code worst = SOLOIST_UNSUPPORTED;
    for (int i = 0; i < relay->count; i++) {
        const struct runner *runner = &relay->runners[i];
        if (runner->code == SOLOIST_OK && worst == SOLOIST_UNSUPPORTED)
            worst = SOLOIST_OK;
        if (runner->code != SOLOIST_OK && (runner->code != SOLOIST_UNSUPPORTED || worst == SOLOIST_UNSUPPORTED)) {
            worst = runner->code;
            *relay->run->error = runner->error;
        }
    }
    return worst;
}

static void tell_peak(const struct relay *relay) {
    struct memory *memory = &relay->run->budget->memory;
    if (memory_book(memory, relay->peak))
        memory_unbook(memory, relay->peak);
}

/* Why it ended without an answer: a limit will be noticed at the next look; else memory, if a member lacked it. */
static soloist_code close_relay(struct relay *relay) {
    struct search_run *run = relay->run;
    bool full = false;
    for (int i = 0; i < relay->count; i++) {
        close_runner(relay, &relay->runners[i]);
        full |= atomic_load(&relay->runners[i].budget.stop) == SOLOIST_STOP_MEMORY;
    }
    tell_method(relay);
    tell_peak(relay);
    run->budget->next_look = 0;
    if (!portfolio_answered(run) && !search_spent(run) && full)
        search_full(run);
    return portfolio_answered(run) ? SOLOIST_OK : worst_code(relay);
}

static void wait_for_all(struct relay *relay) {
    pthread_mutex_lock(&relay->lock);
    hand_on(relay);
    for (int i = 0; i < relay->count; i++)
        while (relay->runners[i].state != RUNNER_ENDED)
            pthread_cond_wait(&relay->ended, &relay->lock);
    pthread_mutex_unlock(&relay->lock);
}

soloist_code relay_run(struct search_run *run, const struct relay_member *members, size_t count) {
    struct relay *relay = calloc(1, sizeof *relay);
    if (!relay)
        return search_full(run);
    const soloist_limits *limits = &run->budget->limits;
    size_t used = memory_used(&run->budget->memory);
    relay->run = run;
    relay->count = count < most_members ? (int)count : most_members;
    relay->batons = run->threads;
    relay->round = first_round;
    relay->memory = limits->memory > used ? limits->memory - used : !!limits->memory;
    if (run->budget->callbacks && run->budget->callbacks->progress)
        relay->callbacks = (soloist_callbacks){.progress = tell, .user = relay};
    pthread_mutex_init(&relay->lock, NULL);
    pthread_cond_init(&relay->ended, NULL);
    for (int i = 0; i < relay->count; i++)
        open_runner(relay, i, &members[i]);
    wait_for_all(relay);
    soloist_code code = close_relay(relay);
    pthread_cond_destroy(&relay->ended);
    pthread_mutex_destroy(&relay->lock);
    free(relay);
    return code;
}
