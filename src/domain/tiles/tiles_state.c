/* The tables of an instance, and a state in its three forms: for search, as plain squares, and packed. */
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

/* The summary is a sum over squares: the blank contributes its square, a tile its distances. */
static void prepare_summands(soloist_instance *instance) {
    for (int square = 0; square < instance->squares; square++)
        for (int tile = 0; tile < instance->squares; tile++)
            instance->summand[square][tile] =
                tile ? (uint32_t)tiles_distance_between(instance->width, square, instance->place[TILES_TO_GOAL][tile])
                               << 8 |
                           (uint32_t)tiles_distance_between(instance->width, square,
                                                            instance->place[TILES_TO_ROOT][tile])
                               << 20
                     : (uint32_t)square;
}

void tiles_prepare_moves(soloist_instance *instance) {
    memset(instance->nearer, 0, sizeof instance->nearer);
    for (int blank = 0; blank < instance->squares; blank++)
        for (int move = 0; move < TILES_DIRECTIONS; move++)
            prepare_move(instance, blank, move);
    if (instance->bits == 4)
        prepare_summands(instance);
}

void tiles_prepare(soloist_instance *instance, const struct tiles_options *options) {
    int width = instance->width, height = instance->height;
    instance->squares = width * height;
    instance->bits = instance->squares <= TILES_NARROW_SQUARES ? 4 : 8;
    instance->bound = options->bound;
    /* Building the small databases takes a second or two, building 6666 takes minutes. */
    if (options->bound == TILES_AUTO)
        instance->bound = width == 5 && height == 5 ? TILES_444444 : TILES_MANHATTAN;
    instance->patterns = tiles_pattern_count(instance->bound);
    instance->odd = tiles_is_odd(width, height, instance->start, options->goal);
    instance->offsets = TILES_OFFSETS(width);
    for (int square = 0; square < instance->squares; square++) {
        instance->place[TILES_TO_ROOT][instance->start[square]] = (uint8_t)square;
        instance->place[TILES_TO_GOAL][square] = (uint8_t)tiles_goal_square(instance->squares, options->goal, square);
    }
    for (int square = 0; square < instance->squares && instance->patterns; square++)
        for (int side = 0; side < 2; side++) {
            int goal = instance->place[TILES_TO_GOAL][square];
            instance->frame[side][square] = (uint8_t)(side ? tiles_mirror(width, square) : square);
            instance->home[side][square] = (uint8_t)(side ? tiles_mirror(width, goal) : goal);
        }
    tiles_prepare_moves(instance);
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
    if (instance->walking[0])
        tiles_walking_set(instance, board, state);
    if (instance->patterns)
        tiles_places_set(instance, board, tiles_places_of(instance, state));
}

void tiles_board_from_state(const soloist_instance *instance, const struct tiles_state *state, uint8_t *board) {
    for (int square = 0; square < instance->squares; square++) {
        int bit = square * instance->bits;
        board[square] = (uint8_t)(state->board[bit / 64] >> bit % 64 & (instance->bits == 4 ? 15 : 255));
    }
}

/* Packs eight squares of one byte each into 5 bits each, the first square lowest. `spread` is the inverse. */
static uint64_t squeeze(uint64_t word) {
    word = (word & 0x00ff00ff00ff00ff) | (word & 0xff00ff00ff00ff00) >> 3;
    word = (word & 0x000003ff000003ff) | (word & 0x03ff000003ff0000) >> 6;
    return (word & 0xfffff) | word >> 32 << 20;
}

static uint64_t spread(uint64_t word) {
    word = (word & 0xfffff) | (word >> 20 & 0xfffff) << 32;
    word = (word & 0x000003ff000003ff) | (word << 6 & 0x03ff000003ff0000);
    return (word & 0x001f001f001f001f) | (word << 3 & 0x1f001f001f001f00);
}

/* The packed form of a board of up to 16 squares is its word. On larger boards the first 24 squares take 5 bits each;
 * the 25th square is not stored, because it has the tile that is on no other square. */
void tiles_pack(const soloist_instance *instance, const void *state, void *packed) {
    const struct tiles_state *s = state;
    if (instance->bits == 4) {
        memcpy(packed, s->board, 8);
        return;
    }
    uint64_t middle = squeeze(s->board[1]);
    uint64_t words[2] = {squeeze(s->board[0]) | middle << 40, middle >> 24 | squeeze(s->board[2]) << 16};
    memcpy(packed, words, sizeof words);
}

/* This must be fast, because a best-first search unpacks a state at every expansion. */
static void unpack_narrow(const soloist_instance *instance, uint64_t board, struct tiles_state *state) {
    uint32_t summary = 0;
    for (int square = 0; square < instance->squares; square++)
        summary += instance->summand[square][board >> square * 4 & 15];
    state->summary = summary;
    state->board[0] = board;
}

void tiles_unpack(const soloist_instance *instance, const void *packed, void *state) {
    uint8_t board[TILES_MOST_SQUARES];
    uint64_t words[2] = {0};
    int squares = instance->squares, missing = 0;
    memcpy(words, packed, instance->bits == 4 ? 8 : 16);
    if (instance->bits == 4 && !instance->patterns && !instance->walking[0]) {
        unpack_narrow(instance, words[0], state);
        return;
    }
    uint64_t bytes[4] = {spread(words[0]), spread(words[0] >> 40 | words[1] << 24), spread(words[1] >> 16), 0};
    for (int square = 0; square < squares; square++) {
        uint64_t tile = instance->bits == 4 ? words[0] >> square * 4 : bytes[square / 8] >> square % 8 * 8;
        board[square] = (uint8_t)(tile & (instance->bits == 4 ? 15 : 31));
    }
    for (int square = 0; square < squares; square++)
        missing ^= square ^ (square < squares - 1 ? board[square] : 0);
    board[squares - 1] = (uint8_t)missing;
    tiles_state_from_board(instance, board, state);
}
