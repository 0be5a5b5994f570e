/* IDA*: exact where A* is, under every table and order; what each option changes; its limits; what cannot be solved. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/buffer.h"
#include "domain/domain.h"
#include "domain/sokoban/generate/generator.h"
#include "toy.h"
#include "base/stop.h"

static const char *const tables[] = {"two-level", "deep", "new", "old", "big"};
enum { table_count = sizeof tables / sizeof tables[0] };

static soloist_result solve(const soloist_domain *domain, const char *options, const char *text, const char *method,
                            const soloist_limits *limits) {
    soloist *engine = soloist_new();
    soloist_puzzle puzzle;
    soloist_result result;
    soloist_error error;
    soloist_chunk chunk = {.text = text, .length = strlen(text), .line = 1, .name = ""};
    assert_int_equal(soloist_puzzle_read(domain, options, &chunk, &puzzle, NULL), SOLOIST_OK);
    if (soloist_solve(engine, &puzzle, method, limits, NULL, &result, &error) != SOLOIST_OK)
        fail_msg("%s: %s", method, error.text);
    soloist_puzzle_free(&puzzle);
    soloist_free(engine);
    return result;
}

/* Acyclic, so that what cannot be solved ends: every edge leads to a higher node. */
static const char *acyclic_graph(uint64_t seed, int most) {
    static char text[20000];
    soloist_rng rng;
    soloist_rng_seed(&rng, seed, 3);
    int nodes = 2 + (int)soloist_rng_below(&rng, 14), edges = (int)soloist_rng_below(&rng, (uint32_t)(2 * nodes));
    size_t length = (size_t)snprintf(text, sizeof text, "graph %d", nodes);
    for (int e = 0; e < edges; e++) {
        int from = (int)soloist_rng_below(&rng, (uint32_t)nodes - 1);
        int to = from + 1 + (int)soloist_rng_below(&rng, (uint32_t)(nodes - from - 1));
        length += (size_t)snprintf(text + length, sizeof text - length, " %d %d %d", from, to,
                                   1 + (int)soloist_rng_below(&rng, (uint32_t)most));
    }
    return text;
}

static void it_is_exact(void **unused) {
    (void)unused;
    soloist_domain domain = toy_graph_domain;
    domain.bound = &toy_graph_bound;
    int solved = 0, impossible = 0;
    for (uint64_t seed = 0; seed < 400; seed++) {
        const char *text = acyclic_graph(seed, seed % 2 ? 1 : 50);
        const char *method = seed % 3 ? "idastar" : "idastar:table=none";
        soloist_result a = solve(&domain, NULL, text, method, NULL), b = solve(&domain, NULL, text, "bfs", NULL);
        assert_int_equal(a.status, b.status);
        assert_int_equal(a.verdict.value, b.verdict.value);
        assert_true(a.optimal || a.status == SOLOIST_IMPOSSIBLE);
        solved += a.status == SOLOIST_SOLVED, impossible += a.status == SOLOIST_IMPOSSIBLE;
        soloist_result_free(&a);
        soloist_result_free(&b);
    }
    assert_true(solved > 50 && impossible > 50);
}

static int32_t no_help(const soloist_instance *instance, const void *state) {
    (void)instance, (void)state;
    return 0;
}

static int expand_without_help(const soloist_instance *instance, const void *state, soloist_move last, unsigned want,
                               soloist_child *children) {
    return toy_expand(instance, state, last, want & ~SOLOIST_WANT_BOUND, children);
}

/* Nothing is known of the root, so only the search can tell that there is no way. */
static void an_exhausted_tree_proves_impossibility(void **unused) {
    (void)unused;
    soloist_bound bound = toy_graph_bound;
    bound.value = no_help;
    soloist_core core = toy_graph_core;
    core.expand = expand_without_help;
    soloist_domain domain = toy_graph_domain;
    domain.bound = &bound;
    domain.core = &core;
    soloist_result result = solve(&domain, NULL, "graph 5 0 1 2 1 2 7 0 3 1 3 2 1", "idastar", NULL);
    assert_int_equal(result.status, SOLOIST_IMPOSSIBLE);
    assert_true(result.nodes > 0);
    soloist_result_free(&result);
}

