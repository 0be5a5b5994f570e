/* Tic-tac-toe: every game and every position counted through the contract and by plain code, the eight symmetries,
 * the value of the game, files with their errors, the referee, the generator. */
#include "base/buffer.h"
#include "domain/domain.h"
#include "domain/tictactoe/tictactoe.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const soloist_domain *const domain = &tictactoe_domain;

static soloist_instance *parse_with(const char *text, size_t length, soloist_error *error) {
    soloist_chunk chunk = {.text = text, .length = length, .line = 3};
    return domain->life->parse(&chunk, NULL, error);
}

static soloist_instance *parse(const char *text) {
    soloist_instance *instance = parse_with(text, strlen(text), NULL);
    assert_non_null(instance);
    return instance;
}

/* ---- whole games ---- */

struct census {
    uint64_t nodes[10], games, won[3]; /* won[result + 1] */
    uint8_t seen[1 << 18];
    int positions;
};

static void count_games(const soloist_instance *instance, struct tictactoe_state *state, int depth,
                        struct census *census) {
    soloist_move moves[9];
    int32_t result;
    unsigned number = state->marks[0] | (unsigned)state->marks[1] << 9;
    census->nodes[depth]++;
    census->positions += !census->seen[number];
    census->seen[number] = 1;
    int count = domain->core->moves(instance, state, moves);
    bool ended = domain->core->ended(instance, state, &result);
    assert_int_equal(ended, count == 0);
    if (ended)
        census->games++, census->won[result + 1]++;
    for (int i = 0; i < count; i++) {
        struct tictactoe_state before = *state;
        assert_int_equal(domain->core->apply(instance, state, moves[i], NULL), 0);
        count_games(instance, state, depth + 1, census);
        domain->core->undo(instance, state, moves[i], NULL);
        assert_memory_equal(&before, state, sizeof before);
    }
}

/* The same by characters alone. */
static int plain_winner(const char *board) {
    static const char *const lines[] = {"012", "345", "678", "036", "147", "258", "048", "246"};
    for (int i = 0; i < 8; i++) {
        char a = board[lines[i][0] - '0'], b = board[lines[i][1] - '0'], c = board[lines[i][2] - '0'];
        if (a == b && b == c && a != '.')
            return a;
    }
    return 0;
}

static void plain_games(char *board, int depth, uint64_t nodes[10], uint64_t *games) {
    nodes[depth]++;
    if (plain_winner(board) || depth == 9) {
        ++*games;
        return;
    }
    for (int cell = 0; cell < 9; cell++)
        if (board[cell] == '.') {
            board[cell] = depth % 2 ? 'O' : 'X';
            plain_games(board, depth + 1, nodes, games);
            board[cell] = '.';
        }
}

static void test_all_games(void **unused) {
    (void)unused;
    static const uint64_t known[10] = {1, 9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872};
    struct census *census = calloc(1, sizeof *census);
    soloist_instance *instance = parse(".........");
    struct tictactoe_state state;
    domain->life->root(instance, &state);
    count_games(instance, &state, 0, census);
    char board[] = ".........";
    uint64_t nodes[10] = {0}, games = 0;
    plain_games(board, 0, nodes, &games);
    for (int depth = 0; depth < 10; depth++) {
        assert_int_equal(census->nodes[depth], known[depth]);
        assert_int_equal(nodes[depth], known[depth]);
    }
    assert_int_equal(games, 255168);
    assert_int_equal(census->games, 255168);
    assert_int_equal(census->won[2], 131184);
    assert_int_equal(census->won[0], 77904);
    assert_int_equal(census->won[1], 46080);
    assert_int_equal(census->positions, 5478);
    domain->life->destroy(instance);
    free(census);
}

static int32_t best_result(const soloist_instance *instance, struct tictactoe_state *state, int side) {
    soloist_move moves[9];
    int32_t best = -2, result;
    if (domain->core->ended(instance, state, &result))
        return side * result;
    int count = domain->core->moves(instance, state, moves);
    for (int i = 0; i < count; i++) {
        domain->core->apply(instance, state, moves[i], NULL);
        int32_t value = -best_result(instance, state, -side);
        best = value > best ? value : best;
        domain->core->undo(instance, state, moves[i], NULL);
    }
    return best;
}

