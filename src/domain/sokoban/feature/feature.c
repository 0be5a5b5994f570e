/* Sokoban for feature-space search: a larger move takes one box to any place that it can reach by pushes. */
#include "domain/sokoban/deadlock/corral.h"
#include "domain/sokoban/feature/feature.h"
#include "domain/sokoban/pattern/pattern.h"
#include "domain/sokoban/deadlock/triples.h"

#include "base/hash.h"
#include "base/matching.h"

BOARD_INLINE int count_parts(const struct sokoban *game, const uint64_t *boxes, int n) {
    uint64_t left[SOKOBAN_WORDS], part[SOKOBAN_WORDS];
    int count = 0;
    for (int i = 0; i < n; i++)
        left[i] = game->floor[i] & ~boxes[i];
    for (int square; (square = board_lowest(left, n)) >= 0; count++) {
        for (int i = 0; i < n; i++)
            part[i] = board_one(square, i);
        board_flood(left, part, -1, game->stride, n);
        for (int i = 0; i < n; i++)
            left[i] &= ~part[i];
    }
    return count;
}

int feature_count_parts(const struct sokoban *game, const uint64_t *boxes) {
    int count = 0;
    SOKOBAN_BY_WORDS(game, count = count_parts(game, boxes, n));
    return count;
}

BOARD_INLINE int other_parts(const struct sokoban *game, const uint64_t *boxes, int box, int parts, int n) {
    uint64_t free[SOKOBAN_WORDS], part[SOKOBAN_WORDS], seen[SOKOBAN_WORDS];
    for (int i = 0; i < n; i++) {
        free[i] = game->floor[i] & ~boxes[i];
        seen[i] = 0;
    }
    for (int d = 0; d < 4; d++) {
        int next = box + game->step[d];
        if (!sokoban_is_floor(game, next) || !bitset_has(free, (unsigned)next) || bitset_has(seen, (unsigned)next))
            continue;
        for (int i = 0; i < n; i++)
            part[i] = board_one(next, i);
        board_flood(free, part, -1, game->stride, n);
        for (int i = 0; i < n; i++)
            seen[i] |= part[i];
        parts--;
    }
    return parts;
}

int feature_other_parts(const struct sokoban *game, const uint64_t *boxes, int box, int parts) {
    int others = 0;
    if (parts > 1)
        SOKOBAN_BY_WORDS(game, others = other_parts(game, boxes, box, parts, n));
    return others;
}

static size_t words_size(const struct sokoban *game) { return (size_t)game->words * sizeof(uint64_t); }

static size_t round_up(size_t size) { return (size + 15) & ~(size_t)15; }

/* Sizes in bytes of the guide's arrays, which follow one another in one block. */
struct guide_sizes {
    size_t haul, link, blocked, apart, far, views, sources, board, next;
};

static struct guide_sizes sizes_of(const struct sokoban *game) {
    size_t size = (size_t)game->size, steps = (size_t)feature_most_steps(game) + 1;
    return (struct guide_sizes){
        .haul = haul_size(game),
        .link = round_up(FEATURE_MOST_LINKS * sizeof(struct room_link)),
        .blocked = round_up(size * words_size(game)),
        .apart = round_up(size * size),
        .far = round_up(size * sizeof(uint16_t)),
        .views = round_up(feature_views_size(game)),
        .sources = round_up(size * sizeof(uint64_t)),
        .board = round_up(steps * words_size(game)),
        .next = round_up(steps * sizeof(uint16_t)),
    };
}

static size_t guide_size(const soloist_instance *instance) {
    struct guide_sizes sizes = sizes_of(sokoban_of(instance));
    return round_up(sizeof(struct guide)) + sizes.haul + sizes.link + sizes.blocked + sizes.apart + sizes.far +
           sizes.views + sizes.sources + 2 * sizes.board + 2 * sizes.next;
}

