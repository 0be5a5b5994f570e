/* Looks up the surroundings of a pushed box in the deadlock tables, which all instances share. A window's number is the
 * sum of two parts: one for the walls, which is precomputed, and one for the boxes, which is computed from rows of
 * bits. If the window's bit is set, its zones are examined one by one, together with the level's goals and the player's
 * place. */
#include "domain/sokoban/deadlock/deadlock_table.h"

#include "base/cache_file.h"

#include <stdio.h>
#include <stdlib.h>

/* A window is given by its upper left cell, which may lie outside the board. turned: the columns of the window are rows
 * of the board. */
struct window {
    int x, y;
    bool turned;
};

static int board_rows(const struct sokoban *game) { return game->size / game->stride; }

static int square_of(const struct sokoban *game, struct window w, int row, int column) {
    int x = w.x + (w.turned ? row : column), y = w.y + (w.turned ? column : row);
    return x < 0 || y < 0 || x >= game->stride - 1 || y >= board_rows(game) ? -1 : y * game->stride + x;
}

/* The index of a window in window_walls. A window may begin up to four cells before the board. */
static size_t slot_of(const struct sokoban *game, struct window w) {
    size_t width = (size_t)game->stride + 4, height = (size_t)board_rows(game) + 4;
    return ((size_t)w.turned * height + (size_t)(w.y + 4)) * width + (size_t)(w.x + 4);
}

static uint32_t walls_of(const struct sokoban *game, struct window w) {
    uint32_t number = 0;
    for (int cell = DEADLOCK_ROWS * DEADLOCK_COLUMNS - 1; cell >= 0; cell--) {
        int square = square_of(game, w, cell / DEADLOCK_COLUMNS, cell % DEADLOCK_COLUMNS);
        bool wall = square < 0 || !sokoban_is_floor(game, square);
        number = number * 3 + (wall ? DEADLOCK_WALL : DEADLOCK_SPACE);
    }
    return number;
}

bool sokoban_windows_make(struct sokoban *game) {
    if (!game->rules.deadlock_tables)
        return true;
    size_t slots = 2 * ((size_t)game->stride + 4) * ((size_t)board_rows(game) + 4);
    game->window_walls = malloc(slots * sizeof *game->window_walls);
    if (!game->window_walls)
        return false;
    for (int turned = 0; turned < 2; turned++)
        for (int y = -4; y < board_rows(game); y++)
            for (int x = -4; x < game->stride; x++) {
                struct window w = {x, y, turned};
                game->window_walls[slot_of(game, w)] = walls_of(game, w);
            }
    return true;
}

/* The boxes on `count` squares of a row from column x on, as bits. */
static unsigned row_of(const struct sokoban *game, const uint64_t *boxes, int x, int y, int count) {
    if (y < 0 || y >= board_rows(game))
        return 0;
    int skip = x < 0 ? -x : 0, first = y * game->stride + x + skip, word = first >> 6, shift = first & 63;
    uint64_t bits = boxes[word] >> shift;
    if (shift && word + 1 < game->words)
        bits |= boxes[word + 1] << (64 - shift);
    int room = game->stride - (x + skip), kept = count - skip < room ? count - skip : room;
    return kept <= 0 ? 0 : (unsigned)(bits & ((1u << kept) - 1)) << skip;
}

/* The boxes' part of a window's number. */
static uint32_t boxes_of(const struct sokoban *game, const uint64_t *boxes, struct window w) {
    /* Tables that turn the bits of boxes into digits 2 of the window's number: in base 3 for a row of the window, in
     * base 3^5 for a column. */
    static const uint32_t five[32] = {0,   2,   6,   8,   18,  20,  24,  26,  54,  56,  60,  62,  72,  74,  78,  80,
                                      162, 164, 168, 170, 180, 182, 186, 188, 216, 218, 222, 224, 234, 236, 240, 242};
    static const uint32_t three[8] = {0, 2, 486, 488, 118098, 118100, 118584, 118586};
    static const uint32_t weight[DEADLOCK_COLUMNS] = {1, 3, 9, 27, 81};
    uint32_t number = 0;
    if (w.turned)
        for (int i = 0; i < DEADLOCK_COLUMNS; i++)
            number += weight[i] * three[row_of(game, boxes, w.x, w.y + i, DEADLOCK_ROWS)];
    else
        for (int i = DEADLOCK_ROWS - 1; i >= 0; i--)
            number = number * 243 + five[row_of(game, boxes, w.x, w.y + i, DEADLOCK_COLUMNS)];
    return number;
}

