/* The referee: replays a solution letter by letter on a board of characters. It does not use the solver's states, so
 * that it cannot repeat an error made there. */
#include "domain/sokoban/file/level.h"

#include "domain/sokoban/file/runlength.h"

#include <string.h>

#define MOST_LETTERS 10000000u /* a limit, because a short text with run lengths can stand for any number of steps */

struct replay {
    char board[SOKOBAN_MOST_SIDE * SOKOBAN_MOST_SIDE]; /* '#' wall, '$' box, '*' box on goal, '.' goal, ' ' floor */
    int width, at;
    int64_t moves, pushes;
    bool any_case;
    soloist_error *error;
};

static bool setup(struct replay *replay, const soloist_chunk *chunk, soloist_error *error) {
    struct sokoban_level level;
    if (!sokoban_level_parse(chunk, &level, error))
        return false;
    for (int i = 0; i < level.width * level.height; i++)
        replay->board[i] = level.cells[i] & SOKOBAN_WALL ? '#' : sokoban_cell_symbol(level.cells[i]);
    replay->width = level.width;
    replay->at = level.player;
    replay->error = error;
    return true;
}

/* The offset of the neighbour cell in the direction of a letter; 0 if the letter is not a direction. The player never
 * stands on the board's edge. */
static int step_of(const struct replay *replay, char letter) {
    switch (letter) {
    case 'l':
    case 'L': return -1;
    case 'r':
    case 'R': return 1;
    case 'u':
    case 'U': return -replay->width;
    case 'd':
    case 'D': return replay->width;
    default: return 0;
    }
}

static bool is_box(char c) { return c == '$' || c == '*'; }

static bool push(struct replay *replay, int from, int to, int place) {
    char *board = replay->board;
    if (board[to] == '#')
        return soloist_fail(replay->error, 0, place, "move %lld: the box cannot be pushed into a wall",
                            (long long)replay->moves + 1);
    if (is_box(board[to]))
        return soloist_fail(replay->error, 0, place, "move %lld: the box cannot be pushed onto another box",
                            (long long)replay->moves + 1);
    board[to] = board[to] == '.' ? '*' : '$';
    board[from] = board[from] == '*' ? '.' : ' ';
    replay->pushes++;
    return true;
}

static bool play(struct replay *replay, char letter, int place) {
    int step = step_of(replay, letter), next = replay->at + step;
    long long move = (long long)replay->moves + 1;
    bool capital = letter >= 'A' && letter <= 'Z';
    if (!step)
        return soloist_fail(replay->error, 0, place, "move %lld: unknown letter: expected l, u, r, d, L, U, R or D",
                            move);
    if (replay->board[next] == '#')
        return soloist_fail(replay->error, 0, place, "move %lld: the player walks into a wall", move);
    bool box = is_box(replay->board[next]);
    if (!replay->any_case && capital && !box)
        return soloist_fail(replay->error, 0, place, "move %lld: '%c' is written as a push, but there is no box", move,
                            letter);
    if (!replay->any_case && !capital && box)
        return soloist_fail(replay->error, 0, place, "move %lld: '%c' is written as a step, but it pushes a box", move,
                            letter);
    if (box && !push(replay, next, next + step, place))
        return false;
    replay->at = next;
    replay->moves++;
    return true;
}

static bool play_all(struct replay *replay, const char *solution, size_t length) {
    struct runlength code;
    struct run run;
    runlength_open(&code, solution, length, true);
    while (runlength_next(&code, &run)) {
        int place = (int)run.place + 1;
        if (run.count + (uint64_t)replay->moves > MOST_LETTERS)
            return soloist_fail(replay->error, 0, place, "the solution is too long: expected at most %u moves",
                                MOST_LETTERS);
        for (uint32_t i = 0; i < run.count; i++)
            if (!play(replay, run.symbol, place))
                return false;
    }
    return code.problem ? soloist_fail(replay->error, 0, (int)code.place + 1, "%s", code.problem) : true;
}

static bool judge(const soloist_chunk *chunk, const char *solution, size_t length, bool any_case,
                  soloist_verdict *verdict, soloist_error *error) {
    struct replay replay = {.any_case = any_case};
    int left = 0;
    if (!setup(&replay, chunk, error) || !play_all(&replay, solution, length))
        return false;
    for (size_t i = 0; i < sizeof replay.board; i++)
        left += replay.board[i] == '$';
    if (left)
        return soloist_fail(error, 0, (int)length + 1, "not solved: after the last move %d box%s not on a goal", left,
                            left == 1 ? " is" : "es are");
    if (verdict)
        *verdict = (soloist_verdict){(int32_t)replay.pushes, replay.moves, replay.pushes};
    return true;
}

bool sokoban_referee(const soloist_chunk *chunk, const char *solution, size_t length, soloist_verdict *verdict,
                     soloist_error *error) {
    return judge(chunk, solution, length, false, verdict, error);
}

bool sokoban_referee_any_case(const soloist_chunk *chunk, const char *solution, size_t length, soloist_verdict *verdict,
                              soloist_error *error) {
    return judge(chunk, solution, length, true, verdict, error);
}
