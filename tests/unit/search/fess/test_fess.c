/* Feature-space search on graphs whose features mislead: it finds a way wherever there is one, proves that there is
 * none else, plays larger moves as the plain ones they stand for, and keeps its limits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "toy.h"
#include "soloist_extra.h"
#include "base/stop.h"

/* A larger move is one edge or two in a row. */
static soloist_move two_edges(long first, long second) { return (soloist_move)(first | (second + 1) << 12); }
static long first_of(soloist_move move) { return move & 4095; }
static long second_of(soloist_move move) { return (long)(move >> 12) - 1; }

static size_t guide_size(const soloist_instance *instance) {
    (void)instance;
    return 8;
}

static size_t state_size(const soloist_instance *instance) {
    (void)instance;
    return sizeof(struct toy_state);
}

static int most(const soloist_instance *instance) {
    long edges = toy_graph_of(instance)->edges;
    return (int)(edges * edges + edges + 1);
}

/* Attempts: the numbers of their plans, and the states that each expanded. */
enum { most_attempts = 16 };
static int attempts, numbers[most_attempts], expanded[most_attempts];

static void open_guide(const soloist_instance *instance, void *guide, int number) {
    (void)instance;
    memset(guide, 0, 8);
    if (attempts < most_attempts) {
        numbers[attempts] = number;
        expanded[attempts] = 0;
    }
    attempts++;
}

static void close_guide(const soloist_instance *instance, void *guide) { (void)instance, (void)guide; }

static unsigned dimensions(const soloist_instance *instance, const void *guide) {
    (void)instance, (void)guide;
    return 3;
}

static bool root(const soloist_instance *instance, void *guide, int index, void *state) {
    (void)guide;
    if (!index)
        toy_root(instance, state);
    return !index;
}

static bool ended(const soloist_instance *instance, const void *state) {
    int32_t last;
    return toy_ended(instance, state, &last);
}

static uint64_t features_of(int64_t node) { return (uint64_t)(node % 5) << 48 | (uint64_t)(node % 3) << 40; }

static uint64_t project(const soloist_instance *instance, void *guide, const void *state) {
    (void)instance, (void)guide;
    return features_of(((const struct toy_state *)state)->node);
}

static int list(const soloist_instance *instance, void *guide, const void *state, soloist_prospect *prospects) {
    const struct toy_graph *graph = toy_graph_of(instance);
    int64_t node = ((const struct toy_state *)state)->node;
    int count = 0;
    (void)guide;
    if (attempts && attempts <= most_attempts)
        expanded[attempts - 1]++;
    for (long a = 0; a < graph->edges; a++) {
        if (graph->edge[a].from != node)
            continue;
        int64_t to = graph->edge[a].to;
        prospects[count] = (soloist_prospect){toy_key(to), features_of(to), two_edges(a, -1), !count};
        count++;
        for (long b = 0; b < graph->edges; b++)
            if (graph->edge[b].from == to)
                prospects[count++] =
                    (soloist_prospect){toy_key(graph->edge[b].to), features_of(graph->edge[b].to), two_edges(a, b), 0};
    }
    return count;
}

static int plain(const soloist_instance *instance, void *guide, const void *state, soloist_move move,
                 soloist_move *moves) {
    (void)instance, (void)guide, (void)state;
    int count = second_of(move) < 0 ? 1 : 2;
    for (int i = 0; moves && i < count; i++)
        moves[i] = (soloist_move)(i ? second_of(move) : first_of(move));
    return count;
}

static void play(const soloist_instance *instance, void *guide, void *state, soloist_move move) {
    (void)guide;
    toy_apply(instance, state, (soloist_move)first_of(move), NULL);
    if (second_of(move) >= 0)
        toy_apply(instance, state, (soloist_move)second_of(move), NULL);
}

static bool dead(const soloist_instance *instance, void *guide, const void *state, soloist_move move) {
    (void)guide, (void)move;
    return toy_graph_of(instance)->to_goal[((const struct toy_state *)state)->node] == SOLOIST_DEAD;
}

static bool never_dead(const soloist_instance *instance, void *guide, const void *state, soloist_move move) {
    (void)instance, (void)guide, (void)state, (void)move;
    return false;
}

/* Learns nothing but when it thinks; then what is so. */
static bool doomed(const soloist_instance *instance, void *guide, const void *state, bool think) {
    return think && dead(instance, guide, state, SOLOIST_NO_MOVE);
}

static const char *const names[] = {"five", "three", NULL}, *const advisors[] = {"first", NULL};
static soloist_features toy_features = {.size = sizeof(soloist_features),
                                        .names = names,
                                        .advisors = advisors,
                                        .plans = 1,
                                        .guide_size = guide_size,
                                        .state_size = state_size,
                                        .most = most,
                                        .open = open_guide,
                                        .close = close_guide,
                                        .dimensions = dimensions,
                                        .root = root,
                                        .key = toy_state_key,
                                        .ended = ended,
                                        .project = project,
                                        .list = list,
                                        .play = play,
                                        .dead = dead,
                                        .doomed = doomed,
                                        .plain = plain};

static soloist_domain featured_graph(void) {
    soloist_domain domain = toy_graph_domain;
    domain.features = &toy_features;
    return domain;
}

static const char *graph_of(uint64_t seed) {
    static char text[20000];
    soloist_rng rng;
    soloist_rng_seed(&rng, seed, 3);
    int nodes = 2 + (int)soloist_rng_below(&rng, 40), edges = nodes + (int)soloist_rng_below(&rng, (uint32_t)nodes);
    toy_random_graph(&rng, nodes, edges, 1, 9, text, sizeof text);
    return text;
}

