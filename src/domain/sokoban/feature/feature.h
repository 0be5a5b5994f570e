/* Sokoban's features (Shoham and Schaeffer 2020) count the boxes packed in the order of a plan, the parts into which
 * boxes divide the floor, the links between rooms that boxes obstruct, the boxes out of plan, and the boxes that block
 * others. A struct guide holds the plan, tables for an instance's features, and all scratch memory. */
#ifndef DOMAIN_SOKOBAN_FEATURE_FEATURE_H
#define DOMAIN_SOKOBAN_FEATURE_FEATURE_H

#include "domain/sokoban/feature/feature_haul.h"

/* The features of the game itself, the features of the packing game, and the advisors. A feature is one byte, except
 * FEATURE_FAR and PACKING_FAR, which have two bytes. */
enum { FEATURE_PACKED, FEATURE_PARTS, FEATURE_ROOMS, FEATURE_OUT, FEATURE_HOTSPOTS, FEATURE_FAR };
enum { PACKING_LEFT, PACKING_PARTS, PACKING_ON_GOALS, PACKING_ROOMS, PACKING_FAR };
enum { ADVISOR_PACKING, ADVISOR_PARTS, ADVISOR_ROOMS, ADVISOR_HOTSPOTS, ADVISOR_OUT, ADVISOR_OPENER, ADVISOR_EXPLORER };

#define FEATURE_MOST_LINKS 64

/* The kinds of plans. PLAN_SINKS: in the packing game, boxes leave the board when they reach a starting square.
 * PLAN_STAYING: in the packing game, all boxes stay on the board. PLAN_NONE: there is no plan, and goals are filled in
 * any order. */
enum feature_plan_kind { PLAN_SINKS, PLAN_STAYING, PLAN_NONE };

struct room_link {
    uint64_t squares[SOKOBAN_WORDS], from[SOKOBAN_WORDS], to[SOKOBAN_WORDS];
};

struct guide {
    const struct sokoban *game;
    enum feature_plan_kind kind;
    bool waits; /* the plan keeps every waiting square, even if its box could just as well be brought later */
    /* In the packing game, boxes leave the board only on one set of starting squares (see find_sinks), and a box that
     * is already on a starting square cannot leave without being pulled. */
    bool strict;
    bool patterns; /* new deadlock patterns are searched for around each moved box, see pattern.h */
    unsigned dimensions;
    uint64_t ends[SOKOBAN_WORDS]; /* the goals that a plan fills, one per box; empty: no plan */
    /* In the packing game, a pulled box leaves the board only on a square at least this many steps from where it
     * was. */
    int near;
    struct sokoban learning; /* a copy of the instance that also has patterns, unless learning.patterns is NULL */
    struct haul haul;
    int links;
    struct room_link *link; /* [FEATURE_MOST_LINKS] */
    uint64_t *blocked;      /* [size][words]: for each square, the squares that a box on it cuts off from every goal */
    uint8_t *apart;         /* [size][size]: distance between two squares in steps, at most 255 */
    uint16_t *far;          /* [size]: pushes from each square to the nearest goal; repeated plans vary it at random */
    uint64_t *views;        /* used by feature_frozen.c */
    /* [size]: bit i says that box i of the root can be brought to the square; only the first 64 boxes. */
    uint64_t *sources;
    /* The plan. board: the boxes that must be in place after each step; zone: for each step, the squares that boxes
     * should leave before the step begins, because this step or a later one cuts these squares off. */
    int steps;
    uint64_t *board, *zone; /* [most steps + 1][words] */
    uint16_t *next;         /* [most steps + 1]: the square that each step fills */
    int16_t *from;          /* [most steps + 1]: the square on which each step's box waits; -1: any box may be used */
};

/* A feature's value, shifted to its place in soloist_prospect.features. */
static inline uint64_t feature_pack(int feature, unsigned value) {
    return (uint64_t)(value < 255 ? value : 255) << (48 - 8 * feature);
}

/* The value of the last feature, which has two bytes. */
static inline uint64_t feature_pack_wide(unsigned value) { return value < 65535 ? value : 65535; }

static inline unsigned feature_of(uint64_t features, int feature) {
    return (unsigned)(features >> (48 - 8 * feature)) & 255;
}

/* A larger move brings one box to another square. It is coded as the box's square, the square it ends on, the direction
 * of its last push or pull, and a flag (FEATURE_SINK) if the box leaves the board there. */
#define FEATURE_SINK (1u << 26)

static inline soloist_move feature_move(int from, int to, int d) {
    return (soloist_move)from << 14 | (soloist_move)to << 2 | (soloist_move)d;
}

static inline int feature_from(soloist_move move) { return (int)(move >> 14 & 4095); }
static inline int feature_to(soloist_move move) { return (int)(move >> 2 & 4095); }

static inline int feature_most_steps(const struct sokoban *game) { return 8 * game->boxes + 8; }

/* feature.c: the number of parts into which boxes divide the floor. */
int feature_count_parts(const struct sokoban *game, const uint64_t *boxes);
/* The number of parts after `box` is removed, not counting the part that contains its square. */
int feature_other_parts(const struct sokoban *game, const uint64_t *boxes, int box, int parts);

/* feature_rooms.c */
void feature_rooms_make(struct guide *guide);
int feature_rooms(const struct guide *guide, const uint64_t *boxes);

/* feature_hotspot.c */
void feature_hotspots_make(struct guide *guide);
int feature_hotspots(const struct guide *guide, const uint64_t *boxes);

/* feature_frozen.c: which goals can be reached if the frozen boxes, all on goals, count as walls. A view consists of
 * the frozen boxes [words], the squares from which a box can reach some goal that has no frozen box [words], and for
 * each goal the squares from which a box can reach it [goals][words]. A view of NULL means that no box is frozen. */
size_t feature_views_size(const struct sokoban *game);
const uint64_t *feature_view(struct guide *guide, const uint64_t *frozen);
/* Whether all boxes can still be assigned to different goals. */
bool feature_view_fits(const struct guide *guide, const uint64_t *view, const uint64_t *boxes);

/* feature_plan.c: feature_adopt makes a plan from a sequence of moves of the packing game; feature_packed counts the
 * steps of the plan that a position has completed; feature_out_of_plan counts the boxes on squares that the next step
 * would cut off. */
void feature_plan_forget(struct guide *guide);
void feature_adopt(const soloist_instance *instance, void *block, const void *state, const soloist_move *moves,
                   size_t count);
int feature_packed(const struct guide *guide, const uint64_t *boxes);
int feature_out_of_plan(const struct guide *guide, const uint64_t *boxes, int packed);

/* feature_advisor.c: marks the moves that advisors propose. `own`: the features of the position itself. */
void feature_advise(struct guide *guide, const struct sokoban_state *state, uint64_t own, soloist_prospect *prospects,
                    int count);
/* Index of the best move that improves a feature without making feature 0 worse; -1: none. */
int feature_best_of(const soloist_prospect *prospects, int count, uint64_t own, int feature);

/* feature_packing.c: the packing game. */
extern const soloist_features sokoban_packing;

#endif
