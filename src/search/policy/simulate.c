/* One simulation (002, section 4.3): down the tree by PUCT to a move not yet expanded, its node judged by the network
 * and added, valued by a play-out or the network, and the result brought back up. It stops where the network is asked.
 *
 * Two counts in each node say where the way down is barred: `open`, moves below which something is left to try, and
 * `available`, those of them that are not all held by simulations under way. */
#include "search/policy/policy.h"

#include <string.h>
#include <time.h>

static struct policy_edge *edge_at(const struct policy_tree *tree, struct policy_passage passage) {
    return policy_block(tree, passage.node) + passage.edge;
}

/* ---- what is barred; with the lock ---- */

/* The path's last edge is held: so is all above it that leads to nothing else. */
static void hold(struct policy_tree *tree, const struct policy_slot *slot) {
    edge_at(tree, slot->path[slot->depth - 1])->pending = true;
    for (int i = slot->depth; i--;) {
        edge_at(tree, slot->path[i])->barred = true;
        if (--policy_node_at(tree, slot->path[i].node)->available)
            return;
    }
}

static void release(struct policy_tree *tree, const struct policy_slot *slot) {
    edge_at(tree, slot->path[slot->depth - 1])->pending = false;
    for (int i = slot->depth; i--;) {
        edge_at(tree, slot->path[i])->barred = false;
        policy_change(tree, slot->path[i].node, slot->path[i].edge);
        if (policy_node_at(tree, slot->path[i].node)->available++)
            return;
    }
}

/* The path's last edge, still held, leads to an end: it and all above it that leads to nothing else are done with. They
 * are barred already. */
static void close_path(struct policy_tree *tree, const struct policy_slot *slot) {
    edge_at(tree, slot->path[slot->depth - 1])->pending = false;
    for (int i = slot->depth; i--;) {
        edge_at(tree, slot->path[i])->closed = true;
        if (--policy_node_at(tree, slot->path[i].node)->open)
            return;
    }
}

/* ---- down; with the lock ---- */

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

static void pass(struct policy_tree *tree, struct policy_slot *slot, uint32_t node, uint32_t chosen) {
    struct policy_passage passage = {node, chosen};
    struct policy_edge *edge = edge_at(tree, passage);
    policy_node_at(tree, node)->visits++;
    edge->visits++;
    edge->waiting++;
    slot->line[slot->length++] = edge->move;
    slot->path[slot->depth++] = passage;
}

/* Takes back what was counted on the way down. An edge that has no visit again is out of its node's order. */
static void step_back(struct policy_tree *tree, const struct policy_slot *slot) {
    for (int i = 0; i < slot->depth; i++) {
        struct policy_edge *edge = edge_at(tree, slot->path[i]);
        struct policy_node *node = policy_node_at(tree, slot->path[i].node);
        node->visits--;
        edge->waiting--;
        policy_change(tree, slot->path[i].node, 0);
        if (!--edge->visits)
            node->even = node->ordered = false;
    }
}

/* Has a node been visited often enough for the network to be asked about it? */
static bool wants_priors(const struct policy_tree *tree, uint32_t index) {
    const struct policy_node *node = policy_node_at(tree, index);
    return tree->ask_visits && !node->asked && node->visits >= tree->ask_visits;
}

static void begin_simulation(struct policy_tree *tree, struct policy_slot *slot) {
    soloist_rng_seed(&slot->rng, tree->seed, tree->begun++);
    tree->in_move++;
}

/* The slot's state becomes that of a node the path leads through, or of the root: what is left of the line is still to
 * be played. */
static void stand(struct policy_tree *tree, struct policy_slot *slot, uint32_t node) {
    const unsigned char *kept = node == POLICY_NONE ? NULL : policy_state_at(tree, node);
    memcpy(slot->state, kept ? kept : tree->root_state, tree->shape.state_size);
    slot->value = kept ? policy_memo_at(tree, node)->value : tree->root_value;
    slot->played = !kept ? 0 : node == slot->leaf ? slot->depth : slot->depth - 1;
}

/* Lists the moves of a leaf that is visited again: the node that takes its place, POLICY_NONE: full. */
static uint32_t list_moves(struct policy_tree *tree, struct policy_slot *slot, uint32_t leaf) {
    stand(tree, slot, leaf);
    int count = tree->domain->core->moves(tree->instance, slot->state, slot->moves);
    uint32_t index = policy_tree_add(tree, slot->moves, NULL, count);
    if (index == POLICY_NONE)
        return POLICY_NONE;
    const struct policy_node *old = policy_node_at(tree, leaf);
    struct policy_node *node = policy_node_at(tree, index);
    node->visits = old->visits;
    node->first = old->first;
    node->has_first = old->has_first;
    node->from = old->from;
    policy_memo_at(tree, index)->value = slot->value;
    memcpy(policy_state_at(tree, index), slot->state, tree->shape.state_size);
    policy_block(tree, node->from)->child = index;
    return index;
}

