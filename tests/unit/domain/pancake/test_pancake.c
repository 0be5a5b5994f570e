/* Pancakes: whole spaces of 7, 8 and 9 walked through the contract and held against the known pancake numbers, both
 * bounds admissible and consistent on all of them, every fast path against a plain one, files, referee, generator. */
#include "base/buffer.h"
#include "domain/domain.h"
#include "domain/pancake/pancake_core.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const soloist_domain *const domain = &pancake_domain;

/* ---- kit ---- */

static soloist_instance *parse_with(const char *text, size_t length, const char *options_text, soloist_error *error) {
    _Alignas(16) unsigned char options[64];
    assert_true(domain->options_size <= sizeof options);
    soloist_options_reset(domain->options, options);
    assert_int_equal(soloist_options_parse(domain->options, options, options_text, NULL), SOLOIST_OK);
    soloist_chunk chunk = {.text = text, .length = length, .line = 7};
    return domain->life->parse(&chunk, options, error);
}

static soloist_instance *parse(const char *text, const char *options) {
    soloist_error error;
    soloist_instance *instance = parse_with(text, strlen(text), options, &error);
    assert_non_null(instance);
    return instance;
}

static soloist_shape shape_of(const soloist_instance *instance) {
    soloist_shape shape;
    domain->life->shape(instance, &shape);
    return shape;
}

static void random_stack(int n, soloist_rng *rng, char *text) {
    int stack[PANCAKE_MOST];
    for (int i = 0; i < n; i++) {
        int j = (int)soloist_rng_below(rng, (uint32_t)i + 1);
        stack[i] = stack[j];
        stack[j] = i + 1;
    }
    for (int i = 0; i < n; i++)
        text += sprintf(text, "%d ", stack[i]);
}

/* A stack's number among the n! ones. */
static uint32_t rank_of(const uint8_t *stack, int n) {
    uint32_t rank = 0;
    for (int i = 0; i < n; i++) {
        uint32_t smaller = 0;
        for (int j = i + 1; j < n; j++)
            smaller += stack[j] < stack[i];
        rank = rank * (uint32_t)(n - i) + smaller;
    }
    return rank;
}

static uint32_t factorial(int n) { return n < 2 ? 1 : (uint32_t)n * factorial(n - 1); }

/* All states of a size in breadth-first order from the first one, with their depths by rank. */
struct space {
    soloist_instance *instance;
    int n, diameter;
    size_t state_size;
    uint32_t count;
    unsigned char *states;
    uint8_t *depth;
};

static struct pancake_state *space_at(const struct space *space, uint32_t index) {
    return (struct pancake_state *)(space->states + index * space->state_size);
}

static bool space_add(struct space *space, const struct pancake_state *state, int depth) {
    uint32_t rank = rank_of(state->stack, space->n);
    if (space->depth[rank] != 255)
        return false;
    space->depth[rank] = (uint8_t)depth;
    memcpy(space_at(space, space->count++), state, space->state_size);
    return true;
}

/* Fills from the state already put in place 0 by moves of `core`. */
static void space_fill(struct space *space, const soloist_core *core) {
    soloist_move moves[PANCAKE_MOST];
    unsigned char undo[sizeof(struct pancake_undo)] __attribute__((aligned(16)));
    struct pancake_state *state = malloc(space->state_size);
    for (uint32_t i = 0; i < space->count; i++) {
        memcpy(state, space_at(space, i), space->state_size);
        int depth = space->depth[rank_of(state->stack, space->n)];
        int count = core->moves(space->instance, state, moves);
        for (int m = 0; m < count; m++) {
            assert_int_equal(core->apply(space->instance, state, moves[m], undo), 1);
            if (space_add(space, state, depth + 1))
                space->diameter = depth + 1;
            core->undo(space->instance, state, moves[m], undo);
            assert_memory_equal(state, space_at(space, i), space->state_size);
        }
    }
    free(state);
}

static struct space space_open(soloist_instance *instance, bool from_goal) {
    struct space space = {.instance = instance, .n = instance->n, .state_size = shape_of(instance).state_size};
    uint32_t size = factorial(space.n);
    space.states = malloc(size * space.state_size);
    space.depth = malloc(size);
    memset(space.depth, 255, size);
    struct pancake_state *first = malloc(space.state_size);
    if (from_goal)
        assert_true(domain->reverse->goal(instance, 0, first));
    else
        domain->life->root(instance, first);
    space_add(&space, first, 0);
    space_fill(&space, from_goal ? domain->reverse->core : domain->core);
    free(first);
    assert_int_equal(space.count, size);
    return space;
}

