/* A tighter upper bound, from the question which colours can each be removed in a single move.
 *
 * Let U be a set of colours, and suppose that a game removes each of them in a single move. When a colour of U is
 * removed, its blocks form one group, so the columns that hold them are adjacent. Any column between these columns that
 * holds no block of the colour must have vanished before, with all that it held. A colour of U that has a block in such
 * a column must therefore be removed earlier. The same holds for blocks between two blocks of the colour in one column,
 * unless another column also holds two or more blocks of the colour: then the group could go around them. If these
 * demands form a cycle, no game can remove each colour of U in a single move: every game then removes some colour of U
 * in two or more moves, or not completely, for a lower score. */
#include "domain/samegame/samegame.h"

#include <string.h>

enum { colours_room = SAMEGAME_MOST_COLOURS + 1, no_way = -(1 << 26) };

/* The data that the bound needs. Sets of colours, columns or rows are bits. */
struct profile {
    int colours;
    int counts[colours_room];
    /* For each column, the set of rows that have a block of this colour. */
    uint32_t cells[colours_room][SAMEGAME_MOST_SIDE];
    uint32_t columns[colours_room]; /* columns that hold the colour */
    /* Colours that must be removed before this colour, if both are in U. */
    unsigned before[colours_room];
};

/* all_once: the highest score of a game in which every colour is removed in one move. cleared[c], left[c]: what the
 * score loses at least if colour c is not removed in one move, in a game that clears the board and in a game that does
 * not. */
struct worth {
    int32_t all_once;
    int32_t cleared[colours_room], left[colours_room];
};

static int32_t most(int32_t a, int32_t b) { return a > b ? a : b; }

/* The rows of a colour in `side` columns. `side` is a constant at each call, so that the loop is vectorised. */
static inline __attribute__((always_inline)) void find_cells(uint32_t planes[][SAMEGAME_MOST_SIDE], int colour,
                                                             int side, uint32_t *cells) {
    uint32_t turned[SAMEGAME_MOST_PLANES];
    for (int k = 0; k < SAMEGAME_MOST_PLANES; k++)
        turned[k] = colour >> k & 1 ? 0 : UINT32_MAX;
    for (int c = 0; c < side; c++)
        cells[c] = (planes[0][c] ^ turned[0]) & (planes[1][c] ^ turned[1]) & (planes[2][c] ^ turned[2]) &
                   (planes[3][c] ^ turned[3]);
}

static void fill_profile(const soloist_instance *instance, const void *state, struct profile *profile) {
    const struct samegame_narrow *narrow = state;
    const struct samegame_wide *wide = state;
    uint32_t planes[SAMEGAME_MOST_PLANES][SAMEGAME_MOST_SIDE] = {{0}};
    for (int k = 0; k < instance->planes; k++)
        for (int c = 0; c < instance->width; c++)
            planes[k][c] = instance->wide ? wide->plane[k][c] : narrow->plane[k][c];
    profile->colours = instance->colours;
    instance->kernel->counts(instance, state, profile->counts);
    for (int colour = 1; colour <= instance->colours; colour++) {
        uint32_t *cells = profile->cells[colour], columns = 0;
        if (instance->width > 8)
            find_cells(planes, colour, SAMEGAME_MOST_SIDE, cells);
        else
            find_cells(planes, colour, 8, cells);
        for (int c = 0; c < instance->width; c++)
            columns |= (uint32_t)(cells[c] != 0) << c;
        profile->columns[colour] = columns;
        profile->before[colour] = 0;
    }
}

/* All bits from the lowest to the highest set bit. */
static uint32_t span_of(uint32_t set) {
    return (UINT32_MAX >> __builtin_clz(set)) & (UINT32_MAX << __builtin_ctz(set));
}

/* The rows between the blocks of a colour in the only column that holds two or more of them; 0 if there are several
 * such columns. */
static uint32_t between(const struct profile *profile, int colour, int *column) {
    uint32_t rows = 0;
    for (uint32_t columns = profile->columns[colour]; columns; columns &= columns - 1) {
        int c = __builtin_ctz(columns);
        uint32_t cells = profile->cells[colour][c];
        if (!(cells & (cells - 1)))
            continue;
        if (rows)
            return 0;
        rows = span_of(cells);
        *column = c;
    }
    return rows ? rows & ~profile->cells[colour][*column] : 0;
}

static void find_demands(struct profile *profile) {
    for (int colour = 1; colour <= profile->colours; colour++) {
        if (profile->counts[colour] < 2)
            continue;
        int column = 0;
        uint32_t gaps = span_of(profile->columns[colour]) & ~profile->columns[colour];
        uint32_t rows = between(profile, colour, &column);
        for (int other = 1; other <= profile->colours; other++) {
            bool demanded = profile->columns[other] & gaps || (rows && profile->cells[other][column] & rows);
            profile->before[colour] |= (unsigned)demanded << other;
        }
    }
}

