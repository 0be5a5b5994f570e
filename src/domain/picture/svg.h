/* Scenes as SVG. A film moves by SMIL, which browsers play without a script. */
#ifndef DOMAIN_PICTURE_SVG_H
#define DOMAIN_PICTURE_SVG_H

#include "domain/picture/scene.h"

/* The names of symbols that a document has already defined. The caller sets the struct to zero before its first use. */
struct svg_known {
    char (*names)[40];
    size_t count;
    bool failed; /* memory ran out: a symbol may be defined twice */
};

/* Writes those symbols of the scene that the document has not defined yet; the caller puts <defs> around them. */
void svg_symbols(const struct scene *scene, struct svg_known *known, const soloist_sink *sink);
void svg_known_close(struct svg_known *known);

/* Writes the scene as a group. Its upper left corner is at (x, y), and a square of the board is `scale` units wide.
 * step: the number of the position that is shown, or SIZE_MAX for the whole film with `step_s` seconds per step. */
void svg_scene(const struct scene *scene, size_t step, double step_s, double x, double y, double scale,
               const soloist_sink *sink);
/* Writes the beginning of a document with this title and this size, in SVG units. */
void svg_open(const char *title, double width, double height, const soloist_sink *sink);
#define SVG_PAPER "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n"
/* Writes a whole document: the scene, with a margin of half a square around it. step and step_s mean the same as in
 * svg_scene. False: memory ran out. */
bool svg_document(const struct scene *scene, const char *title, size_t step, double step_s, double scale,
                  const soloist_sink *sink);
/* How long the film takes until it begins again. */
double svg_film_seconds(const struct scene *scene, double step_s);
/* Writes a shape that belongs to no scene, such as a caption. */
void svg_shape(const struct shape *shape, double x, double y, double scale, const soloist_sink *sink);
/* Writes a text and escapes the characters that XML and HTML do not allow in it. */
void svg_text(const char *text, const soloist_sink *sink);

#endif
