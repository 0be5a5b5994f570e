/* The progress line. It is shown on standard error, but only if that is a terminal, and is erased before anything else
 * is printed. */
#ifndef CLI_SHELL_PROGRESS_H
#define CLI_SHELL_PROGRESS_H

#include "cli/input/input.h"

struct progress;

/* Returns NULL if standard error is not a terminal, or if memory runs out. total: number of instances. */
struct progress *progress_open(const struct cli *cli, size_t total);
void progress_close(struct progress *progress);
/* Counts one more instance as done. progress_close, progress_done and progress_wipe accept NULL. */
void progress_done(struct progress *progress, bool solved);
void progress_wipe(struct progress *progress);

/* The `user` argument of the engine's callback; one per job. */
struct progress_slot {
    struct progress *progress;
    const struct task *task;
};
void progress_update(void *slot, const soloist_progress *report);

#endif
