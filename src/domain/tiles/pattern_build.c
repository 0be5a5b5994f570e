/* Builds a pattern database by breadth-first search over pairs of a placement and a region of the blank. Each level of
 * the search is one more move of a tile of the pattern; the blank moves within its region at no cost.
 *
 * The placements of t tiles on one set of cells form a block of t! bytes. Bit r of a byte says that the blank can be in
 * region r of that set's free cells. A move leads from one block to one other block and changes all orders in the same
 * way. The work can therefore be done block by block in the cache, and threads need only one lock per target block. */
#include "domain/tiles/pattern_build.h"

#include "base/team.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* sets_a_look: the number of sets between two looks at the stop token. */
enum { sets_a_look = 64 };
enum { most_regions = 8, most_shift_moves = 4 * PATTERN_MOST_CELLS, unreached = 255 };

/* One move from a set of cells to another: the blank's region before the move, the set and the region after it, and how
 * the order of the tiles changes. */
struct set_move {
    uint8_t region, target_region;
    uint32_t target;       /* rank of the set after the move */
    const uint16_t *shift; /* [order]: the order after the move; NULL: the order does not change */
};

struct build {
    const struct pattern *pattern;
    uint32_t *set_of;    /* [rank]: the set of cells with that rank */
    uint8_t *now, *next; /* regions reached at this level, and at the next */
    uint8_t *seen;       /* regions reached at any level so far */
    uint8_t *distance;   /* the level at which a region of each placement was first reached */
    atomic_flag *locks;  /* one lock per block of `next` */
    int level;
    _Atomic uint32_t next_set;
    _Atomic uint64_t reached; /* placements reached at this level */
    _Atomic bool failed;      /* a worker had no memory */
    soloist_stop_token *stop; /* may be NULL */
    _Atomic bool stopped;     /* a worker has noticed that `stop` is stopped */
    uint64_t total, done;
};

/* Finds the cells above, to the left, to the right and below; -1 beyond the board's edge. */
static void find_beside(const struct pattern *p, int cell, int beside[4]) {
    int x = cell % p->width;
    beside[0] = cell - p->width;
    beside[1] = x ? cell - 1 : -1;
    beside[2] = x + 1 < p->width ? cell + 1 : -1;
    beside[3] = cell + p->width < p->cells ? cell + p->width : -1;
}

/* Labels the connected regions of the free cells; returns how many. */
static int find_regions(const struct pattern *p, uint32_t set, int8_t *region_of) {
    int count = 0, stack[PATTERN_MOST_CELLS];
    for (int c = 0; c < p->cells; c++)
        region_of[c] = -1;
    for (int start = 0; start < p->cells; start++) {
        if (set >> start & 1 || region_of[start] >= 0)
            continue;
        int depth = 0;
        region_of[start] = (int8_t)count;
        stack[depth++] = start;
        while (depth) {
            int beside[4];
            find_beside(p, stack[--depth], beside);
            for (int d = 0; d < 4; d++) {
                int b = beside[d];
                if (b < 0 || set >> b & 1 || region_of[b] >= 0)
                    continue;
                region_of[b] = (int8_t)count;
                stack[depth++] = b;
            }
        }
        count++;
    }
    return count;
}

static int list_set_moves(const struct pattern *p, uint32_t set, struct set_move *moves) {
    int8_t region_of[PATTERN_MOST_CELLS], after[PATTERN_MOST_CELLS];
    int count = 0;
    find_regions(p, set, region_of);
    for (int from = 0; from < p->cells; from++) {
        if (!(set >> from & 1))
            continue;
        int beside[4];
        find_beside(p, from, beside);
        for (int d = 0; d < 4; d++) {
            int to = beside[d];
            if (to < 0 || set >> to & 1)
                continue;
            uint32_t target = set ^ (1u << from) ^ (1u << to);
            find_regions(p, target, after);
            int i = __builtin_popcount(set & ((1u << from) - 1)), j = __builtin_popcount(target & ((1u << to) - 1));
            moves[count++] = (struct set_move){(uint8_t)region_of[to], (uint8_t)after[from],
                                               pattern_set_rank(p, target), i == j ? NULL : p->shifted[i][j]};
        }
    }
    return count;
}

