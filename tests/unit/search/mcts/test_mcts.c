/* Monte-Carlo tree search: its formulas, every option's effect, exact limits and sizes, the same tree for the same
 * seed, one tree under many threads, two players, and what it refuses. In builds with SOLOIST_CHECKS every run here
 * also checks that the statistics of the tree add up. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/real.h"
#include "domain/domain.h"
#include "search/mcts/mcts.h"
#include "base/stop.h"

#include <stdio.h>
#include <string.h>

/* ---- formulas ---- */

static struct mcts_view view_of(double mean, double variance, double visits) {
    return (struct mcts_view){mean, variance, visits, 1 / __builtin_sqrt(visits)};
}

/* Tables B.1 and B.2 of the second document: ten visits of the root, each of nine children seen once, c = 2. */
static void published_scores_are_reproduced(void **unused) {
    (void)unused;
    static const double values[] = {0, -1, 1, 1, -1, 0, 1, 0, -1}, scores[] = {4.29, 3.29, 5.29};
    struct mcts_shared shared = {.explore = 2 * __builtin_sqrt(2 * real_log(10))};
    for (int i = 0; i < 9; i++) {
        struct mcts_view view = view_of(values[i], 0, 1);
        double expected = values[i] == 0 ? scores[0] : values[i] < 0 ? scores[1] : scores[2];
        assert_true(mcts_uct(&shared, &view) - expected < 0.005 && expected - mcts_uct(&shared, &view) < 0.005);
    }
}

static void rules_are_their_formulas(void **unused) {
    (void)unused;
    struct mcts_view view = view_of(3, 4, 4); /* results 1, 1, 5, 5 */
    struct mcts_shared shared = {.log_parent = 2, .explore = 6};
    assert_true(mcts_uct(&shared, &view) == 3 + 6.0 / 2);
    assert_true(mcts_sp(&shared, &view, 20) == 6 + 3); /* (52 - 36 + 20) / 4 = 9 */
    assert_true(mcts_puct(&shared, &view) == 3 + 6.0 / 5);
    double small = __builtin_sqrt(2 / 4.0 * 0.25); /* the variance is more than a quarter */
    assert_true(mcts_ucb1_tuned(&shared, &view, 10) == 3 + 10 * small);
    view = view_of(0.5, 0, 1000); /* no variance: the bound's own term counts */
    double share = 2 / 1000.0, narrow = __builtin_sqrt(share * __builtin_sqrt(2 * share));
    assert_true(mcts_ucb1_tuned(&shared, &view, 1) == 0.5 + narrow);
    view = view_of(0.5, -1, 1000); /* a variance of mixed means may be negative */
    assert_true(mcts_ucb1_tuned(&shared, &view, 1) == 0.5);
}

/* ---- runs ---- */

static const char *const board = "31221\n12332\n23113\n31212\n13321\n12123\n";
static const char *const level = "#######\n#  .  #\n# $.$ #\n#  $. #\n#  @  #\n#######\n";
static const char *const fifteen = "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3";
static const char *const door = "  #####\n###   ###\n#  $    #\n# .#$@  #\n#  .   ##\n#     ##\n#######\n";
static const char *const corridor = "########\n#   #  #\n# $   .#\n#  # $ #\n#@ .   #\n########\n";

static soloist_result solve(const soloist_domain *domain, const char *text, const char *method, soloist_limits limits) {
    soloist *engine = soloist_new();
    soloist_puzzle puzzle;
    soloist_result result;
    soloist_error error;
    soloist_chunk chunk = {.text = text, .length = strlen(text), .line = 1, .name = ""};
    if (soloist_puzzle_read(domain, NULL, &chunk, &puzzle, &error) != SOLOIST_OK)
        fail_msg("%s: %s", text, error.text);
    if (soloist_solve(engine, &puzzle, method, &limits, NULL, &result, &error) != SOLOIST_OK)
        fail_msg("%s: %s", method, error.text);
    soloist_puzzle_free(&puzzle);
    soloist_free(engine);
    return result;
}

/* What a run did, in one line. */
static void fingerprint(const soloist_domain *domain, const char *text, const char *method, uint64_t seed, char *out) {
    soloist_result result = solve(domain, text, method, (soloist_limits){.iterations = 400, .seed = seed});
    snprintf(out, 200, "%d %d %llu %llu %llu %.120s", (int)result.status, (int)result.verdict.value,
             (unsigned long long)result.nodes, (unsigned long long)result.iterations,
             (unsigned long long)result.playouts, result.solution ? result.solution : "");
    soloist_result_free(&result);
}

static void a_seed_decides_the_tree(void **unused) {
    (void)unused;
    static const char *const methods[] = {"uct", "spmcts", "ucb1tuned", "mcts", "uct:per_move=30", "mcts:rave=10"};
    char first[200], again[200], other[200];
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++) {
        fingerprint(&samegame_domain, board, methods[i], 1, first);
        fingerprint(&samegame_domain, board, methods[i], 1, again);
        fingerprint(&samegame_domain, board, methods[i], 2, other);
        assert_string_equal(first, again);
        assert_string_not_equal(first, other);
    }
}

