/* The stickers of a cube of SIDE x SIDE x SIDE, shared by cube2.c and cube3.c: which sticker goes where when a face is
 * turned, files, the notation of turns, and the referee. Everything follows from where the stickers are in space.
 * Define SIDE as 2 or 3 before this file is included.
 *
 * A cube is written as its stickers, in the order of the faces U R F D L B, each row by row as one sees it from outside
 * (U with B above it, D with F above it, all others with U above them). A turn is a face's letter: R is clockwise, R'
 * counterclockwise, R2 a half turn. A file holds one cube per line: "2x2x2:", then the stickers, or else the turns that
 * lead from a solved cube to this one. */
#ifndef CUBE_FACES_H
#define CUBE_FACES_H

#include "soloist_extra.h"

#include <stdlib.h>
#include <string.h>

enum { FACES = 6, PER_FACE = SIDE * SIDE, STICKERS = FACES * PER_FACE, TURNS = 3 * FACES, FAR_OUT = SIDE - 1 };
static const char letters[] = "URFDLB";

/* ---- stickers in space: x to the right, y up, z to the front; neighbours are 2 apart ---- */

struct place {
    int x, y, z;
};

/* A face as one sees it: where it lies, where its columns and its rows lead. */
struct face {
    struct place out, right, down;
};
static const struct face faces[FACES] = {
    {{0, 1, 0}, {1, 0, 0}, {0, 0, 1}},   {{1, 0, 0}, {0, 0, -1}, {0, -1, 0}}, {{0, 0, 1}, {1, 0, 0}, {0, -1, 0}},
    {{0, -1, 0}, {1, 0, 0}, {0, 0, -1}}, {{-1, 0, 0}, {0, 0, 1}, {0, -1, 0}}, {{0, 0, -1}, {-1, 0, 0}, {0, -1, 0}},
};

