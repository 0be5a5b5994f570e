/* The size of a level's search space as estimated by Kröger 2024 (appendix A): the number of ways to place the boxes on
 * tiles that are not locking and the player on a tile without a box. Locking tiles are found by algorithm 2 there: a
 * lone box is pulled from every goal to wherever it can go; a tile that the box never visits is locking. */
#include "domain/sokoban/file/level.h"

#include <stdio.h>
#include <string.h>

#define CELLS (SOKOBAN_MOST_SIDE * SOKOBAN_MOST_SIDE)

/* One box on the board, the player next to it in one of four directions. */
struct pulling {
    const struct sokoban_level *level;
    int steps[4];
    uint8_t seen[CELLS]; /* bit d: the box was here with the player in direction d */
    uint16_t queue[CELLS * 4];
    int head, tail;
    uint8_t reached[CELLS];
};

static bool is_tile(const struct sokoban_level *level, int cell) { return level->cells[cell] & SOKOBAN_INSIDE; }

static void note_state(struct pulling *pulling, int box, int side) {
    if (!is_tile(pulling->level, box + pulling->steps[side]) || pulling->seen[box] >> side & 1)
        return;
    pulling->seen[box] |= (uint8_t)(1 << side);
    pulling->queue[pulling->tail++] = (uint16_t)(box << 2 | side);
}

/* Marks the cells that the player can reach from `from` around the box. */
static void walk(struct pulling *pulling, int from, int box) {
    uint16_t stack[CELLS];
    int count = 0;
    memset(pulling->reached, 0, sizeof pulling->reached);
    pulling->reached[from] = 1;
    stack[count++] = (uint16_t)from;
    while (count) {
        int cell = stack[--count];
        for (int d = 0; d < 4; d++) {
            int to = cell + pulling->steps[d];
            if (to == box || pulling->reached[to] || !is_tile(pulling->level, to))
                continue;
            pulling->reached[to] = 1;
            stack[count++] = (uint16_t)to;
        }
    }
}

void sokoban_live_tiles(const struct sokoban_level *level, uint8_t *live) {
    struct pulling pulling = {.level = level, .steps = {-level->width, -1, 1, level->width}};
    int cells = level->width * level->height;
    for (int cell = 0; cell < cells; cell++)
        if (level->cells[cell] & SOKOBAN_GOAL)
            for (int d = 0; d < 4; d++)
                note_state(&pulling, cell, d);
    while (pulling.head < pulling.tail) {
        int state = pulling.queue[pulling.head++], box = state >> 2, side = state & 3;
        walk(&pulling, box + pulling.steps[side], box);
        for (int d = 0; d < 4; d++) {
            int player = box + pulling.steps[d];
            if (!pulling.reached[player])
                continue;
            note_state(&pulling, box, d);
            note_state(&pulling, player, d); /* the pull: the box follows to where the player stood */
        }
    }
    for (int cell = 0; cell < cells; cell++)
        live[cell] = pulling.seen[cell] || level->cells[cell] & SOKOBAN_GOAL;
}

/* A number in base 10^9, the least limb first. */
struct natural {
    uint32_t limbs[SOKOBAN_SPACE_ROOM / 9 + 1];
    int count;
};

static void multiply(struct natural *n, uint32_t factor) {
    uint64_t carry = 0;
    for (int i = 0; i < n->count; i++) {
        carry += (uint64_t)n->limbs[i] * factor;
        n->limbs[i] = (uint32_t)(carry % 1000000000u);
        carry /= 1000000000u;
    }
    if (carry)
        n->limbs[n->count++] = (uint32_t)carry;
}

static void divide(struct natural *n, uint32_t divisor) {
    uint64_t rest = 0;
    for (int i = n->count - 1; i >= 0; i--) {
        rest = rest * 1000000000u + n->limbs[i];
        n->limbs[i] = (uint32_t)(rest / divisor);
        rest %= divisor;
    }
    while (n->count > 1 && !n->limbs[n->count - 1])
        n->count--;
}

void sokoban_space_digits(int tiles, int locking_tiles, int boxes, char *digits, size_t room) {
    int places = tiles - locking_tiles;
    struct natural n = {.limbs = {1}, .count = 1};
    if (boxes > places || boxes >= tiles || boxes < 0 || places < 0 || tiles > CELLS || boxes > SOKOBAN_MOST_BOXES) {
        snprintf(digits, room, "0");
        return;
    }
    for (int i = 1; i <= boxes; i++) {
        multiply(&n, (uint32_t)(places - boxes + i));
        divide(&n, (uint32_t)i);
    }
    multiply(&n, (uint32_t)(tiles - boxes));
    size_t length = (size_t)snprintf(digits, room, "%u", n.limbs[n.count - 1]);
    for (int i = n.count - 2; i >= 0 && length < room; i--)
        length += (size_t)snprintf(digits + length, room - length, "%09u", n.limbs[i]);
}

void sokoban_space(const struct sokoban_level *level, int *tiles, int *locking_tiles, char *digits, size_t room) {
    uint8_t live[CELLS];
    sokoban_live_tiles(level, live);
    *tiles = *locking_tiles = 0;
    for (int cell = 0; cell < level->width * level->height; cell++) {
        *tiles += is_tile(level, cell);
        *locking_tiles += is_tile(level, cell) && !live[cell];
    }
    sokoban_space_digits(*tiles, *locking_tiles, level->boxes, digits, room);
}

/* Rounds half up on the decimal digits, without floating point, so that every machine prints the same. */
void sokoban_space_short(const char *digits, char *out, size_t room) {
    size_t length = strlen(digits);
    if (length <= 6) {
        snprintf(out, room, "%s", digits);
        return;
    }
    int first_two = (digits[0] - '0') * 10 + (digits[1] - '0') + (digits[2] >= '5');
    size_t exponent = length - 1;
    if (first_two == 100)
        first_two = 10, exponent++;
    snprintf(out, room, "%d.%de%zu", first_two / 10, first_two % 10, exponent);
}
