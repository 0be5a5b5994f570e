/* BAE* (Sadhukhan 2013; also DIBBS, Sewell and Jacobson 2021). Let h' be the bound of the other direction and b = (g +
 * h) + (g - h'). Under consistent bounds, a solution through open states u and v costs at least the mean of b(u) and
 * b(v). The term g - h' may be added because it is the error of the other side's bound. Each side expands the state of
 * least b first. */
#include "search/bidirectional/bidirectional.h"

#define BAE_OPTIONS(T, INT, REAL, BOOL, CHOICE)                                                                        \
    BIDIRECTIONAL_OPTIONS(T, INT, REAL, BOOL, CHOICE)                                                                  \
    CHOICE(T, side, 0, "group|fewer|alternate",                                                                        \
           "which side is expanded next: group: the side with fewer open states of best priority; fewer: the side "    \
           "with fewer open states; alternate: both sides in turn")
SOLOIST_OPTIONS(bae_options, BAE_OPTIONS);

/* Expansions on 150 random stacks of 14 pancakes (bound GAP-1) and on 15 stacks of 12 (GAP-2): 447 and 1847 with
 * `group`, 724 and 3156 with `fewer`, 568 and 3017 with `alternate`. */
enum { SIDE_GROUP, SIDE_FEWER, SIDE_ALTERNATE };

struct bae {
    const struct bae_options *options;
    struct frontier open[2];
    struct tally b[2];
    int last;
};

static int64_t b_of(const struct bidirectional *search, const struct bidirectional_node *node) {
    (void)search;
    return bidirectional_f(node) + bidirectional_d(node);
}

static bool bae_enter(struct bidirectional *search, int side, uint32_t index) {
    struct bae *bae = search->own;
    int64_t b = b_of(search, bidirectional_at(search, side, index));
    return tally_add(&bae->b[side], &search->run->budget->memory, b, 1) &&
           bidirectional_push(search, side, index, &bae->open[side], b_of);
}

static void bae_leave(struct bidirectional *search, int side, uint32_t index) {
    struct bae *bae = search->own;
    tally_remove(&bae->b[side], b_of(search, bidirectional_at(search, side, index)), 1);
}

static int choose_side(const struct bidirectional *search, const struct frontier_entry *const heads[2]) {
    struct bae *bae = search->own;
    uint64_t count[2];
    if (bae->options->side == SIDE_ALTERNATE)
        return bae->last = !bae->last;
    for (int side = 0; side < 2; side++)
        count[side] = bae->options->side == SIDE_FEWER ? search->side[side].open
                                                       : tally_count(&bae->b[side], (int64_t)heads[side]->major);
    return count[FORWARDS] <= count[BACKWARDS] ? FORWARDS : BACKWARDS;
}

static enum bidirectional_next bae_step(struct bidirectional *search) {
    struct bae *bae = search->own;
    const struct frontier_entry *heads[2];
    for (int side = 0; side < 2; side++)
        heads[side] = bidirectional_head(search, side, &bae->open[side], b_of);
    int64_t mean = (int64_t)(heads[FORWARDS]->major + heads[BACKWARDS]->major + 1) / 2;
    int64_t least = bidirectional_least(search);
    least = mean > least ? mean : least;
    if (least >= search->upper)
        return BIDIRECTIONAL_PROVED;
    bidirectional_note(search, least);
    int side = choose_side(search, heads);
    uint32_t index = heads[side]->item;
    frontier_drop(&bae->open[side]);
    return bidirectional_expand(search, side, index);
}

static const struct bidirectional_rules rules = {
    .wants_opposite = true, .closes_for_good = true, .enter = bae_enter, .leave = bae_leave, .step = bae_step};

static soloist_code bae_run(struct search_run *run) {
    struct memory *memory = &run->budget->memory;
    struct bae bae = {.options = run->options, .last = BACKWARDS};
    for (int side = 0; side < 2; side++)
        frontier_open(&bae.open[side], memory);
    soloist_code code = bidirectional_run(run, &rules, &bae, 0);
    for (int side = 0; side < 2; side++) {
        tally_close(&bae.b[side], memory);
        frontier_close(&bae.open[side]);
    }
    return code;
}

const struct search_method search_bae = {
    .name = "bae",
    .summary =
        "BAE*: bidirectional A* in which each side's heuristic error improves the other's bound; proves optimality",
    .options = bae_options_rows,
    .options_size = sizeof(struct bae_options),
    .needs = BIDIRECTIONAL_NEEDS,
    .suits = bidirectional_suits_consistent,
    .network = bidirectional_network,
    .ignores = bidirectional_ignores,
    .run = bae_run,
    .proves = bidirectional_proves,
};
