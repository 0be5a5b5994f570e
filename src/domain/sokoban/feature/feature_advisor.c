/* Advisors: each proposes at most one move in a position, for one particular reason. No proposal may take a packed box
 * away. */
#include "domain/sokoban/feature/feature.h"

int feature_best_of(const soloist_prospect *prospects, int count, uint64_t own, int feature) {
    int best = -1;
    for (int i = 0; i < count; i++) {
        uint64_t features = prospects[i].features;
        if (feature_of(features, 0) > feature_of(own, 0) || feature_of(features, feature) >= feature_of(own, feature))
            continue;
        if (best < 0 || features < prospects[best].features)
            best = i;
    }
    return best;
}

static void propose(soloist_prospect *prospects, int at, int advisor) {
    if (at >= 0)
        prospects[at].advisors |= 1u << advisor;
}

/* Whether a move takes no packed box away, divides the floor no further and obstructs no further link between rooms. */
static bool is_harmless(uint64_t features, uint64_t own) {
    return feature_of(features, FEATURE_PACKED) <= feature_of(own, FEATURE_PACKED) &&
           feature_of(features, FEATURE_PARTS) <= feature_of(own, FEATURE_PARTS) &&
           feature_of(features, FEATURE_ROOMS) <= feature_of(own, FEATURE_ROOMS);
}

/* Finds a move of the box that is nearest to the square to be filled next: the move that takes it farthest away from
 * that square. */
static int find_opener(const struct guide *guide, int square, uint64_t own, const soloist_prospect *prospects,
                       int count) {
    const uint8_t *apart = guide->apart + (ptrdiff_t)square * guide->game->size;
    int best = -1;
    for (int i = 0; i < count; i++) {
        int from = apart[feature_from(prospects[i].move)], to = apart[feature_to(prospects[i].move)];
        if (!is_harmless(prospects[i].features, own) || to < from)
            continue;
        int best_from = best < 0 ? 256 : apart[feature_from(prospects[best].move)];
        if (from < best_from || (from == best_from && to > apart[feature_to(prospects[best].move)]))
            best = i;
    }
    return best;
}

/* Whether the player can reach new squares after the move. */
static bool opens_floor(const struct sokoban *game, const struct sokoban_state *state, const uint64_t *reach,
                        soloist_move move) {
    uint64_t boxes[SOKOBAN_WORDS], after[SOKOBAN_WORDS], fresh = 0;
    int from = feature_from(move), to = feature_to(move);
    for (int i = 0; i < game->words; i++)
        boxes[i] = state->boxes[i] ^ board_one(from, i) ^ board_one(to, i);
    sokoban_reach(game, boxes, to - game->step[move & 3], after);
    for (int i = 0; i < game->words; i++)
        fresh |= after[i] & ~reach[i] & ~state->boxes[i];
    return fresh;
}

static int find_explorer(const struct guide *guide, const struct sokoban_state *state, uint64_t own,
                         const soloist_prospect *prospects, int count) {
    uint64_t reach[SOKOBAN_WORDS];
    int best = -1;
    if (feature_of(own, FEATURE_PARTS) < 2)
        return -1;
    sokoban_reach(guide->game, state->boxes, (int)state->player, reach);
    for (int i = 0; i < count; i++)
        if (feature_of(prospects[i].features, FEATURE_PACKED) <= feature_of(own, FEATURE_PACKED) &&
            (best < 0 || prospects[i].features < prospects[best].features) &&
            opens_floor(guide->game, state, reach, prospects[i].move))
            best = i;
    return best;
}

void feature_advise(struct guide *guide, const struct sokoban_state *state, uint64_t own, soloist_prospect *prospects,
                    int count) {
    int packing = feature_best_of(prospects, count, own, FEATURE_PACKED);
    int packed = feature_packed(guide, state->boxes);
    propose(prospects, packing, ADVISOR_PACKING);
    propose(prospects, feature_best_of(prospects, count, own, FEATURE_PARTS), ADVISOR_PARTS);
    propose(prospects, feature_best_of(prospects, count, own, FEATURE_ROOMS), ADVISOR_ROOMS);
    propose(prospects, feature_best_of(prospects, count, own, FEATURE_HOTSPOTS), ADVISOR_HOTSPOTS);
    propose(prospects, feature_best_of(prospects, count, own, FEATURE_OUT), ADVISOR_OUT);
    if (packing < 0 && packed < guide->steps)
        propose(prospects, find_opener(guide, guide->next[packed], own, prospects, count), ADVISOR_OPENER);
    propose(prospects, find_explorer(guide, state, own, prospects, count), ADVISOR_EXPLORER);
}
