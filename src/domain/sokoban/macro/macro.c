/* Macro moves: which macro replaces a push under the instance's options, and how a macro is played. */
#include "domain/sokoban/macro/macro.h"

#include "domain/sokoban/macro/goal_room.h"

/* The macro that replaces the push of `box` in direction d under the options. The push must be legal. */
static enum sokoban_macro_kind find_macro(const struct sokoban *game, const uint64_t *boxes, int box, int d,
                                          struct sokoban_macro *macro) {
    enum sokoban_macro_kind kind = SOKOBAN_PLAIN;
    *macro = (struct sokoban_macro){box + game->step[d], box, 1};
    if (game->rules.tunnels)
        kind = sokoban_tunnel_find(game, boxes, box, d, macro);
    if (game->goal_room && kind != SOKOBAN_NOWHERE && sokoban_goal_macro_find(game, boxes, box, d, macro))
        kind = SOKOBAN_GOAL_MACRO;
    return kind;
}

/* The number of pushes if the box can be pushed straight on to the square `end`, otherwise 0. */
static int straight_path(const struct sokoban *game, const uint64_t *boxes, int box, int d, int end) {
    int square = box, pushes = 0;
    do {
        square += game->step[d];
        pushes++;
        if (!sokoban_is_floor(game, square) || bitset_has(boxes, (unsigned)square))
            return 0;
    } while (square != end);
    return pushes;
}

/* Searches for a path of the box to the end of the macro; false if there is none. */
static bool carry_to(struct sokoban_carry *carry, const struct sokoban *game, const uint64_t *boxes,
                     soloist_move move) {
    int place, end = sokoban_push_end(game, move);
    sokoban_carry_open(carry, game, boxes, sokoban_push_box(move), (int)(move & 3));
    while ((place = sokoban_carry_next(carry)) >= 0)
        if (place >> 2 == end)
            return true;
    return false;
}

/* Looks up a macro whose path has turns. */
static struct sokoban_macro look_up_turning(const struct sokoban *game, const uint64_t *boxes, soloist_move move) {
    int box = sokoban_push_box(move), end = sokoban_push_end(game, move);
    struct sokoban_carry carry;
    if (!carry_to(&carry, game, boxes, move))
        return (struct sokoban_macro){box, box, 0};
    int place = carry.places[carry.head - 1];
    return (struct sokoban_macro){end, end - game->step[place & 3], sokoban_carry_length(&carry)};
}

struct sokoban_macro sokoban_macro_look_up(const struct sokoban *game, const uint64_t *boxes, soloist_move move) {
    int d = (int)(move & 3), end = sokoban_push_end(game, move);
    int straight = straight_path(game, boxes, sokoban_push_box(move), d, end);
    return straight ? (struct sokoban_macro){end, end - game->step[d], straight} : look_up_turning(game, boxes, move);
}

int sokoban_macro_pushes(const struct sokoban *game, const uint64_t *boxes, soloist_move move, soloist_move *pushes) {
    int box = sokoban_push_box(move), d = (int)(move & 3), end = sokoban_push_end(game, move);
    int count = sokoban_is_macro(move) ? straight_path(game, boxes, box, d, end) : 1;
    struct sokoban_carry carry;
    for (int i = 0; i < count; i++)
        pushes[i] = (soloist_move)((box + i * game->step[d]) * 4 + d);
    if (count || !carry_to(&carry, game, boxes, move))
        return count;
    count = sokoban_carry_length(&carry);
    for (int i = count - 1, at = carry.head - 1; i >= 0; i--, at = carry.before[at]) {
        int place = carry.places[at];
        pushes[i] = (soloist_move)(((place >> 2) - game->step[place & 3]) * 4 + (place & 3));
    }
    return count;
}

static soloist_move macro_code(int box, int d, int end) {
    return (soloist_move)(box * 4 + d) | (soloist_move)(end + 1) << SOKOBAN_MACRO_SHIFT;
}

/* Computes the position after a macro. */
static void play_macro(const struct sokoban *game, const struct sokoban_state *before, int box,
                       const struct sokoban_macro *macro, struct sokoban_state *after) {
    memcpy(after, before, sokoban_state_size(game));
    sokoban_move_box(game, after, box, macro->end);
    sokoban_put_player(game, after, sokoban_least(game, after->boxes, macro->stand));
}

