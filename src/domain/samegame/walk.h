/* A walk keeps a list of a board's groups from move to move, with those of the tabu colour in a separate list
 * (narrow_walk.h, wide_walk.h).
 *
 * Rule 0 allows all groups. Rule k spares the k-th most frequent colour (the tabu colour), as in selective policies for
 * nested rollout policy adaptation (Cazenave 2016). A group of this colour may be played only in three cases: no group
 * of another colour is left; the group contains all blocks of its colour; or the group has two blocks and more than ten
 * moves have been played.
 *
 * Each further rule refines one of the rules k > 0: it also spares a second colour, but softly. Groups of the second
 * colour may be played at any time, but the groups of all other colours get a higher prior. Good games often remove
 * nearly all blocks of one colour in one move and leave a second large group; with rules that spare a single colour,
 * such a second group seldom forms.
 *
 * A group's code is made from its blocks' cells on the initial board, not from where they are now. What is learned
 * about a move therefore remains valid whatever was played elsewhere before it. */
#ifndef DOMAIN_SAMEGAME_WALK_H
#define DOMAIN_SAMEGAME_WALK_H

#include "domain/samegame/samegame.h"

#include <string.h>

/* The index at which groups of the tabu colour begin. The part before this index has room for all groups. It is a
 * little longer than necessary, so that no two lists are a multiple of 4096 bytes apart, which would be slow (4K
 * aliasing). */
enum { SAMEGAME_WALK_SPARED = SAMEGAME_MOST_SIDE * SAMEGAME_MOST_SIDE / 2 + 24, SAMEGAME_WALK_MOVES = 10 };

/* What a rule that spares two colours adds to the priors of all groups that are not of the second colour. */
enum { SAMEGAME_WALK_LIFT = 5 };

struct samegame_walk {
    /* The array holds first all groups of colours other than the tabu colour; after them, copies of the playable groups
     * of the tabu colour; and from index SAMEGAME_WALK_SPARED on, all groups of the tabu colour. */
    soloist_choice choices[2 * SAMEGAME_WALK_SPARED];
    uint16_t blocks[2 * SAMEGAME_WALK_SPARED];
    uint16_t shown_at[SAMEGAME_WALK_SPARED]; /* for each copied choice: index of the choice from which it was copied */
    union {                                  /* original cell of each block */
        uint8_t narrow[16][16];              /* 16 * column + row */
        uint16_t wide[32][32];               /* 32 * column + row */
    } from;
    uint16_t cells[2 * SAMEGAME_WALK_SPARED][16]; /* cells of each group; narrow boards only */
    int others, spared, shown;
    int steps, tabu;  /* tabu: the tabu colour; 0: none */
    int second, lift; /* second: the colour that is spared softly, 0: none; lift: see SAMEGAME_WALK_LIFT */
    union {
        struct samegame_narrow narrow;
        struct samegame_wide wide;
    } state;
};

/* Larger groups are preferred, but less so in the tabu colour (Cazenave: Generalized nested rollout policy
 * adaptation). */
static inline int samegame_walk_prior(const struct samegame_walk *walk, int n, int colour) {
    int prior = n - 2 - (colour == walk->tabu);
    prior = prior < 0 ? 0 : prior > 8 ? 8 : prior;
    return colour == walk->second ? prior : prior + walk->lift;
}

/* Copies the playable groups of the tabu colour behind the groups of the other colours; returns the number of choices.
 * left: the number of blocks of the tabu colour. There are no branches, because they would be unpredictable. */
static inline int samegame_walk_show(struct samegame_walk *walk, int left) {
    bool all = !walk->others, late = walk->steps > SAMEGAME_WALK_MOVES;
    int shown = 0;
    for (int i = SAMEGAME_WALK_SPARED; i < SAMEGAME_WALK_SPARED + walk->spared; i++) {
        int n = walk->blocks[i];
        walk->shown_at[shown] = (uint16_t)i;
        walk->choices[walk->others + shown] = walk->choices[i];
        shown += all | (n == left) | ((n == 2) & late);
    }
    walk->shown = shown;
    return walk->others + shown;
}

/* Returns the index of the chosen group in its own list. Also counts the move, and writes the copies that
 * samegame_walk_show made back to the choices from which they were copied, because the caller may have changed the
 * copies. */
static inline int samegame_walk_place(struct samegame_walk *walk, int chosen) {
    for (int i = 0; i < walk->shown; i++)
        walk->choices[walk->shown_at[i]] = walk->choices[walk->others + i];
    walk->steps++;
    return chosen < walk->others ? chosen : walk->shown_at[chosen - walk->others];
}

#endif
