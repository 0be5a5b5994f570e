/* The methods that a network guides: the same search with different values of its options. */
#include "search/policy/policy.h"

enum { needs = SEARCH_NEEDS_ONE_PLAYER | SEARCH_NEEDS_LEARN | SEARCH_NEEDS_LIMIT | SEARCH_NEEDS_NETWORK };

static enum search_network network(const void *options) {
    return policy_is_valued(options) ? SEARCH_NETWORK_WITH_VALUES : SEARCH_NETWORK_ANY;
}

const struct search_method search_policy_mcts = {
    .name = "policy-mcts",
    .summary = "Monte-Carlo tree search guided by a network's priors; leaves are played out",
    .options = policy_options_rows,
    .options_size = sizeof(struct policy_options),
    /* The network is expensive compared with play-outs of two microseconds. Therefore, before each move, it is asked
     * only about the root, which is the only node with 1000 visits. On 64 random boards of 15x15, 0.7 s each, this was
     * among the best of some 20 settings with a small network (8 convolutions of 16 channels); docs/MEASURED.md
     * compares it with plain mcts. Seify 2020 used rollout=random,c=2,per_move=0,keep=false,ask_visits=0,parallel=tree.
     */
    .preset = "rollout=best,c=0.1,per_move=750,keep=false,ask_visits=1000,parallel=root",
    .goal_preset = "rollout=random,c=1,per_move=256,keep=true,final=robust",
    .needs = needs,
    .network = network,
    .suits = policy_suits,
    .run = policy_run,
};

const struct search_method search_pv_mcts = {
    .name = "pv-mcts",
    .summary = "Monte-Carlo tree search guided by a network's priors; leaves are valued by the network",
    .options = policy_options_rows,
    .options_size = sizeof(struct policy_options),
    .preset = "rollout=none,lines=true,keep=true,final=max",
    .goal_preset = "rollout=none,c=1,per_move=256,keep=true,final=robust",
    .needs = needs,
    .network = network,
    .suits = policy_suits,
    .run = policy_run,
};
