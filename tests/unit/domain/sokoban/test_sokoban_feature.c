/* Sokoban's larger moves, features and plans: held against the whole state space of small levels, against plain play,
 * and against pictures. */
#include "domain/sokoban/sokoban_whole.h"

#include "domain/sokoban/sokoban_generated.h"

#include "domain/sokoban/feature/feature.h"

#ifndef SOLOIST_SHARED
#define SOLOIST_SHARED ""
#endif

static const soloist_features *const features = &sokoban_features;

/* An instance with its guide. */
struct opened {
    soloist_instance *instance;
    const struct sokoban *game;
    struct guide *guide;
};

static struct opened open_level(const char *text, const char *options, int plan) {
    soloist_chunk chunk = plain_chunk(text);
    struct opened o = {.instance = plain_instance(&sokoban_domain, options, &chunk)};
    o.game = sokoban_of(o.instance);
    o.guide = calloc(1, features->guide_size(o.instance));
    assert_non_null(o.guide);
    features->open(o.instance, o.guide, plan);
    return o;
}

static void close_level(struct opened *o) {
    features->close(o->instance, o->guide);
    free(o->guide);
    sokoban_domain.life->destroy(o->instance);
}

struct tally {
    int states, prospects, long_ones, doomed;
};

/* A prospect is what it says, and the plain pushes lead to the same state. */
static void check_prospect(const struct opened *o, const void *state, const soloist_prospect *prospect, void *after,
                           struct tally *tally) {
    _Alignas(8) unsigned char played[64];
    soloist_move pushes[256];
    size_t size = features->state_size(o->instance);
    memcpy(after, state, size);
    memcpy(played, state, size);
    features->play(o->instance, o->guide, after, prospect->move);
    assert_true(features->key(o->instance, after) == prospect->key);
    assert_true(features->project(o->instance, o->guide, after) == prospect->features);
    int count = features->plain(o->instance, o->guide, state, prospect->move, NULL);
    assert_in_range(count, 1, 256);
    assert_int_equal(features->plain(o->instance, o->guide, state, prospect->move, pushes), count);
    for (int i = 0; i < count; i++) {
        soloist_move legal[256];
        int moves = sokoban_push_core.moves(o->instance, played, legal), at = 0;
        while (at < moves && legal[at] != pushes[i])
            at++;
        assert_true(at < moves);
        sokoban_push_core.apply(o->instance, played, pushes[i], NULL);
    }
    assert_memory_equal(played, after, size);
    tally->prospects++;
    tally->long_ones += count > 1;
}

/* From a state that can be solved some larger move leads to one that can, and neither is called dead. */
static void check_state(const struct whole *w, const struct opened *o, unsigned at, struct tally *tally) {
    _Alignas(8) unsigned char state[64], after[64];
    soloist_prospect prospects[512];
    bool solvable = w->pushes[at] < WHOLE_FAR, some = false;
    whole_state(w, o->game, at >> 4, (int)(at & 15), (void *)state);
    if (sokoban_dead(o->instance, state)) {
        assert_false(solvable);
        return;
    }
    bool dead = features->dead(o->instance, o->guide, state, SOLOIST_NO_MOVE);
    assert_false(solvable && dead);
    int count = features->list(o->instance, o->guide, state, prospects);
    uint32_t proposed = 0;
    for (int i = 0; i < count; i++) {
        check_prospect(o, state, &prospects[i], after, tally);
        bool lost = features->dead(o->instance, o->guide, after, prospects[i].move);
        bool good = w->pushes[whole_index(w, o->game, after)] < WHOLE_FAR;
        assert_false(good && lost);
        some |= good;
        assert_false(proposed & prospects[i].advisors);
        proposed |= prospects[i].advisors;
    }
    bool doomed = features->doomed(o->instance, o->guide, state, true);
    assert_false(solvable && doomed);
    assert_int_equal(features->doomed(o->instance, o->guide, state, false), doomed); /* it was learned */
    tally->doomed += doomed && !dead;
    tally->states++;
    if (solvable && w->pushes[at])
        assert_true(some);
}

static void check_level(const char *text, const char *options, struct tally *tally) {
    struct whole whole;
    struct sokoban_level level;
    soloist_chunk chunk = plain_chunk(text);
    if (!sokoban_level_parse(&chunk, &level, NULL) || !whole_open(&whole, &level))
        return;
    struct opened o = open_level(text, options, 0);
    for (unsigned at = 0; at < 1u << (whole.floor + 4); at++)
        if (whole_holds(&whole, at))
            check_state(&whole, &o, at, tally);
    close_level(&o);
    whole_close(&whole);
}

