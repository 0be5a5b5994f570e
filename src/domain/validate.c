/* The property checker's walks through the states of a domain. In every state it checks core, bound, reverse and pack.
 */
#include "domain/domain.h"
#include "domain/validate.h"
#include "domain/validate_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GUARD 0xc3
#define GUARD_SIZE 64

bool validate_fail(struct validator *v, const char *format, ...) {
    char what[192];
    va_list list;
    va_start(list, format);
    vsnprintf(what, sizeof what, format, list);
    va_end(list);
    return soloist_fail(v->error, 0, 0, "%s, %s, walk %d, step %d: %s", v->domain->name, v->game->name, v->walk + 1,
                        v->step, what);
}

/* ---- blocks ---- */

/* The size of a network's input with all planes, including the optional ones. */
static size_t slot_size(struct validator *v) {
    int channels = 0, height = 0, width = 0;
    if (v->domain->learn) {
        v->domain->learn->planes(v->instance, &channels, &height, &width);
        channels += v->domain->learn->more_planes;
    }
    v->channels = channels;
    return (size_t)channels * (size_t)height * (size_t)width * sizeof(float);
}

static bool open_blocks(struct validator *v) {
    size_t state = v->shape.state_size, moves = (size_t)v->shape.most_moves;
    int longest = v->steps > v->shape.most_steps ? v->steps : v->shape.most_steps;
    size_t sizes[BLOCK_COUNT] = {
        [BLOCK_STATE] = state,
        [BLOCK_PARENT] = state,
        [BLOCK_CHILD] = state,
        [BLOCK_COPY] = state,
        [BLOCK_UNDO] = v->shape.undo_size,
        [BLOCK_PACKED] = v->shape.packed_size,
        [BLOCK_MOVES] = moves * sizeof(soloist_move),
        [BLOCK_REPLIES] = moves * sizeof(soloist_move),
        [BLOCK_BACKWARD] = moves * sizeof(soloist_move),
        [BLOCK_CHILDREN] = moves * sizeof(soloist_child),
        [BLOCK_FACTS] = moves * sizeof(struct validate_fact),
        [BLOCK_LINE] = (size_t)longest * sizeof(soloist_move),
        [BLOCK_SLOT] = slot_size(v),
        [BLOCK_VISITS] = ((size_t)longest + 1) * sizeof(struct validate_visit),
    };
    memcpy(v->sizes, sizes, sizeof sizes);
    for (int b = 0; b < BLOCK_COUNT; b++) {
        v->blocks[b] = malloc(sizes[b] + GUARD_SIZE);
        if (!v->blocks[b])
            return validate_fail(v, "no memory for the checker's blocks");
        memset(v->blocks[b], GUARD, sizes[b] + GUARD_SIZE);
    }
    return true;
}

static bool check_guards(struct validator *v) {
    static const char *const names[BLOCK_COUNT] = {[BLOCK_STATE] = "a state",
                                                   [BLOCK_PARENT] = "a state",
                                                   [BLOCK_CHILD] = "a state",
                                                   [BLOCK_COPY] = "a state",
                                                   [BLOCK_UNDO] = "an undo record",
                                                   [BLOCK_PACKED] = "a packed state",
                                                   [BLOCK_MOVES] = "moves",
                                                   [BLOCK_REPLIES] = "moves",
                                                   [BLOCK_BACKWARD] = "backward moves",
                                                   [BLOCK_CHILDREN] = "children",
                                                   [BLOCK_FACTS] = "the checker's notes",
                                                   [BLOCK_LINE] = "a line of play",
                                                   [BLOCK_SLOT] = "a network's input",
                                                   [BLOCK_VISITS] = "the checker's notes"};
    for (int b = 0; b < BLOCK_COUNT; b++)
        for (size_t i = 0; i < GUARD_SIZE; i++)
            if (v->blocks[b][v->sizes[b] + i] != GUARD)
                return validate_fail(v, "something was written past the end of %s", names[b]);
    return true;
}

static bool same_state(const struct validator *v, const void *a, const void *b) {
    return memcmp(a, b, v->shape.state_size) == 0;
}

