/* One full screen of a game or a film: lines above, as much of the board as fits, lines below. */
#ifndef CLI_SHOW_STAGE_H
#define CLI_SHOW_STAGE_H

#include "base/buffer.h"
#include "cli/show/draw.h"

struct stage {
    int columns, rows;
    bool utf8;                         /* false: characters other than ASCII are shown as ? */
    struct buffer above, board, below; /* lines, each with its line end */
    int focus;                         /* the line of the board that must be seen */
};

/* Begins a screen of the terminal's present size. */
void stage_open(struct stage *stage, bool utf8);
/* Adds a text to the lines above or below, broken between words where it is wider than the screen. */
void stage_say(const struct stage *stage, struct buffer *lines, const char *text);
/* Rows that are left for the board. */
int stage_board_rows(const struct stage *stage);
/* Draws the whole screen from its upper left corner, and frees the stage. */
void stage_show(struct stage *stage);

/* Draws a position as the board. If it is wider than the screen, only the part around character `x` of every row is
 * drawn; row `y` is always shown. Call it after all calls of stage_say. */
void stage_draw(struct stage *stage, const struct draw_style *style, const char *domain, const char *text,
                const uint8_t *marks, int x, int y);

#endif
