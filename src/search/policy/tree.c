/* The tree of a game: each node is one block with its edges, and blocks are stored in chunks of equal size. This file
 * also implements the game itself, whose best line is kept when a tree is discarded. */
#include "search/policy/policy.h"

#include <stdlib.h>
#include <string.h>

_Static_assert(sizeof(struct policy_node) <= sizeof(struct policy_edge), "a node takes the place of one edge");
_Static_assert(sizeof(struct policy_memo) == sizeof(struct policy_edge), "and so does its memo");

enum { chunk_edges = 1 << POLICY_CHUNK_BITS, largest_state = 512, most_steps = 10000 };
#define usual_step_value 0.01 /* Ge 2018, section 3.5 */
#define least_step_value (1.0 / most_steps)

/* ---- blocks ---- */

static bool add_chunk(struct policy_tree *tree) {
    if (!memory_grow(tree->memory, &tree->chunks, sizeof *tree->chunks, &tree->chunk_room,
                     (uint64_t)tree->chunk_count + 1))
        return false;
    struct policy_edge *chunk = memory_take(tree->memory, chunk_edges * sizeof *chunk);
    if (!chunk)
        return false;
    tree->chunks[tree->chunk_count++] = chunk;
    return true;
}

/* Index 0 is never used for a block, because it means POLICY_NONE. */
uint32_t policy_tree_take(struct policy_tree *tree, uint32_t edges) {
    uint32_t at = tree->used ? tree->used : 1;
    if (edges >= chunk_edges || at > UINT32_MAX - 2 * chunk_edges)
        return POLICY_NONE;
    if ((at & (chunk_edges - 1)) + edges > chunk_edges) {
        if (at & (chunk_edges - 1))
            policy_node_at(tree, at)->count = POLICY_GAP;
        at = (at | (chunk_edges - 1)) + 1;
    }
    if (at >> POLICY_CHUNK_BITS >= tree->chunk_count && !add_chunk(tree))
        return POLICY_NONE;
    tree->used = at + edges;
    return at;
}

uint32_t policy_tree_add(struct policy_tree *tree, const soloist_move *moves, const float *priors, int count) {
    uint32_t index = policy_tree_take(tree, (uint32_t)count + tree->beside);
    if (index == POLICY_NONE) {
        tree->full = true;
        return POLICY_NONE;
    }
    struct policy_edge *edge = policy_block(tree, index);
    uint32_t ways = count ? (uint32_t)count : 1;
    *policy_node_at(tree, index) = (struct policy_node){
        .count = (uint32_t)count, .open = ways, .available = ways, .even = !priors, .unlisted = !count};
    for (int i = 0; i < count; i++)
        edge[i + 1] = (struct policy_edge){.move = moves[i], .prior = priors ? priors[i] : 1 / (float)count};
    policy_memo_at(tree, index)->chosen = 0;
    return index;
}

/* Removes the tree and keeps the game. */
static void forget(struct policy_tree *tree) {
    tree->used = 0;
    tree->root = POLICY_NONE;
    tree->root_pending = tree->root_ready = tree->full = false;
}

void policy_tree_record(struct policy_tree *tree, const soloist_move *line, int length, int32_t value) {
    size_t made = tree->game.count, count = made + (size_t)length;
    tree->left_out |= value == SOLOIST_DEAD;
    if (value == SOLOIST_DEAD ||
        (tree->has_best && (tree->costs ? value >= tree->best.value : value <= tree->best.value)))
        return;
    if (!search_line_reserve(&tree->best, count, tree->memory)) {
        tree->full = true;
        return;
    }
    if (made)
        memcpy(tree->best.moves, tree->game.moves, made * sizeof *line);
    if (length)
        memcpy(tree->best.moves + made, line, (size_t)length * sizeof *line);
    tree->best.count = count;
    tree->best.value = value;
    tree->has_best = true;
}

/* ---- life ---- */

