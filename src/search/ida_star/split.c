/* Sharing a search tree: the main loops of the workers. split_mail.c has their messages. */
#include "search/ida_star/split_worker.h"

#include <string.h>

struct search_run *split_worker_run(struct split_worker *worker) {
    return worker->run;
}

/* ---- nodes ---- */

/* Adds this worker's counts to the budget, which all threads write to, and which is therefore slow. */
static void flush_counts(struct split_worker *worker) {
    struct budget *budget = worker->run->budget;
    if (worker->new_nodes)
        budget_count_nodes(budget, worker->new_nodes);
    if (worker->new_expanded)
        atomic_fetch_add_explicit(&budget->expanded, worker->new_expanded, memory_order_relaxed);
    worker->new_nodes = worker->new_expanded = 0;
}

/* Takes nodes from the stock until the worker has `wanted`, or the stock is empty. sparing: the stock is given out in
 * smaller and smaller parts, so that no worker keeps many nodes that others need. */
static void take_stock(struct split_worker *worker, uint64_t wanted, bool sparing) {
    _Atomic uint64_t *stock = &worker->split->stock;
    uint64_t left = atomic_load(stock), more;
    do {
        uint64_t part = sparing ? 1 + left / (8 * (uint64_t)worker->peers->count) : wanted;
        more = wanted < part ? wanted : part;
        more = more > worker->granted ? more - worker->granted : 0;
        more = more < left ? more : left;
    } while (!atomic_compare_exchange_weak(stock, &left, left - more));
    worker->granted += more;
}

/* An expansion may generate more nodes than the worker has; those beyond the limit of the run are not counted. */
static void count(struct split_worker *worker, uint64_t nodes, uint64_t expanded) {
    if (nodes > worker->granted)
        take_stock(worker, nodes, false);
    uint64_t counted = nodes < worker->granted ? nodes : worker->granted;
    if (worker->run->budget->limits.nodes)
        worker->granted -= counted;
    worker->new_nodes += counted;
    worker->new_expanded += expanded;
    worker->share.nodes += counted;
    worker->share.expanded += expanded;
}

void split_count(struct split_worker *worker, uint64_t nodes, uint64_t expanded) {
    count(worker, nodes, expanded);
    flush_counts(worker);
}

/* Whether a limit of the process ends the search. Only the thread that opened the budget may ask for everything; the
 * others look at the clock too, because the owner may seldom get a core if there are many more threads than cores. */
static bool is_spent(struct split_worker *worker) {
    if (worker->owns_budget)
        return search_spent(worker->run);
    budget_wait(worker->run->budget);
    return search_must_break_off(worker->run, &worker->looks) ||
           atomic_load_explicit(&worker->run->budget->stop, memory_order_relaxed) >= 0;
}

static void return_stock(struct split_worker *worker) {
    if (worker->run->budget->limits.nodes)
        atomic_fetch_add(&worker->split->stock, worker->granted);
    worker->granted = 0;
}

uint64_t split_grant(struct split_worker *worker) {
    uint64_t slice = worker->split->slice, step = worker->split->step, limit = worker->run->budget->limits.nodes;
    if (!limit) {
        worker->granted = UINT64_MAX;
        return step;
    }
    for (take_stock(worker, slice, true); !worker->granted; take_stock(worker, slice, true)) {
        if (atomic_load(&worker->run->budget->nodes) >= limit)
            budget_stop(worker->run->budget, SOLOIST_STOP_NODES);
        if (is_spent(worker) || worker->over)
            return 0;
        peers_wait(worker->peers, NULL);
        split_receive(worker);
    }
    return worker->granted < step ? worker->granted : step;
}

uint64_t split_look(struct split_worker *worker, uint64_t nodes, uint64_t expanded) {
    enum { seldom = 16 };
    count(worker, nodes, expanded);
    if (worker->run->budget->limits.nodes || worker->new_nodes >= seldom * worker->split->step)
        flush_counts(worker);
    if (is_spent(worker))
        return 0;
    worker->unshared += nodes;
    if (worker->unshared >= worker->split->slice) {
        worker->unshared = 0;
        split_receive(worker);
        split_give(worker);
    }
    return worker->over ? 0 : split_grant(worker);
}

/* ---- searching ---- */

/* Searches a piece of the tree, or the whole tree. */
static void search_one(struct split_worker *worker, const struct split_round *round, const uint32_t *piece) {
    worker->active = true;
    worker->round = *round;
    enum split_end end = worker->split->kind->search(worker->walk, round, piece, &worker->summary);
    worker->active = false;
    return_stock(worker);
    if (end != SPLIT_DONE && !worker->over && !worker->halted)
        split_halt(worker, end);
}

