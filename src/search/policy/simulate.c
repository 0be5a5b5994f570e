/* One simulation (Seify 2020, section 4.3): PUCT leads down the tree to a move that is not expanded yet. The network
 * evaluates the state after this move, and a node for the state is added. The result, which is backed up, comes from a
 * play-out or from the network's value. The simulation is suspended whenever it needs the network.
 *
 * Two counts in each node say where simulations can go down: `open` counts the edges below which moves are left to try;
 * `available` counts the open edges that are not completely blocked by simulations in flight. */
#include "search/policy/policy.h"

#include <string.h>
#include <time.h>

static struct policy_edge *edge_at(const struct policy_tree *tree, struct policy_passage passage) {
    return policy_block(tree, passage.node) + passage.edge;
}

/* ---- which edges are barred; the caller holds the lock ---- */

/* Bars the path's last edge, which this simulation will expand. An edge further up is barred too if nothing else is
 * available below it. */
static void hold(struct policy_tree *tree, const struct policy_simulation *simulation) {
    edge_at(tree, simulation->path[simulation->depth - 1])->pending = true;
    for (int i = simulation->depth; i--;) {
        edge_at(tree, simulation->path[i])->barred = true;
        if (--policy_node_at(tree, simulation->path[i].node)->available)
            return;
    }
}

static void release(struct policy_tree *tree, const struct policy_simulation *simulation) {
    edge_at(tree, simulation->path[simulation->depth - 1])->pending = false;
    for (int i = simulation->depth; i--;) {
        edge_at(tree, simulation->path[i])->barred = false;
        policy_change(tree, simulation->path[i].node, simulation->path[i].edge);
        if (policy_node_at(tree, simulation->path[i].node)->available++)
            return;
    }
}

/* Closes the path's last edge, because it leads to the end of play. An edge further up is closed too if nothing else is
 * open below it. All these edges are barred already. */
static void close_path(struct policy_tree *tree, const struct policy_simulation *simulation) {
    edge_at(tree, simulation->path[simulation->depth - 1])->pending = false;
    for (int i = simulation->depth; i--;) {
        edge_at(tree, simulation->path[i])->closed = true;
        if (--policy_node_at(tree, simulation->path[i].node)->open)
            return;
    }
}

/* ---- the limit on nodes ---- */

/* Takes a node from those that may still be added, because a simulation adds at most one. False: there is none left. */
static bool book_node(const struct policy_tree *tree, struct policy_simulation *simulation) {
    if (!tree->nodes_left)
        return true;
    uint64_t left = atomic_load(tree->nodes_left);
    while (left && !atomic_compare_exchange_weak(tree->nodes_left, &left, left - 1))
        ;
    return simulation->booked = left;
}

/* Gives the node back if the simulation has not added one. */
static void unbook_node(const struct policy_tree *tree, struct policy_simulation *simulation) {
    if (simulation->booked)
        atomic_fetch_add(tree->nodes_left, 1);
    simulation->booked = false;
}

/* ---- down the tree; the caller holds the lock ---- */

static void prepare_root(struct policy_tree *tree) {
    soloist_rng rng;
    soloist_rng_seed(&rng, tree->seed, UINT64_MAX - tree->begun);
    if (tree->options->noise > 0)
        policy_add_noise(tree, &rng);
    tree->root_ready = !tree->options->gumbel || policy_halving_draw(tree, &rng);
    tree->full |= !tree->root_ready;
}

static enum policy_step look_at_root(struct policy_tree *tree) {
    if (tree->full)
        return POLICY_OVER;
    if (tree->root == POLICY_NONE)
        return tree->root_pending ? POLICY_BUSY : policy_tree_ended(tree, NULL) ? POLICY_OVER : POLICY_DONE;
    if (!policy_node_at(tree, tree->root)->open)
        return POLICY_OVER;
    if (!policy_node_at(tree, tree->root)->available)
        return POLICY_BUSY;
    if (!tree->root_ready)
        prepare_root(tree);
    return tree->full ? POLICY_OVER : POLICY_DONE;
}

