#include "lab/results/replay.h"
#include "lab/run/job.h"
#include "lab/results/query.h"

#include <stdio.h>
#include <string.h>

/* The instance that is open now; it is used for several runs, because runs are sorted by instance. */
struct replay {
    const soloist *engine;
    soloist_puzzle puzzle;
    bool open, known; /* known: this program has the domain */
    int64_t instance;
    int64_t refused;
    struct query forget;
};

enum { RUN, INSTANCE, DOMAIN_NAME, OPTIONS, NAME, TEXT, SOLUTION, VALUE, MOVES, PUSHES };
#define COLUMNS "run.id, run.instance, domain, options, instance.name, instance.text, solution, value, moves, pushes"

static void put_away(struct replay *replay) {
    if (replay->open)
        soloist_puzzle_free(&replay->puzzle);
    replay->open = false;
}

/* Opens the row's instance, unless it is already open. False if memory runs out. If the text cannot be read, the puzzle
 * stays closed. */
static bool take_instance(struct replay *replay, struct query *row) {
    const soloist_domain *domain = soloist_find_domain(replay->engine, query_text(row, DOMAIN_NAME));
    if (replay->instance == query_int(row, INSTANCE))
        return true;
    put_away(replay);
    replay->instance = query_int(row, INSTANCE);
    replay->known = domain != NULL;
    if (!domain)
        return true;
    const char *text = query_text(row, TEXT);
    soloist_chunk chunk = {.text = text, .length = strlen(text), .line = 1};
    snprintf(chunk.name, sizeof chunk.name, "%s", query_text(row, NAME));
    soloist_code code = soloist_puzzle_read(domain, query_text(row, OPTIONS), &chunk, &replay->puzzle, NULL);
    replay->open = code == SOLOIST_OK;
    return code != SOLOIST_NO_MEMORY;
}

static bool is_confirmed(const struct replay *replay, struct query *row, soloist_error *why) {
    soloist_verdict verdict;
    const char *solution = query_text(row, SOLUTION);
    return replay->open && soloist_check(&replay->puzzle, solution, strlen(solution), &verdict, why) &&
           verdict.value == query_int(row, VALUE) && verdict.moves == query_int(row, MOVES) &&
           (verdict.pushes < 0 || verdict.pushes == query_int(row, PUSHES));
}

static bool replay_row(struct replay *replay, struct query *row) {
    soloist_error why = {0};
    if (!take_instance(replay, row))
        return soloist_fail(row->error, 0, 0, "out of memory");
    if (!replay->known || is_confirmed(replay, row, &why) || row->failed)
        return true;
    if (job_tells_of_memory(&why))
        return soloist_fail(row->error, 0, 0, "%s", why.text);
    replay->refused++;
    query_bind(&replay->forget, "i", query_int(row, RUN));
    return query_run(&replay->forget);
}

bool replay_stored(const struct store *store, const soloist *engine, const char *which, int64_t number,
                   int64_t *refused, soloist_error *error) {
    struct replay replay = {.engine = engine};
    struct query rows;
    char sql[512];
    snprintf(sql, sizeof sql,
             "SELECT " COLUMNS " FROM run JOIN instance ON instance.id = run.instance WHERE run.id IN (%.200s) AND"
             " status = 'solved' AND solution IS NOT NULL ORDER BY run.instance",
             which);
    query_open(&replay.forget, store, "UPDATE run SET status = NULL WHERE id = ?1", error);
    query_open(&rows, store, sql, error);
    if (strstr(which, "?1"))
        query_bind(&rows, "i", number);
    bool well = true;
    while (well && query_next(&rows))
        well = replay_row(&replay, &rows);
    put_away(&replay);
    *refused = replay.refused;
    well = query_close(&rows) && well;
    return query_close(&replay.forget) && well;
}
