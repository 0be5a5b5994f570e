/* Tasks of `solve` on other ranks: tasks and outcomes as parcels, and the helper that solves tasks for rank 0. */
#ifndef CLI_SOLVE_REMOTE_H
#define CLI_SOLVE_REMOTE_H

#include "base/dispatch.h"
#include "cli/solve/batch.h"

/* ---- rank 0 ---- */

/* What helpers must know of the batch, for ranks_gather. */
void remote_put_wish(const struct batch *batch, struct buffer *wish);
/* Gives a task to a rank; 0: to all other ranks, to solve it together. False with an error. */
bool remote_give(const struct batch *batch, int rank, size_t task, soloist_error *error);
/* The outcome in a helper's answer. */
struct outcome *remote_take(struct parcel_reader *parcel);
/* Shows a helper's note on the progress line. */
void remote_show(const struct batch *batch, const struct dispatch_news *news);

/* ---- other ranks ---- */

/* A helper solves tasks like a batch that has no tasks of its own. */
struct remote_helper {
    struct batch *batch;
    int cores;
    size_t memory;       /* of this rank, for all its jobs */
    struct peers *peers; /* for instances that all ranks solve together */
    bool shows;          /* rank 0 has a progress line */
};
struct dispatch_work remote_work(struct remote_helper *helper);

#endif
