/* Pattern databases: every entry against a plain 0-1 breadth-first search, places followed move by move against places
 * computed anew, and files that are cut, damaged or of another pattern. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/sanitizer.h"
#include "domain/domain.h"
#include "domain/tiles/pattern.h"
#include "domain/validate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- the plain reference: positions of the pattern's tiles and of the blank, as a number in base `cells` ---- */

struct plain {
    int width, cells, tiles;
    int goal[PATTERN_MOST_TILES];
    uint8_t *distance; /* by code; 255: not reached */
};

static uint32_t encode(const struct plain *plain, const int *cell, int blank) {
    uint32_t code = (uint32_t)blank;
    for (int t = 0; t < plain->tiles; t++)
        code = code * (uint32_t)plain->cells + (uint32_t)cell[t];
    return code;
}

static void decode(const struct plain *plain, uint32_t code, int *cell, int *blank) {
    for (int t = plain->tiles - 1; t >= 0; t--)
        cell[t] = (int)(code % (uint32_t)plain->cells), code /= (uint32_t)plain->cells;
    *blank = (int)code;
}

static bool beside(const struct plain *plain, int a, int b) {
    int dx = abs(a % plain->width - b % plain->width), dy = abs(a / plain->width - b / plain->width);
    return dx + dy == 1;
}

/* Relaxes until nothing changes: slow and obviously right. */
static void plain_solve(struct plain *plain, int blank_goal) {
    uint32_t codes = (uint32_t)plain->cells;
    for (int t = 0; t < plain->tiles; t++)
        codes *= (uint32_t)plain->cells;
    plain->distance = malloc(codes);
    memset(plain->distance, 255, codes);
    plain->distance[encode(plain, plain->goal, blank_goal)] = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t code = 0; code < codes; code++) {
            int cell[PATTERN_MOST_TILES], blank, from = plain->distance[code];
            if (from == 255)
                continue;
            decode(plain, code, cell, &blank);
            for (int to = 0; to < plain->cells; to++) {
                if (!beside(plain, blank, to))
                    continue;
                int moved[PATTERN_MOST_TILES], cost = from;
                memcpy(moved, cell, sizeof moved);
                for (int t = 0; t < plain->tiles; t++)
                    if (moved[t] == to)
                        moved[t] = blank, cost = from + 1;
                uint32_t next = encode(plain, moved, to);
                if (plain->distance[next] > cost)
                    plain->distance[next] = (uint8_t)cost, changed = true;
            }
        }
    }
}

static int plain_least(const struct plain *plain, const int *cell) {
    int least = 255;
    for (int blank = 0; blank < plain->cells; blank++) {
        bool taken = false;
        for (int t = 0; t < plain->tiles; t++)
            taken |= cell[t] == blank;
        int found = taken ? 255 : plain->distance[encode(plain, cell, blank)];
        least = found < least ? found : least;
    }
    return least;
}

/* Compares every placement of the pattern with the reference. */
static void compare_all(int width, int height, uint32_t goal_cells, int blank_goal, int threads) {
    soloist_error error = {0};
    struct pattern *p = pattern_open(width, height, goal_cells, blank_goal, NULL, 0, threads, NULL, NULL, NULL, &error);
    assert_non_null(p);
    struct plain plain = {.width = width, .cells = width * height, .tiles = p->tiles};
    for (int t = 0; t < p->tiles; t++)
        plain.goal[t] = p->goal_cell[t];
    plain_solve(&plain, blank_goal);
    uint32_t codes = 1, compared = 0;
    for (int t = 0; t < p->tiles; t++)
        codes *= (uint32_t)plain.cells;
    for (uint32_t code = 0; code < codes; code++) {
        int cell[PATTERN_MOST_TILES], blank, manhattan = 0;
        int8_t home_of[PATTERN_MOST_CELLS];
        bool clash = false;
        decode(&plain, code, cell, &blank);
        memset(home_of, -1, sizeof home_of);
        for (int t = 0; t < p->tiles; t++) {
            clash |= home_of[cell[t]] >= 0;
            home_of[cell[t]] = (int8_t)plain.goal[t];
            manhattan += p->distance[t][cell[t]];
        }
        if (clash)
            continue;
        assert_int_equal(manhattan + pattern_excess(p, pattern_place_of(p, home_of)), plain_least(&plain, cell));
        compared++;
    }
    assert_int_equal(compared, p->sets * p->orders);
    free(plain.distance);
    pattern_close(p);
}

static void every_entry_equals_the_reference(void **unused) {
    (void)unused;
    compare_all(3, 3, 0x1e, 0, 1);  /* 1 2 3 4, blank first */
    compare_all(3, 3, 0x1e0, 0, 2); /* 5 6 7 8 */
    compare_all(3, 3, 0x0f, 8, 2);  /* blank last */
    compare_all(4, 2, 0x2e, 0, 1);
    compare_all(2, 4, 0x36, 0, 1);
    compare_all(4, 4, 0x0e, 0, 2);
    compare_all(5, 5, 0x60, 0, 2);
}

