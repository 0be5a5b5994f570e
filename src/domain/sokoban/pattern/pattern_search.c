/* The small searches: a few boxes alone on the board, and all goals are free. The search is A*, where the prices of the
 * goals that are filled are added at the end of a solution. If only the existence of a solution matters, it is greedy
 * best-first search. The estimate is consistent, because a push changes the least cost of only one box, by at most one.
 * If the search has to give up, the cost of the cheapest open entry is a lower bound for all solutions. */
#include "domain/sokoban/pattern/pattern.h"

#include "domain/sokoban/region.h"

#include "base/hash.h"
#include "base/matching.h"

#include <stdlib.h>

#define BUCKETS 512
#define CHAINS 1024
#define MOST_ENTRIES (3 * PATTERN_MOST_NODES)
#define NOTHING UINT16_MAX
#define OFF_BOARD UINT16_MAX /* stands for the square of a box that was removed; sorts last */

struct position {
    uint16_t box[PATTERN_MOST_BOXES];
    uint16_t player, parent, push, same; /* same: the next position of the hash chain */
    int32_t cost, estimate;
};

/* An entry of the open list. last: this is the end of a solution: all boxes are on goals, and the prices of these goals
 * are added to the cost. */
struct entry {
    uint16_t position, below;
    bool last;
    int32_t cost;
};

struct pattern_room {
    const struct sokoban *game;
    const int32_t *estimate, *price;
    enum pattern_kind kind;
    int boxes, limit, count, entries, lowest;
    int32_t base;                 /* estimate of the first position */
    uint64_t zone[SOKOBAN_WORDS]; /* a box that leaves these squares is removed from the board */
    bool full;
    uint16_t bucket[BUCKETS], chain[CHAINS];
    struct position position[PATTERN_MOST_NODES];
    struct entry entry[MOST_ENTRIES];
};

static uint16_t *chain_of(struct pattern_room *s, const struct position *p) {
    uint64_t hash = p->player;
    for (int i = 0; i < s->boxes; i++)
        hash = (hash ^ p->box[i]) * 0x9e3779b97f4a7c15u;
    return &s->chain[hash_mix(hash) % CHAINS];
}

static uint16_t find_position(struct pattern_room *s, const struct position *p, const uint16_t *chain) {
    uint16_t at = *chain;
    while (at != NOTHING && (s->position[at].player != p->player ||
                             memcmp(s->position[at].box, p->box, (size_t)s->boxes * sizeof *p->box) != 0))
        at = s->position[at].same;
    return at;
}

static void open_entry(struct pattern_room *s, uint16_t at, bool last, int32_t cost, int32_t estimate) {
    int32_t priority = s->kind == PATTERN_PENALTY ? cost + estimate - s->base : estimate;
    int bucket = priority < 0 ? 0 : priority >= BUCKETS ? BUCKETS - 1 : priority;
    if (s->entries == MOST_ENTRIES) {
        s->full = true;
        return;
    }
    s->entry[s->entries] = (struct entry){at, s->bucket[bucket], last, cost};
    s->bucket[bucket] = (uint16_t)s->entries++;
    s->lowest = bucket < s->lowest ? bucket : s->lowest;
}

/* Opens a position if it is new, or reached at lower cost than before. */
static void reach_position(struct pattern_room *s, const struct position *p) {
    uint16_t *chain = chain_of(s, p), at = find_position(s, p, chain);
    if (at != NOTHING) {
        struct position *known = &s->position[at];
        if (s->kind == PATTERN_DEADLOCK || known->cost <= p->cost)
            return;
        uint16_t same = known->same;
        *known = *p;
        known->same = same;
    } else if (s->count == s->limit) {
        s->full = true;
        return;
    } else {
        at = (uint16_t)s->count++;
        s->position[at] = *p;
        s->position[at].same = *chain;
        *chain = at;
    }
    open_entry(s, at, false, p->cost, p->estimate);
}

