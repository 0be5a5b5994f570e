/* Sliding tiles: the whole spaces of the 8-puzzle and the small oblong boards walked through the contract, bounds held
 * against exact distances in both directions, every fast path against a plain one, files, referee and generator. */
#include "base/buffer.h"
#include "domain/domain.h"
#include "domain/tiles/tiles.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const soloist_domain *const domain = &tiles_domain;

/* ---- kit ---- */

static soloist_instance *parse_with(const char *text, size_t length, const char *settings, soloist_error *error) {
    struct tiles_options options;
    soloist_options_reset(domain->options, &options);
    assert_int_equal(soloist_options_parse(domain->options, &options, settings, error), SOLOIST_OK);
    soloist_chunk chunk = {.text = text, .length = length, .line = 7};
    return domain->life->parse(&chunk, &options, error);
}

static soloist_instance *parse(const char *text, const char *settings) {
    soloist_error error = {0};
    soloist_instance *instance = parse_with(text, strlen(text), settings, &error);
    if (!instance)
        fail_msg("%s: %s", text, error.text);
    return instance;
}

/* Room for any state. */
union any_state {
    uint64_t words[24];
    struct tiles_state state;
};

static size_t state_size(const soloist_instance *instance) {
    soloist_shape shape;
    domain->life->shape(instance, &shape);
    assert_true(shape.state_size <= sizeof(union any_state));
    return shape.state_size;
}

static bool same_state(const soloist_instance *instance, const void *a, const void *b) {
    return memcmp(a, b, state_size(instance)) == 0;
}

/* Everything that the contract says of one state, held against the plain functions. */
static void check_state(const soloist_instance *instance, const soloist_core *core, const soloist_bound *bound,
                        const void *state, soloist_move last) {
    soloist_move moves[4];
    soloist_child children[4];
    union any_state child = {0}, again = {0};
    unsigned char undo[192], packed[16];
    int count = core->moves(instance, state, moves), kept = 0;
    int expanded = core->expand(instance, state, last, SOLOIST_WANT_KEY | SOLOIST_WANT_BOUND, children);
    for (int i = 0; i < count; i++) {
        if (last != SOLOIST_NO_MOVE && moves[i] == 3 - last)
            continue;
        memcpy(&child, state, state_size(instance));
        assert_int_equal(core->apply(instance, &child, moves[i], undo), 1);
        assert_true(kept < expanded);
        assert_int_equal(children[kept].move, moves[i]);
        assert_int_equal(children[kept].step, 1);
        assert_int_equal(children[kept].bound, bound->value(instance, &child));
        assert_true(children[kept].key == core->key(instance, &child));
        core->undo(instance, &child, moves[i], undo);
        assert_true(same_state(instance, &child, state));
        kept++;
    }
    assert_int_equal(kept, expanded);
    assert_true(core->key(instance, state) == core->key_from_scratch(instance, state));
    domain->pack->pack(instance, state, packed);
    domain->pack->unpack(instance, packed, &again);
    assert_true(same_state(instance, state, &again));
}

/* ---- whole spaces ---- */

/* States by their packed words, with the distance from where the walk began. */
struct space {
    uint64_t *packed; /* in the order of discovery: by rising distance */
    uint8_t *distance;
    uint32_t *slots; /* hash table of 1 + place; 0: empty */
    uint32_t count;
};

#define SPACE_SLOTS (1u << 19)
#define SPACE_MOST 181440u

static uint32_t *space_slot(const struct space *space, uint64_t packed) {
    uint32_t slot = (uint32_t)((packed * 0x9e3779b97f4a7c15u) >> 45);
    while (space->slots[slot] && space->packed[space->slots[slot] - 1] != packed)
        slot = (slot + 1) % SPACE_SLOTS;
    return &space->slots[slot];
}

static void space_add(struct space *space, uint64_t packed, int distance) {
    uint32_t *slot = space_slot(space, packed);
    if (*slot)
        return;
    assert_true(space->count < SPACE_MOST);
    space->packed[space->count] = packed;
    space->distance[space->count] = (uint8_t)distance;
    *slot = ++space->count;
}

static uint64_t packed_of(const soloist_instance *instance, const void *state) {
    uint64_t packed;
    domain->pack->pack(instance, state, &packed);
    return packed;
}

