/* Nodes that many threads pass would have all of them write to the same few lines of memory. A worker keeps a copy of
 * the children's statistics of such a node, chooses by the copy, counts its own visits and results there, and every few
 * to some dozens of passages adds them to the tree and refreshes the copy. Only for nodes that are fully expanded and
 * have far more visits than the copy may miss. */
#ifndef SEARCH_MCTS_NODE_COPIES_H
#define SEARCH_MCTS_NODE_COPIES_H

#include "search/mcts/tree.h"

enum { MCTS_COPIES = 256 };

struct mcts_copy_child {
    uint32_t index;
    uint32_t visits, own_visits; /* known, these included; not yet brought to the tree */
    int64_t sum, own_sum;
};

struct mcts_copy {
    uint32_t node;      /* POOL_NONE: none */
    uint32_t uses_left; /* before it is brought up to date */
    uint32_t passed;    /* visits of the root itself, not yet brought to the tree */
    uint32_t count;
    uint64_t visits;    /* of the children */
    uint64_t iteration; /* that used it last */
    struct mcts_copy_child *children;
};

#endif
