/* Searches of several simulated ranks that share their best line: under every schedule all ranks end, rank 0 has a line
 * that replays and is at least as good as its own search alone would find, and limits hold. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "domain/domain.h"
#include "engine/engine.h"
#include "peers_simulated.h"
#include "search/together.h"

enum { RANKS = 3 };

static const char board[] = "1122\n2131\n3213\n1322\n";
static const char large[] = "12312313\n23112321\n31213123\n12231231\n33121312\n21323121\n13212313\n23131232\n";
static const char level[] = "########\n#      #\n# $  . #\n#  #$  #\n# @  . #\n########\n";

struct scene {
    const soloist_domain *domain;
    const char *text, *method;
    uint64_t iterations; /* of each rank */
    uint64_t seed;       /* of the searches */
    int stopped;         /* the rank whose stop token is stopped from the beginning; -1: none */
    soloist_code code[RANKS];
    soloist_result result[RANKS];
    soloist_error error[RANKS];
};

static bool agree(void *user, bool ready) {
    (void)user;
    return ready;
}

static void search(void *user, struct peers *peers) {
    struct scene *scene = user;
    int rank = peers->rank;
    soloist *engine = soloist_new();
    soloist_chunk chunk = {.text = scene->text, .length = strlen(scene->text), .line = 1};
    soloist_stop_token stop = {0};
    soloist_limits limits = {.iterations = scene->iterations, .seed = scene->seed, .stop = &stop};
    struct engine_company company = {peers, agree, NULL};
    soloist_puzzle puzzle;
    if (rank == scene->stopped)
        soloist_stop_token_cancel(&stop);
    if (soloist_puzzle_read(scene->domain, NULL, &chunk, &puzzle, &scene->error[rank]) != SOLOIST_OK)
        abort();
    scene->code[rank] = engine_solve(engine, &puzzle, scene->method, &limits, NULL, NULL, &company, NULL, NULL,
                                     &scene->result[rank], &scene->error[rank]);
    soloist_puzzle_free(&puzzle);
    soloist_free(engine);
}

static soloist_result alone(const struct scene *scene) {
    soloist_result result;
    soloist *engine = soloist_new();
    soloist_chunk chunk = {.text = scene->text, .length = strlen(scene->text), .line = 1};
    soloist_limits limits = {.iterations = scene->iterations, .seed = scene->seed};
    soloist_puzzle puzzle;
    assert_int_equal(soloist_puzzle_read(scene->domain, NULL, &chunk, &puzzle, NULL), SOLOIST_OK);
    assert_int_equal(soloist_solve(engine, &puzzle, scene->method, &limits, NULL, &result, NULL), SOLOIST_OK);
    soloist_puzzle_free(&puzzle);
    soloist_free(engine);
    return result;
}

static void run(struct scene *scene, uint64_t seed) {
    struct simulation simulation = {.seed = seed,
                                    .count = RANKS,
                                    .longest_delay = (int)(seed % 40),
                                    .slow = seed % 3 ? -1 : (int)(seed % RANKS),
                                    .killed = -1};
    if (!simulated_run(&simulation, search, scene))
        fail_msg("%s, schedule %llu does not end", scene->method, (unsigned long long)seed);
    for (int rank = 0; rank < RANKS; rank++)
        if (scene->code[rank] != SOLOIST_OK)
            fail_msg("%s, schedule %llu: %s", scene->method, (unsigned long long)seed, scene->error[rank].text);
}

static void free_results(struct scene *scene) {
    for (int rank = 0; rank < RANKS; rank++)
        soloist_result_free(&scene->result[rank]);
}

/* The default options of the searches, and some that change how they run. */
static const struct {
    const soloist_domain *domain;
    const char *text, *method;
    uint64_t iterations;
} cases[] = {
    {&samegame_domain, board, "nrpa", 200},
    {&samegame_domain, board, "nrpa:level=2,n=10,race=false,share=0.5", 200},
    {&samegame_domain, board, "nrpa:level=2,n=5,race=false,spread=1", 200},
    {&samegame_domain, large, "nrpa:level=3,n=4,spread=1", 300},
    {&samegame_domain, large, "nrpa:level=3,n=4,race=false,spread=2,refine=0.5", 300},
    {&sokoban_domain, level, "nrpa:level=2,spread=1", 3000},
    {&samegame_domain, board, "nmcs", 200},
    {&samegame_domain, board, "uct", 200},
    {&samegame_domain, board, "spmcts:per_move=20", 200},
    {&sokoban_domain, level, "nrpa:level=2", 3000},
    {&sokoban_domain, level, "spmcts", 3000},
};

static void the_best_line_of_all_ranks_is_reported(void **unused) {
    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct scene scene = {.domain = cases[i].domain,
                              .text = cases[i].text,
                              .method = cases[i].method,
                              .iterations = cases[i].iterations,
                              .stopped = -1};
        soloist_result own = alone(&scene);
        /* With spread, rank 0 does not search as it would alone. */
        bool scored = scene.domain->aim == SOLOIST_MOST_SCORE && !strstr(scene.method, "spread");
        for (uint64_t seed = 0; seed < simulated_schedules(100); seed++) {
            run(&scene, seed);
            const soloist_result *result = &scene.result[0];
            assert_int_equal(result->status, SOLOIST_SOLVED);
            assert_non_null(result->solution);
            if (scored && result->verdict.value < own.verdict.value)
                fail_msg("%s, schedule %llu: %d, alone %d", scene.method, (unsigned long long)seed,
                         (int)result->verdict.value, (int)own.verdict.value);
            for (int rank = 0; rank < RANKS; rank++)
                assert_true(scene.result[rank].iterations <= scene.iterations);
            free_results(&scene);
        }
        soloist_result_free(&own);
    }
}

/* With some seeds the board is better solved by one of the other ranks, which rank 0 must report. */
static void lines_of_other_ranks_arrive(void **unused) {
    (void)unused;
    int better = 0;
    struct scene scene = {.domain = &samegame_domain,
                          .text = large,
                          .method = "nrpa:level=1,n=1,playouts=1,race=false",
                          .iterations = 1,
                          .stopped = -1};
    for (uint64_t seed = 0; seed < simulated_schedules(100); seed++) {
        scene.seed = seed % 10;
        soloist_result own = alone(&scene);
        run(&scene, seed);
        int32_t best = scene.result[0].verdict.value;
        for (int rank = 1; rank < RANKS; rank++)
            assert_true(!scene.result[rank].solution || scene.result[rank].verdict.value <= best);
        better += best > own.verdict.value;
        free_results(&scene);
        soloist_result_free(&own);
    }
    assert_true(better > 0);
}

/* If one rank is cancelled, the others do not wait for their own limits, of which they have none. */
static void a_cancelled_rank_ends_all(void **unused) {
    (void)unused;
    static const char *const methods[] = {"nrpa", "uct", "nrpa:spread=2"};
    for (int method = 0; method < 3; method++)
        for (int rank = 0; rank < RANKS; rank++)
            for (uint64_t seed = 0; seed < simulated_schedules(30); seed++) {
                struct scene scene = {.domain = &samegame_domain,
                                      .text = "12341\n23412\n34123\n41234\n13241\n",
                                      .method = methods[method],
                                      .iterations = 1u << 30,
                                      .stopped = rank};
                run(&scene, seed);
                assert_int_equal(scene.result[0].stopped, SOLOIST_STOP_CANCEL);
                free_results(&scene);
            }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_best_line_of_all_ranks_is_reported),
        cmocka_unit_test(lines_of_other_ranks_arrive),
        cmocka_unit_test(a_cancelled_rank_ends_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