/* Every row: with it, some run differs from the one without it. */
static void every_option_does_something(void **unused) {
    (void)unused;
    static const struct {
        const soloist_domain *domain;
        const char *text, *base, *with;
    } rows[] = {
        {&samegame_domain, board, "marocchi-uct", "marocchi-uct:rule=sp"},
        {&samegame_domain, board, "marocchi-uct", "marocchi-uct:rule=ucb1tuned"},
        {&samegame_domain, board, "marocchi-uct", "marocchi-uct:rule=puct"},
        {&samegame_domain, board, "marocchi-uct", "marocchi-uct:c=100"},
        {&samegame_domain, board, "marocchi-uct", "marocchi-uct:c_base=3"},
        {&samegame_domain, board, "marocchi-uct:rule=puct", "marocchi-uct:rule=puct,c_base=3"},
        {&samegame_domain, board, "marocchi-uct:rule=ucb1tuned", "marocchi-uct:rule=ucb1tuned,c_base=3"},
        {&samegame_domain, board, "marocchi-spmcts", "marocchi-spmcts:d=100000"},
        {&samegame_domain, board, "marocchi-uct", "marocchi-uct:log_factor=0.1"},
        {&samegame_domain, board, "marocchi-uct", "marocchi-uct:best_bonus=3"},
        {&samegame_domain, board, "marocchi-uct", "marocchi-uct:best_share=1"},
        {&samegame_domain, board, "marocchi-uct:c=1", "marocchi-uct:c=1,normalise=static"},
        {&samegame_domain, board, "marocchi-uct:c=1", "marocchi-uct:c=1,normalise=space-local"},
        {&samegame_domain, board, "marocchi-uct:c=1", "marocchi-uct:c=1,normalise=max-min"},
        {&samegame_domain, board, "marocchi-uct:normalise=static", "marocchi-uct:normalise=static,range=10"},
        {&samegame_domain, board, "marocchi-uct:simulate=none,c=0", "marocchi-uct:simulate=none,c=0,ties=random"},
        {&samegame_domain, board, "marocchi-uct:simulate=none", "marocchi-uct:simulate=none,ties=order"},
        {&samegame_domain, board, "marocchi-uct:expand=all", "marocchi-uct:expand=all,unvisited=first"},
        {&samegame_domain, board, "marocchi-uct:expand=all", "marocchi-uct:expand=all,unvisited=inherit"},
        {&samegame_domain, board, "marocchi-uct", "marocchi-uct:expand=all"},
        {&samegame_domain, board, "marocchi-uct", "marocchi-uct:expand_visits=5"},
        {&samegame_domain, board, "marocchi-uct:expand=all", "marocchi-uct:expand=all,expand_siblings=10"},
        {&sokoban_domain, corridor, "uct:simulate=none", "uct:simulate=none,prune=false"},
        {&sokoban_domain, corridor, "uct:simulate=none,cycles=kept", "uct:simulate=none,cycles=stop"},
        {&sokoban_domain, corridor, "uct:simulate=none,cycles=stop", "uct:simulate=none,cycles=avoid"},
        {&samegame_domain, board, "marocchi-uct", "marocchi-uct:eliminate=true"},
        {&sokoban_domain, corridor, "vanillaban:prune=true", "vanillaban:prune=true,states=one-node"},
        {&sokoban_domain, level, "vanillaban:reward=auto", "vanillaban:reward=auto,path_weight=2"},
        {&sokoban_domain, level, "mcts:valued=leaf", "mcts:valued=children,burst=1"},
        {&sokoban_domain, level, "mcts:burst=1", "mcts:burst=5"},
        {&samegame_domain, board, "marocchi-uct", "marocchi-uct:rave=20"},
        {&samegame_domain, board, "marocchi-uct", "marocchi-uct:pool=50"},
        {&samegame_domain, board, "marocchi-uct", "marocchi-uct:simulate=tabu"},
        {&samegame_domain, board, "marocchi-uct", "marocchi-uct:simulate=eps-greedy"},
        {&samegame_domain, board, "marocchi-uct", "marocchi-uct:simulate=none"},
        {&samegame_domain, board, "marocchi-uct", "marocchi-uct:simulate=bfs"},
        {&sokoban_domain, level, "uct:simulate=random", "uct:simulate=eps-ida"},
        {&samegame_domain, board, "marocchi-uct:simulate=eps-greedy", "marocchi-uct:simulate=eps-greedy,eps=0.9"},
        {&sokoban_domain, door, "uct:simulate=eps-ida,eps=0,prune=false",
         "uct:simulate=eps-ida,eps=0,prune=false,ida_nodes=2"},
        {&samegame_domain, board, "marocchi-uct:simulate=bfs", "marocchi-uct:simulate=bfs,depth=0"},
        {&samegame_domain, board, "marocchi-uct", "marocchi-uct:rollouts=3"},
        {&samegame_domain, board, "marocchi-uct:rollouts=6", "marocchi-uct:rollouts=6,agree=0.5"},
        {&samegame_domain, board, "marocchi-uct", "marocchi-uct:length=2"},
        {&sokoban_domain, level, "vanillaban", "vanillaban:reward=boxes"},
        {&sokoban_domain, level, "vanillaban", "vanillaban:reward=solved"},
        {&samegame_domain, board, "marocchi-uct", "marocchi-uct:per_move=10"},
        {&samegame_domain, board, "marocchi-uct:per_move=10", "marocchi-uct:per_move=10,keep=false"},
        {&samegame_domain, board, "marocchi-uct:per_move=10", "marocchi-uct:per_move=10,move_decay=0.5"},
        {&samegame_domain, board, "marocchi-uct:per_move=10", "marocchi-uct:per_move=10,final=robust"},
        {&samegame_domain, board, "marocchi-uct:per_move=10,final=robust", "marocchi-uct:per_move=10,final=max"},
        {&samegame_domain, board, "marocchi-uct:per_move=10,final=max", "marocchi-uct:per_move=10,final=secure,c=400"},
        {&samegame_domain, board, "marocchi-uct", "marocchi-uct:per_tree=50"},
        {&samegame_domain, board, "marocchi-uct:per_tree=50", "marocchi-uct:per_tree=50,games=2"},
        {&samegame_domain, board, "marocchi-uct:per_tree=50", "marocchi-uct:per_tree=50,tree_growth=2"},
        {&tiles_domain, fifteen, "mcts:burst=1,per_tree=50", "mcts:burst=1,per_tree=50,second_path_weight=-1"},
        {&samegame_domain, board, "marocchi-uct:c=100", "marocchi-uct:c=100,insert"},
        {&sokoban_domain, level, "uct", "uct:improve"},
    };
    char base[200], with[200];
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        fingerprint(rows[i].domain, rows[i].text, rows[i].base, 1, base);
        fingerprint(rows[i].domain, rows[i].text, rows[i].with, 1, with);
        if (!strcmp(base, with))
            fail_msg("%s and %s do the same: %s", rows[i].base, rows[i].with, base);
    }
}

