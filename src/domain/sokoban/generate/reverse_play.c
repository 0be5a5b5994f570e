/* Reverse play: a depth-first search over single steps and pulls, in random order. A hash set with incremental Zobrist
 * keys ensures that each position is visited once; look-ups compare whole positions. */
#include "domain/sokoban/generate/reverse_play.h"

#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

#define NO_BOX UINT16_MAX
/* Most children of a position: four directions, with and without a pull. The last expansion may exceed the limit by
 * this many positions. */
#define CHILDREN 8
/* In a slot of a small room six bits hold the player's tile, and the others are one bit per tile. The last number
 * stands for all walls. */
#define TILE_BITS 6
#define WALL_TILE (REVERSE_TILES - 1)

enum { ZOBRIST_BOX = 0x67656e01, ZOBRIST_PLAYER = 0x67656e02 };

static size_t position_bytes(int boxes) {
    size_t bytes = sizeof(struct reverse_position) + (size_t)boxes * sizeof(uint16_t);
    return (bytes + 3) & ~(size_t)3;
}

static uint32_t slot_count(int64_t most_positions) {
    uint32_t slots = 64;
    while (slots < 2 * (most_positions + CHILDREN))
        slots *= 2;
    return slots;
}

size_t reverse_play_bytes(int cells, int boxes, int64_t most_positions) {
    size_t positions = (size_t)most_positions + CHILDREN;
    return positions * (position_bytes(boxes) + sizeof(uint32_t)) + slot_count(most_positions) * sizeof(uint64_t) +
           (size_t)cells * (2 * sizeof(uint64_t) + sizeof(uint16_t) + 1) + (size_t)boxes * sizeof(uint16_t);
}

bool reverse_play_open(struct reverse_play *play, const struct sokoban_level *room, int boxes, int64_t most_positions,
                       int64_t most_depth, bool allow_box_on_goal) {
    size_t cells = (size_t)(room->width * room->height), positions = (size_t)most_positions + CHILDREN;
    *play = (struct reverse_play){.room = room,
                                  .boxes = boxes,
                                  .most_positions = most_positions,
                                  .most_depth = most_depth,
                                  .allow_box_on_goal = allow_box_on_goal,
                                  .position_size = position_bytes(boxes),
                                  .slot_mask = slot_count(most_positions) - 1,
                                  .slot_bits = __builtin_ctz(slot_count(most_positions))};
    play->positions = malloc(positions * play->position_size);
    play->stack = malloc(positions * sizeof *play->stack);
    play->slots = malloc((play->slot_mask + (size_t)1) * sizeof *play->slots);
    play->keys = malloc(2 * cells * sizeof *play->keys);
    play->on_cell = calloc(cells, sizeof *play->on_cell);
    play->goals = malloc((size_t)boxes * sizeof *play->goals);
    play->tile = calloc(cells, 1);
    if (!play->tile || !play->positions || !play->stack || !play->slots || !play->keys || !play->on_cell ||
        !play->goals) {
        reverse_play_close(play);
        return false;
    }
    for (size_t cell = 0; cell < cells; cell++) {
        play->keys[cell] = hash_zobrist(ZOBRIST_BOX, (uint32_t)cell);
        play->keys[cells + cell] = hash_zobrist(ZOBRIST_PLAYER, (uint32_t)cell);
    }
    return true;
}

void reverse_play_close(struct reverse_play *play) {
    free(play->positions);
    free(play->stack);
    free(play->slots);
    free(play->keys);
    free(play->on_cell);
    free(play->goals);
    free(play->tile);
    *play = (struct reverse_play){0};
}

static struct reverse_position *position_at(const struct reverse_play *play, uint32_t index) {
    return (struct reverse_position *)(void *)(play->positions + index * play->position_size);
}

const struct reverse_position *reverse_play_position(const struct reverse_play *play, uint32_t index) {
    return position_at(play, index);
}

/* The Manhattan distance from a box's starting cell. */
static int distance(const struct reverse_play *play, int box, int cell) {
    int width = play->room->width, from = play->goals[box];
    return abs(from % width - cell % width) + abs(from / width - cell / width);
}

