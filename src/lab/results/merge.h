/* Merges stores from several machines or times into one. */
#ifndef LAB_RESULTS_MERGE_H
#define LAB_RESULTS_MERGE_H

#include "lab/results/rescue.h"

struct merged {
    int64_t runs; /* number of finished runs that were added; they were missing or unfinished in this store */
    /* Number of runs of the other store whose solutions the referee does not confirm; they must be run again. */
    int64_t refused;
    bool damaged; /* the other store is damaged; `rescued` then says what could be read */
    struct rescued rescued;
};

/* Adds the contents of the file `other`, which is a store or a file of JSON lines (run/lines.h). A file of JSON lines
 * may hold runs on instances that are described in this store only. If it is damaged, adds everything that can still be
 * read. A run is identified by its instance, its method (with the current names of its options), its seed and its
 * limits. An experiment is identified by its name; experiments with the same name must have the same text. If their
 * plan has another run than ours at the same place, for example on an instance that was changed since, only one of the
 * two stays in the plan: that of the larger scale, otherwise ours. If anything fails, nothing is added. */
bool store_merge(const struct store *store, const soloist *engine, const char *other, struct merged *merged,
                 soloist_error *error);
/* Takes only the finished runs that this store's experiment with the number `experiment` has: its plan stays as it is,
 * and experiments, instances and all other runs of the file are left out, whatever the experiments of the file say.
 * Otherwise as store_merge. */
bool store_take_known(const struct store *store, const soloist *engine, const char *other, int64_t experiment,
                      struct merged *merged, soloist_error *error);

#endif
