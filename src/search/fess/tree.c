/* The states of a feature-space search: each is stored once, with a heap of the larger moves still to be played. */
#include "search/fess/fess.h"

#include <string.h>

/* Least and greatest number of expanded states between two deadlock searches. */
enum { least_gap = 32, most_gap = 2048 };

/* Turns a mask with one bit per feature into a mask over a prospect's features, which have one byte each. */
static uint64_t feature_bits(int64_t mask) {
    uint64_t bits = 0;
    for (int i = 0; i < SOLOIST_MOST_FEATURES; i++)
        if (mask >> i & 1)
            bits |= UINT64_C(255) << (48 - 8 * i);
    return bits;
}

bool fess_open(struct fess *fess, struct search_run *run, const soloist_features *game, void *guide) {
    struct memory *memory = &run->budget->memory;
    *fess = (struct fess){.run = run,
                          .options = run->options,
                          .game = game,
                          .guide = guide,
                          .turn = 1,
                          .think_at = least_gap,
                          .think_gap = least_gap};
    fess_settle(run, &fess->settings);
    fess->counting = feature_bits(fess->settings.features);
    int64_t dimensions = fess->settings.cells ? fess->settings.cells : game->dimensions(run->instance, guide);
    fess->dimensions = feature_bits(dimensions) & fess->counting;
    fess->state_size = game->state_size(run->instance);
    fess->prospects_size = (size_t)game->most(run->instance) * sizeof *fess->prospects;
    arena_open(&fess->moves, memory);
    fess->state = memory_take(memory, fess->state_size);
    fess->prospects = memory_take(memory, fess->prospects_size);
    bool opened = table_open(&fess->states, memory, fess->state_size, sizeof(struct fess_node));
    return table_open(&fess->cells, memory, sizeof(uint64_t), sizeof(struct fess_cell)) && opened && fess->state &&
           fess->prospects;
}

void fess_close(struct fess *fess) {
    struct memory *memory = &fess->run->budget->memory;
    fess_close_cells(fess);
    table_close(&fess->states);
    arena_close(&fess->moves);
    memory_give(memory, fess->state, fess->state_size);
    memory_give(memory, fess->prospects, fess->prospects_size);
}

static bool is_advised(const struct fess *fess, const soloist_prospect *prospect) {
    return !fess->options->weights || prospect->advisors & (uint32_t)fess->settings.advisors;
}

/* A move's priority in the heap: moves that an advisor proposes come first, then those with better features. */
static uint64_t order_of(const struct fess *fess, const soloist_prospect *prospect) {
    return (uint64_t)!is_advised(fess, prospect) << 56 | (prospect->features & fess->counting);
}

static bool comes_before(const struct fess_node *node, uint32_t a, uint32_t b) {
    if (node->order[a] != node->order[b])
        return node->order[a] < node->order[b];
    return fess_moves(node)[a] < fess_moves(node)[b];
}

static void exchange(struct fess_node *node, uint32_t a, uint32_t b) {
    uint64_t order = node->order[a];
    soloist_move move = fess_moves(node)[a];
    node->order[a] = node->order[b];
    fess_moves(node)[a] = fess_moves(node)[b];
    node->order[b] = order;
    fess_moves(node)[b] = move;
}

static void sift_down(struct fess_node *node, uint32_t at) {
    for (uint32_t child; (child = 2 * at + 1) < node->count; at = child) {
        if (child + 1 < node->count && comes_before(node, child + 1, child))
            child++;
        if (!comes_before(node, child, at))
            return;
        exchange(node, child, at);
    }
}

/* Removes the first move from the heap and returns it. */
static soloist_move take_move(struct fess_node *node, uint64_t *order) {
    soloist_move move = fess_moves(node)[0];
    *order = node->order[0];
    exchange(node, 0, --node->count);
    sift_down(node, 0);
    return move;
}

/* Lists the larger moves of fess->state. False: memory is full. */
static bool list_moves(struct fess *fess, struct fess_node *node) {
    struct search_run *run = fess->run;
    int count = fess->game->list(run->instance, fess->guide, fess->state, fess->prospects);
    count = search_count_nodes(run, count);
    search_count_expanded(run, 1);
    fess->expanded++;
    node->room = node->count = (uint32_t)count;
    if (!count)
        return true;
    node->order = arena_take(&fess->moves, (size_t)count * (sizeof *node->order + sizeof(soloist_move)));
    if (!node->order)
        return false;
    for (int i = 0; i < count; i++) {
        node->order[i] = order_of(fess, &fess->prospects[i]);
        fess_moves(node)[i] = fess->prospects[i].move;
    }
    for (uint32_t at = node->count / 2; at-- > 0;)
        sift_down(node, at);
    return true;
}

