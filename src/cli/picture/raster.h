/* Scenes in pixels: every shape is drawn by its distance function, so that edges are smooth at any scale. */
#ifndef CLI_PICTURE_RASTER_H
#define CLI_PICTURE_RASTER_H

#include "domain/picture/scene.h"

struct raster {
    int width, height;
    uint8_t *pixels; /* red, green, blue of each pixel, row by row */
};

/* A white picture. */
void raster_open(struct raster *raster, int width, int height);
void raster_close(struct raster *raster);
/* Draws the scene as it is at step number `step`. Its upper left corner is at (x, y), and a square of the board is
 * `scale` pixels wide. */
void raster_scene(struct raster *raster, const struct scene *scene, size_t step, double x, double y, double scale);
void raster_shape(struct raster *raster, const struct shape *shape, double x, double y, double scale);

/* Writes the picture to the sink as a PNG file. False with an error if that failed, or if the program was built without
 * libpng. */
bool raster_png(const struct raster *raster, const soloist_sink *sink, soloist_error *error);
/* Whether the program was built with libpng. */
bool raster_has_png(void);

#endif
