/* Methods under the names that their options had before: read, spelled as today, and the same as under the new names.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "search/search.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *before, *now;
} pairs[] = {
    {"mcts:way=0.75", "mcts:path_weight=0.75"},
    {"mcts:c=2,second_way=-1,way=0,burst=4", "mcts:c=2,second_path_weight=-1,path_weight=0,burst=4"},
    {"vanillaban:prune=true,states=once", "vanillaban:prune=true,states=one-node"},
    {"uct:states=repeated", "uct:states=repeated"},
    {"auto:without=0", "auto:without=none"},
    {"auto:without=1", "auto:without=astar"},
    {"auto:without=578", "auto:without=bhpa+bhpa-goal+bhpa-macros"},
    {"auto:without=2048", "auto:without=fess-2"},
    {"astar", "astar"},
    {"astar:weight=5", "astar:weight=5"},
    {"policy-mcts:gumbel=16,per_move=30", "policy-mcts:gumbel=16,per_move=30"},
};

static void expect_spelling(const char *text, bool now, const char *expected) {
    char *spelled = search_spell(NULL, text, now);
    assert_string_equal(spelled, expected);
    free(spelled);
}

static void spells_both_ways(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        expect_spelling(pairs[i].before, true, pairs[i].now);
        expect_spelling(pairs[i].now, true, pairs[i].now);
        expect_spelling(pairs[i].now, false, pairs[i].before);
        expect_spelling(pairs[i].before, false, pairs[i].before);
    }
}

/* Complaints are the parser's. */
static void leaves_what_it_does_not_know(void **state) {
    (void)state;
    static const char *const texts[] = {
        "",       "nonsense",          "nonsense:way=1",      "mcts:",  "mcts:,,",
        "mcts:c", "auto:without=5000", "auto:without=nobody", "mcts:=", "auto:without=-1"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        expect_spelling(texts[i], true, texts[i]);
        expect_spelling(texts[i], false, texts[i]);
    }
}

static void reads_both_alike(void **state) {
    (void)state;
    static const soloist_domain any = {.aim = SOLOIST_LEAST_COST, .players = 1};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        struct search_choice before, now;
        soloist_error error = {0};
        char text[2][200];
        assert_int_equal(search_choose(NULL, pairs[i].before, &any, &before, &error), SOLOIST_OK);
        assert_int_equal(search_choose(NULL, pairs[i].now, &any, &now, &error), SOLOIST_OK);
        assert_memory_equal(before.options, now.options, before.method->options_size);
        search_choice_text(&before, text[0], sizeof text[0]);
        search_choice_text(&now, text[1], sizeof text[1]);
        assert_string_equal(text[0], text[1]);
        assert_null(strstr(text[0], "way="));
        search_choice_free(&before);
        search_choice_free(&now);
    }
}

static void names_an_option(void **state) {
    (void)state;
    const struct search_method *mcts = search_find(NULL, "mcts", 4);
    assert_string_equal(alias_option_now(mcts->aliases, "way"), "path_weight");
    assert_string_equal(alias_option_now(mcts->aliases, "c"), "c");
    assert_string_equal(alias_option_now(mcts->aliases, "nothing"), "nothing");
    assert_null(search_find(NULL, "mct", 3));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spells_both_ways),
        cmocka_unit_test(leaves_what_it_does_not_know),
        cmocka_unit_test(reads_both_alike),
        cmocka_unit_test(names_an_option),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