static void copy_state(const struct validator *v, void *to, const void *from) { memcpy(to, from, v->shape.state_size); }

/* ---- one state ---- */

static bool check_keys(struct validator *v, const void *state) {
    const soloist_core *core = v->game->core;
    uint64_t key = core->key(v->instance, state);
    if (core->key_from_scratch && key != core->key_from_scratch(v->instance, state))
        return validate_fail(v, "key differs from key_from_scratch");
    if (key != v->domain->core->key(v->instance, state))
        return validate_fail(v, "the key backwards differs from the key forwards");
    return true;
}

static bool check_pack(struct validator *v, const void *state) {
    void *packed = v->blocks[BLOCK_PACKED], *copy = v->blocks[BLOCK_COPY];
    if (!v->domain->pack)
        return true;
    memset(copy, 0x5a, v->shape.state_size);
    v->domain->pack->pack(v->instance, state, packed);
    v->domain->pack->unpack(v->instance, packed, copy);
    return same_state(v, state, copy) || validate_fail(v, "unpack does not give back the state that was packed");
}

static bool check_sign(struct validator *v, const void *state) {
    const soloist_bound *bound = v->game->bound;
    if (!bound || v->domain->aim != SOLOIST_LEAST_COST)
        return true;
    int32_t value = bound->value(v->instance, state);
    return value >= 0 || validate_fail(v, "the bound is %d: a bound on the cost is at least 0", (int)value);
}

/* At the end of play the bound must be exact, and the state must not be reported dead. */
static bool check_end(struct validator *v, const void *state) {
    const soloist_bound *bound = v->game->bound;
    int32_t last = 0;
    if (!v->game->core->ended(v->instance, state, &last))
        return true;
    bool cost = v->domain->aim == SOLOIST_LEAST_COST;
    if (cost && last != 0)
        return validate_fail(v, "ended adds %d at a goal: expected 0", (int)last);
    if (!bound || v->domain->players != 1)
        return true;
    int32_t value = bound->value(v->instance, state);
    if (bound->dead && bound->dead(v->instance, state) && cost)
        return validate_fail(v, "dead refuses a state that has ended");
    if (bound->admissible(v->instance) && (cost ? value > 0 : value < last))
        return validate_fail(v, "the bound is %d at an end that adds %d", (int)value, (int)last);
    return true;
}

/* Lists the moves and checks the list; returns how many, or -1. */
static int check_moves(struct validator *v, const void *state) {
    soloist_move *moves = (soloist_move *)v->blocks[BLOCK_MOVES], *again = (soloist_move *)v->blocks[BLOCK_REPLIES];
    int count = v->game->core->moves(v->instance, state, moves);
    if (count < 0 || count > v->shape.most_moves)
        return validate_fail(v, "moves lists %d, most_moves is %d", count, v->shape.most_moves), -1;
    if (v->game->core->moves(v->instance, state, again) != count ||
        memcmp(moves, again, (size_t)count * sizeof *moves) != 0)
        return validate_fail(v, "two calls of moves give different lists"), -1;
    for (int i = 0; i < count; i++)
        for (int j = 0; j <= i; j++)
            if (moves[i] == SOLOIST_NO_MOVE || (j < i && moves[i] == moves[j]))
                return validate_fail(v, "moves lists move %u twice, or SOLOIST_NO_MOVE", (unsigned)moves[i]), -1;
    int32_t last;
    if (count == 0 && v->domain->aim == SOLOIST_MOST_SCORE && !v->game->core->ended(v->instance, state, &last))
        return validate_fail(v, "there is no move, but play has not ended"), -1;
    return count;
}

/* ---- one child ---- */

