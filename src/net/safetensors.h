/* Checks what the format requires of every safetensors header: type, shape and range of each tensor agree; no name
 * occurs twice; and the tensors fill the part after the header without gaps or overlaps. */
#ifndef NET_SAFETENSORS_H
#define NET_SAFETENSORS_H

#include "base/json.h"

/* size: bytes after the header. If a requirement is not met, returns false; the error is one sentence that names the
 * tensor. */
bool safetensors_check(struct json_value header, size_t size, soloist_error *error);
/* Offset of a tensor's bytes, from its entry in a header that has been checked. */
size_t safetensors_begin(struct json_value entry);

#endif
