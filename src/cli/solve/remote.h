/* Tasks of `solve` on other ranks: tasks and outcomes as parcels, and the helper that solves tasks for rank 0. */
#ifndef CLI_SOLVE_REMOTE_H
#define CLI_SOLVE_REMOTE_H

#include "base/dispatch.h"
#include "cli/solve/batch.h"

/* ---- rank 0 ---- */

/* Writes what helpers must know about the batch, for ranks_begin. */
void remote_put_wish(const struct batch *batch, struct buffer *wish);
/* Sends a task to a rank; if `rank` is 0, sends it to all other ranks, which solve it together with rank 0. False with
 * an error. */
bool remote_give(const struct batch *batch, int rank, size_t task, soloist_error *error);
/* The outcome in a helper's answer. */
struct outcome *remote_take(struct parcel_reader *parcel);
/* Reads a progress report that a helper has sent, and shows it on the progress line of rank 0. */
void remote_show(const struct batch *batch, const struct dispatch_news *news);

/* ---- other ranks ---- */

/* A helper uses a batch without tasks of its own: the tasks come from rank 0. */
struct remote_helper {
    struct batch *batch;
    int cores;
    size_t memory;       /* bytes that all jobs of this rank together may use */
    struct peers *peers; /* connects the ranks, for instances that all ranks solve together */
    bool shows;          /* rank 0 has a progress line */
};
struct dispatch_work remote_work(struct remote_helper *helper);

#endif