static bool is_goal(const struct reverse_play *play, int cell) { return play->room->cells[cell] & SOKOBAN_GOAL; }

/* Boxes that changed places may all be on goals again. Such a level is solved before it begins; algorithm 3.1 does not
 * exclude it, but here it scores 0. */
static int64_t score(const struct reverse_play *play, const struct reverse_position *position) {
    if (position->on_goals == play->boxes)
        return 0;
    if (!play->allow_box_on_goal && (position->on_goals || is_goal(play, position->player)))
        return 0;
    return (int64_t)position->box_swaps * position->displacement;
}

/* Puts the boxes of a position on the board, or removes them. */
static void place_boxes(struct reverse_play *play, const struct reverse_position *position, bool on) {
    for (int i = 0; i < play->boxes; i++)
        play->on_cell[position->boxes[i]] = on ? (uint16_t)(i + 1) : 0;
}

/* Whether a known position has the player on `player` and the boxes on the same cells as the board now, regardless of
 * which box is which. */
static bool is_same(const struct reverse_play *play, uint32_t index, int player) {
    const struct reverse_position *known = position_at(play, index);
    if (known->player != player)
        return false;
    for (int i = 0; i < play->boxes; i++)
        if (!play->on_cell[known->boxes[i]])
            return false;
    return true;
}

/* Adds the position that is now on the board to the hash set; false if it was known. The position's record is number
 * `found`. */
static bool enter(struct reverse_play *play, uint64_t key, int player) {
    uint32_t tag = (uint32_t)(key >> 32), slot = (uint32_t)key & play->slot_mask;
    for (; play->slots[slot]; slot = (slot + 1) & play->slot_mask)
        if ((uint32_t)(play->slots[slot] >> 32) == tag && is_same(play, (uint32_t)play->slots[slot] - 1, player))
            return false;
    play->slots[slot] = (uint64_t)tag << 32 | (play->found + 1);
    return true;
}

/* The bit of a box on a tile in the slots of a small room. */
static uint64_t tile_bit(int tile) { return UINT64_C(1) << TILE_BITS << tile; }

/* The same in a small room, where a slot holds the whole position. */
static uint32_t slot_of(const struct reverse_play *play, uint64_t whole) {
    return (uint32_t)(whole * 0x9e3779b97f4a7c15u >> (64 - play->slot_bits));
}

static bool enter_whole(struct reverse_play *play, uint64_t whole) {
    uint32_t slot = slot_of(play, whole);
    for (; play->slots[slot]; slot = (slot + 1) & play->slot_mask)
        if (play->slots[slot] == whole)
            return false;
    play->slots[slot] = whole;
    return true;
}

/* Records the position after a step from position number `index`, which pulls box number `box` - 1 along if box is not
 * 0. */
static void record(struct reverse_play *play, uint32_t index, int direction, int player, int box) {
    const struct reverse_position *from = position_at(play, index);
    struct reverse_position *to = position_at(play, play->found++);
    memcpy(to, from, play->position_size);
    to->parent = index;
    to->player = (uint16_t)player;
    to->depth++;
    to->direction = (uint8_t)direction;
    to->pulled = box != 0;
    if (box--) {
        int behind = from->boxes[box];
        to->boxes[box] = from->player;
        to->box_swaps += to->last_box != box;
        to->last_box = (uint16_t)box;
        to->displacement += (uint32_t)(distance(play, box, from->player) - distance(play, box, behind));
        to->on_goals = (uint16_t)(to->on_goals + is_goal(play, from->player) - is_goal(play, behind));
    }
}

/* A random order of the four directions, and for each direction a bit that says whether the pull comes before the step
 * without a pull. */
struct order {
    const uint8_t *directions;
    unsigned pull_first;
};

