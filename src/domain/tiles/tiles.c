/* The sliding tiles as a domain: life, core, bound and reverse. */
#include "domain/domain.h"
#include "domain/tiles/tiles_core.h"
#include "domain/tiles/tiles_patterns.h"

#include <stdlib.h>
#include <string.h>

/* ---- life ---- */

static soloist_instance *parse(const soloist_chunk *chunk, const void *options, soloist_error *error) {
    soloist_instance *instance = calloc(1, sizeof *instance);
    if (!instance) {
        soloist_fail(error, chunk->line, 0, "no memory for the puzzle");
        return NULL;
    }
    if (!tiles_read_board(chunk, &instance->width, &instance->height, instance->start, error) ||
        !tiles_pattern_fits(chunk, options, instance->width, instance->height, error)) {
        free(instance);
        return NULL;
    }
    tiles_prepare(instance, options);
    if (instance->bound == TILES_WALKING && !tiles_walking_open(instance, chunk->line, error)) {
        free(instance);
        return NULL;
    }
    return instance;
}

static void destroy(soloist_instance *instance) {
    if (instance && !instance->is_session)
        tiles_walking_close(instance);
    free(instance);
}

/* A session is a copy of the instance to which pattern databases can be attached. */
static soloist_instance *session(const soloist_instance *instance, const soloist_work *work, soloist_error *error) {
    soloist_instance *copy = malloc(sizeof *copy);
    (void)work;
    if (!copy) {
        soloist_fail(error, 0, 0, "no memory for the puzzle");
        return NULL;
    }
    *copy = *instance;
    copy->is_session = true;
    return copy;
}

static void shape(const soloist_instance *instance, soloist_shape *shape) {
    size_t words = instance->bits == 4 ? 1 : 4, places = tiles_places_size(instance);
    *shape = (soloist_shape){.state_size = sizeof(struct tiles_state) + 8 * words + places,
                             .undo_size = sizeof(uint64_t) + places,
                             .packed_size = instance->bits == 4 ? 8 : 16,
                             .most_moves = TILES_DIRECTIONS,
                             .least_step = 1};
}

static void root(const soloist_instance *instance, void *state) {
    tiles_state_from_board(instance, instance->start, state);
}

/* On some boards, every permutation that is odd for one goal is even for the other. */
static const char *impossible(const soloist_instance *instance) {
    static const char *const reasons[2][2] = {
        {"the tiles are an odd permutation of the goal 0 1 2 ..., and moves keep the parity",
         "the tiles are an odd permutation of the goal 0 1 2 ..., and moves keep the parity; "
         "the goal 1 2 ... 0 can be reached: -d tiles:goal=blank-last"},
        {"the tiles are an odd permutation of the goal 1 2 ... 0, and moves keep the parity",
         "the tiles are an odd permutation of the goal 1 2 ... 0, and moves keep the parity; "
         "the goal 0 1 2 ... can be reached: -d tiles:goal=blank-first"}};
    bool blank_last = instance->place[TILES_TO_GOAL][0] != 0;
    bool other = !tiles_is_odd(instance->width, instance->height, instance->start, !blank_last);
    return instance->odd ? reasons[blank_last][other] : NULL;
}

static const soloist_life life = {
    .size = sizeof(soloist_life),
    .recognise = tiles_recognise,
    .next = soloist_next_line,
    .parse = parse,
    .destroy = destroy,
    .shape = shape,
    .root = root,
    .impossible = impossible,
    .session = session,
};

/* ---- core: one body for 4 and 8 bits per square, and for both directions of search ---- */

static int moves(const soloist_instance *instance, const void *state, soloist_move *moves) {
    unsigned open = instance->open[tiles_blank(state)];
    int count = 0;
    for (soloist_move move = 0; move < TILES_DIRECTIONS; move++)
        if (open >> move & 1)
            moves[count++] = move;
    return count;
}

static int32_t apply(const soloist_instance *instance, void *state, soloist_move move, void *undo) {
    struct tiles_state *s = state;
    if (undo)
        memcpy(undo, &s->summary, sizeof s->summary);
    if (instance->tables) {
        struct tiles_places *places = tiles_places_of(instance, s);
        if (undo)
            memcpy((char *)undo + sizeof s->summary, places, tiles_places_size(instance));
        tiles_places_move(instance, s, move, places);
    } else if (instance->walking[0]) {
        s->summary = (uint32_t)s->summary | tiles_walking_move(instance, s, move);
    }
    return instance->bits == 4 ? tiles_apply_body(instance, s, move, instance->offsets, 4)
                               : tiles_apply_body(instance, s, move, instance->offsets, 8);
}

