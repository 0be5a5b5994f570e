/* IDA* (Korf 1985; S2): depth-first searches below a rising cost threshold, each the least value that the one before
 * cut off. The walk through the tree is search/depth_first; a copy made for the 15-puzzle serves where it fits. */
#include "search/depth_first_tiles.h"
#include "search/search.h"

/* Nodes between two looks at the budget. */
enum { slice = 1 << 12 };

struct ida_star {
    struct search_run *run;
    struct depth_first walk;
    enum depth_first_end (*go_on)(struct depth_first *walk, uint64_t limit); /* a copy of the walk that fits */
    uint64_t counted;                                                        /* of walk.generated, by the budget */
};

/* The walk takes back what it generated behind the goal, so the difference may be negative: it wraps. */
static void count_nodes(struct ida_star *ida_star) {
    budget_count_nodes(ida_star->run->budget, ida_star->walk.generated - ida_star->counted);
    ida_star->counted = ida_star->walk.generated;
}

/* How many nodes the walk may generate before the next look. It stops after an expansion, so the last few below the
 * node limit are left; 0: the limit is reached. */
static uint64_t next_slice(const struct ida_star *ida_star) {
    uint64_t limit = ida_star->run->budget->limits.nodes, most = (uint64_t)ida_star->run->shape.most_moves;
    uint64_t used = atomic_load_explicit(&ida_star->run->budget->nodes, memory_order_relaxed);
    if (!limit || limit > used + slice + most)
        return slice;
    return limit > used + most ? limit - used - most : 0;
}

/* Walks everything at or below the threshold, or as far as the budget allows. */
static enum depth_first_end iterate(struct ida_star *ida_star, int32_t threshold) {
    struct depth_first *walk = &ida_star->walk;
    uint64_t nodes = next_slice(ida_star);
    enum depth_first_end end = nodes ? depth_first_begin(walk, threshold) : DEPTH_FIRST_LIMIT;
    count_nodes(ida_star);
    while (end == DEPTH_FIRST_LIMIT && !search_spent(ida_star->run)) {
        nodes = next_slice(ida_star);
        if (!nodes) {
            budget_stop(ida_star->run->budget, SOLOIST_STOP_NODES);
            break;
        }
        end = ida_star->go_on(walk, walk->generated + nodes);
        count_nodes(ida_star);
    }
    return end;
}

static soloist_code search(struct ida_star *ida_star) {
    struct search_run *run = ida_star->run;
    struct depth_first *walk = &ida_star->walk;
    bool admissible = run->domain->bound->admissible(run->instance);
    run->domain->life->root(run->instance, walk->state);
    int32_t threshold = run->domain->bound->value(run->instance, walk->state);
    while (!search_spent(run)) {
        search_note(run, "threshold %d", (int)threshold);
        switch (iterate(ida_star, threshold)) {
        case DEPTH_FIRST_FOUND:
            search_record(run, walk->path, walk->path_length, walk->cost);
            run->optimal |= admissible;
            return SOLOIST_OK;
        case DEPTH_FIRST_NO_MEMORY: return search_full(run);
        case DEPTH_FIRST_LIMIT: return SOLOIST_OK;
        case DEPTH_FIRST_EXHAUSTED: break;
        }
        if (walk->next_threshold == DEPTH_FIRST_NO_THRESHOLD) {
            run->impossible = true; /* nothing was cut off: this was all there is */
            return SOLOIST_OK;
        }
        threshold = walk->next_threshold;
    }
    return SOLOIST_OK;
}

static soloist_code ida_star_run(struct search_run *run) {
    bool tiles15 = depth_first_fits_tiles15(run->domain, run->instance);
    struct ida_star ida_star = {.run = run, .go_on = tiles15 ? depth_first_tiles15 : depth_first_generic};
    bool opened = depth_first_open(&ida_star.walk, run->domain, run->instance, &run->budget->memory);
    soloist_code code = opened ? search(&ida_star) : search_full(run);
    depth_first_close(&ida_star.walk);
    return code;
}

const struct search_method search_ida_star = {
    .name = "idastar",
    .summary = "iterative deepening A*: optimal under an admissible bound, in hardly any memory",
    .needs = SEARCH_NEEDS_ONE_PLAYER | SEARCH_NEEDS_GOAL | SEARCH_NEEDS_BOUND,
    .run = ida_star_run,
};
