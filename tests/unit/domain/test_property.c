/* What must hold for every built-in domain, on instances that its own generator makes: the contract (validated state
 * by state), bounds that never exceed exact distances, and searches that agree with each other and with the referee. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/buffer.h"
#include "base/heap.h"
#include "base/table.h"
#include "domain/domain.h"
#include "domain/validate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Generator options that make instances small enough for exact search. */
static const struct {
    const char *domain, *options;
} small[] = {
    {"sokoban", "width=7,height=7,boxes=2,total_positions=3000"},
    {"sokoban-moves", "width=7,height=7,boxes=2,total_positions=3000"},
    {"samegame", "width=5,height=4,colours=3"},
    {"tiles", "width=3,height=2"},
    {"pancake", "n=7"},
    {"tictactoe", "marks=2"},
};

static const char *small_options(const char *domain) {
    for (size_t i = 0; i < sizeof small / sizeof small[0]; i++)
        if (!strcmp(small[i].domain, domain))
            return small[i].options;
    return NULL;
}

/* One generated instance's text; NULL options: the generator's own defaults. The caller frees it. */
static char *generate(const soloist_domain *domain, const char *settings, uint64_t seed) {
    const soloist_generate *make = domain->generate;
    void *options = calloc(1, make->options_size + 1);
    soloist_error error = {0};
    soloist_rng rng;
    struct buffer buffer;
    buffer_open(&buffer);
    soloist_sink sink = buffer_sink(&buffer);
    soloist_rng_seed(&rng, seed, 0);
    soloist_options_reset(make->options, options);
    if (soloist_options_parse(make->options, options, settings, &error) != SOLOIST_OK ||
        make->make(options, &rng, &sink, &error) != SOLOIST_OK)
        fail_msg("%s: %s", domain->name, error.text);
    free(options);
    return buffer_take(&buffer);
}

/* Reads the first instance of a text. */
static void read_puzzle(const soloist_domain *domain, const char *text, soloist_puzzle *puzzle) {
    soloist_cursor cursor = soloist_cursor_open(text, strlen(text));
    soloist_chunk chunk;
    soloist_error error = {0};
    if (!domain->life->next(&cursor, &chunk))
        fail_msg("%s: the generator wrote no instance: %s", domain->name, text);
    if (soloist_puzzle_read(domain, NULL, &chunk, puzzle, &error) != SOLOIST_OK)
        fail_msg("%s: %d:%d: %s in %s", domain->name, error.line, error.column, error.text, text);
}

static void generate_puzzle(const soloist_domain *domain, const char *settings, uint64_t seed, soloist_puzzle *puzzle) {
    char *text = generate(domain, settings, seed);
    read_puzzle(domain, text, puzzle);
    free(text);
}

static void generated_instances_keep_the_contract(void **unused) {
    (void)unused;
    for (size_t d = 0; domain_builtin[d]; d++)
        for (uint64_t seed = 0; domain_builtin[d]->generate && seed < 6; seed++) {
            soloist_puzzle puzzle;
            soloist_error error = {0};
            generate_puzzle(domain_builtin[d], seed % 2 ? small_options(domain_builtin[d]->name) : NULL, seed, &puzzle);
            if (!domain_validate(domain_builtin[d], &puzzle, seed, 30, 100, &error))
                fail_msg("%s, seed %d: %s\n%s", domain_builtin[d]->name, (int)seed, error.text, puzzle.text);
            soloist_puzzle_free(&puzzle);
        }
}

static void generated_instances_are_recognised(void **unused) {
    (void)unused;
    soloist *engine = soloist_new();
    for (size_t d = 0; domain_builtin[d]; d++) {
        if (!domain_builtin[d]->generate || !strcmp(domain_builtin[d]->name, "sokoban-moves"))
            continue;
        char *text = generate(domain_builtin[d], NULL, 1);
        assert_ptr_equal(soloist_recognise(engine, text, strlen(text)), domain_builtin[d]);
        free(text);
    }
    soloist_free(engine);
}

/* Solves and fails on any code but OK. */
static soloist_result solve(const soloist *engine, const soloist_puzzle *puzzle, const char *method, uint64_t nodes) {
    soloist_limits limits = {.nodes = nodes, .seed = 5};
    soloist_result result;
    soloist_error error = {0};
    if (soloist_solve(engine, puzzle, method, &limits, NULL, &result, &error) != SOLOIST_OK)
        fail_msg("%s by %s: %s\n%s", puzzle->domain->name, method, error.text, puzzle->text);
    return result;
}

