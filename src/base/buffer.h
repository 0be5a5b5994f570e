/* A growing text: the sink that most code writes into. */
#ifndef BASE_BUFFER_H
#define BASE_BUFFER_H

#include "soloist.h"

struct buffer {
    char *text; /* zero-ended once anything was written; NULL before */
    size_t length, room;
    bool failed; /* memory ran out: what is here is a prefix */
};

void buffer_open(struct buffer *buffer);
soloist_sink buffer_sink(struct buffer *buffer);
void buffer_clear(struct buffer *buffer);
char *buffer_take(struct buffer *buffer); /* hands the text over (free it); NULL if failed; "" if empty */
void buffer_close(struct buffer *buffer);
/* All that a file holds, zero-ended, to be freed; NULL: it cannot be read. */
char *buffer_read_file(const char *path, size_t *length);

#endif
