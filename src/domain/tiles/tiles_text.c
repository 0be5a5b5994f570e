/* The file format has one board per line:  14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3  or  3x2: 1,2,0,3,4,5. A solution is
 * the path of the blank in LURD letters. */
#include "domain/tiles/tiles_core.h"

#include <stdio.h>
#include <string.h>

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_comment(char c) { return c == ';' || c == '#'; }

/* ---- boards ---- */

/* The numbers of a line with their columns. Reading stops at the first number too many, however long the line is. */
struct numbers {
    int count;
    int width, height; /* the sides given before the numbers; 0: not given */
    int value[TILES_MOST_SQUARES + 1], column[TILES_MOST_SQUARES + 1];
};

static int read_number(const soloist_chunk *chunk, size_t *at) {
    int value = 0;
    for (; *at < chunk->length && is_digit(chunk->text[*at]); ++*at)
        if (value < 1000)
            value = value * 10 + (chunk->text[*at] - '0');
    return value;
}

static bool fail_at(const soloist_chunk *chunk, size_t at, soloist_error *error, const char *what) {
    unsigned char c = at < chunk->length ? (unsigned char)chunk->text[at] : 0;
    if (at >= chunk->length)
        return soloist_fail(error, chunk->line, (int)at + 1, "%s, found the end of the line", what);
    if (c < 32 || c > 126)
        return soloist_fail(error, chunk->line, (int)at + 1, "%s, found byte %u", what, c);
    return soloist_fail(error, chunk->line, (int)at + 1, "%s, found '%c'", what, c);
}

static size_t skip_blanks(const soloist_chunk *chunk, size_t at) {
    while (at < chunk->length && is_blank(chunk->text[at]))
        at++;
    return at;
}

/* Reads "WxH:" before the numbers. True also if there is none. */
static bool read_sides(const soloist_chunk *chunk, size_t *at, struct numbers *numbers, soloist_error *error) {
    size_t start = skip_blanks(chunk, *at), next = start;
    int width = read_number(chunk, &next);
    if (next == start || next == chunk->length || (chunk->text[next] != 'x' && chunk->text[next] != 'X'))
        return true;
    size_t second = ++next;
    int height = read_number(chunk, &next);
    if (next == second)
        return fail_at(chunk, next, error, "expected the board's height");
    next = skip_blanks(chunk, next);
    if (next == chunk->length || chunk->text[next] != ':')
        return fail_at(chunk, next, error, "expected ':' after the board's sides");
    if (width < TILES_LEAST_SIDE || width > TILES_MOST_SIDE || height < TILES_LEAST_SIDE || height > TILES_MOST_SIDE)
        return soloist_fail(error, chunk->line, (int)start + 1, "expected sides from %d to %d", TILES_LEAST_SIDE,
                            TILES_MOST_SIDE);
    numbers->width = width, numbers->height = height;
    *at = next + 1;
    return true;
}

static bool read_numbers(const soloist_chunk *chunk, struct numbers *numbers, soloist_error *error) {
    size_t at = 0;
    *numbers = (struct numbers){0};
    if (!read_sides(chunk, &at, numbers, error))
        return false;
    while (numbers->count <= TILES_MOST_SQUARES) {
        while (at < chunk->length && (is_blank(chunk->text[at]) || chunk->text[at] == ','))
            at++;
        if (at == chunk->length || is_comment(chunk->text[at]))
            return true;
        if (!is_digit(chunk->text[at]))
            return fail_at(chunk, at, error, "expected a number");
        numbers->column[numbers->count] = (int)at + 1;
        numbers->value[numbers->count++] = read_number(chunk, &at);
        if (at < chunk->length && !is_blank(chunk->text[at]) && chunk->text[at] != ',' && !is_comment(chunk->text[at]))
            return fail_at(chunk, at, error, "expected a blank or a comma after the number");
    }
    return true;
}

/* Determines the sides: as given before the numbers, otherwise those of a square board. */
static bool settle_sides(const soloist_chunk *chunk, struct numbers *numbers, soloist_error *error) {
    int count = numbers->count, side = TILES_LEAST_SIDE, expected = numbers->width * numbers->height;
    if (expected && count == expected)
        return true;
    if (expected)
        return soloist_fail(error, chunk->line, count > expected ? numbers->column[expected] : 1,
                            "expected %d numbers for a %dx%d board, found %s%d", expected, numbers->width,
                            numbers->height, count > TILES_MOST_SQUARES ? "at least " : "", count);
    while (side < TILES_MOST_SIDE && side * side < count)
        side++;
    if (side * side != count)
        return soloist_fail(error, chunk->line, count > TILES_MOST_SQUARES ? numbers->column[TILES_MOST_SQUARES] : 1,
                            "expected 4, 9, 16 or 25 numbers, or WIDTHxHEIGHT: before them, found %s%d",
                            count > TILES_MOST_SQUARES ? "at least " : "", count);
    numbers->width = numbers->height = side;
    return true;
}

