/* Selection (S5, S14, S15): chooses the child of highest value by the formula, among those not eliminated. A visit is
 * counted as soon as it begins, and lowers the child's value by the virtual loss until its result is backed up; the
 * mean is over the results that have been backed up. */
#include "search/mcts/mcts.h"

#include "base/real.h"
#include "search/exploration.h"

#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* How the means of one node's children are scaled to 0..1. */
struct scaling {
    double low, inverse; /* a mean is scaled to (mean - low) * inverse */
    bool flat;           /* all results so far are equal: each is scaled to 1 */
};

struct choice {
    struct mcts_worker *worker;
    const struct mcts_options *options;
    const struct mcts_tree *tree;
    const struct mcts_node *parent;
    struct mcts_shared shared;
    struct scaling scaling;
    double inherited; /* used as the mean of a child that has no result yet */
    double c;         /* the weight of exploration at this node */
    double best;
    uint32_t chosen, equal; /* chosen: the best child so far; equal: how many children are as good as it */
};

static double mean_of(const struct mcts *mcts, const struct mcts_node *node, double otherwise) {
    uint32_t visits = atomic_load_explicit(&node->visits, memory_order_relaxed);
    uint32_t back = visits - atomic_load_explicit(&node->waiting, memory_order_relaxed);
    if (!back || back > visits)
        return otherwise;
    return (double)atomic_load_explicit(&node->sum, memory_order_relaxed) / (back * mcts->scale);
}

/* The mean of a node's results. With several threads the root has no sum of its own: its mean is that of its children.
 */
static double mean_at(const struct mcts *mcts, uint32_t index) {
    const struct mcts_tree *tree = &mcts->tree;
    if (!tree->shared || index != tree->root)
        return mean_of(mcts, mcts_at(tree, index), 0);
    int64_t sum = 0, count = 0;
    for (uint32_t i = mcts_first(mcts_at(tree, index)); i != POOL_NONE; i = mcts_at(tree, i)->next) {
        const struct mcts_node *child = mcts_at(tree, i);
        uint32_t visits = atomic_load_explicit(&child->visits, memory_order_relaxed);
        sum += atomic_load_explicit(&child->sum, memory_order_relaxed);
        count += visits - atomic_load_explicit(&child->waiting, memory_order_relaxed);
    }
    return count > 0 ? (double)sum / ((double)count * mcts->scale) : 0;
}

static struct scaling scale_between(double low, double high) {
    return high > low ? (struct scaling){low, 1 / (high - low), false} : (struct scaling){0, 0, true};
}

void mcts_settle_units(struct mcts *mcts, double scale) {
    mcts->scale = scale;
    mcts->unit = 1 / scale;
    for (uint32_t i = 0; i <= MCTS_ROOTS; i++) {
        if (i < MCTS_ROOTS)
            mcts->roots[i] = 1 / __builtin_sqrt((double)i);
        mcts->logs[i] = i ? real_log(i) : 0;
    }
}

/* Scales by the children's least and greatest mean, or by the least and greatest result below them. */
static struct scaling find_scaling(const struct choice *choice) {
    const struct mcts *mcts = choice->worker->mcts;
    int kind = choice->options->normalise;
    double low = __builtin_inf(), high = -__builtin_inf();
    if (kind == MCTS_STATIC)
        return (struct scaling){0, 1 / choice->options->range, false};
    for (uint32_t i = mcts_first(choice->parent); i != POOL_NONE; i = mcts_at(choice->tree, i)->next) {
        const struct mcts_node *child = mcts_at(choice->tree, i);
        if (!atomic_load_explicit(&child->visits, memory_order_relaxed))
            continue;
        double mean = mean_of(mcts, child, choice->inherited), most = mean, least = mean;
        if (kind == MCTS_SPACE_LOCAL) {
            least = atomic_load_explicit(&mcts_more(choice->tree, i)->least, memory_order_relaxed);
            most = atomic_load_explicit(&mcts_more(choice->tree, i)->best, memory_order_relaxed);
        }
        low = least < low ? least : low;
        high = most > high ? most : high;
    }
    struct scaling scaling = scale_between(low, high);
    if (scaling.flat && kind == MCTS_SPACE_LOCAL) {
        scaling = scale_between(atomic_load(&mcts->least), atomic_load(&mcts->most));
        if (scaling.flat)
            return (struct scaling){0, 1, false};
    }
    return scaling;
}

/* The mean result Q mixed with the best result Qmax: Q + W Qmax, or a weighted mean of the two. Normalisation is
 * applied to the result. */
static double mix_best(const struct choice *choice, uint32_t index, double mean) {
    const struct mcts_options *options = choice->options;
    double best = atomic_load_explicit(&mcts_more(choice->tree, index)->best, memory_order_relaxed);
    if (best == -__builtin_inf())
        return mean;
    return options->best_share * best + (1 - options->best_share) * mean + options->best_bonus * best;
}

