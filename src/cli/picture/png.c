/* The only file that uses libpng. If the program is built without libpng, raster_png reports this as an error. */
#include "cli/picture/raster.h"

#ifndef SOLOIST_WITH_PNG
#define SOLOIST_WITH_PNG 0
#endif

#if SOLOIST_WITH_PNG

#include <png.h>
#include <stdlib.h>

bool raster_has_png(void) { return true; }

bool raster_png(const struct raster *raster, const soloist_sink *sink, soloist_error *error) {
    png_image image = {.version = PNG_IMAGE_VERSION,
                       .width = (png_uint_32)raster->width,
                       .height = (png_uint_32)raster->height,
                       .format = PNG_FORMAT_RGB};
    png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
    char *bytes = malloc(size);
    bool good = bytes && png_image_write_to_memory(&image, bytes, &size, 0, raster->pixels, 0, NULL);
    if (good)
        sink->write(sink->to, bytes, size);
    else
        soloist_fail(error, 0, 0, "%s", bytes ? image.message : "out of memory");
    png_image_free(&image);
    free(bytes);
    return good;
}

#else

bool raster_has_png(void) { return false; }

bool raster_png(const struct raster *raster, const soloist_sink *sink, soloist_error *error) {
    (void)raster, (void)sink;
    return soloist_fail(error, 0, 0, "this program was built without libpng: --svg and --html do without it");
}

#endif
