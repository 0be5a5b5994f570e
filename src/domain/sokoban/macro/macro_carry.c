/* Finds where one box can be pushed while all others stay, by breadth-first search over its places. */
#include "domain/sokoban/macro/macro.h"

static void add_place(struct sokoban_carry *carry, int square, int d, int before) {
    if (bitset_has(carry->seen[d], (unsigned)square))
        return;
    bitset_add(carry->seen[d], (unsigned)square);
    carry->places[carry->tail] = (uint16_t)(square * 4 + d);
    carry->before[carry->tail++] = (uint16_t)before;
}

void sokoban_carry_open(struct sokoban_carry *carry, const struct sokoban *game, const uint64_t *boxes, int box,
                        int d) {
    carry->game = game;
    carry->head = carry->tail = 0;
    for (int i = 0; i < game->words; i++) {
        carry->others[i] = boxes[i] & ~board_one(box, i);
        for (int e = 0; e < 4; e++)
            carry->seen[e][i] = 0;
    }
    add_place(carry, box + game->step[d], d, 0);
}

/* Adds the places one push further than the current one. */
static void push_on(struct sokoban_carry *carry) {
    const struct sokoban *game = carry->game;
    int at = carry->head - 1, square = carry->places[at] >> 2, d = carry->places[at] & 3;
    uint64_t solid[SOKOBAN_WORDS], reach[SOKOBAN_WORDS];
    for (int i = 0; i < game->words; i++)
        solid[i] = carry->others[i] | board_one(square, i);
    sokoban_reach(game, solid, square - game->step[d], reach);
    for (int e = 0; e < 4; e++) {
        int behind = square - game->step[e], ahead = square + game->step[e];
        if (sokoban_is_floor(game, behind) && bitset_has(reach, (unsigned)behind) && sokoban_is_floor(game, ahead) &&
            bitset_has(game->live.some, (unsigned)ahead) && !bitset_has(carry->others, (unsigned)ahead))
            add_place(carry, ahead, e, at);
    }
}

int sokoban_carry_next(struct sokoban_carry *carry) {
    if (carry->head)
        push_on(carry);
    return carry->head < carry->tail ? carry->places[carry->head++] : -1;
}

int sokoban_carry_length(const struct sokoban_carry *carry) {
    int length = 1;
    for (int at = carry->head - 1; at; at = carry->before[at])
        length++;
    return length;
}
