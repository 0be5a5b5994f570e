/* Pattern search: after each push, a set of boxes is grown from the pushed box. As long as another box blocks the set's
 * cheapest solution, that box is added. Sets that are lost or cost more than the bound says are stored. */
#include "domain/sokoban/pattern/pattern.h"

#include "domain/sokoban/macro/macro.h"

#include "base/matching.h"

#include <stdlib.h>

/* The position after a push. to: the pushed box's new square. */
struct push {
    const struct sokoban *game;
    uint64_t boxes[SOKOBAN_WORDS], reach[SOKOBAN_WORDS];
    int to, player;
};

/* The least square of the player's region among only the boxes of the set. */
static int least_among(const struct sokoban *game, const uint64_t *set, int count, int player) {
    if (count > 1)
        return sokoban_least(game, set, player);
    return game->patterns->least[sokoban_post(game, board_lowest(set, game->words), player)];
}

static void look(const struct sokoban *game, enum pattern_kind kind, const uint64_t *boxes, int player,
                 struct pattern_finding *finding) {
    player = least_among(game, boxes, bitset_count(boxes, (size_t)game->words), player);
    if (pattern_recall(game, kind, boxes, player, finding))
        return;
    pattern_search(game, kind, boxes, player, finding);
    pattern_remember(game, kind, boxes, player, finding);
}

static int apart(const struct sokoban *game, int a, int b) {
    return abs(a / game->stride - b / game->stride) + abs(a % game->stride - b % game->stride);
}

/* Of the boxes on squares that the set's solution uses, the one nearest to the pushed box; -1: no box blocks the
 * solution. */
static int box_in_the_way(const struct push *push, const uint64_t *set, struct pattern_finding *finding) {
    const struct sokoban *game = push->game;
    uint64_t in_the_way[SOKOBAN_WORDS] = {0};
    int nearest = -1;
    if (finding->stand >= 0 && !bitset_has(push->reach, (unsigned)finding->stand))
        pattern_use_walk(game, set, push->player, finding->stand, finding->used);
    for (int i = 0; i < game->words; i++)
        in_the_way[i] = push->boxes[i] & ~set[i] & finding->used[i];
    for (BITSET_EACH(box, in_the_way, (size_t)game->words))
        if (nearest < 0 || apart(game, box, push->to) < apart(game, nearest, push->to))
            nearest = box;
    return nearest;
}

/* Removes boxes from the set as long as its value stays the same, and stores the pattern. */
static void learn(const struct push *push, enum pattern_kind kind, const uint64_t *found, int32_t value) {
    const struct sokoban *game = push->game;
    struct pattern_finding finding;
    uint64_t set[SOKOBAN_WORDS];
    memcpy(set, found, (size_t)game->words * sizeof *set);
    for (BITSET_EACH(box, found, (size_t)game->words)) {
        bitset_remove(set, (unsigned)box);
        finding.value = 0;
        if (!board_empty(set, game->words))
            look(game, kind, set, push->player, &finding);
        if (finding.value < value)
            bitset_add(set, (unsigned)box);
    }
    pattern_store_add(game, set, push->player, value);
}

/* Grows a set of boxes from the pushed box; true if the set turns out to be lost. */
static bool grow(const struct push *push, enum pattern_kind kind, uint64_t *set, int next) {
    const struct sokoban *game = push->game;
    struct pattern_finding finding;
    int32_t known = 0;
    for (int boxes = bitset_count(set, (size_t)game->words); boxes < PATTERN_MOST_BOXES && next >= 0; boxes++) {
        bitset_add(set, (unsigned)next);
        look(game, kind, set, push->player, &finding);
        if (finding.value > known)
            learn(push, kind, set, finding.value);
        if (finding.value == SOKOBAN_NEVER)
            return true;
        known = finding.value > known ? finding.value : known;
        next = finding.solved ? box_in_the_way(push, set, &finding) : -1;
    }
    return false;
}

static void open_push(struct push *push, const struct sokoban *game, const struct sokoban_state *state,
                      struct sokoban_shift shift) {
    push->game = game;
    push->to = shift.to;
    push->player = shift.player;
    for (int i = 0; i < game->words; i++)
        push->boxes[i] = state->boxes[i] ^ board_one(shift.from, i) ^ board_one(shift.to, i);
    sokoban_reach(game, push->boxes, push->player, push->reach);
}

/* Whether the pushed box is on a square that `box` uses in its solution when it is alone on the board. */
static bool stands_in_the_way_of(const struct push *push, enum pattern_kind kind, int box) {
    struct pattern_finding finding;
    uint64_t alone[SOKOBAN_WORDS] = {0};
    bitset_add(alone, (unsigned)box);
    look(push->game, kind, alone, push->player, &finding);
    return finding.solved && bitset_has(finding.used, (unsigned)push->to);
}

