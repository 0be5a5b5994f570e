/* The text of an experiment: lines, braces, words, and where each mistake is told to be. */
#include "base/buffer.h"
#include "domain/domain.h"
#include "lab/experiment.h"
#include "lab/line.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static void read_well(const char *text, struct experiment *experiment) {
    soloist_error error = {0};
    if (!experiment_read(text, strlen(text), experiment, &error))
        fail_msg("%d:%d: %s", error.line, error.column, error.text);
}

static void test_cross_product(void **state) {
    (void)state;
    struct experiment e;
    read_well("title Two words # and a comment\n"
              "instances a.xsb:1-20 domain=sokoban:tunnels=keeping as \"set A\"\n"
              "\n"
              "generate tiles width=3 height=3\n"
              "    walk=25 count=40 seed=7\n"
              "method uct:c={1,2},eps={0.1,0.2,0.3} as \"c {1,2}\"\n"
              "method idastar nodes=200k once on=\"set A\" as IDA*\n"
              "budget iterations={100,1000} threads=2\n"
              "seeds 1-3 9\n",
              &e);
    assert_string_equal(e.title, "Two words");
    assert_int_equal(e.source_count, 2);
    assert_string_equal(e.sources[0].name, "a.xsb");
    assert_string_equal(e.sources[0].range, "1-20");
    assert_string_equal(e.sources[0].domain, "sokoban");
    assert_string_equal(e.sources[0].options, "tunnels=keeping");
    assert_string_equal(e.sources[0].label, "set A");
    assert_true(e.sources[1].generated);
    assert_string_equal(e.sources[1].made_by, "width=3,height=3,walk=25");
    assert_int_equal(e.sources[1].count, 40);
    assert_int_equal(e.sources[1].seed, 7);
    /* 2 x 3 values under 2 budgets, and one method with a budget of its own. */
    assert_int_equal(e.method_count, 13);
    assert_string_equal(e.methods[0].text, "uct:c=1,eps=0.1");
    assert_string_equal(e.methods[0].label, "c 1");
    assert_int_equal(e.methods[0].limits.iterations, 100);
    assert_int_equal(e.methods[1].limits.iterations, 1000);
    assert_string_equal(e.methods[11].text, "uct:c=2,eps=0.3");
    assert_string_equal(e.methods[11].label, "c 2");
    assert_int_equal(e.methods[11].limits.threads, 2);
    assert_int_equal(e.methods[12].limits.nodes, 200000);
    assert_int_equal(e.methods[12].limits.iterations, 0);
    assert_true(e.methods[12].once && !e.methods[0].once && !e.methods[0].on);
    assert_string_equal(e.methods[12].on, "set A");
    assert_int_equal(e.methods[12].limits.threads, 1);
    assert_int_equal(e.seed_count, 4);
    assert_int_equal(e.seeds[3], 9);
    experiment_free(&e);
}

static void test_trainings(void **state) {
    (void)state;
    struct experiment e;
    read_well(
        "train samegame:scoring=plain --board 7x7 --network {a,b}.net --way generations --search c=5,noise=0.75\n"
        "    --time 2m --threads 3 runs=50 {policy=visits,value=mean} once as \"{a,b} {policy=visits,value=mean}\"\n"
        "train samegame --network c.net steps=10\n"
        "train samegame --network c.net --method astar --teacher samegame:scoring=plain --curriculum stages=2 "
        "steps=10\n"
        "share 0.25\n",
        &e);
    assert_int_equal(e.training_count, 6);
    assert_true(e.share == 0.25);
    const struct experiment_training *t = &e.trainings[3];
    assert_string_equal(t->label, "b value=mean");
    assert_string_equal(t->domain, "samegame");
    assert_string_equal(t->options, "scoring=plain");
    assert_true(t->once && t->lesson.way == TRAINING_GENERATIONS);
    assert_string_equal(t->lesson.network, "b.net");
    assert_string_equal(t->lesson.search, "c=5,noise=0.75");
    assert_true(t->lesson.time_s == 120 && t->lesson.threads == 3 && t->lesson.option_count == 2);
    assert_string_equal(t->lesson.options[1], "value=mean");
    assert_string_equal(e.trainings[4].label, "c.net");
    /* The words as a run's method, and back. */
    struct buffer text;
    struct lesson again;
    soloist_error error = {0};
    buffer_open(&text);
    soloist_sink sink = buffer_sink(&text);
    lesson_write(&t->lesson, &samegame_domain, 0.5, &sink);
    assert_string_equal(text.text, "train --way generations --search c=5,noise=0.75 runs=25 value=mean");
    assert_true(lesson_is(text.text) && lesson_is("train") && !lesson_is("training") && !lesson_is("uct"));
    assert_true(lesson_read_text(text.text, &again, &error));
    assert_true(again.way == TRAINING_GENERATIONS && again.option_count == 2);
    assert_string_equal(again.options[0], "runs=25");
    buffer_clear(&text);
    lesson_write(&e.trainings[4].lesson, &samegame_domain, 1, &sink);
    assert_string_equal(text.text, "train --method nrpa:level=2,n=80,rule=1 steps=10");
    buffer_clear(&text);
    lesson_write(&e.trainings[5].lesson, &samegame_domain, 1, &sink);
    assert_string_equal(text.text,
                        "train --curriculum stages=2 --method astar --teacher samegame:scoring=plain steps=10");
    buffer_close(&text);
    experiment_free(&e);
}

