/* Packed states for closed tables: the number of the player's square, and the boxes. Boxes are stored either as one bit
 * for each square that a box can ever be on, or as a list of the numbers of their squares, whichever is shorter. */
#include "domain/sokoban/sokoban.h"

#include <stdlib.h>

static int bits_for(int values) {
    int bits = 0;
    while (1 << bits < values)
        bits++;
    return bits;
}

static bool packs_list(const struct sokoban *game) { return game->boxes * game->packed_bits < game->packed_squares; }

size_t sokoban_packed_size(const struct sokoban *game) {
    int bits = packs_list(game) ? game->boxes * game->packed_bits : game->packed_squares;
    return (size_t)(bits + game->player_bits + 7) / 8;
}

/* The squares that a box can ever be on: in forward play those to which a box of the root can be pushed, in backward
 * play those to which a box can be pulled from a goal. */
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

/* Writes numbers one after another, each with its low bits first. `held` collects bits until a whole byte can be
 * written. */
struct bit_stream {
    uint8_t *at;
    uint64_t held;
    int count;
};

static void stream_put(struct bit_stream *stream, int bits, unsigned number) {
    stream->held |= (uint64_t)number << stream->count;
    for (stream->count += bits; stream->count >= 8; stream->count -= 8) {
        *stream->at++ = (uint8_t)stream->held;
        stream->held >>= 8;
    }
}

static void stream_end(struct bit_stream *stream) {
    if (stream->count)
        *stream->at = (uint8_t)stream->held;
}

static unsigned number_at(const uint8_t *packed, int at, int bits) {
    uint32_t window = 0;
    for (int byte = at >> 3, shift = 0; byte <= (at + bits - 1) >> 3; byte++, shift += 8)
        window |= (uint32_t)packed[byte] << shift;
    return window >> (at & 7) & ((1u << bits) - 1);
}

/* The player's number, then a list of the boxes' numbers. */
static void pack_list(const struct sokoban *game, const struct sokoban_state *state, uint8_t *packed) {
    struct bit_stream stream = {packed, 0, 0};
    stream_put(&stream, game->player_bits, game->player_number[state->player]);
    for (BITSET_EACH(box, state->boxes, (size_t)game->words))
        stream_put(&stream, game->packed_bits, game->packed_number[box]);
    stream_end(&stream);
}

/* The player's number, then one bit per square. */
static void pack_set(const struct sokoban *game, const struct sokoban_state *state, uint8_t *packed) {
    unsigned player = game->player_number[state->player], first = game->player_bits;
    memset(packed, 0, sokoban_packed_size(game));
    packed[0] = (uint8_t)player;
    if (first > 8)
        packed[1] = (uint8_t)(player >> 8);
    for (BITSET_EACH(box, state->boxes, (size_t)game->words)) {
        unsigned at = first + game->packed_number[box];
        packed[at >> 3] |= (uint8_t)(1u << (at & 7));
    }
}

static void pack(const soloist_instance *instance, const void *state, void *packed) {
    const struct sokoban *game = sokoban_of(instance);
    if (packs_list(game))
        pack_list(game, state, packed);
    else
        pack_set(game, state, packed);
}

static void unpack(const soloist_instance *instance, const void *packed, void *state) {
    const struct sokoban *game = sokoban_of(instance);
    struct sokoban_state *s = state;
    int at = game->player_bits;
    memset(s->boxes, 0, (size_t)game->words * sizeof *s->boxes);
    s->player = game->player_square[at ? number_at(packed, 0, at) : 0];
    if (packs_list(game)) {
        for (int i = 0; i < game->boxes; i++, at += game->packed_bits)
            bitset_add(s->boxes, game->packed_square[game->packed_bits ? number_at(packed, at, game->packed_bits) : 0]);
    } else {
        for (int i = 0; i < game->packed_squares; i++)
            if (number_at(packed, at + i, 1))
                bitset_add(s->boxes, game->packed_square[i]);
    }
    sokoban_state_count(game, s);
}

const soloist_pack sokoban_pack = {
    .size = sizeof(soloist_pack),
    .pack = pack,
    .unpack = unpack,
};
