/* The methods that are presets of tree search: each published one does something else than the others, uses the rules
 * of its own document unless the domain's options say otherwise, and the three formulas without options go on
 * improving. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "domain/domain.h"
#include "search/mcts/mcts.h"

#include <stdio.h>
#include <string.h>

static const char *const board = "4223324333\n2331411131\n3233342233\n3242433244\n2424234312\n2443444144\n4323114221\n2"
                                 "334341332\n1134133141\n3312413214\n";
/* Two boxes near a corridor, so that pairs, corrals and matchings rule positions out that simpler rules allow. */
static const char *const level = "##########\n#   #    #\n# $ $  . #\n#  $ # . #\n# @  #  .#\n#   ##   #\n##########\n";

static soloist_result solve(const soloist_domain *domain, const char *options, const char *text, const char *method,
                            soloist_limits limits) {
    soloist *engine = soloist_new();
    soloist_puzzle puzzle;
    soloist_result result;
    soloist_error error;
    soloist_chunk chunk = {.text = text, .length = strlen(text), .line = 1, .name = ""};
    if (soloist_puzzle_read(domain, options, &chunk, &puzzle, &error) != SOLOIST_OK)
        fail_msg("%s: %s", text, error.text);
    if (soloist_solve(engine, &puzzle, method, &limits, NULL, &result, &error) != SOLOIST_OK)
        fail_msg("%s: %s", method, error.text);
    soloist_puzzle_free(&puzzle);
    soloist_free(engine);
    return result;
}

/* What a run did, in one line. */
static void fingerprint(const soloist_domain *domain, const char *options, const char *text, const char *method,
                        char *out) {
    soloist_result result = solve(domain, options, text, method, (soloist_limits){.iterations = 600, .seed = 1});
    snprintf(out, 200, "%d %d %llu %llu %.120s", (int)result.status, (int)result.verdict.value,
             (unsigned long long)result.nodes, (unsigned long long)result.iterations,
             result.solution ? result.solution : "");
    soloist_result_free(&result);
}

static void expect_all_different(const soloist_domain *domain, const char *text, const char *const *methods,
                                 size_t count) {
    char prints[16][200];
    for (size_t i = 0; i < count; i++) {
        fingerprint(domain, NULL, text, methods[i], prints[i]);
        for (size_t j = 0; j < i; j++)
            if (!strcmp(prints[i], prints[j]))
                fail_msg("%s and %s do the same: %s", methods[i], methods[j], prints[i]);
    }
}

static void presets_differ(void **unused) {
    (void)unused;
    static const char *const scores[] = {
        "mcts", "uct", "spmcts", "ucb1tuned", "marocchi-uct", "marocchi-spmcts", "marocchi-ucb1tuned", "seify-mcts"};
    static const char *const goals[] = {
        "uct:improve",        "marocchi-uct:improve",     "marocchi-spmcts:improve", "marocchi-ucb1tuned:improve",
        "vanillaban:improve", "vanillaban-tuned:improve", "schokoban:improve",       "schokoban-tuned:improve"};
    expect_all_different(&samegame_domain, board, scores, sizeof scores / sizeof *scores);
    expect_all_different(&sokoban_domain, level, goals, sizeof goals / sizeof *goals);
}

