/* Bi-directional Monte-Carlo tree search (Spoerer 2021), and the uni-directional search with which the paper compares
 * it: the same four operators on a single tree. A play-out that reaches the goal makes its leaf promising but does not
 * end the search; the search ends when a leaf is itself a goal or its state is in the opposing tree. */
#include "search/mcts/bimcts.h"

#include <stdio.h>
#include <string.h>

/* An instance with more goals than this is refused, because each goal becomes a child of one node. */
enum { most_goals = 1 << 16 };

/* ---- life ---- */

/* The longest line to look for: the instance's longest line or, if lines may be of any length, a length well above the
 * root's bound. */
static int find_length(const struct search_run *run, const struct bimcts_options *options) {
    if (options->length)
        return (int)options->length;
    if (run->shape.most_steps)
        return run->shape.most_steps;
    return run->proof_known && run->proof < 100000 ? 2 * run->proof + 32 : 1000;
}

/* Allocates one block for states, lists and the moves of a play-out. */
static bool open_scratch(struct bimcts *search) {
    const struct search_run *run = search->run;
    size_t state = memory_round_up(run->shape.state_size), packed = memory_round_up(search_packed_size(run));
    size_t most = (size_t)run->shape.most_moves, moves = memory_round_up(most * sizeof(soloist_move));
    size_t children = memory_round_up(most * sizeof(soloist_child));
    search->scratch_size = 2 * state + packed + moves + children + (size_t)search->length * sizeof(soloist_move);
    unsigned char *at = memory_take(&run->budget->memory, search->scratch_size);
    if (!at)
        return false;
    search->state = at, at += state;
    search->child = at, at += state;
    search->packed = at, at += packed;
    search->moves = (soloist_move *)(void *)at, at += moves;
    search->children = (soloist_child *)(void *)at, at += children;
    search->trace = (soloist_move *)(void *)at;
    return true;
}

static bool open_all(struct bimcts *search) {
    int direction = search->options->direction;
    return open_scratch(search) && bimcts_open_side(search, BIMCTS_DOWN, direction != BIMCTS_UP_ONLY) &&
           bimcts_open_side(search, BIMCTS_UP, direction != BIMCTS_DOWN_ONLY);
}

static void close_all(struct bimcts *search) {
    bimcts_close_side(search, BIMCTS_DOWN);
    bimcts_close_side(search, BIMCTS_UP);
    memory_give(&search->run->budget->memory, search->state, search->scratch_size);
}

static soloist_code find_goals(struct bimcts *search) {
    struct search_run *run = search->run;
    struct bimcts_side *up = &search->side[BIMCTS_UP];
    while (run->domain->reverse->goal(run->instance, up->root_count, search->state)) {
        if (up->root_count == most_goals) {
            soloist_fail(run->error, 0, 0,
                         "bimcts also searches from the goals, and this %s has more than %d goal states",
                         run->domain->name, (int)most_goals);
            return SOLOIST_UNSUPPORTED;
        }
        if (!bimcts_add_root(search, BIMCTS_UP))
            return search_full(run);
    }
    return SOLOIST_OK;
}

static soloist_code find_roots(struct bimcts *search) {
    struct search_run *run = search->run;
    soloist_code code = SOLOIST_OK;
    for (int s = 0; s < 2 && code == SOLOIST_OK; s++) {
        if (!search->side[s].grows)
            continue;
        run->domain->life->root(run->instance, search->state);
        if (s == BIMCTS_UP)
            code = find_goals(search);
        else if (!bimcts_add_root(search, s))
            search_full(run);
        search->side[s].grows = search->side[s].root_count > 0;
        if (search->side[s].grows && !bimcts_spread_roots(search, s) && !search_spent(run))
            search_full(run);
    }
    return code;
}

/* ---- one iteration ---- */

/* Plays random moves from the leaf on. True if the moves reach the other end; false at the length limit or a dead
 * end. */
