/* One JSON object on one line, for standard output or a file of such lines. */
#ifndef CLI_SHELL_JSON_LINE_H
#define CLI_SHELL_JSON_LINE_H

#include "base/buffer.h"
#include "base/json.h"

#include <stdio.h>

struct json_line {
    struct json_writer json;
    struct buffer text;
    soloist_sink sink;
};

/* Begins the object; the caller writes its members with the writer returned. */
struct json_writer *json_line_open(struct json_line *line);
/* Writes the members "error", "line" and "column"; a number that is not known is null. */
void json_error(struct json_writer *json, const soloist_error *error);
/* Ends the object and the line; the text is then complete. The caller closes line->text. */
void json_line_end(struct json_line *line);
/* Ends the object, prints the line on standard output, flushes standard output, and frees the line's text. */
void json_line_print(struct json_line *line);
/* Does the same as json_line_print, but prints to `stream` and does not flush it. */
void json_line_write(struct json_line *line, FILE *stream);

#endif
