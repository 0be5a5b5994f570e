/* SameGame files: a board is rows of cells, the top row first. A cell is a digit, or a letter for a colour; 0 and '.'
 * are empty cells. The cells of a row may stand side by side or be separated by spaces or commas. ';' or '#' starts a
 * comment line, and a blank line ends a board. A board may also be a JSON array of rows, which are arrays or strings. A
 * board must be settled: there is no empty cell below a block, and no empty column to the left of a block. */
#include "domain/samegame/samegame.h"

#include <ctype.h>
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

/* ---- rows ---- */

/* One row as written: a digit or a letter for each cell ('.' becomes '0'), and the column in the file where it is. */
struct row {
    int count, line, end; /* end: the column after the last cell */
    char cell[SAMEGAME_MOST_SIDE];
    int column[SAMEGAME_MOST_SIDE];
};

/* In every locale only the letters of ASCII. */
static bool is_cell(char c) {
    return c == '.' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool add_cell(struct row *row, char c, int column, soloist_error *error) {
    bool shown = c > ' ' && c < 127;
    if (!is_cell(c))
        return soloist_fail(error, row->line, column, "expected a digit, a letter or '.', found %s%.*s",
                            shown ? "" : "another byte", shown ? 1 : 0, &c);
    if (row->count == SAMEGAME_MOST_SIDE)
        return soloist_fail(error, row->line, column, "the row has more than %d cells", SAMEGAME_MOST_SIDE);
    row->cell[row->count] = c == '.' ? '0' : c;
    row->column[row->count++] = column;
    row->end = column + 1;
    return true;
}

/* Reads a row from a trimmed text. If there are separators, each cell is a single character between two of them. */
static bool read_row(struct row *row, const char *text, size_t length, int line, int column, soloist_error *error) {
    bool separated = false, comma = true; /* comma: the last separator was a comma, or nothing has been read yet */
    *row = (struct row){.line = line, .end = column};
    for (size_t i = 0; i < length; i++)
        separated |= is_space(text[i]) || text[i] == ',';
    for (size_t i = 0; i < length; i++) {
        int place = column + (int)i;
        if (is_space(text[i]))
            continue;
        if (text[i] == ',') {
            if (comma)
                return soloist_fail(error, line, place, "expected a cell before this comma");
            comma = true;
            continue;
        }
        if (!add_cell(row, text[i], place, error))
            return false;
        if (separated && i + 1 < length && is_cell(text[i + 1]))
            return soloist_fail(error, line, place, "expected one digit or letter per cell, found %.2s", text + i);
        comma = false;
    }
    return true;
}

/* ---- JSON ---- */

struct json_rows {
    const char *at, *end;
    int line, column;
};

static void json_step(struct json_rows *rows) {
    rows->column = *rows->at == '\n' ? 1 : rows->column + 1;
    rows->line += *rows->at == '\n';
    rows->at++;
}

/* The next character that is not white space, without taking it; 0 at the end. */
static char json_peek(struct json_rows *rows) {
    while (rows->at < rows->end && isspace((unsigned char)*rows->at))
        json_step(rows);
    return rows->at < rows->end ? *rows->at : 0;
}

static bool json_take(struct json_rows *rows, char c) {
    if (json_peek(rows) != c)
        return false;
    json_step(rows);
    return true;
}

/* Reads a string of cells, whose quote is next. */
static bool json_string(struct json_rows *rows, struct row *row, soloist_error *error) {
    json_step(rows);
    for (; rows->at < rows->end && *rows->at != '"'; json_step(rows))
        if (!add_cell(row, *rows->at, rows->column, error))
            return false;
    return json_take(rows, '"') || soloist_fail(error, rows->line, rows->column, "expected a closing quote");
}

/* Reads a number of one digit, which is next. */
static bool json_digit(struct json_rows *rows, struct row *row, soloist_error *error) {
    char c = json_peek(rows);
    if (!isdigit((unsigned char)c))
        return soloist_fail(error, rows->line, rows->column, "expected a digit, a string, ',' or ']'");
    int column = rows->column;
    json_step(rows);
    if (rows->at < rows->end && is_cell(*rows->at))
        return soloist_fail(error, rows->line, column, "expected a colour from 0 to 9");
    return add_cell(row, c, column, error);
}

/* Reads one row: an array of digits and strings, or a string. */
static bool json_row(struct json_rows *rows, struct row *row, soloist_error *error) {
    char first = json_peek(rows);
    *row = (struct row){.line = rows->line, .end = rows->column};
    if (first == '"')
        return json_string(rows, row, error);
    if (!json_take(rows, '['))
        return soloist_fail(error, rows->line, rows->column, "expected a row: an array or a string");
    while (!json_take(rows, ']')) {
        if (row->count && !json_take(rows, ','))
            return soloist_fail(error, rows->line, rows->column, "expected ',' or ']'");
        if (!(json_peek(rows) == '"' ? json_string : json_digit)(rows, row, error))
            return false;
    }
    return true;
}

/* ---- boards ---- */

/* A board being read: the cells as written, row 0 at the top, and the place of each row's first cell. */
struct reading {
    struct samegame_board *board;
    int lines[SAMEGAME_MOST_SIDE], columns[SAMEGAME_MOST_SIDE][SAMEGAME_MOST_SIDE];
};

static bool put_row(struct reading *reading, const struct row *row, soloist_error *error) {
    struct samegame_board *board = reading->board;
    if (board->height == SAMEGAME_MOST_SIDE)
        return soloist_fail(error, row->line, row->column[0], "the board has more than %d rows", SAMEGAME_MOST_SIDE);
    if (!board->height)
        board->width = row->count;
    else if (row->count != board->width)
        return soloist_fail(error, row->line, row->end, "the row has %d cells, the first row has %d", row->count,
                            board->width);
    for (int i = 0; i < row->count; i++) {
        board->cell[i][board->height] = (uint8_t)row->cell[i];
        reading->columns[board->height][i] = row->column[i];
    }
    reading->lines[board->height++] = row->line;
    return true;
}

static bool read_lines(struct reading *reading, const soloist_chunk *chunk, soloist_error *error) {
    soloist_cursor cursor = {chunk->text, chunk->text + chunk->length, chunk->line, 0};
    const char *line;
    size_t length;
    struct row row;
    for (int number = cursor.line; soloist_cursor_line(&cursor, &line, &length); number = cursor.line) {
        if (length && (*line == ';' || *line == '#'))
            continue;
        int column = (int)trim(&line, &length) + 1;
        if (length && (!read_row(&row, line, length, number, column, error) || !put_row(reading, &row, error)))
            return false;
    }
    return true;
}

static bool read_json(struct reading *reading, const soloist_chunk *chunk, soloist_error *error) {
    struct json_rows rows = {chunk->text, chunk->text + chunk->length, chunk->line, 1};
    struct row row;
    json_take(&rows, '[');
    for (bool first = true; !json_take(&rows, ']'); first = false) {
        if (!first && !json_take(&rows, ','))
            return soloist_fail(error, rows.line, rows.column, "expected ',' or ']'");
        if (!json_row(&rows, &row, error) || !put_row(reading, &row, error))
            return false;
    }
    return !json_peek(&rows) || soloist_fail(error, rows.line, rows.column, "expected nothing after the board");
}

/* Replaces what is written by colours: a digit is its own colour, and letters get 1, 2, ... in alphabetical order. */
static bool name_colours(struct reading *reading, soloist_error *error) {
    struct samegame_board *board = reading->board;
    uint8_t colour[128] = {0};
    int letters = 0, digits = 0;
    for (int r = 0; r < board->height; r++)
        for (int c = 0; c < board->width; c++) {
            uint8_t cell = board->cell[c][r];
            colour[cell] = 1;
            digits += cell >= '1' && cell <= '9';
            letters += cell > '9';
            if (letters && digits)
                return soloist_fail(error, reading->lines[r], reading->columns[r][c],
                                    "expected digits or letters, not both on one board");
        }
    int next = 0;
    for (int i = 0; i < 128; i++) {
        bool letter = i > '9' && colour[i];
        colour[i] = (uint8_t)(letter ? ++next : i >= '0' && i <= '9' ? i - '0' : 0);
    }
    if (next > SAMEGAME_MOST_COLOURS)
        return soloist_fail(error, reading->lines[0], reading->columns[0][0],
                            "the board has %d different letters, at most %d are allowed", next, SAMEGAME_MOST_COLOURS);
    for (int r = 0; r < board->height; r++)
        for (int c = 0; c < board->width; c++)
            board->cell[c][r] = colour[board->cell[c][r]];
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

/* The rows of the board are counted from the bottom, those of the file from the top. */
static bool check_settled(const struct reading *reading, soloist_error *error) {
    const struct samegame_board *board = reading->board;
    bool empty = false;
    for (int c = 0; c < board->width; c++) {
        const uint8_t *cell = board->cell[c];
        int last = board->height - 1;
        if (empty && cell[0])
            return soloist_fail(error, reading->lines[last], reading->columns[last][c],
                                "the board is not settled: an empty column left of this block");
        empty = !cell[0];
        for (int r = 1; r < board->height; r++)
            if (cell[r] && !cell[r - 1])
                return soloist_fail(error, reading->lines[last - r], reading->columns[last - r][c],
                                    "the board is not settled: an empty cell (0 or .) under this block");
    }
    return true;
}

static bool is_json(const soloist_chunk *chunk) {
    size_t at = 0;
    while (at < chunk->length && isspace((unsigned char)chunk->text[at]))
        at++;
    return at < chunk->length && chunk->text[at] == '[';
}

static bool read_cells(struct reading *reading, const soloist_chunk *chunk, soloist_error *error) {
    memset(reading->board, 0, sizeof *reading->board);
    if (!(is_json(chunk) ? read_json : read_lines)(reading, chunk, error))
        return false;
    if (!reading->board->height || !reading->board->width)
        return soloist_fail(error, chunk->line, 1, "the board has no rows");
    return true;
}

bool samegame_board_parse(const soloist_chunk *chunk, struct samegame_board *board, soloist_error *error) {
    struct reading reading = {.board = board};
    if (!read_cells(&reading, chunk, error) || !name_colours(&reading, error))
        return false;
    turn_over(board);
    return check_settled(&reading, error);
}

/* ---- files ---- */

/* The length of the JSON value at the start of the text: up to the bracket that closes it, or to the end. */
static size_t json_length(const char *text, size_t length) {
    int depth = 0;
    bool quoted = false;
    for (size_t i = 0; i < length; i++) {
        quoted ^= text[i] == '"';
        depth += quoted ? 0 : text[i] == '[' ? 1 : text[i] == ']' ? -1 : 0;
        if (!depth)
            return i + 1;
    }
    return length;
}

static bool is_between(const soloist_cursor *cursor) {
    char c = cursor->at < cursor->end ? *cursor->at : 0;
    return c == ',' || c == ']' || isspace((unsigned char)c);
}

/* Moves the cursor to the JSON board that begins here, perhaps as the first of a list of boards. False: none begins
 * here. */
static bool skip_to_json(soloist_cursor *cursor) {
    soloist_cursor at = *cursor;
    for (; at.at < at.end; at.at++) {
        size_t left = (size_t)(at.end - at.at);
        at.line += *at.at == '\n';
        if (isspace((unsigned char)*at.at))
            continue;
        if (*at.at != '[')
            return false;
        /* Three brackets in a row: a list of boards. */
        size_t next = 1, brackets = 1;
        for (; next < left && (isspace((unsigned char)at.at[next]) || at.at[next] == '['); next++)
            brackets += at.at[next] == '[';
        if (brackets > 2)
            continue;
        *cursor = at;
        return true;
    }
    return false;
}

bool samegame_next(soloist_cursor *cursor, soloist_chunk *chunk) {
    soloist_cursor start = *cursor;
    if (!skip_to_json(cursor)) {
        *cursor = start;
        if (!soloist_next_block(cursor, chunk) || !is_json(chunk))
            return chunk->text != NULL;
        /* A JSON board below a comment. */
        *cursor = (soloist_cursor){chunk->text, cursor->end, chunk->line, cursor->ordinal};
    } else {
        *chunk = (soloist_chunk){.text = cursor->at, .line = cursor->line};
        cursor->ordinal++;
    }
    chunk->length = json_length(cursor->at, (size_t)(cursor->end - cursor->at));
    /* Past the board, and past what separates it from the next one or ends the list of boards. */
    for (; cursor->at < chunk->text + chunk->length || is_between(cursor); cursor->at++)
        cursor->line += *cursor->at == '\n';
    return true;
}

/* Whether some row has the same cell twice, so that it is no permutation, and whether its cells are letters. */
static bool has_repeats(const struct samegame_board *board, bool *letters) {
    int kinds = 0, cells = board->width * board->height;
    bool repeats = false;
    uint8_t seen[128] = {0};
    *letters = false;
    for (int r = 0; r < board->height; r++) {
        uint8_t here[128] = {0};
        for (int c = 0; c < board->width; c++) {
            uint8_t cell = board->cell[c][r];
            repeats |= here[cell]++ > 0;
            kinds += !seen[cell]++;
            *letters |= cell > '9';
        }
    }
    return repeats && (!*letters || (kinds <= SAMEGAME_MOST_COLOURS + 1 && cells >= 4 * kinds && board->height > 2));
}

/* Rows of cells in a form that other kinds of files have too: sure only if the whole first board can be read. */
static int recognise_board(const char *text, size_t length) {
    soloist_cursor cursor = soloist_cursor_open(text, length);
    soloist_chunk chunk;
    soloist_error error;
    struct samegame_board board;
    struct reading reading = {.board = &board};
    bool letters;
    if (!samegame_next(&cursor, &chunk) || !read_cells(&reading, &chunk, &error) || board.height < 2)
        return 0;
    if (is_json(&chunk))
        return 85;
    return !has_repeats(&board, &letters) ? 0 : letters ? 35 : 45; /* less than another domain that can read it */
}

static bool is_digits(const char *line, size_t length) {
    for (size_t i = 0; i < length; i++)
        if (line[i] != '.' && !isdigit((unsigned char)line[i]))
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
        bool row = !comment && is_digits(line, size);
        rows += row;
        others += !comment && !row && size;
        pairs += row && size == last && size > 1;
        if (!comment)
            last = row ? size : 0;
    }
    if (!rows || others * 4 > rows)
        return recognise_board(text, length);
    return pairs ? 90 - others * 40 / rows : 20;
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

int samegame_board_take_group(struct samegame_board *board, soloist_move move, soloist_move *cells) {
    static const int across[4] = {-1, 1, 0, 0}, along[4] = {0, 0, -1, 1};
    int colour = board->cell[samegame_column(move)][samegame_row(move)], count = 1;
    cells[0] = move;
    board->cell[samegame_column(move)][samegame_row(move)] = 0;
    for (int i = 0; i < count; i++)
        for (int k = 0; k < 4; k++) {
            int c = samegame_column(cells[i]) + across[k], r = samegame_row(cells[i]) + along[k];
            if (c < 0 || r < 0 || c >= board->width || r >= board->height || board->cell[c][r] != colour)
                continue;
            board->cell[c][r] = 0;
            cells[count++] = samegame_move(c, r);
        }
    return count;
}
