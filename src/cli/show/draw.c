/* Draws the positions of each domain from the text that the domain prints, so that rules and drawing stay separate. */
#include "cli/show/draw.h"
#include "domain/picture/paint.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void put_coloured(const struct draw_style *style, const char *code, const char *text, const soloist_sink *sink) {
    if (style->colour && *code)
        soloist_print(sink, "\033[%sm%s\033[0m", code, text);
    else
        soloist_put(sink, text);
}

static uint8_t mark_at(const uint8_t *marks, size_t cell) { return marks ? marks[cell] : DRAW_PLAIN; }

/* ---- Sokoban: two columns per square, so that squares look square. On a goal, boxes and the player have other
 * brackets, for people who cannot see the colours ---- */

static const struct glyph {
    char symbol;
    const char *picture, *colour;
} sokoban_glyphs[] = {
    {'#', "██", "90"},   {' ', "  ", ""},     {'.', "··", "32"},   {'$', "[]", "33"},
    {'*', "{}", "1;32"}, {'@', "()", "1;36"}, {'+', "<>", "1;32"}, {'X', "XX", "1;37;41"},
};

/* The marks that replace a square's own symbol: in ASCII, in UTF-8, and their colour. */
static const struct glyph sokoban_marks[] = {
    [DRAW_STUCK] = {'X', "XX", "1;37;41"}, [DRAW_UP] = {'^', "↑↑", "1;35"},   [DRAW_LEFT] = {'<', "←←", "1;35"},
    [DRAW_RIGHT] = {'>', "→→", "1;35"},    [DRAW_DOWN] = {'v', "↓↓", "1;35"},
};

static void draw_sokoban(const struct draw_style *style, const char *text, const uint8_t *marks,
                         const soloist_sink *sink) {
    for (size_t at = 0; text[at]; at++) {
        uint8_t mark = mark_at(marks, at);
        char other[2] = {text[at], 0};
        struct glyph found = {text[at], other, ""};
        for (size_t i = 0; i < sizeof sokoban_glyphs / sizeof *sokoban_glyphs; i++)
            if (sokoban_glyphs[i].symbol == text[at])
                found = sokoban_glyphs[i];
        if (mark == DRAW_CHOSEN)
            found.colour = "1;37;45";
        else if (mark)
            found = sokoban_marks[mark];
        other[0] = found.symbol;
        put_coloured(style, found.colour, style->utf8 ? found.picture : other, sink);
    }
}

/* ---- SameGame: coloured cells that also show their digit, for people who cannot see the colours ---- */

static void draw_samegame(const struct draw_style *style, const char *text, const uint8_t *marks,
                          const soloist_sink *sink) {
    static const char *const colours[] = {"",      "30;41", "30;42", "30;44",  "30;43",
                                          "30;45", "30;46", "30;47", "37;100", "30;101"};
    static const char after[] = {[DRAW_PLAIN] = ' ', [DRAW_CHOSEN] = '*', [DRAW_CURSOR] = '<'};
    for (size_t at = 0; text[at]; at++) {
        uint8_t mark = mark_at(marks, at);
        char cell[3] = {text[at], after[mark], 0};
        bool block = text[at] >= '1' && text[at] <= '9';
        if (text[at] == '\n')
            soloist_put(sink, "\n");
        else if (text[at] == '0' || text[at] == '.')
            soloist_print(sink, "%s%c", style->utf8 ? "·" : ".", after[mark]);
        else
            put_coloured(style, mark ? "1;7" : block ? colours[text[at] - '0'] : "", cell, sink);
    }
}

/* ---- numbers in a line: tiles and pancakes ---- */

enum { MOST_NUMBERS = 256 };

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

static void draw_tile_row(const struct draw_style *style, const struct box_lines *lines, const int *row,
                          const uint8_t *marks, int columns, int width, const soloist_sink *sink) {
    for (int x = 0; x < columns; x++) {
        char cell[24];
        bool marked = mark_at(marks, (size_t)x);
        if (row[x])
            snprintf(cell, sizeof cell, marked ? ">%*d<" : " %*d ", width, row[x]);
        else
            snprintf(cell, sizeof cell, " %*s ", width, "");
        soloist_put(sink, lines->down);
        put_coloured(style, marked ? "1;35" : "1", cell, sink);
    }
    soloist_print(sink, "%s\n", lines->down);
}

