/* Makes the deadlock tables, zone by zone from the smallest. A zone with walls and boxes becomes a small puzzle: it is
 * surrounded by a free ring, and a box that is pushed into the ring disappears. Every push that is possible in the
 * level is possible in this puzzle too, whatever surrounds the zone in the level; therefore a deadlock of the puzzle is
 * a deadlock of the level. There are two kinds of deadlock. The zone is enclosed if not all boxes can leave it; this is
 * a deadlock only if the zone contains no goals. A box is immovable if it can never be moved; this is a deadlock only
 * if the box is off the goals. All puzzles with the same walls are solved together. A position is a set of boxes with
 * the player's part of the floor. Each position is updated from the positions after its pushes until nothing
 * changes. */
#include "domain/sokoban/deadlock/deadlock_table.h"

#include <stdlib.h>

#define MOST_CELLS 12
/* Number of places where the player may be: outside, or in a pocket around one of at most two inner cells. */
#define PLACES 3

const struct deadlock_zone deadlock_zones[DEADLOCK_ZONES] = {
    {2, 2, 0},
    {2, 3, 81},
    {2, 4, 81 + 729},
    {3, 3, 81 + 729 + 6561},
    {2, 5, 81 + 729 + 6561 + 19683},
    {3, 4, 81 + 729 + 6561 + 19683 + 59049},
};

/* One zone with its ring. The cells of the board are bits, row by row. */
struct aux {
    int rows, columns, cells, stride;
    uint32_t board, ring;
    int bit[MOST_CELLS], inner[PLACES - 1], inners;
    uint32_t weight[MOST_CELLS]; /* weight of each cell's digit in an arrangement's number */
    uint32_t walls;
    uint8_t *known;    /* [sets of boxes][PLACES]: whether all boxes can leave the zone */
    uint16_t *movable; /* [sets of boxes][PLACES]: the boxes that can be moved at some time */
};

static void aux_open(struct aux *aux, const struct deadlock_zone *zone) {
    uint32_t weight = 1;
    aux->rows = zone->rows, aux->columns = zone->columns, aux->cells = zone->rows * zone->columns;
    aux->stride = zone->columns + 2;
    aux->board = (1u << (aux->stride * (zone->rows + 2))) - 1;
    aux->ring = aux->board;
    for (int y = 0, k = 0; y < zone->rows; y++)
        for (int x = 0; x < zone->columns; x++, k++, weight *= 3) {
            aux->bit[k] = (y + 1) * aux->stride + x + 1;
            aux->weight[k] = weight;
            aux->ring &= ~(1u << aux->bit[k]);
            if (y == 1 && zone->rows == 3 && x > 0 && x < zone->columns - 1)
                aux->inner[aux->inners++] = k;
        }
}

/* The squares to which the player can walk. A shift by one never reaches the next row from a reachable cell, because
 * the ring closes every row. */
static uint32_t walk(const struct aux *aux, uint32_t from, uint32_t solid) {
    uint32_t reach = from, old, first = 0;
    for (int y = 0; y < aux->rows + 2; y++)
        first |= 1u << (y * aux->stride);
    uint32_t last = first << (aux->stride - 1), free = aux->board & ~solid;
    do {
        old = reach;
        reach |=
            (((reach & ~last) << 1) | ((reach & ~first) >> 1) | reach << aux->stride | reach >> aux->stride) & free;
    } while (reach != old);
    return reach;
}

static uint32_t spread_bits(const struct aux *aux, unsigned set) {
    uint32_t bits = 0;
    for (int k = 0; k < aux->cells; k++)
        bits |= (set >> k & 1) << aux->bit[k];
    return bits;
}

/* The cells that the player can reach in place 0 (outside) or in the pocket around an inner cell; an empty set if there
 * is no such place. */
static uint32_t place_reach(const struct aux *aux, uint32_t solid, int place) {
    uint32_t from = place ? 1u << aux->bit[aux->inner[place - 1]] : aux->ring;
    if (from & solid)
        return 0;
    uint32_t reach = walk(aux, from, solid);
    return place && reach & aux->ring ? 0 : reach;
}

static int place_of(const struct aux *aux, uint32_t solid, int cell) {
    for (int p = 0; p < aux->inners; p++)
        if (cell == aux->inner[p])
            return walk(aux, 1u << aux->bit[cell], solid) & aux->ring ? 0 : p + 1;
    return 0;
}

