/* What Sokoban shows and reads: positions, moves, solutions as LURD; writer, reader and referee against each other. */
#include "domain/sokoban/sokoban_plain.h"

#define ROOM 128

/* A breadth-first search of its own: states in a list, duplicates by comparing bytes. */
struct node {
    unsigned char state[ROOM];
    int parent;
    soloist_move move;
};

static bool is_new(const struct node *nodes, int count, const void *state, size_t size) {
    for (int i = 0; i < count; i++)
        if (!memcmp(nodes[i].state, state, size))
            return false;
    return true;
}

/* Writes a shortest line of moves (all costs taken as one); returns its length. */
static int solve(const soloist_domain *domain, const soloist_instance *instance, soloist_move *line) {
    static const int most = 20000;
    size_t size = plain_state_size(domain, instance);
    struct node *nodes = calloc((size_t)most, sizeof *nodes);
    soloist_child children[128];
    int count = 1, length = 0;
    int32_t last;
    domain->life->root(instance, nodes[0].state);
    nodes[0].parent = -1;
    for (int i = 0; i < count; i++) {
        if (domain->core->ended(instance, nodes[i].state, &last)) {
            for (int k = i; nodes[k].parent >= 0; k = nodes[k].parent)
                length++;
            for (int k = i, at = length; at--; k = nodes[k].parent)
                line[at] = nodes[k].move;
            break;
        }
        int found = domain->core->expand(instance, nodes[i].state, SOLOIST_NO_MOVE, 0, children);
        for (int c = 0; c < found; c++) {
            struct node *next = &nodes[count];
            memcpy(next->state, nodes[i].state, size);
            domain->core->apply(instance, next->state, children[c].move, NULL);
            next->parent = i;
            next->move = children[c].move;
            count += count + 1 < most && is_new(nodes, count, next->state, size);
        }
    }
    free(nodes);
    return length;
}

/* Writes, reads back, and has it judged. */
static void round_trip(const soloist_domain *domain, const char *options, const soloist_chunk *chunk) {
    soloist_instance *instance = plain_instance(domain, options, chunk);
    soloist_move line[512], back[512];
    int length = solve(domain, instance, line);
    struct sokoban_options block;
    struct buffer text;
    soloist_verdict verdict;
    soloist_error error = {0};
    soloist_options_reset(domain->options, &block);
    assert_int_equal(soloist_options_parse(domain->options, &block, options, NULL), SOLOIST_OK);
    if (!length)
        fail_msg("no solution found\n%s", chunk->text);
    buffer_open(&text);
    soloist_sink sink = buffer_sink(&text);
    domain->text->solution(instance, line, (size_t)length, &sink);
    assert_int_equal(domain->text->read(instance, text.text, text.length, back, 512, &error), length);
    assert_memory_equal(line, back, (size_t)length * sizeof *line);
    if (!domain->text->referee(chunk, &block, text.text, text.length, &verdict, &error))
        fail_msg("%s: column %d: %s", text.text, error.column, error.text);
    int pushes = 0;
    for (size_t i = 0; i < text.length; i++)
        pushes += text.text[i] < 'a';
    assert_int_equal(verdict.pushes, pushes);
    assert_int_equal(verdict.moves, text.length);
    assert_int_equal(verdict.value, sokoban_of(instance)->rules.exact ? verdict.moves : verdict.pushes);
    if (domain == &sokoban_domain)
        assert_int_equal(length, pushes);
    buffer_close(&text);
    domain->life->destroy(instance);
}

static void solutions_come_back(void **unused) {
    (void)unused;
    for (size_t i = 0; i < PLAIN_LEVELS; i++) {
        soloist_chunk chunk = plain_chunk(plain_levels[i]);
        round_trip(&sokoban_domain, "", &chunk);
        round_trip(&sokoban_domain, "optimal=moves", &chunk);
        round_trip(&sokoban_moves_domain, "", &chunk);
    }
}

/* Random lines of play need not be solutions to be written and read. */
static void random_lines_come_back(void **unused) {
    (void)unused;
    char *file = plain_shared_file("xsokoban.xsb");
    soloist_cursor cursor = soloist_cursor_open(file, strlen(file));
    soloist_chunk chunk;
    for (uint64_t number = 0; number < 30 && sokoban_next(&cursor, &chunk); number++) {
        soloist_instance *instance = plain_instance(&sokoban_domain, "", &chunk);
        _Alignas(8) unsigned char state[1024];
        soloist_move trace[50], back[50];
        soloist_rng rng;
        struct buffer text;
        soloist_error error = {0};
        soloist_rng_seed(&rng, number, 1);
        sokoban_root(instance, state);
        soloist_playout played = sokoban_sample.playout(instance, state, 0, 50, &rng, trace, NULL);
        buffer_open(&text);
        soloist_sink sink = buffer_sink(&text);
        sokoban_text.solution(instance, trace, (size_t)played.length, &sink);
        assert_int_equal(sokoban_text.read(instance, text.text, text.length, back, 50, &error), played.length);
        assert_memory_equal(trace, back, (size_t)played.length * sizeof *trace);
        buffer_close(&text);
        sokoban_domain.life->destroy(instance);
    }
    free(file);
}

