/* What every safetensors file promises of its header, whoever wrote it: each tensor's type, shape and place agree, no
 * name stands twice, and the tensors fill the part after the header without holes and without overlaps. */
#ifndef NET_SAFETENSORS_H
#define NET_SAFETENSORS_H

#include "base/json.h"

/* size: bytes after the header. False with one sentence that names the tensor. */
bool safetensors_check(struct json_value header, size_t size, soloist_error *error);
/* Where a tensor's bytes begin, of an entry in a header that was checked. */
size_t safetensors_begin(struct json_value entry);

#endif
