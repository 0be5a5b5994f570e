/* The referee: replays a solution on its own plain board, cell by cell, by the rules alone. */
#include "domain/samegame/samegame.h"

/* Empties the group of the cell; returns the number of its blocks. */
static int take_group(struct samegame_board *board, int column, int row, int colour) {
    if (column < 0 || row < 0 || column >= board->width || row >= board->height || board->cell[column][row] != colour)
        return 0;
    board->cell[column][row] = 0;
    return 1 + take_group(board, column - 1, row, colour) + take_group(board, column + 1, row, colour) +
           take_group(board, column, row - 1, colour) + take_group(board, column, row + 1, colour);
}

static void fall(struct samegame_board *board) {
    for (int c = 0; c < board->width; c++) {
        int to = 0;
        for (int r = 0; r < board->height; r++) {
            uint8_t cell = board->cell[c][r];
            board->cell[c][r] = 0;
            if (cell)
                board->cell[c][to++] = cell;
        }
    }
}

static void close_columns(struct samegame_board *board) {
    int to = 0;
    for (int c = 0; c < board->width; c++) {
        if (!board->cell[c][0])
            continue;
        for (int r = 0; to != c && r < board->height; r++) {
            board->cell[to][r] = board->cell[c][r];
            board->cell[c][r] = 0;
        }
        to++;
    }
}

static bool finished(const struct samegame_board *board) {
    for (int c = 0; c < board->width; c++)
        for (int r = 0; r < board->height && board->cell[c][r]; r++) {
            if (r + 1 < board->height && board->cell[c][r + 1] == board->cell[c][r])
                return false;
            if (c + 1 < board->width && board->cell[c + 1][r] == board->cell[c][r])
                return false;
        }
    return true;
}

static int32_t score_of_move(int scoring, int n) {
    switch (scoring) {
    case SAMEGAME_STANDARD:
    case SAMEGAME_BLOCKS: return (n - 2) * (n - 2);
    case SAMEGAME_JAWBREAKER: return n * (n - 1);
    case SAMEGAME_WINDOWS: return n * n - 3 * n + 4;
    default: return 0;
    }
}

static int32_t score_of_end(int scoring, const struct samegame_board *board) {
    int left[10] = {0}, all = 0, squares = 0;
    for (int c = 0; c < board->width; c++)
        for (int r = 0; r < board->height; r++)
            if (board->cell[c][r])
                left[board->cell[c][r]]++, all++;
    for (int colour = 1; colour < 10; colour++)
        if (left[colour])
            squares += (left[colour] - 2) * (left[colour] - 2);
    if (scoring == SAMEGAME_CLICKOMANIA)
        return -all;
    if (scoring != SAMEGAME_STANDARD && scoring != SAMEGAME_BLOCKS)
        return 0;
    if (!all)
        return 1000;
    return scoring == SAMEGAME_STANDARD ? -squares : -(all - 2) * (all - 2);
}

/* Replays a solution on the board. Sets *score to the sum of its moves' scores and *moves to their number. */
static bool play_all(struct samegame_board *board, int scoring, const char *solution, size_t length, int32_t *score,
                     int64_t *moves, soloist_error *error) {
    struct samegame_click click;
    size_t offset = 0;
    int more;
    *score = 0;
    *moves = 0;
    while ((more = samegame_click_next(solution, length, &offset, &click, error)) > 0) {
        int colour =
            click.column < board->width && click.row < board->height ? board->cell[click.column][click.row] : 0;
        int n = colour ? take_group(board, click.column, click.row, colour) : 0;
        ++*moves;
        if (n < 2)
            return soloist_fail(error, 0, click.at, "move %lld: no group of two or more at [%d,%d]", (long long)*moves,
                                click.column, click.row);
        *score += score_of_move(scoring, n);
        fall(board);
        close_columns(board);
    }
    return more == 0;
}

bool samegame_referee(const soloist_chunk *chunk, const void *options, const char *solution, size_t length,
                      soloist_verdict *verdict, soloist_error *error) {
    int scoring = ((const struct samegame_options *)options)->scoring;
    struct samegame_board board;
    *verdict = (soloist_verdict){.value = 0, .moves = 0, .pushes = -1};
    if (!samegame_board_parse(chunk, &board, error) ||
        !play_all(&board, scoring, solution, length, &verdict->value, &verdict->moves, error))
        return false;
    if (!finished(&board))
        return soloist_fail(error, 0, (int)length, "unfinished: a group is left after %lld moves",
                            (long long)verdict->moves);
    verdict->value += score_of_end(scoring, &board);
    return true;
}

int samegame_blocks_left(const soloist_chunk *chunk, const char *solution, size_t length) {
    struct samegame_board board;
    soloist_error error;
    int32_t score;
    int64_t moves;
    if (!samegame_board_parse(chunk, &board, &error) ||
        !play_all(&board, SAMEGAME_STANDARD, solution, length, &score, &moves, &error))
        return -1;
    int left = 0;
    for (int c = 0; c < board.width; c++)
        for (int r = 0; r < board.height; r++)
            left += board.cell[c][r] != 0;
    return left;
}