static void test_trainings_under_older_words(void **state) {
    (void)state;
    static const char before[] = "train --method none --search c=5 orders=2 play=look sharp=3 steps=9",
                      now[] =
                          "train --method none --search c=5 reorderings=2 play=lookahead inverse_temperature=3 steps=9";
    struct experiment e;
    struct buffer text;
    read_well("train samegame --method none --search c=5 --network c.net orders=2 play=look sharp=3 steps=9\n", &e);
    buffer_open(&text);
    soloist_sink sink = buffer_sink(&text);
    lesson_write(&e.trainings[0].lesson, &samegame_domain, 1, &sink);
    assert_string_equal(text.text, now);
    buffer_close(&text);
    experiment_free(&e);
    static const char *const texts[] = {before, now};
    for (int i = 0; i < 2; i++)
        for (int spelled = 0; spelled < 2; spelled++) {
            char *other = lesson_spell(texts[i], spelled);
            assert_string_equal(other, texts[spelled]);
            free(other);
        }
    /* The value of --method or --search is no option of training. */
    char *same = lesson_spell("train --method orders=2 --search lead=1", true);
    assert_string_equal(same, "train --method orders=2 --search lead=1");
    free(same);
}

static void test_rows_and_figures(void **state) {
    (void)state;
    struct experiment e;
    read_well("instances a\n"
              "measure solved SELECT avg(solved) FROM runs\n"
              "    WHERE label = ?1 AND iterations <= ?2 -- {not braces}\n"
              "row \"by {25,50}\" solved UCT {25,50} = {9,23} +- 0.5 why \"no \"\"why\"\"\"\n"
              "row plain solved = 3\n"
              "figure \"A figure\" x=\"an axis\" y=b log-x bars : SELECT 1, 2,\n"
              "  3\n"
              "table \"A table\" : SELECT label, avg(nodes) FROM runs GROUP BY label\n",
              &e);
    assert_int_equal(e.measure_count, 1);
    assert_non_null(strstr(e.measures[0].sql, "{not braces}"));
    assert_int_equal(e.row_count, 3);
    assert_string_equal(e.rows[1].label, "by 50");
    assert_int_equal(e.rows[1].word_count, 2);
    assert_string_equal(e.rows[1].words[1], "50");
    assert_string_equal(e.rows[1].published, "23");
    assert_true(e.rows[1].interval == 0.5);
    assert_string_equal(e.rows[1].why, "no \"why\"");
    assert_int_equal(e.rows[2].word_count, 0);
    assert_string_equal(e.figures[0].x, "an axis");
    assert_true(e.figures[0].log_x && !e.figures[0].log_y && e.figures[0].bars);
    assert_non_null(strstr(e.figures[0].sql, "SELECT 1, 2, 3"));
    assert_int_equal(e.table_count, 1);
    assert_string_equal(e.tables[0].name, "A table");
    assert_string_equal(e.tables[0].sql, "SELECT label, avg(nodes) FROM runs GROUP BY label");
    experiment_free(&e);
}

static void test_tune_lines(void **state) {
    (void)state;
    struct experiment e;
    read_well("instances a\nmethod uct iterations=10\ntune c 0.1..100 log\ntune rule uct|sp\nbetter -nodes\n", &e);
    assert_int_equal(e.tune_count, 2);
    assert_true(e.tunes[0].logarithmic && e.tunes[0].least == 0.1 && e.tunes[0].most == 100);
    assert_string_equal(e.tunes[1].choices, "uct|sp");
    assert_string_equal(e.better.sql, "-nodes");
    experiment_free(&e);
}