ALWAYS_INLINE double by_rule(const struct choice *choice, const struct mcts_view *view, int rule) {
    switch (rule) {
    case MCTS_UCB1_TUNED: return mcts_ucb1_tuned(&choice->shared, view, choice->c);
    case MCTS_SP: return mcts_sp(&choice->shared, view, choice->options->d);
    case MCTS_PUCT: return mcts_puct(&choice->shared, view);
    default: return mcts_uct(&choice->shared, view);
    }
}

/* All moves as first (S8): alpha A + (1 - alpha) U, where alpha falls linearly to 0 at V visits. */
static double with_rave(const struct choice *choice, uint32_t index, double visits, double value) {
    const struct mcts_rave *rave = mcts_rave(choice->tree, index);
    double alpha = 1 - visits / (double)choice->options->rave;
    uint32_t seen = atomic_load_explicit(&rave->visits, memory_order_relaxed);
    if (alpha <= 0 || !seen)
        return value;
    double amaf = (double)atomic_load_explicit(&rave->sum, memory_order_relaxed);
    return alpha * amaf / (seen * choice->worker->mcts->scale) + (1 - alpha) * value;
}

static inline double scaled(const struct scaling *by, double mean) {
    return by->flat ? 1 : (mean - by->low) * by->inverse;
}

/* The variance of the results, scaled like the mean; 0 without a result. Rounding may make it slightly negative. */
ALWAYS_INLINE double variance_of(const struct choice *choice, uint32_t index, uint32_t results, double mean,
                                 bool plain) {
    const struct scaling *by = &choice->scaling;
    bool scales = !plain && choice->options->normalise;
    if (!results || (scales && by->flat))
        return 0;
    double squares = atomic_load_explicit(&mcts_more(choice->tree, index)->squares, memory_order_relaxed) / results;
    if (scales) {
        squares = (squares - 2 * by->low * mean + by->low * by->low) * by->inverse * by->inverse;
        mean = scaled(by, mean);
    }
    return squares - mean * mean;
}

/* The value of a child by the formula. plain: without normalisation, without a mix with the best result, without
 * RAVE. */
ALWAYS_INLINE double value_of(const struct choice *choice, uint32_t index, const struct mcts_node *child,
                              uint32_t visits, int rule, bool plain) {
    const struct mcts_tree *tree = choice->tree;
    uint32_t waiting = tree->shared ? atomic_load_explicit(&child->waiting, memory_order_relaxed) : 0;
    const struct mcts *mcts = choice->worker->mcts;
    double mean = choice->inherited, root = mcts_inverse_root(mcts, visits);
    if (visits > waiting) {
        double back = waiting ? mcts_inverse_root(mcts, visits - waiting) : root;
        mean = (double)atomic_load_explicit(&child->sum, memory_order_relaxed) * mcts->unit * (back * back);
    }
    struct mcts_view view = {.visits = visits, .root = root};
    if (rule == MCTS_SP || rule == MCTS_UCB1_TUNED)
        view.variance = variance_of(choice, index, visits - waiting, mean, plain);
    if (!plain && (choice->options->best_bonus > 0 || choice->options->best_share > 0) && visits > waiting)
        mean = mix_best(choice, index, mean);
    if (!plain && choice->options->normalise)
        mean = scaled(&choice->scaling, mean);
    view.mean = mean;
    double value = by_rule(choice, &view, rule);
    if (waiting)
        value -= choice->options->virtual_loss * waiting * (mean < 0 ? -mean : mean);
    return plain || !choice->options->rave ? value : with_rave(choice, index, visits, value);
}

/* If children were added one at a time, the list runs from the last added to the first. */
ALWAYS_INLINE bool wins_tie(struct choice *choice, uint32_t index) {
    const struct mcts_options *options = choice->options;
    choice->equal++;
    switch ((enum mcts_ties)options->ties) {
    case MCTS_TIES_RANDOM: return !soloist_rng_below(&choice->worker->rng, choice->equal);
    case MCTS_TIES_ORDER: return mcts_at(choice->tree, index)->move < mcts_at(choice->tree, choice->chosen)->move;
    case MCTS_TIES_FIRST: return options->expand == MCTS_EXPAND_ONE;
    }
    return false;
}

ALWAYS_INLINE void consider(struct choice *choice, uint32_t index, double value) {
    if (choice->chosen != POOL_NONE && value < choice->best)
        return;
    if (choice->chosen == POOL_NONE || value > choice->best)
        choice->equal = 1;
    else if (!wins_tie(choice, index))
        return;
    choice->best = value;
    choice->chosen = index;
}

