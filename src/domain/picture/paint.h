/* Draws the positions of each domain as scenes, from the text that the domain prints. A domain without a drawing of its
 * own is shown as that text. */
#ifndef DOMAIN_PICTURE_PAINT_H
#define DOMAIN_PICTURE_PAINT_H

#include "domain/picture/scene.h"

/* Draws the first position. Free the scene with scene_close. If memory runs out, `failed` of the scene is set. */
void paint_position(struct scene *scene, const char *domain, const char *text);
/* Adds position number `step` to a film: the position `after`, which was reached from `before` by `move` (in the
 * notation of the domain). */
void paint_step(struct scene *scene, const char *domain, size_t step, const char *before, const char *move,
                const char *after);
/* Reads up to `room` numbers from a text such as a position of tiles or pancakes; returns how many there are. */
int paint_read_numbers(const char *text, int *numbers, int room);

#endif
