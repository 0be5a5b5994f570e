/* Hash-distributed A*: how one rank stores and expands its states. Memory latency is hidden by working in groups: the
 * next states to be expanded are prefetched, and records are stored batch by batch, with the table's slots prefetched.
 * A state may be expanded before the cheapest path to it is known; it is then opened again. */
#include "search/best_first/distributed_rank.h"
#include "search/picture.h"

#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

/* States that are expanded between two looks at messages and limits. */
enum { group = 32 };
/* Records whose slots are fetched ahead, and whose items are. */
enum { slots_ahead = 8, items_ahead = 4 };
/* Own children that are stored together. */
enum { own_records = 16 };
/* States that a rank may always expand before the others have come to their f. */
enum { least_early = 256 };
/* Bytes of a batch: the most, and what is aimed at if memory is short. */
enum { largest_batch = 8192 };

void distributed_stop_rank(struct distributed_rank *rank, struct distributed_stop why) {
    if (!rank->is_stopped)
        rank->stop = why;
    rank->is_stopped = true;
}

static void stop_for(struct distributed_rank *rank, soloist_stop reason) {
    distributed_stop_rank(rank, (struct distributed_stop){.reason = (int32_t)reason});
}

/* The rank to which a packed state belongs. The table uses other bits of the key. */
static int owner_of(const struct distributed_rank *rank, const unsigned char *packed, uint64_t key) {
    const struct distributed_bytes *bytes = rank->bytes;
    uint64_t number = bytes->count ? 0 : key;
    for (int i = 0; i < bytes->count; i++)
        number = (number ^ packed[bytes->at[i]]) * 0x9e3779b97f4a7c15u + 1;
    return (int)((hash_mix(number) >> 32) * (uint64_t)rank->peers->count >> 32);
}

/* Whether no line through a state of this cost and bound can beat the best goal. */
static bool is_too_dear(const struct distributed_rank *rank, int32_t cost, int32_t bound) {
    return (int64_t)cost + (rank->admissible ? bound : 0) >= rank->upper;
}

/* ---- storing ---- */

static bool push(struct distributed_rank *rank, uint32_t index) {
    const struct distributed_node *node = distributed_at(rank, index);
    uint32_t minor = rank->settings->random_ties ? soloist_rng_below(&rank->rng, 256) : (uint32_t)node->bound;
    return open_list_push(&rank->open, (uint64_t)(node->cost + rank->settings->weight * node->bound / 1000), minor,
                          index);
}

/* Stores a state if it is new or was reached by a cheaper path. */
static void take_record(struct distributed_rank *rank, int from, const struct distributed_record *record) {
    bool added;
    if (is_too_dear(rank, record->cost, record->bound))
        return;
    uint32_t index = table_put(&rank->table, record->key, record + 1, &added);
    if (index == POOL_NONE) {
        stop_for(rank, SOLOIST_STOP_MEMORY);
        return;
    }
    struct distributed_node *node = distributed_at(rank, index);
    if (!added && record->cost >= node->cost)
        return;
    *node = (struct distributed_node){.parent = record->parent,
                                      .move = record->move,
                                      .cost = record->cost,
                                      .bound = record->bound,
                                      .rank = (uint16_t)from};
    if (!push(rank, index))
        stop_for(rank, SOLOIST_STOP_MEMORY);
}

void distributed_take_batch(struct distributed_rank *rank, int from, const void *bytes, size_t size) {
    const unsigned char *first = bytes;
    size_t step = rank->record_size, count = size / step;
    for (size_t i = 0; i < count + slots_ahead && !rank->is_stopped; i++) {
        if (i < count)
            table_prefetch(&rank->table, ((const struct distributed_record *)(const void *)(first + i * step))->key);
        size_t item = i - (slots_ahead - items_ahead), now = i - slots_ahead;
        if (item < count)
            table_prefetch_match(&rank->table,
                                 ((const struct distributed_record *)(const void *)(first + item * step))->key);
        if (now < count)
            take_record(rank, from, (const struct distributed_record *)(const void *)(first + now * step));
    }
}

