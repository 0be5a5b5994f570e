/* Writes an experiment into the store: its runs, and the texts of its instances. Runs that the store already has are
 * not stored again: experiments share them. */
#ifndef LAB_RESULTS_PLAN_STORE_H
#define LAB_RESULTS_PLAN_STORE_H

#include "lab/results/store.h"
#include "lab/run/plan.h"

/* Returns the experiment's number in the store, or 0 with line and column in the error; the store is then unchanged.
 * Runs that the experiment no longer contains are removed from its plan, but stay in the store. */
int64_t plan_write(const struct store *store, const soloist *engine, const struct experiment *experiment,
                   const struct plan_wish *wish, const struct plan_files *files, soloist_error *error);

#endif
