/* Round robin: every member is a thread with its own run and budget; as many members run at a time as the run has
 * threads. A member notices the end of its turn when it checks its budget, and then waits for its next turn. Each round
 * is twice as long as the previous one, because most puzzles that a member can solve are solved early. */
#include "search/mix/round_robin.h"

#include "search/mix/sequence.h"
#include "search/statistics.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { first_round = 250 /* nodes (or microseconds, see work_of) per unit of share */, least_part = 16 };

enum runner_state { RUNNER_NEW, RUNNER_WAITS, RUNNER_RUNS, RUNNER_ENDED };

struct runner {
    struct round_robin *robin;
    const soloist_member *member;
    enum runner_state state; /* guarded by round_robin.lock, like all other fields */
    bool has_thread;
    pthread_t thread;
    pthread_cond_t turn;
    struct search_run run;
    struct budget budget;
    uint64_t microseconds; /* CPU time used up to the end of its last turn */
    uint64_t granted;      /* if nodes are limited: the node count at which its turn ends */
    soloist_error error;
    soloist_code code;
};

struct round_robin {
    struct search_run *run; /* the run of the whole mix */
    struct runner runners[SOLOIST_MOST_MEMBERS];
    int count, at_a_time;
    uint64_t round; /* total work per unit of share that a member has done by the end of this round */
    size_t memory, peak;
    bool over;
    struct runner *winner;
    soloist_callbacks callbacks;
    pthread_mutex_t lock;
    pthread_cond_t ended;
};

/* ---- what a turn may use ---- */

static uint64_t nodes_of(const struct runner *runner) { return atomic_load(&runner->budget.nodes); }

/* If states are limited, turns are measured in states, so that a run can be repeated exactly. Otherwise turns are
 * measured in microseconds, because a state of one member may cost forty times as much as a state of another. */
static uint64_t work_of(const struct runner *runner) {
    return runner->robin->run->budget->limits.nodes ? nodes_of(runner) : runner->microseconds;
}

/* The length of a member's first turn, which is at most a small part of the limits. */
static uint64_t head_of(const struct round_robin *robin, const soloist_member *member) {
    const soloist_limits *limits = &robin->run->budget->limits;
    uint64_t most = limits->nodes ? limits->nodes / least_part : UINT64_MAX;
    if (!limits->nodes && limits->time_s > 0 && limits->time_s < 1000)
        most = (uint64_t)(1e6 * limits->time_s) / least_part;
    return member->head < most ? member->head : most;
}

/* The total work at which a member's turn ends. */
static uint64_t turn_end(const struct round_robin *robin, const struct runner *runner) {
    uint64_t end = robin->round * (uint64_t)runner->member->share, head = head_of(robin, runner->member);
    return end > head ? end : head;
}

/* How much of the node limit is neither used by a member nor granted to one that is running. */
static uint64_t nodes_left(const struct round_robin *robin) {
    uint64_t limit = robin->run->budget->limits.nodes, used = atomic_load(&robin->run->budget->nodes);
    for (int i = 0; i < robin->count; i++) {
        const struct runner *runner = &robin->runners[i];
        used += runner->state == RUNNER_RUNS ? runner->granted : nodes_of(runner);
    }
    return limit > used ? limit - used : 0;
}

/* Memory is divided in proportion to the members' shares of the work; members that have ended get none. */
static size_t memory_share(const struct round_robin *robin, const struct runner *runner) {
    uint64_t shares = 0;
    for (int i = 0; i < robin->count; i++)
        if (robin->runners[i].state != RUNNER_ENDED)
            shares += (uint64_t)robin->runners[i].member->share;
    size_t share = robin->memory / shares * (size_t)runner->member->share;
    return robin->memory && !share ? 1 : share;
}

/* Prepares a member's next turn. If several members run at a time, the remaining states are divided among them, so that
 * together they keep within the limit. False: no states are left. */
static bool give_turn(struct round_robin *robin, struct runner *runner, int turns_left) {
    struct budget *budget = &runner->budget;
    if (robin->run->budget->limits.nodes) {
        uint64_t left = nodes_left(robin), part = left / (unsigned)turns_left;
        if (!left)
            return false;
        budget->limits.nodes = runner->granted = nodes_of(runner) + (part ? part : 1);
    }
    budget->limits.memory = budget->memory.limit = memory_share(robin, runner);
    if (robin->run->budget->limits.nodes)
        budget->pause_at = turn_end(robin, runner);
    else
        budget->pause_at_s = 1e-6 * (double)turn_end(robin, runner);
    return true;
}

