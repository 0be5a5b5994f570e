#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1 /* wcwidth */
#endif
#include "cli/shell/format.h"

#include <inttypes.h>
#include <string.h>
#include <wchar.h>

char *format_count(uint64_t count, char *out) {
    if (count < 1000000)
        snprintf(out, FORMAT_ROOM, "%" PRIu64, count);
    else if (count < 1000000000)
        snprintf(out, FORMAT_ROOM, "%.2f M", (double)count / 1e6);
    else
        snprintf(out, FORMAT_ROOM, "%.2f G", (double)count / 1e9);
    return out;
}

char *format_seconds(double seconds, char *out) {
    snprintf(out, FORMAT_ROOM, seconds < 1 ? "%.3f s" : seconds < 100 ? "%.2f s" : "%.0f s", seconds);
    return out;
}

char *format_size(size_t bytes, char *out) {
    double megabytes = (double)bytes / 0x1p20;
    if (bytes < 1024)
        snprintf(out, FORMAT_ROOM, "%zu B", bytes);
    else if (megabytes < 1)
        snprintf(out, FORMAT_ROOM, "%.0f KB", megabytes * 1024);
    else if (megabytes < 1024)
        snprintf(out, FORMAT_ROOM, "%.0f MB", megabytes);
    else
        snprintf(out, FORMAT_ROOM, "%.1f GB", megabytes / 1024);
    return out;
}

static bool continues_character(char byte) { return ((unsigned char)byte & 0xc0) == 0x80; }

size_t format_character(const char *text, size_t count, int *columns) {
    unsigned char first = (unsigned char)*text;
    size_t length = first < 0xc2 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 1;
    uint32_t code = length == 1 ? first : first & (0x7fu >> length);
    *columns = 1;
    for (size_t i = 1; i < length; i++) {
        if (i >= count || !continues_character(text[i]))
            return 1; /* not UTF-8: one byte, shown somehow */
        code = code << 6 | ((unsigned char)text[i] & 0x3fu);
    }
    int shown = length > 1 ? wcwidth((wchar_t)code) : 1;
    *columns = shown < 0 ? 1 : shown;
    return length;
}

int format_width(const char *text) {
    int width = 0, columns;
    for (size_t left = strlen(text), size; left > 0; text += size, left -= size) {
        size = format_character(text, left, &columns);
        width += columns;
    }
    return width;
}

void format_name(FILE *stream, const char *name, int width) {
    int shown = 0, columns;
    bool cut = format_width(name) > width;
    for (size_t left = strlen(name), size; left > 0; name += size, left -= size) {
        size = format_character(name, left, &columns);
        if (shown + columns > width - (cut ? 2 : 0))
            break;
        bool control = (unsigned char)*name < 32 || *name == 127;
        fwrite(control ? "?" : name, 1, size, stream);
        shown += columns;
    }
    if (cut)
        fprintf(stream, "%.*s", width, "..");
    fprintf(stream, "%*s", width - shown - (cut ? 2 : 0) > 0 ? width - shown - (cut ? 2 : 0) : 0, "");
}

void format_path(const soloist_sink *sink, const char *path) {
    for (; *path; path++)
        if ((unsigned char)*path < 32 || *path == 127)
            soloist_print(sink, "\\x%02x", (unsigned char)*path);
        else
            sink->write(sink->to, path, 1);
}

const char *colour_code(bool on, enum colour colour) {
    static const char *const codes[] = {"\033[0m",  "\033[32m", "\033[33m", "\033[31m",
                                        "\033[36m", "\033[2m",  "\033[1m"};
    return on ? codes[colour] : "";
}

char *format_verdict(const soloist_domain *domain, const soloist_verdict *verdict, char *out) {
    const char *moves = verdict->moves == 1 ? "move" : "moves";
    if (verdict->pushes >= 0)
        snprintf(out, FORMAT_ROOM, "%4" PRId64 " %-6s %5" PRId64 " %s", verdict->pushes,
                 verdict->pushes == 1 ? "push" : "pushes", verdict->moves, moves);
    else if (domain->aim == SOLOIST_MOST_SCORE)
        snprintf(out, FORMAT_ROOM, "score %6" PRId32 "  %3" PRId64 " %s", verdict->value, verdict->moves, moves);
    else if (verdict->value != verdict->moves)
        snprintf(out, FORMAT_ROOM, "%4" PRId64 " %s  cost %" PRId32, verdict->moves, moves, verdict->value);
    else
        snprintf(out, FORMAT_ROOM, "%4" PRId64 " %s", verdict->moves, moves);
    return out;
}

const char *format_stop(soloist_stop stop) {
    switch (stop) {
    case SOLOIST_STOP_TIME: return "stopped by time";
    case SOLOIST_STOP_NODES: return "stopped by nodes";
    case SOLOIST_STOP_ITERATIONS: return "stopped by iterations";
    case SOLOIST_STOP_MEMORY: return "stopped by memory";
    case SOLOIST_STOP_CANCEL: return "interrupted";
    default: return "nothing left to try";
    }
}
