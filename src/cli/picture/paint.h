/* Draws the positions of each domain as scenes, from the text that the domain prints. A domain without a drawing of its
 * own is shown as that text. */
#ifndef CLI_PICTURE_PAINT_H
#define CLI_PICTURE_PAINT_H

#include "cli/picture/scene.h"

/* The first position. Free the scene with scene_close. */
void paint_position(struct scene *scene, const char *domain, const char *text);
/* The next position of a film: position number `step`, after `move` (as the domain writes it) was played in `before`.
 */
void paint_step(struct scene *scene, const char *domain, size_t step, const char *before, const char *move,
                const char *after);

#endif
