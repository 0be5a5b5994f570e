/* The methods of the nested family: the same search with different values of its options. */
#include "search/nested/nested.h"

static enum search_network network_of(const void *options) {
    const struct nested_options *own = options;
    return own->network_bias > 0 && own->search == NESTED_NRPA ? SEARCH_NETWORK_ANY : SEARCH_NETWORK_NONE;
}

const struct search_method search_nrpa = {
    .name = "nrpa",
    .summary = "nested rollout policy adaptation: play-outs follow a policy that is adapted to the best sequences of "
               "moves found",
    .options = nested_options_rows,
    .options_size = sizeof(struct nested_options),
    .preset = "bias=0.3,playouts=6,n=66,race=true,stages=true",
    .goal_preset = "n=50",
    .needs = SEARCH_NEEDS_ONE_PLAYER | SEARCH_NEEDS_LIMIT,
    .network = network_of,
    .suits = nested_suits,
    .run = nested_run,
    .ranks = true,
};

const struct search_method search_nmcs = {
    .name = "nmcs",
    .summary = "nested Monte-Carlo search: each possible move is tried by a search of the next lower level",
    .options = nested_options_rows,
    .options_size = sizeof(struct nested_options),
    .preset = "search=nmcs,level=2",
    .goal_preset = "search=nmcs,level=2",
    .needs = SEARCH_NEEDS_ONE_PLAYER | SEARCH_NEEDS_LIMIT,
    .network = network_of,
    .suits = nested_suits,
    .run = nested_run,
    .ranks = true,
};

const struct search_method search_nmcts = {
    .name = "nmcts",
    .summary = "nested Monte-Carlo tree search: the play-outs of a tree are tree searches themselves",
    .options = nested_options_rows,
    .options_size = sizeof(struct nested_options),
    .preset = "search=nmcts,level=2,n=300",
    .goal_preset = "search=nmcts,level=2,n=300",
    .needs = SEARCH_NEEDS_ONE_PLAYER | SEARCH_NEEDS_LIMIT,
    .network = network_of,
    .suits = nested_suits,
    .run = nested_run,
    .ranks = true,
};