/* Breadth-first from a state, by apply alone. */
static struct space space_walk(const soloist_instance *instance, const soloist_core *core, const void *start) {
    struct space space = {calloc(SPACE_MOST, 8), calloc(SPACE_MOST, 1), calloc(SPACE_SLOTS, 4), 0};
    soloist_move moves[4];
    union any_state state = {0}, child = {0};
    space_add(&space, packed_of(instance, start), 0);
    for (uint32_t i = 0; i < space.count; i++) {
        domain->pack->unpack(instance, &space.packed[i], &state);
        int count = core->moves(instance, &state, moves);
        for (int m = 0; m < count; m++) {
            child = state;
            core->apply(instance, &child, moves[m], NULL);
            space_add(&space, packed_of(instance, &child), space.distance[i] + 1);
        }
    }
    return space;
}

static void space_free(struct space *space) { free(space->packed), free(space->distance), free(space->slots); }

/* Bounds against exact distances: at most the distance, zero at the end, and no step changes it by more than one. */
static void check_bounds(const soloist_instance *instance, const soloist_core *core, const soloist_bound *bound,
                         const struct space *space) {
    union any_state state = {0};
    soloist_child children[4];
    int32_t last;
    for (uint32_t i = 0; i < space->count; i++) {
        domain->pack->unpack(instance, &space->packed[i], &state);
        int32_t value = bound->value(instance, &state);
        assert_true(value >= 0 && value <= space->distance[i]);
        assert_true(core->ended(instance, &state, &last) == (space->distance[i] == 0));
        int count = core->expand(instance, &state, SOLOIST_NO_MOVE, SOLOIST_WANT_BOUND, children);
        for (int c = 0; c < count; c++)
            assert_true(abs(children[c].bound - value) <= 1);
    }
}

static uint64_t sum_of_distances(const struct space *space) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < space->count; i++)
        sum += space->distance[i];
    return sum;
}

/* The 8-puzzle from its goal and from a root at the greatest distance, under one bound. */
static void check_eight_puzzle(const char *settings) {
    soloist_instance *instance = parse("8 7 6 0 4 1 2 5 3", settings);
    union any_state state = {0};
    assert_true(domain->reverse->goal(instance, 0, &state));
    struct space from_goal = space_walk(instance, domain->reverse->core, &state);
    assert_int_equal(from_goal.count, 181440);
    assert_int_equal(from_goal.distance[from_goal.count - 1], 31);
    assert_int_equal(sum_of_distances(&from_goal), 3986672); /* mean 21.97 */
    check_bounds(instance, domain->core, domain->bound, &from_goal);

    domain->life->root(instance, &state);
    assert_int_equal(from_goal.distance[*space_slot(&from_goal, packed_of(instance, &state)) - 1], 31);
    struct space from_root = space_walk(instance, domain->core, &state);
    assert_int_equal(from_root.count, 181440);
    check_bounds(instance, domain->reverse->core, domain->reverse->bound, &from_root);
    for (uint32_t i = 0; i < from_root.count; i += 7) {
        domain->pack->unpack(instance, &from_root.packed[i], &state);
        check_state(instance, domain->core, domain->bound, &state, i % 5 < 4 ? i % 5 : SOLOIST_NO_MOVE);
        check_state(instance, domain->reverse->core, domain->reverse->bound, &state, SOLOIST_NO_MOVE);
    }
    space_free(&from_goal), space_free(&from_root);
    domain->life->destroy(instance);
}

static void whole_eight_puzzle_manhattan(void **unused) {
    (void)unused;
    check_eight_puzzle("");
}

static void whole_eight_puzzle_linear_conflict(void **unused) {
    (void)unused;
    check_eight_puzzle("bound=linear-conflict");
}