/* Grows sets from the pushed box, and from each box whose solution it blocks. */
static bool grow_all(const struct push *push, enum pattern_kind kind) {
    const struct sokoban *game = push->game;
    uint64_t set[SOKOBAN_WORDS] = {0};
    if (grow(push, kind, set, push->to))
        return true;
    for (BITSET_EACH(box, push->boxes, (size_t)game->words)) {
        if (box == push->to || !stands_in_the_way_of(push, kind, box))
            continue;
        memset(set, 0, sizeof set);
        bitset_add(set, (unsigned)box);
        if (grow(push, kind, set, push->to))
            return true;
    }
    return false;
}

/* Whether a push is lost because of a known pattern or one that is found now. */
static bool is_lost(const struct push *push) {
    const struct sokoban *game = push->game;
    struct pattern_held held = {.count = 0};
    return !pattern_store_held_by(game, push->boxes, push->player, push->to, &held) ||
           (game->rules.pattern_deadlocks && grow_all(push, PATTERN_DEADLOCK)) ||
           (game->rules.penalties && grow_all(push, PATTERN_PENALTY));
}

bool sokoban_pattern_loses(const struct sokoban *game, const struct sokoban_state *state, int to) {
    struct push push;
    open_push(&push, game, state, (struct sokoban_shift){to, to, (int)state->player});
    return is_lost(&push);
}

bool sokoban_pattern_dooms(const struct sokoban *game, const struct sokoban_state *state, bool looking) {
    struct pattern_held held = {.count = 0};
    struct push push;
    if (!pattern_store_held(game, state->boxes, (int)state->player, &held))
        return true;
    for (BITSET_EACH(box, state->boxes, (size_t)game->words)) {
        if (looking && soloist_stopped(game->stop))
            return false;
        if (!looking || bitset_has(game->goal, (unsigned)box))
            continue;
        open_push(&push, game, state, (struct sokoban_shift){box, box, (int)state->player});
        if (grow_all(&push, PATTERN_DEADLOCK))
            return true;
    }
    return false;
}

/* The bound of the position under the goals' potentials, to which penalties may be added (see pattern.h). */
static int32_t base_of(const struct sokoban *game, const uint64_t *boxes, int player) {
    const struct patterns *patterns = game->patterns;
    int32_t sum = 0;
    for (BITSET_EACH(box, boxes, (size_t)game->words))
        sum += patterns->estimate[PATTERN_PENALTY][sokoban_post(game, box, player)];
    for (int g = 0; g < game->goals; g++)
        sum -= patterns->price[PATTERN_PENALTY][game->goal_square[g]];
    return sum;
}

static int32_t raised(const struct sokoban *game, const uint64_t *boxes, int player, int32_t value, int32_t penalty) {
    if (!penalty)
        return value;
    if (game->rules.penalties == SOKOBAN_PENALTIES_ROLLING_STONE)
        return value + penalty;
    int32_t priced = base_of(game, boxes, player) + penalty;
    /* If there are as many boxes as goals, all solutions have the same parity as the bound. */
    if (game->rules.bound >= SOKOBAN_MATCHING_MANHATTAN && !game->rules.exact)
        priced += (priced ^ value) & 1;
    return priced > value ? priced : value;
}

int sokoban_pattern_children(const struct sokoban *game, const struct sokoban_state *state, unsigned want,
                             soloist_child *children, int count) {
    bool raises = want & SOLOIST_WANT_BOUND && game->rules.penalties;
    struct pattern_held held = {.count = 0};
    int left = 0;
    if (!pattern_store_held(game, state->boxes, (int)state->player, &held))
        return 0;
    for (int i = 0; i < count && !sokoban_must_stop(game); i++) {
        struct sokoban_shift shift = sokoban_push_shift(game, state, children[i].move);
        soloist_child child = children[i];
        struct push push;
        open_push(&push, game, state, shift);
        if (is_lost(&push))
            continue;
        if (raises) {
            struct pattern_held more = {.count = 0};
            pattern_store_held_by(game, push.boxes, push.player, push.to, &more);
            child.bound =
                raised(game, push.boxes, push.player, child.bound, pattern_store_sum(game, &held, shift.from, &more));
        }
        children[left++] = child;
    }
    return left;
}

bool sokoban_pattern_kills(const struct sokoban *game, const struct sokoban_state *state, soloist_move move) {
    struct pattern_held held = {.count = 0};
    struct push push;
    if (!pattern_store_held(game, state->boxes, (int)state->player, &held))
        return true;
    open_push(&push, game, state, sokoban_push_shift(game, state, move));
    return is_lost(&push);
}