static void limits_are_exact(void **unused) {
    (void)unused;
    soloist_result result = solve(&samegame_domain, board, "marocchi-uct:c=50", (soloist_limits){.iterations = 77});
    assert_int_equal(result.iterations, 77);
    assert_int_equal(result.stopped, SOLOIST_STOP_ITERATIONS);
    soloist_result_free(&result);
    result = solve(&samegame_domain, board, "marocchi-uct:c=50,expand=all", (soloist_limits){.nodes = 123});
    assert_int_equal(result.nodes, 123);
    assert_int_equal(result.stopped, SOLOIST_STOP_NODES);
    soloist_result_free(&result);
}

/* At most forty bytes a node without all-moves-as-first, whatever the tree takes to begin with. */
static void nodes_are_small(void **unused) {
    (void)unused;
#ifdef SOLOIST_CHECKS
    print_message("SKIP nodes are larger where they are checked\n");
    skip();
#endif
    static const char *const wide = "123451234512345\n345123451234512\n512345123451234\n234512345123451\n"
                                    "451234512345123\n112233445511223\n334455112233445\n123451234512345\n";
    soloist_result few = solve(&samegame_domain, wide, "marocchi-uct:c=300", (soloist_limits){.nodes = 20000});
    soloist_result many = solve(&samegame_domain, wide, "marocchi-uct:c=300", (soloist_limits){.nodes = 120000});
    assert_int_equal(many.nodes - few.nodes, 100000);
    assert_true(many.peak_bytes - few.peak_bytes <= 40 * 100000);
    soloist_result_free(&few);
    soloist_result_free(&many);
}

/* Elimination leaves nothing in the end: then every line has been played, and the best of them is the best there is. */
static void elimination_exhausts_a_small_board(void **unused) {
    (void)unused;
    static const char *const boards[] = {"1212\n2121\n1122\n", "1221\n1331\n2112\n", "123\n321\n113\n"};
    for (int i = 0; i < 3; i++) {
        soloist_result whole = solve(&samegame_domain, boards[i], "bnb", (soloist_limits){.nodes = 10000000});
        assert_true(whole.optimal);
        soloist_result found =
            solve(&samegame_domain, boards[i], "marocchi-uct:eliminate", (soloist_limits){.nodes = 100000});
        assert_int_equal(found.verdict.value, whole.verdict.value);
        soloist_result_free(&found);
        soloist_result_free(&whole);
    }
}

/* Trees one after the other: when nothing is left to try below the root, no further tree is begun. */
static void an_exhausted_tree_is_the_last(void **unused) {
    (void)unused;
    static const char *const methods[] = {"marocchi-uct:eliminate,per_tree=5000",
                                          "marocchi-uct:eliminate,per_tree=1,tree_growth=1.5"};
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++) {
        soloist_result result =
            solve(&samegame_domain, "1212\n2121\n1122\n", methods[i], (soloist_limits){.iterations = 1000000});
        assert_int_not_equal(result.stopped, SOLOIST_STOP_ITERATIONS);
        soloist_result_free(&result);
    }
}

