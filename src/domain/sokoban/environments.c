/* Many boards of `sokoban-moves`, played at once for learners. A board is a map of bytes, one per cell, and a step
 * looks at two cells and changes at most three: the observation is updated in place, and nothing else of the engine is
 * needed while playing. The pool keeps for each level its map and its first observation, ready to be copied. */
#include "domain/environments.h"
#include "domain/sokoban/sokoban.h"

#include <stdlib.h>

/* Bits of a cell of the map, and the planes of the same things; the player has a plane of his own. A cell outside the
 * player's area is MAP_WALL; the bits from MAP_DRAWN on keep what is drawn there (those of DECOR as in the level). */
enum { MAP_WALL = 1, MAP_GOAL = 2, MAP_BOX = 4, MAP_DRAWN = 8 };
enum { MAP_DECOR = SOKOBAN_DECOR | SOKOBAN_DECOR_BOX | SOKOBAN_DECOR_GOAL };
enum { PLANE_WALLS, PLANE_GOALS, PLANE_BOXES, PLANE_PLAYER, MAP_PLANES };

/* The head of a level in the pool and of a board; the map follows, with room for seven more cells. */
struct map {
    uint16_t player, off_goal; /* the player's cell; number of boxes off goals */
    uint32_t steps;
    int32_t slot;
    uint8_t cells[];
};

struct boards {
    soloist_episodes episodes;
    struct level_choice choice;
    int width, height; /* of every level; 0 before the first */
    size_t cells, map_size, observation_size;
    unsigned char *pool;   /* for each level: its map */
    uint8_t *first;        /* for each level: its first observation */
    unsigned char *boards; /* for each board: its map */
};

static bool suits(const soloist_episodes *episodes) {
    return episodes->reward < 0 || sokoban_reward_is_quick(episodes->reward);
}

static void boards_close(void *block) {
    struct boards *b = block;
    if (!b)
        return;
    level_choice_close(&b->choice);
    free(b->pool);
    free(b->first);
    free(b->boards);
    free(b);
}

static void *boards_open(const soloist_episodes *episodes) {
    struct boards *b = calloc(1, sizeof *b);
    if (!b)
        return NULL;
    b->episodes = *episodes;
    if (level_choice_open(&b->choice, episodes))
        return b;
    boards_close(b);
    return NULL;
}

static struct map *pool_map(const struct boards *b, int slot) {
    return (struct map *)(void *)(b->pool + (size_t)slot * b->map_size);
}

static struct map *board_map(const struct boards *b, int board) {
    return (struct map *)(void *)(b->boards + (size_t)board * b->map_size);
}

/* ---- levels ---- */

/* Allocates everything whose size depends on the levels' size. */
static bool take_size(struct boards *b, int width, int height) {
    size_t levels = (size_t)b->episodes.levels, boards = (size_t)b->episodes.boards;
    size_t cells = (size_t)(width * height), map_size = (sizeof(struct map) + cells + 7 + 63) & ~(size_t)63;
    unsigned char *pool = calloc(levels, map_size), *maps = calloc(boards, map_size);
    uint8_t *first = calloc(levels, MAP_PLANES * cells);
    if (!pool || !maps || !first) {
        free(pool);
        free(maps);
        free(first);
        return false;
    }
    b->pool = pool, b->boards = maps, b->first = first;
    b->width = width, b->height = height;
    b->cells = cells, b->map_size = map_size, b->observation_size = MAP_PLANES * cells;
    return true;
}

static void read_map(const struct sokoban_level *level, struct map *map) {
    map->player = (uint16_t)level->player;
    map->off_goal = 0;
    map->steps = 0;
    for (int cell = 0; cell < level->width * level->height; cell++) {
        int what = level->cells[cell];
        bool inside = what & SOKOBAN_INSIDE, goal = inside && what & SOKOBAN_GOAL, box = inside && what & SOKOBAN_BOX;
        map->cells[cell] = (uint8_t)((inside ? 0 : MAP_WALL) | (goal ? MAP_GOAL : 0) | (box ? MAP_BOX : 0) |
                                     (what & SOKOBAN_WALL ? MAP_DRAWN : 0) | (what & MAP_DECOR));
        map->off_goal += box && !goal;
    }
}