/* ---- the plain reference: cheapest first through moves and apply alone, nothing pruned ---- */

struct plain {
    const soloist_puzzle *puzzle;
    soloist_shape shape;
    struct memory memory;
    struct table table; /* states, each with its cost before it */
    struct heap open;
    void *state, *child;
    soloist_move *moves;
};

static void plain_open(struct plain *plain, const soloist_puzzle *puzzle) {
    plain->puzzle = puzzle;
    puzzle->domain->life->shape(puzzle->instance, &plain->shape);
    memory_open(&plain->memory, 0);
    assert_true(table_open(&plain->table, &plain->memory, plain->shape.state_size, sizeof(int64_t)));
    heap_open(&plain->open, &plain->memory);
    plain->state = malloc(plain->shape.state_size);
    plain->child = malloc(plain->shape.state_size);
    plain->moves = malloc((size_t)plain->shape.most_moves * sizeof(soloist_move));
}

static void plain_close(struct plain *plain) {
    table_close(&plain->table);
    heap_close(&plain->open);
    free(plain->state);
    free(plain->child);
    free(plain->moves);
}

static void plain_reach(struct plain *plain, const void *state, int64_t cost) {
    bool added;
    uint64_t key = plain->puzzle->domain->core->key_from_scratch(plain->puzzle->instance, state);
    uint32_t index = table_put(&plain->table, key, state, &added);
    int64_t *known = table_extra(&plain->table, index);
    if (added || cost < *known) {
        *known = cost;
        heap_push(&plain->open, (uint64_t)cost, index);
    }
}

enum { UNSOLVABLE = -1, UNKNOWN = -2 };

/* The exact cost from a state to the goal. */
static int64_t plain_distance(const soloist_puzzle *puzzle, const void *from) {
    const soloist_core *core = puzzle->domain->core;
    struct plain plain;
    int64_t answer = UNSOLVABLE;
    uint64_t cost;
    uint32_t index;
    int32_t last;
    plain_open(&plain, puzzle);
    plain_reach(&plain, from, 0);
    while (answer == UNSOLVABLE && heap_pop(&plain.open, &cost, &index)) {
        memcpy(plain.state, table_string(&plain.table, index), plain.shape.state_size);
        if (core->ended(puzzle->instance, plain.state, &last))
            answer = (int64_t)cost;
        else if (table_count(&plain.table) > 60000)
            answer = UNKNOWN;
        int count = core->moves(puzzle->instance, plain.state, plain.moves);
        for (int i = 0; i < count; i++) {
            memcpy(plain.child, plain.state, plain.shape.state_size);
            int32_t step = core->apply(puzzle->instance, plain.child, plain.moves[i], NULL);
            plain_reach(&plain, plain.child, (int64_t)cost + step);
        }
    }
    plain_close(&plain);
    return answer;
}

/* A bound above the exact cost is wrong, and so is calling dead what can be solved. Returns whether there was a cost to
 * compare with. */
static int compare_bound(const soloist_puzzle *puzzle, const void *state) {
    const soloist_bound *bound = puzzle->domain->bound;
    int64_t exact = plain_distance(puzzle, state);
    if (exact < 0)
        return 0;
    int32_t value = bound->value(puzzle->instance, state);
    if (value > exact)
        fail_msg("%s: bound %d, exact %d, after a line from\n%s", puzzle->domain->name, (int)value, (int)exact,
                 puzzle->text);
    if (bound->dead && bound->dead(puzzle->instance, state))
        fail_msg("%s: said to be dead, solvable at %d, after a line from\n%s", puzzle->domain->name, (int)exact,
                 puzzle->text);
    return 1;
}

/* Along a random line of play, through all moves, dead ends included. */
static int compare_along_line(const soloist_puzzle *puzzle, uint64_t seed) {
    const soloist_core *core = puzzle->domain->core;
    soloist_shape shape;
    puzzle->domain->life->shape(puzzle->instance, &shape);
    void *state = malloc(shape.state_size);
    soloist_move *moves = malloc((size_t)shape.most_moves * sizeof *moves);
    soloist_rng rng;
    soloist_rng_seed(&rng, seed, 9);
    puzzle->domain->life->root(puzzle->instance, state);
    int compared = 0, count = 1;
    for (int step = 0; step < 12 && count > 0; step++) {
        compared += compare_bound(puzzle, state);
        count = core->moves(puzzle->instance, state, moves);
        if (count > 0)
            core->apply(puzzle->instance, state, moves[soloist_rng_below(&rng, (uint32_t)count)], NULL);
    }
    free(state);
    free(moves);
    return compared;
}

