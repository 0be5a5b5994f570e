/* NBS (Chen, Holte, Zilles and Sturtevant 2017): a solution through a pair of open states (u, v) costs at least
 * max(f(u), f(v), g(u) + g(v) + epsilon). The pair of least bound is expanded first. Chen and others prove that NBS
 * expands at most twice the minimum number of states from which optimality can be proved with these bounds. An open
 * state is first waiting, in a queue ordered by f; when its f is at most the bound reached so far, it becomes ready, in
 * a queue ordered by g. */
#include "search/bidirectional/bidirectional.h"

#define NBS_OPTIONS(T, INT, REAL, BOOL, CHOICE)                                                                        \
    BIDIRECTIONAL_OPTIONS(T, INT, REAL, BOOL, CHOICE)                                                                  \
    INT(T, epsilon, -1, -1, 1 << 20,                                                                                   \
        "lower bound on the cost of every move; a higher value helps to prove optimality sooner, but if a move costs " \
        "less, a proof may be wrong; -1: the value that the domain gives")
SOLOIST_OPTIONS(nbs_options, NBS_OPTIONS);

struct nbs {
    struct frontier waiting[2], ready[2];
    int64_t least; /* every line not yet found costs at least this */
};

static int64_t f_of(const struct bidirectional *search, const struct bidirectional_node *node) {
    (void)search;
    return bidirectional_f(node);
}

static int64_t g_of(const struct bidirectional *search, const struct bidirectional_node *node) {
    (void)search;
    return node->cost;
}

static bool nbs_enter(struct bidirectional *search, int side, uint32_t index) {
    struct nbs *nbs = search->own;
    return bidirectional_push(search, side, index, &nbs->waiting[side], f_of);
}

static bool make_ready(struct bidirectional *search, int side, uint32_t index) {
    struct nbs *nbs = search->own;
    frontier_drop(&nbs->waiting[side]);
    return bidirectional_push(search, side, index, &nbs->ready[side], g_of);
}

/* The heads of the four queues; NULL if a queue is empty. */
struct heads {
    const struct frontier_entry *waiting[2], *ready[2];
};

static struct heads find_heads(struct bidirectional *search) {
    struct nbs *nbs = search->own;
    struct heads heads;
    for (int side = 0; side < 2; side++) {
        heads.waiting[side] = bidirectional_head(search, side, &nbs->waiting[side], f_of);
        heads.ready[side] = bidirectional_head(search, side, &nbs->ready[side], g_of);
    }
    return heads;
}

/* The least of g(u) + g(v) + epsilon over pairs that are ready. */
static int64_t least_ready(const struct bidirectional *search, const struct heads *heads) {
    if (!heads->ready[FORWARDS] || !heads->ready[BACKWARDS])
        return INT64_MAX;
    return (int64_t)(heads->ready[FORWARDS]->major + heads->ready[BACKWARDS]->major) + search->epsilon;
}

/* On each side, moves one state whose f is at most the bound from waiting to ready. *moved: a state was moved. False:
 * memory is full. */
static bool admit(struct bidirectional *search, const struct heads *heads, bool *moved) {
    const struct nbs *nbs = search->own;
    *moved = false;
    for (int side = 0; side < 2; side++) {
        const struct frontier_entry *head = heads->waiting[side];
        if (!head || (int64_t)head->major > nbs->least)
            continue;
        *moved = true;
        if (!make_ready(search, side, head->item))
            return false;
    }
    return true;
}

/* Raises the bound to the least value of any pair. Both sides have open states; in each pair, either both states are
 * ready or at least one is waiting. */
static void raise_least(struct bidirectional *search, const struct heads *heads) {
    struct nbs *nbs = search->own;
    nbs->least = least_ready(search, heads);
    for (int side = 0; side < 2; side++)
        if (heads->waiting[side] && (int64_t)heads->waiting[side]->major < nbs->least)
            nbs->least = (int64_t)heads->waiting[side]->major;
}

/* Finds a pair whose value is at most the bound. If there is none, raises the bound, up to the best line's cost. False:
 * memory is full. */
static bool find_pair(struct bidirectional *search, uint32_t pair[2]) {
    struct nbs *nbs = search->own;
    while (nbs->least < search->upper) {
        struct heads heads = find_heads(search);
        if (least_ready(search, &heads) <= nbs->least) {
            for (int side = 0; side < 2; side++)
                pair[side] = heads.ready[side]->item;
            return true;
        }
        bool moved;
        if (!admit(search, &heads, &moved))
            return false;
        if (!moved)
            raise_least(search, &heads);
    }
    return true;
}

static enum bidirectional_next nbs_step(struct bidirectional *search) {
    struct nbs *nbs = search->own;
    uint32_t pair[2];
    if (!find_pair(search, pair))
        return BIDIRECTIONAL_FULL;
    if (nbs->least >= search->upper)
        return BIDIRECTIONAL_PROVED;
    bidirectional_note(search, nbs->least);
    enum bidirectional_next next = bidirectional_expand(search, FORWARDS, pair[FORWARDS]);
    if (next != BIDIRECTIONAL_GO_ON || search->upper <= nbs->least || search_spent(search->run))
        return next;
    return bidirectional_expand(search, BACKWARDS, pair[BACKWARDS]);
}

static const struct bidirectional_rules rules = {.enter = nbs_enter, .step = nbs_step};

static soloist_code nbs_run(struct search_run *run) {
    const struct nbs_options *options = run->options;
    struct nbs nbs = {.least = 0};
    for (int side = 0; side < 2; side++) {
        frontier_open(&nbs.waiting[side], &run->budget->memory);
        frontier_open(&nbs.ready[side], &run->budget->memory);
    }
    soloist_code code = bidirectional_run(run, &rules, &nbs, (int32_t)options->epsilon);
    for (int side = 0; side < 2; side++) {
        frontier_close(&nbs.waiting[side]);
        frontier_close(&nbs.ready[side]);
    }
    return code;
}

const struct search_method search_nbs = {
    .name = "nbs",
    .summary = "NBS: bidirectional A* that expands states in pairs; proves optimality with at most twice as many "
               "expansions as are necessary",
    .options = nbs_options_rows,
    .options_size = sizeof(struct nbs_options),
    .needs = BIDIRECTIONAL_NEEDS,
    .suits = bidirectional_suits,
    .network = bidirectional_network,
    .ignores = bidirectional_ignores,
    .run = nbs_run,
    .proves = bidirectional_proves,
};
