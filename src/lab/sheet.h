/* A table: cells below headings. It can be written as text, CSV, Markdown or JSON lines. */
#ifndef LAB_SHEET_H
#define LAB_SHEET_H

#include "soloist.h"

enum sheet_format { SHEET_TEXT, SHEET_CSV, SHEET_MARKDOWN, SHEET_JSON };

struct sheet {
    size_t columns, count; /* count: number of cells, including the headings, which come first */
    struct sheet_cell {
        char *text;  /* NULL: an empty cell */
        bool number; /* a number: aligned right; without quotes in JSON */
    } * cells;
    int width;   /* maximum width of a line in the text format, exceeded only if unavoidable; 0: no maximum */
    bool failed; /* memory ran out */
};

void sheet_open(struct sheet *sheet, size_t columns);
void sheet_close(struct sheet *sheet);
/* Adds one cell and copies its text; cells are added row by row. */
void sheet_put(struct sheet *sheet, const char *text);
void sheet_print(struct sheet *sheet, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Adds a number with at most `digits` significant digits (0: enough digits to read it back exactly); NaN leaves the
 * cell empty. */
void sheet_number(struct sheet *sheet, double value, int digits);
/* Adds a whole number with all its digits. */
void sheet_integer(struct sheet *sheet, int64_t value);
void sheet_write(const struct sheet *sheet, enum sheet_format format, const soloist_sink *sink);

#endif