/* Its verdict is that of breadth-first search, whatever its options are. */
static void it_misses_nothing(void **unused) {
    static const char *const methods[] = {
        "fess",           "fess:turns=off",  "fess:best=off",   "fess:keep=off",
        "fess:cells=127", "fess:features=0", "fess:advisors=0", "fess:weights=off",
        "fess:think=off", "fess:restart=1",  "fess:restart=7",
    };
    (void)unused;
    soloist_domain domain = featured_graph();
    int solved = 0, impossible = 0;
    for (int deadly = 0; deadly < 2; deadly++) {
        toy_features.dead = deadly ? dead : never_dead;
        for (uint64_t seed = 0; seed < 100; seed++)
            for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
                soloist_result plain_result = toy_solve(&domain, graph_of(seed), "bfs", NULL);
                soloist_result result = toy_solve(&domain, graph_of(seed), methods[m], NULL);
                assert_int_equal(result.status, plain_result.status);
                solved += result.status == SOLOIST_SOLVED;
                impossible += result.status == SOLOIST_IMPOSSIBLE;
                soloist_result_free(&plain_result);
                soloist_result_free(&result);
            }
    }
    assert_true(solved > 200 && impossible > 200);
}

/* Node limits hold exactly; a small memory ends the run in order. */
static void limits_hold(void **unused) {
    (void)unused;
    soloist_domain domain = featured_graph();
    bool cut = false, full = false;
    toy_features.dead = never_dead;
    for (uint64_t seed = 0; seed < 100; seed++) {
        soloist_limits limits = {.nodes = 1 + seed % 20};
        soloist_result result = toy_solve(&domain, graph_of(seed), "fess", &limits);
        assert_true(result.nodes <= limits.nodes);
        cut |= result.stopped == SOLOIST_STOP_NODES;
        soloist_result_free(&result);
        limits = (soloist_limits){.memory = 1000 + 3000 * (size_t)seed};
        result = toy_solve(&domain, graph_of(seed), "fess", &limits);
        assert_true(result.peak_bytes <= limits.memory);
        full |= result.stopped == SOLOIST_STOP_MEMORY;
        soloist_result_free(&result);
    }
    assert_true(cut && full);
}

/* Attempts are as long as Luby's sequence says, each with a plan of its own. */
static void restarts_grow(void **unused) {
    static const int luby[] = {1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4};
    enum { many = sizeof luby / sizeof *luby };
    char text[2000] = "graph 100";
    (void)unused;
    soloist_domain domain = featured_graph();
    toy_features.dead = never_dead;
    for (int node = 0; node < 99; node++)
        snprintf(text + strlen(text), sizeof text - strlen(text), " %d %d 1", node, node + 1);
    attempts = 0;
    soloist_result result = toy_solve(&domain, text, "fess:restart=3,first=2", NULL);
    assert_int_equal(result.status, SOLOIST_SOLVED);
    assert_true(attempts > many);
    for (int i = 0; i < many; i++) {
        assert_int_equal(numbers[i], 2 + i);
        assert_int_equal(expanded[i], 3 * luby[i]);
    }
    soloist_result_free(&result);
}

/* However many plans are tried, each gets its share of the nodes, and the last one gets what is left. */
static void attempts_share_the_nodes(void **unused) {
    char text[12000] = "graph 250";
    size_t length = strlen(text);
    (void)unused;
    soloist_domain domain = featured_graph();
    soloist_limits limits = {.nodes = 240};
    toy_features.dead = never_dead;
    for (int node = 0; node < 249; node++)
        length += (size_t)snprintf(text + length, sizeof text - length, " %d %d 1", node, node + 1);
    attempts = 0;
    soloist_result result = toy_solve(&domain, text, "fess:plans=110", &limits);
    assert_int_equal(result.status, SOLOIST_UNSOLVED);
    assert_int_equal(result.nodes, 240);
    assert_int_equal(attempts, 110);
    assert_true(expanded[0] < 4);
    soloist_result_free(&result);
}

/* A cancelled run ends. */
static void it_can_be_cancelled(void **unused) {
    (void)unused;
    soloist_domain domain = featured_graph();
    soloist_stop_token cancel = {.cancelled = 1};
    soloist_limits limits = {.stop = &cancel};
    soloist_result result = toy_solve(&domain, "graph 3 0 1 1 1 0 1", "fess", &limits);
    assert_int_equal(result.status, SOLOIST_UNSOLVED);
    assert_int_equal(result.stopped, SOLOIST_STOP_CANCEL);
    soloist_result_free(&result);
}

/* A domain without the group is refused in a sentence; one whose group lacks a function cannot be added. */
static void what_is_missing_is_said(void **unused) {
    (void)unused;
    soloist *engine = soloist_new();
    soloist_puzzle puzzle;
    soloist_result result;
    soloist_error error;
    assert_int_equal(toy_puzzle(&toy_graph_domain, "graph 2 0 1 1", &puzzle), SOLOIST_OK);
    assert_int_equal(soloist_solve(engine, &puzzle, "fess", NULL, NULL, &result, &error), SOLOIST_UNSUPPORTED);
    assert_non_null(strstr(error.text, "features"));
    soloist_puzzle_free(&puzzle);
    soloist_features broken = toy_features;
    soloist_domain domain = toy_graph_domain;
    broken.list = NULL;
    domain.features = &broken;
    assert_int_equal(soloist_add_domain(engine, &domain, &error), SOLOIST_MISUSE);
    assert_non_null(strstr(error.text, "features.list"));
    soloist_free(engine);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_misses_nothing),       cmocka_unit_test(limits_hold),
        cmocka_unit_test(restarts_grow),           cmocka_unit_test(it_can_be_cancelled),
        cmocka_unit_test(what_is_missing_is_said), cmocka_unit_test(attempts_share_the_nodes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
