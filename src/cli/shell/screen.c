#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1 /* fopencookie */
#endif
#include "cli/shell/screen.h"
#include "cli/shell/format.h"

#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* ---- the width ---- */

/* The terminals in which the two streams end; -1: none. */
static int terminals[] = {STDOUT_FILENO, STDERR_FILENO};

bool screen_is_terminal(FILE *stream) { return isatty(terminals[stream == stderr]); }

/* A terminal that another process has as this descriptor; -1: it has none. */
static int terminal_of(pid_t process, int descriptor) {
    char name[64], path[64];
    snprintf(name, sizeof name, "/proc/%d/fd/%d", (int)process, descriptor);
    ssize_t length = readlink(name, path, sizeof path - 1);
    path[length > 0 ? length : 0] = 0;
    bool terminal = !strncmp(path, "/dev/pts/", 9) || !strncmp(path, "/dev/tty", 8);
    return terminal ? open(path, O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC) : -1;
}

void screen_launched(void) {
    terminals[0] = terminal_of(getppid(), STDOUT_FILENO);
    terminals[1] = terminal_of(getppid(), STDERR_FILENO);
}

static int width_of_terminal(int descriptor) {
    struct winsize size;
    if (!isatty(descriptor))
        return SCREEN_ANY;
    if (!ioctl(descriptor, TIOCGWINSZ, &size) && size.ws_col)
        return size.ws_col;
    const char *columns = getenv("COLUMNS");
    int given = columns ? atoi(columns) : 0;
    return given > 0 && given < SCREEN_ANY ? given : 80;
}

int screen_width(FILE *stream) {
    return stream == stdout   ? width_of_terminal(terminals[0])
           : stream == stderr ? width_of_terminal(terminals[1])
                              : SCREEN_ANY;
}

int screen_name_width(int most, int beside) {
    enum { LEAST = 8 };
    int room = screen_width(stdout) - beside;
    return room < LEAST ? LEAST : room < most ? room : most;
}

/* ---- the filter ---- */

/* One of the two streams. The text of one write is a list of spaces and words; only the place in the line is kept from
 * one write to the next. */
static struct filter {
    int descriptor;
    int column, spaces; /* where the cursor is, and the spaces after it that are not yet written */
    int hang;           /* the column in which the rest of a broken line begins */
    bool comment;       /* the line is a comment of a puzzle's file, and so is what follows a break */
    char *out;          /* what one write becomes */
    size_t length, room;
    bool failed;
} filters[2];
static volatile sig_atomic_t raw_output;
static bool utf8;

static void emit(struct filter *filter, const char *bytes, size_t count) {
    if (filter->length + count > filter->room) {
        size_t room = (filter->length + count) * 2;
        char *larger = realloc(filter->out, room);
        filter->failed |= !larger;
        if (!larger)
            return;
        filter->out = larger;
        filter->room = room;
    }
    memcpy(filter->out + filter->length, bytes, count);
    filter->length += count;
}

static void emit_spaces(struct filter *filter, int count) {
    for (int i = 0; i < count; i++)
        emit(filter, " ", 1);
    filter->column += count;
}

static void break_line(struct filter *filter) {
    emit(filter, "\n", 1);
    filter->column = filter->spaces = 0;
    if (filter->comment) {
        emit(filter, ";", 1);
        filter->column = 1;
    }
    emit_spaces(filter, filter->hang - filter->column);
}

/* The length of the escape sequence (such as a colour) at the start of the text; 0: none. */
static size_t escape_length(const char *text, size_t count) {
    if (count < 2 || text[0] != '\033')
        return 0;
    if (text[1] != '[')
        return 2;
    size_t last = 2;
    while (last + 1 < count && (unsigned char)text[last] < 0x40)
        last++;
    return last < count ? last + 1 : count;
}

/* The character or escape sequence at the start of the text: its bytes, and the columns that it takes. */
static size_t next_glyph(const char *text, size_t count, int *columns) {
    size_t length = escape_length(text, count);
    *columns = 0;
    return length ? length : format_character(text, count, columns);
}

static bool is_gap(char byte) { return byte == ' ' || byte == '\n' || byte == '\r' || byte == '\t'; }

static void emit_glyph(struct filter *filter, const char *text, size_t length, int columns, int width) {
    if (filter->column + columns > width)
        break_line(filter);
    bool shown = utf8 || !((unsigned char)*text & 0x80);
    emit(filter, shown ? text : "?", shown ? length : 1);
    filter->column += columns;
}

/* Writes a word; returns its length in bytes. The text after two or more spaces is a column of a table or of a help
 * page: what follows a break begins under it, unless little room is left there. */
static size_t put_word(struct filter *filter, const char *text, size_t count, int width) {
    size_t length = 0, size;
    int word = 0, columns;
    for (; length < count && !is_gap(text[length]); length += size, word += columns)
        size = next_glyph(text + length, count - length, &columns);
    int start = filter->column + filter->spaces;
    if (filter->column > filter->hang && word && start + word > width) {
        break_line(filter);
    } else {
        bool begins = filter->column == 0;
        filter->comment |= begins && !filter->spaces && *text == ';';
        if (word && (begins || filter->spaces > 1) && start <= width * 3 / 5)
            filter->hang = start + (begins && start < 8 && start + word <= width ? 2 : 0);
        emit_spaces(filter, filter->spaces);
    }
    filter->spaces = 0;
    for (size_t at = 0; at < length; at += size) {
        size = next_glyph(text + at, length - at, &columns);
        emit_glyph(filter, text + at, size, columns, width);
    }
    return length;
}

