/* The whole state space of a small level, solved without any cleverness: every set of squares for the boxes, every
 * square for the player, costs to the goals and from the root by repeated improvement. */
#ifndef TESTS_UNIT_DOMAIN_SOKOBAN_SOKOBAN_WHOLE_H
#define TESTS_UNIT_DOMAIN_SOKOBAN_SOKOBAN_WHOLE_H

#include "domain/sokoban/sokoban_plain.h"

#define WHOLE_MOST_FLOOR 16
#define WHOLE_FAR 1000000 /* no way at all */

struct whole {
    int floor, boxes;
    int x[WHOLE_MOST_FLOOR], y[WHOLE_MOST_FLOOR], next[WHOLE_MOST_FLOOR][4]; /* -1: wall */
    unsigned goals, root_boxes;
    int root_player;
    int *pushes, *steps;           /* [boxes << 4 | player]: least cost to a goal */
    int *root_pushes, *root_steps; /* least cost from the root */
};

PLAIN_FUNCTION bool whole_is_state(const struct whole *w, unsigned boxes, int player) {
    return __builtin_popcount(boxes) == w->boxes && !(boxes >> player & 1);
}

/* Whether an entry [boxes << 4 | player] is a position. */
PLAIN_FUNCTION bool whole_holds(const struct whole *w, unsigned at) {
    return (int)(at & 15) < w->floor && whole_is_state(w, at >> 4, (int)(at & 15));
}

/* One step: the boxes after it and the player's square, or -1. *push: whether a box moved. */
PLAIN_FUNCTION int whole_step(const struct whole *w, unsigned *boxes, int player, int d, bool *push) {
    int to = w->next[player][d];
    *push = to >= 0 && *boxes >> to & 1;
    if (!*push)
        return to;
    int ahead = w->next[to][d];
    if (ahead < 0 || *boxes >> ahead & 1)
        return -1;
    *boxes ^= 1u << to | 1u << ahead;
    return to;
}

/* Improves costs over all steps until nothing changes. forwards: from the root; else to the goals. */
PLAIN_FUNCTION int *whole_costs(const struct whole *w, int walk, bool forwards) {
    size_t entries = (size_t)1 << (w->floor + 4);
    int *cost = malloc(entries * sizeof *cost);
    assert_non_null(cost);
    for (unsigned boxes = 0; boxes < 1u << w->floor; boxes++)
        for (int p = 0; p < 16; p++) {
            bool start = forwards ? boxes == w->root_boxes && p == w->root_player : !(boxes & ~w->goals);
            cost[boxes << 4 | (unsigned)p] = start ? 0 : WHOLE_FAR;
        }
    for (bool better = true; better;) {
        better = false;
        for (unsigned boxes = 0; boxes < 1u << w->floor; boxes++)
            for (int p = 0; p < w->floor && __builtin_popcount(boxes) == w->boxes; p++)
                for (int d = 0; d < 4 && whole_is_state(w, boxes, p); d++) {
                    bool push;
                    unsigned after = boxes;
                    int to = whole_step(w, &after, p, d, &push), step = push ? 1 : walk;
                    if (to < 0)
                        continue;
                    int *here = &cost[boxes << 4 | (unsigned)p], *there = &cost[after << 4 | (unsigned)to];
                    int *late = forwards ? there : here, *early = forwards ? here : there;
                    if (*early + step < *late) {
                        *late = *early + step;
                        better = true;
                    }
                }
    }
    return cost;
}

/* False if the level is too large. */
PLAIN_FUNCTION bool whole_open(struct whole *w, const struct sokoban_level *level) {
    int number[PLAIN_SIDE * PLAIN_SIDE];
    memset(w, 0, sizeof *w);
    w->boxes = level->boxes;
    for (int cell = 0; cell < level->width * level->height; cell++) {
        number[cell] = -1;
        if (!(level->cells[cell] & SOKOBAN_INSIDE))
            continue;
        if (w->floor == WHOLE_MOST_FLOOR)
            return false;
        w->x[w->floor] = cell % level->width;
        w->y[w->floor] = cell / level->width;
        w->goals |= level->cells[cell] & SOKOBAN_GOAL ? 1u << w->floor : 0;
        w->root_boxes |= level->cells[cell] & SOKOBAN_BOX ? 1u << w->floor : 0;
        if (cell == level->player)
            w->root_player = w->floor;
        number[cell] = w->floor++;
    }
    for (int s = 0; s < w->floor; s++)
        for (int d = 0; d < 4; d++)
            w->next[s][d] = number[(w->y[s] + plain_dy[d]) * level->width + w->x[s] + plain_dx[d]];
    w->pushes = whole_costs(w, 0, false);
    w->steps = whole_costs(w, 1, false);
    w->root_pushes = whole_costs(w, 0, true);
    w->root_steps = whole_costs(w, 1, true);
    return true;
}

PLAIN_FUNCTION void whole_close(struct whole *w) {
    free(w->pushes);
    free(w->steps);
    free(w->root_pushes);
    free(w->root_steps);
}