static int dot(struct place a, struct place b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static bool same_place(struct place a, struct place b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

/* A quarter turn about an axis, clockwise for somebody who looks at the face. */
static struct place rotate(struct place axis, struct place p) {
    int along = dot(axis, p);
    return (struct place){axis.x * along - (axis.y * p.z - axis.z * p.y),
                          axis.y * along - (axis.z * p.x - axis.x * p.z),
                          axis.z * along - (axis.x * p.y - axis.y * p.x)};
}

/* The small cube that a sticker is on. */
static struct place place_of(int sticker) {
    const struct face *face = &faces[sticker / PER_FACE];
    int right = 2 * (sticker % SIDE) - FAR_OUT, down = 2 * (sticker % PER_FACE / SIDE) - FAR_OUT;
    return (struct place){face->out.x * FAR_OUT + face->right.x * right + face->down.x * down,
                          face->out.y * FAR_OUT + face->right.y * right + face->down.y * down,
                          face->out.z * FAR_OUT + face->right.z * right + face->down.z * down};
}

/* The sticker of a small cube that shows in a direction. */
static int sticker_at(struct place place, struct place out) {
    for (int i = 0; i < STICKERS; i++)
        if (same_place(faces[i / PER_FACE].out, out) && same_place(place_of(i), place))
            return i;
    return -1;
}

/* Turns number 0, 1 and 2 are U, U2 and U', then come those of R, and so on. */
static void turn_stickers(char colours[STICKERS], int turn) {
    struct place axis = faces[turn / 3].out;
    for (int quarter = 0; quarter <= turn % 3; quarter++) {
        char turned[STICKERS];
        memcpy(turned, colours, STICKERS);
        for (int i = 0; i < STICKERS; i++)
            if (dot(place_of(i), axis) == FAR_OUT)
                turned[sticker_at(rotate(axis, place_of(i)), rotate(axis, faces[i / PER_FACE].out))] = colours[i];
        memcpy(colours, turned, STICKERS);
    }
}

static void paint_solved(char colours[STICKERS]) {
    for (int i = 0; i < STICKERS; i++)
        colours[i] = letters[i / PER_FACE];
}

static bool each_face_is_plain(const char colours[STICKERS]) {
    for (int i = 0; i < STICKERS; i++)
        if (colours[i] != colours[i - i % PER_FACE])
            return false;
    return true;
}

/* ---- corners: a corner's stickers are named clockwise, beginning with that of U or D ---- */

enum { CORNERS = 8 };
static const char corner_names[CORNERS][4] = {"URF", "UFL", "ULB", "UBR", "DFR", "DLF", "DBL", "DRB"};

static int face_of(char letter) {
    const char *found = letter ? strchr(letters, letter) : NULL;
    return found ? (int)(found - letters) : -1;
}

/* The sticker of a small cube, which is named by its faces, on one of these faces. */
static int named_sticker(const char *name, int which) {
    struct place place = {0, 0, 0};
    for (const char *letter = name; *letter; letter++) {
        struct place out = faces[face_of(*letter)].out;
        place.x += out.x * FAR_OUT, place.y += out.y * FAR_OUT, place.z += out.z * FAR_OUT;
    }
    return sticker_at(place, faces[face_of(name[which])].out);
}

/* Which corner is at each place, and which of its stickers is where the one of U or D should be. False if there is no
 * such corner, or one is there twice. */
static bool read_corners(const char colours[STICKERS], int corner[CORNERS], int twist[CORNERS]) {
    unsigned seen = 0;
    for (int i = 0; i < CORNERS; i++) {
        corner[i] = -1;
        for (int k = 0; k < 3; k++)
            for (int c = 0; c < CORNERS; c++) {
                bool same = true;
                for (int s = 0; s < 3; s++)
                    same = same && colours[named_sticker(corner_names[i], (s + k) % 3)] == corner_names[c][s];
                if (same)
                    corner[i] = c, twist[i] = k;
            }
        if (corner[i] < 0 || seen >> corner[i] & 1)
            return false;
        seen |= 1u << corner[i];
    }
    return true;
}

/* ---- turns as text ---- */

static void print_turn(int turn, const soloist_sink *sink) {
    soloist_print(sink, "%c%s", letters[turn / 3], turn % 3 == 1 ? "2" : turn % 3 ? "'" : "");
}

static void print_turns(const soloist_instance *cube, const soloist_move *list, size_t count,
                        const soloist_sink *sink) {
    (void)cube;
    for (size_t i = 0; i < count; i++) {
        soloist_put(sink, i ? " " : "");
        print_turn((int)list[i], sink);
    }
}

/* strchr would also find the zero byte, which a file may contain. */
static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

/* Reads the next turn at *at: its number, -1 at the end, or -2 with an error. */
static int read_turn(const char *text, size_t length, size_t *at, int line, soloist_error *error) {
    while (*at < length && is_blank(text[*at]))
        ++*at;
    if (*at == length)
        return -1;
    int face = face_of(text[*at]);
    if (face < 0)
        return soloist_fail(error, line, (int)*at + 1, "expected a turn like R, R' or R2"), -2;
    ++*at;
    bool half = *at < length && text[*at] == '2', back = *at < length && text[*at] == '\'';
    *at += half || back;
    return 3 * face + (half ? 1 : back ? 2 : 0);
}

static long read_turns(const soloist_instance *cube, const char *text, size_t length, soloist_move *list, size_t room,
                       soloist_error *error) {
    size_t count = 0, at = 0;
    int turn;
    (void)cube;
    while ((turn = read_turn(text, length, &at, 1, error)) >= 0) {
        if (count < room)
            list[count] = (soloist_move)turn;
        count++;
    }
    return turn == -1 ? (long)count : -1;
}

/* ---- files ---- */

static const char heading[] = {'0' + SIDE, 'x', '0' + SIDE, 'x', '0' + SIDE, ':', 0};

static bool check_colours(const char colours[STICKERS], int line, int column, soloist_error *error) {
    for (int f = 0; f < FACES; f++) {
        int count = 0;
        for (int i = 0; i < STICKERS; i++)
            count += colours[i] == letters[f];
        if (count != PER_FACE)
            return soloist_fail(error, line, column, "expected %d stickers %c, found %d", PER_FACE, letters[f], count);
    }
    return true;
}

/* Reads the stickers of a cube, or plays its turns on a solved one. `after`: if stickers are followed by a slash, the
 * letter after it; otherwise 0. */
static bool read_stickers(const soloist_chunk *chunk, char colours[STICKERS], char *after, soloist_error *error) {
    const char *text = chunk->text;
    size_t at = sizeof heading - 1, length = chunk->length, end;
    int turn;
    *after = 0;
    if (length < at || memcmp(text, heading, at) != 0)
        return soloist_fail(error, chunk->line, 1, "expected %s and the stickers or turns of a cube", heading);
    while (length > at && is_blank(text[length - 1]))
        length--;
    while (at < length && text[at] == ' ')
        at++;
    for (end = at; end < length && face_of(text[end]) >= 0; end++)
        ;
    if (end - at == STICKERS) {
        memcpy(colours, text + at, STICKERS);
        if (end + 2 == length && text[end] == '/' && face_of(text[end + 1]) >= 0)
            *after = text[end + 1];
        else if (end < length)
            return soloist_fail(error, chunk->line, (int)end + 1, "expected the end of the line");
        return check_colours(colours, chunk->line, (int)at + 1, error);
    }
    paint_solved(colours);
    while ((turn = read_turn(text, length, &at, chunk->line, error)) >= 0)
        turn_stickers(colours, turn);
    return turn == -1;
}

/* ---- the referee: turns stickers ---- */

static bool referee(const soloist_chunk *chunk, const void *options, const char *solution, size_t length,
                    soloist_verdict *verdict, soloist_error *error) {
    char colours[STICKERS], after;
    int count = 0, turn;
    size_t at = 0;
    (void)options;
    if (!read_stickers(chunk, colours, &after, error))
        return false;
    for (; (turn = read_turn(solution, length, &at, 1, error)) >= 0; count++)
        turn_stickers(colours, turn);
    if (turn != -1)
        return false;
    *verdict = (soloist_verdict){.value = count, .moves = count, .pushes = -1};
    return each_face_is_plain(colours) || soloist_fail(error, 1, (int)length, "not solved after %d turns", count);
}

/* ---- permutations and their numbers ---- */

static int number_of_permutation(const int *items, int count) {
    int number = 0;
    for (int i = 0; i < count; i++) {
        int less = 0;
        for (int k = i + 1; k < count; k++)
            less += items[k] < items[i];
        number = number * (count - i) + less;
    }
    return number;
}

static void permutation_of_number(int number, int *items, int count) {
    for (int i = count - 1; i >= 0; i--) {
        items[i] = number % (count - i);
        number /= count - i;
        for (int k = i + 1; k < count; k++)
            items[k] += items[k] >= items[i];
    }
}

#endif
