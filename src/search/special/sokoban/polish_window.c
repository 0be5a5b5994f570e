/* Looks by A* for a cheaper path between two positions of the line. The search may be restricted to given sets of box
 * squares. The window is a separate level, whose goals are the squares that the boxes have to reach; therefore dead
 * squares, freeze deadlocks and the matching bound are computed for these goals. If the line goes on after the window,
 * the cost includes the walk to its next push. */
#include "search/special/sokoban/polish_line.h"

#include "base/buffer.h"
#include "base/hash.h"
#include "base/heap.h"
#include "base/table.h"
#include "domain/domain.h"

#include <stdlib.h>

struct window_node {
    polish_cost cost;
    uint32_t parent;
    soloist_move move;
    int32_t bound;
    bool expanded;
};

struct window {
    struct polish *polish;
    const struct polish_window *wish;
    soloist_puzzle puzzle;
    soloist_instance *session; /* a session of the puzzle */
    const struct sokoban *game;
    soloist_shape shape;
    struct table table;
    struct heap open;
    int stand;         /* the player's square for the line's next push after the window; -1: the line ends here */
    polish_cost upper; /* only cheaper paths are looked for */
    uint32_t best;     /* the last node of the cheapest path; POOL_NONE: none yet */
    uint64_t nodes;
    bool full;
    struct sokoban_state *state, *child;
    soloist_child *children;
    void *packed;
};

/* The window's level: the boxes are those of position `from`. The goals are the boxes of position `to` or, if the line
 * ends there, the goals of the puzzle. */
static char *window_text(const struct polish_line *line, size_t from, size_t to) {
    const struct sokoban *game = line->game;
    struct sokoban_level level = game->level;
    const uint64_t *start = polish_line_boxes(line, from), *target = polish_line_boxes(line, to);
    struct buffer text;
    for (BITSET_EACH(square, game->floor, (size_t)game->words)) {
        uint8_t *cell = &level.cells[sokoban_cell(game, square)];
        int goal = to == line->count ? *cell & SOKOBAN_GOAL : bitset_has(target, (unsigned)square) ? SOKOBAN_GOAL : 0;
        *cell = (uint8_t)((*cell & ~(SOKOBAN_BOX | SOKOBAN_GOAL)) | goal |
                          (bitset_has(start, (unsigned)square) ? SOKOBAN_BOX : 0));
    }
    level.player = sokoban_cell(game, line->player[from]);
    buffer_open(&text);
    soloist_sink sink = buffer_sink(&text);
    sokoban_level_print(&level, &sink);
    return buffer_take(&text);
}

static bool window_read(struct window *window) {
    const struct polish_line *line = &window->polish->line;
    char *text = window_text(line, window->wish->from, window->wish->to);
    soloist_error why;
    if (!text)
        return false;
    soloist_chunk chunk = {.text = text, .length = strlen(text), .line = 1};
    soloist_code code = soloist_puzzle_read(
        &sokoban_domain, line->weights.walks ? "optimal=moves,pairs=off" : "pairs=off", &chunk, &window->puzzle, &why);
    free(text);
    return code == SOLOIST_OK;
}

static bool window_open(struct window *window, struct polish *polish, const struct polish_window *wish) {
    const struct polish_line *line = &polish->line;
    struct memory *memory = &polish->budget->memory;
    *window = (struct window){.polish = polish, .wish = wish, .stand = -1, .best = POOL_NONE};
    heap_open(&window->open, memory);
    if (!window_read(window))
        return false;
    soloist_work work = {.stop = &polish->budget->token, .threads = 1};
    soloist_error reason;
    window->session = sokoban_session(window->puzzle.instance, &work, &reason);
    if (!window->session)
        return false;
    window->game = sokoban_of(window->session);
    sokoban_domain.life->shape(window->session, &window->shape);
    window->upper = line->cost[wish->to] - line->cost[wish->from];
    if (wish->to < line->count) {
        soloist_move next = line->pushes[wish->to];
        window->stand = sokoban_push_box(next) - line->game->step[next & 3];
        window->upper = line->cost[wish->to + 1] - line->cost[wish->from] - polish_least_cost(&line->weights);
    }
    window->state = malloc(window->shape.state_size);
    window->child = malloc(window->shape.state_size);
    window->children = malloc(((size_t)window->shape.most_moves + 1) * sizeof *window->children);
    window->packed = calloc(1, window->shape.packed_size + 1);
    /* If the last push matters, its direction belongs to the state; the player's square then says which box it moved.
     */
    size_t size = window->shape.packed_size + line->weights.recent;
    return window->state && window->child && window->children && window->packed &&
           table_open(&window->table, memory, size, sizeof(struct window_node));
}

static void window_close(struct window *window) {
    if (window->table.slots)
        table_close(&window->table);
    heap_close(&window->open);
    free(window->state);
    free(window->child);
    free(window->children);
    free(window->packed);
    if (window->session)
        sokoban_domain.life->destroy(window->session);
    if (window->puzzle.instance)
        soloist_puzzle_free(&window->puzzle);
}

static struct window_node *node_at(const struct window *window, uint32_t index) {
    return table_extra(&window->table, index);
}

/* Turns a bound on pushes into a cost: every push is also at least one move. */
static polish_cost bound_cost(const struct window *window, int32_t bound) {
    return polish_least_cost(&window->polish->line.weights) * (uint32_t)bound;
}

/* The push that led to a node; for the first node, the line's push before the window. */
static soloist_move last_push(const struct window *window, uint32_t index) {
    const struct window_node *node = node_at(window, index);
    return node->parent != POOL_NONE ? node->move : polish_line_last(&window->polish->line, window->wish->from);
}