/* The numbers must be 0 to count-1, each once. */
static bool check_permutation(const soloist_chunk *chunk, const struct numbers *numbers, soloist_error *error) {
    uint32_t seen = 0;
    bool blank = false;
    for (int i = 0; i < numbers->count; i++)
        blank |= numbers->value[i] == 0;
    if (!blank)
        return soloist_fail(error, chunk->line, numbers->column[0], "expected a 0, the blank, among the numbers");
    for (int i = 0; i < numbers->count; i++) {
        int value = numbers->value[i];
        if (value >= numbers->count)
            return soloist_fail(error, chunk->line, numbers->column[i], "expected a number from 0 to %d",
                                numbers->count - 1);
        if (seen >> value & 1)
            return soloist_fail(error, chunk->line, numbers->column[i], "%d occurs twice", value);
        seen |= 1u << value;
    }
    return true;
}

bool tiles_read_board(const soloist_chunk *chunk, int *width, int *height, uint8_t *board, soloist_error *error) {
    struct numbers numbers;
    if (!read_numbers(chunk, &numbers, error) || !settle_sides(chunk, &numbers, error) ||
        !check_permutation(chunk, &numbers, error))
        return false;
    for (int i = 0; i < numbers.count; i++)
        board[i] = (uint8_t)numbers.value[i];
    *width = numbers.width, *height = numbers.height;
    return true;
}

void tiles_write_board(int width, int height, const uint8_t *board, const soloist_sink *sink) {
    if (width != height)
        soloist_print(sink, "%dx%d: ", width, height);
    for (int i = 0; i < width * height; i++)
        soloist_print(sink, i ? " %d" : "%d", board[i]);
    soloist_put(sink, "\n");
}

/* ---- recognition by the first lines ---- */

static int recognise_line(const soloist_chunk *chunk) {
    struct numbers numbers;
    int width, height;
    uint8_t board[TILES_MOST_SQUARES];
    if (tiles_read_board(chunk, &width, &height, board, NULL))
        return 90;
    if (!read_numbers(chunk, &numbers, NULL))
        return numbers.width ? 40 : 0;
    for (int i = 0; i < numbers.count; i++)
        if (numbers.value[i] == 0 && numbers.count > 2)
            return 30; /* this looks like a board with a mistake, which `parse` will report */
    return numbers.width ? 40 : 0;
}

int tiles_recognise(const char *text, size_t length) {
    soloist_cursor cursor = soloist_cursor_open(text, length);
    soloist_chunk chunk;
    int best = 0;
    for (int line = 0; line < 8 && soloist_next_line(&cursor, &chunk); line++) {
        int sure = recognise_line(&chunk);
        if (sure == 0 && best == 0)
            return 0;
        if (sure > best)
            best = sure;
    }
    return best;
}

/* ---- solutions ---- */

static const char letters[TILES_DIRECTIONS] = {'U', 'L', 'R', 'D'};

static void print(const soloist_instance *instance, const void *state, const soloist_sink *sink) {
    uint8_t board[TILES_MOST_SQUARES];
    tiles_board_from_state(instance, state, board);
    tiles_write_board(instance->width, instance->height, board, sink);
}

/* A move is the direction of the blank; a person slides the tile, which goes the opposite way. */
static void print_move(const soloist_instance *instance, const void *state, soloist_move move,
                       const soloist_sink *sink) {
    static const char *const names[TILES_DIRECTIONS] = {"down", "right", "left", "up"};
    uint8_t board[TILES_MOST_SQUARES];
    tiles_board_from_state(instance, state, board);
    int from = (int)tiles_blank(state) + tiles_offset(instance->offsets, move);
    soloist_print(sink, "slide tile %d %s", board[from], names[move]);
}

static void print_solution(const soloist_instance *instance, const soloist_move *moves, size_t count,
                           const soloist_sink *sink) {
    (void)instance;
    for (size_t i = 0; i < count; i++)
        sink->write(sink->to, &letters[moves[i]], 1);
}

static long read_solution(const soloist_instance *instance, const char *text, size_t length, soloist_move *moves,
                          size_t room, soloist_error *error) {
    long count = 0;
    (void)instance;
    for (size_t i = 0; i < length; i++) {
        char c = text[i] >= 'a' && text[i] <= 'z' ? (char)(text[i] - 'a' + 'A') : text[i];
        if (is_blank(c))
            continue;
        const char *letter = memchr(letters, c, sizeof letters);
        if (!letter) {
            soloist_fail(error, 1, (int)i + 1, "expected U, L, R or D");
            return -1;
        }
        if ((size_t)count < room)
            moves[count] = (soloist_move)(letter - letters);
        count++;
    }
    return count;
}

const soloist_text tiles_text = {
    .size = sizeof(soloist_text),
    .print = print,
    .move = print_move,
    .solution = print_solution,
    .read = read_solution,
    .referee = tiles_referee,
};