/* Plays a move on BLOCK_CHILD, and checks on BLOCK_COPY that undo restores the state. */
static bool check_undo(struct validator *v, const void *state, soloist_move move, int32_t *step) {
    const soloist_core *core = v->game->core;
    void *child = v->blocks[BLOCK_CHILD], *copy = v->blocks[BLOCK_COPY], *undo = v->blocks[BLOCK_UNDO];
    copy_state(v, child, state);
    copy_state(v, copy, state);
    *step = core->apply(v->instance, child, move, NULL);
    if (core->apply(v->instance, copy, move, undo) != *step || !same_state(v, child, copy))
        return validate_fail(v, "apply of move %u differs with and without an undo record", (unsigned)move);
    core->undo(v->instance, copy, move, undo);
    for (size_t i = 0; i < v->shape.state_size; i++)
        if (v->blocks[BLOCK_COPY][i] != ((const unsigned char *)state)[i])
            return validate_fail(v, "undo of move %u leaves byte %zu of the state changed", (unsigned)move, i);
    if (v->domain->aim == SOLOIST_LEAST_COST && *step < 0)
        return validate_fail(v, "move %u costs %d: costs are not negative", (unsigned)move, (int)*step);
    if (v->domain->aim == SOLOIST_LEAST_COST && *step < v->shape.least_step)
        return validate_fail(v, "move %u costs %d, less than the least step", (unsigned)move, (int)*step);
    return true;
}

static bool check_consistency(struct validator *v, const void *state, soloist_move move,
                              const struct validate_fact *fact) {
    const soloist_bound *bound = v->game->bound;
    if (!bound || v->domain->players != 1 || !bound->consistent(v->instance))
        return true;
    int32_t value = bound->value(v->instance, state);
    if (value == SOLOIST_DEAD || fact->bound == SOLOIST_DEAD)
        return true;
    int64_t sum = (int64_t)fact->step + fact->bound;
    if (v->domain->aim == SOLOIST_LEAST_COST ? value > sum : value < sum)
        return validate_fail(v, "the bound is not consistent: %d before move %u, after it %d with a step of %d",
                             (int)value, (unsigned)move, (int)fact->bound, (int)fact->step);
    return true;
}

static bool check_child(struct validator *v, const void *state, soloist_move move, bool has_parent,
                        struct validate_fact *fact) {
    const soloist_bound *bound = v->game->bound;
    const void *child = v->blocks[BLOCK_CHILD];
    *fact = (struct validate_fact){0};
    if (!check_undo(v, state, move, &fact->step) || !check_keys(v, child))
        return false;
    fact->key = v->game->core->key(v->instance, child);
    fact->bound = bound ? bound->value(v->instance, child) : 0;
    fact->dead = bound && bound->dead && bound->dead(v->instance, child);
    fact->back = has_parent && same_state(v, child, v->blocks[BLOCK_PARENT]);
    fact->pruned = bound && bound->pruned && bound->pruned(v->instance, state, move);
    return check_consistency(v, state, move, fact);
}

/* ---- expand ---- */

static bool check_listed(struct validator *v, const soloist_child *child, const struct validate_fact *fact,
                         unsigned want) {
    unsigned move = (unsigned)child->move;
    if (child->step != fact->step)
        return validate_fail(v, "expand gives move %u a step of %d, apply gives %d", move, (int)child->step,
                             (int)fact->step);
    if ((want & SOLOIST_WANT_KEY) && child->key != fact->key)
        return validate_fail(v, "expand gives move %u another key than the child has", move);
    if ((want & SOLOIST_WANT_BOUND) && v->game->bound && child->bound != fact->bound)
        return validate_fail(v, "expand gives move %u a bound of %d, the child has %d", move, (int)child->bound,
                             (int)fact->bound);
    return true;
}