/* ---- whose turn it is ---- */

static void note_peak(struct round_robin *robin) {
    size_t used = 0;
    for (int i = 0; i < robin->count; i++)
        used += robin->runners[i].state == RUNNER_RUNS ? memory_peak(&robin->runners[i].budget.memory)
                                                       : memory_used(&robin->runners[i].budget.memory);
    robin->peak = used > robin->peak ? used : robin->peak;
}

static bool is_free(const struct runner *runner) {
    return runner->state == RUNNER_NEW || runner->state == RUNNER_WAITS;
}

/* The first free member that has not had its turn in this round; if all have, begins the next round. NULL: no member is
 * free. */
static struct runner *choose_next(struct round_robin *robin) {
    bool some = false;
    for (int i = 0; i < robin->count; i++)
        some |= is_free(&robin->runners[i]);
    while (some) {
        for (int i = 0; i < robin->count; i++)
            if (is_free(&robin->runners[i]) && work_of(&robin->runners[i]) < turn_end(robin, &robin->runners[i]))
                return &robin->runners[i];
        robin->round *= 2;
    }
    return NULL;
}

/* Ends all members: stops their budgets, and wakes those that wait, so that they notice that their budget is
 * stopped. */
static void end_all(struct round_robin *robin) {
    robin->over = true;
    for (int i = 0; i < robin->count; i++) {
        struct runner *runner = &robin->runners[i];
        if (runner->state == RUNNER_NEW)
            runner->state = RUNNER_ENDED;
        budget_stop(&runner->budget, SOLOIST_STOP_CANCEL);
        pthread_cond_signal(&runner->turn);
    }
}

static void *run_member(void *argument);

/* Lets a member run; if its thread cannot be started, the member is skipped. */
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

static void hand_on(struct round_robin *robin) {
    int running = 0, ended = 0;
    for (int i = 0; i < robin->count; i++)
        running += robin->runners[i].state == RUNNER_RUNS;
    while (!robin->over && running < robin->at_a_time) {
        struct runner *next = choose_next(robin);
        if (!next)
            break;
        if (!give_turn(robin, next, robin->at_a_time - running)) {
            if (!running)
                end_all(robin);
            break;
        }
        wake(next);
        running += next->state == RUNNER_RUNS;
    }
    for (int i = 0; i < robin->count; i++)
        ended += robin->runners[i].state == RUNNER_ENDED;
    if (ended == robin->count)
        pthread_cond_signal(&robin->ended);
}

/* Called by a member's budget at the end of the member's turn: waits until its next turn. */
static void pause_turn(void *argument) {
    struct runner *runner = argument;
    struct round_robin *robin = runner->robin;
    pthread_mutex_lock(&robin->lock);
    note_peak(robin);
    runner->microseconds = 1 + (uint64_t)(1e6 * clock_cpu_seconds());
    runner->state = RUNNER_WAITS;
    hand_on(robin);
    while (runner->state == RUNNER_WAITS && !robin->over)
        pthread_cond_wait(&runner->turn, &robin->lock);
    runner->state = RUNNER_RUNS;
    pthread_mutex_unlock(&robin->lock);
}

/* Whether a limit of the whole run was reached; other limits end one member only. */
static bool ended_by_limit(const struct runner *runner) {
    int stop = atomic_load(&runner->budget.stop);
    return stop == SOLOIST_STOP_TIME || stop == SOLOIST_STOP_CANCEL;
}

static void *run_member(void *argument) {
    struct runner *runner = argument;
    struct round_robin *robin = runner->robin;
    const soloist_member *member = runner->member;
    runner->code = member->changes ? search_part_as(&runner->run, member->changes, member->method, 100)
                                   : search_part(&runner->run, member->method, 100);
    pthread_mutex_lock(&robin->lock);
    note_peak(robin);
    runner->state = RUNNER_ENDED;
    bool failed = runner->code != SOLOIST_OK && runner->code != SOLOIST_UNSUPPORTED;
    if (sequence_answered(&runner->run) && !robin->winner)
        robin->winner = runner;
    if (robin->winner || failed || ended_by_limit(runner))
        end_all(robin);
    hand_on(robin);
    pthread_mutex_unlock(&robin->lock);
    return NULL;
}

