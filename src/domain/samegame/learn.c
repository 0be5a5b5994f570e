/* How a network sees a SameGame board: one plane for the empty cells and one per colour, top row first; one action per
 * cell. Further planes give for each block the size of its group and the score for removing the group, how many blocks
 * and groups of its colour are left, and which neighbours have the same colour. Any block of a group stands for the
 * same move: the move's prior is the sum over the group's cells, and its target is divided evenly among them. The
 * symmetries are permutations of the colours and mirroring. Because columns close to the left, a mirrored board has its
 * non-empty columns in the opposite order, but still at the left edge. Rotation is not a symmetry, because blocks
 * fall. */
#include "domain/samegame/samegame.h"

#include <string.h>

static int colours_of(const soloist_instance *instance) {
    return instance->colours > SAMEGAME_LEAST_COLOURS ? instance->colours : SAMEGAME_LEAST_COLOURS;
}

static int cell_of(const soloist_instance *instance, int column, int row) {
    return (instance->height - 1 - row) * instance->width + column;
}

static void planes(const soloist_instance *instance, int *channels, int *height, int *width) {
    *channels = colours_of(instance) + 1;
    *height = instance->height;
    *width = instance->width;
}

static int actions(const soloist_instance *instance) { return instance->width * instance->height; }

static int action(const soloist_instance *instance, const void *state, soloist_move move) {
    (void)state;
    return cell_of(instance, samegame_column(move), samegame_row(move));
}

/* ---- groups ---- */

/* The steps to the four neighbours; mirroring exchanges the first two. */
static const int steps[4][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};

static int colour_at(const struct samegame_board *board, int column, int row) {
    bool on = column >= 0 && row >= 0 && column < board->width && row < board->height;
    return on ? board->cell[column][row] : 0;
}

static void priors(const soloist_instance *instance, const void *state, const soloist_move *moves, int count,
                   const float *policy, float *priors) {
    struct samegame_board board;
    soloist_move cells[SAMEGAME_MOST_SIDE * SAMEGAME_MOST_SIDE];
    samegame_state_to_board(instance, state, &board);
    for (int i = 0; i < count; i++) {
        int size = samegame_board_take_group(&board, moves[i], cells);
        priors[i] = 0;
        for (int k = 0; k < size; k++)
            priors[i] += policy[action(instance, state, cells[k])];
    }
}

static void share(const soloist_instance *instance, const void *state, const soloist_move *moves, const float *parts,
                  int count, float *policy) {
    struct samegame_board board;
    soloist_move cells[SAMEGAME_MOST_SIDE * SAMEGAME_MOST_SIDE];
    samegame_state_to_board(instance, state, &board);
    for (int i = 0; i < count; i++) {
        int size = samegame_board_take_group(&board, moves[i], cells);
        for (int k = 0; k < size; k++)
            policy[action(instance, state, cells[k])] += parts[i] / (float)size;
    }
}

/* ---- planes ---- */

/* The numbers of the further planes. The last four, one per neighbour, are in the order of `steps`. */
enum { IS_MOVE, SIZE, GAIN, LEFT, GROUPS, MOST_COMMON, NEIGHBOURS, MORE_PLANES = NEIGHBOURS + 4 };

struct census {
    int blocks[SAMEGAME_MOST_COLOURS + 1], groups[SAMEGAME_MOST_COLOURS + 1];
    int most; /* highest number of blocks of one colour */
};

static float at_most(float x, float most) { return x < most ? x : most; }

/* Counts the groups of more than one block, and writes the planes whose values are the same for all cells of a group.
 */
static void encode_groups(const soloist_instance *instance, const struct samegame_board *whole, struct census *census,
                          float *slot) {
    struct samegame_board board = *whole;
    soloist_move group[SAMEGAME_MOST_SIDE * SAMEGAME_MOST_SIDE];
    size_t cells = (size_t)actions(instance);
    for (int c = 0; c < board.width; c++)
        for (int r = 0; r < board.height; r++) {
            if (!board.cell[c][r])
                continue;
            int colour = board.cell[c][r], size = samegame_board_take_group(&board, samegame_move(c, r), group);
            census->blocks[colour] += size;
            census->groups[colour] += size > 1;
            for (int i = 0; i < size; i++) {
                size_t cell = (size_t)cell_of(instance, samegame_column(group[i]), samegame_row(group[i]));
                slot[IS_MOVE * cells + cell] = size > 1;
                slot[SIZE * cells + cell] = at_most((float)size / 8, 8);
                slot[GAIN * cells + cell] = size > 1 ? at_most((float)samegame_step(instance, size) / 64, 16) : 0;
            }
        }
    for (int k = 1; k <= SAMEGAME_MOST_COLOURS; k++)
        census->most = census->blocks[k] > census->most ? census->blocks[k] : census->most;
}