static void a_tree_that_is_cancelled_keeps_its_best(void **unused) {
    (void)unused;
    soloist_stop_token cancel = {.cancelled = 1};
    soloist_result result =
        solve(&samegame_domain, board, "marocchi-uct", (soloist_limits){.stop = &cancel, .threads = 4});
    assert_int_equal(result.stopped, SOLOIST_STOP_CANCEL);
    soloist_result_free(&result);
}

/* Sixteen threads in one tree, whatever the machine has. */
static void threads_share_a_tree(void **unused) {
    (void)unused;
    static const char *const methods[] = {
        "uct:c=20",          "uct:c=20,eliminate", "spmcts:rave=10",
        "mcts:insert",       "uct:expand=all",     "uct:parallel=root",
        "uct:parallel=leaf", "uct:per_move=50",    "uct:rule=puct,normalise=max-min,expand=all,unvisited=inherit"};
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++) {
        soloist_limits limits = {.iterations = 3000, .threads = 16, .seed = i};
        soloist_result result = solve(&samegame_domain, board, methods[i], limits);
        assert_int_equal(result.status, SOLOIST_SOLVED);
        assert_true(result.iterations <= 3000);
        soloist_result_free(&result);
    }
    soloist_result result = solve(&sokoban_domain, level, "mcts", (soloist_limits){.iterations = 30000, .threads = 16});
    assert_int_equal(result.status, SOLOIST_SOLVED);
    soloist_result_free(&result);
}

/* Two children of equal visits, the better one with three threads below it: by its results alone it comes first, but
 * not once the virtual loss weighs enough. */
static void virtual_loss_turns_threads_away(void **unused) {
    (void)unused;
    struct budget budget = {0};
    struct search_run run = {.domain = &samegame_domain, .budget = &budget, .threads = 4};
    for (int heavy = 0; heavy < 2; heavy++) {
        struct mcts_options options = {.log_factor = 2, .c = 1, .virtual_loss = heavy ? 1 : 0};
        struct mcts mcts = {.run = &run, .options = &options};
        mcts_settle_units(&mcts, 1);
        struct mcts_worker worker = {.mcts = &mcts};
        memory_open(&budget.memory, 0);
        assert_true(mcts_tree_open(&mcts.tree, &budget.memory, (struct mcts_records){0}, true));
        uint32_t children[2];
        for (int i = 0; i < 2; i++) {
            children[i] = mcts_tree_take(&mcts.tree, mcts.tree.root, (soloist_move)i);
            struct mcts_node *node = mcts_at(&mcts.tree, children[i]);
            atomic_store(&node->visits, 13);
            atomic_store(&node->waiting, i ? 0 : 3);
            atomic_store(&node->sum, i ? 12 * 13 : 20 * 10);
            mcts_tree_link(&mcts.tree, children[i]);
        }
        atomic_store(&mcts_at(&mcts.tree, mcts.tree.root)->visits, 27);
        assert_int_equal(mcts_select(&worker, mcts.tree.root), children[heavy]);
        mcts_tree_close(&mcts.tree);
        assert_int_equal(memory_used(&budget.memory), 0);
    }
}

/* A thread's copy of a much-visited node must not outlive the node's children: once all of them are eliminated, nothing
 * is chosen there, however often it is asked. */
static void copies_forget_eliminated_children(void **unused) {
    (void)unused;
    struct budget budget = {0};
    struct search_run run = {
        .domain = &samegame_domain, .budget = &budget, .threads = 2, .shape = {.state_size = 64, .most_moves = 8}};
    struct mcts_options options = {.log_factor = 2, .c = 1};
    struct mcts mcts = {.run = &run, .options = &options, .plain = true};
    struct mcts_worker worker;
    mcts_settle_units(&mcts, 1);
    memory_open(&budget.memory, 0);
    assert_true(mcts_tree_open(&mcts.tree, &budget.memory, (struct mcts_records){0}, true));
    assert_true(mcts_worker_open(&worker, &mcts, 0));
    struct mcts_node *root = mcts_at(&mcts.tree, mcts.tree.root);
    uint32_t child = mcts_tree_take(&mcts.tree, mcts.tree.root, 0);
    mcts_tree_link(&mcts.tree, child);
    atomic_store(&mcts_at(&mcts.tree, child)->visits, 4999);
    atomic_store(&root->visits, 5000);
    atomic_store(&root->untried, 0);
    for (int i = 0; i < 3; i++, worker.iteration++)
        assert_int_equal(mcts_select(&worker, mcts.tree.root), child);
    assert_non_null(mcts_copy_find(&worker, mcts.tree.root));
    atomic_fetch_or(&mcts_at(&mcts.tree, child)->marks, MCTS_ELIMINATED);
    for (int i = 0; i < 100; i++, worker.iteration++)
        mcts_select(&worker, mcts.tree.root);
    for (int i = 0; i < 100; i++, worker.iteration++)
        assert_int_equal(mcts_select(&worker, mcts.tree.root), POOL_NONE);
    mcts_worker_close(&worker);
    mcts_tree_close(&mcts.tree);
    assert_int_equal(memory_used(&budget.memory), 0);
}

