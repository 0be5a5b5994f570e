#include "serve/scene.h"

/* Lists that are empty are left out. */

static void write_branch(struct json_writer *json, const char *name, const soloist_branch *branch, bool is_node) {
    json_object(json, name);
    if (!is_node)
        json_uint(json, "move", branch->move);
    json_text(json, "line", branch->line);
    json_uint(json, "visits", branch->visits);
    if (branch->has_value)
        json_real(json, "value", branch->value);
    if (branch->has_bound)
        json_real(json, "bound", branch->bound);
    if (branch->has_prior)
        json_real(json, "prior", branch->prior);
    if (branch->closed)
        json_bool(json, "closed", true);
    json_end(json, '}');
}

static void write_branches(struct json_writer *json, const soloist_picture *picture) {
    if (picture->kind != SOLOIST_PICTURE_TREE && picture->kind != SOLOIST_PICTURE_POLICY)
        return;
    write_branch(json, "node", &picture->node, true);
    json_uint(json, "path_count", picture->path_count);
    json_array(json, "branches");
    for (size_t i = 0; i < picture->branch_count; i++)
        write_branch(json, NULL, &picture->branches[i], false);
    json_end(json, ']');
    json_uint(json, "branches_left_out", picture->branches_left_out);
}

/* One array of [at, width, count] for each axis and side; bars come sorted by these. */
static void write_bars(struct json_writer *json, const soloist_picture *picture) {
    json_array(json, "charts");
    for (size_t i = 0; i < picture->bar_count;) {
        const soloist_bar *first = &picture->bars[i];
        json_object(json, NULL);
        json_text(json, "axis", soloist_axis_name(first->axis));
        json_int(json, "side", first->side);
        json_array(json, "bars");
        for (; i < picture->bar_count && picture->bars[i].axis == first->axis && picture->bars[i].side == first->side;
             i++) {
            json_array(json, NULL);
            json_int(json, NULL, picture->bars[i].at);
            json_int(json, NULL, picture->bars[i].width);
            json_uint(json, NULL, picture->bars[i].count);
            json_end(json, ']');
        }
        json_end(json, ']');
        json_end(json, '}');
    }
    json_end(json, ']');
}

static void write_levels(struct json_writer *json, const soloist_picture *picture) {
    json_array(json, "levels");
    for (size_t i = 0; i < picture->level_count; i++) {
        const soloist_level *level = &picture->levels[i];
        json_object(json, NULL);
        json_int(json, "level", level->level);
        json_uint(json, "done", level->done);
        json_uint(json, "of", level->of);
        if (level->has_best)
            json_real(json, "best", level->best);
        json_end(json, '}');
    }
    json_end(json, ']');
}

static void write_layers(struct json_writer *json, const soloist_picture *picture) {
    json_uint(json, "width", picture->layer_width);
    json_array(json, "layers");
    for (size_t i = 0; i < picture->layer_count; i++) {
        const soloist_layer *layer = &picture->layers[i];
        json_object(json, NULL);
        json_int(json, "depth", layer->depth);
        json_uint(json, "states", layer->states);
        json_int(json, "best", layer->best);
        json_int(json, "worst", layer->worst);
        json_end(json, '}');
    }
    json_end(json, ']');
}

static void write_cells(struct json_writer *json, const soloist_picture *picture) {
    json_array(json, "features");
    for (size_t i = 0; i < picture->feature_count; i++)
        json_text(json, NULL, picture->features[i]);
    json_end(json, ']');
    json_array(json, "cells");
    for (size_t i = 0; i < picture->cell_count; i++) {
        const soloist_cell *cell = &picture->cells[i];
        json_object(json, NULL);
        json_array(json, "at");
        for (size_t f = 0; f < picture->feature_count; f++)
            json_int(json, NULL, cell->features[f]);
        json_end(json, ']');
        json_uint(json, "states", cell->states);
        if (cell->chosen)
            json_bool(json, "chosen", true);
        json_end(json, '}');
    }
    json_end(json, ']');
    json_uint(json, "cells_left_out", picture->cells_left_out);
}

void scene_write(struct json_writer *json, const char *name, const soloist_sight *sight,
                 const soloist_picture *picture) {
    if (!picture) {
        json_null(json, name);
        return;
    }
    json_object(json, name);
    json_text(json, "kind", soloist_picture_name(picture->kind));
    json_text(json, "member", sight->member);
    if (picture->has_depth)
        json_int(json, "depth", picture->depth);
    json_text(json, "line", picture->line);
    write_branches(json, picture);
    if (picture->bar_count)
        write_bars(json, picture);
    if (picture->level_count)
        write_levels(json, picture);
    if (picture->layer_count)
        write_layers(json, picture);
    if (picture->kind == SOLOIST_PICTURE_CELLS)
        write_cells(json, picture);
    json_end(json, '}');
}
