/* The growing text. Its capacity at least doubles when it grows, so that writing n bytes takes O(n) time, however small
 * the pieces are. */
#include "base/buffer.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void buffer_open(struct buffer *buffer) { *buffer = (struct buffer){0}; }

/* Makes room for n more bytes and the final zero. */
static bool make_room(struct buffer *buffer, size_t n) {
    if (n < buffer->room - buffer->length)
        return true;
    if (n >= SIZE_MAX / 2 - buffer->length)
        return false;
    size_t room = (buffer->length + n + 1) * 2;
    char *grown = realloc(buffer->text, room);
    if (!grown)
        return false;
    buffer->text = grown;
    buffer->room = room;
    return true;
}

static void buffer_write(void *to, const char *text, size_t n) {
    struct buffer *buffer = to;
    if (buffer->failed || !make_room(buffer, n)) {
        buffer->failed = true;
        return;
    }
    if (n)
        memcpy(buffer->text + buffer->length, text, n);
    buffer->length += n;
    buffer->text[buffer->length] = 0;
}

soloist_sink buffer_sink(struct buffer *buffer) { return (soloist_sink){buffer_write, buffer}; }

void buffer_clear(struct buffer *buffer) {
    buffer->length = 0;
    if (buffer->text)
        buffer->text[0] = 0;
}

char *buffer_take(struct buffer *buffer) {
    if (!buffer->text && !buffer->failed)
        buffer_write(buffer, "", 0);
    char *text = buffer->failed ? NULL : buffer->text;
    if (!text)
        free(buffer->text);
    *buffer = (struct buffer){0};
    return text;
}

void buffer_close(struct buffer *buffer) {
    free(buffer->text);
    *buffer = (struct buffer){0};
}

char *buffer_read_file(const char *path, size_t *length) {
    FILE *stream = fopen(path, "rb");
    struct buffer buffer;
    char block[65536];
    size_t got;
    if (!stream)
        return NULL;
    buffer_open(&buffer);
    soloist_sink sink = buffer_sink(&buffer);
    while ((got = fread(block, 1, sizeof block, stream)))
        sink.write(sink.to, block, got);
    bool failed = ferror(stream);
    fclose(stream);
    *length = buffer.length;
    if (!failed)
        return buffer_take(&buffer);
    buffer_close(&buffer);
    return NULL;
}
