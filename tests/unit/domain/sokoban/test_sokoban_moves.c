/* Sokoban's move generators against the plain reference: perft counts at both levels, and the core's promises on random
 * play: undo restores every byte, keys and packed states agree, expand says what the primitives say. */
#include "base/sanitizer.h"
#include "domain/sokoban/sokoban_plain.h"

/* One domain with one set of options. */
struct setup {
    const soloist_domain *domain;
    const char *options;
};

static const struct setup setups[] = {
    {&sokoban_domain, ""},
    {&sokoban_domain, "optimal=moves"},
    {&sokoban_domain, "bound=remaining"},
    {&sokoban_domain, "bound=manhattan,freeze=false"},
    {&sokoban_domain, "bound=matching-manhattan,wall_line=false"},
    {&sokoban_domain, "bound=matching-manhattan,bipartite=false"},
    {&sokoban_domain, "bipartite=false,wall_line=false,freeze=false"},
    {&sokoban_domain, "corrals=off"},
    {&sokoban_domain, "corral_deadlocks=on"},
    {&sokoban_moves_domain, ""},
    {&sokoban_moves_domain, "bound=remaining,bipartite=false"},
    {&sokoban_domain, "rules=none"},
    {&sokoban_domain, "rules=none,optimal=moves,bound=matching-manhattan"},
    {&sokoban_moves_domain, "rules=none"},
};
#define SETUPS (sizeof setups / sizeof *setups)

static uint64_t perft(const soloist_core *core, const soloist_instance *instance, const soloist_shape *shape,
                      void *state, int depth) {
    if (!depth)
        return 1;
    soloist_move moves[4 * SOKOBAN_MOST_BOXES];
    unsigned char before[1024], undo[64];
    int count = core->moves(instance, state, moves);
    uint64_t sum = 0;
    assert_true(count <= shape->most_moves);
    assert_true(shape->state_size <= sizeof before && shape->undo_size <= sizeof undo);
    memcpy(before, state, shape->state_size);
    for (int i = 0; i < count; i++) {
        core->apply(instance, state, moves[i], undo);
        assert_int_equal(core->key(instance, state), core->key_from_scratch(instance, state));
        sum += perft(core, instance, shape, state, depth - 1);
        core->undo(instance, state, moves[i], undo);
        assert_memory_equal(before, state, shape->state_size);
    }
    return sum;
}

static void compare_perft(const soloist_chunk *chunk, int pushes, int steps) {
    for (int k = 0; k < 3; k++) {
        const soloist_domain *domain = k < 2 ? &sokoban_domain : &sokoban_moves_domain;
        soloist_instance *instance = plain_instance(domain, k == 1 ? "optimal=moves" : "", chunk);
        soloist_shape shape;
        struct plain plain;
        _Alignas(8) unsigned char state[1024];
        domain->life->shape(instance, &shape);
        domain->life->root(instance, state);
        plain_of_level(&plain, &sokoban_of(instance)->level);
        for (int depth = 1; depth <= (k < 2 ? pushes : steps); depth++) {
            uint64_t expected = k < 2 ? plain_perft(&plain, depth) : plain_step_perft(&plain, depth);
            assert_int_equal(perft(domain->core, instance, &shape, state, depth), expected);
        }
        domain->life->destroy(instance);
    }
}

/* The same count of lines, but by expand, which leaves out what rules and bound call dead. */
static uint64_t expand_perft(const soloist_domain *domain, const soloist_instance *instance, void *state, int depth) {
    if (!depth)
        return 1;
    soloist_child children[4 * SOKOBAN_MOST_BOXES];
    unsigned char undo[64];
    uint64_t sum = 0;
    int count = domain->core->expand(instance, state, SOLOIST_NO_MOVE, SOLOIST_WANT_BOUND, children);
    assert_false(domain->bound->dead(instance, state));
    for (int i = 0; i < count; i++) {
        domain->core->apply(instance, state, children[i].move, undo);
        sum += expand_perft(domain, instance, state, depth - 1);
        domain->core->undo(instance, state, children[i].move, undo);
    }
    return sum;
}

