#include "cli/shell/progress.h"
#include "base/budget.h"
#include "cli/shell/format.h"

#include <pthread.h>
#include <stdlib.h>

struct progress {
    pthread_mutex_t lock;
    size_t total, done, solved;
    double shown_s; /* when the line was last drawn */
    bool shown;
};

struct progress *progress_open(const struct cli *cli, size_t total) {
    if (!cli->err_terminal)
        return NULL;
    struct progress *progress = calloc(1, sizeof *progress);
    if (!progress)
        return NULL;
    pthread_mutex_init(&progress->lock, NULL);
    progress->total = total;
    return progress;
}

static void wipe(struct progress *progress) {
    if (progress->shown)
        fputs("\r\033[K", stderr);
    progress->shown = false;
}

void progress_wipe(struct progress *progress) {
    if (!progress)
        return;
    pthread_mutex_lock(&progress->lock);
    wipe(progress);
    pthread_mutex_unlock(&progress->lock);
}

void progress_close(struct progress *progress) {
    if (!progress)
        return;
    wipe(progress);
    pthread_mutex_destroy(&progress->lock);
    free(progress);
}

void progress_done(struct progress *progress, bool solved) {
    if (!progress)
        return;
    pthread_mutex_lock(&progress->lock);
    progress->done++;
    progress->solved += solved;
    pthread_mutex_unlock(&progress->lock);
}

/* The caller holds the lock. */
static void draw(struct progress *progress, const struct task *task, const soloist_progress *report) {
    char time[FORMAT_ROOM], nodes[FORMAT_ROOM], iterations[FORMAT_ROOM], memory[FORMAT_ROOM];
    fputs("\r\033[K", stderr);
    if (progress->total > 1)
        fprintf(stderr, "%zu/%zu done, %zu solved | ", progress->done, progress->total, progress->solved);
    fprintf(stderr, "#%d %s", task->id, format_seconds(report->time_s, time));
    if (report->nodes)
        fprintf(stderr, ", %s nodes", format_count(report->nodes, nodes));
    if (report->iterations)
        fprintf(stderr, ", %s iterations", format_count(report->iterations, iterations));
    if (report->memory > 1 << 20)
        fprintf(stderr, ", %s", format_size(report->memory, memory));
    if (report->has_best)
        fprintf(stderr, ", best %d", (int)report->best);
    if (report->note)
        fprintf(stderr, ", %.40s", report->note);
    fflush(stderr);
    progress->shown = true;
}

void progress_update(void *slot, const soloist_progress *report) {
    const struct progress_slot *job = slot;
    struct progress *progress = job->progress;
    double now = clock_seconds();
    pthread_mutex_lock(&progress->lock);
    /* Several jobs share the line: it is drawn at most ten times a second. */
    if (now - progress->shown_s >= 0.1) {
        progress->shown_s = now;
        draw(progress, job->task, report);
    }
    pthread_mutex_unlock(&progress->lock);
}
