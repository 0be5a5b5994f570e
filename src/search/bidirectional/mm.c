/* MM (Holte, Felner, Sharon and Sturtevant 2016; S3): expands the state of least max(g + h, 2 g + epsilon) of both
 * sides, so that neither side searches past the middle. Ties go to the side with fewer open states: of the rules tried,
 * this one had the fewest expansions on pancakes. */
#include "search/bidirectional/bidirectional.h"

#define MM_OPTIONS(T, INT, REAL, BOOL, CHOICE)                                                                         \
    BIDIRECTIONAL_OPTIONS(T, INT, REAL, BOOL, CHOICE)                                                                  \
    INT(T, epsilon, -1, -1, 1 << 20,                                                                                   \
        "lower bound on the cost of every move; a higher value helps to prove optimality sooner, but if a move costs " \
        "less, a proof may be wrong; -1: the value that the domain gives")
SOLOIST_OPTIONS(mm_options, MM_OPTIONS);

struct mm {
    struct frontier open[2];
};

static int64_t priority_of(const struct bidirectional *search, const struct bidirectional_node *node) {
    int64_t f = bidirectional_f(node), middle = 2 * (int64_t)node->cost + search->epsilon;
    return f > middle ? f : middle;
}

static bool mm_enter(struct bidirectional *search, int side, uint32_t index) {
    struct mm *mm = search->own;
    return bidirectional_push(search, side, index, &mm->open[side], priority_of);
}

static int choose_side(const struct bidirectional *search, uint64_t forwards, uint64_t backwards) {
    if (forwards != backwards)
        return forwards < backwards ? FORWARDS : BACKWARDS;
    return search->side[FORWARDS].open <= search->side[BACKWARDS].open ? FORWARDS : BACKWARDS;
}

static enum bidirectional_next mm_step(struct bidirectional *search) {
    struct mm *mm = search->own;
    const struct frontier_entry *heads[2];
    for (int side = 0; side < 2; side++)
        heads[side] = bidirectional_head(search, side, &mm->open[side], priority_of);
    int side = choose_side(search, heads[FORWARDS]->major, heads[BACKWARDS]->major);
    int64_t least = bidirectional_least(search), priority = (int64_t)heads[side]->major;
    least = priority > least ? priority : least;
    if (least >= search->upper)
        return BIDIRECTIONAL_PROVED;
    bidirectional_note(search, least);
    uint32_t index = heads[side]->item;
    frontier_drop(&mm->open[side]);
    return bidirectional_expand(search, side, index);
}

static const struct bidirectional_rules rules = {.closes_for_good = true, .enter = mm_enter, .step = mm_step};

static soloist_code mm_run(struct search_run *run) {
    const struct mm_options *options = run->options;
    struct mm mm;
    for (int side = 0; side < 2; side++)
        frontier_open(&mm.open[side], &run->budget->memory);
    soloist_code code = bidirectional_run(run, &rules, &mm, (int32_t)options->epsilon);
    for (int side = 0; side < 2; side++)
        frontier_close(&mm.open[side]);
    return code;
}

const struct search_method search_mm = {
    .name = "mm",
    .summary = "MM: bidirectional A* that meets in the middle; proves optimality",
    .options = mm_options_rows,
    .options_size = sizeof(struct mm_options),
    .needs = BIDIRECTIONAL_NEEDS,
    .suits = bidirectional_suits,
    .network = bidirectional_network,
    .ignores = bidirectional_ignores,
    .run = mm_run,
    .proves = bidirectional_proves,
};