/* Updates a position from the positions after each of its pushes; returns whether anything changed. */
static bool improve(struct aux *aux, unsigned boxes, int place) {
    uint32_t solid = spread_bits(aux, aux->walls | boxes), reach = place_reach(aux, solid, place);
    unsigned at = boxes * PLACES + (unsigned)place, movable = aux->movable[at];
    const int step[4] = {-aux->stride, -1, 1, aux->stride}, cell_step[4] = {-aux->columns, -1, 1, aux->columns};
    bool known = aux->known[at];
    for (int k = 0; reach && k < aux->cells; k++)
        for (int d = 0; d < 4 && boxes >> k & 1; d++) {
            int to = aux->bit[k] + step[d];
            if (!(reach >> (aux->bit[k] - step[d]) & 1) || solid >> to & 1)
                continue;
            bool out = aux->ring >> to & 1;
            unsigned moved = out ? 0 : 1u << (k + cell_step[d]), after = (boxes & ~(1u << k)) | moved;
            int there = place_of(aux, spread_bits(aux, aux->walls | after), k);
            unsigned then = after * PLACES + (unsigned)there;
            known |= aux->known[then];
            movable |= 1u << k | (aux->movable[then] & ~moved);
        }
    bool better = known != aux->known[at] || movable != aux->movable[at];
    aux->known[at] = known;
    aux->movable[at] = (uint16_t)movable;
    return better;
}

/* Solves all puzzles with these walls. */
static void solve_walls(struct aux *aux, uint16_t *entries) {
    unsigned free = ((1u << aux->cells) - 1) & ~aux->walls;
    memset(aux->known, 0, PLACES << aux->cells);
    memset(aux->movable, 0, sizeof *aux->movable * PLACES << aux->cells);
    for (int place = 0; place < PLACES; place++)
        aux->known[place] = 1;
    for (bool better = true; better;) {
        better = false;
        /* All non-empty subsets of `free`, in rising order. */
        for (unsigned boxes = (0 - free) & free; boxes; boxes = (boxes - free) & free)
            for (int place = 0; place <= aux->inners; place++)
                better |= improve(aux, boxes, place);
    }
    for (unsigned boxes = (0 - free) & free; boxes; boxes = (boxes - free) & free) {
        uint32_t number = 0;
        for (int k = 0; k < aux->cells; k++)
            number += aux->weight[k] * (aux->walls >> k & 1 ? DEADLOCK_WALL : boxes >> k & 1 ? DEADLOCK_BOX : 0);
        unsigned stuck = boxes & ~aux->movable[boxes * PLACES];
        entries[number] = (uint16_t)(stuck | (aux->known[boxes * PLACES] ? 0 : DEADLOCK_ENCLOSED));
    }
}

static bool build_zone(const struct deadlock_zone *zone, uint16_t *entries, soloist_stop_token *stop) {
    struct aux aux = {0};
    aux_open(&aux, zone);
    aux.known = malloc(PLACES << aux.cells);
    aux.movable = malloc(sizeof *aux.movable * PLACES << aux.cells);
    bool good = aux.known && aux.movable;
    for (aux.walls = 0; good && aux.walls < 1u << aux.cells; aux.walls++) {
        solve_walls(&aux, entries + zone->first);
        good = !soloist_stopped(stop);
    }
    free(aux.known);
    free(aux.movable);
    return good;
}

static uint32_t power(int exponent) {
    uint32_t result = 1;
    while (exponent-- > 0)
        result *= 3;
    return result;
}

/* A window contains two zones of 3x4 and two of 2x5, and these contain all smaller ones. A dead zone makes every larger
 * zone around it dead. */
static void fill_windows(struct deadlock_tables *tables) {
    const uint16_t *wide = tables->entry + deadlock_zones[4].first, *high = tables->entry + deadlock_zones[5].first;
    const uint32_t row = power(DEADLOCK_COLUMNS), four = power(4);
    for (uint32_t window = 0; window < DEADLOCK_WINDOWS; window++) {
        uint32_t r0 = window % row, r1 = window / row % row, r2 = window / row / row;
        uint32_t left = r0 % four + four * (r1 % four) + four * four * (r2 % four);
        uint32_t right = r0 / 3 + four * (r1 / 3) + four * four * (r2 / 3);
        if (high[left] || high[right] || wide[r0 + row * r1] || wide[r1 + row * r2])
            tables->window[window / 8] |= (uint8_t)(1u << window % 8);
    }
}

bool deadlock_tables_build(struct deadlock_tables *tables, soloist_stop_token *stop) {
    for (int z = 0; z < DEADLOCK_ZONES; z++)
        if (!build_zone(&deadlock_zones[z], tables->entry, stop))
            return false;
    fill_windows(tables);
    return true;
}
