/* A small font of our own for pictures in pixels: each character is a few strokes of a pen. */
#ifndef CLI_PICTURE_FONT_H
#define CLI_PICTURE_FONT_H

#include <stdbool.h>
#include <stddef.h>

/* Capital letters are FONT_HEIGHT units high, and their baseline is at y = FONT_HEIGHT; y grows downwards. */
enum { FONT_HEIGHT = 6 };

/* The distance from the start of any character to the start of the next. */
#define FONT_ADVANCE 5.6
/* The width of a text, without the gap after its last character. Characters that are not ASCII count as one each. */
double font_width(const char *text);
/* Stroke number `index` of a character, from (line[0], line[1]) to (line[2], line[3]); false if the character has no
 * such stroke. */
bool font_stroke(unsigned char character, size_t index, double line[4]);
/* Returns the next character of a UTF-8 text, or '?' if the font does not have it, and moves *text on. */
unsigned char font_next(const char **text);

#endif
