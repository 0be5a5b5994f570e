#include "lab/sheet.h"
#include "base/decimal.h"
#include "base/json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void sheet_open(struct sheet *sheet, size_t columns) { *sheet = (struct sheet){.columns = columns}; }

void sheet_close(struct sheet *sheet) {
    for (size_t i = 0; i < sheet->count; i++)
        free(sheet->cells[i].text);
    free(sheet->cells);
    *sheet = (struct sheet){0};
}

static void put_cell(struct sheet *sheet, const char *text, bool number) {
    if ((sheet->count & (sheet->count - 1)) == 0) {
        void *larger = realloc(sheet->cells, (sheet->count ? sheet->count * 2 : 1) * sizeof *sheet->cells);
        sheet->failed |= !larger;
        sheet->cells = larger ? larger : sheet->cells;
    }
    char *copy = text && !sheet->failed ? strdup(text) : NULL;
    sheet->failed |= text && !copy;
    if (!sheet->failed)
        sheet->cells[sheet->count++] = (struct sheet_cell){copy, number};
}

void sheet_put(struct sheet *sheet, const char *text) { put_cell(sheet, text, false); }

void sheet_print(struct sheet *sheet, const char *format, ...) {
    char text[512];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    put_cell(sheet, text, false);
}

void sheet_number(struct sheet *sheet, double value, int digits) {
    char text[DECIMAL_ROOM + 32];
    if (!isfinite(value)) {
        put_cell(sheet, NULL, true);
        return;
    }
    if (value == floor(value) && fabs(value) < 1e15)
        snprintf(text, sizeof text, "%.0f", value);
    else if (digits)
        snprintf(text, sizeof text, "%.*g", digits, value);
    else
        decimal_write(value, text);
    put_cell(sheet, text, true);
}

void sheet_integer(struct sheet *sheet, int64_t value) {
    char text[32];
    snprintf(text, sizeof text, "%lld", (long long)value);
    put_cell(sheet, text, true);
}

/* The number of rows below the headings. */
static size_t rows_of(const struct sheet *sheet) { return sheet->columns ? sheet->count / sheet->columns - 1 : 0; }

/* ---- writing ---- */

/* Characters, not bytes. In Markdown, a bar is written as \| because it would end the cell. */
static int width_of(const char *text, bool markdown) {
    int width = 0;
    for (; text && *text; text++)
        width += (((unsigned char)*text & 0xc0) != 0x80) + (markdown && *text == '|');
    return width;
}

static const struct sheet_cell *cell_at(const struct sheet *sheet, size_t row, size_t column) {
    return &sheet->cells[row * sheet->columns + column];
}

static int widest(const struct sheet *sheet, size_t column, bool markdown) {
    int most = 0;
    for (size_t row = 0; row <= rows_of(sheet); row++) {
        int width = width_of(cell_at(sheet, row, column)->text, markdown);
        most = width > most ? width : most;
    }
    return most;
}

/* A column of numbers is aligned right, including its heading. */
static bool is_numeric(const struct sheet *sheet, size_t column) {
    return rows_of(sheet) > 0 && cell_at(sheet, 1, column)->number;
}

static void pad(const soloist_sink *sink, int count) {
    while (count-- > 0)
        soloist_put(sink, " ");
}

static void write_cell(const struct sheet *sheet, size_t row, size_t column, bool first, bool last, bool markdown,
                       const soloist_sink *sink) {
    const char *text = cell_at(sheet, row, column)->text;
    int space = widest(sheet, column, markdown) - width_of(text, markdown);
    bool right = is_numeric(sheet, column);
    soloist_put(sink, markdown ? "| " : first ? "" : "  ");
    pad(sink, right ? space : 0);
    for (const char *at = text; at && *at; at++) {
        soloist_put(sink, markdown && *at == '|' ? "\\" : "");
        sink->write(sink->to, at, 1);
    }
    pad(sink, right || (last && !markdown) ? 0 : space);
    soloist_put(sink, markdown ? " " : "");
}

/* Writes the columns from..to - 1, and the first one before them. */
static void write_block(const struct sheet *sheet, size_t from, size_t to, bool markdown, const soloist_sink *sink) {
    for (size_t row = 0; row <= rows_of(sheet); row++) {
        if (from > 0)
            write_cell(sheet, row, 0, true, from == to, markdown, sink);
        for (size_t column = from; column < to; column++)
            write_cell(sheet, row, column, column == 0, column + 1 == to, markdown, sink);
        soloist_put(sink, markdown ? "|\n" : "\n");
        for (size_t column = 0; markdown && row == 0 && column < sheet->columns; column++)
            soloist_put(sink, is_numeric(sheet, column) ? "|---:" : "|---");
        soloist_put(sink, markdown && row == 0 ? "|\n" : "");
    }
}

/* The end of a block that begins with column `from`: as many columns as fit, at least one. */
static size_t block_end(const struct sheet *sheet, size_t from) {
    int used = from ? widest(sheet, 0, false) : 0;
    size_t to = from;
    do
        used += widest(sheet, to++, false) + 2;
    while (to < sheet->columns && used + widest(sheet, to, false) <= sheet->width);
    return to;
}

static void write_aligned(const struct sheet *sheet, bool markdown, const soloist_sink *sink) {
    bool whole = markdown || !sheet->width;
    for (size_t from = 0, to; from < sheet->columns; from = to) {
        to = whole ? sheet->columns : block_end(sheet, from);
        soloist_put(sink, from ? "\n" : "");
        write_block(sheet, from, to, markdown, sink);
    }
}

static void write_csv(const struct sheet *sheet, const soloist_sink *sink) {
    for (size_t i = 0; i < sheet->count; i++) {
        const char *text = sheet->cells[i].text ? sheet->cells[i].text : "";
        bool quoted = strpbrk(text, ",\"\n\r") != NULL;
        soloist_put(sink, i % sheet->columns ? "," : "");
        soloist_put(sink, quoted ? "\"" : "");
        for (const char *at = text; *at; at++)
            soloist_print(sink, *at == '"' ? "\"\"" : "%c", *at);
        soloist_put(sink, quoted ? "\"" : "");
        soloist_put(sink, i % sheet->columns + 1 == sheet->columns ? "\n" : "");
    }
}

static void write_json(const struct sheet *sheet, const soloist_sink *sink) {
    for (size_t row = 1; row <= rows_of(sheet); row++) {
        struct json_writer json;
        json_open(&json, sink);
        json_object(&json, NULL);
        for (size_t column = 0; column < sheet->columns; column++) {
            const struct sheet_cell *cell = cell_at(sheet, row, column);
            const char *name = cell_at(sheet, 0, column)->text;
            if (cell->number && cell->text)
                json_raw(&json, name, cell->text);
            else
                json_text(&json, name, cell->text);
        }
        json_end(&json, '}');
        soloist_put(sink, "\n");
    }
}

void sheet_write(const struct sheet *sheet, enum sheet_format format, const soloist_sink *sink) {
    if (!sheet->columns || sheet->count < sheet->columns || sheet->failed)
        return;
    if (format == SHEET_CSV)
        write_csv(sheet, sink);
    else if (format == SHEET_JSON)
        write_json(sheet, sink);
    else
        write_aligned(sheet, format == SHEET_MARKDOWN, sink);
}