/* Siblings lie side by side where there is room, and every place is given out once. */
static void siblings_lie_side_by_side(void **unused) {
    (void)unused;
    struct memory memory;
    struct mcts_tree tree;
    unsigned char taken[1 << 12] = {0};
    uint32_t before = POOL_NONE, beside = 0;
    memory_open(&memory, 0);
    assert_true(mcts_tree_open(&tree, &memory, (struct mcts_records){0}, true));
    for (int shared = 0; shared < 2; shared++) {
        struct mcts_supply supplies[3] = {{0}};
        tree.shared = shared;
        for (uint32_t i = 0; i < 90; i++) {
            uint32_t parent = mcts_tree_take_from(&tree, &supplies[i % 3], tree.root, 0, 1);
            taken[parent]++;
            for (uint32_t k = 0; k < i % 30; k++) {
                uint32_t child = mcts_tree_take_from(&tree, &supplies[(i + k) % 3], parent, 0, 1 + k / 2);
                mcts_tree_link(&tree, child);
                taken[child]++;
                beside += k && child == before + 1;
                before = child;
            }
        }
    }
    for (size_t i = 0; i < sizeof taken; i++)
        assert_true(taken[i] <= 1);
    assert_true(beside > 1500); /* of 2,520 */
    mcts_tree_close(&tree);
    assert_int_equal(memory_used(&memory), 0);
}

/* What becomes of nodes and iterations is told. */
static void counters_are_told(void **unused) {
    (void)unused;
    soloist_limits limits = {.iterations = 3000, .seed = 1};
    soloist_result plain = solve(&samegame_domain, board, "marocchi-uct", limits);
    soloist_result small = solve(&samegame_domain, "12\n21\n12\n11\n", "marocchi-uct:eliminate=true", limits);
    soloist_result once = solve(&tiles_domain, "8 6 7 2 5 4 3 0 1", "mcts", limits);
    assert_true(plain.has_tree && !plain.eliminated && !plain.moved);
    assert_true(plain.nodes + plain.skipped == plain.iterations);
    assert_true(small.eliminated == small.nodes + 1); /* all of them, and the root */
    assert_true(once.moved > 0);
    /* The longest game on the small board has three moves. Of several trees, the deepest one counts. */
    soloist_result trees = solve(&samegame_domain, "12\n21\n12\n11\n", "marocchi-uct:games=5,eliminate=true", limits);
    assert_true(small.tree_depth == 3 && trees.tree_depth == 3);
    assert_true(plain.tree_depth > 2 && plain.tree_depth <= plain.nodes);
    soloist_result_free(&trees);
    soloist_result greedy = solve(&samegame_domain, board, "greedy", limits);
    assert_false(greedy.has_tree);
    soloist_result_free(&plain);
    soloist_result_free(&small);
    soloist_result_free(&once);
    soloist_result_free(&greedy);
}

/* Logarithms of large counts lie between two of the table. */
static void logarithms_are_near(void **unused) {
    (void)unused;
    struct mcts mcts;
    mcts_settle_units(&mcts, 1);
    for (uint32_t n = 1; n < 4000000000u; n += 1 + n / 97) {
        double difference = mcts_log(&mcts, n) - real_log(n);
        assert_true(difference < 6e-7 && difference > -6e-7);
    }
    for (uint32_t n = 1; n < 5000; n++)
        assert_true(mcts_inverse_root(&mcts, n) == 1 / __builtin_sqrt((double)n));
}

static void every_other_tree_weighs_otherwise(void **unused) {
    (void)unused;
    struct mcts_options options = {.path_weight = 0.9, .second_path_weight = 0.25};
    assert_true(mcts_path_weight_of(&options, 0) == 0.9 && mcts_path_weight_of(&options, 1) == 0.25 &&
                mcts_path_weight_of(&options, 2) == 0.9);
    options.second_path_weight = -1;
    assert_true(mcts_path_weight_of(&options, 1) == 0.9);
}

/* A room of five by five with a wall, three boxes and three goals anywhere: not always solvable. */
static void draw_level(char *text, uint64_t seed) {
    static const char things[] = "#$$$...@";
    soloist_rng rng;
    soloist_rng_seed(&rng, seed, 0);
    strcpy(text, "#######\n#     #\n#     #\n#     #\n#     #\n#     #\n#######\n");
    for (const char *thing = things; *thing; thing++) {
        uint32_t at;
        do
            at = 8 * (1 + soloist_rng_below(&rng, 5)) + 1 + soloist_rng_below(&rng, 5);
        while (text[at] != ' ');
        text[at] = *thing;
    }
}

/* Bursts leave nodes that are exhausted for the nearest above: the whole of a small level is walked, and what A* calls
 * impossible is never solved. */
