#include "domain/picture/scene.h"

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

/* Room for one more item; it doubles at every power of two. NULL: no memory, and the items are where they were. */
static void *room_for(struct scene *scene, void *items, size_t count, size_t size) {
    void *room = count & (count - 1) ? items : realloc(items, (count ? 2 * count : 1) * size);
    scene->failed |= !room;
    return room;
}

void *scene_zeroed(struct scene *scene, size_t count, size_t size) {
    void *block = calloc(count, size);
    scene->failed |= !block;
    return block;
}

int scene_symbol(const struct scene *scene, const char *name) {
    for (size_t i = 0; i < scene->symbol_count; i++)
        if (!strcmp(scene->symbols[i].name, name))
            return (int)i;
    return -1;
}

int scene_new_symbol(struct scene *scene, const char *name) {
    struct symbol *symbols = room_for(scene, scene->symbols, scene->symbol_count, sizeof *symbols);
    if (!symbols)
        return -1;
    scene->symbols = symbols;
    struct symbol *symbol = &scene->symbols[scene->symbol_count];
    *symbol = (struct symbol){0};
    snprintf(symbol->name, sizeof symbol->name, "%s", name);
    return (int)scene->symbol_count++;
}

void scene_add_shape(struct scene *scene, int symbol, const struct shape *shape) {
    if (symbol < 0 || (size_t)symbol >= scene->symbol_count)
        return; /* there was no memory for it */
    struct symbol *to = &scene->symbols[symbol];
    struct shape *shapes = room_for(scene, to->shapes, to->count, sizeof *shapes);
    if (!shapes)
        return;
    to->shapes = shapes;
    to->shapes[to->count++] = *shape;
}

static bool add_place(struct scene *scene, struct thing *thing, struct place place) {
    if (place.symbol >= (int)scene->symbol_count)
        return false;
    struct place *places = room_for(scene, thing->places, thing->count, sizeof *places);
    if (!places)
        return false;
    thing->places = places;
    thing->places[thing->count++] = place;
    return true;
}

size_t scene_add_thing(struct scene *scene, int symbol, double x, double y) {
    struct thing *things = room_for(scene, scene->things, scene->thing_count, sizeof *things);
    if (!things)
        return SIZE_MAX;
    scene->things = things;
    struct thing *thing = &scene->things[scene->thing_count];
    *thing = (struct thing){0};
    return add_place(scene, thing, (struct place){0, x, y, symbol}) ? scene->thing_count++ : SIZE_MAX;
}

const struct place *scene_place(const struct thing *thing, size_t step) {
    size_t i = thing->count - 1;
    while (i > 0 && thing->places[i].step > step)
        i--;
    return &thing->places[i];
}

void scene_move_thing(struct scene *scene, size_t thing, size_t step, double x, double y, int symbol) {
    if (thing >= scene->thing_count)
        return; /* there was no memory for it */
    struct thing *moved = &scene->things[thing];
    const struct place *last = &moved->places[moved->count - 1];
    scene->steps = step > scene->steps ? step : scene->steps;
    if (last->x != x || last->y != y || last->symbol != symbol)
        add_place(scene, moved, (struct place){step, x, y, symbol});
}
