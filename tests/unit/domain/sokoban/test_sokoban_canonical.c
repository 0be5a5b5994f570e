/* Equal levels under the eight symmetries, and solutions carried from one to another. */
#include "domain/sokoban/sokoban_plain.h"

#include "domain/sokoban/sokoban_generated.h"

#include "domain/sokoban/file/canonical.h"

static void read_level(const char *text, struct sokoban_level *level) {
    soloist_chunk chunk = plain_chunk(text);
    soloist_error error;
    if (!sokoban_level_parse(&chunk, level, &error))
        fail_msg("%s\n%s", error.text, text);
}

static bool are_equal(const struct sokoban_level *a, const struct sokoban_level *b) {
    unsigned char x[SOKOBAN_CANONICAL_ROOM], y[SOKOBAN_CANONICAL_ROOM];
    struct sokoban_view view;
    size_t length = sokoban_canonical(a, x, &view);
    return sokoban_canonical(b, y, &view) == length && !memcmp(x, y, length);
}

static bool texts_are_equal(const char *a, const char *b) {
    struct sokoban_level x, y;
    read_level(a, &x);
    read_level(b, &y);
    return are_equal(&x, &y);
}

/* Turned by a quarter, clockwise; mirrored first if asked for. */
static void turn(const struct sokoban_level *level, bool mirror, struct sokoban_level *turned) {
    *turned = *level;
    turned->width = level->height;
    turned->height = level->width;
    for (int y = 0; y < level->height; y++)
        for (int x = 0; x < level->width; x++) {
            int from = y * level->width + (mirror ? level->width - 1 - x : x);
            int to = x * turned->width + level->height - 1 - y;
            turned->cells[to] = level->cells[from];
            if (from == level->player)
                turned->player = to;
        }
}

static void pictures(void **unused) {
    (void)unused;
    const char *one = "#####\n#@$.#\n#####\n";
    assert_true(texts_are_equal(one, "#####\n#.$@#\n#####\n"));
    assert_true(texts_are_equal(one, "###\n#.#\n#$#\n#@#\n###\n"));
    assert_true(texts_are_equal(one, "  #####\n  #@$.#####\n  #####  $#\n      #####\n")); /* decoration */
    assert_false(texts_are_equal(one, "######\n#@ $.#\n######\n"));
    assert_false(texts_are_equal(one, "#####\n#+$ #\n#####\n"));
    /* Anywhere in his region is the same; beyond a box is not. */
    assert_true(texts_are_equal("#######\n#@ $ .#\n#######\n", "#######\n# @$ .#\n#######\n"));
    assert_false(texts_are_equal("#######\n#@ $ .#\n#######\n", "#######\n#  $@.#\n#######\n"));
}

static void generated(soloist_rng *rng, struct sokoban_generated *made) {
    struct sokoban_generate_options options;
    soloist_error error;
    soloist_options_reset(sokoban_generate.options, &options);
    options.total_positions = 500;
    options.width = 5;
    options.most_width = 9;
    options.height = 6;
    options.most_height = 8;
    options.boxes = 1;
    options.most_boxes = 3;
    soloist_code code = sokoban_generate_level(&options, rng, NULL, made, &error);
    if (code != SOLOIST_OK)
        fail_msg("%s", error.text);
}

static void check_carried(const struct sokoban_level *from, const struct sokoban_level *to, const char *solution) {
    struct buffer text, board;
    soloist_verdict verdict;
    soloist_error error;
    buffer_open(&text);
    buffer_open(&board);
    soloist_sink sink = buffer_sink(&text), board_sink = buffer_sink(&board);
    assert_true(sokoban_carry_solution(from, to, solution, strlen(solution), &sink));
    sokoban_level_print(to, &board_sink);
    soloist_chunk chunk = plain_chunk(board.text);
    if (!sokoban_referee(&chunk, text.text, text.length, &verdict, &error))
        fail_msg("%s", error.text);
    int pushes = 0;
    for (const char *c = solution; *c; c++)
        pushes += *c < 'a';
    assert_int_equal(verdict.pushes, pushes);
    buffer_close(&text);
    buffer_close(&board);
}

static void all_views_are_equal_and_carry_solutions(void **unused) {
    (void)unused;
    soloist_rng rng;
    soloist_rng_seed(&rng, 61, 0);
    struct sokoban_level last = {0};
    for (int i = 0; i < 40; i++) {
        struct sokoban_generated made;
        struct sokoban_level now, next;
        generated(&rng, &made);
        assert_true(made.level.width >= 5 && made.level.width <= 9 && made.level.height >= 6 && made.level.height <= 8);
        assert_true(made.level.boxes >= 1 && made.level.boxes <= 3);
        now = made.level;
        for (int view = 0; view < 8; view++) {
            turn(&now, view == 3, &next);
            now = next;
            assert_true(are_equal(&now, &made.level));
            check_carried(&made.level, &now, made.solution);
        }
        sokoban_level_tidy(&made.level, &next);
        assert_true(are_equal(&next, &made.level));
        assert_true(next.width <= made.level.width && next.height <= made.level.height);
        check_carried(&made.level, &next, made.solution);
        if (i) {
            struct buffer none;
            buffer_open(&none);
            soloist_sink sink = buffer_sink(&none);
            bool same = are_equal(&last, &made.level);
            assert_true(same ==
                        sokoban_carry_solution(&made.level, &last, made.solution, strlen(made.solution), &sink));
            buffer_close(&none);
        }
        last = made.level;
        free(made.solution);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pictures),
        cmocka_unit_test(all_views_are_equal_and_carry_solutions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
