/* Pattern search (D7; Junghanns and Schaeffer's Rolling Stone): small searches during the main one find sets of a few
 * boxes that are lost, or that cost more pushes together than the bound says. Such a set, with the squares of the
 * player for which that holds, is a pattern; it is kept and counts from then on in every position that holds it.
 *
 * The other boxes are taken off the board for a small search. That only adds to what can be done: a solution of the
 * whole, less the moves of the others, is one of the small game. So a set that is lost alone is lost in any company.
 *
 * Penalties. Under potentials v of the goals the bound of a position is sum v(goals) + sum over boxes of the least
 * (distance to a goal - v(goal)). A set's pushes, less the v of the goals that it ends on, are at least what a small
 * search finds where it pays for goals in that way, and by as much as that exceeds the set's part of the sum the bound
 * may be raised: whatever goals the set gets in the whole, the rest of the sum stays a bound for the other boxes. Sets
 * that share no box may add up. */
#ifndef SOKOBAN_PATTERN_H
#define SOKOBAN_PATTERN_H

#include "domain/sokoban/sokoban.h"

#include <stdatomic.h>

#define PATTERN_MOST_BOXES 8
#define PATTERN_MOST_NODES 4000 /* positions of a small search */
#define PATTERN_MOST_HELD 64    /* patterns of one position that are looked at */
#define PATTERN_MOST_ROOMS 64   /* kept for small searches; threads beyond take and free theirs each time */

enum pattern_kind {
    PATTERN_DEADLOCK, /* any solution will do: nearest to the goals first */
    PATTERN_PENALTY,  /* the cheapest solution: A* */
};

struct pattern {
    int32_t value; /* pushes more than the bound says; SOKOBAN_NEVER: lost */
    int count;
    uint16_t box[PATTERN_MOST_BOXES];        /* rising */
    uint32_t next[PATTERN_MOST_BOXES], same; /* the next pattern + 1 with that box; with the same lowest box */
};

/* What grows is written by all threads without locks: a pattern is complete before it is linked. It only grows, up to a
 * fixed size, and every pattern is true: what it holds makes a search shorter and never wrong. With one thread it holds
 * the same after the same searches. */
struct patterns {
    int32_t *estimate[2]; /* [posts] by kind: the least cost to bring a box from there to a goal and pay for that */
    int32_t *price[2];    /* [size] by kind: paid for a goal */
    uint16_t *least;      /* [posts] the least square of the player's part */
    struct pattern *list; /* [capacity, see pattern_store.c] */
    uint64_t *words;      /* [capacity][2][words] the boxes; the player's squares */
    _Atomic uint32_t count;
    _Atomic uint32_t *first, *lowest; /* [size] the first pattern + 1 that holds the square; as its lowest */
    size_t slots;                     /* of what is remembered of small searches, see pattern_memory.c */
    _Atomic uint64_t *memory;
    bool borrowed;                                           /* the memory is the instance's, for all searches */
    _Atomic(struct pattern_room *) room[PATTERN_MOST_ROOMS]; /* that no small search is in just now; NULL: none */
};

/* What feature-space searches of one instance share. */
struct learned {
    _Atomic uint64_t *memory;
    _Atomic(struct patterns *) patterns; /* NULL: not shared, or not yet made */
};

/* What a small search found. */
struct pattern_finding {
    int32_t value;                /* as a pattern's: a lower bound if not solved */
    bool solved;                  /* else the search gave up */
    int stand;                    /* if solved: where the player must go first; -1: nowhere */
    uint64_t used[SOKOBAN_WORDS]; /* if solved: the squares that boxes and player go over after that */
};

/* Patterns that a position holds. */
struct pattern_held {
    int count;
    uint32_t at[PATTERN_MOST_HELD];
};

/* pattern_search.c: the small game of these boxes, at most PATTERN_MOST_BOXES. Without memory for it, it gives up. */
void pattern_search(const struct sokoban *game, enum pattern_kind kind, const uint64_t *boxes, int player,
                    struct pattern_finding *finding);
/* Room for the first small search, so that later ones need none as long as one thread searches. */
bool pattern_rooms_make(struct patterns *patterns);
void pattern_rooms_free(struct patterns *patterns);

/* Adds the squares of a shortest walk past the boxes, which there is. */
void pattern_use_walk(const struct sokoban *game, const uint64_t *boxes, int from, int to, uint64_t *used);

/* pattern_memory.c: findings by boxes and least square of the player's region among them. */
bool pattern_memory_make(struct patterns *patterns, const struct sokoban *game);
/* The patterns that all searches of the instance share, made when first asked for; NULL: none, or no memory. */
struct patterns *sokoban_learned(const struct sokoban *game);
bool pattern_recall(const struct sokoban *game, enum pattern_kind kind, const uint64_t *boxes, int player,
                    struct pattern_finding *finding);
void pattern_remember(const struct sokoban *game, enum pattern_kind kind, const uint64_t *boxes, int player,
                      const struct pattern_finding *finding);

/* pattern_store.c */
size_t pattern_store_size(const struct sokoban *game);
bool pattern_store_make(struct patterns *patterns, const struct sokoban *game);
/* Keeps a pattern unless it is there or there is no room. */
void pattern_store_add(const struct sokoban *game, const uint64_t *boxes, int player, int32_t value);
/* Adds to `held` the patterns of a position that hold `box`; false if one is lost. */
bool pattern_store_held_by(const struct sokoban *game, const uint64_t *boxes, int player, int box,
                           struct pattern_held *held);
/* All of them; false likewise. */
bool pattern_store_held(const struct sokoban *game, const uint64_t *boxes, int player, struct pattern_held *held);
/* The values of disjoint ones of two lists, dearest first, less those of the first that hold `without` (-1: none). */
int32_t pattern_store_sum(const struct sokoban *game, const struct pattern_held *held, int without,
                          const struct pattern_held *more);

/* pattern.c: drops the children that are lost, and raises the bounds of the others if they are wanted. */
int sokoban_pattern_children(const struct sokoban *game, const struct sokoban_state *state, unsigned want,
                             soloist_child *children, int count);
/* Whether it drops the child of that move. */
bool sokoban_pattern_kills(const struct sokoban *game, const struct sokoban_state *state, soloist_move move);
/* Whether a position is lost by a pattern that is known, or found by looking at the box at `to`, just pushed there. */
bool sokoban_pattern_loses(const struct sokoban *game, const struct sokoban_state *state, int to);
/* Whether a position is lost by a pattern that is known; looking: or found by looking at each box that is off its goal.
 */
bool sokoban_pattern_dooms(const struct sokoban *game, const struct sokoban_state *state, bool looking);
/* The bound of a position with the penalties that are known; value: without. */
int32_t sokoban_pattern_value(const struct sokoban *game, const struct sokoban_state *state, int32_t value);

#endif
