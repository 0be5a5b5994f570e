#include "search/special/sokoban/polish_line.h"

#include <stdlib.h>

static bool is_free(const struct sokoban *game, const uint64_t *boxes, int square) {
    return sokoban_is_floor(game, square) && !bitset_has(boxes, (unsigned)square);
}

/* The number of steps that the player needs from one square to another; -1: there is no path. */
static int32_t walk_to(const struct sokoban *game, const uint64_t *boxes, int from, int to) {
    uint64_t free[SOKOBAN_WORDS], reach[SOKOBAN_WORDS] = {0};
    int32_t steps = 0;
    for (int i = 0; i < game->words; i++)
        free[i] = game->floor[i] & ~boxes[i];
    bitset_add(reach, (unsigned)from);
    for (; !bitset_has(reach, (unsigned)to); steps++)
        if (!board_step(free, reach, game->stride, game->words))
            return -1;
    return steps;
}

static struct polish_weights weigh(struct polish_aim aim) {
    static const int shift[POLISH_COUNTS] = {96, 64, 42, 21, 0};
    struct polish_weights weights = {.aim = aim};
    for (int i = 0; i < aim.count; i++)
        weights.one[aim.order[i]] = (polish_cost)1 << shift[i];
    weights.walks = aim.count != 1 || aim.order[0] != POLISH_COUNT_PUSHES;
    weights.recent = weights.one[POLISH_COUNT_BOX_LINES] || weights.one[POLISH_COUNT_BOX_CHANGES];
    return weights;
}

polish_cost polish_counts_cost(const struct polish_weights *weights, const struct sokoban_counts *counts) {
    const polish_cost *one = weights->one;
    return (uint64_t)counts->pushes * one[POLISH_COUNT_PUSHES] + (uint64_t)counts->moves * one[POLISH_COUNT_MOVES] +
           (uint64_t)counts->box_lines * one[POLISH_COUNT_BOX_LINES] +
           (uint64_t)counts->box_changes * one[POLISH_COUNT_BOX_CHANGES] +
           (uint64_t)counts->pushing_sessions * one[POLISH_COUNT_SESSIONS];
}

polish_cost polish_play(const struct sokoban *game, const struct polish_weights *weights, uint64_t *boxes, int *player,
                        soloist_move last, soloist_move push) {
    int box = sokoban_push_box(push), step = game->step[push & 3], stand = box - step;
    if (!bitset_has(boxes, (unsigned)box) || !is_free(game, boxes, box + step) || !is_free(game, boxes, stand))
        return POLISH_FAR;
    int32_t steps = walk_to(game, boxes, *player, stand);
    if (steps < 0)
        return POLISH_FAR;
    bitset_remove(boxes, (unsigned)box);
    bitset_add(boxes, (unsigned)(box + step));
    *player = box;
    return polish_push_cost(weights, game, last, push, steps + 1);
}

static bool take_room(struct polish_line *line, size_t count) {
    size_t words = (size_t)line->game->words;
    line->pushes = malloc((count + 1) * sizeof *line->pushes);
    line->boxes = malloc((count + 1) * words * sizeof *line->boxes);
    line->player = malloc((count + 1) * sizeof *line->player);
    line->cost = malloc((count + 1) * sizeof *line->cost);
    return line->pushes && line->boxes && line->player && line->cost;
}

static bool play_all(struct polish_line *line, const soloist_move *pushes, size_t count) {
    const struct sokoban *game = line->game;
    size_t words = (size_t)game->words;
    int player = game->root_player;
    memcpy(line->boxes, game->root_boxes, words * sizeof *line->boxes);
    line->player[0] = (uint16_t)player;
    line->cost[0] = 0;
    for (size_t i = 0; i < count; i++) {
        uint64_t *after = line->boxes + (i + 1) * words;
        memcpy(after, line->boxes + i * words, words * sizeof *after);
        polish_cost cost =
            polish_play(game, &line->weights, after, &player, i ? pushes[i - 1] : SOLOIST_NO_MOVE, pushes[i]);
        if (cost == POLISH_FAR)
            return false;
        line->pushes[i] = pushes[i];
        line->player[i + 1] = (uint16_t)player;
        line->cost[i + 1] = line->cost[i] + cost;
    }
    line->count = count;
    return true;
}

bool polish_line_open(struct polish_line *line, const struct sokoban *game, struct polish_aim aim,
                      const soloist_move *pushes, size_t count) {
    *line = (struct polish_line){.game = game, .weights = weigh(aim)};
    if (take_room(line, count) && play_all(line, pushes, count))
        return true;
    polish_line_close(line);
    return false;
}

void polish_line_close(struct polish_line *line) {
    free(line->pushes);
    free(line->boxes);
    free(line->player);
    free(line->cost);
    *line = (struct polish_line){.game = line->game, .weights = line->weights};
}

void polish_line_set_aim(struct polish_line *line, struct polish_aim aim) {
    uint64_t boxes[SOKOBAN_WORDS];
    line->weights = weigh(aim);
    for (size_t i = 0; i < line->count; i++) {
        int player = line->player[i];
        memcpy(boxes, polish_line_boxes(line, i), (size_t)line->game->words * sizeof *boxes);
        line->cost[i + 1] = line->cost[i] + polish_play(line->game, &line->weights, boxes, &player,
                                                        polish_line_last(line, i), line->pushes[i]);
    }
}

bool polish_line_splice(struct polish_line *line, size_t from, size_t to, const soloist_move *middle, size_t count) {
    struct polish_line fresh;
    size_t total = line->count - (to - from) + count;
    soloist_move *pushes = malloc((total + 1) * sizeof *pushes);
    if (!pushes)
        return false;
    memcpy(pushes, line->pushes, from * sizeof *pushes);
    memcpy(pushes + from, middle, count * sizeof *pushes);
    memcpy(pushes + from + count, line->pushes + to, (line->count - to) * sizeof *pushes);
    bool good = polish_line_open(&fresh, line->game, line->weights.aim, pushes, total);
    free(pushes);
    if (!good || polish_line_total(&fresh) >= polish_line_total(line)) {
        polish_line_close(&fresh);
        return false;
    }
    polish_line_close(line);
    *line = fresh;
    return true;
}

bool polish_spent(struct polish *polish) {
    polish->progress.best = (int32_t)polish->line.count;
    polish->progress.has_best = true;
    return budget_spent(polish->budget, &polish->progress);
}

int polish_count_nodes(struct polish *polish, int count) {
    uint64_t limit = polish->budget->limits.nodes, used = atomic_load(&polish->budget->nodes);
    uint64_t left = used < limit ? limit - used : 0;
    if (limit && left < (uint64_t)count)
        count = (int)left;
    budget_count_nodes(polish->budget, (uint64_t)count);
    return count;
}
