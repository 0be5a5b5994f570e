/* Lower bounds (D4): boxes off goals <= sum of Manhattan distances to the nearest goals <= least matching by Manhattan
 * distance <= least matching by pushes. Frozen boxes keep their goals. A move changes one row of the matching, so
 * expand solves the parent's once and repairs it for each child. All bounds are consistent: a move changes a box's
 * distances by at most one and no other box's, and what is frozen or out of reach stays so. */
#include "domain/sokoban/sokoban.h"

#include "base/matching.h"

#include <stdlib.h>

/* A problem of assignment: boxes on posts against the columns of a table. */
struct table {
    const int32_t *cost; /* [posts][columns] */
    int columns;
    bool freeze; /* frozen boxes keep their goals; columns are goals */
};

struct problem {
    const struct sokoban *game;
    struct table table;
    int32_t *cost; /* [boxes][columns] */
    struct matching *matching;
    uint64_t frozen[SOKOBAN_WORDS]; /* all on goals */
    bool any_frozen;
};

static bool bound_is_matching(const struct sokoban *game) { return game->rules.bound >= SOKOBAN_MATCHING_MANHATTAN; }

/* Without a matching the plain bounds cannot see that boxes get in each other's way. */
static bool bound_matches(const struct sokoban *game) { return bound_is_matching(game) || game->rules.bipartite; }

static struct table forward_table(const struct sokoban *game) {
    return (struct table){game->cost, game->goals, game->rules.freeze && game->rules.bipartite};
}

static struct table backward_table(const struct sokoban *game) {
    return (struct table){game->from_root, game->boxes, false};
}

/* What the bound option matches on: NEVER where a goal cannot be reached and that is to count. */
bool sokoban_bound_make(struct sokoban *game) {
    if (game->rules.bound == SOKOBAN_MATCHING_PUSHES) {
        game->cost = game->pushes;
        return true;
    }
    size_t goals = (size_t)game->goals;
    game->cost = malloc((size_t)game->posts * goals * sizeof *game->cost);
    if (!game->cost)
        return false;
    for (int s = 0; s < game->size; s++)
        for (size_t post = game->post_first[s]; post < game->post_first[s + 1]; post++)
            for (size_t g = 0; g < goals; g++) {
                bool never = game->rules.bipartite && game->pushes[post * goals + g] == SOKOBAN_NEVER;
                int32_t plain = bound_is_matching(game) ? game->manhattan[(size_t)s * goals + g] : 0;
                game->cost[post * goals + g] = never ? SOKOBAN_NEVER : plain;
            }
    return true;
}

static void fill_row(const struct problem *p, int row, int box, int player) {
    const struct sokoban *game = p->game;
    int32_t *to = p->cost + (ptrdiff_t)row * p->table.columns;
    int post = sokoban_post(game, box, player);
    memcpy(to, p->table.cost + (ptrdiff_t)post * p->table.columns, (size_t)p->table.columns * sizeof *to);
    if (!p->any_frozen)
        return;
    bool keeps = bitset_has(p->frozen, (unsigned)box);
    for (int g = 0; g < p->table.columns; g++) {
        int goal = game->goal_square[g];
        if (keeps ? goal != box : bitset_has(p->frozen, (unsigned)goal))
            to[g] = SOKOBAN_NEVER;
    }
}

static void fill_rows(const struct problem *p, const uint64_t *boxes, int player) {
    int row = 0;
    for (BITSET_EACH(box, boxes, (size_t)p->game->words))
        fill_row(p, row++, box, player);
}

static int32_t solve(struct problem *p, const uint64_t *boxes, int player) {
    fill_rows(p, boxes, player);
    return matching_solve(p->matching, p->cost, p->table.columns);
}

/* Looks for frozen boxes; false if one is off its goal. */
static bool freeze(struct problem *p, const uint64_t *boxes) {
    p->any_frozen = false;
    if (!p->table.freeze)
        return true;
    bool dead = sokoban_frozen(p->game, boxes, p->frozen);
    p->any_frozen = !board_empty(p->frozen, p->game->words);
    return !dead;
}

static int32_t plain_box(const struct sokoban *game, int box) {
    if (game->rules.bound == SOKOBAN_REMAINING)
        return !bitset_has(game->goal, (unsigned)box);
    return game->nearest[box];
}

static int32_t plain_value(const struct sokoban *game, const uint64_t *boxes) {
    int32_t sum = 0;
    for (BITSET_EACH(box, boxes, (size_t)game->words))
        sum += plain_box(game, box);
    return sum;
}

static int32_t matching_value(const struct sokoban *game, const struct sokoban_state *state, struct table table) {
    int32_t cost[(size_t)game->boxes * (size_t)table.columns];
    uint64_t block[matching_size(game->boxes, table.columns) / sizeof(uint64_t)];
    struct problem p = {.game = game, .table = table, .cost = cost, .matching = (struct matching *)(void *)block};
    matching_open(p.matching, game->boxes, table.columns);
    return freeze(&p, state->boxes) ? solve(&p, state->boxes, (int)state->player) : SOLOIST_DEAD;
}

static int32_t bound_value(const soloist_instance *instance, const void *state) {
    const struct sokoban *game = sokoban_of(instance);
    const struct sokoban_state *s = state;
    int32_t total = bound_matches(game) ? matching_value(game, s, forward_table(game)) : 0;
    return total == SOKOBAN_NEVER ? SOLOIST_DEAD : bound_is_matching(game) ? total : plain_value(game, s->boxes);
}

