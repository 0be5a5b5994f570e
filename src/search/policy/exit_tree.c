#include "search/policy/exit_tree.h"

#include <stdlib.h>
#include <string.h>

/* ---- nodes ---- */

static unsigned char *state_at(const struct exit_tree *tree, const struct exit_store *store, uint32_t node) {
    return store->states + (size_t)node * tree->shape.state_size;
}

/* Makes room for one more node with `count` edges. */
static bool reserve(struct exit_tree *tree, struct exit_store *store, uint32_t count) {
    uint64_t nodes = (uint64_t)store->count + 1, edges = (uint64_t)store->edge_count + count + 1;
    return memory_grow(tree->memory, &store->nodes, sizeof *store->nodes, &store->node_room, nodes) &&
           memory_grow(tree->memory, &store->states, tree->shape.state_size, &store->state_room, nodes) &&
           memory_grow(tree->memory, &store->edges, sizeof *store->edges, &store->edge_room, edges) &&
           memory_grow(tree->memory, &store->moves, sizeof *store->moves, &store->move_room, edges) &&
           memory_grow(tree->memory, &store->priors, sizeof *store->priors, &store->prior_room, edges);
}

/* Adds a node for the state with these moves; EXIT_NONE: no memory. */
static uint32_t add_node(struct exit_tree *tree, uint32_t parent, uint32_t from, const void *state, int count) {
    struct exit_store *store = &tree->store;
    bool added;
    uint64_t key = tree->domain->core->key(tree->instance, state);
    if (!reserve(tree, store, (uint32_t)count) || table_put(&tree->visited, key, state, &added) == POOL_NONE)
        return EXIT_NONE;
    uint32_t index = store->count++, first = store->edge_count;
    float prior = (float)(tree->options->placeholder > 0 ? tree->options->placeholder : 1.0 / (count ? count : 1));
    store->edge_count += (uint32_t)count;
    store->nodes[index] = (struct exit_node){
        .parent = parent, .from = from, .first = first, .count = (uint32_t)count, .open = (uint32_t)count};
    store->nodes[index].depth = parent == EXIT_NONE ? (int)tree->game.count : store->nodes[parent].depth + 1;
    memcpy(state_at(tree, store, index), state, tree->shape.state_size);
    for (uint32_t i = first; i < store->edge_count; i++) {
        store->edges[i] = (struct exit_edge){.child = EXIT_NONE};
        store->moves[i] = tree->scratch_moves[i - first];
        store->priors[i] = prior;
    }
    if (parent != EXIT_NONE)
        store->edges[store->nodes[parent].first + from].child = index;
    tree->nodes++;
    return index;
}

/* ---- up the tree ---- */

/* Adds a visit to every edge between the node and the root. */
static void count_visit(struct exit_store *store, uint32_t node) {
    for (const struct exit_node *at = &store->nodes[node]; at->parent != EXIT_NONE; at = &store->nodes[at->parent]) {
        store->nodes[at->parent].visits++;
        store->edges[store->nodes[at->parent].first + at->from].visits++;
    }
}

/* Adds a value to every edge between the node and the root. */
static void add_value(const struct exit_tree *tree, uint32_t node, double value) {
    const struct exit_store *store = &tree->store;
    const struct exit_node *at = &store->nodes[node];
    double cost = tree->options->step_cost;
    for (; at->parent != EXIT_NONE; at = &store->nodes[at->parent]) {
        value -= cost;
        store->edges[store->nodes[at->parent].first + at->from].sum += value > 0 || cost == 0 ? value : 0;
    }
}

/* Closes an edge, and the edges above it whose nodes have no open edge left. */
static void close_edge(struct exit_store *store, uint32_t node, uint32_t edge, enum exit_edge_kind kind) {
    store->edges[store->nodes[node].first + edge].kind = kind;
    while (!--store->nodes[node].open && store->nodes[node].parent != EXIT_NONE) {
        edge = store->nodes[node].from;
        node = store->nodes[node].parent;
        store->edges[store->nodes[node].first + edge].kind = EXIT_EXHAUSTED;
    }
}

/* ---- a round ---- */

