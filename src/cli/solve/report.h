/* The report of `solve`: for every instance a JSON line or a line of text, and at the end a summary. */
#ifndef CLI_SOLVE_REPORT_H
#define CLI_SOLVE_REPORT_H

#include "base/json.h"
#include "cli/solve/batch.h"

/* What the report remembers of every outcome, for the table of files at the end. */
struct report_row {
    bool reported, solved, optimal;
    double time_s;
};

struct report {
    const struct cli *cli;
    const struct input *input;
    struct progress *progress; /* may be NULL */
    /* For lines and the summary: standard output, or standard error if solutions are written to standard output. */
    FILE *stream;
    bool json, quiet, lurd;
    bool kept; /* the solutions are printed or written somewhere */
    const struct objective *objective;
    bool table;              /* a table with one line per file is printed at the end */
    struct report_row *rows; /* indexed by task; owned */
    int name_width, id_width;
    bool shows_time, shows_nodes;     /* whether a row has room for the time and for the nodes */
    const struct source *last_source; /* the source whose heading was printed last */
    size_t by_status[SOLOIST_INVALID + 1];
    size_t by_stop[SOLOIST_STOP_CANCEL + 1]; /* for each limit: number of unsolved instances whose search it ended */
    size_t internal_errors;                  /* number of instances with an error of the program or of a plugin */
    char internal_error[256];                /* the first of these errors */
    bool error_in_plugin;                    /* the first of these errors is in a domain from a plugin */
    bool warned_of_cost;                     /* that --optimal moves is not what is proved */
    size_t unproved;                         /* number of solutions that lack the proof that the objective requires */
    size_t unproved_by_stop[SOLOIST_STOP_CANCEL + 1]; /* the same by what ended the search */
    size_t asked;                                     /* number of instances whose search used a network */
    uint64_t evaluations;                             /* number of states that networks evaluated, over all instances */
    /* The last error that was printed: an error without a line number is printed once, not for every instance. */
    char last_error[256];
};

void report_open(struct report *report);
void report_close(struct report *report);
/* Writes the members of an outcome's JSON object, which the caller begins and ends. */
void report_json_members(const struct task *task, const struct outcome *outcome, struct json_writer *json);
/* Prints the outcome of an instance. Complains and returns false if it could not be written. */
bool report_outcome(struct report *report, const struct task *task, const struct outcome *outcome);

/* The limits as given, so that the summary can suggest larger ones. */
struct report_limits {
    double time_s, wall_s;
    uint64_t nodes, iterations;
    size_t memory;
    int jobs, threads;
    bool first; /* solutions are not shortened, so that a second count is never proved */
};
void report_summary(const struct report *report, const struct report_limits *limits);
/* The exit status: 2 if any instance was invalid, otherwise 1 if any was not solved or not tried. */
int report_status(const struct report *report);

#endif
