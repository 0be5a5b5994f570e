/* The runs by which a figure compares all labels at once: runs with the same instance, the same seed and, if a label
 * has several budgets, the same budget. An instance that is in several sets counts once, as in compare.c. */
#include "base/buffer.h"
#include "lab/results/look.h"
#include "lab/results/query.h"

#include <stdio.h>

static const char select_runs[] =
    "WITH taken AS (SELECT id, label, instance, source, number, seed, " LOOK_BUDGET
    " AS limits, iif(solved, 1.0 * (%s), NULL) AS"
    " wish FROM runs WHERE solved IS NOT NULL AND (%s)),"
    " several(budgets) AS (SELECT max(n) > 1 FROM (SELECT count(DISTINCT limits) AS n FROM taken GROUP BY label)),"
    " placed AS (SELECT label, instance, seed, iif(budgets, limits, '') AS budget, wish,"
    " dense_rank() OVER (PARTITION BY label, instance, limits, seed ORDER BY source) AS set_at,"
    " dense_rank() OVER (PARTITION BY label, instance, source ORDER BY number) AS time_at FROM taken, several),"
    " chosen AS (SELECT * FROM placed WHERE set_at = 1),"
    " whole AS (SELECT instance, time_at, seed, budget FROM chosen GROUP BY instance, time_at, seed, budget"
    " HAVING count(DISTINCT label) = (SELECT count(DISTINCT label) FROM chosen)),"
    " compared AS (SELECT label, instance, seed, budget, wish FROM chosen JOIN whole USING(instance, time_at, seed,"
    " budget))";

/* Opens a query that continues the text of select_runs. */
static void open_query(struct query *query, const struct look_blocks *blocks, const struct store *store,
                       const char *rest, soloist_error *error) {
    struct buffer text;
    buffer_open(&text);
    soloist_sink sink = buffer_sink(&text);
    soloist_print(&sink, "%s %s", blocks->sql.text ? blocks->sql.text : "", rest);
    query_open_select(query, store, text.failed || blocks->sql.failed ? NULL : text.text, error);
    buffer_close(&text);
}

/* Refuses runs that cannot be compared. */
static bool check_labels(const struct look_blocks *blocks, const struct store *store, soloist_error *error) {
    struct query row;
    open_query(&row, blocks, store,
               "SELECT (SELECT count(DISTINCT label) FROM taken), (SELECT budgets FROM several), (SELECT count(*) FROM"
               " whole)",
               error);
    bool known = query_next(&row);
    int64_t labels = known ? query_int(&row, 0) : 0, several = known ? query_int(&row, 1) : 0,
            whole = known ? query_int(&row, 2) : 0;
    if (!query_close(&row))
        return false;
    if (labels < 2)
        return soloist_fail(error, 0, 0, "nothing to compare: at least two labels must have finished runs");
    return whole || soloist_fail(error, 0, 0,
                                 "on no instance do all labels have runs with the same seed%s: select labels%s with "
                                 "--where",
                                 several ? " and the same budget" : "", several ? " or budgets" : "");
}

/* Writes the budgets that all labels have, or the first and the last one if the list is long. */
static bool name_budgets(struct look_blocks *blocks, const struct store *store, soloist_error *error) {
    enum { MOST = 72 }; /* a longer list would be wider than a figure */
    char first[LOOK_BUDGETS / 3] = "", last[LOOK_BUDGETS / 3] = "";
    int count = 0, length = 0;
    struct query rows;
    open_query(&rows, blocks, store, "SELECT DISTINCT budget FROM compared ORDER BY budget COLLATE by_number", error);
    for (; query_next(&rows); count++) {
        snprintf(last, sizeof last, "%s", query_text(&rows, 0));
        if (!count)
            snprintf(first, sizeof first, "%s", last);
        if (length <= MOST)
            length +=
                snprintf(blocks->budgets + length, (size_t)(LOOK_BUDGETS - length), "%s%s", count ? "; " : "", last);
    }
    if (count > 1 && length > MOST)
        snprintf(blocks->budgets, LOOK_BUDGETS, "%d budgets, from %s to %s", count, first, last);
    return query_close(&rows);
}

bool look_blocks_open(struct look_blocks *blocks, const struct store *store, const char *of, const char *where,
                      soloist_error *error) {
    *blocks = (struct look_blocks){.budgets = ""};
    buffer_open(&blocks->sql);
    soloist_sink sink = buffer_sink(&blocks->sql);
    soloist_print(&sink, select_runs, of, where ? where : "1");
    return check_labels(blocks, store, error) && name_budgets(blocks, store, error);
}

void look_blocks_close(struct look_blocks *blocks) { buffer_close(&blocks->sql); }
