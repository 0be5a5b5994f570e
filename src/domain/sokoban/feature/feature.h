/* Sokoban's features (Shoham and Schaeffer 2020): boxes packed in the order of a plan, parts into which boxes cut the
 * floor, links between rooms that they obstruct, boxes out of plan, boxes that stand in others' way. A guide holds what
 * an instance's features need, the plan, and all scratch room. */
#ifndef SOKOBAN_FEATURE_H
#define SOKOBAN_FEATURE_H

#include "domain/sokoban/feature/feature_haul.h"

/* The features of the game itself, and of the plan's game; the last two bytes are one number. */
enum { FEATURE_PACKED, FEATURE_PARTS, FEATURE_ROOMS, FEATURE_OUT, FEATURE_HOTSPOTS, FEATURE_FAR };
enum { PACKING_LEFT, PACKING_PARTS, PACKING_ON_GOALS, PACKING_ROOMS, PACKING_FAR };
enum { ADVISOR_PACKING, ADVISOR_PARTS, ADVISOR_ROOMS, ADVISOR_HOTSPOTS, ADVISOR_OUT, ADVISOR_OPENER, ADVISOR_EXPLORER };

#define FEATURE_MOST_LINKS 64

/* The plans: boxes taken off the board once they are where boxes start; boxes that all stay on it; none, goals in any
 * order. */
enum feature_plan_kind { PLAN_SINKS, PLAN_STAYING, PLAN_NONE };

struct room_link {
    uint64_t squares[SOKOBAN_WORDS], from[SOKOBAN_WORDS], to[SOKOBAN_WORDS];
};

struct guide {
    const struct sokoban *game;
    enum feature_plan_kind kind;
    bool waits;    /* boxes wait where the packing game parked them, even if they could come later */
    bool strict;   /* boxes leave the board only at one set of starts, and never without moving */
    bool patterns; /* sets of boxes that are lost are learned, see pattern.h */
    unsigned dimensions;
    uint64_t ends[SOKOBAN_WORDS]; /* the goals that a plan fills: as many as there are boxes; empty: no plan */
    int near;                     /* a box leaves the board only this far from where it was */
    struct sokoban learning;      /* the game with patterns of its own or such that all share; else empty */
    struct haul haul;
    int links;
    struct room_link *link; /* [FEATURE_MOST_LINKS] */
    uint64_t *blocked;      /* [size][words] squares from which a box there cuts boxes off from every goal */
    uint8_t *apart;         /* [size][size] steps, at most 255 */
    uint16_t *far;          /* [size] the sum of pushes to all goals, for boxes that should keep away */
    uint64_t *views;        /* feature_frozen.c's */
    uint64_t *sources;      /* [size] the root's boxes that can be brought to the square, if at most 64 */
    /* The plan: what must stand after each step, and where boxes must not be when the step is made. */
    int steps;
    uint64_t *board, *zone; /* [most steps + 1][words] */
    uint16_t *next;         /* [most steps + 1] the square that the step fills */
    int16_t *from;          /* [most steps + 1] the square that its box waits on; -1: it comes from elsewhere */
};

/* Bits of a prospect's features. */
static inline uint64_t feature_pack(int feature, unsigned value) {
    return (uint64_t)(value < 255 ? value : 255) << (48 - 8 * feature);
}

/* The last two bytes. */
static inline uint64_t feature_pack_wide(unsigned value) { return value < 65535 ? value : 65535; }

static inline unsigned feature_of(uint64_t features, int feature) {
    return (unsigned)(features >> (48 - 8 * feature)) & 255;
}

/* A larger move: the box's square, the square it ends on, the direction of its last push or pull, and whether it leaves
 * the board there. */
#define FEATURE_SINK (1u << 26)

static inline soloist_move feature_move(int from, int to, int d) {
    return (soloist_move)from << 14 | (soloist_move)to << 2 | (soloist_move)d;
}

static inline int feature_from(soloist_move move) { return (int)(move >> 14 & 4095); }
static inline int feature_to(soloist_move move) { return (int)(move >> 2 & 4095); }

static inline int feature_most_steps(const struct sokoban *game) { return 8 * game->boxes + 8; }

/* feature.c: parts of the floor less the boxes. */
int feature_count_parts(const struct sokoban *game, const uint64_t *boxes);
/* The parts that are left when the box is taken off, but for the one that it is then in. */
int feature_other_parts(const struct sokoban *game, const uint64_t *boxes, int box, int parts);

/* feature_rooms.c */
void feature_rooms_make(struct guide *guide);
int feature_rooms(const struct guide *guide, const uint64_t *boxes);

/* feature_hotspot.c */
void feature_hotspots_make(struct guide *guide);
int feature_hotspots(const struct guide *guide, const uint64_t *boxes);

/* feature_frozen.c: what can be reached past frozen boxes, all on goals: the frozen boxes [words], squares from which
 * some other goal can be reached [words], and that for each goal [goals][words]. NULL: none is frozen. */
size_t feature_views_size(const struct sokoban *game);
const uint64_t *feature_view(struct guide *guide, const uint64_t *frozen);
/* Whether all boxes can then still have different goals. */
bool feature_view_fits(const struct guide *guide, const uint64_t *view, const uint64_t *boxes);

/* feature_plan.c: the order of the goals from a line of the plan's game; how far a position has come; boxes that are in
 * places that the next step would cut off. */
void feature_plan_forget(struct guide *guide);
void feature_adopt(const soloist_instance *instance, void *block, const void *state, const soloist_move *moves,
                   size_t count);
int feature_packed(const struct guide *guide, const uint64_t *boxes);
int feature_out_of_plan(const struct guide *guide, const uint64_t *boxes, int packed);

/* feature_advisor.c: marks the moves that advisors propose. `own`: the features of the position itself. */
void feature_advise(struct guide *guide, const struct sokoban_state *state, uint64_t own, soloist_prospect *prospects,
                    int count);
/* The best move that improves a feature and loses nothing of the first; -1: none. */
int feature_best_of(const soloist_prospect *prospects, int count, uint64_t own, int feature);

/* feature_packing.c: the plan's game. */
extern const soloist_features sokoban_packing;

#endif