/* The open edge that maximises formula 3.2; of equals, the one with the highest prior, then the first. */
static uint32_t select_edge(const struct exit_tree *tree, const struct exit_node *node) {
    const struct exit_edge *edges = tree->store.edges + node->first;
    const float *priors = tree->store.priors + node->first;
    double explore = tree->options->c * __builtin_sqrt((double)node->visits), most = 0;
    uint32_t chosen = EXIT_NONE;
    for (uint32_t i = 0; i < node->count; i++) {
        if (edges[i].kind != EXIT_OPEN)
            continue;
        double mean = edges[i].visits ? edges[i].sum / edges[i].visits : 0;
        double score = mean + explore * (double)priors[i] / (1 + (double)edges[i].visits);
        if (chosen == EXIT_NONE || score > most || (score == most && priors[i] > priors[chosen])) {
            chosen = i;
            most = score;
        }
    }
    return chosen;
}

static bool wait_for_network(struct exit_tree *tree, uint32_t node) {
    if (!memory_grow(tree->memory, &tree->pending, sizeof *tree->pending, &tree->pending_room,
                     (uint64_t)tree->pending_count + 1))
        return false;
    tree->pending[tree->pending_count++] = node;
    return true;
}

static void note_solved(struct exit_tree *tree, uint32_t node) {
    tree->store.nodes[node].solved = true;
    if (tree->line_to == EXIT_NONE)
        tree->line_to = node;
}

/* The edge leads to tree->state, a state not visited before: makes its node, or closes the edge if nothing can be won
 * there. False: no memory. */
static bool expand(struct exit_tree *tree, uint32_t parent, uint32_t from) {
    struct exit_store *store = &tree->store;
    int32_t last;
    bool solved = tree->domain->core->ended(tree->instance, tree->state, &last);
    bool late = store->nodes[parent].depth + 1 >= tree->options->step_limit;
    int count = solved || late ? 0 : tree->domain->core->moves(tree->instance, tree->state, tree->scratch_moves);
    if (!solved && !count) {
        /* Worth 0: the visit counts, also on the edge itself. */
        store->edges[store->nodes[parent].first + from].visits++;
        store->nodes[parent].visits++;
        count_visit(store, parent);
        close_edge(store, parent, from, EXIT_DEAD);
        return true;
    }
    uint32_t node = add_node(tree, parent, from, tree->state, count);
    if (node == EXIT_NONE)
        return false;
    count_visit(store, node);
    if (!solved)
        return wait_for_network(tree, node);
    note_solved(tree, node);
    add_value(tree, node, 1);
    return true;
}

/* Whether the state behind an edge was visited before. Leaves that state in tree->state. */
static bool leads_back(struct exit_tree *tree, uint32_t node, uint32_t edge) {
    const soloist_core *core = tree->domain->core;
    memcpy(tree->state, state_at(tree, &tree->store, node), tree->shape.state_size);
    core->apply(tree->instance, tree->state, tree->store.moves[tree->store.nodes[node].first + edge], NULL);
    return table_find(&tree->visited, core->key(tree->instance, tree->state), tree->state) != POOL_NONE;
}

/* One round. False: no memory. */
static bool play_round(struct exit_tree *tree) {
    struct exit_store *store = &tree->store;
    for (uint32_t node = 0;;) {
        if (store->nodes[node].solved) {
            count_visit(store, node);
            add_value(tree, node, 1);
            return true;
        }
        if (!store->nodes[node].open) {
            /* The last open edge was closed in this round: the node is worth 0. */
            count_visit(store, node);
            return true;
        }
        uint32_t edge = select_edge(tree, &store->nodes[node]);
        uint32_t child = store->edges[store->nodes[node].first + edge].child;
        if (child != EXIT_NONE)
            node = child;
        else if (leads_back(tree, node, edge))
            close_edge(store, node, edge, EXIT_VISITED);
        else
            return expand(tree, node, edge);
    }
}