static void encode_more(const soloist_instance *instance, const struct samegame_board *board, float *slot) {
    size_t cells = (size_t)actions(instance);
    struct census census = {0};
    encode_groups(instance, board, &census, slot);
    for (int c = 0; c < board->width; c++)
        for (int r = 0; r < board->height && board->cell[c][r]; r++) {
            int colour = board->cell[c][r];
            size_t cell = (size_t)cell_of(instance, c, r);
            slot[LEFT * cells + cell] = (float)census.blocks[colour] / 32;
            slot[GROUPS * cells + cell] = (float)census.groups[colour] / 8;
            slot[MOST_COMMON * cells + cell] = census.blocks[colour] == census.most;
            for (size_t k = 0; k < 4; k++)
                slot[(NEIGHBOURS + k) * cells + cell] = colour_at(board, c + steps[k][0], r + steps[k][1]) == colour;
        }
}

static void encode(const soloist_instance *instance, const void *state, int channels, float *slot) {
    struct samegame_board board;
    size_t cells = (size_t)actions(instance), plain = (size_t)colours_of(instance) + 1;
    samegame_state_to_board(instance, state, &board);
    memset(slot, 0, (size_t)channels * cells * sizeof *slot);
    for (int c = 0; c < board.width; c++)
        for (int r = 0; r < board.height; r++)
            slot[board.cell[c][r] * cells + (size_t)cell_of(instance, c, r)] = 1;
    if ((size_t)channels > plain)
        encode_more(instance, &board, slot + plain * cells);
}

/* ---- symmetries ---- */

static int renamings(const soloist_instance *instance) {
    int count = 1;
    for (int colours = colours_of(instance); colours > 1; colours--)
        count *= colours;
    return count;
}

/* All permutations of the colours, then the same with mirroring. */
static int symmetries(const soloist_instance *instance) { return 2 * renamings(instance); }

/* Finds a permutation of the colours: colour k + 1 becomes to[k] + 1. The symmetry's number is read in the factorial
 * number system: each digit chooses one of the colours that are left. */
static void rename_colours(int symmetry, int colours, int *to) {
    int left[SAMEGAME_MOST_COLOURS];
    for (int k = 0; k < colours; k++)
        left[k] = k;
    for (int k = 0; k < colours; k++) {
        int rest = colours - k, pick = symmetry % rest;
        symmetry /= rest;
        to[k] = left[pick];
        memmove(&left[pick], &left[pick + 1], (size_t)(rest - pick - 1) * sizeof *left);
    }
}

/* Number of columns that hold blocks: a column is empty if its lowest cell is set in the plane of empty cells. */
static int columns_used(const soloist_instance *instance, const float *slot) {
    int used = 0;
    while (used < instance->width && slot[cell_of(instance, used, 0)] == 0)
        used++;
    return used;
}

/* Copies one plane with its first `used` columns in the opposite order. */
static void mirror(const soloist_instance *instance, int used, const float *from, float *to) {
    for (int r = 0; r < instance->height; r++, from += instance->width, to += instance->width) {
        for (int c = 0; c < used; c++)
            to[c] = from[used - 1 - c];
        memcpy(to + used, from + used, (size_t)(instance->width - used) * sizeof *to);
    }
}

static void reflect(const soloist_instance *instance, int symmetry, int channels, const float *slot,
                    const float *policy, float *reflected, float *reflected_policy) {
    int to[SAMEGAME_MOST_COLOURS], colours = colours_of(instance), ways = renamings(instance);
    int used = symmetry < ways ? 0 : columns_used(instance, slot);
    size_t cells = (size_t)actions(instance);
    rename_colours(symmetry % ways, colours, to);
    mirror(instance, used, slot, reflected);
    for (int k = 0; k < colours; k++)
        mirror(instance, used, slot + (size_t)(k + 1) * cells, reflected + (size_t)(to[k] + 1) * cells);
    for (int k = colours + 1; k < channels; k++) {
        int side = k - (colours + 1 + NEIGHBOURS), from = used && (side == 0 || side == 1) ? k + 1 - 2 * side : k;
        mirror(instance, used, slot + (size_t)from * cells, reflected + (size_t)k * cells);
    }
    if (policy)
        mirror(instance, used, policy, reflected_policy);
}

const soloist_learn samegame_learn = {
    .size = sizeof(soloist_learn),
    .planes = planes,
    .more_planes = MORE_PLANES,
    .actions = actions,
    .encode = encode,
    .action = action,
    .priors = priors,
    .share = share,
    .symmetries = symmetries,
    .reflect = reflect,
    .whole_states = true,
};
