/* All moves as first (S8; Helmbold and Parker-Wood 2009): each child has a second pair of statistics. They count every
 * iteration that passed the child's parent and later played the child's move at any time, in the tree or in the
 * play-out. */
#include "search/mcts/mcts.h"

#include "base/hash.h"

/* The key of a move. The set of moves that were played below a node is stored as keys in the worker's table `seen`. */
static uint64_t key_of(soloist_move move) { return hash_mix(move + 1); }

void mcts_back_up_rave(struct mcts_worker *worker, double result) {
    struct mcts *mcts = worker->mcts;
    struct mcts_tree *tree = &mcts->tree;
    int64_t units = mcts_units(mcts, result);
    mcts_seen_clear(worker);
    for (int i = worker->line_length; i >= worker->depth; i--)
        mcts_seen_add(worker, key_of(worker->line[i - 1]));
    for (int depth = worker->depth - 1; depth >= 0; depth--) {
        int sign = mcts->two_players && depth + 1 < worker->depth ? worker->sign[depth + 1] : 1;
        uint32_t child = mcts_first(mcts_at(tree, worker->path[depth]));
        for (; child != POOL_NONE; child = mcts_at(tree, child)->next)
            if (mcts_seen_has(worker, key_of(mcts_at(tree, child)->move))) {
                MCTS_ADD(tree, &mcts_rave(tree, child)->visits, 1);
                MCTS_ADD(tree, &mcts_rave(tree, child)->sum, sign * units);
            }
        if (depth)
            mcts_seen_add(worker, key_of(worker->line[depth - 1]));
    }
}