bool policy_tree_restart(struct policy_tree *tree, const soloist_instance *instance, uint64_t seed) {
    soloist_shape shape = {0};
    tree->domain->life->shape(instance, &shape);
    void *state = tree->root_state;
    if (!state || shape.state_size > tree->shape.state_size) {
        state = memory_take(tree->memory, shape.state_size);
        if (!state)
            return false;
        memory_give(tree->memory, tree->root_state, tree->shape.state_size);
        tree->shape.state_size = shape.state_size;
    }
    shape.state_size = tree->shape.state_size;
    tree->lists_late = shape.state_size <= largest_state && (tree->ask_visits || !tree->asks);
    tree->beside = 2;
    if (shape.state_size <= largest_state)
        tree->beside += (uint32_t)((shape.state_size + sizeof(struct policy_edge) - 1) / sizeof(struct policy_edge));
    tree->root_state = state;
    tree->shape = shape;
    tree->instance = instance;
    tree->length = shape.most_steps ? shape.most_steps : tree->costs ? tree->step_limit : 1000;
    tree->seed = seed;
    tree->begun = tree->in_move = tree->playouts = tree->nodes = 0;
    tree->least = __builtin_inf();
    tree->most = -__builtin_inf();
    tree->root_value = 0;
    tree->game.count = 0;
    tree->has_best = false;
    forget(tree);
    tree->domain->life->root(instance, state);
    return true;
}

bool policy_tree_open(struct policy_tree *tree, const soloist_domain *domain, const soloist_instance *instance,
                      const struct policy_options *options, const struct evaluator *evaluator, struct memory *memory,
                      uint64_t seed) {
    *tree = (struct policy_tree){.domain = domain, .options = options, .memory = memory};
    pthread_mutex_init(&tree->lock, NULL);
    pthread_cond_init(&tree->changed, NULL);
    tree->played_out = policy_is_played_out(options);
    tree->valued = evaluator && evaluator->has_value && (!tree->played_out || options->value_share > 0);
    tree->informed = evaluator && evaluator->has_policy;
    tree->asks = tree->valued || tree->informed;
    tree->guided = tree->informed && tree->played_out && options->rollout == POLICY_ROLLOUT_GUIDED;
    /* If every leaf is evaluated anyway, its priors come with the evaluation, and asking later makes no sense. */
    bool late = tree->informed && !tree->valued && !tree->guided && !options->gumbel;
    tree->ask_visits = late ? (uint32_t)options->ask_visits : 0;
    if (options->rollout == POLICY_ROLLOUT_BEST && domain->sample)
        tree->playout = search_playout_kinds(domain->sample) - 1;
    tree->value_scale = options->value_scale;
    if (tree->valued && !(tree->value_scale > 0))
        tree->value_scale = evaluator->value_scale > 0 ? evaluator->value_scale : 1;
    tree->costs = domain->aim == SOLOIST_LEAST_COST;
    tree->step_value = evaluator && evaluator->step_value > 0 ? evaluator->step_value : usual_step_value;
    tree->step_limit = (int)options->step_limit;
    if (!tree->step_limit)
        tree->step_limit = tree->step_value > least_step_value ? (int)(1 / tree->step_value + 0.5) : most_steps;
    return policy_tree_restart(tree, instance, seed);
}

void policy_tree_close(struct policy_tree *tree) {
    for (uint32_t i = 0; i < tree->chunk_count; i++)
        memory_give(tree->memory, tree->chunks[i], chunk_edges * sizeof **tree->chunks);
    memory_give(tree->memory, tree->chunks, tree->chunk_room * sizeof *tree->chunks);
    memory_give(tree->memory, tree->root_state, tree->shape.state_size);
    memory_give(tree->memory, tree->halving.lots, tree->halving.room * sizeof *tree->halving.lots);
    free(tree->game.moves);
    free(tree->best.moves);
    pthread_mutex_destroy(&tree->lock);
    pthread_cond_destroy(&tree->changed);
}

/* ---- results of a tree ---- */

const struct policy_edge *policy_tree_root(const struct policy_tree *tree, int *count) {
    *count = tree->root == POLICY_NONE ? 0 : (int)policy_node_at(tree, tree->root)->count;
    return *count ? policy_block(tree, tree->root) + 1 : NULL;
}

