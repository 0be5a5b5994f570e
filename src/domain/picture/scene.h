/* A picture or an animated film before it is written as SVG or PNG. It consists of things on a plane. Each thing is
 * drawn as a symbol, and has a list of the places where it is in the course of the film. Lengths are in squares of the
 * board; the writers scale them. */
#ifndef DOMAIN_PICTURE_SCENE_H
#define DOMAIN_PICTURE_SCENE_H

#include "soloist.h"

#define SCENE_NO_COLOUR UINT32_MAX

enum shape_kind {
    SHAPE_RECT, /* corner (x, y), size (w, h), rounded by `radius` */
    SHAPE_DISC, /* centre (x, y), radius w */
    SHAPE_LINE, /* from (x, y) to (w, h), with round ends */
    /* The middle of the text is at (x, y); h: height of its capital letters; w: maximum width, or 0 if any width is
     * allowed. */
    SHAPE_TEXT
};

struct shape {
    enum shape_kind kind;
    double x, y, w, h, radius;
    uint32_t fill;    /* 0xrrggbb, or SCENE_NO_COLOUR */
    uint32_t edge;    /* the colour of the outline or of the line, or SCENE_NO_COLOUR */
    double thickness; /* of the outline or the line */
    bool left;        /* a text begins at x instead of being centred */
    char text[64];
};

/* A drawing that several things share, such as a box. */
struct symbol {
    char name[40]; /* unique among all symbols: equal names mean equal drawings */
    struct shape *shapes;
    size_t count;
};

/* From step `step` on, the thing is at (x, y) and is drawn as symbol number `symbol`. */
struct place {
    size_t step;
    double x, y;
    int symbol; /* -1: the thing is not drawn any more */
};

struct thing {
    struct place *places; /* in order of their steps; the first is at step 0 */
    size_t count;
};

struct scene {
    double width, height;
    size_t steps; /* the last step of the film; 0: the picture does not move */
    struct symbol *symbols;
    struct thing *things;
    size_t symbol_count, thing_count;
    bool failed; /* memory ran out: something is missing */
};

/* If memory runs out, the functions below set `failed` and add nothing. */
void scene_close(struct scene *scene);
/* Zeroed memory for `count` items of `size` bytes, which the caller frees; NULL: memory ran out. */
void *scene_zeroed(struct scene *scene, size_t count, size_t size);
/* The number of the symbol of that name; -1: there is none yet. */
int scene_symbol(const struct scene *scene, const char *name);
/* A new symbol without shapes; -1: no memory. */
int scene_new_symbol(struct scene *scene, const char *name);
void scene_add_shape(struct scene *scene, int symbol, const struct shape *shape);
/* Adds a thing that is at (x, y) from step 0 on. Returns its number, or SIZE_MAX if memory ran out. */
size_t scene_add_thing(struct scene *scene, int symbol, double x, double y);
/* The thing's place at a step. */
const struct place *scene_place(const struct thing *thing, size_t step);
/* Moves a thing or changes its symbol, from step `step` on. `step` must not be less than the step of the thing's last
 * place. Nothing changes if the thing is already at (x, y) with this symbol. */
void scene_move_thing(struct scene *scene, size_t thing, size_t step, double x, double y, int symbol);

#endif
