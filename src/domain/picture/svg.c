#include "domain/picture/svg.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define END_PAUSE_S 1.5 /* the last position stays for so long before the film begins again */

void svg_text(const char *text, const soloist_sink *sink) {
    for (; *text; text++) {
        const char *escaped = *text == '<'   ? "&lt;"
                              : *text == '>' ? "&gt;"
                              : *text == '&' ? "&amp;"
                              : *text == '"' ? "&quot;"
                                             : NULL;
        char plain[2] = {(unsigned char)*text < ' ' ? '?' : *text, 0};
        soloist_put(sink, escaped ? escaped : plain);
    }
}

static void put_paint(const struct shape *shape, double scale, const soloist_sink *sink) {
    if (shape->fill == SCENE_NO_COLOUR)
        soloist_put(sink, " fill=\"none\"");
    else
        soloist_print(sink, " fill=\"#%06x\"", (unsigned)shape->fill);
    if (shape->edge != SCENE_NO_COLOUR)
        soloist_print(sink, " stroke=\"#%06x\" stroke-width=\"%.4g\"", (unsigned)shape->edge, shape->thickness * scale);
}

static void put_words(const struct shape *shape, double x, double y, double scale, const soloist_sink *sink) {
    /* Capital letters of common fonts are 0.72 of the font's size high. */
    double size = shape->h * scale / 0.72;
    soloist_print(sink, "<text x=\"%.5g\" y=\"%.5g\" font-family=\"%s\" font-size=\"%.4g\" text-anchor=\"%s\"",
                  x + shape->x * scale, y + (shape->y + shape->h / 2) * scale,
                  strlen(shape->text) == 1 ? "monospace" : "sans-serif", size, shape->left ? "start" : "middle");
    /* A text that might be too wide is pressed together; letters are about 0.6 of the size wide. */
    if (shape->w > 0 && 0.6 * size * (double)strlen(shape->text) > shape->w * scale)
        soloist_print(sink, " textLength=\"%.5g\" lengthAdjust=\"spacingAndGlyphs\"", shape->w * scale);
    put_paint(shape, scale, sink);
    soloist_put(sink, ">");
    svg_text(shape->text, sink);
    soloist_put(sink, "</text>");
}

void svg_shape(const struct shape *shape, double x, double y, double scale, const soloist_sink *sink) {
    double left = x + shape->x * scale, top = y + shape->y * scale;
    if (shape->kind == SHAPE_TEXT) {
        put_words(shape, x, y, scale, sink);
        return;
    }
    if (shape->kind == SHAPE_RECT) {
        soloist_print(sink, "<rect x=\"%.5g\" y=\"%.5g\" width=\"%.5g\" height=\"%.5g\"", left, top, shape->w * scale,
                      shape->h * scale);
        if (shape->radius > 0)
            soloist_print(sink, " rx=\"%.4g\"", shape->radius * scale);
        else if (shape->edge == SCENE_NO_COLOUR)
            soloist_put(sink, " shape-rendering=\"crispEdges\""); /* no seams between neighbours */
    } else if (shape->kind == SHAPE_DISC) {
        soloist_print(sink, "<circle cx=\"%.5g\" cy=\"%.5g\" r=\"%.4g\"", left, top, shape->w * scale);
    } else {
        soloist_print(sink, "<path d=\"M%.5g %.5gL%.5g %.5g\" stroke-linecap=\"round\"", left, top,
                      x + shape->w * scale, y + shape->h * scale);
    }
    put_paint(shape, scale, sink);
    soloist_put(sink, "/>");
}

void svg_open(const char *title, double width, double height, const soloist_sink *sink) {
    soloist_print(sink,
                  "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.6g\" height=\"%.6g\" "
                  "viewBox=\"0 0 %.6g %.6g\" role=\"img\">\n<title>",
                  width, height, width, height);
    svg_text(title, sink);
    soloist_put(sink, "</title>\n");
}

/* ---- symbols ---- */

static bool know(struct svg_known *known, const char *name) {
    for (size_t i = 0; i < known->count; i++)
        if (!strcmp(known->names[i], name))
            return true;
    void *larger = realloc(known->names, (known->count + 1) * sizeof *known->names);
    known->failed |= !larger;
    if (!larger)
        return false;
    known->names = larger;
    memcpy(known->names[known->count++], name, sizeof *known->names);
    return false;
}

static bool is_used(const struct scene *scene, int symbol) {
    for (size_t i = 0; i < scene->thing_count; i++)
        for (size_t k = 0; k < scene->things[i].count; k++)
            if (scene->things[i].places[k].symbol == symbol)
                return true;
    return false;
}

void svg_symbols(const struct scene *scene, struct svg_known *known, const soloist_sink *sink) {
    for (size_t i = 0; i < scene->symbol_count; i++) {
        const struct symbol *symbol = &scene->symbols[i];
        if (!is_used(scene, (int)i) || know(known, symbol->name))
            continue;
        soloist_print(sink, "<g id=\"%s\">", symbol->name);
        for (size_t k = 0; k < symbol->count; k++)
            svg_shape(&symbol->shapes[k], 0, 0, 1, sink);
        soloist_put(sink, "</g>\n");
    }
}

void svg_known_close(struct svg_known *known) {
    free(known->names);
    *known = (struct svg_known){0};
}

/* ---- things ---- */

static void put_use(const struct scene *scene, const struct place *place, bool placed, const soloist_sink *sink) {
    soloist_print(sink, "<use href=\"#%s\"", scene->symbols[place->symbol].name);
    if (placed)
        soloist_print(sink, " x=\"%.5g\" y=\"%.5g\"", place->x, place->y);
}