static void places_follow_moves(void **unused) {
    (void)unused;
    soloist_error error = {0};
    struct pattern *p = pattern_open(4, 4, 0x1302, 0, NULL, 0, 1, NULL, NULL, NULL, &error);
    assert_non_null(p);
    int8_t home_of[PATTERN_MOST_CELLS];
    soloist_rng rng;
    soloist_rng_seed(&rng, 5, 0);
    for (int c = 0; c < 16; c++)
        home_of[c] = (int8_t)(c ? c : -1);
    struct pattern_place place = pattern_place_of(p, home_of);
    assert_int_equal(pattern_excess(p, place), 0);
    for (int blank = 0, step = 0; step < 20000; step++) {
        static const int delta[4] = {-4, -1, 1, 4};
        int d = (int)soloist_rng_below(&rng, 4), to = blank + delta[d];
        if (to < 0 || to > 15 || (d == 1 && blank % 4 == 0) || (d == 2 && blank % 4 == 3))
            continue;
        if (p->goal_cells >> home_of[to] & 1)
            place = pattern_move(p, place, to, blank);
        home_of[blank] = home_of[to], home_of[to] = -1, blank = to;
        struct pattern_place anew = pattern_place_of(p, home_of);
        assert_int_equal(place.set, anew.set);
        assert_int_equal(place.order, anew.order);
    }
    pattern_close(p);
}

/* ---- the file ---- */

static int builds;
static void count_builds(void *user, double fraction) {
    (void)user;
    builds += fraction >= 0;
}

static struct pattern *open_in(const char *folder) {
    soloist_error error = {0};
    return pattern_open(3, 3, 0x1e, 0, folder, 0, 1, NULL, count_builds, NULL, &error);
}

static void damaged_files_are_rebuilt(void **unused) {
    (void)unused;
    char folder[] = "/tmp/soloist-pattern-XXXXXX", path[200];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/tiles-3x3-1e-0.pdb", folder);
    pattern_close(open_in(folder));
    int once = builds;
    assert_true(once > 0);
    pattern_close(open_in(folder));
    assert_int_equal(builds, once); /* mapped, not built */
    struct stat about;
    assert_int_equal(stat(path, &about), 0);
    for (int damage = 0; damage < 4; damage++) {
        FILE *file = fopen(path, "r+b");
        assert_non_null(file);
        if (damage < 3) { /* magic, header, last entry */
            long places[3] = {0, 20, (long)about.st_size - 1};
            fseek(file, places[damage], SEEK_SET);
            int byte = fgetc(file);
            fseek(file, places[damage], SEEK_SET);
            fputc(byte ^ 1, file);
        } else {
            assert_int_equal(ftruncate(fileno(file), about.st_size - 1), 0);
        }
        fclose(file);
        int before = builds;
        struct pattern *p = open_in(folder);
        assert_non_null(p);
        assert_true(builds > before);
        pattern_close(p);
        before = builds;
        pattern_close(open_in(folder));
        assert_int_equal(builds, before); /* good again */
    }
    unlink(path);
    rmdir(folder);
    struct pattern *p = open_in(folder); /* no such folder: built, kept in memory */
    assert_non_null(p);
    assert_null(p->mapped);
    pattern_close(p);
}

struct stopping {
    soloist_stop_token *token;
    double at, last;
};

static void stop_at(void *user, double fraction) {
    struct stopping *stopping = user;
    stopping->last = fraction;
    if (fraction >= stopping->at)
        soloist_stop_token_cancel(stopping->token);
}

/* at: the part of the work after which the token is stopped. */
static void check_stopped_build(int threads, double at) {
    soloist_error error = {0};
    struct stopping stopping = {soloist_stop_token_new(), at, -1};
    assert_non_null(stopping.token);
    if (at < 0)
        soloist_stop_token_cancel(stopping.token);
    assert_null(pattern_open(3, 3, 0x1e, 0, NULL, 0, threads, stopping.token, stop_at, &stopping, &error));
    assert_string_equal(error.text, "building a pattern database was cancelled");
    assert_true(at < 0 ? stopping.last == -1 : stopping.last >= at && (stopping.last < 1 || at == 1));
    soloist_stop_token_free(stopping.token);
}

static void building_can_be_given_up(void **unused) {
    (void)unused;
    for (int threads = 1; threads <= 2; threads++) {
        check_stopped_build(threads, -1); /* no level is begun to its end */
        check_stopped_build(threads, 0.3);
        check_stopped_build(threads, 1); /* all levels are done, but the entries are not packed */
    }
}

/* ---- as a bound of the domain, through the engine ---- */

static soloist_puzzle read_puzzle(const char *text, const char *options) {
    soloist_chunk chunk = {.text = text, .length = strlen(text), .line = 1};
    soloist_puzzle puzzle;
    soloist_error error = {0};
    assert_int_equal(soloist_puzzle_read(&tiles_domain, options, &chunk, &puzzle, &error), SOLOIST_OK);
    return puzzle;
}

