/* Exact pair deadlocks (D5, D7): the game with only two boxes is solved backwards, by pulls from every pair of goals,
 * for every pair of live squares and every part of the floor that the player can be in. Other boxes only make pushes
 * impossible: two boxes that cannot both reach goals without other boxes on the board are lost in every position. For a
 * pair without the pushed box, a push is only a walk of the player and does not change whether the pair is lost. After
 * a push, it is therefore enough to check the pairs that contain the pushed box.
 *
 * The table for the game played backwards is made in the same way, by pushes from every pair of the root's boxes: two
 * boxes that cannot both have come from the root are lost. */
#include "domain/sokoban/deadlock/pairs.h"

#include <stdlib.h>

/* Larger boards would take too long: maximum number of live squares, and of pairs of them times squares of the board.
 */
#define MOST_SQUARES 256
#define MOST_WORK ((size_t)1 << 25)
/* With fewer boxes it takes longer to make the table than to search without it: for a level of Boxoban, which has four
 * boxes, the table takes 0.2 ms, and A* solves the level in the same time. */
#define LEAST_BOXES 5

/* A position of the game with two boxes: the numbers of their live squares, and the part of the floor that the player
 * is in. */
struct position {
    uint8_t first, second, part;
};

struct solver {
    const struct sokoban *game;
    soloist_stop_token *stop;
    bool backward;         /* solve the game played backwards */
    const uint64_t *alive; /* squares where a lone box is not lost */
    int live;
    int16_t *number;    /* [size]: number of each live square, counted from 0; -1: the square is not live */
    uint16_t *square;   /* [live] */
    uint32_t *position; /* [live][live]: number of each pair's first position; symmetric */
    int32_t *row;       /* [live][live]: index of each pair's row in `parts`; -1: the pair does not divide the floor */
    uint8_t *parts;     /* [rows][size] */
    size_t rows, rows_room, positions;
    uint8_t *solved; /* [positions] */
    struct position *queue;
    size_t head, tail;
};

static bool number_squares(struct solver *s) {
    const struct sokoban *game = s->game;
    s->number = malloc((size_t)game->size * sizeof *s->number);
    s->square = malloc(MOST_SQUARES * sizeof *s->square);
    if (!s->number || !s->square)
        return false;
    memset(s->number, -1, (size_t)game->size * sizeof *s->number);
    for (BITSET_EACH(at, s->alive, (size_t)game->words)) {
        s->square[s->live] = (uint16_t)at;
        s->number[at] = (int16_t)s->live++;
    }
    return true;
}

static bool grow_rows(struct solver *s) {
    if (s->rows < s->rows_room)
        return true;
    size_t room = s->rows_room ? 2 * s->rows_room : 64;
    uint8_t *grown = realloc(s->parts, room * (size_t)s->game->size);
    if (!grown)
        return false;
    s->parts = grown;
    s->rows_room = room;
    return true;
}

/* Numbers the parts into which two boxes divide the floor; *count: how many there are. False if there is no memory. */
static bool number_parts(struct solver *s, int a, int b, int *count) {
    const struct sokoban *game = s->game;
    uint64_t boxes[SOKOBAN_WORDS] = {0}, rest[SOKOBAN_WORDS], reach[SOKOBAN_WORDS];
    int n = game->words;
    *count = 0;
    bitset_add(boxes, (unsigned)a);
    bitset_add(boxes, (unsigned)b);
    for (int i = 0; i < n; i++)
        rest[i] = game->floor[i] & ~boxes[i];
    for (int least; (least = board_lowest(rest, n)) >= 0; ++*count) {
        sokoban_reach(game, boxes, least, reach);
        for (int i = 0; i < n; i++)
            rest[i] &= ~reach[i];
        if (!*count && board_empty(rest, n))
            break;
        if (!*count && !grow_rows(s))
            return false;
        for (BITSET_EACH(at, reach, (size_t)n))
            s->parts[s->rows * (size_t)game->size + (size_t)at] = (uint8_t)*count;
    }
    return true;
}