static struct order draw_order(soloist_rng *rng) {
    static const uint8_t all[24][4] = {
        {1, 2, 3, 0}, {3, 2, 0, 1}, {1, 3, 0, 2}, {1, 2, 0, 3}, {2, 3, 1, 0}, {2, 0, 3, 1}, {3, 0, 1, 2}, {2, 0, 1, 3},
        {1, 3, 2, 0}, {3, 0, 2, 1}, {1, 0, 3, 2}, {1, 0, 2, 3}, {2, 1, 3, 0}, {2, 3, 0, 1}, {3, 1, 0, 2}, {2, 1, 0, 3},
        {3, 2, 1, 0}, {0, 2, 3, 1}, {0, 3, 1, 2}, {0, 2, 1, 3}, {3, 1, 2, 0}, {0, 3, 2, 1}, {0, 1, 3, 2}, {0, 1, 2, 3}};
    uint32_t draw = soloist_rng_below(rng, 24 * 16);
    return (struct order){all[draw >> 4], draw & 15};
}

/* ---- rooms of any size ---- */

/* Records the position after a step if it is new. The boxes of position number `index` are on the board. */
static void try_step(struct reverse_play *play, uint32_t index, int direction, int offset, int box,
                     uint64_t boxes_key) {
    int cells = play->room->width * play->room->height, from = position_at(play, index)->player;
    int player = from + offset, behind = from - offset;
    if (box) {
        boxes_key ^= play->keys[behind] ^ play->keys[from];
        play->on_cell[behind] = 0;
        play->on_cell[from] = (uint16_t)box;
    }
    bool added = enter(play, boxes_key ^ play->keys[cells + player], player);
    if (box) {
        play->on_cell[from] = 0;
        play->on_cell[behind] = (uint16_t)box;
    }
    if (added)
        record(play, index, direction, player, box);
}

/* Expands a position; its new successors are appended to the positions found. */
static void expand(struct reverse_play *play, uint32_t index, soloist_rng *rng) {
    const struct reverse_position *position = position_at(play, index);
    const int offsets[4] = {-play->room->width, 1, play->room->width, -1};
    struct order order = draw_order(rng);
    uint64_t key = 0;
    place_boxes(play, position, true);
    for (int i = 0; i < play->boxes; i++)
        key ^= play->keys[position->boxes[i]];
    for (int i = 0; i < 4; i++) {
        int direction = order.directions[i], offset = offsets[direction], to = position->player + offset;
        if (play->room->cells[to] & SOKOBAN_WALL || play->on_cell[to])
            continue;
        int box = play->on_cell[position->player - offset];
        bool pull_first = order.pull_first >> direction & 1;
        try_step(play, index, direction, offset, pull_first ? box : 0, key);
        if (box)
            try_step(play, index, direction, offset, pull_first ? 0 : box, key);
    }
    place_boxes(play, position, false);
}

/* ---- small rooms ---- */

/* A step, and the position after it as a slot holds it. */
struct step {
    uint64_t whole;
    uint8_t direction;
    bool pull;
};

/* Lists the steps of a position in random order, and lets the processor fetch their slots; returns how many there are.
 * There are no branches, because half of them would be mispredicted: a step that cannot be made is overwritten by the
 * next. boxes: the boxes' bits. */
static int list_steps(const struct reverse_play *play, int tile, uint64_t boxes, struct step *steps, soloist_rng *rng) {
    struct order order = draw_order(rng);
    uint64_t blocked = boxes | tile_bit(WALL_TILE);
    int count = 0;
    for (int i = 0; i < 4; i++) {
        unsigned direction = order.directions[i];
        int to = play->next[tile][direction], behind = play->next[tile][direction ^ 2];
        unsigned free = (unsigned)(~blocked >> TILE_BITS >> to & 1), box = (unsigned)(boxes >> TILE_BITS >> behind & 1);
        uint64_t walk = boxes + (uint64_t)to, pull = (boxes ^ tile_bit(tile) ^ tile_bit(behind)) + (uint64_t)to;
        bool first = order.pull_first >> direction & box;
        steps[count] = (struct step){first ? pull : walk, (uint8_t)direction, first};
        count += (int)free;
        steps[count] = (struct step){first ? walk : pull, (uint8_t)direction, !first};
        count += (int)(free & box);
    }
    for (int i = 0; i < count; i++)
        __builtin_prefetch(&play->slots[slot_of(play, steps[i].whole)]);
    return count;
}

