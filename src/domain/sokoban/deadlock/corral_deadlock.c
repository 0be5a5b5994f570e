/* Corral deadlocks (D5): a push closes off a part of the floor behind boxes that can neither all reach goals nor open
 * it again. A small search plays with only the boxes around that part. Removing the other boxes only adds
 * possibilities: the pushes of these boxes in a solution of the whole position also solve the small game. If the small
 * search runs out of positions before the corral is open or its boxes are on goals, the whole position is therefore a
 * deadlock. The search gives up after a fixed number of positions. */
#include "domain/sokoban/deadlock/corral.h"
#include "domain/sokoban/deadlock/verdict.h"

/* A* on 1000 Boxoban levels of medium difficulty expands 103.1 positions per level without this rule, 80.6 with up to 8
 * positions per small game, 79.5 with 16, 79.0 with 32. */
#define MOST_POSITIONS 32
#define MOST_BOXES 8

struct small_game {
    const struct sokoban *game;
    const struct corral *corral;
    const uint64_t *frozen;
    int count;
    /* For each position: the least square of the player's region (least), the boxes, and the region itself (reach), n
     * words each. */
    int least[MOST_POSITIONS];
    uint64_t boxes[MOST_POSITIONS * SOKOBAN_WORDS], reach[MOST_POSITIONS * SOKOBAN_WORDS];
};

/* Whether the small game is settled: all boxes are on goals, one of them has left the corral, or the player can reach
 * the whole corral. */
BOARD_INLINE bool is_settled(const struct small_game *small, const struct region *region, int n) {
    const struct corral *corral = small->corral;
    uint64_t off_goal = 0, left = 0, closed = 0;
    for (int i = 0; i < n; i++) {
        uint64_t boxes = region->boxes.all[i + 1] & ~small->frozen[i];
        off_goal |= boxes & ~small->game->goal[i];
        left |= boxes & ~(corral->inside[i] | corral->fence[i]);
        closed |= region->beyond.all[i + 1] & corral->inside[i];
    }
    return !off_goal || left || !closed;
}

BOARD_INLINE bool is_known(const struct small_game *small, const struct region *region, int n) {
    for (int at = 0; at < small->count; at++)
        if (small->least[at] == region->least && board_equal(small->boxes + at * n, region->boxes.all + 1, n))
            return true;
    return false;
}

/* Adds a position if it is new; false if it settles the game or there is no room for another position. */
BOARD_INLINE bool add_position(struct small_game *small, const struct region *region, int n) {
    int at = small->count;
    if (is_settled(small, region, n))
        return false;
    if (is_known(small, region, n))
        return true;
    if (at == MOST_POSITIONS)
        return false;
    small->least[at] = region->least;
    for (int i = 0; i < n; i++) {
        small->boxes[at * n + i] = region->boxes.all[i + 1];
        small->reach[at * n + i] = region->reach.all[i + 1];
    }
    small->count++;
    return true;
}

/* Adds the positions after each push in position `at`; false if one settles the game or there is no room for another
 * position. */
BOARD_INLINE bool play_on(struct small_game *small, int at, int n) {
    const struct sokoban *game = small->game;
    const uint64_t *solid = small->boxes + at * n;
    uint64_t boxes[SOKOBAN_WORDS], targets[4][SOKOBAN_WORDS], pushes[4][SOKOBAN_WORDS];
    soloist_move moves[4 * MOST_BOXES];
    struct region region, after;
    region_resume(&region, game, solid, small->reach + at * n, n);
    for (int i = 0; i < n; i++) {
        boxes[i] = solid[i] & ~small->frozen[i];
        for (int d = 0; d < 4; d++)
            targets[d][i] = game->live.beside[3 - d][i] & ~solid[i];
    }
    region_pushes(&region, game, boxes, targets, pushes, n);
    int count = region_list(pushes, moves, n);
    for (int i = 0; i < count; i++) {
        int from = (int)(moves[i] >> 2), d = (int)(moves[i] & 3);
        if (region_push_kills(&region, game, from, d, n))
            continue;
        region_follow(&after, &region, game, from, d, n);
        if (!add_position(small, &after, n))
            return false;
    }
    return true;
}

/* Searches the whole small game; true if it is never settled. */
BOARD_INLINE bool play_out(struct small_game *small, const struct region *first, int n) {
    small->count = 0;
    if (!add_position(small, first, n))
        return false;
    for (int at = 0; at < small->count; at++)
        if (!play_on(small, at, n))
            return false;
    return true;
}

/* The key of the small game holds all that its verdict depends on: the boxes, which of them are frozen, the corral's
 * part of the floor, and the player's region. */
BOARD_INLINE void fill_key(const struct small_game *small, const struct region *first, uint64_t *key, int n) {
    for (int i = 0; i < n; i++) {
        key[i] = first->boxes.all[i + 1];
        key[n + i] = small->frozen[i];
        key[2 * n + i] = small->corral->inside[i];
    }
    key[3 * n] = (uint64_t)first->least;
}

BOARD_INLINE bool is_lost(const struct yard *yard, const struct corral *corral, int n) {
    const struct sokoban *game = yard->game;
    struct small_game small;
    struct region first;
    uint64_t solid[SOKOBAN_WORDS], reach[SOKOBAN_WORDS], free[SOKOBAN_WORDS], key[3 * SOKOBAN_WORDS + 1];
    int boxes = 0;
    if (!corral->pushes)
        return true;
    small.game = game, small.corral = corral, small.frozen = yard->frozen;
    for (int i = 0; i < n; i++) {
        boxes += bits_count(corral->fence[i]);
        solid[i] = corral->fence[i] | yard->frozen[i];
        free[i] = game->floor[i] & ~solid[i];
        reach[i] = yard->reach[i];
    }
    if (boxes > MOST_BOXES)
        return false;
    board_flood(free, reach, -1, game->stride, n);
    region_resume(&first, game, solid, reach, n);
    fill_key(&small, &first, key, n);
    uint64_t hash = verdict_hash(key, (size_t)(3 * n + 1));
    int verdict = game->verdicts ? verdict_find(game->verdicts, key, hash) : -1;
    if (verdict < 0) {
        verdict = play_out(&small, &first, n);
        if (game->verdicts)
            verdict_keep(game->verdicts, key, hash, verdict);
    }
    return verdict;
}

bool sokoban_corral_is_lost(const struct yard *yard, const struct corral *corral) {
    bool lost = false;
    SOKOBAN_BY_WORDS(yard->game, lost = is_lost(yard, corral, n));
    return lost;
}

bool sokoban_corrals_make(struct sokoban *game) {
    if (game->rules.corral_deadlocks)
        game->verdicts = verdicts_make(3 * (size_t)game->words + 1);
    return game->verdicts || !game->rules.corral_deadlocks;
}