static bool number_positions(struct solver *s) {
    size_t pairs = (size_t)s->live * (size_t)s->live;
    s->position = calloc(pairs, sizeof *s->position);
    s->row = calloc(pairs, sizeof *s->row);
    if (!s->position || !s->row)
        return false;
    for (int i = 0; i < s->live && !soloist_stopped(s->stop); i++)
        for (int j = 0; j < i; j++) {
            int count, at[2] = {i * s->live + j, j * s->live + i};
            if (!number_parts(s, s->square[i], s->square[j], &count))
                return false;
            for (int k = 0; k < 2; k++) {
                s->position[at[k]] = (uint32_t)s->positions;
                s->row[at[k]] = count ? (int32_t)s->rows : -1;
            }
            s->rows += count > 0;
            s->positions += count ? (size_t)count : 1;
        }
    if (soloist_stopped(s->stop))
        return false;
    s->solved = calloc(s->positions, 1);
    s->queue = malloc(s->positions * sizeof *s->queue);
    return s->solved && s->queue;
}

static int part_of(const struct solver *s, int pair, int player) {
    int32_t row = s->row[pair];
    return row < 0 ? 0 : s->parts[(size_t)row * (size_t)s->game->size + (size_t)player];
}

static int part_count(const struct solver *s, int pair) {
    int32_t row = s->row[pair];
    int most = 0;
    for (BITSET_EACH(at, s->game->floor, (size_t)s->game->words))
        if (row >= 0 && s->number[at] != pair / s->live && s->number[at] != pair % s->live)
            most = part_of(s, pair, at) > most ? part_of(s, pair, at) : most;
    return most + 1;
}

static void reach_position(struct solver *s, int first, int second, int part) {
    uint8_t *solved = &s->solved[s->position[first * s->live + second] + (uint32_t)part];
    if (*solved)
        return;
    *solved = 1;
    s->queue[s->tail++] = (struct position){(uint8_t)first, (uint8_t)second, (uint8_t)part};
}

/* Marks the positions from which a push of the first box leads to this position. */
static void pull_first(struct solver *s, int first, int second, int part) {
    const struct sokoban *game = s->game;
    int other = s->square[second], pair = first * s->live + second;
    for (int d = 0; d < 4; d++) {
        int to = s->square[first] + game->step[d], player = to + game->step[d];
        if (to == other || player == other || !sokoban_is_floor(game, to) || s->number[to] < 0 ||
            !sokoban_is_floor(game, player) || part_of(s, pair, to) != part)
            continue;
        int after = s->number[to] * s->live + second;
        reach_position(s, s->number[to], second, part_of(s, after, player));
    }
}

/* Marks the positions after every push of the first box. */
static void push_first(struct solver *s, int first, int second, int part) {
    const struct sokoban *game = s->game;
    int box = s->square[first], other = s->square[second], pair = first * s->live + second;
    for (int d = 0; d < 4; d++) {
        int to = box + game->step[d], player = box - game->step[d];
        if (to == other || player == other || !sokoban_is_floor(game, to) || s->number[to] < 0 ||
            !sokoban_is_floor(game, player) || part_of(s, pair, player) != part)
            continue;
        int after = s->number[to] * s->live + second;
        reach_position(s, s->number[to], second, part_of(s, after, box));
    }
}

static void start_at_goals(struct solver *s) {
    const struct sokoban *game = s->game;
    for (int g = 0; g < game->goals; g++)
        for (int h = 0; h < g; h++) {
            int first = s->number[game->goal_square[g]], second = s->number[game->goal_square[h]];
            if (first < 0 || second < 0)
                continue;
            int count = part_count(s, first * s->live + second);
            for (int part = 0; part < count; part++)
                reach_position(s, first, second, part);
        }
}

static void start_at_root(struct solver *s) {
    const struct sokoban *game = s->game;
    for (BITSET_EACH(a, game->root_boxes, (size_t)game->words))
        for (BITSET_EACH(b, game->root_boxes, (size_t)game->words)) {
            int first = s->number[a], second = s->number[b];
            if (b >= a)
                break;
            reach_position(s, first, second, part_of(s, first * s->live + second, game->root_player));
        }
}

