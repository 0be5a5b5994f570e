/* One iteration: selection down the tree, expansion by one child or all children, evaluating the leaf, and backing up
 * the result. Nodes do not store states; the states are computed again on the way down. */
#include "search/mcts/mcts.h"

#include <string.h>

size_t mcts_lists_size(int room) {
    return (size_t)room * (sizeof(struct mcts_copy_child *) + sizeof(soloist_move) + sizeof(uint32_t) + sizeof(int8_t));
}

/* The four lists are in one block, so that all have the same length even if memory runs out. The list with the largest
 * items comes first, so that each is aligned. */
static bool grow_lists(struct mcts_worker *worker, int room) {
    struct memory *memory = &worker->mcts->run->budget->memory;
    struct mcts_copy_child **path_copies = memory_take(memory, mcts_lists_size(room));
    if (!path_copies)
        return false;
    soloist_move *line = (soloist_move *)(void *)(path_copies + room);
    uint32_t *path = line + room;
    int8_t *sign = (int8_t *)(path + room);
    if (worker->room) {
        size_t count = (size_t)worker->room;
        memcpy(path_copies, worker->path_copies, count * sizeof *path_copies);
        memcpy(line, worker->line, count * sizeof *line);
        memcpy(path, worker->path, count * sizeof *path);
        memcpy(sign, worker->sign, count * sizeof *sign);
    }
    memory_give(memory, worker->path_copies, mcts_lists_size(worker->room));
    worker->path_copies = path_copies;
    worker->line = line;
    worker->path = path;
    worker->sign = sign;
    worker->room = room;
    return true;
}

bool mcts_reserve(struct mcts_worker *worker, int more) {
    int wanted = worker->line_length + more;
    if (wanted < worker->room || grow_lists(worker, wanted + wanted / 2 + 64))
        return true;
    atomic_store(&worker->mcts->full, true);
    return false;
}

bool mcts_play(struct mcts_worker *worker, soloist_move move) {
    const struct search_run *run = worker->mcts->run;
    if (!mcts_reserve(worker, 2))
        return false;
    worker->value = search_sum(worker->value, run->domain->core->apply(run->instance, worker->state, move, NULL));
    worker->line[worker->line_length++] = move;
    return true;
}

/* Stores the game's moves so far, followed by the worker's line. False: memory is full. */
static bool keep_line(struct mcts_worker *worker, struct search_line *line) {
    const struct mcts *mcts = worker->mcts;
    size_t before = mcts->game.count, count = before + (size_t)worker->line_length;
    if (!search_line_reserve(line, count, &mcts->run->budget->memory))
        return false;
    if (before)
        memcpy(line->moves, mcts->game.moves, before * sizeof *line->moves);
    memcpy(line->moves + before, worker->line, (size_t)worker->line_length * sizeof *line->moves);
    line->count = count;
    line->value = worker->value;
    return true;
}

/* Whether the worker's line is the first or better than the best so far. */
static bool is_best(const struct mcts_worker *worker, const _Atomic bool *known, const _Atomic int32_t *value) {
    return !atomic_load(known) || search_better(worker->mcts->run, worker->value, atomic_load(value));
}

/* Stores the worker's line if it is the best. False: it is not the best, or memory is full, which ends the search. */
static bool keep_if_best(struct mcts_worker *worker, struct search_line *line, _Atomic bool *known,
                         _Atomic int32_t *value) {
    if (!is_best(worker, known, value))
        return false;
    if (!keep_line(worker, line)) {
        search_full(worker->mcts->run);
        return false;
    }
    atomic_store(value, worker->value);
    atomic_store(known, true);
    worker->improved = true;
    return true;
}

/* The comparison is repeated under the lock, because another thread may have recorded a better line meanwhile. */
void mcts_record(struct mcts_worker *worker) {
    struct mcts *mcts = worker->mcts;
    struct mcts_team *team = mcts->team;
    if (!search_fits(mcts->run, worker->value))
        return;
    if (!is_best(worker, &mcts->has_game_best, &mcts->game_best_value) &&
        !is_best(worker, &team->has_best, &team->best_value))
        return;
    pthread_mutex_lock(&team->lock);
    keep_if_best(worker, &mcts->game_best, &mcts->has_game_best, &mcts->game_best_value);
    if (keep_if_best(worker, &team->best, &team->has_best, &team->best_value))
        atomic_store(&team->has_news, true);
    pthread_mutex_unlock(&team->lock);
}

