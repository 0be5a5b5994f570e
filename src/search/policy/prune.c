/* Moves the subtree below a played move to the front of the chunks, so that discarded nodes do not fill the memory.
 * This takes one pass over the blocks in memory order: a node is always stored behind its parent, so the parent's block
 * has already been moved, and blocks only move towards the front. */
#include "search/policy/policy.h"

#include <string.h>

enum { chunk_mask = (1 << POLICY_CHUNK_BITS) - 1, least_room = 8 << POLICY_CHUNK_BITS };

/* After a block was moved: updates the edge that leads to it, and its children's links back to that edge. */
static void relink(struct policy_tree *tree, uint32_t index) {
    struct policy_node *node = policy_node_at(tree, index);
    const struct policy_edge *edges = policy_block(tree, index);
    if (node->from)
        policy_block(tree, node->from)->child = index;
    for (uint32_t i = 1; i <= node->count; i++)
        if (edges[i].child != POLICY_NONE) {
            policy_node_at(tree, edges[i].child)->from = index + i;
            policy_node_at(tree, edges[i].child)->kept = true;
        }
}

/* Removes all nodes except the new root and those below it. */
static void prune(struct policy_tree *tree, uint32_t root) {
    uint32_t end = tree->used, at = root;
    policy_node_at(tree, root)->kept = true;
    policy_node_at(tree, root)->from = POLICY_NONE;
    tree->used = 0;
    tree->root = POLICY_NONE;
    while (at < end) {
        struct policy_node *node = policy_node_at(tree, at);
        if (node->count == POLICY_GAP) {
            at = (at | chunk_mask) + 1;
            continue;
        }
        uint32_t size = node->count + tree->beside;
        if (node->kept) {
            node->kept = false;
            uint32_t to = policy_tree_take(tree, size);
            memmove(policy_block(tree, to), policy_block(tree, at), size * sizeof(struct policy_edge));
            relink(tree, to);
            tree->root = tree->root == POLICY_NONE ? to : tree->root;
        }
        at += size;
    }
}

/* A pass takes about as long as a hundred simulations, so it is postponed until the tree has grown by at least as much
 * as the last pass kept. */
void policy_tree_lower(struct policy_tree *tree, uint32_t root) {
    tree->root = root;
    policy_node_at(tree, root)->from = POLICY_NONE;
    if (tree->used < tree->prune_at)
        return;
    prune(tree, root);
    tree->prune_at = tree->used < UINT32_MAX / 2 - least_room ? 2 * tree->used + least_room : UINT32_MAX;
}
