/* Bounds from a network. The network estimates h(s), the cost from a state s to the goal. The search from the root uses
 * h(s) as its bound. If h were exact, a path from the root to s would cost at least h(root) - h(s); the search from the
 * goals uses this difference as its bound. The network is asked about all new children of an expanded state in one
 * call. Estimates may be too high, so no solution is proved optimal; only the absence of solutions can be proved. */
#include "search/bidirectional/bidirectional.h"

#include "search/guided/questions.h"

#include <string.h>

struct bidirectional_learned {
    struct questions questions;
    int32_t *to_goal; /* [child]: h */
    int32_t root;     /* h(root) */
};

static size_t list_size(const struct bidirectional *search) {
    return (size_t)search->run->shape.most_moves * sizeof(int32_t);
}

bool bidirectional_is_learned(const void *options) {
    return ((const struct bidirectional_options *)options)->bound == BIDIRECTIONAL_BOUND_NETWORK;
}

static int32_t rounded(const struct bidirectional *search, float value) {
    double cost = guided_cost_to_go(search->run->evaluator, (double)value) + 0.5;
    return cost < SOLOIST_DEAD / 4 ? (int32_t)cost : SOLOIST_DEAD / 4;
}

/* Asks about the root, and stores the estimate. */
static bool ask_about_root(struct bidirectional *search) {
    struct questions *questions = &search->learned->questions;
    search->run->domain->life->root(search->run->instance, search->child);
    questions_add(questions, search->child, 0);
    if (!questions_ask(questions))
        return false;
    search->learned->root = rounded(search, questions->evaluations[0].value);
    questions_clear(questions);
    return true;
}

enum bidirectional_next bidirectional_learned_open(struct bidirectional *search) {
    struct search_run *run = search->run;
    struct memory *memory = &run->budget->memory;
    struct bidirectional_learned *learned = search->learned = memory_take(memory, sizeof *learned);
    if (!learned)
        return BIDIRECTIONAL_FULL;
    *learned = (struct bidirectional_learned){.to_goal = memory_take(memory, list_size(search))};
    if (!questions_open(&learned->questions, run, questions_room(run, run->shape.most_moves), false) ||
        !learned->to_goal)
        return BIDIRECTIONAL_FULL;
    return ask_about_root(search) ? BIDIRECTIONAL_GO_ON : BIDIRECTIONAL_FAILED;
}

void bidirectional_learned_close(struct bidirectional *search) {
    struct bidirectional_learned *learned = search->learned;
    struct memory *memory = &search->run->budget->memory;
    if (!learned)
        return;
    questions_close(&learned->questions);
    memory_give(memory, learned->to_goal, list_size(search));
    memory_give(memory, learned, sizeof *learned);
}

/* ---- bounds ---- */

int32_t bidirectional_learned_bound(const struct bidirectional *search, int side, int32_t to_goal) {
    int32_t root = search->learned->root;
    return side == FORWARDS ? to_goal : root > to_goal ? root - to_goal : 0;
}

int32_t bidirectional_learned_of(const struct bidirectional *search, int child) {
    return search->learned->to_goal[child];
}

static bool ask(struct bidirectional *search) {
    struct bidirectional_learned *learned = search->learned;
    struct questions *questions = &learned->questions;
    if (!questions_ask(questions))
        return false;
    for (int i = 0; i < questions->count; i++)
        learned->to_goal[questions->of[i]] = rounded(search, questions->evaluations[i].value);
    questions_clear(questions);
    return true;
}

bool bidirectional_learned_ask(struct bidirectional *search, int s, int count) {
    struct search_run *run = search->run;
    struct bidirectional_side *side = &search->side[s];
    int32_t last;
    for (int i = 0; i < count; i++) {
        memcpy(search->child, search->state, run->shape.state_size);
        side->core->apply(run->instance, search->child, search->children[i].move, NULL);
        search_pack(run, search->child, search->packed);
        search->learned->to_goal[i] = 0;
        if (run->domain->core->ended(run->instance, search->child, &last) ||
            table_find(&side->table, search->children[i].key, search->packed) != POOL_NONE)
            continue; /* nothing is to go, or the state's bounds are stored */
        questions_add(&search->learned->questions, search->child, (uint32_t)i);
        if (questions_are_full(&search->learned->questions) && !ask(search))
            return false;
    }
    return ask(search);
}

/* ---- what methods say about themselves ---- */

bool bidirectional_proves(const void *options) { return !bidirectional_is_learned(options); }

unsigned bidirectional_ignores(const void *options) {
    unsigned used = bidirectional_is_learned(options) ? (unsigned)SEARCH_IGNORES_NETWORK : 0;
    return search_ignores_all(options) & ~used;
}

enum search_network bidirectional_network(const void *options) {
    return bidirectional_is_learned(options) ? SEARCH_NETWORK_WITH_VALUES : SEARCH_NETWORK_NONE;
}
