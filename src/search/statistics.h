/* The statistics of a search: one row for each number that a run counts. From the rows come the sum over the parts of a
 * run, the numbers of a soloist_result, the fields of a JSON line (written, and read again by `solve --resume`) and the
 * columns of the results store. A new number is a counter, a member of soloist_result and one row. */
#ifndef SEARCH_STATISTICS_H
#define SEARCH_STATISTICS_H

#include "base/json.h"
#include "search/search.h"

enum statistics_kind {
    STATISTICS_BUDGET_COUNT, /* counted in the run's budget, by all its threads */
    STATISTICS_RUN_COUNT,    /* counted in the run itself */
    STATISTICS_PEAK /* greatest number of bytes at once; a run of several parts counts them in the memory of the whole
                     */
};

/* The offset of a flag that does not exist: the number is always known. */
#define STATISTICS_ALWAYS SIZE_MAX

struct statistics_row {
    const char *field;  /* of a JSON line; a peak is given there in MiB, rounded up */
    const char *column; /* of the results store; NULL: not stored */
    enum statistics_kind kind;
    size_t counter; /* its offset in struct budget or in struct search_run; a peak has none */
    size_t counted; /* offset of the run's flag: the method counts this */
    size_t value;   /* offset in soloist_result */
    size_t known;   /* offset of the result's flag */
};

enum { STATISTICS_ROWS = 8 };
/* In the order of a JSON line. */
extern const struct statistics_row statistics_rows[STATISTICS_ROWS];

/* ---- runs ---- */

/* A part that was copied from the whole has counted nothing yet. Its budget is left alone. */
void statistics_open_part(struct search_run *part);
/* Adds what a part counted to the whole. A part with the budget of the whole has counted there already. */
void statistics_add(struct search_run *whole, const struct search_run *part);
/* Fills in the result of a run that has ended. */
void statistics_conclude(const struct search_run *run, soloist_result *result);

/* ---- results ---- */

bool statistics_known(const struct statistics_row *row, const soloist_result *result);
uint64_t statistics_value(const struct statistics_row *row, const soloist_result *result);
/* For an answer that cost no search: every number becomes 0; what is known stays known. */
void statistics_clear(soloist_result *result);
/* Adds the fields to an open object; a number that is not known is null. */
void statistics_write(const soloist_result *result, struct json_writer *json);
/* Reads them back. Fields that are absent or null are not known. */
void statistics_read(soloist_result *result, struct json_value line);

#endif