static void place_arrays(struct guide *guide) {
    struct guide_sizes sizes = sizes_of(guide->game);
    unsigned char *at = (unsigned char *)guide + round_up(sizeof *guide);
    haul_make(&guide->haul, guide->game, at);
    at += sizes.haul;
    guide->link = (void *)at, at += sizes.link;
    guide->blocked = (void *)at, at += sizes.blocked;
    guide->apart = (void *)at, at += sizes.apart;
    guide->far = (void *)at, at += sizes.far;
    guide->views = (void *)at, at += sizes.views;
    guide->sources = (void *)at, at += sizes.sources;
    guide->board = (void *)at, at += sizes.board;
    guide->zone = (void *)at, at += sizes.board;
    guide->next = (void *)at, at += sizes.next;
    guide->from = (void *)at;
}

static void fill_apart(struct guide *guide) {
    const struct sokoban *game = guide->game;
    uint64_t none[SOKOBAN_WORDS] = {0};
    int16_t steps[64 * SOKOBAN_WORDS];
    memset(guide->apart, 255, (size_t)game->size * (size_t)game->size);
    for (BITSET_EACH(s, game->floor, (size_t)game->words)) {
        if (sokoban_must_stop(game))
            return;
        sokoban_walk(game, none, s, steps);
        for (BITSET_EACH(t, game->floor, (size_t)game->words))
            if (steps[t] < 255)
                guide->apart[(ptrdiff_t)s * game->size + t] = (uint8_t)steps[t];
    }
}

/* For each square: pushes to the nearest goal, and which boxes of the root can be brought there. */
static void fill_squares(struct guide *guide) {
    const struct sokoban *game = guide->game;
    memset(guide->far, 0, (size_t)game->size * sizeof *guide->far);
    memset(guide->sources, 0, (size_t)game->size * sizeof *guide->sources);
    for (BITSET_EACH(s, game->floor, (size_t)game->words)) {
        int32_t least = SOKOBAN_NEVER;
        for (int post = game->post_first[s]; post < game->post_first[s + 1]; post++) {
            for (int g = 0; g < game->goals; g++) {
                int32_t pushes = game->pushes[(ptrdiff_t)post * game->goals + g];
                least = pushes < least ? pushes : least;
            }
            for (int box = 0; box < game->boxes && box < 64; box++)
                if (game->from_root[(ptrdiff_t)post * game->boxes + box] != SOKOBAN_NEVER)
                    guide->sources[s] |= UINT64_C(1) << box;
        }
        guide->far[s] = (uint16_t)(least == SOKOBAN_NEVER ? 0 : least);
    }
}

/* Changes the distances in `far` at random by up to a half, so that the same kind of plan gives another plan. */
static void stretch_far(struct guide *guide, uint64_t variant) {
    const struct sokoban *game = guide->game;
    for (BITSET_EACH(s, game->floor, (size_t)game->words)) {
        unsigned share = 512 + (unsigned)(hash_mix(variant << 16 | (uint64_t)s) & 1023);
        guide->far[s] = (uint16_t)(4u * guide->far[s] * share / 1024);
    }
}

/* The goals that are to be filled: those of a minimum matching at the root. There may be more goals than boxes. */
static void fill_ends(struct guide *guide) {
    const struct sokoban *game = guide->game;
    const int32_t *row[MATCHING_MOST];
    uint64_t block[MATCHING_MOST_SIZE / sizeof(uint64_t)];
    struct matching *matching = (struct matching *)(void *)block;
    int rows = 0;
    memset(guide->ends, 0, sizeof guide->ends);
    for (BITSET_EACH(box, game->root_boxes, (size_t)game->words)) {
        int post = sokoban_post(game, box, game->root_player);
        row[rows++] = game->pushes + (ptrdiff_t)post * game->goals;
    }
    matching_open(matching, game->boxes, game->goals);
    if (matching_solve(matching, row) == MATCHING_NEVER)
        return;
    for (int i = 0; i < game->boxes; i++)
        bitset_add(guide->ends, game->goal_square[matching_column(matching, i)]);
}

#define WITHOUT_ROOMS (1u << FEATURE_PACKED | 1u << FEATURE_PARTS | 1u << FEATURE_OUT)
#define WITH_ROOMS (WITHOUT_ROOMS | 1u << FEATURE_ROOMS)

