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
#include "search/ida_star/split.h"

#define WALK_INLINE static inline __attribute__((always_inline))

enum walk_end { WALK_FAILED, WALK_FOUND, WALK_STOPPED };

/* A state on the path, and the flip that was chosen there. */
struct walk_level {
    struct pancake_dual dual;
    uint8_t side, flip, other; /* other: a second flip that removes a gap and is not yet tried; 0: none */
};

/* The flips of one side of a level that the slack allows; those that use most slack come first. */
struct walk_list {
    int next, count; /* flips[next .. count-1] are not yet tried */
    uint8_t flips[PANCAKE_MOST];
    int8_t changes[PANCAKE_MOST];
};

struct walk {
    struct search_run *run;
    struct split_worker *worker; /* NULL: one thread searches alone */
    int n, gaps;                 /* gaps: of the root */
    struct walk_level *levels;   /* 2 n + 2 levels, because 2 n flips can sort any stack of n pancakes */
    struct walk_list *lists;     /* two for each level, one for each side */
    uint64_t nodes;              /* nodes generated and not yet reported to the budget */
    uint64_t slice;              /* `nodes` is reported to the budget when it reaches this number */
    int end;                     /* the level at which the goal was reached */
    struct picture_thresholds thresholds;
    int now; /* the level at which the search is */
    /* For giving work away: levels from `base` on have lists, levels from `dive_base` on have at most one other flip.
     */
    int base, dive_base;
    enum walk_end (*dive)(struct walk *walk, int depth, int gaps);
};

/* Nodes between two checks of the budget. */
enum { slice = 1 << 12 };

static size_t levels_size(const struct walk *walk) { return (size_t)(2 * walk->n + 2) * sizeof *walk->levels; }
static size_t lists_size(const struct walk *walk) { return (size_t)(2 * walk->n + 2) * 2 * sizeof *walk->lists; }

/* The list that a level uses. */
static struct walk_list *list_of(const struct walk *walk, int depth) {
    return &walk->lists[2 * depth + walk->levels[depth].side];
}

