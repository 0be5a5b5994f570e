/* Where play-outs begin: at the root, or after the first moves of a line; these moves are then fixed. */
#include "search/nested/nested.h"

#include <string.h>

int nested_place(const soloist_choice *choices, int count, soloist_move move) {
    for (int i = 0; i < count; i++)
        if (choices[i].move == move)
            return i;
    return -1;
}

void nested_start(struct nested_worker *worker, const soloist_move *moves, int count) {
    const soloist_choice *choices = worker->start;
    worker->start_count = nested_walk_open(worker, worker->start, worker->rule);
    worker->prefix_count = 0;
    worker->prefix_value = 0;
    if (worker->bias)
        nested_bias_start(worker->bias);
    for (int i = 0; i < count; i++) {
        int chosen = nested_place(choices, worker->start_count, moves[i]);
        if (chosen < 0)
            return;
        worker->prefix[worker->prefix_count++] = moves[i];
        worker->prefix_value = search_sum(worker->prefix_value, choices[chosen].gain);
        if (worker->bias)
            nested_bias_start_step(worker->bias, moves[i]);
        worker->start_count = nested_walk_play(worker, worker->start, chosen);
    }
}

int nested_whole(const struct nested_worker *worker, const struct nested_line *line, soloist_move *moves) {
    if (worker->prefix_count)
        memcpy(moves, worker->prefix, (size_t)worker->prefix_count * sizeof *moves);
    for (int i = 0; i < line->count; i++)
        moves[worker->prefix_count + i] = line->steps[i].move;
    return worker->prefix_count + line->count;
}