/* The simulation ends at a node of the tree, to have its priors told; it is played out from there. Others pass by
 * meanwhile. */
static void stop_at(struct policy_tree *tree, struct policy_slot *slot, uint32_t node) {
    policy_node_at(tree, node)->asked = true;
    policy_node_at(tree, node)->visits++;
    slot->leaf = node;
    begin_simulation(tree, slot);
    stand(tree, slot, node);
}

/* Walks from the root to the place of a new node, and counts the visits on the way. DONE: the simulation has begun. */
static enum policy_step descend(struct policy_tree *tree, struct policy_slot *slot) {
    /* Step 1. The root: is it there, and can anything be begun below it? */
    enum policy_step step = look_at_root(tree);
    if (step != POLICY_DONE)
        return step;
    for (uint32_t node = tree->root; node != POLICY_NONE;) {
        /* Step 2. Room for one more move; a leaf that is visited again has its moves listed now. */
        bool room = policy_slot_reserve(slot, tree, slot->depth + 1);
        if (room && policy_node_at(tree, node)->unlisted)
            room = (node = list_moves(tree, slot, node)) != POLICY_NONE;
        if (!room) {
            step_back(tree, slot);
            tree->full = true;
            return POLICY_OVER;
        }
        /* Step 3. A node that has earned its priors: the simulation ends here and asks for them. */
        if (wants_priors(tree, node)) {
            stop_at(tree, slot, node);
            return POLICY_DONE;
        }
        /* Step 4. Selection: by halving at the root, otherwise by PUCT. Without an edge all are busy. */
        bool halve = !slot->depth && tree->options->gumbel;
        uint32_t edge = halve ? policy_halving_select(tree) : policy_select(tree, node);
        if (!edge)
            return POLICY_BUSY;
        pass(tree, slot, node, edge);
        node = edge_at(tree, slot->path[slot->depth - 1])->child;
    }
    /* Step 5. An edge without a node: others keep away from it, and the network is asked about the state behind it. */
    tree->root_pending = tree->root == POLICY_NONE;
    if (slot->depth)
        hold(tree, slot);
    begin_simulation(tree, slot);
    stand(tree, slot, slot->depth ? slot->path[slot->depth - 1].node : POLICY_NONE);
    return POLICY_DONE;
}

/* ---- up ---- */

static void tell_waiting(struct policy_tree *tree) {
    if (tree->waiting)
        pthread_cond_broadcast(&tree->changed);
}