/* A bound that may be too high: found, but not proved; and no verdict of impossible without cause. */
static void an_inadmissible_bound_proves_nothing(void **unused) {
    (void)unused;
    static char text[20000];
    soloist_bound bound = toy_graph_bound;
    bound.admissible = toy_no;
    soloist_domain domain = toy_graph_domain;
    domain.bound = &bound;
    for (uint64_t seed = 0; seed < 200; seed++) {
        soloist_rng rng;
        soloist_rng_seed(&rng, seed, 5);
        toy_random_graph(&rng, 12, 20, 0, 9, text, sizeof text);
        soloist_result a = solve(&domain, NULL, text, "idastar", NULL), b = solve(&domain, NULL, text, "bfs", NULL);
        assert_int_equal(a.status, b.status);
        assert_false(a.optimal);
        soloist_result_free(&a);
        soloist_result_free(&b);
    }
}

static const char board[] = "5 4 1 3 6 9 14 13 7 8 2 0 12 15 11 10";

static void it_agrees_with_a_star_on_tiles(void **unused) {
    (void)unused;
    soloist_result a = solve(&tiles_domain, NULL, board, "astar", NULL);
    soloist_result b = solve(&tiles_domain, NULL, board, "idastar", NULL);
    soloist_result c = solve(&tiles_domain, "bound=linear-conflict", board, "idastar", NULL);
    assert_int_equal(a.verdict.value, 37);
    assert_int_equal(b.verdict.value, 37);
    assert_int_equal(c.verdict.value, 37);
    assert_true(a.optimal && b.optimal && c.optimal);
    assert_true(c.nodes < b.nodes);
    assert_true(b.peak_bytes < a.peak_bytes / 4);
    soloist_result_free(&a);
    soloist_result_free(&b);
    soloist_result_free(&c);
}

/* Costs and verdicts of the named method and of IDA* under every table, in a given order, are one. */
static void compare_tables(const soloist_domain *domain, const char *text, const char *order, const char *with) {
    soloist_result expected = solve(domain, NULL, text, with, NULL);
    assert_true(expected.optimal || expected.status == SOLOIST_IMPOSSIBLE);
    for (int i = 0; i < table_count; i++) {
        char method[64];
        snprintf(method, sizeof method, "idastar:table=%s,order=%s", tables[i], order);
        soloist_result result = solve(domain, NULL, text, method, NULL);
        assert_int_equal(result.status, expected.status);
        assert_int_equal(result.optimal, expected.optimal);
        if (expected.status == SOLOIST_SOLVED)
            assert_int_equal(result.verdict.value, expected.verdict.value);
        soloist_result_free(&result);
    }
    soloist_result_free(&expected);
}

static void cycles_and_unequal_steps(void **unused) {
    (void)unused;
    static char text[20000];
    soloist_domain domain = toy_graph_domain;
    domain.bound = &toy_graph_bound;
    for (uint64_t seed = 0; seed < 300; seed++) {
        soloist_rng rng;
        soloist_rng_seed(&rng, seed, 4);
        int nodes = 2 + (int)soloist_rng_below(&rng, 40);
        toy_random_graph(&rng, nodes, (int)soloist_rng_below(&rng, (uint32_t)(4 * nodes)), 0, seed % 2 ? 3 : 50, text,
                         sizeof text);
        compare_tables(&domain, text, seed % 3 ? "bound" : "none", seed % 5 ? "astar" : "bfs");
    }
}

static void a_permutation(soloist_rng *rng, int first, int count, char *text) {
    int values[32];
    for (int i = 0; i < count; i++) {
        int j = (int)soloist_rng_below(rng, (uint32_t)i + 1);
        values[i] = values[j];
        values[j] = first + i;
    }
    for (int i = 0; i < count; i++)
        text += sprintf(text, "%s%d", i ? " " : "", values[i]);
}