static void pass(struct policy_tree *tree, struct policy_simulation *simulation, uint32_t node, uint32_t chosen) {
    struct policy_passage passage = {node, chosen};
    struct policy_edge *edge = edge_at(tree, passage);
    policy_node_at(tree, node)->visits++;
    edge->visits++;
    edge->waiting++;
    simulation->line[simulation->length++] = edge->move;
    simulation->path[simulation->depth++] = passage;
}

/* Undoes the counts of visits that the simulation made on its way down. If an edge's visits fall back to 0, its node's
 * order is no longer valid. */
static void step_back(struct policy_tree *tree, const struct policy_simulation *simulation) {
    for (int i = 0; i < simulation->depth; i++) {
        struct policy_edge *edge = edge_at(tree, simulation->path[i]);
        struct policy_node *node = policy_node_at(tree, simulation->path[i].node);
        node->visits--;
        edge->waiting--;
        policy_change(tree, simulation->path[i].node, 0);
        if (!--edge->visits)
            node->even = node->ordered = false;
    }
}

/* Whether the network is to be asked about a node: it has enough visits, and the network was not asked before. */
static bool wants_priors(const struct policy_tree *tree, uint32_t index) {
    const struct policy_node *node = policy_node_at(tree, index);
    return tree->ask_visits && !node->asked && node->visits >= tree->ask_visits;
}

static void begin_simulation(struct policy_tree *tree, struct policy_simulation *simulation) {
    soloist_rng_seed(&simulation->rng, tree->seed, tree->begun++);
    tree->in_move++;
}

/* Sets the simulation's state to that of a node on the path if it is stored, otherwise to the root's state. The rest of
 * the line must then be played. */
static void stand(struct policy_tree *tree, struct policy_simulation *simulation, uint32_t node) {
    const unsigned char *kept = node == POLICY_NONE ? NULL : policy_state_at(tree, node);
    memcpy(simulation->state, kept ? kept : tree->root_state, tree->shape.state_size);
    simulation->value = kept ? policy_memo_at(tree, node)->value : tree->root_value;
    simulation->played = !kept ? 0 : node == simulation->leaf ? simulation->depth : simulation->depth - 1;
}

/* Lists the moves of a leaf that is visited again. Returns a new node that replaces the leaf. POLICY_NONE: memory is
 * full. */
static uint32_t list_moves(struct policy_tree *tree, struct policy_simulation *simulation, uint32_t leaf) {
    stand(tree, simulation, leaf);
    int count = tree->domain->core->moves(tree->instance, simulation->state, simulation->moves);
    uint32_t index = policy_tree_add(tree, simulation->moves, NULL, count);
    if (index == POLICY_NONE)
        return POLICY_NONE;
    const struct policy_node *old = policy_node_at(tree, leaf);
    struct policy_node *node = policy_node_at(tree, index);
    node->visits = old->visits;
    node->first = old->first;
    node->has_first = old->has_first;
    node->from = old->from;
    policy_memo_at(tree, index)->value = simulation->value;
    memcpy(policy_state_at(tree, index), simulation->state, tree->shape.state_size);
    policy_block(tree, node->from)->child = index;
    return index;
}

/* Stops the simulation at a node of the tree, in order to ask for its priors and then play out from there. Other
 * simulations may pass the node meanwhile. */
static void stop_at(struct policy_tree *tree, struct policy_simulation *simulation, uint32_t node) {
    policy_node_at(tree, node)->asked = true;
    policy_node_at(tree, node)->visits++;
    simulation->leaf = node;
    begin_simulation(tree, simulation);
    stand(tree, simulation, node);
}

/* Begins the simulation at the path's last edge, and bars the edge for other simulations. */
static void begin_at_edge(struct policy_tree *tree, struct policy_simulation *simulation) {
    if (simulation->depth)
        hold(tree, simulation);
    begin_simulation(tree, simulation);
    stand(tree, simulation, simulation->depth ? simulation->path[simulation->depth - 1].node : POLICY_NONE);
}

/* Goes from the root to the edge where a node will be added, and counts the visits on the way. POLICY_DONE: the
 * simulation has begun. */
