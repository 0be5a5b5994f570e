/* Pattern search (D7; Junghanns and Schaeffer's Rolling Stone): small searches during the main one find sets of a few
 * boxes that are lost, or that together cost more pushes than the bound says. Such a set, with the squares of the
 * player for which that holds, is a pattern; it is stored and from then on counts in every position that contains it.
 *
 * For a small search the other boxes are removed from the board. That only adds possibilities: a solution of the whole
 * position, without the moves of the others, is a solution of the small game. So a set that is lost alone is lost in
 * any position.
 *
 * Penalties. Under potentials v of the goals, the bound of a position is sum v(goals) + the sum over boxes of the least
 * (distance to a goal - v(goal)). The small search pays for goals in the same way: its result is a lower bound on the
 * set's pushes minus the v of the goals that the set ends on. The bound may be raised by as much as this result exceeds
 * the set's part of the sum: whatever goals the set gets in the whole position, the rest of the sum remains a bound for
 * the other boxes. The penalties of sets that share no box may be added. */
#ifndef SOKOBAN_PATTERN_H
#define SOKOBAN_PATTERN_H

#include "domain/sokoban/sokoban.h"

#include <stdatomic.h>

#define PATTERN_MOST_BOXES 8
#define PATTERN_MOST_NODES 4000 /* positions of a small search */
#define PATTERN_MOST_HELD 64    /* patterns of one position that are looked at */
#define PATTERN_MOST_ROOMS 64   /* kept for small searches; threads beyond take and free theirs each time */

enum pattern_kind {
    PATTERN_DEADLOCK, /* any solution will do: best-first by distance to the goals */
    PATTERN_PENALTY,  /* the cheapest solution: A* */
};

struct pattern {
    int32_t value; /* pushes beyond the bound; SOKOBAN_NEVER: lost */
    int count;
    uint16_t box[PATTERN_MOST_BOXES];        /* in rising order */
    uint32_t next[PATTERN_MOST_BOXES], same; /* the next pattern + 1 with that box; and with the same lowest box */
};

/* The growing parts are written by all threads without locks: a pattern is complete before it is linked. The store only
 * grows, up to a fixed size, and every pattern is true: its content makes a search shorter and never wrong. With one
 * thread it always holds the same after the same searches. */
struct patterns {
    int32_t *estimate[2]; /* [posts] by kind: least cost to bring a box to a goal and pay for the goal */
    int32_t *price[2];    /* [size] by kind: what a goal costs */
    uint16_t *least;      /* [posts] least square of the player's part */
    struct pattern *list; /* [capacity, see pattern_store.c] */
    uint64_t *words;      /* [capacity][2][words] the boxes; and the player's squares */
    _Atomic uint32_t count;
    _Atomic uint32_t *first, *lowest; /* [size] the first pattern + 1 with that square; with it as its lowest */
    size_t slots;                     /* of the memory of small searches, see pattern_memory.c */
    _Atomic uint64_t *memory;
    bool borrowed;                                           /* the memory is the instance's, for all searches */
    _Atomic(struct pattern_room *) room[PATTERN_MOST_ROOMS]; /* that no small search is in just now; NULL: none */
};

/* What feature-space searches of one instance share. */
struct learned {
    _Atomic uint64_t *memory;
    _Atomic(struct patterns *) patterns; /* NULL: not shared, or not made yet */
};

/* What a small search found. */
struct pattern_finding {
    int32_t value;                /* as in struct pattern: a lower bound if not solved */
    bool solved;                  /* otherwise the search gave up */
    int stand;                    /* if solved: where the player must walk first; -1: nowhere */
    uint64_t used[SOKOBAN_WORDS]; /* if solved: the squares that boxes and player use after that */
};

/* Patterns that a position contains. */
struct pattern_held {
    int count;
    uint32_t at[PATTERN_MOST_HELD];
};

/* pattern_search.c: searches the small game of these boxes, at most PATTERN_MOST_BOXES. */
void pattern_search(const struct sokoban *game, enum pattern_kind kind, const uint64_t *boxes, int player,
                    struct pattern_finding *finding);
/* Room for the first small search, so that later ones need none as long as one thread searches. */
bool pattern_rooms_make(struct patterns *patterns);
void pattern_rooms_free(struct patterns *patterns);

/* Adds the squares of a shortest walk around the boxes; there must be one. */
void pattern_use_walk(const struct sokoban *game, const uint64_t *boxes, int from, int to, uint64_t *used);

/* pattern_memory.c: findings, keyed by boxes and the least square of the player's region among them. */
bool pattern_memory_make(struct patterns *patterns, const struct sokoban *game);
/* The patterns that all searches of the instance share, made when first requested; NULL: none, or no memory. */
struct patterns *sokoban_learned(const struct sokoban *game);
bool pattern_recall(const struct sokoban *game, enum pattern_kind kind, const uint64_t *boxes, int player,
                    struct pattern_finding *finding);
void pattern_remember(const struct sokoban *game, enum pattern_kind kind, const uint64_t *boxes, int player,
                      const struct pattern_finding *finding);

/* pattern_store.c */
size_t pattern_store_size(const struct sokoban *game);
bool pattern_store_make(struct patterns *patterns, const struct sokoban *game);
/* Stores a pattern unless it is already there or there is no room. */
void pattern_store_add(const struct sokoban *game, const uint64_t *boxes, int player, int32_t value);
/* Adds to `held` the patterns of a position that contain `box`; false if one of them is lost. */
bool pattern_store_held_by(const struct sokoban *game, const uint64_t *boxes, int player, int box,
                           struct pattern_held *held);
/* Adds all patterns of a position; false likewise. */
bool pattern_store_held(const struct sokoban *game, const uint64_t *boxes, int player, struct pattern_held *held);
/* The sum of the values of disjoint patterns from two lists, highest first, without those of the first list that
 * contain `without` (-1: none). */
int32_t pattern_store_sum(const struct sokoban *game, const struct pattern_held *held, int without,
                          const struct pattern_held *more);

/* pattern.c: drops the children that are lost, and raises the bounds of the others if bounds are wanted. */
int sokoban_pattern_children(const struct sokoban *game, const struct sokoban_state *state, unsigned want,
                             soloist_child *children, int count);
/* Whether sokoban_pattern_children drops the child of that move. */
bool sokoban_pattern_kills(const struct sokoban *game, const struct sokoban_state *state, soloist_move move);
/* Whether a position is lost by a known pattern, or by one found by examining the box at `to`, which was just pushed
 * there. */
bool sokoban_pattern_loses(const struct sokoban *game, const struct sokoban_state *state, int to);
/* Whether a position is lost by a known pattern; with `looking`, also by one found by examining each box that is off
 * its goal. */
bool sokoban_pattern_dooms(const struct sokoban *game, const struct sokoban_state *state, bool looking);
/* The bound of a position with the known penalties; value: the bound without them. */
int32_t sokoban_pattern_value(const struct sokoban *game, const struct sokoban_state *state, int32_t value);

#endif
