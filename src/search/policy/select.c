/* Selection (S5, S14, S15): chooses the edge of highest Q - w W Q + c P sqrt(N) / (1 + n), where Q is scaled to 0..1
 * and W is the number of visits in flight. For an edge without a result, Q is the node's first result. Most visits
 * choose the same edge as the previous visit. If the memo of the previous visit proves that this edge is still the
 * best, the other edges are not examined. */
#include "search/policy/policy.h"

#include "search/exploration.h"

/* How the results below one node are scaled to 0..1. */
struct scaling {
    double low, inverse; /* a value is scaled to (value - low) * inverse */
    bool flat;           /* all results so far are equal: each is scaled to 1 */
};

static struct scaling scale_between(double low, double high) {
    return high > low ? (struct scaling){low, 1 / (high - low), false} : (struct scaling){0, 0, true};
}

/* An iterator over the edges to choose from. Unvisited edges all have the same Q, so only the one of highest prior
 * needs to be examined. This is the first unvisited edge if priors are uniform or the node is ordered. */
struct walk {
    const struct policy_node *node;
    const struct policy_edge *edges;
    uint32_t place;
    bool last;
};

static const struct policy_edge *next_edge(struct walk *walk) {
    if (walk->last || walk->place == walk->node->count)
        return NULL;
    uint32_t place = walk->place++;
    const struct policy_edge *edge = &walk->edges[walk->node->ordered ? walk->edges[place].ranked : place];
    walk->last = !edge->visits && (walk->node->even || walk->node->ordered);
    return edge;
}

/* The two highest values of a series. */
struct top {
    double first, second;
};

static const struct top no_top = {-__builtin_inf(), -__builtin_inf()};

static inline void offer(struct top *top, double value) {
    double lesser = value < top->first ? value : top->first;
    top->first = value > top->first ? value : top->first;
    top->second = lesser > top->second ? lesser : top->second;
}

/* The two highest and the two lowest values of all edges; the lowest are stored with opposite sign. */
struct spread {
    struct top highs, lows;
};

/* Scales by the least and greatest worth of an edge, or by the least and greatest result below the edges. */
static struct scaling find_scaling(const struct policy_tree *tree, struct walk walk, struct spread *spread) {
    bool local = tree->options->normalise == POLICY_SPACE_LOCAL;
    *spread = (struct spread){no_top, no_top};
    if (tree->options->normalise == POLICY_STATIC)
        return (struct scaling){0, 1 / tree->options->range, false};
    for (const struct policy_edge *edge; (edge = next_edge(&walk));) {
        if (edge->visits == edge->waiting)
            continue;
        offer(&spread->lows, local ? -(double)edge->least : -edge->worth);
        offer(&spread->highs, local ? (double)edge->best : edge->worth);
    }
    struct scaling scaling = scale_between(-spread->lows.first, spread->highs.first);
    if (!scaling.flat || !local)
        return scaling;
    scaling = scale_between(tree->least, tree->most);
    return scaling.flat ? (struct scaling){0, 1, false} : scaling;
}

/* The virtual loss of an edge for the simulations in flight below it, in the same units as q. */
static inline double loss_of(const struct policy_options *options, const struct policy_edge *edge, double q) {
    return options->virtual_loss * edge->waiting * (q < 0 ? -q : q);
}

/* The part of the exploration bonus that all edges of a node share: c sqrt(N). */
static inline double explore_at(const struct policy_tree *tree, const struct policy_node *node) {
    double visits = (double)node->visits;
    return search_exploration(tree->options->c, tree->options->c_base, visits) * __builtin_sqrt(visits);
}

/* Whether the edge chosen last is certainly the one to choose again. For this edge the exploration bonus is computed
 * exactly; for the other edges, which have not been visited since, an upper bound is used. */
static bool is_still_first(const struct policy_tree *tree, const struct policy_node *node,
                           const struct policy_edge *edge, const struct policy_memo *memo) {
    if (edge->barred || edge->visits == edge->waiting)
        return false;
    double low = edge->worth < memo->low ? edge->worth : memo->low;
    double high = edge->worth > memo->high ? edge->worth : memo->high;
    double explore = (high - low) * explore_at(tree, node), other = memo->runner;
    double own = edge->worth + explore * (double)edge->prior / (1 + (double)edge->visits);
    if (edge->waiting)
        own -= loss_of(tree->options, edge, edge->worth - low);
    if (explore > memo->explore)
        other += (explore - memo->explore) * memo->bonus;
    double size = (own < 0 ? -own : own) + (other < 0 ? -other : other);
    return high > low && own - other > 1e-9 * (1 + size);
}

/* c sqrt(N) of the node, and the greatest exploration bonus of any edge. */
struct exploration {
    double all, most;
};

/* Stores the memo of a selection. `runner` does not include virtual loss, because that may disappear at any time. If
 * the chosen edge was unvisited, the value of the next unvisited edge is at most that of the chosen one. */
static void note(const struct policy_tree *tree, uint32_t index, const struct spread *spread,
                 const struct policy_edge *chosen, double runner, struct exploration exploration) {
    struct policy_memo *memo = policy_memo_at(tree, index);
    double low = -spread->lows.first, range = spread->highs.first - low;
    double worth = policy_edge_worth(chosen, __builtin_inf());
    memo->chosen = 0;
    if (!(range > 0) || !(exploration.all > 0))
        return;
    memo->runner = runner * range + low;
    memo->explore = range * exploration.all;
    memo->bonus = exploration.most / exploration.all;
    memo->high = worth == spread->highs.first ? spread->highs.second : spread->highs.first;
    memo->low = worth == low ? -spread->lows.second : low;
    memo->chosen = (uint32_t)(chosen - policy_block(tree, index));
}