static void take_own_box(struct distributed_rank *rank) {
    struct distributed_box *box = &rank->boxes[rank->peers->rank];
    size_t used = box->used;
    box->used = 0;
    distributed_take_batch(rank, rank->peers->rank, box->bytes, used);
}

/* ---- expanding ---- */

/* Puts the child into the box of the rank to which it belongs. */
static void post(struct distributed_rank *rank, uint32_t parent, const soloist_child *child, int32_t cost) {
    search_pack(rank->run, rank->child, rank->packed);
    int to = owner_of(rank, rank->packed, child->key);
    struct distributed_box *box = &rank->boxes[to];
    struct distributed_record *record = (struct distributed_record *)(void *)(box->bytes + box->used);
    *record =
        (struct distributed_record){child->key, parent, child->move, cost, rank->settings->bounds ? child->bound : 0};
    memcpy(record + 1, rank->packed, rank->table.string_size);
    box->used += rank->record_size;
    if (to == rank->peers->rank) {
        if (box->used == rank->own_box_size)
            take_own_box(rank);
    } else if (box->used == rank->box_size) {
        distributed_flush(rank, to);
    }
}

static void note_goal(struct distributed_rank *rank, uint32_t parent, soloist_move move, int32_t cost) {
    rank->upper = rank->report.goal = cost;
    rank->report.parent = parent;
    rank->report.move = move;
    rank->upper_due = true;
}

/* Handles one child of the state at `parent`: a goal, or a state that belongs to some rank. */
static void take_child(struct distributed_rank *rank, uint32_t parent, int32_t parent_cost,
                       const soloist_child *child) {
    const struct search_run *run = rank->run;
    int32_t last;
    if (child->step < 0 || parent_cost >= SOLOIST_DEAD - child->step) {
        distributed_stop_rank(rank, (struct distributed_stop){-1, parent_cost, child->step});
        return;
    }
    int32_t cost = parent_cost + child->step;
    if (is_too_dear(rank, cost, rank->settings->bounds ? child->bound : 0))
        return;
    memcpy(rank->child, rank->state, run->shape.state_size);
    run->domain->core->apply(run->instance, rank->child, child->move, NULL);
    if (run->domain->core->ended(run->instance, rank->child, &last))
        note_goal(rank, parent, child->move, cost);
    else
        post(rank, parent, child, cost);
}

/* Counts nodes in the budget in advance, so that ranks that are threads seldom write to the same place; near a limit,
 * few at a time. */
static void renew_lease(struct distributed_rank *rank, uint64_t least) {
    enum { usual = 2048 };
    struct budget *budget = rank->run->budget;
    uint64_t limit = budget->limits.nodes, used = atomic_load(&budget->nodes), more;
    do {
        uint64_t left = !limit ? UINT64_MAX : used < limit ? limit - used : 0;
        more = left / (4 * (uint64_t)rank->peers->count);
        more = more < least ? least : more > usual ? usual : more;
        more = more > left ? left : more;
    } while (!atomic_compare_exchange_weak(&budget->nodes, &used, used + more));
    rank->lease += more;
    atomic_fetch_add_explicit(&budget->expanded, rank->expanded - rank->told_expanded, memory_order_relaxed);
    rank->told_expanded = rank->expanded;
}

/* Counts generated states; returns how many of them the node limit allows. */
static int count_nodes(struct distributed_rank *rank, int count) {
    if (rank->lease < (uint64_t)count)
        renew_lease(rank, (uint64_t)count - rank->lease);
    if (rank->lease < (uint64_t)count) {
        count = (int)rank->lease;
        stop_for(rank, SOLOIST_STOP_NODES);
    }
    rank->lease -= (uint64_t)count;
    rank->nodes += (uint64_t)count;
    return count;
}

