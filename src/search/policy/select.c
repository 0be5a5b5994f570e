/* Selection (S5, S14, S15): the edge of highest Q - w W Q + c P sqrt(N) / (1 + n), Q brought to 0..1. An edge without a
 * result counts with its node's first result. Most visits choose the same edge as the visit before: if the memo of that
 * choice proves it, the other edges are not examined. */
#include "search/policy/policy.h"

/* How the results below one node are scaled to 0..1. */
struct scaling {
    double low, inverse; /* (value - low) * inverse */
    bool flat;           /* all results are equal so far: all count 1 */
};

static struct scaling scale_between(double low, double high) {
    return high > low ? (struct scaling){low, 1 / (high - low), false} : (struct scaling){0, 0, true};
}

/* The edges to choose from. Unvisited edges all count with the same value, so the one of highest prior stands for all
 * of them. It is the first of them if priors are uniform or the node is ordered. */
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

/* The two highest of what is offered. */
struct top {
    double first, second;
};

static const struct top no_top = {-__builtin_inf(), -__builtin_inf()};

static inline void offer(struct top *top, double value) {
    double lesser = value < top->first ? value : top->first;
    top->first = value > top->first ? value : top->first;
    top->second = lesser > top->second ? lesser : top->second;
}

/* What a look at all edges finds besides the one chosen; lows with their signs changed. */
struct spread {
    struct top highs, lows;
};

/* Over the edges' values, or the least and greatest results met below them. */
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

/* The virtual loss of an edge, in units of q, for the simulations in flight below it. */
static inline double loss_of(const struct policy_options *options, const struct policy_edge *edge, double q) {
    return options->virtual_loss * edge->waiting * (q < 0 ? -q : q);
}

/* Is the edge chosen last certainly the one to choose again? Its own share of exploration is counted as it is now, the
 * others' as the most that they can have: they have not been visited since. */
static bool is_still_first(const struct policy_tree *tree, const struct policy_node *node,
                           const struct policy_edge *edge, const struct policy_memo *memo) {
    if (edge->barred || edge->visits == edge->waiting)
        return false;
    double low = edge->worth < memo->low ? edge->worth : memo->low;
    double high = edge->worth > memo->high ? edge->worth : memo->high;
    double explore = (high - low) * tree->options->c * __builtin_sqrt((double)node->visits), other = memo->runner;
    double own = edge->worth + explore * (double)edge->prior / (1 + (double)edge->visits);
    if (edge->waiting)
        own -= loss_of(tree->options, edge, edge->worth - low);
    if (explore > memo->explore)
        other += (explore - memo->explore) * memo->bonus;
    double size = (own < 0 ? -own : own) + (other < 0 ? -other : other);
    return high > low && own - other > 1e-9 * (1 + size);
}

/* What exploration counts for the node, and the most that any edge has of it. */
struct exploration {
    double all, most;
};

/* runner is taken without virtual loss, because that may end at any time. The next of the edges without a visit is
 * worth at most as much as the one just chosen among them. */
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

/* Ties go to the first in the order of core. */
static uint32_t look_at_all(struct policy_tree *tree, uint32_t index) {
    const struct policy_options *options = tree->options;
    const struct policy_node *node = policy_node_at(tree, index);
    const struct policy_edge *chosen = NULL;
    struct walk walk = {.node = node, .edges = policy_block(tree, index) + 1};
    struct spread spread;
    struct scaling scaling = find_scaling(tree, walk, &spread);
    struct top values = no_top;
    double best = 0, gross = 0, most = 0, explore = options->c * __builtin_sqrt((double)node->visits);
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
