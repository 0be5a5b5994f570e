/* Measures against plain computation: branching and dead ends against the solved state space of small levels, counts
 * and symmetries of levels drawn as pictures; random changes of a level keep its promises. */
#include "domain/sokoban/generate/vary.h"
#include "domain/sokoban/sokoban_whole.h"
#include "engine/measure.h"

#include <math.h>

/* The legal pushes of a position: every box, every direction, if the player can get behind the box. */
static void count_pushes(const struct whole *w, const struct plain *p, int *legal, int *dead) {
    bool seen[PLAIN_SIDE][PLAIN_SIDE] = {{false}};
    plain_fill(p, seen, p->x, p->y);
    for (int s = 0; s < w->floor; s++)
        for (int d = 0; d < 4; d++) {
            struct plain after = *p;
            unsigned boxes = 0;
            int player = -1;
            if (!plain_push(&after, seen, w->x[s], w->y[s], d))
                continue;
            for (int i = 0; i < w->floor; i++) {
                boxes |= after.box[w->y[i]][w->x[i]] ? 1u << i : 0;
                player = after.x == w->x[i] && after.y == w->y[i] ? i : player;
            }
            ++*legal;
            *dead += w->pushes[boxes << 4 | (unsigned)player] >= WHOLE_FAR;
        }
}

/* Replays the solution and compares both measures. */
static void compare(const struct whole *w, const struct sokoban_level *level, const char *solution,
                    const struct measures *measures) {
    int legal = 0, dead = 0, pushes = 0;
    struct plain p;
    plain_of_level(&p, level);
    for (const char *at = solution; *at; at++) {
        static const char letters[] = "ulrdULRD";
        int letter = (int)(strchr(letters, *at) - letters);
        /* The positions before a push are those of the push level. */
        if (letter >= 4) {
            count_pushes(w, &p, &legal, &dead);
            pushes++;
        }
        assert_true(plain_step(&p, letter % 4));
    }
    assert_true(plain_solved(&p));
    assert_true(measures->known[MEASURE_BRANCHING] && measures->known[MEASURE_DEAD_ENDS]);
    assert_true(fabs(measures->value[MEASURE_BRANCHING] - (double)legal / pushes) < 0.0051);
    assert_true(fabs(measures->value[MEASURE_DEAD_ENDS] - 100.0 * dead / legal) < 0.051);
}

static void test_positions(void **state) {
    (void)state;
    soloist *engine = soloist_new();
    const soloist_domain *domain = soloist_find_domain(engine, "sokoban");
    soloist_rng rng;
    int compared = 0, lost = 0;
    soloist_rng_seed(&rng, 5, 0);
    while (compared < 40) {
        char text[256];
        struct whole whole;
        struct sokoban_level level;
        soloist_puzzle puzzle;
        soloist_result result;
        if (!whole_draw_boxes(&rng, 3, text, sizeof text))
            continue;
        soloist_chunk chunk = {.text = text, .length = strlen(text), .line = 1};
        if (soloist_puzzle_read(domain, NULL, &chunk, &puzzle, NULL) != SOLOIST_OK)
            continue;
        assert_true(sokoban_level_parse(&chunk, &level, NULL));
        assert_int_equal(soloist_solve(engine, &puzzle, "astar", NULL, NULL, &result, NULL), SOLOIST_OK);
        if (result.status == SOLOIST_SOLVED && result.verdict.pushes > 2) {
            struct measures measures = {0};
            assert_true(whole_open(&whole, &level));
            assert_int_equal(measure_positions(&puzzle, result.solution, 100000, NULL, &measures), SOLOIST_OK);
            compare(&whole, &level, result.solution, &measures);
            lost += measures.value[MEASURE_DEAD_ENDS] > 0;
            compared++;
            whole_close(&whole);
        }
        soloist_result_free(&result);
        soloist_puzzle_free(&puzzle);
    }
    assert_in_range(lost, 1, 40);
    soloist_free(engine);
}

static soloist_puzzle read_puzzle(soloist *engine, const char *text) {
    soloist_chunk chunk = {.text = text, .length = strlen(text), .line = 1};
    soloist_puzzle puzzle;
    assert_int_equal(soloist_puzzle_read(soloist_find_domain(engine, "sokoban"), NULL, &chunk, &puzzle, NULL),
                     SOLOIST_OK);
    return puzzle;
}

