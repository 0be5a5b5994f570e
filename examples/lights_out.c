/* Lights out: a complete user-written domain in one file. A board of lights; pressing one switches it and its
 * neighbours; the goal is to turn all lights off with the fewest presses. The order of presses does not matter, so the
 * search need only try one order: every solution has a press that switches the first light (in reading order), and that
 * press may be made first.
 *
 * cc -shared -fPIC -O2 -I../include lights_out.c -o lights_out.so
 * soloist solve --plugin ./lights_out.so boards.txt
 *
 * A file holds one board per line, rows from the top, 1 = lit: 3x2:010111. A solution names cells like b1 (column,
 * row). The last two groups are not needed for solving: a generator, and what a network sees, so that
 * `soloist train --plugin ./lights_out.so lights-out` can train one. */
#include "soloist_extra.h"

#include <stdlib.h>
#include <string.h>

#define MOST_SIDE 8 /* so that a board fits into 64 bits */

/* What never changes during a search: made by parse, read by all other functions. */
struct soloist_instance {
    int width, height;
    uint64_t start;
    uint64_t press[MOST_SIDE * MOST_SIDE]; /* the lights that a press of each cell switches */
};

/* What changes: plain bytes, without pointers and without padding. Bit row * width + column is set if that light is
 * on. */
struct lights_state {
    uint64_t lights;
};

/* ---- life: from a file's text to an instance and its first state ---- */

static uint64_t press_mask(int width, int height, int column, int row) {
    uint64_t mask = 0;
    for (int r = 0; r < height; r++)
        for (int c = 0; c < width; c++)
            if (abs(r - row) + abs(c - column) <= 1)
                mask |= UINT64_C(1) << (r * width + c);
    return mask;
}

/* strchr would also find the zero byte, which a file may contain. */
static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

static bool read_board(const soloist_chunk *chunk, soloist_instance *board, soloist_error *error) {
    const char *text = chunk->text;
    size_t length = chunk->length;
    while (length && is_blank(text[length - 1]))
        length--;
    if (length < 4 || text[1] != 'x' || text[3] != ':')
        return soloist_fail(error, chunk->line, 1, "expected a board like 3x2:010111");
    *board = (soloist_instance){.width = text[0] - '0', .height = text[2] - '0'};
    if (board->width < 1 || board->width > MOST_SIDE || board->height < 1 || board->height > MOST_SIDE)
        return soloist_fail(error, chunk->line, 1, "expected sides of 1 to %d", MOST_SIDE);
    int cells = board->width * board->height;
    for (int cell = 0; cell < cells; cell++) {
        size_t at = 4 + (size_t)cell;
        if (at >= length || (text[at] != '0' && text[at] != '1'))
            return soloist_fail(error, chunk->line, (int)at + 1, "expected 0 or 1 for cell %d of %d", cell + 1, cells);
        board->start |= (uint64_t)(text[at] == '1') << cell;
        board->press[cell] = press_mask(board->width, board->height, cell % board->width, cell / board->width);
    }
    if (length > 4 + (size_t)cells)
        return soloist_fail(error, chunk->line, 5 + cells, "expected the end of the line after %d cells", cells);
    return true;
}

static int recognise(const char *text, size_t length) {
    soloist_cursor cursor = soloist_cursor_open(text, length);
    soloist_chunk chunk;
    soloist_instance board;
    return soloist_next_line(&cursor, &chunk) && read_board(&chunk, &board, NULL) ? 95 : 0;
}

static soloist_instance *parse(const soloist_chunk *chunk, const void *options, soloist_error *error) {
    (void)options;
    soloist_instance *board = malloc(sizeof *board);
    if (!board)
        soloist_fail(error, chunk->line, 0, "no memory for a board");
    else if (!read_board(chunk, board, error))
        free(board), board = NULL;
    return board;
}

static void destroy(soloist_instance *board) { free(board); }

static void shape(const soloist_instance *board, soloist_shape *sizes) {
    (void)board;
    *sizes = (soloist_shape){.state_size = sizeof(struct lights_state), .most_moves = 5};
}

static void root(const soloist_instance *board, void *state) { ((struct lights_state *)state)->lights = board->start; }

/* ---- core: the rules. A move is the number of a cell. ---- */

static uint64_t lights_of(const void *state) { return ((const struct lights_state *)state)->lights; }