/* The last of these levels is lost from the start: a box is in a corner. */
static void without_rules_no_push_is_left_out(void **unused) {
    (void)unused;
    static const struct setup bare[] = {
        {&sokoban_domain, "rules=none,bound=matching-manhattan"},
        {&sokoban_domain, "rules=none,bound=manhattan,pairs=on,triples=10,diagonals=on"},
        {&sokoban_domain, "rules=none,bound=remaining,optimal=moves"},
        {&sokoban_domain, "rules=none,bound=remaining,tunnels=out,goal_macros=on"},
        {&sokoban_moves_domain, "rules=none,bound=matching-manhattan"},
        {&sokoban_moves_domain, "rules=none,bound=remaining"}};
    for (size_t i = 0; i <= PLAIN_LEVELS; i++)
        for (size_t k = 0; k < sizeof bare / sizeof *bare; k++) {
            const soloist_domain *domain = bare[k].domain;
            soloist_chunk chunk = plain_chunk(i < PLAIN_LEVELS ? plain_levels[i] : "######\n#@ $ #\n#.$. #\n######\n");
            soloist_instance *instance = plain_instance(domain, bare[k].options, &chunk);
            _Alignas(8) unsigned char state[1024];
            struct plain plain;
            assert_null(domain->life->impossible(instance));
            domain->life->root(instance, state);
            plain_of_level(&plain, &sokoban_of(instance)->level);
            for (int depth = 1; depth <= 5; depth++)
                assert_int_equal(expand_perft(domain, instance, state, depth), sokoban_of(instance)->rules.steps
                                                                                   ? plain_step_perft(&plain, depth)
                                                                                   : plain_perft(&plain, depth));
            domain->life->destroy(instance);
        }
}

static void perft_of_own_levels(void **unused) {
    (void)unused;
    for (size_t i = 0; i < PLAIN_LEVELS; i++) {
        soloist_chunk chunk = plain_chunk(plain_levels[i]);
        compare_perft(&chunk, 4, 7);
    }
}

static void perft_of_file(const char *name, int from, int to, int pushes, int steps) {
    char *text = plain_shared_file(name);
    soloist_cursor cursor = soloist_cursor_open(text, strlen(text));
    soloist_chunk chunk;
    for (int number = 1; sokoban_next(&cursor, &chunk); number++)
        if (number >= from && number <= to)
            compare_perft(&chunk, pushes, steps);
    free(text);
}

static void perft_of_microban(void **unused) {
    (void)unused;
    perft_of_file("microban1.xsb", 1, 155, 2, 5);
}

static void perft_of_xsokoban(void **unused) {
    (void)unused;
    perft_of_file("xsokoban.xsb", 1, 90, 2, 4);
}

/* Known by hand: the player can only push the box right, and then again. */
static void perft_by_hand(void **unused) {
    (void)unused;
    soloist_chunk chunk = plain_chunk("######\n#@$ .#\n######\n");
    soloist_instance *instance = plain_instance(&sokoban_domain, "", &chunk);
    _Alignas(8) unsigned char state[64];
    soloist_shape shape;
    sokoban_domain.life->shape(instance, &shape);
    sokoban_domain.life->root(instance, state);
    for (int depth = 1; depth < 5; depth++)
        assert_int_equal(perft(&sokoban_push_core, instance, &shape, state, depth), depth <= 2);
    assert_int_equal(shape.state_size, 24);
    sokoban_domain.life->destroy(instance);
}

/* What expand must say, by the primitives. */
static int expand_plainly(const soloist_core *core, const soloist_bound *bound, const soloist_instance *instance,
                          const void *state, size_t size, bool want_bound, soloist_child *children) {
    soloist_move moves[4 * SOKOBAN_MOST_BOXES + 16];
    _Alignas(8) unsigned char child[1024];
    int count = core->moves(instance, state, moves), left = 0;
    for (int i = 0; i < count; i++) {
        memcpy(child, state, size);
        int32_t step = core->apply(instance, child, moves[i], NULL);
        int32_t value = want_bound ? bound->value(instance, child) : 0;
        bool pruned = bound->pruned && bound->pruned(instance, state, moves[i]);
        if (!pruned && !bound->dead(instance, child) && value != SOLOIST_DEAD)
            children[left++] = (soloist_child){core->key(instance, child), moves[i], step, value};
    }
    return left;
}

