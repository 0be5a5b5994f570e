/* A growing text: the sink that most code writes into. */
#ifndef BASE_BUFFER_H
#define BASE_BUFFER_H

#include "soloist.h"

struct buffer {
    char *text; /* ends in a zero byte; NULL until something is written */
    size_t length, room;
    bool failed; /* memory ran out: the text is only a prefix */
};

void buffer_open(struct buffer *buffer);
soloist_sink buffer_sink(struct buffer *buffer);
void buffer_clear(struct buffer *buffer);
char *buffer_take(struct buffer *buffer); /* the caller frees the text; NULL if failed; "" if empty */
void buffer_close(struct buffer *buffer);
/* The whole content of a file, ending in a zero byte; the caller frees it. NULL if the file cannot be read. */
char *buffer_read_file(const char *path, size_t *length);

#endif
