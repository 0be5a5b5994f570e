/* The path that a distributed search displays to somebody who watches it. A node stores only its parent, which usually
 * belongs to another rank. So rank 0 follows the path from the state that it expanded last back to the root by asking
 * one rank after another. A complete path is displayed until the next one is complete. If nobody watches, rank 0 does
 * not ask. */
#include "search/best_first/distributed_rank.h"
#include "search/picture.h"

#include <stdlib.h>
#include <string.h>

enum {
    look_least = 256,     /* states that rank 0 expands between two lines, or */
    look_part = 64,       /* this part of all that it has expanded, so that asking costs nothing in a long search */
    longest_line = 100000 /* moves of equal cost may lead in a circle */
};

/* The collected moves are turned around, because they begin with the last one. */
static void show_line(struct distributed_look *look) {
    struct search_line shown = look->line;
    for (size_t i = 0, j = shown.count; i + 1 < j; i++) {
        soloist_move move = shown.moves[i];
        shown.moves[i] = shown.moves[--j];
        shown.moves[j] = move;
    }
    look->line = look->shown;
    look->shown = shown;
    look->is_asking = false;
}

void distributed_take_look(struct distributed_rank *rank, const struct distributed_trace *trace,
                           const soloist_move *moves) {
    struct distributed_look *look = &rank->look;
    struct search_line *line = &look->line;
    size_t count = line->count + trace->count;
    if (count > longest_line ||
        (count > line->room && !search_line_reserve(line, 2 * count, &rank->run->budget->memory))) {
        look->is_asking = false;
        return;
    }
    if (trace->count)
        memcpy(line->moves + line->count, moves, trace->count * sizeof *moves);
    line->count = count;
    look->at = *trace;
    look->is_due = trace->rank >= 0;
    if (trace->rank < 0)
        show_line(look);
}

static void begin(struct distributed_rank *rank) {
    struct distributed_look *look = &rank->look;
    look->next = rank->expanded + (rank->expanded / look_part > look_least ? rank->expanded / look_part : look_least);
    look->is_asking = look->is_due = true;
    look->line.count = 0;
    look->at = (struct distributed_trace){.index = look->latest};
}

void distributed_look_on(struct distributed_rank *rank) {
    struct distributed_look *look = &rank->look;
    bool leads = rank->peers->rank == 0;
    if (leads && rank->run->budget->watch && rank->expanded && !look->is_asking && rank->expanded >= look->next)
        begin(rank);
    while (look->is_due) {
        look->is_due = false;
        if (look->at.rank == rank->peers->rank)
            distributed_answer_look(rank, look->at.index);
        else
            distributed_send(rank, look->at.rank, TAG_LOOK, &look->at.index, sizeof look->at.index);
    }
}

void distributed_paint_line(const struct distributed_rank *rank, struct search_picture *picture) {
    const struct search_line *line = &rank->look.shown;
    if (!line->moves)
        return;
    picture_depth(picture, (int64_t)line->count);
    picture_line(picture, rank->run, line->moves, line->count);
}

void distributed_close_look(struct distributed_rank *rank) {
    free(rank->look.line.moves);
    free(rank->look.shown.moves);
}
