/* One of the two trees: UCT selection down to a leaf or to the length limit. The root is expanded at once; any other
 * leaf is expanded when its visits reach a multiple (by default ten) of the number of its parent's children. */
#include "search/mcts/bimcts.h"

#include "base/real.h"
#include "search/mcts/rule.h"

#include <string.h>

bool bimcts_open_side(struct bimcts *search, int s, bool grows) {
    struct search_run *run = search->run;
    struct memory *memory = &run->budget->memory;
    struct bimcts_side *side = &search->side[s];
    side->core = s == BIMCTS_DOWN ? run->domain->core : run->domain->reverse->core;
    side->grows = grows;
    if (!grows)
        return true;
    return table_open(&side->states, memory, search_packed_size(run), sizeof(struct bimcts_place)) &&
           mcts_tree_open(&side->tree, memory, (struct mcts_records){0}, false);
}

void bimcts_close_side(struct bimcts *search, int s) {
    struct bimcts_side *side = &search->side[s];
    if (side->states.items.memory)
        table_close(&side->states);
    if (side->tree.memory)
        mcts_tree_close(&side->tree);
    memory_give(&search->run->budget->memory, side->roots, side->roots_size);
}

/* Enters a node in the table as the node of this state, unless the state has a node nearer to the root. False: memory
 * is full. */
static bool note_state(struct bimcts *search, struct bimcts_side *side, const void *state, struct bimcts_place place) {
    bool added;
    search_pack(search->run, state, search->packed);
    uint32_t at = table_put(&side->states, side->core->key(search->run->instance, state), search->packed, &added);
    if (at == POOL_NONE)
        return false;
    struct bimcts_place *kept = table_extra(&side->states, at);
    if (added || place.depth < kept->depth)
        *kept = place;
    return true;
}

uint32_t bimcts_find(struct bimcts *search, int s, const void *state) {
    struct bimcts_side *side = &search->side[s];
    search_pack(search->run, state, search->packed);
    uint32_t at = table_find(&side->states, side->core->key(search->run->instance, state), search->packed);
    return at == POOL_NONE ? POOL_NONE : ((struct bimcts_place *)table_extra(&side->states, at))->node;
}

bool bimcts_add_root(struct bimcts *search, int s) {
    struct bimcts_side *side = &search->side[s];
    struct memory *memory = &search->run->budget->memory;
    size_t size = search->run->shape.state_size;
    unsigned char *grown = memory_resize(memory, side->roots, side->roots_size, side->roots_size + size);
    if (!grown)
        return false;
    memcpy(grown + side->roots_size, search->state, size);
    side->roots = grown;
    side->roots_size += size;
    side->root_count++;
    return true;
}

bool bimcts_spread_roots(struct bimcts *search, int s) {
    struct bimcts_side *side = &search->side[s];
    uint32_t root = side->tree.root;
    if (side->root_count == 1)
        return note_state(search, side, side->roots, (struct bimcts_place){root, 0});
    for (uint32_t i = side->root_count; i-- > 0;) { /* backwards, because the node linked last is the first child */
        uint32_t node = search_count_nodes(search->run, 1) ? mcts_tree_take(&side->tree, root, i) : POOL_NONE;
        struct bimcts_place place = {node, 0};
        if (node == POOL_NONE || !note_state(search, side, side->roots + i * search->run->shape.state_size, place))
            return false;
        mcts_tree_link(&side->tree, node);
    }
    return true;
}

/* ---- selection ---- */

