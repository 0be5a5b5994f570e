/* One full screen of a game or a film: lines above, a board of which as much as fits is shown, lines below. */
#ifndef CLI_SHOW_SCREEN_H
#define CLI_SHOW_SCREEN_H

#include "base/buffer.h"
#include "cli/show/draw.h"

struct screen {
    int columns, rows;
    struct buffer above, board, below; /* lines, each with its line end */
    int focus;                         /* the line of the board that must be seen */
};

/* Begins a screen of the terminal's present size. */
void screen_open(struct screen *screen);
/* Adds a text to the lines above or below, broken between words where it is wider than the screen. */
void screen_say(const struct screen *screen, struct buffer *lines, const char *text);
/* Rows that are left for the board. */
int screen_board_rows(const struct screen *screen);
/* Draws it all from the upper left corner, and frees it. */
void screen_show(struct screen *screen);

/* Draws a position as the board. If it is wider than the screen, the part around character `x` of a row is drawn; row
 * `y` will be seen. Call it after everything above and below was said. */
void screen_draw(struct screen *screen, const struct draw_style *style, const char *domain, const char *text,
                 const uint8_t *marks, int x, int y);

#endif
