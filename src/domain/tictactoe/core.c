/* The function tables of tic-tac-toe that searches call. A board has 18 bits; different boards have different keys. */
#include "base/hash.h"
#include "domain/tictactoe/tictactoe.h"

bool tictactoe_has_line(unsigned marks) {
    static const uint16_t lines[8] = {0007, 0070, 0700, 0111, 0222, 0444, 0421, 0124};
    for (int i = 0; i < 8; i++)
        if ((marks & lines[i]) == lines[i])
            return true;
    return false;
}

static unsigned occupied(const struct tictactoe_state *state) { return state->marks[0] | state->marks[1]; }

static enum tictactoe_side turn_of(const struct tictactoe_state *state) {
    return __builtin_popcount(occupied(state)) % 2 ? TICTACTOE_O : TICTACTOE_X;
}

static bool is_over(const struct tictactoe_state *state, int32_t *result) {
    *result = tictactoe_has_line(state->marks[TICTACTOE_X]) - tictactoe_has_line(state->marks[TICTACTOE_O]);
    return *result || occupied(state) == TICTACTOE_FULL;
}

static uint64_t key_of(unsigned x_marks, unsigned o_marks) { return hash_mix((x_marks | o_marks << 9) + 1); }

static int core_moves(const soloist_instance *instance, const void *state, soloist_move *moves) {
    (void)instance;
    int32_t result;
    if (is_over(state, &result))
        return 0;
    int count = 0;
    for (unsigned free = TICTACTOE_FULL & ~occupied(state); free; free &= free - 1)
        moves[count++] = (soloist_move)__builtin_ctz(free);
    return count;
}

static int32_t core_apply(const soloist_instance *instance, void *state, soloist_move move, void *undo) {
    (void)instance, (void)undo;
    struct tictactoe_state *board = state;
    board->marks[turn_of(board)] |= (uint16_t)(1u << move);
    return 0;
}

static void core_undo(const soloist_instance *instance, void *state, soloist_move move, const void *undo) {
    (void)instance, (void)undo;
    struct tictactoe_state *board = state;
    board->marks[0] &= (uint16_t) ~(1u << move);
    board->marks[1] &= (uint16_t) ~(1u << move);
}

static bool core_ended(const soloist_instance *instance, const void *state, int32_t *last) {
    (void)instance;
    return is_over(state, last);
}

static uint64_t core_key(const soloist_instance *instance, const void *state) {
    (void)instance;
    const struct tictactoe_state *board = state;
    return key_of(board->marks[TICTACTOE_X], board->marks[TICTACTOE_O]);
}

static int core_expand(const soloist_instance *instance, const void *state, soloist_move last, unsigned want,
                       soloist_child *children) {
    (void)last, (void)want;
    soloist_move moves[9];
    int count = core_moves(instance, state, moves);
    for (int i = 0; i < count; i++) {
        struct tictactoe_state board = *(const struct tictactoe_state *)state;
        core_apply(instance, &board, moves[i], NULL);
        children[i] = (soloist_child){.key = core_key(instance, &board), .move = moves[i]};
    }
    return count;
}

static int core_turn(const soloist_instance *instance, const void *state) {
    (void)instance;
    return turn_of(state);
}

const soloist_core tictactoe_core = {
    .size = sizeof(soloist_core),
    .moves = core_moves,
    .apply = core_apply,
    .undo = core_undo,
    .ended = core_ended,
    .key = core_key,
    .key_from_scratch = core_key,
    .expand = core_expand,
    .turn = core_turn,
};

/* ---- pack: each of the 3^9 boards is a number of two bytes ---- */

static void pack_pack(const soloist_instance *instance, const void *state, void *packed) {
    (void)instance;
    const struct tictactoe_state *board = state;
    unsigned number = 0;
    for (int cell = 0; cell < 9; cell++)
        number = number * 3 + (board->marks[0] >> cell & 1) + 2 * (board->marks[1] >> cell & 1u);
    uint8_t *bytes = packed;
    bytes[0] = (uint8_t)number, bytes[1] = (uint8_t)(number >> 8);
}

static void pack_unpack(const soloist_instance *instance, const void *packed, void *state) {
    (void)instance;
    const uint8_t *bytes = packed;
    struct tictactoe_state board = {{0, 0}};
    unsigned number = bytes[0] | (unsigned)bytes[1] << 8;
    for (int cell = 8; cell >= 0; cell--, number /= 3)
        if (number % 3)
            board.marks[number % 3 - 1] |= (uint16_t)(1u << cell);
    *(struct tictactoe_state *)state = board;
}

const soloist_pack tictactoe_pack = {
    .size = sizeof(soloist_pack),
    .pack = pack_pack,
    .unpack = pack_unpack,
};

/* ---- play-outs ---- */

static soloist_playout sample_playout(const soloist_instance *instance, void *state, int policy, int limit,
                                      soloist_rng *rng, soloist_move *trace, soloist_stop_token *stop) {
    (void)stop;
    (void)policy;
    soloist_playout played = {0, 0, false};
    soloist_move moves[9];
    int32_t result;
    while (!(played.ended = is_over(state, &result)) && played.length < limit) {
        int count = core_moves(instance, state, moves);
        soloist_move move = moves[soloist_rng_below(rng, (uint32_t)count)];
        core_apply(instance, state, move, NULL);
        if (trace)
            trace[played.length] = move;
        played.length++;
    }
    played.value = played.ended ? result : 0;
    return played;
}

static const char *const policies[] = {"random", NULL};
const soloist_sample tictactoe_sample = {
    .size = sizeof(soloist_sample),
    .policies = policies,
    .playout = sample_playout,
};
