/* SameGame as a domain: instances and states, and the function tables that the searches call. The rules are those of
 * Schadd et al. 2012 (Single-player Monte-Carlo tree search for SameGame): a move removes a group of two or more blocks
 * of the same colour; then blocks fall, and columns close to the left. */
#include "domain/samegame/samegame.h"
#include "domain/domain.h"

#include <stdlib.h>
#include <string.h>

/* ---- life ---- */

/* The most frequent colour; if several are equally frequent, the lowest of them; 0 for an empty board. */
static int most_frequent(const struct samegame_board *board, int *highest) {
    int counts[SAMEGAME_MOST_COLOURS + 1] = {0}, best = 0;
    for (int c = 0; c < board->width; c++)
        for (int r = 0; r < board->height; r++)
            counts[board->cell[c][r]]++;
    *highest = counts[0] = 0;
    for (int colour = 1; colour <= SAMEGAME_MOST_COLOURS; colour++) {
        best = counts[colour] > counts[best] ? colour : best;
        *highest = counts[colour] ? colour : *highest;
    }
    return best;
}

soloist_instance *samegame_instance_make(const struct samegame_board *board, const struct samegame_options *options) {
    soloist_instance *instance = calloc(1, sizeof *instance);
    if (!instance)
        return NULL;
    instance->board = *board;
    instance->width = board->width;
    instance->height = board->height;
    instance->wide = board->width > 16 || board->height > 16;
    int frequent = most_frequent(board, &instance->colours);
    instance->tabu = options->tabu ? (int)options->tabu : frequent;
    instance->planes = instance->colours > 7 ? 4 : 3;
    instance->kernel = samegame_kernel_best(instance->wide, instance->planes);
    size_t plane_size = instance->wide ? sizeof(uint32_t[32]) : sizeof(uint16_t[16]);
    instance->state_size = sizeof(uint64_t) + (size_t)instance->planes * plane_size;
    samegame_scoring_set(instance, options->scoring);
    samegame_walk_prepare(instance);
    return instance;
}

static soloist_instance *samegame_parse(const soloist_chunk *chunk, const void *options, soloist_error *error) {
    struct samegame_board board;
    if (!samegame_board_parse(chunk, &board, error))
        return NULL;
    soloist_instance *instance = samegame_instance_make(&board, options);
    if (!instance)
        soloist_fail(error, chunk->line, 0, "no memory for the board");
    return instance;
}

static void samegame_destroy(soloist_instance *instance) { free(instance); }

/* Bytes of a column in one plane of a packed state. */
static size_t column_size(const soloist_instance *instance) {
    return instance->wide ? 4 : instance->height > 8 ? 2 : 1;
}

static void samegame_shape(const soloist_instance *instance, soloist_shape *shape) {
    int groups = instance->width * instance->height / 2, most = groups ? groups : 1;
    *shape = (soloist_shape){
        .state_size = instance->state_size,
        .undo_size = instance->state_size,
        .packed_size = (size_t)(instance->planes * instance->width) * column_size(instance),
        .most_moves = most,
        .most_steps = most,
    };
}

static void samegame_root(const soloist_instance *instance, void *state) {
    samegame_state_from_board(instance, &instance->board, state);
}

void samegame_state_from_board(const soloist_instance *instance, const struct samegame_board *board, void *state) {
    struct samegame_narrow *narrow = state;
    struct samegame_wide *wide = state;
    memset(state, 0, instance->state_size);
    for (int k = 0; k < instance->planes; k++)
        for (int c = 0; c < board->width; c++)
            for (int r = 0; r < board->height; r++) {
                uint32_t bit = (uint32_t)(board->cell[c][r] >> k & 1) << r;
                if (instance->wide)
                    wide->plane[k][c] |= bit;
                else
                    narrow->plane[k][c] |= (uint16_t)bit;
            }
    *(uint64_t *)state = instance->kernel->key(instance, state);
}

/* Eight bits as eight bytes of 0 or 1, the lowest bit first in memory. */
static uint64_t spread_bits(uint32_t bits) {
    uint64_t bytes = ((uint64_t)(bits & 255) * 0x0101010101010101u) & 0x8040201008040201u;
    bytes = ((bytes + 0x7f7f7f7f7f7f7f7fu) >> 7) & 0x0101010101010101u;
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    bytes = __builtin_bswap64(bytes);
#endif
    return bytes;
}

void samegame_state_to_board(const soloist_instance *instance, const void *state, struct samegame_board *board) {
    const struct samegame_narrow *narrow = state;
    const struct samegame_wide *wide = state;
    memset(board, 0, sizeof *board);
    board->width = instance->width;
    board->height = instance->height;
    for (int c = 0; c < board->width; c++)
        for (int r = 0; r < board->height; r += 8) {
            uint64_t cells = 0;
            for (int k = 0; k < instance->planes; k++) {
                uint32_t column = instance->wide ? wide->plane[k][c] : narrow->plane[k][c];
                cells |= spread_bits(column >> r) << k;
            }
            memcpy(&board->cell[c][r], &cells, sizeof cells);
        }
}

static const soloist_life samegame_life = {
    .size = sizeof(soloist_life),
    .recognise = samegame_recognise,
    .next = samegame_next,
    .parse = samegame_parse,
    .destroy = samegame_destroy,
    .shape = samegame_shape,
    .root = samegame_root,
};

/* ---- core, bound, pack, sample ---- */