static void push_moves(struct build *b, const struct set_move *move, const uint16_t *list, uint32_t count) {
    uint8_t *block = b->next + (size_t)move->target * b->pattern->orders, bit = (uint8_t)(1u << move->target_region);
    while (atomic_flag_test_and_set_explicit(&b->locks[move->target], memory_order_acquire))
        ;
    if (move->shift)
        for (uint32_t k = 0; k < count; k++)
            block[move->shift[list[k]]] |= bit;
    else
        for (uint32_t k = 0; k < count; k++)
            block[list[k]] |= bit;
    atomic_flag_clear_explicit(&b->locks[move->target], memory_order_release);
}

/* Expands all placements of one set at this level: marks those that are new, and adds their successors to the next
 * level. */
static void expand_set(struct build *b, uint32_t rank, uint16_t (*lists)[40320]) {
    uint32_t orders = b->pattern->orders, counts[most_regions] = {0}, fresh = 0;
    size_t base = (size_t)rank * orders;
    uint8_t *now = b->now + base, *seen = b->seen + base, *distance = b->distance + base;
    for (uint32_t o = 0; o < orders; o++) {
        unsigned news = now[o] & ~seen[o];
        if (!news)
            continue;
        seen[o] |= (uint8_t)news;
        if (distance[o] == unreached)
            distance[o] = (uint8_t)b->level, fresh++;
        for (; news; news &= news - 1) {
            int region = __builtin_ctz(news);
            lists[region][counts[region]++] = (uint16_t)o;
        }
    }
    memset(now, 0, orders);
    uint32_t any = 0;
    for (int r = 0; r < most_regions; r++)
        any |= counts[r];
    if (!any)
        return;
    atomic_fetch_add_explicit(&b->reached, fresh + UINT64_C(0x100000000), memory_order_relaxed);
    struct set_move moves[most_shift_moves];
    int count = list_set_moves(b->pattern, b->set_of[rank], moves);
    for (int m = 0; m < count; m++)
        if (counts[moves[m].region])
            push_moves(b, &moves[m], lists[moves[m].region], counts[moves[m].region]);
}

static bool is_stopped(struct build *b) {
    if (soloist_stopped(b->stop))
        atomic_store_explicit(&b->stopped, true, memory_order_relaxed);
    return atomic_load_explicit(&b->stopped, memory_order_relaxed);
}

static void expand_sets(void *argument, int worker) {
    struct build *b = argument;
    (void)worker;
    uint16_t(*lists)[40320] = malloc(sizeof *lists * most_regions);
    if (!lists) {
        atomic_store(&b->failed, true);
        return;
    }
    for (uint32_t rank, done = 0; (rank = atomic_fetch_add(&b->next_set, 1)) < b->pattern->sets; done++) {
        if (done % sets_a_look == 0 && is_stopped(b))
            break;
        expand_set(b, rank, lists);
    }
    free(lists);
}

/* Expands one level with all threads. */
static soloist_code run_level(struct build *b, int threads) {
    atomic_store(&b->next_set, 0);
    atomic_store(&b->reached, 0);
    team_run(threads, expand_sets, b);
    uint8_t *swap = b->now;
    b->now = b->next;
    b->next = swap;
    return atomic_load(&b->failed) ? SOLOIST_NO_MEMORY : atomic_load(&b->stopped) ? SOLOIST_UNSUPPORTED : SOLOIST_OK;
}

/* Makes level 0: the goal placement with the blank at its goal. */
static void set_goal(struct build *b) {
    const struct pattern *p = b->pattern;
    int8_t region_of[PATTERN_MOST_CELLS];
    uint8_t order[PATTERN_MOST_TILES];
    find_regions(p, p->goal_cells, region_of);
    for (int t = 0; t < p->tiles; t++)
        order[t] = (uint8_t)t;
    size_t index = (size_t)pattern_set_rank(p, p->goal_cells) * p->orders + pattern_rank(p->tiles, order);
    b->now[index] = (uint8_t)(1u << region_of[p->blank_goal]);
}

