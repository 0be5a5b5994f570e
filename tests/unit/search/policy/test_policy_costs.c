/* Tree search guided by a network in domains of least cost, against a plain recursion with a made-up network: the same
 * visits and means at the root. A line is worth 1 less step_value per unit of cost, and 0 without a goal. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "any_network.h"
#include "domain/domain.h"
#include "search/policy/policy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const level = "#######\n#     #\n#.$@$.#\n#     #\n#######\n";

enum { MOVES = 8, STATE = 1024 };

static const soloist_core *core(void) { return sokoban_moves_domain.core; }

static float made_up_value(const soloist_instance *instance, const void *state) {
    return (float)(hash_mix(core()->key(instance, state) ^ 7) % 1000) / 1000;
}

static void made_up_priors(const soloist_instance *instance, const void *state, int count, float *priors) {
    float sum = 0;
    for (int i = 0; i < count; i++)
        sum += priors[i] = (float)(1 + hash_mix(core()->key(instance, state) + (uint64_t)i) % 50);
    for (int i = 0; i < count; i++)
        priors[i] /= sum;
}

/* ---- the plain search ---- */

struct plain {
    int count, visits[MOVES];
    soloist_move moves[MOVES];
    float priors[MOVES];
    double sum[MOVES], first;
    bool closed[MOVES];
    struct plain *child[MOVES];
};

struct world {
    const soloist_instance *instance;
    double c, step_value;
    int limit;
};

static double at_least_0(double value) { return value > 0 ? value : 0; }

static int plain_choose(const struct world *world, const struct plain *node) {
    int all = 1, best = -1;
    double most = 0;
    for (int i = 0; i < node->count; i++)
        all += node->visits[i];
    for (int i = 0; i < node->count; i++) {
        double q = node->visits[i] ? node->sum[i] / node->visits[i] : node->first;
        double u = q + world->c * (double)node->priors[i] * sqrt(all) / (1 + node->visits[i]);
        if (!node->closed[i] && (best < 0 || u > most + 1e-12))
            best = i, most = u;
    }
    return best;
}

static double plain_simulate(const struct world *world, struct plain **at, unsigned char *state, int depth,
                             int32_t cost, bool *closed) {
    int32_t last;
    soloist_move moves[MOVES];
    bool solved = core()->ended(world->instance, state, &last);
    *closed = solved || depth >= world->limit || !core()->moves(world->instance, state, moves);
    if (*closed)
        return solved ? at_least_0(1 - world->step_value * cost) : 0;
    if (!*at) {
        struct plain *node = *at = calloc(1, sizeof *node);
        node->count = core()->moves(world->instance, state, node->moves);
        made_up_priors(world->instance, state, node->count, node->priors);
        return node->first = at_least_0((double)made_up_value(world->instance, state) - world->step_value * cost);
    }
    struct plain *node = *at;
    int i = plain_choose(world, node);
    cost += core()->apply(world->instance, state, node->moves[i], NULL);
    double result = plain_simulate(world, &node->child[i], state, depth + 1, cost, &node->closed[i]);
    node->sum[i] += result;
    node->visits[i]++;
    *closed = true;
    for (int k = 0; k < node->count; k++)
        *closed = *closed && node->closed[k];
    return result;
}

static void plain_free(struct plain *node) {
    for (int i = 0; node && i < node->count; i++)
        plain_free(node->child[i]);
    free(node);
}

/* ---- the comparison ---- */

static void simulate(struct policy_tree *tree, struct policy_simulation *simulation) {
    enum policy_step step = policy_tree_begin(tree, simulation);
    while (step == POLICY_ASKS) {
        struct evaluation *question = &simulation->evaluation;
        made_up_priors(question->instance, question->state, question->move_count, question->priors);
        question->value = made_up_value(question->instance, question->state);
        step = policy_tree_go_on(tree, simulation);
    }
    assert_int_equal(step, POLICY_DONE);
}

static void searches_like_the_plain_one(void **state) {
    (void)state;
    soloist_puzzle puzzle;
    soloist_chunk chunk = {.text = level, .length = strlen(level), .line = 1, .name = ""};
    assert_int_equal(soloist_puzzle_read(&sokoban_moves_domain, "rules=none", &chunk, &puzzle, NULL), SOLOIST_OK);
    static const int limits[] = {4, 9, 50};
    bool solved = false;
    for (size_t t = 0; t < sizeof limits / sizeof *limits; t++) {
        struct evaluator evaluator = {.has_policy = true, .has_value = true, .step_value = 0.02};
        struct policy_options options;
        struct memory memory;
        struct policy_tree tree;
        struct policy_simulation simulation = {0};
        struct world world = {puzzle.instance, 1.5, 0.02, limits[t]};
        struct plain *root = NULL;
        soloist_options_reset(policy_options_rows, &options);
        soloist_options_parse(policy_options_rows, &options, "rollout=none,normalise=static,range=1,c=1.5", NULL);
        options.step_limit = limits[t];
        memory_open(&memory, 0);
        assert_true(policy_tree_open(&tree, &sokoban_moves_domain, puzzle.instance, &options, &evaluator, &memory, 1));
        policy_simulation_open(&simulation, &memory);
        for (int i = 0; i < 3000 && !policy_tree_is_over(&tree); i++) {
            unsigned char first[STATE];
            bool closed;
            sokoban_moves_domain.life->root(puzzle.instance, first);
            simulate(&tree, &simulation);
            double right = plain_simulate(&world, &root, first, 0, 0, &closed);
            assert_true(fabs(simulation.result - right) < 1e-6);
        }
        int count;
        const struct policy_edge *edges = policy_tree_root(&tree, &count);
        assert_int_equal(count, root->count);
        for (int i = 0; i < count; i++) {
            assert_int_equal(edges[i].visits, root->visits[i]);
            assert_true(fabs(edges[i].sum - root->sum[i]) < 1e-6);
        }
        /* The shorter of two solutions is kept, and its value is its cost. */
        solved |= tree.has_best;
        assert_true(!tree.has_best || tree.best.value == (int32_t)tree.best.count);
        plain_free(root);
        policy_simulation_close(&simulation);
        policy_tree_close(&tree);
        assert_int_equal(memory_used(&memory), 0);
    }
    assert_true(solved);
    soloist_puzzle_free(&puzzle);
}

/* The moves of a leaf are listed at its second visit: if there are none, the search goes on elsewhere. */
static void leaves_without_moves_are_left(void **state) {
    (void)state;
    static const char text[] = "########\n#.  # ##\n#$#   @#\n# $  .*#\n########\n";
    soloist *engine = soloist_new();
    soloist_chunk chunk = {.text = text, .length = strlen(text), .line = 1};
    soloist_puzzle puzzle;
    struct any_network any;
    assert_int_equal(soloist_puzzle_read(&sokoban_domain, NULL, &chunk, &puzzle, NULL), SOLOIST_OK);
    for (int threads = 1; threads <= 2; threads++)
        for (uint64_t seed = 1; seed <= 10; seed++) {
            soloist_limits limits = {.iterations = 120, .threads = threads, .seed = seed};
            soloist_result result;
            limits.network = any_network_open(&any, &sokoban_domain);
            assert_int_equal(soloist_solve(engine, &puzzle, "policy-mcts:ask_visits=5", &limits, NULL, &result, NULL),
                             SOLOIST_OK);
            assert_int_equal(result.stopped, SOLOIST_STOP_ITERATIONS);
            soloist_result_free(&result);
        }
    soloist_puzzle_free(&puzzle);
    soloist_free(engine);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(searches_like_the_plain_one),
                                       cmocka_unit_test(leaves_without_moves_are_left)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
