/* Solutions in LURD notation, with the run lengths that files use. */
#include "domain/sokoban/file/level.h"

#include "domain/sokoban/file/runlength.h"

#include <string.h>

static long fail_letter(char letter, size_t place, soloist_error *error) {
    unsigned char byte = (unsigned char)letter;
    if (byte > ' ' && byte < 127)
        soloist_fail(error, 0, (int)place + 1, "'%c' is not a move: expected l, u, r, d, L, U, R or D", letter);
    else
        soloist_fail(error, 0, (int)place + 1, "byte 0x%02x is not a move: expected l, u, r, d, L, U, R or D", byte);
    return -1;
}

long sokoban_lurd_expand(const char *text, size_t length, char *out, size_t room, soloist_error *error) {
    struct runlength code;
    struct run run;
    size_t written = 0;
    runlength_open(&code, text, length, true);
    while (runlength_next(&code, &run)) {
        if (!run.symbol || !strchr("lurdLURD", run.symbol))
            return fail_letter(run.symbol, run.place, error);
        if (run.count > room - written) {
            soloist_fail(error, 0, (int)run.place + 1, "the solution is too long: expected at most %zu moves", room);
            return -1;
        }
        memset(out + written, run.symbol, run.count);
        written += run.count;
    }
    if (code.problem) {
        soloist_fail(error, 0, (int)code.place + 1, "%s", code.problem);
        return -1;
    }
    return (long)written;
}

static int step_of(char letter, int width) {
    switch (letter) {
    case 'l': return -1;
    case 'r': return 1;
    case 'u': return -width;
    case 'd': return width;
    default: return 0;
    }
}

bool sokoban_lurd_recase(const struct sokoban_level *level, char *letters, size_t length) {
    uint8_t cells[sizeof level->cells];
    int at = level->player;
    memcpy(cells, level->cells, sizeof cells);
    for (size_t i = 0; i < length; i++) {
        char small = letters[i] < 'a' ? (char)(letters[i] + 32) : letters[i];
        int step = step_of(small, level->width), to = at + step, beyond = to + step;
        if (!step || cells[to] & SOKOBAN_WALL)
            return false;
        bool push = cells[to] & SOKOBAN_BOX;
        if (push && cells[beyond] & (SOKOBAN_WALL | SOKOBAN_BOX))
            return false;
        if (push) {
            cells[to] = (uint8_t)(cells[to] & ~SOKOBAN_BOX);
            cells[beyond] |= SOKOBAN_BOX;
        }
        letters[i] = push ? (char)(small - 32) : small;
        at = to;
    }
    return true;
}
