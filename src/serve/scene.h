/* Writes what a running search shows of itself (soloist_picture) as JSON. */
#ifndef SERVE_SCENE_H
#define SERVE_SCENE_H

#include "base/json.h"
#include "soloist_picture.h"

/* Writes a picture as the member `name`: an object, or null if picture is NULL. */
void scene_write(struct json_writer *json, const char *name, const soloist_sight *sight,
                 const soloist_picture *picture);

#endif
