/* Makes levels by algorithm 3.1 of Ge 2018: rooms are carved and placements tried until reverse play finds a position
 * with a score above 0. Levels are solvable by construction: the reversed play is the solution. */
#include "domain/sokoban/generate/generator.h"

#include "domain/sokoban/generate/reverse_play.h"
#include "domain/sokoban/generate/room.h"

#include <stdlib.h>
#include <string.h>

#define MOST_BYTES ((size_t)1 << 30)

enum { QUICK_POSITIONS = 10000 };

static soloist_code refuse(soloist_code code, soloist_error *error, const char *text) {
    soloist_fail(error, 0, 0, "%s", text);
    return code;
}

/* Rejects options that cannot work. */
static soloist_code check(const struct sokoban_generate_options *options, soloist_error *error) {
    int64_t inside = (options->width - 2) * (options->height - 2);
    int64_t needed = options->boxes + 1 + (options->allow_box_on_goal ? 0 : options->boxes);
    if (needed > inside) {
        soloist_fail(error, 0, 0,
                     "%lld boxes%s need %lld free cells, a board of %lld x %lld has at most %lld inside its walls",
                     (long long)options->boxes, options->allow_box_on_goal ? "" : " off their goals", (long long)needed,
                     (long long)options->width, (long long)options->height, (long long)inside);
        return SOLOIST_BAD_INPUT;
    }
    if (reverse_play_bytes((int)(options->width * options->height), (int)options->boxes, options->total_positions) >
        MOST_BYTES)
        return refuse(
            SOLOIST_BAD_INPUT, error,
            "that many positions with that many boxes need more than 1 GiB: expected a smaller total_positions");
    return SOLOIST_OK;
}

/* Chooses `count` different tiles at random and moves them to the front of the list. */
static void draw_tiles(uint16_t *tiles, int of, int count, soloist_rng *rng) {
    for (int i = 0; i < count; i++) {
        int pick = i + (int)soloist_rng_below(rng, (uint32_t)(of - i));
        uint16_t tile = tiles[i];
        tiles[i] = tiles[pick];
        tiles[pick] = tile;
    }
}

/* Places goals and player, and plays backwards; true if a position scores above 0. */
static bool try_placement(struct reverse_play *play, struct sokoban_level *room, uint16_t *tiles, int count,
                          soloist_rng *rng) {
    draw_tiles(tiles, count, play->boxes + 1, rng);
    for (int i = 0; i < count; i++)
        room->cells[tiles[i]] = SOKOBAN_INSIDE;
    for (int i = 1; i <= play->boxes; i++)
        room->cells[tiles[i]] |= SOKOBAN_GOAL;
    return reverse_play_run(play, tiles + 1, tiles[0], rng) > 0;
}

static bool is_stopped(const struct reverse_play *play) { return play->stop && soloist_stopped(play->stop); }

static bool try_rooms(const struct sokoban_generate_options *options, struct reverse_play *play,
                      struct sokoban_level *room, soloist_rng *rng) {
    uint16_t tiles[SOKOBAN_MOST_SIDE * SOKOBAN_MOST_SIDE];
    int64_t steps = (int64_t)(options->walk_steps_factor * (double)(options->width + options->height) + 0.5);
    for (int64_t tries = 0; tries < options->max_room_tries && !is_stopped(play); tries++) {
        room_carve(room, steps, options->new_direction_prob, rng);
        int count = room_tiles(room, tiles);
        if (count <= play->boxes)
            continue;
        for (int64_t j = 0; j < options->max_position_tries && !is_stopped(play); j++)
            if (try_placement(play, room, tiles, count, rng))
                return true;
    }
    return false;
}

static bool take_best(const struct reverse_play *play, struct sokoban_generated *made) {
    const struct reverse_position *best = reverse_play_position(play, play->best);
    made->score = play->best_score;
    made->box_swaps = best->box_swaps;
    made->displacement = (int)best->displacement;
    made->level.player = best->player;
    made->level.boxes = made->level.goals = play->boxes;
    for (int i = 0; i < play->boxes; i++)
        made->level.cells[best->boxes[i]] |= SOKOBAN_BOX;
    made->solution = malloc((size_t)best->depth + 1);
    if (!made->solution)
        return false;
    reverse_play_solution(play, made->solution);
    /* Steps after the last push are needless. */
    for (made->depth = best->depth; made->depth && made->solution[made->depth - 1] >= 'a';)
        made->solution[--made->depth] = 0;
    return true;
}

