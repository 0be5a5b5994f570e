/* Pictures on one sheet: a single one, or rows of small ones with captions, as SVG, PNG or a page of HTML. */
#ifndef CLI_PICTURE_SHEET_H
#define CLI_PICTURE_SHEET_H

#include "domain/picture/scene.h"

#define SHEET_FILM SIZE_MAX /* used instead of a step number: shows the whole film */

struct frame {
    const struct scene *scene; /* borrowed */
    size_t step;               /* the position that is shown, or SHEET_FILM */
    char caption[160];
};

struct sheet {
    const char *title; /* of the document */
    const char *note;  /* a line below the title of a page, or NULL */
    struct frame *frames;
    size_t count;
    double step_s; /* seconds per step of a film */
    double scale;  /* of a single picture: units per square of the board */
    /* Set by sheet_lay: */
    int columns, rows;
    double box; /* side of the square in which a small picture is drawn */
    double width, height;
};

/* Decides where everything goes. */
void sheet_lay(struct sheet *sheet);
void sheet_svg(const struct sheet *sheet, const soloist_sink *sink);
void sheet_html(const struct sheet *sheet, const soloist_sink *sink);
/* False with an error if the picture would be too large or cannot be written. */
bool sheet_png(const struct sheet *sheet, const soloist_sink *sink, soloist_error *error);

#endif
