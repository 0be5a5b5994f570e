/* Carves a room: a random walk inside the walls carves a small pattern around each cell it visits. Ge 2018 does not
 * give the patterns; these are our own. */
#include "domain/sokoban/generate/room.h"

#include <string.h>

/* The patterns that are carved: three rows of three bits, with the walker's cell in the middle. Every pattern is
 * connected through that cell and stays connected if the board's edge cuts off a part of it, so that the room is one
 * piece. Narrow patterns make corridors, and square ones make space to push. None is wider than two; otherwise rooms
 * would soon merge into a single hall. */
static const uint16_t patterns[] = {
    0020,                   /* the cell alone */
    0060, 0030, 0022, 0220, /* the cell and one neighbour */
    0062, 0032, 0260, 0230, /* the cell and two neighbours around a corner */
    0066, 0033, 0660, 0330, /* a square of two by two cells */
    0070, 0222,             /* a line of three */
};

static void carve_pattern(struct sokoban_level *level, int x, int y, unsigned pattern) {
    for (int i = 0; i < 9; i++) {
        int cx = x + i % 3 - 1, cy = y + i / 3 - 1;
        if (pattern >> i & 1 && cx > 0 && cy > 0 && cx < level->width - 1 && cy < level->height - 1)
            level->cells[cy * level->width + cx] = SOKOBAN_INSIDE;
    }
}

void room_carve(struct sokoban_level *level, int64_t steps, double turn, soloist_rng *rng) {
    static const int dx[4] = {0, 1, 0, -1}, dy[4] = {-1, 0, 1, 0};
    memset(level->cells, SOKOBAN_WALL, (size_t)(level->width * level->height));
    int x = 1 + (int)soloist_rng_below(rng, (uint32_t)level->width - 2);
    int y = 1 + (int)soloist_rng_below(rng, (uint32_t)level->height - 2);
    uint32_t direction = soloist_rng_below(rng, 4);
    for (int64_t step = 0; step < steps; step++) {
        carve_pattern(level, x, y, patterns[soloist_rng_below(rng, sizeof patterns / sizeof *patterns)]);
        int nx = x + dx[direction], ny = y + dy[direction];
        if (nx > 0 && ny > 0 && nx < level->width - 1 && ny < level->height - 1)
            x = nx, y = ny;
        if (soloist_rng_unit(rng) < turn)
            direction = soloist_rng_below(rng, 4);
    }
}

int room_tiles(const struct sokoban_level *level, uint16_t *tiles) {
    int count = 0;
    for (int cell = 0; cell < level->width * level->height; cell++)
        if (level->cells[cell] & SOKOBAN_INSIDE)
            tiles[count++] = (uint16_t)cell;
    return count;
}
