/* A portfolio of methods. Side by side every thread is a lane: a run of its own with a budget of its own, an equal part
 * of the memory and of the counted limits and all of the time. Lanes take members from one list in order, so that two
 * lanes come to the later ones in about half the time. */
#include "search/portfolio.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most_lanes = 16 };

struct lane {
    struct portfolio *portfolio;
    struct search_run run;
    struct budget budget;
    soloist_error error;
    soloist_code code;
};

struct portfolio {
    struct search_run *run; /* as it came; changed under the lock only */
    const struct portfolio_member *members;
    size_t count, next; /* next: under the lock */
    struct lane lanes[most_lanes];
    int lane_count, spare; /* spare: threads that are no lanes */
    bool answered;         /* under the lock */
    pthread_mutex_t lock;
};

/* The proof or, for a least-cost domain, any solution ends the portfolio. */
static bool is_answered(const struct search_run *run) {
    return run->optimal || run->impossible || (run->found && run->domain->aim == SOLOIST_LEAST_COST);
}

static void add_name(struct search_run *run, const char *name) {
    size_t length = strlen(run->method);
    snprintf(run->method + length, sizeof run->method - length, "%s%s", length ? "+" : "", name);
}

/* The time of which `percent` are at most `most_s` seconds from now. */
static double capped_time(const struct search_run *run, int percent, double most_s) {
    double whole = run->budget->limits.time_s, capped = budget_elapsed(run->budget) + most_s * 100 / percent;
    return whole > 0 && most_s > 0 && capped < whole ? capped : whole;
}

/* The last one has all that is left. */
static soloist_code run_member(struct search_run *run, const struct portfolio_member *member, bool is_last) {
    int percent = is_last ? 100 : member->percent;
    double whole = run->budget->limits.time_s;
    if (!is_last)
        run->budget->limits.time_s = capped_time(run, percent, member->most_s);
    soloist_code code = member->changes ? search_part_as(run, member->changes, member->method, percent)
                                        : search_part(run, member->method, percent);
    run->budget->limits.time_s = whole;
    return code;
}

/* A member that refuses the puzzle is passed over; where all do, the last one's reason is told. */
soloist_code portfolio_run_in_turn(struct search_run *run, const struct portfolio_member *members, size_t count) {
    soloist_code code = SOLOIST_OK, worst = SOLOIST_UNSUPPORTED;
    run->method[0] = 0;
    for (size_t i = 0; i < count; i++) {
        add_name(run, members[i].method);
        code = run_member(run, &members[i], i + 1 == count);
        if (code != SOLOIST_UNSUPPORTED)
            worst = code;
        if ((code != SOLOIST_OK && code != SOLOIST_UNSUPPORTED) || is_answered(run) || search_spent(run))
            break;
    }
    return worst;
}

/* ---- side by side ---- */

/* The next member's number, or `count` where a lane has nothing left to do. */
static size_t take_member(struct portfolio *portfolio) {
    pthread_mutex_lock(&portfolio->lock);
    size_t number = portfolio->answered ? portfolio->count : portfolio->next;
    if (number < portfolio->count) {
        portfolio->next++;
        add_name(portfolio->run, portfolio->members[number].method);
    }
    pthread_mutex_unlock(&portfolio->lock);
    return number;
}

/* Ends all lanes. A lane whose share has just run out may forget its stop, but then it asks for the next member, and
 * there is none any more. */
static void end_all(struct portfolio *portfolio) {
    pthread_mutex_lock(&portfolio->lock);
    portfolio->answered = true;
    pthread_mutex_unlock(&portfolio->lock);
    for (int i = 0; i < portfolio->lane_count; i++)
        budget_stop(&portfolio->lanes[i].budget, SOLOIST_STOP_CANCEL);
}

static void *run_lane(void *argument) {
    struct lane *lane = argument;
    struct portfolio *portfolio = lane->portfolio;
    size_t number, lanes = (size_t)portfolio->lane_count;
    while ((number = take_member(portfolio)) < portfolio->count) {
        const struct portfolio_member *member = &portfolio->members[number];
        bool is_last = number + lanes >= portfolio->count;
        lane->run.threads = member->threads ? 1 + portfolio->spare : 1;
        soloist_code code = run_member(&lane->run, member, is_last);
        bool answered = is_answered(&lane->run), refused = code == SOLOIST_UNSUPPORTED;
        if (!refused)
            lane->code = code;
        if (answered)
            end_all(portfolio);
        if (answered || (code != SOLOIST_OK && !refused) || search_spent(&lane->run))
            break;
    }
    return NULL;
}

static uint64_t part_of(uint64_t limit, int lanes) {
    return limit && limit / (unsigned)lanes == 0 ? 1 : limit / (unsigned)lanes;
}

