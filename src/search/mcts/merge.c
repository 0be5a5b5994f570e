/* Root parallelisation with merged trees (Chaslot and others 2008, as in Seify 2020, section 3.3.2): before each move
 * is played, the statistics of each root move are added up over all trees. Deeper statistics are not added up, because
 * only those of the root moves decide which move is played; each tree keeps its own. */
#include "search/mcts/mcts.h"

struct root_move {
    soloist_move move;
    uint64_t visits;
    int64_t sum;
};

/* Adds the visits and results of one tree's root moves to the list; returns its new length. */
static int add_tree(const struct mcts_tree *tree, struct root_move *list, int count) {
    for (uint32_t i = mcts_first(mcts_at(tree, tree->root)); i != POOL_NONE; i = mcts_at(tree, i)->next) {
        const struct mcts_node *child = mcts_at(tree, i);
        uint32_t visits = atomic_load(&child->visits);
        int at = 0;
        if (!visits || mcts_is_closed(child))
            continue;
        while (at < count && list[at].move != child->move)
            at++;
        if (at == count)
            list[count++] = (struct root_move){.move = child->move};
        list[at].visits += visits;
        list[at].sum += atomic_load(&child->sum);
    }
    return count;
}

static double mean_of(const struct root_move *move) { return (double)move->sum / (double)move->visits; }

static double final_value(const struct mcts *mcts, const struct root_move *move) {
    switch ((enum mcts_final)mcts->options->final) {
    case MCTS_FINAL_MAX: return mean_of(move);
    case MCTS_FINAL_SECURE: return mean_of(move) * mcts->unit - mcts->options->c / __builtin_sqrt((double)move->visits);
    default: return (double)move->visits;
    }
}

static bool is_better(const struct mcts *mcts, const struct root_move *a, const struct root_move *b) {
    double first = final_value(mcts, a), second = final_value(mcts, b);
    if (mcts->options->final != MCTS_FINAL_MAX_ROBUST || first != second)
        return first > second;
    return mean_of(a) > mean_of(b);
}

soloist_move mcts_merged_final(struct mcts *const *trees, int count) {
    struct memory *memory = &trees[0]->run->budget->memory;
    size_t size = ((size_t)trees[0]->run->shape.most_moves + 1) * sizeof(struct root_move);
    struct root_move *list = memory_take(memory, size);
    int moves = 0, best = 0;
    if (!list)
        return SOLOIST_NO_MOVE;
    for (int i = 0; i < count; i++)
        moves = add_tree(&trees[i]->tree, list, moves);
    for (int i = 1; i < moves; i++)
        if (is_better(trees[0], &list[i], &list[best]))
            best = i;
    soloist_move move = moves ? list[best].move : SOLOIST_NO_MOVE;
    memory_give(memory, list, size);
    return move;
}
