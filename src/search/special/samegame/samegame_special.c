/* The special of SameGame: the number of blocks that are left at the end of a game. */
#include "domain/domain.h"
#include "domain/samegame/samegame.h"
#include "search/special/registry.h"

static bool count_solution(const soloist_puzzle *puzzle, const char *solution, size_t length,
                           int64_t counts[SPECIAL_COUNTS]) {
    int left = samegame_blocks_left(&puzzle->chunk, solution, length);
    if (left >= 0)
        counts[SPECIAL_BLOCKS_LEFT] = left;
    return true;
}

const struct special special_samegame = {&samegame_domain, NULL, NULL, count_solution, NULL};
