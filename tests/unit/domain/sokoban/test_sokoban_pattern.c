/* Pattern search against the truth: on small levels every state is solved by plain improvement. What is learned never
 * calls a solvable state dead nor exceeds its cost, and a small search with all boxes is exact. */
#include "domain/sokoban/sokoban_whole.h"

#include "domain/sokoban/sokoban_generated.h"

#include "domain/sokoban/pattern/pattern.h"

#include <pthread.h>

#define ALONE "pairs=off,corrals=off,corral_deadlocks=off,freeze=off,wall_line=off,"

struct config {
    const char *options;
    bool exact, leaves_out; /* costs count steps; corrals may leave out a push that is not lost */
};

static const struct config configs[] = {
    {ALONE "pattern_deadlocks=on", false, false},
    {ALONE "penalties=sound", false, false},
    {"corrals=off,pattern_deadlocks=on,penalties=sound,pattern_zone=0", false, false},
    {"pattern_deadlocks=on,penalties=sound,deadlock_nodes=20,penalty_nodes=10,pattern_zone=3", false, true},
    {"bound=matching-manhattan,corrals=off,penalties=sound", false, false},
    {"bound=remaining,bipartite=off,corrals=off,penalties=sound,pattern_zone=1", false, false},
    {"optimal=moves,pattern_deadlocks=on,penalties=sound", true, false},
    {"tunnels=keeping,penalties=sound", false, true},
};
#define CONFIGS (sizeof configs / sizeof *configs)

/* How often anything was learned: a test in which that never happens shows nothing. */
struct tally {
    int states, lost, raised, patterns;
};

struct check {
    const struct whole *whole;
    const struct sokoban *game;
    const soloist_instance *instance, *plain; /* plain: without patterns */
    const struct config *config;
    struct tally *tally;
};

static int cost_of(const struct check *c, unsigned at) {
    return c->config->exact ? c->whole->steps[at] : c->whole->pushes[at];
}

/* Every child that has a way on is listed unless a corral leaves it out, with a bound that holds. */
static void check_children(const struct check *c, const void *state, int cost) {
    _Alignas(8) unsigned char child[64];
    soloist_move moves[64];
    soloist_child children[64];
    int count = sokoban_push_core.moves(c->instance, state, moves), best = WHOLE_FAR;
    int expanded = sokoban_push_core.expand(c->instance, state, SOLOIST_NO_MOVE, SOLOIST_WANT_BOUND, children);
    for (int i = 0, listed = 0; i < count; i++) {
        memcpy(child, state, sizeof child);
        int step = sokoban_push_core.apply(c->instance, child, moves[i], NULL);
        int rest = cost_of(c, whole_index(c->whole, c->game, child));
        bool there = listed < expanded && children[listed].move == moves[i];
        assert_true(there || rest == WHOLE_FAR || c->config->leaves_out);
        if (!there)
            continue;
        assert_true(children[listed++].bound <= rest);
        best = rest + step < best ? rest + step : best;
    }
    if (cost > 0 && cost < WHOLE_FAR)
        assert_int_equal(best, cost);
}

static void check_state(const struct check *c, unsigned at) {
    _Alignas(8) unsigned char state[64];
    int cost = cost_of(c, at);
    whole_state(c->whole, c->game, at >> 4, (int)(at & 15), (void *)state);
    check_children(c, state, cost);
    int32_t value = sokoban_bound.value(c->instance, state), plain = sokoban_bound.value(c->plain, state);
    assert_true(value <= cost || cost == WHOLE_FAR);
    assert_true(value >= plain);
    c->tally->states++;
    c->tally->raised += value != SOLOIST_DEAD && value > plain;
    c->tally->lost += value == SOLOIST_DEAD && plain != SOLOIST_DEAD;
}

/* A small search with all boxes and without a limit that it meets finds the cost. */
static void check_search(const struct check *c, unsigned at) {
    _Alignas(8) unsigned char block[64];
    struct sokoban_state *state = (struct sokoban_state *)(void *)block;
    struct pattern_finding finding;
    const struct patterns *patterns = c->game->patterns;
    whole_state(c->whole, c->game, at >> 4, (int)(at & 15), state);
    if (sokoban_on_dead_square(c->game, state))
        return;
    pattern_search(c->game, PATTERN_PENALTY, state->boxes, (int)state->player, &finding);
    if (c->whole->pushes[at] == WHOLE_FAR) {
        assert_int_equal(finding.value, SOKOBAN_NEVER);
        return;
    }
    int32_t base = 0;
    for (BITSET_EACH(box, state->boxes, (size_t)c->game->words))
        base += patterns->estimate[PATTERN_PENALTY][sokoban_post(c->game, box, (int)state->player)];
    for (int g = 0; g < c->game->goals; g++)
        base -= patterns->price[PATTERN_PENALTY][c->game->goal_square[g]];
    assert_true(finding.solved);
    assert_int_equal(base + finding.value, c->whole->pushes[at]);
}

