/* What a network sees of a board: one plane per tile, which has a 1 on the square where the tile is (the blank is tile
 * 0), and four actions, the directions of the blank. A square board may be mirrored at its main diagonal if every tile
 * is renamed to the one whose goal is at the mirrored square. */
#include "domain/tiles/tiles.h"

#include <string.h>

static void planes(const soloist_instance *instance, int *channels, int *height, int *width) {
    *channels = instance->squares;
    *height = instance->height;
    *width = instance->width;
}

static int actions(const soloist_instance *instance) {
    (void)instance;
    return TILES_DIRECTIONS;
}

static void encode(const soloist_instance *instance, const void *state, int channels, float *slot) {
    uint8_t board[TILES_MOST_SQUARES];
    int squares = instance->squares;
    tiles_board_from_state(instance, state, board);
    memset(slot, 0, (size_t)channels * (size_t)squares * sizeof *slot);
    for (int square = 0; square < squares; square++)
        slot[board[square] * squares + square] = 1;
}

static int action(const soloist_instance *instance, const void *state, soloist_move move) {
    (void)instance, (void)state;
    return (int)move;
}

static int symmetries(const soloist_instance *instance) { return instance->width == instance->height ? 2 : 1; }

/* The tile whose goal square is the mirror image of this tile's. */
static int mirrored_tile(const soloist_instance *instance, int tile) {
    int goal = tiles_mirror(instance->width, instance->place[TILES_TO_GOAL][tile]), other = 0;
    while (instance->place[TILES_TO_GOAL][other] != goal)
        other++;
    return other;
}

static void reflect(const soloist_instance *instance, int symmetry, int channels, const float *slot,
                    const float *policy, float *reflected, float *reflected_policy) {
    static const int directions[TILES_DIRECTIONS] = {TILES_LEFT, TILES_UP, TILES_DOWN, TILES_RIGHT};
    int squares = instance->squares;
    if (!symmetry) {
        memcpy(reflected, slot, (size_t)channels * (size_t)squares * sizeof *slot);
        if (policy)
            memcpy(reflected_policy, policy, TILES_DIRECTIONS * sizeof *policy);
        return;
    }
    for (int tile = 0; tile < channels; tile++) {
        float *to = reflected + mirrored_tile(instance, tile) * squares;
        for (int square = 0; square < squares; square++)
            to[tiles_mirror(instance->width, square)] = slot[tile * squares + square];
    }
    for (int i = 0; policy && i < TILES_DIRECTIONS; i++)
        reflected_policy[directions[i]] = policy[i];
}

const soloist_learn tiles_learn = {
    .size = sizeof(soloist_learn),
    .planes = planes,
    .actions = actions,
    .encode = encode,
    .action = action,
    .symmetries = symmetries,
    .reflect = reflect,
    .whole_states = true,
};
