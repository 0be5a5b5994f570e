/* The depth-first search: its copies generate the same nodes, which are those published for Korf's 15-puzzles; a run
 * cut into pieces is the same run; the stacks grow, refuse and leave nothing behind. */
#include "domain/domain.h"
#include "domain/tiles/tiles.h"
#include "search/special/registry.h"
#include "search/special/tiles/depth_first_tiles.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>

typedef enum depth_first_end (*run_function)(struct depth_first *search, uint64_t limit);

static soloist_instance *parse(const char *text, const char *settings) {
    struct tiles_options options;
    soloist_options_reset(tiles_domain.options, &options);
    assert_int_equal(soloist_options_parse(tiles_domain.options, &options, settings, NULL), SOLOIST_OK);
    soloist_chunk chunk = {.text = text, .length = strlen(text), .line = 1};
    soloist_instance *instance = tiles_domain.life->parse(&chunk, &options, NULL);
    assert_non_null(instance);
    return instance;
}

/* Plays the path from the root: it must end at a goal. */
static void check_path(const struct depth_first *search) {
    const soloist_core *core = search->domain->core;
    int32_t last, cost = 0;
    search->domain->life->root(search->instance, search->state);
    for (uint32_t i = 0; i < search->path_length; i++)
        cost += core->apply(search->instance, search->state, search->path[i], NULL);
    assert_true(core->ended(search->instance, search->state, &last));
    assert_int_equal(cost, search->cost);
}

/* IDA*: rising thresholds until the goal, in pieces of `piece` nodes. Returns the nodes generated. */
static uint64_t iterate(const soloist_instance *instance, run_function run, uint64_t piece, int32_t *cost) {
    struct memory memory;
    struct depth_first search;
    memory_open(&memory, 0);
    assert_true(depth_first_open(&search, &tiles_domain, instance, &memory));
    tiles_domain.life->root(instance, search.state);
    int32_t threshold = tiles_domain.bound->value(instance, search.state);
    enum depth_first_end end;
    do {
        end = depth_first_begin(&search, threshold);
        while (end == DEPTH_FIRST_LIMIT) {
            uint64_t limit = piece ? search.generated + piece : UINT64_MAX;
            end = run(&search, limit);
            assert_true(end != DEPTH_FIRST_LIMIT || (search.generated >= limit && search.generated < limit + 3));
        }
        assert_true(end != DEPTH_FIRST_EXHAUSTED || search.next_threshold == threshold + 2);
        threshold = search.next_threshold;
    } while (end == DEPTH_FIRST_EXHAUSTED);
    assert_int_equal(end, DEPTH_FIRST_FOUND);
    check_path(&search);
    *cost = search.cost;
    uint64_t generated = search.generated;
    depth_first_close(&search);
    assert_int_equal(memory_used(&memory), 0);
    return generated;
}

/* Line `wanted` (from 1) of a shared file, comments not counted. False if the folder is not there. */
static bool shared_line(const char *name, int wanted, char *line, int room) {
    char path[512];
    snprintf(path, sizeof path, SOLOIST_SHARED "/tiles/%s", name);
    FILE *file = fopen(path, "r");
    if (!file)
        return false;
    while (wanted > 0 && fgets(line, room, file))
        wanted -= *line != ';';
    fclose(file);
    assert_int_equal(wanted, 0);
    return true;
}

static void node_counts_are_the_published_ones(void **unused) {
    (void)unused;
    static const int easy[] = {79, 12, 42, 55, 97};
    for (size_t i = 0; i < sizeof easy / sizeof easy[0]; i++) {
        char board[256], nodes[64], optimal[64];
        if (!shared_line("korf100.txt", easy[i], board, sizeof board)) {
            printf("SKIP needs shared: tiles/korf100.txt\n");
            skip();
        }
        assert_true(shared_line("korf100-ida-manhattan-generated.txt", easy[i], nodes, sizeof nodes));
        assert_true(shared_line("korf100-optimal.txt", easy[i], optimal, sizeof optimal));
        soloist_instance *instance = parse(board, "");
        int32_t generic_cost, tiles_cost;
        assert_true(special_ida_star(&tiles_domain)->depth_first(instance) == depth_first_tiles15);
        assert_int_equal(iterate(instance, depth_first_generic, 0, &generic_cost), strtoull(nodes, NULL, 10));
        assert_int_equal(iterate(instance, depth_first_tiles15, 0, &tiles_cost), strtoull(nodes, NULL, 10));
        assert_int_equal(generic_cost, atoi(optimal));
        assert_int_equal(tiles_cost, atoi(optimal));
        tiles_domain.life->destroy(instance);
    }
}

