/* Writes an experiment into the store: its runs, and the texts of its instances. Runs that are already stored are
 * shared. */
#ifndef LAB_RESULTS_PLAN_H
#define LAB_RESULTS_PLAN_H

#include "lab/experiment.h"
#include "lab/results/store.h"

/* What the plan needs from the program that calls it. */
struct plan_files {
    /* Returns the text for a name in the experiment, such as a file's content; the caller frees it. NULL with an error.
     */
    char *(*read)(void *user, const char *name, size_t *length, soloist_error *error);
    void *user;
    /* Writes name and hash of the network that a search on the puzzle would use; false with an error if there is none.
     * The pointer may be NULL: then the network is chosen when the search is run. */
    bool (*network)(void *user, const soloist_puzzle *puzzle, bool valued, char *name, size_t room,
                    soloist_error *error);
    /* Called if there is no network for the instances of a source: methods that need one are then not run on them. May
     * be NULL. */
    void (*left_out)(void *user, const char *source, const char *why);
};

struct plan_wish {
    const char *name; /* name of the experiment in the store */
    const char *text; /* its whole text, which is stored with it */
    bool add;         /* runs that were planned earlier stay in the plan */
    bool endless;     /* trainings without a limit, which end only when cancelled, are allowed */
    /* Share (0 to 1) of every source's instances, evenly spread, and of every training's length; 1: all. */
    double scale;
};

/* Returns the experiment's number in the store, or 0 with line and column in the error; the store is then unchanged.
 * Runs that the experiment no longer contains are removed from its plan, but stay in the store. */
int64_t plan_write(const struct store *store, const soloist *engine, const struct experiment *experiment,
                   const struct plan_wish *wish, const struct plan_files *files, soloist_error *error);

/* Whether instance number `index` (from 0) belongs to the share `scale` of all instances; the first always does. */
bool plan_holds(uint64_t index, double scale);
/* Checks a method's name and options; the error is the parser's. */
bool plan_check_method(const soloist *engine, const char *text, soloist_error *error);

#endif