/* Each plan solves levels that no other solves within the same number of nodes. */
static const struct plan {
    enum feature_plan_kind kind;
    int near;
    bool waits, strict, patterns;
    unsigned dimensions;
} plans[] = {
    {PLAN_SINKS, 6, true, false, false, WITHOUT_ROOMS},    {PLAN_SINKS, 6, true, true, false, WITH_ROOMS},
    {PLAN_SINKS, 6, false, false, true, WITHOUT_ROOMS},    {PLAN_SINKS, 6, true, false, false, WITH_ROOMS},
    {PLAN_STAYING, 0, false, false, false, WITHOUT_ROOMS}, {PLAN_SINKS, 6, true, true, true, WITHOUT_ROOMS},
    {PLAN_NONE, 0, false, false, true, WITHOUT_ROOMS},     {PLAN_SINKS, 2, true, false, true, WITHOUT_ROOMS},
};
static const char *const plan_names[] = {"sinks",  "strict-rooms", "no-waiting", "rooms", "staying",
                                         "strict", "any-order",    "near",       NULL};

enum { plan_count = sizeof plans / sizeof *plans };

/* Makes the store of patterns, which is then kept from plan to plan. */
static void open_patterns(struct guide *guide) {
    const struct sokoban *game = guide->game;
    if (guide->learning.patterns || game->patterns)
        return;
    guide->learning = *game;
    guide->learning.rules.pattern_deadlocks = true;
    guide->learning.patterns = sokoban_learned(game);
    if (game->rules.share == SOKOBAN_SHARE_PATTERNS || sokoban_patterns_make(&guide->learning))
        return;
    sokoban_patterns_free(guide->learning.patterns);
    guide->learning.patterns = NULL;
}

static void features_close(const soloist_instance *instance, void *block) {
    if (sokoban_of(instance)->rules.share != SOKOBAN_SHARE_PATTERNS)
        sokoban_patterns_free(((struct guide *)block)->learning.patterns);
}

static void features_open(const soloist_instance *instance, void *block, int number) {
    struct guide *guide = block;
    bool made = guide->game;
    guide->game = sokoban_of(instance);
    const struct plan *plan = &plans[number % plan_count];
    guide->kind = plan->kind;
    guide->near = plan->near;
    guide->waits = plan->waits;
    guide->strict = plan->strict;
    guide->patterns = plan->patterns;
    guide->dimensions = plan->dimensions;
    place_arrays(guide);
    if (!made) {
        fill_apart(guide);
        fill_ends(guide);
        feature_rooms_make(guide);
        feature_hotspots_make(guide);
    }
    fill_squares(guide);
    if (number >= plan_count)
        stretch_far(guide, (uint64_t)(number / plan_count));
    open_patterns(guide);
    feature_plan_forget(guide);
}

static unsigned features_dimensions(const soloist_instance *instance, const void *block) {
    (void)instance;
    return ((const struct guide *)block)->dimensions;
}

static size_t state_size(const soloist_instance *instance) { return sokoban_state_size(sokoban_of(instance)); }

/* A box on a square divides the floor into at most four parts, and each of them counts as a place of its own. */
static int most_moves(const soloist_instance *instance) {
    const struct sokoban *game = sokoban_of(instance);
    int squares = bitset_count(game->floor, (size_t)game->words);
    return game->boxes * squares * 4;
}

static bool features_root(const soloist_instance *instance, void *block, int index, void *state) {
    (void)block;
    if (!index)
        sokoban_root(instance, state);
    return !index;
}

static bool features_ended(const soloist_instance *instance, const void *state) {
    int32_t last;
    return sokoban_ended(instance, state, &last);
}

static unsigned sum_far(const struct guide *guide, const uint64_t *boxes) {
    unsigned far = 0;
    for (BITSET_EACH(box, boxes, (size_t)guide->game->words))
        far += guide->far[box];
    return far;
}

