/* Why positions are dead: pictures for every rule, and the whole state space of small levels for the truth of what is
 * said of any position. */
#include "domain/sokoban/sokoban_whole.h"

#include "base/sanitizer.h"
#include "base/stop.h"
#include "search/special/sokoban/prove.h"

static void read_level(const char *text, struct sokoban_level *level) {
    soloist_chunk chunk = plain_chunk(text);
    soloist_error error;
    if (!sokoban_level_parse(&chunk, level, &error))
        fail_msg("%s", error.text);
}

/* In the picture an X is a box that must be named, an x one on a goal; $ and * are boxes that must not. */
static void expect_stuck(const char *picture, enum sokoban_reason reason) {
    char text[512];
    struct sokoban_level level;
    struct sokoban_explanation why;
    snprintf(text, sizeof text, "%s", picture);
    for (char *c = text; *c; c++)
        *c = *c == 'X' ? '$' : *c == 'x' ? '*' : *c;
    read_level(text, &level);
    assert_true(sokoban_explain(&level, NULL, &why));
    if (why.reason != reason)
        fail_msg("%s, expected %s:\n%s", sokoban_reason_name(why.reason), sokoban_reason_name(reason), picture);
    int cell = 0, stuck = 0;
    for (const char *c = picture; *c; c++) {
        if (*c == '\n') {
            cell = (cell + level.width - 1) / level.width * level.width;
            continue;
        }
        bool named = reason != SOKOBAN_NOT_KNOWN_DEAD && why.stuck[cell];
        if (named != (*c == 'X' || *c == 'x'))
            fail_msg("the box at %d is %s\n%s", cell, named ? "named" : "not named", picture);
        stuck += named;
        cell++;
    }
    assert_int_equal(stuck, why.count);
}

static void every_rule_names_its_boxes(void **unused) {
    (void)unused;
    expect_stuck("#######\n"
                 "#X  . #\n"
                 "#  @$.#\n"
                 "#######\n",
                 SOKOBAN_DEAD_SQUARE);
    expect_stuck("########\n"
                 "#  ... #\n"
                 "# XX $ #\n"
                 "# XX  @#\n"
                 "#  ..  #\n"
                 "########\n",
                 SOKOBAN_FROZEN);
    expect_stuck("#########\n"
                 "#X $   ##\n"
                 "#   @ $.#\n"
                 "#     ..#\n"
                 "#########\n",
                 SOKOBAN_DEAD_SQUARE);
    expect_stuck("#########\n"
                 "#  X X .#\n"
                 "#   @   #\n"
                 "#   . $.#\n"
                 "#########\n",
                 SOKOBAN_FULL_LINE);
}

static void a_stop_before_anything_is_known(void **unused) {
    struct sokoban_level level;
    struct sokoban_explanation why;
    soloist_stop_token stop;
    (void)unused;
    stop_token_open(&stop, NULL);
    soloist_stop_token_cancel(&stop);
    read_level("########\n"
               "#  ... #\n"
               "# $$ $ #\n"
               "# $$  @#\n"
               "#  ..  #\n"
               "########\n",
               &level);
    assert_true(sokoban_explain(&level, &stop, &why));
    assert_int_equal(why.reason, SOKOBAN_NOT_KNOWN_DEAD);
}

static void solved_is_not_dead(void **unused) {
    (void)unused;
    expect_stuck("#####\n#@* #\n#####\n", SOKOBAN_NOT_KNOWN_DEAD);
}

static bool is_dead_truly(const struct sokoban_level *level) {
    struct whole whole;
    assert_true(whole_open(&whole, level));
    bool dead = whole.pushes[whole.root_boxes << 4 | (unsigned)whole.root_player] >= WHOLE_FAR;
    whole_close(&whole);
    return dead;
}

/* Without any one of the named boxes the same proof fails: by the rules, or in truth. */
static void expect_no_proof_without(const struct sokoban_level *level, const struct sokoban_explanation *why) {
    struct sokoban_level kept;
    struct sokoban_explanation less;
    uint8_t boxes[sizeof why->stuck];
    for (int i = 0; i < level->width * level->height && why->count > 1; i++) {
        if (!why->stuck[i])
            continue;
        memcpy(boxes, why->stuck, sizeof boxes);
        boxes[i] = 0;
        sokoban_level_keep(level, boxes, &kept);
        if (why->reason == SOKOBAN_EXHAUSTED) {
            assert_false(is_dead_truly(&kept));
        } else {
            assert_true(sokoban_explain(&kept, NULL, &less));
            /* The table of pairs is asked only where nothing else speaks. */
            assert_true(less.reason == SOKOBAN_NOT_KNOWN_DEAD || less.reason == SOKOBAN_LOST_PAIR);
        }
    }
}