static bool is_goal_domain(const soloist_domain *domain) {
    return domain->aim == SOLOIST_LEAST_COST && domain->players == 1 && domain->generate;
}

static void bounds_never_exceed_exact_distances(void **unused) {
    (void)unused;
    for (size_t d = 0; domain_builtin[d]; d++) {
        int compared = 0;
        const soloist_domain *domain = domain_builtin[d];
        for (uint64_t seed = 0; is_goal_domain(domain) && domain->bound && seed < 8; seed++) {
            soloist_puzzle puzzle;
            generate_puzzle(domain, small_options(domain->name), seed, &puzzle);
            compared += compare_along_line(&puzzle, seed);
            soloist_puzzle_free(&puzzle);
        }
        assert_true(compared > 0 || !is_goal_domain(domain));
    }
}

static int64_t exact_cost(const soloist_puzzle *puzzle) {
    soloist_shape shape;
    puzzle->domain->life->shape(puzzle->instance, &shape);
    void *state = malloc(shape.state_size);
    puzzle->domain->life->root(puzzle->instance, state);
    int64_t exact = plain_distance(puzzle, state);
    free(state);
    return exact;
}

/* Exact searches give the reference's cost, any search a solution that the referee confirms and that costs no less. */
static void searches_agree(void **unused) {
    (void)unused;
    static const char *const methods[] = {"astar", "astar:weight=3", "idastar", "greedy:improve", "random", "auto"};
    soloist *engine = soloist_new();
    for (size_t d = 0; domain_builtin[d]; d++)
        for (uint64_t seed = 10; is_goal_domain(domain_builtin[d]) && seed < 14; seed++) {
            soloist_puzzle puzzle;
            generate_puzzle(domain_builtin[d], small_options(domain_builtin[d]->name), seed, &puzzle);
            int64_t exact = exact_cost(&puzzle);
            soloist_result breadth = solve(engine, &puzzle, "bfs", 1000000);
            assert_int_equal(breadth.status, SOLOIST_SOLVED);
            assert_true(breadth.optimal);
            assert_int_equal(breadth.verdict.value, exact);
            soloist_result_free(&breadth);
            for (size_t m = 0; m < sizeof methods / sizeof methods[0]; m++) {
                soloist_result result = solve(engine, &puzzle, methods[m], 100000);
                if (result.solution)
                    assert_true(result.verdict.value >= exact);
                if (result.optimal)
                    assert_int_equal(result.verdict.value, exact);
                if (!strcmp(methods[m], "astar"))
                    assert_true(result.optimal);
                soloist_result_free(&result);
            }
            soloist_puzzle_free(&puzzle);
        }
    soloist_free(engine);
}

static void score_games_are_finished(void **unused) {
    (void)unused;
    static const char *const methods[] = {"random", "greedy", "auto"};
    soloist *engine = soloist_new();
    for (size_t d = 0; domain_builtin[d]; d++) {
        const soloist_domain *domain = domain_builtin[d];
        for (uint64_t seed = 0; domain->aim == SOLOIST_MOST_SCORE && domain->players == 1 && seed < 6; seed++) {
            soloist_puzzle puzzle;
            generate_puzzle(domain, seed % 2 ? small_options(domain->name) : NULL, seed, &puzzle);
            for (size_t m = 0; m < sizeof methods / sizeof methods[0]; m++) {
                soloist_result result = solve(engine, &puzzle, methods[m], 20000);
                assert_int_equal(result.status, SOLOIST_SOLVED);
                assert_non_null(result.solution);
                soloist_result_free(&result);
            }
            soloist_puzzle_free(&puzzle);
        }
    }
    soloist_free(engine);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(generated_instances_keep_the_contract),
        cmocka_unit_test(generated_instances_are_recognised),
        cmocka_unit_test(bounds_never_exceed_exact_distances),
        cmocka_unit_test(searches_agree),
        cmocka_unit_test(score_games_are_finished),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