static bool play_out(struct bimcts *search, int s, int depth) {
    const struct search_run *run = search->run;
    const soloist_core *core = search->side[s].core;
    soloist_move last = SOLOIST_NO_MOVE;
    int32_t end;
    search->trace_length = 0;
    atomic_fetch_add_explicit(&run->budget->playouts, 1, memory_order_relaxed);
    for (; depth < search->length; depth++) {
        int count = bimcts_list(search, s, last);
        if (!count)
            return false;
        last = search->moves[soloist_rng_below(&search->rng, (uint32_t)count)];
        core->apply(run->instance, search->state, last, NULL);
        search->trace[search->trace_length++] = last;
        if (core->ended(run->instance, search->state, &end))
            return true;
    }
    return false;
}

static void tell(const struct search_run *run, const char *flag) {
    const soloist_callbacks *callbacks = run->budget->callbacks;
    if (callbacks && callbacks->log)
        callbacks->log(callbacks->user, flag);
}

/* The paper's Playout: first tests the leaf, then plays moves. For the up-tree, reaching the puzzle's root needs no
 * test of its own: the root is a state of the opposing tree. */
static enum bimcts_result value_leaf(struct bimcts *search, int s, uint32_t leaf, int depth, uint32_t met[2]) {
    const struct search_run *run = search->run;
    int32_t end;
    met[s] = leaf;
    met[!s] = POOL_NONE;
    search->trace_length = 0;
    if ((s == BIMCTS_DOWN || !search->side[!s].grows) &&
        search->side[s].core->ended(run->instance, search->state, &end))
        return BIMCTS_SOLVED_IN_TREE;
    if (search->side[!s].grows && (met[!s] = bimcts_find(search, !s, search->state)) != POOL_NONE)
        return BIMCTS_MET_IN_THE_MIDDLE;
    return play_out(search, s, depth) ? BIMCTS_SUCCEEDED : BIMCTS_FAILED;
}

/* Makes one iteration. True if the search is over. */
static bool iterate(struct bimcts *search, int s, soloist_code *code) {
    struct search_run *run = search->run;
    struct bimcts_side *side = &search->side[s];
    uint32_t met[2];
    int depth;
    if (!side->grows)
        return false;
    if (search_spent(run))
        return true;
    uint32_t leaf = bimcts_descend(search, s, &depth);
    if (leaf == POOL_NONE) {
        search_full(run);
        return true;
    }
    search_count_iteration(run);
    enum bimcts_result result = value_leaf(search, s, leaf, depth, met);
    bool solved = result >= BIMCTS_SOLVED_IN_TREE || (result == BIMCTS_SUCCEEDED && search->options->playout_solves);
    if (solved) {
        tell(run, result == BIMCTS_SUCCEEDED        ? "solved by a play-out"
                  : result == BIMCTS_SOLVED_IN_TREE ? "SOLVED_IN_TREE"
                                                    : "MET_IN_THE_MIDDLE");
        *code = bimcts_rebuild(search, met);
        return true;
    }
    bimcts_back_up(side, leaf, result == BIMCTS_SUCCEEDED);
    return false;
}

static soloist_code bimcts_run(struct search_run *run) {
    struct bimcts search = {.run = run, .options = run->options};
    soloist_code code = SOLOIST_OK;
    search.length = find_length(run, search.options);
    soloist_rng_seed(&search.rng, run->seed, 0);
    run->has_iterations = run->has_playouts = true;
    if (open_all(&search))
        code = find_roots(&search);
    else
        search_full(run);
    int first = search.options->side;
    bool grows = search.side[BIMCTS_DOWN].grows || search.side[BIMCTS_UP].grows;
    search_show(run, bimcts_paint, &search);
    while (code == SOLOIST_OK && grows && !search_spent(run))
        if (iterate(&search, first, &code) || iterate(&search, !first, &code))
            break;
    search_hide(run);
    close_all(&search);
    return code;
}

const struct search_method search_bimcts = {
    .name = "bimcts",
    .summary = "bi-directional Monte-Carlo tree search: trees grow from the root and the goals until they meet",
    .options = bimcts_options_rows,
    .options_size = sizeof(struct bimcts_options),
    .needs = SEARCH_NEEDS_ONE_PLAYER | SEARCH_NEEDS_GOAL | SEARCH_NEEDS_REVERSE | SEARCH_NEEDS_LIMIT,
    .ignores = search_ignores_threads,
    .run = bimcts_run,
};
