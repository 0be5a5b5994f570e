/* Reads one board from a chunk, and prints a board. The text is laid out on a grid that records each cell's place in
 * the file, so that an error can report it. Then the player's area is flood-filled: it must not reach the edge, and
 * everything outside it is decoration. */
#include "domain/sokoban/file/level.h"

#include "domain/sokoban/file/row.h"
#include "domain/sokoban/file/runlength.h"

#include <string.h>

#define SIDE SOKOBAN_MOST_SIDE
#define MOST_CELLS (1u << 16) /* maximum number of cells in a board's text, including floor outside the walls */

/* The board as written, on a grid of full size. */
struct draft {
    uint8_t cells[SIDE][SIDE];
    int lines[SIDE];         /* line number of each row in the file */
    int columns[SIDE][SIDE]; /* column of each cell in the file; 0 past a row's end */
    int ends[SIDE];          /* the column after a row's last character */
    int x, y;                /* grid position of the next cell */
    int width, height;       /* size of the board up to the last cells that are not floor */
    int player_x, player_y;  /* -1: none yet */
    int boxes, walls;
    unsigned cells_read;
    int indent; /* blanks that are skipped at the start of each line */
    int first_line;
    soloist_error *error;
};

static bool put_player(struct draft *draft, int x, int y) {
    if (draft->player_x >= 0)
        return soloist_fail(draft->error, draft->lines[y], draft->columns[y][x],
                            "a second player: expected only one, and the first stands at line %d, column %d",
                            draft->lines[draft->player_y], draft->columns[draft->player_y][draft->player_x]);
    draft->player_x = x;
    draft->player_y = y;
    return true;
}

static bool put_cell(struct draft *draft, int cell, bool player, int line, int column) {
    int x = draft->x++, y = draft->y;
    if (x < SIDE && y < SIDE) {
        draft->lines[y] = line;
        draft->columns[y][x] = column;
        draft->ends[y] = column + 1;
    }
    if (!cell && !player)
        return true;
    if (x >= SIDE || y >= SIDE)
        return soloist_fail(draft->error, line, column,
                            "the board is too large: expected at most %d columns and %d rows", SIDE, SIDE);
    draft->cells[y][x] = (uint8_t)cell;
    draft->width = x < draft->width ? draft->width : x + 1;
    draft->height = y + 1;
    draft->walls += cell == SOKOBAN_WALL;
    if (cell & SOKOBAN_BOX && ++draft->boxes > SOKOBAN_MOST_BOXES)
        return soloist_fail(draft->error, line, column, "too many boxes: expected at most %d", SOKOBAN_MOST_BOXES);
    return !player || put_player(draft, x, y);
}

/* A board begins with the first row that has a wall: rows above it are ignored. */
static void end_row(struct draft *draft) {
    draft->x = 0;
    if (!draft->walls && draft->player_x < 0) {
        memset(draft->cells[0], 0, sizeof draft->cells[0]);
        memset(draft->columns[0], 0, sizeof draft->columns[0]);
        draft->width = draft->height = draft->boxes = 0;
        return;
    }
    draft->y += draft->y < SIDE;
}

static bool fail_symbol(struct draft *draft, char symbol, int line, int column) {
    if (symbol == '\t')
        return soloist_fail(draft->error, line, column, "a tab in a board: expected spaces, '-' or '_' for floor");
    char shown[16] = {'\'', symbol, '\'', 0};
    if (symbol <= ' ' || symbol > '~') {
        static const char digits[] = "0123456789abcdef";
        unsigned char byte = (unsigned char)symbol;
        memcpy(shown, "byte 0x", 7);
        shown[7] = digits[byte >> 4];
        shown[8] = digits[byte & 15];
        shown[9] = 0;
    }
    return soloist_fail(draft->error, line, column,
                        "unknown character %s: expected one of # @ + $ * . - _ or a space (or p P b B o, a count, |)",
                        shown);
}

/* More than SIDE cells or rows are as good as SIDE + 1: either the board is too large, or they are floor beyond the
 * edge, which is ignored. */