/* Examines all edges. Ties go to the first in the order in which the core lists moves. */
static uint32_t look_at_all(struct policy_tree *tree, uint32_t index) {
    const struct policy_options *options = tree->options;
    const struct policy_node *node = policy_node_at(tree, index);
    const struct policy_edge *chosen = NULL;
    struct walk walk = {.node = node, .edges = policy_block(tree, index) + 1};
    struct spread spread;
    struct scaling scaling = find_scaling(tree, walk, &spread);
    struct top values = no_top;
    double best = 0, gross = 0, most = 0, explore = explore_at(tree, node);
    for (const struct policy_edge *edge; (edge = next_edge(&walk));) {
        if (edge->barred)
            continue;
        double q = scaling.flat ? 1 : (policy_edge_worth(edge, node->first) - scaling.low) * scaling.inverse;
        double bonus = explore * (double)edge->prior / (1 + (double)edge->visits);
        double value = q - loss_of(options, edge, q) + bonus;
        if (!chosen || value > best || (value == best && edge < chosen))
            chosen = edge, best = value, gross = q + bonus;
        offer(&values, q + bonus);
        most = bonus > most ? bonus : most;
    }
    if (!chosen)
        return POLICY_NONE;
    double runner = chosen->visits && gross == values.first ? values.second : values.first;
    if (options->normalise == POLICY_MAX_MIN)
        note(tree, index, &spread, chosen, runner, (struct exploration){explore, most});
    return (uint32_t)(chosen - policy_block(tree, index));
}

uint32_t policy_select(struct policy_tree *tree, uint32_t index) {
    const struct policy_memo *memo = policy_memo_at(tree, index);
    if (memo->chosen &&
        is_still_first(tree, policy_node_at(tree, index), policy_block(tree, index) + memo->chosen, memo))
        return memo->chosen;
    return look_at_all(tree, index);
}

/* ---- what the tree shows ---- */

/* Goes down the asked path as far as it is in the tree. */
static uint32_t follow(const struct policy_tree *tree, struct search_picture *picture) {
    uint32_t index = tree->root;
    for (size_t i = 0; i < picture->path_count; i++) {
        const struct policy_edge *edge = policy_block(tree, index) + 1,
                                 *end = edge + policy_node_at(tree, index)->count;
        while (edge < end && edge->move != picture->path[i])
            edge++;
        if (edge == end || edge->child == POLICY_NONE)
            break;
        picture_add_move(picture, edge->move);
        picture->shown.path_count++;
        picture->shown.node = (soloist_branch){.visits = edge->visits,
                                               .has_value = edge->visits > edge->waiting,
                                               .value = policy_edge_mean(edge, 0),
                                               .has_prior = tree->informed,
                                               .prior = (double)edge->prior};
        index = edge->child;
    }
    return index;
}

static void paint_edges(const struct policy_tree *tree, uint32_t index, struct search_picture *picture) {
    const struct policy_node *node = policy_node_at(tree, index);
    const struct policy_edge *edges = policy_block(tree, index) + 1;
    struct spread spread;
    struct walk walk = {.node = node, .edges = edges};
    struct scaling scaling = find_scaling(tree, walk, &spread);
    double explore = explore_at(tree, node);
    for (uint32_t i = 0; i < node->count; i++) {
        const struct policy_edge *edge = &edges[i];
        double q = scaling.flat ? 1 : (policy_edge_worth(edge, node->first) - scaling.low) * scaling.inverse;
        picture_branch(picture, &(soloist_branch){.move = edge->move,
                                                  .visits = edge->visits,
                                                  .closed = edge->closed,
                                                  .has_value = edge->visits > edge->waiting,
                                                  .value = policy_edge_mean(edge, 0),
                                                  .has_bound = !edge->closed,
                                                  .bound = q + explore * (double)edge->prior / (1.0 + edge->visits),
                                                  .has_prior = tree->informed,
                                                  .prior = (double)edge->prior});
    }
}

/* Follows the most visited edges. */
static void paint_line(const struct search_run *run, const struct policy_tree *tree, uint32_t index,
                       struct search_picture *picture) {
    while (index != POLICY_NONE) {
        const struct policy_node *node = policy_node_at(tree, index);
        const struct policy_edge *edges = policy_block(tree, index) + 1, *best = NULL;
        for (uint32_t i = 0; i < node->count; i++)
            if (edges[i].visits && (!best || edges[i].visits > best->visits))
                best = &edges[i];
        if (!best)
            break;
        picture_add_move(picture, best->move);
        index = best->child;
    }
    picture_depth(picture, (int64_t)picture->move_count);
    picture_line(picture, run, picture->moves, picture->move_count);
}

void policy_paint(const struct search_run *run, struct policy_tree *tree, struct search_picture *picture) {
    pthread_mutex_lock(&tree->lock);
    picture_kind(picture, SOLOIST_PICTURE_TREE);
    picture_begin_line(picture, tree->game.moves, tree->game.count);
    if (tree->root != POLICY_NONE) {
        picture->shown.node.visits = policy_node_at(tree, tree->root)->visits;
        uint32_t index = follow(tree, picture);
        paint_edges(tree, index, picture);
        picture_end_branches(picture, run);
        paint_line(run, tree, index, picture);
    }
    pthread_mutex_unlock(&tree->lock);
}