static soloist_chunk simple_level(void) { return plain_chunk("#######\n#@ $ .#\n#     #\n#######\n"); }

static void walks_are_shortest_and_fixed(void **unused) {
    (void)unused;
    soloist_chunk chunk = plain_chunk("#######\n#     #\n# @$  #\n#     #\n#   . #\n#######\n");
    soloist_instance *instance = plain_instance(&sokoban_domain, "", &chunk);
    const struct sokoban *game = sokoban_of(instance);
    int box = plain_square(game, 3, 2);
    const soloist_move line[] = {(soloist_move)(box * 4 + SOKOBAN_RIGHT), (soloist_move)((box + 1) * 4 + SOKOBAN_DOWN)};
    struct buffer text;
    buffer_open(&text);
    soloist_sink sink = buffer_sink(&text);
    sokoban_text.solution(instance, line, 2, &sink);
    assert_string_equal(text.text, "RurD");
    buffer_clear(&text);
    sokoban_text.solution(instance, line, 0, &sink);
    assert_int_equal(text.length, 0);
    sokoban_text.move(instance, NULL, line[0], &sink);
    assert_string_equal(text.text, "(4,3) right");
    buffer_close(&text);
    sokoban_domain.life->destroy(instance);
}

struct bad_solution {
    const char *text;
    int column;
};

static void bad_solutions_are_located(void **unused) {
    (void)unused;
    static const struct bad_solution bad[] = {{"ru", 2}, {"r RR\nR", 6}, {"R", 1}, {"rr", 2}, {"rx", 2}};
    soloist_chunk chunk = simple_level();
    const soloist_domain *domains[] = {&sokoban_domain, &sokoban_moves_domain};
    for (size_t k = 0; k < 2; k++) {
        soloist_instance *instance = plain_instance(domains[k], "", &chunk);
        for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
            soloist_move moves[16];
            soloist_error error = {0};
            long count = domains[k]->text->read(instance, bad[i].text, strlen(bad[i].text), moves, 16, &error);
            assert_int_equal(count, -1);
            assert_int_equal(error.column, bad[i].column);
            assert_true(strlen(error.text) > 10);
        }
        domains[k]->life->destroy(instance);
    }
}

/* More moves than there is room for are counted, not written. */
static void reading_keeps_to_its_room(void **unused) {
    (void)unused;
    soloist_chunk chunk = simple_level();
    soloist_instance *instance = plain_instance(&sokoban_domain, "", &chunk);
    soloist_move moves[2] = {7, 7};
    assert_int_equal(sokoban_text.read(instance, "r2R", 3, moves, 1, NULL), 2);
    assert_int_equal(moves[0], plain_square(sokoban_of(instance), 3, 1) * 4 + SOKOBAN_RIGHT);
    assert_int_equal(moves[1], 7);
    sokoban_domain.life->destroy(instance);
}

/* parse(print(x)) = x, after some play. */
static void printed_states_come_back(void **unused) {
    (void)unused;
    for (uint64_t i = 0; i < 10 * PLAIN_LEVELS; i++) {
        const soloist_domain *domain = i & 1 ? &sokoban_domain : &sokoban_moves_domain;
        soloist_chunk chunk = plain_chunk(plain_levels[i % PLAIN_LEVELS]);
        soloist_instance *instance = plain_instance(domain, "", &chunk);
        _Alignas(8) unsigned char state[ROOM], again[ROOM];
        soloist_move moves[128];
        soloist_rng rng;
        struct buffer text;
        soloist_rng_seed(&rng, i, 2);
        domain->life->root(instance, state);
        for (int k = 0; k < 6; k++) {
            int count = domain->core->moves(instance, state, moves);
            if (count)
                domain->core->apply(instance, state, moves[soloist_rng_below(&rng, (uint32_t)count)], NULL);
        }
        buffer_open(&text);
        soloist_sink sink = buffer_sink(&text);
        domain->text->print(instance, state, &sink);
        soloist_chunk printed = plain_chunk(text.text);
        soloist_instance *other = plain_instance(domain, "", &printed);
        domain->life->root(other, again);
        assert_memory_equal(state, again, plain_state_size(domain, instance));
        domain->life->destroy(other);
        buffer_close(&text);
        domain->life->destroy(instance);
    }
}