static void expand(struct distributed_rank *rank, uint32_t index) {
    const struct search_run *run = rank->run;
    struct distributed_node *node = distributed_at(rank, index);
    int32_t cost = node->cost;
    if (node->is_expanded || is_too_dear(rank, cost, node->bound))
        return;
    if (!rank->expansions_left--) {
        stop_for(rank, SOLOIST_STOP_NODES);
        return;
    }
    node->is_expanded = true;
    memcpy(rank->packed, table_string(&rank->table, index), rank->table.string_size);
    search_unpack(run, rank->packed, rank->state);
    unsigned want = SOLOIST_WANT_KEY | (rank->settings->bounds ? SOLOIST_WANT_BOUND : 0);
    int count = search_expand(run, run->domain->core, rank->state, node->move, want, rank->children);
    count = count_nodes(rank, count);
    rank->expanded++;
    for (int i = 0; i < count; i++)
        take_child(rank, index, cost, &rank->children[i]);
}

/* ---- the order of expansion ---- */

/* Whether the best goal is known to be optimal, because its cost meets the root's bound. */
static bool is_proved(const struct distributed_rank *rank) {
    return rank->run->proof_known && rank->upper <= rank->run->proof;
}

uint32_t distributed_next_f(struct distributed_rank *rank) {
    uint32_t f;
    bool is_left = !is_proved(rank) && open_list_least(&rank->open, &f) &&
                   (rank->upper == SOLOIST_DEAD || f < (uint32_t)rank->upper);
    return !is_left ? DISTRIBUTED_NO_F : f < DISTRIBUTED_NO_F ? f : DISTRIBUTED_NO_F - 1;
}

/* Whether a state of this f may be expanded now. What a rank may do before the others have caught up is a sixteenth of
 * its work: if it had to wait for every step of the floor, ranks far apart would do little else. */
static bool is_in_pace(const struct distributed_rank *rank, uint32_t f) {
    return f <= rank->floor || rank->early < least_early + rank->expanded / 16;
}

/* Takes states from the open list whose f is below the cost of the best goal, and not too far above the floor. */
static void fetch_ahead(struct distributed_rank *rank) {
    uint32_t f;
    while (rank->ahead_count < distributed_ahead && (f = distributed_next_f(rank)) != DISTRIBUTED_NO_F &&
           is_in_pace(rank, f)) {
        uint32_t index = open_list_pop(&rank->open, &f);
        rank->early += f > rank->floor;
        table_prefetch_item(&rank->table, index);
        rank->ahead[(rank->ahead_first + rank->ahead_count++) % distributed_ahead] = index;
    }
}

/* Expands some states; false: there is none that may be expanded now. Expansions that take long notice by themselves
 * that the run is stopped; then the rest of the group is not expanded. */
static bool expand_group(struct distributed_rank *rank) {
    const _Atomic int *stop = &rank->run->budget->stop;
    int done = 0;
    for (; done < group && !rank->is_stopped && !is_proved(rank); done++) {
        if (atomic_load_explicit(stop, memory_order_relaxed) >= 0)
            break;
        fetch_ahead(rank);
        if (!rank->ahead_count)
            break;
        uint32_t index = rank->ahead[rank->ahead_first];
        rank->ahead_first = (rank->ahead_first + 1) % distributed_ahead;
        rank->ahead_count--;
        expand(rank, index);
        rank->look.latest = index;
    }
    return done > 0;
}

/* Stale entries are removed on the way. */
bool distributed_has_open(struct distributed_rank *rank) {
    uint32_t f, index;
    if (rank->ahead_count)
        return true;
    while ((index = open_list_pop(&rank->open, &f)) != POOL_NONE)
        if (!distributed_at(rank, index)->is_expanded)
            return push(rank, index) || true;
    return false;
}

/* ---- the main loop ---- */

/* Whether a limit ends the run. Only the thread that owns the run may ask for everything; the others look at the clock
 * too, because the owner may seldom get a core if there are many more threads than cores. */
