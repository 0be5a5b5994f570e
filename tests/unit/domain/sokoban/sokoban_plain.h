/* Sokoban in the plainest code there is, for the tests to compare with: a board of characters, recursion, no bits.
 * Also the loading of levels for the tests of this game. */
#ifndef TESTS_UNIT_DOMAIN_SOKOBAN_SOKOBAN_PLAIN_H
#define TESTS_UNIT_DOMAIN_SOKOBAN_SOKOBAN_PLAIN_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/buffer.h"
#include "domain/domain.h"
#include "domain/sokoban/sokoban.h"

#define PLAIN_SIDE 64
#define PLAIN_FUNCTION static inline __attribute__((unused))

struct plain {
    int width, height, x, y; /* the player */
    bool wall[PLAIN_SIDE][PLAIN_SIDE], goal[PLAIN_SIDE][PLAIN_SIDE], box[PLAIN_SIDE][PLAIN_SIDE];
};

static const int plain_dx[4] = {0, -1, 1, 0}, plain_dy[4] = {-1, 0, 0, 1}; /* up, left, right, down */

PLAIN_FUNCTION void plain_of_level(struct plain *p, const struct sokoban_level *level) {
    memset(p, 0, sizeof *p);
    p->width = level->width;
    p->height = level->height;
    p->x = level->player % level->width;
    p->y = level->player / level->width;
    for (int y = 0; y < p->height; y++)
        for (int x = 0; x < p->width; x++) {
            int cell = level->cells[y * p->width + x];
            p->wall[y][x] = !(cell & SOKOBAN_INSIDE);
            p->goal[y][x] = cell & SOKOBAN_GOAL;
            p->box[y][x] = cell & SOKOBAN_BOX;
        }
}

PLAIN_FUNCTION bool plain_free(const struct plain *p, int x, int y) { return !p->wall[y][x] && !p->box[y][x]; }

PLAIN_FUNCTION void plain_fill(const struct plain *p, bool seen[PLAIN_SIDE][PLAIN_SIDE], int x, int y) {
    if (seen[y][x] || !plain_free(p, x, y))
        return;
    seen[y][x] = true;
    for (int d = 0; d < 4; d++)
        plain_fill(p, seen, x + plain_dx[d], y + plain_dy[d]);
}

/* One step; 0 impossible, 1 a walk, 2 a push. */
PLAIN_FUNCTION int plain_step(struct plain *p, int d) {
    int x = p->x + plain_dx[d], y = p->y + plain_dy[d], x2 = x + plain_dx[d], y2 = y + plain_dy[d];
    bool push = p->box[y][x];
    if (p->wall[y][x] || (push && !plain_free(p, x2, y2)))
        return 0;
    if (push) {
        p->box[y][x] = false;
        p->box[y2][x2] = true;
    }
    p->x = x;
    p->y = y;
    return push ? 2 : 1;
}

PLAIN_FUNCTION bool plain_solved(const struct plain *p) {
    for (int y = 0; y < p->height; y++)
        for (int x = 0; x < p->width; x++)
            if (p->box[y][x] && !p->goal[y][x])
                return false;
    return true;
}

/* A push at (x, y) in direction d, if the player can get there. */
PLAIN_FUNCTION bool plain_push(struct plain *p, bool seen[PLAIN_SIDE][PLAIN_SIDE], int x, int y, int d) {
    if (!p->box[y][x] || !seen[y - plain_dy[d]][x - plain_dx[d]])
        return false;
    int old_x = p->x, old_y = p->y;
    p->x = x - plain_dx[d];
    p->y = y - plain_dy[d];
    if (plain_step(p, d))
        return true;
    p->x = old_x;
    p->y = old_y;
    return false;
}

/* Lines of play of `depth` pushes; solved positions are played on from. */
PLAIN_FUNCTION uint64_t plain_perft(const struct plain *p, int depth) {
    bool seen[PLAIN_SIDE][PLAIN_SIDE] = {{false}};
    uint64_t count = 0;
    if (!depth)
        return 1;
    plain_fill(p, seen, p->x, p->y);
    for (int y = 0; y < p->height; y++)
        for (int x = 0; x < p->width; x++)
            for (int d = 0; d < 4; d++) {
                struct plain next = *p;
                if (plain_push(&next, seen, x, y, d))
                    count += plain_perft(&next, depth - 1);
            }
    return count;
}

PLAIN_FUNCTION uint64_t plain_step_perft(const struct plain *p, int depth) {
    uint64_t count = 0;
    if (!depth)
        return 1;
    for (int d = 0; d < 4; d++) {
        struct plain next = *p;
        if (plain_step(&next, d))
            count += plain_step_perft(&next, depth - 1);
    }
    return count;
}

