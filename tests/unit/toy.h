/* Two toy domains for tests of the engine and the searches: `graph`, least cost from node 0 to the last node of a
 * weighted digraph, and `row`, a score game in which the ends of a row of numbers are taken one by one. */
#ifndef TESTS_UNIT_TOY_H
#define TESTS_UNIT_TOY_H

#include "base/hash.h"
#include "soloist.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reads the next whole number at *at, up to end; false if there is none. */
static inline bool toy_number(const char **at, const char *end, long *value) {
    while (*at < end && (**at == ' ' || **at == '\n'))
        ++*at;
    bool negative = *at < end && **at == '-';
    *at += negative;
    const char *start = *at;
    for (*value = 0; *at < end && **at >= '0' && **at <= '9'; ++*at)
        *value = *value * 10 + (**at - '0');
    if (negative)
        *value = -*value;
    return *at > start;
}

/* ---- graph: "graph N from to cost from to cost ..." --------------------------------------------------- */

enum { TOY_NODES = 300, TOY_EDGES = 4000 };

struct toy_graph {
    long nodes, edges;
    struct {
        long from, to, cost;
    } edge[TOY_EDGES];
    int32_t to_goal[TOY_NODES]; /* exact distances, by plain relaxation */
};

struct toy_state {
    uint64_t key;
    int64_t node;
};

static inline const struct toy_graph *toy_graph_of(const soloist_instance *i) { return (const struct toy_graph *)i; }

static inline uint64_t toy_key(int64_t node) { return hash_zobrist(7, (uint32_t)node); }

static inline int toy_recognise(const char *text, size_t length) {
    return length >= 5 && !memcmp(text, "graph", 5) ? 90 : 0;
}

static inline void toy_relax(struct toy_graph *graph) {
    for (long n = 0; n < graph->nodes; n++)
        graph->to_goal[n] = n == graph->nodes - 1 ? 0 : SOLOIST_DEAD;
    for (bool changed = true; changed;) {
        changed = false;
        for (long e = 0; e < graph->edges; e++) {
            int32_t rest = graph->to_goal[graph->edge[e].to];
            if (rest != SOLOIST_DEAD && rest + graph->edge[e].cost < graph->to_goal[graph->edge[e].from]) {
                graph->to_goal[graph->edge[e].from] = rest + (int32_t)graph->edge[e].cost;
                changed = true;
            }
        }
    }
}

static inline soloist_instance *toy_parse(const soloist_chunk *chunk, const void *options, soloist_error *error) {
    (void)options;
    const char *at = chunk->text + 5, *end = chunk->text + chunk->length;
    struct toy_graph *graph = (struct toy_graph *)calloc(1, sizeof *graph);
    if (chunk->length < 5 || !toy_number(&at, end, &graph->nodes) || graph->nodes < 1 || graph->nodes > TOY_NODES) {
        soloist_fail(error, chunk->line, 7, "expected a number of nodes");
        free(graph);
        return NULL;
    }
    long from, to, cost;
    bool relax = true;
    while (toy_number(&at, end, &from) && toy_number(&at, end, &to) && toy_number(&at, end, &cost)) {
        relax = relax && cost >= 0;
        graph->edge[graph->edges].from = from;
        graph->edge[graph->edges].to = to;
        graph->edge[graph->edges++].cost = cost;
    }
    if (relax)
        toy_relax(graph);
    return (soloist_instance *)graph;
}

static inline void toy_destroy(soloist_instance *instance) { free(instance); }

static inline void toy_shape(const soloist_instance *instance, soloist_shape *shape) {
    (void)instance;
    *shape = (soloist_shape){.state_size = sizeof(struct toy_state),
                             .undo_size = sizeof(int64_t),
                             .packed_size = 3,
                             .most_moves = TOY_EDGES};
}

static inline void toy_root(const soloist_instance *instance, void *state) {
    (void)instance;
    *(struct toy_state *)state = (struct toy_state){toy_key(0), 0};
}

/* A move is the number of an edge. */
static inline int toy_moves(const soloist_instance *instance, const void *state, soloist_move *moves) {
    int count = 0;
    for (long e = 0; e < toy_graph_of(instance)->edges; e++)
        if (toy_graph_of(instance)->edge[e].from == ((const struct toy_state *)state)->node)
            moves[count++] = (soloist_move)e;
    return count;
}

