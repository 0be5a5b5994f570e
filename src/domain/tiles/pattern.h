/* Additive pattern databases for sliding tiles (Korf and Felner 2002). For every placement of a few tiles they give the
 * least number of moves of those tiles that brings them to their goal cells; moves of other tiles do not count. Sums
 * over disjoint patterns are admissible.
 *
 * A placement is identified by the set of cells that the pattern's tiles occupy (colexicographic rank of the set) and
 * by the order of the tiles on these cells (rank of the permutation). A tile that moves sideways keeps its place in the
 * order. A tile that moves up or down passes at most width - 1 others; a small table gives the new rank. Two table
 * look-ups are therefore enough to compute the ranks after a move. Searches compute ranks in this way, and so does the
 * construction of a database, which works set by set on blocks that fit into the cache. */
#ifndef DOMAIN_TILES_PATTERN_H
#define DOMAIN_TILES_PATTERN_H

#include "soloist.h"

#define PATTERN_MOST_TILES 8
#define PATTERN_MOST_CELLS 25
#define PATTERN_SPLIT 13 /* a set of cells is ranked in two halves: the 13 low cells and the rest */

struct pattern {
    int width, height, cells, tiles;
    int blank_goal;
    uint32_t goal_cells;                   /* the pattern's tiles, given as the set of their goal cells */
    uint8_t goal_cell[PATTERN_MOST_TILES]; /* goal cells of tile 0, 1, ... in rising order */
    uint32_t orders, sets;                 /* orders: factorial of the number of tiles; sets: C(cells, tiles) */
    /* Rank of a low half in the lower 24 bits, its number of members in the top byte. */
    uint32_t low_rank[1 << PATTERN_SPLIT];
    uint32_t high_rank[PATTERN_MOST_TILES + 1][1 << (PATTERN_MOST_CELLS - PATTERN_SPLIT)];
    /* [i][j][order]: the new order after the i-th tile has become the j-th; NULL: this never happens. */
    uint16_t *shifted[PATTERN_MOST_TILES][PATTERN_MOST_TILES];
    uint8_t distance[PATTERN_MOST_TILES][PATTERN_MOST_CELLS]; /* Manhattan distance of each tile to its goal */
    /* Each entry is half of the number of moves needed beyond the Manhattan distance; a byte holds two entries. */
    const uint8_t *entries;
    void *mapped; /* the mapped file; NULL: the entries are on the heap */
    size_t mapped_size;
};

/* Called now and then while a database is built; fraction: the part that is done, 0 to 1. */
typedef void (*pattern_progress)(void *user, double fraction);

/* Opens the database of the tiles whose goals are `goal_cells`: maps its file in `folder` (NULL: no file) after
 * checking header and checksum, or builds it with `threads` threads and writes the file. Neither reading nor building
 * needs more than `memory` bytes at any time; 0: no limit. Building ends soon after `stop`, which may be NULL, is
 * stopped. Returns NULL with an error. */
struct pattern *pattern_open(int width, int height, uint32_t goal_cells, int blank_goal, const char *folder,
                             size_t memory, int threads, soloist_stop_token *stop, pattern_progress progress,
                             void *user, soloist_error *error);
void pattern_close(struct pattern *pattern);
size_t pattern_bytes(const struct pattern *pattern);

/* A placement of the pattern's tiles. */
struct pattern_place {
    uint32_t set;   /* bit c: a tile of the pattern on cell c */
    uint32_t order; /* rank of the permutation */
};

/* home_of[c]: goal cell of the tile on cell c; -1 for the blank. */
struct pattern_place pattern_place_of(const struct pattern *pattern, const int8_t *home_of);

/* Number of members of a set. Plain code is used because the compiler's builtin becomes a function call if the
 * processor may lack the instruction. */
static inline int pattern_members(uint32_t set) {
    set -= set >> 1 & 0x55555555;
    set = (set & 0x33333333) + (set >> 2 & 0x33333333);
    return (int)(((set + (set >> 4)) & 0x0f0f0f0f) * 0x01010101 >> 24);
}

static inline uint32_t pattern_set_rank(const struct pattern *p, uint32_t set) {
    uint32_t low = p->low_rank[set & ((1u << PATTERN_SPLIT) - 1)];
    return (low & 0xffffff) + p->high_rank[low >> 24][set >> PATTERN_SPLIT];
}

/* The placement after the tile on cell `from` has moved to the free cell `to`. */
static inline struct pattern_place pattern_move(const struct pattern *p, struct pattern_place at, int from, int to) {
    uint32_t set = at.set ^ (1u << from) ^ (1u << to);
    if (from - to == 1 || to - from == 1)
        return (struct pattern_place){set, at.order};
    int i = pattern_members(at.set & ((1u << from) - 1)), j = pattern_members(set & ((1u << to) - 1));
    return (struct pattern_place){set, i == j ? at.order : p->shifted[i][j][at.order]};
}

static inline size_t pattern_index(const struct pattern *p, struct pattern_place at) {
    return (size_t)pattern_set_rank(p, at.set) * p->orders + at.order;
}

/* Moves needed beyond the Manhattan distance of the pattern's tiles. */
static inline int pattern_excess(const struct pattern *p, struct pattern_place at) {
    size_t index = pattern_index(p, at);
    return 2 * (p->entries[index >> 1] >> (4 * (index & 1)) & 15);
}

#endif