/* A bijection that mixes the bits: different boards have different keys. */
static uint64_t key_of(uint64_t lights) {
    lights = (lights ^ lights >> 32) * 0x9e3779b97f4a7c15u;
    return lights ^ lights >> 29;
}

static int32_t bound_of(uint64_t lights) { return (__builtin_popcountll(lights) + 4) / 5; }

static int moves(const soloist_instance *board, const void *state, soloist_move *list) {
    int count = 0;
    uint64_t lights = lights_of(state);
    if (lights)
        for (uint64_t cells = board->press[__builtin_ctzll(lights)]; cells; cells &= cells - 1)
            list[count++] = (soloist_move)__builtin_ctzll(cells);
    return count;
}

static int32_t apply(const soloist_instance *board, void *state, soloist_move move, void *record) {
    (void)record;
    ((struct lights_state *)state)->lights ^= board->press[move];
    return 1;
}

static void undo(const soloist_instance *board, void *state, soloist_move move, const void *record) {
    (void)record;
    ((struct lights_state *)state)->lights ^= board->press[move];
}

static bool ended(const soloist_instance *board, const void *state, int32_t *last) {
    (void)board;
    *last = 0;
    return lights_of(state) == 0;
}

static uint64_t key(const soloist_instance *board, const void *state) {
    (void)board;
    return key_of(lights_of(state));
}

/* All children at once, without playing the moves. Pressing the last cell again would only undo that press. */
static int expand(const soloist_instance *board, const void *state, soloist_move last, unsigned want,
                  soloist_child *children) {
    (void)want;
    soloist_move list[5];
    int listed = moves(board, state, list), count = 0;
    for (int i = 0; i < listed; i++) {
        uint64_t lights = lights_of(state) ^ board->press[list[i]];
        if (list[i] != last)
            children[count++] =
                (soloist_child){.key = key_of(lights), .move = list[i], .step = 1, .bound = bound_of(lights)};
    }
    return count;
}

/* ---- bound: a press switches at most five lights ---- */

static int32_t bound_value(const soloist_instance *board, const void *state) {
    (void)board;
    return bound_of(lights_of(state));
}

static bool yes(const soloist_instance *board) {
    (void)board;
    return true;
}

/* ---- text: what people and files see ---- */

static void print(const soloist_instance *board, const void *state, const soloist_sink *sink) {
    soloist_print(sink, "%dx%d:", board->width, board->height);
    for (int cell = 0; cell < board->width * board->height; cell++)
        soloist_put(sink, lights_of(state) >> cell & 1 ? "1" : "0");
    soloist_put(sink, "\n");
}

static void print_cell(const soloist_instance *board, soloist_move move, const soloist_sink *sink) {
    soloist_print(sink, "%c%d", 'a' + (int)move % board->width, (int)move / board->width + 1);
}

static void print_move(const soloist_instance *board, const void *state, soloist_move move, const soloist_sink *sink) {
    (void)state;
    soloist_put(sink, "press ");
    print_cell(board, move, sink);
}

static void print_solution(const soloist_instance *board, const soloist_move *presses, size_t count,
                           const soloist_sink *sink) {
    for (size_t i = 0; i < count; i++) {
        soloist_put(sink, i ? " " : "");
        print_cell(board, presses[i], sink);
    }
}

static long read_solution(const soloist_instance *board, const char *text, size_t length, soloist_move *presses,
                          size_t room, soloist_error *error) {
    size_t count = 0;
    for (size_t at = 0; at < length; at += 2) {
        while (at < length && text[at] == ' ')
            at++;
        if (at == length)
            break;
        int column = text[at] - 'a', row = at + 1 < length ? text[at + 1] - '1' : -1;
        if (column < 0 || column >= board->width || row < 0 || row >= board->height)
            return soloist_fail(error, 1, (int)at + 1, "expected a cell like a1"), -1;
        if (count < room)
            presses[count] = (soloist_move)(row * board->width + column);
        count++;
    }
    return (long)count;
}

