/* What general code learns from a domain's table alone: its mix, its rewards and its play-outs, by their names. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdatomic.h>

static struct { atomic_int learning, eager, height, mix; } seen;
#define LADDER_NOTE(what) atomic_fetch_add(&seen.what, 1)
#include "plugin/ladder.c"

static soloist_code try(const soloist_domain *domain, const char *options, const char *method,
                        const soloist_limits *limits, soloist_result *result, soloist_error *error) {
    static const char text[] = "ladder 11";
    soloist_chunk chunk = {.text = text, .length = sizeof text - 1, .line = 1};
    soloist *engine = soloist_new();
    soloist_puzzle puzzle;
    assert_int_equal(soloist_add_domain(engine, domain, error), SOLOIST_OK);
    assert_int_equal(soloist_puzzle_read(soloist_find_domain(engine, "ladder"), options, &chunk, &puzzle, error),
                     SOLOIST_OK);
    memset(&seen, 0, sizeof seen);
    soloist_code code = soloist_solve(engine, &puzzle, method, limits, NULL, result, error);
    assert_int_equal(soloist_method_suits(engine, &puzzle, method, limits, NULL), code);
    soloist_puzzle_free(&puzzle);
    soloist_free(engine);
    return code;
}

static const soloist_limits many_nodes = {.nodes = 5000, .threads = 1, .memory = (size_t)256 << 20};

/* Which method answered. */
static void expect_method(const char *options, const char *method, const soloist_limits *limits, const char *expected) {
    soloist_result result;
    soloist_error error = {0};
    if (try(&ladder, options, method, limits, &result, &error) != SOLOIST_OK)
        fail_msg("%s: %s", method, error.text);
    assert_int_equal(result.status, SOLOIST_SOLVED);
    assert_string_equal(result.method, expected);
    soloist_result_free(&result);
}

static void refuse(const soloist_domain *domain, const char *method, const char *sentence) {
    soloist_result result;
    soloist_error error = {0};
    assert_int_equal(try(domain, NULL, method, &many_nodes, &result, &error), SOLOIST_UNSUPPORTED);
    assert_string_equal(error.text, sentence);
}

static void auto_runs_the_mix(void **unused) {
    (void)unused;
    expect_method(NULL, "auto", &many_nodes, "mcts:reward=height,simulate=eager");
    assert_true(seen.mix && seen.learning && seen.eager && seen.height);
    expect_method(NULL, "auto:without=tree", &many_nodes, "nrpa:level=1,n=20");
    assert_true(seen.learning && !seen.eager);
    expect_method(NULL, "auto", &(soloist_limits){.iterations = 1000}, "minimax+nrpa:level=1,n=20");
    assert_false(seen.learning);
    expect_method("mix=none", "auto", &many_nodes, "astar");
    expect_method(NULL, "auto", &(soloist_limits){0}, "astar");
}

/* If the memory for what is learned is short, nothing is learned. */
static void learning_needs_memory(void **unused) {
    (void)unused;
    expect_method(NULL, "auto", &(soloist_limits){.nodes = 5000, .memory = (size_t)48 << 20},
                  "mcts:reward=height,simulate=eager");
    assert_int_equal(seen.learning, 0);
}

static void names_are_those_of_the_domain(void **unused) {
    (void)unused;
    expect_method(NULL, "mcts:reward=height,simulate=eager", &many_nodes, "mcts:simulate=eager,reward=height");
    assert_true(seen.eager && seen.height);
    expect_method(NULL, "uct:reward=depth,simulate=auto", &many_nodes, "uct:simulate=auto,reward=depth");
    assert_true(seen.eager && !seen.height);
    expect_method(NULL, "random:policy=eager", &many_nodes, "random:policy=eager");
    assert_true(seen.eager);
    expect_method(NULL, "random:policy=1", &many_nodes, "random:policy=1");
    assert_true(seen.eager);
    expect_method(NULL, "random", &many_nodes, "random");
    assert_false(seen.eager);
}

static void unknown_names_are_refused(void **unused) {
    (void)unused;
    refuse(&ladder, "mcts:reward=width", "ladder has no reward width; it has height, depth");
    refuse(&ladder, "mcts:simulate=lazy", "ladder has no play-out lazy; it has random, eager");
    refuse(&ladder, "random:policy=lazy", "ladder has no play-out policy lazy; it has random, eager");
    refuse(&ladder, "auto:without=tree+x", "without: the mix for ladder has no member x; its members are tree, policy");
    refuse(&ladder, "auto:without=tree+policy",
           "without: the mix for ladder needs at least one member; its members are tree, policy");
}

static soloist_mix wrong;
static const soloist_mix *give_wrong(const soloist_instance *instance, const soloist_limits *limits) {
    (void)instance, (void)limits;
    return &wrong;
}

static void wrong_mixes_are_refused(void **unused) {
    (void)unused;
    soloist_hints own = {.size = sizeof own, .mix = give_wrong};
    soloist_domain domain = ladder;
    domain.hints = &own;
    soloist_member member = {.name = "a", .method = "astar"};
    wrong = (soloist_mix){.size = sizeof wrong, .members = &member, .count = 1, .round_robin = true};
    refuse(&domain, "auto", "member a of the mix of ladder needs a share of 1 or more");
    wrong.round_robin = false;
    refuse(&domain, "auto", "member a of the mix of ladder needs a percent of 1 to 100");
    wrong.count = 0;
    refuse(&domain, "auto", "the mix of ladder needs 1 to 24 members");
    wrong.count = 1;
    member.percent = 60;
    member.method = "auto:without=none";
    refuse(&domain, "auto", "member a of the mix of ladder: auto cannot be a member of a mix");
    member.method = "nope";
    refuse(&domain, "auto", "member a of the mix of ladder: unknown method 'nope': did you mean nrpa?");
    member.method = "astar";
    member.changes = "foo=1";
    refuse(&domain, "auto", "member a of the mix of ladder: unknown option 'foo'; known: learns, mix");
    member.method = NULL;
    refuse(&domain, "auto", "member 1 of the mix of ladder needs a name and a method");
}

/* A mix that was compiled with a header in which it had no changes yet. */
static void an_earlier_mix_is_read(void **unused) {
    (void)unused;
    soloist_hints own = {.size = sizeof own, .mix = give_wrong};
    soloist_domain domain = ladder;
    domain.hints = &own;
    soloist_member member = {.name = "a", .method = "astar", .percent = 100};
    soloist_result result;
    soloist_error error;
    wrong = (soloist_mix){.size = offsetof(soloist_mix, changes), .members = &member, .count = 1, .changes = "x"};
    assert_int_equal(try(&domain, NULL, "auto", &many_nodes, &result, &error), SOLOIST_OK);
    assert_true(result.optimal);
    soloist_result_free(&result);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(auto_runs_the_mix),
        cmocka_unit_test(learning_needs_memory),
        cmocka_unit_test(names_are_those_of_the_domain),
        cmocka_unit_test(unknown_names_are_refused),
        cmocka_unit_test(wrong_mixes_are_refused),
        cmocka_unit_test(an_earlier_mix_is_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