static void solve(struct solver *s) {
    void (*play)(struct solver *, int, int, int) = s->backward ? push_first : pull_first;
    if (s->backward)
        start_at_root(s);
    else
        start_at_goals(s);
    while (s->head < s->tail && (s->head % 4096 || !soloist_stopped(s->stop))) {
        struct position at = s->queue[s->head++];
        play(s, at.first, at.second, at.part);
        play(s, at.second, at.first, at.part);
    }
}

/* Whether the box is lost even if it is alone on the board, with the player on that square; other rules detect this. */
static bool alone_is_lost(const struct solver *s, int box, int player) {
    const struct sokoban *game = s->game;
    int columns = s->backward ? game->boxes : game->goals;
    const int32_t *table = s->backward ? game->from_root : game->pushes;
    const int32_t *row = table + (ptrdiff_t)sokoban_post(game, box, player) * columns;
    for (int c = 0; c < columns; c++)
        if (row[c] != SOKOBAN_NEVER)
            return false;
    return true;
}

/* Finds the player's squares for which a pair is lost although neither box is lost alone. *any: there are such squares.
 * *all: the pair is lost for all squares for which neither box is lost alone. */
static void find_lost(const struct solver *s, int first, int second, uint64_t *lost, bool *any, bool *all) {
    const struct sokoban *game = s->game;
    int a = s->square[first], b = s->square[second], pair = first * s->live + second;
    memset(lost, 0, (size_t)game->words * sizeof *lost);
    *any = *all = !s->solved[s->position[pair]];
    if (s->row[pair] < 0)
        return;
    *any = false, *all = true;
    for (BITSET_EACH(at, game->floor, (size_t)game->words)) {
        if (at == a || at == b || alone_is_lost(s, a, at) || alone_is_lost(s, b, at))
            continue;
        bool is_lost = !s->solved[s->position[pair] + (uint32_t)part_of(s, pair, at)];
        *any |= is_lost;
        *all &= is_lost;
        if (is_lost)
            bitset_add(lost, (unsigned)at);
    }
}

/* Stores a pair that is lost only with the player on certain squares. */
static bool keep_sided(struct sokoban_pairs *pairs, const struct sokoban *game, int a, int b, const uint64_t *lost,
                       size_t *room) {
    size_t n = (size_t)game->words;
    if (pairs->count == *room) {
        *room = *room ? 2 * *room : 64;
        struct sokoban_pair *grown = realloc(pairs->sided, *room * sizeof *grown);
        uint64_t *words = realloc(pairs->lost, *room * n * sizeof *words);
        pairs->sided = grown ? grown : pairs->sided;
        pairs->lost = words ? words : pairs->lost;
        if (!grown || !words)
            return false;
    }
    memcpy(pairs->lost + pairs->count * n, lost, n * sizeof *lost);
    pairs->sided[pairs->count++] = (struct sokoban_pair){(uint16_t)a, (uint16_t)b};
    bitset_add(pairs->some + (size_t)a * n, (unsigned)b);
    return true;
}

static bool keep_lost(struct sokoban_pairs *pairs, const struct solver *s) {
    const struct sokoban *game = s->game;
    size_t room = 0, n = (size_t)game->words;
    uint64_t lost[SOKOBAN_WORDS];
    for (int i = 0; i < s->live && !soloist_stopped(s->stop); i++) {
        pairs->first[s->square[i]] = (uint32_t)pairs->count;
        for (int j = 0; j < s->live; j++) {
            bool any, all;
            if (i == j)
                continue;
            find_lost(s, i, j, lost, &any, &all);
            if (any && all)
                bitset_add(pairs->all + (size_t)s->square[i] * n, s->square[j]);
            else if (any && !keep_sided(pairs, game, s->square[i], s->square[j], lost, &room))
                return false;
        }
    }
    return true;
}

