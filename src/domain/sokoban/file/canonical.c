/* The canonical form of a level: the least, in byte order, of the eight views of the player's area. */
#include "domain/sokoban/file/canonical.h"

#include <stdlib.h>
#include <string.h>

#define CELLS (SOKOBAN_MOST_SIDE * SOKOBAN_MOST_SIDE)

enum { FORM_FLOOR = 1, FORM_GOAL = 2, FORM_BOX = 4, FORM_PLAYER = 8 };

/* The player's walking distances to every cell, with boxes as obstacles; -1: he cannot reach it. */
static void walk_from(const struct sokoban_level *level, const uint8_t *cells, int player, int16_t *steps) {
    const int step[4] = {-level->width, -1, 1, level->width};
    uint16_t queue[CELLS];
    int head = 0, tail = 0;
    for (int i = 0; i < level->width * level->height; i++)
        steps[i] = -1;
    steps[player] = 0;
    queue[tail++] = (uint16_t)player;
    while (head < tail) {
        int cell = queue[head++];
        for (int d = 0; d < 4; d++) {
            int to = cell + step[d];
            if (steps[to] >= 0 || !(cells[to] & SOKOBAN_INSIDE) || cells[to] & SOKOBAN_BOX)
                continue;
            steps[to] = (int16_t)(steps[cell] + 1);
            queue[tail++] = (uint16_t)to;
        }
    }
}

static struct sokoban_view frame(const struct sokoban_level *level) {
    int right = 0, bottom = 0;
    struct sokoban_view view = {.left = level->width, .top = level->height};
    for (int i = 0; i < level->width * level->height; i++) {
        int x = i % level->width, y = i / level->width;
        if (!(level->cells[i] & SOKOBAN_INSIDE))
            continue;
        view.left = x < view.left ? x : view.left;
        view.top = y < view.top ? y : view.top;
        right = x > right ? x : right;
        bottom = y > bottom ? y : bottom;
    }
    view.width = right - view.left + 1;
    view.height = bottom - view.top + 1;
    return view;
}

/* The width and the height of a view, in cells. */
static int view_width(const struct sokoban_view *view) { return view->symmetry & 4 ? view->height : view->width; }
static int view_height(const struct sokoban_view *view) { return view->symmetry & 4 ? view->width : view->height; }

/* The cell of the level that the view shows at (x, y). */
static int view_cell(const struct sokoban_view *view, const struct sokoban_level *level, int x, int y) {
    int column = view->symmetry & 4 ? y : x, row = view->symmetry & 4 ? x : y;
    if (view->symmetry & 1)
        column = view->width - 1 - column;
    if (view->symmetry & 2)
        row = view->height - 1 - row;
    return (view->top + row) * level->width + view->left + column;
}

static size_t write_form(const struct sokoban_level *level, const struct sokoban_view *view, const int16_t *steps,
                         unsigned char *form) {
    int width = view_width(view), height = view_height(view);
    size_t length = 0;
    bool placed = false;
    form[length++] = (unsigned char)width;
    form[length++] = (unsigned char)height;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            int cell = view_cell(view, level, x, y), what = level->cells[cell], seen = 0;
            if (what & SOKOBAN_INSIDE) {
                seen = FORM_FLOOR | (what & SOKOBAN_GOAL ? FORM_GOAL : 0) | (what & SOKOBAN_BOX ? FORM_BOX : 0);
                /* All places in the player's region are equivalent: he is shown at the first of them. */
                seen |= !placed && steps[cell] >= 0 ? FORM_PLAYER : 0;
                placed |= steps[cell] >= 0;
            }
            form[length++] = (unsigned char)seen;
        }
    return length;
}

/* Finds the least of the eight forms. steps: not negative for every cell on which the player may be shown. */
static size_t least_form(const struct sokoban_level *level, const int16_t *steps, unsigned char *form,
                         struct sokoban_view *view) {
    unsigned char other[SOKOBAN_CANONICAL_ROOM];
    size_t length = 0;
    struct sokoban_view now = frame(level);
    for (now.symmetry = 0; now.symmetry < 8; now.symmetry++) {
        length = write_form(level, &now, steps, other);
        if (now.symmetry && memcmp(other, form, length) >= 0)
            continue;
        memcpy(form, other, length);
        *view = now;
    }
    return length;
}

size_t sokoban_canonical(const struct sokoban_level *level, unsigned char *form, struct sokoban_view *view) {
    int16_t steps[CELLS];
    walk_from(level, level->cells, level->player, steps);
    return least_form(level, steps, form, view);
}

size_t sokoban_canonical_moves(const struct sokoban_level *level, unsigned char *form, struct sokoban_view *view) {
    int16_t steps[CELLS];
    for (int i = 0; i < level->width * level->height; i++)
        steps[i] = i == level->player ? 0 : -1;
    return least_form(level, steps, form, view);
}

size_t sokoban_canonical_room(const struct sokoban_level *level, unsigned char *form, int *symmetries) {
    unsigned char other[SOKOBAN_CANONICAL_ROOM];
    int16_t nowhere[CELLS];
    struct sokoban_level room = *level;
    struct sokoban_view view;
    for (int i = 0; i < level->width * level->height; i++) {
        room.cells[i] = (uint8_t)(level->cells[i] & ~SOKOBAN_BOX);
        nowhere[i] = -1;
    }
    size_t length = least_form(&room, nowhere, form, &view);
    *symmetries = 0;
    for (view.symmetry = 0; view.symmetry < 8; view.symmetry++) {
        write_form(&room, &view, nowhere, other);
        *symmetries += !memcmp(other, form, length);
    }
    return length;
}