/* Handles a node in which all boxes are on the squares that they have to reach: if the line can go on from here and
 * this is cheaper, keeps the node as the best. */
static void take_end(struct window *window, uint32_t index) {
    polish_cost cost = node_at(window, index)->cost;
    if (window->stand >= 0) {
        int16_t distance[SOKOBAN_WORDS * 64];
        sokoban_walk(window->game, window->child->boxes, (int)window->child->player, distance);
        if (distance[window->stand] < 0)
            return;
        const struct polish_line *line = &window->polish->line;
        cost += polish_push_cost(&line->weights, line->game, last_push(window, index), line->pushes[window->wish->to],
                                 distance[window->stand] + 1) -
                polish_least_cost(&line->weights);
    }
    if (cost >= window->upper)
        return;
    window->upper = cost;
    window->best = index;
}

static bool is_near(const struct window *window) {
    const struct sokoban_state *child = window->child;
    uint64_t key = child->key ^ window->game->player_key[child->player];
    return !window->wish->near || table_find(window->wish->near, key, child->boxes) != POOL_NONE;
}

/* Handles window->child, which was reached at this cost. False: memory is full. */
static bool take_child(struct window *window, uint32_t parent, soloist_move move, polish_cost cost, int32_t bound) {
    bool added;
    uint64_t key = window->child->key;
    if (!is_near(window))
        return true;
    sokoban_pack.pack(window->session, window->child, window->packed);
    if (window->polish->line.weights.recent) {
        unsigned direction = parent == POOL_NONE ? 4 : move & 3;
        ((unsigned char *)window->packed)[window->shape.packed_size] = (unsigned char)direction;
        key ^= hash_mix(direction + 1);
    }
    uint32_t index = table_put(&window->table, key, window->packed, &added);
    if (index == POOL_NONE)
        return false;
    struct window_node *node = node_at(window, index);
    if (!added && cost >= node->cost)
        return true;
    *node = (struct window_node){cost, parent, move, bound, false};
    if (!window->child->off_goal)
        take_end(window, index);
    return heap_push(&window->open, polish_cost_head(cost + bound_cost(window, bound)), index);
}

/* False: memory is full, or the limit on nodes left children out. */
static bool expand(struct window *window, uint32_t index) {
    const soloist_instance *instance = window->session;
    const struct polish_weights *weights = &window->polish->line.weights;
    soloist_move last = last_push(window, index);
    polish_cost cost = node_at(window, index)->cost;
    node_at(window, index)->expanded = true;
    sokoban_pack.unpack(instance, table_string(&window->table, index), window->state);
    int count = sokoban_push_core.expand(instance, window->state, SOLOIST_NO_MOVE,
                                         SOLOIST_WANT_KEY | SOLOIST_WANT_BOUND, window->children);
    int counted = polish_count_nodes(window->polish, count);
    window->nodes += (uint64_t)counted;
    for (int i = 0; i < counted; i++) {
        const soloist_child *child = &window->children[i];
        polish_cost sum = cost + polish_push_cost(weights, window->game, last, child->move, child->step);
        if (sum + bound_cost(window, child->bound) >= window->upper)
            continue;
        memcpy(window->child, window->state, window->shape.state_size);
        sokoban_push_core.apply(instance, window->child, child->move, NULL);
        if (!take_child(window, index, child->move, sum, child->bound))
            return false;
    }
    return counted == count;
}

/* True if everything that could be cheaper was searched. */
static bool run_search(struct window *window) {
    uint64_t f;
    uint32_t index;
    sokoban_root(window->session, window->child);
    int32_t bound = sokoban_bound.value(window->session, window->child);
    if (bound == SOLOIST_DEAD || bound_cost(window, bound) >= window->upper)
        return true;
    if (!take_child(window, POOL_NONE, SOLOIST_NO_MOVE, 0, bound))
        return false;
    while (heap_pop(&window->open, &f, &index)) {
        const struct window_node *node = node_at(window, index);
        polish_cost least = node->cost + bound_cost(window, node->bound);
        if ((polish_cost)f << 64 >= window->upper)
            return true;
        if (node->expanded || f != polish_cost_head(least) || least >= window->upper)
            continue;
        if (window->nodes >= window->wish->nodes || polish_spent(window->polish) || !expand(window, index))
            return false;
    }
    return true;
}

/* Puts the path to the best node into the line. */
static bool keep_best(struct window *window) {
    size_t count = 0;
    const struct window_node *node = node_at(window, window->best);
    for (uint32_t at = window->best; node_at(window, at)->parent != POOL_NONE; at = node_at(window, at)->parent)
        count++;
    soloist_move *moves = malloc((count + 1) * sizeof *moves);
    if (!moves)
        return false;
    for (size_t i = count; i-- > 0; node = node_at(window, node->parent))
        moves[i] = node->move;
    bool better = polish_line_splice(&window->polish->line, window->wish->from, window->wish->to, moves, count);
    free(moves);
    return better;
}

enum polish_found polish_search(struct polish *polish, const struct polish_window *wish) {
    struct window window;
    if (wish->from == wish->to)
        return POLISH_NOTHING;
    /* Without this the clock would never be checked if no window needs a search. */
    budget_count_nodes(polish->budget, 1);
    bool whole = wish->from == 0 && wish->to == polish->line.count && !wish->near;
    bool opened = window_open(&window, polish, wish), complete = opened && run_search(&window);
    /* The bound may have seen first that the search must stop, and have left out moves. */
    complete = complete && !stop_token_was_seen(&polish->budget->token);
    bool better = opened && window.best != POOL_NONE && keep_best(&window);
    window_close(&window);
    if (whole && complete)
        polish->optimal = true;
    return better ? POLISH_BETTER : complete ? POLISH_NOTHING : POLISH_GAVE_UP;
}
