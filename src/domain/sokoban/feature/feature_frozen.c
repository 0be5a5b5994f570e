/* Frozen boxes act as walls, so some boxes may no longer reach the goals that are left. For each set of frozen boxes,
 * this file finds the squares from which each goal can be reached; the results for recent sets are cached. */
#include "domain/sokoban/feature/feature.h"

#include "base/hash.h"
#include "base/matching.h"

/* The maximum number of sets that are cached, and of bytes that they may need. */
#define MOST_VIEWS 1024
#define MOST_BYTES ((size_t)1 << 22)

static size_t view_words(const struct sokoban *game) { return (size_t)(game->goals + 2) * (size_t)game->words; }

static size_t view_count(const struct sokoban *game) {
    size_t count = MOST_VIEWS;
    while (count > 1 && count * view_words(game) * sizeof(uint64_t) > MOST_BYTES)
        count /= 2;
    return count;
}

size_t feature_views_size(const struct sokoban *game) { return view_count(game) * view_words(game) * sizeof(uint64_t); }

static void make_view(struct guide *guide, const uint64_t *frozen, uint64_t *view) {
    const struct sokoban *game = guide->game;
    size_t words = (size_t)game->words;
    uint64_t *any = view + words;
    memcpy(view, frozen, words * sizeof *view);
    memset(any, 0, words * sizeof *any);
    for (int g = 0; g < game->goals; g++) {
        uint64_t goal[SOKOBAN_WORDS] = {0}, *from = view + (size_t)(g + 2) * words;
        memset(from, 0, words * sizeof *from);
        if (bitset_has(frozen, game->goal_square[g]))
            continue;
        bitset_add(goal, game->goal_square[g]);
        haul_from_all(&guide->haul, HAUL_PULL, frozen, goal);
        haul_squares(&guide->haul, from);
        from[game->goal_square[g] / 64] |= goal[game->goal_square[g] / 64];
        for (size_t i = 0; i < words; i++)
            any[i] |= from[i];
    }
}

const uint64_t *feature_view(struct guide *guide, const uint64_t *frozen) {
    const struct sokoban *game = guide->game;
    size_t words = (size_t)game->words, slot = hash_bytes(frozen, words * sizeof *frozen) & (view_count(game) - 1);
    uint64_t *view = guide->views + slot * view_words(game);
    if (board_empty(frozen, game->words))
        return NULL;
    if (!board_equal(view, frozen, game->words))
        make_view(guide, frozen, view);
    return view;
}

bool feature_view_fits(const struct guide *guide, const uint64_t *view, const uint64_t *boxes) {
    const struct sokoban *game = guide->game;
    size_t words = (size_t)game->words;
    struct matching_tight tight;
    int rows = 0;
    for (size_t i = 0; i < words; i++)
        if (boxes[i] & ~view[i] & ~view[words + i])
            return false;
    if (game->boxes != game->goals || game->boxes > MATCHING_TIGHT_MOST)
        return true;
    for (BITSET_EACH(box, boxes, words)) {
        uint64_t goals = 0;
        bool frozen = bitset_has(view, (unsigned)box);
        for (int g = 0; g < game->goals; g++)
            if (frozen ? game->goal_square[g] == box : bitset_has(view + (size_t)(g + 2) * words, (unsigned)box))
                goals |= UINT64_C(1) << g;
        tight.tight[rows++] = goals;
    }
    return matching_tight_solve(&tight, rows);
}
