#include "cli/shell/console.h"
#include "cli/shell/screen.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>

int cli_complain(const char *format, ...) {
    va_list list;
    va_start(list, format);
    fputs("soloist: ", stderr);
    vfprintf(stderr, format, list);
    fputc('\n', stderr);
    va_end(list);
    return CLI_BAD;
}

void cli_complain_at(const char *file, const soloist_error *error) {
    fprintf(stderr, "%s:", file);
    if (error->line > 0)
        fprintf(stderr, "%d:", error->line);
    if (error->line > 0 && error->column > 0)
        fprintf(stderr, "%d:", error->column);
    fprintf(stderr, " %s\n", error->text);
}

const char *cli_place(const soloist_error *error, char out[CLI_PLACE_ROOM]) {
    bool named = !strncmp(error->text, "move ", strlen("move "));
    *out = 0;
    if (error->column > 0 && !named)
        snprintf(out, CLI_PLACE_ROOM, "at %d: ", error->column);
    return out;
}

const char *cli_line_place(const soloist_error *error, char out[CLI_PLACE_ROOM]) {
    *out = 0;
    if (error->line > 0 && error->column > 0)
        snprintf(out, CLI_PLACE_ROOM, "line %d, column %d: ", error->line, error->column);
    else if (error->line > 0)
        snprintf(out, CLI_PLACE_ROOM, "line %d: ", error->line);
    return out;
}

bool cli_flush(void) {
    static bool complained;
    bool failed_before = ferror(stdout);
    if (!fflush(stdout) && !failed_before)
        return true;
    if (!complained && failed_before)
        cli_complain("standard output could not be written");
    else if (!complained)
        cli_complain("standard output could not be written: %s", strerror(errno));
    complained = true;
    return false;
}

void console_keep_lines(bool whole) {
    bool screen = screen_width(stdout) < SCREEN_ANY;
    if (screen)
        fflush(stdout);
    screen_raw(screen && whole);
}

void console_whole(const char *text, size_t length) {
    console_keep_lines(true);
    fwrite(text, 1, length, stdout);
    console_keep_lines(false);
}

static void write_stream(void *to, const char *text, size_t n) { fwrite(text, 1, n, to); }

soloist_sink cli_sink(FILE *stream) { return (soloist_sink){write_stream, stream}; }