static void undo(const soloist_instance *instance, void *state, soloist_move move, const void *undo) {
    uint64_t summary;
    memcpy(&summary, undo, sizeof summary);
    if (instance->tables)
        memcpy(tiles_places_of(instance, state), (const char *)undo + sizeof summary, tiles_places_size(instance));
    if (instance->bits == 4)
        tiles_undo_body(instance, state, move, summary, 4);
    else
        tiles_undo_body(instance, state, move, summary, 8);
}

static bool ended_at(const void *state, int end, int32_t *last) {
    *last = 0;
    return tiles_distance(((const struct tiles_state *)state)->summary, end) == 0;
}

static uint64_t key(const soloist_instance *instance, const void *state) {
    const struct tiles_state *s = state;
    return instance->bits == 4 ? tiles_key_of(s->board, 4) : tiles_key_of(s->board, 8);
}

static uint64_t key_from_scratch(const soloist_instance *instance, const void *state) {
    uint8_t board[TILES_MOST_SQUARES];
    uint64_t words[4] = {0};
    tiles_board_from_state(instance, state, board);
    for (int square = 0; square < instance->squares; square++) {
        int bit = square * instance->bits;
        words[bit / 64] |= (uint64_t)board[square] << bit % 64;
    }
    return instance->bits == 4 ? tiles_key_of(words, 4) : tiles_key_of(words, 8);
}

/* An instance made by tiles_between uses the databases only for the estimate: their goal is not exactly the end of its
 * game, so their sums are not admissible for it. */
static bool has_pattern_bound(const soloist_instance *instance, int end) {
    return instance->tables && end == TILES_TO_GOAL && !instance->is_part;
}

static int32_t bound_at(const soloist_instance *instance, const void *state, int end) {
    const struct tiles_state *s = state;
    uint8_t board[TILES_MOST_SQUARES];
    if (instance->bound == TILES_NO_BOUND)
        return 0;
    if (has_pattern_bound(instance, end))
        return tiles_distance(s->summary, end) +
               tiles_excess_bound(tiles_places_excess(instance, tiles_places_of(instance, s)));
    if (instance->walking[0] && end == TILES_TO_GOAL)
        return tiles_walking_bound(instance, s->summary);
    if (instance->bound != TILES_LINEAR_CONFLICT)
        return tiles_distance(s->summary, end);
    tiles_board_from_state(instance, s, board);
    return tiles_distance(s->summary, end) +
           tiles_linear_conflict(instance->width, instance->height, board, instance->place[end]);
}

/* Replaces the children's Manhattan distances, which tiles_expand_body sets, by the bound that the options ask for. */
static void rebound(const soloist_instance *instance, const struct tiles_state *state, soloist_child *children,
                    int count, int end) {
    uint8_t board[TILES_MOST_SQUARES];
    unsigned blank = tiles_blank(state);
    if (instance->bound == TILES_LINEAR_CONFLICT)
        tiles_board_from_state(instance, state, board);
    for (int i = 0; i < count; i++) {
        if (instance->bound == TILES_NO_BOUND) {
            children[i].bound = 0;
            continue;
        }
        unsigned to = blank + (unsigned)tiles_offset(instance->offsets, children[i].move);
        board[blank] = board[to], board[to] = 0;
        children[i].bound += tiles_linear_conflict(instance->width, instance->height, board, instance->place[end]);
        board[to] = board[blank], board[blank] = 0;
    }
}

/* Adds what the pattern databases give beyond the Manhattan distance; guesses may be NULL. A guess adds both sums, each
 * with weight 10/16, instead of using only the larger one. With such guesses, beams of width 2048 find solutions that
 * are 1.2 % shorter on Korf and Felner's 50 boards. */
TILES_INLINE void add_excess(const soloist_instance *instance, const struct tiles_state *state, soloist_child *children,
                             int count, int32_t *guesses) {
    const struct tiles_places *places = tiles_places_of(instance, state);
    struct tiles_excess before = tiles_places_excess(instance, places);
    for (int i = 0; i < count; i++) {
        struct tiles_excess excess = tiles_places_child(instance, state, children[i].move, places, before);
        if (guesses)
            guesses[i] = 16 * children[i].bound + 10 * (excess.plain + excess.mirrored);
        if (!instance->is_part)
            children[i].bound += tiles_excess_bound(excess);
    }
}

TILES_INLINE int expand_at(const soloist_instance *instance, const void *state, soloist_move last, unsigned want,
                           soloist_child *children, const int end) {
    int count = instance->bits == 4 ? tiles_expand_body(instance, state, last, want, children, 4, end)
                                    : tiles_expand_body(instance, state, last, want, children, 8, end);
    if (want & SOLOIST_WANT_BOUND) {
        if (instance->bound == TILES_LINEAR_CONFLICT || instance->bound == TILES_NO_BOUND)
            rebound(instance, state, children, count, end);
        else if (has_pattern_bound(instance, end))
            add_excess(instance, state, children, count, NULL);
        else if (instance->walking[0] && end == TILES_TO_GOAL)
            for (int i = 0; i < count; i++)
                children[i].bound =
                    tiles_walking_bound(instance, tiles_walking_move(instance, state, children[i].move));
    }
    return count;
}