static void pancakes(void **unused) {
    (void)unused;
    soloist_rng rng;
    soloist_rng_seed(&rng, 1, 0);
    char text[128];
    for (int i = 0; i < 150; i++) {
        a_permutation(&rng, 1, 5 + i % 3, text);
        compare_tables(&pancake_domain, text, i % 2 ? "bound" : "none", i % 10 ? "astar" : "bfs");
    }
}

/* Half of all arrangements cannot be solved: the rules say so before any search. */
static void eight_puzzles(void **unused) {
    (void)unused;
    soloist_rng rng;
    soloist_rng_seed(&rng, 2, 0);
    char text[128];
    for (int i = 0; i < 40; i++) {
        a_permutation(&rng, 0, 9, text);
        compare_tables(&tiles_domain, text, i % 2 ? "bound" : "none", "astar");
    }
}

static char *a_level(uint64_t seed, int boxes) {
    struct sokoban_generate_options options;
    struct buffer buffer;
    soloist_rng rng;
    soloist_error error;
    soloist_options_reset(sokoban_domain.generate->options, &options);
    options.width = options.height = 7;
    options.boxes = boxes;
    options.total_positions = 2000;
    buffer_open(&buffer);
    soloist_sink sink = buffer_sink(&buffer);
    soloist_rng_seed(&rng, seed, 0);
    if (sokoban_domain.generate->make(&options, &rng, &sink, &error) != SOLOIST_OK)
        fail_msg("%s", error.text);
    return buffer_take(&buffer);
}

static void sokoban_levels(void **unused) {
    (void)unused;
    static const char *const orders[] = {"none", "bound", "inertia"};
    for (uint64_t seed = 0; seed < 60; seed++) {
        char *text = a_level(seed, 1 + (int)(seed % 3));
        compare_tables(&sokoban_domain, text, orders[seed % 3], seed % 2 ? "astar" : "bfs");
        if (seed % 4 == 0)
            compare_tables(&sokoban_moves_domain, text, "bound", "astar");
        free(text);
    }
}

/* A room with walls, boxes and goals anywhere. */
static void a_room(soloist_rng *rng, char *text) {
    enum { width = 8, height = 7 };
    const char *things = "@$$$...";
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            bool border = !x || !y || x == width - 1 || y == height - 1;
            text[y * (width + 1) + x] = border || soloist_rng_below(rng, 5) == 0 ? '#' : ' ';
        }
        text[y * (width + 1) + width] = '\n';
    }
    text[height * (width + 1)] = 0;
    for (; *things; things++) {
        int x = 1 + (int)soloist_rng_below(rng, width - 2), y = 1 + (int)soloist_rng_below(rng, height - 2);
        text[y * (width + 1) + x] = *things;
    }
}

/* Boxes that can be pushed about but not home: every state is seen again and again, and none is a goal. Which rooms
 * those are, a plain breadth-first search says. */
static void impossible_levels(void **unused) {
    (void)unused;
    const char *rules =
        "corrals=off,corral_deadlocks=off,pairs=off,freeze=false,wall_line=false,bipartite=false,bound=manhattan";
    soloist_rng rng;
    soloist_rng_seed(&rng, 3, 0);
    int searched = 0, solved = 0;
    for (int i = 0; i < 10000; i++) {
        char text[128];
        soloist_puzzle puzzle;
        a_room(&rng, text);
        if (toy_puzzle(&sokoban_domain, text, &puzzle) != SOLOIST_OK)
            continue;
        soloist_puzzle_free(&puzzle);
        soloist_result a = solve(&sokoban_domain, rules, text, "bfs", NULL);
        soloist_result b = solve(&sokoban_domain, rules, text, "idastar", &(soloist_limits){.nodes = 1000000});
        assert_int_equal(a.status, b.status);
        searched += a.status == SOLOIST_IMPOSSIBLE && a.nodes > 20, solved += a.status == SOLOIST_SOLVED;
        if (a.status == SOLOIST_SOLVED)
            assert_int_equal(a.verdict.value, b.verdict.value);
        soloist_result_free(&a);
        soloist_result_free(&b);
    }
    assert_true(searched > 10 && solved > 500);
}

