#include "lab/line.h"

#include <stdlib.h>
#include <string.h>

void line_free(struct line *line) {
    free(line->text);
    free(line->places);
    *line = (struct line){0};
}

static bool line_open(struct line *line, size_t room) {
    *line = (struct line){malloc(room + 1), malloc((room + 1) * sizeof *line->places), 0, room};
    if (line->text && line->places)
        return true;
    line_free(line);
    return false;
}

static void put(struct line *line, char character, struct line_place place) {
    line->text[line->length] = character;
    line->places[line->length++] = place;
}

static void end(struct line *line, struct line_place place) {
    line->text[line->length] = 0;
    line->places[line->length] = place;
}

static bool is_blank(char character) { return character == ' ' || character == '\t'; }

/* The length without a trailing comment and the blanks before it. A '#' inside a word or in quotes does not start a
 * comment. */
static size_t without_comment(const char *text, size_t length) {
    bool quoted = false;
    size_t size = length;
    for (size_t i = 0; i < length; i++) {
        quoted ^= text[i] == '"';
        if (text[i] == '#' && !quoted && (i == 0 || is_blank(text[i - 1]))) {
            size = i;
            break;
        }
    }
    while (size > 0 && is_blank(text[size - 1]))
        size--;
    return size;
}

/* Several leading blanks are reduced to one. */
static void append(struct line *line, const char *text, size_t size, int number) {
    size_t start = 0;
    while (start + 1 < size && is_blank(text[start]) && is_blank(text[start + 1]))
        start++;
    for (size_t i = start; i < size; i++)
        put(line, text[i] ? text[i] : ' ', (struct line_place){number, (int)i + 1});
    end(line, (struct line_place){number, (int)size + 1});
}

bool line_next(soloist_cursor *cursor, struct line *line, bool *failed) {
    const char *text;
    size_t length, size = 0;
    int number = cursor->line;
    *failed = false;
    while (!size) {
        number = cursor->line;
        if (!soloist_cursor_line(cursor, &text, &length))
            return false;
        size = without_comment(text, length);
    }
    if (!line_open(line, (size_t)(cursor->end - text)))
        return *failed = true, false;
    append(line, text, size, number);
    /* Indented lines continue the line; empty lines and comments may come between. */
    for (soloist_cursor ahead = *cursor;;) {
        number = ahead.line;
        if (!soloist_cursor_line(&ahead, &text, &length))
            break;
        size = without_comment(text, length);
        if (size && !is_blank(*text))
            break;
        if (size)
            append(line, text, size, number);
        *cursor = ahead;
    }
    return true;
}

/* ---- braces ---- */

static bool refuse(const struct line *line, size_t at, soloist_error *error, const char *text) {
    return soloist_fail(error, line->places[at].line, line->places[at].column, "%s", text);
}

static int same_list(const struct line_copies *copies, size_t start, size_t size) {
    const char *text = copies->line->text;
    for (int i = 0; i < copies->list_count; i++)
        if (copies->lists[i].size == size && !memcmp(text + copies->lists[i].start, text + start, size))
            return i;
    return copies->list_count;
}

static bool find_lists(struct line_copies *copies, soloist_error *error) {
    const struct line *line = copies->line;
    for (size_t i = 0; i < line->length; i++) {
        if (line->text[i] == '}')
            return refuse(line, i, error, "a '}' without a '{'");
        if (line->text[i] != '{')
            continue;
        size_t size = strcspn(line->text + i + 1, "{}");
        if (line->text[i + 1 + size] != '}')
            return refuse(line, i, error, "expected {a,b,...}, closed on the same line");
        if (copies->list_count == LINE_MOST_LISTS)
            return refuse(line, i, error, "more than eight lists in braces");
        int list = copies->list_count, same = same_list(copies, i + 1, size);
        copies->lists[list].start = i + 1;
        copies->lists[list].size = size;
        copies->lists[list].same = same;
        copies->list_count++;
        i += size + 1;
    }
    return true;
}

/* Finds where each item starts. There are at most as many items as characters, because every item except a list's first
 * follows a comma. */
