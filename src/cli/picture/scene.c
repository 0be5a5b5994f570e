#include "cli/picture/scene.h"
#include "cli/shell/need.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void scene_close(struct scene *scene) {
    for (size_t i = 0; i < scene->symbol_count; i++)
        free(scene->symbols[i].shapes);
    for (size_t i = 0; i < scene->thing_count; i++)
        free(scene->things[i].places);
    free(scene->symbols);
    free(scene->things);
    *scene = (struct scene){0};
}

/* Makes room for one more item; the room doubles at every power of two. */
static void *room_for(void *items, size_t count, size_t size) {
    return count & (count - 1) ? items : need_resized(items, count ? 2 * count : 1, size);
}

int scene_symbol(const struct scene *scene, const char *name) {
    for (size_t i = 0; i < scene->symbol_count; i++)
        if (!strcmp(scene->symbols[i].name, name))
            return (int)i;
    return -1;
}

int scene_new_symbol(struct scene *scene, const char *name) {
    scene->symbols = room_for(scene->symbols, scene->symbol_count, sizeof *scene->symbols);
    struct symbol *symbol = &scene->symbols[scene->symbol_count];
    *symbol = (struct symbol){0};
    snprintf(symbol->name, sizeof symbol->name, "%s", name);
    return (int)scene->symbol_count++;
}

void scene_add_shape(struct scene *scene, int symbol, const struct shape *shape) {
    struct symbol *to = &scene->symbols[symbol];
    to->shapes = room_for(to->shapes, to->count, sizeof *to->shapes);
    to->shapes[to->count++] = *shape;
}

static void add_place(struct thing *thing, struct place place) {
    thing->places = room_for(thing->places, thing->count, sizeof *thing->places);
    thing->places[thing->count++] = place;
}

size_t scene_add_thing(struct scene *scene, int symbol, double x, double y) {
    scene->things = room_for(scene->things, scene->thing_count, sizeof *scene->things);
    scene->things[scene->thing_count] = (struct thing){0};
    add_place(&scene->things[scene->thing_count], (struct place){0, x, y, symbol});
    return scene->thing_count++;
}

const struct place *scene_place(const struct thing *thing, size_t step) {
    size_t i = thing->count - 1;
    while (i > 0 && thing->places[i].step > step)
        i--;
    return &thing->places[i];
}

void scene_move_thing(struct scene *scene, size_t thing, size_t step, double x, double y, int symbol) {
    struct thing *moved = &scene->things[thing];
    const struct place *last = &moved->places[moved->count - 1];
    scene->steps = step > scene->steps ? step : scene->steps;
    if (last->x != x || last->y != y || last->symbol != symbol)
        add_place(moved, (struct place){step, x, y, symbol});
}
