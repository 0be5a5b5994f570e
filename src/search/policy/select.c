/* Selection (S5, S14, S15): the edge of highest Q - w W Q + c P sqrt(N) / (1 + n), Q brought to 0..1. An edge without a
 * result counts with the first result of its node. */
#include "search/policy/policy.h"

/* How the results below one node become 0..1. */
struct scaling {
    double low, inverse; /* (value - low) * inverse */
    bool flat;           /* no spread is known: all count 1 */
};

static struct scaling scale_between(double low, double high) {
    return high > low ? (struct scaling){low, 1 / (high - low), false} : (struct scaling){0, 0, true};
}

double policy_edge_worth(const struct policy_options *options, const struct policy_edge *edge, double otherwise) {
    double mean = policy_edge_mean(edge, otherwise);
    if (options->best_share > 0 && edge->visits > edge->waiting)
        mean += options->best_share * ((double)edge->best - mean);
    return mean;
}

/* With even priors edges are tried in their order: the first without a visit stands for all after it. */
static bool stands_for_the_rest(const struct policy_node *node, const struct policy_edge *edge) {
    return node->even && !edge->visits;
}

/* Over the edges' values, or the least and greatest results met below them. */
static struct scaling find_scaling(const struct policy_tree *tree, const struct policy_node *node,
                                   const struct policy_edge *edges) {
    const struct policy_options *options = tree->options;
    bool local = options->normalise == POLICY_SPACE_LOCAL;
    double low = __builtin_inf(), high = -__builtin_inf();
    if (options->normalise == POLICY_STATIC)
        return (struct scaling){0, 1 / options->range, false};
    for (uint32_t i = 0; i < node->count; i++) {
        const struct policy_edge *edge = &edges[i];
        if (stands_for_the_rest(node, edge))
            break;
        if (edge->visits == edge->waiting)
            continue;
        double value = local ? 0 : policy_edge_worth(options, edge, 0);
        double least = local ? (double)edge->least : value, most = local ? (double)edge->best : value;
        low = least < low ? least : low;
        high = most > high ? most : high;
    }
    struct scaling scaling = scale_between(low, high);
    if (!scaling.flat || !local)
        return scaling;
    scaling = scale_between(tree->least, tree->most);
    return scaling.flat ? (struct scaling){0, 1, false} : scaling;
}

bool policy_is_available(const struct policy_tree *tree, const struct policy_edge *edge) {
    if (edge->closed || edge->pending)
        return false;
    return edge->child == POLICY_NONE || policy_node_at(tree, edge->child)->available;
}

uint32_t policy_select(const struct policy_tree *tree, uint32_t index) {
    const struct policy_options *options = tree->options;
    const struct policy_node *node = policy_node_at(tree, index);
    const struct policy_edge *edges = policy_block(tree, index) + 1;
    struct scaling scaling = find_scaling(tree, node, edges);
    double explore = options->c * __builtin_sqrt((double)node->visits), best = -__builtin_inf();
    uint32_t chosen = POLICY_NONE;
    for (uint32_t i = 0; i < node->count; i++) {
        const struct policy_edge *edge = &edges[i];
        if (!policy_is_available(tree, edge))
            continue;
        double q = scaling.flat ? 1 : (policy_edge_worth(options, edge, node->first) - scaling.low) * scaling.inverse;
        double loss = options->virtual_loss * edge->waiting * (q < 0 ? -q : q);
        double value = q - loss + explore * (double)edge->prior / (1 + (double)edge->visits);
        if (value > best || chosen == POLICY_NONE) {
            best = value;
            chosen = i + 1;
        }
        if (stands_for_the_rest(node, edge))
            break;
    }
    return chosen;
}