/* The functions specialised for the end that the search aims at: once for the goal and once for the root. */
#define TILES_END_FUNCTIONS(NAME, END)                                                                                 \
    static bool ended_##NAME(const soloist_instance *instance, const void *state, int32_t *last) {                     \
        (void)instance;                                                                                                \
        return ended_at(state, END, last);                                                                             \
    }                                                                                                                  \
    static int32_t bound_##NAME(const soloist_instance *instance, const void *state) {                                 \
        return bound_at(instance, state, END);                                                                         \
    }                                                                                                                  \
    static int expand_##NAME(const soloist_instance *instance, const void *state, soloist_move last, unsigned want,    \
                             soloist_child *children) {                                                                \
        return expand_at(instance, state, last, want, children, END);                                                  \
    }
TILES_END_FUNCTIONS(goal, TILES_TO_GOAL)
TILES_END_FUNCTIONS(root, TILES_TO_ROOT)

static const soloist_core core = {
    .size = sizeof(soloist_core),
    .moves = moves,
    .apply = apply,
    .undo = undo,
    .ended = ended_goal,
    .key = key,
    .key_from_scratch = key_from_scratch,
    .expand = expand_goal,
};

/* ---- bound: all are admissible; pattern databases are inconsistent, because an entry is the minimum over the blank's
 * regions
 * ---- */

static bool without_patterns(const soloist_instance *instance) { return !instance->patterns || instance->is_part; }

static bool yes(const soloist_instance *instance) {
    (void)instance;
    return true;
}

static const soloist_bound bound = {
    .size = sizeof(soloist_bound), .value = bound_goal, .admissible = yes, .consistent = without_patterns};

/* ---- estimate: from the pattern databases ---- */

static bool with_patterns(const soloist_instance *instance) { return instance->tables != NULL; }

static int expand_guessing(const soloist_instance *instance, const void *state, soloist_move last, unsigned want,
                           soloist_child *children, int32_t *guesses) {
    int count = expand_at(instance, state, last, want & ~SOLOIST_WANT_BOUND, children, TILES_TO_GOAL);
    add_excess(instance, state, children, count, guesses);
    return count;
}

static const soloist_estimate estimate = {
    .size = sizeof(soloist_estimate), .known = with_patterns, .expand = expand_guessing};

/* ---- reverse: there is one goal, and backward moves are moves of the same kind ---- */

static bool goal(const soloist_instance *instance, uint64_t index, void *state) {
    uint8_t board[TILES_MOST_SQUARES];
    if (index > 0)
        return false;
    for (int tile = 0; tile < instance->squares; tile++)
        board[instance->place[TILES_TO_GOAL][tile]] = (uint8_t)tile;
    tiles_state_from_board(instance, board, state);
    return true;
}

static soloist_move forward(const soloist_instance *instance, const void *state, soloist_move move) {
    (void)instance, (void)state;
    return TILES_DIRECTIONS - 1 - move;
}

static const soloist_core backward_core = {
    .size = sizeof(soloist_core),
    .moves = moves,
    .apply = apply,
    .undo = undo,
    .ended = ended_root,
    .key = key,
    .key_from_scratch = key_from_scratch,
    .expand = expand_root,
};
static const soloist_bound backward_bound = {
    .size = sizeof(soloist_bound), .value = bound_root, .admissible = yes, .consistent = yes};
static const soloist_reverse reverse = {.size = sizeof(soloist_reverse),
                                        .goal = goal,
                                        .core = &backward_core,
                                        .bound = &backward_bound,
                                        .forward = forward,
                                        .between = tiles_between};

static const soloist_pack pack = {.size = sizeof(soloist_pack), .pack = tiles_pack, .unpack = tiles_unpack};

const soloist_domain tiles_domain = {
    .abi = SOLOIST_ABI,
    .size = sizeof(soloist_domain),
    .name = "tiles",
    .summary = "sliding tiles, 2x2 to 5x5: bring the numbers into order by moving the blank",
    .aim = SOLOIST_LEAST_COST,
    .players = 1,
    .options = tiles_options_rows,
    .options_size = sizeof(struct tiles_options),
    .life = &life,
    .core = &core,
    .text = &tiles_text,
    .bound = &bound,
    .reverse = &reverse,
    .pack = &pack,
    .sample = &tiles_sample,
    .reward = &tiles_reward,
    .learn = &tiles_learn,
    .generate = &tiles_generate,
    .tables = &tiles_pattern_tables,
    .estimate = &estimate,
    .hints = &tiles_hints,
};