static enum policy_step descend(struct policy_tree *tree, struct policy_simulation *simulation) {
    /* Step 1. Does the root exist, and can a simulation be begun below it? */
    enum policy_step step = look_at_root(tree);
    if (step != POLICY_DONE)
        return step;
    for (uint32_t node = tree->root; node != POLICY_NONE;) {
        /* Step 2. Make room for one more move. If this is a leaf that is visited again, list its moves now. */
        bool room = policy_simulation_reserve(simulation, tree, simulation->depth + 1);
        if (room && policy_node_at(tree, node)->unlisted)
            room = (node = list_moves(tree, simulation, node)) != POLICY_NONE;
        if (!room) {
            step_back(tree, simulation);
            tree->full = true;
            return POLICY_OVER;
        }
        if (!policy_node_at(tree, node)->count) { /* a leaf that turns out to have no move: its edge will be closed */
            simulation->at_end = true;
            begin_at_edge(tree, simulation);
            return POLICY_DONE;
        }
        /* Step 3. If the node now has enough visits to ask for its priors, stop here and ask. */
        if (wants_priors(tree, node)) {
            stop_at(tree, simulation, node);
            return POLICY_DONE;
        }
        /* Step 4. Selection: by halving at the root, otherwise by PUCT. If no edge is returned, all are busy. */
        bool halve = !simulation->depth && tree->options->gumbel;
        uint32_t edge = halve ? policy_halving_select(tree) : policy_select(tree, node);
        if (!edge)
            return POLICY_BUSY;
        pass(tree, simulation, node, edge);
        node = edge_at(tree, simulation->path[simulation->depth - 1])->child;
    }
    /* Step 5. The edge has no node yet: bar it for other simulations; the network is asked about the state after it. */
    tree->root_pending = tree->root == POLICY_NONE;
    begin_at_edge(tree, simulation);
    return POLICY_DONE;
}

/* ---- back up the tree ---- */

static void tell_waiting(struct policy_tree *tree) {
    if (tree->waiting)
        pthread_cond_broadcast(&tree->changed);
}

static void back_up(struct policy_tree *tree, struct policy_simulation *simulation, double result) {
    double share = tree->options->best_share;
    for (int i = 0; i < simulation->depth; i++) {
        struct policy_edge *edge = edge_at(tree, simulation->path[i]);
        bool first = edge->visits == edge->waiting;
        policy_change(tree, simulation->path[i].node, simulation->path[i].edge);
        edge->waiting--;
        edge->sum += result;
        edge->worth = edge->sum / (edge->visits - edge->waiting);
        edge->best = first || result > (double)edge->best ? (float)result : edge->best;
        edge->least = first || result < (double)edge->least ? (float)result : edge->least;
        if (share > 0)
            edge->worth += share * ((double)edge->best - edge->worth);
    }
    tree->least = result < tree->least ? result : tree->least;
    tree->most = result > tree->most ? result : tree->most;
    /* Another node may have replaced the leaf meanwhile (list_moves). */
    uint32_t leaf = simulation->depth && simulation->leaf
                        ? edge_at(tree, simulation->path[simulation->depth - 1])->child
                        : simulation->leaf;
    if (leaf == POLICY_NONE || policy_node_at(tree, leaf)->has_first)
        return;
    policy_change(tree, leaf, 0);
    policy_node_at(tree, leaf)->first = result;
    policy_node_at(tree, leaf)->has_first = true;
}

/* The result of the simulation's line, without the network. */
static double line_result(const struct policy_tree *tree, const struct policy_simulation *simulation) {
    if (!tree->costs)
        return simulation->value;
    return simulation->ended ? policy_worth(tree, 1, simulation->value) : 0;
}

static enum policy_step finish(struct policy_tree *tree, struct policy_simulation *simulation) {
    double result = line_result(tree, simulation), share = tree->played_out ? tree->options->value_share : 1;
    if (tree->valued && !simulation->at_end)
        result = share * simulation->leaf_value + (1 - share) * result;
    simulation->result = result;
    pthread_mutex_lock(&tree->lock);
    if (simulation->at_end && simulation->depth)
        (tree->options->eliminate || !simulation->ended ? close_path : release)(tree, simulation);
    else if (simulation->at_end)
        tree->root_pending = false;
    back_up(tree, simulation, result);
    tree->playouts += simulation->ended && !simulation->at_end;
    if (simulation->ended)
        policy_tree_record(tree, simulation->line, simulation->length, simulation->value);
    unbook_node(tree, simulation);
    tell_waiting(tree);
    pthread_mutex_unlock(&tree->lock);
    simulation->phase = POLICY_IDLE;
    return POLICY_DONE;
}