/* Takes the next piece that this worker has; false: there is none. */
static bool next_task(struct split_worker *worker, struct split_task *task) {
    if (worker->over || worker->halted)
        return false;
    if (worker->task_count)
        *task = worker->tasks[--worker->task_count];
    else if (worker->queue_first < worker->queue_count)
        *task = worker->queue[worker->queue_first++];
    else
        return false;
    return true;
}

/* Searches all pieces that this worker has. */
static void search_tasks(struct split_worker *worker) {
    for (struct split_task task; next_task(worker, &task);) {
        worker->share.pieces++;
        if (task.ask >= 0)
            split_ask_ahead(worker, task.ask);
        search_one(worker, &task.round, task.piece.words);
        piece_close(&task.piece, worker->memory);
    }
}

/* Waits for messages: for a moment by asking again and again, because another thread usually answers at once. */
static void wait_for_mail(struct split_worker *worker) {
    enum { moment = 256 };
    struct budget *budget = worker->run->budget;
    double since = clock_seconds();
    int arrived = 0;
    for (int i = 0; i < moment && !arrived; i++)
        arrived = split_receive(worker);
    if (!arrived) {
        peers_wait(worker->peers, NULL);
        split_receive(worker);
    }
    worker->share.idle_s += clock_seconds() - since;
    bool spent = worker->owns_budget ? budget_look(budget, &worker->run->progress) : atomic_load(&budget->stop) >= 0;
    if (spent && !worker->over && !worker->halted)
        split_halt(worker, SPLIT_STOPPED);
}

bool split_add(struct split_worker *worker, const struct split_round *round, const struct piece *piece) {
    struct split_task task = {.round = *round, .ask = -1};
    if (!memory_grow(worker->memory, &worker->queue, sizeof *worker->queue, &worker->queue_room,
                     (uint64_t)worker->queue_count + 1) ||
        !piece_begin(&task.piece, worker->memory, piece->count))
        return false;
    memcpy(task.piece.words, piece->words, piece->count * sizeof *piece->words);
    worker->queue[worker->queue_count++] = task;
    return true;
}

/* Cuts the tree into pieces if the iteration is likely to be long: most iterations are several times as long as the one
 * before. False: it was not cut. pieces_each: so many that the last ones to be finished are a small part of the whole,
 * and the workers are near each other. */
static bool scatter(struct split_worker *worker, const struct split_round *round) {
    enum { pieces_each = 64 };
    const struct split *split = worker->split;
    uint64_t count = (uint64_t)worker->peers->count, most = pieces_each * count;
    uint64_t wanted = worker->nodes_before * count / (16 * split->slice);
    wanted = wanted < most ? wanted : most;
    if (!split->kind->scatter || wanted < 4 * count ||
        (worker->run->budget->limits.nodes && atomic_load(&split->stock) < 1000 * wanted))
        return false;
    worker->queue_first = worker->queue_count = 0;
    split_grant(worker);
    worker->round = *round;
    enum split_end end = split->kind->scatter(worker->walk, round, (uint32_t)wanted, &worker->summary);
    return_stock(worker);
    if (end != SPLIT_DONE && !worker->over)
        split_halt(worker, end);
    split_give(worker);
    return true;
}

enum split_end split_iterate(struct split_worker *worker, const struct split_round *round,
                             struct split_summary *summary) {
    uint64_t nodes = worker->share.nodes;
    worker->engaged = true;
    worker->summary = split_nothing();
    if (is_spent(worker))
        split_halt(worker, SPLIT_STOPPED);
    else if (!scatter(worker, round))
        search_one(worker, round, NULL);
    for (search_tasks(worker); !worker->over && worker->given; search_tasks(worker)) {
        split_ask(worker);
        wait_for_mail(worker);
    }
    *summary = worker->summary;
    worker->nodes_before = worker->share.nodes - nodes;
    return worker->over ? worker->end : SPLIT_DONE;
}

/* What every worker but the first one does. */
static void serve(struct split_worker *worker) {
    while (!worker->over) {
        search_tasks(worker);
        split_confirm(worker);
        if (!worker->halted && worker->walk)
            split_ask(worker);
        if (!worker->over)
            wait_for_mail(worker);
    }
}

/* ---- starting ---- */

