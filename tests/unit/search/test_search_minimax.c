/* Minimax: the value of tic-tac-toe from every reachable position against a plain recursion without cuts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "domain/domain.h"

#include <stdio.h>
#include <string.h>

static bool has_line(const char *board, char mark) {
    static const int lines[8][3] = {{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6},
                                    {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}};
    for (int i = 0; i < 8; i++)
        if (board[lines[i][0]] == mark && board[lines[i][1]] == mark && board[lines[i][2]] == mark)
            return true;
    return false;
}

static int plain_value(char *board, int marks) {
    if (has_line(board, 'X') || has_line(board, 'O') || marks == 9)
        return has_line(board, 'X') - has_line(board, 'O');
    char mark = marks % 2 ? 'O' : 'X';
    int best = marks % 2 ? 2 : -2;
    for (int cell = 0; cell < 9; cell++) {
        if (board[cell] != '.')
            continue;
        board[cell] = mark;
        int value = plain_value(board, marks + 1);
        board[cell] = '.';
        best = marks % 2 ? (value < best ? value : best) : (value > best ? value : best);
    }
    return best;
}

static soloist_result solve(const soloist *engine, const char *board, const char *method, uint64_t nodes) {
    soloist_chunk chunk = {.text = board, .length = 9, .line = 1};
    soloist_puzzle puzzle;
    soloist_result result;
    soloist_error error = {0};
    soloist_limits limits = {.nodes = nodes};
    assert_int_equal(soloist_puzzle_read(&tictactoe_domain, NULL, &chunk, &puzzle, &error), SOLOIST_OK);
    assert_int_equal(soloist_solve(engine, &puzzle, method, &limits, NULL, &result, &error), SOLOIST_OK);
    soloist_puzzle_free(&puzzle);
    return result;
}

/* Every position of up to five marks that play can reach and that is not over, in the order of its cells. */
static int check_all(const soloist *engine, char *board, int marks) {
    if (has_line(board, 'X') || has_line(board, 'O'))
        return 0;
    soloist_result result = solve(engine, board, marks % 2 ? "minimax" : "auto", 0);
    assert_true(result.status == SOLOIST_SOLVED && result.optimal);
    assert_int_equal(result.verdict.value, plain_value(board, marks));
    soloist_result_free(&result);
    int checked = 1;
    for (int cell = 0; marks < 3 && cell < 9; cell++) {
        if (board[cell] != '.')
            continue;
        board[cell] = marks % 2 ? 'O' : 'X';
        checked += check_all(engine, board, marks + 1);
        board[cell] = '.';
    }
    return checked;
}

static void the_value_of_every_opening(void **unused) {
    (void)unused;
    soloist *engine = soloist_new();
    char board[] = ".........";
    assert_int_equal(check_all(engine, board, 0), 1 + 9 + 72 + 504);
    soloist_free(engine);
}

static void a_limit_ends_it(void **unused) {
    (void)unused;
    soloist *engine = soloist_new();
    soloist_result result = solve(engine, ".........", "minimax", 100);
    assert_int_equal(result.status, SOLOIST_UNSOLVED);
    assert_int_equal(result.stopped, SOLOIST_STOP_NODES);
    assert_int_equal(result.nodes, 100);
    soloist_result_free(&result);
    soloist_free(engine);
}

static void it_refuses_one_player(void **unused) {
    (void)unused;
    soloist *engine = soloist_new();
    soloist_chunk chunk = {.text = "3 1 2", .length = 5, .line = 1};
    soloist_puzzle puzzle;
    soloist_result result;
    soloist_error error = {0};
    assert_int_equal(soloist_puzzle_read(&pancake_domain, NULL, &chunk, &puzzle, &error), SOLOIST_OK);
    assert_int_equal(soloist_solve(engine, &puzzle, "minimax", NULL, NULL, &result, &error), SOLOIST_UNSUPPORTED);
    assert_string_equal(error.text, "minimax needs a domain for two players; pancake has one");
    soloist_puzzle_free(&puzzle);
    soloist_free(engine);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_value_of_every_opening),
        cmocka_unit_test(a_limit_ends_it),
        cmocka_unit_test(it_refuses_one_player),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
