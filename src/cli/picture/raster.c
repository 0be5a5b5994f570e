#include "cli/picture/raster.h"
#include "cli/picture/font.h"
#include "cli/shell/need.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void raster_open(struct raster *raster, int width, int height) {
    *raster = (struct raster){width, height, need_bytes((size_t)width * (size_t)height * 3)};
    memset(raster->pixels, 255, (size_t)width * (size_t)height * 3);
}

void raster_close(struct raster *raster) {
    free(raster->pixels);
    *raster = (struct raster){0};
}

static void blend(uint8_t *pixel, uint32_t colour, double share) {
    for (int i = 0; i < 3; i++) {
        double target = colour >> (16 - 8 * i) & 255;
        pixel[i] = (uint8_t)lround(pixel[i] + (target - pixel[i]) * share);
    }
}

static double between(double value, double least, double most) { return fmin(fmax(value, least), most); }

/* The distance from a point to the outline of the shape, in pixels: negative inside. */
static double distance(const struct shape *shape, double x, double y) {
    if (shape->kind == SHAPE_DISC)
        return hypot(x - shape->x, y - shape->y) - shape->w;
    if (shape->kind == SHAPE_RECT) {
        double half_w = shape->w / 2, half_h = shape->h / 2, radius = fmin(shape->radius, fmin(half_w, half_h));
        double dx = fabs(x - shape->x - half_w) - half_w + radius, dy = fabs(y - shape->y - half_h) - half_h + radius;
        return hypot(fmax(dx, 0), fmax(dy, 0)) + fmin(fmax(dx, dy), 0) - radius;
    }
    double along_x = shape->w - shape->x, along_y = shape->h - shape->y, square = along_x * along_x + along_y * along_y;
    double part = square > 0 ? ((x - shape->x) * along_x + (y - shape->y) * along_y) / square : 0;
    part = between(part, 0, 1);
    return hypot(x - shape->x - part * along_x, y - shape->y - part * along_y) - shape->thickness / 2;
}

/* The shape in pixels. */
static struct shape scaled(const struct shape *shape, double x, double y, double scale) {
    struct shape result = *shape;
    bool line = shape->kind == SHAPE_LINE;
    result.x = x + shape->x * scale, result.y = y + shape->y * scale;
    result.w = line ? x + shape->w * scale : shape->w * scale;
    result.h = line ? y + shape->h * scale : shape->h * scale;
    result.radius = shape->radius * scale, result.thickness = shape->thickness * scale;
    return result;
}

/* The part of the picture that a shape may touch: left, top, right, bottom; the last two are exclusive. */
static void bounds(const struct raster *raster, const struct shape *shape, int box[4]) {
    double margin = shape->thickness + 1, left = shape->x, top = shape->y, right, bottom;
    if (shape->kind == SHAPE_DISC)
        left -= shape->w, top -= shape->w, right = left + 2 * shape->w, bottom = top + 2 * shape->w;
    else if (shape->kind == SHAPE_LINE)
        left = fmin(shape->x, shape->w), right = fmax(shape->x, shape->w), top = fmin(shape->y, shape->h),
        bottom = fmax(shape->y, shape->h);
    else
        right = left + shape->w, bottom = top + shape->h;
    box[0] = (int)between(floor(left - margin), 0, raster->width);
    box[1] = (int)between(floor(top - margin), 0, raster->height);
    box[2] = (int)between(ceil(right + margin), 0, raster->width);
    box[3] = (int)between(ceil(bottom + margin), 0, raster->height);
}

static void fill_shape(struct raster *raster, const struct shape *shape) {
    int box[4];
    bool line = shape->kind == SHAPE_LINE;
    bounds(raster, shape, box);
    for (int y = box[1]; y < box[3]; y++)
        for (int x = box[0]; x < box[2]; x++) {
            uint8_t *pixel = raster->pixels + ((size_t)y * (size_t)raster->width + (size_t)x) * 3;
            double far = distance(shape, x + 0.5, y + 0.5), inside = between(0.5 - far, 0, 1);
            double edge = line ? inside : between(0.5 - (fabs(far) - shape->thickness / 2), 0, 1);
            if (!line && shape->fill != SCENE_NO_COLOUR && inside > 0)
                blend(pixel, shape->fill, inside);
            if (shape->edge != SCENE_NO_COLOUR && shape->thickness > 0 && edge > 0)
                blend(pixel, shape->edge, edge);
        }
}

/* Texts are written with a pen about a sixth as thick as capital letters are high. */
static void draw_text(struct raster *raster, const struct shape *text) {
    double unit = text->h / FONT_HEIGHT, width = font_width(text->text) * unit, line[4];
    if (text->w > 0 && width > text->w)
        unit *= text->w / width, width = text->w;
    double x = text->left ? text->x : text->x - width / 2, y = text->y - FONT_HEIGHT * unit / 2;
    for (const char *at = text->text; *at; x += FONT_ADVANCE * unit) {
        unsigned char character = font_next(&at);
        for (size_t i = 0; font_stroke(character, i, line); i++) {
            struct shape stroke = {.kind = SHAPE_LINE,
                                   .x = x + line[0] * unit,
                                   .y = y + line[1] * unit,
                                   .w = x + line[2] * unit,
                                   .h = y + line[3] * unit,
                                   .fill = SCENE_NO_COLOUR,
                                   .edge = text->fill,
                                   .thickness = fmax(unit * 0.95, 1.1)};
            fill_shape(raster, &stroke);
        }
    }
}

void raster_shape(struct raster *raster, const struct shape *shape, double x, double y, double scale) {
    struct shape pixels = scaled(shape, x, y, scale);
    (shape->kind == SHAPE_TEXT ? draw_text : fill_shape)(raster, &pixels);
}

void raster_scene(struct raster *raster, const struct scene *scene, size_t step, double x, double y, double scale) {
    for (size_t i = 0; i < scene->thing_count; i++) {
        const struct place *place = scene_place(&scene->things[i], step);
        const struct symbol *symbol = place->symbol < 0 ? NULL : &scene->symbols[place->symbol];
        for (size_t k = 0; symbol && k < symbol->count; k++)
            raster_shape(raster, &symbol->shapes[k], x + place->x * scale, y + place->y * scale, scale);
    }
}
