/* The statistics of a search: one row for each number that a run counts. The rows are used to add up the parts of a
 * run, to fill in a soloist_result, to write the fields of a JSON line and read them back (for `solve --resume`), and
 * to fill the columns of the results store. To count another number, add a counter, a member of soloist_result and one
 * row. */
#ifndef SEARCH_STATISTICS_H
#define SEARCH_STATISTICS_H

#include "base/json.h"
#include "search/search.h"

enum statistics_kind {
    STATISTICS_BUDGET_COUNT, /* counted in the run's budget, by all threads of the run */
    STATISTICS_RUN_COUNT,    /* counted in struct search_run */
    STATISTICS_RUN_MOST,     /* stored in struct search_run; of several parts, the greatest number counts */
    STATISTICS_PEAK /* greatest number of bytes allocated at one time; for a run of several parts, over the whole run */
};

/* Used in place of a flag's offset for a number that is always known and therefore has no flag. */
#define STATISTICS_ALWAYS SIZE_MAX

struct statistics_row {
    const char *field;  /* name in a JSON line, where a peak is given in MiB, rounded up */
    const char *column; /* name in the results store; NULL: not stored */
    enum statistics_kind kind;
    size_t counter; /* offset of the counter in struct budget or in struct search_run; a peak has none */
    size_t counted; /* offset of the flag in struct search_run that says whether the method counts this number */
    size_t value;   /* offset of the number in soloist_result */
    size_t known;   /* offset of the flag in soloist_result that says whether the number is known */
};

enum { STATISTICS_ROWS = 10 };
/* All rows, in the order of a JSON line. */
extern const struct statistics_row statistics_rows[STATISTICS_ROWS];

/* ---- runs ---- */

/* Resets the counts of a struct search_run that was copied from the whole run for one of its parts. The part's budget
 * is not changed. */
void statistics_open_part(struct search_run *part);
/* Adds the counts of a part to the whole run. If both use the same budget, the counts in the budget are not added,
 * because they are already included. */
void statistics_add(struct search_run *whole, const struct search_run *part);
/* Fills in the result of a run that has ended. */
void statistics_conclude(const struct search_run *run, soloist_result *result);

/* ---- results ---- */

bool statistics_known(const struct statistics_row *row, const soloist_result *result);
uint64_t statistics_value(const struct statistics_row *row, const soloist_result *result);
/* For a result that was obtained without a search: sets every number to 0, but does not change the flags that say which
 * numbers are known. */
void statistics_clear(soloist_result *result);
/* Adds the numbers of another rank's part of the same search; peaks are added up too, because each rank has its own
 * memory. */
void statistics_add_result(soloist_result *whole, const soloist_result *part);
/* Adds the fields to an open JSON object; a number that is not known becomes null. */
void statistics_write(const soloist_result *result, struct json_writer *json);
/* Reads the fields of a JSON line into the result. A number whose field is absent or null is not known. */
void statistics_read(soloist_result *result, struct json_value line);

#endif