/* If all boxes are on goals, opens an entry for the end of the solution, at the price of these goals. */
static void reach_end(struct pattern_room *s, uint16_t at) {
    const struct position *p = &s->position[at];
    int32_t price = 0;
    for (int i = 0; i < s->boxes && p->box[i] != OFF_BOARD; i++) {
        if (!bitset_has(s->game->goal, p->box[i]))
            return;
        price += s->price[p->box[i]];
    }
    open_entry(s, at, true, p->cost, price);
}

static void move_box(struct position *p, int boxes, int from, int to) {
    int i = 0;
    while (p->box[i] != from)
        i++;
    for (; i > 0 && p->box[i - 1] > to; i--)
        p->box[i] = p->box[i - 1];
    for (; i + 1 < boxes && p->box[i + 1] < to; i++)
        p->box[i] = p->box[i + 1];
    p->box[i] = (uint16_t)to;
}

/* Pushes a box but does not move the player. If the box leaves the zone, its estimate is added to the cost, and it
 * counts as solved. */
static void push_box(const struct pattern_room *s, struct position *p, int from, int to) {
    int32_t rest = s->estimate[sokoban_post(s->game, to, from)];
    bool stays = bitset_has(s->zone, (unsigned)to);
    p->cost += stays ? 1 : 1 + rest;
    p->estimate += (stays ? rest : 0) - s->estimate[sokoban_post(s->game, from, p->player)];
    move_box(p, s->boxes, from, stays ? to : OFF_BOARD);
}

/* The least square of the player's region after a push from `from` whose box was removed from the board. */
BOARD_INLINE int least_without(const struct sokoban *game, const uint64_t *boxes, int from, int n) {
    uint64_t rest[SOKOBAN_WORDS];
    for (int i = 0; i < n; i++)
        rest[i] = boxes[i] & ~board_one(from, i);
    return sokoban_least(game, rest, from);
}

/* Moves the pushes of the box that was pushed last to the end of the list. Among equal entries the newest is expanded
 * first, so that the search first goes on pushing this box. */
static int last_box_last(soloist_move *moves, int count, int push, const struct sokoban *game) {
    soloist_move last[4];
    int left = 0, lasts = 0, box = push < 0 ? -1 : (push >> 2) + game->step[push & 3];
    for (int i = 0; i < count; i++)
        if ((int)(moves[i] >> 2) == box)
            last[lasts++] = moves[i];
        else
            moves[left++] = moves[i];
    memcpy(moves + left, last, (size_t)lasts * sizeof *last);
    return count;
}

BOARD_INLINE void expand(struct pattern_room *s, uint16_t at, int n) {
    const struct sokoban *game = s->game;
    const struct position before = s->position[at];
    uint64_t boxes[SOKOBAN_WORDS], targets[4][SOKOBAN_WORDS], pushes[4][SOKOBAN_WORDS];
    soloist_move moves[4 * PATTERN_MOST_BOXES];
    struct region region;
    for (int i = 0; i < n; i++)
        boxes[i] = 0;
    for (int i = 0; i < s->boxes && before.box[i] != OFF_BOARD; i++)
        bitset_add(boxes, before.box[i]);
    region_open(&region, game, boxes, before.player, n);
    for (int d = 0; d < 4; d++)
        for (int i = 0; i < n; i++)
            targets[d][i] = game->live.beside[3 - d][i] & ~boxes[i];
    region_pushes(&region, game, boxes, targets, pushes, n);
    int count = last_box_last(moves, region_list(pushes, moves, n), before.parent == NOTHING ? -1 : before.push, game);
    for (int i = 0; i < count && !s->full; i++) {
        int from = (int)(moves[i] >> 2), d = (int)(moves[i] & 3), to = from + game->step[d];
        if (region_push_kills(&region, game, from, d, n))
            continue;
        struct position after = before;
        after.parent = at, after.push = (uint16_t)moves[i];
        push_box(s, &after, from, to);
        after.player =
            (uint16_t)(bitset_has(s->zone, (unsigned)to) ? region_after(&region, game, boxes, from, d, from, n)
                                                         : least_without(game, boxes, from, n));
        reach_position(s, &after);
    }
}

/* Removes and returns the best open entry, or NULL. */
static const struct entry *take_entry(struct pattern_room *s) {
    while (s->lowest < BUCKETS && s->bucket[s->lowest] == NOTHING)
        s->lowest++;
    if (s->lowest == BUCKETS)
        return NULL;
    const struct entry *entry = &s->entry[s->bucket[s->lowest]];
    s->bucket[s->lowest] = entry->below;
    return entry;
}