/* What is wrong, and where. */
static void test_located_errors(void **state) {
    (void)state;
    static const struct {
        const char *text;
        int line, column;
        const char *says;
    } cases[] = {
        {"", 1, 1, "no instances"},
        {"instances a\nmethods uct\n", 2, 1, "no keyword methods"},
        {"instances a\nmethod uct nodes=5 as A\nmethod puct nodes=5 on=a as A\n", 3, 8,
         "another method has the label A"},
        {"instances a\nmethod uct iterations=x\n", 2, 12, "whole number"},
        {"instances a\nmethod uct iterations={1,x}\n", 2, 12, "iterations=x"},
        {"instances a\nmethod uct wrong=1\n", 2, 12, "expected iterations="},
        {"instances a\nmethod uct\n   time=-1\n", 3, 4, "seconds"},
        {"instances a\nbudget threads=2\n", 2, 1, "give iterations="},
        {"instances a \"b\n", 1, 13, "not closed"},
        {"instances {a,b\n", 1, 11, "closed on the same line"},
        {"instances a}\n", 1, 12, "without a"},
        {"instances\n", 1, 1, "which?"},
        {"instances a as\n", 1, 13, "one label"},
        {"seeds 1-2-3\n", 1, 7, "1-2-3: expected whole numbers and ranges"},
        {"seeds 3-1\n", 1, 7, "3-1: the range ends before it begins"},
        {"seeds 1-1000000000\n", 1, 7, "more than 100000 seeds"},
        {"seeds 18446744073709551615\n", 1, 7, "the greatest seed"},
        {"seeds 9223372036854 by-instance\n", 1, 1, "the greatest seed is 9223372036853"},
        {"row a b c\n", 1, 7, "no measure b"},
        {"measure m SELECT 1\nrow {a,b} m {1,2,3}\n", 2, 14, "different lengths"},
        {"measure m SELECT 1\nrow a m = 1 or 2\n", 2, 13, "expected = PUBLISHED"},
        {"figure a x=b\n", 1, 1, "expected figure"},
        {"figure a z=b : SELECT\n", 1, 10, "x=LABEL"},
        {"tune c 5..1\n", 1, 8, "LEAST..MOST"},
        {"tune c 0..1 log\n", 1, 8, "above 0"},
        {"tune c -5..5 log\n", 1, 8, "above 0"},
        {"title a\ntitle b\n", 2, 1, "a second line"},
        {"measure m SELECT 1\nmeasure m SELECT 2\n", 2, 9, "already a measure m"},
        {"generate tiles count=0\n", 1, 16, "1 to 1000000"},
        {"train\n", 1, 1, "which domain"},
        {"train samegame steps=4\n", 1, 7, "which network"},
        {"train samegame --network a --wey x\n", 1, 28, "no option --wey"},
        {"train samegame --network a once steps=x\n", 1, 33, "steps"},
        {"train samegame --network a --way x\n", 1, 28, "--way x: expected one of continuous|generations"},
        {"train samegame --network a --way generatons\n", 1, 28, "did you mean generations?"},
        {"train samegame --network a simulatons=5\n", 1, 28, "did you mean simulations?"},
        {"train samegame --network\n", 1, 16, "needs a value"},
        {"share 2\n", 1, 7, "expected a share"},
        {"share\n", 1, 1, "expected a share"},
        {"train samegame --network \"a b\"\n", 1, 26, "blank"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct experiment e;
        soloist_error error = {0};
        assert_false(experiment_read(cases[i].text, strlen(cases[i].text), &e, &error));
        if (error.line != cases[i].line || error.column != cases[i].column || !strstr(error.text, cases[i].says))
            fail_msg("%s: %d:%d: %s", cases[i].text, error.line, error.column, error.text);
    }
}

/* Copies take their own room, not the line's: what a list of many items costs grows with the list. */
static void test_long_lists(void **state) {
    (void)state;
    enum { ITEMS = 100000 };
    struct buffer text;
    buffer_open(&text);
    soloist_sink sink = buffer_sink(&text);
    soloist_put(&sink, "seeds {0");
    for (int i = 1; i < ITEMS; i++)
        soloist_print(&sink, ",%d", i);
    soloist_put(&sink, "}\n");
    soloist_cursor cursor = soloist_cursor_open(text.text, text.length);
    struct line line, copy;
    struct line_copies copies;
    bool failed;
    size_t characters = 0;
    assert_true(line_next(&cursor, &line, &failed));
    assert_true(line_copies_open(&copies, &line, LINE_CROSS, NULL));
    assert_int_equal(copies.count, ITEMS);
    for (size_t i = 0; i < copies.count; i++) {
        assert_true(line_copy(&copies, i, &copy));
        characters += copy.room;
        line_free(&copy);
    }
    /* "seeds " before each item; the line has a comma for each but one, and the braces. */
    assert_int_equal(characters, 6 * ITEMS + line.length - strlen("seeds {}") - (ITEMS - 1));
    line_copies_close(&copies);
    line_free(&line);
    struct experiment e;
    soloist_put(&sink, "instances a\n");
    read_well(text.text, &e);
    assert_int_equal(e.seed_count, ITEMS);
    assert_int_equal(e.seeds[ITEMS - 1], ITEMS - 1);
    experiment_free(&e);
    buffer_close(&text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cross_product),
        cmocka_unit_test(test_trainings),
        cmocka_unit_test(test_trainings_under_older_words),
        cmocka_unit_test(test_rows_and_figures),
        cmocka_unit_test(test_tune_lines),
        cmocka_unit_test(test_long_lists),
        cmocka_unit_test(test_located_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