/* Writes one plane from a bit of each cell, eight cells at a time. The last eight may reach into the next plane, which
 * is written afterwards. */
static void write_plane(const struct boards *b, const struct map *map, int bit, uint8_t *plane) {
    for (size_t cell = 0; cell < b->cells; cell += 8) {
        uint64_t eight;
        memcpy(&eight, map->cells + cell, sizeof eight);
        eight = eight >> bit & UINT64_C(0x0101010101010101);
        memcpy(plane + cell, &eight, sizeof eight);
    }
}

static void observe(const struct boards *b, const struct map *map, uint8_t *observation) {
    write_plane(b, map, 0, observation + PLANE_WALLS * b->cells);
    write_plane(b, map, 1, observation + PLANE_GOALS * b->cells);
    write_plane(b, map, 2, observation + PLANE_BOXES * b->cells);
    memset(observation + PLANE_PLAYER * b->cells, 0, b->cells);
    observation[PLANE_PLAYER * b->cells + map->player] = 1;
}

static bool can_step(const struct map *map, int offset) {
    int ahead = map->cells[map->player + offset];
    return !(ahead & (MAP_WALL | MAP_BOX)) ||
           (ahead & MAP_BOX && !(map->cells[map->player + 2 * offset] & (MAP_WALL | MAP_BOX)));
}

/* Whether the level is not solved and the player can make a step. */
static bool is_playable(const struct map *map, int width) {
    return map->off_goal && (can_step(map, -width) || can_step(map, -1) || can_step(map, 1) || can_step(map, width));
}

static bool boards_put(void *block, int slot, const soloist_chunk *chunk, soloist_error *error) {
    struct boards *b = block;
    struct sokoban_level level;
    uint64_t room[(sizeof(struct map) + sizeof level.cells) / sizeof(uint64_t) + 2];
    struct map *map = (struct map *)(void *)room;
    if (!sokoban_level_parse(chunk, &level, error))
        return false;
    if (b->width && (level.width != b->width || level.height != b->height))
        return soloist_fail(error, chunk->line, 0, "a level of %dx%d: expected %dx%d like the levels before it",
                            level.width, level.height, b->width, b->height);
    read_map(&level, map);
    map->slot = slot;
    if (!is_playable(map, level.width))
        return soloist_fail(error, chunk->line, 0, "the level begins at its end, or without a move");
    if (!b->width && !take_size(b, level.width, level.height))
        return soloist_fail(error, 0, 0, "no memory for the boards");
    memcpy(pool_map(b, slot), map, sizeof *map + b->cells);
    observe(b, map, b->first + (size_t)slot * b->observation_size);
    return true;
}

/* ---- play ---- */

static void begin_at(struct boards *b, int board, int slot, uint8_t *observation) {
    memcpy(board_map(b, board), pool_map(b, slot), b->map_size);
    memcpy(observation, b->first + (size_t)slot * b->observation_size, b->observation_size);
}

static void begin(struct boards *b, int board, uint8_t *observation) {
    begin_at(b, board, level_choice_next(&b->choice, board), observation);
}

static void boards_begin(void *block, int board, int slot, uint8_t *observation) {
    if (slot < 0)
        begin(block, board, observation);
    else
        begin_at(block, board, slot, observation);
}

static void boards_reset(void *block, uint8_t *observations) {
    struct boards *b = block;
    for (int i = 0; i < b->episodes.boards; i++)
        begin(b, i, observations + (size_t)i * b->observation_size);
}

/* Takes one step on a map and in its observation. */
static inline void take_step(struct map *map, int offset, uint8_t *boxes, uint8_t *player) {
    int from = map->player, to = from + offset, ahead = map->cells[to];
    if (ahead & MAP_WALL)
        return;
    if (ahead & MAP_BOX) {
        int beyond = to + offset, there = map->cells[beyond];
        if (there & (MAP_WALL | MAP_BOX))
            return;
        map->cells[to] = (uint8_t)(ahead & ~MAP_BOX);
        map->cells[beyond] = (uint8_t)(there | MAP_BOX);
        map->off_goal = (uint16_t)(map->off_goal + (ahead >> 1 & 1) - (there >> 1 & 1));
        boxes[to] = 0;
        boxes[beyond] = 1;
    }
    map->player = (uint16_t)to;
    player[from] = 0;
    player[to] = 1;
}