/* The same without files: walks from the goal, and the run in pieces. */
static void copies_agree_and_pieces_add_up(void **unused) {
    (void)unused;
    soloist_rng rng;
    soloist_rng_seed(&rng, 5, 0);
    for (int round = 0; round < 8; round++) {
        soloist_instance *solved = parse("0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15", "");
        uint64_t state[2];
        uint8_t board[16];
        char text[64], *at = text;
        soloist_move moves[4];
        tiles_domain.life->root(solved, state);
        for (int step = 0; step < 40 + 10 * round; step++) {
            int count = tiles_domain.core->moves(solved, state, moves);
            tiles_domain.core->apply(solved, state, moves[soloist_rng_below(&rng, (uint32_t)count)], NULL);
        }
        tiles_board_from_state(solved, (struct tiles_state *)state, board);
        for (int i = 0; i < 16; i++)
            at += sprintf(at, "%d ", board[i]);
        soloist_instance *instance = parse(text, ""), *conflict = parse(text, "bound=linear-conflict");
        int32_t cost[4];
        uint64_t nodes = iterate(instance, depth_first_generic, 0, &cost[0]);
        assert_int_equal(iterate(instance, depth_first_tiles15, 0, &cost[1]), nodes);
        assert_int_equal(iterate(instance, depth_first_tiles15, 97, &cost[2]), nodes);
        assert_int_equal(iterate(instance, depth_first_generic, 13, &cost[2]), nodes);
        assert_true(iterate(conflict, depth_first_generic, 0, &cost[3]) <= nodes);
        for (int i = 1; i < 4; i++)
            assert_int_equal(cost[i], cost[0]);
        assert_true(special_ida_star(&tiles_domain)->depth_first(conflict) == NULL);
        tiles_domain.life->destroy(solved), tiles_domain.life->destroy(instance), tiles_domain.life->destroy(conflict);
    }
}

static void a_solved_root_needs_no_nodes(void **unused) {
    (void)unused;
    soloist_instance *instance = parse("0 1 2 3", "");
    int32_t cost;
    assert_int_equal(iterate(instance, depth_first_generic, 0, &cost), 0);
    assert_int_equal(cost, 0);
    tiles_domain.life->destroy(instance);
}

/* On 2x2 the blank can only go round, one way or the other: a threshold of t makes 2 (t + 1) nodes, as deep as one
 * likes. */
static void stacks_grow_or_refuse(void **unused) {
    (void)unused;
    soloist_instance *instance = parse("0 2 1 3", "bound=none");
    assert_non_null(tiles_domain.life->impossible(instance));
    struct memory memory;
    struct depth_first search;
    memory_open(&memory, 0);
    assert_true(depth_first_open(&search, &tiles_domain, instance, &memory));
    size_t first = memory_used(&memory);
    assert_int_equal(depth_first_begin(&search, 1000), DEPTH_FIRST_LIMIT);
    memory.limit = first + 100;
    assert_int_equal(depth_first_generic(&search, UINT64_MAX), DEPTH_FIRST_NO_MEMORY);
    assert_int_equal(memory_used(&memory), first);
    memory.limit = 0;
    assert_int_equal(depth_first_generic(&search, UINT64_MAX), DEPTH_FIRST_EXHAUSTED);
    assert_int_equal(search.generated, 2002);
    assert_int_equal(search.next_threshold, 1001);
    depth_first_close(&search);
    assert_int_equal(memory_used(&memory), 0);

    memory_open(&memory, 64);
    assert_false(depth_first_open(&search, &tiles_domain, instance, &memory));
    depth_first_close(&search);
    assert_int_equal(memory_used(&memory), 0);
    tiles_domain.life->destroy(instance);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(node_counts_are_the_published_ones),
        cmocka_unit_test(copies_agree_and_pieces_add_up),
        cmocka_unit_test(a_solved_root_needs_no_nodes),
        cmocka_unit_test(stacks_grow_or_refuse),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
