/* SameGame files: a board is rows of digits, the top row first; 0 or '.' is an empty cell. ';' or '#' starts a comment
 * line, and a blank line ends a board. A board must be settled: there is no empty cell below a block, and no empty
 * column to the left of a block. */
#include "domain/samegame/samegame.h"

#include <string.h>

static bool is_space(char c) { return c == ' ' || c == '\t'; }

/* Trims white space at both ends; returns how much was trimmed at the start. */
static size_t trim(const char **line, size_t *length) {
    size_t cut = 0;
    while (cut < *length && is_space((*line)[cut]))
        cut++;
    *line += cut;
    *length -= cut;
    while (*length && is_space((*line)[*length - 1]))
        --*length;
    return cut;
}

/* The colour of a cell's character, 0 .. 9; -1 for any other character. */
static int cell_of(char c) { return c == '.' ? 0 : c >= '0' && c <= '9' ? c - '0' : -1; }

static bool is_row(const char *line, size_t length) {
    for (size_t i = 0; i < length; i++)
        if (cell_of(line[i]) < 0)
            return false;
    return length > 0;
}

/* Several rows of equal length are probably a board; a single row of digits might be anything. */
int samegame_recognise(const char *text, size_t length) {
    soloist_cursor cursor = soloist_cursor_open(text, length);
    const char *line;
    size_t size, last = 0;
    int rows = 0, others = 0, pairs = 0;
    while (rows + others < 64 && soloist_cursor_line(&cursor, &line, &size)) {
        bool comment = size && (*line == ';' || *line == '#');
        trim(&line, &size);
        bool row = !comment && is_row(line, size);
        rows += row;
        others += !comment && !row && size;
        pairs += row && size == last && size > 1;
        if (!comment)
            last = row ? size : 0;
    }
    if (!rows || others * 4 > rows)
        return 0;
    return pairs ? 90 - others * 40 / rows : 20;
}

static bool parse_row(struct samegame_board *board, const char *line, size_t length, int number, int column,
                      soloist_error *error) {
    if (board->height == SAMEGAME_MOST_SIDE)
        return soloist_fail(error, number, column, "the board has more than %d rows", SAMEGAME_MOST_SIDE);
    for (size_t i = 0; i < length; i++) {
        int cell = cell_of(line[i]), place = column + (int)i;
        if (i == SAMEGAME_MOST_SIDE)
            return soloist_fail(error, number, place, "the row has more than %d cells", SAMEGAME_MOST_SIDE);
        if (cell < 0)
            return soloist_fail(error, number, place, "expected a digit or '.', found %s%.*s",
                                line[i] > ' ' && line[i] < 127 ? "" : "another byte",
                                line[i] > ' ' && line[i] < 127 ? 1 : 0, line + i);
        board->cell[i][board->height] = (uint8_t)cell; /* top row first; the board is turned upside down at the end */
    }
    if (!board->height)
        board->width = (int)length;
    else if ((int)length != board->width)
        return soloist_fail(error, number, column + (int)length, "the row has %d cells, the first row has %d",
                            (int)length, board->width);
    board->height++;
    return true;
}

static void turn_over(struct samegame_board *board) {
    for (int c = 0; c < board->width; c++)
        for (int low = 0, high = board->height - 1; low < high; low++, high--) {
            uint8_t cell = board->cell[c][low];
            board->cell[c][low] = board->cell[c][high];
            board->cell[c][high] = cell;
        }
}

/* lines[r], columns[r]: line and column in the file where row r, counted from the bottom, begins. */
static bool check_settled(const struct samegame_board *board, const int *lines, const int *columns,
                          soloist_error *error) {
    bool empty = false;
    for (int c = 0; c < board->width; c++) {
        const uint8_t *cell = board->cell[c];
        if (empty && cell[0])
            return soloist_fail(error, lines[0], columns[0] + c,
                                "the board is not settled: an empty column left of this block");
        empty = !cell[0];
        for (int r = 1; r < board->height; r++)
            if (cell[r] && !cell[r - 1])
                return soloist_fail(error, lines[r], columns[r] + c,
                                    "the board is not settled: an empty cell under this block");
    }
    return true;
}

bool samegame_board_parse(const soloist_chunk *chunk, struct samegame_board *board, soloist_error *error) {
    soloist_cursor cursor = {chunk->text, chunk->text + chunk->length, chunk->line, 0};
    int lines[SAMEGAME_MOST_SIDE], columns[SAMEGAME_MOST_SIDE];
    const char *line;
    size_t length;
    memset(board, 0, sizeof *board);
    for (int number = cursor.line; soloist_cursor_line(&cursor, &line, &length); number = cursor.line) {
        if (length && (*line == ';' || *line == '#'))
            continue;
        int column = (int)trim(&line, &length) + 1;
        if (!length)
            continue;
        if (!parse_row(board, line, length, number, column, error))
            return false;
        lines[board->height - 1] = number;
        columns[board->height - 1] = column;
    }
    if (!board->height)
        return soloist_fail(error, chunk->line, 1, "the board has no rows");
    for (int low = 0, high = board->height - 1; low < high; low++, high--) {
        int line_low = lines[low], column_low = columns[low];
        lines[low] = lines[high], columns[low] = columns[high];
        lines[high] = line_low, columns[high] = column_low;
    }
    turn_over(board);
    return check_settled(board, lines, columns, error);
}

void samegame_board_print(const struct samegame_board *board, const soloist_sink *sink) {
    for (int r = board->height - 1; r >= 0; r--) {
        char line[SAMEGAME_MOST_SIDE + 1];
        for (int c = 0; c < board->width; c++)
            line[c] = board->cell[c][r] ? (char)('0' + board->cell[c][r]) : '.';
        line[board->width] = '\n';
        sink->write(sink->to, line, (size_t)board->width + 1);
    }
}