/* One row: the method with one set of the domain's options does the same as another pair, or does not. */
static void documents_have_their_own_rules(void **unused) {
    (void)unused;
    static const struct {
        const char *first_options, *first, *second_options, *second;
        bool same;
    } rows[] = {
        {NULL, "vanillaban:improve", "rules=kroger", "vanillaban:improve", true},
        {NULL, "vanillaban:improve", "bipartite=off,corrals=off,corral_deadlocks=off,pairs=off,rules=all",
         "vanillaban:improve", true},
        {NULL, "vanillaban:improve", "rules=all", "vanillaban:improve", false},
        {"rules=all", "vanillaban:improve", NULL, "vanillaban-tuned:c=5,ties=random,improve", true},
        {"rules=all", "schokoban:improve", NULL, "schokoban-tuned:c=5,ties=random,improve", true},
        {"rules=kroger", "schokoban-tuned:c=5,ties=random,improve", NULL, "schokoban:improve", true},
        {NULL, "marocchi-uct:improve", "rules=marocchi", "uct:prune=false,reward=negative-bm,improve", true},
        {NULL, "marocchi-uct:improve", "rules=all", "marocchi-uct:improve", false},
        {NULL, "uct:improve", "rules=all", "uct:improve", true},
        {NULL, "uct:improve", "rules=marocchi", "uct:improve", false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char first[200], second[200];
        fingerprint(&sokoban_domain, rows[i].first_options, level, rows[i].first, first);
        fingerprint(&sokoban_domain, rows[i].second_options, level, rows[i].second, second);
        if (!strcmp(first, second) != rows[i].same)
            fail_msg("row %zu: %s does %s, %s does %s", i, rows[i].first, first, rows[i].second, second);
    }
}

static int32_t score(const char *method, uint64_t iterations) {
    soloist_result result =
        solve(&samegame_domain, NULL, board, method, (soloist_limits){.iterations = iterations, .seed = 1});
    int32_t value = result.verdict.value;
    soloist_result_free(&result);
    return value;
}

/* With a constant that is too small for the scores, a tree narrows down to one line and the score stays as it is. */
static void plain_methods_go_on_improving(void **unused) {
    (void)unused;
    static const char *const methods[] = {"uct", "spmcts", "ucb1tuned"};
    for (int i = 0; i < 3; i++) {
        int32_t few = score(methods[i], 300), many = score(methods[i], 3000), most = score(methods[i], 30000);
        int32_t at_random = score("random", 30000);
        if (many <= few || most <= many || most <= at_random)
            fail_msg("%s: %d points after 300 iterations, %d after 3,000, %d after 30,000; random games: %d",
                     methods[i], (int)few, (int)many, (int)most, (int)at_random);
    }
}

static void plain_methods_play_for_two(void **unused) {
    (void)unused;
    static const char *const methods[] = {"uct", "spmcts", "ucb1tuned"};
    for (int i = 0; i < 3; i++) {
        soloist_result result =
            solve(&tictactoe_domain, NULL, ".../.../...", methods[i], (soloist_limits){.iterations = 20000, .seed = 1});
        assert_int_equal(result.status, SOLOIST_SOLVED);
        assert_int_equal(result.verdict.value, 0);
        soloist_result_free(&result);
    }
}

/* ---- merged trees ---- */

static void add_root_move(struct mcts_tree *tree, soloist_move move, uint32_t visits, int64_t sum) {
    uint32_t child = mcts_tree_take(tree, tree->root, move);
    atomic_store(&mcts_at(tree, child)->visits, visits);
    atomic_store(&mcts_at(tree, child)->sum, sum);
    mcts_tree_link(tree, child);
}

/* Move 3 is the second best in each of two trees, and the best in their sums. */
static void the_sums_of_trees_decide(void **unused) {
    (void)unused;
    static const struct {
        int final;
        soloist_move expected;
    } rows[] = {{MCTS_FINAL_ROBUST, 3}, {MCTS_FINAL_MAX, 2}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct budget budget = {0};
        struct search_run run = {.domain = &samegame_domain, .budget = &budget, .shape = {.most_moves = 4}};
        struct mcts_options options = {.final = rows[i].final};
        static struct mcts first, second;
        first = second = (struct mcts){.run = &run, .options = &options};
        memory_open(&budget.memory, 0);
        mcts_settle_units(&first, 1);
        assert_true(mcts_tree_open(&first.tree, &budget.memory, (struct mcts_records){0}, false));
        assert_true(mcts_tree_open(&second.tree, &budget.memory, (struct mcts_records){0}, false));
        add_root_move(&first.tree, 1, 10, 40);
        add_root_move(&first.tree, 3, 9, 90);
        add_root_move(&second.tree, 2, 10, 200);
        add_root_move(&second.tree, 3, 9, 90);
        struct mcts *trees[] = {&first, &second};
        assert_int_equal(mcts_merged_final(trees, 2), rows[i].expected);
        mcts_tree_close(&first.tree);
        mcts_tree_close(&second.tree);
        assert_int_equal(memory_used(&budget.memory), 0);
    }
}

static void merged_trees_play_whole_games(void **unused) {
    (void)unused;
    static const char *const methods[] = {"seify-mcts:parallel=root,per_move=50",
                                          "seify-mcts:parallel=root,per_move=50,final=robust",
                                          "seify-mcts:parallel=root,per_move=50,keep=false,final=max,games=1"};
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        soloist_limits limits = {.iterations = 8000, .threads = 4, .seed = 1};
        soloist_result result = solve(&samegame_domain, NULL, board, methods[i], limits);
        assert_int_equal(result.status, SOLOIST_SOLVED);
        assert_true(result.iterations <= 8000 && result.iterations > 4 * 50);
        soloist_result_free(&result);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(presets_differ),
        cmocka_unit_test(documents_have_their_own_rules),
        cmocka_unit_test(plain_methods_go_on_improving),
        cmocka_unit_test(plain_methods_play_for_two),
        cmocka_unit_test(the_sums_of_trees_decide),
        cmocka_unit_test(merged_trees_play_whole_games),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