/* The first round makes the root and asks about it. */
static bool begin(struct exit_tree *tree, const void *state) {
    int32_t last;
    bool solved = tree->domain->core->ended(tree->instance, state, &last);
    int count = solved ? 0 : tree->domain->core->moves(tree->instance, state, tree->scratch_moves);
    if (add_node(tree, EXIT_NONE, EXIT_NONE, state, count) == EXIT_NONE)
        return false;
    if (solved)
        note_solved(tree, 0);
    return solved || !count || wait_for_network(tree, 0);
}

static bool can_go_on(const struct exit_tree *tree) {
    bool found = tree->options->lines && tree->line_to != EXIT_NONE;
    return tree->in_move < tree->options->per_move && tree->store.nodes[0].open && !found && !exit_tree_is_over(tree);
}

int exit_tree_gather(struct exit_tree *tree, uint64_t most) {
    /* A new root waits for the network already: that is its round. */
    if (!tree->in_move && tree->pending_count && most) {
        tree->in_move++;
        most--;
    }
    for (; most && (int64_t)tree->pending_count < tree->options->delay && can_go_on(tree); most--) {
        tree->in_move++;
        if (!play_round(tree))
            return -1;
    }
    return (int)tree->pending_count;
}

void exit_tree_question(struct exit_tree *tree, int index, struct evaluation *question) {
    const struct exit_store *store = &tree->store;
    const struct exit_node *node = &store->nodes[tree->pending[index]];
    *question = (struct evaluation){.instance = tree->instance,
                                    .state = state_at(tree, store, tree->pending[index]),
                                    .moves = store->moves + node->first,
                                    .move_count = (int)node->count,
                                    .priors = store->priors + node->first};
}

void exit_tree_answer(struct exit_tree *tree, int index, float value) {
    struct exit_node *node = &tree->store.nodes[tree->pending[index]];
    node->value = tree->options->signed_values ? (1 + value) / 2 : value;
    node->valued = true;
}

void exit_tree_update(struct exit_tree *tree) {
    for (uint32_t i = 0; i < tree->pending_count; i++)
        add_value(tree, tree->pending[i], (double)tree->store.nodes[tree->pending[i]].value);
    tree->judged += tree->pending_count;
    tree->pending_count = 0;
}

/* ---- the move ---- */

static uint32_t most_visited(const struct exit_tree *tree, const struct exit_node *root) {
    const struct exit_edge *edges = tree->store.edges + root->first;
    const float *priors = tree->store.priors + root->first;
    uint32_t best = EXIT_NONE;
    for (uint32_t i = 0; i < root->count; i++) {
        if (edges[i].kind != EXIT_OPEN)
            continue;
        bool more = best == EXIT_NONE || edges[i].visits > edges[best].visits;
        if (more || (edges[i].visits == edges[best].visits && priors[i] > priors[best]))
            best = i;
    }
    return best;
}

static uint32_t draw(struct exit_tree *tree, const struct exit_node *root) {
    const struct exit_edge *edges = tree->store.edges + root->first;
    double sum = 0;
    for (uint32_t i = 0; i < root->count; i++)
        sum += tree->weights[i] = edges[i].kind == EXIT_OPEN ? edges[i].visits : 0;
    double left = soloist_rng_unit(&tree->rng) * sum;
    for (uint32_t i = 0; i < root->count; i++)
        if ((left -= tree->weights[i]) < 0)
            return i;
    return most_visited(tree, root);
}

soloist_move exit_tree_choose(struct exit_tree *tree) {
    const struct exit_node *root = &tree->store.nodes[0];
    uint32_t edge = tree->options->final == EXIT_DRAWN ? draw(tree, root) : most_visited(tree, root);
    return edge == EXIT_NONE ? SOLOIST_NO_MOVE : tree->store.moves[root->first + edge];
}

/* ---- what is kept after a move ---- */

/* Copies a node with its edges to the end of the spare store. */
static bool copy_node(struct exit_tree *tree, uint32_t node, uint32_t parent) {
    const struct exit_store *from = &tree->store;
    struct exit_store *to = &tree->spare;
    struct exit_node copy = from->nodes[node];
    if (!reserve(tree, to, copy.count))
        return false;
    memcpy(to->edges + to->edge_count, from->edges + copy.first, copy.count * sizeof *to->edges);
    memcpy(to->moves + to->edge_count, from->moves + copy.first, copy.count * sizeof *to->moves);
    memcpy(to->priors + to->edge_count, from->priors + copy.first, copy.count * sizeof *to->priors);
    memcpy(state_at(tree, to, to->count), state_at(tree, from, node), tree->shape.state_size);
    copy.first = to->edge_count;
    copy.parent = parent;
    to->edge_count += copy.count;
    to->nodes[to->count++] = copy;
    return true;
}