static uint64_t features_of(const struct guide *guide, const uint64_t *boxes, int parts, unsigned far) {
    const struct sokoban *game = guide->game;
    int packed = feature_packed(guide, boxes), whole = guide->steps ? guide->steps : game->boxes;
    return feature_pack(FEATURE_PACKED, (unsigned)(whole - packed)) | feature_pack(FEATURE_PARTS, (unsigned)parts) |
           feature_pack(FEATURE_ROOMS, (unsigned)feature_rooms(guide, boxes)) |
           feature_pack(FEATURE_OUT, (unsigned)feature_out_of_plan(guide, boxes, packed)) |
           feature_pack(FEATURE_HOTSPOTS, (unsigned)feature_hotspots(guide, boxes)) |
           feature_pack_wide(far < 65535 ? 65535 - far : 0);
}

static uint64_t features_project(const soloist_instance *instance, void *block, const void *state) {
    const uint64_t *boxes = ((const struct sokoban_state *)state)->boxes;
    int parts = feature_count_parts(sokoban_of(instance), boxes);
    return features_of(block, boxes, parts, sum_far(block, boxes));
}

/* Lists all places to which one box can be brought. */
static int list_box(struct guide *guide, const struct sokoban_state *state, int player, int box, int others,
                    soloist_prospect *prospects) {
    const struct sokoban *game = guide->game;
    const struct haul *haul = &guide->haul;
    uint64_t unplaced = state->key ^ game->player_key[state->player] ^ game->box_key[box];
    unsigned far = sum_far(guide, state->boxes) - guide->far[box];
    int count = 0;
    haul_from(&guide->haul, HAUL_PUSH, state->boxes, box, player);
    for (int i = 1; i < haul->count; i++) {
        struct haul_place place = haul->places[i];
        uint64_t boxes[SOKOBAN_WORDS];
        int to = place.square;
        int after = game->rules.exact ? to - game->step[place.d] : haul->least_of[to][place.part];
        for (int w = 0; w < game->words; w++)
            boxes[w] = haul->others[w] | board_one(to, w);
        prospects[count++] = (soloist_prospect){
            .key = unplaced ^ game->box_key[to] ^ game->player_key[after],
            .features = features_of(guide, boxes, others + haul->parts[to], far + guide->far[to]),
            .move = feature_move(box, to, place.d),
        };
    }
    return count;
}

/* The boxes that the player can push; if there is a PI-corral, only its boxes. */
BOARD_INLINE void find_movable(const struct sokoban *game, const struct sokoban_state *state, const uint64_t *frozen,
                               uint64_t *movable, int n) {
    soloist_move moves[4 * SOKOBAN_MOST_BOXES];
    uint64_t fence[SOKOBAN_WORDS];
    struct region region;
    int count = region_list_pushes(game, state, true, &region, moves, n);
    memset(movable, 0, (size_t)n * sizeof *movable);
    for (int i = 0; i < count; i++)
        bitset_add(movable, moves[i] >> 2);
    if (region.divided && sokoban_corral(game, &region, frozen, count, fence))
        for (int i = 0; i < n; i++)
            movable[i] &= fence[i];
}

static int features_list(const soloist_instance *instance, void *block, const void *state,
                         soloist_prospect *prospects) {
    const struct sokoban *game = sokoban_of(instance);
    struct guide *guide = block;
    const struct sokoban_state *s = state;
    uint64_t frozen[SOKOBAN_WORDS], movable[SOKOBAN_WORDS];
    int count = 0;
    triples_begin(game, false);
    if (sokoban_dead_or_frozen(game, s, frozen))
        return 0;
    uint64_t own = features_project(instance, block, state);
    int parts = (int)feature_of(own, FEATURE_PARTS), player = (int)s->player;
    if (game->rules.exact)
        player = sokoban_least(game, s->boxes, player);
    SOKOBAN_BY_WORDS(game, find_movable(game, s, frozen, movable, n));
    const uint64_t *view = feature_view(guide, frozen);
    guide->haul.allowed = view ? view + game->words : game->floor;
    for (BITSET_EACH(box, movable, (size_t)game->words)) {
        int others = feature_other_parts(game, s->boxes, box, parts);
        count += list_box(guide, s, player, box, others, prospects + count);
    }
    feature_advise(guide, s, own, prospects, count);
    triples_count(game, false, count);
    return count;
}