static void boards_step(void *block, const int32_t *actions, bool in_place, uint8_t *observations, float *rewards,
                        uint8_t *ends, uint8_t *finals) {
    struct boards *b = block;
    int which = b->episodes.reward, boards = b->episodes.boards;
    uint32_t limit = b->episodes.step_limit ? (uint32_t)b->episodes.step_limit : UINT32_MAX;
    /* An action that does not exist is a step of length 0. */
    const int offsets[5] = {-b->width, -1, 1, b->width, 0};
    /* Rewards of steps after which the level is not solved: no box has left or reached a goal; one has reached one; one
     * has left one. */
    const float unsolved[3] = {(float)sokoban_quick_reward(which, 2, 2, 1), (float)sokoban_quick_reward(which, 2, 1, 1),
                               (float)sokoban_quick_reward(which, 1, 2, 1)};
    for (int i = 0; i < boards; i++, observations += b->observation_size) {
        struct map *map = board_map(b, i);
        int before = map->off_goal, from = map->player;
        if (!in_place)
            observe(b, map, observations);
        take_step(map, offsets[(uint32_t)actions[i] < 4 ? actions[i] : 4], observations + PLANE_BOXES * b->cells,
                  observations + PLANE_PLAYER * b->cells);
        int off = map->off_goal;
        bool over = ++map->steps >= limit;
        rewards[i] = unsolved[off < before ? 1 : off > before ? 2 : 0];
        if (which < 0)
            rewards[i] = map->player == from ? 0 : -1; /* minus the cost of a step */
        ends[i] = SOLOIST_EPISODE_RUNS;
        if (off && !over)
            continue;
        if (!off && which >= 0)
            rewards[i] = (float)sokoban_quick_reward(which, before, off, (int)map->steps);
        ends[i] = off ? SOLOIST_EPISODE_CUT_OFF : SOLOIST_EPISODE_ENDED;
        if (finals)
            memcpy(finals + (size_t)i * b->observation_size, observations, b->observation_size);
        begin(b, i, observations);
    }
}

static void boards_legal(const void *block, uint8_t *mask) {
    const struct boards *b = block;
    const int offsets[4] = {-b->width, -1, 1, b->width};
    for (int i = 0; i < b->episodes.boards; i++)
        for (int d = 0; d < 4; d++)
            *mask++ = can_step(board_map(b, i), offsets[d]);
}

static int boards_slot(const void *block, int board) { return board_map(block, board)->slot; }

static uint64_t boards_episodes(const void *block) { return ((const struct boards *)block)->choice.begun; }

static void boards_reseed(void *block, uint64_t seed) { level_choice_reseed(&((struct boards *)block)->choice, seed); }

static void boards_print(const void *block, int board, const soloist_sink *sink) {
    const struct boards *b = block;
    const struct map *map = board_map(b, board);
    struct sokoban_level level = {.width = b->width, .height = b->height, .player = map->player};
    for (size_t cell = 0; cell < b->cells; cell++) {
        int what = map->cells[cell];
        level.cells[cell] =
            (uint8_t)((what & MAP_WALL ? 0 : SOKOBAN_INSIDE) | (what & MAP_DRAWN ? SOKOBAN_WALL : 0) |
                      (what & MAP_GOAL ? SOKOBAN_GOAL : 0) | (what & MAP_BOX ? SOKOBAN_BOX : 0) | (what & MAP_DECOR));
    }
    sokoban_level_print(&level, sink);
}

const soloist_environments sokoban_environments = {
    .size = sizeof(soloist_environments),
    .suits = suits,
    .open = boards_open,
    .close = boards_close,
    .put = boards_put,
    .reset = boards_reset,
    .step = boards_step,
    .legal = boards_legal,
    .slot = boards_slot,
    .episodes = boards_episodes,
    .begin = boards_begin,
    .reseed = boards_reseed,
    .print = boards_print,
};
