/* If many threads pass the same node, all of them write to the same few cache lines. To avoid this, a worker keeps a
 * private copy of the statistics of such a node's children. The worker selects by the copy and counts its own visits
 * and results there. After a few uses it adds these visits and results to the tree and refreshes the copy. A node is
 * copied only if it is fully expanded and has far more visits than other threads can add before the copy is
 * refreshed. */
#ifndef SEARCH_MCTS_NODE_COPIES_H
#define SEARCH_MCTS_NODE_COPIES_H

#include "search/mcts/tree.h"

enum { MCTS_COPIES = 256 };

struct mcts_copy_child {
    uint32_t index;
    /* visits: all known visits; own_visits: the worker's own visits that were not yet added to the tree. */
    uint32_t visits, own_visits;
    int64_t sum, own_sum;
};

struct mcts_copy {
    uint32_t node;      /* the node that is copied; POOL_NONE: none */
    uint32_t uses_left; /* uses before the next refresh */
    uint32_t passed;    /* only if the node is the root: number of its visits that were not yet added to the tree */
    uint32_t count;
    uint64_t visits;    /* sum of the children's visits */
    uint64_t iteration; /* the iteration that used the copy last */
    struct mcts_copy_child *children;
};

#endif