/* Children not yet visited come first; ties are broken at random. */
static uint32_t select_child(struct bimcts *search, const struct mcts_tree *tree, uint32_t index) {
    const struct mcts_node *parent = mcts_at(tree, index);
    const struct mcts_node *counted =
        search->options->log_visits == BIMCTS_LOG_TREE ? mcts_at(tree, tree->root) : parent;
    double visits = atomic_load_explicit(&counted->visits, memory_order_relaxed), best = 0;
    double log_visits = visits > 1 ? real_log(visits) : 0;
    struct mcts_shared shared = {.explore =
                                     search->options->c * __builtin_sqrt(search->options->log_factor * log_visits)};
    uint32_t chosen = POOL_NONE, equal = 0;
    for (uint32_t i = mcts_first(parent); i != POOL_NONE; i = mcts_at(tree, i)->next) {
        const struct mcts_node *child = mcts_at(tree, i);
        struct mcts_view view = {.visits = atomic_load_explicit(&child->visits, memory_order_relaxed)};
        double value = __builtin_inf();
        if (view.visits > 0) {
            view.mean = (double)atomic_load_explicit(&child->sum, memory_order_relaxed) / view.visits;
            view.root = 1 / __builtin_sqrt(view.visits);
            value = mcts_uct(&shared, &view);
        }
        if (chosen == POOL_NONE || value > best)
            best = value, equal = 0;
        if (value == best && !soloist_rng_below(&search->rng, ++equal))
            chosen = i;
    }
    return chosen;
}

/* Changes search->state to the state of a child of the current node. */
static void enter(struct bimcts *search, const struct bimcts_side *side, uint32_t index, int *depth) {
    const struct mcts_node *node = mcts_at(&side->tree, index);
    size_t size = search->run->shape.state_size;
    if (node->parent == side->tree.root && side->root_count > 1) {
        memcpy(search->state, side->roots + node->move * size, size);
        return;
    }
    side->core->apply(search->run->instance, search->state, node->move, NULL);
    ++*depth;
}

/* ---- expansion ---- */

int bimcts_list(struct bimcts *search, int s, soloist_move last) {
    const struct search_run *run = search->run;
    const soloist_core *core = search->side[s].core;
    if (!search->options->prune)
        return core->moves(run->instance, search->state, search->moves);
    int count = search_expand(run, core, search->state, last, SOLOIST_WANT_BOUND, search->children);
    for (int i = 0; i < count; i++)
        search->moves[i] = search->children[i].move;
    return count;
}

static bool is_ripe(const struct bimcts *search, const struct mcts_tree *tree, uint32_t index) {
    const struct mcts_node *node = mcts_at(tree, index);
    uint64_t siblings = 0;
    if (node->parent == POOL_NONE)
        return true;
    for (uint32_t i = mcts_first(mcts_at(tree, node->parent)); i != POOL_NONE; i = mcts_at(tree, i)->next)
        siblings++;
    return atomic_load_explicit(&node->visits, memory_order_relaxed) >= siblings * (uint64_t)search->options->siblings;
}

/* The move that led to a node. If there are several goals, they are the root's children, and no move leads to them:
 * SOLOIST_NO_MOVE. */
static soloist_move last_move(const struct bimcts_side *side, uint32_t index) {
    const struct mcts_node *node = mcts_at(&side->tree, index);
    return node->parent == side->tree.root && side->root_count > 1 ? SOLOIST_NO_MOVE : node->move;
}

/* Adds all children of a leaf, whose state is search->state. False: memory is full. */
static bool expand(struct bimcts *search, int s, uint32_t index, int depth) {
    struct search_run *run = search->run;
    struct bimcts_side *side = &search->side[s];
    int count = search_count_nodes(run, bimcts_list(search, s, last_move(side, index)));
    search_count_expanded(run, 1);
    for (int i = count; i-- > 0;) {
        uint32_t node = mcts_tree_take(&side->tree, index, search->moves[i]);
        if (node == POOL_NONE)
            return false;
        memcpy(search->child, search->state, run->shape.state_size);
        side->core->apply(run->instance, search->child, search->moves[i], NULL);
        if (!note_state(search, side, search->child, (struct bimcts_place){node, depth + 1}))
            return false;
        mcts_tree_link(&side->tree, node);
    }
    return true;
}

