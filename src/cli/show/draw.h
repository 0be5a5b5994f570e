/* Positions drawn for a terminal. */
#ifndef CLI_SHOW_DRAW_H
#define CLI_SHOW_DRAW_H

#include "soloist.h"

struct draw_style {
    bool colour, utf8; /* without UTF-8 the drawing is plain ASCII */
};

/* Draws a position from the text that the domain prints; a domain without a drawing is shown as that text. */
void draw_position(const struct draw_style *style, const char *domain, const char *text, const soloist_sink *sink);

#endif