/* The state of a plain position, and back. */
PLAIN_FUNCTION int plain_square(const struct sokoban *game, int x, int y) {
    return (y - game->top) * game->stride + x - game->left;
}

PLAIN_FUNCTION void plain_to_state(const struct plain *p, const struct sokoban *game, struct sokoban_state *state) {
    memset(state->boxes, 0, (size_t)game->words * sizeof *state->boxes);
    for (int y = 0; y < p->height; y++)
        for (int x = 0; x < p->width; x++)
            if (p->box[y][x])
                bitset_add(state->boxes, (unsigned)plain_square(game, x, y));
    state->player = (uint32_t)plain_square(game, p->x, p->y);
    sokoban_state_settle(game, state);
}

/* Parses under "key=value" options; fails the test on an error. */
PLAIN_FUNCTION soloist_instance *plain_instance(const soloist_domain *domain, const char *options,
                                                const soloist_chunk *chunk) {
    struct sokoban_options block; /* the larger of the two domains' */
    soloist_error error = {0};
    soloist_options_reset(domain->options, &block);
    if (soloist_options_parse(domain->options, &block, options, &error) != SOLOIST_OK)
        fail_msg("options %s: %s", options, error.text);
    soloist_instance *instance = domain->life->parse(chunk, &block, &error);
    if (!instance)
        fail_msg("level at line %d: %s\n%.*s", error.line, error.text, (int)chunk->length, chunk->text);
    return instance;
}

/* A session of such an instance, for what is learned while searching. */
PLAIN_FUNCTION soloist_instance *plain_session(const soloist_domain *domain, const char *options,
                                               const soloist_chunk *chunk) {
    soloist_error error = {0};
    soloist_instance *session =
        domain->life->session(plain_instance(domain, options, chunk), &(soloist_work){.threads = 1}, &error);
    if (!session)
        fail_msg("%s", error.text);
    return session;
}

/* Destroys the session and its instance. */
PLAIN_FUNCTION void plain_session_close(soloist_instance *session) {
    soloist_instance *instance = (soloist_instance *)(uintptr_t)sokoban_of(session)->base;
    sokoban_domain.life->destroy(session);
    sokoban_domain.life->destroy(instance);
}

PLAIN_FUNCTION soloist_chunk plain_chunk(const char *text) {
    return (soloist_chunk){.text = text, .length = strlen(text), .line = 1};
}

PLAIN_FUNCTION soloist_puzzle plain_puzzle(const char *text) {
    soloist_puzzle puzzle;
    soloist_error error;
    soloist_chunk chunk = plain_chunk(text);
    if (soloist_puzzle_read(&sokoban_domain, NULL, &chunk, &puzzle, &error) != SOLOIST_OK)
        fail_msg("%s", error.text);
    return puzzle;
}

PLAIN_FUNCTION size_t plain_state_size(const soloist_domain *domain, const soloist_instance *instance) {
    soloist_shape shape;
    domain->life->shape(instance, &shape);
    return shape.state_size;
}

/* A file of the folder of level sets, zero-ended; skips the test where there is none. */
PLAIN_FUNCTION char *plain_shared_file(const char *name) {
    char path[1024];
    snprintf(path, sizeof path, "%s/levels/%s", SOLOIST_SHARED, name);
    FILE *file = fopen(path, "rb");
    if (!file) {
        printf("SKIP needs shared: levels/%s\n", name);
        skip();
    }
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    char *text = calloc((size_t)size + 1, 1);
    assert_non_null(text);
    assert_int_equal(fread(text, 1, (size_t)size, file), size);
    fclose(file);
    return text;
}

/* Our own levels, small enough to be searched to the end: corridors, rooms, goals along walls, spare goals. */
static const char *const plain_levels[] = {
    "#######\n#@    #\n# $$  #\n#  .. #\n#######\n",
    "  #####\n###   #\n# $ # #\n# #.  #\n# . $ #\n#@ #### \n####\n",
    "########\n#.    .#\n#  $$  #\n#@  ####\n#####\n",
    "#######\n#. . .#\n# $ $ #\n#  @  #\n#######\n",
    "#####\n#.$.#\n#   #\n### #\n#   #\n#@$ #\n#.$ #\n#####\n",
    "#####\n## .#\n# $ #\n#$@.#\n# $ #\n#.  #\n#####\n",
    "######\n#.*  #\n#@$  #\n#   ##\n#####\n",
    "########\n##. @$ #\n# $   .#\n#   ##.#\n########\n",
};
#define PLAIN_LEVELS (sizeof plain_levels / sizeof *plain_levels)

#endif