static int samegame_moves(const soloist_instance *instance, const void *state, soloist_move *moves) {
    return instance->kernel->moves(instance, state, moves);
}

/* Undo copies the old state back, because a record of the blocks that fell would usually be larger than a state. */
static int32_t samegame_apply(const soloist_instance *instance, void *state, soloist_move move, void *undo) {
    if (undo)
        memcpy(undo, state, instance->state_size);
    return instance->kernel->apply(instance, state, move);
}

static void samegame_undo(const soloist_instance *instance, void *state, soloist_move move, const void *undo) {
    (void)move;
    memcpy(state, undo, instance->state_size);
}

static bool samegame_ended(const soloist_instance *instance, const void *state, int32_t *last) {
    int counts[SAMEGAME_MOST_COLOURS + 1];
    if (!instance->kernel->stuck(instance, state))
        return false;
    instance->kernel->counts(instance, state, counts);
    *last = samegame_last(instance, counts);
    return true;
}

static uint64_t samegame_key(const soloist_instance *instance, const void *state) {
    (void)instance;
    return *(const uint64_t *)state;
}

static uint64_t samegame_key_from_scratch(const soloist_instance *instance, const void *state) {
    return instance->kernel->key(instance, state);
}

static int samegame_expand(const soloist_instance *instance, const void *state, soloist_move last, unsigned want,
                           soloist_child *children) {
    (void)last; /* not needed: no move undoes another */
    return instance->kernel->expand(instance, state, want, children);
}

static const soloist_core samegame_core = {
    .size = sizeof(soloist_core),
    .moves = samegame_moves,
    .apply = samegame_apply,
    .undo = samegame_undo,
    .ended = samegame_ended,
    .key = samegame_key,
    .key_from_scratch = samegame_key_from_scratch,
    .expand = samegame_expand,
};

static int32_t samegame_bound_value(const soloist_instance *instance, const void *state) {
    int counts[SAMEGAME_MOST_COLOURS + 1];
    instance->kernel->counts(instance, state, counts);
    return samegame_upper_bound(instance, counts);
}

static bool samegame_always(const soloist_instance *instance) {
    (void)instance;
    return true;
}

static const soloist_bound samegame_bound = {
    .size = sizeof(soloist_bound),
    .value = samegame_bound_value,
    .admissible = samegame_always,
    .consistent = samegame_always,
    .tight = samegame_tight_bound,
};

/* A packed state holds the planes, without columns and upper halves of columns that the instance never uses. Small
 * states make a closed table fast. */
static void samegame_pack(const soloist_instance *instance, const void *state, void *packed) {
    size_t size = column_size(instance), row = (size_t)instance->width * size, stride = instance->wide ? 128 : 32;
    const struct samegame_narrow *narrow = state;
    unsigned char *to = packed;
    for (int k = 0; k < instance->planes; k++, to += row)
        if (size == 1)
            for (int c = 0; c < instance->width; c++)
                to[c] = (unsigned char)narrow->plane[k][c];
        else
            memcpy(to, (const char *)state + sizeof(uint64_t) + (size_t)k * stride, row);
}

static void samegame_unpack(const soloist_instance *instance, const void *packed, void *state) {
    size_t size = column_size(instance), row = (size_t)instance->width * size, stride = instance->wide ? 128 : 32;
    struct samegame_narrow *narrow = state;
    const unsigned char *from = packed;
    memset(state, 0, instance->state_size);
    for (int k = 0; k < instance->planes; k++, from += row)
        if (size == 1)
            for (int c = 0; c < instance->width; c++)
                narrow->plane[k][c] = from[c];
        else
            memcpy((char *)state + sizeof(uint64_t) + (size_t)k * stride, from, row);
    *(uint64_t *)state = instance->kernel->key(instance, state);
}

static const soloist_pack samegame_packing = {
    .size = sizeof(soloist_pack), .pack = samegame_pack, .unpack = samegame_unpack};

/* random: every group is equally likely. tabu: every playable cell is equally likely, so large groups are preferred;
 * but no group of the tabu colour (by default the most frequent colour of the initial board) is played while there is
 * any other group, so that the blocks of that colour gather into one large group. */
static const char *const samegame_policies[] = {[SAMEGAME_RANDOM] = "random", [SAMEGAME_TABU] = "tabu", NULL};

static soloist_playout samegame_playout(const soloist_instance *instance, void *state, int policy, int limit,
                                        soloist_rng *rng, soloist_move *trace, soloist_stop_token *stop) {
    (void)stop; /* not needed: even the longest game takes only a few milliseconds */
    return instance->kernel->playout(instance, state, policy, limit, rng, trace);
}

static const soloist_sample samegame_sample = {
    .size = sizeof(soloist_sample), .policies = samegame_policies, .playout = samegame_playout};

const soloist_domain samegame_domain = {
    .abi = SOLOIST_ABI,
    .size = sizeof(soloist_domain),
    .name = "samegame",
    .summary = "SameGame: remove groups of blocks of the same colour for the highest score",
    .aim = SOLOIST_MOST_SCORE,
    .players = 1,
    .options = samegame_options_rows,
    .options_size = sizeof(struct samegame_options),
    .life = &samegame_life,
    .core = &samegame_core,
    .text = &samegame_text,
    .bound = &samegame_bound,
    .pack = &samegame_packing,
    .sample = &samegame_sample,
    .learn = &samegame_learn,
    .generate = &samegame_generate,
    .walk = &samegame_walking,
};
