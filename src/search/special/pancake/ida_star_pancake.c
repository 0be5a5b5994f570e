/* IDA* for pancakes under the full GAP bound, as a single-frontier bidirectional search (Felner, Moldenhauer,
 * Sturtevant and Schaeffer 2010). At every state the search adds either the first or the last of the flips that are
 * still missing in the solution: it chooses the end that has fewer possible flips. If one of the ends has no possible
 * flip, the search backtracks.
 *
 * The slack is the threshold minus the number of flips so far, minus the number of gaps. Without slack every flip must
 * remove a gap, so a state has at most two children and needs no list; most of the time is spent in that loop. Flips
 * that use slack are tried first: the search below a state without slack is small, whatever flips led there. */
#include "search/picture.h"
#include "search/special/registry.h"

#include "domain/domain.h"
#include "domain/pancake/pancake_dual.h"

#define WALK_INLINE static inline __attribute__((always_inline))

enum walk_end { WALK_FAILED, WALK_FOUND, WALK_STOPPED };

/* A state on the path, and the flip that was chosen there. */
struct walk_level {
    struct pancake_dual dual;
    uint8_t side, flip, other; /* other: a second flip that removes a gap and is not yet tried; 0: none */
};

struct walk {
    struct search_run *run;
    int n;
    struct walk_level *levels; /* 2 n + 2 levels, because 2 n flips can sort any stack of n pancakes */
    uint64_t nodes;            /* nodes generated and not yet reported to the budget */
    uint64_t slice;            /* `nodes` is reported to the budget when it reaches this number */
    int end;                   /* the level at which the goal was reached */
    struct picture_thresholds thresholds;
    enum walk_end (*dive)(struct walk *walk, int depth, int gaps);
};

/* Nodes between two checks of the budget. */
enum { slice = 1 << 12 };

static size_t levels_size(const struct walk *walk) { return (size_t)(2 * walk->n + 2) * sizeof *walk->levels; }

/* Reports the nodes generated to the budget. False: the run must end. */
static bool report(struct walk *walk) {
    struct budget *budget = walk->run->budget;
    uint64_t limit = budget->limits.nodes;
    budget_count_nodes_alone(budget, walk->nodes);
    walk->nodes = 0;
    if (search_spent(walk->run))
        return false;
    uint64_t left = limit ? limit - atomic_load_explicit(&budget->nodes, memory_order_relaxed) : slice;
    walk->slice = left < slice ? left : slice;
    return true;
}

/* Makes the next level's state by a flip of k pancakes. False: the run must end, and no state was made. */
WALK_INLINE bool step(struct walk *walk, struct walk_level *level, int side, int k, const size_t room) {
    if (walk->nodes == walk->slice && !report(walk))
        return false;
    walk->nodes++;
    pancake_dual_flip(&level->dual, &level[1].dual, side, k, room);
    return true;
}

/* ---- without slack ---- */

/* Backtracks to the last level that has a second flip, and chooses that flip. NULL: there is no such level. */
WALK_INLINE struct walk_level *go_back(struct walk_level *level, const struct walk_level *first) {
    do
        if (level-- == first)
            return NULL;
    while (!level->other);
    level->flip = level->other;
    level->other = 0;
    return level;
}

/* Called if each end has two flips that remove a gap: chooses the end whose flips have fewer continuations, and drops
 * flips that have none. False: no flip is left. */
WALK_INLINE bool choose(struct walk_level *level, uint8_t flips[2][3]) {
    int prospects[2][2], side;
    for (side = 0; side < 2; side++)
        for (int i = 0; i < 2; i++)
            prospects[side][i] = pancake_dual_prospect(&level->dual, side, flips[side][i]);
    side = prospects[1][0] + prospects[1][1] < prospects[0][0] + prospects[0][1];
    bool first = prospects[side][0], second = prospects[side][1];
    level->side = (uint8_t)side;
    level->flip = flips[side][!first];
    level->other = first && second ? flips[side][1] : 0;
    return first || second;
}

/* Sets the flips to be tried at a level. False: there is none. */
WALK_INLINE bool look_at(struct walk_level *level) {
    uint8_t flips[2][3];
    int ahead = pancake_dual_removing(&level->dual, 0, flips[0]);
    int behind = pancake_dual_removing(&level->dual, 1, flips[1]);
    if (ahead + behind == 4)
        return choose(level, flips);
    level->side = behind < ahead;
    level->flip = flips[level->side][0];
    level->other = 0;
    return ahead && behind;
}

/* Searches below a level for a solution in which every flip removes a gap. The last gap can be removed by one flip at
 * either end. */
WALK_INLINE enum walk_end dive(struct walk *walk, int depth, int gaps, const size_t room) {
    struct walk_level *first = &walk->levels[depth], *goal = first + gaps, *level = first;
    while (level < goal) {
        if (!look_at(level)) {
            level = go_back(level, first);
            if (!level)
                return WALK_FAILED;
        }
        if (!step(walk, level, level->side, level->flip, room))
            return WALK_STOPPED;
        level++;
    }
    walk->end = depth + gaps;
    return WALK_FOUND;
}

/* Copies of the search with a constant size of the stack in bytes; the last one fits every stack. */
static enum walk_end dive_64(struct walk *walk, int depth, int gaps) { return dive(walk, depth, gaps, 64); }
static enum walk_end dive_96(struct walk *walk, int depth, int gaps) { return dive(walk, depth, gaps, 96); }
static enum walk_end dive_112(struct walk *walk, int depth, int gaps) { return dive(walk, depth, gaps, 112); }
static enum walk_end dive_all(struct walk *walk, int depth, int gaps) { return dive(walk, depth, gaps, PANCAKE_ROOM); }

