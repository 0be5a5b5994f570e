/* Text for people and files: boards, solutions as [[column,row],...]. Columns and rows are counted from 0 at the lower
 * left corner; in the words for a move they are counted from 1. A solution may name a group by any of its cells. */
#include "domain/samegame/samegame.h"

#include <stdlib.h>
#include <string.h>

static void print_state(const soloist_instance *instance, const void *state, const soloist_sink *sink) {
    struct samegame_board board;
    samegame_state_to_board(instance, state, &board);
    samegame_board_print(&board, sink);
}

static void print_move(const soloist_instance *instance, const void *state, soloist_move move,
                       const soloist_sink *sink) {
    int column = samegame_column(move), row = samegame_row(move);
    (void)instance, (void)state;
    soloist_print(sink, "group at column %d, row %d from the bottom: [%d,%d]", column + 1, row + 1, column, row);
}

static void print_solution(const soloist_instance *instance, const soloist_move *moves, size_t count,
                           const soloist_sink *sink) {
    (void)instance;
    soloist_put(sink, "[");
    for (size_t i = 0; i < count; i++)
        soloist_print(sink, "%s[%d,%d]", i ? "," : "", samegame_column(moves[i]), samegame_row(moves[i]));
    soloist_put(sink, "]");
}

/* ---- reading ---- */

struct scan {
    const char *text;
    size_t length, at;
    soloist_error *error;
};

static void skip_space(struct scan *scan) {
    while (scan->at < scan->length && strchr(" \t\r\n", scan->text[scan->at]) && scan->text[scan->at])
        scan->at++;
}

static bool take(struct scan *scan, char c) {
    skip_space(scan);
    if (scan->at == scan->length || scan->text[scan->at] != c)
        return false;
    scan->at++;
    return true;
}

static bool expect(struct scan *scan, char c) {
    return take(scan, c) || soloist_fail(scan->error, 0, (int)scan->at + 1, "expected '%c'", c);
}

static bool take_number(struct scan *scan, int *number) {
    skip_space(scan);
    size_t from = scan->at;
    *number = 0;
    while (scan->at < scan->length && scan->text[scan->at] >= '0' && scan->text[scan->at] <= '9') {
        *number = *number * 10 + (scan->text[scan->at++] - '0');
        if (*number >= SAMEGAME_MOST_SIDE)
            return soloist_fail(scan->error, 0, (int)from + 1, "expected a number below %d", SAMEGAME_MOST_SIDE);
    }
    return scan->at > from || soloist_fail(scan->error, 0, (int)from + 1, "expected a number");
}

int samegame_click_next(const char *text, size_t length, size_t *offset, struct samegame_click *click,
                        soloist_error *error) {
    struct scan scan = {text, length, *offset, error};
    bool first = scan.at == 0;
    if (first && !expect(&scan, '['))
        return -1;
    if (take(&scan, ']')) {
        skip_space(&scan);
        if (scan.at == length)
            return 0;
        soloist_fail(error, 0, (int)scan.at + 1, "expected nothing after the solution");
        return -1;
    }
    if (!first && !expect(&scan, ','))
        return -1;
    skip_space(&scan);
    click->at = (int)scan.at + 1;
    if (!expect(&scan, '[') || !take_number(&scan, &click->column) || !expect(&scan, ',') ||
        !take_number(&scan, &click->row) || !expect(&scan, ']'))
        return -1;
    *offset = scan.at;
    return 1;
}

/* The move whose group contains the cell, or SOLOIST_NO_MOVE. */
static soloist_move move_of_cell(const soloist_instance *instance, const void *state, int column, int row) {
    struct samegame_board board;
    soloist_move cells[SAMEGAME_MOST_SIDE * SAMEGAME_MOST_SIDE];
    samegame_state_to_board(instance, state, &board);
    if (column >= board.width || row >= board.height || !board.cell[column][row])
        return SOLOIST_NO_MOVE;
    int count = samegame_board_take_group(&board, samegame_move(column, row), cells);
    soloist_move first = cells[0];
    for (int i = 1; i < count; i++)
        first = cells[i] < first ? cells[i] : first;
    return count > 1 ? first : SOLOIST_NO_MOVE;
}

static long read_solution(const soloist_instance *instance, const char *text, size_t length, soloist_move *moves,
                          size_t room, soloist_error *error) {
    struct samegame_wide state; /* the larger of the two kinds of state */
    struct samegame_click click;
    size_t offset = 0;
    long count = 0;
    int more;
    samegame_state_from_board(instance, &instance->board, &state);
    while ((more = samegame_click_next(text, length, &offset, &click, error)) > 0) {
        soloist_move move = move_of_cell(instance, &state, click.column, click.row);
        if (move == SOLOIST_NO_MOVE) {
            soloist_fail(error, 0, click.at, "move %ld: no group of two or more at [%d,%d]", count + 1, click.column,
                         click.row);
            return -1;
        }
        if ((size_t)count < room)
            moves[count] = move;
        count++;
        instance->kernel->apply(instance, &state, move);
    }
    return more < 0 ? -1 : count;
}

const soloist_text samegame_text = {
    .size = sizeof(soloist_text),
    .print = print_state,
    .move = print_move,
    .solution = print_solution,
    .solution_is_json = true,
    .read = read_solution,
    .referee = samegame_referee,
};