/* Checks that each move is either the next child or is missing for a reason that the contract allows. */
static bool check_expand(struct validator *v, const void *state, int count, soloist_move last, unsigned want) {
    const soloist_move *moves = (const soloist_move *)v->blocks[BLOCK_MOVES];
    const struct validate_fact *facts = (const struct validate_fact *)v->blocks[BLOCK_FACTS];
    soloist_child *children = (soloist_child *)v->blocks[BLOCK_CHILDREN];
    int listed = v->game->core->expand(v->instance, state, last, want, children), next = 0;
    if (listed < 0 || listed > count)
        return validate_fail(v, "expand lists %d children of %d moves", listed, count);
    for (int i = 0; i < count; i++) {
        bool dead = facts[i].dead || ((want & SOLOIST_WANT_BOUND) && facts[i].bound == SOLOIST_DEAD);
        if (next < listed && children[next].move == moves[i]) {
            if (dead)
                return validate_fail(v, "expand lists move %u, which leads to a dead state", (unsigned)moves[i]);
            if (facts[i].pruned)
                return validate_fail(v, "expand lists move %u, which is pruned", (unsigned)moves[i]);
            if (!check_listed(v, &children[next++], &facts[i], want))
                return false;
        } else if (!dead && !facts[i].pruned && !(facts[i].back && last != SOLOIST_NO_MOVE)) {
            return validate_fail(v, "expand leaves out move %u, or is not in the order of moves", (unsigned)moves[i]);
        }
    }
    return next == listed || validate_fail(v, "expand lists move %u, which moves does not, or not in that order",
                                           (unsigned)children[next].move);
}

static bool check_children(struct validator *v, const void *state, int count, soloist_move last) {
    const soloist_move *moves = (const soloist_move *)v->blocks[BLOCK_MOVES];
    struct validate_fact *facts = (struct validate_fact *)v->blocks[BLOCK_FACTS];
    for (int i = 0; i < count; i++)
        if (!check_child(v, state, moves[i], last != SOLOIST_NO_MOVE, &facts[i]))
            return false;
    for (unsigned want = 0; want < 4; want++)
        if (!check_expand(v, state, count, SOLOIST_NO_MOVE, want) ||
            (last != SOLOIST_NO_MOVE && !check_expand(v, state, count, last, want)))
            return false;
    return true;
}

/* ---- reverse ---- */

static bool is_legal(struct validator *v, const void *state, soloist_move move) {
    soloist_move *moves = (soloist_move *)v->blocks[BLOCK_REPLIES];
    int count = v->domain->core->moves(v->instance, state, moves);
    for (int i = 0; i < count; i++)
        if (moves[i] == move)
            return true;
    return false;
}

/* Checks that for every backward move from `state`, the forward move that the domain gives leads back to `state`. */
static bool check_backward_moves(struct validator *v, const void *state, const void *came_from, bool *found) {
    const soloist_reverse *reverse = v->domain->reverse;
    soloist_move *moves = (soloist_move *)v->blocks[BLOCK_BACKWARD];
    void *child = v->blocks[BLOCK_CHILD];
    int count = reverse->core->moves(v->instance, state, moves);
    if (count < 0 || count > v->shape.most_moves)
        return validate_fail(v, "%d backward moves, most_moves is %d", count, v->shape.most_moves);
    for (int i = 0; i < count; i++) {
        copy_state(v, child, state);
        int32_t step = reverse->core->apply(v->instance, child, moves[i], NULL);
        *found |= came_from && same_state(v, child, came_from);
        soloist_move forward = reverse->forward(v->instance, state, moves[i]);
        if (!is_legal(v, child, forward))
            return validate_fail(v, "after backward move %u the forward move %u is not legal", (unsigned)moves[i],
                                 (unsigned)forward);
        if (v->domain->core->apply(v->instance, child, forward, NULL) != step || !same_state(v, child, state))
            return validate_fail(v, "forward move %u does not undo backward move %u", (unsigned)forward,
                                 (unsigned)moves[i]);
    }
    return true;
}

static bool check_reverse(struct validator *v, const void *state, bool came_forwards, bool dead) {
    bool found = false;
    if (!v->domain->reverse)
        return true;
    if (!check_backward_moves(v, state, came_forwards ? v->blocks[BLOCK_PARENT] : NULL, &found))
        return false;
    return found || dead || !came_forwards || validate_is_macro(v, v->step) ||
           validate_fail(v, "no backward move leads back to where the walk came from");
}