/* ---- the leaf ---- */

static void play(struct policy_tree *tree, struct policy_simulation *simulation, soloist_move move) {
    simulation->line[simulation->length++] = move;
    int32_t step = tree->domain->core->apply(tree->instance, simulation->state, move, NULL);
    simulation->value = search_sum(simulation->value, step);
}

/* Plays the moves of the line that are not yet played in the state. */
static void play_line(struct policy_tree *tree, struct policy_simulation *simulation) {
    for (int i = simulation->played; i < simulation->length; i++) {
        int32_t step = tree->domain->core->apply(tree->instance, simulation->state, simulation->line[i], NULL);
        simulation->value = search_sum(simulation->value, step);
    }
}

static bool has_ended(struct policy_tree *tree, struct policy_simulation *simulation) {
    int32_t last = 0;
    simulation->ended = tree->domain->core->ended(tree->instance, simulation->state, &last);
    simulation->value = search_sum(simulation->value, simulation->ended ? last : 0);
    simulation->evaluation.move_count = 0;
    return simulation->ended;
}

/* True if the line can go no further; otherwise lists the moves. */
static bool is_at_end(struct policy_tree *tree, struct policy_simulation *simulation) {
    if (!has_ended(tree, simulation))
        simulation->evaluation.move_count =
            tree->domain->core->moves(tree->instance, simulation->state, simulation->moves);
    return !simulation->evaluation.move_count;
}

static enum policy_step ask(struct policy_tree *tree, struct policy_simulation *simulation, enum policy_phase phase) {
    simulation->evaluation.instance = tree->instance;
    simulation->evaluation.state = simulation->state;
    simulation->evaluation.moves = simulation->moves;
    simulation->evaluation.priors = simulation->priors;
    simulation->phase = phase;
    return POLICY_ASKS;
}

/* A substitute for a new node's first result until that is known: the network's value, or its parent's first result. */
static double provisional(const struct policy_tree *tree, const struct policy_simulation *simulation) {
    if (tree->valued)
        return simulation->leaf_value;
    return simulation->depth ? policy_node_at(tree, simulation->path[simulation->depth - 1].node)->first : 0;
}

/* Whether the network has given the priors of the simulation's leaf. */
static bool has_priors(const struct policy_tree *tree, const struct policy_simulation *simulation) {
    return tree->informed && (!tree->ask_visits || !simulation->depth || simulation->phase == POLICY_PRIORS);
}

static void keep_state(struct policy_tree *tree, const struct policy_simulation *simulation) {
    unsigned char *kept = policy_state_at(tree, simulation->leaf);
    policy_memo_at(tree, simulation->leaf)->value = simulation->value;
    if (kept)
        memcpy(kept, simulation->state, tree->shape.state_size);
}

static void expand(struct policy_tree *tree, struct policy_simulation *simulation) {
    pthread_mutex_lock(&tree->lock);
    bool known = has_priors(tree, simulation);
    simulation->leaf =
        policy_tree_add(tree, simulation->moves, known ? simulation->priors : NULL, simulation->evaluation.move_count);
    if (simulation->leaf != POLICY_NONE) {
        policy_node_at(tree, simulation->leaf)->visits = 1;
        policy_node_at(tree, simulation->leaf)->asked = known;
        if (known)
            policy_order(tree, simulation->leaf);
        policy_node_at(tree, simulation->leaf)->first = provisional(tree, simulation);
        keep_state(tree, simulation);
        tree->nodes++;
        simulation->booked = false;
    }
    if (simulation->depth) {
        struct policy_passage last = simulation->path[simulation->depth - 1];
        edge_at(tree, last)->child = simulation->leaf;
        if (simulation->leaf != POLICY_NONE)
            policy_node_at(tree, simulation->leaf)->from = last.node + last.edge;
        release(tree, simulation);
    } else {
        tree->root = simulation->leaf;
        tree->root_pending = false;
    }
    tell_waiting(tree);
    pthread_mutex_unlock(&tree->lock);
}