static void compare_expand(const soloist_core *core, const soloist_bound *bound, const soloist_instance *instance,
                           const void *state, const soloist_shape *shape) {
    soloist_child children[4 * SOKOBAN_MOST_BOXES + 16], expected[4 * SOKOBAN_MOST_BOXES + 16];
    for (unsigned want = 0; want < 4; want++) {
        bool bounds = want & SOLOIST_WANT_BOUND;
        int count = core->expand(instance, state, SOLOIST_NO_MOVE, want, children);
        assert_int_equal(count, expand_plainly(core, bound, instance, state, shape->state_size, bounds, expected));
        for (int i = 0; i < count; i++) {
            assert_int_equal(children[i].move, expected[i].move);
            assert_int_equal(children[i].step, expected[i].step);
            if (want & SOLOIST_WANT_KEY)
                assert_int_equal(children[i].key, expected[i].key);
            if (bounds)
                assert_int_equal(children[i].bound, expected[i].bound);
        }
    }
}

static void compare_pack(const soloist_domain *domain, const soloist_instance *instance, const void *state,
                         const soloist_shape *shape) {
    unsigned char packed[1024], again[1024];
    _Alignas(8) unsigned char back[1024];
    memset(packed, 0x55, sizeof packed);
    domain->pack->pack(instance, state, packed);
    assert_int_equal(packed[shape->packed_size], 0x55);
    domain->pack->unpack(instance, packed, back);
    assert_memory_equal(back, state, shape->state_size);
    domain->pack->pack(instance, back, again);
    assert_memory_equal(packed, again, shape->packed_size);
}

/* Plays at random and compares everything at each position on the way. */
static void play_and_compare(const struct setup *setup, const soloist_chunk *chunk, bool backwards, uint64_t seed) {
    const soloist_domain *domain = setup->domain;
    const soloist_core *core = backwards ? domain->reverse->core : domain->core;
    const soloist_bound *bound = backwards ? domain->reverse->bound : domain->bound;
    soloist_instance *instance = plain_instance(domain, setup->options, chunk);
    _Alignas(8) unsigned char state[1024], before[1024], undo[64];
    soloist_move moves[4 * SOKOBAN_MOST_BOXES + 16];
    soloist_shape shape;
    soloist_rng rng;
    soloist_rng_seed(&rng, 7, seed);
    domain->life->shape(instance, &shape);
    domain->life->root(instance, state);
    if (backwards)
        assert_true(domain->reverse->goal(instance, 0, state));
    for (int i = 0; i < 12; i++) {
        int count = core->moves(instance, state, moves);
        compare_expand(core, bound, instance, state, &shape);
        compare_pack(domain, instance, state, &shape);
        if (!count)
            break;
        soloist_move move = moves[soloist_rng_below(&rng, (uint32_t)count)];
        memcpy(before, state, shape.state_size);
        core->apply(instance, state, move, undo);
        assert_int_equal(core->key(instance, state), core->key_from_scratch(instance, state));
        core->undo(instance, state, move, undo);
        assert_memory_equal(before, state, shape.state_size);
        core->apply(instance, state, move, NULL);
    }
    domain->life->destroy(instance);
}

static void play_all(const soloist_chunk *chunk, uint64_t seed) {
    for (size_t k = 0; k < SETUPS; k++)
        for (int backwards = 0; backwards < 2; backwards++)
            play_and_compare(&setups[k], chunk, backwards, seed);
}

static void random_play_on_own_levels(void **unused) {
    (void)unused;
    for (uint64_t i = 0; i < 20 * PLAIN_LEVELS; i++) {
        soloist_chunk chunk = plain_chunk(plain_levels[i % PLAIN_LEVELS]);
        play_all(&chunk, i);
    }
}

