/* Tic-tac-toe files and games. A file has one board per line: nine characters X O . (or '_' or '-'), with rows
 * optionally separated by '/'. A game is a JSON list of cells. The referee plays it on a board of characters. */
#include "base/json.h"
#include "domain/tictactoe/tictactoe.h"

#include <string.h>

/* ---- boards ---- */

/* 'X', 'O' or '.' for a cell's character; 0 for any other character. */
static char mark_of(char c) {
    switch (c) {
    case 'X':
    case 'x': return 'X';
    case 'O':
    case 'o': return 'O';
    case '.':
    case '_':
    case '-': return '.';
    default: return 0;
    }
}

/* Length of the board's text, without trailing blanks and a trailing comment. */
static size_t board_length(const soloist_chunk *chunk) {
    size_t length = 0;
    while (length < chunk->length && chunk->text[length] != ';' && chunk->text[length] != '#')
        length++;
    while (length && strchr(" \t\r\n", chunk->text[length - 1]) && chunk->text[length - 1])
        length--;
    return length;
}

/* Reads nine marks. Either all rows are separated by '/', or none are. */
static bool read_marks(const soloist_chunk *chunk, char board[9], soloist_error *error) {
    size_t length = board_length(chunk), at = 0;
    bool parted = length > 3 && chunk->text[3] == '/';
    for (int cell = 0; cell < 9; cell++) {
        if (parted && (cell == 3 || cell == 6)) {
            if (at >= length || chunk->text[at] != '/')
                return soloist_fail(error, chunk->line, (int)at + 1, "expected '/' after three cells");
            at++;
        }
        if (at >= length)
            return soloist_fail(error, chunk->line, (int)at + 1, "expected nine cells, found %d", cell);
        board[cell] = mark_of(chunk->text[at]);
        if (!board[cell])
            return soloist_fail(error, chunk->line, (int)at + 1, "expected X, O or '.'");
        at++;
    }
    if (at < length)
        return soloist_fail(error, chunk->line, (int)at + 1, "expected the end of the line after nine cells");
    return true;
}

/* Whether the position can arise: X moves first, and play stops at the first line. */
static bool check_position(const soloist_chunk *chunk, const struct tictactoe_state *state, soloist_error *error) {
    int x_count = __builtin_popcount(state->marks[TICTACTOE_X]),
        o_count = __builtin_popcount(state->marks[TICTACTOE_O]);
    bool x_won = tictactoe_has_line(state->marks[TICTACTOE_X]), o_won = tictactoe_has_line(state->marks[TICTACTOE_O]);
    if (x_count != o_count && x_count != o_count + 1)
        return soloist_fail(error, chunk->line, 1, "%d X and %d O: expected equally many, or one X more", x_count,
                            o_count);
    if (x_won && o_won)
        return soloist_fail(error, chunk->line, 1, "X and O have both won");
    if ((x_won && x_count == o_count) || (o_won && x_count > o_count))
        return soloist_fail(error, chunk->line, 1, "%c has won, but the other player moved after that",
                            x_won ? 'X' : 'O');
    return true;
}

bool tictactoe_read_board(const soloist_chunk *chunk, struct tictactoe_state *state, soloist_error *error) {
    char board[9];
    if (!read_marks(chunk, board, error))
        return false;
    *state = (struct tictactoe_state){{0, 0}};
    for (int cell = 0; cell < 9; cell++)
        if (board[cell] != '.')
            state->marks[board[cell] == 'O'] |= (uint16_t)(1u << cell);
    return check_position(chunk, state, error);
}

int tictactoe_recognise(const char *text, size_t length) {
    soloist_cursor cursor = soloist_cursor_open(text, length < 65536 ? length : 65536);
    soloist_chunk chunk;
    int lines = 0, boards = 0, marks = 0;
    while (lines < 32 && soloist_next_line(&cursor, &chunk)) {
        char board[9];
        lines++;
        if (!read_marks(&chunk, board, NULL))
            continue;
        boards++;
        for (int cell = 0; cell < 9; cell++)
            marks += board[cell] != '.';
    }
    if (!boards || boards * 2 < lines)
        return 0;
    /* A line that has only empty cells could be part of another kind of file. */
    return marks == 0 ? 40 : boards == lines ? 90 : 50;
}

/* ---- text for people ---- */

static void text_print(const soloist_instance *instance, const void *state, const soloist_sink *sink) {
    (void)instance;
    const struct tictactoe_state *board = state;
    char text[] = ".........\n";
    for (int cell = 0; cell < 9; cell++)
        if ((board->marks[0] | board->marks[1]) >> cell & 1)
            text[cell] = board->marks[TICTACTOE_X] >> cell & 1 ? 'X' : 'O';
    soloist_put(sink, text);
}