/* ---- opening and closing ---- */

/* Replaces the counts of one member by the sums over all members. */
static void sum_up(void *user, soloist_progress *progress) {
    struct round_robin *robin = user;
    progress->nodes = progress->iterations = progress->expanded = 0;
    progress->memory = 0;
    for (int i = 0; i < robin->count; i++) {
        const struct budget *budget = &robin->runners[i].budget;
        progress->nodes += atomic_load(&budget->nodes);
        progress->iterations += atomic_load(&budget->iterations);
        progress->expanded += atomic_load(&budget->expanded);
        progress->memory += memory_used(&budget->memory);
    }
}

/* Reports progress, one member at a time. */
static void tell(void *user, const soloist_progress *progress) {
    struct round_robin *robin = user;
    const soloist_callbacks *callbacks = robin->run->budget->callbacks;
    pthread_mutex_lock(&robin->lock);
    callbacks->progress(callbacks->user, progress);
    pthread_mutex_unlock(&robin->lock);
}

static void open_runner(struct round_robin *robin, int number, const soloist_member *member) {
    const struct search_run *run = robin->run;
    struct runner *runner = &robin->runners[number];
    int spare = robin->at_a_time - robin->count;
    budget_open(&runner->budget, &run->budget->limits, robin->callbacks.progress ? &robin->callbacks : NULL);
    runner->budget.start_s = run->budget->start_s;
    budget_attach(&runner->budget, run->budget->watch);
    runner->budget.sum = sum_up;
    runner->budget.sum_user = robin;
    runner->budget.member = member->method;
    runner->budget.pause = pause_turn;
    runner->budget.pause_user = runner;
    runner->robin = robin;
    runner->member = member;
    runner->run = *run;
    statistics_open_part(&runner->run);
    runner->run.budget = &runner->budget;
    runner->run.best = (struct search_line){0};
    runner->run.error = &runner->error;
    runner->run.peers = NULL;
    runner->run.threads = member->threads && spare > 0 ? 1 + spare : 1;
    runner->code = SOLOIST_UNSUPPORTED;
    pthread_cond_init(&runner->turn, NULL);
}

static bool makes_iterations(const struct search_run *run, const soloist_member *member) {
    struct search_choice choice;
    soloist_error error;
    if (search_choose(run->added, member->method, run->domain, &choice, &error) != SOLOIST_OK)
        return false;
    bool makes = !(search_ignores(&choice) & SEARCH_IGNORES_ITERATIONS);
    search_choice_free(&choice);
    return makes;
}

/* Divides the iterations that are left, in proportion to the shares, among the members that make any, once and for all:
 * methods read this limit when they begin. A member that would get none does not run. */
static void divide_iterations(struct round_robin *robin) {
    const struct budget *budget = robin->run->budget;
    uint64_t limit = budget->limits.iterations, used = atomic_load(&budget->iterations);
    uint64_t left = limit > used ? limit - used : 0, shares = 0;
    bool makes[SOLOIST_MOST_MEMBERS];
    for (int i = 0; limit && i < robin->count; i++) {
        makes[i] = makes_iterations(robin->run, robin->runners[i].member);
        shares += makes[i] ? (uint64_t)robin->runners[i].member->share : 0;
    }
    for (int i = 0; limit && i < robin->count; i++) {
        struct runner *runner = &robin->runners[i];
        if (!makes[i])
            continue;
        /* Rounded up, so that together they get all. */
        uint64_t share = (uint64_t)runner->member->share;
        uint64_t part = left / shares * share + (left % shares * share + shares - 1) / shares;
        runner->budget.limits.iterations = part;
        runner->state = part ? RUNNER_NEW : RUNNER_ENDED;
        left -= part;
        shares -= share;
    }
}

