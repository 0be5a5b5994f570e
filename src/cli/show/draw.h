/* Positions drawn for a terminal. */
#ifndef CLI_SHOW_DRAW_H
#define CLI_SHOW_DRAW_H

#include "soloist.h"

struct draw_style {
    bool colour, utf8; /* without UTF-8 the drawing is plain ASCII */
};

/* How a square, a number or a pancake is highlighted. */
enum draw_mark {
    DRAW_PLAIN,
    DRAW_CHOSEN, /* what the next move would move or remove */
    DRAW_CURSOR,
    DRAW_STUCK, /* a box that makes the position unsolvable; this mark and those below are only for Sokoban */
    /* The square to which the chosen box would be pushed upwards; the next three are for the other directions. */
    DRAW_UP,
    DRAW_LEFT,
    DRAW_RIGHT,
    DRAW_DOWN
};

/* Draws a position from the text that the domain prints; a domain without a drawing is shown as that text. marks: one
 * draw_mark for each character of a board's text, or for each number of a list of numbers; NULL: none. */
void draw_position(const struct draw_style *style, const char *domain, const char *text, const uint8_t *marks,
                   const soloist_sink *sink);

/* Column and row, counted from 0, of the first of these characters in a board's text. False: there is none. */
bool text_find(const char *text, const char *characters, int *x, int *y);
/* Sokoban: marks the box in column x and row y and the square to which it is pushed; direction: u, l, r or d. */
void draw_mark_push(const char *text, uint8_t *marks, int x, int y, char direction);
/* Number of terminal columns in which one character of a board's text is drawn; 0: the domain's text is not a board of
 * characters. */
int draw_columns(const struct draw_style *style, const char *domain);

#endif