static void text_move(const soloist_instance *instance, const void *state, soloist_move move,
                      const soloist_sink *sink) {
    (void)instance;
    const struct tictactoe_state *board = state;
    char side = __builtin_popcount(board->marks[0] | board->marks[1]) % 2 ? 'O' : 'X';
    soloist_print(sink, "%c at row %u, column %u", side, (unsigned)move / 3 + 1, (unsigned)move % 3 + 1);
}

static void text_solution(const soloist_instance *instance, const soloist_move *moves, size_t count,
                          const soloist_sink *sink) {
    (void)instance;
    soloist_put(sink, "[");
    for (size_t i = 0; i < count; i++)
        soloist_print(sink, "%s%u", i ? "," : "", (unsigned)moves[i]);
    soloist_put(sink, "]");
}

/* ---- games ---- */

/* A game that is replayed on a board of characters; left: the number of empty cells. */
struct replay {
    char board[9];
    int left;
};

static char replay_winner(const struct replay *replay) {
    static const int lines[8][3] = {{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6},
                                    {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}};
    for (int i = 0; i < 8; i++) {
        char mark = replay->board[lines[i][0]];
        if (mark != '.' && mark == replay->board[lines[i][1]] && mark == replay->board[lines[i][2]])
            return mark;
    }
    return '.';
}

static bool replay_cell(struct replay *replay, const char *text, struct json_value item, int64_t *cell,
                        soloist_error *error) {
    int column = (int)(item.start - text) + 1;
    if (!json_get_int(item, cell) || *cell < 0 || *cell > 8)
        return soloist_fail(error, 1, column, "expected a cell, 0 to 8");
    if (replay_winner(replay) != '.')
        return soloist_fail(error, 1, column, "a move after %c has won", replay_winner(replay));
    if (replay->board[*cell] != '.')
        return soloist_fail(error, 1, column, "cell %d is taken", (int)*cell);
    replay->board[*cell] = replay->left % 2 ? 'X' : 'O';
    replay->left--;
    return true;
}

/* Replays a whole text; returns the number of moves, or -1. Writes the first `room` moves. */
static long replay_game(struct replay *replay, const char *text, size_t length, soloist_move *moves, size_t room,
                        soloist_error *error) {
    struct json_value list, name, item;
    if (!json_parse(text, length, &list, error))
        return -1;
    if (list.kind != JSON_ARRAY) {
        soloist_fail(error, 1, (int)(list.start - text) + 1, "expected a list of cells: [4,0,...]");
        return -1;
    }
    size_t count = 0;
    for (const char *step = NULL; json_next(list, &step, &name, &item); count++) {
        int64_t cell = 0;
        if (!replay_cell(replay, text, item, &cell, error))
            return -1;
        if (count < room)
            moves[count] = (soloist_move)cell;
    }
    return (long)count;
}

static long text_read(const soloist_instance *instance, const char *text, size_t length, soloist_move *moves,
                      size_t room, soloist_error *error) {
    struct replay replay = {.left = 0};
    for (int cell = 0; cell < 9; cell++) {
        bool is_x = instance->start.marks[TICTACTOE_X] >> cell & 1,
             is_o = instance->start.marks[TICTACTOE_O] >> cell & 1;
        replay.board[cell] = is_x ? 'X' : is_o ? 'O' : '.';
        replay.left += !is_x && !is_o;
    }
    return replay_game(&replay, text, length, moves, room, error);
}

static bool text_referee(const soloist_chunk *chunk, const void *options, const char *solution, size_t length,
                         soloist_verdict *verdict, soloist_error *error) {
    (void)options;
    struct replay replay = {.left = 0};
    struct tictactoe_state checked;
    if (!tictactoe_read_board(chunk, &checked, error) || !read_marks(chunk, replay.board, error))
        return false;
    for (int cell = 0; cell < 9; cell++)
        replay.left += replay.board[cell] == '.';
    long count = replay_game(&replay, solution, length, NULL, 0, error);
    if (count < 0)
        return false;
    char winner = replay_winner(&replay);
    if (winner == '.' && replay.left)
        return soloist_fail(error, 1, (int)length, "the game is not over after %ld moves", count);
    *verdict = (soloist_verdict){.value = (winner == 'X') - (winner == 'O'), .moves = count, .pushes = -1};
    return true;
}

const soloist_text tictactoe_text = {
    .size = sizeof(soloist_text),
    .print = text_print,
    .move = text_move,
    .solution = text_solution,
    .solution_is_json = true,
    .read = text_read,
    .referee = text_referee,
};
