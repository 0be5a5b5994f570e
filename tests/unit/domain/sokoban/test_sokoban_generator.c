/* The generator: every level reads back as the one that was made, is solved by the way back, and by a plain search of
 * its own on small boards; the same seed makes the same level; what cannot work is refused. */
#include "base/buffer.h"
#include "domain/sokoban/generate/generator.h"
#include "domain/sokoban/generate/room.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static struct sokoban_generate_options defaults(void) {
    struct sokoban_generate_options options;
    soloist_options_reset(sokoban_generate.options, &options);
    return options;
}

static char *make_text(const struct sokoban_generate_options *options, uint64_t seed) {
    struct buffer buffer;
    soloist_rng rng;
    soloist_error error;
    buffer_open(&buffer);
    soloist_sink sink = buffer_sink(&buffer);
    soloist_rng_seed(&rng, seed, 0);
    if (sokoban_generate.make(options, &rng, &sink, &error) != SOLOIST_OK)
        fail_msg("%s", error.text);
    return buffer_take(&buffer);
}

static soloist_chunk only_chunk(const char *text) {
    soloist_cursor cursor = soloist_cursor_open(text, strlen(text));
    soloist_chunk chunk, more;
    assert_true(sokoban_next(&cursor, &chunk));
    assert_false(sokoban_next(&cursor, &more));
    return chunk;
}

static void test_defaults(void **state) {
    (void)state;
    struct sokoban_generate_options options = defaults();
    assert_int_equal(sokoban_generate.options_size, sizeof options);
    assert_int_equal(options.width, 10);
    assert_int_equal(options.height, 10);
    assert_int_equal(options.boxes, 4);
    assert_int_equal(options.max_position_tries, 1);
    assert_int_equal(options.max_action_depth, 300);
    assert_int_equal(options.total_positions, 100000);
    assert_true(options.new_direction_prob == 0.35);
    assert_true(options.walk_steps_factor == 1.5);
    assert_false(options.allow_box_on_goal);
}

/* What is true of every level made. */
static void assert_sound(const struct sokoban_generate_options *options, const struct sokoban_generated *made) {
    struct sokoban_level read;
    struct buffer buffer;
    soloist_verdict verdict;
    soloist_error error;
    int on_goal = 0, off_goal = 0;
    buffer_open(&buffer);
    soloist_sink sink = buffer_sink(&buffer);
    sokoban_level_print(&made->level, &sink);
    soloist_chunk chunk = only_chunk(buffer.text);
    assert_true(sokoban_level_parse(&chunk, &read, &error));
    assert_memory_equal(&read, &made->level, sizeof read);
    if (!sokoban_referee(&chunk, made->solution, strlen(made->solution), &verdict, &error))
        fail_msg("%s\n%s\n%s", error.text, buffer.text, made->solution);
    assert_int_equal(verdict.moves, made->depth);
    assert_int_equal(read.width, options->width);
    assert_int_equal(read.height, options->height);
    assert_int_equal(read.boxes, options->boxes);
    assert_int_equal(read.goals, options->boxes);
    assert_true(made->score > 0);
    assert_int_equal(made->score, (int64_t)made->box_swaps * made->displacement);
    assert_in_range(made->depth, 1, options->max_action_depth);
    for (int i = 0; i < read.width * read.height; i++) {
        off_goal += !(read.cells[i] & SOKOBAN_GOAL) && read.cells[i] & SOKOBAN_BOX;
        on_goal += (read.cells[i] & SOKOBAN_GOAL) && (read.cells[i] & SOKOBAN_BOX || i == read.player);
    }
    assert_true(off_goal > 0);
    assert_true(options->allow_box_on_goal || !on_goal);
    buffer_close(&buffer);
}

static void assert_all_sound(const struct sokoban_generate_options *options, int count) {
    for (int i = 0; i < count; i++) {
        struct sokoban_generated made;
        soloist_rng rng;
        soloist_error error;
        soloist_rng_seed(&rng, 17, (uint64_t)i);
        if (sokoban_generate_level(options, &rng, NULL, &made, &error) != SOLOIST_OK)
            fail_msg("%s", error.text);
        assert_sound(options, &made);
        free(made.solution);
    }
}

/* In this room the highest product of swaps and displacement belongs to a position with all boxes on goals again. */
static void test_unsolved(void **state) {
    (void)state;
    struct sokoban_generate_options options = defaults();
    struct sokoban_generated made;
    soloist_rng rng;
    options.max_action_depth = 154, options.total_positions = 3054, options.allow_box_on_goal = true;
    soloist_rng_seed(&rng, 1, 508);
    assert_int_equal(sokoban_generate_level(&options, &rng, NULL, &made, NULL), SOLOIST_OK);
    assert_sound(&options, &made);
    assert_int_equal(made.score, 45);
    free(made.solution);
}