double svg_film_seconds(const struct scene *scene, double step_s) {
    return (double)scene->steps * step_s + END_PAUSE_S;
}

struct clock {
    double step_s, film_s;
};

static double key_time(const struct clock *clock, double step) { return step * clock->step_s / clock->film_s; }

/* The thing glides from one place to the next during the step that moves it. Each key is a time and a place. */
static void put_glide(const struct thing *thing, const struct clock *clock, bool times, const soloist_sink *sink) {
    size_t last = 0;
    soloist_print(sink, times ? "0" : "%.5g %.5g", thing->places[0].x, thing->places[0].y);
    for (size_t i = 1; i < thing->count; i++) {
        const struct place *from = &thing->places[i - 1], *to = &thing->places[i];
        if (to->step - 1 > last && times)
            soloist_print(sink, ";%.7g", key_time(clock, (double)to->step - 1));
        else if (to->step - 1 > last)
            soloist_print(sink, ";%.5g %.5g", from->x, from->y);
        if (times)
            soloist_print(sink, ";%.7g", key_time(clock, (double)to->step));
        else
            soloist_print(sink, ";%.5g %.5g", to->x, to->y);
        last = to->step;
    }
    const struct place *end = &thing->places[thing->count - 1];
    if (times)
        soloist_put(sink, ";1");
    else
        soloist_print(sink, ";%.5g %.5g", end->x, end->y);
}

/* A thing that goes does so in the middle of the step, before others take its place. */
static double change_step(const struct place *place) { return (double)place->step - (place->symbol < 0 ? 0.6 : 0); }

/* When the thing is drawn as this symbol. */
static void put_shown(const struct thing *thing, int symbol, const struct clock *clock, const soloist_sink *sink) {
    soloist_print(sink,
                  "<animate attributeName=\"opacity\" calcMode=\"discrete\" dur=\"%.5gs\" "
                  "repeatCount=\"indefinite\" keyTimes=\"0",
                  clock->film_s);
    for (size_t i = 1; i < thing->count; i++)
        soloist_print(sink, ";%.7g", key_time(clock, change_step(&thing->places[i])));
    soloist_put(sink, "\" values=\"");
    for (size_t i = 0; i < thing->count; i++)
        soloist_print(sink, "%s%d", i ? ";" : "", thing->places[i].symbol == symbol);
    soloist_put(sink, "\"/>");
}

static bool is_first_of_its_symbol(const struct thing *thing, size_t place) {
    for (size_t i = 0; i < place; i++)
        if (thing->places[i].symbol == thing->places[place].symbol)
            return false;
    return thing->places[place].symbol >= 0;
}

/* Where films do not move, it stands in its first place: the attributes say so, and the animations replace them. */
static void put_mover(const struct scene *scene, const struct thing *thing, const struct clock *clock,
                      const soloist_sink *sink) {
    bool changes = false;
    for (size_t i = 1; i < thing->count; i++)
        changes |= thing->places[i].symbol != thing->places[0].symbol;
    soloist_print(sink, "<g transform=\"translate(%.5g %.5g)\">", thing->places[0].x, thing->places[0].y);
    soloist_print(sink,
                  "<animateTransform attributeName=\"transform\" type=\"translate\" dur=\"%.5gs\" "
                  "repeatCount=\"indefinite\" keyTimes=\"",
                  clock->film_s);
    put_glide(thing, clock, true, sink);
    soloist_put(sink, "\" values=\"");
    put_glide(thing, clock, false, sink);
    soloist_put(sink, "\"/>");
    for (size_t i = 0; i < thing->count; i++) {
        if (!is_first_of_its_symbol(thing, i))
            continue;
        put_use(scene, &thing->places[i], false, sink);
        if (thing->places[i].symbol != thing->places[0].symbol)
            soloist_put(sink, " opacity=\"0\"");
        soloist_put(sink, changes ? ">" : "/>");
        if (changes)
            put_shown(thing, thing->places[i].symbol, clock, sink);
        soloist_put(sink, changes ? "</use>" : "");
    }
    soloist_put(sink, "</g>\n");
}

void svg_scene(const struct scene *scene, size_t step, double step_s, double x, double y, double scale,
               const soloist_sink *sink) {
    struct clock clock = {step_s, svg_film_seconds(scene, step_s)};
    soloist_print(sink, "<g transform=\"translate(%.5g %.5g) scale(%.5g)\">\n", x, y, scale);
    for (size_t i = 0; i < scene->thing_count; i++) {
        const struct thing *thing = &scene->things[i];
        const struct place *place = scene_place(thing, step == SIZE_MAX ? 0 : step);
        if (step == SIZE_MAX && thing->count > 1) {
            put_mover(scene, thing, &clock, sink);
        } else if (place->symbol >= 0) {
            put_use(scene, place, true, sink);
            soloist_put(sink, "/>\n");
        }
    }
    soloist_put(sink, "</g>\n");
}

bool svg_document(const struct scene *scene, const char *title, size_t step, double step_s, double scale,
                  const soloist_sink *sink) {
    struct svg_known known = {0};
    double width = ceil((scene->width + 1) * scale), height = ceil((scene->height + 1) * scale);
    svg_open(title, width, height, sink);
    soloist_put(sink, "<defs>\n");
    svg_symbols(scene, &known, sink);
    soloist_put(sink, "</defs>\n");
    soloist_put(sink, SVG_PAPER);
    svg_scene(scene, step, step_s, scale / 2, scale / 2, scale, sink);
    soloist_put(sink, "\n</svg>\n");
    bool whole = !known.failed && !scene->failed;
    svg_known_close(&known);
    return whole;
}
