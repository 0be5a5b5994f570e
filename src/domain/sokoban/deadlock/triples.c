/* Exact triple deadlocks (D5, D7): as in pairs.c for two boxes, the game with only three boxes is solved backwards, by
 * pulls from every set of three goals. The table for the game played backwards is made by pushes from every three boxes
 * of the root. Three boxes that are lost without other boxes on the board are lost in every position, and stay lost;
 * after a push, only sets that contain the pushed box must be checked. Lost sets that contain a lost pair are not
 * stored; in most levels, one set in several hundred remains to be stored.
 *
 * Each set of three box squares has one row of bits: the player's squares from which it can be solved. There are about
 * live^3 / 6 rows, and for every row the floor is flooded only a few times. The option's limit on the number of rows
 * therefore also limits the time. */
#include "domain/sokoban/deadlock/triples.h"

#include "domain/sokoban/deadlock/pairs.h"

#include <stdlib.h>

#define MOST_SCRATCH ((size_t)1 << 22) /* maximum number of words in `solved`: 32 MB */
/* Number of sets that are solved in the time that a search needs for one state: a set takes 0.3 to 0.5 microseconds, a
 * state 1 microsecond on small levels and 2.5 on large ones. */
#define SETS_A_STATE 2
#define MOST_LOST ((size_t)1 << 20) /* maximum number of words in the rows of lost sets: 8 MB */

/* A position of the game with three boxes; their squares are in falling order. */
struct position {
    uint16_t box[3], player;
};

struct solver {
    const struct sokoban *game;
    struct sokoban_triples *triples;
    bool backward;
    const uint64_t *alive;
    uint16_t *square; /* [live] */
    /* [size]: what each square adds to the number of a set in which it is the highest, middle or lowest square. */
    uint32_t (*rank)[3];
    size_t sets;
    uint64_t *solved; /* [sets][words] */
    struct position *stack;
    size_t height, room;
    bool full;
    struct board free; /* the floor without the boxes being examined */
};

/* The number of subsets of `of` elements of a set of `count` elements. */
static size_t choose(size_t count, int of) {
    return of == 1 ? count : of == 2 ? count * (count - 1) / 2 : count * (count - 1) * (count - 2) / 6;
}

static uint64_t *row_of(const struct solver *s, const uint16_t *box) {
    size_t set = s->rank[box[0]][0] + s->rank[box[1]][1] + s->rank[box[2]][2];
    return s->solved + set * (size_t)s->game->words;
}

/* Sorts three squares into falling order. */
static void sort(uint16_t *box) {
    for (int i = 0; i < 3; i++) {
        uint16_t *at = box + (i & 1), high = at[0] > at[1] ? at[0] : at[1];
        at[1] = at[0] > at[1] ? at[1] : at[0];
        at[0] = high;
    }
}

/* Puts a position on the stack unless it is already marked as solved. */
static void reach_position(struct solver *s, struct position *p, int player) {
    p->player = (uint16_t)player;
    sort(p->box);
    if (bitset_has(row_of(s, p->box), (unsigned)player))
        return;
    if (s->height == s->room) {
        size_t room = s->room ? 2 * s->room : 1024;
        struct position *grown = realloc(s->stack, room * sizeof *grown);
        s->full |= !grown;
        if (!grown)
            return;
        s->stack = grown;
        s->room = room;
    }
    s->stack[s->height++] = *p;
}

static void take_square(struct solver *s, int square) {
    s->free.all[1 + (square >> 6)] ^= UINT64_C(1) << (square & 63);
}

/* Finds the part of the floor that the player is in. If the free squares around each box are connected, this is the
 * whole floor. */
BOARD_INLINE void find_part(struct solver *s, const uint16_t *box, int player, uint64_t *part, int n) {
    const struct sokoban *game = s->game;
    bool joined = true;
    for (int i = 0; i < 3; i++) {
        joined = joined && bitset_has(game->ring_joined, board_ring(&s->free, box[i], game->stride));
        take_square(s, box[i]);
    }
    for (int i = 0; i < n; i++)
        part[i] = joined ? s->free.all[i + 1] : board_one(player, i);
    if (!joined)
        board_flood(s->free.all + 1, part, -1, game->stride, n);
    for (int i = 0; i < 3; i++)
        take_square(s, box[i]);
}