static void steps_are_named(void **unused) {
    (void)unused;
    soloist_chunk chunk = plain_chunk("######\n#@$ .#\n#    #\n######\n");
    soloist_instance *instance = plain_instance(&sokoban_moves_domain, "", &chunk);
    _Alignas(8) unsigned char state[ROOM];
    struct buffer text;
    sokoban_root(instance, state);
    buffer_open(&text);
    soloist_sink sink = buffer_sink(&text);
    sokoban_step_text.move(instance, state, SOKOBAN_RIGHT, &sink);
    soloist_put(&sink, ", ");
    sokoban_step_text.move(instance, state, SOKOBAN_DOWN, &sink);
    assert_string_equal(text.text, "push right, step down");
    buffer_close(&text);
    sokoban_moves_domain.life->destroy(instance);
}

/* The rewards of documents 000 and 004 by their names, on a level of one box: two pushes to its goal. */
static void rewards_by_hand(void **unused) {
    (void)unused;
    static const struct {
        const char *name;
        double start, first, solved; /* at the root, after one push, after two */
    } rows[] = {
        {"r0", 0, 0, 1},
        {"boxes", 0, -0.1, 10.8},
        {"boxes-printed-sign", 0, 0.1, 11.2},
        {"inverse-bm", 0.70710678118654752, 1, 1},
        {"negative-bm", -2, -1, 0},
        {"inverse-bm-pushes", 0.70710678118654752, 1, 1},
        {"negative-bm-pushes", -2, -1, 0},
        {"rl", -0.01, -0.01, 1},
        {"exit", 0, 0, 0.98},
        {"mdp", -1, -1, 10},
    };
    soloist_chunk chunk = plain_chunk("######\n#@$ .#\n#    #\n######\n");
    soloist_instance *instance = plain_instance(&sokoban_domain, "", &chunk);
    _Alignas(8) unsigned char states[3][ROOM];
    soloist_move move = (soloist_move)(plain_square(sokoban_of(instance), 2, 1) * 4 + SOKOBAN_RIGHT);
    sokoban_root(instance, states[0]);
    for (int i = 1; i < 3; i++, move += 4) {
        memcpy(states[i], states[i - 1], ROOM);
        sokoban_push_core.apply(instance, states[i], move, NULL);
    }
    for (int k = 0; k < 10; k++) {
        const double expected[3] = {rows[k].start, rows[k].first, rows[k].solved};
        assert_string_equal(sokoban_reward.names[k], rows[k].name);
        for (int i = 0; i < 3; i++) {
            double value = sokoban_reward.value(instance, k, i ? states[i - 1] : NULL, states[i], i);
            assert_true(value - expected[i] < 1e-12 && expected[i] - value < 1e-12);
        }
    }
    assert_null(sokoban_reward.names[10]);
    /* Off a goal again: the learner's reward says so. */
    assert_true(sokoban_reward.value(instance, 7, states[2], states[1], 3) == -0.1);
    sokoban_domain.life->destroy(instance);
}

/* A box onto one of two goals, with another still off. */
static void reward_of_a_box_on_a_goal(void **unused) {
    (void)unused;
    soloist_chunk chunk = plain_chunk("######\n#@$. #\n# $ .#\n#    #\n######\n");
    soloist_instance *instance = plain_instance(&sokoban_moves_domain, "", &chunk);
    _Alignas(8) unsigned char before[ROOM], after[ROOM];
    sokoban_root(instance, before);
    memcpy(after, before, ROOM);
    sokoban_step_core.apply(instance, after, SOKOBAN_RIGHT, NULL);
    assert_true(sokoban_reward.value(instance, 7, before, after, 1) == 0.1);
    assert_true(sokoban_reward.value(instance, 1, before, after, 1) == 1 - 0.1);
    sokoban_moves_domain.life->destroy(instance);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solutions_come_back),
        cmocka_unit_test(random_lines_come_back),
        cmocka_unit_test(walks_are_shortest_and_fixed),
        cmocka_unit_test(bad_solutions_are_located),
        cmocka_unit_test(reading_keeps_to_its_room),
        cmocka_unit_test(printed_states_come_back),
        cmocka_unit_test(steps_are_named),
        cmocka_unit_test(rewards_by_hand),
        cmocka_unit_test(reward_of_a_box_on_a_goal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
