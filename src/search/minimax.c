/* Minimax with alpha-beta cuts (Knuth and Moore 1975) for two-player games: searches every sequence of moves to the end
 * of play, without a transposition table. It proves the value of small games; sampling searches for two players are
 * compared with it. */
#include "search/picture.h"

#include <string.h>

/* One ply on the way down: its moves, how many of them were tried, the best value so far and the line that leads to it.
 */
struct ply {
    int count, next;
    bool wants_most;
    int32_t sum;         /* sum of the steps so far */
    int32_t alpha, beta; /* values outside this window cannot change the result at the root */
    int32_t best;
    soloist_move *moves, *line;
    int line_length;
    unsigned char *state;
};

struct minimax {
    struct search_run *run;
    struct ply *plies;
    unsigned char *block;
    size_t block_size;
    int room;  /* number of plies allocated */
    int depth; /* the ply at which the search is */
};

static bool minimax_open(struct minimax *m, struct search_run *run) {
    struct memory *memory = &run->budget->memory;
    size_t state = memory_round_up(run->shape.state_size);
    size_t moves = (size_t)run->shape.most_moves * sizeof(soloist_move);
    *m = (struct minimax){.run = run, .room = run->shape.most_steps + 1};
    size_t line = (size_t)m->room * sizeof(soloist_move), each = state + memory_round_up(moves + line);
    m->block_size = (size_t)m->room * each;
    m->plies = memory_take(memory, (size_t)m->room * sizeof *m->plies);
    m->block = memory_take(memory, m->block_size);
    for (int i = 0; m->plies && m->block && i < m->room; i++) {
        unsigned char *own = m->block + (size_t)i * each;
        m->plies[i].state = own;
        m->plies[i].moves = (soloist_move *)(own + state);
        m->plies[i].line = m->plies[i].moves + run->shape.most_moves;
    }
    return m->plies && m->block;
}

static void minimax_close(struct minimax *m) {
    struct memory *memory = &m->run->budget->memory;
    memory_give(memory, m->plies, (size_t)m->room * sizeof *m->plies);
    memory_give(memory, m->block, m->block_size);
}

/* Enters a state. True if play ends there; *value is then the value of the line. */
static bool enter(struct minimax *m, struct ply *ply, int32_t *value) {
    const struct search_run *run = m->run;
    int32_t last = 0;
    ply->line_length = 0;
    if (run->domain->core->ended(run->instance, ply->state, &last)) {
        *value = ply->sum + last;
        return true;
    }
    ply->count = run->domain->core->moves(run->instance, ply->state, ply->moves);
    ply->next = 0;
    ply->wants_most = run->domain->core->turn(run->instance, ply->state) == 0;
    ply->best = ply->wants_most ? INT32_MIN : INT32_MAX;
    return false;
}

/* Updates the best move of this ply: `move` has this value, and `below` has the line that follows it. */
static void settle(struct ply *ply, soloist_move move, int32_t value, const struct ply *below) {
    if (ply->wants_most ? value <= ply->best : value >= ply->best)
        return;
    ply->best = value;
    ply->line[0] = move;
    memcpy(ply->line + 1, below->line, (size_t)below->line_length * sizeof *ply->line);
    ply->line_length = below->line_length + 1;
    if (ply->wants_most && value > ply->alpha)
        ply->alpha = value;
    if (!ply->wants_most && value < ply->beta)
        ply->beta = value;
}

static void paint(const void *subject, struct search_picture *picture) {
    const struct minimax *m = subject;
    picture_kind(picture, SOLOIST_PICTURE_DIVES);
    picture_begin_line(picture, NULL, 0);
    for (int depth = 0; depth <= m->depth; depth++) {
        const struct ply *ply = &m->plies[depth];
        picture_count(picture, SOLOIST_AXIS_DEPTH, 0, depth + 1, (uint64_t)(ply->count - ply->next));
        if (depth < m->depth)
            picture_add_move(picture, ply->moves[ply->next - 1]);
    }
    picture_depth(picture, m->depth);
    picture_line(picture, m->run, picture->moves, picture->move_count);
}

/* Searches the whole tree. False if a limit stopped it. */
static bool walk(struct minimax *m) {
    struct search_run *run = m->run;
    int depth = 0;
    int32_t value;
    while (depth >= 0) {
        struct ply *ply = &m->plies[depth];
        if (ply->next == ply->count || ply->alpha >= ply->beta) {
            if (--depth >= 0)
                settle(ply - 1, ply[-1].moves[ply[-1].next - 1], ply->best, ply);
            continue;
        }
        m->depth = depth;
        if (search_spent(run) || !search_count_nodes(run, 1))
            return false;
        struct ply *below = ply + 1;
        soloist_move move = ply->moves[ply->next++];
        memcpy(below->state, ply->state, run->shape.state_size);
        below->sum = ply->sum + run->domain->core->apply(run->instance, below->state, move, NULL);
        below->alpha = ply->alpha, below->beta = ply->beta;
        if (enter(m, below, &value))
            settle(ply, move, value, below);
        else
            depth++;
    }
    return true;
}

static bool has_end(const struct search_run *run) {
    return run->shape.most_steps > 0 ||
           soloist_fail(run->error, 0, 0, "minimax needs a game of limited length; that of %s is not limited",
                        run->domain->name);
}

static soloist_code minimax_run(struct search_run *run) {
    struct minimax m;
    int32_t value;
    bool opened = minimax_open(&m, run), done = false;
    if (opened) {
        struct ply *root = m.plies;
        run->domain->life->root(run->instance, root->state);
        root->alpha = INT32_MIN, root->beta = INT32_MAX;
        search_show(run, paint, &m);
        done = !enter(&m, root, &value) && walk(&m);
        search_hide(run);
        if (done && search_record(run, root->line, (size_t)root->line_length, root->best))
            run->optimal = true;
    }
    minimax_close(&m);
    return opened ? SOLOIST_OK : search_full(run);
}

const struct search_method search_minimax = {
    .name = "minimax",
    .summary = "alpha-beta search for two players, without a depth limit; proves the value of the game",
    .needs = SEARCH_NEEDS_TWO_PLAYERS,
    .suits = has_end,
    .ignores = search_ignores_all,
    .run = minimax_run,
    .proves = search_proves_always,
};
