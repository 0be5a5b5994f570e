/* The core of the domain `sokoban` (D1): a move is a push of any box that the player can walk to, or a macro that
 * begins with a push (D6). */
#include "domain/sokoban/deadlock/corral.h"
#include "domain/sokoban/deadlock/deadlock_table.h"
#include "domain/sokoban/macro/macro.h"
#include "domain/sokoban/pattern/pattern.h"

static int push_moves(const soloist_instance *instance, const void *state, soloist_move *moves) {
    const struct sokoban *game = sokoban_of(instance);
    struct region region;
    int count = 0;
    bool live_only = game->rules.listing != SOKOBAN_LISTING_LEGAL;
    SOKOBAN_BY_WORDS(game, count = region_list_pushes(game, state, live_only, &region, moves, n));
    if (!sokoban_has_macros(game))
        return count;
    if (game->rules.listing == SOKOBAN_LISTING_MACROS)
        count = sokoban_macro_replace(game, state, moves, count);
    else
        count = sokoban_macro_moves(game, ((const struct sokoban_state *)state)->boxes, moves, count);
    return count;
}

static int32_t push_apply(const soloist_instance *instance, void *state, soloist_move move, void *undo) {
    const struct sokoban *game = sokoban_of(instance);
    struct sokoban_state *s = state;
    int box = sokoban_push_box(move);
    struct sokoban_macro macro = sokoban_macro_of(game, s->boxes, move);
    sokoban_keep(s, undo, box, macro.end);
    int32_t step = game->rules.exact ? sokoban_walk_and_push(game, s, box, (int)(move & 3)) : macro.pushes;
    sokoban_move_box(game, s, box, macro.end);
    sokoban_put_player(game, s, game->rules.exact ? box : sokoban_least(game, s->boxes, macro.stand));
    return step;
}

/* Opens the region and lists the pushes to live squares, without those that a corral prunes. */
BOARD_INLINE int list_pushes(const struct sokoban *game, const struct sokoban_state *state, const uint64_t *frozen,
                             struct region *region, soloist_move *moves, int n) {
    uint64_t fence[SOKOBAN_WORDS];
    int count = region_list_pushes(game, state, true, region, moves, n), left = 0;
    if (!region->divided || !sokoban_corral(game, region, frozen, count, fence))
        return count;
    for (int i = 0; i < count; i++)
        if (bitset_has(fence, moves[i] >> 2))
            moves[left++] = moves[i];
    return left;
}

/* Whether a push makes a pattern that is dead according to the deadlock tables. */
static bool makes_pattern(const struct sokoban *game, const struct sokoban_state *state, soloist_move move) {
    uint64_t boxes[SOKOBAN_WORDS];
    int from = (int)(move >> 2), to = from + game->step[move & 3];
    for (int i = 0; i < game->words; i++)
        boxes[i] = state->boxes[i] ^ board_one(from, i) ^ board_one(to, i);
    return sokoban_window_is_dead(game, boxes, to, from);
}

/* Whether expand leaves out a push because of a corral or a pattern. */
BOARD_INLINE bool is_pruned(const struct sokoban *game, const struct sokoban_state *state, const uint64_t *frozen,
                            soloist_move move, int n) {
    uint64_t fence[SOKOBAN_WORDS];
    soloist_move moves[4 * SOKOBAN_MOST_BOXES];
    struct region region;
    int count = region_list_pushes(game, state, true, &region, moves, n);
    if (game->deadlock_tables && makes_pattern(game, state, move))
        return true;
    return region.divided && sokoban_corral(game, &region, frozen, count, fence) && !bitset_has(fence, move >> 2);
}

/* Lists the children of a position that is not dead. In a child the player stands where the box was; the state stores
 * that square or, if costs count only pushes, the region around it. */
