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
           (size_t)cells * (2 * sizeof(uint64_t) + sizeof(uint16_t)) + (size_t)boxes * sizeof(uint16_t);
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
                                  .slot_mask = slot_count(most_positions) - 1};
    play->positions = malloc(positions * play->position_size);
    play->stack = malloc(positions * sizeof *play->stack);
    play->slots = malloc((play->slot_mask + (size_t)1) * sizeof *play->slots);
    play->keys = malloc(2 * cells * sizeof *play->keys);
    play->on_cell = calloc(cells, sizeof *play->on_cell);
    play->goals = malloc((size_t)boxes * sizeof *play->goals);
    if (!play->positions || !play->stack || !play->slots || !play->keys || !play->on_cell || !play->goals) {
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
    *play = (struct reverse_play){0};
}

static struct reverse_position *position_at(const struct reverse_play *play, uint32_t index) {
    return (struct reverse_position *)(void *)(play->positions + index * play->position_size);
}

const struct reverse_position *reverse_play_position(const struct reverse_play *play, uint32_t index) {
    return position_at(play, index);
}

int reverse_play_displacement(const struct reverse_play *play, const struct reverse_position *position) {
    int width = play->room->width, sum = 0;
    for (int i = 0; i < play->boxes; i++) {
        int from = play->goals[i], to = position->boxes[i];
        sum += abs(from % width - to % width) + abs(from / width - to / width);
    }
    return sum;
}

static bool is_goal(const struct reverse_play *play, int cell) { return play->room->cells[cell] & SOKOBAN_GOAL; }

static int64_t score(const struct reverse_play *play, const struct reverse_position *position) {
    if (!play->allow_box_on_goal) {
        if (is_goal(play, position->player))
            return 0;
        for (int i = 0; i < play->boxes; i++)
            if (is_goal(play, position->boxes[i]))
                return 0;
    }
    return (int64_t)position->box_swaps * reverse_play_displacement(play, position);
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

/* One step of the player from `from` in a direction, pulling box number `box` - 1 along if box is not 0. The boxes of
 * `from` are on the board. */
struct step {
    uint32_t from;
    int direction, offset, box;
};

/* Records the position after the step if it is new; returns whether it was. */
static bool try_step(struct reverse_play *play, const struct step *step, uint64_t boxes_key) {
    const struct reverse_position *from = position_at(play, step->from);
    int cells = play->room->width * play->room->height;
    int player = from->player + step->offset, behind = from->player - step->offset;
    if (step->box) {
        boxes_key ^= play->keys[behind] ^ play->keys[from->player];
        play->on_cell[behind] = 0;
        play->on_cell[from->player] = (uint16_t)step->box;
    }
    bool added = enter(play, boxes_key ^ play->keys[cells + player], player);
    if (step->box) {
        play->on_cell[from->player] = 0;
        play->on_cell[behind] = (uint16_t)step->box;
    }
    if (!added)
        return false;
    struct reverse_position *to = position_at(play, play->found++);
    memcpy(to, from, play->position_size);
    to->parent = step->from;
    to->player = (uint16_t)player;
    to->depth++;
    to->direction = (uint8_t)step->direction;
    to->pulled = step->box != 0;
    if (step->box) {
        to->boxes[step->box - 1] = from->player;
        to->box_swaps += to->last_box != step->box - 1;
        to->last_box = (uint16_t)(step->box - 1);
    }
    return true;
}

/* A random order of the four directions, and for each whether the pull comes first. */
struct order {
    uint8_t directions[4];
    unsigned pull_first;
};

static struct order draw_order(soloist_rng *rng) {
    struct order order = {{0, 1, 2, 3}, 0};
    uint32_t draw = soloist_rng_below(rng, 24 * 16);
    order.pull_first = draw & 15;
    draw >>= 4;
    for (uint32_t left = 4; left > 1; left--) {
        uint32_t pick = draw % left;
        draw /= left;
        uint8_t last = order.directions[left - 1];
        order.directions[left - 1] = order.directions[pick];
        order.directions[pick] = last;
    }
    return order;
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
        try_step(play, &(struct step){index, direction, offset, pull_first ? box : 0}, key);
        if (box)
            try_step(play, &(struct step){index, direction, offset, pull_first ? 0 : box}, key);
    }
    place_boxes(play, position, false);
}

/* Makes position 0, with the boxes on the goals. */
static void set_up(struct reverse_play *play, const uint16_t *goals, int player) {
    struct reverse_position *solved = position_at(play, 0);
    int cells = play->room->width * play->room->height;
    uint64_t key = play->keys[cells + player];
    memset(play->slots, 0, (play->slot_mask + (size_t)1) * sizeof *play->slots);
    memset(solved, 0, play->position_size);
    memcpy(play->goals, goals, (size_t)play->boxes * sizeof *goals);
    memcpy(solved->boxes, goals, (size_t)play->boxes * sizeof *goals);
    solved->player = (uint16_t)player;
    solved->last_box = NO_BOX;
    for (int i = 0; i < play->boxes; i++)
        key ^= play->keys[goals[i]];
    play->found = 0;
    enter(play, key, player);
    play->found = 1;
    play->best = 0;
    play->best_score = 0;
}

int64_t reverse_play_run(struct reverse_play *play, const uint16_t *goals, int player, soloist_rng *rng) {
    uint32_t waiting = 0;
    set_up(play, goals, player);
    play->stack[waiting++] = 0;
    while (waiting && play->found < play->most_positions) {
        uint32_t index = play->stack[--waiting];
        if (position_at(play, index)->depth >= play->most_depth)
            continue;
        uint32_t first = play->found;
        expand(play, index, rng);
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
