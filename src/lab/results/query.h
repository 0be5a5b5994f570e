/* The only door to SQLite's statements. A query remembers the first thing that went wrong and tells it in the error it
 * was opened with: from then on it has no rows and does nothing, and query_close says so. What is bound, stepped or
 * read therefore needs no look at a code of its own, and none can be forgotten. */
#ifndef LAB_RESULTS_QUERY_H
#define LAB_RESULTS_QUERY_H

#include "lab/results/store.h"

struct query {
    const struct store *store;
    sqlite3_stmt *statement;
    soloist_error *error;
    bool failed;
};

/* False with an error. To be closed either way. sql may be NULL: the text of a buffer that could not grow. */
bool query_open(struct query *query, const struct store *store, const char *sql, soloist_error *error);
/* The same for a query of the user's: only what reads and gives columns. */
bool query_open_select(struct query *query, const struct store *store, const char *sql, soloist_error *error);
/* False: something went wrong since it was opened. */
bool query_close(struct query *query);

/* Binds texts given as "t" (NULL is fine), integers "i" (int64_t), reals "r" (double) to ?1, ?2, ... Texts must outlive
 * the step. */
void query_bind(struct query *query, const char *kinds, ...);
void query_bind_text(struct query *query, int at, const char *text);
void query_bind_int(struct query *query, int at, int64_t value);
void query_bind_real(struct query *query, int at, double value);

/* A column of another query's row, even of another store's, as it is. */
void query_bind_column(struct query *query, int at, struct query *from, int column);

/* Steps to the next row; false: there is none, or something went wrong. */
bool query_next(struct query *query);
/* Ready to be bound and stepped again; what was bound before is forgotten. */
void query_again(struct query *query);
/* All of a statement that gives no rows; then ready to be bound again. False: something went wrong. */
bool query_run(struct query *query);

/* True if it failed because of what is in the file. */
bool query_met_damage(const struct query *query);

/* Of the row at hand. A text lasts until the next step; it is "" where the column is NULL. */
int64_t query_int(struct query *query, int column);
double query_real(struct query *query, int column);
const char *query_text(struct query *query, int column);
int query_type(const struct query *query, int column); /* SQLITE_NULL, SQLITE_TEXT, ... */
int query_columns(const struct query *query);
const char *query_heading(struct query *query, int column);

#endif
