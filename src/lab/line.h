/* The lines of an experiment file: indented lines are joined to the line above, braces are expanded into several lines,
 * and lines are split into words. The place of every character is kept, so that errors have a line and a column. */
#ifndef LAB_LINE_H
#define LAB_LINE_H

#include "soloist.h"

struct line_place {
    int line, column; /* from 1 */
};

/* A logical line: a physical line and the indented ones below it, without comments. */
struct line {
    char *text;                /* null-terminated */
    struct line_place *places; /* the place of each character in the file, then the place of the line's end */
    size_t length, room;       /* room: number of characters that fit */
};

void line_free(struct line *line);
/* The next line that is not empty. False at the end, or if memory runs out (then *failed is set). */
bool line_next(soloist_cursor *cursor, struct line *line, bool *failed);

enum line_braces {
    LINE_CROSS, /* all combinations of items, except that lists with the same text always show the same item */
    LINE_ZIP    /* copy number i has item i of every list; all lists must have the same length */
};
enum { LINE_MOST_COPIES = 100000 };

/* A line with the places of its braces, so that writing all copies takes time proportional to their length. */
enum { LINE_MOST_LISTS = 8 };
struct line_copies {
    const struct line *line; /* must outlive this struct */
    enum line_braces braces;
    struct {
        size_t start, size; /* start and size of the text between the braces */
        size_t first;       /* index of the list's first item in line_copies.items */
        size_t items;
        int same; /* number of the earlier list that always shows the same item; if there is none, its own number */
    } lists[LINE_MOST_LISTS];
    int list_count;
    size_t *items; /* index in the line's text at which each item of each list starts */
    size_t count;  /* number of lines after expansion, 1 without braces */
};

/* Finds the braces. False with an error if a brace is wrong or memory runs out. Call line_copies_close in either
 * case. */
bool line_copies_open(struct line_copies *copies, const struct line *line, enum line_braces braces,
                      soloist_error *error);
void line_copies_close(struct line_copies *copies);
/* Writes copy number `index` (from 0). False if memory runs out. */
bool line_copy(const struct line_copies *copies, size_t index, struct line *copy);

/* A word. Blanks separate words, except inside double quotes ("" inside quotes is one quote). */
struct line_word {
    char *text; /* points into the line's text; ends in a zero byte */
    struct line_place place;
    bool quoted;
};
enum { LINE_MOST_WORDS = 64 };

/* Splits the line into words in place, from character `start` on. Returns the number of words, or -1 with an error. */
int line_words(struct line *line, size_t start, struct line_word words[LINE_MOST_WORDS], soloist_error *error);

#endif
