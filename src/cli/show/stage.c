#include "cli/show/stage.h"
#include "cli/shell/format.h"
#include "cli/shell/need.h"
#include "cli/shell/terminal.h"

#include <stdlib.h>
#include <string.h>

void stage_open(struct stage *stage, bool utf8) {
    *stage = (struct stage){.utf8 = utf8};
    terminal_size(&stage->columns, &stage->rows);
    buffer_open(&stage->above);
    buffer_open(&stage->board);
    buffer_open(&stage->below);
}

/* Replaces what the terminal cannot show, or would take as a command. */
static void make_plain(char *text, bool utf8) {
    char *to = text;
    for (const char *at = text; *at; at++) {
        bool control = (unsigned char)*at < ' ' || *at == 127, other = !utf8 && (unsigned char)*at >= 128;
        if (!other || ((unsigned char)*at & 0xc0) != 0x80)
            *to++ = control || other ? '?' : *at;
    }
    *to = 0;
}

void stage_say(const struct stage *stage, struct buffer *lines, const char *text) {
    soloist_sink sink = buffer_sink(lines);
    int used = 0;
    while (*text) {
        char word[256];
        int length = (int)strcspn(text, " ");
        snprintf(word, sizeof word, "%.*s", length, text);
        make_plain(word, stage->utf8);
        int width = format_width(word);
        if (used)
            soloist_put(&sink, used + 1 + width >= stage->columns ? (used = 0, "\n") : (used++, " "));
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

int stage_board_rows(const struct stage *stage) {
    int left = stage->rows - 1 - count_lines(&stage->above) - count_lines(&stage->below);
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

/* A screen on which nothing useful fits says so. */
static void refuse_size(struct stage *stage) {
    buffer_clear(&stage->above);
    buffer_clear(&stage->board);
    buffer_clear(&stage->below);
    stage_say(stage, &stage->above, "The screen is too small: enlarge it, or q quits.");
}

void stage_show(struct stage *stage) {
    struct buffer whole;
    if (stage->rows < 6 || stage->columns < 20)
        refuse_size(stage);
    int rows = stage_board_rows(stage), lines = count_lines(&stage->board);
    int first = first_shown(stage->focus, lines, rows);
    need_whole(&stage->above);
    need_whole(&stage->board);
    need_whole(&stage->below);
    buffer_open(&whole);
    soloist_sink sink = buffer_sink(&whole);
    soloist_put(&sink, "\033[H\033[?7l"); /* a line that is too wide is cut, not wrapped */
    int left = stage->rows - 1, above = count_lines(&stage->above);
    put_lines(&stage->above, 0, above < left - 1 ? above : left - 1, &sink);
    put_lines(&stage->board, first, rows < left ? rows : left, &sink);
    left -= above + (lines < rows ? lines : rows);
    put_lines(&stage->below, 0, left > 0 ? left : 0, &sink);
    soloist_put(&sink, "\033[J\033[?7h");
    need_whole(&whole);
    fwrite(whole.text, 1, whole.length, stdout);
    fflush(stdout);
    buffer_close(&whole);
    buffer_close(&stage->above);
    buffer_close(&stage->board);
    buffer_close(&stage->below);
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

void stage_draw(struct stage *stage, const struct draw_style *style, const char *domain, const char *text,
                const uint8_t *marks, int x, int y) {
    soloist_sink sink = buffer_sink(&stage->board);
    int each = draw_columns(style, domain), widest = widest_row(text);
    stage->focus = y;
    if (!each || widest * each <= stage->columns) {
        draw_position(style, domain, text, marks, &sink);
        return;
    }
    size_t length = strlen(text);
    char *part = need_text(text, length);
    uint8_t *part_marks = need_zeroed(length + 1, 1);
    if (marks)
        memcpy(part_marks, marks, length);
    int room = stage->columns / each;
    cut_rows(part, part_marks, first_shown(x, widest, room), room);
    draw_position(style, domain, part, part_marks, &sink);
    free(part);
    free(part_marks);
}