/* Checks that the bound of the other direction, if it is admissible, does not exceed the cost of the walk so far. */
static bool check_against_way(struct validator *v, const void *state, const soloist_bound *other, int64_t cost) {
    if (!other || v->domain->aim != SOLOIST_LEAST_COST || !other->admissible(v->instance))
        return true;
    int32_t value = other->value(v->instance, state);
    if (value > cost)
        return validate_fail(v, "a bound of %d is not admissible: a path of cost %lld leads here", (int)value,
                             (long long)cost);
    return !(other->dead && other->dead(v->instance, state)) || validate_fail(v, "dead refuses a state on a solution");
}

/* ---- walks ---- */

static void note_visit(struct validator *v, const void *state, int64_t value) {
    const soloist_bound *bound = v->game->bound;
    struct validate_visit *visit = (struct validate_visit *)v->blocks[BLOCK_VISITS] + v->step;
    *visit = (struct validate_visit){value, bound ? bound->value(v->instance, state) : 0};
    if (bound && bound->dead && v->domain->aim == SOLOIST_LEAST_COST && bound->dead(v->instance, state))
        visit->bound = SOLOIST_DEAD;
}

/* Checks admissibility along a walk that has ended with this cost or score: no bound may contradict the rest of the
 * walk. */
static bool check_visits(struct validator *v, int64_t total) {
    const struct validate_visit *visits = (const struct validate_visit *)v->blocks[BLOCK_VISITS];
    bool cost = v->domain->aim == SOLOIST_LEAST_COST;
    if (!v->game->bound || v->domain->players != 1 || !v->game->bound->admissible(v->instance))
        return true;
    for (int i = 0, last = v->step; i <= last; i++) {
        int64_t rest = total - visits[i].value;
        v->step = i;
        if (cost && visits[i].bound == SOLOIST_DEAD)
            return validate_fail(v, "the state is called dead, but %d moves lead from it to a goal", last - i);
        if (cost ? visits[i].bound > rest : visits[i].bound < rest)
            return validate_fail(v, "the bound of %d is not admissible: the walk ends with a %s of %lld from here",
                                 (int)visits[i].bound, cost ? "cost" : "score", (long long)rest);
    }
    return true;
}

/* Chooses a random move; if possible, one that does not lead to a dead state. Every second walk mostly takes the child
 * of least bound, because purely random play seldom reaches a goal. */
static int choose_move(struct validator *v, int count) {
    const struct validate_fact *facts = (const struct validate_fact *)v->blocks[BLOCK_FACTS];
    int choice = (int)soloist_rng_below(&v->rng, (uint32_t)count);
    bool descends = v->walk % 2 && v->domain->aim == SOLOIST_LEAST_COST && soloist_rng_below(&v->rng, 4);
    for (int i = 0; descends && i < count; i++)
        if (facts[i].bound < facts[choice].bound)
            choice = i;
    for (int i = 0; i < count && (facts[choice].dead || facts[choice].bound == SOLOIST_DEAD); i++)
        choice = (choice + 1) % count;
    return choice;
}

/* Walks from BLOCK_STATE. other: the bound of the other direction, on the cost from where the walk began; may be
 * NULL. */
static bool walk(struct validator *v, const struct validate_game *game, const soloist_bound *other, bool forwards) {
    unsigned char *state = v->blocks[BLOCK_STATE];
    soloist_move last = SOLOIST_NO_MOVE, *line = (soloist_move *)v->blocks[BLOCK_LINE];
    int64_t value = 0;
    int32_t end = 0;
    bool ended = false, dead = false;
    v->game = game;
    for (v->step = 0;; v->step++) {
        if (!check_keys(v, state) || !check_pack(v, state) || !check_sign(v, state) || !check_end(v, state))
            return false;
        int count = check_moves(v, state);
        if (count < 0 || !check_children(v, state, count, last))
            return false;
        if (!check_reverse(v, state, forwards && v->step, dead) || !check_against_way(v, state, other, value) ||
            !validate_learning(v, state))
            return false;
        note_visit(v, state, value);
        ended = game->core->ended(v->instance, state, &end);
        if (ended || !count || v->step == v->steps)
            break;
        if (forwards && v->shape.most_steps && v->step == v->shape.most_steps)
            return validate_fail(v, "play goes on after most_steps moves");
        int choice = choose_move(v, count);
        dead = ((const struct validate_fact *)v->blocks[BLOCK_FACTS])[choice].dead;
        last = ((const soloist_move *)v->blocks[BLOCK_MOVES])[choice];
        copy_state(v, v->blocks[BLOCK_PARENT], state);
        value += game->core->apply(v->instance, state, last, NULL);
        line[v->step] = last;
    }
    if (ended && !check_visits(v, value + end))
        return false;
    if (forwards && (!validate_print(v, state) || !validate_solution(v, v->step, value + (ended ? end : 0), ended)))
        return false;
    return check_guards(v);
}