/* Children that were never visited come before all others, unless they inherit a value. */
ALWAYS_INLINE void consider_all(struct choice *choice, int rule, bool plain) {
    bool inherit = choice->options->unvisited == MCTS_UNVISITED_INHERIT;
    bool any = choice->options->unvisited == MCTS_UNVISITED_RANDOM;
    uint32_t fresh = POOL_NONE, fresh_count = 0;
    for (uint32_t i = mcts_first(choice->parent); i != POOL_NONE;) {
        const struct mcts_node *child = mcts_at(choice->tree, i);
        uint32_t visits = atomic_load_explicit(&child->visits, memory_order_relaxed);
        if (mcts_is_closed(child)) {
        } else if (visits || inherit) {
            if (fresh == POOL_NONE)
                consider(choice, i, value_of(choice, i, child, visits, rule, plain));
        } else if (fresh_count++ == 0 || (any && !soloist_rng_below(&choice->worker->rng, fresh_count))) {
            fresh = i;
        }
        i = child->next;
    }
    if (fresh != POOL_NONE)
        choice->chosen = fresh;
}

/* The factor of the exploration term. PUCT uses a uniform prior over the node's moves. */
static double exploration(const struct choice *choice, double visits) {
    const struct mcts_options *options = choice->options;
    if (options->rule != MCTS_PUCT)
        return choice->c * __builtin_sqrt(options->log_factor * choice->shared.log_parent);
    uint32_t count = 0;
    for (uint32_t i = mcts_first(choice->parent); i != POOL_NONE; i = mcts_at(choice->tree, i)->next)
        count++;
    uint16_t untried = atomic_load_explicit(&choice->parent->untried, memory_order_relaxed);
    if (untried < MCTS_UNTRIED_BUSY)
        count += untried;
    return choice->c * __builtin_sqrt(visits) / count;
}

/* What a selection at a node knows before it looks at the children; visits: of the node, without the present one. */
static inline void prepare(struct choice *choice, uint32_t index, uint32_t visits) {
    const struct mcts_options *options = choice->options;
    const struct mcts *mcts = choice->worker->mcts;
    choice->c = search_exploration(options->c, options->c_base, visits);
    choice->shared.log_parent = visits > 1 && options->rule != MCTS_PUCT ? mcts_log(mcts, visits) : 0;
    choice->shared.explore = exploration(choice, visits);
    choice->inherited = __builtin_inf();
    if (options->unvisited == MCTS_UNVISITED_INHERIT)
        choice->inherited = atomic_load_explicit(&mcts_more(choice->tree, index)->first_result, memory_order_relaxed);
    if (choice->inherited == __builtin_inf() && (choice->tree->shared || options->unvisited == MCTS_UNVISITED_INHERIT))
        choice->inherited = mean_at(mcts, index);
    if (options->normalise)
        choice->scaling = find_scaling(choice);
}

uint32_t mcts_select(struct mcts_worker *worker, uint32_t index) {
    const struct mcts_options *options = worker->mcts->options;
    const struct mcts_tree *tree = &worker->mcts->tree;
    struct choice choice = {.worker = worker, .options = options, .tree = tree, .parent = mcts_at(tree, index)};
    /* The current visit is not yet a visit of any child. */
    uint32_t visits = atomic_load_explicit(&choice.parent->visits, memory_order_relaxed) - 1;
    bool plain = worker->mcts->plain;
    choice.chosen = POOL_NONE;
    struct mcts_copy *copy = worker->copies ? mcts_copy_get(worker, index) : NULL;
    if (copy)
        return mcts_copy_select(worker, copy);
    uint32_t first = mcts_first(choice.parent);
    if (first == POOL_NONE)
        return POOL_NONE;
    if (mcts_at(tree, first)->next == POOL_NONE)
        return mcts_is_closed(mcts_at(tree, first)) ? POOL_NONE : first;
    prepare(&choice, index, visits);
    switch ((enum mcts_rule_kind)options->rule) {
    case MCTS_UCT: plain ? consider_all(&choice, MCTS_UCT, true) : consider_all(&choice, MCTS_UCT, false); break;
    case MCTS_UCB1_TUNED: consider_all(&choice, MCTS_UCB1_TUNED, false); break;
    case MCTS_SP: plain ? consider_all(&choice, MCTS_SP, true) : consider_all(&choice, MCTS_SP, false); break;
    case MCTS_PUCT: consider_all(&choice, MCTS_PUCT, false); break;
    }
    return choice.chosen;
}

/* ---- what the tree shows ---- */