static void bursts_lose_no_solution(void **unused) {
    (void)unused;
    static const char *const bursts[] = {"mcts:burst=1", "mcts:burst=3", "mcts:burst=64",
                                         "mcts:burst=64,path_weight=0,c=5"};
    for (uint64_t seed = 1; seed <= 60; seed++) {
        char text[80];
        draw_level(text, seed);
        soloist_result truth = solve(&sokoban_domain, text, "astar", (soloist_limits){.seed = 1});
        for (size_t i = 0; i < sizeof bursts / sizeof bursts[0]; i++) {
            soloist_result result =
                solve(&sokoban_domain, text, bursts[i], (soloist_limits){.iterations = 1000000, .seed = 1});
            assert_int_equal(result.status == SOLOIST_SOLVED, truth.status == SOLOIST_SOLVED);
            soloist_result_free(&result);
        }
        soloist_result_free(&truth);
    }
}

/* Apart, threads have a tree each; in one leaf, many play-outs come from few iterations. */
static void threads_share_what_they_are_told_to(void **unused) {
    (void)unused;
    soloist_limits limits = {.iterations = 64, .threads = 4};
    soloist_result tree = solve(&samegame_domain, board, "marocchi-uct:c=500", limits);
    soloist_result leaf = solve(&samegame_domain, board, "marocchi-uct:c=500,parallel=leaf", limits);
    soloist_result root = solve(&samegame_domain, board, "marocchi-uct:c=500,parallel=root,expand=all", limits);
    assert_int_equal(tree.iterations, 64);
    assert_true(tree.playouts <= 64 && leaf.playouts > 128);
    assert_int_equal(root.iterations, 64);
    soloist_result_free(&tree);
    soloist_result_free(&leaf);
    soloist_result_free(&root);
}

/* One play-out of eight is enough if an eighth of them must agree; and all eight are made if each must. */
static void agreeing_playouts_end_the_others(void **unused) {
    (void)unused;
    soloist_limits limits = {.iterations = 40};
    soloist_result one = solve(&samegame_domain, board, "marocchi-uct:c=500,rollouts=8,agree=0.125", limits);
    soloist_result all = solve(&samegame_domain, board, "marocchi-uct:c=500,rollouts=8,agree=1", limits);
    assert_int_equal(one.playouts, 40);
    assert_int_equal(all.playouts, 320);
    soloist_result_free(&one);
    soloist_result_free(&all);
    /* With several threads each play-out that is finished counts, and each iteration has at least one. */
    limits.threads = 4;
    one = solve(&samegame_domain, board, "marocchi-uct:c=500,parallel=leaf,simulate=eps-greedy,agree=0.1", limits);
    assert_int_equal(one.iterations, 40);
    assert_true(one.playouts >= 40 && one.playouts <= 160);
    soloist_result_free(&one);
}

/* Greedy play-outs without chance are all the same, unless each begins with a move of its own. */
static void threads_begin_with_different_moves(void **unused) {
    (void)unused;
    soloist_limits limits = {.iterations = 1, .threads = 8};
    char method[100];
    int scores[2];
    for (int different = 0; different < 2; different++) {
        snprintf(method, sizeof method, "marocchi-uct:parallel=leaf,simulate=eps-greedy,eps=0,first_moves=%s",
                 different ? "different" : "random");
        soloist_result result = solve(&samegame_domain, board, method, limits);
        assert_int_equal(result.playouts, 8);
        scores[different] = (int)result.verdict.value;
        soloist_result_free(&result);
    }
    assert_true(scores[1] > scores[0]);
}

/* The shortest solution has three moves. The tree's first leaf is one move deep, so play-outs of one move do not get
 * there, also if each thread's first move is its own. */
static void own_first_moves_count_in_a_play_outs_length(void **unused) {
    (void)unused;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        soloist_limits limits = {.iterations = 1, .threads = 8, .seed = seed};
        soloist_result result =
            solve(&pancake_domain, "1 3 2 4", "uct:parallel=leaf,cycles=kept,length=1,first_moves=different", limits);
        assert_int_equal(result.playouts, 8);
        assert_int_equal(result.status, SOLOIST_UNSOLVED);
        soloist_result_free(&result);
    }
}

/* ---- two players ---- */

/* Who has three in a row on a board of nine characters: 'X', 'O' or 0. */
static char winner(const char *cells) {
    static const int lines[8][3] = {{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6},
                                    {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}};
    for (int i = 0; i < 8; i++) {
        char first = cells[lines[i][0]];
        if (first != '.' && first == cells[lines[i][1]] && first == cells[lines[i][2]])
            return first;
    }
    return 0;
}

static void tic_tac_toe_is_not_lost(void **unused) {
    (void)unused;
    soloist_rng rng;
    soloist_rng_seed(&rng, 5, 0);
    for (int game = 0; game < 40; game++) {
        char cells[10] = ".........", ours = game % 2 ? 'X' : 'O', text[16];
        for (int turn = 0; turn < 9 && !winner(cells); turn++) {
            char mover = turn % 2 ? 'O' : 'X';
            int cell;
            if (mover == ours) {
                snprintf(text, sizeof text, "%.3s/%.3s/%.3s", cells, cells + 3, cells + 6);
                soloist_result result = solve(&tictactoe_domain, text, "uct:c=1,per_move=3000",
                                              (soloist_limits){.iterations = 1000000, .seed = (uint64_t)game});
                assert_int_equal(result.status, SOLOIST_SOLVED);
                cell = (int)result.moves[0];
                soloist_result_free(&result);
            } else {
                do
                    cell = (int)soloist_rng_below(&rng, 9);
                while (cells[cell] != '.');
            }
            assert_true(cells[cell] == '.');
            cells[cell] = mover;
        }
        assert_true(winner(cells) == 0 || winner(cells) == ours);
    }
}