static void linear_conflict_adds_to_manhattan(void **unused) {
    (void)unused;
    struct {
        const char *board;
        int manhattan, conflict;
    } cases[] = {
        {"0 2 1 3 4 5 6 7 8", 2, 2}, /* 2 and 1 exchanged in their row */
        {"0 1 2 6 4 5 3 7 8", 2, 2}, /* 6 and 3 in their column */
        {"0 1 2 5 4 3 6 7 8", 4, 4}, /* three in reverse: two must leave */
        {"0 1 2 3 4 5 6 7 8", 0, 0}, {"1 0 2 3 4 5 6 7 8", 1, 0},
        {"0 3 2 1 4 5 6 7 8", 4, 0}, /* in each other's line of goals, but not in a line of their own */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        soloist_instance *plain = parse(cases[i].board, ""), *conflict = parse(cases[i].board, "bound=linear-conflict");
        soloist_instance *none = parse(cases[i].board, "bound=none");
        union any_state state = {0};
        domain->life->root(plain, &state);
        assert_int_equal(domain->bound->value(plain, &state), cases[i].manhattan);
        assert_int_equal(domain->bound->value(conflict, &state), cases[i].manhattan + cases[i].conflict);
        assert_int_equal(domain->bound->value(none, &state), 0);
        check_state(none, domain->core, domain->bound, &state, SOLOIST_NO_MOVE);
        domain->life->destroy(plain), domain->life->destroy(conflict), domain->life->destroy(none);
    }
}

/* Every permutation of a small board: reached from the goal exactly if it is not odd. */
static void check_parity(int width, int height, const char *settings, uint32_t reachable) {
    char text[64], *at;
    int squares = width * height, order[6] = {0};
    uint32_t even = 0;
    struct space space = {0};
    for (uint32_t rank = 0; rank < (squares == 4 ? 24u : 720u); rank++) {
        uint32_t rest = rank;
        for (int i = 0; i < squares; i++) {
            int j = (int)(rest % (uint32_t)(i + 1));
            rest /= (uint32_t)(i + 1);
            order[i] = order[j], order[j] = i;
        }
        at = text + sprintf(text, "%dx%d:", width, height);
        for (int i = 0; i < squares; i++)
            at += sprintf(at, " %d", order[i]);
        soloist_instance *instance = parse(text, settings);
        union any_state state = {0};
        if (!space.count) {
            domain->reverse->goal(instance, 0, &state);
            space = space_walk(instance, domain->reverse->core, &state);
        }
        domain->life->root(instance, &state);
        bool possible = domain->life->impossible(instance) == NULL;
        assert_true(possible == (*space_slot(&space, packed_of(instance, &state)) != 0));
        even += possible;
        domain->life->destroy(instance);
    }
    assert_int_equal(space.count, reachable);
    assert_int_equal(even, reachable);
    space_free(&space);
}

static void parity_is_reachability(void **unused) {
    (void)unused;
    check_parity(2, 2, "", 12);
    check_parity(3, 2, "", 360);
    check_parity(2, 3, "goal=blank-last", 360);
    check_parity(2, 2, "goal=blank-last", 12);
}

static void loyds_puzzle_is_impossible(void **unused) {
    (void)unused;
    soloist_instance *instance = parse("1 2 3 4 5 6 7 8 9 10 11 12 13 15 14 0", "goal=blank-last");
    assert_non_null(strstr(domain->life->impossible(instance), "parity"));
    domain->life->destroy(instance);
    instance = parse("1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 0", "goal=blank-last");
    assert_null(domain->life->impossible(instance));
    domain->life->destroy(instance);
}

/* ---- walks on every size of board ---- */

static void random_walks_on_all_boards(void **unused) {
    (void)unused;
    static const char *const settings[] = {"", "goal=blank-last,bound=linear-conflict"};
    soloist_rng rng;
    soloist_rng_seed(&rng, 1, 2);
    for (int size = 0; size < 32; size++) {
        int width = 2 + size % 4, height = 2 + size / 4 % 4, squares = width * height;
        char text[128], *at = text + sprintf(text, "%dx%d:", width, height);
        for (int i = 0; i < squares; i++)
            at += sprintf(at, ",%d", (i + (size < 16 ? 1 : 0)) % squares);
        soloist_instance *instance = parse(text, settings[size / 16]);
        union any_state state = {0}, scratch = {0};
        uint8_t board[TILES_MOST_SQUARES];
        soloist_move moves[4], last = SOLOIST_NO_MOVE;
        domain->life->root(instance, &state);
        for (int step = 0; step < 300; step++) {
            check_state(instance, domain->core, domain->bound, &state, last);
            check_state(instance, domain->reverse->core, domain->reverse->bound, &state, last);
            tiles_board_from_state(instance, &state.state, board);
            tiles_state_from_board(instance, board, &scratch.state);
            assert_true(same_state(instance, &state, &scratch));
            last = moves[soloist_rng_below(&rng, (uint32_t)domain->core->moves(instance, &state, moves))];
            domain->core->apply(instance, &state, last, NULL);
        }
        domain->life->destroy(instance);
    }
}

