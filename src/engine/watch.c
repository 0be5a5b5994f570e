/* A solve that somebody watches: with every report of progress, the best line so far. Lines are replayed by the referee
 * only when they are shown, for a search may find many in a moment. */
#include "engine/engine.h"
#include "search/search.h"

#include <stdlib.h>
#include <string.h>

struct show {
    const soloist_puzzle *puzzle;
    const soloist_watcher *watcher;
    struct search_watch watch;
    uint64_t seen; /* value of watch.changes at the last look */
    char *line;    /* the line that is shown; NULL: none */
    soloist_verdict verdict;
    uint64_t lines;
};

/* Shows a line that the referee accepts; takes ownership of it. */
static void take(struct show *show, char *line) {
    soloist_verdict verdict;
    if (!line || !soloist_check(show->puzzle, line, strlen(line), &verdict, NULL)) {
        free(line);
        return;
    }
    free(show->line);
    show->line = line;
    show->verdict = verdict;
    show->lines++;
}

static void report(void *user, const soloist_progress *progress) {
    struct show *show = user;
    struct search_watch *watch = &show->watch;
    char *line = NULL;
    pthread_mutex_lock(&watch->lock);
    if (watch->changes != show->seen)
        line = strdup(watch->line);
    show->seen = watch->changes;
    pthread_mutex_unlock(&watch->lock);
    take(show, line);
    soloist_sight sight = {sizeof sight, progress, show->line, show->verdict, show->lines};
    show->watcher->see(show->watcher->user, &sight);
}

soloist_code soloist_watch(const soloist *engine, const soloist_puzzle *puzzle, const char *method,
                           const soloist_limits *limits, const soloist_watcher *watcher, soloist_result *result,
                           soloist_error *error) {
    if (!watcher || watcher->size < sizeof *watcher || !watcher->see) {
        if (result)
            *result = (soloist_result){.status = SOLOIST_UNSOLVED, .verdict.pushes = -1};
        soloist_fail(error, 0, 0, "soloist_watch needs a watcher with its size and its function");
        return SOLOIST_MISUSE;
    }
    struct show show = {.puzzle = puzzle, .watcher = watcher, .verdict.pushes = -1};
    soloist_callbacks callbacks = {report, NULL, &show};
    search_watch_open(&show.watch);
    soloist_code code =
        engine_solve(engine, puzzle, method, limits, &callbacks, &show.watch, NULL, NULL, result, error);
    search_watch_close(&show.watch);
    free(show.line);
    return code;
}
