/* Reorders the pushes: a run of pushes of one box (here called a session) is moved to an earlier or later place among
 * the other runs. The run stays there if every push is still legal and the line gets cheaper. The pushes themselves
 * remain the same, but the player walks less between them. */
#include "search/special/sokoban/polish_line.h"

#include <stdlib.h>

/* Sets starts[i] to the first push of session i, and the element after the last session to the number of pushes.
 * Returns the number of sessions. */
static size_t find_sessions(const struct polish_line *line, size_t *starts) {
    size_t count = 0;
    int box = -1;
    for (size_t i = 0; i < line->count; i++) {
        if (sokoban_push_box(line->pushes[i]) != box)
            starts[count++] = i;
        box = sokoban_push_end(line->game, line->pushes[i]);
    }
    starts[count] = line->count;
    return count;
}

/* The cost of these pushes from position `from` on, plus that of the line's next push after them. POLISH_FAR: a push is
 * illegal, or the cost reaches `most`. */
static polish_cost cost_of(const struct polish_line *line, size_t from, const soloist_move *pushes, size_t count,
                           polish_cost most) {
    uint64_t boxes[SOKOBAN_WORDS];
    int player = line->player[from];
    polish_cost sum = 0;
    soloist_move last = polish_line_last(line, from);
    memcpy(boxes, polish_line_boxes(line, from), (size_t)line->game->words * sizeof *boxes);
    for (size_t i = 0; i < count; i++) {
        polish_cost cost = polish_play(line->game, &line->weights, boxes, &player, last, pushes[i]);
        if (cost == POLISH_FAR || (sum += cost) >= most)
            return POLISH_FAR;
        last = pushes[i];
    }
    if (from + count == line->count)
        return sum;
    polish_cost next = polish_play(line->game, &line->weights, boxes, &player, last, line->pushes[from + count]);
    return next == POLISH_FAR ? POLISH_FAR : sum + next;
}

/* Swaps the neighbouring runs first .. middle - 1 and middle .. end - 1 if that is cheaper. */
static bool try_swap(struct polish_line *line, size_t first, size_t middle, size_t end, soloist_move *room) {
    size_t head = middle - first, tail = end - middle;
    polish_cost now = line->cost[end < line->count ? end + 1 : end] - line->cost[first];
    memcpy(room, line->pushes + middle, tail * sizeof *room);
    memcpy(room + tail, line->pushes + first, head * sizeof *room);
    return cost_of(line, first, room, head + tail, now) < now &&
           polish_line_splice(line, first, end, room, head + tail);
}

/* Tries to move session i to an earlier or later place, past up to `most` other sessions. */
static bool try_session(struct polish *polish, const size_t *starts, size_t sessions, size_t i, size_t most,
                        soloist_move *room) {
    struct polish_line *line = &polish->line;
    for (size_t k = 1; k <= most && k <= i; k++)
        if (try_swap(line, starts[i - k], starts[i], starts[i + 1], room))
            return true;
    for (size_t k = 2; k <= most && i + k < sessions; k++)
        if (try_swap(line, starts[i], starts[i + 1], starts[i + 1 + k], room))
            return true;
    return false;
}

bool polish_order(struct polish *polish, int most) {
    struct polish_line *line = &polish->line;
    size_t *starts = malloc((line->count + 1) * sizeof *starts);
    soloist_move *room = malloc((line->count + 1) * sizeof *room);
    bool helped = false;
    size_t sessions = starts && room ? find_sessions(line, starts) : 0;
    for (size_t i = 0; i < sessions && !polish_spent(polish);) {
        polish_count_nodes(polish, most);
        if (try_session(polish, starts, sessions, i, (size_t)most, room)) {
            helped = true;
            sessions = find_sessions(line, starts);
            i = i > (size_t)most ? i - (size_t)most : 0;
        } else {
            i++;
        }
    }
    free(starts);
    free(room);
    return helped;
}