/* Progress is told by the first lane alone, the calling thread. */
static void open_lane(struct portfolio *portfolio, int number) {
    const struct search_run *run = portfolio->run;
    struct lane *lane = &portfolio->lanes[number];
    soloist_limits limits = run->budget->limits;
    limits.nodes = part_of(limits.nodes, portfolio->lane_count);
    limits.iterations = part_of(limits.iterations, portfolio->lane_count);
    limits.memory = (size_t)part_of(limits.memory, portfolio->lane_count);
    budget_open(&lane->budget, &limits, number ? NULL : run->budget->callbacks);
    lane->budget.start_s = run->budget->start_s;
    lane->portfolio = portfolio;
    lane->run = *run;
    lane->run.budget = &lane->budget;
    lane->run.best = (struct search_line){0};
    lane->run.error = &lane->error;
    lane->code = SOLOIST_UNSUPPORTED;
}

/* What a lane found and used becomes the run's. */
static void close_lane(struct portfolio *portfolio, struct lane *lane) {
    struct search_run *run = portfolio->run;
    const struct search_run *part = &lane->run;
    if (part->found)
        search_record(run, part->best.moves, part->best.count, part->best.value);
    run->optimal |= part->optimal;
    run->impossible |= part->impossible;
    run->has_iterations |= part->has_iterations;
    run->has_playouts |= part->has_playouts;
    run->has_expanded |= part->has_expanded;
    run->has_tree |= part->has_tree;
    run->eliminated += part->eliminated, run->skipped += part->skipped, run->moved += part->moved;
    atomic_fetch_add(&run->budget->nodes, atomic_load(&lane->budget.nodes));
    atomic_fetch_add(&run->budget->iterations, atomic_load(&lane->budget.iterations));
    atomic_fetch_add(&run->budget->playouts, atomic_load(&lane->budget.playouts));
    atomic_fetch_add(&run->budget->expanded, atomic_load(&lane->budget.expanded));
    free(part->best.moves);
}

/* A failure of any lane; else that all members refused; else nothing. */
static soloist_code worst_code(struct portfolio *portfolio) {
    soloist_code worst = SOLOIST_UNSUPPORTED;
    for (int i = 0; i < portfolio->lane_count; i++) {
        const struct lane *lane = &portfolio->lanes[i];
        if (lane->code == SOLOIST_OK && worst == SOLOIST_UNSUPPORTED)
            worst = SOLOIST_OK;
        if (lane->code != SOLOIST_OK && (lane->code != SOLOIST_UNSUPPORTED || worst == SOLOIST_UNSUPPORTED)) {
            worst = lane->code;
            if (lane->error.text[0]) /* a lane that came too late for a member has none */
                *portfolio->run->error = lane->error;
        }
    }
    return worst;
}

/* The lanes held their memory at the same time, or nearly so. */
static void tell_peak(struct portfolio *portfolio) {
    struct memory *memory = &portfolio->run->budget->memory;
    size_t peak = 0;
    for (int i = 0; i < portfolio->lane_count; i++)
        peak += memory_peak(&portfolio->lanes[i].budget.memory);
    if (memory_book(memory, peak))
        memory_unbook(memory, peak);
}

static soloist_code close_lanes(struct portfolio *portfolio) {
    struct search_run *run = portfolio->run;
    bool full = false;
    for (int i = 0; i < portfolio->lane_count; i++) {
        close_lane(portfolio, &portfolio->lanes[i]);
        full |= atomic_load(&portfolio->lanes[i].budget.stop) == SOLOIST_STOP_MEMORY;
    }
    tell_peak(portfolio);
    run->budget->next_look = 0;
    if (!is_answered(run) && !search_spent(run) && full)
        search_full(run);
    return is_answered(run) ? SOLOIST_OK : worst_code(portfolio);
}

static soloist_code run_lanes(struct portfolio *portfolio) {
    pthread_t threads[most_lanes];
    int started = 1;
    for (int i = 0; i < portfolio->lane_count; i++)
        open_lane(portfolio, i);
    while (started < portfolio->lane_count &&
           !pthread_create(&threads[started], NULL, run_lane, &portfolio->lanes[started]))
        started++;
    run_lane(&portfolio->lanes[0]);
    for (int i = 1; i < started; i++)
        pthread_join(threads[i], NULL);
    return close_lanes(portfolio);
}

soloist_code portfolio_run(struct search_run *run, const struct portfolio_member *members, size_t count) {
    int most = count < most_lanes ? (int)count : most_lanes, lanes = run->threads < most ? run->threads : most;
    if (lanes < 2)
        return portfolio_run_in_turn(run, members, count);
    struct portfolio *portfolio = calloc(1, sizeof *portfolio);
    if (!portfolio)
        return portfolio_run_in_turn(run, members, count);
    portfolio->run = run;
    portfolio->members = members;
    portfolio->count = count;
    portfolio->lane_count = lanes;
    portfolio->spare = run->threads - lanes;
    pthread_mutex_init(&portfolio->lock, NULL);
    run->method[0] = 0;
    soloist_code code = run_lanes(portfolio);
    pthread_mutex_destroy(&portfolio->lock);
    free(portfolio);
    return code;
}