static int64_t draw_between(int64_t least, int64_t most, soloist_rng *rng) {
    return most > least ? least + soloist_rng_below(rng, (uint32_t)(most - least + 1)) : least;
}

/* Makes one level of exactly the size and number of boxes in the options. */
static soloist_code generate_exactly(const struct sokoban_generate_options *options, soloist_rng *rng,
                                     soloist_stop_token *stop, struct sokoban_generated *made, soloist_error *error) {
    struct reverse_play play;
    soloist_code code = check(options, error);
    if (code)
        return code;
    memset(made, 0, sizeof *made);
    made->level.width = (int)options->width;
    made->level.height = (int)options->height;
    if (!reverse_play_open(&play, &made->level, (int)options->boxes, options->total_positions,
                           options->max_action_depth, options->allow_box_on_goal))
        return refuse(SOLOIST_NO_MEMORY, error, "no memory for the positions of reverse play");
    play.stop = stop;
    bool found = try_rooms(options, &play, &made->level, rng);
    if (is_stopped(&play))
        code = refuse(SOLOIST_STOPPED, error, "stopped before a level was found");
    else if (!found)
        code = refuse(SOLOIST_BAD_INPUT, error,
                      "no level was found within max_room_tries: try fewer boxes, a larger board, a longer walk "
                      "or more positions");
    else if (!take_best(&play, made))
        code = refuse(SOLOIST_NO_MEMORY, error, "no memory for the solution");
    reverse_play_close(&play);
    return code;
}

soloist_code sokoban_generate_level(const struct sokoban_generate_options *options, soloist_rng *rng,
                                    soloist_stop_token *stop, struct sokoban_generated *made, soloist_error *error) {
    struct sokoban_generate_options exact = *options;
    if ((options->most_width && options->most_width < options->width) ||
        (options->most_height && options->most_height < options->height) ||
        (options->most_boxes && options->most_boxes < options->boxes))
        return refuse(SOLOIST_BAD_INPUT, error,
                      "most_width, most_height and most_boxes must not be less than width, height and boxes");
    exact.width = draw_between(options->width, options->most_width, rng);
    exact.height = draw_between(options->height, options->most_height, rng);
    exact.boxes = draw_between(options->boxes, options->most_boxes, rng);
    return generate_exactly(&exact, rng, stop, made, error);
}

soloist_code sokoban_generate_within(const void *options, bool quickly, soloist_rng *rng, soloist_stop_token *stop,
                                     const soloist_sink *sink, soloist_error *error) {
    struct sokoban_generate_options chosen = *(const struct sokoban_generate_options *)options;
    struct sokoban_generated made;
    if (quickly && chosen.total_positions > QUICK_POSITIONS)
        chosen.total_positions = QUICK_POSITIONS;
    chosen.solution &= !quickly;
    soloist_code code = sokoban_generate_level(&chosen, rng, stop, &made, error);
    if (code)
        return code;
    soloist_print(sink, "; score %lld (%d box swaps x displacement %d), depth %d\n", (long long)made.score,
                  made.box_swaps, made.displacement, made.depth);
    sokoban_level_print(&made.level, sink);
    if (chosen.solution) {
        soloist_put(sink, "Solution: ");
        soloist_put(sink, made.solution);
        soloist_put(sink, "\n");
    }
    soloist_put(sink, "\n");
    free(made.solution);
    return SOLOIST_OK;
}

static soloist_code make(const void *options, soloist_rng *rng, const soloist_sink *sink, soloist_error *error) {
    return sokoban_generate_within(options, false, rng, NULL, sink, error);
}

const soloist_generate sokoban_generate = {
    .size = sizeof(soloist_generate),
    .options = sokoban_generate_options_rows,
    .options_size = sizeof(struct sokoban_generate_options),
    .make = make,
};
