/* The walk group of the domain contract: which colours each rule spares, and the score at the end of a walk. */
#include "domain/samegame/walk.h"
#include "base/hash.h"

/* Fills block_keys, indexed by cell: 16 * column + row on a narrow board, 32 * column + row on a wide one. A block's
 * key depends only on its column and row. */
void samegame_walk_prepare(soloist_instance *instance) {
    int side = instance->wide ? 32 : 16;
    for (int cell = 0; cell < side * side; cell++)
        instance->block_keys[cell] =
            hash_zobrist(SAMEGAME_BLOCK_KEYS, (uint32_t)(cell / side * SAMEGAME_MOST_SIDE + cell % side));
}

static size_t samegame_walk_size(const soloist_instance *instance) {
    (void)instance;
    return sizeof(struct samegame_walk);
}

static void count_colours(const soloist_instance *instance, int counts[SAMEGAME_MOST_COLOURS + 1]) {
    memset(counts, 0, (SAMEGAME_MOST_COLOURS + 1) * sizeof *counts);
    for (int c = 0; c < instance->width; c++)
        for (int r = 0; r < instance->height; r++)
            counts[instance->board.cell[c][r]]++;
    counts[0] = 0;
}

static int colours_present(const soloist_instance *instance) {
    int counts[SAMEGAME_MOST_COLOURS + 1], present = 0;
    count_colours(instance, counts);
    for (int colour = 1; colour <= SAMEGAME_MOST_COLOURS; colour++)
        present += counts[colour] > 0;
    return present;
}

static int samegame_walk_rules(const soloist_instance *instance) { return 1 + colours_present(instance); }

/* One rule for each ordered pair of colours. */
static int samegame_walk_refinements(const soloist_instance *instance) {
    int present = colours_present(instance);
    return present * (present - 1);
}

/* The colour with the rank-th most blocks on the initial board; among equally frequent colours, the lower number comes
 * first. Rank 0 is no colour. */
static int colour_of_rank(const soloist_instance *instance, int rank) {
    int counts[SAMEGAME_MOST_COLOURS + 1], best = 0;
    count_colours(instance, counts);
    for (; rank > 0; rank--) {
        best = 0;
        for (int colour = 1; colour <= SAMEGAME_MOST_COLOURS; colour++)
            best = counts[colour] > counts[best] ? colour : best;
        counts[best] = 0;
    }
    return best;
}

/* The ranks of the two colours that a rule spares; 0: none. Rule k of the plain rules spares rank k. Of the further
 * rules, the first two spare the two most frequent colours, one way round and the other; then come those in which the
 * third colour is new, and so on. */
static void ranks_of(const soloist_instance *instance, int rule, int *main, int *second) {
    int plain = samegame_walk_rules(instance), pair = rule - plain, newest = 2;
    *main = rule, *second = 0;
    if (pair < 0)
        return;
    for (; pair >= 2 * (newest - 1); newest++)
        pair -= 2 * (newest - 1);
    *main = pair % 2 ? newest : pair / 2 + 1;
    *second = pair % 2 ? pair / 2 + 1 : newest;
}

static int samegame_walk_refines(const soloist_instance *instance, int rule) {
    int main, second;
    ranks_of(instance, rule, &main, &second);
    return main;
}

static void set_rule(const soloist_instance *instance, struct samegame_walk *walk, int rule) {
    int main, second;
    ranks_of(instance, rule, &main, &second);
    walk->tabu = colour_of_rank(instance, main);
    walk->second = colour_of_rank(instance, second);
    walk->lift = second ? SAMEGAME_WALK_LIFT : 0;
}

static int samegame_walk_open(const soloist_instance *instance, void *walk, const void *state, int rule, int steps) {
    struct samegame_walk *own = walk;
    set_rule(instance, own, rule);
    own->steps = steps;
    own->state.wide.key = 0;
    return instance->kernel->walk_open(instance, own, state);
}

static void copy_narrow_list(struct samegame_narrow_list *to, const struct samegame_narrow_list *from, int count) {
    memcpy(to->cells, from->cells, (size_t)count * sizeof *to->cells);
    memcpy(to->pairs, from->pairs, sizeof to->pairs);
    to->kept = from->kept, to->whole = from->whole, to->whole_at = from->whole_at;
}

static void samegame_walk_copy(const soloist_instance *instance, void *to, const void *from) {
    struct samegame_walk *target = to;
    const struct samegame_walk *source = from;
    memcpy(target->choices, source->choices, (size_t)source->count * sizeof *target->choices);
    target->count = source->count, target->steps = source->steps, target->tabu = source->tabu;
    target->second = source->second, target->lift = source->lift;
    if (!instance->wide)
        copy_narrow_list(&target->narrow_list, &source->narrow_list, source->count);
    memcpy(&target->from, &source->from, instance->wide ? sizeof source->from.wide : sizeof source->from.narrow);
    memcpy(&target->state, &source->state, instance->state_size);
}

static int samegame_walk_play(const soloist_instance *instance, void *walk, int chosen) {
    ((struct samegame_walk *)walk)->steps++;
    return instance->kernel->walk_play(instance, walk, chosen);
}

static bool samegame_walk_ended(const soloist_instance *instance, const void *walk, int32_t *last) {
    const struct samegame_walk *own = walk;
    int counts[SAMEGAME_MOST_COLOURS + 1];
    if (own->count)
        return false;
    instance->kernel->counts(instance, &own->state, counts);
    *last = samegame_last(instance, counts);
    return true;
}

/* Lists the original cells of the group's blocks, four columns at a time. A group has blocks in all columns from its
 * first to its last. */
static int list_narrow(const uint16_t cells[16], int column, const uint8_t *from, uint16_t *parts) {
    int count = 0;
    for (; column < 16; column += 4) {
        int first = column < 12 ? column : 12;
        uint64_t bits;
        memcpy(&bits, cells + first, sizeof bits);
        bits &= ~UINT64_C(0) << 16 * (column - first);
        if (!bits)
            break;
        for (; bits; bits &= bits - 1)
            parts[count++] = from[16 * first + __builtin_ctzll(bits)];
    }
    return count;
}

/* The same on a wide board, where walks do not keep the cells of groups. */
static int list_wide(const soloist_instance *instance, const struct samegame_walk *walk, soloist_move move,
                     uint16_t *parts) {
    struct samegame_board board;
    soloist_move cells[SAMEGAME_MOST_SIDE * SAMEGAME_MOST_SIDE];
    samegame_state_to_board(instance, &walk->state, &board);
    int count = samegame_board_take_group(&board, move, cells);
    for (int i = 0; i < count; i++)
        parts[i] = walk->from.wide[samegame_column(cells[i])][samegame_row(cells[i])];
    return count;
}

static int samegame_walk_parts(const soloist_instance *instance, const void *walk, int chosen, uint16_t *parts) {
    const struct samegame_walk *own = walk;
    soloist_move move = own->choices[chosen].move;
    if (instance->wide)
        return list_wide(instance, own, move, parts);
    return list_narrow(own->narrow_list.cells[chosen], samegame_column(move), &own->from.narrow[0][0], parts);
}

const soloist_walk samegame_walking = {
    .size = sizeof(soloist_walk),
    .walk_size = samegame_walk_size,
    .rules = samegame_walk_rules,
    .open = samegame_walk_open,
    .copy = samegame_walk_copy,
    .play = samegame_walk_play,
    .ended = samegame_walk_ended,
    .refinements = samegame_walk_refinements,
    .refines = samegame_walk_refines,
    .parts = samegame_walk_parts,
};