/* Every level, or under a sanitizer, which is slow, one level of five. */
static void random_play_on_file(const char *name) {
    const uint64_t step = HAS_SANITIZER ? 5 : 1;
    char *text = plain_shared_file(name);
    soloist_cursor cursor = soloist_cursor_open(text, strlen(text));
    soloist_chunk chunk;
    for (uint64_t number = 1; sokoban_next(&cursor, &chunk) && number <= 155; number++)
        if (number % step == 0)
            play_all(&chunk, number);
    free(text);
}

static void random_play_on_microban(void **unused) {
    (void)unused;
    random_play_on_file("microban1.xsb");
}

static void random_play_on_xsokoban(void **unused) {
    (void)unused;
    random_play_on_file("xsokoban.xsb");
}

/* A step back that only undoes a walk is left out; one after a push is not. */
static void last_move_is_not_taken_back(void **unused) {
    (void)unused;
    soloist_chunk chunk = plain_chunk("#######\n#@ $ .#\n#     #\n#######\n");
    soloist_instance *instance = plain_instance(&sokoban_moves_domain, "", &chunk);
    const soloist_core *core = sokoban_moves_domain.core;
    soloist_child children[8];
    _Alignas(8) unsigned char state[64];
    sokoban_moves_domain.life->root(instance, state);
    core->apply(instance, state, SOKOBAN_DOWN, NULL);
    assert_int_equal(core->expand(instance, state, SOKOBAN_DOWN, 0, children), 1);
    assert_int_equal(core->expand(instance, state, SOLOIST_NO_MOVE, 0, children), 2);
    core->apply(instance, state, SOKOBAN_UP, NULL);
    core->apply(instance, state, SOKOBAN_RIGHT, NULL);
    core->apply(instance, state, SOKOBAN_RIGHT, NULL);
    assert_int_equal(core->expand(instance, state, SOKOBAN_RIGHT, 0, children), 3);
    sokoban_moves_domain.life->destroy(instance);
}

/* Play-outs are legal, stay clear of what the cheap rules call dead, and repeat themselves. */
static void playouts_are_legal(void **unused) {
    (void)unused;
    int solved = 0;
    for (uint64_t i = 0; i < 40 * PLAIN_LEVELS; i++) {
        soloist_chunk chunk = plain_chunk(plain_levels[i % PLAIN_LEVELS]);
        soloist_instance *instance = plain_instance(&sokoban_domain, i & 1 ? "" : "optimal=moves", &chunk);
        _Alignas(8) unsigned char played[256], state[256];
        soloist_move trace[60];
        soloist_rng rng;
        int32_t value = 0, last;
        soloist_rng_seed(&rng, i, 0);
        sokoban_root(instance, played);
        sokoban_root(instance, state);
        soloist_playout out = sokoban_sample.playout(instance, played, 0, 60, &rng, trace, NULL);
        for (int k = 0; k < out.length; k++) {
            value += sokoban_push_core.apply(instance, state, trace[k], NULL);
            assert_false(sokoban_dead(instance, state));
        }
        assert_int_equal(value, out.value);
        assert_memory_equal(state, played, plain_state_size(&sokoban_domain, instance));
        assert_int_equal(out.ended, sokoban_ended(instance, state, &last));
        solved += out.ended;
        sokoban_domain.life->destroy(instance);
    }
    assert_true(solved > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(perft_by_hand),
        cmocka_unit_test(perft_of_own_levels),
        cmocka_unit_test(without_rules_no_push_is_left_out),
        cmocka_unit_test(perft_of_microban),
        cmocka_unit_test(perft_of_xsokoban),
        cmocka_unit_test(random_play_on_own_levels),
        cmocka_unit_test(random_play_on_microban),
        cmocka_unit_test(random_play_on_xsokoban),
        cmocka_unit_test(last_move_is_not_taken_back),
        cmocka_unit_test(playouts_are_legal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