static void perfect_play_draws(void **unused) {
    (void)unused;
    for (uint64_t seed = 0; seed < 5; seed++) {
        soloist_result result = solve(&tictactoe_domain, ".../.../...", "uct:c=1,per_move=3000",
                                      (soloist_limits){.iterations = 100000, .seed = seed});
        assert_int_equal(result.verdict.value, 0);
        soloist_result_free(&result);
    }
}

/* The boards of data/tictactoe.txt as minimax values them. Threads that share a tree are left out: what they do differs
 * from run to run. */
static void mcts_plays_for_two(void **unused) {
    (void)unused;
    static const struct {
        const char *text;
        int32_t value;
    } boards[] = {
        {".../.../...", 0}, {"X../.O./...", 0}, {"XX./OO./...", 1}, {"XX./.O./...", 0}, {"XOX/XO./O.X", -1},
    };
    static const char *const methods[] = {"mcts", "mcts:parallel=root"};
    for (size_t b = 0; b < sizeof boards / sizeof *boards; b++)
        for (uint64_t seed = 0; seed < 5; seed++)
            for (int threads = 1; threads <= 2; threads++) {
                soloist_result result = solve(&tictactoe_domain, boards[b].text, methods[threads - 1],
                                              (soloist_limits){.iterations = 100000, .seed = seed, .threads = threads});
                assert_int_equal(result.status, SOLOIST_SOLVED);
                assert_int_equal(result.verdict.value, boards[b].value);
                soloist_result_free(&result);
            }
}

/* ---- where iterations end ---- */

/* With cycles=stop, a move that leads back ends the iteration: play-outs begin only at new nodes. */
static void a_cycle_ends_the_iteration(void **unused) {
    (void)unused;
    static const char *const methods[] = {"uct:simulate=random,cycles=stop,eliminate=false",
                                          "uct:simulate=random,cycles=stop,eliminate=true"};
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++) {
        soloist_result result =
            solve(&sokoban_domain, level, methods[i], (soloist_limits){.iterations = 400, .seed = 1});
        assert_true(result.playouts <= result.nodes + 1);
        soloist_result_free(&result);
    }
}

/* Each play-out from a leaf may go through states that an earlier one has seen. With one iteration and 200 play-outs,
 * one of them solves this level. */
static void playouts_forget_each_other(void **unused) {
    (void)unused;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        soloist_result result = solve(&sokoban_domain, corridor, "uct:simulate=random,cycles=avoid,rollouts=200",
                                      (soloist_limits){.iterations = 1, .seed = seed});
        assert_int_equal(result.status, SOLOIST_SOLVED);
        soloist_result_free(&result);
    }
}

/* With prune=false, play-outs have the moves of the tree, also those onto dead squares: this one ends there. */
static void playouts_have_the_moves_of_the_tree(void **unused) {
    (void)unused;
    uint64_t failed = 0;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        soloist_result result =
            solve(&sokoban_domain, "#######\n#     #\n# @$ .#\n#     #\n#######\n",
                  "uct:simulate=random,cycles=kept,prune=false", (soloist_limits){.iterations = 1, .seed = seed});
        failed += result.status != SOLOIST_SOLVED;
        soloist_result_free(&result);
    }
    assert_in_range(failed, 1, 19);
}

static void a_playout_sees_the_goal_after_its_last_move(void **unused) {
    (void)unused;
    soloist_result result = solve(&sokoban_domain, "######\n#@$ .#\n######\n", "uct:simulate=random,length=1",
                                  (soloist_limits){.iterations = 1});
    assert_int_equal(result.status, SOLOIST_SOLVED);
    soloist_result_free(&result);
}

/* Nothing but the order of moves differs between these trees. */
static void restarts_without_play_outs_differ(void **unused) {
    (void)unused;
    int others = 0;
    for (int size = 20; size <= 100; size += 10) {
        uint64_t nodes[3];
        for (int games = 1; games <= 2; games++) {
            char method[100];
            snprintf(method, sizeof method, "uct:simulate=none,c=20,per_tree=%d,games=%d", size, games);
            soloist_result result = solve(&sokoban_domain, door, method, (soloist_limits){.iterations = 1000});
            nodes[games] = result.nodes;
            soloist_result_free(&result);
        }
        others += nodes[2] != 2 * nodes[1];
    }
    assert_true(others > 0);
}

/* A thread that adds the last child of a node must not seem to leave nothing to try. */
static void no_thread_eliminates_what_another_adds(void **unused) {
    (void)unused;
    for (uint64_t seed = 1; seed <= 100; seed++) {
        soloist_result result =
            solve(&sokoban_domain, "########\n#@$   .#\n########\n", "uct:simulate=none,cycles=avoid",
                  (soloist_limits){.iterations = 1000, .seed = seed, .threads = 4});
        assert_int_equal(result.status, SOLOIST_SOLVED);
        soloist_result_free(&result);
    }
}

