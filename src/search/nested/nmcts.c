/* Nested Monte-Carlo tree search (Baier and Winands 2012): instead of a play-out, a tree of the level below is grown
 * from the leaf for n iterations, and the best result in that tree is the leaf's result. Level 1 uses random play-outs.
 */
#include "search/nested/nested.h"

#include "base/real.h"

#include <math.h>
#include <string.h>

struct nested_node {
    soloist_move move;
    uint32_t next, child; /* 0: none */
    uint32_t visits, children;
    double sum;
};

static uint32_t find_child(const struct nested_game *tree, uint32_t node, soloist_move move) {
    uint32_t child = tree->nodes[node].child;
    while (child && tree->nodes[child].move != move)
        child = tree->nodes[child].next;
    return child;
}

/* Scales a result to 0..1 by the least and greatest result in the tree. */
static double normal(const struct nested_game *tree, double value) {
    return tree->most > tree->least ? (value - tree->least) / (tree->most - tree->least) : 0.5;
}

/* The child with the highest upper confidence bound, among the children whose moves are available now. */
static int select_child(const struct nested_worker *worker, const struct nested_game *tree, uint32_t node, int count,
                        uint32_t *chosen) {
    const soloist_choice *choices = tree->walk;
    double spread = worker->nested->options->c * sqrt(real_log((double)tree->nodes[node].visits + 1)), best = -1;
    int place = 0;
    for (int i = 0; i < count; i++) {
        uint32_t child = find_child(tree, node, choices[i].move);
        double visits = tree->nodes[child].visits;
        double value = normal(tree, tree->nodes[child].sum / visits) + spread / sqrt(visits);
        if (value > best)
            best = value, place = i, *chosen = child;
    }
    return place;
}

/* Adds a child for a move not yet tried, chosen at random with equal probabilities. Returns the index of the choice. */
static int add_child(struct nested_worker *worker, struct nested_game *tree, uint32_t node, int count,
                     uint32_t *added) {
    const soloist_choice *choices = tree->walk;
    uint32_t left = soloist_rng_below(&worker->rng, (uint32_t)count - tree->nodes[node].children);
    int place = 0;
    for (;; place++)
        if (!find_child(tree, node, choices[place].move) && !left--)
            break;
    *added = tree->node_count++;
    tree->nodes[*added] = (struct nested_node){.move = choices[place].move, .next = tree->nodes[node].child};
    tree->nodes[node].child = *added;
    tree->nodes[node].children++;
    return place;
}

static void grow(struct nested_worker *worker, int level, int count);

/* Descends from the tree's root to a new leaf, or to the end of play, and extends worker->prefix on the way. The path's
 * nodes are stored in path. Returns the leaf's number of choices. */
static int descend(struct nested_worker *worker, struct nested_game *tree, int count, int *depth) {
    uint32_t node = 0;
    bool inside = true;
    tree->path[0] = 0;
    *depth = 1;
    while (count && inside && worker->prefix_count < worker->nested->length) {
        inside = tree->nodes[node].children == (uint32_t)count;
        int place =
            inside ? select_child(worker, tree, node, count, &node) : add_child(worker, tree, node, count, &node);
        count = nested_step(worker, tree->walk, place);
        tree->path[(*depth)++] = node;
    }
    return count;
}

static void back_up(struct nested_game *tree, int depth, double result) {
    tree->most = result > tree->most ? result : tree->most;
    tree->least = result < tree->least ? result : tree->least;
    for (int i = 0; i < depth; i++) {
        tree->nodes[tree->path[i]].visits++;
        tree->nodes[tree->path[i]].sum += result;
    }
}

/* The leaf's result: from a tree of the level below or, at level 1, from a play-out. */
static double value_leaf(struct nested_worker *worker, int level, int count) {
    struct nested_game *own = &worker->games[level], *below = own - 1;
    if (level > 1) {
        nested_walk_copy(worker->nested, below->root, own->walk);
        grow(worker, level - 1, count);
        nested_keep(worker, level, below->score, below->moves, below->count);
        return (double)below->score;
    }
    nested_sample(worker, level, own->walk, count);
    return (double)worker->line.score;
}

/* Grows a tree from games[level].root on, where there are `count` choices. */
static void grow(struct nested_worker *worker, int level, int count) {
    struct nested_game *own = &worker->games[level];
    int before = worker->prefix_count, depth;
    int32_t value = worker->prefix_value;
    own->score = NESTED_NO_SCORE;
    own->nodes[0] = (struct nested_node){0};
    own->node_count = 1;
    own->most = -INFINITY, own->least = INFINITY;
    for (int64_t i = 0; i < worker->nested->options->n && !worker->stopped; i++) {
        own->done = i, own->of = worker->nested->options->n;
        nested_walk_copy(worker->nested, own->walk, own->root);
        int choices = descend(worker, own, count, &depth);
        double result = value_leaf(worker, level, choices);
        if (!worker->stopped)
            back_up(own, depth, result);
        worker->prefix_count = before;
        worker->prefix_value = value;
    }
}

bool nested_tree_open(struct nested_game *game, struct memory *memory, size_t n, size_t length) {
    game->nodes = memory_take(memory, (n + 1) * sizeof *game->nodes);
    game->path = memory_take(memory, (length + 2) * sizeof *game->path);
    return game->nodes && game->path;
}

void nested_tree_close(struct nested_game *game, struct memory *memory, size_t n, size_t length) {
    memory_give(memory, game->nodes, (n + 1) * sizeof *game->nodes);
    memory_give(memory, game->path, (length + 2) * sizeof *game->path);
}

void nested_nmcts(struct nested_worker *worker, int level) {
    nested_walk_copy(worker->nested, worker->games[level].root, worker->start);
    grow(worker, level, worker->start_count);
}