static void space_close(struct space *space) {
    domain->life->destroy(space->instance);
    free(space->states);
    free(space->depth);
}

/* ---- whole spaces ---- */

static void test_pancake_numbers(void **state) {
    (void)state;
    static const int known[] = {0, 0, 1, 3, 4, 5, 7, 8, 9, 10};
    for (int n = 1; n <= 9; n++) {
        char text[64] = "";
        for (int i = n; i >= 1; i--)
            sprintf(text + strlen(text), "%d,", i);
        struct space space = space_open(parse(text, NULL), true);
        assert_int_equal(space.diameter, known[n]);
        space_close(&space);
    }
}

static int plain_gaps(const uint8_t *stack, const uint8_t *aim, int n, int ignored) {
    int gaps = 0;
    for (int i = 0; i < n; i++) {
        int a = stack[i], b = stack[i + 1], place_a = n, place_b = n;
        for (int j = 0; j < n; j++) {
            if (aim[j] == a)
                place_a = j;
            if (aim[j] == b)
                place_b = j;
        }
        gaps += a > ignored && b > ignored && abs(place_a - place_b) > 1;
    }
    return gaps;
}

/* The bound is what the plain count says, never above the depth, and no step changes it by more than one. */
static void check_bound(const struct space *space, const soloist_core *core, const soloist_bound *bound,
                        const uint8_t *aim, int ignored) {
    soloist_child children[PANCAKE_MOST];
    for (uint32_t i = 0; i < space->count; i++) {
        const struct pancake_state *state = space_at(space, i);
        int32_t value = bound->value(space->instance, state), last;
        int depth = space->depth[rank_of(state->stack, space->n)];
        assert_int_equal(value, plain_gaps(state->stack, aim, space->n, ignored));
        assert_true(value <= depth);
        assert_int_equal(core->ended(space->instance, state, &last), depth == 0);
        int count = core->expand(space->instance, state, SOLOIST_NO_MOVE, SOLOIST_WANT_BOUND, children);
        assert_int_equal(count, space->n - 1);
        for (int c = 0; c < count; c++)
            assert_true(abs(children[c].bound - value) <= 1);
    }
}

static void test_bounds_on_whole_spaces(void **state) {
    (void)state;
    static const struct {
        const char *stack, *options;
        int ignored;
    } rows[] = {{"3 1 7 5 2 4 6", NULL, 0},          {"3 1 7 5 2 4 6", "gap=1", 1},     {"3 1 7 5 2 4 6", "gap=2", 2},
                {"3 1 7 5 2 4 6", "bound=none", 99}, {"8 2 6 4 1 7 3 5", NULL, 0},      {"8 2 6 4 1 7 3 5", "gap=1", 1},
                {"8 2 6 4 1 7 3 5", "gap=2", 2},     {"2 9 4 1 7 3 5 8 6", "gap=1", 1}, {"2 1", "gap=2", 2}};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        struct space space = space_open(parse(rows[r].stack, rows[r].options), true);
        check_bound(&space, domain->core, domain->bound, space.instance->goal, rows[r].ignored);
        space_close(&space);
        space = space_open(parse(rows[r].stack, rows[r].options), false);
        check_bound(&space, domain->reverse->core, domain->reverse->bound, space.instance->start, rows[r].ignored);
        space_close(&space);
    }
}