static void test_game_value(void **unused) {
    (void)unused;
    static const struct {
        const char *board;
        int side, value;
    } rows[] = {
        {".........", 1, 0}, {"X........", -1, 0}, {"XX.OO....", 1, 1}, {"XX.O....O", 1, 1}, {"XO.......", 1, 1}};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        soloist_instance *instance = parse(rows[r].board);
        struct tictactoe_state state;
        domain->life->root(instance, &state);
        assert_int_equal(best_result(instance, &state, rows[r].side), rows[r].value);
        domain->life->destroy(instance);
    }
}

/* ---- every position ---- */

static unsigned transform(unsigned marks, int symmetry) {
    unsigned out = 0;
    for (int cell = 0; cell < 9; cell++) {
        int row = cell / 3, column = cell % 3;
        if (symmetry & 4)
            column = 2 - column;
        for (int turn = symmetry & 3; turn; turn--) {
            int kept = row;
            row = column, column = 2 - kept;
        }
        out |= (marks >> cell & 1) << (row * 3 + column);
    }
    return out;
}

static void check_position(const soloist_instance *instance, const struct tictactoe_state *state) {
    soloist_move moves[9];
    soloist_child children[9];
    int32_t result, turned_result;
    int count = domain->core->moves(instance, state, moves);
    assert_int_equal(domain->core->expand(instance, state, SOLOIST_NO_MOVE, SOLOIST_WANT_KEY, children), count);
    for (int i = 0; i < count; i++) {
        struct tictactoe_state child = *state;
        domain->core->apply(instance, &child, moves[i], NULL);
        assert_int_equal(children[i].move, moves[i]);
        assert_int_equal(children[i].step, 0);
        assert_int_equal(children[i].key, domain->core->key_from_scratch(instance, &child));
    }
    bool ended = domain->core->ended(instance, state, &result);
    for (int symmetry = 0; symmetry < 8; symmetry++) {
        struct tictactoe_state turned;
        for (int side = 0; side < 2; side++)
            turned.marks[side] = (uint16_t)transform(state->marks[side], symmetry);
        assert_int_equal(domain->core->ended(instance, &turned, &turned_result), ended);
        assert_int_equal(turned_result, result);
        assert_int_equal(domain->core->moves(instance, &turned, moves), count);
    }
    uint8_t packed[2];
    struct tictactoe_state copy;
    domain->pack->pack(instance, state, packed);
    domain->pack->unpack(instance, packed, &copy);
    assert_memory_equal(&copy, state, sizeof copy);
    struct buffer text;
    buffer_open(&text);
    soloist_sink sink = buffer_sink(&text);
    domain->text->print(instance, state, &sink);
    soloist_instance *again = parse_with(text.text, text.length, NULL);
    assert_non_null(again);
    assert_memory_equal(&again->start, state, sizeof copy);
    domain->life->destroy(again);
    buffer_close(&text);
}

/* Symmetric positions: 765 classes of the 5,478, a number known for the game. Each board that the reader takes is
 * reachable, each one that it refuses is not. */
static void test_all_positions(void **unused) {
    (void)unused;
    struct census *census = calloc(1, sizeof *census);
    soloist_instance *instance = parse(".........");
    struct tictactoe_state state;
    domain->life->root(instance, &state);
    count_games(instance, &state, 0, census);
    int classes = 0, accepted = 0;
    for (int number = 0; number < 19683; number++) {
        char board[10] = "";
        unsigned marks[2] = {0, 0};
        for (int cell = 0, rest = number; cell < 9; cell++, rest /= 3) {
            board[cell] = ".XO"[rest % 3];
            if (rest % 3)
                marks[rest % 3 - 1] |= 1u << cell;
        }
        soloist_instance *root = parse_with(board, 9, NULL);
        assert_int_equal(root != NULL, census->seen[marks[0] | marks[1] << 9]);
        if (!root)
            continue;
        accepted++;
        check_position(root, &root->start);
        domain->life->destroy(root);
        unsigned least = UINT32_MAX, own = marks[0] | marks[1] << 9;
        for (int symmetry = 0; symmetry < 8; symmetry++) {
            unsigned turned = transform(marks[0], symmetry) | transform(marks[1], symmetry) << 9;
            least = turned < least ? turned : least;
        }
        classes += least == own;
    }
    assert_int_equal(accepted, 5478);
    assert_int_equal(classes, 765);
    domain->life->destroy(instance);
    free(census);
}

