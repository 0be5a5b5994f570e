/* Selection at the root by Gumbel noise and sequential halving (Danihelka, Guez, Schrittwieser and Silver 2022): m
 * moves are drawn without replacement, with probabilities given by the priors, and visited equally often; then only the
 * better half of them is visited, and so on, until the simulations of the move are used up. Moves are compared by noise
 * + log prior + sigma(Q). */
#include "search/policy/policy.h"

#include "base/real.h"

/* sigma(q) = (50 + most visits) * 0.1 * q, with q from 0 to 1: the authors' constants for values without a fixed scale.
 */
static const double sigma_visits = 50, sigma_scale = 0.1;

static bool reserve(struct policy_tree *tree, uint32_t count) {
    struct policy_halving *halving = &tree->halving;
    if (count <= halving->room)
        return true;
    void *lots = memory_take(tree->memory, count * sizeof *halving->lots);
    if (!lots)
        return false;
    memory_give(tree->memory, halving->lots, halving->room * sizeof *halving->lots);
    halving->lots = lots;
    halving->room = count;
    return true;
}

/* The number of rounds in a stage; in each round every remaining move is visited once. The simulations are spread
 * evenly over the stages. */
static int64_t rounds_of(const struct policy_tree *tree, const struct policy_halving *halving) {
    int64_t rounds = tree->options->per_move / (halving->stages * halving->considered);
    return rounds > 1 ? rounds : 1;
}

/* How many lots come before lot i: those with a higher score, or with an equal score and a lower index. */
static int64_t rank_of(const struct policy_lot *lots, uint32_t count, uint32_t i) {
    int64_t rank = 0;
    for (uint32_t k = 0; k < count; k++)
        rank += lots[k].score > lots[i].score || (k < i && lots[k].score == lots[i].score);
    return rank;
}

/* Removes all but the first `drawn` moves by rank. The moves to be removed are first marked in `visits`, so that ranks
 * do not change meanwhile. */
static void leave_out(struct policy_lot *lots, uint32_t count, int64_t drawn) {
    for (uint32_t i = 0; i < count; i++)
        lots[i].visits = rank_of(lots, count, i) >= drawn;
    for (uint32_t i = 0; i < count; i++) {
        if (lots[i].visits)
            lots[i].score = -__builtin_inf();
        lots[i].visits = 0;
    }
}

bool policy_halving_draw(struct policy_tree *tree, soloist_rng *rng) {
    struct policy_halving *halving = &tree->halving;
    uint32_t count = policy_node_at(tree, tree->root)->count;
    const struct policy_edge *edges = policy_block(tree, tree->root) + 1;
    if (!reserve(tree, count))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        double unit = soloist_rng_unit(rng) + 0x1.0p-54, prior = (double)edges[i].prior;
        halving->lots[i].score = real_log(prior > 1e-30 ? prior : 1e-30) - real_log(-real_log(unit));
    }
    halving->considered = tree->options->gumbel < count ? tree->options->gumbel : count;
    leave_out(halving->lots, count, halving->considered);
    halving->stages = 0;
    while (INT64_C(1) << halving->stages < halving->considered)
        halving->stages++;
    halving->stages += !halving->stages;
    halving->rounds = rounds_of(tree, halving);
    halving->place = 0;
    halving->level = 0;
    /* Halving does not visit edges in the order of their priors. */
    policy_node_at(tree, tree->root)->even = policy_node_at(tree, tree->root)->ordered = false;
    return true;
}

/* Counts one simulation; when every remaining move has had one in this round, goes on to the next round or stage. */
static void step(const struct policy_tree *tree, struct policy_halving *halving) {
    if (++halving->place < halving->considered)
        return;
    halving->place = 0;
    halving->level++;
    if (--halving->rounds)
        return;
    if (halving->considered > 2)
        halving->considered = halving->considered > 5 ? halving->considered / 2 : 2;
    halving->rounds = rounds_of(tree, halving);
}

/* How sigma(Q) is computed from an edge's value: (value - low) * factor. */
struct sigma {
    double low, factor;
};

static struct sigma find_sigma(const struct policy_edge *edges, uint32_t count) {
    double low = __builtin_inf(), high = -__builtin_inf(), visits = 0;
    for (uint32_t i = 0; i < count; i++) {
        visits = edges[i].visits > visits ? edges[i].visits : visits;
        if (edges[i].visits == edges[i].waiting)
            continue;
        double value = policy_edge_worth(&edges[i], 0);
        low = value < low ? value : low;
        high = value > high ? value : high;
    }
    if (!(high > low))
        return (struct sigma){0, 0};
    return (struct sigma){low, (sigma_visits + visits) * sigma_scale / (high - low)};
}

/* The number, counted from 1, of the best considered move for which `wanted` is true; 0: there is none. */
static uint32_t best_lot(const struct policy_tree *tree, bool (*wanted)(const struct policy_tree *, uint32_t)) {
    const struct policy_node *node = policy_node_at(tree, tree->root);
    const struct policy_edge *edges = policy_block(tree, tree->root) + 1;
    const struct policy_lot *lots = tree->halving.lots;
    struct sigma sigma = find_sigma(edges, node->count);
    double best = -__builtin_inf();
    uint32_t chosen = 0;
    for (uint32_t i = 0; i < node->count; i++) {
        if (!(lots[i].score > -__builtin_inf()) || !wanted(tree, i))
            continue;
        double value = policy_edge_worth(&edges[i], node->first);
        value = lots[i].score + (value - sigma.low) * sigma.factor;
        if (!chosen || value > best) {
            best = value;
            chosen = i + 1;
        }
    }
    return chosen;
}

static bool is_open(const struct policy_tree *tree, uint32_t i) {
    return !(policy_block(tree, tree->root) + 1 + i)->closed;
}

static bool is_free(const struct policy_tree *tree, uint32_t i) {
    return !(policy_block(tree, tree->root) + 1 + i)->barred;
}

static bool is_due(const struct policy_tree *tree, uint32_t i) {
    return tree->halving.lots[i].visits == tree->halving.level && is_open(tree, i);
}

static bool is_due_and_free(const struct policy_tree *tree, uint32_t i) { return is_due(tree, i) && is_free(tree, i); }

/* Whether a move may be chosen at the end: it was not dropped by halving, or everything below it is known. */
static bool is_last(const struct policy_tree *tree, uint32_t i) {
    const struct policy_edge *edge = policy_block(tree, tree->root) + 1 + i;
    if (edge->closed)
        return true;
    uint32_t count = policy_node_at(tree, tree->root)->count, most = 0;
    for (uint32_t k = 0; k < count; k++)
        most = tree->halving.lots[k].visits > most ? tree->halving.lots[k].visits : most;
    return tree->halving.lots[i].visits == most;
}

/* If simulations in flight block the move that is due, returns 0, and the caller waits. A move below which everything
 * is known is skipped. */
uint32_t policy_halving_select(struct policy_tree *tree) {
    uint32_t chosen = best_lot(tree, is_due_and_free);
    if (!chosen && best_lot(tree, is_due))
        return 0;
    if (!chosen)
        chosen = best_lot(tree, is_free);
    if (!chosen && best_lot(tree, is_open))
        return 0;
    step(tree, &tree->halving);
    if (!chosen)
        return policy_select(tree, tree->root);
    tree->halving.lots[chosen - 1].visits++;
    return chosen;
}

uint32_t policy_halving_final(const struct policy_tree *tree) { return tree->root_ready ? best_lot(tree, is_last) : 0; }