static void put_gap(struct filter *filter, char byte, int width) {
    if (byte == ' ' || byte == '\t') {
        filter->spaces += byte == ' ' ? 1 : 8 - (filter->column + filter->spaces) % 8;
        return;
    }
    if (filter->column + filter->spaces <= width)
        emit_spaces(filter, filter->spaces);
    emit(filter, &byte, 1);
    filter->column = filter->spaces = filter->hang = 0;
    filter->comment = false;
}

static bool write_whole(int descriptor, const char *bytes, size_t count) {
    while (count > 0) {
        ssize_t written = write(descriptor, bytes, count);
        if (written < 0 && errno != EINTR)
            return false;
        if (written > 0)
            bytes += written, count -= (size_t)written;
    }
    return true;
}

static ssize_t filter_write(void *cookie, const char *text, size_t count) {
    struct filter *filter = cookie;
    if (raw_output && filter->descriptor == STDOUT_FILENO)
        return write_whole(filter->descriptor, text, count) ? (ssize_t)count : 0;
    int width = width_of_terminal(filter->descriptor);
    filter->length = 0;
    for (size_t at = 0; at < count;) {
        if (is_gap(text[at]))
            put_gap(filter, text[at++], width);
        else
            at += put_word(filter, text + at, count - at, width);
    }
    /* The line goes on in the next write, perhaps: the cursor must be where it belongs. */
    if (filter->spaces && filter->column + filter->spaces <= width) {
        emit_spaces(filter, filter->spaces);
        filter->spaces = 0;
    }
    bool whole = !filter->failed && write_whole(filter->descriptor, filter->out, filter->length);
    filter->failed = false;
    return whole ? (ssize_t)count : 0;
}

#if defined(__GLIBC__)
static void place(FILE **stream, struct filter *filter, int descriptor, int mode) {
    *filter = (struct filter){.descriptor = descriptor};
    if (!isatty(terminals[descriptor == STDERR_FILENO]))
        return;
    fflush(*stream);
    FILE *filtered = fopencookie(filter, "w", (cookie_io_functions_t){.write = filter_write});
    if (filtered && setvbuf(filtered, NULL, mode, 1 << 16))
        fclose(filtered);
    else if (filtered)
        *stream = filtered;
}
#else
static void place(FILE **stream, struct filter *filter, int descriptor, int mode) {
    (void)stream, (void)filter, (void)descriptor, (void)mode; /* stdout cannot be replaced: lines are not broken */
}
#endif

void screen_open(void) {
    utf8 = !strcmp(nl_langinfo(CODESET), "UTF-8");
    FILE *out = stdout, *err = stderr;
    place(&out, &filters[0], STDOUT_FILENO, _IOLBF);
    place(&err, &filters[1], STDERR_FILENO, _IONBF);
#if defined(__GLIBC__)
    stdout = out, stderr = err;
#endif
}

void screen_raw(bool raw) { raw_output = raw; }

/* ---- running text ---- */

/* Prints one paragraph, whose line ends count as spaces; returns its end. */
static const char *put_paragraph(FILE *stream, const char *text, int width) {
    int column = 0;
    for (;;) {
        size_t length = strcspn(text, " \n");
        char word[256];
        snprintf(word, sizeof word, "%.*s", (int)length, text);
        int columns = format_width(word), gap = column ? 1 : 0;
        bool fits = column + gap + columns <= width;
        fprintf(stream, "%s%.*s", !gap ? "" : fits ? " " : "\n", (int)length, text);
        column = fits ? column + gap + columns : columns;
        text += length;
        bool over = !*text || (*text == '\n' && (!text[1] || text[1] == '\n' || text[1] == ' '));
        if (over)
            return text;
        text += strspn(text, " \n");
    }
}

void screen_prose(FILE *stream, const char *text) {
    enum { READABLE = 100 };
    int width = screen_width(stream);
    if (width == SCREEN_ANY) {
        fputs(text, stream);
        return;
    }
    while (*text) {
        if (*text == '\n')
            fputc(*text++, stream);
        else if (*text == ' ') /* a line of a list or of an example stays as it is */
            for (; *text && *text != '\n'; text++)
                fputc(*text, stream);
        else
            text = put_paragraph(stream, text, width < READABLE ? width : READABLE);
    }
}

/* ---- one line from pieces ---- */

void screen_line_open(struct screen_line *line, int most) {
    line->length = 0;
    line->width = 0;
    line->most = most;
    line->text[0] = 0;
}

bool screen_line_add(struct screen_line *line, const char *format, ...) {
    size_t room = sizeof line->text - line->length;
    char *piece = line->text + line->length;
    va_list list;
    va_start(list, format);
    int length = vsnprintf(piece, room, format, list);
    va_end(list);
    if (length < 0 || (size_t)length >= room || line->width + format_width(piece) > line->most) {
        *piece = 0;
        return false;
    }
    for (char *at = piece; *at; at++)
        if ((unsigned char)*at < 32 || *at == 127)
            *at = '?';
    line->length += (size_t)length;
    line->width += format_width(piece);
    return true;
}

void screen_line_show(const struct screen_line *line) {
    fprintf(stderr, "\r\033[K%s", line->text);
    fflush(stderr);
}