static bool find_items(struct line_copies *copies, soloist_error *error) {
    const char *text = copies->line->text;
    size_t count = 0;
    copies->items = malloc((copies->line->length + 1) * sizeof *copies->items);
    if (!copies->items)
        return soloist_fail(error, 0, 0, "out of memory");
    for (int i = 0; i < copies->list_count; i++) {
        size_t start = copies->lists[i].start;
        copies->lists[i].first = count;
        copies->items[count++] = start;
        for (size_t at = start; at < start + copies->lists[i].size; at++)
            if (text[at] == ',')
                copies->items[count++] = at + 1;
        copies->lists[i].items = count - copies->lists[i].first;
    }
    return true;
}

static bool count_copies(struct line_copies *copies, soloist_error *error) {
    copies->count = 1;
    for (int i = 0; i < copies->list_count; i++) {
        size_t items = copies->lists[i].items, start = copies->lists[i].start;
        if (copies->braces == LINE_ZIP && i > 0 && items != copies->count)
            return refuse(copies->line, start, error, "the lists in braces have different lengths");
        if (copies->braces == LINE_ZIP)
            copies->count = items;
        else if (copies->lists[i].same == i)
            copies->count *= items;
        if (copies->count > LINE_MOST_COPIES)
            return refuse(copies->line, start, error, "the braces stand for too many lines");
    }
    return true;
}

bool line_copies_open(struct line_copies *copies, const struct line *line, enum line_braces braces,
                      soloist_error *error) {
    *copies = (struct line_copies){.line = line, .braces = braces};
    return find_lists(copies, error) && find_items(copies, error) && count_copies(copies, error);
}

void line_copies_close(struct line_copies *copies) {
    free(copies->items);
    *copies = (struct line_copies){0};
}

/* Which item of list `list` is in copy number `index`. The last list changes fastest. */
static size_t item_of(const struct line_copies *copies, size_t index, int list) {
    if (copies->braces == LINE_ZIP)
        return index;
    list = copies->lists[list].same;
    for (int i = copies->list_count - 1; i > list; i--)
        if (copies->lists[i].same == i)
            index /= copies->lists[i].items;
    return index % copies->lists[list].items;
}

static void put_range(struct line *copy, const struct line *line, size_t from, size_t to) {
    for (; from < to; from++)
        put(copy, line->text[from], line->places[from]);
}

bool line_copy(const struct line_copies *copies, size_t index, struct line *copy) {
    const struct line *line = copies->line;
    size_t starts[LINE_MOST_LISTS], sizes[LINE_MOST_LISTS], room = line->length, at = 0;
    for (int i = 0; i < copies->list_count; i++) {
        starts[i] = copies->items[copies->lists[i].first + item_of(copies, index, i)];
        sizes[i] = strcspn(line->text + starts[i], ",}");
        room = room - (copies->lists[i].size + 2) + sizes[i];
    }
    if (!line_open(copy, room))
        return false;
    for (int i = 0; i < copies->list_count; i++) {
        put_range(copy, line, at, copies->lists[i].start - 1);
        put_range(copy, line, starts[i], starts[i] + sizes[i]);
        at = copies->lists[i].start + copies->lists[i].size + 1;
    }
    put_range(copy, line, at, line->length);
    end(copy, line->places[line->length]);
    return true;
}

/* ---- words ---- */

/* Reads one word from *at on, removing quotes in place. */
static bool take_word(struct line *line, size_t *at, struct line_word *word, soloist_error *error) {
    size_t to = *at, opened = *at;
    bool inside = false;
    *word = (struct line_word){line->text + *at, line->places[*at], line->text[*at] == '"'};
    for (; *at < line->length && (inside || !is_blank(line->text[*at])); ++*at) {
        if (line->text[*at] != '"') {
            line->text[to++] = line->text[*at];
        } else if (inside && line->text[*at + 1] == '"') {
            line->text[to++] = '"';
            ++*at;
        } else {
            opened = *at;
            inside = !inside;
        }
    }
    if (inside)
        return refuse(line, opened, error, "a quote is not closed");
    *at += *at < line->length;
    line->text[to] = 0;
    return true;
}

int line_words(struct line *line, size_t start, struct line_word words[LINE_MOST_WORDS], soloist_error *error) {
    int count = 0;
    for (size_t at = start; at < line->length;) {
        if (is_blank(line->text[at])) {
            at++;
            continue;
        }
        if (count == LINE_MOST_WORDS)
            return refuse(line, at, error, "too many words on one line"), -1;
        if (!take_word(line, &at, &words[count], error))
            return -1;
        count++;
    }
    return count;
}