static void look_at_limits(struct distributed_rank *rank, bool idle) {
    struct budget *budget = rank->run->budget;
    if (rank->owns_run && (idle ? budget_look(budget, &rank->run->progress) : search_spent(rank->run)))
        stop_for(rank, (soloist_stop)atomic_load(&budget->stop));
    else if (!rank->owns_run) {
        budget_wait(budget);
        search_must_break_off(rank->run, &rank->looks);
    }
    int stop = atomic_load_explicit(&budget->stop, memory_order_relaxed);
    if (stop >= 0)
        stop_for(rank, (soloist_stop)stop);
}

static void note_progress(struct distributed_rank *rank) {
    uint32_t f;
    if (!rank->owns_run || !open_list_least(&rank->open, &f))
        return;
    search_note(rank->run, "f %u", (unsigned)f);
    if (rank->upper != SOLOIST_DEAD) {
        rank->run->progress.best = rank->upper;
        rank->run->progress.has_best = true;
    }
}

/* Sends one box even if it is not full, so that no rank waits long for a state: a box that is nearly empty only every
 * eighth time, because a message costs more than a record. */
static void flush_next(struct distributed_rank *rank) {
    int to = rank->next_flushed = (rank->next_flushed + 1) % rank->peers->count;
    rank->flush_rounds += to == 0;
    if (to != rank->peers->rank && (rank->boxes[to].used >= rank->box_size / 4 || rank->flush_rounds % 8 == 0))
        distributed_flush(rank, to);
}

static void flush_all(struct distributed_rank *rank) {
    for (int to = 0; to < rank->peers->count; to++)
        if (to != rank->peers->rank)
            distributed_flush(rank, to);
}

/* There is nothing to expand now: own children that wait may change that; otherwise all boxes are sent, and the rank
 * waits for others. */
static void rest(struct distributed_rank *rank) {
    if (rank->boxes[rank->peers->rank].used) {
        take_own_box(rank);
        return;
    }
    uint64_t received = rank->received;
    uint32_t floor = rank->floor;
    flush_all(rank);
    bool is_idle = distributed_next_f(rank) == DISTRIBUTED_NO_F;
    if (is_idle && rank->received == received && !rank->is_stopped)
        distributed_be_idle(rank);
    look_at_limits(rank, true);
    if (!rank->over && !rank->is_stopped && rank->received == received && rank->floor == floor)
        peers_wait(rank->peers, rank->owns_run ? &rank->run->budget->token : NULL);
}

static void search(struct distributed_rank *rank) {
    while (!rank->over && rank->lost < 0) {
        distributed_receive(rank);
        distributed_tell(rank);
        if (rank->halted) {
            distributed_conclude(rank);
        } else if (rank->is_stopped) {
            peers_wait(rank->peers, NULL);
        } else if (expand_group(rank)) {
            flush_next(rank);
            note_progress(rank);
            look_at_limits(rank, false);
        } else {
            rest(rank);
        }
    }
}

/* ---- opening and closing ---- */

static bool open_root(struct distributed_rank *rank) {
    const struct search_run *run = rank->run;
    run->domain->life->root(run->instance, rank->state);
    uint64_t key = run->domain->core->key(run->instance, rank->state);
    int32_t bound = rank->settings->bounds ? search_bound(run, run->domain->bound, rank->state) : 0;
    bool added;
    search_pack(run, rank->state, rank->packed);
    if (bound == SOLOIST_DEAD || owner_of(rank, rank->packed, key) != rank->peers->rank)
        return true;
    uint32_t index = table_put(&rank->table, key, rank->packed, &added);
    if (index == POOL_NONE)
        return false;
    *distributed_at(rank, index) = (struct distributed_node){.move = SOLOIST_NO_MOVE, .bound = bound};
    return push(rank, index);
}

static size_t record_size(const struct search_run *run) {
    return (sizeof(struct distributed_record) + search_packed_size(run) + 7) / 8 * 8;
}

