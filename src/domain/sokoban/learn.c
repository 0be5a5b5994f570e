/* How a network sees Sokoban (Ge 2018, section 3.4): planes of the size of the board as it is written, for walls,
 * goals, boxes and the player. A cell that the player could never enter is a wall. If a state holds the player's region
 * and not his own square, every square of the region is marked, so that equal positions give equal planes.
 *
 * In `sokoban-moves` an action is one of the four directions, in the order of the moves; in `sokoban` it is a direction
 * and the cell of the pushed box. The richer planes are described in learn.h. The symmetries are the rotations and
 * reflections of the board; if its height and width differ, only the four that do not exchange them. Only the board's
 * size matters to `reflect`: an instance of the same size can reflect the planes of another. */
#include "domain/sokoban/learn.h"

enum { WALLS, GOALS, BOXES, PLAYER, PLANES };

static size_t cells_of(const struct sokoban *game) { return (size_t)(game->level.width * game->level.height); }

static void planes(const soloist_instance *instance, int *channels, int *height, int *width) {
    *channels = PLANES;
    *height = sokoban_of(instance)->level.height;
    *width = sokoban_of(instance)->level.width;
}

static int step_actions(const soloist_instance *instance) {
    (void)instance;
    return 4;
}

static int push_actions(const soloist_instance *instance) { return 4 * (int)cells_of(sokoban_of(instance)); }

static int step_action(const soloist_instance *instance, const void *state, soloist_move move) {
    (void)instance, (void)state;
    return (int)move;
}

static int push_action(const soloist_instance *instance, const void *state, soloist_move move) {
    const struct sokoban *game = sokoban_of(instance);
    (void)state;
    return (int)(move & 3) * (int)cells_of(game) + sokoban_cell(game, sokoban_push_box(move));
}

/* ---- planes ---- */

static void mark(const struct sokoban *game, const uint64_t *set, float *plane) {
    for (BITSET_EACH(square, set, (size_t)game->words))
        plane[sokoban_cell(game, square)] = 1;
}

static void encode(const soloist_instance *instance, const void *state, int channels, float *slot) {
    const struct sokoban *game = sokoban_of(instance);
    const struct sokoban_state *s = state;
    uint64_t player[SOKOBAN_WORDS] = {0};
    size_t cells = cells_of(game);
    memset(slot, 0, (size_t)channels * cells * sizeof *slot);
    for (size_t cell = 0; cell < cells; cell++) {
        slot[WALLS * cells + cell] = !(game->level.cells[cell] & SOKOBAN_INSIDE);
        slot[GOALS * cells + cell] = game->level.cells[cell] & SOKOBAN_GOAL ? 1 : 0;
    }
    mark(game, s->boxes, slot + BOXES * cells);
    if (game->rules.exact)
        bitset_add(player, s->player);
    else
        sokoban_reach(game, s->boxes, (int)s->player, player);
    mark(game, player, slot + PLAYER * cells);
    if (channels > PLANES)
        learn_encode_more(game, s, slot + PLANES * cells);
}

/* ---- symmetries ---- */

/* Bits of a symmetry's number. Rows and columns are exchanged before anything is mirrored. */
enum { MIRROR_COLUMNS = 1, MIRROR_ROWS = 2, EXCHANGE = 4 };

static int symmetries(const soloist_instance *instance) {
    const struct sokoban_level *level = &sokoban_of(instance)->level;
    return level->width == level->height ? 8 : 4;
}

static int reflected_direction(int symmetry, int d) {
    if (symmetry & EXCHANGE)
        d ^= 1; /* up and left, right and down */
    bool along_row = d == SOKOBAN_LEFT || d == SOKOBAN_RIGHT;
    return symmetry & (along_row ? MIRROR_COLUMNS : MIRROR_ROWS) ? 3 - d : d;
}

/* The index of a reflected cell changes by `across` from column to column and by `down` from row to row. */
static void reflect_plane(const struct sokoban_level *level, int symmetry, const float *from, float *to) {
    int width = level->width, height = level->height, across = 1, down = width, row = 0;
    if (symmetry & MIRROR_COLUMNS)
        row += width - 1, across = -1;
    if (symmetry & MIRROR_ROWS)
        row += (height - 1) * width, down = -width;
    if (symmetry & EXCHANGE) {
        int column = across;
        across = down, down = column;
    }
    for (int y = 0; y < height; y++, row += down)
        for (int x = 0; x < width; x++)
            to[row + x * across] = *from++;
}

/* Planes of pushes come in groups of four, one per direction, which change places. */
static void reflect_planes(const struct sokoban *game, int symmetry, int channels, const float *slot,
                           float *reflected) {
    ptrdiff_t cells = (ptrdiff_t)cells_of(game);
    for (int c = 0; c < channels; c++) {
        int more = c - PLANES, d = (more - MORE_CLOSER) % 4, to = c;
        if (learn_is_push_plane(more))
            to += reflected_direction(symmetry, d) - d;
        reflect_plane(&game->level, symmetry, slot + c * cells, reflected + to * cells);
    }
}

static void step_reflect(const soloist_instance *instance, int symmetry, int channels, const float *slot,
                         const float *policy, float *reflected, float *reflected_policy) {
    reflect_planes(sokoban_of(instance), symmetry, channels, slot, reflected);
    for (int d = 0; policy && d < 4; d++)
        reflected_policy[reflected_direction(symmetry, d)] = policy[d];
}

static void push_reflect(const soloist_instance *instance, int symmetry, int channels, const float *slot,
                         const float *policy, float *reflected, float *reflected_policy) {
    const struct sokoban *game = sokoban_of(instance);
    size_t cells = cells_of(game);
    reflect_planes(game, symmetry, channels, slot, reflected);
    for (int d = 0; policy && d < 4; d++)
        reflect_plane(&game->level, symmetry, policy + (size_t)d * cells,
                      reflected_policy + (size_t)reflected_direction(symmetry, d) * cells);
}

const soloist_learn sokoban_push_learn = {
    .size = sizeof(soloist_learn),
    .planes = planes,
    .more_planes = MORE_PLANES,
    .actions = push_actions,
    .encode = encode,
    .action = push_action,
    .symmetries = symmetries,
    .bit_planes = PLANES + MORE_PLANES,
    .reflect = push_reflect,
};

const soloist_learn sokoban_step_learn = {
    .size = sizeof(soloist_learn),
    .planes = planes,
    .more_planes = MORE_PLANES,
    .actions = step_actions,
    .encode = encode,
    .action = step_action,
    .symmetries = symmetries,
    .bit_planes = PLANES + MORE_PLANES,
    .reflect = step_reflect,
};