int32_t sokoban_pattern_value(const struct sokoban *game, const struct sokoban_state *state, int32_t value) {
    struct pattern_held held = {.count = 0}, none = {.count = 0};
    if (!game->rules.penalties || value == SOLOIST_DEAD)
        return value;
    if (!pattern_store_held(game, state->boxes, (int)state->player, &held))
        return SOLOIST_DEAD;
    return raised(game, state->boxes, (int)state->player, value, pattern_store_sum(game, &held, -1, &none));
}

/* The number of pushes to the nearest goal. It is 0 if no goal can be reached; this does not matter, because no box is
 * ever pushed to such a post. */
static int32_t nearest_goal(const struct sokoban *game, int post) {
    const int32_t *pushes = game->pushes + (ptrdiff_t)post * game->goals;
    int32_t least = SOKOBAN_NEVER;
    for (int g = 0; g < game->goals; g++)
        least = pushes[g] < least ? pushes[g] : least;
    return least == SOKOBAN_NEVER ? 0 : least;
}

/* Fills the prices of both kinds of search. */
static bool fill_prices(struct patterns *patterns, struct sokoban *game) {
    size_t posts = (size_t)game->posts, size = (size_t)game->size;
    int32_t price[MATCHING_MOST];
    for (int kind = 0; kind < 2; kind++) {
        patterns->estimate[kind] = calloc(posts, sizeof **patterns->estimate);
        patterns->price[kind] = calloc(size, sizeof **patterns->price);
        if (!patterns->estimate[kind] || !patterns->price[kind])
            return false;
        for (int post = 0; post < game->posts; post++)
            patterns->estimate[kind][post] = nearest_goal(game, post);
    }
    if (game->rules.penalties != SOKOBAN_PENALTIES_SOUND)
        return true;
    if (!sokoban_bound_prices(game, patterns->estimate[PATTERN_PENALTY], price))
        game->rules.penalties = SOKOBAN_PENALTIES_NONE;
    else
        for (int g = 0; g < game->goals; g++)
            patterns->price[PATTERN_PENALTY][game->goal_square[g]] = price[g];
    return true;
}

static bool fill_least(struct patterns *patterns, const struct sokoban *game) {
    patterns->least = malloc((size_t)game->posts * sizeof *patterns->least);
    if (!patterns->least)
        return false;
    memset(patterns->least, 255, (size_t)game->posts * sizeof *patterns->least);
    for (BITSET_EACH(box, game->floor, (size_t)game->words))
        for (BITSET_EACH(player, game->floor, (size_t)game->words)) {
            uint16_t *least = &patterns->least[player == box ? 0 : sokoban_post(game, box, player)];
            if (player != box && player < *least)
                *least = (uint16_t)player;
            if (player != box && game->post_first[box + 1] - game->post_first[box] == 1)
                break; /* the box divides nothing, and its only post has been seen */
        }
    return true;
}

/* Searches for patterns at the root as if each of its boxes had just been pushed. */
static void look_at_root(const struct sokoban *game) {
    uint64_t block[sizeof(struct sokoban_state) / sizeof(uint64_t) + SOKOBAN_WORDS];
    struct sokoban_state *root = (struct sokoban_state *)(void *)block;
    sokoban_root((const soloist_instance *)(const void *)game, root);
    if (sokoban_on_dead_square(game, root))
        return;
    for (BITSET_EACH(box, game->root_boxes, (size_t)game->words)) {
        struct push push;
        open_push(&push, game, root, (struct sokoban_shift){box, box, game->root_player});
        if (soloist_stopped(game->stop) || is_lost(&push))
            return;
    }
}

bool sokoban_patterns_make(struct sokoban *game) {
    if (!game->rules.pattern_deadlocks && !game->rules.penalties)
        return true;
    struct patterns *patterns = game->patterns = calloc(1, sizeof *patterns);
    bool made = patterns && fill_prices(patterns, game) && fill_least(patterns, game) &&
                pattern_store_make(patterns, game) && pattern_memory_make(patterns, game) &&
                pattern_rooms_make(patterns);
    if (made)
        look_at_root(game);
    return made;
}

void sokoban_patterns_free(struct patterns *patterns) {
    if (!patterns)
        return;
    if (!patterns->borrowed)
        free(patterns->memory);
    pattern_rooms_free(patterns);
    void *owned[] = {
        patterns->estimate[0], patterns->estimate[1], patterns->price[0], patterns->price[1], patterns->list,
        patterns->words,       patterns->first,       patterns->lowest,   patterns->least,    patterns};
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++)
        free(owned[i]);
}