static void visit(struct mcts_worker *worker, uint32_t index) {
    struct mcts_tree *tree = &worker->mcts->tree;
    struct mcts_node *node = mcts_at(tree, index);
    struct mcts_copy_child *copy = worker->copy_child;
    struct mcts_copy *root = worker->copies && !worker->depth ? mcts_copy_find(worker, index) : NULL;
    worker->path[worker->depth] = index;
    worker->path_copies[worker->depth++] = copy;
    worker->copy_child = NULL;
    if (copy || root) {
        if (copy)
            copy->visits += worker->copy_weight, copy->own_visits++;
        else
            root->passed++;
        return;
    }
    MCTS_ADD(tree, &node->visits, 1);
    if (tree->shared && index != tree->root)
        atomic_fetch_add_explicit(&node->waiting, 1, memory_order_relaxed);
}

/* Prefetches the node's children while the move is played. Children are adjacent in memory: if all were added at once,
 * the first child of the list has the lowest address; if they were added one at a time, the highest. The node itself is
 * fetched for writing. */
static void prefetch(const struct mcts *mcts, uint32_t index) {
    const struct mcts_node *node = mcts_at(&mcts->tree, index);
    uint32_t first = mcts_first(node);
    if (mcts->tree.shared)
        __builtin_prefetch(node, 1);
    if (first == POOL_NONE)
        return;
    const char *line = (const char *)mcts_at(&mcts->tree, first);
    int step = mcts->options->expand == MCTS_EXPAND_ALL ? MCTS_LINE : -MCTS_LINE;
    for (int i = 0; i < 12; i++)
        __builtin_prefetch(line + i * step);
}

/* Adds the node's move to the line. If the table of states holds every state, the move is not played; the state is read
 * from the table only when it is needed, so that descents of hundreds of moves stay cheap. */
static bool go(struct mcts_worker *worker, uint32_t index) {
    const struct mcts *mcts = worker->mcts;
    soloist_move move = mcts_at(&mcts->tree, index)->move;
    if (!mcts->fetched)
        return mcts_play(worker, move);
    if (!mcts_reserve(worker, 2))
        return false;
    worker->line[worker->line_length++] = move;
    worker->value = mcts_depth(&mcts->tree, index)->value;
    worker->stands = false;
    return true;
}

static bool step_into(struct mcts_worker *worker, uint32_t index) {
    const struct mcts *mcts = worker->mcts;
    const struct search_run *run = mcts->run;
    if (mcts->two_players)
        worker->sign[worker->depth] = run->domain->core->turn(run->instance, worker->state) == 0 ? 1 : -1;
    prefetch(mcts, index);
    if (!go(worker, index))
        return false;
    if (mcts->options->cycles != MCTS_CYCLES_KEPT)
        mcts_seen_add(worker, run->domain->core->key(run->instance, worker->state));
    visit(worker, index);
    return true;
}

/* Whether play has ended here or, if the domain prunes nothing, the state is known to be dead. */
static bool is_end(struct mcts_worker *worker) {
    const struct mcts *mcts = worker->mcts;
    const struct search_run *run = mcts->run;
    const soloist_bound *bound = run->domain->bound;
    if (mcts_note_end(worker))
        return true;
    return mcts->goal && mcts->listed && bound && bound->dead && bound->dead(run->instance, worker->state);
}

static bool may_expand(const struct mcts *mcts, uint32_t index, uint32_t visits) {
    const struct mcts_options *options = mcts->options;
    const struct mcts_node *node = mcts_at(&mcts->tree, index);
    uint16_t untried = atomic_load_explicit(&node->untried, memory_order_acquire);
    if (!untried || untried == MCTS_UNTRIED_BUSY || atomic_load_explicit(&mcts->full, memory_order_relaxed))
        return false;
    if (mcts_first(node) != POOL_NONE)
        return true;
    if (!options->expand_siblings)
        return visits >= (uint32_t)options->expand_visits;
    if (index == mcts->tree.root)
        return true;
    uint32_t siblings = 0;
    for (uint32_t i = mcts_first(mcts_at(&mcts->tree, node->parent)); i != POOL_NONE; i = mcts_at(&mcts->tree, i)->next)
        siblings++;
    return visits >= siblings * (uint32_t)options->expand_siblings;
}