/* The named boxes alone are dead, and each of them is needed. */
static void expect_minimal(const struct sokoban_level *level, const struct sokoban_explanation *why) {
    struct sokoban_level kept;
    sokoban_level_keep(level, why->stuck, &kept);
    assert_int_equal(kept.boxes, why->count);
    assert_true(is_dead_truly(&kept));
    expect_no_proof_without(level, why);
}

/* Of boxes that are tried one after the other, the first may be needless only once a later one is gone. */
static void no_box_is_needless(void **unused) {
    static const char *const pictures[] = {"  #########\n"
                                           "###   #   #\n"
                                           "# *   ... #\n"
                                           "#  $$ #$@ #\n"
                                           "####*#  ###\n"
                                           " #     ##\n"
                                           " #   ###\n"
                                           " #####\n",
                                           "  #######\n"
                                           "  #     #\n"
                                           "  # # # #\n"
                                           "  #     #\n"
                                           "### ### #\n"
                                           "#  $###@#\n"
                                           "#  $ ##*#\n"
                                           "## $$ #.#\n"
                                           " ##    .#\n"
                                           "  ##  #.#\n"
                                           "   ## #.#\n"
                                           "    #   #\n"
                                           "    #####\n"};
    (void)unused;
    for (size_t i = 0; i < sizeof pictures / sizeof *pictures; i++) {
        struct sokoban_level level;
        struct sokoban_explanation why;
        read_level(pictures[i], &level);
        assert_true(sokoban_explain(&level, NULL, &why));
        assert_true(why.reason != SOKOBAN_NOT_KNOWN_DEAD && why.count > 1);
        expect_no_proof_without(&level, &why);
    }
}

static void what_is_said_is_true(void **unused) {
    (void)unused;
    const int positions = HAS_THREAD_SANITIZER ? 100 : 400; /* the sanitizer is slow */
    soloist_rng rng;
    soloist *engine = soloist_new();
    int seen[SOKOBAN_EXHAUSTED + 1] = {0};
    assert_non_null(engine);
    soloist_rng_seed(&rng, 51, 0);
    for (int done = 0; done < positions;) {
        char text[128];
        struct sokoban_level level;
        struct proof proof;
        soloist_error error;
        soloist_limits limits = {.nodes = 100000};
        if (!whole_draw_boxes(&rng, 5, text, sizeof text))
            continue;
        read_level(text, &level);
        struct sokoban_explanation first;
        assert_true(sokoban_explain(&level, NULL, &first));
        if (first.reason == SOKOBAN_DEAD_SQUARE && done % 20) /* most draws are */
            continue;
        done++;
        soloist_puzzle puzzle = plain_puzzle(text);
        bool dead = is_dead_truly(&level);
        assert_int_equal(prove_position(engine, &puzzle, false, &limits, NULL, &proof, &error), SOLOIST_OK);
        assert_int_equal(proof.verdict, dead ? PROVE_DEAD : PROVE_ALIVE);
        if (dead)
            expect_minimal(&level, &proof.why);
        seen[proof.why.reason]++;
        soloist_result_free(&proof.result);
        soloist_puzzle_free(&puzzle);
    }
    assert_true(seen[SOKOBAN_DEAD_SQUARE] && seen[SOKOBAN_FROZEN] && seen[SOKOBAN_NO_MATCHING] &&
                seen[SOKOBAN_NOT_KNOWN_DEAD] && seen[SOKOBAN_EXHAUSTED]);
    assert_true(seen[SOKOBAN_LOST_PAIR] || HAS_THREAD_SANITIZER); /* not among the first hundred positions */
    soloist_free(engine);
}

static void a_budget_that_is_spent_says_unknown(void **unused) {
    (void)unused;
    soloist *engine = soloist_new();
    struct proof proof;
    soloist_error error;
    soloist_limits limits = {.nodes = 1};
    soloist_puzzle puzzle = plain_puzzle("##########\n#        #\n# $$ @ . #\n#  $   . #\n#     .  #\n##########\n");
    assert_int_equal(prove_position(engine, &puzzle, false, &limits, NULL, &proof, &error), SOLOIST_OK);
    assert_int_equal(proof.verdict, PROVE_UNKNOWN);
    soloist_result_free(&proof.result);
    assert_int_equal(prove_position(engine, &puzzle, true, &limits, NULL, &proof, &error), SOLOIST_OK);
    assert_int_equal(proof.verdict, PROVE_UNKNOWN);
    soloist_result_free(&proof.result);
    soloist_puzzle_free(&puzzle);
    soloist_free(engine);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_rule_names_its_boxes), cmocka_unit_test(a_stop_before_anything_is_known),
        cmocka_unit_test(solved_is_not_dead),         cmocka_unit_test(no_box_is_needless),
        cmocka_unit_test(what_is_said_is_true),       cmocka_unit_test(a_budget_that_is_spent_says_unknown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