static bool put_run(struct draft *draft, const struct run *run, int line) {
    bool player;
    int cell = row_symbol(run->symbol, &player), column = draft->indent + (int)run->place + 1;
    if (cell < 0 && run->symbol != '|')
        return fail_symbol(draft, run->symbol, line, column);
    draft->cells_read += run->count < MOST_CELLS ? run->count : MOST_CELLS;
    if (draft->cells_read >= MOST_CELLS)
        return soloist_fail(draft->error, line, column, "the board is too large: this run makes it more than %d x %d",
                            SIDE, SIDE);
    for (uint32_t i = 0; i < run->count && i <= SIDE; i++) {
        if (cell < 0)
            end_row(draft);
        else if (!put_cell(draft, cell, player, line, column))
            return false;
    }
    return true;
}

static bool put_line(struct draft *draft, const char *text, size_t length, int line) {
    struct runlength code;
    struct run run;
    size_t indent = length < (size_t)draft->indent ? length : (size_t)draft->indent;
    runlength_open(&code, text + indent, length - indent, false);
    while (runlength_next(&code, &run))
        if (!put_run(draft, &run, line))
            return false;
    if (code.problem)
        return soloist_fail(draft->error, line, draft->indent + (int)code.place + 1, "%s", code.problem);
    end_row(draft);
    return true;
}

/* Finds the next row of a board; before the first one, other lines are skipped. */
static bool next_row(soloist_cursor *cursor, bool begun, const char **line, size_t *length, int *number) {
    for (*number = cursor->line; soloist_cursor_line(cursor, line, length); *number = cursor->line) {
        if (row_is_board(*line, *length, begun))
            return true;
        if (begun)
            return false;
    }
    return false;
}

/* The number of blanks with which every row begins, if some row is too long with them; otherwise 0. */
static int common_indent(const soloist_chunk *chunk) {
    soloist_cursor cursor = soloist_cursor_open(chunk->text, chunk->length);
    size_t length, longest = 0, least = SIZE_MAX;
    const char *line;
    int number;
    for (bool begun = false; next_row(&cursor, begun, &line, &length, &number); begun = true) {
        size_t blanks = 0;
        length = row_trim(line, length);
        while (blanks < length && line[blanks] == ' ')
            blanks++;
        if (memchr(line, '|', length)) /* further rows are on the same line */
            return 0;
        longest = length > longest ? length : longest;
        least = blanks < length && blanks < least ? blanks : least;
    }
    return longest > SIDE && least < SIZE_MAX ? (int)least : 0;
}

/* Lays out the rows of the first board; anything before it is skipped. */
static bool read_rows(struct draft *draft, const soloist_chunk *chunk) {
    soloist_cursor cursor = soloist_cursor_open(chunk->text, chunk->length);
    const char *line;
    size_t length;
    int number;
    cursor.line = chunk->line;
    draft->indent = common_indent(chunk);
    while (next_row(&cursor, draft->first_line > 0, &line, &length, &number)) {
        bool whole = !draft->first_line && row_is_whole_board(line, length);
        draft->first_line = draft->first_line ? draft->first_line : number;
        if (!put_line(draft, line, row_trim(line, length), number))
            return false;
        if (whole)
            break;
    }
    if (!draft->first_line)
        return soloist_fail(draft->error, chunk->line, 1, "no board: expected rows of # @ $ . and spaces");
    return true;
}

static void place_of(const struct draft *draft, int x, int y, int *line, int *column) {
    *line = draft->lines[y] ? draft->lines[y] : draft->first_line;
    *column = draft->columns[y][x] ? draft->columns[y][x] : draft->ends[y] + (draft->ends[y] == 0);
}

/* Marks the cells that the player could reach if there were no boxes. The search is breadth-first, so that the hole in
 * the wall that is reported is the nearest one. */
static bool flood(const struct draft *draft, struct sokoban_level *level) {
    static const int dx[4] = {0, -1, 1, 0}, dy[4] = {-1, 0, 0, 1};
    uint16_t queue[SIDE * SIDE];
    int head = 0, tail = 0;
    queue[tail++] = (uint16_t)level->player;
    level->cells[level->player] |= SOKOBAN_INSIDE;
    while (head < tail) {
        int cell = queue[head++], x = cell % level->width, y = cell / level->width, line, column;
        if (x == 0 || y == 0 || x == level->width - 1 || y == level->height - 1) {
            place_of(draft, x, y, &line, &column);
            return soloist_fail(draft->error, line, column,
                                "the walls are open: the player can walk off the board at row %d, column %d, where "
                                "'#' was expected",
                                y + 1, x + 1);
        }
        for (int d = 0; d < 4; d++) {
            int to = cell + dy[d] * level->width + dx[d];
            if (level->cells[to] & (SOKOBAN_WALL | SOKOBAN_INSIDE))
                continue;
            level->cells[to] |= SOKOBAN_INSIDE;
            queue[tail++] = (uint16_t)to;
        }
    }
    return true;
}

