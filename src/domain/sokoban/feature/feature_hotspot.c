/* Hotspots: a hotspot is a box that cuts at least one other box off from every goal as long as the hotspot stays where
 * it is. */
#include "domain/sokoban/feature/feature.h"

/* Finds for each square s the squares from which no goal can be reached while a box stands on s. A box on a goal is
 * never a hotspot. */
void feature_hotspots_make(struct guide *guide) {
    const struct sokoban *game = guide->game;
    size_t words = (size_t)game->words;
    memset(guide->blocked, 0, (size_t)game->size * words * sizeof *guide->blocked);
    for (BITSET_EACH(s, game->live.some, words)) {
        uint64_t wall[SOKOBAN_WORDS] = {0}, reached[SOKOBAN_WORDS];
        if (bitset_has(game->goal, (unsigned)s))
            continue;
        bitset_add(wall, (unsigned)s);
        haul_from_all(&guide->haul, HAUL_PULL, wall, game->goal);
        haul_squares(&guide->haul, reached);
        for (size_t i = 0; i < words; i++)
            guide->blocked[(size_t)s * words + i] =
                game->live.some[i] & ~reached[i] & ~game->goal[i] & ~board_one(s, (int)i);
    }
}

BOARD_INLINE int count_hotspots(const struct guide *guide, const uint64_t *boxes, int n) {
    int count = 0;
    for (int w = 0; w < n; w++)
        for (uint64_t left = boxes[w] & ~guide->game->goal[w]; left; left &= left - 1) {
            const uint64_t *blocked = guide->blocked + (ptrdiff_t)(w * 64 + bits_lowest(left)) * n;
            uint64_t any = 0;
            for (int i = 0; i < n; i++)
                any |= boxes[i] & blocked[i];
            count += any != 0;
        }
    return count;
}

int feature_hotspots(const struct guide *guide, const uint64_t *boxes) {
    int count = 0;
    SOKOBAN_BY_WORDS(guide->game, count = count_hotspots(guide, boxes, n));
    return count;
}