static void draw_tiles(const struct draw_style *style, const char *text, const uint8_t *marks,
                       const soloist_sink *sink) {
    int numbers[MOST_NUMBERS], width = 0, height = 0, used = 0;
    if (sscanf(text, "%dx%d:%n", &width, &height, &used) == 2 && used)
        text += used;
    else
        width = 0; /* a first number may have been taken for the width */
    int count = paint_read_numbers(text, numbers, MOST_NUMBERS), digits = count > 100 ? 3 : count > 10 ? 2 : 1;
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
        draw_tile_row(style, lines, numbers + y * width, marks ? marks + y * width : NULL, width, digits, sink);
    }
    draw_rule(lines, 2, width, digits, sink);
}

static void repeat(const char *text, int count, const soloist_sink *sink) {
    while (count-- > 0)
        soloist_put(sink, text);
}

static void draw_pancakes(const struct draw_style *style, const char *text, const uint8_t *marks,
                          const soloist_sink *sink) {
    static const char after[] = {[DRAW_PLAIN] = ' ', [DRAW_CHOSEN] = '*', [DRAW_CURSOR] = '<'};
    int numbers[MOST_NUMBERS], count = paint_read_numbers(text, numbers, MOST_NUMBERS);
    bool wide = count <= 36; /* wide: centred pancakes, if they fit on a line of the terminal */
    for (int i = 0; i < count; i++) {
        bool in_place = numbers[i] == i + 1;
        soloist_print(sink, "%3d%c", numbers[i], after[mark_at(marks, (size_t)i)]);
        repeat(" ", wide ? count - numbers[i] : 0, sink);
        if (style->colour)
            soloist_put(sink, in_place ? "\033[32m" : "\033[33m");
        repeat(style->utf8 ? "█" : "=", wide ? 2 * numbers[i] - 1 : numbers[i], sink);
        soloist_put(sink, style->colour ? "\033[0m\n" : "\n");
    }
}

bool text_find(const char *text, const char *characters, int *x, int *y) {
    const char *at = strpbrk(text, characters), *row = text;
    *x = *y = 0;
    if (!at)
        return false;
    for (const char *end; (end = strchr(row, '\n')) && end < at; row = end + 1)
        ++*y;
    *x = (int)(at - row);
    return true;
}

/* The offset of a square in a board's text; -1: it has no such square. */
static long cell_at(const char *text, int x, int y) {
    const char *row = text;
    while (y-- > 0 && row)
        row = (row = strchr(row, '\n')) ? row + 1 : NULL;
    return row && x >= 0 && x < (int)strcspn(row, "\n") ? row + x - text : -1;
}

void draw_mark_push(const char *text, uint8_t *marks, int x, int y, char direction) {
    int across = (direction == 'r') - (direction == 'l'), down = (direction == 'd') - (direction == 'u');
    long box = cell_at(text, x, y), to = cell_at(text, x + across, y + down);
    if (box < 0 || to < 0)
        return;
    marks[box] = DRAW_CHOSEN;
    marks[to] = (uint8_t)(direction == 'u'   ? DRAW_UP
                          : direction == 'l' ? DRAW_LEFT
                          : direction == 'r' ? DRAW_RIGHT
                                             : DRAW_DOWN);
}

/* ---- the table ---- */

static const struct picture {
    const char *domain;
    int utf8_columns, ascii_columns; /* columns of the terminal per character of the text; 0: the text is no board */
    void (*draw)(const struct draw_style *style, const char *text, const uint8_t *marks, const soloist_sink *sink);
} pictures[] = {
    {"sokoban", 2, 1, draw_sokoban}, {"sokoban-moves", 2, 1, draw_sokoban}, {"samegame", 2, 2, draw_samegame},
    {"tiles", 0, 0, draw_tiles},     {"pancake", 0, 0, draw_pancakes},
};

static const struct picture *picture_of(const char *domain) {
    for (size_t i = 0; i < sizeof pictures / sizeof *pictures; i++)
        if (!strcmp(pictures[i].domain, domain))
            return &pictures[i];
    return NULL;
}

int draw_columns(const struct draw_style *style, const char *domain) {
    const struct picture *picture = picture_of(domain);
    return !picture ? 0 : style->utf8 ? picture->utf8_columns : picture->ascii_columns;
}

void draw_position(const struct draw_style *style, const char *domain, const char *text, const uint8_t *marks,
                   const soloist_sink *sink) {
    const struct picture *picture = picture_of(domain);
    if (picture)
        picture->draw(style, text, marks, sink);
    else
        soloist_put(sink, text);
}