/* Stores the priors of a node of the tree. Priors and edges are in the same order, that of the core. */
static void tell_priors(struct policy_tree *tree, const struct policy_simulation *simulation) {
    pthread_mutex_lock(&tree->lock);
    struct policy_edge *edges = policy_block(tree, simulation->leaf) + 1;
    for (int i = 0; i < simulation->evaluation.move_count; i++)
        edges[i].prior = simulation->priors[i];
    policy_order(tree, simulation->leaf);
    tree->root_ready &= simulation->leaf != tree->root; /* new priors of the root still need noise */
    pthread_mutex_unlock(&tree->lock);
}

/* ---- play-outs ---- */

static int most_likely(const struct policy_simulation *simulation) {
    int best = 0;
    for (int i = 1; i < simulation->evaluation.move_count; i++)
        if (simulation->priors[i] > simulation->priors[best])
            best = i;
    return best;
}

int policy_draw(const float *priors, int count, soloist_rng *rng) {
    double left = soloist_rng_unit(rng);
    int last = 0;
    for (int i = 0; i < count; i++) {
        if (priors[i] > 0)
            last = i;
        left -= (double)priors[i];
        if (left < 0)
            return i;
    }
    return last;
}

static void play_at_random(struct policy_tree *tree, struct policy_simulation *simulation) {
    const soloist_sample *sample = tree->domain->sample;
    if (!sample) {
        for (int i = 0; i < tree->length && !is_at_end(tree, simulation); i++)
            play(tree, simulation,
                 simulation->moves[soloist_rng_below(&simulation->rng, (uint32_t)simulation->evaluation.move_count)]);
        return;
    }
    soloist_playout playout = sample->playout(tree->instance, simulation->state, tree->playout, tree->length,
                                              &simulation->rng, simulation->line + simulation->length, tree->stop);
    simulation->length += playout.length;
    simulation->value = search_sum(simulation->value, playout.value);
    simulation->ended = playout.ended;
}

/* After a move of a guided play-out: asks the network for the priors of the next move, unless the play-out is over. */
static enum policy_step step_on(struct policy_tree *tree, struct policy_simulation *simulation) {
    bool over = simulation->length >= simulation->depth + tree->length || is_at_end(tree, simulation);
    return over ? finish(tree, simulation) : ask(tree, simulation, POLICY_ROLLOUT);
}

/* If the leaf's priors are known, the first move of the play-out is the most likely one. */
static enum policy_step play_out(struct policy_tree *tree, struct policy_simulation *simulation) {
    bool known = has_priors(tree, simulation);
    if (known)
        play(tree, simulation, simulation->moves[most_likely(simulation)]);
    if (tree->guided)
        return step_on(tree, simulation);
    if (!known || !is_at_end(tree, simulation))
        play_at_random(tree, simulation);
    return finish(tree, simulation);
}

static enum policy_step value_leaf(struct policy_tree *tree, struct policy_simulation *simulation) {
    double value = (double)simulation->evaluation.value;
    if (tree->valued)
        simulation->leaf_value =
            tree->costs ? policy_worth(tree, value, simulation->value) : simulation->value + value * tree->value_scale;
    expand(tree, simulation);
    return tree->played_out || tree->options->lines ? play_out(tree, simulation) : finish(tree, simulation);
}

/* ---- the two parts of a simulation: before and after the network is asked ---- */

static enum policy_step reach_leaf(struct policy_tree *tree, struct policy_simulation *simulation) {
    bool late = tree->lists_late && simulation->depth && simulation->leaf == POLICY_NONE;
    play_line(tree, simulation);
    if (!simulation->at_end)
        simulation->at_end = late ? has_ended(tree, simulation) : is_at_end(tree, simulation);
    if (tree->costs && tree->game.count + (size_t)simulation->length >= (size_t)tree->step_limit)
        simulation->at_end = true;
    if (simulation->at_end)
        return finish(tree, simulation);
    if (simulation->leaf != POLICY_NONE)
        return ask(tree, simulation, POLICY_PRIORS);
    return tree->asks && (!tree->ask_visits || !simulation->depth) ? ask(tree, simulation, POLICY_LEAF)
                                                                   : value_leaf(tree, simulation);
}

