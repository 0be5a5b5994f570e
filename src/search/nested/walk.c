/* Walks (games in progress with a list of choices). If the domain has walks of its own, they are used; otherwise walks
 * are made from the domain's core, which lists all moves anew after each move. */
#include "search/nested/nested.h"

#include "base/hash.h"

#include <string.h>

/* A walk that is made from the core consists of the choices, then this struct, then the state. */
struct core_walk {
    int32_t steps;
    soloist_move last;
};

static size_t choices_size(const struct nested *nested) {
    return memory_round_up((size_t)nested->run->shape.most_moves * sizeof(soloist_choice));
}

static struct core_walk *core_walk(const struct nested *nested, const void *walk) {
    return (struct core_walk *)((unsigned char *)(uintptr_t)walk + choices_size(nested));
}

static void *core_state(const struct nested *nested, const void *walk) {
    return (unsigned char *)core_walk(nested, walk) + memory_round_up(sizeof(struct core_walk));
}

size_t nested_walk_size(const struct nested *nested) {
    if (nested->walk)
        return nested->walk->walk_size(nested->run->instance);
    return choices_size(nested) + memory_round_up(sizeof(struct core_walk)) +
           memory_round_up(nested->run->shape.state_size);
}

static uint64_t code_of(const struct nested *nested, const void *walk, soloist_move move) {
    const struct search_run *run = nested->run;
    uint64_t code = hash_mix(move + UINT64_C(0x9e3779b97f4a7c15));
    if (nested->options->codes == NESTED_CODES_STATE || nested->options->codes == NESTED_CODES_AUTO)
        return hash_mix(code ^ run->domain->core->key(run->instance, core_state(nested, walk)));
    if (nested->options->codes == NESTED_CODES_STEP)
        return hash_mix(code + (uint64_t)core_walk(nested, walk)->steps);
    return code;
}

/* Lists the choices: in a least-cost domain, the children that the domain does not prune, and none at a goal; in a
 * domain for the highest score, every move. */
static int list(struct nested_worker *worker, void *walk) {
    const struct nested *nested = worker->nested;
    const struct search_run *run = nested->run;
    void *state = core_state(nested, walk);
    soloist_choice *choices = walk;
    int32_t last = 0;
    if (run->domain->core->ended(run->instance, state, &last))
        return 0;
    unsigned want = nested->goal && run->domain->bound ? SOLOIST_WANT_BOUND : 0;
    int count = search_expand(run, run->domain->core, state, core_walk(nested, walk)->last, want | SOLOIST_WANT_KEY,
                              worker->children);
    int32_t most = 0;
    for (int i = 0; i < count; i++)
        most = worker->children[i].bound > most ? worker->children[i].bound : most;
    for (int i = 0; i < count; i++) {
        const soloist_child *child = &worker->children[i];
        int32_t prior = want ? most - child->bound : 0;
        choices[i] = (soloist_choice){.code = code_of(nested, walk, child->move),
                                      .move = child->move,
                                      .gain = child->step,
                                      .prior = prior < NESTED_MOST_PRIOR ? prior : NESTED_MOST_PRIOR - 1};
    }
    return count;
}

int nested_walk_open(struct nested_worker *worker, void *walk, int rule) {
    const struct nested *nested = worker->nested;
    const struct search_run *run = nested->run;
    if (nested->walk) {
        run->domain->life->root(run->instance, worker->state);
        return nested->walk->open(run->instance, walk, worker->state, rule, 0);
    }
    run->domain->life->root(run->instance, core_state(nested, walk));
    *core_walk(nested, walk) = (struct core_walk){0, SOLOIST_NO_MOVE};
    return list(worker, walk);
}

void nested_walk_copy(const struct nested *nested, void *to, const void *from) {
    if (nested->walk)
        nested->walk->copy(nested->run->instance, to, from);
    else
        memcpy(to, from, nested_walk_size(nested));
}

int nested_walk_play(struct nested_worker *worker, void *walk, int chosen) {
    const struct nested *nested = worker->nested;
    const struct search_run *run = nested->run;
    if (nested->walk)
        return nested->walk->play(run->instance, walk, chosen);
    soloist_move move = ((soloist_choice *)walk)[chosen].move;
    run->domain->core->apply(run->instance, core_state(nested, walk), move, NULL);
    core_walk(nested, walk)->steps++;
    core_walk(nested, walk)->last = move;
    return list(worker, walk);
}

bool nested_walk_ended(const struct nested *nested, const void *walk, int32_t *last) {
    const struct search_run *run = nested->run;
    if (nested->walk)
        return nested->walk->ended(run->instance, walk, last);
    return run->domain->core->ended(run->instance, core_state(nested, walk), last);
}

/* In a domain for the highest score this is the line's score. In a least-cost domain, a solution is better than any
 * unfinished line, and a cheaper solution is better than a dearer one; unfinished lines are compared by the bound of
 * their last state. */
int64_t nested_walk_score(const struct nested *nested, const void *walk, bool ended, int32_t value) {
    const struct search_run *run = nested->run;
    if (!nested->goal)
        return value == SOLOIST_DEAD ? INT32_MIN : value;
    if (ended)
        return ((int64_t)1 << 40) - value;
    if (!run->domain->bound || nested->walk)
        return -1;
    return -(int64_t)search_bound(run, run->domain->bound, core_state(nested, walk));
}
