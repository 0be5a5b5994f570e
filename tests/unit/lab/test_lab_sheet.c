/* A table as text stays within a width: what does not fit beside the rest follows below, with the first column again.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/buffer.h"
#include "lab/sheet.h"

static void fill(struct sheet *sheet) {
    static const char *const headings[] = {"label", "runs", "solved", "mean"};
    sheet_open(sheet, 4);
    for (int i = 0; i < 4; i++)
        sheet_put(sheet, headings[i]);
    sheet_put(sheet, "first");
    sheet_number(sheet, 12, 0);
    sheet_number(sheet, 3, 0);
    sheet_number(sheet, 2.5, 3);
}

static void expect(int width, enum sheet_format format, const char *wanted) {
    struct sheet sheet;
    struct buffer text;
    fill(&sheet);
    sheet.width = width;
    buffer_open(&text);
    soloist_sink sink = buffer_sink(&text);
    sheet_write(&sheet, format, &sink);
    assert_string_equal(text.text, wanted);
    buffer_close(&text);
    sheet_close(&sheet);
}

static void test_width(void **state) {
    (void)state;
    static const char whole[] = "label  runs  solved  mean\nfirst    12       3   2.5\n";
    expect(0, SHEET_TEXT, whole);
    expect(25, SHEET_TEXT, whole);
    expect(24, SHEET_TEXT, "label  runs  solved\nfirst    12       3\n\nlabel  mean\nfirst   2.5\n");
    expect(12, SHEET_TEXT, "label  runs\nfirst    12\n\nlabel  solved\nfirst       3\n\nlabel  mean\nfirst   2.5\n");
    expect(12, SHEET_CSV, "label,runs,solved,mean\nfirst,12,3,2.5\n");
    expect(12, SHEET_MARKDOWN,
           "| label | runs | solved | mean |\n|---|---:|---:|---:|\n| first |   12 |      3 |  2.5 |\n");
}

/* A bar would end a cell in Markdown. */
static void test_bars(void **state) {
    (void)state;
    struct sheet sheet;
    struct buffer text;
    sheet_open(&sheet, 2);
    sheet_put(&sheet, "label");
    sheet_put(&sheet, "n");
    sheet_put(&sheet, "A|x");
    sheet_number(&sheet, 2, 0);
    buffer_open(&text);
    soloist_sink sink = buffer_sink(&text);
    sheet_write(&sheet, SHEET_MARKDOWN, &sink);
    sheet_write(&sheet, SHEET_CSV, &sink);
    assert_string_equal(text.text, "| label | n |\n|---|---:|\n| A\\|x  | 2 |\nlabel,n\nA|x,2\n");
    buffer_close(&text);
    sheet_close(&sheet);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_width), cmocka_unit_test(test_bars)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