static inline int32_t toy_apply(const soloist_instance *instance, void *state, soloist_move move, void *undo) {
    struct toy_state *s = (struct toy_state *)state;
    if (undo)
        memcpy(undo, &s->node, sizeof s->node);
    s->node = toy_graph_of(instance)->edge[move].to;
    s->key = toy_key(s->node);
    return (int32_t)toy_graph_of(instance)->edge[move].cost;
}

static inline void toy_undo(const soloist_instance *instance, void *state, soloist_move move, const void *undo) {
    (void)instance, (void)move;
    struct toy_state *s = (struct toy_state *)state;
    memcpy(&s->node, undo, sizeof s->node);
    s->key = toy_key(s->node);
}

static inline bool toy_ended(const soloist_instance *instance, const void *state, int32_t *last) {
    *last = 0;
    return ((const struct toy_state *)state)->node == toy_graph_of(instance)->nodes - 1;
}

static inline uint64_t toy_state_key(const soloist_instance *instance, const void *state) {
    (void)instance;
    return ((const struct toy_state *)state)->key;
}

static inline uint64_t toy_scratch_key(const soloist_instance *instance, const void *state) {
    (void)instance;
    return toy_key(((const struct toy_state *)state)->node);
}

/* Two thirds of the exact distance, some nodes as little as a third: admissible, not consistent. */
static inline int32_t toy_bound(const soloist_instance *instance, const void *state) {
    int64_t node = ((const struct toy_state *)state)->node;
    int32_t exact = toy_graph_of(instance)->to_goal[node];
    return exact == SOLOIST_DEAD ? SOLOIST_DEAD : node % 3 ? exact * 2 / 3 : exact / 3;
}

static inline int toy_expand(const soloist_instance *instance, const void *state, soloist_move last, unsigned want,
                             soloist_child *children) {
    (void)last;
    const struct toy_graph *graph = toy_graph_of(instance);
    int count = 0;
    for (long e = 0; e < graph->edges; e++) {
        if (graph->edge[e].from != ((const struct toy_state *)state)->node)
            continue;
        struct toy_state child = {toy_key(graph->edge[e].to), graph->edge[e].to};
        int32_t bound = want & SOLOIST_WANT_BOUND ? toy_bound(instance, &child) : 0;
        if (bound != SOLOIST_DEAD)
            children[count++] = (soloist_child){child.key, (soloist_move)e, (int32_t)graph->edge[e].cost, bound};
    }
    return count;
}

static inline bool toy_yes(const soloist_instance *instance) { return instance != NULL; }
static inline bool toy_no(const soloist_instance *instance) { return instance == NULL; }

static inline void toy_pack(const soloist_instance *instance, const void *state, void *packed) {
    (void)instance;
    int64_t node = ((const struct toy_state *)state)->node;
    unsigned char *bytes = (unsigned char *)packed;
    bytes[0] = (unsigned char)node, bytes[1] = (unsigned char)(node >> 8), bytes[2] = 42;
}

static inline void toy_unpack(const soloist_instance *instance, const void *packed, void *state) {
    (void)instance;
    const unsigned char *bytes = (const unsigned char *)packed;
    int64_t node = bytes[0] | bytes[1] << 8;
    *(struct toy_state *)state = (struct toy_state){toy_key(node), node};
}

static inline void toy_print(const soloist_instance *instance, const void *state, const soloist_sink *sink) {
    (void)instance;
    soloist_print(sink, "%d", (int)((const struct toy_state *)state)->node);
}

static inline void toy_print_move(const soloist_instance *instance, const void *state, soloist_move move,
                                  const soloist_sink *sink) {
    (void)instance, (void)state;
    soloist_print(sink, "%u", (unsigned)move);
}

static inline void toy_solution(const soloist_instance *instance, const soloist_move *moves, size_t count,
                                const soloist_sink *sink) {
    (void)instance;
    for (size_t i = 0; i < count; i++)
        soloist_print(sink, "%s%u", i ? " " : "", (unsigned)moves[i]);
}

static inline long toy_read(const soloist_instance *instance, const char *text, size_t length, soloist_move *moves,
                            size_t room, soloist_error *error) {
    (void)instance;
    const char *at = text, *end = text + length;
    long count = 0, move;
    for (; toy_number(&at, end, &move); count++)
        if ((size_t)count < room)
            moves[count] = (soloist_move)move;
    if (at == end)
        return count;
    soloist_fail(error, 0, (int)(at - text) + 1, "expected a number");
    return -1;
}