static void larger_moves_lose_nothing(void **unused) {
    (void)unused;
    struct tally tally = {0};
    soloist_rng rng;
    char text[256];
    soloist_rng_seed(&rng, 11, 0);
    for (int levels = 0; levels < 60;)
        if (whole_draw(&rng, text, sizeof text)) {
            check_level(text, levels & 1 ? "pattern_deadlocks=on" : "", &tally);
            levels++;
        }
    assert_true(tally.states > 2000 && tally.prospects > 5000 && tally.long_ones > 1000 && tally.doomed > 100);
}

static soloist_result solve(const char *text, const char *options, const char *method, uint64_t nodes) {
    soloist *engine = soloist_new();
    soloist_chunk chunk = plain_chunk(text);
    soloist_puzzle puzzle;
    soloist_result result;
    soloist_error error;
    soloist_limits limits = {.nodes = nodes};
    assert_int_equal(soloist_puzzle_read(&sokoban_domain, options, &chunk, &puzzle, &error), SOLOIST_OK);
    if (soloist_solve(engine, &puzzle, method, &limits, NULL, &result, &error) != SOLOIST_OK)
        fail_msg("%s: %s", method, error.text);
    soloist_puzzle_free(&puzzle);
    soloist_free(engine);
    return result;
}

/* With any plan the verdict is that of A*. */
static void verdicts_agree(void **unused) {
    (void)unused;
    soloist_rng rng;
    char text[256], method[64];
    int solved = 0, impossible = 0;
    soloist_rng_seed(&rng, 12, 0);
    for (int levels = 0; levels < 600;) {
        if (!whole_draw(&rng, text, sizeof text))
            continue;
        soloist_result plain = solve(text, "", "astar", 0);
        snprintf(method, sizeof method, "fess:first=%d", levels++ % (3 * features->plans));
        soloist_result result = solve(text, levels % 7 ? "" : "optimal=moves", method, 0);
        assert_int_equal(result.status, plain.status);
        solved += result.status == SOLOIST_SOLVED;
        impossible += result.status == SOLOIST_IMPOSSIBLE;
        soloist_result_free(&plain);
        soloist_result_free(&result);
    }
    if (solved <= 30 || impossible <= 30)
        fail_msg("%d solved, %d impossible", solved, impossible);
}

/* Every option does something: over a few levels the counts of nodes differ. */
static void options_matter(void **unused) {
    static const char *const changes[] = {"cells=1",      "features=1",    "advisors=0", "weights=off",
                                          "turns=off",    "best=off",      "keep=off",   "first=4",
                                          "plan_share=0", "plan_states=3", "plans=1",    "think=off"};
    (void)unused;
    soloist_rng rng;
    char *levels[12];
    soloist_rng_seed(&rng, 13, 0);
    for (int i = 0; i < 12; i++)
        levels[i] = i < 6 ? generated_level(10, 5, &rng) : generated_level(12, 9, &rng);
    for (size_t c = 0; c < sizeof changes / sizeof *changes; c++) {
        char method[64];
        bool differs = false;
        snprintf(method, sizeof method, "fess:%s", changes[c]);
        for (int i = 0; i < 12 && !differs; i++) {
            soloist_result usual = solve(levels[i], "", "fess", 9000), other = solve(levels[i], "", method, 9000);
            differs =
                usual.nodes != other.nodes || usual.status != other.status || usual.move_count != other.move_count;
            soloist_result_free(&usual);
            soloist_result_free(&other);
        }
        if (!differs)
            fail_msg("%s changes nothing", changes[c]);
    }
    for (int i = 0; i < 12; i++)
        free(levels[i]);
}

/* Names mean what the numbers meant. */
static void names_are_numbers(void **unused) {
    static const char *const pairs[][2] = {
        {"fess:plans=1,first=4", "fess:plans=1,first=staying"},
        {"fess:plans=1,first=0", "fess:plans=1,first=sinks"},
        {"fess:cells=5", "fess:cells=rooms+packed"},
        {"fess:cells=0", "fess:cells=plan"},
        {"fess:features=127", "fess:features=all"},
        {"fess:features=119", "fess:features=all-out-of-plan"},
        {"fess:features=0", "fess:features=none"},
        {"fess:advisors=4294967292", "fess:advisors=all-packing+parts"},
        {"fess:advisors=3", "fess:advisors=parts+packing"},
    };
    (void)unused;
    soloist_rng rng;
    soloist_rng_seed(&rng, 14, 0);
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        char *level = generated_level(12, 8, &rng);
        soloist_result number = solve(level, "", pairs[i][0], 5000), name = solve(level, "", pairs[i][1], 5000);
        assert_int_equal(number.nodes, name.nodes);
        assert_int_equal(number.move_count, name.move_count);
        soloist_result_free(&number);
        soloist_result_free(&name);
        free(level);
    }
    for (int i = 0; i < features->plans; i++)
        assert_non_null(features->plan_names[i]);
    assert_null(features->plan_names[features->plans]);
}

