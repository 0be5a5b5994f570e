/* Draws the positions of each domain from the text that the domain prints, so that rules and drawing stay separate. */
#include "cli/show/draw.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void put_coloured(const struct draw_style *style, const char *code, const char *text, const soloist_sink *sink) {
    if (style->colour && *code)
        soloist_print(sink, "\033[%sm%s\033[0m", code, text);
    else
        soloist_put(sink, text);
}

/* ---- Sokoban: two columns per square, so that squares look square ---- */

static const struct glyph {
    char symbol;
    const char *picture, *colour;
} sokoban_glyphs[] = {
    {'#', "██", "90"},   {' ', "  ", ""},     {'.', "··", "32"},   {'$', "[]", "33"},
    {'*', "[]", "1;32"}, {'@', "()", "1;36"}, {'+', "()", "1;32"},
};

static void draw_sokoban(const struct draw_style *style, const char *text, const soloist_sink *sink) {
    if (!style->utf8) {
        soloist_put(sink, text);
        return;
    }
    for (; *text; text++) {
        char other[2] = {*text, 0};
        struct glyph found = {*text, other, ""};
        for (size_t i = 0; i < sizeof sokoban_glyphs / sizeof *sokoban_glyphs; i++)
            if (sokoban_glyphs[i].symbol == *text)
                found = sokoban_glyphs[i];
        put_coloured(style, found.colour, found.picture, sink);
    }
}

/* ---- SameGame: coloured cells that also show their digit, for people who cannot see the colours ---- */

static void draw_samegame(const struct draw_style *style, const char *text, const soloist_sink *sink) {
    static const char *const colours[] = {"",      "30;41", "30;42", "30;44",  "30;43",
                                          "30;45", "30;46", "30;47", "37;100", "30;101"};
    for (; *text; text++) {
        char cell[3] = {*text, ' ', 0};
        bool block = *text >= '1' && *text <= '9';
        if (*text == '\n')
            soloist_put(sink, "\n");
        else if (*text == '0' || *text == '.')
            soloist_put(sink, style->utf8 ? "· " : ". ");
        else
            put_coloured(style, block ? colours[*text - '0'] : "", cell, sink);
    }
}

/* ---- numbers in a line: tiles and pancakes ---- */

enum { MOST_NUMBERS = 256 };

static int read_numbers(const char *text, int *numbers) {
    int count = 0;
    char *end;
    for (; count < MOST_NUMBERS; text = end) {
        long number = strtol(text, &end, 10);
        if (end == text)
            break;
        numbers[count++] = (int)number;
    }
    return count;
}

struct box_lines {
    const char *corners[3][3]; /* [top, middle, bottom line][left, inner, right corner] of a frame */
    const char *across, *down;
};

static const struct box_lines unicode_lines = {{{"┌", "┬", "┐"}, {"├", "┼", "┤"}, {"└", "┴", "┘"}}, "─", "│"};
static const struct box_lines ascii_lines = {{{"+", "+", "+"}, {"+", "+", "+"}, {"+", "+", "+"}}, "-", "|"};

static void draw_rule(const struct box_lines *lines, int row, int columns, int width, const soloist_sink *sink) {
    for (int x = 0; x < columns; x++) {
        soloist_put(sink, lines->corners[row][x ? 1 : 0]);
        for (int i = 0; i < width + 2; i++)
            soloist_put(sink, lines->across);
    }
    soloist_print(sink, "%s\n", lines->corners[row][2]);
}

static void draw_tile_row(const struct draw_style *style, const struct box_lines *lines, const int *row, int columns,
                          int width, const soloist_sink *sink) {
    for (int x = 0; x < columns; x++) {
        char cell[24];
        if (row[x])
            snprintf(cell, sizeof cell, " %*d ", width, row[x]);
        else
            snprintf(cell, sizeof cell, " %*s ", width, "");
        soloist_put(sink, lines->down);
        put_coloured(style, "1", cell, sink);
    }
    soloist_print(sink, "%s\n", lines->down);
}

static void draw_tiles(const struct draw_style *style, const char *text, const soloist_sink *sink) {
    int numbers[MOST_NUMBERS], width = 0, height = 0, used = 0;
    if (sscanf(text, "%dx%d:%n", &width, &height, &used) == 2 && used)
        text += used;
    int count = read_numbers(text, numbers), digits = count > 100 ? 3 : count > 10 ? 2 : 1;
    if (!used)
        while (width * width < count)
            height = ++width;
    if (width < 1 || width * height != count) {
        soloist_put(sink, text);
        return;
    }
    const struct box_lines *lines = style->utf8 ? &unicode_lines : &ascii_lines;
    for (int y = 0; y < height; y++) {
        draw_rule(lines, y > 0, width, digits, sink);
        draw_tile_row(style, lines, numbers + y * width, width, digits, sink);
    }
    draw_rule(lines, 2, width, digits, sink);
}

static void repeat(const char *text, int count, const soloist_sink *sink) {
    while (count-- > 0)
        soloist_put(sink, text);
}

static void draw_pancakes(const struct draw_style *style, const char *text, const soloist_sink *sink) {
    int numbers[MOST_NUMBERS], count = read_numbers(text, numbers);
    bool wide = count <= 36; /* wide: centred pancakes, if they fit on a line of the terminal */
    for (int i = 0; i < count; i++) {
        bool in_place = numbers[i] == i + 1;
        soloist_print(sink, "%3d ", numbers[i]);
        repeat(" ", wide ? count - numbers[i] : 0, sink);
        if (style->colour)
            soloist_put(sink, in_place ? "\033[32m" : "\033[33m");
        repeat(style->utf8 ? "█" : "=", wide ? 2 * numbers[i] - 1 : numbers[i], sink);
        soloist_put(sink, style->colour ? "\033[0m\n" : "\n");
    }
}

/* ---- the table ---- */

static const struct picture {
    const char *domain;
    void (*draw)(const struct draw_style *style, const char *text, const soloist_sink *sink);
} pictures[] = {
    {"sokoban", draw_sokoban}, {"sokoban-moves", draw_sokoban}, {"samegame", draw_samegame},
    {"tiles", draw_tiles},     {"pancake", draw_pancakes},      {"pancakes", draw_pancakes},
};

void draw_position(const struct draw_style *style, const char *domain, const char *text, const soloist_sink *sink) {
    for (size_t i = 0; i < sizeof pictures / sizeof *pictures; i++)
        if (!strcmp(pictures[i].domain, domain)) {
            pictures[i].draw(style, text, sink);
            return;
        }
    soloist_put(sink, text);
}