/* Copies the subtree below a node into the spare store, parents before children, and exchanges the stores. */
static bool keep_subtree(struct exit_tree *tree, uint32_t root) {
    struct exit_store *to = &tree->spare;
    to->count = to->edge_count = 0;
    tree->line_to = EXIT_NONE;
    if (!copy_node(tree, root, EXIT_NONE))
        return false;
    to->nodes[0].from = EXIT_NONE;
    for (uint32_t i = 0; i < to->count; i++) {
        if (to->nodes[i].solved && tree->line_to == EXIT_NONE)
            tree->line_to = i;
        for (uint32_t k = 0; k < to->nodes[i].count; k++) {
            struct exit_edge *edge = &to->edges[to->nodes[i].first + k];
            uint32_t old = edge->child;
            if (old == EXIT_NONE)
                continue;
            edge->child = to->count;
            if (!copy_node(tree, old, i))
                return false;
        }
    }
    struct exit_store swap = tree->store;
    tree->store = tree->spare;
    tree->spare = swap;
    return true;
}

/* States that were visited only in the part of the tree that is gone may be visited again. */
static void open_edges(struct exit_store *store) {
    for (uint32_t i = store->count; i--;) {
        struct exit_node *node = &store->nodes[i];
        node->open = 0;
        for (uint32_t k = 0; k < node->count; k++) {
            struct exit_edge *edge = &store->edges[node->first + k];
            const struct exit_node *child = edge->child == EXIT_NONE ? NULL : &store->nodes[edge->child];
            if (edge->kind != EXIT_DEAD)
                edge->kind = child && !child->open && !child->solved ? EXIT_EXHAUSTED : EXIT_OPEN;
            node->open += edge->kind == EXIT_OPEN;
        }
    }
}

static bool note_visited(struct exit_tree *tree, const void *state) {
    bool added;
    return table_put(&tree->visited, tree->domain->core->key(tree->instance, state), state, &added) != POOL_NONE;
}

/* Lists the visited states again after a move. */
static bool list_visited(struct exit_tree *tree) {
    size_t size = tree->shape.state_size;
    bool good = true;
    table_clear(&tree->visited);
    for (size_t i = 0; tree->options->avoid_played && good && i < tree->game.count; i++)
        good = note_visited(tree, tree->played + i * size);
    for (uint32_t i = 0; good && i < tree->store.count; i++)
        good = note_visited(tree, state_at(tree, &tree->store, i));
    return good;
}

static bool start_anew(struct exit_tree *tree) {
    tree->store.count = tree->store.edge_count = 0;
    tree->line_to = EXIT_NONE;
    return list_visited(tree) && begin(tree, tree->state);
}

static bool note_move(struct exit_tree *tree, soloist_move move) {
    size_t size = tree->shape.state_size, count = tree->game.count;
    if (!memory_grow(tree->memory, &tree->played, size, &tree->played_room, count + 1) ||
        !search_line_reserve(&tree->game, count + 1, tree->memory))
        return false;
    memcpy(tree->played + count * size, tree->store.states, size);
    tree->game.moves[tree->game.count++] = move;
    return true;
}

bool exit_tree_advance(struct exit_tree *tree, soloist_move move) {
    const struct exit_node *root = &tree->store.nodes[0];
    uint32_t child = EXIT_NONE;
    for (uint32_t i = 0; i < root->count; i++)
        if (tree->store.moves[root->first + i] == move)
            child = tree->store.edges[root->first + i].child;
    if (!note_move(tree, move))
        return false;
    memcpy(tree->state, tree->store.states, tree->shape.state_size);
    tree->game.value = search_sum(tree->game.value, tree->domain->core->apply(tree->instance, tree->state, move, NULL));
    tree->in_move = 0;
    tree->pending_count = 0;
    if (!tree->options->keep || child == EXIT_NONE)
        return start_anew(tree);
    if (!keep_subtree(tree, child) || !list_visited(tree))
        return false;
    open_edges(&tree->store);
    return true;
}