/* Marks the positions from which a push of this box leads to the position p. */
static void pull_box(struct solver *s, const struct position *p, int which, const struct board *part) {
    const struct sokoban *game = s->game;
    for (int d = 0; d < 4; d++) {
        int to = p->box[which] + game->step[d], player = to + game->step[d];
        if (!board_has(part, to) || s->triples->number[to] < 0 || !board_has(part, player))
            continue;
        struct position before = *p;
        before.box[which] = (uint16_t)to;
        reach_position(s, &before, player);
    }
}

/* Marks the positions after every push of one box. */
static void push_box(struct solver *s, const struct position *p, int which, const struct board *part) {
    const struct sokoban *game = s->game;
    int box = p->box[which], other = p->box[which ? 0 : 1], third = p->box[which == 2 ? 1 : 2];
    for (int d = 0; d < 4; d++) {
        int to = box + game->step[d];
        if (!board_has(part, box - game->step[d]) || !sokoban_is_floor(game, to) || s->triples->number[to] < 0 ||
            to == other || to == third)
            continue;
        struct position after = *p;
        after.box[which] = (uint16_t)to;
        reach_position(s, &after, box);
    }
}

BOARD_INLINE void solve(struct solver *s, int n) {
    struct board part;
    uint64_t *squares = board_open(&part, n);
    for (unsigned steps = 1; s->height && !s->full; steps++) {
        if (steps % 4096 == 0)
            s->full = soloist_stopped(s->game->stop);
        struct position p = s->stack[--s->height];
        uint64_t *row = row_of(s, p.box);
        if (bitset_has(row, p.player))
            continue;
        find_part(s, p.box, p.player, squares, n);
        for (int i = 0; i < n; i++)
            row[i] |= squares[i];
        for (int which = 0; which < 3; which++)
            if (s->backward)
                push_box(s, &p, which, &part);
            else
                pull_box(s, &p, which, &part);
    }
}

/* Starts with the player in every part of the floor; in the game played backwards, only in the root's part. */
static void start_at(struct solver *s, struct position p) {
    const struct sokoban *game = s->game;
    for (int i = 0; i < 3; i++)
        if (s->triples->number[p.box[i]] < 0)
            return;
    if (s->backward)
        reach_position(s, &p, game->root_player);
    for (BITSET_EACH(at, game->floor, (size_t)game->words))
        if (!s->backward && at != p.box[0] && at != p.box[1] && at != p.box[2])
            reach_position(s, &p, at);
}

static void start(struct solver *s) {
    const struct sokoban *game = s->game;
    uint16_t ends[SOKOBAN_WORDS * 64];
    int count = 0;
    for (BITSET_EACH(at, s->backward ? game->root_boxes : game->goal, (size_t)game->words))
        ends[count++] = (uint16_t)at;
    for (int i = 0; i < count; i++)
        for (int j = 0; j < i; j++)
            for (int k = 0; k < j; k++) {
                start_at(s, (struct position){{ends[i], ends[j], ends[k]}, 0});
                SOKOBAN_BY_WORDS(game, solve(s, n));
            }
}

/* Whether other rules already detect that the position is lost, because of one box or of two boxes. */
static bool is_seen(const struct solver *s, const uint16_t *box, int player) {
    const struct sokoban *game = s->game;
    const struct sokoban_pairs *pairs = s->backward ? game->reverse_pairs : game->pairs;
    const int32_t *table = s->backward ? game->from_root : game->pushes;
    int columns = s->backward ? game->boxes : game->goals;
    uint64_t set[SOKOBAN_WORDS] = {0};
    bool seen = false;
    for (int i = 0; i < 3; i++) {
        const int32_t *row = table + (ptrdiff_t)sokoban_post(game, box[i], player) * columns;
        bool alive = false;
        for (int c = 0; c < columns && !alive; c++)
            alive = row[c] != SOKOBAN_NEVER;
        seen |= !alive;
        bitset_add(set, box[i]);
    }
    for (int i = 0; i < 3 && pairs && !seen; i++)
        seen = pairs_lose(pairs, set, box[i], player, game->words);
    return seen;
}

/* Finds the player's squares for which a set is lost and no other rule detects it. False: there are none. */
static bool find_lost(struct solver *s, const uint16_t *box, uint64_t *lost, bool *all) {
    const struct sokoban *game = s->game;
    const uint64_t *row = row_of(s, box);
    uint64_t rest[SOKOBAN_WORDS], part[SOKOBAN_WORDS];
    int n = game->words;
    *all = true;
    for (int i = 0; i < n; i++) {
        rest[i] = game->floor[i] & ~row[i] & ~board_one(box[0], i) & ~board_one(box[1], i) & ~board_one(box[2], i);
        *all &= !row[i];
        lost[i] = 0;
    }
    for (int at; (at = board_lowest(rest, n)) >= 0;) {
        find_part(s, box, at, part, n);
        bool seen = is_seen(s, box, at);
        for (int i = 0; i < n; i++) {
            rest[i] &= ~part[i];
            lost[i] |= seen ? 0 : part[i];
        }
    }
    return !board_empty(lost, n);
}

