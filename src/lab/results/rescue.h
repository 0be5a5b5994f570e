/* Rescues everything that can still be read from a damaged store. */
#ifndef LAB_RESULTS_RESCUE_H
#define LAB_RESULTS_RESCUE_H

#include "lab/results/store.h"

struct rescued {
    /* read: number of finished runs that were read with all their data; lost: number of finished runs that are known to
     * be lost. */
    int64_t read, lost;
    int64_t lines; /* only for a file of JSON lines: number of lines that could not be read, which may hold anything */
    /* Only for a file of JSON lines: number of finished runs on instances that neither the file nor the store
     * describes.
     */
    int64_t unknown;
    int64_t plans; /* number of runs that the plans of its experiments lack because of that */
};

/* Creates the empty tables of the database that is attached to `store` as `other`. */
bool rescue_make_tables(const struct store *store, soloist_error *error);
/* Copies everything that can be read into these tables. False with an error: nothing can be read. */
bool rescue(const struct store *store, const char *damaged, struct rescued *rescued, soloist_error *error);

/* For read_lines.c, which fills these tables from a file of JSON lines: removes runs whose instances are lost, and
 * finds out which instances an experiment has. */
bool rescue_join(const struct store *store, soloist_error *error);

#endif