static int compare_keys(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static void test_keys_tell_states_apart(void **state) {
    (void)state;
    struct space space = space_open(parse("3 1 8 7 5 2 4 6", NULL), true);
    uint64_t *keys = malloc(space.count * sizeof *keys);
    for (uint32_t i = 0; i < space.count; i++) {
        keys[i] = domain->core->key(space.instance, space_at(&space, i));
        assert_int_equal(keys[i], domain->core->key_from_scratch(space.instance, space_at(&space, i)));
    }
    qsort(keys, space.count, sizeof *keys, compare_keys);
    for (uint32_t i = 1; i < space.count; i++)
        assert_true(keys[i - 1] != keys[i]);
    free(keys);
    space_close(&space);
}

/* ---- any size ---- */

static void test_reverse_equals_plain(void **state) {
    (void)state;
    soloist_rng rng;
    soloist_rng_seed(&rng, 5, 0);
    for (int n = 1; n <= PANCAKE_MOST; n++)
        for (int k = 1; k <= n; k++) {
            /* Exactly as long as a state's stack, so that a sanitizer sees a byte too far. */
            size_t room = ((size_t)n + 16) / 16 * 16;
            uint8_t *fast = malloc(room), *plain = malloc(room);
            for (size_t i = 0; i < room; i++)
                fast[i] = plain[i] = (uint8_t)soloist_rng_next(&rng);
            pancake_reverse_top(fast, k);
            pancake_reverse_plain(plain, k);
            assert_memory_equal(fast, plain, room);
            free(fast);
            free(plain);
        }
}

/* expand's children are those of moves + apply, less the flip back. */
static void check_expand(const soloist_instance *instance, const struct pancake_state *state, soloist_move last,
                         const soloist_core *core, const soloist_bound *bound) {
    soloist_shape shape = shape_of(instance);
    soloist_move moves[PANCAKE_MOST];
    soloist_child children[PANCAKE_MOST];
    struct pancake_state *child = malloc(shape.state_size);
    int count = core->moves(instance, state, moves), seen = 0;
    for (unsigned want = 0; want < 4; want++, seen = 0) {
        int listed = core->expand(instance, state, last, want, children);
        for (int m = 0; m < count; m++) {
            if (moves[m] == last)
                continue;
            memcpy(child, state, shape.state_size);
            assert_int_equal(core->apply(instance, child, moves[m], NULL), 1);
            assert_int_equal(children[seen].move, moves[m]);
            assert_int_equal(children[seen].step, 1);
            if (want & SOLOIST_WANT_KEY)
                assert_int_equal(children[seen].key, core->key_from_scratch(instance, child));
            assert_int_equal(children[seen].bound, want & SOLOIST_WANT_BOUND ? bound->value(instance, child) : 0);
            seen++;
        }
        assert_int_equal(listed, seen);
    }
    free(child);
}

static void check_pack_and_print(const soloist_instance *instance, const struct pancake_state *state) {
    soloist_shape shape = shape_of(instance);
    void *packed = malloc(shape.packed_size), *copy = malloc(shape.state_size);
    domain->pack->pack(instance, state, packed);
    domain->pack->unpack(instance, packed, copy);
    assert_memory_equal(copy, state, shape.state_size);
    struct buffer text;
    buffer_open(&text);
    soloist_sink sink = buffer_sink(&text);
    domain->text->print(instance, state, &sink);
    soloist_instance *again = parse_with(text.text, text.length, NULL, NULL);
    assert_non_null(again);
    assert_memory_equal(again->start, state->stack, instance->room);
    domain->life->destroy(again);
    buffer_close(&text);
    free(packed);
    free(copy);
}

static void test_walks(void **state) {
    (void)state;
    static const int sizes[] = {1, 2, 3, 14, 15, 16, 17, 31, 32, 33, 63, 64, 100, 127, 128};
    soloist_rng rng;
    soloist_rng_seed(&rng, 11, 0);
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        char text[1024];
        random_stack(sizes[s], &rng, text);
        soloist_instance *instance = parse(text, s % 2 ? "gap=3" : NULL);
        soloist_shape shape = shape_of(instance);
        struct pancake_state *walker = malloc(shape.state_size), *before = malloc(shape.state_size);
        struct pancake_undo undo;
        domain->life->root(instance, walker);
        soloist_move last = SOLOIST_NO_MOVE;
        for (int step = 0; step < 40 && sizes[s] > 1; step++) {
            check_expand(instance, walker, last, domain->core, domain->bound);
            check_expand(instance, walker, last, domain->reverse->core, domain->reverse->bound);
            check_pack_and_print(instance, walker);
            memcpy(before, walker, shape.state_size);
            last = 2 + soloist_rng_below(&rng, (uint32_t)sizes[s] - 1);
            domain->core->apply(instance, walker, last, &undo);
            domain->core->undo(instance, walker, last, &undo);
            assert_memory_equal(before, walker, shape.state_size);
            domain->core->apply(instance, walker, domain->reverse->forward(instance, before, last), NULL);
            domain->reverse->core->apply(instance, walker, last, NULL);
            assert_memory_equal(before, walker, shape.state_size);
            domain->core->apply(instance, walker, last, NULL);
        }
        free(walker);
        free(before);
        domain->life->destroy(instance);
    }
}

