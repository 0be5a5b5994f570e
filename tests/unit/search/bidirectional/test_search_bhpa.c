/* BHPA against A*: whatever ends are expanded it finds a line exactly where there is one, never a cheaper one than the
 * cheapest, and proves nothing but that there is none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/buffer.h"
#include "domain/domain.h"

#include <stdlib.h>
#include <string.h>

static const char *const variants[] = {"bhpa",           "bhpa:weight=1",           "bhpa:from=goal",
                                       "bhpa:from=root", "bhpa:from=goal,weight=2", "bhpa:from=root,weight=0",
                                       "bhpa:lean=4"};
enum { VARIANTS = sizeof variants / sizeof *variants };

static soloist_result solve(const soloist *engine, const soloist_puzzle *puzzle, const char *method,
                            const soloist_limits *limits) {
    soloist_result result;
    soloist_error error;
    if (soloist_solve(engine, puzzle, method, limits, NULL, &result, &error) != SOLOIST_OK)
        fail_msg("%s: %s", method, error.text);
    return result;
}

static void compare(const soloist *engine, const soloist_puzzle *puzzle) {
    soloist_result exact = solve(engine, puzzle, "astar", NULL);
    for (int v = 0; v < VARIANTS; v++) {
        soloist_result result = solve(engine, puzzle, variants[v], NULL);
        assert_int_equal(result.status, exact.status);
        if (result.status == SOLOIST_SOLVED) {
            assert_true(result.verdict.value >= exact.verdict.value);
            assert_true(!result.optimal || result.verdict.value == exact.verdict.value);
        }
        soloist_result_free(&result);
    }
    soloist_result_free(&exact);
}

/* Generated instances. */
static void instances_agree(const char *name, const char *make, const char *options, uint64_t count) {
    soloist *engine = soloist_new();
    const soloist_domain *domain = soloist_find_domain(engine, name);
    _Alignas(8) unsigned char generate[256];
    assert_true(domain->generate->options_size <= sizeof generate);
    for (uint64_t i = 0; i < count; i++) {
        struct buffer buffer;
        soloist_rng rng;
        soloist_error error;
        soloist_puzzle puzzle;
        soloist_chunk chunk;
        soloist_rng_seed(&rng, 11, i);
        buffer_open(&buffer);
        soloist_sink sink = buffer_sink(&buffer);
        soloist_options_reset(domain->generate->options, generate);
        assert_int_equal(soloist_options_parse(domain->generate->options, generate, make, &error), SOLOIST_OK);
        assert_int_equal(domain->generate->make(generate, &rng, &sink, &error), SOLOIST_OK);
        char *text = buffer_take(&buffer);
        soloist_cursor cursor = soloist_cursor_open(text, strlen(text));
        assert_true(domain->life->next(&cursor, &chunk));
        assert_int_equal(soloist_puzzle_read(domain, options, &chunk, &puzzle, &error), SOLOIST_OK);
        compare(engine, &puzzle);
        soloist_puzzle_free(&puzzle);
        free(text);
    }
    soloist_free(engine);
}

static void sokoban_agrees(void **unused) {
    (void)unused;
    instances_agree("sokoban", "boxes=3", NULL, 25);
    instances_agree("sokoban", "boxes=3", "pairs=on,tunnels=keeping", 15);
}

static void pancakes_and_tiles_agree(void **unused) {
    (void)unused;
    instances_agree("pancake", "n=8", NULL, 20);
    instances_agree("tiles", "width=3,height=3", NULL, 20);
}

static void what_has_no_solution_is_proved(void **unused) {
    (void)unused;
    static const char *const levels[] = {"#######\n#@ $  #\n#### ##\n#. $  #\n#. ####\n####\n",
                                         "########\n#@ $  .#\n# $##  #\n#  #. ##\n########\n",
                                         "#######\n#  .  #\n#@$#$ #\n#  .  #\n#######\n"};
    soloist *engine = soloist_new();
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
        soloist_puzzle puzzle;
        soloist_error error;
        soloist_chunk chunk = {.text = levels[i], .length = strlen(levels[i]), .line = 1, .name = ""};
        assert_int_equal(soloist_puzzle_read(soloist_find_domain(engine, "sokoban"), NULL, &chunk, &puzzle, &error),
                         SOLOIST_OK);
        compare(engine, &puzzle);
        soloist_puzzle_free(&puzzle);
    }
    soloist_free(engine);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sokoban_agrees),
        cmocka_unit_test(pancakes_and_tiles_agree),
        cmocka_unit_test(what_has_no_solution_is_proved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