/* The least penalty at the end for leaving `left` blocks of a colour. */
static int32_t end_penalty(const soloist_instance *instance, int left) {
    if (instance->scoring == SAMEGAME_STANDARD)
        return (left - 2) * (left - 2);
    return instance->scoring == SAMEGAME_CLICKOMANIA ? left : 0;
}

/* A move's score is convex in the number of blocks. The best way to remove n blocks in several moves is therefore to
 * remove two and then all the rest; if some blocks are left over, it is best to leave one. */
static void weigh(const soloist_instance *instance, int n, int colour, struct worth *worth) {
    int32_t once = n > 1 ? samegame_step(instance, n) : 0, two = no_way, left = -end_penalty(instance, n);
    if (n >= 4)
        two = samegame_step(instance, 2) + samegame_step(instance, n - 2);
    if (n >= 3)
        left = most(left, samegame_step(instance, n - 1) - end_penalty(instance, 1));
    worth->all_once += once;
    worth->cleared[colour] = once - two;
    worth->left[colour] = once - most(two, left);
}

/* The colours of the set that do not depend on any other colour of the set: they can be removed first. */
static unsigned first_of(const struct profile *profile, unsigned set) {
    unsigned found = 0;
    for (unsigned each = set; each; each &= each - 1) {
        int colour = __builtin_ctz(each);
        if (!(profile->before[colour] & set & ~(1u << colour)))
            found |= 1u << colour;
    }
    return found;
}

/* What remains of a set after repeatedly removing the colours that depend on no other colour of it. Nothing remains if
 * the colours can be removed in some order. */
static unsigned circle_of(const struct profile *profile, unsigned set) {
    for (unsigned found; (found = first_of(profile, set));)
        set &= ~found;
    return set;
}

/* Removes the colours on which no other colour of the set depends: they can be removed last. */
static unsigned drop_last(const struct profile *profile, unsigned circle) {
    for (unsigned demanded, kept = circle;; circle = kept) {
        demanded = 0;
        for (unsigned each = circle; each; each &= each - 1) {
            int colour = __builtin_ctz(each);
            demanded |= profile->before[colour] & ~(1u << colour);
        }
        kept = circle & demanded;
        if (kept == circle)
            return circle;
    }
}

/* The highest score over all possible sets U. All colours outside the cycles are in U, except colours with a single
 * block (`must`); if there is such a colour, the board cannot be cleared. */
static int32_t best_order(const soloist_instance *instance, const struct profile *profile, const struct worth *worth,
                          unsigned all, unsigned must, int32_t enough) {
    bool bonus = instance->scoring == SAMEGAME_STANDARD || instance->scoring == SAMEGAME_BLOCKS;
    unsigned circle = drop_last(profile, circle_of(profile, all & ~must));
    int32_t best = enough, lost_by_must = 0, lost_at_least = INT32_MAX;
    for (unsigned each = all; each; each &= each - 1) {
        int colour = __builtin_ctz(each);
        lost_by_must += must >> colour & 1 ? worth->left[colour] : 0;
        lost_at_least = worth->left[colour] < lost_at_least ? worth->left[colour] : lost_at_least;
    }
    for (unsigned split = circle;; split = (split - 1) & circle) {
        int32_t cleared = must ? no_way : worth->all_once + (bonus ? 1000 : 0), left = worth->all_once - lost_by_must;
        for (unsigned each = split; each; each &= each - 1) {
            cleared -= worth->cleared[__builtin_ctz(each)];
            left -= worth->left[__builtin_ctz(each)];
        }
        if (!must && !split && all)
            left -= lost_at_least;
        int32_t value = most(cleared, left);
        if (value > best && !circle_of(profile, circle & ~split))
            best = value;
        if (!split)
            return best;
    }
}

int32_t samegame_tight_bound(const soloist_instance *instance, const void *state, int32_t enough) {
    struct profile profile;
    struct worth worth = {.all_once = 0};
    unsigned all = 0, must = 0;
    fill_profile(instance, state, &profile);
    for (int colour = 1; colour <= instance->colours; colour++)
        if (profile.counts[colour]) {
            all |= 1u << colour;
            must |= (unsigned)(profile.counts[colour] == 1) << colour;
            weigh(instance, profile.counts[colour], colour, &worth);
        }
    find_demands(&profile);
    return best_order(instance, &profile, &worth, all, must, enough);
}
