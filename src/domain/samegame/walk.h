/* A walk keeps the list of the groups that may be played (narrow_walk.h, wide_walk.h).
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

/* SAMEGAME_WALK_ROOM: the maximum number of groups. It is a little larger than necessary, so that no two arrays are a
 * multiple of 4096 bytes apart, which would be slow (4K aliasing). SAMEGAME_WALK_MOVES: after more than this many
 * moves, groups of two blocks of the tabu colour may be played. */
enum { SAMEGAME_WALK_ROOM = SAMEGAME_MOST_SIDE * SAMEGAME_MOST_SIDE / 2 + 24, SAMEGAME_WALK_MOVES = 10 };

/* What a rule that spares two colours adds to the priors of all groups that are not of the second colour. */
enum { SAMEGAME_WALK_LIFT = 5 };

/* What only walks on narrow boards keep. */
struct samegame_narrow_list {
    uint16_t cells[SAMEGAME_WALK_ROOM][16]; /* the cells of each choice's group */
    /* The first `kept` choices stay in the list until a move affects their groups. They are all groups of colours other
     * than the tabu colour and, after more than SAMEGAME_WALK_MOVES moves, all groups of two blocks of the tabu colour.
     * The choices after them are other groups of the tabu colour, and are listed again after every move. */
    int kept;
    uint16_t pairs[16];   /* the first cells of the kept groups of the tabu colour */
    soloist_choice whole; /* the choice that removes all blocks of the tabu colour, if they are one group */
    int whole_at;         /* its index in the list; -1: it is not in the list */
};

struct samegame_walk {
    soloist_choice choices[SAMEGAME_WALK_ROOM];
    union {                     /* original cell of each block */
        uint8_t narrow[17][16]; /* 16 * column + row; the last column is padding */
        uint16_t wide[32][32];  /* 32 * column + row */
    } from;
    int count;        /* number of choices */
    int steps, tabu;  /* tabu: the tabu colour; 0: none */
    int second, lift; /* second: the colour that is spared softly, 0: none; lift: see SAMEGAME_WALK_LIFT */
    struct samegame_narrow_list narrow_list;
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

#endif
