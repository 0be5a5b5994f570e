/* Branching and dead ends along a solution. Every legal move of every position of the solution except the last is
 * examined. A best-first search decides whether there is still a solution after the move. The search ends at a goal or
 * at a position that is known to be solvable; if it has no position left to expand, all positions that it has visited
 * are dead ends. All results are kept for the next move, so that most searches end after a few positions. */
#include "base/heap.h"
#include "base/table.h"
#include "engine/measure.h"

#include <stdlib.h>
#include <string.h>

enum fate { FATE_UNKNOWN, FATE_ALIVE, FATE_DEAD };

/* Stored before each state. */
struct position {
    uint32_t parent; /* in the search that met it last */
    uint32_t search; /* number of that search; 0: none */
    uint32_t fate;
};

struct replay {
    const soloist_domain *domain;
    const soloist_instance *instance;
    soloist_stop_token *stop;
    soloist_shape shape;
    struct memory memory;
    struct table table;
    struct heap open;
    struct bucket met; /* the states that the current search has met and whose fate it did not know */
    void *state, *child;
    soloist_move *moves;
    soloist_child *children;
    uint64_t states_left;
    uint32_t search;
    bool full, spent;
};

static struct position *position_at(const struct replay *replay, uint32_t index) {
    return table_extra(&replay->table, index);
}

static uint32_t put(struct replay *replay, const void *state) {
    bool added;
    uint32_t index = table_put(&replay->table, replay->domain->core->key(replay->instance, state), state, &added);
    replay->full |= index == POOL_NONE;
    return index;
}

static bool is_goal(const struct replay *replay, const void *state) {
    int32_t last;
    return replay->domain->core->ended(replay->instance, state, &last);
}

/* Enters a state into the current search. Returns true if the search can end: the state is alive. */
static bool meet(struct replay *replay, const void *state, uint32_t parent, int32_t bound) {
    uint32_t index = put(replay, state);
    if (replay->full)
        return false;
    struct position *position = position_at(replay, index);
    if (is_goal(replay, state))
        position->fate = FATE_ALIVE;
    if (position->fate == FATE_DEAD || (position->fate == FATE_UNKNOWN && position->search == replay->search))
        return false;
    bool alive = position->fate == FATE_ALIVE;
    if (!alive) {
        position->parent = parent;
        position->search = replay->search;
        replay->full |=
            !heap_push(&replay->open, (uint64_t)bound, index) || !bucket_push(&replay->memory, &replay->met, index);
    }
    for (; alive && parent != POOL_NONE; parent = position_at(replay, parent)->parent)
        position_at(replay, parent)->fate = FATE_ALIVE;
    return alive;
}

/* Enters the children of a state; returns true if one of them is alive. */
static bool expand(struct replay *replay, uint32_t index) {
    const soloist_core *core = replay->domain->core;
    void *state = replay->state;
    memcpy(state, table_string(&replay->table, index), replay->shape.state_size);
    int count = core->expand(replay->instance, state, SOLOIST_NO_MOVE, replay->domain->bound ? SOLOIST_WANT_BOUND : 0,
                             replay->children);
    for (int i = 0; i < count && !replay->full; i++) {
        memcpy(replay->child, state, replay->shape.state_size);
        core->apply(replay->instance, replay->child, replay->children[i].move, NULL);
        if (meet(replay, replay->child, index, replay->domain->bound ? replay->children[i].bound : 0))
            return true;
    }
    return false;
}

/* Every state that the current search has met is dead. */
static void bury(struct replay *replay) {
    for (uint32_t i = 0; i < replay->met.count; i++)
        position_at(replay, replay->met.items[i])->fate = FATE_DEAD;
}

/* Whether a solution is left in the state at replay->child. */
static enum fate find_fate(struct replay *replay) {
    uint64_t bound;
    uint32_t index = put(replay, replay->child);
    if (replay->full || position_at(replay, index)->fate)
        return replay->full ? FATE_UNKNOWN : (enum fate)position_at(replay, index)->fate;
    replay->search++;
    replay->open.count = 0;
    replay->met.count = 0;
    if (meet(replay, replay->child, POOL_NONE, 0))
        return FATE_ALIVE;
    while (!replay->full && heap_pop(&replay->open, &bound, &index)) {
        if (!replay->states_left-- || soloist_stopped(replay->stop)) {
            replay->spent = true;
            return FATE_UNKNOWN;
        }
        if (expand(replay, index))
            return FATE_ALIVE;
    }
    if (replay->full)
        return FATE_UNKNOWN;
    bury(replay);
    return FATE_DEAD;
}