static void test_sound(void **state) {
    (void)state;
    struct sokoban_generate_options options = defaults();
    options.total_positions = 3000;
    assert_all_sound(&options, 300);
    options.allow_box_on_goal = true;
    options.max_action_depth = 20;
    assert_all_sound(&options, 100);
    options = defaults();
    options.width = 17, options.height = 6, options.boxes = 7, options.total_positions = 2000;
    assert_all_sound(&options, 100);
    options.width = options.height = SOKOBAN_MOST_SIDE, options.boxes = 30, options.allow_box_on_goal = true;
    assert_all_sound(&options, 10);
    options = defaults();
    assert_all_sound(&options, 5);
}

/* ---- a plain breadth-first search over boards of up to 5 x 5 free cells and two boxes ---- */

#define TILES 25

struct small {
    int neighbours[TILES][4]; /* -1: wall */
    int count;
    int goals[2];
};

static bool small_solved(const struct small *small, int a, int b) {
    return (a == small->goals[0] && b == small->goals[1]) || (a == small->goals[1] && b == small->goals[0]);
}

static bool small_solvable(const struct small *small, const int boxes[2], int player) {
    static uint16_t queue[TILES * TILES * TILES];
    static uint8_t seen[TILES * TILES * TILES];
    int head = 0, tail = 0;
    memset(seen, 0, sizeof seen);
    queue[tail++] = (uint16_t)((boxes[0] * TILES + boxes[1]) * TILES + player);
    seen[queue[0]] = 1;
    while (head < tail) {
        int state = queue[head++], at = state % TILES, box[2] = {state / TILES / TILES, state / TILES % TILES};
        if (small_solved(small, box[0], box[1]))
            return true;
        for (int d = 0; d < 4; d++) {
            int to = small->neighbours[at][d], next[2] = {box[0], box[1]};
            if (to < 0)
                continue;
            for (int k = 0; k < 2; k++)
                if (to == box[k])
                    next[k] = small->neighbours[to][d];
            if (next[0] < 0 || next[1] < 0 || next[0] == next[1])
                continue;
            int reached = (next[0] * TILES + next[1]) * TILES + to;
            if (!seen[reached])
                seen[reached] = 1, queue[tail++] = (uint16_t)reached;
        }
    }
    return false;
}

static void small_from_level(const struct sokoban_level *level, struct small *small, int boxes[2], int *player) {
    int number[SOKOBAN_MOST_SIDE * SOKOBAN_MOST_SIDE], goals = 0, found = 0;
    const int steps[4] = {-level->width, -1, 1, level->width};
    memset(small, 0, sizeof *small);
    for (int i = 0; i < level->width * level->height; i++)
        number[i] = level->cells[i] & SOKOBAN_WALL ? -1 : small->count++;
    for (int i = 0; i < level->width * level->height; i++) {
        if (number[i] < 0)
            continue;
        for (int d = 0; d < 4; d++)
            small->neighbours[number[i]][d] = number[i + steps[d]];
        if (level->cells[i] & SOKOBAN_GOAL)
            small->goals[goals++] = number[i];
        if (level->cells[i] & SOKOBAN_BOX)
            boxes[found++] = number[i];
    }
    *player = number[level->player];
}

static void test_solvable_by_search(void **state) {
    (void)state;
    struct sokoban_generate_options options = defaults();
    options.width = options.height = 7, options.boxes = 2;
    for (int i = 0; i < 200; i++) {
        struct sokoban_generated made;
        struct small small;
        soloist_rng rng;
        int boxes[2], player;
        soloist_rng_seed(&rng, 5, (uint64_t)i);
        assert_int_equal(sokoban_generate_level(&options, &rng, NULL, &made, NULL), SOLOIST_OK);
        small_from_level(&made.level, &small, boxes, &player);
        assert_true(small_solvable(&small, boxes, player));
        free(made.solution);
    }
    /* The search itself can say no: a box in a corner. */
    struct small corner;
    struct sokoban_level level;
    static const char text[] = "#######\n#$ @ .#\n#   $ #\n#   . #\n#######\n";
    soloist_chunk chunk = only_chunk(text);
    int boxes[2], player;
    assert_true(sokoban_level_parse(&chunk, &level, NULL));
    small_from_level(&level, &corner, boxes, &player);
    assert_false(small_solvable(&corner, boxes, player));
}

static void test_repeatable(void **state) {
    (void)state;
    struct sokoban_generate_options options = defaults();
    options.total_positions = 5000;
    char *first = make_text(&options, 3), *again = make_text(&options, 3), *other = make_text(&options, 4);
    assert_string_equal(first, again);
    assert_string_not_equal(first, other);
    free(first), free(again), free(other);
}

