/* Relevance cuts (Junghanns and Schaeffer 2001; D7): forward pruning for Sokoban's pushes. A human player works on one
 * part of a level at a time; a plain search mixes pushes that are unrelated to each other.
 *
 * The influence of one square on another is measured by a distance over the floor: the greater the distance, the less
 * the squares influence each other. A step from square to square adds more to the distance if the square it enters has
 * more exits (alternatives). A step towards a goal adds half as much (goal skew), a step along which no box can be
 * pushed adds twice as much (connection), and a step further through a tunnel adds 0. A push is distant from an earlier
 * push if the distance between their squares exceeds a threshold.
 *
 * A push that is distant from the last one is cut off in two cases: if there are already too many distant pushes among
 * the recent ones, or if it is not distant from one of the recent pushes before the last one. This can lose solutions,
 * so one push in a hundred, chosen by its key, is never cut off. */
#include "search/special/sokoban/relevance.h"

#include "base/hash.h"
#include "domain/sokoban/sokoban.h"

#include <string.h>

enum { far_away = 255, let_through = 100 }; /* one push in let_through is never cut off */

struct relevance {
    const struct sokoban *game;
    struct memory *memory;
    const struct ida_star_settings *settings;
    int threshold;
    size_t size;
    uint8_t *influence; /* [from square][to square]: the distance; far_away: no influence */
};

static int32_t nearest_goal(const struct sokoban *game, int square) {
    int32_t least = SOKOBAN_NEVER;
    for (int post = game->post_first[square]; post < game->post_first[square + 1]; post++)
        for (int g = 0; g < game->goals; g++) {
            int32_t pushes = game->pushes[(ptrdiff_t)post * game->goals + g];
            least = pushes < least ? pushes : least;
        }
    return least;
}

static bool box_can_go(const struct sokoban *game, int from, int d) {
    int to = from + game->step[d];
    return sokoban_is_floor(game, from - game->step[d]) && bitset_has(game->live.some, (unsigned)from) &&
           bitset_has(game->live.some, (unsigned)to);
}

/* What a step adds to the distance, in half units. */
static int weight_of(const struct sokoban *game, const int32_t *to_goal, int from, int d) {
    int to = from + game->step[d], ways = 0;
    for (int e = 0; e < 4; e++)
        ways += sokoban_is_floor(game, to + game->step[e]);
    if (ways <= 2 && sokoban_is_floor(game, to + game->step[d]))
        return 0;
    int weight = ways > 2 ? 2 * (ways - 1) : 2;
    if (!box_can_go(game, from, d) && !box_can_go(game, to, 3 - d))
        weight *= 2;
    return to_goal[to] < to_goal[from] ? weight / 2 : weight;
}

/* Computes the least sum of weights from one square to every other square, as in Dijkstra's algorithm. Sums of far_away
 * or more are not needed. */
static void spread_influence(const struct sokoban *game, const int32_t *to_goal, int from, uint8_t *row) {
    memset(row, far_away, (size_t)game->size);
    row[from] = 0;
    for (int value = 0; value < far_away; value++)
        for (bool grown = true; grown;) {
            grown = false;
            for (BITSET_EACH(square, game->floor, (size_t)game->words))
                for (int d = 0; row[square] == value && d < 4; d++) {
                    int to = square + game->step[d];
                    int sum = sokoban_is_floor(game, to) ? value + weight_of(game, to_goal, square, d) : far_away;
                    if (sum < far_away && sum < row[to]) {
                        row[to] = (uint8_t)sum;
                        grown = grown || sum == value;
                    }
                }
        }
}

/* The default threshold: half of the mean distance, but not so low that every push is distant, nor so high that none
 * is. */
static int usual_threshold(const struct relevance *relevance) {
    const struct sokoban *game = relevance->game;
    uint64_t sum = 0, count = 0;
    for (BITSET_EACH(from, game->floor, (size_t)game->words))
        for (BITSET_EACH(to, game->floor, (size_t)game->words)) {
            sum += relevance->influence[(size_t)from * relevance->size + (size_t)to];
            count++;
        }
    int half = (int)(sum / count / 2);
    return half < 40 ? 40 : half > 100 ? 100 : half;
}

struct relevance *relevance_open(struct search_run *run, const struct ida_star_settings *settings) {
    const struct sokoban *game = sokoban_of(run->instance);
    struct memory *memory = &run->budget->memory;
    size_t size = (size_t)game->size;
    struct relevance *relevance = memory_take(memory, sizeof *relevance);
    if (!relevance)
        return NULL;
    *relevance = (struct relevance){game, memory, settings, 0, size, memory_take(memory, size * size)};
    int32_t *to_goal = memory_take(memory, size * sizeof *to_goal);
    bool good = relevance->influence && to_goal;
    for (BITSET_EACH(square, game->floor, (size_t)game->words))
        if (good)
            to_goal[square] = nearest_goal(game, square);
    /* If the run must stop, the rest of the table stays zero, and the search ends at its first node. */
    struct search_looks looks = {0};
    for (BITSET_EACH(square, game->floor, (size_t)game->words))
        if (good && !search_must_break_off(run, &looks))
            spread_influence(game, to_goal, square, relevance->influence + (size_t)square * size);
    memory_give(memory, to_goal, size * sizeof *to_goal);
    if (good) {
        relevance->threshold = settings->influence ? settings->influence : usual_threshold(relevance);
        return relevance;
    }
    relevance_close(relevance);
    return NULL;
}

void relevance_close(struct relevance *relevance) {
    if (!relevance)
        return;
    memory_give(relevance->memory, relevance->influence, relevance->size * relevance->size);
    memory_give(relevance->memory, relevance, sizeof *relevance);
}

/* Whether a later push is distant from an earlier one. */
static bool is_distant(const struct relevance *relevance, soloist_move earlier, soloist_move later) {
    size_t from = (size_t)sokoban_push_end(relevance->game, earlier), to = (size_t)sokoban_push_box(later);
    return relevance->influence[from * relevance->size + to] > relevance->threshold;
}

/* moves: the last `count` pushes, the newest first. switches: how many of these pushes are distant from the push just
 * before them. */
static bool is_irrelevant(const struct relevance *relevance, const soloist_move *moves, int count, int switches,
                          const soloist_child *child) {
    if (!is_distant(relevance, moves[0], child->move) || hash_mix(child->key) % let_through == 0)
        return false;
    if (switches >= relevance->settings->switches)
        return true;
    for (int i = 1; i < count; i++)
        if (!is_distant(relevance, moves[i], child->move))
            return true;
    return false;
}

int relevance_cut(const struct relevance *relevance, const struct ida_star_path *path, soloist_move last,
                  soloist_child *children, int count) {
    soloist_move moves[IDA_STAR_MOST_HISTORY];
    int known = 0, switches = 0, left = 0;
    for (uint32_t depth = path->depth; depth > 0 && known < relevance->settings->history; depth--)
        moves[known++] = depth == path->depth ? last : ida_star_frame(path, depth)->move;
    for (int i = 0; i + 1 < known; i++)
        switches += is_distant(relevance, moves[i + 1], moves[i]);
    for (int i = 0; i < count; i++)
        if (!known || !is_irrelevant(relevance, moves, known, switches, &children[i]))
            children[left++] = children[i];
    return left;
}