uint32_t bimcts_descend(struct bimcts *search, int s, int *depth) {
    struct bimcts_side *side = &search->side[s];
    struct mcts_tree *tree = &side->tree;
    uint32_t index = tree->root;
    *depth = 0;
    memcpy(search->state, side->roots, search->run->shape.state_size);
    while (*depth < search->length && mcts_first(mcts_at(tree, index)) != POOL_NONE) {
        index = select_child(search, tree, index);
        enter(search, side, index, depth);
    }
    if (*depth >= search->length || !is_ripe(search, tree, index))
        return index;
    if (!expand(search, s, index, *depth))
        return POOL_NONE;
    if (mcts_first(mcts_at(tree, index)) != POOL_NONE) {
        index = select_child(search, tree, index);
        enter(search, side, index, depth);
    }
    return index;
}

void bimcts_back_up(struct bimcts_side *side, uint32_t leaf, bool success) {
    struct mcts_tree *tree = &side->tree;
    for (uint32_t i = leaf; i != POOL_NONE; i = mcts_at(tree, i)->parent) {
        struct mcts_node *node = mcts_at(tree, i);
        atomic_store_explicit(&node->visits, atomic_load_explicit(&node->visits, memory_order_relaxed) + 1,
                              memory_order_relaxed);
        atomic_store_explicit(&node->sum, atomic_load_explicit(&node->sum, memory_order_relaxed) + success,
                              memory_order_relaxed);
    }
}

/* ---- what the trees show ---- */

static soloist_branch describe(const struct mcts_node *node) {
    uint32_t visits = atomic_load_explicit(&node->visits, memory_order_relaxed);
    double sum = (double)atomic_load_explicit(&node->sum, memory_order_relaxed);
    return (soloist_branch){
        .move = node->move, .visits = visits, .has_value = visits > 0, .value = visits ? sum / visits : 0};
}

static void paint_depths(const struct bimcts *search, int s, struct search_picture *picture) {
    const struct table *states = &search->side[s].states;
    uint64_t count = table_count(states), stride = picture_stride(count);
    for (uint64_t i = 1; i <= count; i += stride)
        picture_count(picture, SOLOIST_AXIS_DEPTH, s, ((struct bimcts_place *)table_extra(states, (uint32_t)i))->depth,
                      stride);
}

static uint32_t find_child(const struct mcts_tree *tree, uint32_t index, soloist_move move) {
    uint32_t child = mcts_first(mcts_at(tree, index));
    while (child != POOL_NONE && mcts_at(tree, child)->move != move)
        child = mcts_at(tree, child)->next;
    return child;
}

/* The branches of the tree from the root, with the bounds of the selection formula. */
static void paint_branches(const struct bimcts *search, struct search_picture *picture) {
    const struct mcts_tree *tree = &search->side[BIMCTS_DOWN].tree;
    uint32_t index = tree->root;
    for (size_t i = 0; i < picture->path_count; i++) {
        uint32_t child = find_child(tree, index, picture->path[i]);
        if (child == POOL_NONE)
            break;
        picture_add_move(picture, picture->path[i]);
        picture->shown.path_count++;
        index = child;
    }
    const struct mcts_node *parent = mcts_at(tree, index);
    picture->shown.node = describe(parent);
    const struct mcts_node *counted =
        search->options->log_visits == BIMCTS_LOG_TREE ? mcts_at(tree, tree->root) : parent;
    double visits = atomic_load_explicit(&counted->visits, memory_order_relaxed);
    double log_visits = visits > 1 ? real_log(visits) : 0;
    double explore = search->options->c * __builtin_sqrt(search->options->log_factor * log_visits);
    for (uint32_t i = mcts_first(parent); i != POOL_NONE; i = mcts_at(tree, i)->next) {
        soloist_branch branch = describe(mcts_at(tree, i));
        branch.has_bound = branch.visits > 0;
        if (branch.has_bound)
            branch.bound = branch.value + explore / __builtin_sqrt((double)branch.visits);
        picture_branch(picture, &branch);
    }
    picture_end_branches(picture, search->run);
}

void bimcts_paint(const void *subject, struct search_picture *picture) {
    const struct bimcts *search = subject;
    picture_kind(picture, SOLOIST_PICTURE_TREE);
    if (search->side[BIMCTS_DOWN].grows)
        paint_branches(search, picture);
    for (int s = 0; s < 2; s++)
        if (search->side[s].grows)
            paint_depths(search, s, picture);
}