static void test_playouts_and_rewards(void **state) {
    (void)state;
    soloist_instance *instance = parse("4 2 1 3", NULL);
    soloist_shape shape = shape_of(instance);
    struct pancake_state *played = malloc(shape.state_size), *replayed = malloc(shape.state_size);
    int ended = 0, first[5] = {0};
    for (uint64_t seed = 0; seed < 600; seed++) {
        soloist_rng rng;
        soloist_rng_seed(&rng, seed, 0);
        soloist_move trace[50];
        domain->life->root(instance, played);
        domain->life->root(instance, replayed);
        soloist_playout playout = domain->sample->playout(instance, played, 0, 50, &rng, trace, NULL);
        assert_true(playout.length == 50 || playout.ended);
        assert_int_equal(playout.value, playout.length);
        for (int i = 0; i < playout.length; i++)
            domain->core->apply(instance, replayed, trace[i], NULL);
        assert_memory_equal(played, replayed, shape.state_size);
        assert_true(domain->reward->value(instance, 0, NULL, played, 0) == (playout.ended ? 1 : 0));
        assert_true(domain->reward->value(instance, 1, NULL, played, 0) == -domain->bound->value(instance, played));
        ended += playout.ended;
        first[trace[0]]++;
    }
    assert_true(ended > 300);
    for (int k = 2; k <= 4; k++)
        assert_in_range(first[k], 150, 250);
    free(played);
    free(replayed);
    domain->life->destroy(instance);
}

/* ---- files ---- */

static void expect_error(const char *text, int column, const char *part) {
    soloist_error error = {0};
    assert_null(parse_with(text, strlen(text), NULL, &error));
    assert_int_equal(error.line, 7);
    assert_int_equal(error.column, column);
    if (!strstr(error.text, part))
        fail_msg("'%s': expected '%s' in '%s'", text, part, error.text);
}

static void test_parse_errors(void **state) {
    (void)state;
    expect_error("", 1, "expected a stack");
    expect_error("  ; nothing", 1, "expected a stack");
    expect_error("1 2 0 3", 5, "tiles");
    expect_error("1 2 2 3", 5, "pancake 2 occurs twice");
    expect_error("1,2,5,3", 5, "stack of 4");
    expect_error("1 2 x", 5, "found 'x'");
    expect_error("1 2x 3", 4, "found 'x'");
    expect_error("1 -2", 3, "found '-'");
    expect_error("1 2.5", 4, "found '.'");
    expect_error("2 1 \x80", 5, "byte 0x80");
    expect_error("1 2 129", 5, "larger than 128");
    expect_error("99999999999999999999999999", 1, "larger than 128");
    char text[1024] = "";
    for (int i = 1; i <= 128; i++)
        sprintf(text + strlen(text), "%d ", i);
    domain->life->destroy(parse(text, NULL));
    int column = (int)strlen(text) + 1;
    strcat(text, "1");
    expect_error(text, column, "more than 128");
    soloist_instance *instance = parse(" 3,\t1 ,2 # three", NULL);
    assert_int_equal(instance->n, 3);
    domain->life->destroy(instance);
}

static void test_long_lines(void **state) {
    (void)state;
    size_t length = 10 << 20;
    char *text = malloc(length);
    static const char *const patterns[] = {"1", "1 ", "1 2 ", "0", " ", ",", "x", ";"};
    for (size_t p = 0; p < sizeof patterns / sizeof *patterns; p++) {
        size_t size = strlen(patterns[p]);
        for (size_t i = 0; i < length; i++)
            text[i] = patterns[p][i % size];
        soloist_error error;
        assert_null(parse_with(text, length, NULL, &error));
        assert_int_equal(domain->life->recognise(text, length), 0);
    }
    free(text);
}

static int recognised(const char *text) { return domain->life->recognise(text, strlen(text)); }

static void test_recognise(void **state) {
    (void)state;
    assert_int_equal(recognised("3 1 2\n"), 90);
    assert_int_equal(recognised("; title\n3,1,2\n\n# more\n2 1 4 3\r\n"), 90);
    assert_true(recognised("3 1 2\n4 4 4\n2 1\n") > 0);
    assert_in_range(recognised("1\n"), 1, 10);
    char large[600] = "";
    for (int i = 129, used = 0; i; i--)
        used += snprintf(large + used, sizeof large - (size_t)used, "%d ", i);
    assert_int_equal(recognised(large), 90);
    large[0] = '0'; /* now 29 occurs twice */
    assert_int_equal(recognised(large), 0);
    assert_int_equal(recognised(""), 0);
    assert_int_equal(recognised("; only a comment\n"), 0);
    assert_int_equal(recognised("XO..X..O.\n"), 0);
    assert_int_equal(recognised("14 1 9 6 4 8 12 5 7 2 3 0 10 11 13 15\n"), 0);
    assert_int_equal(recognised("12345\n54321\n11122\n"), 0);
    assert_int_equal(recognised("#####\n#@$.#\n#####\n"), 0);
    assert_int_equal(recognised("3x3:0 1 2 3 4 5 6 7 8\n"), 0);
    assert_int_equal(domain->life->recognise("\0\xff\x01 2", 5), 0);
}