static int32_t reverse_value(const soloist_instance *instance, const void *state) {
    const struct sokoban *game = sokoban_of(instance);
    return matching_value(game, state, backward_table(game));
}

bool sokoban_has_matching(const struct sokoban *game, const struct sokoban_state *state) {
    return matching_value(game, state, (struct table){game->pushes, game->goals, true}) != MATCHING_NEVER;
}

/* The total after one box went elsewhere. Leaves the problem as it found it, but for the matching's scratch. */
static int32_t shifted_total(struct problem *p, const struct sokoban_state *state, struct sokoban_shift shift, int row,
                             void *kept, size_t kept_size) {
    uint64_t boxes[SOKOBAN_WORDS];
    int words = p->game->words;
    int32_t total, *costs = p->cost + (ptrdiff_t)row * p->table.columns, old[p->table.columns];
    for (int i = 0; i < words; i++)
        boxes[i] = state->boxes[i] ^ board_one(shift.from, i) ^ board_one(shift.to, i);
    if (p->table.freeze && sokoban_may_freeze(p->game, boxes, shift.to)) {
        struct problem child = *p;
        if (!freeze(&child, boxes))
            return SOLOIST_DEAD;
        if (child.any_frozen != p->any_frozen || (p->any_frozen && !board_equal(child.frozen, p->frozen, words))) {
            memcpy(kept, p->matching, kept_size);
            total = solve(&child, boxes, shift.player);
            memcpy(p->matching, kept, kept_size);
            fill_rows(p, state->boxes, (int)state->player);
            return total;
        }
    }
    memcpy(old, costs, sizeof old);
    fill_row(p, row, shift.to, shift.player);
    memcpy(kept, p->matching, kept_size);
    total = matching_change_row(p->matching, p->cost, p->table.columns, row);
    memcpy(p->matching, kept, kept_size);
    memcpy(costs, old, sizeof old);
    return total;
}

/* Children come in the order of their boxes or not at all in order: the row of a box is its rank. */
static int rank_of(const uint64_t *boxes, int box) {
    int rank = bitset_count(boxes, (size_t)box / 64);
    return rank + bits_count(boxes[box / 64] & ((UINT64_C(1) << (box & 63)) - 1));
}

/* A repaired matching for every child. In place of a bound the children get the total. */
static int match_children(const struct sokoban *game, const struct sokoban_state *state, struct table table,
                          sokoban_shift_of *shift_of, soloist_child *children, int count) {
    int32_t cost[(size_t)game->boxes * (size_t)table.columns];
    size_t kept_size = matching_kept(game->boxes, table.columns);
    uint64_t block[matching_size(game->boxes, table.columns) / sizeof(uint64_t)], kept[kept_size / sizeof(uint64_t)];
    struct problem p = {.game = game, .table = table, .cost = cost, .matching = (struct matching *)(void *)block};
    int left = 0;
    matching_open(p.matching, game->boxes, table.columns);
    if (!freeze(&p, state->boxes) || solve(&p, state->boxes, (int)state->player) == MATCHING_NEVER)
        return 0;
    int32_t unmoved = p.matching->total;
    for (int i = 0; i < count; i++) {
        struct sokoban_shift shift = shift_of(game, state, children[i].move);
        soloist_child child = children[i];
        child.bound = unmoved;
        if (shift.from != shift.to)
            child.bound = shifted_total(&p, state, shift, rank_of(state->boxes, shift.from), kept, kept_size);
        if (child.bound != SOLOIST_DEAD)
            children[left++] = child;
    }
    return left;
}

int sokoban_bound_children(const struct sokoban *game, const struct sokoban_state *state, sokoban_shift_of *shift_of,
                           soloist_child *children, int count) {
    if (bound_matches(game))
        count = match_children(game, state, forward_table(game), shift_of, children, count);
    if (bound_is_matching(game))
        return count;
    int32_t plain = plain_value(game, state->boxes);
    for (int i = 0; i < count; i++) {
        struct sokoban_shift shift = shift_of(game, state, children[i].move);
        children[i].bound = plain;
        if (shift.from != shift.to)
            children[i].bound += plain_box(game, shift.to) - plain_box(game, shift.from);
    }
    return count;
}

int sokoban_reverse_bound_children(const struct sokoban *game, const struct sokoban_state *state,
                                   sokoban_shift_of *shift_of, soloist_child *children, int count) {
    return match_children(game, state, backward_table(game), shift_of, children, count);
}

int32_t sokoban_least_matching(const struct sokoban *game, const struct sokoban_state *state, bool pushes) {
    int32_t cost[(size_t)game->boxes * (size_t)game->goals];
    uint64_t block[matching_size(game->boxes, game->goals) / sizeof(uint64_t)];
    struct matching *matching = (struct matching *)(void *)block;
    int32_t *to = cost;
    for (BITSET_EACH(box, state->boxes, (size_t)game->words)) {
        int post = sokoban_post(game, box, (int)state->player);
        const int32_t *from =
            pushes ? game->pushes + (ptrdiff_t)post * game->goals : game->manhattan + (ptrdiff_t)box * game->goals;
        for (int g = 0; g < game->goals; g++)
            *to++ = from[g] == SOKOBAN_NEVER ? game->floor_count : from[g];
    }
    matching_open(matching, game->boxes, game->goals);
    return matching_solve(matching, cost, game->goals);
}

static bool always(const soloist_instance *instance) {
    (void)instance;
    return true;
}

const soloist_bound sokoban_bound = {bound_value, sokoban_dead, always, always};
const soloist_bound sokoban_reverse_bound = {reverse_value, sokoban_reverse_dead, always, always};