static soloist_branch describe(const struct choice *choice, const struct mcts_node *node, uint32_t index) {
    const struct mcts *mcts = choice->worker->mcts;
    uint32_t visits = atomic_load_explicit(&node->visits, memory_order_relaxed);
    soloist_branch branch = {.move = node->move, .visits = visits, .closed = mcts_is_closed(node)};
    branch.has_value = visits > atomic_load_explicit(&node->waiting, memory_order_relaxed);
    branch.value = mean_at(mcts, index);
    branch.has_bound = branch.has_value && node != choice->parent && !branch.closed;
    if (branch.has_bound)
        branch.bound = value_of(choice, index, node, visits, choice->options->rule, mcts->plain);
    return branch;
}

/* The child with the most visits, or POOL_NONE. */
static uint32_t most_visited(const struct mcts_tree *tree, uint32_t index) {
    uint32_t best = POOL_NONE, most = 0;
    for (uint32_t i = mcts_first(mcts_at(tree, index)); i != POOL_NONE; i = mcts_at(tree, i)->next) {
        uint32_t visits = atomic_load_explicit(&mcts_at(tree, i)->visits, memory_order_relaxed);
        if (visits > most)
            best = i, most = visits;
    }
    return best;
}

/* Goes down the asked path as far as it is in the tree. */
static uint32_t follow(const struct mcts_tree *tree, struct search_picture *picture) {
    uint32_t index = tree->root;
    for (size_t i = 0; i < picture->path_count; i++) {
        uint32_t child = mcts_first(mcts_at(tree, index));
        while (child != POOL_NONE && mcts_at(tree, child)->move != picture->path[i])
            child = mcts_at(tree, child)->next;
        if (child == POOL_NONE)
            break;
        picture_add_move(picture, picture->path[i]);
        picture->shown.path_count++;
        index = child;
    }
    return index;
}

void mcts_paint(const void *subject, struct search_picture *picture) {
    enum { deepest = 1000 };
    const struct mcts_worker *worker = subject;
    const struct mcts *mcts = worker->mcts;
    const struct mcts_tree *tree = &mcts->tree;
    picture_kind(picture, SOLOIST_PICTURE_TREE);
    picture_begin_line(picture, mcts->game.moves, mcts->game.count);
    uint32_t index = follow(tree, picture);
    struct choice choice = {.worker = (struct mcts_worker *)(uintptr_t)worker, .options = mcts->options, .tree = tree};
    choice.parent = mcts_at(tree, index);
    prepare(&choice, index, atomic_load_explicit(&choice.parent->visits, memory_order_relaxed));
    picture->shown.node = describe(&choice, choice.parent, index);
    for (uint32_t i = mcts_first(choice.parent); i != POOL_NONE; i = mcts_at(tree, i)->next) {
        soloist_branch branch = describe(&choice, mcts_at(tree, i), i);
        picture_branch(picture, &branch);
    }
    picture_end_branches(picture, mcts->run);
    for (int depth = 0; depth < deepest && (index = most_visited(tree, index)) != POOL_NONE; depth++)
        picture_add_move(picture, mcts_at(tree, index)->move);
    picture_depth(picture, (int64_t)picture->move_count);
    picture_line(picture, mcts->run, picture->moves, picture->move_count);
}

static double final_value(struct mcts_worker *worker, uint32_t index) {
    const struct mcts *mcts = worker->mcts;
    const struct mcts_node *node = mcts_at(&mcts->tree, index);
    double visits = atomic_load(&node->visits), mean = mean_of(mcts, node, 0);
    switch ((enum mcts_final)mcts->options->final) {
    case MCTS_FINAL_MAX: return mean;
    case MCTS_FINAL_SECURE: return mean - mcts->options->c / __builtin_sqrt(visits);
    default: return visits;
    }
}

/* Whether child a is preferred to child b at the end. With max-robust, the higher mean decides between equal visits. */
static bool is_more_final(struct mcts_worker *worker, uint32_t a, uint32_t b) {
    double first = final_value(worker, a), second = final_value(worker, b);
    const struct mcts *mcts = worker->mcts;
    if (mcts->options->final != MCTS_FINAL_MAX_ROBUST || first != second)
        return first > second;
    return mean_of(mcts, mcts_at(&mcts->tree, a), 0) > mean_of(mcts, mcts_at(&mcts->tree, b), 0);
}

uint32_t mcts_final(struct mcts_worker *worker) {
    const struct mcts_tree *tree = &worker->mcts->tree;
    uint32_t best = POOL_NONE;
    for (uint32_t i = mcts_first(mcts_at(tree, tree->root)); i != POOL_NONE; i = mcts_at(tree, i)->next)
        if (!mcts_is_closed(mcts_at(tree, i)) && atomic_load(&mcts_at(tree, i)->visits) &&
            (best == POOL_NONE || is_more_final(worker, i, best)))
            best = i;
    return best;
}
