/* Lost triples: three boxes that cannot all reach goals even if no other box is on the board, although any two of them
 * can. The squares of such boxes are called a lost set; some sets are lost only if the player is on certain squares. */
#ifndef DOMAIN_SOKOBAN_DEADLOCK_TRIPLES_H
#define DOMAIN_SOKOBAN_DEADLOCK_TRIPLES_H

#include "domain/sokoban/sokoban.h"

#include <stdatomic.h>

#define SOKOBAN_TRIPLES_BOXES 5 /* a table is made only for levels with at least this many boxes, as for pairs */

/* The third square of a lost set; it is listed under the pair of the other two squares. */
struct sokoban_third {
    uint16_t square;
    uint32_t row; /* row of `lost`; TRIPLES_ALL: the set is lost wherever the player is */
};

#define TRIPLES_ALL UINT32_MAX

struct sokoban_triples {
    int live;
    int16_t *number; /* [size]: number of each live square, counted from 0; -1: the square is not live */
    /* [live][words]: for each live square, the squares that can be the second one of a lost set. */
    uint64_t *second;
    /* [live][live][words]: for each pair, the third squares of lost sets; each has a higher number than the second
     * square. */
    uint64_t *higher;
    uint32_t *first;             /* [live][live]: index of each pair's first entry in `third` */
    struct sokoban_third *third; /* [count]: the third squares, sorted by pair */
    uint64_t *lost;              /* [rows][words]: the player's squares for which a set is lost */
    size_t count, rows;
};

/* The tables of the game [0] and of the game played backwards [1]. Each table is made only after a search has run for
 * as long as making the table takes, so that short searches do without it. One thread makes the table while the others
 * continue. A table affects the length of a search but never its correctness. With one thread, the moment at which the
 * table is made is reproducible. */
struct triples_late {
    uint64_t due[2]; /* number of generated states after which the table is made; 0: never */
    _Atomic uint64_t states[2];
    atomic_flag begun[2];
    _Atomic(struct sokoban_triples *) table[2];
};

/* The table, or NULL while there is none. */
static inline const struct sokoban_triples *triples_of(const struct sokoban *game, bool backward) {
    return game->triples ? atomic_load_explicit(&game->triples->table[backward], memory_order_acquire) : NULL;
}

/* Makes the table now, unless a thread has already begun it. */
void sokoban_triples_build(const struct sokoban *game, bool backward);

/* Whether a table will be made but does not exist yet. */
static inline bool triples_wait(const struct sokoban *game, bool backward) {
    return game->triples && game->triples->due[backward] && !triples_of(game, backward);
}

/* Called before a search lists the moves of a state: makes the table if it is due. */
static inline void triples_begin(const struct sokoban *game, bool backward) {
    if (triples_wait(game, backward) &&
        atomic_load_explicit(&game->triples->states[backward], memory_order_relaxed) >= game->triples->due[backward])
        sokoban_triples_build(game, backward);
}

/* Called after the moves are listed: counts the states that were generated. */
static inline void triples_count(const struct sokoban *game, bool backward, int states) {
    if (triples_wait(game, backward))
        atomic_fetch_add_explicit(&game->triples->states[backward], (uint64_t)states, memory_order_relaxed);
}

/* Whether one of the boxes is on a third square that makes a lost set with the two squares of `pair`. */
static inline bool triples_third_loses(const struct sokoban_triples *t, ptrdiff_t pair, const uint64_t *boxes,
                                       int player, int n) {
    for (uint32_t at = t->first[pair]; at < t->first[pair + 1]; at++) {
        struct sokoban_third third = t->third[at];
        if (bitset_has(boxes, third.square) &&
            (third.row == TRIPLES_ALL || bitset_has(t->lost + (ptrdiff_t)third.row * n, (unsigned)player)))
            return true;
    }
    return false;
}

/* Whether there are three lost boxes, one of them at `box`; `others` may contain the box itself. */
BOARD_INLINE bool triples_lose(const struct sokoban_triples *t, const uint64_t *others, int box, int player, int n) {
    ptrdiff_t base = (ptrdiff_t)t->number[box] * t->live;
    if (base < 0)
        return false;
    const uint64_t *second = t->second + (ptrdiff_t)t->number[box] * n;
    for (int i = 0; i < n; i++)
        for (uint64_t left = others[i] & second[i]; left; left &= left - 1) {
            ptrdiff_t pair = base + t->number[i * 64 + bits_lowest(left)];
            const uint64_t *higher = t->higher + pair * n;
            uint64_t met = 0;
            for (int k = i; k < n; k++)
                met |= others[k] & higher[k];
            if (met && triples_third_loses(t, pair, others, player, n))
                return true;
        }
    return false;
}

/* Whether the position contains a lost triple, in forward or backward play; false if there is no table. */
bool sokoban_has_lost_triple(const struct sokoban *game, const struct sokoban_state *state, bool backward);

#endif