static void unknown_names_are_refused(void **unused) {
    static const char *const rows[][2] = {
        {"fess:first=nobody", "sokoban has no plan nobody; it has sinks, strict-rooms, "},
        {"fess:first=1000", "sokoban has no plan 1000; it has "},
        {"fess:cells=packed+x", "sokoban has no feature x; it has packed, parts, "},
        {"fess:features=128", "sokoban has no feature 128; it has "},
        {"fess:advisors=all-none", "sokoban has no advisor none; it has packing, parts, "},
    };
    (void)unused;
    soloist_chunk chunk = {.text = "#####\n#@$.#\n#####\n", .length = 18, .line = 1};
    soloist_puzzle puzzle;
    soloist_error error;
    soloist_limits limits = {.nodes = 100};
    soloist *engine = soloist_new();
    assert_int_equal(soloist_puzzle_read(&sokoban_domain, NULL, &chunk, &puzzle, &error), SOLOIST_OK);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_equal(soloist_method_suits(engine, &puzzle, rows[i][0], &limits, &error), SOLOIST_UNSUPPORTED);
        assert_memory_equal(error.text, rows[i][1], strlen(rows[i][1]));
    }
    soloist_free(engine);
    soloist_puzzle_free(&puzzle);
}

static void root_boxes(const struct opened *o, uint64_t *boxes) {
    memcpy(boxes, o->game->root_boxes, (size_t)o->game->words * sizeof *boxes);
}

/* Two rooms, and a corridor that a box stands in. */
static void rooms_are_linked(void **unused) {
    (void)unused;
    struct opened o = open_level("###########\n#   ###   #\n#   $     #\n# @ ###  .#\n###########\n", "", 0);
    uint64_t boxes[SOKOBAN_WORDS], none[SOKOBAN_WORDS] = {0};
    root_boxes(&o, boxes);
    assert_int_equal(o.guide->links, 1);
    assert_int_equal(feature_rooms(o.guide, boxes), 1);
    assert_int_equal(feature_rooms(o.guide, none), 0);
    assert_int_equal(feature_count_parts(o.game, boxes), 2);
    assert_int_equal(feature_count_parts(o.game, none), 1);
    close_level(&o);
}

/* The right box shuts the left one off from both goals. */
static void hotspots_are_seen(void **unused) {
    (void)unused;
    struct opened o =
        open_level("##########\n#    ##  #\n#   $##  #\n#@$     .#\n#    ## .#\n#    ##  #\n##########\n", "", 0);
    uint64_t boxes[SOKOBAN_WORDS];
    root_boxes(&o, boxes);
    assert_int_equal(feature_hotspots(o.guide, boxes), 0);
    close_level(&o);
    o = open_level("##########\n#    ##  #\n#    ##  #\n#@$  $  .#\n#    ## .#\n#    ##  #\n##########\n", "", 0);
    root_boxes(&o, boxes);
    assert_int_equal(feature_hotspots(o.guide, boxes), 1);
    close_level(&o);
}

/* Plays the plan's game by its first advisor and hands the line to the guide. */
static void make_plan(struct opened *o) {
    const soloist_features *plan = features->plan;
    soloist_move line[64];
    size_t count = 0;
    void *state = calloc(1, plan->state_size(o->instance));
    soloist_prospect *prospects = calloc((size_t)plan->most(o->instance), sizeof *prospects);
    assert_true(plan->root(o->instance, o->guide, 0, state));
    while (!plan->ended(o->instance, state) && count < 64) {
        int moves = plan->list(o->instance, o->guide, state, prospects), at = 0;
        while (at < moves && !(prospects[at].advisors & 1))
            at++;
        assert_true(at < moves);
        uint64_t said = prospects[at].features;
        plan->play(o->instance, o->guide, state, line[count++] = prospects[at].move);
        assert_true(plan->project(o->instance, o->guide, state) == said);
    }
    features->adopt(o->instance, o->guide, state, line, count);
    free(prospects);
    free(state);
}