/* ---- what a tree knows ---- */

bool exit_tree_is_solved(const struct exit_tree *tree) { return tree->store.count && tree->store.nodes[0].solved; }

bool exit_tree_is_over(const struct exit_tree *tree) {
    return exit_tree_is_solved(tree) || (int64_t)tree->game.count >= tree->options->step_limit;
}

bool exit_tree_line(const struct exit_tree *tree, struct search_line *line) {
    const struct exit_store *store = &tree->store;
    if (tree->line_to == EXIT_NONE)
        return false;
    size_t made = tree->game.count, count = (size_t)store->nodes[tree->line_to].depth;
    if (!search_line_reserve(line, count + 1, tree->memory))
        return false;
    if (made)
        memcpy(line->moves, tree->game.moves, made * sizeof *line->moves);
    const struct exit_node *node = &store->nodes[tree->line_to];
    for (size_t i = count; i > made; i--, node = &store->nodes[node->parent])
        line->moves[i - 1] = store->moves[store->nodes[node->parent].first + node->from];
    line->count = count;
    line->value = tree->game.value;
    memcpy(tree->state, store->states, tree->shape.state_size);
    for (size_t i = made; i < count; i++)
        line->value =
            search_sum(line->value, tree->domain->core->apply(tree->instance, tree->state, line->moves[i], NULL));
    return true;
}

/* ---- life ---- */

/* Gives back what depends on the size of a state. */
static void release(struct exit_tree *tree) {
    struct exit_store *stores[] = {&tree->store, &tree->spare};
    size_t size = tree->shape.state_size, moves = (size_t)tree->shape.most_moves + 1;
    for (int i = 0; i < 2; i++) {
        struct exit_store *store = stores[i];
        memory_give(tree->memory, store->nodes, store->node_room * sizeof *store->nodes);
        memory_give(tree->memory, store->states, store->state_room * size);
        memory_give(tree->memory, store->edges, store->edge_room * sizeof *store->edges);
        memory_give(tree->memory, store->moves, store->move_room * sizeof *store->moves);
        memory_give(tree->memory, store->priors, store->prior_room * sizeof *store->priors);
        *store = (struct exit_store){0};
    }
    memory_give(tree->memory, tree->pending, tree->pending_room * sizeof *tree->pending);
    memory_give(tree->memory, tree->played, tree->played_room * size);
    memory_give(tree->memory, tree->state, size);
    memory_give(tree->memory, tree->scratch_moves, moves * sizeof *tree->scratch_moves);
    memory_give(tree->memory, tree->weights, moves * sizeof *tree->weights);
    table_close(&tree->visited);
    tree->pending = NULL;
    tree->played = tree->state = NULL;
    tree->scratch_moves = NULL;
    tree->weights = NULL;
    tree->pending_room = tree->played_room = 0;
}

static bool allocate(struct exit_tree *tree, const soloist_shape *shape) {
    size_t moves = (size_t)shape->most_moves + 1;
    if (tree->state && shape->state_size == tree->shape.state_size && shape->most_moves == tree->shape.most_moves)
        return true;
    release(tree);
    tree->shape = *shape;
    tree->state = memory_take(tree->memory, shape->state_size);
    tree->scratch_moves = memory_take(tree->memory, moves * sizeof *tree->scratch_moves);
    tree->weights = memory_take(tree->memory, moves * sizeof *tree->weights);
    return tree->state && tree->scratch_moves && tree->weights &&
           table_open(&tree->visited, tree->memory, shape->state_size, 0);
}

