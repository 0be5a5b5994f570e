/* Push distances of a lone box (D4). A box on a square divides the floor into parts, each of which gives one post.
 * Breadth-first search over posts, by pulls from each goal and by pushes from each box of the root, gives the least
 * numbers of pushes. Other boxes only make pushes impossible, so these numbers are lower bounds. */
#include "domain/sokoban/sokoban.h"

#include "base/matching.h"

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

/* One breadth-first search over posts. Its distances are stored side by side, so that they stay in the first-level
 * cache. The tables that a search of the game reads have one row per post; they are filled with the distances of STRIP
 * breadth-first searches at a time. */
struct lone_box {
    uint16_t (*next)[4]; /* the posts that one pull or push leads to; NOWHERE: none */
    uint16_t *queue;     /* posts in order of distance */
    int32_t *strip;      /* STRIP x posts */
};

enum { STRIP = 16, NOWHERE = UINT16_MAX };

/* The player steps back from the box and pulls it along. */
static int pull_of(const struct sokoban *game, int s, int post, int d) {
    int to = s + game->step[d];
    if (game->side_next_to[s][d] != post - game->post_first[s] || !sokoban_is_floor(game, to + game->step[d]))
        return NOWHERE;
    return game->post_first[to] + game->side_next_to[to][d];
}

static int push_of(const struct sokoban *game, int s, int post, int d) {
    int to = s + game->step[d];
    if (game->side_next_to[s][3 - d] != post - game->post_first[s] || !sokoban_is_floor(game, to))
        return NOWHERE;
    return game->post_first[to] + game->side_next_to[to][3 - d];
}

static void link_posts(const struct sokoban *game, struct lone_box *search,
                       int (*next_of)(const struct sokoban *, int, int, int)) {
    for (int s = 0; s < game->size; s++)
        for (int post = game->post_first[s]; post < game->post_first[s + 1]; post++)
            for (int d = 0; d < 4; d++)
                search->next[post][d] = (uint16_t)next_of(game, s, post, d);
}

/* Fills `distance` from the posts first .. last - 1, which have distance 0. */
static void search_posts(const struct lone_box *search, int posts, int first, int last, int32_t *distance) {
    int head = 0, tail = 0;
    for (int i = 0; i < posts; i++)
        distance[i] = SOKOBAN_NEVER;
    for (int post = first; post < last; post++) {
        distance[post] = 0;
        search->queue[tail++] = (uint16_t)post;
    }
    while (head < tail) {
        int post = search->queue[head++];
        for (int d = 0; d < 4; d++) {
            int next = search->next[post][d];
            if (next == NOWHERE || distance[next] != SOKOBAN_NEVER)
                continue;
            distance[next] = distance[post] + 1;
            search->queue[tail++] = (uint16_t)next;
        }
    }
}

/* Where a search begins: the posts first .. last - 1. */
struct start {
    int first, last;
};

/* Fills a table with one column per start and one row per post. False if `stop` ended the work. */
static bool fill_table(const struct lone_box *search, int posts, const struct start *start, int columns, int32_t *table,
                       soloist_stop_token *stop) {
    for (int done = 0; done < columns; done += STRIP) {
        int wide = columns - done < STRIP ? columns - done : STRIP;
        if (soloist_stopped(stop))
            return false;
        for (int i = 0; i < wide; i++)
            search_posts(search, posts, start[done + i].first, start[done + i].last,
                         search->strip + (ptrdiff_t)i * posts);
        for (int post = 0; post < posts; post++)
            for (int i = 0; i < wide; i++)
                table[(ptrdiff_t)post * columns + done + i] = search->strip[(ptrdiff_t)i * posts + post];
    }
    return true;
}

static bool fill_pushes(const struct sokoban *game, struct lone_box *search, struct start *start,
                        soloist_stop_token *stop) {
    for (int g = 0; g < game->goals; g++) {
        int goal = game->goal_square[g];
        start[g] = (struct start){game->post_first[goal], game->post_first[goal + 1]};
    }
    link_posts(game, search, pull_of);
    return fill_table(search, game->posts, start, game->goals, game->pushes, stop);
}

static bool fill_from_root(const struct sokoban *game, struct lone_box *search, struct start *start,
                           soloist_stop_token *stop) {
    int column = 0;
    for (BITSET_EACH(box, game->root_boxes, (size_t)game->words)) {
        int post = sokoban_post(game, box, game->root_player);
        start[column++] = (struct start){post, post + 1};
    }
    link_posts(game, search, push_of);
    return fill_table(search, game->posts, start, game->boxes, game->from_root, stop);
}

static void fill_manhattan(struct sokoban *game) {
    struct place {
        int x, y;
    } goal[MATCHING_MOST];
    for (int g = 0; g < game->goals; g++)
        goal[g] = (struct place){game->goal_square[g] % game->stride, game->goal_square[g] / game->stride};
    for (int s = 0; s < game->size; s++) {
        int x = s % game->stride, y = s / game->stride;
        game->nearest[s] = SOKOBAN_NEVER;
        for (int g = 0; g < game->goals; g++) {
            int32_t far = abs(x - goal[g].x) + abs(y - goal[g].y);
            game->manhattan[(ptrdiff_t)s * game->goals + g] = far;
            game->nearest[s] = far < game->nearest[s] ? far : game->nearest[s];
        }
    }
}

static int32_t *take_table(int rows, int columns) { return malloc((size_t)rows * (size_t)columns * sizeof(int32_t)); }

bool sokoban_distances_make(struct sokoban *game, soloist_stop_token *stop) {
    if (!make_posts(game))
        return false;
    size_t posts = (size_t)game->posts;
    struct lone_box search = {calloc(posts, sizeof *search.next), calloc(posts, sizeof *search.queue),
                              take_table(game->posts, STRIP)};
    struct start *start = calloc((size_t)(game->goals + game->boxes), sizeof *start);
    game->pushes = take_table(game->posts, game->goals);
    game->from_root = take_table(game->posts, game->boxes);
    game->manhattan = take_table(game->size, game->goals);
    game->nearest = take_table(game->size, 1);
    bool good = search.next && search.queue && search.strip && start && game->pushes && game->from_root &&
                game->manhattan && game->nearest;
    if (good)
        fill_manhattan(game);
    good = good && fill_pushes(game, &search, start, stop) && fill_from_root(game, &search, start, stop);
    free(search.next);
    free(search.queue);
    free(search.strip);
    free(start);
    return good;
}