/* Half of all boards cannot be solved; nobody tells. All states hang together, so
 * that there is no dead end to see; raising thresholds alone would take hundreds of thousands of nodes. */
static void impossible_boards(void **unused) {
    (void)unused;
    soloist_domain domain = tiles_domain;
    soloist_life life = *domain.life;
    life.impossible = NULL;
    domain.life = &life;
    for (int i = 0; i < table_count; i++) {
        char method[64];
        snprintf(method, sizeof method, "idastar:table=%s", tables[i]);
        soloist_result result = solve(&domain, NULL, "3x2: 0 1 2 3 5 4", method, &(soloist_limits){.nodes = 20000});
        assert_int_equal(result.status, SOLOIST_IMPOSSIBLE);
        assert_true(result.nodes > 360);
        soloist_result_free(&result);
    }
}

static uint64_t nodes_of(const soloist_domain *domain, const char *text, const char *method) {
    soloist_result result = solve(domain, NULL, text, method, NULL);
    assert_true(result.optimal);
    uint64_t nodes = result.nodes;
    soloist_result_free(&result);
    return nodes;
}

/* On a board of more states than a megabyte holds, every scheme has a count of its own. */
static void every_table_option_counts(void **unused) {
    (void)unused;
    uint64_t nodes[table_count + 3];
    for (int i = 0; i < table_count; i++) {
        char method[64];
        snprintf(method, sizeof method, "idastar:table=%s,table_mb=1", tables[i]);
        nodes[i] = nodes_of(&tiles_domain, board, method);
    }
    nodes[table_count] = nodes_of(&tiles_domain, board, "idastar:table=two-level,table_mb=32");
    nodes[table_count + 1] = nodes_of(&tiles_domain, board, "idastar:table=none,order=bound");
    nodes[table_count + 2] = nodes_of(&tiles_domain, board, "idastar");
    for (int i = 0; i < table_count + 3; i++)
        for (int j = 0; j < i; j++)
            assert_int_not_equal(nodes[i], nodes[j]);
    assert_true(nodes[table_count] < nodes[table_count + 1]);
}

static const char level[] = "#########\n#   #   #\n# $ . $ #\n#  # #  #\n#. $@  .#\n#   #   #\n#########\n";

static void every_order_counts(void **unused) {
    (void)unused;
    uint64_t none = nodes_of(&sokoban_domain, level, "idastar:order=none");
    uint64_t bound = nodes_of(&sokoban_domain, level, "idastar:order=bound");
    uint64_t inertia = nodes_of(&sokoban_domain, level, "idastar:order=inertia");
    assert_true(none != bound && bound != inertia && inertia != none);
}

/* Sokoban has a table of its own accord, tiles and pancakes walk plainly. */
static void the_domain_decides_by_default(void **unused) {
    (void)unused;
    assert_int_equal(nodes_of(&sokoban_domain, level, "idastar"),
                     nodes_of(&sokoban_domain, level, "idastar:table=two-level,order=bound,table_mb=64"));
    assert_true(nodes_of(&sokoban_domain, level, "idastar") < nodes_of(&sokoban_domain, level, "idastar:table=none"));
    assert_int_equal(nodes_of(&tiles_domain, board, "idastar"),
                     nodes_of(&tiles_domain, board, "idastar:table=none,order=none"));
    assert_int_equal(nodes_of(&pancake_domain, "5 2 7 1 3 8 6 4", "idastar"),
                     nodes_of(&pancake_domain, "5 2 7 1 3 8 6 4", "idastar:table=none,order=none"));
}

