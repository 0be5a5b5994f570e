/* Makes the instance from a level: numbers the squares, makes the sets and the keys, and then the tables of the other
 * files, some of which depend on earlier ones. */
#include "domain/sokoban/deadlock/deadlock_table.h"
#include "domain/sokoban/macro/goal_room.h"

#include "base/hash.h"
#include "base/matching.h"

#include <errno.h>
#include <stdlib.h>

/* The smallest rectangle around the player's area. */
static void frame_level(struct sokoban *game) {
    const struct sokoban_level *level = &game->level;
    int right = 0, bottom = 0;
    game->left = game->top = SOKOBAN_MOST_SIDE;
    for (int y = 0; y < level->height; y++)
        for (int x = 0; x < level->width; x++)
            if (level->cells[y * level->width + x] & SOKOBAN_INSIDE) {
                game->left = x < game->left ? x : game->left;
                game->top = y < game->top ? y : game->top;
                right = x > right ? x : right;
                bottom = y > bottom ? y : bottom;
            }
    game->stride = right - game->left + 2;
    game->size = (bottom - game->top + 1) * game->stride;
    game->words = BITSET_WORDS(game->size);
    const int step[4] = {-game->stride, -1, 1, game->stride};
    memcpy(game->step, step, sizeof step);
}

int sokoban_cell(const struct sokoban *game, int square) {
    int x = square % game->stride + game->left, y = square / game->stride + game->top;
    return y * game->level.width + x;
}

static void fill_sets(struct sokoban *game) {
    int found = 0;
    for (int s = 0; s < game->size; s++) {
        if ((s + 1) % game->stride == 0)
            continue;
        int cell = sokoban_cell(game, s), what = game->level.cells[cell];
        if (!(what & SOKOBAN_INSIDE))
            continue;
        game->floor_count++;
        bitset_add(game->floor, (unsigned)s);
        if (what & SOKOBAN_BOX)
            bitset_add(game->root_boxes, (unsigned)s);
        if (what & SOKOBAN_GOAL) {
            bitset_add(game->goal, (unsigned)s);
            game->goal_square[found++] = (uint16_t)s;
        }
        if (cell == game->level.player)
            game->root_player = s;
    }
}

static void fill_keys(struct sokoban *game) {
    for (int s = 0; s < game->size; s++) {
        game->box_key[s] = hash_zobrist(1, (uint32_t)s);
        game->player_key[s] = hash_zobrist(2, (uint32_t)s);
    }
}

/* A ring is the eight squares around a middle one; its sides are the four neighbours of the middle. A corner that is in
 * the set links the two sides next to it, if both are in the set. The sides in the set are connected if their number is
 * at most one more than the number of links. */
static void fill_rings(struct sokoban *game) {
    static const unsigned side[4] = {1, 4, 6, 3}, corner[4] = {2, 7, 5, 0}; /* clockwise from the top */
    for (unsigned ring = 0; ring < 256; ring++) {
        int sides = 0, links = 0;
        for (int i = 0; i < 4; i++) {
            unsigned pair = 1u << side[i] | 1u << side[(i + 1) % 4] | 1u << corner[i];
            sides += ring >> side[i] & 1;
            links += (ring & pair) == pair;
        }
        if (sides - links <= 1)
            bitset_add(game->ring_joined, ring);
    }
}

static bool take_arrays(struct sokoban *game) {
    size_t size = (size_t)game->size;
    game->box_key = calloc(size, sizeof *game->box_key);
    game->player_key = calloc(size, sizeof *game->player_key);
    game->goal_square = calloc((size_t)game->goals, sizeof *game->goal_square);
    return game->box_key && game->player_key && game->goal_square;
}