/* Searches until the end of a solution is expanded, no entry is open, or the memory is full. Returns the final
 * position, or NOTHING. */
BOARD_INLINE uint16_t play(struct pattern_room *s, int n) {
    const struct entry *entry;
    while (!s->full && (entry = take_entry(s))) {
        uint16_t at = entry->position;
        if (entry->last)
            return at;
        if (entry->cost != s->position[at].cost)
            continue;
        reach_end(s, at);
        expand(s, at, n);
    }
    return NOTHING;
}

/* The zone: all squares within pattern_zone steps of the boxes; if that option is 0, the whole floor. */
static void make_zone(struct pattern_room *s, const uint64_t *boxes) {
    const struct sokoban *game = s->game;
    int n = game->words, radius = game->rules.pattern_zone;
    memcpy(s->zone, radius ? boxes : game->floor, (size_t)n * sizeof *s->zone);
    for (int i = 0; i < radius; i++)
        board_step(game->floor, s->zone, game->stride, n);
}

static void begin(struct pattern_room *s, const uint64_t *boxes, int player) {
    const struct sokoban *game = s->game;
    struct position first = {.parent = NOTHING};
    memset(s->bucket, 255, sizeof s->bucket);
    memset(s->chain, 255, sizeof s->chain);
    s->boxes = s->count = s->entries = s->lowest = 0;
    s->full = false;
    for (BITSET_EACH(box, boxes, (size_t)game->words)) {
        first.box[s->boxes++] = (uint16_t)box;
        first.estimate += s->estimate[sokoban_post(game, box, player)];
    }
    s->base = first.estimate;
    make_zone(s, boxes);
    first.player = (uint16_t)sokoban_least(game, boxes, player);
    reach_position(s, &first);
}

/* Distances in steps from `from`, up to the distance of `to`, which must be reachable; -1 for squares further away. */
static void walk_to(const struct sokoban *game, const uint64_t *boxes, int from, int to, int16_t *distance) {
    uint64_t free[SOKOBAN_WORDS], reach[SOKOBAN_WORDS] = {0}, known[SOKOBAN_WORDS] = {0};
    int n = game->words;
    for (int i = 0; i < n; i++)
        free[i] = game->floor[i] & ~boxes[i];
    memset(distance, -1, (size_t)game->size * sizeof *distance);
    bitset_add(reach, (unsigned)from);
    for (int16_t steps = 0; distance[to] < 0; steps++) {
        for (int i = 0; i < n; i++)
            for (uint64_t fresh = reach[i] & ~known[i]; fresh; fresh &= fresh - 1)
                distance[i * 64 + bits_lowest(fresh)] = steps;
        memcpy(known, reach, (size_t)n * sizeof *known);
        board_step(free, reach, game->stride, n);
    }
}

void pattern_use_walk(const struct sokoban *game, const uint64_t *boxes, int from, int to, uint64_t *used) {
    int16_t distance[SOKOBAN_WORDS * 64];
    walk_to(game, boxes, from, to, distance);
    bitset_add(used, (unsigned)to);
    for (int at = to; distance[at] > 0;) {
        int d = 0, wanted = distance[at] - 1;
        while (!sokoban_is_floor(game, at + game->step[d]) || distance[at + game->step[d]] != wanted)
            d++;
        at += game->step[d];
        bitset_add(used, (unsigned)at);
    }
}