/* Whether the line ends at this node. The first visit finds out and marks the node; later visits look at the mark. */
static bool ends_here(struct mcts_worker *worker, struct mcts_node *node) {
    uint16_t untried = atomic_load_explicit(&node->untried, memory_order_relaxed);
    bool known = mcts_is_end(node);
    if (!known && (untried != MCTS_UNTRIED_UNKNOWN || mcts_first(node) != POOL_NONE))
        return false;
    mcts_stand(worker);
    if (!is_end(worker))
        return false;
    atomic_fetch_or_explicit(&node->marks, MCTS_END, memory_order_relaxed);
    return true;
}

/* Removes the last node from the path and undoes its visit by this iteration. The values of the children that were
 * valued below the node are added to its statistics now; from then on the children count as valued below its parent. */
static void step_back(struct mcts_worker *worker) {
    struct mcts_tree *tree = &worker->mcts->tree;
    int depth = worker->depth - 1;
    struct mcts_node *node = mcts_at(tree, worker->path[depth]);
    MCTS_ADD(tree, &node->visits, -1u);
    for (int i = worker->bursts - 1; i >= 0 && worker->valued_at[i].depth == depth; i--) {
        MCTS_ADD(tree, &node->visits, worker->valued_at[i].count);
        MCTS_ADD(tree, &node->sum, worker->valued_at[i].sum);
        worker->valued_at[i].depth--;
    }
    worker->depth--;
    worker->line_length--;
}

/* A burst on a large board may take long; it ends when the run is stopped. */
static bool is_stopped(const struct mcts *mcts) {
    return atomic_load_explicit(&mcts->run->budget->stop, memory_order_relaxed) >= 0;
}

/* In a burst, when nothing is left to try below a node, goes back to the nearest ancestor below which something is
 * left, instead of beginning a new descent. False: there is no such ancestor, or the burst is over. */
static bool turns_back(struct mcts_worker *worker) {
    struct mcts *mcts = worker->mcts;
    struct mcts_tree *tree = &mcts->tree;
    if (worker->bursts + ++worker->turns >= mcts->options->burst || !mcts->fetched || !mcts->options->eliminate ||
        is_stopped(mcts))
        return false;
    while (worker->depth > 1 && !mcts_tree_goes_on(tree, worker->path[worker->depth - 1])) {
        uint32_t index = worker->path[worker->depth - 1];
        step_back(worker);
        mcts_close(worker, index);
    }
    worker->value = mcts_depth(tree, worker->path[worker->depth - 1])->value;
    worker->stands = false;
    return mcts_tree_goes_on(tree, worker->path[worker->depth - 1]);
}

/* Records the children that were valued. True if the burst may continue below them. */
static bool goes_deeper(struct mcts_worker *worker) {
    worker->valued_at[worker->bursts++] = (struct mcts_burst){worker->depth - 1, worker->valued, worker->valued_sum};
    worker->valued = 0, worker->valued_sum = 0;
    return worker->bursts + worker->turns < worker->mcts->options->burst && !is_stopped(worker->mcts);
}

/* Goes from the root to the leaf that this iteration values. A visit is counted as soon as the node is reached. At each
 * node the questions are: does play end here, may the node be expanded, is it a leaf, which child is next? */