/* The root must not depend on the previous content of its memory, and it must be an end of backward play. */
static bool check_root(struct validator *v) {
    unsigned char *state = v->blocks[BLOCK_STATE], *copy = v->blocks[BLOCK_COPY];
    int32_t last;
    memset(state, 0x5a, v->shape.state_size);
    memset(copy, 0xa5, v->shape.state_size);
    v->domain->life->root(v->instance, state);
    v->domain->life->root(v->instance, copy);
    if (!same_state(v, state, copy))
        return validate_fail(v, "root does not write every byte of the state");
    if (v->domain->reverse && !v->domain->reverse->core->ended(v->instance, state, &last))
        return validate_fail(v, "the game backwards has not ended at the root");
    return validate_print(v, state);
}

static bool walk_forwards(struct validator *v, const struct validate_game *game) {
    const soloist_bound *other = v->domain->reverse ? v->domain->reverse->bound : NULL;
    for (v->walk = 0; v->walk < v->walks; v->walk++) {
        v->game = game, v->step = 0;
        if (!check_root(v) || !walk(v, game, other, true))
            return false;
    }
    return true;
}

static bool walk_backwards(struct validator *v, const struct validate_game *game) {
    const soloist_reverse *reverse = v->domain->reverse;
    void *state = v->blocks[BLOCK_STATE];
    uint64_t goals = 0;
    int32_t last;
    while (goals < 64 && reverse->goal(v->instance, goals, state))
        goals++;
    for (v->walk = 0; v->walk < v->walks && goals; v->walk++) {
        v->game = game, v->step = 0;
        reverse->goal(v->instance, soloist_rng_below(&v->rng, (uint32_t)goals), state);
        if (!v->domain->core->ended(v->instance, state, &last))
            return validate_fail(v, "a goal state is not a goal by ended");
        if (!walk(v, game, v->domain->bound, false))
            return false;
    }
    return true;
}

static bool check_shape(struct validator *v) {
    v->domain->life->shape(v->instance, &v->shape);
    const char *fault = domain_shape_fault(v->domain, &v->shape);
    return !fault || validate_fail(v, "shape: %s", fault);
}

static bool check_recognition(struct validator *v) {
    int sure = v->domain->life->recognise(v->puzzle->chunk.text, v->puzzle->chunk.length);
    return (sure >= 0 && sure <= 100) || validate_fail(v, "recognise returns %d: expected 0 to 100", sure);
}

bool domain_validate(const soloist_domain *domain, const soloist_puzzle *puzzle, uint64_t seed, int walks, int steps,
                     soloist_error *error) {
    const soloist_reverse *reverse = domain->reverse;
    struct validate_game forwards = {"forwards", domain->core, domain->bound};
    struct validate_game backwards = {"backwards", reverse ? reverse->core : NULL, reverse ? reverse->bound : NULL};
    struct validator v = {.domain = domain,
                          .puzzle = puzzle,
                          .instance = puzzle->instance,
                          .error = error,
                          .walks = walks,
                          .steps = steps,
                          .game = &forwards};
    soloist_rng_seed(&v.rng, seed, 0);
    bool good = check_shape(&v) && check_recognition(&v) && open_blocks(&v) && walk_forwards(&v, &forwards) &&
                (!reverse || walk_backwards(&v, &backwards)) && validate_playouts(&v) && validate_walks(&v) &&
                check_guards(&v);
    for (int b = 0; b < BLOCK_COUNT; b++)
        free(v.blocks[b]);
    return good;
}