/* Makes the tables one after the other. False if memory runs out or the work is stopped. */
static bool make_tables(struct sokoban *game, soloist_stop_token *stop) {
    frame_level(game);
    if (!take_arrays(game))
        return false;
    fill_sets(game);
    fill_keys(game);
    fill_rings(game);
    game->root_place = (uint32_t)game->root_player;
    if (!game->rules.exact)
        game->root_place = (uint32_t)sokoban_least(game, game->root_boxes, game->root_player);
    if (!sokoban_distances_make(game, stop) || !sokoban_deadlocks_make(game) || !sokoban_bound_make(game) ||
        !sokoban_pairs_make(game, stop) || !sokoban_pack_make(game) || !sokoban_goals_make(game) ||
        !sokoban_reverse_deadlocks_make(game) || !sokoban_windows_make(game))
        return false;
    if (game->rules.tunnels)
        sokoban_tunnels_make(game);
    return !game->rules.goal_macros || sokoban_goal_room_make(game, stop);
}

/* Looks for a proof that the level has no solution. The result does not depend on the options, except that rules=none
 * looks for none. */
static const char *find_impossible(const struct sokoban *game) {
    uint64_t block[sizeof(struct sokoban_state) / sizeof(uint64_t) + SOKOBAN_WORDS], frozen[SOKOBAN_WORDS];
    struct sokoban_state *root = (struct sokoban_state *)(void *)block;
    if (!game->rules.dead_squares)
        return NULL;
    sokoban_root((const soloist_instance *)(const void *)game, root);
    if (sokoban_on_dead_square(game, root))
        return "a box starts on a square from which it can reach no goal";
    if (sokoban_frozen(game, root->boxes, frozen))
        return "a box starts off the goals and can never be moved";
    if (sokoban_on_full_line(game, root->boxes))
        return "more boxes start along a wall than there are goals on it, and they cannot leave it";
    if (!sokoban_has_matching(game, root))
        return "the boxes cannot reach different goals";
    return NULL;
}

struct sokoban *sokoban_open(const soloist_chunk *chunk, const struct sokoban_rules *rules, soloist_stop_token *stop,
                             soloist_error *error) {
    struct sokoban *game = calloc(1, sizeof *game);
    if (!game) {
        soloist_fail(error, chunk->line, 0, "no memory for the level");
        return NULL;
    }
    bool good = sokoban_level_parse(chunk, &game->level, error);
    game->rules = *rules;
    game->boxes = game->level.boxes;
    game->goals = game->level.goals;
    if (good && game->goals > MATCHING_MOST)
        good = soloist_fail(error, chunk->line, 1, "%d goals: expected at most %d", game->goals, MATCHING_MOST);
    else if (good && !make_tables(game, stop)) {
        bool stopped = soloist_stopped(stop);
        good =
            soloist_fail(error, chunk->line, 0,
                         stopped ? "stopped while the level's tables were made" : "no memory for the level's tables");
        errno = stopped ? ECANCELED : ENOMEM;
    }
    if (good) {
        game->impossible = find_impossible(game);
        return game;
    }
    sokoban_close((soloist_instance *)(void *)game);
    return NULL;
}

void sokoban_close(soloist_instance *instance) {
    struct sokoban *game = (struct sokoban *)(void *)instance;
    if (!game)
        return;
    if (game->base) {
        sokoban_session_close(game);
        return;
    }
    if (game->cost != game->pushes)
        free(game->cost);
    sokoban_goal_room_free(game->goal_room);
    sokoban_pairs_free(game->pairs);
    sokoban_pairs_free(game->reverse_pairs);
    free(game->pull_stuck);
    void *owned[] = {game->box_key,         game->player_key,
                     game->goal_square,     game->post_first,
                     game->side_next_to,    game->side_row,
                     game->sides,           game->pushes,
                     game->manhattan,       game->nearest,
                     game->from_root,       game->line_goals,
                     game->line_squares,    game->line_of,
                     game->packed_number,   game->packed_square,
                     game->player_number,   game->player_square,
                     game->goal_states,     game->window_walls,
                     game->pushes_or_floor, game};
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++)
        free(owned[i]);
}