static void test_symmetry(void **state) {
    (void)state;
    static const struct {
        const char *text;
        int symmetries;
    } rows[] = {
        {"#####\n#.  #\n# $ #\n#  @#\n#####\n", 2}, /* the diagonal through the goal */
        {"#####\n#   #\n#@* #\n#   #\n#####\n", 8}, /* boxes and player do not count */
        {"######\n#.$ @#\n######\n", 2},            /* top and bottom */
        {"######\n#.$@.#\n#  $ #\n######\n", 2},    /* left and right */
        {"######\n#. $@#\n## $.#\n######\n", 1},
    };
    soloist *engine = soloist_new();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct measures measures = {0};
        soloist_puzzle puzzle = read_puzzle(engine, rows[i].text);
        assert_true(measure_board(&puzzle, &measures));
        assert_int_equal(measures.value[MEASURE_SYMMETRY], rows[i].symmetries);
        soloist_puzzle_free(&puzzle);
    }
    soloist_free(engine);
}

static void test_bands(void **state) {
    (void)state;
    struct measure_bands bands = {.least = {[MEASURE_PUSHES] = 9}, .most = {[MEASURE_PUSHES] = 19}};
    struct measures measures = {0};
    assert_true(measure_miss(&bands, &measures, MEASURE_PUSHES) > 1);
    assert_true(measure_miss(&bands, &measures, MEASURE_MOVES) == 0);
    measures_set(&measures, MEASURE_PUSHES, 9);
    assert_true(measure_miss(&bands, &measures, MEASURE_PUSHES) == 0);
    measures_set(&measures, MEASURE_PUSHES, 19);
    assert_true(measure_miss(&bands, &measures, MEASURE_PUSHES) == 0);
    measures_set(&measures, MEASURE_PUSHES, 4);
    double below = measure_miss(&bands, &measures, MEASURE_PUSHES);
    measures_set(&measures, MEASURE_PUSHES, 39);
    assert_true(below > 0 && fabs(below - measure_miss(&bands, &measures, MEASURE_PUSHES)) < 1e-9);
    for (int i = 0; i < MEASURES; i++)
        assert_int_equal(measure_find(measure_name((enum measure)i), strlen(measure_name((enum measure)i))), i);
    assert_int_equal(measure_find("box", 3), MEASURES);
}

/* After any number of changes the floor is connected, the edge is wall, and no box or goal was lost. */
static void test_vary(void **state) {
    (void)state;
    const char *text = "########\n#@     #\n# $ #  #\n#  $  .#\n###   .#\n########\n";
    soloist_chunk chunk = {.text = text, .length = strlen(text), .line = 1};
    struct sokoban_level level, before;
    soloist_rng rng;
    int changed = 0;
    soloist_rng_seed(&rng, 1, 0);
    assert_true(sokoban_level_parse(&chunk, &level, NULL));
    for (int i = 0; i < 3000; i++) {
        struct sokoban_level again;
        struct buffer buffer;
        int boxes = 0, goals = 0;
        before = level;
        if (!sokoban_level_vary(&level, false, &rng)) {
            assert_memory_equal(&before, &level, sizeof level);
            continue;
        }
        changed++;
        for (int cell = 0; cell < level.width * level.height; cell++) {
            int what = level.cells[cell];
            boxes += (what & SOKOBAN_BOX) != 0;
            goals += (what & SOKOBAN_GOAL) != 0;
            assert_false(what & SOKOBAN_GOAL && (what & SOKOBAN_BOX || cell == level.player));
        }
        assert_int_equal(boxes, 2);
        assert_int_equal(goals, 2);
        buffer_open(&buffer);
        soloist_sink sink = buffer_sink(&buffer);
        sokoban_level_print(&level, &sink);
        soloist_chunk printed = {.text = buffer.text, .length = buffer.length, .line = 1};
        assert_true(sokoban_level_parse(&printed, &again, NULL));
        for (int cell = 0; cell < level.width * level.height; cell++)
            assert_int_equal(again.cells[cell] & SOKOBAN_INSIDE, level.cells[cell] & SOKOBAN_INSIDE);
        buffer_close(&buffer);
    }
    assert_in_range(changed, 1000, 3000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_positions),
        cmocka_unit_test(test_symmetry),
        cmocka_unit_test(test_bands),
        cmocka_unit_test(test_vary),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
