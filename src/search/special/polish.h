/* The aim when a solution is shortened, in games that count pushes and moves: up to five counts are minimised, in an
 * order of importance. A later count only decides between solutions that are equal in all earlier ones. */
#ifndef SEARCH_SPECIAL_POLISH_H
#define SEARCH_SPECIAL_POLISH_H

#include "soloist.h"

/* The counts, as domain/sokoban/file/counts.h defines them. */
enum polish_count {
    POLISH_COUNT_PUSHES,
    POLISH_COUNT_MOVES,
    POLISH_COUNT_BOX_LINES,
    POLISH_COUNT_BOX_CHANGES,
    POLISH_COUNT_SESSIONS,
    POLISH_COUNTS
};

/* order[0 .. count - 1]: the counts (enum polish_count), the most important first; each occurs at most once. */
struct polish_aim {
    uint8_t count, order[POLISH_COUNTS];
};
#define POLISH_PUSHES ((struct polish_aim){1, {POLISH_COUNT_PUSHES}})
#define POLISH_MOVES ((struct polish_aim){1, {POLISH_COUNT_MOVES}})
#define POLISH_PUSHES_MOVES ((struct polish_aim){2, {POLISH_COUNT_PUSHES, POLISH_COUNT_MOVES}})
#define POLISH_MOVES_PUSHES ((struct polish_aim){2, {POLISH_COUNT_MOVES, POLISH_COUNT_PUSHES}})

enum { POLISH_AIM_ROOM = 64 };

/* Reads counts joined by - or a comma, such as "pushes-moves" or "moves,pushes,box-lines". If the text is wrong,
 * returns false with an error. */
bool polish_aim_read(const char *text, struct polish_aim *aim, soloist_error *error);
/* Writes the counts joined by -, in POLISH_AIM_ROOM bytes, and returns `out`. */
char *polish_aim_name(struct polish_aim aim, char *out);

struct polish_result {
    /* The new solution, confirmed by the referee; owned. NULL: the referee rejected the given solution. */
    char *solution;
    soloist_verdict before, after;
    bool optimal; /* it is proved that no solution is better under the aim */
    uint64_t nodes;
    double time_s;
    soloist_stop stopped; /* SOLOIST_STOP_GOAL: no limit was reached, or the solution is optimal */
};

#endif