/* Replays a solution and records the squares that boxes and player use after his first walk. */
static void use_solution(const struct pattern_room *s, uint16_t end, const uint64_t *first,
                         struct pattern_finding *finding) {
    const struct sokoban *game = s->game;
    uint64_t *used = finding->used;
    uint64_t boxes[SOKOBAN_WORDS];
    uint16_t path[PATTERN_MOST_NODES];
    int length = 0;
    memset(used, 0, (size_t)game->words * sizeof *used);
    memcpy(boxes, first, (size_t)game->words * sizeof *boxes);
    for (uint16_t at = end; s->position[at].parent != NOTHING; at = s->position[at].parent)
        path[length++] = s->position[at].push;
    for (int player = finding->stand = -1; length--;) {
        int from = path[length] >> 2, step = game->step[path[length] & 3];
        if (player < 0)
            finding->stand = from - step;
        else if (player != from - step)
            pattern_use_walk(game, boxes, player, from - step, used);
        bitset_remove(boxes, (unsigned)from);
        bitset_add(used, (unsigned)(from + step));
        if (bitset_has(s->zone, (unsigned)(from + step)))
            bitset_add(boxes, (unsigned)(from + step));
        player = from;
    }
}

/* How much the matching bound of the set exceeds the sum of its boxes' estimates (Rolling Stone's penalty). */
static int32_t matching_surplus(const struct pattern_room *s, const uint64_t *boxes, int player) {
    const struct sokoban *game = s->game;
    const int32_t *row[PATTERN_MOST_BOXES];
    uint64_t block[MATCHING_MOST_SIZE / sizeof(uint64_t)];
    struct matching *matching = (struct matching *)(void *)block;
    int rows = 0;
    for (BITSET_EACH(box, boxes, (size_t)game->words))
        row[rows++] = game->pushes + (ptrdiff_t)sokoban_post(game, box, player) * game->goals;
    matching_open(matching, s->boxes, game->goals);
    int32_t total = matching_solve(matching, row);
    return total == MATCHING_NEVER ? 0 : total - s->base;
}

static int32_t value_of(const struct pattern_room *s, uint16_t end, const uint64_t *boxes, int player) {
    int32_t value = s->lowest;
    if (end == NOTHING && !s->full)
        return SOKOBAN_NEVER;
    if (s->kind == PATTERN_DEADLOCK)
        return 0;
    if (s->game->rules.penalties == SOKOBAN_PENALTIES_ROLLING_STONE)
        value -= matching_surplus(s, boxes, player);
    return value < 0 ? 0 : value;
}

static struct pattern_room *take_room(struct patterns *patterns) {
    for (int i = 0; i < PATTERN_MOST_ROOMS; i++) {
        if (!atomic_load_explicit(&patterns->room[i], memory_order_relaxed))
            continue;
        struct pattern_room *room = atomic_exchange_explicit(&patterns->room[i], NULL, memory_order_acquire);
        if (room)
            return room;
    }
    return malloc(sizeof(struct pattern_room));
}

static void give_room_back(struct patterns *patterns, struct pattern_room *room) {
    for (int i = 0; i < PATTERN_MOST_ROOMS; i++) {
        struct pattern_room *none = NULL;
        if (!atomic_load_explicit(&patterns->room[i], memory_order_relaxed) &&
            atomic_compare_exchange_strong_explicit(&patterns->room[i], &none, room, memory_order_release,
                                                    memory_order_relaxed))
            return;
    }
    free(room);
}

bool pattern_rooms_make(struct patterns *patterns) {
    struct pattern_room *room = take_room(patterns);
    if (room)
        give_room_back(patterns, room);
    return room;
}

void pattern_rooms_free(struct patterns *patterns) {
    for (int i = 0; i < PATTERN_MOST_ROOMS; i++)
        free(atomic_load(&patterns->room[i]));
}

void pattern_search(const struct sokoban *game, enum pattern_kind kind, const uint64_t *boxes, int player,
                    struct pattern_finding *finding) {
    struct pattern_room *small = take_room(game->patterns);
    uint16_t end = NOTHING;
    finding->value = 0;
    finding->solved = false;
    if (!small)
        return;
    small->game = game, small->kind = kind;
    small->estimate = game->patterns->estimate[kind], small->price = game->patterns->price[kind];
    small->limit = kind == PATTERN_PENALTY ? game->rules.penalty_nodes : game->rules.deadlock_nodes;
    begin(small, boxes, player);
    SOKOBAN_BY_WORDS(game, end = play(small, n));
    finding->value = value_of(small, end, boxes, player);
    finding->solved = end != NOTHING;
    if (finding->solved)
        use_solution(small, end, boxes, finding);
    give_room_back(game->patterns, small);
}