/* One level in full: the stream of random numbers and every decision made with them are the same everywhere. */
static void test_golden(void **state) {
    (void)state;
    struct sokoban_generate_options options = defaults();
    options.width = 8, options.height = 7, options.boxes = 2, options.total_positions = 1000;
    options.solution = true;
    char *text = make_text(&options, 1);
    assert_string_equal(
        text, "; score 119 (17 box swaps x displacement 7), depth 152\n"
              "########\n"
              "### .  #\n"
              "#    . #\n"
              "#@$   ##\n"
              "### $ ##\n"
              "####  ##\n"
              "########\n"
              "Solution: RururrddddlUULulldRRuRDuurrdLLLdlluRdrdRdrUluuLddrrUlluurrrdL"
              "ullddlluRdrdrruuullDRurDldLdrrUlluurrrdLulDDldRuullldRurrddlUluRdrUluRddddrUluurruLdllddrrU\n"
              "\n");
    free(text);
}

static void test_text(void **state) {
    (void)state;
    struct sokoban_generate_options options = defaults();
    options.solution = true;
    char *text = make_text(&options, 9);
    soloist_chunk chunk = only_chunk(text);
    const char *solution;
    size_t length;
    assert_memory_equal(text, "; score ", 8);
    assert_memory_equal(chunk.name, "score ", 6);
    assert_true(sokoban_chunk_solution(&chunk, 0, &solution, &length));
    assert_true(sokoban_referee(&chunk, solution, length, NULL, NULL));
    assert_int_equal(sokoban_recognise(text, strlen(text)), 95);
    free(text);
}

/* The walk carves one connected room. */
static void test_room_connected(void **state) {
    (void)state;
    for (int i = 0; i < 200; i++) {
        static struct sokoban_level level;
        uint16_t tiles[SOKOBAN_MOST_SIDE * SOKOBAN_MOST_SIDE], stack[SOKOBAN_MOST_SIDE * SOKOBAN_MOST_SIDE];
        soloist_rng rng;
        level.width = 3 + i % 11, level.height = 3 + i / 11 % 9;
        soloist_rng_seed(&rng, 1, (uint64_t)i);
        room_carve(&level, 30, 0.35, &rng);
        int count = room_tiles(&level, tiles), reached = 0, top = 0;
        const int steps[4] = {-level.width, -1, 1, level.width};
        assert_true(count > 0);
        for (stack[top++] = tiles[0], level.cells[tiles[0]] = 0; top; reached++) {
            int cell = stack[--top];
            for (int d = 0; d < 4; d++)
                if (level.cells[cell + steps[d]] == SOKOBAN_INSIDE)
                    level.cells[cell + steps[d]] = 0, stack[top++] = (uint16_t)(cell + steps[d]);
        }
        assert_int_equal(reached, count);
    }
}

static void assert_refused(const struct sokoban_generate_options *options, const char *words) {
    struct sokoban_generated made;
    soloist_rng rng;
    soloist_error error = {0};
    soloist_rng_seed(&rng, 1, 1);
    assert_int_equal(sokoban_generate_level(options, &rng, NULL, &made, &error), SOLOIST_BAD_INPUT);
    assert_string_equal(error.text, words);
    assert_int_equal(sokoban_generate_level(options, &rng, NULL, &made, NULL), SOLOIST_BAD_INPUT);
}

static void test_refusals(void **state) {
    (void)state;
    struct sokoban_generate_options options = defaults();
    options.width = options.height = 5, options.boxes = 5;
    assert_refused(&options,
                   "5 boxes off their goals need 11 free cells, a board of 5 x 5 has at most 9 inside its walls");
    options.allow_box_on_goal = true, options.boxes = 9;
    assert_refused(&options, "9 boxes need 10 free cells, a board of 5 x 5 has at most 9 inside its walls");
    options = defaults();
    options.boxes = 100, options.total_positions = 10000000;
    options.width = options.height = 30;
    assert_refused(&options,
                   "that many positions with that many boxes need more than 1 GiB: expected a smaller total_positions");
    static const char nothing[] = "no level was found within max_room_tries: try fewer boxes, a larger board, a "
                                  "longer walk or more positions";
    options = defaults();
    options.walk_steps_factor = 0; /* nothing is carved */
    assert_refused(&options, nothing);
    options = defaults();
    options.max_action_depth = 1; /* four boxes cannot all leave their goals */
    assert_refused(&options, nothing);
    options = defaults();
    options.width = 3, options.boxes = 3; /* in a corridor only the two boxes beside the player can move */
    assert_refused(&options, nothing);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_defaults),   cmocka_unit_test(test_sound),
        cmocka_unit_test(test_unsolved),   cmocka_unit_test(test_solvable_by_search),
        cmocka_unit_test(test_repeatable), cmocka_unit_test(test_golden),
        cmocka_unit_test(test_text),       cmocka_unit_test(test_room_connected),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
