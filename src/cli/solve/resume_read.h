/* What a file of `solve --resume` says: for resume.c alone. */
#ifndef CLI_RESUME_READ_H
#define CLI_RESUME_READ_H

#include "base/json.h"
#include "cli/solve/resume.h"

/* A line in the file's text. */
struct resume_line {
    const char *text; /* NULL: none */
    size_t length;
    bool solved, optimal, impossible;
    int64_t value; /* cost or score */
};

/* What the file says of one instance. */
struct resume_entry {
    bool parsed; /* the instance could be read, and `identity` is its own */
    char identity[BATCH_IDENTITY_ROOM];
    struct resume_line best;  /* of the lines with this identity */
    struct resume_line other; /* a solution under another identity, or under none */
    bool tried;        /* this method was given at least as much before, and did not find what is asked for now */
    bool changed, old; /* there are lines with another identity, without one */
    int64_t sitting;
};

/* Fills the entries from the text of the file; *whole is the length of the lines that are complete. Complains and
 * returns false if a line is none of ours. */
bool resume_read_lines(struct resume *resume, size_t length, size_t *whole);

/* Members of a line: 0 or NULL where they are not there. A text is to be freed; an array is taken as its text. */
double resume_real_of(struct json_value object, const char *name);
char *resume_text_of(struct json_value object, const char *name);
soloist_stop resume_stop_of(struct json_value line);

#endif