/* ---- solutions ---- */

static bool referee(const char *stack, const char *solution, soloist_verdict *verdict, soloist_error *error) {
    soloist_chunk chunk = {.text = stack, .length = strlen(stack), .line = 1};
    return domain->text->referee(&chunk, NULL, solution, strlen(solution), verdict, error);
}

static void test_read_and_write(void **state) {
    (void)state;
    soloist_instance *instance = parse("3 1 4 2", NULL);
    soloist_move moves[4];
    soloist_error error = {0};
    assert_int_equal(domain->text->read(instance, " [3, 4,2 ]", 10, moves, 4, &error), 3);
    assert_int_equal(moves[0] * 100 + moves[1] * 10 + moves[2], 342);
    assert_int_equal(domain->text->read(instance, "[2,2,2]", 7, moves, 1, &error), 3);
    assert_int_equal(domain->text->read(instance, "[]", 2, NULL, 0, &error), 0);
    static const struct {
        const char *text;
        int column;
    } bad[] = {{"[3,5]", 4}, {"[1]", 2}, {"[2,-3]", 4}, {"[2,\"3\"]", 4}, {"{}", 1}, {"7", 1}, {"[2.5]", 2}};
    for (size_t b = 0; b < sizeof bad / sizeof *bad; b++) {
        assert_int_equal(domain->text->read(instance, bad[b].text, strlen(bad[b].text), moves, 4, &error), -1);
        assert_int_equal(error.column, bad[b].column);
    }
    static const char *const broken[] = {"", "[", "[2", "[2,]", "[2]]", "2 3", "[2 3]"};
    for (size_t b = 0; b < sizeof broken / sizeof *broken; b++)
        assert_int_equal(domain->text->read(instance, broken[b], strlen(broken[b]), moves, 4, &error), -1);
    struct buffer text;
    buffer_open(&text);
    soloist_sink sink = buffer_sink(&text);
    domain->text->solution(instance, (soloist_move[]){3, 4, 2}, 3, &sink);
    domain->text->move(instance, NULL, 3, &sink);
    assert_string_equal(text.text, "[3,4,2]flip 3");
    buffer_close(&text);
    domain->life->destroy(instance);
}

/* True if the flips sort the stack, by the shortest code there is. */
static bool sorts(const char *stack_text, const int *flips, int count, int n) {
    uint8_t stack[PANCAKE_MOST];
    for (int i = 0; i < n; i++)
        stack[i] = (uint8_t)strtol(stack_text, (char **)&stack_text, 10);
    for (int i = 0; i < count; i++)
        pancake_reverse_plain(stack, flips[i]);
    for (int i = 0; i < n; i++)
        if (stack[i] != i + 1)
            return false;
    return true;
}

static void check_mutant(const char *stack, const int *flips, int count, int n) {
    char text[256] = "[";
    for (int i = 0; i < count; i++)
        sprintf(text + strlen(text), "%s%d", i ? "," : "", flips[i]);
    strcat(text, "]");
    soloist_verdict verdict;
    soloist_error error;
    bool good = referee(stack, text, &verdict, &error);
    assert_int_equal(good, sorts(stack, flips, count, n));
    if (good)
        assert_true(verdict.value == count && verdict.moves == count && verdict.pushes == -1);
}