static void descend(struct mcts_worker *worker) {
    struct mcts *mcts = worker->mcts;
    uint32_t index = mcts->tree.root;
    visit(worker, index);
    for (;;) {
        struct mcts_node *node = mcts_at(&mcts->tree, index);
        uint32_t visits = atomic_load_explicit(&node->visits, memory_order_relaxed) - 1;

        /* Step 1. Play has ended, and there is nothing below this node. */
        if (ends_here(worker, node)) {
            worker->dead_end = true;
            return;
        }

        /* Step 2. Expansion. */
        if (may_expand(mcts, index, visits)) {
            /* Step 2a. A child was added: it is the leaf. */
            uint32_t child = mcts_expand(worker, index);
            if (child != POOL_NONE) {
                if (step_into(worker, child))
                    worker->dead_end = ends_here(worker, mcts_at(&mcts->tree, child));
                return;
            }
            /* Step 2b. The iteration ends at a cycle, without a play-out. */
            if (worker->cycle)
                return;
            /* Step 2c. All children were added and valued at once: a burst continues below them. */
            if (worker->valued) {
                if (!goes_deeper(worker))
                    return;
            } else if (mcts->options->expand == MCTS_EXPAND_ALL || mcts->options->cycles == MCTS_CYCLES_STOP) {
                /* Step 2d. No child could be added. If nothing is left below the node, a burst continues from the
                 * nearest ancestor that has something left; otherwise the descent ends here. */
                worker->dead_end = !mcts_tree_goes_on(&mcts->tree, index);
                if (!worker->dead_end || !turns_back(worker))
                    return;
                worker->dead_end = false;
                index = worker->path[worker->depth - 1];
            }
        } else if (mcts_first(node) == POOL_NONE && atomic_load_explicit(&node->untried, memory_order_relaxed) != 0) {
            /* Step 3. This is a leaf that may not be expanded yet. */
            return;
        }

        /* Step 4. Selection: go on to the child that the formula prefers. If there is none, nothing is left below the
         * node, or another thread is just expanding it. */
        uint32_t child = mcts_select(worker, index);
        worker->scored = worker->depth;
        if (child == POOL_NONE) {
            worker->dead_end = !mcts_tree_goes_on(&mcts->tree, index);
            return;
        }
        if (!step_into(worker, child))
            return;
        index = child;
    }
}

/* Adds without a lock. Relaxed memory order suffices, because no other memory depends on the sum. */
static void add_real(_Atomic double *place, double amount) {
    double old = atomic_load_explicit(place, memory_order_relaxed);
    while (
        !atomic_compare_exchange_weak_explicit(place, &old, old + amount, memory_order_relaxed, memory_order_relaxed))
        ;
}

static void keep_first(struct mcts_more *more, double result) {
    double none = __builtin_inf();
    if (atomic_load_explicit(&more->first_result, memory_order_relaxed) == none)
        atomic_compare_exchange_strong_explicit(&more->first_result, &none, result, memory_order_relaxed,
                                                memory_order_relaxed);
}

static void back_up_more(struct mcts_more *more, double result, bool leaf) {
    if (leaf)
        keep_first(more, result);
    add_real(&more->squares, result * result);
    mcts_keep_extreme(&more->best, result, true);
    mcts_keep_extreme(&more->least, result, false);
}

/* With a limited pool: marks a node of the path, and its children if the formula has valued them, as used just now. The
 * path is gone through from the leaf to the root, so that no node is older in the queue than the nodes below it. */
static void touch(struct mcts_worker *worker, int place) {
    struct mcts_tree *tree = &worker->mcts->tree;
    uint32_t index = worker->path[place];
    uint32_t first = place < worker->scored ? mcts_first(mcts_at(tree, index)) : POOL_NONE;
    for (uint32_t i = first; i != POOL_NONE; i = mcts_at(tree, i)->next)
        if (place + 1 >= worker->depth || i != worker->path[place + 1])
            mcts_tree_touch(tree, i);
    mcts_tree_touch(tree, index);
}

static void back_up(struct mcts_worker *worker, double result) {
    struct mcts *mcts = worker->mcts;
    struct mcts_tree *tree = &mcts->tree;
    int64_t units = mcts_units(mcts, result);
    for (int i = 0; tree->shared && i < worker->depth; i++)
        if (!worker->path_copies[i])
            __builtin_prefetch(mcts_at(tree, worker->path[i]), 1);
    for (int i = worker->depth - 1; i >= 0; i--) {
        struct mcts_node *node = mcts_at(tree, worker->path[i]);
        int sign = mcts->two_players && i ? worker->sign[i] : 1;
        struct mcts_copy_child *copy = worker->path_copies[i];
        if (copy) {
            copy->sum += units * worker->copy_weight, copy->own_sum += units;
            continue;
        }
        struct mcts_more *more = tree->more_offset ? mcts_more(tree, worker->path[i]) : NULL;
        bool leaf = i == worker->depth - 1;
        if (tree->shared && !i) { /* all threads would have to write to the root's mean; see mean_at */
            if (more && leaf)
                keep_first(more, sign * result);
            break;
        }
        if (more)
            back_up_more(more, sign * result, leaf);
        MCTS_ADD(tree, &node->sum, sign * units);
        if (tree->shared)
            atomic_fetch_sub_explicit(&node->waiting, 1, memory_order_relaxed);
        if (tree->queue_offset)
            touch(worker, i);
    }
    if (tree->own_offset && !mcts->two_players) {
        struct mcts_own *own = mcts_own(tree, worker->path[worker->depth - 1]);
        own->visits++;
        own->sum += units;
    }
    if (mcts->options->normalise == MCTS_SPACE_LOCAL) {
        mcts_keep_extreme(&mcts->most, result, true);
        mcts_keep_extreme(&mcts->least, result, false);
    }
}

