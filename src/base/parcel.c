#include "base/parcel.h"

#include <string.h>

#define NOTHING UINT64_MAX /* the length of a block that is NULL */

void parcel_put(struct buffer *parcel, const void *bytes, size_t count) {
    soloist_sink sink = buffer_sink(parcel);
    if (count)
        sink.write(sink.to, bytes, count);
}

void parcel_put_block(struct buffer *parcel, const void *bytes, size_t count) {
    uint64_t length = bytes ? count : NOTHING;
    parcel_put(parcel, &length, sizeof length);
    if (bytes)
        parcel_put(parcel, bytes, count);
}

void parcel_put_text(struct buffer *parcel, const char *text) {
    parcel_put_block(parcel, text, text ? strlen(text) + 1 : 0);
}

struct parcel_reader parcel_open(const void *bytes, size_t count) {
    return (struct parcel_reader){bytes, (const char *)bytes + count, false};
}

void parcel_take(struct parcel_reader *reader, void *bytes, size_t count) {
    reader->wrong |= (size_t)(reader->end - reader->at) < count;
    if (reader->wrong) {
        memset(bytes, 0, count);
        return;
    }
    if (count)
        memcpy(bytes, reader->at, count);
    reader->at += count;
}

const void *parcel_take_block(struct parcel_reader *reader, size_t *count) {
    uint64_t length = 0;
    *count = 0;
    parcel_take(reader, &length, sizeof length);
    if (reader->wrong || length == NOTHING)
        return NULL;
    reader->wrong = (uint64_t)(reader->end - reader->at) < length;
    if (reader->wrong)
        return NULL;
    const char *block = reader->at;
    reader->at += length;
    *count = (size_t)length;
    return block;
}

const char *parcel_take_text(struct parcel_reader *reader) {
    size_t count;
    const char *text = parcel_take_block(reader, &count);
    if (text && (!count || text[count - 1])) {
        reader->wrong = true;
        return NULL;
    }
    return text;
}