double policy_tree_value(const struct policy_tree *tree) {
    int count;
    const struct policy_edge *edges = policy_tree_root(tree, &count);
    double most = -__builtin_inf();
    for (int i = 0; i < count; i++) {
        double mean = policy_edge_mean(&edges[i], most);
        most = mean > most ? mean : most;
    }
    if (most > -__builtin_inf())
        return most;
    return tree->root != POLICY_NONE && policy_node_at(tree, tree->root)->has_first
               ? policy_node_at(tree, tree->root)->first
           : tree->costs ? 0
                         : tree->root_value;
}

/* The edge of highest mean or, with `robust`, of most visits and then of highest mean; the first of equals. -1: no edge
 * has a result. */
static int final_edge(const struct policy_tree *tree, const struct policy_edge *edges, int count) {
    bool robust = tree->options->final == POLICY_FINAL_ROBUST;
    int best = -1;
    for (int i = 0; i < count; i++) {
        double mean = policy_edge_mean(&edges[i], 0);
        if (edges[i].visits == edges[i].waiting)
            continue;
        bool more = best < 0 || (robust && edges[i].visits > edges[best].visits);
        bool equal = best >= 0 && (!robust || edges[i].visits == edges[best].visits);
        if (more || (equal && mean > policy_edge_mean(&edges[best], 0)))
            best = i;
    }
    return best;
}

/* The edge of highest prior, used as long as no edge has a result. */
static int most_likely(const struct policy_edge *edges, int count) {
    int best = 0;
    for (int i = 1; i < count; i++)
        if (edges[i].prior > edges[best].prior)
            best = i;
    return best;
}

/* Whether the best line begins with the game's moves and is longer. */
static bool is_on_line(const struct policy_tree *tree) {
    size_t made = tree->game.count;
    return tree->has_best && tree->best.count > made &&
           (!made || !memcmp(tree->best.moves, tree->game.moves, made * sizeof *tree->game.moves));
}

soloist_move policy_tree_choose(struct policy_tree *tree) {
    int count, chosen;
    const struct policy_edge *edges = policy_tree_root(tree, &count);
    if (tree->options->final == POLICY_FINAL_LINE && is_on_line(tree))
        return tree->best.moves[tree->game.count];
    if (!count)
        return SOLOIST_NO_MOVE;
    uint32_t edge = tree->options->gumbel ? policy_halving_final(tree) : POLICY_NONE;
    chosen = edge ? (int)edge - 1 : final_edge(tree, edges, count);
    return edges[chosen >= 0 ? chosen : most_likely(edges, count)].move;
}

bool policy_tree_advance(struct policy_tree *tree, soloist_move move) {
    int count;
    const struct policy_edge *edges = policy_tree_root(tree, &count);
    uint32_t child = POLICY_NONE;
    for (int i = 0; i < count; i++)
        if (edges[i].move == move)
            child = edges[i].child;
    if (!search_line_reserve(&tree->game, tree->game.count + 1, tree->memory))
        return false;
    tree->game.moves[tree->game.count++] = move;
    tree->root_value =
        search_sum(tree->root_value, tree->domain->core->apply(tree->instance, tree->root_state, move, NULL));
    tree->in_move = 0;
    if (!tree->options->keep || child == POLICY_NONE || policy_node_at(tree, child)->unlisted)
        forget(tree);
    else
        policy_tree_lower(tree, child);
    tree->root_ready = tree->full = false;
    return true;
}

bool policy_tree_ended(struct policy_tree *tree, int32_t *score) {
    int32_t last = 0;
    if (!tree->domain->core->ended(tree->instance, tree->root_state, &last))
        return false;
    if (score)
        *score = search_sum(tree->root_value, last);
    return true;
}

bool policy_tree_is_spent(const struct policy_tree *tree) {
    return tree->costs && tree->game.count >= (size_t)tree->step_limit;
}

bool policy_tree_is_closed(const struct policy_tree *tree) {
    return tree->root != POLICY_NONE && !policy_node_at(tree, tree->root)->open;
}

bool policy_tree_is_over(struct policy_tree *tree) {
    pthread_mutex_lock(&tree->lock);
    bool over = tree->full || policy_tree_is_closed(tree) || policy_tree_ended(tree, NULL);
    pthread_mutex_unlock(&tree->lock);
    return over;
}
