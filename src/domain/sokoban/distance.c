/* Push distances of a lone box (D4). A box on a square divides the floor into parts, each of which gives one post.
 * Breadth-first search over posts, by pulls from each goal and by pushes from each box of the root, gives the least
 * numbers of pushes. Other boxes only make pushes impossible, so these numbers are lower bounds. */
#include "domain/sokoban/sokoban.h"

#include <stdlib.h>

/* Numbers the parts of the floor around square s; returns how many there are. part: receives the part of each square,
 * if there is more than one part. */
static int number_parts(const struct sokoban *game, const struct board *floor, int s, uint8_t next_to[4],
                        uint8_t *part) {
    uint64_t box[SOKOBAN_WORDS] = {0}, reach[SOKOBAN_WORDS];
    int parts = 0;
    bitset_add(box, (unsigned)s);
    for (int d = 0; d < 4; d++)
        next_to[d] = SOKOBAN_NO_SIDE;
    /* If the neighbours are connected through the squares around the box, the floor stays in one part, and `part` is
     * not written. */
    unsigned near = board_neighbours(floor, s, game->stride);
    if (near && bitset_has(game->ring_joined, board_ring(floor, s, game->stride))) {
        for (int d = 0; d < 4; d++)
            if (near >> d & 1)
                next_to[d] = 0;
        return 1;
    }
    for (int d = 0; d < 4; d++) {
        if (next_to[d] != SOKOBAN_NO_SIDE || !sokoban_is_floor(game, s + game->step[d]))
            continue;
        sokoban_reach(game, box, s + game->step[d], reach);
        for (int e = d; e < 4; e++)
            if (sokoban_is_floor(game, s + game->step[e]) && bitset_has(reach, (unsigned)(s + game->step[e])))
                next_to[e] = (uint8_t)parts;
        for (BITSET_EACH(p, reach, (size_t)game->words))
            part[p] = (uint8_t)parts;
        parts++;
    }
    return parts;
}

static bool make_posts(struct sokoban *game) {
    size_t size = (size_t)game->size, rows = 0, room = 0;
    struct board floor;
    memcpy(board_open(&floor, game->words), game->floor, (size_t)game->words * sizeof *game->floor);
    uint8_t *part = calloc(size, 1);
    game->post_first = calloc(size + 1, sizeof *game->post_first);
    game->side_next_to = calloc(size, sizeof *game->side_next_to);
    game->side_row = calloc(size, sizeof *game->side_row);
    bool good = part && game->post_first && game->side_next_to && game->side_row;
    for (int s = 0; s < game->size && good; s++) {
        int parts = sokoban_is_floor(game, s) ? number_parts(game, &floor, s, game->side_next_to[s], part) : 0;
        /* A board of one square has no neighbours; its box still gets one post. */
        parts = sokoban_is_floor(game, s) && !parts ? 1 : parts;
        game->post_first[s + 1] = (uint16_t)(game->post_first[s] + parts);
        game->side_row[s] = -1;
        if (parts < 2)
            continue;
        if (rows == room) {
            room = room ? 2 * room : 16;
            uint8_t *grown = realloc(game->sides, room * size);
            good = grown != NULL;
            game->sides = grown ? grown : game->sides;
        }
        if (good) {
            memcpy(game->sides + rows * size, part, size);
            game->side_row[s] = (int32_t)(rows++ * size);
        }
    }
    game->posts = good ? game->post_first[size] : 0;
    free(part);
    return good;
}

/* The queue of posts, in order of their distance. */
struct queue {
    uint16_t *post, *square;
    int head, tail;
};

/* Adds a post to the queue and sets its distance, unless it was reached before. distance: one column of a table. */
static void reach_post(struct queue *queue, int32_t *distance, int columns, int square, int post, int32_t value) {
    int32_t *slot = distance + (ptrdiff_t)post * columns;
    if (*slot != SOKOBAN_NEVER)
        return;
    *slot = value;
    queue->post[queue->tail] = (uint16_t)post;
    queue->square[queue->tail++] = (uint16_t)square;
}