/* One block for two states, a packed state, the list of children and all boxes. */
static bool open_scratch(struct distributed_rank *rank) {
    const struct search_run *run = rank->run;
    size_t state = memory_round_up(run->shape.state_size), packed = memory_round_up(search_packed_size(run));
    size_t children = memory_round_up((size_t)run->shape.most_moves * sizeof(soloist_child));
    size_t count = (size_t)rank->peers->count, boxes = memory_round_up(count * sizeof *rank->boxes);
    rank->box_size = rank->peers->most / rank->record_size * rank->record_size;
    rank->own_box_size = own_records * rank->record_size;
    size_t levels = rank->peers->rank ? 0 : memory_round_up(count * sizeof *rank->levels);
    rank->scratch_size =
        2 * state + packed + children + boxes + levels + (count - 1) * rank->box_size + rank->own_box_size;
    unsigned char *block = rank->scratch = memory_take(&run->budget->memory, rank->scratch_size);
    if (!block)
        return false;
    rank->state = block;
    rank->child = block + state;
    rank->packed = block + 2 * state;
    rank->children = (soloist_child *)(void *)(block + 2 * state + packed);
    rank->boxes = (struct distributed_box *)(void *)(block + 2 * state + packed + children);
    block += 2 * state + packed + children + boxes;
    rank->levels = (uint32_t *)(void *)block;
    memset(rank->levels, 0xff, levels);
    block += levels;
    for (int i = 0; i < rank->peers->count; i++) {
        rank->boxes[i].bytes = block;
        block += i == rank->peers->rank ? rank->own_box_size : rank->box_size;
    }
    return true;
}

static void open_rank(struct distributed_rank *rank, struct search_run *run,
                      const struct distributed_settings *settings, const struct distributed_bytes *bytes,
                      struct peers *peers) {
    uint64_t limit = (uint64_t)settings->expansions, n = (uint64_t)peers->count, i = (uint64_t)peers->rank;
    *rank = (struct distributed_rank){.run = run, .settings = settings, .bytes = bytes, .peers = peers};
    rank->upper = SOLOIST_DEAD;
    rank->level = rank->floor = DISTRIBUTED_NO_F;
    rank->owns_run = run->peers || peers->rank == 0;
    rank->admissible = !settings->bounds || run->domain->bound->admissible(run->instance);
    rank->report.goal = rank->sum.goal = SOLOIST_DEAD;
    rank->least_share = UINT64_MAX;
    rank->lost = -1;
    rank->record_size = record_size(run);
    rank->expansions_left = limit ? limit * (i + 1) / n - limit * i / n : UINT64_MAX;
    soloist_rng_seed(&rank->rng, run->seed, i);
    open_list_open(&rank->open, &run->budget->memory);
    if (!open_scratch(rank) ||
        !table_open(&rank->table, &run->budget->memory, search_packed_size(run), sizeof(struct distributed_node)) ||
        !open_root(rank))
        stop_for(rank, SOLOIST_STOP_MEMORY);
}

static void close_rank(struct distributed_rank *rank) {
    struct budget *budget = rank->run->budget;
    if (rank->table.items.memory)
        table_close(&rank->table);
    open_list_close(&rank->open);
    memory_give(&budget->memory, rank->scratch, rank->scratch_size);
    free(rank->line.moves);
    distributed_close_look(rank);
}

/* What is left of the lease was never generated. */
static void settle_counts(struct distributed_rank *rank) {
    struct budget *budget = rank->run->budget;
    atomic_fetch_sub(&budget->nodes, rank->lease);
    atomic_fetch_add(&budget->expanded, rank->expanded - rank->told_expanded);
}