PLAIN_FUNCTION void whole_state(const struct whole *w, const struct sokoban *game, unsigned boxes, int player,
                                struct sokoban_state *state) {
    memset(state->boxes, 0, (size_t)game->words * sizeof *state->boxes);
    for (int s = 0; s < w->floor; s++)
        if (boxes >> s & 1)
            bitset_add(state->boxes, (unsigned)plain_square(game, w->x[s], w->y[s]));
    state->player = (uint32_t)plain_square(game, w->x[player], w->y[player]);
    sokoban_state_settle(game, state);
}

PLAIN_FUNCTION int whole_number(const struct whole *w, const struct sokoban *game, int square) {
    for (int s = 0; s < w->floor; s++)
        if (plain_square(game, w->x[s], w->y[s]) == square)
            return s;
    return -1;
}

/* Where a state's costs stand. */
PLAIN_FUNCTION unsigned whole_index(const struct whole *w, const struct sokoban *game, const void *bytes) {
    const struct sokoban_state *state = bytes;
    unsigned boxes = 0;
    for (BITSET_EACH(box, state->boxes, (size_t)game->words))
        boxes |= 1u << whole_number(w, game, box);
    return boxes << 4 | (unsigned)whole_number(w, game, (int)state->player);
}

/* Draws a level of at most 16 floor squares: random walls in a small frame, what the player can reach, one to `most`
 * boxes, now and then a spare goal. False if this draw gives none. */
PLAIN_FUNCTION bool whole_draw_boxes(soloist_rng *rng, uint32_t most, char *text, size_t room) {
    char cell[8][9];
    int width = 3 + (int)soloist_rng_below(rng, 4), height = 3 + (int)soloist_rng_below(rng, 4);
    uint32_t walls = 1 + soloist_rng_below(rng, 3);
    int free[64], count = 0, boxes = 1 + (int)soloist_rng_below(rng, most), goals = boxes;
    if (width * height > 24)
        return false;
    goals += soloist_rng_below(rng, 4) == 0;
    memset(cell, '#', sizeof cell);
    for (int y = 1; y <= height; y++)
        for (int x = 1; x <= width; x++)
            if (soloist_rng_below(rng, 10) >= walls) {
                cell[y][x] = ' ';
                free[count++] = y * 16 + x;
            }
    if (count < 2 * boxes + 3)
        return false;
    for (int i = 0; i < boxes + goals + 1; i++) {
        int pick = i + (int)soloist_rng_below(rng, (uint32_t)(count - i)), at = free[pick];
        free[pick] = free[i];
        free[i] = at;
        cell[at / 16][at % 16] = i == 0 ? '@' : i <= boxes ? '$' : '.';
    }
    size_t length = 0;
    for (int y = 0; y < height + 2; y++)
        length += (size_t)snprintf(text + length, room - length, "%.*s\n", width + 2, cell[y]);
    struct sokoban_level level;
    soloist_chunk chunk = plain_chunk(text);
    if (!sokoban_level_parse(&chunk, &level, NULL))
        return false;
    int inside = 0;
    for (int i = 0; i < level.width * level.height; i++)
        inside += (level.cells[i] & SOKOBAN_INSIDE) != 0;
    return inside <= WHOLE_MOST_FLOOR;
}

PLAIN_FUNCTION bool whole_draw(soloist_rng *rng, char *text, size_t room) {
    return whole_draw_boxes(rng, 3, text, room);
}

/* A level of two boxes or more with its whole state space beside its instance; false: too few boxes, or too large. */
struct whole_level {
    struct whole whole;
    soloist_instance *instance;
    const struct sokoban *game;
};

PLAIN_FUNCTION bool whole_level_open(struct whole_level *l, const char *text, const char *options) {
    struct sokoban_level level;
    soloist_chunk chunk = plain_chunk(text);
    assert_true(sokoban_level_parse(&chunk, &level, NULL));
    if (level.boxes < 2 || !whole_open(&l->whole, &level))
        return false;
    l->instance = plain_session(&sokoban_domain, options, &chunk);
    l->game = sokoban_of(l->instance);
    return true;
}

PLAIN_FUNCTION void whole_level_close(struct whole_level *l) {
    plain_session_close(l->instance);
    whole_close(&l->whole);
}

/* Position number `at` into a state; false: it is none. */
PLAIN_FUNCTION bool whole_level_state(const struct whole_level *l, unsigned at, void *state) {
    if (!whole_holds(&l->whole, at))
        return false;
    whole_state(&l->whole, l->game, at >> 4, (int)(at & 15), state);
    return true;
}

/* Expand lists the moves that are neither dead nor pruned. */
PLAIN_FUNCTION void whole_check_expand(const soloist_instance *instance, const void *state) {
    _Alignas(8) unsigned char child[64];
    soloist_move moves[64];
    soloist_child children[64];
    int count = sokoban_push_core.moves(instance, state, moves), listed = 0;
    int expanded = sokoban_push_core.expand(instance, state, SOLOIST_NO_MOVE, SOLOIST_WANT_KEY, children);
    for (int i = 0; i < count; i++) {
        memcpy(child, state, sizeof child);
        sokoban_push_core.apply(instance, child, moves[i], NULL);
        if (sokoban_bound.dead(instance, child) || sokoban_bound.pruned(instance, state, moves[i]))
            continue;
        assert_true(listed < expanded && children[listed].move == moves[i]);
        listed++;
    }
    assert_int_equal(listed, expanded);
}

#endif
