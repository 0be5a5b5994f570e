/* The tables of an instance, and a state in its three forms: the searched one, plain squares, and packed bytes. */
#include "domain/tiles/tiles_core.h"
#include "domain/tiles/tiles_patterns.h"

#include <string.h>

static void prepare_move(soloist_instance *instance, int blank, int move) {
    int width = instance->width, offset = tiles_offset(instance->offsets, (unsigned)move), from = blank + offset;
    if (from < 0 || from >= instance->squares || tiles_distance_between(width, blank, from) != 1)
        return;
    instance->open[blank] |= (uint8_t)(1 << move);
    for (int tile = 1; tile < instance->squares; tile++) {
        int change[TILES_ENDS];
        for (int end = 0; end < TILES_ENDS; end++) {
            int place = instance->place[end][tile];
            change[end] = tiles_distance_between(width, blank, place) - tiles_distance_between(width, from, place);
            instance->nearer[end][blank][move] |= (uint32_t)(change[end] < 0) << tile;
        }
        instance->delta[blank][move][tile] = offset + change[TILES_TO_GOAL] * 256 + change[TILES_TO_ROOT] * 0x100000;
    }
}

void tiles_prepare(soloist_instance *instance, const struct tiles_options *options) {
    int width = instance->width, height = instance->height;
    instance->squares = width * height;
    instance->bits = instance->squares <= TILES_NARROW_SQUARES ? 4 : 8;
    instance->bound = options->bound;
    instance->patterns = tiles_pattern_count(options->bound);
    instance->odd = tiles_is_odd(width, height, instance->start, options->goal);
    instance->offsets = TILES_OFFSETS(width);
    for (int square = 0; square < instance->squares; square++) {
        instance->place[TILES_TO_ROOT][instance->start[square]] = (uint8_t)square;
        instance->place[TILES_TO_GOAL][square] = (uint8_t)tiles_goal_square(instance->squares, options->goal, square);
    }
    for (int blank = 0; blank < instance->squares; blank++)
        for (int move = 0; move < TILES_DIRECTIONS; move++)
            prepare_move(instance, blank, move);
}

void tiles_state_from_board(const soloist_instance *instance, const uint8_t *board, struct tiles_state *state) {
    uint64_t words[4] = {0};
    int width = instance->width, height = instance->height;
    state->summary = (uint64_t)tiles_manhattan(width, height, board, instance->place[TILES_TO_GOAL]) << 8 |
                     (uint64_t)tiles_manhattan(width, height, board, instance->place[TILES_TO_ROOT]) << 20;
    for (int square = 0; square < instance->squares; square++) {
        int bit = square * instance->bits;
        words[bit / 64] |= (uint64_t)board[square] << bit % 64;
        if (board[square] == 0)
            state->summary |= (uint64_t)square;
    }
    memcpy(state->board, words, instance->bits == 4 ? 8 : 32);
    if (instance->patterns)
        tiles_places_set(instance, board, tiles_places_of(instance, state));
}

void tiles_board_from_state(const soloist_instance *instance, const struct tiles_state *state, uint8_t *board) {
    for (int square = 0; square < instance->squares; square++) {
        int bit = square * instance->bits;
        board[square] = (uint8_t)(state->board[bit / 64] >> bit % 64 & (instance->bits == 4 ? 15 : 255));
    }
}

/* Up to 16 squares the board's word is small enough. Above, 12 squares of 5 bits go into a word: the last of 25 squares
 * holds the tile that no other does. */
void tiles_pack(const soloist_instance *instance, const void *state, void *packed) {
    const struct tiles_state *s = state;
    uint8_t board[TILES_MOST_SQUARES];
    uint64_t words[2] = {0};
    if (instance->bits == 4) {
        memcpy(packed, s->board, 8);
        return;
    }
    tiles_board_from_state(instance, s, board);
    for (int square = 0; square < instance->squares - 1; square++)
        words[square / 12] |= (uint64_t)board[square] << square % 12 * 5;
    memcpy(packed, words, sizeof words);
}

void tiles_unpack(const soloist_instance *instance, const void *packed, void *state) {
    uint8_t board[TILES_MOST_SQUARES];
    uint64_t words[2] = {0};
    int squares = instance->squares, missing = 0;
    memcpy(words, packed, instance->bits == 4 ? 8 : 16);
    for (int square = 0; square < squares; square++) {
        uint64_t tile =
            instance->bits == 4 ? words[0] >> square * 4 & 15 : words[square / 12 & 1] >> square % 12 * 5 & 31;
        board[square] = (uint8_t)tile;
    }
    for (int square = 0; square < squares; square++)
        missing ^= square ^ (square < squares - 1 ? board[square] : 0);
    board[squares - 1] = (uint8_t)missing;
    tiles_state_from_board(instance, board, state);
}