bool exit_tree_restart(struct exit_tree *tree, const soloist_instance *instance, uint64_t seed) {
    soloist_shape shape = {0};
    tree->domain->life->shape(instance, &shape);
    if (!allocate(tree, &shape))
        return false;
    tree->instance = instance;
    tree->game.count = 0;
    tree->game.value = 0;
    tree->pending_count = 0;
    tree->in_move = 0;
    tree->nodes = tree->judged = 0;
    soloist_rng_seed(&tree->rng, seed, 0);
    tree->domain->life->root(instance, tree->state);
    return start_anew(tree);
}

bool exit_tree_open(struct exit_tree *tree, const soloist_domain *domain, const soloist_instance *instance,
                    const struct exit_options *options, struct memory *memory, uint64_t seed) {
    *tree = (struct exit_tree){.domain = domain, .options = options, .memory = memory, .line_to = EXIT_NONE};
    return exit_tree_restart(tree, instance, seed);
}

void exit_tree_close(struct exit_tree *tree) {
    if (!tree->domain)
        return;
    release(tree);
    free(tree->game.moves);
    tree->game = (struct search_line){0};
    tree->domain = NULL;
}

/* ---- what the tree shows ---- */

static uint32_t find_edge(const struct exit_store *store, const struct exit_node *node, soloist_move move) {
    for (uint32_t i = 0; i < node->count; i++)
        if (store->moves[node->first + i] == move)
            return i;
    return EXIT_NONE;
}

/* Goes down the asked path as far as it is in the tree. */
static uint32_t follow(const struct exit_store *store, struct search_picture *picture) {
    uint32_t index = 0;
    for (size_t i = 0; i < picture->path_count; i++) {
        const struct exit_node *node = &store->nodes[index];
        uint32_t edge = find_edge(store, node, picture->path[i]);
        if (edge == EXIT_NONE || store->edges[node->first + edge].child == EXIT_NONE)
            break;
        picture_add_move(picture, picture->path[i]);
        picture->shown.path_count++;
        index = store->edges[node->first + edge].child;
    }
    return index;
}

static void paint_edges(const struct exit_tree *tree, const struct exit_node *node, struct search_picture *picture) {
    const struct exit_store *store = &tree->store;
    double explore = tree->options->c * __builtin_sqrt((double)node->visits);
    for (uint32_t i = node->first; i < node->first + node->count; i++) {
        const struct exit_edge *edge = &store->edges[i];
        double mean = edge->visits ? edge->sum / edge->visits : 0, prior = (double)store->priors[i];
        picture_branch(picture, &(soloist_branch){.move = store->moves[i],
                                                  .visits = edge->visits,
                                                  .closed = edge->kind != EXIT_OPEN,
                                                  .has_value = edge->visits > 0,
                                                  .value = mean,
                                                  .has_bound = edge->kind == EXIT_OPEN,
                                                  .bound = mean + explore * prior / (1 + (double)edge->visits),
                                                  .has_prior = node->valued,
                                                  .prior = prior});
    }
}

/* Follows the most visited edges. */
static void paint_line(const struct search_run *run, const struct exit_store *store, uint32_t index,
                       struct search_picture *picture) {
    while (index != EXIT_NONE) {
        const struct exit_node *node = &store->nodes[index];
        uint32_t best = EXIT_NONE, most = 0;
        for (uint32_t i = node->first; i < node->first + node->count; i++)
            if (store->edges[i].visits > most)
                best = i, most = store->edges[i].visits;
        if (best == EXIT_NONE)
            break;
        picture_add_move(picture, store->moves[best]);
        index = store->edges[best].child;
    }
    picture_depth(picture, (int64_t)picture->move_count);
    picture_line(picture, run, picture->moves, picture->move_count);
}

void exit_tree_paint(const struct search_run *run, const struct exit_tree *tree, struct search_picture *picture) {
    const struct exit_store *store = &tree->store;
    picture_kind(picture, SOLOIST_PICTURE_TREE);
    picture_begin_line(picture, tree->game.moves, tree->game.count);
    if (!store->count)
        return;
    uint32_t index = follow(store, picture);
    const struct exit_node *node = &store->nodes[index];
    picture->shown.node =
        (soloist_branch){.visits = node->visits, .has_value = node->valued, .value = (double)node->value};
    paint_edges(tree, node, picture);
    picture_end_branches(picture, run);
    paint_line(run, store, index, picture);
}
