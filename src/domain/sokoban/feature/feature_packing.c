/* The packing game is played backwards from the solved position: boxes are pulled off the goals, one after the other. A
 * box that reaches a starting square (where a box of the root stands) far enough from where it was leaves the board,
 * and that starting square is used up. This is allowed only if the remaining boxes and starting squares can still be
 * matched. The game thus deals with a few boxes at a time. Its moves, read in reverse, give the order in which goals
 * are filled. */
#include "domain/sokoban/feature/feature.h"

#include "base/matching.h"

enum { PULL_ADVISOR_PACKING, PULL_ADVISOR_PARTS, PULL_ADVISOR_ROOMS };

/* The starting squares that are still to be reached; they follow a state's `boxes`. In this game off_goal is the number
 * of boxes left. */
static const uint64_t *bases_of(const struct sokoban *game, const struct sokoban_state *state) {
    return state->boxes + game->words;
}

static uint64_t base_key(const struct sokoban *game, int square) {
    return game->box_key[square] * UINT64_C(0x9e3779b97f4a7c15);
}

static size_t packing_state_size(const soloist_instance *instance) {
    const struct sokoban *game = sokoban_of(instance);
    return sizeof(struct sokoban_state) + 2 * (size_t)game->words * sizeof(uint64_t);
}

/* There is one root for each part of the floor in which the player may be at the end of a solution. */
static bool packing_root(const soloist_instance *instance, void *block, int index, void *state) {
    const struct sokoban *game = sokoban_of(instance);
    const struct guide *guide = block;
    struct sokoban_state *s = state;
    uint64_t left[SOKOBAN_WORDS], reach[SOKOBAN_WORDS];
    if (board_empty(guide->ends, game->words) || guide->kind == PLAN_NONE)
        return false;
    for (int i = 0; i < game->words; i++)
        left[i] = game->floor[i] & ~guide->ends[i];
    for (int part = 0;; part++) {
        int least = board_lowest(left, game->words);
        if (least < 0)
            return false;
        sokoban_reach(game, guide->ends, least, reach);
        for (int i = 0; i < game->words; i++)
            left[i] &= ~reach[i];
        s->player = (uint32_t)least;
        if (part == index)
            break;
    }
    s->off_goal = (uint32_t)game->boxes;
    s->key = game->player_key[s->player];
    for (int i = 0; i < game->words; i++) {
        s->boxes[i] = guide->ends[i];
        s->boxes[game->words + i] = game->root_boxes[i];
    }
    for (BITSET_EACH(box, guide->ends, (size_t)game->words))
        s->key ^= game->box_key[box];
    for (BITSET_EACH(base, game->root_boxes, (size_t)game->words))
        s->key ^= base_key(game, base);
    return true;
}

static uint64_t features_of(const struct guide *guide, const uint64_t *boxes, int left, int parts) {
    const struct sokoban *game = guide->game;
    unsigned far = 0, on_goals = 0;
    for (BITSET_EACH(box, boxes, (size_t)game->words)) {
        far += guide->far[box];
        on_goals += bitset_has(game->goal, (unsigned)box);
    }
    return feature_pack(PACKING_LEFT, (unsigned)left) | feature_pack(PACKING_PARTS, (unsigned)parts) |
           feature_pack(PACKING_ON_GOALS, on_goals) |
           feature_pack(PACKING_ROOMS, (unsigned)feature_rooms(guide, boxes)) |
           feature_pack_wide(far < 65535 ? 65535 - far : 0);
}

static uint64_t packing_project(const soloist_instance *instance, void *block, const void *state) {
    const struct sokoban_state *s = state;
    return features_of(block, s->boxes, (int)s->off_goal, feature_count_parts(sokoban_of(instance), s->boxes));
}

static bool packing_ended(const soloist_instance *instance, const void *state) {
    (void)instance;
    return !((const struct sokoban_state *)state)->off_goal;
}

