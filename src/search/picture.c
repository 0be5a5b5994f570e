/* The functions by which painters fill a picture, and the texts in it. */
#include "search/picture.h"

#include <stdlib.h>
#include <string.h>

struct search_picture *picture_new(void) {
    struct search_picture *picture = calloc(1, sizeof *picture);
    if (picture)
        buffer_open(&picture->text);
    return picture;
}

void picture_free(struct search_picture *picture) {
    if (!picture)
        return;
    buffer_close(&picture->text);
    free(picture->moves);
    free(picture);
}

/* ---- texts: they may move while the buffer grows, so that only their places are kept until all are written ---- */

enum { place_of_node = PICTURE_BRANCHES, place_of_line };

/* Writes a line; returns its place, from 1 on, or 0 if memory is full. */
static size_t write_line(struct search_picture *picture, const struct search_run *run, const soloist_move *moves,
                         size_t count) {
    size_t place = picture->text.length + 1;
    if (picture->text.failed)
        return 0;
    soloist_sink sink = buffer_sink(&picture->text);
    run->domain->text->solution(run->instance, moves, count, &sink);
    sink.write(sink.to, "", 1);
    return picture->text.failed ? 0 : place;
}

static const char *text_at(const struct search_picture *picture, size_t place) {
    return place && !picture->text.failed ? picture->text.text + place - 1 : NULL;
}

static void point_at_texts(struct search_picture *picture) {
    for (size_t i = 0; i < picture->shown.branch_count; i++)
        picture->branches[i].line = text_at(picture, picture->places[i]);
    picture->shown.node.line = text_at(picture, picture->places[place_of_node]);
    picture->shown.line = text_at(picture, picture->places[place_of_line]);
}

/* ---- bars ---- */

static int64_t floor_to(int64_t at, int64_t width) {
    int64_t rest = at % width;
    return at - (rest < 0 ? rest + width : rest);
}