/* Where a zone lies in a window. turned: the zone's rows run along the window's columns. */
struct place {
    const struct deadlock_zone *zone;
    int row, column;
    bool turned;
};

static int cell_of(struct place at, int k) {
    int y = k / at.zone->columns, x = k % at.zone->columns;
    return at.turned ? (at.row + x) * DEADLOCK_COLUMNS + at.column + y
                     : (at.row + y) * DEADLOCK_COLUMNS + at.column + x;
}

/* The content of a window. */
struct view {
    uint8_t digit[DEADLOCK_ROWS * DEADLOCK_COLUMNS];
    bool goal[DEADLOCK_ROWS * DEADLOCK_COLUMNS];
    int box;    /* the pushed box's cell: only zones that contain it matter */
    int player; /* the player's cell, or -1 */
};

/* Whether the player is in the zone and cannot leave it: he is on an inner cell, and every path from there to the rim
 * is blocked. */
static bool player_is_inside(const struct view *view, struct place at) {
    int rows = at.zone->rows, columns = at.zone->columns, player = -1;
    for (int k = 0; k < rows * columns; k++)
        if (cell_of(at, k) == view->player)
            player = k;
    if (rows < 3 || player < columns + 1 || player > 2 * columns - 2)
        return false;
    for (int k = player; k < 2 * columns - 1 && !view->digit[cell_of(at, k)]; k++)
        if (!view->digit[cell_of(at, k - columns)] || !view->digit[cell_of(at, k + columns)] ||
            (k == 2 * columns - 2 && !view->digit[cell_of(at, k + 1)]))
            return false;
    for (int k = player; k > columns && !view->digit[cell_of(at, k)]; k--)
        if (!view->digit[cell_of(at, k - columns)] || !view->digit[cell_of(at, k + columns)] ||
            (k == columns + 1 && !view->digit[cell_of(at, k - 1)]))
            return false;
    return true;
}

static bool zone_is_dead(const struct deadlock_tables *tables, const struct view *view, struct place at) {
    uint32_t number = 0, off_goal = 0;
    bool goals = false;
    for (int k = at.zone->rows * at.zone->columns - 1; k >= 0; k--) {
        int cell = cell_of(at, k);
        number = number * 3 + view->digit[cell];
        goals |= view->goal[cell];
        off_goal |= (uint32_t)(view->digit[cell] == DEADLOCK_BOX && !view->goal[cell]) << k;
    }
    unsigned entry = tables->entry[(uint32_t)at.zone->first + number];
    return ((entry & off_goal) || (entry & DEADLOCK_ENCLOSED && !goals)) && !player_is_inside(view, at);
}

static bool zones_are_dead(const struct deadlock_tables *tables, const struct view *view,
                           const struct deadlock_zone *zone, bool turned) {
    int rows = turned ? zone->columns : zone->rows, columns = turned ? zone->rows : zone->columns;
    int y = view->box / DEADLOCK_COLUMNS, x = view->box % DEADLOCK_COLUMNS;
    for (int row = y < rows ? 0 : y - rows + 1; row <= y && row + rows <= DEADLOCK_ROWS; row++)
        for (int column = x < columns ? 0 : x - columns + 1; column <= x && column + columns <= DEADLOCK_COLUMNS;
             column++)
            if (zone_is_dead(tables, view, (struct place){zone, row, column, turned}))
                return true;
    return false;
}

