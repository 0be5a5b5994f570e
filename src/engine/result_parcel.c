#include "engine/result_parcel.h"

#include <stdlib.h>
#include <string.h>

void result_put(struct buffer *parcel, const soloist_result *result) {
    parcel_put(parcel, result, sizeof *result);
    parcel_put_block(parcel, result->moves, result->move_count * sizeof *result->moves);
    parcel_put_text(parcel, result->solution);
}

/* A copy of a block, which may be NULL. */
static bool copy_block(const void *block, size_t length, void *copy) {
    void *bytes = block ? malloc(length ? length : 1) : NULL;
    if (bytes)
        memcpy(bytes, block, length);
    *(void **)copy = bytes;
    return bytes || !block;
}

bool result_take(struct parcel_reader *reader, soloist_result *result) {
    size_t length, text_length;
    parcel_take(reader, result, sizeof *result);
    result->moves = NULL;
    result->solution = NULL;
    const void *moves = parcel_take_block(reader, &length);
    const char *text = parcel_take_text(reader);
    text_length = text ? strlen(text) + 1 : 0;
    if (reader->wrong || (moves && length != result->move_count * sizeof *result->moves))
        return result->move_count = 0, false;
    return copy_block(moves, length, &result->moves) && copy_block(text, text_length, &result->solution);
}
