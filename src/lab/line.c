#include "lab/line.h"

#include <stdlib.h>
#include <string.h>

void line_free(struct line *line) {
    free(line->text);
    free(line->places);
    *line = (struct line){0};
}

static bool line_open(struct line *line, size_t room) {
    *line = (struct line){malloc(room + 1), malloc((room + 1) * sizeof *line->places), 0};
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

/* Characters before a comment and the blanks that lead to it. A '#' inside a word or in quotes is none. */
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

/* Of the blanks that a line begins with one is kept. */
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
    /* Indented lines go on with it; empty ones and comments may stand between. */
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

enum { MOST_LISTS = 8 };

struct braces {
    struct {
        size_t start, size; /* of the text between the braces */
        size_t items;
        int same; /* the earlier list that it goes with, or itself */
    } lists[MOST_LISTS];
    int count;
};

static bool refuse(const struct line *line, size_t at, soloist_error *error, const char *text) {
    return soloist_fail(error, line->places[at].line, line->places[at].column, "%s", text);
}

static int same_list(const struct line *line, const struct braces *braces, size_t start, size_t size) {
    for (int i = 0; i < braces->count; i++)
        if (braces->lists[i].size == size && !memcmp(line->text + braces->lists[i].start, line->text + start, size))
            return i;
    return braces->count;
}

static bool find_braces(const struct line *line, struct braces *braces, soloist_error *error) {
    braces->count = 0;
    for (size_t i = 0; i < line->length; i++) {
        if (line->text[i] == '}')
            return refuse(line, i, error, "a '}' without its '{'");
        if (line->text[i] != '{')
            continue;
        size_t size = strcspn(line->text + i + 1, "{}");
        if (line->text[i + 1 + size] != '}')
            return refuse(line, i, error, "expected {a,b,...}, closed in the same line");
        if (braces->count == MOST_LISTS)
            return refuse(line, i, error, "more than eight lists in braces");
        int list = braces->count, same = same_list(line, braces, i + 1, size);
        braces->lists[list].start = i + 1;
        braces->lists[list].size = size;
        braces->lists[list].same = same;
        braces->lists[list].items = 1;
        for (size_t k = 0; k < size; k++)
            braces->lists[list].items += line->text[i + 1 + k] == ',';
        braces->count++;
        i += size + 1;
    }
    return true;
}

size_t line_copies(const struct line *line, enum line_braces mode, soloist_error *error) {
    struct braces braces;
    size_t copies = 1;
    if (!find_braces(line, &braces, error))
        return 0;
    for (int i = 0; i < braces.count; i++) {
        size_t items = braces.lists[i].items;
        if (mode == LINE_ZIP && i > 0 && items != copies)
            return refuse(line, braces.lists[i].start, error, "the lists in braces are not of one length"), 0;
        if (mode == LINE_ZIP)
            copies = items;
        else if (braces.lists[i].same == i)
            copies *= items;
        if (copies > LINE_MOST_COPIES)
            return refuse(line, braces.lists[i].start, error, "the braces stand for too many lines"), 0;
    }
    return copies;
}

/* Which item of list `list` copy number `index` takes: the last list changes fastest. */
static size_t item_of(const struct braces *braces, enum line_braces mode, size_t index, int list) {
    if (mode == LINE_ZIP)
        return index;
    list = braces->lists[list].same;
    for (int i = braces->count - 1; i > list; i--)
        if (braces->lists[i].same == i)
            index /= braces->lists[i].items;
    return index % braces->lists[list].items;
}

bool line_copy(const struct line *line, enum line_braces mode, size_t index, struct line *copy) {
    struct braces braces;
    if (!find_braces(line, &braces, NULL) || !line_open(copy, line->length))
        return false;
    size_t at = 0;
    for (int list = 0; list < braces.count; list++) {
        size_t start = braces.lists[list].start, item = item_of(&braces, mode, index, list);
        for (; at + 1 < start; at++)
            put(copy, line->text[at], line->places[at]);
        at = start;
        for (; item; at++)
            item -= line->text[at] == ',';
        for (; line->text[at] != ',' && line->text[at] != '}'; at++)
            put(copy, line->text[at], line->places[at]);
        at = start + braces.lists[list].size + 1;
    }
    for (; at < line->length; at++)
        put(copy, line->text[at], line->places[at]);
    end(copy, line->places[line->length]);
    return true;
}

/* ---- words ---- */

/* Reads one word from *at on, squeezing quotes out in place. */
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
        return refuse(line, opened, error, "a quote that is not closed");
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
            return refuse(line, at, error, "too many words in one line"), -1;
        if (!take_word(line, &at, &words[count], error))
            return -1;
        count++;
    }
    return count;
}