static bool window_is_dead(const struct sokoban *game, const uint64_t *boxes, struct window w, int box, int player) {
    const struct deadlock_tables *tables = game->deadlock_tables;
    uint32_t number = game->window_walls[slot_of(game, w)] + boxes_of(game, boxes, w);
    struct view view = {.box = -1, .player = -1};
    if (!(tables->window[number / 8] >> number % 8 & 1))
        return false;
    for (int cell = 0; cell < DEADLOCK_ROWS * DEADLOCK_COLUMNS; cell++, number /= 3) {
        int square = square_of(game, w, cell / DEADLOCK_COLUMNS, cell % DEADLOCK_COLUMNS);
        view.digit[cell] = (uint8_t)(number % 3);
        view.goal[cell] = square >= 0 && bitset_has(game->goal, (unsigned)square);
        view.player = square == player ? cell : view.player;
        view.box = square == box ? cell : view.box;
    }
    for (int z = 0; z < DEADLOCK_ZONES; z++)
        for (int turned = 0; turned < 2; turned++)
            if (zones_are_dead(tables, &view, &deadlock_zones[z], turned))
                return true;
    return false;
}

/* Nine windows in each orientation are enough to contain every zone that contains the box. For zones of three rows, two
 * windows at each of three heights are needed; for zones of 2x5, five windows at one height. */
bool sokoban_window_is_dead(const struct sokoban *game, const uint64_t *boxes, int box, int player) {
    static const int8_t at[9][2] = {{-2, -3}, {-2, -1}, {0, -3},  {0, -1}, {-1, -3},
                                    {-1, -1}, {-1, -4}, {-1, -2}, {-1, 0}}; /* row, column */
    int x = box % game->stride, y = box / game->stride;
    for (int i = 0; i < 9; i++)
        if (window_is_dead(game, boxes, (struct window){x + at[i][1], y + at[i][0], false}, box, player) ||
            window_is_dead(game, boxes, (struct window){x + at[i][0], y + at[i][1], true}, box, player))
            return true;
    return false;
}

bool sokoban_any_window_is_dead(const struct sokoban *game, const uint64_t *boxes, int box, int player) {
    int x = box % game->stride, y = box / game->stride;
    for (int row = 1 - DEADLOCK_ROWS; row <= 0; row++)
        for (int column = 1 - DEADLOCK_COLUMNS; column <= 0; column++)
            if (window_is_dead(game, boxes, (struct window){x + column, y + row, false}, box, player) ||
                window_is_dead(game, boxes, (struct window){x + row, y + column, true}, box, player))
                return true;
    return false;
}

/* ---- the tables that instances share ---- */

static bool tables_name(const soloist_instance *instance, char *name, size_t room) {
    snprintf(name, room, "deadlocks");
    return sokoban_of(instance)->rules.deadlock_tables;
}

static void *tables_open(const soloist_instance *instance, const char *folder, const soloist_work *work,
                         soloist_error *error) {
    static const char magic[] = "SOLODLT1";
    struct deadlock_tables *tables = calloc(1, sizeof *tables);
    char path[4000];
    (void)instance;
    if (work->memory && work->memory < sizeof *tables) {
        free(tables);
        soloist_fail(error, 0, 0, "the deadlock tables take %zu bytes", sizeof *tables);
        return NULL;
    }
    if (!tables) {
        soloist_fail(error, 0, 0, "no memory for deadlock tables");
        return NULL;
    }
    if (folder && (size_t)snprintf(path, sizeof path, "%s/sokoban-deadlocks.table", folder) >= sizeof path)
        folder = NULL;
    if (folder && cache_file_read(path, magic, tables, sizeof *tables))
        return tables;
    memset(tables, 0, sizeof *tables);
    if (!deadlock_tables_build(tables, work->stop)) {
        soloist_fail(error, 0, 0, "making the deadlock tables was cancelled");
        free(tables);
        return NULL;
    }
    /* If the folder cannot be written, this run continues, and the next one makes the tables again. */
    if (folder)
        cache_file_write(path, magic, tables, sizeof *tables);
    return tables;
}

static size_t tables_bytes(const void *tables) {
    (void)tables;
    return sizeof(struct deadlock_tables);
}

static void tables_attach(soloist_instance *session, const void *tables) {
    ((struct sokoban *)(void *)session)->deadlock_tables = tables;
}

const soloist_tables sokoban_tables = {
    .size = sizeof(soloist_tables),
    .name = tables_name,
    .open = tables_open,
    .close = free,
    .bytes = tables_bytes,
    .attach = tables_attach,
};
