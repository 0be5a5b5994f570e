/* Sinks, errors with line and column, and cursors over a file's lines: public helpers of all parsers and writers. */
#include "base/utf8.h"
#include "soloist.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void soloist_put(const soloist_sink *sink, const char *text) {
    if (sink && text)
        sink->write(sink->to, text, strlen(text));
}

void soloist_print(const soloist_sink *sink, const char *format, ...) {
    char small[512];
    va_list list;
    if (!sink || !format)
        return;
    va_start(list, format);
    int length = vsnprintf(small, sizeof small, format, list);
    va_end(list);
    if (length < 0)
        return;
    if ((size_t)length < sizeof small) {
        sink->write(sink->to, small, (size_t)length);
        return;
    }
    char *large = malloc((size_t)length + 1);
    if (!large)
        return;
    va_start(list, format);
    vsnprintf(large, (size_t)length + 1, format, list);
    va_end(list);
    sink->write(sink->to, large, (size_t)length);
    free(large);
}

/* Replaces control characters, so that text from a file cannot control the terminal. */
static void mask_controls(char *text) {
    for (; *text; text++)
        if ((unsigned char)*text < 32 || *text == 127)
            *text = '?';
}

bool soloist_fail(soloist_error *error, int line, int column, const char *format, ...) {
    if (!error)
        return false;
    format = format ? format : "";
    error->line = line;
    error->column = column;
    va_list list;
    va_start(list, format);
    int length = vsnprintf(error->text, sizeof error->text, format, list);
    va_end(list);
    if (length >= (int)sizeof error->text)
        error->text[utf8_whole(error->text, sizeof error->text - 1)] = 0;
    mask_controls(error->text);
    return false;
}

soloist_cursor soloist_cursor_open(const char *text, size_t length) {
    const char *start = text ? text : "";
    soloist_cursor cursor = {start, start + (text ? length : 0), 1, 0};
    if (text && length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
        cursor.at += 3;
    return cursor;
}

bool soloist_cursor_line(soloist_cursor *cursor, const char **line, size_t *length) {
    if (!cursor || !line || !length)
        return false;
    const char *at = cursor->at, *end = cursor->end;
    if (at == end)
        return false;
    *line = at;
    while (at < end && *at != '\n' && *at != '\r')
        at++;
    *length = (size_t)(at - *line);
    if (at < end)
        at += *at == '\r' && at + 1 < end && at[1] == '\n' ? 2 : 1;
    cursor->at = at;
    cursor->line++;
    return true;
}

static bool is_blank(const char *line, size_t length) {
    for (size_t i = 0; i < length; i++)
        if (line[i] != ' ' && line[i] != '\t')
            return false;
    return true;
}

static bool is_comment(const char *line, size_t length) { return length && (*line == ';' || *line == '#'); }

/* Makes a name from a comment line: without its comment mark and surrounding white space, and only printable bytes. */
static void name_from_comment(char *name, size_t room, const char *line, size_t length) {
    size_t from = 1, kept = 0;
    while (from < length && (line[from] == ' ' || line[from] == '\t'))
        from++;
    while (length > from && (line[length - 1] == ' ' || line[length - 1] == '\t'))
        length--;
    for (; from < length && kept + 1 < room; from++)
        name[kept++] = line[from] ? line[from] : '?';
    name[from < length ? utf8_whole(name, kept) : kept] = 0;
    mask_controls(name);
}

bool soloist_next_line(soloist_cursor *cursor, soloist_chunk *chunk) {
    const char *line;
    size_t length;
    if (!cursor || !chunk)
        return false;
    int number = cursor->line;
    while (soloist_cursor_line(cursor, &line, &length)) {
        if (!is_blank(line, length) && !is_comment(line, length)) {
            *chunk = (soloist_chunk){.text = line, .length = length, .line = number};
            cursor->ordinal++;
            return true;
        }
        number = cursor->line;
    }
    return false;
}

bool soloist_next_block(soloist_cursor *cursor, soloist_chunk *chunk) {
    const char *line;
    size_t length;
    if (!cursor || !chunk)
        return false;
    *chunk = (soloist_chunk){0};
    for (;;) {
        soloist_cursor before = *cursor;
        if (!soloist_cursor_line(cursor, &line, &length))
            break;
        if (is_comment(line, length)) {
            if (!chunk->text)
                name_from_comment(chunk->name, sizeof chunk->name, line, length);
        } else if (is_blank(line, length)) {
            if (chunk->text)
                break;
        } else {
            if (!chunk->text)
                chunk->text = line, chunk->line = before.line;
            chunk->length = (size_t)(line + length - chunk->text);
        }
    }
    if (chunk->text)
        cursor->ordinal++;
    return chunk->text != NULL;
}
