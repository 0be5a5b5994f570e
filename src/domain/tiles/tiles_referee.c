/* The referee of the sliding tiles: a plain board on which the blank is moved letter by letter. It shares only the
 * reading of files with the engine. */
#include "domain/tiles/tiles.h"

struct table {
    int width, height;
    int x, y; /* square of the blank */
    uint8_t board[TILES_MOST_SQUARES];
};

static bool is_solved(const struct table *table, bool blank_last) {
    int squares = table->width * table->height;
    for (int i = 0; i < squares; i++)
        if (table->board[i] != (blank_last ? (i + 1) % squares : i))
            return false;
    return true;
}

/* Moves the blank by one square; false at the board's edge. */
static bool walk(struct table *table, int dx, int dy) {
    int x = table->x + dx, y = table->y + dy;
    if (x < 0 || x >= table->width || y < 0 || y >= table->height)
        return false;
    table->board[table->y * table->width + table->x] = table->board[y * table->width + x];
    table->board[y * table->width + x] = 0;
    table->x = x, table->y = y;
    return true;
}

static bool step(struct table *table, char letter, int column, soloist_error *error) {
    bool inside;
    switch (letter) {
    case 'U':
    case 'u': inside = walk(table, 0, -1); break;
    case 'L':
    case 'l': inside = walk(table, -1, 0); break;
    case 'R':
    case 'r': inside = walk(table, 1, 0); break;
    case 'D':
    case 'd': inside = walk(table, 0, 1); break;
    default: return soloist_fail(error, 1, column, "expected U, L, R or D");
    }
    return inside || soloist_fail(error, 1, column, "%c takes the blank off the board", letter);
}

bool tiles_referee(const soloist_chunk *chunk, const void *options, const char *solution, size_t length,
                   soloist_verdict *verdict, soloist_error *error) {
    struct table table;
    bool blank_last = options && ((const struct tiles_options *)options)->goal;
    int32_t moves = 0;
    if (!tiles_read_board(chunk, &table.width, &table.height, table.board, error))
        return false;
    for (int i = 0; i < table.width * table.height; i++)
        if (table.board[i] == 0)
            table.x = i % table.width, table.y = i / table.width;
    for (size_t i = 0; i < length; i++) {
        if (solution[i] == ' ' || solution[i] == '\t' || solution[i] == '\r' || solution[i] == '\n')
            continue;
        if (!step(&table, solution[i], (int)i + 1, error))
            return false;
        moves++;
    }
    if (!is_solved(&table, blank_last))
        return soloist_fail(error, 1, (int)length + 1, "after %d moves the tiles are not in order", (int)moves);
    *verdict = (soloist_verdict){.value = moves, .moves = moves, .pushes = -1};
    return true;
}