static int rank_of_base(const struct sokoban *game, int square) {
    int rank = bitset_count(game->root_boxes, (size_t)square / 64);
    return rank + bits_count(game->root_boxes[square / 64] & ((UINT64_C(1) << (square & 63)) - 1));
}

/* Whether the remaining boxes can be matched with the remaining starting squares if `box` leaves the board at the
 * starting square `base`. With more than MATCHING_TIGHT_MOST boxes this is not checked, because a plan need not be
 * exact. */
static bool can_match(const struct guide *guide, const struct sokoban_state *state, int box, int base) {
    const struct sokoban *game = guide->game;
    struct matching_tight tight;
    uint64_t open = 0;
    int rows = 0;
    if (game->boxes > MATCHING_TIGHT_MOST)
        return true;
    for (BITSET_EACH(start, bases_of(game, state), (size_t)game->words))
        if (start != base)
            open |= UINT64_C(1) << rank_of_base(game, start);
    for (BITSET_EACH(other, state->boxes, (size_t)game->words))
        if (other != box)
            tight.tight[rows++] = guide->sources[other] & open;
    for (int start = 0; start < game->boxes; start++)
        if (!(open >> start & 1))
            tight.tight[rows++] = UINT64_C(1) << start;
    return matching_tight_solve(&tight, rows);
}

/* Finds for each free starting square (at most MATCHING_TIGHT_MOST) the squares to which a box could be pushed from
 * there. Returns the number of starting squares. */
static int follow_starts(struct guide *guide, const struct sokoban_state *state, uint16_t *starts,
                         uint64_t (*to)[SOKOBAN_WORDS]) {
    const struct sokoban *game = guide->game;
    int count = 0;
    for (BITSET_EACH(start, bases_of(game, state), (size_t)game->words)) {
        uint64_t from[SOKOBAN_WORDS] = {0};
        if (count == MATCHING_TIGHT_MOST || bitset_has(state->boxes, (unsigned)start))
            continue;
        bitset_add(from, (unsigned)start);
        haul_from_all(&guide->haul, HAUL_FREE, state->boxes, from);
        haul_squares(&guide->haul, to[count]);
        starts[count++] = (uint16_t)start;
    }
    return count;
}

/* Sinks are the largest sets of starting squares that the player can reach and between which boxes can be pushed. If
 * guide->strict, only the first of the largest sets is used, or none if the player cannot reach it. */
static void find_sinks(struct guide *guide, const struct sokoban_state *state, const uint64_t *reach, uint64_t *sinks) {
    size_t words = (size_t)guide->game->words;
    uint64_t to[MATCHING_TIGHT_MOST][SOKOBAN_WORDS];
    uint16_t starts[MATCHING_TIGHT_MOST];
    int count = follow_starts(guide, state, starts, to), most = 0;
    bool reached = true;
    memset(sinks, 0, words * sizeof *sinks);
    for (int a = 0; a < count; a++) {
        uint64_t set[SOKOBAN_WORDS] = {0}, out_of_reach = 0;
        int size = 0;
        for (int b = 0; b < count; b++)
            if (bitset_has(to[a], starts[b]) && bitset_has(to[b], starts[a])) {
                bitset_add(set, starts[b]);
                size++;
            }
        for (size_t i = 0; i < words; i++)
            out_of_reach |= set[i] & ~reach[i];
        if (guide->strict ? size <= most : size < most || out_of_reach)
            continue;
        if (size > most)
            memset(sinks, 0, words * sizeof *sinks);
        most = size;
        reached = !out_of_reach;
        for (size_t i = 0; i < words; i++)
            sinks[i] |= set[i];
    }
    if (!reached)
        memset(sinks, 0, words * sizeof *sinks);
}

/* A box that is already on a starting square may leave the board without moving: it stands for a box that has not yet
 * been pushed. */
static bool is_home(soloist_move move) { return move & FEATURE_SINK && feature_from(move) == feature_to(move); }