static soloist_code run_levels(struct build *b, int threads, pattern_progress progress, void *user) {
    set_goal(b);
    for (b->level = 0;; b->level++) {
        soloist_code code = run_level(b, threads);
        if (code != SOLOIST_OK)
            return code;
        uint64_t reached = atomic_load(&b->reached);
        b->done += reached & UINT32_MAX;
        if (!reached)
            return SOLOIST_OK;
        if (progress)
            progress(user, (double)b->done / (double)b->total);
    }
}

/* Stores each entry in four bits: half of the excess of the distance over the Manhattan distance, but at most 15. The
 * stored value is never too high, so the bound stays admissible. False: the work is stopped. */
static bool pack_entries(struct build *b, uint8_t *entries) {
    const struct pattern *p = b->pattern;
    uint8_t(*orders)[PATTERN_MOST_TILES] = (void *)b->next; /* this memory is no longer needed and is large enough */
    for (uint32_t o = 0; o < p->orders; o++)
        pattern_unrank(p->tiles, o, orders[o]);
    size_t index = 0;
    for (uint32_t rank = 0; rank < p->sets; rank++) {
        if (rank % sets_a_look == 0 && is_stopped(b))
            return false;
        int cell[PATTERN_MOST_TILES], count = 0;
        for (int c = 0; c < p->cells; c++)
            if (b->set_of[rank] >> c & 1)
                cell[count++] = c;
        for (uint32_t o = 0; o < p->orders; o++, index++) {
            int excess = b->distance[index];
            for (int i = 0; i < count; i++)
                excess -= p->distance[orders[o][i]][cell[i]];
            excess = excess / 2 > 15 ? 15 : excess / 2;
            entries[index >> 1] |= (uint8_t)(excess << (4 * (index & 1)));
        }
    }
    return true;
}

static void list_sets(struct build *b) {
    const struct pattern *p = b->pattern;
    /* Steps from each set to the next one with the same number of members (Gosper's hack). */
    for (uint32_t set = (1u << p->tiles) - 1; set < 1u << p->cells;) {
        uint32_t low = set & -set, risen = set + low;
        b->set_of[pattern_set_rank(p, set)] = set;
        set = risen | (set ^ risen) / low >> 2;
    }
    for (uint32_t rank = 0; rank < p->sets; rank++)
        atomic_flag_clear(&b->locks[rank]);
}

/* The size of `now` and of `next` in bytes: one byte per placement, and at least what pack_entries needs for all
 * orders. */
static size_t level_room(const struct pattern *p) {
    size_t total = (size_t)p->sets * p->orders, least = (size_t)p->orders * PATTERN_MOST_TILES;
    return total > least ? total : least;
}

size_t pattern_build_bytes(const struct pattern *p) {
    size_t total = (size_t)p->sets * p->orders;
    return 2 * level_room(p) + 2 * total + p->sets * (sizeof(uint32_t) + sizeof(atomic_flag));
}

soloist_code pattern_build(const struct pattern *pattern, uint8_t *entries, int threads, soloist_stop_token *stop,
                           pattern_progress progress, void *user) {
    size_t total = (size_t)pattern->sets * pattern->orders;
    size_t room = level_room(pattern);
    struct build b = {.pattern = pattern, .stop = stop, .total = total};
    b.set_of = malloc(pattern->sets * sizeof *b.set_of);
    b.locks = malloc(pattern->sets * sizeof *b.locks);
    b.now = calloc(room, 1);
    b.next = calloc(room, 1);
    b.seen = calloc(total, 1);
    b.distance = malloc(total);
    soloist_code code = SOLOIST_NO_MEMORY;
    if (b.set_of && b.locks && b.now && b.next && b.seen && b.distance) {
        memset(b.distance, unreached, total);
        list_sets(&b);
        code = run_levels(&b, threads, progress, user);
        if (code == SOLOIST_OK && !pack_entries(&b, entries))
            code = SOLOIST_UNSUPPORTED;
    }
    free(b.set_of);
    free(b.locks);
    free(b.now);
    free(b.next);
    free(b.seen);
    free(b.distance);
    return code;
}