static void features_play(const soloist_instance *instance, void *block, void *state, soloist_move move) {
    const struct sokoban *game = sokoban_of(instance);
    struct sokoban_state *s = state;
    int to = feature_to(move), stand = to - game->step[move & 3];
    (void)block;
    sokoban_move_box(game, s, feature_from(move), to);
    sokoban_put_player(game, s, game->rules.exact ? stand : sokoban_least(game, s->boxes, stand));
}

static const struct sokoban *learning_of(const struct guide *guide) {
    return guide->learning.patterns ? &guide->learning : guide->game;
}

/* Whether a known pattern or, under some plans, a pattern search around the moved box shows a deadlock. */
static bool loses_by_pattern(const struct guide *guide, const struct sokoban_state *state, soloist_move move) {
    const struct sokoban *learning = learning_of(guide);
    if (!learning->patterns || move == SOLOIST_NO_MOVE)
        return false;
    return guide->patterns ? sokoban_pattern_loses(learning, state, feature_to(move))
                           : sokoban_pattern_dooms(learning, state, false);
}

static bool features_dead(const soloist_instance *instance, void *block, const void *state, soloist_move move) {
    const struct sokoban *game = sokoban_of(instance);
    const struct sokoban_state *s = state;
    uint64_t frozen[SOKOBAN_WORDS];
    if (sokoban_dead_or_frozen(game, s, frozen) || sokoban_bound.value(instance, state) == SOLOIST_DEAD)
        return true;
    struct guide *guide = block;
    const uint64_t *view = feature_view(guide, frozen);
    return (view && !feature_view_fits(guide, view, s->boxes)) || loses_by_pattern(guide, s, move);
}

static bool features_doomed(const soloist_instance *instance, void *block, const void *state, bool think) {
    (void)instance;
    const struct sokoban *learning = learning_of(block);
    return learning->patterns && sokoban_pattern_dooms(learning, state, think);
}

/* Lists the pushes of a larger move; the path is followed back from its end. */
static int features_plain(const soloist_instance *instance, void *block, const void *state, soloist_move move,
                          soloist_move *moves) {
    const struct sokoban *game = sokoban_of(instance);
    struct guide *guide = block;
    const struct sokoban_state *s = state;
    struct haul *haul = &guide->haul;
    int player = game->rules.exact ? sokoban_least(game, s->boxes, (int)s->player) : (int)s->player;
    haul->allowed = game->floor;
    haul_from(haul, HAUL_PUSH, s->boxes, feature_from(move), player);
    for (int i = 1; i < haul->count; i++) {
        struct haul_place place = haul->places[i];
        if (place.square != feature_to(move) || place.part != haul->part_next_to[place.square][3 - (move & 3)])
            continue;
        for (int at = i, left = place.pushes; moves && left--; at = haul->places[at].before) {
            int d = haul->places[at].d;
            moves[left] = (soloist_move)((haul->places[at].square - game->step[d]) * 4 + d);
        }
        return place.pushes;
    }
    return 0;
}

static const char *const names[] = {"packed", "parts", "rooms", "out-of-plan", "hotspots", "far", "far-low", NULL};
static const char *const advisors[] = {"packing",     "parts",  "rooms",    "hotspots",
                                       "out-of-plan", "opener", "explorer", NULL};

const soloist_features sokoban_features = {
    .size = sizeof(soloist_features),
    .names = names,
    .advisors = advisors,
    .plans = plan_count,
    .guide_size = guide_size,
    .state_size = state_size,
    .most = most_moves,
    .open = features_open,
    .close = features_close,
    .dimensions = features_dimensions,
    .root = features_root,
    .key = sokoban_key,
    .ended = features_ended,
    .project = features_project,
    .list = features_list,
    .play = features_play,
    .dead = features_dead,
    .doomed = features_doomed,
    .plain = features_plain,
    .plan = &sokoban_packing,
    .adopt = feature_adopt,
    .plan_names = plan_names,
};