static int list_home(struct guide *guide, const struct sokoban_state *state, int box, int others,
                     soloist_prospect *prospects) {
    const struct sokoban *game = guide->game;
    uint64_t boxes[SOKOBAN_WORDS];
    if (guide->kind != PLAN_SINKS || guide->strict || bitset_has(game->goal, (unsigned)box) ||
        !bitset_has(bases_of(game, state), (unsigned)box) || !can_match(guide, state, box, box))
        return 0;
    for (int w = 0; w < game->words; w++)
        boxes[w] = state->boxes[w] & ~board_one(box, w);
    *prospects = (soloist_prospect){.features = features_of(guide, boxes, (int)state->off_goal - 1, others + 1),
                                    .move = feature_move(box, box, 0) | FEATURE_SINK};
    return 1;
}

/* Lists the pulls of one box. If one of the pulls takes the box off the board, only that pull is listed. */
static int list_box(struct guide *guide, const struct sokoban_state *state, int box, int others, const uint64_t *sinks,
                    bool *sinking, soloist_prospect *prospects) {
    const struct sokoban *game = guide->game;
    const struct haul *haul = &guide->haul;
    int count = 0;
    haul_from(&guide->haul, HAUL_PULL, state->boxes, box, (int)state->player);
    for (int i = 1; i < haul->count; i++) {
        struct haul_place place = haul->places[i];
        uint64_t boxes[SOKOBAN_WORDS];
        int to = place.square, left = (int)state->off_goal;
        soloist_move move = feature_move(box, to, place.d);
        bool sink = bitset_has(sinks, (unsigned)to) && guide->apart[box * game->size + to] >= guide->near &&
                    can_match(guide, state, box, to);
        if (!bitset_has(game->reached.some, (unsigned)to) || (*sinking && !sink))
            continue;
        for (int w = 0; w < game->words; w++)
            boxes[w] = (state->boxes[w] & ~board_one(box, w)) | (sink ? 0 : board_one(to, w));
        int parts = sink ? others + 1 : others + haul->parts[to];
        if (sink && !*sinking) {
            *sinking = true;
            count = 0;
        }
        prospects[count++] = (soloist_prospect){.features = features_of(guide, boxes, left - sink, parts),
                                                .move = move | (sink ? FEATURE_SINK : 0)};
        if (sink)
            break;
    }
    return count;
}

/* The advisors propose the best pull off a goal that does not divide the floor further, and the best pulls that improve
 * the parts or the rooms. A pull that takes a box off the board is the only proposal. */
static void advise(const struct guide *guide, uint64_t own, bool sinking, soloist_prospect *prospects, int count) {
    const struct sokoban *game = guide->game;
    int best = -1;
    for (int i = 0; i < count; i++) {
        uint64_t features = prospects[i].features;
        bool from_goal = bitset_has(game->goal, (unsigned)feature_from(prospects[i].move));
        if (!sinking && (!from_goal || feature_of(features, PACKING_PARTS) > feature_of(own, PACKING_PARTS) ||
                         feature_of(features, PACKING_ROOMS) > feature_of(own, PACKING_ROOMS)))
            continue;
        if (best < 0 || features < prospects[best].features)
            best = i;
    }
    for (int i = 0; i < count; i++)
        if (is_home(prospects[i].move))
            best = i;
    if (best >= 0)
        prospects[best].advisors |= 1u << PULL_ADVISOR_PACKING;
    if (sinking)
        return;
    if ((best = feature_best_of(prospects, count, own, PACKING_PARTS)) >= 0)
        prospects[best].advisors |= 1u << PULL_ADVISOR_PARTS;
    if ((best = feature_best_of(prospects, count, own, PACKING_ROOMS)) >= 0)
        prospects[best].advisors |= 1u << PULL_ADVISOR_ROOMS;
}

