/* Nested Monte-Carlo search (Cazenave 2009): a level plays a game. At each step the level tries every move, followed by
 * a game of the level below. It then plays the next move of the best line found so far; this line is kept from step to
 * step. */
#include "search/nested/nested.h"

#include <assert.h>
#include <string.h>

static void play_level(struct nested_worker *worker, int level, int count);

/* Keeps a line of the level below, or of a play-out, if it is the best of the level's game. */
void nested_keep(struct nested_worker *worker, int level, int64_t score, const soloist_move *moves, int count) {
    struct nested_game *own = &worker->games[level];
    if (score <= own->score)
        return;
    own->score = score;
    own->count = count;
    if (count)
        memcpy(own->moves, moves, (size_t)count * sizeof *moves);
}

void nested_sample(struct nested_worker *worker, int level, const void *walk, int count) {
    struct nested_game *scratch = &worker->games[0];
    nested_walk_copy(worker->nested, worker->start, walk);
    worker->start_count = count;
    if (!nested_play_out(worker, &worker->levels[0].policy))
        return;
    scratch->count = nested_whole(worker, &worker->line, scratch->moves);
    nested_keep(worker, level, worker->line.score, scratch->moves, scratch->count);
}

/* Plays a game of the level below from its current walk. */
static void call_below(struct nested_worker *worker, int level, int count) {
    struct nested_game *below = &worker->games[level - 1];
    if (level == 1) {
        nested_sample(worker, 1, below->walk, count);
    } else {
        play_level(worker, level - 1, count);
        nested_keep(worker, level, below->score, below->moves, below->count);
    }
}

int nested_step(struct nested_worker *worker, void *walk, int chosen) {
    assert(chosen >= 0);
    const soloist_choice *choice = (const soloist_choice *)walk + chosen;
    worker->prefix[worker->prefix_count++] = choice->move;
    worker->prefix_value = search_sum(worker->prefix_value, choice->gain);
    return nested_walk_play(worker, walk, chosen);
}

static void try_move(struct nested_worker *worker, int level, int chosen) {
    struct nested_game *own = &worker->games[level], *below = own - 1;
    int before = worker->prefix_count;
    int32_t value = worker->prefix_value;
    nested_walk_copy(worker->nested, below->walk, own->walk);
    int count = nested_step(worker, below->walk, chosen);
    call_below(worker, level, count);
    worker->prefix_count = before;
    worker->prefix_value = value;
}

/* Plays a game from games[level].walk on, where there are `count` choices; its moves so far are in worker->prefix. The
 * best line is left in games[level], and the prefix is restored. */
static void play_level(struct nested_worker *worker, int level, int count) {
    struct nested_game *own = &worker->games[level];
    int before = worker->prefix_count;
    int32_t value = worker->prefix_value;
    own->score = NESTED_NO_SCORE;
    if (!count || before >= worker->nested->length) {
        nested_sample(worker, level, own->walk, count);
        return;
    }
    do {
        for (int i = 0; i < count && !worker->stopped; i++) {
            own->done = i, own->of = count;
            try_move(worker, level, i);
        }
        if (worker->stopped)
            break;
        /* If the node limit cut off the best line here, it has no next move; then another thread is about to end the
         * run. */
        bool goes_on = own->count > worker->prefix_count;
        int chosen = goes_on ? nested_place(own->walk, count, own->moves[worker->prefix_count]) : -1;
        if (chosen < 0)
            break;
        count = nested_step(worker, own->walk, chosen);
    } while (count && worker->prefix_count < worker->nested->length);
    worker->prefix_count = before;
    worker->prefix_value = value;
}

void nested_nmcs(struct nested_worker *worker, int level) {
    nested_walk_copy(worker->nested, worker->games[level].walk, worker->start);
    play_level(worker, level, worker->start_count);
}