/* The index of the bar that begins at `at`, or where it must be inserted. */
static int find_bar(const struct picture_chart *chart, int64_t at) {
    int low = 0, high = chart->count;
    while (low < high) {
        int middle = (low + high) / 2;
        if (chart->bars[middle].at < at)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void double_width(struct picture_chart *chart) {
    int kept = 0;
    chart->width *= 2;
    for (int i = 0; i < chart->count; i++) {
        soloist_bar bar = chart->bars[i];
        bar.at = floor_to(bar.at, chart->width);
        bar.width = chart->width;
        if (kept && chart->bars[kept - 1].at == bar.at)
            chart->bars[kept - 1].count += bar.count;
        else
            chart->bars[kept++] = bar;
    }
    chart->count = kept;
}

void picture_count(struct search_picture *picture, soloist_axis axis, int side, int64_t at, uint64_t count) {
    struct picture_chart *chart = &picture->charts[axis][side];
    for (;;) {
        int64_t from = floor_to(at, chart->width);
        int place = find_bar(chart, from);
        if (place < chart->count && chart->bars[place].at == from) {
            chart->bars[place].count += count;
            return;
        }
        if (chart->count < PICTURE_BARS) {
            memmove(&chart->bars[place + 1], &chart->bars[place], (size_t)(chart->count - place) * sizeof *chart->bars);
            chart->bars[place] = (soloist_bar){axis, side, from, chart->width, count};
            chart->count++;
            return;
        }
        double_width(chart);
    }
}

static void gather_bars(struct search_picture *picture) {
    soloist_picture *shown = &picture->shown;
    for (int axis = 0; axis < SOLOIST_AXES; axis++)
        for (int side = 0; side < 2; side++) {
            const struct picture_chart *chart = &picture->charts[axis][side];
            memcpy(&picture->bars[shown->bar_count], chart->bars, (size_t)chart->count * sizeof *chart->bars);
            shown->bar_count += (size_t)chart->count;
        }
}

void picture_games(const void *subject, struct search_picture *picture) {
    const struct picture_games *games = subject;
    picture_kind(picture, SOLOIST_PICTURE_GAMES);
    for (uint64_t i = 0; i < games->number && i < PICTURE_GAMES; i++) {
        picture_count(picture, SOLOIST_AXIS_DEPTH, 0, games->games[i].length, 1);
        if (games->games[i].ended)
            picture_count(picture, SOLOIST_AXIS_RESULT, 0, games->games[i].result, 1);
    }
}

void picture_note_threshold(struct picture_thresholds *thresholds, const struct search_run *run, int64_t threshold) {
    if (thresholds->count == PICTURE_THRESHOLDS) {
        thresholds->count--;
        memmove(thresholds->at, thresholds->at + 1, (size_t)thresholds->count * sizeof *thresholds->at);
        memmove(thresholds->began, thresholds->began + 1, (size_t)thresholds->count * sizeof *thresholds->began);
    }
    thresholds->at[thresholds->count] = threshold;
    thresholds->began[thresholds->count++] = atomic_load_explicit(&run->budget->nodes, memory_order_relaxed);
}

void picture_thresholds(struct search_picture *picture, const struct picture_thresholds *thresholds,
                        const struct search_run *run) {
    uint64_t end = atomic_load_explicit(&run->budget->nodes, memory_order_relaxed);
    for (int i = thresholds->count; i-- > 0; end = thresholds->began[i])
        picture_count(picture, SOLOIST_AXIS_THRESHOLD, 0, thresholds->at[i], end - thresholds->began[i]);
}

/* ---- branches ---- */

void picture_begin_line(struct search_picture *picture, const soloist_move *moves, size_t count) {
    picture->move_count = 0;
    for (size_t i = 0; i < count; i++)
        picture_add_move(picture, moves[i]);
}

/* There is always room for one more move, which picture_end_branches uses. Without memory no text is written. */
void picture_add_move(struct search_picture *picture, soloist_move move) {
    if (picture->move_count + 2 > picture->move_room) {
        size_t room = 2 * picture->move_room + 64;
        soloist_move *moves = realloc(picture->moves, room * sizeof *moves);
        if (!moves) {
            picture->text.failed = true;
            return;
        }
        picture->moves = moves;
        picture->move_room = room;
    }
    picture->moves[picture->move_count++] = move;
}

static bool comes_before(const soloist_branch *a, const soloist_branch *b) {
    if (a->visits != b->visits)
        return a->visits > b->visits;
    if (a->prior < b->prior || a->prior > b->prior)
        return a->prior > b->prior;
    return a->move < b->move;
}

void picture_branch(struct search_picture *picture, const soloist_branch *branch) {
    soloist_picture *shown = &picture->shown;
    size_t at = shown->branch_count;
    if (at == PICTURE_BRANCHES) {
        shown->branches_left_out++;
        if (!comes_before(branch, &picture->branches[--at]))
            return;
    } else {
        shown->branch_count++;
    }
    for (; at && comes_before(branch, &picture->branches[at - 1]); at--)
        picture->branches[at] = picture->branches[at - 1];
    picture->branches[at] = *branch;
}

void picture_end_branches(struct search_picture *picture, const struct search_run *run) {
    soloist_move spare[1];
    soloist_move *moves = picture->moves ? picture->moves : spare;
    size_t count = picture->moves ? picture->move_count : 0;
    picture->places[place_of_node] = write_line(picture, run, moves, count);
    for (size_t i = 0; i < picture->shown.branch_count; i++) {
        moves[count] = picture->branches[i].move;
        picture->places[i] = write_line(picture, run, moves, count + 1);
    }
}

void picture_line(struct search_picture *picture, const struct search_run *run, const soloist_move *moves,
                  size_t count) {
    picture->places[place_of_line] = count ? write_line(picture, run, moves, count) : 0;
}

/* ---- lists ---- */

void picture_level(struct search_picture *picture, soloist_level level) {
    if (picture->shown.level_count < PICTURE_LEVELS)
        picture->levels[picture->shown.level_count++] = level;
}

/* Of too many layers, the last ones are kept. */
void picture_layer(struct search_picture *picture, soloist_layer layer) {
    if (picture->shown.layer_count == PICTURE_LAYERS)
        memmove(picture->layers, picture->layers + 1, --picture->shown.layer_count * sizeof *picture->layers);
    picture->layers[picture->shown.layer_count++] = layer;
}

void picture_cell(struct search_picture *picture, const soloist_cell *cell) {
    if (picture->shown.cell_count < PICTURE_CELLS)
        picture->cells[picture->shown.cell_count++] = *cell;
    else
        picture->shown.cells_left_out++;
}

/* ---- the whole ---- */

static void clear(struct search_picture *picture, const soloist_move *path, size_t count) {
    picture->shown = (soloist_picture){.size = sizeof picture->shown,
                                       .branches = picture->branches,
                                       .bars = picture->bars,
                                       .levels = picture->levels,
                                       .layers = picture->layers,
                                       .cells = picture->cells,
                                       .features = picture->features};
    picture->path = path;
    picture->path_count = count;
    picture->move_count = 0;
    memset(picture->places, 0, sizeof picture->places);
    for (int axis = 0; axis < SOLOIST_AXES; axis++)
        for (int side = 0; side < 2; side++)
            picture->charts[axis][side].count = 0, picture->charts[axis][side].width = 1;
    buffer_clear(&picture->text);
    picture->text.failed = false;
}

const soloist_picture *picture_take(struct search_picture *picture, const struct budget *budget,
                                    const soloist_move *path, size_t count) {
    clear(picture, path, count);
    if (budget->view.paint)
        budget->view.paint(budget->view.subject, picture);
    gather_bars(picture);
    point_at_texts(picture);
    return &picture->shown;
}

const char *soloist_picture_name(soloist_picture_kind kind) {
    static const char *const names[] = {"none",  "tree",   "policy", "front", "dives",
                                        "cells", "layers", "levels", "games"};
    return (size_t)kind < sizeof names / sizeof *names ? names[kind] : "none";
}

const char *soloist_axis_name(soloist_axis axis) {
    static const char *const names[SOLOIST_AXES] = {"f", "cost", "depth", "threshold", "result"};
    return (size_t)axis < SOLOIST_AXES ? names[axis] : "";
}
