/* Tries the deadlock rules one by one, simplest first; then removes boxes from the board as long as some rule still
 * applies. Removing a box only adds possibilities: a position that is dead with fewer boxes is dead with all of them.
 * Each smaller set of boxes is treated as a level of its own, so that the rules see only the remaining boxes. */
#include "domain/sokoban/deadlock/explain.h"

#include "base/buffer.h"
#include "domain/sokoban/deadlock/corral.h"

#include <stdlib.h>

static const struct {
    const char *name, *text;
} reasons[] = {
    [SOKOBAN_NOT_KNOWN_DEAD] = {"none", "not known to be dead"},
    [SOKOBAN_DEAD_SQUARE] = {"dead square", "no goal can be reached from the square of this box"},
    [SOKOBAN_FROZEN] = {"freeze",
                        "these boxes and the walls block each other for good, and not all of these boxes are on goals"},
    [SOKOBAN_FULL_LINE] = {"wall line", "these boxes cannot leave the wall, and there are fewer goals along it"},
    [SOKOBAN_NO_MATCHING] = {"no matching", "these boxes cannot all reach different goals"},
    [SOKOBAN_LOST_PAIR] = {"pair", "these two boxes could not be solved even without the other boxes"},
    [SOKOBAN_CLOSED_DIAGONAL] = {"diagonal",
                                 "these boxes enclose squares of a diagonal, and no push can open the diagonal"},
    [SOKOBAN_LOST_CORRAL] = {"corral",
                             "these boxes close off a part of the floor that can neither be opened nor solved"},
    [SOKOBAN_NO_PUSH] = {"no push", "every remaining push loses a box"},
    [SOKOBAN_EXHAUSTED] = {"search", "a search examined every position: there is no solution"},
    [SOKOBAN_SOME_BOXES] = {"not narrowed down",
                            "some of these boxes make it unsolvable; there was no time to find out which of them"},
};

const char *sokoban_reason_name(enum sokoban_reason reason) { return reasons[reason].name; }
const char *sokoban_reason_text(enum sokoban_reason reason) { return reasons[reason].text; }

void sokoban_level_keep(const struct sokoban_level *level, const uint8_t *boxes, struct sokoban_level *kept) {
    *kept = *level;
    kept->boxes = 0;
    for (int i = 0; i < level->width * level->height; i++)
        if (level->cells[i] & SOKOBAN_BOX) {
            if (!boxes[i])
                kept->cells[i] = (uint8_t)(kept->cells[i] & ~SOKOBAN_BOX);
            kept->boxes += boxes[i] != 0;
        }
}

static struct sokoban *open_level(const struct sokoban_level *level, bool pairs, soloist_stop_token *stop) {
    const struct sokoban_rules rules = {.bound = SOKOBAN_MATCHING_PUSHES,
                                        .dead_squares = true,
                                        .freeze = true,
                                        .wall_line = true,
                                        .bipartite = true,
                                        .corral_deadlocks = true,
                                        .pairs = pairs ? SOKOBAN_PAIRS_ON : SOKOBAN_PAIRS_OFF};
    struct buffer text;
    soloist_error error;
    struct sokoban *game = NULL;
    buffer_open(&text);
    soloist_sink sink = buffer_sink(&text);
    sokoban_level_print(level, &sink);
    if (text.text && !text.failed) {
        soloist_chunk chunk = {.text = text.text, .length = text.length, .line = 1};
        game = sokoban_open(&chunk, &rules, stop, &error);
    }
    buffer_close(&text);
    return game;
}

BOARD_INLINE bool is_shut(const struct sokoban *game, const struct sokoban_state *state, const uint64_t *frozen,
                          int n) {
    uint64_t fence[SOKOBAN_WORDS];
    soloist_move moves[4 * SOKOBAN_MOST_BOXES];
    struct region region;
    int count = region_list_pushes(game, state, true, &region, moves, n);
    return region.divided && sokoban_corral(game, &region, frozen, count, fence);
}

/* pair: with SOKOBAN_LOST_PAIR, the squares of the two boxes. */
static enum sokoban_reason judge(const struct sokoban *game, int pair[2]) {
    const soloist_instance *instance = (const soloist_instance *)(const void *)game;
    uint64_t block[sizeof(struct sokoban_state) / sizeof(uint64_t) + SOKOBAN_WORDS], frozen[SOKOBAN_WORDS];
    struct sokoban_state *root = (struct sokoban_state *)(void *)block;
    soloist_child children[4 * SOKOBAN_MOST_BOXES];
    bool shut = false;
    sokoban_root(instance, root);
    if (!root->off_goal)
        return SOKOBAN_NOT_KNOWN_DEAD;
    if (sokoban_on_dead_square(game, root))
        return SOKOBAN_DEAD_SQUARE;
    if (sokoban_frozen(game, root->boxes, frozen))
        return SOKOBAN_FROZEN;
    if (sokoban_on_full_line(game, root->boxes))
        return SOKOBAN_FULL_LINE;
    if (!sokoban_has_matching(game, root))
        return SOKOBAN_NO_MATCHING;
    if (game->pairs && sokoban_find_lost_pair(game, root, pair))
        return SOKOBAN_LOST_PAIR;
    if (sokoban_has_closed_diagonal(game, root->boxes, (int)root->player))
        return SOKOBAN_CLOSED_DIAGONAL;
    SOKOBAN_BY_WORDS(game, shut = is_shut(game, root, frozen, n));
    if (shut)
        return SOKOBAN_LOST_CORRAL;
    return sokoban_push_core.expand(instance, root, SOLOIST_NO_MOVE, SOLOIST_WANT_BOUND, children)
               ? SOKOBAN_NOT_KNOWN_DEAD
               : SOKOBAN_NO_PUSH;
}

