#include "cli/show/screen.h"
#include "cli/shell/format.h"
#include "cli/shell/need.h"
#include "cli/shell/terminal.h"

#include <stdlib.h>
#include <string.h>

void screen_open(struct screen *screen) {
    *screen = (struct screen){0};
    terminal_size(&screen->columns, &screen->rows);
    buffer_open(&screen->above);
    buffer_open(&screen->board);
    buffer_open(&screen->below);
}

void screen_say(const struct screen *screen, struct buffer *lines, const char *text) {
    soloist_sink sink = buffer_sink(lines);
    int used = 0;
    while (*text) {
        char word[256];
        int length = (int)strcspn(text, " ");
        snprintf(word, sizeof word, "%.*s", length, text);
        int width = format_width(word);
        if (used)
            soloist_put(&sink, used + 1 + width >= screen->columns ? (used = 0, "\n") : (used++, " "));
        soloist_put(&sink, word);
        used += width;
        text += length;
        text += strspn(text, " ");
    }
    soloist_put(&sink, "\n");
}

static int count_lines(const struct buffer *lines) {
    int count = 0;
    for (const char *at = lines->text; at && *at; at++)
        count += *at == '\n';
    return count;
}

int screen_board_rows(const struct screen *screen) {
    int left = screen->rows - 1 - count_lines(&screen->above) - count_lines(&screen->below);
    return left > 1 ? left : 1;
}

/* Writes the lines `first` to first + count - 1; each erases the rest of its row. */
static void put_lines(const struct buffer *lines, int first, int count, const soloist_sink *sink) {
    const char *line = lines->text ? lines->text : "";
    for (int i = 0; *line && i < first + count; i++) {
        size_t length = strcspn(line, "\n");
        if (i >= first)
            soloist_print(sink, "%.*s\033[0m\033[K\r\n", (int)length, line);
        line += length + (line[length] == '\n');
    }
}

/* The number of the first of the `room` lines or characters that are shown of `count`, so that `focus` is among them.
 */
static int first_shown(int focus, int count, int room) {
    int first = focus - room / 2;
    first = first > count - room ? count - room : first;
    return first < 0 ? 0 : first;
}

void screen_show(struct screen *screen) {
    struct buffer whole;
    int rows = screen_board_rows(screen), lines = count_lines(&screen->board);
    int first = first_shown(screen->focus, lines, rows);
    need_whole(&screen->above);
    need_whole(&screen->board);
    need_whole(&screen->below);
    buffer_open(&whole);
    soloist_sink sink = buffer_sink(&whole);
    soloist_put(&sink, "\033[H\033[?7l"); /* a line that is too wide is cut, not wrapped */
    int left = screen->rows - 1, above = count_lines(&screen->above);
    put_lines(&screen->above, 0, above < left - 1 ? above : left - 1, &sink);
    put_lines(&screen->board, first, rows < left ? rows : left, &sink);
    left -= above + (lines < rows ? lines : rows);
    put_lines(&screen->below, 0, left > 0 ? left : 0, &sink);
    soloist_put(&sink, "\033[J\033[?7h");
    need_whole(&whole);
    fwrite(whole.text, 1, whole.length, stdout);
    fflush(stdout);
    buffer_close(&whole);
    buffer_close(&screen->above);
    buffer_close(&screen->board);
    buffer_close(&screen->below);
}

static int widest_row(const char *text) {
    int widest = 0;
    for (const char *row = text; *row; row += *row == '\n') {
        int width = (int)strcspn(row, "\n");
        widest = width > widest ? width : widest;
        row += width;
    }
    return widest;
}

/* Keeps the characters `first` to first + columns - 1 of each row, and their marks. */
static void cut_rows(char *text, uint8_t *marks, int first, int columns) {
    size_t used = 0;
    int column = 0;
    for (size_t i = 0; text[i]; i++) {
        bool end = text[i] == '\n';
        if (end || (column >= first && column < first + columns)) {
            marks[used] = marks[i];
            text[used++] = text[i];
        }
        column = end ? 0 : column + 1;
    }
    text[used] = 0;
}

void screen_draw(struct screen *screen, const struct draw_style *style, const char *domain, const char *text,
                 const uint8_t *marks, int x, int y) {
    soloist_sink sink = buffer_sink(&screen->board);
    int each = draw_columns(style, domain), widest = widest_row(text);
    screen->focus = y;
    if (!each || widest * each <= screen->columns) {
        draw_position(style, domain, text, marks, &sink);
        return;
    }
    size_t length = strlen(text);
    char *part = need_text(text, length);
    uint8_t *part_marks = need_zeroed(length + 1, 1);
    if (marks)
        memcpy(part_marks, marks, length);
    int room = screen->columns / each;
    cut_rows(part, part_marks, first_shown(x, widest, room), room);
    draw_position(style, domain, part, part_marks, &sink);
    free(part);
    free(part_marks);
}