/* Reports the nodes generated to the budget. False: the run must end. */
static bool report(struct walk *walk, const struct walk_level *level) {
    walk->now = (int)(level - walk->levels);
    if (walk->worker) {
        walk->slice = split_look(walk->worker, walk->nodes, 0);
        walk->nodes = 0;
        return walk->slice;
    }
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
    if (walk->nodes == walk->slice && !report(walk, level))
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
    walk->dive_base = depth;
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
    list->next = list->count = 0;
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

static enum walk_end walk_list(struct walk *walk, int depth, int gaps, int slack);

/* Searches below a level for a solution of at most gaps + slack more flips. Recursive, at most as deep as there are
 * levels. */
static enum walk_end walk_on(struct walk *walk, int depth, int gaps, int slack) {
    if (slack == 0 || gaps == 0)
        return walk->dive(walk, depth, gaps);
    struct walk_level *level = &walk->levels[depth];
    struct walk_list *lists = &walk->lists[2 * depth];
    for (int side = 0; side < 2; side++)
        list_flips(walk, depth, gaps, slack, side, &lists[side]);
    level->side = lists[1].count < lists[0].count;
    return walk_list(walk, depth, gaps, slack);
}

/* Tries the flips on a level's list. Other workers may be given the last of them meanwhile. */
static enum walk_end walk_list(struct walk *walk, int depth, int gaps, int slack) {
    struct walk_level *level = &walk->levels[depth];
    struct walk_list *list = list_of(walk, depth);
    while (list->next < list->count) {
        int i = list->next++;
        level->flip = list->flips[i];
        walk->dive_base = depth + 1;
        if (!step(walk, level, level->side, level->flip, PANCAKE_ROOM))
            return WALK_STOPPED;
        enum walk_end end = walk_on(walk, depth + 1, gaps + list->changes[i], slack - 1 - list->changes[i]);
        if (end != WALK_FAILED)
            return end;
    }
    return WALK_FAILED;
}

/* ---- pieces: the number of flips that lead to a level, the side of that level, the number of flips to be tried there;
 * then side and flip of each level before it, then the flips to be tried ---- */

enum { piece_head = 3, flip_bits = 16 };

/* The number of flips at a level that the walk can spare. */
static int spare_flips(const struct walk *walk, int depth) {
    if (depth >= walk->dive_base)
        return walk->levels[depth].other != 0;
    const struct walk_list *list = list_of(walk, depth);
    return (list->count - list->next + 1) / 2;
}

/* Moves the last flips of a level into a piece. */
static void remove_flips(struct walk *walk, int depth, uint32_t *to, int count) {
    if (depth >= walk->dive_base) {
        *to = walk->levels[depth].other;
        walk->levels[depth].other = 0;
        return;
    }
    struct walk_list *list = list_of(walk, depth);
    list->count -= count;
    for (int i = 0; i < count; i++)
        to[i] = list->flips[list->count + i];
}

static bool give(void *user, struct piece *piece) {
    struct walk *walk = user;
    int depth = walk->base, count = 0;
    while (depth <= walk->now && !(count = spare_flips(walk, depth)))
        depth++;
    if (!count || !piece_begin(piece, &walk->run->budget->memory, (uint64_t)(piece_head + depth + count)))
        return false;
    piece->words[0] = (uint32_t)depth;
    piece->words[1] = walk->levels[depth].side;
    piece->words[2] = (uint32_t)count;
    for (int i = 0; i < depth; i++)
        piece->words[piece_head + i] = (uint32_t)walk->levels[i].side << flip_bits | walk->levels[i].flip;
    remove_flips(walk, depth, piece->words + piece_head + depth, count);
    return true;
}

/* Plays the flips that lead to a piece, and lists the flips to be tried there. Returns the number of gaps there. */
static int take(struct walk *walk, const uint32_t *piece) {
    int depth = (int)piece[0], gaps = walk->gaps;
    const uint32_t *flips = piece + piece_head;
    for (int i = 0; i < depth; i++) {
        struct walk_level *level = &walk->levels[i];
        level->side = (uint8_t)(flips[i] >> flip_bits);
        level->flip = (uint8_t)flips[i];
        gaps += pancake_dual_change(&level->dual, level->side, level->flip);
        pancake_dual_flip(&level->dual, &level[1].dual, level->side, level->flip, PANCAKE_ROOM);
    }
    struct walk_level *last = &walk->levels[depth];
    last->side = (uint8_t)piece[1];
    struct walk_list *list = list_of(walk, depth);
    list->next = 0;
    list->count = (int)piece[2];
    for (int i = 0; i < list->count; i++) {
        list->flips[i] = (uint8_t)flips[depth + i];
        list->changes[i] = (int8_t)pancake_dual_change(&last->dual, last->side, list->flips[i]);
    }
    walk->base = depth;
    return gaps;
}

/* ---- the run ---- */

/* Sets the moves of the solution: the flips at its beginning in order, then the flips at its end in reverse order.
 * Returns their number. */
static size_t list_moves(const struct walk *walk, soloist_move moves[2 * PANCAKE_MOST + 2]) {
    size_t count = 0;
    for (int i = 0; i < walk->end; i++)
        if (!walk->levels[i].side)
            moves[count++] = walk->levels[i].flip;
    for (int i = walk->end; i-- > 0;)
        if (walk->levels[i].side)
            moves[count++] = walk->levels[i].flip;
    return count;
}

static void record(struct walk *walk) {
    soloist_move moves[2 * PANCAKE_MOST + 2];
    size_t count = list_moves(walk, moves);
    if (search_record(walk->run, moves, count, (int32_t)count))
        walk->run->optimal = true;
}

static void paint(const void *subject, struct search_picture *picture) {
    const struct walk *walk = subject;
    soloist_move moves[2 * PANCAKE_MOST + 2];
    size_t count = 0;
    picture_kind(picture, SOLOIST_PICTURE_DIVES);
    picture_thresholds(picture, &walk->thresholds, walk->run);
    picture_depth(picture, walk->now);
    for (int i = 0; i < walk->now; i++) /* flips at the end of the solution cannot be shown: the middle is missing */
        if (!walk->levels[i].side)
            moves[count++] = walk->levels[i].flip;
    picture_line(picture, walk->run, moves, count);
}

static void search(struct walk *walk) {
    search_show(walk->run, paint, walk);
    enum walk_end end = report(walk, walk->levels) ? WALK_FAILED : WALK_STOPPED;
    for (int slack = 0; end == WALK_FAILED; slack++) {
        search_note(walk->run, "threshold %d", walk->gaps + slack);
        picture_note_threshold(&walk->thresholds, walk->run, walk->gaps + slack);
        end = walk_on(walk, 0, walk->gaps, slack);
    }
    search_hide(walk->run);
    budget_count_nodes_alone(walk->run->budget, walk->nodes);
    if (end == WALK_FOUND)
        record(walk);
}

/* False: memory is full; the caller must close the walk in this case too. */
static bool open_walk(struct walk *walk, struct search_run *run) {
    const uint8_t *start = run->instance->start;
    int n = run->instance->n;
    *walk = (struct walk){.run = run, .n = n};
    walk->dive = n < 64 ? dive_64 : n < 96 ? dive_96 : n < 112 ? dive_112 : dive_all;
    walk->levels = memory_take(&run->budget->memory, levels_size(walk));
    walk->lists = memory_take(&run->budget->memory, lists_size(walk));
    for (int i = 0; i < n; i++)
        walk->gaps += pancake_dual_is_gap(start[i], start[i + 1]);
    if (walk->levels)
        pancake_dual_open(&walk->levels[0].dual, start, n);
    return walk->levels && walk->lists;
}

static void close_walk(struct walk *walk) {
    memory_give(&walk->run->budget->memory, walk->levels, levels_size(walk));
    memory_give(&walk->run->budget->memory, walk->lists, lists_size(walk));
}

/* ---- by several workers ---- */

static void *open_part(void *user, struct split_worker *worker) {
    struct search_run *run = split_worker_run(worker);
    struct walk *walk = memory_take(&run->budget->memory, sizeof *walk);
    (void)user;
    if (!walk)
        return NULL;
    if (open_walk(walk, run)) {
        walk->worker = worker;
        return walk;
    }
    close_walk(walk);
    memory_give(&run->budget->memory, walk, sizeof *walk);
    return NULL;
}

static void close_part(void *user) {
    struct walk *walk = user;
    struct memory *memory = &walk->run->budget->memory;
    close_walk(walk);
    memory_give(memory, walk, sizeof *walk);
}

static soloist_code lead(void *user) {
    struct walk *walk = user;
    struct split_summary summary;
    struct split_round round = {.threshold = walk->gaps, .number = 1};
    enum split_end end;
    search_show(walk->run, paint, walk);
    do {
        search_note(walk->run, "threshold %d", (int)round.threshold);
        picture_note_threshold(&walk->thresholds, walk->run, round.threshold);
        end = split_iterate(walk->worker, &round, &summary);
        round.threshold++;
        round.number++;
    } while (end == SPLIT_DONE);
    search_hide(walk->run);
    walk->run->optimal |= end == SPLIT_FOUND;
    return SOLOIST_OK;
}

static enum split_end search_piece(void *user, const struct split_round *round, const uint32_t *piece,
                                   struct split_summary *summary) {
    struct walk *walk = user;
    soloist_move moves[2 * PANCAKE_MOST + 2];
    enum walk_end end = WALK_STOPPED;
    (void)summary;
    walk->base = walk->now = 0;
    walk->slice = split_grant(walk->worker);
    if (walk->slice && piece) {
        int gaps = take(walk, piece);
        end = walk_list(walk, walk->base, gaps, round->threshold - walk->base - gaps);
    } else if (walk->slice)
        end = walk_on(walk, 0, walk->gaps, round->threshold - walk->gaps);
    split_count(walk->worker, walk->nodes, 0);
    walk->nodes = 0;
    if (end == WALK_FOUND) {
        size_t count = list_moves(walk, moves);
        split_found(walk->worker, moves, count, (int32_t)count);
    }
    return end == WALK_FOUND ? SPLIT_FOUND : end == WALK_FAILED ? SPLIT_DONE : SPLIT_STOPPED;
}

static const struct split_kind parts = {open_part, close_part, lead, search_piece, give, NULL};

/* The search relies on the full GAP bound. */
static bool fits(const soloist_instance *instance) { return instance->labels[PANCAKE_FORWARD].same; }

static soloist_code search_dual(struct search_run *run) {
    if (split_is_wanted(run))
        return split_run(run, &parts, NULL, ida_star_slice(run));
    struct walk walk;
    soloist_code code = SOLOIST_OK;
    if (open_walk(&walk, run))
        search(&walk);
    else
        code = search_full(run);
    close_walk(&walk);
    return code;
}

static const struct special_ida_star ida_star = {.dual_fits = fits, .dual = search_dual};
const struct special special_pancake = {&pancake_domain, NULL, &ida_star, NULL, NULL};