static bool touches_inside(const struct sokoban_level *level, int x, int y) {
    for (int i = 0; i < 9; i++) {
        int nx = x + i % 3 - 1, ny = y + i / 3 - 1;
        if (nx >= 0 && ny >= 0 && nx < level->width && ny < level->height &&
            level->cells[ny * level->width + nx] & SOKOBAN_INSIDE)
            return true;
    }
    return false;
}

void sokoban_level_tidy(const struct sokoban_level *level, struct sokoban_level *tidy) {
    struct sokoban_view view = frame(level);
    *tidy = (struct sokoban_level){
        .width = view.width + 2, .height = view.height + 2, .boxes = level->boxes, .goals = level->goals};
    for (int y = 0; y < tidy->height; y++)
        for (int x = 0; x < tidy->width; x++) {
            int from_x = view.left - 1 + x, from_y = view.top - 1 + y, cell = from_y * level->width + from_x;
            uint8_t what = level->cells[cell];
            if (!(what & SOKOBAN_INSIDE))
                what = touches_inside(level, from_x, from_y) ? SOKOBAN_WALL : 0;
            tidy->cells[y * tidy->width + x] = what;
            if (cell == level->player)
                tidy->player = y * tidy->width + x;
        }
}

/* ---- converting a solution ---- */

struct carry {
    const struct sokoban_level *from, *to;
    struct sokoban_view from_view, to_view;
    uint8_t cells[CELLS]; /* the cells of the level `to` in the current position */
    int player;
    const soloist_sink *sink;
};

/* The cell of `to` that corresponds to a cell of `from`. */
static int carry_cell(const struct carry *carry, int cell) {
    for (int y = 0; y < view_height(&carry->from_view); y++)
        for (int x = 0; x < view_width(&carry->from_view); x++)
            if (view_cell(&carry->from_view, carry->from, x, y) == cell)
                return view_cell(&carry->to_view, carry->to, x, y);
    return -1;
}

static char letter_of(const struct sokoban_level *level, int step) {
    return step == -1 ? 'l' : step == 1 ? 'r' : step == level->width ? 'd' : 'u';
}

/* Lets the player walk to `stand` by a shortest path; false if there is none. */
static bool carry_walk(struct carry *carry, int stand) {
    const int step[4] = {-carry->to->width, -1, 1, carry->to->width};
    int16_t steps[CELLS];
    walk_from(carry->to, carry->cells, stand, steps);
    if (steps[carry->player] < 0)
        return false;
    while (carry->player != stand)
        for (int d = 0; d < 4; d++)
            if (steps[carry->player + step[d]] == steps[carry->player] - 1) {
                char letter = letter_of(carry->to, step[d]);
                carry->sink->write(carry->sink->to, &letter, 1);
                carry->player += step[d];
                break;
            }
    return true;
}

static bool carry_push(struct carry *carry, int box, int target) {
    int here = carry_cell(carry, box), there = carry_cell(carry, target), step = there - here;
    if (here < 0 || there < 0 || !(carry->cells[here] & SOKOBAN_BOX) || carry->cells[there] & SOKOBAN_BOX ||
        !carry_walk(carry, here - step))
        return false;
    char letter = (char)(letter_of(carry->to, step) - 32);
    carry->sink->write(carry->sink->to, &letter, 1);
    carry->cells[here] = (uint8_t)(carry->cells[here] & ~SOKOBAN_BOX);
    carry->cells[there] |= SOKOBAN_BOX;
    carry->player = here;
    return true;
}

/* Chooses views in which the levels look the same, if possible with the player on the same square, so that the solution
 * does not become longer. False if there are none. */
static bool carry_views(struct carry *carry) {
    unsigned char form[2][SOKOBAN_CANONICAL_ROOM];
    size_t size = sokoban_canonical_moves(carry->from, form[0], &carry->from_view);
    if (sokoban_canonical_moves(carry->to, form[1], &carry->to_view) == size && !memcmp(form[0], form[1], size))
        return true;
    size = sokoban_canonical(carry->from, form[0], &carry->from_view);
    return sokoban_canonical(carry->to, form[1], &carry->to_view) == size && !memcmp(form[0], form[1], size);
}

bool sokoban_carry_solution(const struct sokoban_level *from, const struct sokoban_level *to, const char *letters,
                            size_t length, const soloist_sink *sink) {
    struct carry carry = {.from = from, .to = to, .player = to->player, .sink = sink};
    if (!carry_views(&carry))
        return false;
    memcpy(carry.cells, to->cells, sizeof carry.cells);
    int at = from->player;
    for (size_t i = 0; i < length; i++) {
        int small = letters[i] | 32;
        int step = small == 'l' ? -1 : small == 'r' ? 1 : small == 'u' ? -from->width : small == 'd' ? from->width : 0;
        at += step;
        if (!step || at < 0 || at >= from->width * from->height || !(from->cells[at] & SOKOBAN_INSIDE))
            return false;
        if (letters[i] < 'a' && !carry_push(&carry, at, at + step))
            return false;
    }
    return true;
}