static void test_playouts(void **unused) {
    (void)unused;
    soloist_instance *instance = parse("X...O....");
    int results[3] = {0};
    for (uint64_t seed = 0; seed < 300; seed++) {
        struct tictactoe_state played, replayed;
        soloist_rng rng;
        soloist_move trace[9];
        int32_t result;
        soloist_rng_seed(&rng, seed, 1);
        domain->life->root(instance, &played);
        domain->life->root(instance, &replayed);
        soloist_playout playout = domain->sample->playout(instance, &played, 0, 9, &rng, trace, NULL);
        assert_true(playout.ended);
        for (int i = 0; i < playout.length; i++)
            domain->core->apply(instance, &replayed, trace[i], NULL);
        assert_memory_equal(&played, &replayed, sizeof played);
        assert_true(domain->core->ended(instance, &replayed, &result));
        assert_int_equal(result, playout.value);
        results[result + 1]++;
        domain->life->root(instance, &played);
        playout = domain->sample->playout(instance, &played, 0, 2, &rng, NULL, NULL);
        assert_true(playout.length == 2 && !playout.ended && playout.value == 0);
    }
    assert_true(results[0] > 0 && results[1] > 0 && results[2] > 0);
    domain->life->destroy(instance);
}

/* ---- text ---- */

static void test_parse_errors(void **unused) {
    (void)unused;
    static const struct {
        const char *text;
        int column;
        const char *part;
    } rows[] = {{"", 1, "found 0"},          {"X.O", 4, "found 3"},       {"X.O/...", 8, "expected '/'"},
                {"X.O/...../", 8, "'/'"},    {"X.O...Z..", 7, "X, O"},    {"X.O......O", 10, "end of the line"},
                {"X.O......  x", 10, "end"}, {"XX.......", 1, "2 X"},     {"O........", 1, "1 O"},
                {"XXXOOO...", 1, "both"},    {"XXXOO.O..", 1, "X has"},   {"OOOXX.X.X", 1, "O has"},
                {"012345678", 1, "X, O"},    {".........\x80", 10, "end"}};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        soloist_error error = {0};
        assert_null(parse_with(rows[r].text, strlen(rows[r].text), &error));
        if (error.line != 3 || error.column != rows[r].column || !strstr(error.text, rows[r].part))
            fail_msg("'%s': %d:%d: %s", rows[r].text, error.line, error.column, error.text);
    }
    assert_null(parse_with("\0........", 9, NULL));
    domain->life->destroy(parse("xo_/-.X/..O  \t; a comment"));
    size_t length = 10 << 20;
    char *text = malloc(length);
    memset(text, 'X', length);
    assert_null(parse_with(text, length, NULL));
    assert_int_equal(domain->life->recognise(text, length), 0);
    free(text);
}

static int recognised(const char *text) { return domain->life->recognise(text, strlen(text)); }

static void test_recognise(void **unused) {
    (void)unused;
    assert_int_equal(recognised("XO..X..O.\n"), 90);
    assert_int_equal(recognised("; t\nXO./.X./.O.\n\n........O\n"), 90);
    assert_true(recognised("XO..X..O.\nXOX\nX........") > 0);
    assert_true(recognised(".........") > 0 && recognised(".........") < 50);
    assert_int_equal(recognised(""), 0);
    assert_int_equal(recognised("1 2 3\n"), 0);
    assert_int_equal(recognised("#########\n#@ $ . .#\n#########\n"), 0);
    assert_int_equal(recognised("123123123\n111222333\n"), 0);
}

static bool referee(const char *board, const char *game, soloist_verdict *verdict, soloist_error *error) {
    soloist_chunk chunk = {.text = board, .length = strlen(board), .line = 1};
    return domain->text->referee(&chunk, NULL, game, strlen(game), verdict, error);
}