static bool open_worker(struct split_worker *worker, struct split *split, struct peers *peers) {
    *worker = (struct split_worker){.split = split,
                                    .peers = peers,
                                    .run = split->run,
                                    .memory = &split->run->budget->memory,
                                    .owns_budget = !split->threads || !peers->rank,
                                    .summary = split_nothing()};
    if (!worker->owns_budget) {
        worker->copy = split->before;
        worker->copy.error = &worker->error;
        worker->run = &worker->copy;
    }
    soloist_rng_seed(&worker->rng, split->run->seed, (uint64_t)peers->rank);
    bool opened = split_mail_open(worker);
    if (opened)
        worker->walk = split->kind->open(split->user, worker);
    return opened;
}

/* What the run returns in worker 0's process. */
static soloist_code conclude(struct split_worker *worker, soloist_code code) {
    struct search_run *run = worker->run;
    if (worker->lost) {
        soloist_fail(run->error, 0, 0, "a process of this search was lost");
        return SOLOIST_INTERNAL;
    }
    if (worker->end == SPLIT_REFUSED)
        return SOLOIST_UNSUPPORTED;
    return worker->end == SPLIT_FULL ? search_full(run) : code;
}

static void tell_shares(const struct split_worker *worker) {
    const struct split_share *shares = worker->split->shares;
    int count = worker->peers->count;
    uint64_t sum = 0, least = UINT64_MAX, most = 0;
    for (int i = 0; shares && i < count; i++) {
        sum += shares[i].nodes;
        least = shares[i].nodes < least ? shares[i].nodes : least;
        most = shares[i].nodes > most ? shares[i].nodes : most;
    }
    if (sum)
        worker->run->shares =
            (struct search_shares){count, (double)least * count / (double)sum, (double)most * count / (double)sum};
}

/* Worker 0. */
static void lead(struct split_worker *worker) {
    struct split *split = worker->split;
    soloist_code code = worker->walk ? split->kind->lead(worker->walk) : search_full(split->run);
    split->code = conclude(worker, code);
    split_dismiss(worker, split->code);
    if (worker->lost)
        split->code = conclude(worker, code);
    if (split->shares)
        split->shares[0] = worker->share;
    tell_shares(worker);
    split->run->has_expanded |= atomic_load(&split->run->budget->expanded) > 0;
}

/* One worker's whole work. Without memory for a walk, a worker only waits for the end, and the others do without it. */
static void work(void *user, struct peers *peers) {
    struct split_worker worker;
    bool opened = open_worker(&worker, user, peers);
    if (!opened) {
        search_full(worker.run);
        split_halt(&worker, SPLIT_FULL);
    }
    if (!peers->rank)
        lead(&worker);
    else {
        if (opened)
            serve(&worker);
        split_report(&worker);
        if (worker.owns_budget && worker.lost)
            worker.split->code = conclude(&worker, SOLOIST_OK);
    }
    if (worker.walk)
        worker.split->kind->close(worker.walk);
    split_mail_close(&worker);
    peers_finish(peers);
}

bool split_is_wanted(const struct search_run *run) { return run->threads > 1 || run->peers; }

enum { message_size = 1024 };

/* Runs the workers of this process; false: memory is full. */
static bool start(struct split *split, int count) {
    struct search_run *run = split->run;
    if (split->threads)
        return peers_threads_run(&run->budget->memory, count, message_size, work, split) > 0;
    work(split, run->peers);
    return true;
}

static void *open_nothing(void *user, struct split_worker *worker) {
    (void)user, (void)worker;
    return NULL;
}

soloist_code split_run_without_memory(struct search_run *run) {
    static const struct split_kind nothing = {.open = open_nothing};
    return run->peers ? split_run(run, &nothing, NULL, 1) : search_full(run);
}

uint64_t split_usual_slice(const struct search_run *run) {
    bool fast = run->domain->hints && run->domain->hints->fast_expand;
    return fast ? 2048 : 64;
}

soloist_code split_run(struct search_run *run, const struct split_kind *kind, void *user, uint64_t slice) {
    struct memory *memory = &run->budget->memory;
    uint64_t limit = run->budget->limits.nodes, used = atomic_load(&run->budget->nodes);
    int count = run->peers ? run->peers->count : run->threads;
    uint64_t usual = split_usual_slice(run);
    struct split split = {.run = run,
                          .before = *run,
                          .kind = kind,
                          .user = user,
                          .slice = slice,
                          .step = slice < usual ? slice : usual,
                          .threads = !run->peers};
    atomic_init(&split.stock, limit > used ? limit - used : 0);
    split.shares = memory_take(memory, (size_t)count * sizeof *split.shares);
    if (!start(&split, count))
        split.code = search_full(run);
    memory_give(memory, split.shares, (size_t)count * sizeof *split.shares);
    return split.code;
}
