#include "cli/shell/progress.h"
#include "base/budget.h"
#include "cli/shell/format.h"
#include "cli/shell/screen.h"

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

/* The caller holds the lock. Text that does not fit on one line is left out: a line that wraps could not be erased. */
static void draw(struct progress *progress, const struct task *task, const soloist_progress *report) {
    char text[FORMAT_ROOM];
    struct screen_line line;
    screen_line_open(&line, screen_width(stderr) - 1);
    if (progress->total > 1)
        screen_line_add(&line, "%zu/%zu done, %zu solved | ", progress->done, progress->total, progress->solved);
    screen_line_add(&line, "#%d %s", task->id, format_seconds(report->time_s, text));
    if (report->has_best)
        screen_line_add(&line, ", best %d", (int)report->best);
    if (report->nodes)
        screen_line_add(&line, ", %s %s", format_count(report->nodes, text), report->nodes == 1 ? "node" : "nodes");
    if (report->iterations)
        screen_line_add(&line, ", %s iterations", format_count(report->iterations, text));
    if (report->memory > 1 << 20)
        screen_line_add(&line, ", %s", format_size(report->memory, text));
    if (report->note)
        screen_line_add(&line, ", %.40s", report->note);
    screen_line_show(&line);
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