static void inertia_is_for_pushes(void **unused) {
    (void)unused;
    soloist *engine = soloist_new();
    soloist_puzzle puzzle;
    soloist_result result;
    soloist_error error;
    assert_int_equal(toy_puzzle(&tiles_domain, board, &puzzle), SOLOIST_OK);
    assert_int_equal(soloist_solve(engine, &puzzle, "idastar:order=inertia", NULL, NULL, &result, &error),
                     SOLOIST_UNSUPPORTED);
    assert_string_equal(error.text, "order=inertia: tiles does not tell what a move moves");
    soloist_puzzle_free(&puzzle);
    soloist_free(engine);
}

/* The node limit is met to the node; of the least limit that solves the puzzle everything is needed. */
static void the_node_limit_is_exact(const soloist_domain *domain, const char *text, const char *method) {
    uint64_t all = nodes_of(domain, text, method);
    for (uint64_t nodes = 1; nodes < all; nodes = nodes * 3 / 2 + 1) {
        soloist_result result = solve(domain, NULL, text, method, &(soloist_limits){.nodes = nodes});
        assert_int_equal(result.status, SOLOIST_UNSOLVED);
        assert_int_equal(result.stopped, SOLOIST_STOP_NODES);
        assert_int_equal(result.nodes, nodes);
        soloist_result_free(&result);
    }
}

static void node_limits_are_exact(void **unused) {
    (void)unused;
    the_node_limit_is_exact(&tiles_domain, board, "idastar");
    the_node_limit_is_exact(&tiles_domain, board, "idastar:table=new");
    the_node_limit_is_exact(&tiles_domain, board, "idastar:order=bound");
    the_node_limit_is_exact(&sokoban_domain, level, "idastar");
    the_node_limit_is_exact(&pancake_domain, "5 2 7 1 3 8 6 4", "idastar");
}

static void limits_hold(void **unused) {
    (void)unused;
    static const char *const methods[] = {"idastar", "idastar:table=deep", "idastar:table=none,order=bound"};
    for (int i = 0; i < 3; i++) {
        for (size_t memory = 1; memory < 5000; memory *= 5) {
            soloist_result result = solve(&tiles_domain, NULL, board, methods[i], &(soloist_limits){.memory = memory});
            assert_int_equal(result.stopped, SOLOIST_STOP_MEMORY);
            assert_true(result.peak_bytes <= memory);
            soloist_result_free(&result);
        }
        soloist_stop_token cancel = {.cancelled = 1};
        soloist_result result = solve(&tiles_domain, NULL, board, methods[i], &(soloist_limits){.stop = &cancel});
        assert_int_equal(result.stopped, SOLOIST_STOP_CANCEL);
        assert_int_equal(result.status, SOLOIST_UNSOLVED);
        soloist_result_free(&result);
        result = solve(&tiles_domain, NULL, "15 14 8 12 10 11 9 13 2 6 5 1 3 7 4 0", methods[i],
                       &(soloist_limits){.time_s = 0.02});
        assert_int_equal(result.stopped, SOLOIST_STOP_TIME);
        soloist_result_free(&result);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_exact),
        cmocka_unit_test(an_exhausted_tree_proves_impossibility),
        cmocka_unit_test(an_inadmissible_bound_proves_nothing),
        cmocka_unit_test(it_agrees_with_a_star_on_tiles),
        cmocka_unit_test(cycles_and_unequal_steps),
        cmocka_unit_test(pancakes),
        cmocka_unit_test(eight_puzzles),
        cmocka_unit_test(sokoban_levels),
        cmocka_unit_test(impossible_levels),
        cmocka_unit_test(impossible_boards),
        cmocka_unit_test(every_table_option_counts),
        cmocka_unit_test(every_order_counts),
        cmocka_unit_test(the_domain_decides_by_default),
        cmocka_unit_test(inertia_is_for_pushes),
        cmocka_unit_test(node_limits_are_exact),
        cmocka_unit_test(limits_hold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