/* ---- with slack ---- */

/* The flips that the slack allows on one side; those that use most slack come first. */
struct walk_list {
    int count;
    uint8_t flips[PANCAKE_MOST];
    int8_t changes[PANCAKE_MOST];
};

/* A state without slack is a dead end unless each of the two ends has a flip that removes a gap. */
static bool is_stuck(const struct pancake_dual *dual) {
    uint8_t flips[3];
    return !pancake_dual_removing(dual, 0, flips) || !pancake_dual_removing(dual, 1, flips);
}

static void add_flips(const struct walk *walk, struct walk_level *level, int gaps, int slack, int side, int change,
                      struct walk_list *list) {
    for (int k = 2; k <= walk->n; k++) {
        if (pancake_dual_change(&level->dual, side, k) != change)
            continue;
        if (slack == change + 1 && gaps + change > 0) {
            pancake_dual_flip(&level->dual, &level[1].dual, side, k, PANCAKE_ROOM);
            if (is_stuck(&level[1].dual))
                continue;
        }
        list->flips[list->count] = (uint8_t)k;
        list->changes[list->count++] = (int8_t)change;
    }
}

/* Lists the flips of one side that the slack allows, except the flip that led here, which would be undone by repeating
 * it. */
static void list_flips(const struct walk *walk, int depth, int gaps, int slack, int side, struct walk_list *list) {
    struct walk_level *level = &walk->levels[depth];
    list->count = 0;
    for (int change = slack > 1 ? 1 : 0; change >= -1; change--)
        add_flips(walk, level, gaps, slack, side, change, list);
    if (depth == 0 || level[-1].side != side)
        return;
    for (int i = 0; i < list->count; i++)
        if (list->flips[i] == level[-1].flip) {
            list->count--;
            memmove(&list->flips[i], &list->flips[i + 1], (size_t)(list->count - i));
            memmove(&list->changes[i], &list->changes[i + 1], (size_t)(list->count - i));
        }
}

/* Searches below a level for a solution of at most gaps + slack more flips. Recursive, at most as deep as there are
 * levels. */
static enum walk_end walk_on(struct walk *walk, int depth, int gaps, int slack) {
    if (slack == 0 || gaps == 0)
        return walk->dive(walk, depth, gaps);
    struct walk_level *level = &walk->levels[depth];
    struct walk_list lists[2];
    for (int side = 0; side < 2; side++)
        list_flips(walk, depth, gaps, slack, side, &lists[side]);
    level->side = lists[1].count < lists[0].count;
    const struct walk_list *list = &lists[level->side];
    for (int i = 0; i < list->count; i++) {
        level->flip = list->flips[i];
        if (!step(walk, level, level->side, level->flip, PANCAKE_ROOM))
            return WALK_STOPPED;
        enum walk_end end = walk_on(walk, depth + 1, gaps + list->changes[i], slack - 1 - list->changes[i]);
        if (end != WALK_FAILED)
            return end;
    }
    return WALK_FAILED;
}

/* ---- the run ---- */

/* Records the solution: the flips at its beginning in order, then the flips at its end in reverse order. */
static void record(struct walk *walk) {
    soloist_move moves[2 * PANCAKE_MOST + 2];
    size_t count = 0;
    for (int i = 0; i < walk->end; i++)
        if (!walk->levels[i].side)
            moves[count++] = walk->levels[i].flip;
    for (int i = walk->end; i-- > 0;)
        if (walk->levels[i].side)
            moves[count++] = walk->levels[i].flip;
    if (search_record(walk->run, moves, count, (int32_t)count))
        walk->run->optimal = true;
}

static void paint(const void *subject, struct search_picture *picture) {
    const struct walk *walk = subject;
    picture_kind(picture, SOLOIST_PICTURE_DIVES);
    picture_thresholds(picture, &walk->thresholds, walk->run);
}

static void search(struct walk *walk) {
    struct search_run *run = walk->run;
    const uint8_t *start = run->instance->start;
    int gaps = 0;
    pancake_dual_open(&walk->levels[0].dual, start, walk->n);
    for (int i = 0; i < walk->n; i++)
        gaps += pancake_dual_is_gap(start[i], start[i + 1]);
    enum walk_end end = report(walk) ? WALK_FAILED : WALK_STOPPED;
    for (int slack = 0; end == WALK_FAILED; slack++) {
        search_note(run, "threshold %d", gaps + slack);
        picture_note_threshold(&walk->thresholds, run, gaps + slack);
        end = walk_on(walk, 0, gaps, slack);
    }
    budget_count_nodes_alone(run->budget, walk->nodes);
    if (end == WALK_FOUND)
        record(walk);
}

/* The search relies on the full GAP bound. */
static bool fits(const soloist_instance *instance) { return instance->labels[PANCAKE_FORWARD].same; }

static soloist_code search_dual(struct search_run *run) {
    int n = run->instance->n;
    struct walk walk = {.run = run, .n = n};
    walk.dive = n < 64 ? dive_64 : n < 96 ? dive_96 : n < 112 ? dive_112 : dive_all;
    walk.levels = memory_take(&run->budget->memory, levels_size(&walk));
    if (!walk.levels)
        return search_full(run);
    search_show(run, paint, &walk);
    search(&walk);
    search_hide(run);
    memory_give(&run->budget->memory, walk.levels, levels_size(&walk));
    return SOLOIST_OK;
}

static const struct special_ida_star ida_star = {.dual_fits = fits, .dual = search_dual};
const struct special special_pancake = {&pancake_domain, NULL, &ida_star, NULL, NULL};
