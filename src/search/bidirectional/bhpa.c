/* BHPA, the bidirectional heuristic path algorithm (Pohl 1971): searches from the root, from the goals, or alternately
 * from both, by f = g + w h on each side, until the sides meet. It looks for any solution, not for the cheapest: it
 * ends when the sides first meet, and does not open an expanded state again when a cheaper path to it is found. */
#include "search/bidirectional/bidirectional.h"

/* Measured on Microban's 155 levels: alternating between the sides leaves one level unsolved and needs 0.45 s in all,
 * both with w = 5 and with w = 20; expanding on the side with fewer open states needs 0.65 s; expanding on the side
 * with the lower f leaves three unsolved. On harder sets w = 20 solves a few more levels than w = 5, and w = 2 solves
 * fewer. */
#define BHPA_OPTIONS(T, INT, REAL, BOOL, CHOICE)                                                                       \
    BIDIRECTIONAL_OPTIONS(T, INT, REAL, BOOL, CHOICE)                                                                  \
    REAL(T, weight, 20, 0, 100, "factor w in f = g + w h, where g is the cost so far and h the bound")                 \
    CHOICE(T, from, 0, "both|root|goal", "where the search begins: at the root, at the goals or at both")              \
    INT(T, lean, 1, 1, 1000,                                                                                           \
        "with from=both: number of states expanded from the goals for each state expanded from the root")
SOLOIST_OPTIONS(bhpa_options, BHPA_OPTIONS);

enum { FROM_BOTH, FROM_ROOT, FROM_GOAL };

struct bhpa {
    int from;
    struct frontier open[2];
    int64_t weight; /* w in thousandths: integers give the same sums on every machine */
    /* For from=both: `turn` counts 0 .. lean and begins again; at 0 a state is expanded forwards, otherwise
     * backwards. */
    int lean, turn;
};

static int64_t priority_of(const struct bidirectional *search, const struct bidirectional_node *node) {
    const struct bhpa *bhpa = search->own;
    return node->cost + bhpa->weight * node->bound / 1000;
}

static bool bhpa_enter(struct bidirectional *search, int side, uint32_t index) {
    struct bhpa *bhpa = search->own;
    return bidirectional_push(search, side, index, &bhpa->open[side], priority_of);
}

static enum bidirectional_next bhpa_step(struct bidirectional *search) {
    struct bhpa *bhpa = search->own;
    int side = bhpa->turn ? BACKWARDS : FORWARDS;
    if (search->run->found)
        return BIDIRECTIONAL_ENOUGH;
    const struct frontier_entry *head = bidirectional_head(search, side, &bhpa->open[side], priority_of);
    uint32_t index = head->item;
    frontier_drop(&bhpa->open[side]);
    if (bhpa->from == FROM_BOTH)
        bhpa->turn = bhpa->turn < bhpa->lean ? bhpa->turn + 1 : 0;
    return bidirectional_expand(search, side, index);
}

static const struct bidirectional_rules rules = {.never_reopens = true, .enter = bhpa_enter, .step = bhpa_step};

static soloist_code bhpa_run(struct search_run *run) {
    const struct bhpa_options *options = run->options;
    struct bhpa bhpa = {.from = options->from,
                        .weight = (int64_t)(options->weight * 1000 + 0.5),
                        .lean = (int)options->lean,
                        .turn = options->from == FROM_GOAL};
    for (int side = 0; side < 2; side++)
        frontier_open(&bhpa.open[side], &run->budget->memory);
    soloist_code code = bidirectional_run(run, &rules, &bhpa, -1);
    for (int side = 0; side < 2; side++)
        frontier_close(&bhpa.open[side]);
    return code;
}

const struct search_method search_bhpa = {
    .name = "bhpa",
    .summary = "BHPA: weighted A* from the root, the goals or both ends; finds some solution quickly",
    .options = bhpa_options_rows,
    .options_size = sizeof(struct bhpa_options),
    .needs = BIDIRECTIONAL_NEEDS,
    .suits = bidirectional_suits,
    .network = bidirectional_network,
    .ignores = bidirectional_ignores,
    .run = bhpa_run,
};