/* People may press in any order, so a solution is not replayed through core, which allows only one order. */
static bool referee(const soloist_chunk *chunk, const void *options, const char *solution, size_t length,
                    soloist_verdict *verdict, soloist_error *error) {
    (void)options;
    soloist_instance board;
    soloist_move presses[4096];
    if (!read_board(chunk, &board, error))
        return false;
    long count = read_solution(&board, solution, length, presses, 4096, error);
    if (count < 0 || count > 4096)
        return count < 0 ? false : soloist_fail(error, 1, 0, "more than 4096 presses");
    for (long i = 0; i < count; i++)
        board.start ^= board.press[presses[i]];
    *verdict = (soloist_verdict){.value = (int32_t)count, .moves = count, .pushes = -1};
    return board.start == 0 || soloist_fail(error, 1, (int)length, "not all lights are off after %ld presses", count);
}

/* ---- generate: presses of random cells on a dark board, so that every board has a solution ---- */

#define GENERATE_OPTIONS(T, INT, REAL, BOOL, CHOICE)                                                                   \
    INT(T, width, 5, 1, MOST_SIDE, "cells in a row")                                                                   \
    INT(T, height, 5, 1, MOST_SIDE, "rows")                                                                            \
    INT(T, presses, 0, 0, 64, "most presses that a board needs; 0: every set of cells is equally likely")
SOLOIST_OPTIONS(generate_options, GENERATE_OPTIONS);

static soloist_code make_board(const void *options, soloist_rng *rng, const soloist_sink *sink, soloist_error *error) {
    const struct generate_options *o = options;
    soloist_instance board = {.width = (int)o->width, .height = (int)o->height};
    struct lights_state state = {0};
    int cells = board.width * board.height;
    (void)error;
    for (int i = 0; i < (o->presses ? (int)o->presses : cells); i++) {
        int cell = o->presses ? (int)soloist_rng_below(rng, (uint32_t)cells) : i;
        if (o->presses || soloist_rng_below(rng, 2))
            state.lights ^= press_mask(board.width, board.height, cell % board.width, cell / board.width);
    }
    print(&board, &state, sink);
    return SOLOIST_OK;
}

/* ---- learn: one plane, 1 = lit, and one action per cell ---- */

static void planes(const soloist_instance *board, int *channels, int *height, int *width) {
    *channels = 1;
    *height = board->height;
    *width = board->width;
}

static int actions(const soloist_instance *board) { return board->width * board->height; }

static void encode(const soloist_instance *board, const void *state, int channels, float *slot) {
    (void)channels;
    for (int cell = 0; cell < board->width * board->height; cell++)
        slot[cell] = (float)(lights_of(state) >> cell & 1);
}

static int action(const soloist_instance *board, const void *state, soloist_move move) {
    (void)board, (void)state;
    return (int)move;
}

/* A state is its lights, so it holds all that a network should see. */
static const soloist_learn learn = {
    .size = sizeof(soloist_learn),
    .planes = planes,
    .actions = actions,
    .encode = encode,
    .action = action,
    .whole_states = true,
};
static const soloist_generate generate = {.size = sizeof(soloist_generate),
                                          .options = generate_options_rows,
                                          .options_size = sizeof(struct generate_options),
                                          .make = make_board};

/* ---- the table ---- */

static const soloist_life life = {
    .size = sizeof(soloist_life),
    .recognise = recognise,
    .next = soloist_next_line,
    .parse = parse,
    .destroy = destroy,
    .shape = shape,
    .root = root,
};
static const soloist_core core = {
    .size = sizeof(soloist_core),
    .moves = moves,
    .apply = apply,
    .undo = undo,
    .ended = ended,
    .key = key,
    .key_from_scratch = key,
    .expand = expand,
};
static const soloist_bound bound = {
    .size = sizeof(soloist_bound), .value = bound_value, .admissible = yes, .consistent = yes};
static const soloist_text words = {
    .size = sizeof(soloist_text),
    .print = print,
    .move = print_move,
    .solution = print_solution,
    .read = read_solution,
    .referee = referee,
};

const soloist_domain *soloist_plugin(void) {
    static const soloist_domain lights_out = {
        .abi = SOLOIST_ABI,
        .size = sizeof(soloist_domain),
        .name = "lights-out",
        .summary = "lights out: turn all lights off with the fewest presses",
        .aim = SOLOIST_LEAST_COST,
        .players = 1,
        .life = &life,
        .core = &core,
        .bound = &bound,
        .text = &words,
        .learn = &learn,
        .generate = &generate,
    };
    return &lights_out;
}