/* Backs up the values of a burst: every child that was valued counts as one visit, and the descent itself does not. */
static void back_up_valued(struct mcts_worker *worker) {
    struct mcts_tree *tree = &worker->mcts->tree;
    uint32_t count = 0;
    int64_t sum = 0;
    int left = worker->bursts;
    for (int i = worker->depth - 1; i >= 0; i--) {
        struct mcts_node *node = mcts_at(tree, worker->path[i]);
        for (; left && worker->valued_at[left - 1].depth == i; left--) {
            count += worker->valued_at[left - 1].count;
            sum += worker->valued_at[left - 1].sum;
        }
        MCTS_ADD(tree, &node->visits, count - 1);
        MCTS_ADD(tree, &node->sum, sum);
    }
}

/* Backs up the other play-outs from the same leaf; each counts as a visit. */
static void back_up_others(struct mcts_worker *worker) {
    struct mcts *mcts = worker->mcts;
    for (int i = 1; i < worker->result_count; i++) {
        for (int d = 0; d < worker->depth; d++)
            MCTS_ADD(&mcts->tree, &mcts_at(&mcts->tree, worker->path[d])->visits, 1);
        back_up(worker, worker->results[i]);
    }
}

static void begin(struct mcts_worker *worker) {
    const struct mcts *mcts = worker->mcts;
    const struct search_run *run = mcts->run;
    memcpy(worker->state, mcts->root_state, run->shape.state_size);
    worker->value = mcts->root_value;
    worker->depth = worker->scored = worker->line_length = 0;
    worker->copy_child = NULL;
    worker->iteration++;
    worker->ended = worker->dead_end = worker->cycle = worker->grew = worker->improved = worker->broken_off = false;
    worker->result_count = 0;
    worker->stands = true;
    worker->valued = 0, worker->valued_sum = 0, worker->bursts = worker->turns = 0;
    if (mcts->options->cycles != MCTS_CYCLES_KEPT) {
        mcts_seen_clear(worker);
        mcts_seen_add(worker, run->domain->core->key(run->instance, worker->state));
    }
}

/* Adds the nodes of a line to the tree, from the root as far as possible. `moves` may be worker->line. */
static void insert(struct mcts_worker *worker, const soloist_move *moves, size_t count) {
    struct mcts_tree *tree = &worker->mcts->tree;
    uint32_t index = tree->root;
    begin(worker);
    for (size_t i = 0; i < count; i++) {
        uint32_t child = mcts_tree_child(tree, index, moves[i]);
        if (child == POOL_NONE)
            child = mcts_expand_move(worker, index, moves[i]);
        if (child == POOL_NONE || !mcts_play(worker, moves[i]))
            return;
        index = child;
    }
}

void mcts_iterate(struct mcts_worker *worker) {
    struct mcts *mcts = worker->mcts;
    begin(worker);
    if (!mcts_reserve(worker, mcts->length + 2))
        return;
    descend(worker);
    double result = 0;
    if (worker->ended && !mcts->two_players)
        mcts_record(worker);
    if (worker->bursts) {
        back_up_valued(worker);
    } else {
        mcts_stand(worker);
        if (worker->dead_end || worker->cycle)
            result = mcts->goal ? mcts_value(worker) : mcts_points(worker);
        else
            result = mcts_reserve(worker, mcts->length + 2) ? mcts_simulate(worker) : mcts_points(worker);
        back_up(worker, result);
    }
    if (mcts->leaf.helpers && !worker->dead_end)
        back_up_others(worker);
    if (mcts->options->rave && !worker->broken_off)
        mcts_back_up_rave(worker, result);
    if (mcts->options->eliminate)
        mcts_eliminate(worker);
    if (!worker->grew)
        worker->counters.skipped++;
    if (worker->improved && mcts->options->insert)
        insert(worker, worker->line, (size_t)worker->line_length);
}
