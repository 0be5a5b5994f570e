/* Solutions in LURD notation, as files shorten them. */
#include "domain/sokoban/level.h"

#include "domain/sokoban/runlength.h"

#include <string.h>

static long fail_letter(char letter, size_t place, soloist_error *error) {
    unsigned char byte = (unsigned char)letter;
    if (byte > ' ' && byte < 127)
        soloist_fail(error, 0, (int)place + 1, "'%c' is no move: expected l, u, r, d, L, U, R or D", letter);
    else
        soloist_fail(error, 0, (int)place + 1, "byte 0x%02x is no move: expected l, u, r, d, L, U, R or D", byte);
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
