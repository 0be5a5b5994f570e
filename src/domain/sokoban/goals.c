/* Numbers the goal states, from which backward play starts: every choice of goals for the boxes, and for each choice
 * every place of the player that makes a different state. If there are few choices, a table says how many states come
 * before each choice. If there are many, each choice gets the same number of states, and some states occur twice. */
#include "domain/sokoban/sokoban.h"

#include <stdlib.h>

#define MOST_COUNTED 65536 /* maximum number of choices in the table */

/* The binomial coefficient, or UINT64_MAX if it is too large. */
static uint64_t choose(int n, int k) {
    uint64_t result = 1;
    if (k < 0 || k > n)
        return 0;
    for (int i = 1; i <= k; i++) {
        if (__builtin_mul_overflow(result, (uint64_t)(n - k + i), &result))
            return UINT64_MAX;
        result /= (uint64_t)i;
    }
    return result;
}

/* Places boxes for choice number `index` in lexicographic order. */
static void put_boxes(const struct sokoban *game, uint64_t index, uint64_t *boxes) {
    int left = game->boxes;
    memset(boxes, 0, (size_t)game->words * sizeof *boxes);
    for (int g = 0; g < game->goals && left; g++) {
        uint64_t with = choose(game->goals - g - 1, left - 1);
        if (index < with) {
            bitset_add(boxes, game->goal_square[g]);
            left--;
        } else {
            index -= with;
        }
    }
}

/* The least square of each part into which the boxes divide the floor. */
static void find_parts(const struct sokoban *game, const uint64_t *boxes, uint64_t *places) {
    uint64_t rest[SOKOBAN_WORDS], reach[SOKOBAN_WORDS];
    for (int i = 0; i < game->words; i++)
        rest[i] = game->floor[i] & ~boxes[i];
    for (int least; (least = board_lowest(rest, game->words)) >= 0;) {
        bitset_add(places, (unsigned)least);
        sokoban_reach(game, boxes, least, reach);
        for (int i = 0; i < game->words; i++)
            rest[i] &= ~reach[i];
    }
}

void sokoban_after_push(const struct sokoban *game, const uint64_t *boxes, uint64_t *places) {
    uint64_t free[SOKOBAN_WORDS];
    int n = game->words, stride = game->stride;
    for (int i = 0; i < n; i++)
        free[i] = game->floor[i] & ~boxes[i];
    for (int i = 0; i < n; i++)
        places[i] = free[i] & ((board_more(boxes, i, stride) & board_less(free, i, stride, n)) |
                               (board_more(boxes, i, 1) & board_less(free, i, 1, n)) |
                               (board_less(boxes, i, 1, n) & board_more(free, i, 1)) |
                               (board_less(boxes, i, stride, n) & board_more(free, i, stride)));
    if (board_equal(boxes, game->root_boxes, n))
        bitset_add(places, (unsigned)game->root_player);
}

static void find_places(const struct sokoban *game, const uint64_t *boxes, uint64_t *places) {
    memset(places, 0, (size_t)game->words * sizeof *places);
    if (game->rules.exact)
        sokoban_after_push(game, boxes, places);
    else
        find_parts(game, boxes, places);
}

bool sokoban_goals_make(struct sokoban *game) {
    uint64_t boxes[SOKOBAN_WORDS], places[SOKOBAN_WORDS];
    game->goal_choices = choose(game->goals, game->boxes);
    if (game->goal_choices > MOST_COUNTED)
        return true;
    game->goal_states = calloc((size_t)game->goal_choices + 1, sizeof *game->goal_states);
    if (!game->goal_states)
        return false;
    for (uint64_t c = 0; c < game->goal_choices; c++) {
        put_boxes(game, c, boxes);
        find_places(game, boxes, places);
        game->goal_states[c + 1] = game->goal_states[c] + (uint64_t)bitset_count(places, (size_t)game->words);
    }
    return true;
}

/* Returns the choice that state number *index belongs to, and sets *index to the state's number within that choice.
 * Returns goal_choices if there is no such state. */
static uint64_t find_choice(const struct sokoban *game, uint64_t *index) {
    uint64_t low = 0, high = game->goal_choices, places = 4 * (uint64_t)game->boxes + 1;
    if (!game->goal_states) {
        low = *index / places;
        *index %= places;
        return low < game->goal_choices ? low : game->goal_choices;
    }
    if (*index >= game->goal_states[high])
        return game->goal_choices;
    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;
        if (game->goal_states[middle] <= *index)
            low = middle;
        else
            high = middle;
    }
    *index -= game->goal_states[low];
    return low;
}

/* Place number `index` of the player, or the last place if there are fewer. */
static int pick_place(const struct sokoban *game, const uint64_t *boxes, uint64_t index) {
    uint64_t places[SOKOBAN_WORDS];
    size_t words = (size_t)game->words;
    find_places(game, boxes, places);
    if (board_empty(places, game->words))
        find_parts(game, boxes, places);
    int place = bitset_next(places, words, 0);
    for (int next = place; index && next >= 0; index--) {
        next = bitset_next(places, words, (unsigned)place + 1);
        place = next >= 0 ? next : place;
    }
    return place;
}

bool sokoban_goal(const soloist_instance *instance, uint64_t index, void *state) {
    const struct sokoban *game = sokoban_of(instance);
    struct sokoban_state *s = state;
    uint64_t choice = find_choice(game, &index);
    if (choice == game->goal_choices)
        return false;
    put_boxes(game, choice, s->boxes);
    s->player = (uint32_t)pick_place(game, s->boxes, index);
    sokoban_state_settle(game, s);
    return true;
}
