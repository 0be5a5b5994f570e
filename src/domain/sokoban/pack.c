/* Packed states for closed tables: the boxes as a bit for each square that a box can ever be on, or as a list of such
 * squares' numbers, whichever is shorter, and the number of the player's square. */
#include "domain/sokoban/sokoban.h"

#include <stdlib.h>

static int bits_for(int values) {
    int bits = 0;
    while (1 << bits < values)
        bits++;
    return bits;
}

static bool packs_list(const struct sokoban *game) {
    return game->boxes * game->packed_bits < game->packed_squares;
}

size_t sokoban_packed_size(const struct sokoban *game) {
    int bits = packs_list(game) ? game->boxes * game->packed_bits : game->packed_squares;
    return (size_t)(bits + game->player_bits + 7) / 8;
}

/* Forwards a box is where one of the root can be pushed, backwards where it can be pulled from a goal. */
bool sokoban_pack_make(struct sokoban *game) {
    size_t size = (size_t)game->size;
    uint16_t *squares = calloc(size, sizeof *squares), *players = calloc(size, sizeof *players);
    game->packed_square = squares;
    game->player_square = players;
    game->packed_number = calloc(size, sizeof *game->packed_number);
    game->player_number = calloc(size, sizeof *game->player_number);
    if (!squares || !players || !game->packed_number || !game->player_number)
        return false;
    int count = 0;
    for (BITSET_EACH(s, game->floor, (size_t)game->words)) {
        game->player_number[s] = (uint16_t)count;
        players[count++] = (uint16_t)s;
        if (!bitset_has(game->live.some, (unsigned)s) && !bitset_has(game->reached.some, (unsigned)s))
            continue;
        game->packed_number[s] = (uint16_t)game->packed_squares;
        squares[game->packed_squares++] = (uint16_t)s;
    }
    game->packed_bits = (uint8_t)bits_for(game->packed_squares);
    game->player_bits = (uint8_t)bits_for(game->floor_count);
    return true;
}

static void put_number(uint8_t *packed, int at, int bits, unsigned number) {
    for (int i = 0; i < bits; i++, at++)
        packed[at >> 3] |= (uint8_t)((number >> i & 1) << (at & 7));
}

static unsigned get_number(const uint8_t *packed, int at, int bits) {
    unsigned number = 0;
    for (int i = 0; i < bits; i++, at++)
        number |= (unsigned)(packed[at >> 3] >> (at & 7) & 1) << i;
    return number;
}

static void pack(const soloist_instance *instance, const void *state, void *packed) {
    const struct sokoban *game = sokoban_of(instance);
    const struct sokoban_state *s = state;
    bool list = packs_list(game);
    int at = game->player_bits;
    memset(packed, 0, sokoban_packed_size(game));
    put_number(packed, 0, game->player_bits, game->player_number[s->player]);
    for (BITSET_EACH(box, s->boxes, (size_t)game->words)) {
        unsigned number = game->packed_number[box];
        if (list)
            put_number(packed, at, game->packed_bits, number);
        else
            put_number(packed, at + (int)number, 1, 1);
        at += list ? game->packed_bits : 0;
    }
}

static void unpack(const soloist_instance *instance, const void *packed, void *state) {
    const struct sokoban *game = sokoban_of(instance);
    struct sokoban_state *s = state;
    memset(s->boxes, 0, (size_t)game->words * sizeof *s->boxes);
    s->player = game->player_square[get_number(packed, 0, game->player_bits)];
    int at = game->player_bits;
    for (int i = 0; packs_list(game) && i < game->boxes; i++, at += game->packed_bits)
        bitset_add(s->boxes, game->packed_square[get_number(packed, at, game->packed_bits)]);
    for (int i = 0; !packs_list(game) && i < game->packed_squares; i++)
        if (get_number(packed, at + i, 1))
            bitset_add(s->boxes, game->packed_square[i]);
    sokoban_state_count(game, s);
}

const soloist_pack sokoban_pack = {pack, unpack};