static void note_best(struct fess *fess, uint32_t index) {
    if (fess->best != POOL_NONE && fess_at(fess, index)->features >= fess_at(fess, fess->best)->features)
        return;
    fess->best = index;
    search_note(fess->run, "%u feature cells", (unsigned)fess->cells.count);
}

/* Handles fess->state, which a move has just reached: it is a goal, or a new state to be stored with its moves, or
 * already known. */
static enum fess_next take_state(struct fess *fess, uint32_t parent, soloist_move move, uint64_t features,
                                 uint32_t weight) {
    const soloist_features *game = fess->game;
    const soloist_instance *instance = fess->run->instance;
    bool added;
    uint32_t index = table_put(&fess->states, game->key(instance, fess->state), fess->state, &added);
    if (index == POOL_NONE)
        return FESS_FULL;
    if (!added)
        return FESS_GO_ON;
    struct fess_node *node = fess_at(fess, index);
    uint64_t past = parent == POOL_NONE ? features : fess_at(fess, parent)->past;
    *node = (struct fess_node){.past = features < past ? features : past,
                               .features = features,
                               .parent = parent,
                               .move = move,
                               .weight = weight};
    if (game->ended(instance, fess->state)) {
        fess->goal = fess->best = index;
        return FESS_DONE;
    }
    if (game->dead(instance, fess->guide, fess->state, parent == POOL_NONE ? SOLOIST_NO_MOVE : move))
        return FESS_GO_ON;
    if (!list_moves(fess, node))
        return FESS_FULL;
    note_best(fess, index);
    return !node->count || fess_enter_cell(fess, index) ? FESS_GO_ON : FESS_FULL;
}

enum fess_next fess_begin(struct fess *fess) {
    const soloist_instance *instance = fess->run->instance;
    enum fess_next next = FESS_GO_ON;
    for (int i = 0; next == FESS_GO_ON && fess->game->root(instance, fess->guide, i, fess->state); i++) {
        uint64_t features = fess->game->project(instance, fess->guide, fess->state) & fess->counting;
        next = take_state(fess, POOL_NONE, (soloist_move)i, features, 0);
    }
    return next;
}

/* Whether fess->state is known to be lost. Deadlock searches are expensive: after one that succeeds, the next state is
 * searched too; after one that fails, the gap until the next search doubles. */
static bool is_doomed(struct fess *fess) {
    if (!fess->game->doomed || !fess->options->think)
        return false;
    bool think = fess->expanded >= fess->think_at;
    bool lost = fess->game->doomed(fess->run->instance, fess->guide, fess->state, think);
    if (think && lost)
        fess->think_gap = least_gap;
    else if (think) {
        fess->think_gap = fess->think_gap < most_gap ? 2 * fess->think_gap : most_gap;
        fess->think_at = fess->expanded + fess->think_gap;
    }
    return lost;
}

enum fess_next fess_step(struct fess *fess) {
    uint32_t index = fess_choose(fess);
    if (index == POOL_NONE)
        return FESS_DONE;
    struct fess_node *node = fess_at(fess, index);
    uint64_t order;
    memcpy(fess->state, table_string(&fess->states, index), fess->state_size);
    if (is_doomed(fess))
        return FESS_GO_ON;
    soloist_move move = take_move(node, &order);
    uint32_t weight = node->weight + (uint32_t)(order >> 56);
    fess->game->play(fess->run->instance, fess->guide, fess->state, move);
    if (node->count && !fess_enter_cell(fess, index))
        return FESS_FULL;
    return take_state(fess, index, move, order & ((UINT64_C(1) << 56) - 1), weight);
}

soloist_move *fess_line(struct fess *fess, uint32_t node, size_t *count, uint32_t *root) {
    size_t at = 0;
    for (*root = node; fess_at(fess, *root)->parent != POOL_NONE; *root = fess_at(fess, *root)->parent)
        at++;
    *count = at;
    soloist_move *moves = memory_take(&fess->run->budget->memory, at * sizeof *moves);
    for (uint32_t i = node; moves && at; i = fess_at(fess, i)->parent)
        moves[--at] = fess_at(fess, i)->move;
    return moves;
}