static soloist_code code_of(struct distributed_rank *rank) {
    struct search_run *run = rank->run;
    int32_t sum;
    if (rank->lost >= 0) {
        soloist_fail(run->error, 0, 0, "rank %d was lost, and the states that belonged to it", rank->lost);
        return SOLOIST_INTERNAL;
    }
    bool refused = rank->is_stopped && rank->stop.reason < 0;
    if (refused)
        search_add_cost(run, rank->stop.cost, rank->stop.bad_step, &sum); /* fills in the error */
    return refused ? SOLOIST_UNSUPPORTED : SOLOIST_OK;
}

/* ---- what the search shows: the open states of this rank, for all ranks have about as many ---- */

struct tally {
    const struct distributed_rank *rank;
    struct search_picture *picture;
    uint64_t weight; /* how many states each that is looked at stands for */
};

static void paint_open(void *user, uint32_t f, uint32_t index) {
    const struct tally *tally = user;
    const struct distributed_node *node = distributed_at(tally->rank, index);
    if (node->is_expanded)
        return;
    picture_count(tally->picture, SOLOIST_AXIS_F, 0, f, tally->weight);
    picture_count(tally->picture, SOLOIST_AXIS_COST, 0, node->cost, tally->weight);
}

static void paint(const void *subject, struct search_picture *picture) {
    const struct distributed_rank *rank = subject;
    uint64_t stride = picture_stride(open_list_count(&rank->open));
    struct tally tally = {rank, picture, stride * (uint64_t)rank->peers->count};
    picture_kind(picture, SOLOIST_PICTURE_FRONT);
    open_list_sample(&rank->open, stride, paint_open, &tally);
    distributed_paint_line(rank, picture);
}

/* What all ranks of one process share. */
struct shared {
    struct search_run *run;
    const struct distributed_settings *settings;
    struct distributed_bytes bytes;
    bool is_full; /* there was no memory to choose the bytes */
    soloist_code code;
};

static void be_rank(void *user, struct peers *peers) {
    struct shared *shared = user;
    struct distributed_rank rank;
    open_rank(&rank, shared->run, shared->settings, &shared->bytes, peers);
    if (shared->is_full)
        stop_for(&rank, SOLOIST_STOP_MEMORY);
    if (rank.owns_run)
        search_show(rank.run, paint, &rank);
    search(&rank);
    if (rank.owns_run)
        search_hide(rank.run);
    settle_counts(&rank);
    close_rank(&rank);
    if (peers_finish(peers) == PEERS_LOST && rank.lost < 0 && !rank.over)
        rank.lost = peers->rank;
    if (rank.owns_run)
        shared->code = code_of(&rank);
}

bool distributed_is_wanted(const struct search_run *run) {
    return run->peers ? run->peers->count > 1 : run->threads > 1;
}

/* Bytes of the largest message between threads. The messages under way and the boxes take at most an eighth of the
 * memory that may be used. */
static size_t batch_size(const struct search_run *run) {
    size_t n = (size_t)run->threads, limit = run->budget->memory.limit, used = memory_used(&run->budget->memory);
    size_t share = !limit ? SIZE_MAX : limit > used ? (limit - used) / 8 : 0;
    size_t most = share / (n * n * 6), least = record_size(run);
    most = most > largest_batch ? largest_batch : most;
    return most < least ? least : most;
}

soloist_code distributed_run(struct search_run *run, const struct distributed_settings *settings) {
    struct shared shared = {.run = run, .settings = settings};
    run->has_expanded = true;
    if (run->peers && run->peers->most < record_size(run)) {
        soloist_fail(run->error, 0, 0, "%.80s: a state of %s is too large for a message between ranks", run->method,
                     run->domain->name);
        return SOLOIST_UNSUPPORTED;
    }
    /* Between threads messages are cheap, and equal shares matter more. */
    shared.is_full = run->peers && !distributed_choose_bytes(run, &shared.bytes);
    if (run->peers)
        be_rank(&shared, run->peers);
    else if (!peers_threads_run(&run->budget->memory, run->threads, batch_size(run), be_rank, &shared))
        return search_full(run);
    return shared.code;
}