static bool is_beside(const struct sokoban *game, const uint64_t *reach, int box) {
    for (int d = 0; d < 4; d++) {
        int next = box + game->step[d];
        if (sokoban_is_floor(game, next) && bitset_has(reach, (unsigned)next))
            return true;
    }
    return false;
}

static int packing_list(const soloist_instance *instance, void *block, const void *state, soloist_prospect *prospects) {
    const struct sokoban *game = sokoban_of(instance);
    struct guide *guide = block;
    const struct sokoban_state *s = state;
    uint64_t reach[SOKOBAN_WORDS], sinks[SOKOBAN_WORDS] = {0};
    uint64_t own = packing_project(instance, block, state);
    bool sinking = false;
    int count = 0, parts = (int)feature_of(own, PACKING_PARTS);
    sokoban_reach(game, s->boxes, (int)s->player, reach);
    if (guide->kind == PLAN_SINKS)
        find_sinks(guide, s, reach, sinks);
    for (BITSET_EACH(box, s->boxes, (size_t)game->words)) {
        if (!is_beside(game, reach, box))
            continue;
        bool was = sinking;
        int others = feature_other_parts(game, s->boxes, box, parts);
        int more = list_box(guide, s, box, others, sinks, &sinking, prospects + count);
        if (sinking && !was) {
            memmove(prospects, prospects + count, (size_t)more * sizeof *prospects);
            count = 0;
        }
        count += more;
        if (!sinking)
            count += list_home(guide, s, box, others, prospects + count);
    }
    advise(guide, own, sinking, prospects, count);
    return count;
}

static void packing_play(const soloist_instance *instance, void *block, void *state, soloist_move move) {
    const struct sokoban *game = sokoban_of(instance);
    struct sokoban_state *s = state;
    int from = feature_from(move), to = feature_to(move), stand = to + game->step[move & 3];
    (void)block;
    bitset_remove(s->boxes, (unsigned)from);
    s->key ^= game->box_key[from];
    if (move & FEATURE_SINK) {
        bitset_remove(s->boxes + game->words, (unsigned)to);
        s->key ^= base_key(game, to);
        s->off_goal--;
    } else {
        bitset_add(s->boxes, (unsigned)to);
        s->key ^= game->box_key[to];
    }
    sokoban_put_player(game, s, sokoban_least(game, s->boxes, is_home(move) ? (int)s->player : stand));
}

static bool packing_dead(const soloist_instance *instance, void *block, const void *state, soloist_move move) {
    (void)instance, (void)move;
    return !can_match(block, state, -1, -1);
}

static void packing_open(const soloist_instance *instance, void *block, int number) {
    (void)instance, (void)block, (void)number;
}

static void packing_close(const soloist_instance *instance, void *block) { (void)instance, (void)block; }

/* Cells are defined by all features except PACKING_FAR, the distance of the boxes. */
static unsigned packing_dimensions(const soloist_instance *instance, const void *block) {
    (void)instance, (void)block;
    return 1u << PACKING_LEFT | 1u << PACKING_PARTS | 1u << PACKING_ON_GOALS | 1u << PACKING_ROOMS;
}

static int packing_most(const soloist_instance *instance) { return sokoban_features.most(instance); }
static size_t packing_guide_size(const soloist_instance *instance) { return sokoban_features.guide_size(instance); }

static const char *const names[] = {"left", "parts", "on-goals", "rooms", "far", NULL};
static const char *const advisors[] = {"packing", "parts", "rooms", NULL};

const soloist_features sokoban_packing = {
    .size = sizeof(soloist_features),
    .names = names,
    .advisors = advisors,
    .plans = 1,
    .guide_size = packing_guide_size,
    .state_size = packing_state_size,
    .most = packing_most,
    .open = packing_open,
    .close = packing_close,
    .dimensions = packing_dimensions,
    .root = packing_root,
    .key = sokoban_key,
    .ended = packing_ended,
    .project = packing_project,
    .list = packing_list,
    .play = packing_play,
    .dead = packing_dead,
};