static const soloist_life toy_graph_life = {.size = sizeof(soloist_life),
                                            .recognise = toy_recognise,
                                            .next = soloist_next_line,
                                            .parse = toy_parse,
                                            .destroy = toy_destroy,
                                            .shape = toy_shape,
                                            .root = toy_root};
static const soloist_core toy_graph_core = {
    .size = sizeof(soloist_core),
    .moves = toy_moves,
    .apply = toy_apply,
    .undo = toy_undo,
    .ended = toy_ended,
    .key = toy_state_key,
    .key_from_scratch = toy_scratch_key,
    .expand = toy_expand,
};
static const soloist_text toy_graph_text = {.size = sizeof(soloist_text),
                                            .print = toy_print,
                                            .move = toy_print_move,
                                            .solution = toy_solution,
                                            .read = toy_read};
static const soloist_bound toy_graph_bound = {
    .size = sizeof(soloist_bound), .value = toy_bound, .admissible = toy_yes, .consistent = toy_no};
static const soloist_pack toy_graph_pack = {
    .size = sizeof(soloist_pack),
    .pack = toy_pack,
    .unpack = toy_unpack,
};

static const soloist_domain toy_graph_domain = {.abi = SOLOIST_ABI,
                                                .size = sizeof(soloist_domain),
                                                .name = "graph",
                                                .summary = "least cost from node 0 to the last node",
                                                .aim = SOLOIST_LEAST_COST,
                                                .players = 1,
                                                .life = &toy_graph_life,
                                                .core = &toy_graph_core,
                                                .text = &toy_graph_text};

/* ---- row: "row 3 1 4 1 5", the k-th number taken gains k times its value; -10 at the end --------------- */

enum { TOY_ROW = 32 };

struct toy_row {
    long count, value[TOY_ROW];
};

struct toy_span {
    int32_t left, right;
};

static inline const struct toy_row *toy_row_of(const soloist_instance *i) { return (const struct toy_row *)i; }

static inline int toy_row_recognise(const char *text, size_t length) {
    return length >= 3 && !memcmp(text, "row", 3) ? 90 : 0;
}

static inline soloist_instance *toy_row_parse(const soloist_chunk *chunk, const void *options, soloist_error *error) {
    (void)options, (void)error;
    const char *at = chunk->text + 3, *end = chunk->text + chunk->length;
    struct toy_row *row = (struct toy_row *)calloc(1, sizeof *row);
    while (row->count < TOY_ROW && toy_number(&at, end, &row->value[row->count]))
        row->count++;
    return (soloist_instance *)row;
}

static inline void toy_row_shape(const soloist_instance *instance, soloist_shape *shape) {
    *shape = (soloist_shape){
        .state_size = sizeof(struct toy_span), .most_moves = 2, .most_steps = (int)toy_row_of(instance)->count};
}

static inline void toy_row_root(const soloist_instance *instance, void *state) {
    *(struct toy_span *)state = (struct toy_span){0, (int32_t)toy_row_of(instance)->count};
}

static inline int toy_row_moves(const soloist_instance *instance, const void *state, soloist_move *moves) {
    (void)instance;
    const struct toy_span *span = (const struct toy_span *)state;
    moves[0] = 0, moves[1] = 1;
    return span->right - span->left > 1 ? 2 : span->right - span->left;
}

static inline int32_t toy_row_apply(const soloist_instance *instance, void *state, soloist_move move, void *undo) {
    (void)undo;
    const struct toy_row *row = toy_row_of(instance);
    struct toy_span *span = (struct toy_span *)state;
    long turn = row->count - (span->right - span->left) + 1;
    return (int32_t)(turn * (move ? row->value[--span->right] : row->value[span->left++]));
}

static inline void toy_row_undo(const soloist_instance *instance, void *state, soloist_move move, const void *undo) {
    (void)instance, (void)undo;
    struct toy_span *span = (struct toy_span *)state;
    move ? span->right++ : span->left--;
}

static inline bool toy_row_ended(const soloist_instance *instance, const void *state, int32_t *last) {
    (void)instance;
    const struct toy_span *span = (const struct toy_span *)state;
    *last = span->left == span->right ? -10 : 0;
    return span->left == span->right;
}

static inline uint64_t toy_row_key(const soloist_instance *instance, const void *state) {
    (void)instance;
    return hash_bytes(state, sizeof(struct toy_span));
}

/* Every number at the best factor that there is: the highest for a gain, 1 for a loss. */
static inline int32_t toy_row_bound(const soloist_instance *instance, const void *state) {
    const struct toy_row *row = toy_row_of(instance);
    const struct toy_span *span = (const struct toy_span *)state;
    long sum = 0;
    for (int32_t i = span->left; i < span->right; i++)
        sum += row->value[i] > 0 ? row->value[i] * row->count : row->value[i];
    return (int32_t)sum - 10;
}

