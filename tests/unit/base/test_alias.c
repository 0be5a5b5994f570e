/* Options under former names: each spelling gives the other, and what has no other spelling stays as it is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/alias.h"
#include "base/buffer.h"

static const soloist_option rows[] = {
    {SOLOIST_OPTION_REAL, "weight", 0, 1, 0, 10, NULL, "a number"},
    {SOLOIST_OPTION_CHOICE, "kind", 8, 0, 0, 0, "round|square", "a choice"},
    {SOLOIST_OPTION_NAMES, "without", 16, 0, 0, 6, "a|b|c", "a set"},
    {SOLOIST_OPTION_END, NULL, 0, 0, 0, 0, NULL, NULL},
};

static const struct option_alias aliases[] = {
    {"heft", NULL, "weight"}, {"kind", "circle", "round"}, {NULL, NULL, NULL}};

static void expect(const struct option_alias *list, const char *text, bool now, const char *expected) {
    struct buffer buffer;
    buffer_open(&buffer);
    soloist_sink sink = buffer_sink(&buffer);
    alias_spell(rows, list, text, now, &sink);
    assert_false(buffer.failed);
    assert_string_equal(buffer.text ? buffer.text : "", expected);
    buffer_close(&buffer);
}

static void spells_both_ways(void **state) {
    (void)state;
    static const char *const pairs[][2] = {
        {"heft=2", "weight=2"},
        {"heft=2,kind=circle,without=5", "weight=2,kind=round,without=a+c"},
        {"kind=square,heft=x,heft=3", "kind=square,weight=x,weight=3"},
        {"heft", "weight"},
        {"without=0", "without=none"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        for (int side = 0; side < 2; side++) {
            expect(aliases, pairs[i][side], false, pairs[i][0]);
            expect(aliases, pairs[i][side], true, pairs[i][1]);
        }
}

static void leaves_the_rest(void **state) {
    (void)state;
    static const char *const texts[] = {"", ",", "heft2=1", "kind=circles", "other=heft", "=", "without=7", "a,,b="};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        expect(aliases, texts[i], true, texts[i]);
        expect(aliases, texts[i], false, texts[i]);
    }
    expect(NULL, "heft=2,kind=circle", true, "heft=2,kind=circle");
}

static void names_an_option(void **state) {
    (void)state;
    assert_string_equal(alias_option_now(aliases, "heft"), "weight");
    assert_string_equal(alias_option_now(aliases, "weight"), "weight");
    assert_string_equal(alias_option_now(NULL, "heft"), "heft");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spells_both_ways),
        cmocka_unit_test(leaves_the_rest),
        cmocka_unit_test(names_an_option),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