/* ---- the line ---- */

struct tally {
    uint64_t positions, legal, dead;
};

static bool open_replay(struct replay *replay, const soloist_puzzle *puzzle, uint64_t states,
                        soloist_stop_token *stop) {
    *replay =
        (struct replay){.domain = puzzle->domain, .instance = puzzle->instance, .stop = stop, .states_left = states};
    puzzle->domain->life->shape(puzzle->instance, &replay->shape);
    size_t most = (size_t)replay->shape.most_moves;
    memory_open(&replay->memory, 0);
    heap_open(&replay->open, &replay->memory);
    replay->state = calloc(1, replay->shape.state_size);
    replay->child = calloc(1, replay->shape.state_size);
    replay->moves = calloc(most + 1, sizeof *replay->moves);
    replay->children = calloc(most + 1, sizeof *replay->children);
    return table_open(&replay->table, &replay->memory, replay->shape.state_size, sizeof(struct position)) &&
           replay->state && replay->child && replay->moves && replay->children;
}

static void close_replay(struct replay *replay) {
    heap_close(&replay->open);
    memory_give(&replay->memory, replay->met.items, replay->met.room * sizeof *replay->met.items);
    table_close(&replay->table);
    free(replay->state);
    free(replay->child);
    free(replay->moves);
    free(replay->children);
}

/* Marks all states of the line as alive; without this, the first searches would have to go as far as the goal. */
static void enter_line(struct replay *replay, const soloist_move *line, long count) {
    replay->domain->life->root(replay->instance, replay->state);
    for (long i = 0; !replay->full; i++) {
        uint32_t index = put(replay, replay->state);
        if (index != POOL_NONE)
            position_at(replay, index)->fate = FATE_ALIVE;
        if (i == count)
            break;
        replay->domain->core->apply(replay->instance, replay->state, line[i], NULL);
    }
}

/* Counts the legal moves of the state `from`, and those of them after which the game is lost. */
static void look_at_position(struct replay *replay, const void *from, struct tally *tally) {
    const soloist_core *core = replay->domain->core;
    int count = core->moves(replay->instance, from, replay->moves);
    tally->positions++;
    tally->legal += (uint64_t)count;
    for (int i = 0; i < count && !replay->full && !replay->spent; i++) {
        memcpy(replay->child, from, replay->shape.state_size);
        core->apply(replay->instance, replay->child, replay->moves[i], NULL);
        tally->dead += find_fate(replay) == FATE_DEAD;
    }
}

static bool look_at_line(struct replay *replay, const soloist_move *line, long count, struct tally *tally) {
    const soloist_core *core = replay->domain->core;
    void *now = calloc(1, replay->shape.state_size);
    if (!now)
        return false;
    enter_line(replay, line, count);
    replay->domain->life->root(replay->instance, now);
    for (long i = 0; i < count && !replay->full; i++) {
        look_at_position(replay, now, tally);
        core->apply(replay->instance, now, line[i], NULL);
    }
    free(now);
    return !replay->full;
}

soloist_code measure_positions(const soloist_puzzle *puzzle, const char *solution, uint64_t states,
                               soloist_stop_token *stop, struct measures *measures) {
    size_t length = strlen(solution);
    soloist_error error;
    struct replay replay;
    struct tally tally = {0};
    long count = puzzle->domain->text->read(puzzle->instance, solution, length, NULL, 0, &error);
    soloist_move *line = count >= 0 ? calloc((size_t)count + 1, sizeof *line) : NULL;
    bool good =
        line && puzzle->domain->text->read(puzzle->instance, solution, length, line, (size_t)count, &error) >= 0;
    good &= open_replay(&replay, puzzle, states, stop);
    good = good && look_at_line(&replay, line, count, &tally);
    close_replay(&replay);
    free(line);
    if (!good)
        return SOLOIST_NO_MEMORY;
    /* Rounded to hundredths and to tenths of a percent. */
    if (tally.positions)
        measures_set(measures, MEASURE_BRANCHING, (double)((tally.legal * 200 / tally.positions + 1) / 2) / 100);
    if (tally.legal && !replay.spent)
        measures_set(measures, MEASURE_DEAD_ENDS, (double)((tally.dead * 2000 / tally.legal + 1) / 2) / 10);
    return SOLOIST_OK;
}