/* Adds a member's result and statistics to the run. */
static void close_runner(struct round_robin *robin, struct runner *runner) {
    struct search_run *run = robin->run;
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

/* Sets the method's name in the result: the name of the member that answered or, if none did, the names of all members
 * that ran, each once. */
static void tell_method(const struct round_robin *robin) {
    struct search_run *run = robin->run;
    if (robin->winner) {
        snprintf(run->method, sizeof run->method, "%s", robin->winner->member->method);
        return;
    }
    run->method[0] = 0;
    for (int i = 0; i < robin->count; i++) {
        const char *name = robin->runners[i].member->method;
        size_t length = strlen(run->method), size = strcspn(name, ":");
        bool before = false;
        for (int j = 0; j < i; j++)
            before |= robin->runners[j].has_thread && !strncmp(robin->runners[j].member->method, name, size);
        if (robin->runners[i].has_thread && !before)
            snprintf(run->method + length, sizeof run->method - length, "%s%.*s", length ? "+" : "", (int)size, name);
    }
}

/* The code of a member that failed; otherwise SOLOIST_UNSUPPORTED if all members refused the puzzle; otherwise
 * SOLOIST_OK. */
static soloist_code worst_code(struct round_robin *robin) {
    soloist_code worst = SOLOIST_UNSUPPORTED;
    for (int i = 0; i < robin->count; i++) {
        const struct runner *runner = &robin->runners[i];
        if (runner->code == SOLOIST_OK && worst == SOLOIST_UNSUPPORTED)
            worst = SOLOIST_OK;
        if (runner->code != SOLOIST_OK && (runner->code != SOLOIST_UNSUPPORTED || worst == SOLOIST_UNSUPPORTED)) {
            worst = runner->code;
            *robin->run->error = runner->error;
        }
    }
    return worst;
}

static void tell_peak(const struct round_robin *robin) {
    struct memory *memory = &robin->run->budget->memory;
    if (memory_book(memory, robin->peak))
        memory_unbook(memory, robin->peak);
}

/* Closes all members. If there is no answer, finds out why the run ended: a limit of the whole run was reached, or a
 * member ran out of memory. */
static soloist_code close_members(struct round_robin *robin) {
    struct search_run *run = robin->run;
    bool full = false, cut = false, late = false;
    for (int i = 0; i < robin->count; i++) {
        int stop = atomic_load(&robin->runners[i].budget.stop);
        close_runner(robin, &robin->runners[i]);
        full |= stop == SOLOIST_STOP_MEMORY;
        cut |= stop == SOLOIST_STOP_NODES;
        late |= stop == SOLOIST_STOP_TIME;
    }
    tell_method(robin);
    tell_peak(robin);
    run->budget->next_look = 0;
    if (!sequence_answered(run) && late) /* even if all iterations were used up long before */
        budget_stop(run->budget, SOLOIST_STOP_TIME);
    if (!sequence_answered(run) && !search_spent(run) && full)
        search_full(run);
    else if (!sequence_answered(run) && cut)
        budget_stop(run->budget, SOLOIST_STOP_NODES); /* has no effect if another reason was given before */
    return sequence_answered(run) ? SOLOIST_OK : worst_code(robin);
}

static void wait_for_all(struct round_robin *robin) {
    pthread_mutex_lock(&robin->lock);
    hand_on(robin);
    for (int i = 0; i < robin->count; i++)
        while (robin->runners[i].state != RUNNER_ENDED)
            pthread_cond_wait(&robin->ended, &robin->lock);
    pthread_mutex_unlock(&robin->lock);
}

soloist_code round_robin_run(struct search_run *run, const soloist_member *members, size_t count) {
    struct round_robin *robin = calloc(1, sizeof *robin);
    if (!robin)
        return search_full(run);
    const soloist_limits *limits = &run->budget->limits;
    size_t used = memory_used(&run->budget->memory);
    robin->run = run;
    robin->count = count < SOLOIST_MOST_MEMBERS ? (int)count : SOLOIST_MOST_MEMBERS;
    robin->at_a_time = run->threads;
    robin->round = first_round;
    robin->memory = limits->memory > used ? limits->memory - used : !!limits->memory;
    if (run->budget->callbacks && run->budget->callbacks->progress)
        robin->callbacks = (soloist_callbacks){.progress = tell, .user = robin};
    pthread_mutex_init(&robin->lock, NULL);
    pthread_cond_init(&robin->ended, NULL);
    for (int i = 0; i < robin->count; i++)
        open_runner(robin, i, &members[i]);
    divide_iterations(robin);
    wait_for_all(robin);
    soloist_code code = close_members(robin);
    pthread_cond_destroy(&robin->ended);
    pthread_mutex_destroy(&robin->lock);
    free(robin);
    return code;
}