static void expand_small(struct reverse_play *play, uint32_t index, soloist_rng *rng) {
    const struct reverse_position *position = position_at(play, index);
    struct step steps[CHILDREN + 1];
    uint64_t boxes = 0;
    int tile = play->tile[position->player];
    for (int i = 0; i < play->boxes; i++)
        boxes |= tile_bit(play->tile[position->boxes[i]]);
    int count = list_steps(play, tile, boxes, steps, rng);
    for (int i = 0; i < count; i++) {
        if (!enter_whole(play, steps[i].whole))
            continue;
        int direction = steps[i].direction, box = 0;
        if (steps[i].pull) {
            int behind = play->cell_of[play->next[tile][direction ^ 2]];
            while (position->boxes[box++] != behind)
                ;
        }
        record(play, index, direction, play->cell_of[play->next[tile][direction]], box);
    }
}

/* Numbers the tiles of the room and finds their neighbours, unless there are too many. */
static void number_tiles(struct reverse_play *play) {
    int width = play->room->width, cells = width * play->room->height, count = 0;
    const int offsets[4] = {-width, 1, width, -1};
    for (int cell = 0; cell < cells && count <= WALL_TILE; cell++) {
        bool inside = play->room->cells[cell] & SOKOBAN_INSIDE;
        if (inside && count < WALL_TILE)
            play->cell_of[count] = (uint16_t)cell;
        play->tile[cell] = inside ? (uint8_t)count++ : WALL_TILE;
    }
    play->small = count <= WALL_TILE;
    for (int tile = 0; play->small && tile < count; tile++)
        for (int d = 0; d < 4; d++)
            play->next[tile][d] = play->tile[play->cell_of[tile] + offsets[d]];
}

/* ---- the search ---- */

/* Makes position 0, with the boxes on the goals. */
static void set_up(struct reverse_play *play, const uint16_t *goals, int player) {
    struct reverse_position *solved = position_at(play, 0);
    int cells = play->room->width * play->room->height;
    uint64_t key = play->keys[cells + player], whole;
    number_tiles(play);
    whole = play->tile[player];
    memset(play->slots, 0, (play->slot_mask + (size_t)1) * sizeof *play->slots);
    memset(solved, 0, play->position_size);
    memcpy(play->goals, goals, (size_t)play->boxes * sizeof *goals);
    memcpy(solved->boxes, goals, (size_t)play->boxes * sizeof *goals);
    solved->player = (uint16_t)player;
    solved->last_box = NO_BOX;
    solved->on_goals = (uint16_t)play->boxes;
    for (int i = 0; i < play->boxes; i++) {
        key ^= play->keys[goals[i]];
        whole |= play->small ? tile_bit(play->tile[goals[i]]) : 0;
    }
    play->found = 0;
    if (play->small)
        enter_whole(play, whole);
    else
        enter(play, key, player);
    play->found = 1;
    play->best = 0;
    play->best_score = 0;
}

/* Looks at the clock once per thousand positions. */
static bool is_stopped(const struct reverse_play *play, uint32_t expanded) {
    enum { seldom = 1024 };
    return expanded % seldom == 0 && play->stop && soloist_stopped(play->stop);
}

int64_t reverse_play_run(struct reverse_play *play, const uint16_t *goals, int player, soloist_rng *rng) {
    uint32_t waiting = 0, expanded = 0;
    set_up(play, goals, player);
    play->stack[waiting++] = 0;
    while (waiting && play->found < play->most_positions && !is_stopped(play, expanded++)) {
        uint32_t index = play->stack[--waiting];
        if (position_at(play, index)->depth >= play->most_depth)
            continue;
        uint32_t first = play->found;
        (play->small ? expand_small : expand)(play, index, rng);
        for (uint32_t i = first; i < play->found; i++) {
            int64_t value = score(play, position_at(play, i));
            if (value > play->best_score)
                play->best_score = value, play->best = i;
            play->stack[waiting++] = i;
        }
    }
    return play->best_score;
}

void reverse_play_solution(const struct reverse_play *play, char *out) {
    const struct reverse_position *position = position_at(play, play->best);
    for (; position->depth; position = position_at(play, position->parent))
        *out++ = (position->pulled ? "DLUR" : "dlur")[position->direction];
    *out = 0;
}