/* The lost sets, their squares in falling order, each with its row of `lost`. */
struct lost_sets {
    struct lost_set {
        uint16_t box[3];
        uint32_t row;
    } * set;
    size_t count, room, rows_room;
};

static bool add_row(struct sokoban_triples *t, struct lost_sets *sets, const uint64_t *lost, int n) {
    if (t->rows == sets->rows_room) {
        size_t room = sets->rows_room ? 2 * sets->rows_room : 256;
        uint64_t *grown = realloc(t->lost, room * (size_t)n * sizeof *grown);
        if (!grown)
            return false;
        t->lost = grown;
        sets->rows_room = room;
    }
    memcpy(t->lost + t->rows++ * (size_t)n, lost, (size_t)n * sizeof *lost);
    return true;
}

static bool add_set(struct lost_sets *sets, const uint16_t *box, uint32_t row) {
    if (sets->count == sets->room) {
        size_t room = sets->room ? 2 * sets->room : 256;
        struct lost_set *grown = realloc(sets->set, room * sizeof *grown);
        if (!grown)
            return false;
        sets->set = grown;
        sets->room = room;
    }
    sets->set[sets->count++] = (struct lost_set){{box[0], box[1], box[2]}, row};
    return true;
}

static bool keep_lost(struct solver *s, struct lost_sets *sets) {
    struct sokoban_triples *t = s->triples;
    int n = s->game->words;
    uint64_t lost[SOKOBAN_WORDS];
    for (int i = 0; i < t->live; i++)
        for (int j = 0; j < i; j++) {
            if (soloist_stopped(s->game->stop))
                return false;
            for (int k = 0; k < j; k++) {
                const uint16_t box[3] = {s->square[i], s->square[j], s->square[k]};
                bool all;
                if (!find_lost(s, box, lost, &all) || (!all && t->rows * (size_t)n >= MOST_LOST))
                    continue;
                if (!add_set(sets, box, all ? TRIPLES_ALL : (uint32_t)t->rows) || (!all && !add_row(t, sets, lost, n)))
                    return false;
            }
        }
    return true;
}

/* Enters a lost set under the pair of its square number `which` and the lower of its other two squares. The higher of
 * the two is then the third square. */
static void list_third(struct sokoban_triples *t, const struct lost_set *set, int which, bool placing, int n) {
    int high = set->box[which ? 0 : 1], low = set->box[which == 2 ? 1 : 2];
    ptrdiff_t number = t->number[set->box[which]], pair = number * t->live + t->number[low];
    if (!placing) {
        t->first[pair + 2]++;
        bitset_add(t->second + number * n, (unsigned)low);
        bitset_add(t->higher + pair * n, (unsigned)high);
    } else {
        t->third[t->first[pair + 1]++] = (struct sokoban_third){(uint16_t)high, set->row};
    }
}

/* Lists the third squares for every two squares: counts them first, then puts each in its place. */
static bool list_thirds(struct sokoban_triples *t, const struct lost_sets *sets, int n) {
    size_t pairs = (size_t)t->live * (size_t)t->live;
    t->count = 3 * sets->count;
    t->first = calloc(pairs + 2, sizeof *t->first);
    t->third = malloc((t->count + 1) * sizeof *t->third);
    if (!t->first || !t->third)
        return false;
    for (int placing = 0; placing < 2; placing++) {
        for (size_t i = 0; i < t->count; i++)
            list_third(t, &sets->set[i / 3], (int)(i % 3), placing, n);
        for (size_t pair = 2; pair < pairs + 2 && !placing; pair++)
            t->first[pair] += t->first[pair - 1];
    }
    return true;
}