/* The player steps back from the box and pulls it along. */
static void search_by_pulls(const struct sokoban *game, struct queue *queue, int32_t *distance, int columns) {
    while (queue->head < queue->tail) {
        int post = queue->post[queue->head], s = queue->square[queue->head++];
        int32_t next = distance[(ptrdiff_t)post * columns] + 1;
        for (int d = 0; d < 4; d++) {
            int to = s + game->step[d];
            if (game->side_next_to[s][d] != post - game->post_first[s] || !sokoban_is_floor(game, to + game->step[d]))
                continue;
            reach_post(queue, distance, columns, to, game->post_first[to] + game->side_next_to[to][d], next);
        }
    }
}

static void search_by_pushes(const struct sokoban *game, struct queue *queue, int32_t *distance, int columns) {
    while (queue->head < queue->tail) {
        int post = queue->post[queue->head], s = queue->square[queue->head++];
        int32_t next = distance[(ptrdiff_t)post * columns] + 1;
        for (int d = 0; d < 4; d++) {
            int to = s + game->step[d];
            if (game->side_next_to[s][3 - d] != post - game->post_first[s] || !sokoban_is_floor(game, to))
                continue;
            reach_post(queue, distance, columns, to, game->post_first[to] + game->side_next_to[to][3 - d], next);
        }
    }
}

static int32_t *take_table(int rows, int columns) {
    size_t entries = (size_t)rows * (size_t)columns;
    int32_t *table = malloc(entries * sizeof *table);
    for (size_t i = 0; table && i < entries; i++)
        table[i] = SOKOBAN_NEVER;
    return table;
}

static void fill_pushes(struct sokoban *game, struct queue *queue) {
    for (int g = 0; g < game->goals; g++) {
        int goal = game->goal_square[g];
        queue->head = queue->tail = 0;
        for (int post = game->post_first[goal]; post < game->post_first[goal + 1]; post++)
            reach_post(queue, game->pushes + g, game->goals, goal, post, 0);
        search_by_pulls(game, queue, game->pushes + g, game->goals);
    }
}

static void fill_from_root(struct sokoban *game, struct queue *queue) {
    int column = 0;
    for (BITSET_EACH(box, game->root_boxes, (size_t)game->words)) {
        queue->head = queue->tail = 0;
        int post = sokoban_post(game, box, game->root_player);
        reach_post(queue, game->from_root + column, game->boxes, box, post, 0);
        search_by_pushes(game, queue, game->from_root + column, game->boxes);
        column++;
    }
}

static void fill_manhattan(struct sokoban *game) {
    for (int s = 0; s < game->size; s++) {
        game->nearest[s] = SOKOBAN_NEVER;
        for (int g = 0; g < game->goals; g++) {
            int goal = game->goal_square[g];
            int32_t far = abs(s % game->stride - goal % game->stride) + abs(s / game->stride - goal / game->stride);
            game->manhattan[(ptrdiff_t)s * game->goals + g] = far;
            game->nearest[s] = far < game->nearest[s] ? far : game->nearest[s];
        }
    }
}

bool sokoban_distances_make(struct sokoban *game) {
    if (!make_posts(game))
        return false;
    size_t posts = (size_t)game->posts;
    struct queue queue = {calloc(posts, sizeof *queue.post), calloc(posts, sizeof *queue.square), 0, 0};
    game->pushes = take_table(game->posts, game->goals);
    game->from_root = take_table(game->posts, game->boxes);
    game->manhattan = take_table(game->size, game->goals);
    game->nearest = take_table(game->size, 1);
    bool good = queue.post && queue.square && game->pushes && game->from_root && game->manhattan && game->nearest;
    if (good) {
        fill_pushes(game, &queue);
        fill_from_root(game, &queue);
        fill_manhattan(game);
    }
    free(queue.post);
    free(queue.square);
    return good;
}
