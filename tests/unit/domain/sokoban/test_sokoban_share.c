/* What searches of one instance share: findings save time and change nothing; patterns make searches shorter; with
 * threads all members of the mix use both at once. What a mix learns is gone with it: the same puzzle solved again
 * takes the same number of states. */
#include "domain/sokoban/sokoban_plain.h"

#include "domain/sokoban/sokoban_generated.h"

struct outcome {
    soloist_status status;
    uint64_t nodes;
};

static struct outcome solve(const soloist *engine, const soloist_puzzle *puzzle, const char *method, int threads) {
    soloist_result result;
    soloist_error error = {0};
    soloist_limits limits = {.threads = threads, .nodes = 20000};
    if (soloist_solve(engine, puzzle, method, &limits, NULL, &result, &error))
        fail_msg("%s: %s", method, error.text);
    struct outcome outcome = {result.status, result.nodes};
    soloist_result_free(&result);
    return outcome;
}

static soloist_puzzle read_level(const char *text, const char *options) {
    soloist_puzzle puzzle;
    soloist_error error;
    soloist_chunk chunk = plain_chunk(text);
    if (soloist_puzzle_read(&sokoban_domain, options, &chunk, &puzzle, &error))
        fail_msg("%s", error.text);
    return puzzle;
}

static void findings_change_nothing(void **unused) {
    (void)unused;
    soloist *engine = soloist_new();
    soloist_rng rng;
    soloist_rng_seed(&rng, 43, 0);
    for (int i = 0; i < 12; i++) {
        char *text = generated_level(10, 6, &rng);
        soloist_puzzle alone = read_level(text, "share=none"), shared = read_level(text, "share=findings");
        for (int k = 0; k < 2; k++) { /* the second time everything is found already */
            struct outcome a = solve(engine, &alone, "fess:first=1,plans=2", 1);
            struct outcome b = solve(engine, &shared, "fess:first=1,plans=2", 1);
            assert_int_equal(a.status, SOLOIST_SOLVED);
            assert_int_equal(b.status, SOLOIST_SOLVED);
            assert_int_equal(a.nodes, b.nodes);
        }
        soloist_puzzle_free(&alone);
        soloist_puzzle_free(&shared);
        free(text);
    }
    soloist_free(engine);
}

static void a_mix_learns_for_itself(void **unused) {
    (void)unused;
    static const char *const options[] = {"", "share=never"};
    soloist *engine = soloist_new();
    soloist_rng rng;
    soloist_rng_seed(&rng, 47, 0);
    for (int i = 0; i < 8; i++) {
        char *text = generated_level(10, 7, &rng);
        soloist_puzzle puzzle = read_level(text, options[i % 2]);
        struct outcome first = solve(engine, &puzzle, "auto", 1), again = solve(engine, &puzzle, "auto", 1);
        assert_int_equal(first.status, SOLOIST_SOLVED);
        assert_int_equal(again.nodes, first.nodes);
        assert_int_equal(solve(engine, &puzzle, "auto", 3).status, SOLOIST_SOLVED);
        soloist_puzzle_free(&puzzle);
        free(text);
    }
    soloist_free(engine);
}

/* The table comes in the middle of a search, and with several threads while others look for it. */
static void a_table_comes_late(void **unused) {
    (void)unused;
    soloist *engine = soloist_new();
    soloist_rng rng;
    soloist_rng_seed(&rng, 53, 0);
    for (int i = 0; i < 6; i++) {
        char *text = generated_level(9, 6, &rng);
        soloist_puzzle plain = read_level(text, "triples=0"), learning = read_level(text, "triples=100");
        const char *method = i % 2 ? "auto" : "astar";
        struct outcome without = solve(engine, &plain, "astar", 1),
                       with = solve(engine, &learning, method, 1 + i % 2 * 2);
        if (without.status == SOLOIST_SOLVED)
            assert_int_equal(with.status, SOLOIST_SOLVED);
        if (i % 2 == 0)
            assert_true(with.nodes <= without.nodes);
        soloist_puzzle_free(&plain);
        soloist_puzzle_free(&learning);
        free(text);
    }
    soloist_free(engine);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(findings_change_nothing),
        cmocka_unit_test(a_mix_learns_for_itself),
        cmocka_unit_test(a_table_comes_late),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