static void backward_moves_invert_forward_moves(void **unused) {
    (void)unused;
    soloist_instance *instance = parse("7 2 4 5 0 6 8 3 1", "");
    union any_state state = {0}, before = {0};
    soloist_move moves[4];
    int32_t last;
    domain->life->root(instance, &state);
    assert_true(domain->reverse->core->ended(instance, &state, &last));
    assert_false(domain->reverse->goal(instance, 1, &before));
    int count = domain->reverse->core->moves(instance, &state, moves);
    assert_int_equal(count, 4);
    for (int i = 0; i < count; i++) {
        before = state;
        soloist_move forward = domain->reverse->forward(instance, &state, moves[i]);
        domain->reverse->core->apply(instance, &before, moves[i], NULL);
        domain->core->apply(instance, &before, forward, NULL);
        assert_true(same_state(instance, &before, &state));
    }
    domain->life->destroy(instance);
}

static void moves_come_in_korfs_order(void **unused) {
    (void)unused;
    soloist_instance *instance = parse("1 2 3 4 0 5 6 7 8", "");
    union any_state state = {0};
    soloist_move moves[4];
    soloist_child children[4];
    domain->life->root(instance, &state);
    assert_int_equal(domain->core->moves(instance, &state, moves), 4);
    for (soloist_move i = 0; i < 4; i++)
        assert_int_equal(moves[i], i);
    assert_int_equal(domain->core->expand(instance, &state, TILES_UP, 0, children), 3);
    assert_int_equal(children[0].move, TILES_UP);
    assert_int_equal(children[1].move, TILES_LEFT);
    assert_int_equal(children[2].move, TILES_RIGHT);
    domain->life->destroy(instance);
}

/* ---- play-outs and rewards ---- */

static void playouts_can_be_replayed(void **unused) {
    (void)unused;
    static const char *const boards[] = {"1 2 0 3 4 5 6 7 8", "5x4: 1 0 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19"};
    int ends = 0;
    soloist_rng rng;
    soloist_rng_seed(&rng, 3, 0);
    for (int round = 0; round < 200; round++) {
        soloist_instance *instance = parse(boards[round % 2], "");
        union any_state state = {0}, replayed = {0};
        soloist_move trace[50];
        int32_t last;
        domain->life->root(instance, &state);
        replayed = state;
        soloist_playout playout = domain->sample->playout(instance, &state, 0, 50, &rng, trace, NULL);
        assert_true(playout.length <= 50 && playout.value == playout.length);
        for (int i = 0; i < playout.length; i++) {
            assert_false(domain->core->ended(instance, &replayed, &last));
            domain->core->apply(instance, &replayed, trace[i], NULL);
        }
        assert_true(same_state(instance, &state, &replayed));
        assert_true(playout.ended == domain->core->ended(instance, &state, &last));
        assert_true(playout.ended || playout.length == 50);
        assert_true(domain->reward->value(instance, 0, NULL, &state, 1) == playout.ended);
        assert_true(domain->reward->value(instance, 1, NULL, &state, 1) == -domain->bound->value(instance, &state));
        ends += playout.ended;
        domain->life->destroy(instance);
    }
    assert_true(ends > 20 && ends < 200);
}

static void playouts_are_uniform_over_moves(void **unused) {
    (void)unused;
    soloist_instance *instance = parse("1 2 3 4 0 5 6 7 8", "");
    int seen[4] = {0};
    soloist_rng rng;
    soloist_rng_seed(&rng, 4, 0);
    for (int round = 0; round < 4000; round++) {
        union any_state state = {0};
        soloist_move first;
        domain->life->root(instance, &state);
        domain->sample->playout(instance, &state, 0, 1, &rng, &first, NULL);
        seen[first]++;
    }
    for (int move = 0; move < 4; move++)
        assert_in_range(seen[move], 850, 1150);
    domain->life->destroy(instance);
}

/* ---- files ---- */

