/* eps-IDA* (S12): before each move of a play-out, an IDA* search of a few nodes looks for the state of least bound; the
 * play-out plays the first move towards that state. */
#include "search/mcts/mcts.h"

#include <string.h>

struct ida {
    struct mcts_worker *worker;
    int64_t left;       /* nodes that the search may still generate */
    int32_t least, cut; /* least: the least bound seen so far; cut: the least f above the threshold */
    /* Indices in worker->moves: of the first move being searched, and of the first move that leads to `least`. */
    int first, best;
    uint64_t path[MCTS_IDA_DEEPEST]; /* keys of the states on the path */
};

/* Sorts by bound; children with equal bounds keep their order. */
static void sort_by_bound(soloist_child *children, int count) {
    for (int i = 1; i < count; i++) {
        soloist_child child = children[i];
        int at = i;
        for (; at > 0 && children[at - 1].bound > child.bound; at--)
            children[at] = children[at - 1];
        children[at] = child;
    }
}

static bool is_on_path(const struct ida *ida, int depth, uint64_t key) {
    for (int i = 0; i <= depth; i++)
        if (ida->path[i] == key)
            return true;
    return false;
}

/* Searches below a state, like IDA*: children of low bound first, and none that is already on the path. True if a goal
 * was found. The depth is limited by the number of nodes and by
 * MCTS_IDA_DEEPEST. */
static bool look(struct ida *ida, const void *state, int depth, int32_t cost, int32_t threshold, soloist_move last) {
    struct mcts_worker *worker = ida->worker;
    const struct search_run *run = worker->mcts->run;
    unsigned char *child = worker->around_states + (size_t)depth * run->shape.state_size;
    soloist_child *children = worker->around_children + (size_t)depth * (size_t)run->shape.most_moves;
    int count = search_expand(run, run->domain->core, state, last, SOLOIST_WANT_KEY | SOLOIST_WANT_BOUND, children);
    int32_t end;
    sort_by_bound(children, count);
    ida->path[depth] = run->domain->core->key(run->instance, state);
    for (int i = 0; i < count && ida->left > 0 && !search_must_break_off(worker->mcts->run, &worker->looks); i++) {
        int32_t f = cost + children[i].step + children[i].bound;
        ida->left--;
        if (!depth)
            ida->first = i;
        if (f > threshold) {
            ida->cut = f < ida->cut ? f : ida->cut;
            continue;
        }
        if (is_on_path(ida, depth, children[i].key))
            continue;
        if (children[i].bound < ida->least) {
            ida->least = children[i].bound;
            ida->best = ida->first;
        }
        memcpy(child, state, run->shape.state_size);
        run->domain->core->apply(run->instance, child, children[i].move, NULL);
        if (run->domain->core->ended(run->instance, child, &end))
            return true;
        if (depth + 1 < MCTS_IDA_DEEPEST &&
            look(ida, child, depth + 1, cost + children[i].step, threshold, children[i].move))
            return true;
    }
    return false;
}

/* The index in worker->moves of the move that leads to the best state; a random index if no state was looked at. */
int mcts_ida_place(struct mcts_worker *worker, int count) {
    const struct search_run *run = worker->mcts->run;
    struct ida ida = {.worker = worker, .left = worker->mcts->options->ida_nodes, .least = SOLOIST_DEAD, .best = -1};
    soloist_move last = worker->line_length ? worker->line[worker->line_length - 1] : SOLOIST_NO_MOVE;
    int32_t threshold = search_bound(run, run->domain->bound, worker->state);
    while (ida.left > 0 && threshold != SOLOIST_DEAD && !search_must_break_off(worker->mcts->run, &worker->looks)) {
        ida.cut = SOLOIST_DEAD;
        if (look(&ida, worker->state, 0, 0, threshold, last))
            break;
        threshold = ida.cut;
    }
    for (int i = 0; ida.best >= 0 && i < count; i++)
        if (worker->moves[i] == worker->around_children[ida.best].move)
            return i;
    return (int)soloist_rng_below(&worker->rng, (uint32_t)count);
}
