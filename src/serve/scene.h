/* What a search shows of itself, as JSON. */
#ifndef SERVE_SCENE_H
#define SERVE_SCENE_H

#include "base/json.h"
#include "soloist_picture.h"

/* Writes a picture as an object with this name; picture may be NULL: null. */
void scene_write(struct json_writer *json, const char *name, const soloist_sight *sight,
                 const soloist_picture *picture);

#endif
