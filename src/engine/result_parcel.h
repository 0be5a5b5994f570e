/* A result as bytes, for a message to another rank. */
#ifndef ENGINE_RESULT_PARCEL_H
#define ENGINE_RESULT_PARCEL_H

#include "base/parcel.h"

void result_put(struct buffer *parcel, const soloist_result *result);
/* Reads a result, which the caller frees with soloist_result_free, also after a failure. False: the parcel is not a
 * result, or memory ran out. */
bool result_take(struct parcel_reader *reader, soloist_result *result);

#endif