BOARD_INLINE int expand_pushes(const struct sokoban *game, const struct sokoban_state *state, const uint64_t *frozen,
                               soloist_child *children, int n) {
    soloist_move moves[4 * SOKOBAN_MOST_BOXES];
    struct region region;
    int count = list_pushes(game, state, frozen, &region, moves, n), left = 0;
    uint64_t unplaced = state->key ^ game->player_key[state->player];
    for (int i = 0; i < count; i++) {
        int box = (int)(moves[i] >> 2), d = (int)(moves[i] & 3), to = box + game->step[d], player = box;
        if (region_push_kills(&region, game, box, d, n) || region_push_closes(&region, game, box, d, n) ||
            (game->deadlock_tables && makes_pattern(game, state, moves[i])))
            continue;
        if (!game->rules.exact)
            player = region_after(&region, game, state->boxes, box, d, box, n);
        uint64_t key = unplaced ^ game->box_key[box] ^ game->box_key[to] ^ game->player_key[player];
        children[left++] = (soloist_child){key, moves[i], 1, 0};
    }
    return sokoban_has_macros(game) ? sokoban_macro_children(game, state, children, left) : left;
}

/* Whether expand lists the move. */
static bool is_listed(const struct sokoban *game, const struct sokoban_state *state, const uint64_t *frozen,
                      soloist_move move) {
    soloist_child children[4 * SOKOBAN_MOST_BOXES];
    int count = 0;
    SOKOBAN_BY_WORDS(game, count = expand_pushes(game, state, frozen, children, n));
    for (int i = 0; i < count; i++)
        if (children[i].move == move)
            return true;
    return false;
}

bool sokoban_pruned(const soloist_instance *instance, const void *state, soloist_move move) {
    const struct sokoban *game = sokoban_of(instance);
    uint64_t frozen[SOKOBAN_WORDS];
    bool pruned = false;
    if (sokoban_dead_or_frozen(game, state, frozen))
        return false;
    if (game->patterns && sokoban_pattern_kills(game, state, move))
        return true;
    if (sokoban_has_macros(game))
        return !is_listed(game, state, frozen, move);
    SOKOBAN_BY_WORDS(game, pruned = is_pruned(game, state, frozen, move, n));
    return pruned;
}

bool sokoban_lossless(const soloist_instance *instance) {
    const struct sokoban *game = sokoban_of(instance);
    return game->rules.tunnels != SOKOBAN_TUNNELS_OUT && !game->goal_room;
}

static void count_walks(const struct sokoban *game, const struct sokoban_state *state, soloist_child *children,
                        int count) {
    int16_t distance[SOKOBAN_WORDS * 64];
    sokoban_walk(game, state->boxes, (int)state->player, distance);
    for (int i = 0; i < count; i++)
        children[i].step = distance[(int)(children[i].move >> 2) - game->step[children[i].move & 3]] + 1;
}

/* No push is the exact inverse of another, so `last` is not used. */
static int push_expand(const soloist_instance *instance, const void *state, soloist_move last, unsigned want,
                       soloist_child *children) {
    const struct sokoban *game = sokoban_of(instance);
    uint64_t frozen[SOKOBAN_WORDS];
    int count = 0;
    (void)last;
    triples_begin(game, false);
    if (sokoban_dead_or_frozen(game, state, frozen))
        return 0;
    SOKOBAN_BY_WORDS(game, count = expand_pushes(game, state, frozen, children, n));
    triples_count(game, false, count);
    if (game->rules.exact)
        count_walks(game, state, children, count);
    if (want & SOLOIST_WANT_BOUND)
        count = sokoban_bound_children(game, state, sokoban_push_shift, children, count);
    return game->patterns ? sokoban_pattern_children(game, state, want, children, count) : count;
}

const soloist_core sokoban_push_core = {
    .size = sizeof(soloist_core),
    .moves = push_moves,
    .apply = push_apply,
    .undo = sokoban_take_back,
    .ended = sokoban_ended,
    .key = sokoban_key,
    .key_from_scratch = sokoban_key_from_scratch,
    .expand = push_expand,
};
