/* Only these functions use SQLite's prepared statements. A query records its first failure in the error it was opened
 * with; from then on it has no rows and does nothing, and query_close returns false. Calls that bind, step or read
 * therefore need no error check of their own, and none can be forgotten. */
#ifndef LAB_RESULTS_QUERY_H
#define LAB_RESULTS_QUERY_H

#include "lab/results/store.h"

struct query {
    const struct store *store;
    sqlite3_stmt *statement;
    soloist_error *error;
    const char *rest; /* what follows the first statement of the text */
    bool failed;
};

/* On failure returns false with an error. The query must be closed in either case. If `sql` is NULL, the query fails:
 * memory ran out while the caller wrote the text. */
bool query_open(struct query *query, const struct store *store, const char *sql, soloist_error *error);
/* Opens a query that a user wrote: only statements that read and return columns are accepted. */
bool query_open_select(struct query *query, const struct store *store, const char *sql, soloist_error *error);
/* Closes the query. False: opening or using it has failed. */
bool query_close(struct query *query);

/* Binds the arguments to ?1, ?2, ... Each letter of `kinds` gives the type of one argument: "t" a text (may be NULL),
 * "i" an int64_t, "r" a double. Texts must stay valid until the query has been stepped. */
void query_bind(struct query *query, const char *kinds, ...);
void query_bind_text(struct query *query, int at, const char *text);
void query_bind_int(struct query *query, int at, int64_t value);
void query_bind_real(struct query *query, int at, double value);

/* Binds a column of another query's row, unchanged; that query may be on another store. */
void query_bind_column(struct query *query, int at, struct query *from, int column);

/* Steps to the next row; false: there is none, or there was an error. */
bool query_next(struct query *query);
/* Resets the query for binding and stepping again; earlier bindings are cleared. */
void query_again(struct query *query);
/* The same for a query that may have failed: its failure is forgotten. */
void query_retry(struct query *query);
/* Runs a statement that returns no rows and resets it. False: there was an error. */
bool query_run(struct query *query);

/* True if the query failed because the file is damaged. */
bool query_met_damage(const struct query *query);

/* Columns of the current row. A text is valid until the next step; it is "" if the column is NULL. */
int64_t query_int(struct query *query, int column);
/* A number, or a text that is one; the query fails if it is another text. */
double query_number(struct query *query, int column);
double query_real(struct query *query, int column);
const char *query_text(struct query *query, int column);
int query_type(const struct query *query, int column); /* SQLITE_NULL, SQLITE_TEXT, ... */
int query_columns(const struct query *query);
int query_parameters(const struct query *query); /* the highest number of a parameter ?1, ?2, ... */
const char *query_heading(struct query *query, int column);

#endif