static int32_t solve(const soloist *engine, const char *text, const char *options, uint64_t *nodes) {
    soloist_puzzle puzzle = read_puzzle(text, options);
    soloist_result result;
    soloist_error error = {0};
    assert_int_equal(soloist_solve(engine, &puzzle, "idastar", NULL, NULL, &result, &error), SOLOIST_OK);
    assert_true(result.status == SOLOIST_SOLVED && result.optimal);
    int32_t cost = result.verdict.value;
    *nodes += result.nodes;
    soloist_result_free(&result);
    soloist_puzzle_free(&puzzle);
    return cost;
}

/* Building 6-6-3 takes the thread sanitizer minutes; nothing in it is new to threads. */
#if HAS_THREAD_SANITIZER
static const char *const bounds[] = {"555", NULL};
#else
static const char *const bounds[] = {"555", "663", NULL};
#endif

/* The same optimal costs with fewer nodes, for either place of the blank; the contract holds with the tables. */
static void the_bound_keeps_the_optimum(void **unused) {
    (void)unused;
    char folder[] = "/tmp/soloist-pattern-XXXXXX", command[200];
    assert_non_null(mkdtemp(folder));
    setenv("XDG_CACHE_HOME", folder, 1);
    soloist *engine = soloist_new();
    static const char *const boards[][2] = {
        {"4 1 2 3 8 5 6 7 9 13 10 11 12 0 14 15", ""},
        {"1 5 2 3 4 10 6 7 8 9 11 15 12 13 0 14", ""},
        {"5 1 2 3 4 0 6 7 9 8 10 11 13 12 14 15", ""},
        {"4 5 2 3 1 9 6 7 8 13 10 11 12 0 14 15", ""},
        {"1 2 3 4 5 6 7 8 9 10 11 12 13 15 14 0", "goal=blank-first"},
        {"2 5 3 4 1 6 7 8 9 10 0 12 13 14 11 15", "goal=blank-last"},
        {"5 2 3 4 1 6 7 8 9 10 11 12 0 13 14 15", "goal=blank-last"},
    };
    uint64_t plain_nodes = 0, pattern_nodes = 0;
    for (size_t i = 0; i < sizeof boards / sizeof *boards; i++) {
        char options[64];
        soloist_puzzle puzzle = read_puzzle(boards[i][0], boards[i][1]);
        bool impossible = tiles_domain.life->impossible(puzzle.instance) != NULL;
        soloist_puzzle_free(&puzzle);
        if (impossible)
            continue;
        int32_t plain = solve(engine, boards[i][0], boards[i][1], &plain_nodes);
        for (const char *const *bound = bounds; *bound; bound++) {
            snprintf(options, sizeof options, "%s%sbound=%s", boards[i][1], *boards[i][1] ? "," : "", *bound);
            assert_int_equal(solve(engine, boards[i][0], options, &pattern_nodes), plain);
        }
    }
    assert_true(pattern_nodes < 2 * plain_nodes);
    soloist_free(engine);
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
}

static void the_contract_holds_with_tables(void **unused) {
    (void)unused;
    soloist_puzzle puzzle = read_puzzle("14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3", "bound=555");
    soloist_error error = {0};
    assert_true(domain_validate(&tiles_domain, &puzzle, 1, 2, 50, &error)); /* without tables: Manhattan */
    void *tables = tiles_domain.tables->open(puzzle.instance, NULL, &(soloist_work){.threads = 1}, &error);
    assert_non_null(tables);
    tiles_domain.tables->attach(puzzle.instance, tables);
    unsigned char state[256];
    tiles_domain.life->root(puzzle.instance, state);
    assert_true(tiles_domain.bound->value(puzzle.instance, state) > 41); /* Manhattan says 41 */
    bool held = domain_validate(&tiles_domain, &puzzle, 1, 10, 200, &error);
    if (!held)
        print_error("%s\n", error.text);
    assert_true(held);
    soloist_puzzle_free(&puzzle);
    tiles_domain.tables->close(tables);
    soloist_chunk small = {.text = "8 7 6 5 4 3 2 1 0", .length = 17, .line = 3};
    assert_int_equal(soloist_puzzle_read(&tiles_domain, "bound=78", &small, &puzzle, &error), SOLOIST_BAD_INPUT);
    assert_string_equal(error.text, "bound=78 is for boards of 4x4, this one is 3x3");
    assert_int_equal(error.line, 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_entry_equals_the_reference), cmocka_unit_test(places_follow_moves),
        cmocka_unit_test(damaged_files_are_rebuilt),        cmocka_unit_test(building_can_be_given_up),
        cmocka_unit_test(the_bound_keeps_the_optimum),      cmocka_unit_test(the_contract_holds_with_tables),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
