/* The order in which a node's edges are examined: first the visited edges, in the order in which the core lists moves,
 * then the unvisited edges, the highest prior first. The next edge to get its first visit is always the first unvisited
 * one, so the order stays valid. */
#include "search/policy/policy.h"

/* Whether edge a comes before edge b. */
static bool comes_before(const struct policy_edge *edges, uint16_t a, uint16_t b) {
    bool visited = edges[a].visits > 0;
    if (visited != (edges[b].visits > 0))
        return visited;
    if (!visited && edges[a].prior != edges[b].prior)
        return edges[a].prior > edges[b].prior;
    return a < b;
}

/* Insertion sort, because a node has only some dozens of edges and is sorted once. */
void policy_order(struct policy_tree *tree, uint32_t index) {
    struct policy_node *node = policy_node_at(tree, index);
    struct policy_edge *edges = policy_block(tree, index) + 1;
    for (uint32_t i = 0; i < node->count; i++) {
        uint32_t place = i;
        for (; place && comes_before(edges, (uint16_t)i, edges[place - 1].ranked); place--)
            edges[place].ranked = edges[place - 1].ranked;
        edges[place].ranked = (uint16_t)i;
    }
    policy_change(tree, index, 0);
    node->ordered = true;
    node->even = false;
}