/* Every solution of selection by size, and every change of one flip in it. */
static void test_referee(void **state) {
    (void)state;
    const char *stack = "3 2 5 1 6 7 4";
    int flips[8], count = 0, n = 7, work[7] = {3, 2, 5, 1, 6, 7, 4};
    for (int size = n; size > 1; size--) {
        int at = 0;
        while (work[at] != size)
            at++;
        int pair[2] = {at + 1, size};
        for (int p = 0; p < 2 && at + 1 < size; p++) {
            if (pair[p] < 2)
                continue;
            assert_true(count < 8);
            flips[count++] = pair[p];
            for (int i = 0, j = pair[p] - 1; i < j; i++, j--) {
                int kept = work[i];
                work[i] = work[j], work[j] = kept;
            }
        }
    }
    assert_true(sorts(stack, flips, count, n));
    check_mutant(stack, flips, count, n);
    check_mutant(stack, flips, count - 1, n);
    for (int i = 0; i < count; i++) {
        int kept = flips[i];
        for (flips[i] = 2; flips[i] <= n; flips[i]++)
            check_mutant(stack, flips, count, n);
        flips[i] = kept;
    }
    soloist_verdict verdict;
    soloist_error error;
    assert_true(referee("1 2 3", "[]", &verdict, &error));
    assert_int_equal(verdict.value, 0);
    assert_false(referee("1 2 3", "[4]", &verdict, &error));
    assert_int_equal(error.column, 2);
    assert_false(referee("1 2 2", "[]", &verdict, &error));
    assert_false(referee("2 1", "[]", &verdict, &error));
}

/* The bidirectional Monte-Carlo study draws a stack of seven and names an optimal solution of it. */
static void test_published_solution(void **state) {
    (void)state;
    static const int flips[6] = {5, 6, 3, 6, 7, 6};
    uint8_t stack[32] = {1, 2, 3, 4, 5, 6, 7, 8};
    char text[32] = "";
    for (int i = 5; i >= 0; i--)
        pancake_reverse_plain(stack, flips[i]);
    for (int i = 0; i < 7; i++)
        sprintf(text + strlen(text), "%d ", stack[i]);
    soloist_verdict verdict;
    soloist_error error;
    assert_true(referee(text, "[5, 6, 3, 6, 7, 6]", &verdict, &error));
    assert_int_equal(verdict.value, 6);
    struct space space = space_open(parse(text, NULL), true);
    assert_int_equal(space.depth[rank_of(stack, 7)], 6);
    space_close(&space);
}

/* ---- generator ---- */

static void generate(const char *options_text, uint64_t seed, struct buffer *text) {
    _Alignas(16) unsigned char options[64];
    soloist_rng rng;
    soloist_rng_seed(&rng, seed, 0);
    soloist_options_reset(domain->generate->options, options);
    assert_int_equal(soloist_options_parse(domain->generate->options, options, options_text, NULL), SOLOIST_OK);
    soloist_sink sink = buffer_sink(text);
    assert_int_equal(domain->generate->make(options, &rng, &sink, NULL), SOLOIST_OK);
}

static void test_generator(void **state) {
    (void)state;
    static const char *const rows[] = {"n=1", "n=1,flips=5", "n=9", "n=9,flips=1", "n=9,flips=9", "n=128"};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        struct buffer text, again;
        buffer_open(&text);
        buffer_open(&again);
        generate(rows[r], r, &text);
        generate(rows[r], r, &again);
        assert_string_equal(text.text, again.text);
        soloist_cursor cursor = soloist_cursor_open(text.text, text.length);
        soloist_chunk chunk;
        assert_true(domain->life->next(&cursor, &chunk));
        soloist_instance *instance = parse_with(chunk.text, chunk.length, NULL, NULL);
        assert_non_null(instance);
        assert_int_equal(instance->n, atoi(rows[r] + 2));
        struct pancake_state *root = malloc(shape_of(instance).state_size);
        domain->life->root(instance, root);
        char words[64];
        sprintf(words, "; %d pancakes, %d gap", instance->n, (int)domain->bound->value(instance, root));
        assert_memory_equal(text.text, words, strlen(words));
        assert_false(domain->life->next(&cursor, &chunk));
        free(root);
        domain->life->destroy(instance);
        buffer_close(&text);
        buffer_close(&again);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pancake_numbers),
        cmocka_unit_test(test_bounds_on_whole_spaces),
        cmocka_unit_test(test_keys_tell_states_apart),
        cmocka_unit_test(test_reverse_equals_plain),
        cmocka_unit_test(test_walks),
        cmocka_unit_test(test_playouts_and_rewards),
        cmocka_unit_test(test_parse_errors),
        cmocka_unit_test(test_long_lines),
        cmocka_unit_test(test_recognise),
        cmocka_unit_test(test_read_and_write),
        cmocka_unit_test(test_referee),
        cmocka_unit_test(test_published_solution),
        cmocka_unit_test(test_generator),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