struct examination {
    soloist_stop_token *stop;
    bool stopped, failed; /* failed: there is no memory */
    int pair[2];          /* the cells of the lost pair that was found last */
};

/* Examines one level. */
static enum sokoban_reason judge_level(const struct sokoban_level *level, bool pairs, struct examination *exam) {
    struct sokoban *game = open_level(level, pairs, exam->stop);
    if (!game) {
        exam->stopped = soloist_stopped(exam->stop);
        exam->failed = !exam->stopped;
        return SOKOBAN_NOT_KNOWN_DEAD;
    }
    int pair[2];
    enum sokoban_reason reason = judge(game, pair);
    for (int i = 0; i < 2 && reason == SOKOBAN_LOST_PAIR; i++)
        exam->pair[i] = sokoban_cell(game, pair[i]);
    sokoban_close((soloist_instance *)(void *)game);
    return reason;
}

/* The table of pairs takes by far the longest to make: it is used only if no other rule applies. */
static enum sokoban_reason reason_of(const struct sokoban_level *level, bool *pairs, struct examination *exam) {
    enum sokoban_reason reason = judge_level(level, false, exam);
    *pairs = !exam->failed && reason == SOKOBAN_NOT_KNOWN_DEAD && level->boxes > 1;
    return *pairs ? judge_level(level, true, exam) : reason;
}

/* Finds a box that is lost even if it is alone on the board; -1: there is none. */
static int lone_box(const struct sokoban_level *level, struct sokoban_level *room, struct examination *exam) {
    uint8_t only[sizeof level->cells] = {0};
    for (int i = 0; i < level->width * level->height && !soloist_stopped(exam->stop); i++) {
        if (!(level->cells[i] & SOKOBAN_BOX) || level->cells[i] & SOKOBAN_GOAL)
            continue;
        only[i] = 1;
        sokoban_level_keep(level, only, room);
        if (judge_level(room, false, exam) != SOKOBAN_NOT_KNOWN_DEAD)
            return i;
        only[i] = 0;
    }
    return -1;
}

/* Tries each box once. */
static void take_away_once(const struct sokoban_level *level, struct sokoban_explanation *explanation, bool pairs,
                           struct sokoban_level *room, struct examination *exam) {
    for (int i = 0; i < level->width * level->height && explanation->count > 1 && !exam->failed; i++) {
        if (!explanation->stuck[i])
            continue;
        exam->stopped = exam->stopped || soloist_stopped(exam->stop);
        if (exam->stopped)
            break;
        explanation->stuck[i] = 0;
        sokoban_level_keep(level, explanation->stuck, room);
        enum sokoban_reason reason = judge_level(room, pairs, exam);
        if (reason == SOKOBAN_NOT_KNOWN_DEAD) {
            explanation->stuck[i] = 1;
        } else {
            explanation->reason = reason;
            explanation->count--;
        }
    }
}

/* A box that was needed may be needless without another one: corrals are examined by small searches with a limit. So
 * the boxes are tried again until all that are left are needed. */
static void take_away(const struct sokoban_level *level, struct sokoban_explanation *explanation, bool pairs,
                      struct sokoban_level *room, struct examination *exam) {
    int before;
    do {
        before = explanation->count;
        take_away_once(level, explanation, pairs, room, exam);
    } while (explanation->count < before && !exam->failed && !exam->stopped);
    if (exam->stopped)
        explanation->reason = SOKOBAN_SOME_BOXES;
}

bool sokoban_explain(const struct sokoban_level *level, soloist_stop_token *stop,
                     struct sokoban_explanation *explanation) {
    struct examination exam = {.stop = stop};
    bool pairs = false;
    *explanation = (struct sokoban_explanation){.reason = reason_of(level, &pairs, &exam)};
    if (exam.failed || explanation->reason == SOKOBAN_NOT_KNOWN_DEAD)
        return !exam.failed;
    struct sokoban_level *room = malloc(sizeof *room);
    if (!room)
        return false;
    int lone = explanation->reason == SOKOBAN_DEAD_SQUARE ? lone_box(level, room, &exam) : -1;
    bool two = explanation->reason == SOKOBAN_LOST_PAIR;
    for (int i = 0; i < level->width * level->height; i++)
        explanation->stuck[i] = lone >= 0 ? i == lone
                                : two     ? i == exam.pair[0] || i == exam.pair[1]
                                          : (level->cells[i] & SOKOBAN_BOX) != 0;
    explanation->count = lone >= 0 ? 1 : two ? 2 : level->boxes;
    take_away(level, explanation, pairs, room, &exam);
    free(room);
    return !exam.failed;
}
