/* Pattern search (D7; Rolling Stone: Junghanns and Schaeffer 2001). During the main search, small searches find sets of
 * a few boxes that are a deadlock, or that need more pushes than the bound says. Such a set is a pattern. It is stored
 * together with the player's squares for which it was proved, and from then on it is used in every position that
 * contains it.
 *
 * A small search plays on a board without the other boxes. Removing boxes only adds possibilities: the pushes of the
 * set's boxes in a solution of the whole position also solve the small game. A set that is lost in the small game is
 * therefore lost in every position that contains it.
 *
 * Penalties. Let v be a potential for each goal. Then a bound of a position is the sum of v over all goals, plus for
 * each box the minimum over all goals of (distance to the goal - v(goal)). The small search uses the same costs. Its
 * result is a lower bound on a difference: the number of pushes of the set's boxes, minus the sum of v over the goals
 * on which these boxes end. If this result exceeds the set's terms in the sum, the excess is a penalty that may be
 * added to the bound: whichever goals the set's boxes end on, the other terms remain a bound for the other boxes.
 * Penalties of sets that share no box may be added up. */
#ifndef DOMAIN_SOKOBAN_PATTERN_PATTERN_H
#define DOMAIN_SOKOBAN_PATTERN_PATTERN_H

#include "domain/sokoban/sokoban.h"

#include <stdatomic.h>

#define PATTERN_MOST_BOXES 8
#define PATTERN_MOST_NODES 4000 /* maximum number of positions in a small search */
#define PATTERN_MOST_HELD 64    /* maximum number of patterns considered in one position */
/* Maximum number of scratch blocks that are kept for small searches; if all are in use, a search allocates its own. */
#define PATTERN_MOST_ROOMS 64

enum pattern_kind {
    PATTERN_DEADLOCK, /* is there a solution? Greedy best-first search by distance to the goals */
    PATTERN_PENALTY,  /* what does the cheapest solution cost? A* */
};

struct pattern {
    int32_t value; /* penalty: pushes beyond the bound; SOKOBAN_NEVER: deadlock */
    int count;
    uint16_t box[PATTERN_MOST_BOXES]; /* squares of the boxes, in rising order */
    /* Each of these is a link of a list: 1 + the index of the next pattern in the list, or 0 at its end. next[i] is for
     * the list of patterns with a box on box[i]; `same` is for the list of patterns with the same lowest box. */
    uint32_t next[PATTERN_MOST_BOXES], same;
};

/* All threads add patterns without locks: a pattern is complete before it is linked into a list. The store only grows,
 * up to a fixed size. Every pattern in it is proved, so its content affects the length of a search but never its
 * correctness. With one thread the content is reproducible. */
struct patterns {
    /* [kind][posts]: the least cost of bringing a box from each post to a goal, including the goal's price. */
    int32_t *estimate[2];
    int32_t *price[2];    /* [kind][size]: price of the goal on each square: its potential with the sign changed */
    uint16_t *least;      /* [posts]: for each post, the least square of the part of the floor that the player is in */
    struct pattern *list; /* the patterns; room for a fixed number of them (see pattern_store.c) */
    /* [capacity][2][words]: for each pattern, the set of its boxes and the set of the player's squares for which it was
     * proved. */
    uint64_t *words;
    _Atomic uint32_t count;
    /* [size]: for each square, the heads of two lists: 1 + the index of the first pattern in the list; 0: none. first:
     * patterns with a box on the square; lowest: patterns whose lowest box is on the square. */
    _Atomic uint32_t *first, *lowest;
    size_t slots; /* number of slots in `memory`, see pattern_memory.c */
    _Atomic uint64_t *memory;
    bool borrowed; /* `memory` belongs to the instance and is shared by all searches */
    _Atomic(struct pattern_room *) room[PATTERN_MOST_ROOMS]; /* scratch blocks not in use; NULL: none */
};

/* Data that all feature-space searches of one instance share. */
struct learned {
    _Atomic uint64_t *memory;
    _Atomic(struct patterns *) patterns; /* NULL: not shared, or not made yet */
};

/* The result of a small search. */
struct pattern_finding {
    int32_t value; /* the same as `value` in struct pattern; only a lower bound if `solved` is false */
    bool solved;   /* false: there is no solution, or the search gave up */
    /* If solved: the square to which the player must walk before the first push; -1: he need not walk. */
    int stand;
    uint64_t used[SOKOBAN_WORDS]; /* if solved: the squares that boxes and player use from the first push on */
};

/* The patterns that a position contains, as indices into `list`. */
struct pattern_held {
    int count;
    uint32_t at[PATTERN_MOST_HELD];
};

/* pattern_search.c: searches the small game of these boxes, at most PATTERN_MOST_BOXES. */
void pattern_search(const struct sokoban *game, enum pattern_kind kind, const uint64_t *boxes, int player,
                    struct pattern_finding *finding);
/* Allocates one scratch block for small searches; a single-threaded search needs no other. */
bool pattern_rooms_make(struct patterns *patterns);
void pattern_rooms_free(struct patterns *patterns);

/* Adds to `used` the squares of a shortest walk of the player around the boxes; there must be such a walk. */
void pattern_use_walk(const struct sokoban *game, const uint64_t *boxes, int from, int to, uint64_t *used);

/* pattern_memory.c: a cache of findings, keyed by the boxes and the least square of the player's region. */
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
/* Adds to `held` the patterns in a position that include the box on square `box`; false if one of them is a
 * deadlock. */
bool pattern_store_held_by(const struct sokoban *game, const uint64_t *boxes, int player, int box,
                           struct pattern_held *held);
/* Adds to `held` all patterns in a position; false if one of them is a deadlock. */
bool pattern_store_held(const struct sokoban *game, const uint64_t *boxes, int player, struct pattern_held *held);
/* Chooses patterns from two lists greedily, the highest value first, so that no two of them share a box. Returns the
 * sum of their values. Patterns of the first list that contain the box `without` are ignored (-1: none). */
int32_t pattern_store_sum(const struct sokoban *game, const struct pattern_held *held, int without,
                          const struct pattern_held *more);

/* pattern.c: drops the children that are lost, and raises the bounds of the others if bounds are wanted. */
int sokoban_pattern_children(const struct sokoban *game, const struct sokoban_state *state, unsigned want,
                             soloist_child *children, int count);
/* Whether sokoban_pattern_children drops the child that a move leads to. */
bool sokoban_pattern_kills(const struct sokoban *game, const struct sokoban_state *state, soloist_move move);
/* Whether a position is lost because of a known pattern, or of one that a search now finds around the box that was just
 * pushed to `to`. */
bool sokoban_pattern_loses(const struct sokoban *game, const struct sokoban_state *state, int to);
/* Whether a position is lost because of a known pattern. looking: also searches for new patterns around every box off
 * its goal. */
bool sokoban_pattern_dooms(const struct sokoban *game, const struct sokoban_state *state, bool looking);
/* The bound of a position with the known penalties; value: the bound without them. */
int32_t sokoban_pattern_value(const struct sokoban *game, const struct sokoban_state *state, int32_t value);

#endif