/* No box of a pattern can be left out: the others alone are worth less. */
static void check_minimal(const struct check *c) {
    const struct patterns *patterns = c->game->patterns;
    enum pattern_kind kind = c->game->rules.penalties ? PATTERN_PENALTY : PATTERN_DEADLOCK;
    size_t n = (size_t)c->game->words;
    for (uint32_t at = 0; at < patterns->count; at++) {
        const uint64_t *boxes = patterns->words + 2 * at * n;
        int player = bitset_next(boxes + n, n, 0);
        for (int i = 0; i < patterns->list[at].count && patterns->list[at].count > 1; i++) {
            struct pattern_finding finding;
            uint64_t rest[SOKOBAN_WORDS];
            memcpy(rest, boxes, n * sizeof *rest);
            bitset_remove(rest, patterns->list[at].box[i]);
            pattern_search(c->game, kind, rest, player, &finding);
            assert_true(finding.value < patterns->list[at].value);
        }
    }
}

/* Twice: the second time everything that can be learned is known. */
static void check_level(const char *text, const struct config *config, struct tally *tally) {
    struct whole whole;
    struct sokoban_level level;
    soloist_chunk chunk = plain_chunk(text);
    char without[128];
    assert_true(sokoban_level_parse(&chunk, &level, NULL));
    if (!whole_open(&whole, &level))
        return;
    snprintf(without, sizeof without, "%s,pattern_deadlocks=off,penalties=none", config->options);
    soloist_instance *instance = plain_session(&sokoban_domain, config->options, &chunk);
    soloist_instance *plain = plain_instance(&sokoban_domain, without, &chunk);
    struct check c = {&whole, sokoban_of(instance), instance, plain, config, tally};
    for (unsigned at = 0; at < 2u << (whole.floor + 4); at++) {
        unsigned state = at & ((1u << (whole.floor + 4)) - 1);
        if (!whole_holds(&whole, state))
            continue;
        check_state(&c, state);
        if (config == &configs[2] && c.game->boxes == c.game->goals)
            check_search(&c, state);
    }
    if (config != &configs[3])
        check_minimal(&c);
    tally->patterns += (int)c.game->patterns->count;
    plain_session_close(instance);
    sokoban_domain.life->destroy(plain);
    whole_close(&whole);
}

static void drawn_levels(void **unused) {
    (void)unused;
    struct tally tallies[CONFIGS] = {{0}};
    soloist_rng rng;
    char text[128];
    soloist_rng_seed(&rng, 77, 0);
    for (int levels = 0; levels < 200;)
        if (whole_draw_boxes(&rng, 5, text, sizeof text)) {
            size_t k = (size_t)levels++ % CONFIGS;
            check_level(text, &configs[k], &tallies[k]);
        }
    for (size_t k = 0; k < CONFIGS; k++) {
        print_message("%s: %d states, %d patterns, %d lost by them, %d raised\n", configs[k].options, tallies[k].states,
                      tallies[k].patterns, tallies[k].lost, tallies[k].raised);
        assert_true(tallies[k].patterns > 20);
        assert_true(k == 0 ? tallies[k].lost == 0 : tallies[k].lost > 20 && tallies[k].raised > 20);
    }
}

struct picture {
    const char *what, *text;
    int32_t value;
    int count;
    uint8_t at[PATTERN_MOST_BOXES][2]; /* column and row of each box */
};

static const struct picture pictures[] = {
    {"the box pushed down shuts in two that can then never leave, though no two of the three are lost",
     "########\n"
     "# #.   #\n"
     "###$$#@#\n"
     "#.$   .#\n"
     "########\n",
     SOKOBAN_NEVER,
     3,
     {{3, 2}, {2, 3}, {4, 3}}},
    {"three in a bend",
     "######\n"
     "#.$  #\n"
     "#  $@#\n"
     "# $..#\n"
     "######\n",
     SOKOBAN_NEVER,
     3,
     {{2, 1}, {2, 2}, {2, 3}}},
    {"one above the other: the lower must first go out of the way of its goal",
     "#######\n"
     "#     #\n"
     "# .$  #\n"
     "# @ $.#\n"
     "#######\n",
     2,
     2,
     {{4, 2}, {4, 3}}},
};

static bool is_pictured(const struct sokoban *game, const struct picture *picture) {
    const struct pattern *pattern = &game->patterns->list[0];
    bool same = game->patterns->count == 1 && pattern->value == picture->value && pattern->count == picture->count;
    for (int i = 0; i < picture->count && same; i++)
        same = pattern->box[i] == plain_square(game, picture->at[i][0], picture->at[i][1]);
    return same;
}