/* The deepest goal of a dead end is packed first; a box beside the way is then out of plan. */
static void plans_fill_the_deepest_first(void **unused) {
    (void)unused;
    struct opened o = open_level("#################\n#        ########\n# $ $ $@    ...##\n#        ########\n"
                                 "#################\n",
                                 "", 0);
    make_plan(&o);
    assert_int_equal(o.guide->steps, 3);
    for (int i = 0; i < 3; i++)
        assert_int_equal(o.guide->next[i], plain_square(o.game, 14 - i, 2));
    uint64_t boxes[SOKOBAN_WORDS] = {0};
    assert_int_equal(feature_packed(o.guide, boxes), 0);
    bitset_add(boxes, (unsigned)plain_square(o.game, 13, 2));
    assert_int_equal(feature_packed(o.guide, boxes), 0);
    bitset_add(boxes, (unsigned)plain_square(o.game, 14, 2));
    assert_int_equal(feature_packed(o.guide, boxes), 2);
    close_level(&o);
}

/* Of more goals than boxes a plan fills those of a least matching: not the one furthest in. */
static void plans_choose_among_goals(void **unused) {
    (void)unused;
    struct opened o = open_level("#################\n#        ########\n#   $ $@    ...##\n#        ########\n"
                                 "#################\n",
                                 "", 0);
    assert_int_equal(bitset_count(o.guide->ends, (size_t)o.game->words), 2);
    assert_false(bitset_has(o.guide->ends, (unsigned)plain_square(o.game, 14, 2)));
    make_plan(&o);
    assert_int_equal(o.guide->steps, 2);
    for (int i = 0; i < 2; i++)
        assert_int_equal(o.guide->next[i], plain_square(o.game, 13 - i, 2));
    close_level(&o);
}

/* Once the goal in the corridor is full, boxes on the left cannot come to the other goal. */
static void boxes_get_out_of_plan(void **unused) {
    (void)unused;
    struct opened o = open_level("############\n#   ###    #\n# $@ .  $ .#\n#   ###    #\n############\n", "", 0);
    int corridor = plain_square(o.game, 5, 2), room = plain_square(o.game, 10, 2);
    soloist_move line[2] = {feature_move(room, room - 2, 1) | FEATURE_SINK,
                            feature_move(corridor, corridor - 3, 1) | FEATURE_SINK};
    void *none_left = calloc(1, features->plan->state_size(o.instance));
    features->adopt(o.instance, o.guide, none_left, line, 2);
    free(none_left);
    uint64_t boxes[SOKOBAN_WORDS];
    root_boxes(&o, boxes);
    assert_int_equal(o.guide->steps, 2);
    assert_int_equal(o.guide->next[0], corridor);
    assert_int_equal(feature_out_of_plan(o.guide, boxes, 0), 1);
    bitset_remove(boxes, (unsigned)plain_square(o.game, 2, 2));
    assert_int_equal(feature_out_of_plan(o.guide, boxes, 0), 0);
    close_level(&o);
}

/* The box on the goal is frozen, and behind it lies a goal that the other can no longer reach. */
static void frozen_boxes_are_walls(void **unused) {
    (void)unused;
    struct opened o = open_level("########\n#@ $*. #\n########\n", "", 0);
    uint64_t frozen[SOKOBAN_WORDS] = {0}, boxes[SOKOBAN_WORDS];
    root_boxes(&o, boxes);
    assert_null(feature_view(o.guide, frozen));
    bitset_add(frozen, (unsigned)plain_square(o.game, 4, 1));
    const uint64_t *view = feature_view(o.guide, frozen);
    assert_non_null(view);
    assert_false(feature_view_fits(o.guide, view, boxes));
    assert_ptr_equal(feature_view(o.guide, frozen), view);
    close_level(&o);
}

/* Of the first twenty levels of a set made by others all are solved within a few nodes. */
static void a_level_set_is_solved(void **unused) {
    (void)unused;
    char *text = plain_shared_file("microban1.xsb");
    soloist_cursor cursor = soloist_cursor_open(text, strlen(text));
    soloist_chunk chunk;
    for (int i = 0; i < 20 && sokoban_domain.life->next(&cursor, &chunk); i++) {
        char *level = strndup(chunk.text, chunk.length);
        soloist_result result = solve(level, "", "fess", 300000);
        assert_int_equal(result.status, SOLOIST_SOLVED);
        soloist_result_free(&result);
        free(level);
    }
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(larger_moves_lose_nothing),
        cmocka_unit_test(verdicts_agree),
        cmocka_unit_test(options_matter),
        cmocka_unit_test(names_are_numbers),
        cmocka_unit_test(unknown_names_are_refused),
        cmocka_unit_test(rooms_are_linked),
        cmocka_unit_test(hotspots_are_seen),
        cmocka_unit_test(plans_fill_the_deepest_first),
        cmocka_unit_test(plans_choose_among_goals),
        cmocka_unit_test(boxes_get_out_of_plan),
        cmocka_unit_test(frozen_boxes_are_walls),
        cmocka_unit_test(a_level_set_is_solved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