static inline int toy_row_expand(const soloist_instance *instance, const void *state, soloist_move last, unsigned want,
                                 soloist_child *children) {
    (void)last, (void)want;
    soloist_move moves[2];
    int count = toy_row_moves(instance, state, moves);
    for (int i = 0; i < count; i++) {
        struct toy_span child = *(const struct toy_span *)state;
        int32_t step = toy_row_apply(instance, &child, moves[i], NULL);
        children[i] = (soloist_child){toy_row_key(instance, &child), moves[i], step, toy_row_bound(instance, &child)};
    }
    return count;
}

/* The best score, by trying everything. */
static inline int32_t toy_row_best(const soloist_instance *instance, struct toy_span span) {
    int32_t best = INT32_MIN, last;
    if (toy_row_ended(instance, &span, &last))
        return last;
    soloist_move moves[2];
    for (int i = toy_row_moves(instance, &span, moves); i-- > 0;) {
        struct toy_span child = span;
        int32_t step = toy_row_apply(instance, &child, moves[i], NULL);
        int32_t value = step + toy_row_best(instance, child);
        best = value > best ? value : best;
    }
    return best;
}

static const soloist_life toy_row_life = {.size = sizeof(soloist_life),
                                          .recognise = toy_row_recognise,
                                          .next = soloist_next_line,
                                          .parse = toy_row_parse,
                                          .destroy = toy_destroy,
                                          .shape = toy_row_shape,
                                          .root = toy_row_root};
static const soloist_core toy_row_core = {
    .size = sizeof(soloist_core),
    .moves = toy_row_moves,
    .apply = toy_row_apply,
    .undo = toy_row_undo,
    .ended = toy_row_ended,
    .key = toy_row_key,
    .key_from_scratch = toy_row_key,
    .expand = toy_row_expand,
};
static const soloist_bound toy_row_bounds = {
    .size = sizeof(soloist_bound), .value = toy_row_bound, .admissible = toy_yes, .consistent = toy_yes};

static const soloist_domain toy_row_domain = {.abi = SOLOIST_ABI,
                                              .size = sizeof(soloist_domain),
                                              .name = "row",
                                              .summary = "take the ends of a row of numbers",
                                              .aim = SOLOIST_MOST_SCORE,
                                              .players = 1,
                                              .life = &toy_row_life,
                                              .core = &toy_row_core,
                                              .text = &toy_graph_text,
                                              .bound = &toy_row_bounds};

/* ---- helpers ------------------------------------------------------------------------------------------ */

/* Reads one puzzle from a text; the caller frees it. */
static inline soloist_code toy_puzzle(const soloist_domain *domain, const char *text, soloist_puzzle *puzzle) {
    soloist_chunk chunk = {.text = text, .length = strlen(text), .line = 1, .name = ""};
    return soloist_puzzle_read(domain, NULL, &chunk, puzzle, NULL);
}

/* A random graph's text: `edges` edges over `nodes` nodes, costs from `least` to `most`. */
static inline void toy_random_graph(soloist_rng *rng, int nodes, int edges, int least, int most, char *out,
                                    size_t room) {
    size_t length = (size_t)snprintf(out, room, "graph %d", nodes);
    for (int e = 0; e < edges && length < room; e++) {
        int from = (int)soloist_rng_below(rng, (uint32_t)nodes), to = (int)soloist_rng_below(rng, (uint32_t)nodes);
        int cost = least + (int)soloist_rng_below(rng, (uint32_t)(most - least + 1));
        length += (size_t)snprintf(out + length, room - length, " %d %d %d", from, to, cost);
    }
}

/* Solves a toy, or fails the test. */
static inline soloist_result toy_solve(const soloist_domain *domain, const char *text, const char *method,
                                       const soloist_limits *limits) {
    soloist *engine = soloist_new();
    soloist_puzzle puzzle;
    soloist_result result;
    soloist_error error;
    assert_int_equal(toy_puzzle(domain, text, &puzzle), SOLOIST_OK);
    if (soloist_solve(engine, &puzzle, method, limits, NULL, &result, &error) != SOLOIST_OK)
        fail_msg("%s: %s", method, error.text);
    soloist_puzzle_free(&puzzle);
    soloist_free(engine);
    return result;
}

#endif