/* Builds with SOLOIST_CHECKS notice if the new ancestors of a moved subtree do not know its best and least results. */
static void moved_subtrees_bring_their_extremes(void **unused) {
    (void)unused;
    static const char *const method =
        "uct:states=one-node,expand=all,cycles=kept,simulate=random,best_share=0.5,c=5,length=60,improve";
    soloist_result result = solve(&sokoban_domain, door, method, (soloist_limits){.iterations = 1500});
    assert_true(result.has_tree && result.moved > 0);
    soloist_result_free(&result);
}

/* ---- refusals ---- */

static void refuse(const soloist_domain *domain, const char *text, const char *method, const char *sentence) {
    soloist *engine = soloist_new();
    soloist_puzzle puzzle;
    soloist_result result;
    soloist_error error;
    soloist_limits limits = {.iterations = 10};
    soloist_chunk chunk = {.text = text, .length = strlen(text), .line = 1, .name = ""};
    if (soloist_puzzle_read(domain, NULL, &chunk, &puzzle, &error) != SOLOIST_OK)
        fail_msg("%s: %s", text, error.text);
    assert_int_equal(soloist_solve(engine, &puzzle, method, &limits, NULL, &result, &error), SOLOIST_UNSUPPORTED);
    assert_string_equal(error.text, sentence);
    soloist_puzzle_free(&puzzle);
    soloist_free(engine);
}

static void what_does_not_fit_is_refused(void **unused) {
    (void)unused;
    refuse(&tictactoe_domain, ".../.../...", "marocchi-uct",
           "marocchi-uct: games for two players need iterations or time per move: per_move=... or move_time=...");
    refuse(&tictactoe_domain, ".../.../...", "mcts:eliminate=true",
           "mcts:eliminate=true: eliminate works for one player only: with two, a fully explored node is still needed "
           "to choose a move");
    refuse(&samegame_domain, board, "marocchi-uct:reward=r0", "samegame has no reward r0; it has none");
    refuse(&samegame_domain, board, "schokoban",
           "schokoban needs a domain that minimises cost; samegame maximises a score");
    refuse(&sokoban_domain, level, "uct:simulate=tabu", "sokoban has no play-out tabu; it has random");
    refuse(&sokoban_domain, level, "schokoban:per_move=5",
           "schokoban:per_move=5: states=one-node needs expand=all and prune=true, and excludes per_move, move_time "
           "and pool");
    refuse(&samegame_domain, board, "marocchi-uct:pool=1",
           "marocchi-uct:pool=1: a pool of one node has no room for a child");
    refuse(&tictactoe_domain, ".../.../...", "mcts:simulate=bfs",
           "mcts:simulate=bfs: simulate=bfs works for one player only");
    refuse(&samegame_domain, board, "uct:insert=true,rollouts=2",
           "uct:rollouts=2,insert=true: insert needs one play-out per leaf: rollouts=1, no simulate=bfs, no "
           "parallel=leaf");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published_scores_are_reproduced),
        cmocka_unit_test(rules_are_their_formulas),
        cmocka_unit_test(a_seed_decides_the_tree),
        cmocka_unit_test(every_option_does_something),
        cmocka_unit_test(limits_are_exact),
        cmocka_unit_test(nodes_are_small),
        cmocka_unit_test(elimination_exhausts_a_small_board),
        cmocka_unit_test(an_exhausted_tree_is_the_last),
        cmocka_unit_test(a_tree_that_is_cancelled_keeps_its_best),
        cmocka_unit_test(threads_share_a_tree),
        cmocka_unit_test(virtual_loss_turns_threads_away),
        cmocka_unit_test(copies_forget_eliminated_children),
        cmocka_unit_test(siblings_lie_side_by_side),
        cmocka_unit_test(counters_are_told),
        cmocka_unit_test(logarithms_are_near),
        cmocka_unit_test(every_other_tree_weighs_otherwise),
        cmocka_unit_test(bursts_lose_no_solution),
        cmocka_unit_test(threads_share_what_they_are_told_to),
        cmocka_unit_test(agreeing_playouts_end_the_others),
        cmocka_unit_test(threads_begin_with_different_moves),
        cmocka_unit_test(own_first_moves_count_in_a_play_outs_length),
        cmocka_unit_test(tic_tac_toe_is_not_lost),
        cmocka_unit_test(perfect_play_draws),
        cmocka_unit_test(mcts_plays_for_two),
        cmocka_unit_test(playouts_forget_each_other),
        cmocka_unit_test(playouts_have_the_moves_of_the_tree),
        cmocka_unit_test(a_cycle_ends_the_iteration),
        cmocka_unit_test(a_playout_sees_the_goal_after_its_last_move),
        cmocka_unit_test(restarts_without_play_outs_differ),
        cmocka_unit_test(no_thread_eliminates_what_another_adds),
        cmocka_unit_test(moved_subtrees_bring_their_extremes),
        cmocka_unit_test(what_does_not_fit_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