/* What one look at the root learns, beside all other rules. */
static void pictures_hold(void **unused) {
    (void)unused;
    for (size_t i = 0; i < sizeof pictures / sizeof *pictures; i++) {
        soloist_chunk chunk = plain_chunk(pictures[i].text);
        soloist_instance *instance = plain_session(&sokoban_domain, "pairs=on,corrals=off,penalties=sound", &chunk);
        _Alignas(8) unsigned char state[128];
        soloist_child children[64];
        sokoban_root(instance, state);
        sokoban_push_core.expand(instance, state, SOLOIST_NO_MOVE, SOLOIST_WANT_BOUND, children);
        if (!is_pictured(sokoban_of(instance), &pictures[i]))
            fail_msg("%s\n%s", pictures[i].what, pictures[i].text);
        plain_session_close(instance);
    }
}

/* Solves to a proof: nodes generated; *cost. */
static uint64_t solve(const soloist *engine, const char *text, const char *options, const char *method, int64_t *cost) {
    soloist_puzzle puzzle;
    soloist_result result;
    soloist_chunk chunk = plain_chunk(text);
    soloist_error error = {0};
    soloist_limits limits = {.threads = 1};
    if (soloist_puzzle_read(&sokoban_domain, options, &chunk, &puzzle, &error) ||
        soloist_solve(engine, &puzzle, method, &limits, NULL, &result, &error))
        fail_msg("%s", error.text);
    uint64_t nodes = result.nodes;
    assert_int_equal(result.status, SOLOIST_SOLVED);
    assert_int_equal(result.optimal, !strstr(options, "rolling-stone"));
    *cost = result.verdict.value;
    soloist_result_free(&result);
    soloist_puzzle_free(&puzzle);
    return nodes;
}

/* The same least pushes in fewer nodes, and in the same number again. */
static void fewer_nodes(void **unused) {
    (void)unused;
    static const char *const methods[] = {"astar", "idastar"};
    soloist *engine = soloist_new();
    uint64_t sums[3] = {0};
    soloist_rng rng;
    soloist_rng_seed(&rng, 19, 0);
    for (int i = 0; i < 40; i++) {
        char *text = generated_level(9, 5, &rng);
        const char *method = methods[i % 2];
        int64_t cost, least;
        sums[0] += solve(engine, text, "", method, &least);
        uint64_t nodes = solve(engine, text, "penalties=sound", method, &cost);
        assert_int_equal(cost, least);
        assert_int_equal(solve(engine, text, "penalties=sound", method, &cost), nodes);
        sums[1] += nodes;
        sums[2] += solve(engine, text, "pattern_deadlocks=on", method, &cost);
        assert_int_equal(cost, least);
        solve(engine, text, "penalties=rolling-stone", method, &cost);
        assert_true(cost >= least);
        free(text);
    }
    soloist_free(engine);
    print_message("nodes %llu, with penalties %llu, with deadlocks %llu\n", (unsigned long long)sums[0],
                  (unsigned long long)sums[1], (unsigned long long)sums[2]);
    assert_true(sums[1] < sums[0] && sums[2] < sums[0]);
}

/* Plays at random and expands on the way: what all threads of the test do with one instance. */
static void *wander(void *shared) {
    const soloist_instance *instance = shared;
    _Alignas(8) unsigned char state[256];
    soloist_child children[64];
    soloist_rng rng;
    soloist_rng_seed(&rng, 3, 0);
    for (int game = 0; game < 20; game++) {
        sokoban_root(instance, state);
        for (int i = 0; i < 30; i++) {
            int count = sokoban_push_core.expand(instance, state, SOLOIST_NO_MOVE, SOLOIST_WANT_BOUND, children);
            if (!count)
                break;
            soloist_move move = children[soloist_rng_below(&rng, (uint32_t)count)].move;
            sokoban_push_core.apply(instance, state, move, NULL);
        }
    }
    return NULL;
}

static void threads_share(void **unused) {
    (void)unused;
    static const char *const text =
        "##########\n#   .  . #\n# $$ $ . #\n#  @ #   #\n# $ ## $.#\n#  .     #\n##########\n";
    soloist_chunk chunk = plain_chunk(text);
    pthread_t threads[4];
    soloist_instance *instance = plain_session(&sokoban_domain, "pattern_deadlocks=on,penalties=sound", &chunk);
    for (int i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, wander, instance), 0);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    assert_true(sokoban_of(instance)->patterns->count > 0);
    plain_session_close(instance);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(drawn_levels),
        cmocka_unit_test(pictures_hold),
        cmocka_unit_test(fewer_nodes),
        cmocka_unit_test(threads_share),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