static void back_up(struct policy_tree *tree, struct policy_slot *slot, double result) {
    double share = tree->options->best_share;
    for (int i = 0; i < slot->depth; i++) {
        struct policy_edge *edge = edge_at(tree, slot->path[i]);
        bool first = edge->visits == edge->waiting;
        policy_change(tree, slot->path[i].node, slot->path[i].edge);
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
    /* Another node may have taken the leaf's place meanwhile (list_moves). */
    uint32_t leaf = slot->depth && slot->leaf ? edge_at(tree, slot->path[slot->depth - 1])->child : slot->leaf;
    if (leaf == POLICY_NONE || policy_node_at(tree, leaf)->has_first)
        return;
    policy_change(tree, leaf, 0);
    policy_node_at(tree, leaf)->first = result;
    policy_node_at(tree, leaf)->has_first = true;
}

static enum policy_step finish(struct policy_tree *tree, struct policy_slot *slot) {
    double result = slot->value, share = tree->played_out ? tree->options->value_share : 1;
    if (tree->valued && !slot->at_end)
        result = share * slot->leaf_value + (1 - share) * result;
    slot->result = result;
    pthread_mutex_lock(&tree->lock);
    if (slot->at_end && slot->depth)
        close_path(tree, slot);
    back_up(tree, slot, result);
    tree->playouts += slot->ended && !slot->at_end;
    if (slot->ended)
        policy_tree_record(tree, slot->line, slot->length, slot->value);
    tell_waiting(tree);
    pthread_mutex_unlock(&tree->lock);
    slot->phase = POLICY_IDLE;
    return POLICY_DONE;
}

/* ---- the leaf ---- */

static void play(struct policy_tree *tree, struct policy_slot *slot, soloist_move move) {
    slot->line[slot->length++] = move;
    slot->value += tree->domain->core->apply(tree->instance, slot->state, move, NULL);
}

/* Brings the state to where the line is. */
static void play_line(struct policy_tree *tree, struct policy_slot *slot) {
    for (int i = slot->played; i < slot->length; i++)
        slot->value += tree->domain->core->apply(tree->instance, slot->state, slot->line[i], NULL);
}

static bool has_ended(struct policy_tree *tree, struct policy_slot *slot) {
    int32_t last = 0;
    slot->ended = tree->domain->core->ended(tree->instance, slot->state, &last);
    slot->value += slot->ended ? last : 0;
    slot->evaluation.move_count = 0;
    return slot->ended;
}

/* True where the line goes no further: its moves are listed otherwise. */
static bool is_at_end(struct policy_tree *tree, struct policy_slot *slot) {
    if (!has_ended(tree, slot))
        slot->evaluation.move_count = tree->domain->core->moves(tree->instance, slot->state, slot->moves);
    return !slot->evaluation.move_count;
}

static enum policy_step ask(struct policy_tree *tree, struct policy_slot *slot, enum policy_phase phase) {
    slot->evaluation.instance = tree->instance;
    slot->evaluation.state = slot->state;
    slot->evaluation.moves = slot->moves;
    slot->evaluation.priors = slot->priors;
    slot->phase = phase;
    return POLICY_ASKS;
}

/* Until its first result is back the new node counts with the network's value or what its parent had. */
static double provisional(const struct policy_tree *tree, const struct policy_slot *slot) {
    if (tree->valued)
        return slot->leaf_value;
    return slot->depth ? policy_node_at(tree, slot->path[slot->depth - 1].node)->first : 0;
}

/* Has the network told the priors of the slot's leaf? */
static bool has_priors(const struct policy_tree *tree, const struct policy_slot *slot) {
    return tree->informed && (!tree->ask_visits || !slot->depth || slot->phase == POLICY_PRIORS);
}

static void keep_state(struct policy_tree *tree, const struct policy_slot *slot) {
    unsigned char *kept = policy_state_at(tree, slot->leaf);
    policy_memo_at(tree, slot->leaf)->value = slot->value;
    if (kept)
        memcpy(kept, slot->state, tree->shape.state_size);
}

static void expand(struct policy_tree *tree, struct policy_slot *slot) {
    pthread_mutex_lock(&tree->lock);
    bool told = has_priors(tree, slot);
    slot->leaf = policy_tree_add(tree, slot->moves, told ? slot->priors : NULL, slot->evaluation.move_count);
    if (slot->leaf != POLICY_NONE) {
        policy_node_at(tree, slot->leaf)->visits = 1;
        policy_node_at(tree, slot->leaf)->asked = told;
        if (told)
            policy_order(tree, slot->leaf);
        policy_node_at(tree, slot->leaf)->first = provisional(tree, slot);
        keep_state(tree, slot);
        tree->nodes++;
    }
    if (slot->depth) {
        struct policy_passage last = slot->path[slot->depth - 1];
        edge_at(tree, last)->child = slot->leaf;
        if (slot->leaf != POLICY_NONE)
            policy_node_at(tree, slot->leaf)->from = last.node + last.edge;
        release(tree, slot);
    } else {
        tree->root = slot->leaf;
        tree->root_pending = false;
    }
    tell_waiting(tree);
    pthread_mutex_unlock(&tree->lock);
}

/* A node of the tree gets its priors, in the order of its edges, which is that of core. */
static void tell_priors(struct policy_tree *tree, const struct policy_slot *slot) {
    pthread_mutex_lock(&tree->lock);
    struct policy_edge *edges = policy_block(tree, slot->leaf) + 1;
    for (int i = 0; i < slot->evaluation.move_count; i++)
        edges[i].prior = slot->priors[i];
    policy_order(tree, slot->leaf);
    tree->root_ready &= slot->leaf != tree->root; /* for its noise */
    pthread_mutex_unlock(&tree->lock);
}

/* ---- play-outs ---- */

static int most_likely(const struct policy_slot *slot) {
    int best = 0;
    for (int i = 1; i < slot->evaluation.move_count; i++)
        if (slot->priors[i] > slot->priors[best])
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

static void play_at_random(struct policy_tree *tree, struct policy_slot *slot) {
    const soloist_sample *sample = tree->domain->sample;
    if (!sample) {
        for (int i = 0; i < tree->length && !is_at_end(tree, slot); i++)
            play(tree, slot, slot->moves[soloist_rng_below(&slot->rng, (uint32_t)slot->evaluation.move_count)]);
        return;
    }
    soloist_playout playout = sample->playout(tree->instance, slot->state, tree->playout, tree->length, &slot->rng,
                                              slot->line + slot->length);
    slot->length += playout.length;
    slot->value += playout.value;
    slot->ended = playout.ended;
}

/* After a move drawn from priors: on to the next one, unless this was the last. */
static enum policy_step step_on(struct policy_tree *tree, struct policy_slot *slot) {
    bool over = slot->length >= slot->depth + tree->length || is_at_end(tree, slot);
    return over ? finish(tree, slot) : ask(tree, slot, POLICY_ROLLOUT);
}

/* The first move is the likeliest. */
static enum policy_step play_out(struct policy_tree *tree, struct policy_slot *slot) {
    bool told = has_priors(tree, slot);
    if (told)
        play(tree, slot, slot->moves[most_likely(slot)]);
    if (tree->guided)
        return step_on(tree, slot);
    if (!told || !is_at_end(tree, slot))
        play_at_random(tree, slot);
    return finish(tree, slot);
}

static enum policy_step value_leaf(struct policy_tree *tree, struct policy_slot *slot) {
    if (tree->valued)
        slot->leaf_value = slot->value + (double)slot->evaluation.value * tree->value_scale;
    expand(tree, slot);
    return tree->played_out || tree->options->lines ? play_out(tree, slot) : finish(tree, slot);
}

/* ---- in two halves ---- */

static enum policy_step reach_leaf(struct policy_tree *tree, struct policy_slot *slot) {
    bool late = tree->lists_late && slot->depth && slot->leaf == POLICY_NONE;
    play_line(tree, slot);
    slot->at_end = late ? has_ended(tree, slot) : is_at_end(tree, slot);
    if (slot->at_end)
        return finish(tree, slot);
    if (slot->leaf != POLICY_NONE)
        return ask(tree, slot, POLICY_PRIORS);
    return tree->asks && (!tree->ask_visits || !slot->depth) ? ask(tree, slot, POLICY_LEAF) : value_leaf(tree, slot);
}

enum policy_step policy_tree_begin(struct policy_tree *tree, struct policy_slot *slot) {
    slot->depth = slot->length = 0;
    slot->leaf = POLICY_NONE;
    slot->ended = false;
    slot->phase = POLICY_IDLE;
    bool room = policy_slot_reserve(slot, tree, tree->length + 1);
    pthread_mutex_lock(&tree->lock);
    tree->full |= !room;
    enum policy_step step = descend(tree, slot);
    pthread_mutex_unlock(&tree->lock);
    if (step != POLICY_DONE)
        return step;
    if (policy_slot_reserve(slot, tree, slot->depth + tree->length + 1))
        return reach_leaf(tree, slot);
    policy_tree_abandon(tree, slot);
    tree->full = true;
    return POLICY_OVER;
}

enum policy_step policy_tree_go_on(struct policy_tree *tree, struct policy_slot *slot) {
    if (slot->phase == POLICY_LEAF)
        return value_leaf(tree, slot);
    if (slot->phase == POLICY_PRIORS) {
        tell_priors(tree, slot);
        return play_out(tree, slot);
    }
    play(tree, slot, slot->moves[policy_draw(slot->priors, slot->evaluation.move_count, &slot->rng)]);
    return step_on(tree, slot);
}

void policy_tree_abandon(struct policy_tree *tree, struct policy_slot *slot) {
    pthread_mutex_lock(&tree->lock);
    step_back(tree, slot);
    if (slot->leaf != POLICY_NONE) {
        policy_node_at(tree, slot->leaf)->visits--;
        policy_node_at(tree, slot->leaf)->asked &= slot->phase == POLICY_ROLLOUT;
    } else if (slot->phase != POLICY_ROLLOUT && slot->depth)
        release(tree, slot);
    tree->root_pending = false;
    tree->begun--;
    tell_waiting(tree);
    pthread_mutex_unlock(&tree->lock);
    slot->phase = POLICY_IDLE;
}

/* What it waits for may have come between its being told and here: hence the limit. */
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

bool policy_tree_complete(struct policy_tree *tree, struct policy_slot *slot) {
    slot->depth = slot->length = 0;
    soloist_rng_seed(&slot->rng, tree->seed, tree->begun);
    for (uint32_t node = tree->root; node != POLICY_NONE && !policy_node_at(tree, node)->unlisted;) {
        uint32_t most = 1, count = policy_node_at(tree, node)->count;
        const struct policy_edge *edges = policy_block(tree, node);
        for (uint32_t i = 2; i <= count; i++)
            most = edges[i].visits > edges[most].visits ? i : most;
        if (!policy_slot_reserve(slot, tree, slot->length + 1))
            return false;
        slot->line[slot->length++] = edges[most].move;
        node = edges[most].child;
    }
    if (!policy_slot_reserve(slot, tree, slot->length + tree->length + 1))
        return false;
    stand(tree, slot, POLICY_NONE);
    play_line(tree, slot);
    if (!is_at_end(tree, slot))
        play_at_random(tree, slot);
    if (slot->ended)
        policy_tree_record(tree, slot->line, slot->length, slot->value);
    return slot->ended;
}
