/* A solve whose progress a caller watches. Each progress report shows the best line (sequence of moves) so far and, if
 * the caller asks for it, a picture of the search. Lines are replayed by the referee only when they are shown, because
 * a search may find many lines within a short time. */
#include "engine/engine.h"
#include "search/picture.h"

#include <stdlib.h>
#include <string.h>

/* The search that a sight shows. */
struct soloist_subject {
    const struct budget *budget;
    struct search_picture **picture; /* made at the first look */
};

struct show {
    const soloist_puzzle *puzzle;
    const soloist_watcher *watcher;
    struct search_watch watch;
    struct search_picture *picture; /* NULL: nobody has looked yet */
    uint64_t seen;                  /* value of watch.changes at the last look */
    char *line;                     /* the line that is shown; NULL: none */
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

/* How often the watcher wants to be called now. Watchers of former versions cannot say. */
static void read_pace(struct show *show) {
    const soloist_watcher *watcher = show->watcher;
    struct budget_watch *budgets = &show->watch.budgets;
    static const double usual_s = 0.2;
    bool says = watcher->size >= sizeof *watcher;
    atomic_store(&budgets->every_s, says && watcher->every_s > 0 ? watcher->every_s : usual_s);
    atomic_store(&budgets->every, says ? watcher->every : 0);
}

static void see(void *user, struct budget *budget, const soloist_progress *progress) {
    struct show *show = user;
    struct search_watch *watch = &show->watch;
    char *line = NULL;
    pthread_mutex_lock(&watch->lock);
    if (watch->changes != show->seen)
        line = strdup(watch->line);
    show->seen = watch->changes;
    pthread_mutex_unlock(&watch->lock);
    take(show, line);
    struct soloist_subject subject = {budget, &show->picture};
    soloist_sight sight = {sizeof sight, progress, show->line, show->verdict, show->lines, budget->member, &subject};
    show->watcher->see(show->watcher->user, &sight);
    read_pace(show);
}

const soloist_picture *soloist_look(const soloist_sight *sight, const soloist_move *path, size_t count) {
    const struct soloist_subject *subject = sight ? sight->subject : NULL;
    if (!subject)
        return NULL;
    if (!*subject->picture)
        *subject->picture = picture_new();
    return *subject->picture ? picture_take(*subject->picture, subject->budget, path, count) : NULL;
}

soloist_code soloist_watch(const soloist *engine, const soloist_puzzle *puzzle, const char *method,
                           const soloist_limits *limits, const soloist_watcher *watcher, soloist_result *result,
                           soloist_error *error) {
    if (!watcher || watcher->size < offsetof(soloist_watcher, every_s) || !watcher->see) {
        if (result)
            *result = (soloist_result){.status = SOLOIST_UNSOLVED, .verdict.pushes = -1};
        soloist_fail(error, 0, 0, "soloist_watch needs a watcher with its size and its function");
        return SOLOIST_MISUSE;
    }
    struct show show = {.puzzle = puzzle, .watcher = watcher, .verdict.pushes = -1};
    search_watch_open(&show.watch);
    show.watch.budgets.see = see;
    show.watch.budgets.user = &show;
    read_pace(&show);
    soloist_code code =
        engine_solve(engine, puzzle, method, limits, NULL, &show.watch, NULL, NULL, NULL, result, error);
    search_watch_close(&show.watch);
    picture_free(show.picture);
    free(show.line);
    return code;
}