static bool number_squares(struct solver *s) {
    const struct sokoban *game = s->game;
    struct sokoban_triples *t = s->triples;
    t->number = malloc((size_t)game->size * sizeof *t->number);
    s->square = malloc((size_t)game->size * sizeof *s->square);
    s->rank = malloc((size_t)game->size * sizeof *s->rank);
    if (!t->number || !s->square || !s->rank)
        return false;
    memset(t->number, -1, (size_t)game->size * sizeof *t->number);
    for (BITSET_EACH(at, s->alive, (size_t)game->words)) {
        for (int i = 0; i < 3; i++)
            s->rank[at][i] = (uint32_t)choose((size_t)t->live, 3 - i);
        s->square[t->live] = (uint16_t)at;
        t->number[at] = (int16_t)t->live++;
    }
    return true;
}

static bool fill(struct solver *s) {
    struct sokoban_triples *t = s->triples;
    struct lost_sets sets = {0};
    size_t n = (size_t)s->game->words;
    if (!number_squares(s))
        return false;
    size_t live = (size_t)t->live;
    t->second = calloc(live * n, sizeof *t->second);
    t->higher = calloc(live * live * n, sizeof *t->higher);
    s->solved = calloc(s->sets * n, sizeof *s->solved);
    if (!t->second || !t->higher || !s->solved)
        return false;
    memcpy(board_open(&s->free, s->game->words), s->game->floor, n * sizeof *s->game->floor);
    start(s);
    bool good = !s->full && keep_lost(s, &sets) && list_thirds(t, &sets, s->game->words);
    free(sets.set);
    return good;
}

static const uint64_t *alive_of(const struct sokoban *game, bool backward) {
    return backward ? game->reached.some : game->live.some;
}

static size_t count_sets(const struct sokoban *game, bool backward) {
    size_t live = (size_t)bitset_count(alive_of(game, backward), (size_t)game->words);
    return live < 3 ? 0 : choose(live, 3);
}

static void free_table(struct sokoban_triples *t) {
    if (!t)
        return;
    void *owned[] = {t->number, t->second, t->higher, t->first, t->third, t->lost, t};
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++)
        free(owned[i]);
}

/* Returns NULL if there is no memory or no time; the search then does without a table. */
static struct sokoban_triples *make(const struct sokoban *game, bool backward) {
    struct solver s = {.game = game, .backward = backward, .alive = alive_of(game, backward)};
    s.sets = count_sets(game, backward);
    s.triples = calloc(1, sizeof *s.triples);
    bool good = s.triples && fill(&s);
    free(s.square);
    free(s.rank);
    free(s.solved);
    free(s.stack);
    if (good)
        return s.triples;
    free_table(s.triples);
    return NULL;
}

void sokoban_triples_build(const struct sokoban *game, bool backward) {
    struct triples_late *late = game->triples;
    if (late->due[backward] && !atomic_flag_test_and_set(&late->begun[backward]))
        atomic_store_explicit(&late->table[backward], make(game, backward), memory_order_release);
}

bool sokoban_triples_make(struct sokoban *game) {
    int least = game->rules.pairs == SOKOBAN_PAIRS_AUTO ? SOKOBAN_TRIPLES_BOXES : 3;
    if (!game->rules.triples || game->boxes < least)
        return true;
    struct triples_late *late = game->triples = calloc(1, sizeof *late);
    for (int backward = 0; late && backward < (game->rules.exact ? 1 : 2); backward++) {
        size_t sets = count_sets(game, backward);
        atomic_flag_clear(&late->begun[backward]);
        if (sets && sets <= 1000 * (size_t)game->rules.triples && sets * (size_t)game->words <= MOST_SCRATCH)
            late->due[backward] = sets / SETS_A_STATE + 1;
    }
    return late;
}

void sokoban_triples_free(struct triples_late *late) {
    for (int backward = 0; late && backward < 2; backward++)
        free_table(atomic_load(&late->table[backward]));
    free(late);
}

/* Tests each box together with the boxes on higher squares. */
BOARD_INLINE bool any_lost(const struct sokoban_triples *t, const uint64_t *boxes, int player, int n) {
    uint64_t rest[SOKOBAN_WORDS];
    for (int i = 0; i < n; i++)
        rest[i] = boxes[i];
    for (int i = 0; i < n; i++)
        while (rest[i]) {
            int box = i * 64 + bits_lowest(rest[i]);
            rest[i] &= rest[i] - 1;
            if (triples_lose(t, rest, box, player, n))
                return true;
        }
    return false;
}

bool sokoban_has_lost_triple(const struct sokoban *game, const struct sokoban_state *state, bool backward) {
    const struct sokoban_triples *t = triples_of(game, backward);
    bool lost = false;
    if (t)
        SOKOBAN_BY_WORDS(game, lost = any_lost(t, state->boxes, (int)state->player, n));
    return lost;
}