enum policy_step policy_tree_begin(struct policy_tree *tree, struct policy_simulation *simulation) {
    simulation->depth = simulation->length = 0;
    simulation->leaf = POLICY_NONE;
    simulation->ended = simulation->at_end = false;
    simulation->phase = POLICY_IDLE;
    bool room = policy_simulation_reserve(simulation, tree, tree->length + 1);
    pthread_mutex_lock(&tree->lock);
    tree->full |= !room;
    enum policy_step step = book_node(tree, simulation) ? descend(tree, simulation) : POLICY_BUSY;
    if (step != POLICY_DONE)
        unbook_node(tree, simulation);
    pthread_mutex_unlock(&tree->lock);
    if (step != POLICY_DONE)
        return step;
    if (policy_simulation_reserve(simulation, tree, simulation->depth + tree->length + 1))
        return reach_leaf(tree, simulation);
    policy_tree_abandon(tree, simulation);
    policy_tree_fill(tree);
    return POLICY_OVER;
}

enum policy_step policy_tree_go_on(struct policy_tree *tree, struct policy_simulation *simulation) {
    if (simulation->phase == POLICY_LEAF)
        return value_leaf(tree, simulation);
    if (simulation->phase == POLICY_PRIORS) {
        tell_priors(tree, simulation);
        return play_out(tree, simulation);
    }
    play(tree, simulation,
         simulation->moves[policy_draw(simulation->priors, simulation->evaluation.move_count, &simulation->rng)]);
    return step_on(tree, simulation);
}

void policy_tree_abandon(struct policy_tree *tree, struct policy_simulation *simulation) {
    pthread_mutex_lock(&tree->lock);
    step_back(tree, simulation);
    if (simulation->leaf != POLICY_NONE) {
        policy_node_at(tree, simulation->leaf)->visits--;
        policy_node_at(tree, simulation->leaf)->asked &= simulation->phase == POLICY_ROLLOUT;
    } else if (simulation->phase != POLICY_ROLLOUT && simulation->depth)
        release(tree, simulation);
    tree->root_pending = false;
    tree->begun--;
    unbook_node(tree, simulation);
    tell_waiting(tree);
    pthread_mutex_unlock(&tree->lock);
    simulation->phase = POLICY_IDLE;
}

void policy_tree_fill(struct policy_tree *tree) {
    pthread_mutex_lock(&tree->lock);
    tree->full = true;
    tell_waiting(tree);
    pthread_mutex_unlock(&tree->lock);
}

/* The signal may have been sent between POLICY_BUSY and this wait, so the wait has a time limit. */
void policy_tree_wait(struct policy_tree *tree) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += 1000000;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_mutex_lock(&tree->lock);
    tree->waiting++;
    pthread_cond_timedwait(&tree->changed, &tree->lock, &until);
    tree->waiting--;
    pthread_mutex_unlock(&tree->lock);
}

bool policy_tree_complete(struct policy_tree *tree, struct policy_simulation *simulation) {
    simulation->depth = simulation->length = 0;
    soloist_rng_seed(&simulation->rng, tree->seed, tree->begun);
    for (uint32_t node = tree->root; node != POLICY_NONE && !policy_node_at(tree, node)->unlisted;) {
        uint32_t most = 1, count = policy_node_at(tree, node)->count;
        const struct policy_edge *edges = policy_block(tree, node);
        for (uint32_t i = 2; i <= count; i++)
            most = edges[i].visits > edges[most].visits ? i : most;
        if (!policy_simulation_reserve(simulation, tree, simulation->length + 1))
            return false;
        simulation->line[simulation->length++] = edges[most].move;
        node = edges[most].child;
    }
    if (!policy_simulation_reserve(simulation, tree, simulation->length + tree->length + 1))
        return false;
    stand(tree, simulation, POLICY_NONE);
    play_line(tree, simulation);
    if (!is_at_end(tree, simulation))
        play_at_random(tree, simulation);
    if (simulation->ended)
        policy_tree_record(tree, simulation->line, simulation->length, simulation->value);
    return simulation->ended;
}
