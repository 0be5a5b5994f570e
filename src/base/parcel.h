/* Values packed into bytes, for a message to another rank. All ranks run the same program on the same kind of machine,
 * so values are copied as they lie in memory. */
#ifndef BASE_PARCEL_H
#define BASE_PARCEL_H

#include "base/buffer.h"

/* Each of these functions appends to the buffer; if memory runs out, `failed` of the buffer is set. */
void parcel_put(struct buffer *parcel, const void *bytes, size_t count);
void parcel_put_block(struct buffer *parcel, const void *bytes, size_t count); /* with its length; NULL remains NULL */
void parcel_put_text(struct buffer *parcel, const char *text);                 /* NULL stays NULL */

/* Reads the values in the order in which they were written. */
struct parcel_reader {
    const char *at, *end;
    bool wrong; /* the parcel ended too early: since then all values read are zero or NULL */
};

struct parcel_reader parcel_open(const void *bytes, size_t count);
void parcel_take(struct parcel_reader *reader, void *bytes, size_t count);
/* Both return a pointer into the parcel, or NULL. */
const void *parcel_take_block(struct parcel_reader *reader, size_t *count);
const char *parcel_take_text(struct parcel_reader *reader);

#endif