/* Replaces a push by its macro, if it has one; false if the push need not be tried. */
static bool replace_push(const struct sokoban *game, const struct sokoban_state *state, soloist_child *child,
                         enum sokoban_macro_kind *kind) {
    int box = sokoban_push_box(child->move), d = (int)(child->move & 3);
    struct sokoban_macro macro;
    *kind = find_macro(game, state->boxes, box, d, &macro);
    if (macro.pushes == 1 || *kind == SOKOBAN_NOWHERE)
        return *kind != SOKOBAN_NOWHERE;
    uint64_t block[sizeof(struct sokoban_state) / sizeof(uint64_t) + SOKOBAN_WORDS];
    struct sokoban_state *after = (struct sokoban_state *)(void *)block;
    play_macro(game, state, box, &macro, after);
    child->move = macro_code(box, d, macro.end);
    child->step = macro.pushes;
    child->key = after->key;
    return !sokoban_dead((const soloist_instance *)(const void *)game, after);
}

struct sokoban_shift sokoban_push_shift(const struct sokoban *game, const struct sokoban_state *state,
                                        soloist_move move) {
    struct sokoban_macro macro = sokoban_macro_of(game, state->boxes, move);
    return (struct sokoban_shift){sokoban_push_box(move), macro.end, macro.stand};
}

/* Whether the bound shows that a child is dead. */
static bool is_lost(const struct sokoban *game, const struct sokoban_state *state, soloist_child child) {
    return !sokoban_bound_children(game, state, sokoban_push_shift, &child, 1);
}

int sokoban_macro_children(const struct sokoban *game, const struct sokoban_state *state, soloist_child *children,
                           int count) {
    int left = 0, cut = -1;
    for (int i = 0; i < count; i++) {
        soloist_child child = children[i];
        enum sokoban_macro_kind kind;
        if (!replace_push(game, state, &child, &kind))
            continue;
        if (kind == SOKOBAN_GOAL_MACRO && game->rules.goal_cuts && (cut < 0 || child.step < children[cut].step) &&
            !is_lost(game, state, child))
            cut = left;
        children[left++] = child;
    }
    if (cut < 0)
        return left;
    children[0] = children[cut];
    return 1;
}

int sokoban_macro_moves(const struct sokoban *game, const uint64_t *boxes, soloist_move *moves, int count) {
    soloist_move pushes[4 * SOKOBAN_MOST_BOXES];
    int total = 0;
    memcpy(pushes, moves, (size_t)count * sizeof *pushes);
    for (int i = 0; i < count; i++) {
        int box = sokoban_push_box(pushes[i]), d = (int)(pushes[i] & 3);
        struct sokoban_macro macro;
        moves[total++] = pushes[i];
        if (find_macro(game, boxes, box, d, &macro) >= SOKOBAN_TUNNEL && macro.pushes > 1)
            moves[total++] = macro_code(box, d, macro.end);
    }
    return total;
}

/* The length of a goal macro to which the goal cut may cut: one that does not lead to a dead position; otherwise 0. */
static int cut_length(const struct sokoban *game, const struct sokoban_state *state, soloist_move push,
                      const struct sokoban_macro *macro) {
    uint64_t block[sizeof(struct sokoban_state) / sizeof(uint64_t) + SOKOBAN_WORDS];
    struct sokoban_state *after = (struct sokoban_state *)(void *)block;
    play_macro(game, state, sokoban_push_box(push), macro, after);
    return sokoban_dead((const soloist_instance *)(const void *)game, after) ? 0 : macro->pushes;
}

int sokoban_macro_replace(const struct sokoban *game, const struct sokoban_state *state, soloist_move *moves,
                          int count) {
    int left = 0, shortest = 0, cut = -1;
    for (int i = 0; i < count; i++) {
        int box = sokoban_push_box(moves[i]), d = (int)(moves[i] & 3);
        soloist_move push = moves[i];
        struct sokoban_macro macro;
        enum sokoban_macro_kind kind = find_macro(game, state->boxes, box, d, &macro);
        if (kind == SOKOBAN_NOWHERE)
            continue;
        int length = kind == SOKOBAN_GOAL_MACRO && game->rules.goal_cuts ? cut_length(game, state, push, &macro) : 0;
        if (length && (cut < 0 || length < shortest))
            shortest = length, cut = left;
        moves[left++] = macro.pushes > 1 ? macro_code(box, d, macro.end) : push;
    }
    if (cut < 0)
        return left;
    moves[0] = moves[cut];
    return 1;
}