static void errors_are_located(void **unused) {
    (void)unused;
    static const struct {
        const char *text;
        int column;
        const char *says;
    } cases[] = {
        {"1 2 3", 1, "expected 4, 9, 16 or 25 numbers"},
        {"0 1 2 3 4 5", 1, "found 6"},
        {"0", 1, "found 1"},
        {"0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25", 66, "found at least 26"},
        {"0 1 2 2", 7, "2 occurs twice"},
        {"0 1 0 2", 5, "0 occurs twice"},
        {"1 2 3 4", 1, "0, the blank"},
        {"  3 1 2 3", 3, "0, the blank"},
        {"0 1 2 4", 7, "from 0 to 3"},
        {"0 1 2 99999999999999999999", 7, "from 0 to 3"},
        {"0 1 2 x", 7, "expected a number, found 'x'"},
        {"0 1 2 3x", 8, "found 'x'"},
        {"0 -1 2 3", 3, "found '-'"},
        {"0 1 2\x01", 6, "found byte 1"},
        {"0 1 \xff 2", 5, "found byte 255"},
        {"3x2: 0 1 2 3 4", 1, "expected 6 numbers for a 3x2 board, found 5"},
        {"3x2: 0 1 2 3 4 5 6", 18, "expected 6 numbers"},
        {"3x2: 0 1 2 3 4 6", 16, "from 0 to 5"},
        {"3x: 0 1 2", 3, "height"},
        {"3x2 0 1 2 3 4 5", 5, "expected ':'"},
        {"3x2", 4, "end of the line"},
        {"6x2: 0 1", 1, "sides from 2 to 5"},
        {" 1x4: 0 1 2 3", 2, "sides from 2 to 5"},
        {"99999999999x4: 0", 1, "sides from 2 to 5"},
        {":", 1, "found ':'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        soloist_error error = {0};
        assert_null(parse_with(cases[i].text, strlen(cases[i].text), "", &error));
        if (error.line != 7 || error.column != cases[i].column || !strstr(error.text, cases[i].says))
            fail_msg("%s: line %d, column %d: %s", cases[i].text, error.line, error.column, error.text);
    }
}

/* Ten megabytes in a line: the reader stops at the first number too many. */
static void long_lines_are_refused(void **unused) {
    (void)unused;
    size_t length = 10 << 20;
    char *text = malloc(length);
    soloist_error error = {0};
    for (size_t i = 0; i < length; i++)
        text[i] = i % 2 ? ' ' : '0';
    assert_null(parse_with(text, length, "", &error));
    assert_int_equal(error.column, 51);
    memset(text, '7', length);
    assert_null(parse_with(text, length, "", &error));
    assert_non_null(strstr(error.text, "found 1"));
    memset(text, ' ', length);
    assert_null(parse_with(text, length, "", &error));
    assert_int_equal(domain->life->recognise(text, length), 0);
    free(text);
}

static void boards_print_as_they_are_read(void **unused) {
    (void)unused;
    static const char *const pairs[][2] = {
        {"3 1 0 2", "3 1 0 2\n"},
        {"2x2: 3 1 0 2", "3 1 0 2\n"},
        {" 3,1 ,0\t2 ; four", "3 1 0 2\n"},
        {"3X2 : 5 4 3 2 1 0# six", "3x2: 5 4 3 2 1 0\n"},
        {"2x3:5 4 3 2 1 0", "2x3: 5 4 3 2 1 0\n"},
        {"24 5 9 2 18 8 23 19 12 17 15 0 10 20 4 6 11 21 1 7 14 3 16 22 13\r",
         "24 5 9 2 18 8 23 19 12 17 15 0 10 20 4 6 11 21 1 7 14 3 16 22 13\n"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        soloist_instance *instance = parse(pairs[i][0], "");
        union any_state state = {0};
        struct buffer buffer;
        buffer_open(&buffer);
        soloist_sink sink = buffer_sink(&buffer);
        domain->life->root(instance, &state);
        domain->text->print(instance, &state, &sink);
        assert_string_equal(buffer.text, pairs[i][1]);
        soloist_instance *again = parse(buffer.text, "");
        assert_memory_equal(instance, again, sizeof *instance);
        domain->life->destroy(instance), domain->life->destroy(again);
        buffer_close(&buffer);
    }
}

static void files_are_recognised(void **unused) {
    (void)unused;
    static const struct {
        const char *text;
        int least, most;
    } cases[] = {
        {"; Korf\n\n0 1 2 3\n", 80, 100},
        {"3x2: 0 1 2 3 4 5", 80, 100},
        {"1 2 3 4\n", 0, 0},
        {"", 0, 0},
        {"#####\n#@$.#\n#####\n", 0, 0},
        {"12345\n11111\n", 0, 0},
        {"0 1 2 2\n", 1, 50},
        {"3x2: 0 1 2 3", 1, 50},
        {"hello\n0 1 2 3\n", 0, 0},
        {"0 1 2 3\nrubbish\n", 80, 100},
        {"\xff\xfe", 0, 0},
        {"X..\n.O.\n...\n", 0, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        int sure = domain->life->recognise(cases[i].text, strlen(cases[i].text));
        if (sure < cases[i].least || sure > cases[i].most)
            fail_msg("%s: %d", cases[i].text, sure);
    }
}

/* ---- solutions ---- */

static bool judge(const char *board, const char *settings, const char *solution, soloist_verdict *verdict,
                  soloist_error *error) {
    struct tiles_options options;
    soloist_options_reset(domain->options, &options);
    assert_int_equal(soloist_options_parse(domain->options, &options, settings, error), SOLOIST_OK);
    soloist_chunk chunk = {.text = board, .length = strlen(board), .line = 1};
    return domain->text->referee(&chunk, &options, solution, strlen(solution), verdict, error);
}

static void solutions_are_written_and_read(void **unused) {
    (void)unused;
    soloist_instance *instance = parse("0 1 2 3", "");
    soloist_move moves[8];
    soloist_error error = {0};
    struct buffer buffer;
    buffer_open(&buffer);
    soloist_sink sink = buffer_sink(&buffer);
    assert_int_equal(domain->text->read(instance, "Ul rD\n", 6, moves, 8, &error), 4);
    domain->text->solution(instance, moves, 4, &sink);
    assert_string_equal(buffer.text, "ULRD");
    buffer_clear(&buffer);
    assert_int_equal(domain->text->read(instance, "ULRDULRD", 8, moves, 2, &error), 8);
    assert_int_equal(domain->text->read(instance, "UL?", 3, moves, 8, &error), -1);
    assert_int_equal(error.column, 3);
    domain->life->destroy(instance);
    buffer_close(&buffer);
}

static void referee_replays(void **unused) {
    (void)unused;
    static const char board[] = "3 1 2 6 4 5 7 8 0", right[] = "LLUU";
    soloist_verdict verdict = {0};
    soloist_error error = {0};
    assert_true(judge(board, "", right, &verdict, &error));
    assert_int_equal(verdict.value, 4);
    assert_int_equal(verdict.moves, 4);
    assert_int_equal(verdict.pushes, -1);
    assert_true(judge(board, "", "ll uu\n", &verdict, &error));
    assert_true(judge("0 1 2 3", "", "", &verdict, &error));
    assert_int_equal(verdict.value, 0);
    assert_true(judge("3x2: 1 2 3 4 0 5", "goal=blank-last", "R", &verdict, &error));

    /* Every solution that differs in one letter, lacks one or has one more is wrong. */
    for (size_t place = 0; place <= strlen(right); place++)
        for (const char *letter = "ULRDx"; *letter; letter++) {
            char changed[16], inserted[16], missing[16];
            strcpy(changed, right), changed[place] = *letter, changed[strlen(right)] = 0;
            sprintf(inserted, "%.*s%c%s", (int)place, right, *letter, right + place);
            sprintf(missing, "%.*s%s", (int)place, right, right[place] ? right + place + 1 : "U");
            assert_true(judge(board, "", changed, &verdict, &error) == !strcmp(changed, right));
            assert_false(judge(board, "", inserted, &verdict, &error));
            assert_false(judge(board, "", missing, &verdict, &error));
        }
    assert_false(judge(board, "goal=blank-last", right, &verdict, &error));
    assert_int_equal(error.column, 5);
    assert_false(judge(board, "", "LLL", &verdict, &error));
    assert_int_equal(error.column, 3);
    assert_non_null(strstr(error.text, "off the board"));
    assert_false(judge("0 1 2 2", "", "", &verdict, &error));
    assert_non_null(strstr(error.text, "twice"));
}

/* ---- generator ---- */

static char *generate(const char *settings, uint64_t seed) {
    void *options = calloc(1, domain->generate->options_size);
    soloist_error error;
    soloist_rng rng;
    struct buffer buffer;
    buffer_open(&buffer);
    soloist_sink sink = buffer_sink(&buffer);
    soloist_rng_seed(&rng, seed, 0);
    soloist_options_reset(domain->generate->options, options);
    assert_int_equal(soloist_options_parse(domain->generate->options, options, settings, &error), SOLOIST_OK);
    assert_int_equal(domain->generate->make(options, &rng, &sink, &error), SOLOIST_OK);
    free(options);
    return buffer_take(&buffer);
}

static soloist_instance *parse_generated(const char *text, const char *settings) {
    soloist_cursor cursor = soloist_cursor_open(text, strlen(text));
    soloist_chunk chunk, second;
    assert_int_equal(*text, ';');
    assert_true(domain->life->next(&cursor, &chunk));
    assert_false(domain->life->next(&cursor, &second));
    soloist_instance *instance = parse_with(chunk.text, chunk.length, settings, NULL);
    assert_non_null(instance);
    return instance;
}

static void generated_boards_are_solvable(void **unused) {
    (void)unused;
    static const char *const settings[] = {"width=4,height=4", "width=2,height=5,goal=blank-last",
                                           "width=5,height=5,walk=60", "width=3,height=3,goal=blank-last"};
    static const char *const goals[] = {"", "goal=blank-last", "", "goal=blank-last"};
    for (uint64_t seed = 0; seed < 200; seed++) {
        char *text = generate(settings[seed % 4], seed), *again = generate(settings[seed % 4], seed);
        assert_string_equal(text, again);
        soloist_instance *instance = parse_generated(text, goals[seed % 4]);
        union any_state state = {0};
        char says[64];
        domain->life->root(instance, &state);
        assert_null(domain->life->impossible(instance));
        int32_t manhattan = domain->bound->value(instance, &state);
        snprintf(says, sizeof says, "(Manhattan distance %d)", (int)manhattan);
        assert_non_null(strstr(text, says));
        if (seed % 4 == 2)
            assert_true(manhattan <= 60 && manhattan % 2 == 0);
        domain->life->destroy(instance);
        free(text), free(again);
    }
}

static void generator_reaches_every_board(void **unused) {
    (void)unused;
    uint64_t seen[12] = {0};
    int count = 0, times[12] = {0};
    for (uint64_t seed = 0; seed < 1200; seed++) {
        char *text = generate("width=2,height=2", seed);
        soloist_instance *instance = parse_generated(text, "");
        union any_state state = {0};
        int at = 0;
        domain->life->root(instance, &state);
        while (at < count && seen[at] != state.state.board[0])
            at++;
        assert_true(at < 12);
        if (at == count)
            seen[count++] = state.state.board[0];
        times[at]++;
        domain->life->destroy(instance);
        free(text);
    }
    assert_int_equal(count, 12);
    for (int i = 0; i < 12; i++)
        assert_in_range(times[i], 60, 145);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_eight_puzzle_manhattan),
        cmocka_unit_test(whole_eight_puzzle_linear_conflict),
        cmocka_unit_test(linear_conflict_adds_to_manhattan),
        cmocka_unit_test(parity_is_reachability),
        cmocka_unit_test(loyds_puzzle_is_impossible),
        cmocka_unit_test(random_walks_on_all_boards),
        cmocka_unit_test(backward_moves_invert_forward_moves),
        cmocka_unit_test(moves_come_in_korfs_order),
        cmocka_unit_test(playouts_can_be_replayed),
        cmocka_unit_test(playouts_are_uniform_over_moves),
        cmocka_unit_test(errors_are_located),
        cmocka_unit_test(long_lines_are_refused),
        cmocka_unit_test(boards_print_as_they_are_read),
        cmocka_unit_test(files_are_recognised),
        cmocka_unit_test(solutions_are_written_and_read),
        cmocka_unit_test(referee_replays),
        cmocka_unit_test(generated_boards_are_solvable),
        cmocka_unit_test(generator_reaches_every_board),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