static void test_referee(void **unused) {
    (void)unused;
    soloist_verdict verdict;
    soloist_error error;
    assert_true(referee(".........", "[0,3,1,4,2]", &verdict, &error));
    assert_true(verdict.value == 1 && verdict.moves == 5 && verdict.pushes == -1);
    assert_true(referee("X........", "[3, 1, 4, 8, 5]", &verdict, &error));
    assert_true(verdict.value == -1 && verdict.moves == 5);
    assert_true(referee(".........", "[4,0,2,6,3,5,1,7,8]", &verdict, &error));
    assert_true(verdict.value == 0 && verdict.moves == 9);
    assert_true(referee("XXXOO....", "[]", &verdict, &error));
    assert_true(verdict.value == 1 && verdict.moves == 0);
    static const struct {
        const char *board, *game;
        int column;
    } bad[] = {{".........", "[0,3,1,4]", 9}, {".........", "[0,0]", 4}, {".........", "[0,9]", 4},
               {".........", "[0,-1]", 4},    {".........", "{}", 1},    {".........", "[0,3,1,4,2,5]", 12},
               {"XXXOO....", "[8]", 2},       {"X........", "[0]", 2},   {".........", "[\"a\"]", 2}};
    for (size_t b = 0; b < sizeof bad / sizeof *bad; b++) {
        assert_false(referee(bad[b].board, bad[b].game, &verdict, &error));
        assert_int_equal(error.column, bad[b].column);
    }
    assert_false(referee("XX.......", "[]", &verdict, &error));
}

static void test_read_and_write(void **unused) {
    (void)unused;
    soloist_instance *instance = parse("X........");
    soloist_move moves[9] = {0};
    assert_int_equal(domain->text->read(instance, "[4,8]", 5, moves, 9, NULL), 2);
    assert_int_equal(moves[0] * 10 + moves[1], 48);
    assert_int_equal(domain->text->read(instance, "[4,8]", 5, moves, 1, NULL), 2);
    assert_int_equal(domain->text->read(instance, "[4,4]", 5, moves, 9, NULL), -1);
    assert_int_equal(domain->text->read(instance, "[0]", 3, moves, 9, NULL), -1);
    assert_int_equal(domain->text->read(instance, "[4", 2, moves, 9, NULL), -1);
    struct buffer text;
    buffer_open(&text);
    soloist_sink sink = buffer_sink(&text);
    domain->text->solution(instance, (soloist_move[]){4, 8}, 2, &sink);
    domain->text->move(instance, &instance->start, 5, &sink);
    assert_string_equal(text.text, "[4,8]O at row 2, column 3");
    buffer_close(&text);
    domain->life->destroy(instance);
}

static void test_generator(void **unused) {
    (void)unused;
    for (int64_t marks = 0; marks <= 9; marks++)
        for (uint64_t seed = 0; seed < 20; seed++) {
            _Alignas(16) unsigned char options[64];
            char wanted[32];
            soloist_rng rng;
            soloist_rng_seed(&rng, seed, 0);
            soloist_options_reset(domain->generate->options, options);
            sprintf(wanted, "marks=%d", (int)marks);
            assert_int_equal(soloist_options_parse(domain->generate->options, options, wanted, NULL), SOLOIST_OK);
            struct buffer text;
            buffer_open(&text);
            soloist_sink sink = buffer_sink(&text);
            assert_int_equal(domain->generate->make(options, &rng, &sink, NULL), SOLOIST_OK);
            soloist_cursor cursor = soloist_cursor_open(text.text, text.length);
            soloist_chunk chunk;
            assert_true(domain->life->next(&cursor, &chunk));
            soloist_instance *instance = parse_with(chunk.text, chunk.length, NULL);
            assert_non_null(instance);
            int32_t result;
            int found = __builtin_popcount(instance->start.marks[0] | instance->start.marks[1]);
            assert_true(found == marks || domain->core->ended(instance, &instance->start, &result));
            domain->life->destroy(instance);
            buffer_close(&text);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_games), cmocka_unit_test(test_game_value),     cmocka_unit_test(test_all_positions),
        cmocka_unit_test(test_playouts),  cmocka_unit_test(test_parse_errors),   cmocka_unit_test(test_recognise),
        cmocka_unit_test(test_referee),   cmocka_unit_test(test_read_and_write), cmocka_unit_test(test_generator),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