static void close_solver(struct solver *s) {
    void *owned[] = {s->number, s->square, s->position, s->row, s->parts, s->solved, s->queue};
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++)
        free(owned[i]);
}

/* False if memory runs out or the work is stopped. */
static bool fill(struct sokoban_pairs *pairs, const struct sokoban *game, bool backward, soloist_stop_token *stop) {
    struct solver s = {
        .game = game, .stop = stop, .backward = backward, .alive = backward ? game->reached.some : game->live.some};
    size_t rows = (size_t)game->size * (size_t)game->words;
    pairs->all = calloc(rows, sizeof *pairs->all);
    pairs->some = calloc(rows, sizeof *pairs->some);
    pairs->first = calloc((size_t)game->size, sizeof *pairs->first);
    bool good = pairs->all && pairs->some && pairs->first && number_squares(&s) && number_positions(&s);
    if (good) {
        solve(&s);
        good = keep_lost(pairs, &s) && !soloist_stopped(stop);
    }
    close_solver(&s);
    return good;
}

/* Returns NULL with *good still true if there are too many squares for a table. */
static struct sokoban_pairs *make(const struct sokoban *game, bool backward, soloist_stop_token *stop, bool *good) {
    const uint64_t *alive = backward ? game->reached.some : game->live.some;
    size_t live = (size_t)bitset_count(alive, (size_t)game->words);
    if (live > MOST_SQUARES || live * live / 2 * (size_t)game->size > MOST_WORK)
        return NULL;
    struct sokoban_pairs *pairs = calloc(1, sizeof *pairs);
    *good = *good && pairs && fill(pairs, game, backward, stop);
    return pairs;
}

bool sokoban_pairs_make(struct sokoban *game, soloist_stop_token *stop) {
    int least = game->rules.pairs == SOKOBAN_PAIRS_AUTO ? LEAST_BOXES : 2;
    bool good = true;
    if (game->rules.pairs == SOKOBAN_PAIRS_OFF || game->boxes < least)
        return true;
    game->pairs = make(game, false, stop, &good);
    if (!game->rules.exact)
        game->reverse_pairs = make(game, true, stop, &good);
    return good;
}

void sokoban_pairs_free(struct sokoban_pairs *pairs) {
    if (!pairs)
        return;
    void *owned[] = {pairs->all, pairs->some, pairs->first, pairs->sided, pairs->lost, pairs};
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++)
        free(owned[i]);
}

BOARD_INLINE bool any_lost(const struct sokoban_pairs *pairs, const uint64_t *boxes, int player, int n) {
    for (int i = 0; i < n; i++)
        for (uint64_t left = boxes[i]; left; left &= left - 1)
            if (pairs_lose(pairs, boxes, i * 64 + bits_lowest(left), player, n))
                return true;
    return false;
}

static bool has_lost(const struct sokoban *game, const struct sokoban_pairs *pairs, const struct sokoban_state *state) {
    bool lost = false;
    SOKOBAN_BY_WORDS(game, lost = any_lost(pairs, state->boxes, (int)state->player, n));
    return lost;
}

bool sokoban_has_lost_pair(const struct sokoban *game, const struct sokoban_state *state) {
    return has_lost(game, game->pairs, state);
}

bool sokoban_find_lost_pair(const struct sokoban *game, const struct sokoban_state *state, int pair[2]) {
    size_t words = (size_t)game->words;
    bool lost = false;
    for (BITSET_EACH(a, state->boxes, words))
        for (BITSET_EACH(b, state->boxes, words)) {
            uint64_t both[SOKOBAN_WORDS] = {0};
            bitset_add(both, (unsigned)a);
            bitset_add(both, (unsigned)b);
            SOKOBAN_BY_WORDS(game, lost = any_lost(game->pairs, both, (int)state->player, n));
            pair[0] = a;
            pair[1] = b;
            if (lost)
                return true;
        }
    return false;
}

bool sokoban_has_lost_reverse_pair(const struct sokoban *game, const struct sokoban_state *state) {
    return has_lost(game, game->reverse_pairs, state);
}
