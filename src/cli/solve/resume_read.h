/* Reads the file that `solve --resume` keeps. Used only by resume.c. */
#ifndef CLI_SOLVE_RESUME_READ_H
#define CLI_SOLVE_RESUME_READ_H

#include "base/json.h"
#include "cli/solve/resume.h"

/* A line in the file's text. */
struct resume_line {
    const char *text; /* NULL: none */
    size_t length;
    bool solved, impossible;
    bool optimal;  /* all is proved that the present command asks for */
    bool proved;   /* the result is reported as optimal, in the quantity that the line names */
    int64_t value; /* cost or score */
    int64_t moves; /* moves and pushes together; 0 if there is a score */
};

/* What the file says about one instance. */
struct resume_entry {
    bool parsed; /* the instance could be read, and `identity` is set */
    char identity[BATCH_IDENTITY_ROOM];
    struct resume_line best;  /* the best line with this identity */
    struct resume_line other; /* a solution with another identity, or with none */
    bool tried;               /* an earlier run failed, with this method and with limits at least as high as now */
    /* changed: there are lines with another identity; rebuilt: there are lines from another version of a plugin, which
     * are not used; old: there are lines without an identity. */
    bool changed, rebuilt, old;
    int64_t sitting;
    struct json_value pool; /* move sequences that the last search with this identity left for the next search */
};

/* Fills the entries from the text of the file; *whole is the number of bytes up to the end of the last complete line.
 * Complains and returns false if a line was not written by --resume. */
bool resume_read_lines(struct resume *resume, size_t length, size_t *whole);

/* Members of a line: 0 or NULL if absent. The caller frees a text; an array is returned as its JSON text. */
double resume_real_of(struct json_value object, const char *name);
char *resume_text_of(struct json_value object, const char *name);
soloist_stop resume_stop_of(struct json_value line);

#endif