/* Counts the objects inside, and turns those outside into walls. */
static void settle_cells(struct sokoban_level *level) {
    for (int i = 0; i < level->width * level->height; i++) {
        uint8_t cell = level->cells[i];
        if (cell & SOKOBAN_INSIDE) {
            level->boxes += (cell & SOKOBAN_BOX) != 0;
            level->goals += (cell & SOKOBAN_GOAL) != 0;
        } else if (cell & (SOKOBAN_BOX | SOKOBAN_GOAL)) {
            level->cells[i] = SOKOBAN_WALL | SOKOBAN_DECOR;
            level->cells[i] |= cell & SOKOBAN_BOX ? SOKOBAN_DECOR_BOX : 0;
            level->cells[i] |= cell & SOKOBAN_GOAL ? SOKOBAN_DECOR_GOAL : 0;
        }
    }
}

/* Reports an error at the first box for which no goal is left. */
static bool fail_goals(const struct draft *draft, const struct sokoban_level *level) {
    int seen = 0, cell = 0, line, column;
    for (; cell < level->width * level->height; cell++)
        if (level->cells[cell] & SOKOBAN_BOX && seen++ == level->goals)
            break;
    place_of(draft, cell % level->width, cell / level->width, &line, &column);
    return soloist_fail(
        draft->error, line, column,
        "more boxes than goals: boxes %d, goals %d in the player's area; expected at most as many boxes "
        "as goals",
        level->boxes, level->goals);
}

bool sokoban_level_parse(const soloist_chunk *chunk, struct sokoban_level *level, soloist_error *error) {
    struct draft draft = {.player_x = -1, .player_y = -1, .error = error};
    if (!read_rows(&draft, chunk))
        return false;
    if (draft.player_x < 0)
        return soloist_fail(error, draft.first_line, 1, "no player: expected one '@' (or '+' on a goal) in the board");
    memset(level, 0, sizeof *level);
    level->width = draft.width;
    level->height = draft.height;
    level->player = draft.player_y * draft.width + draft.player_x;
    for (int y = 0; y < level->height; y++)
        memcpy(level->cells + y * level->width, draft.cells[y], (size_t)level->width);
    if (!flood(&draft, level))
        return false;
    settle_cells(level);
    if (!level->boxes)
        return soloist_fail(error, draft.first_line, 1,
                            "no boxes: expected at least one '$' or '*' in the player's area");
    return level->boxes <= level->goals || fail_goals(&draft, level);
}

char sokoban_cell_symbol(uint8_t cell) {
    if (cell & SOKOBAN_DECOR)
        return cell & SOKOBAN_DECOR_BOX ? (cell & SOKOBAN_DECOR_GOAL ? '*' : '$') : '.';
    if (cell & SOKOBAN_WALL)
        return '#';
    if (cell & SOKOBAN_BOX)
        return cell & SOKOBAN_GOAL ? '*' : '$';
    return cell & SOKOBAN_GOAL ? '.' : ' ';
}

/* An empty row is written as one '-', because a blank line would end the board. */
void sokoban_level_print(const struct sokoban_level *level, const soloist_sink *sink) {
    sokoban_level_print_stuck(level, NULL, sink);
}

void sokoban_level_print_stuck(const struct sokoban_level *level, const uint8_t *stuck, const soloist_sink *sink) {
    for (int y = 0; y < level->height; y++) {
        char row[SIDE + 1];
        int length = 0;
        for (int x = 0; x < level->width; x++) {
            int cell = y * level->width + x;
            row[x] = sokoban_cell_symbol(level->cells[cell]);
            if (cell == level->player)
                row[x] = level->cells[cell] & SOKOBAN_GOAL ? '+' : '@';
            if (stuck && stuck[cell])
                row[x] = 'X';
            if (row[x] != ' ')
                length = x + 1;
        }
        if (!length)
            row[length++] = '-';
        row[length++] = '\n';
        sink->write(sink->to, row, (size_t)length);
    }
}
