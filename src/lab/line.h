/* The lines of an experiment's text: joined where indented, taken apart into words, multiplied out by braces. Every
 * character remembers where it stood, so that whatever is wrong can be located. */
#ifndef LAB_LINE_H
#define LAB_LINE_H

#include "soloist.h"

struct line_place {
    int line, column; /* from 1 */
};

/* A logical line: the physical one and the indented ones below it, comments cut. */
struct line {
    char *text;                /* zero-ended */
    struct line_place *places; /* of every character and of the end */
    size_t length, room;       /* room: characters that it can hold */
};

void line_free(struct line *line);
/* The next line that is not empty. False at the end, or without memory (then *failed). */
bool line_next(soloist_cursor *cursor, struct line *line, bool *failed);

enum line_braces {
    LINE_CROSS, /* every combination; lists that are the same text go together */
    LINE_ZIP    /* all lists go together and must be of one length */
};
enum { LINE_MOST_COPIES = 100000 };

/* A line whose braces were found, so that all its copies together cost no more than their own characters. */
enum { LINE_MOST_LISTS = 8 };
struct line_copies {
    const struct line *line; /* must last */
    enum line_braces braces;
    struct {
        size_t start, size; /* of the text between the braces */
        size_t first;       /* of its items */
        size_t items;
        int same; /* the earlier list that it goes with, or itself */
    } lists[LINE_MOST_LISTS];
    int list_count;
    size_t *items; /* where each item of each list starts */
    size_t count;  /* lines that the braces stand for, 1 without any */
};

/* False with an error if the braces are wrong, or without memory. To be closed either way. */
bool line_copies_open(struct line_copies *copies, const struct line *line, enum line_braces braces,
                      soloist_error *error);
void line_copies_close(struct line_copies *copies);
/* Writes copy number `index` (from 0). False without memory. */
bool line_copy(const struct line_copies *copies, size_t index, struct line *copy);

/* A word: cut at blanks, which double quotes keep ("" inside quotes is one quote). */
struct line_word {
    char *text; /* inside the line's own text, zero-ended */
    struct line_place place;
    bool quoted;
};
enum { LINE_MOST_WORDS = 64 };

/* Takes the line apart in place, from its `start`-th character on. Returns the number of words, -1 with an error. */
int line_words(struct line *line, size_t start, struct line_word words[LINE_MOST_WORDS], soloist_error *error);

#endif
