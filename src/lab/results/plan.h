/* An experiment written into the store: its instances' texts and the runs it wants, those already there shared. */
#ifndef LAB_RESULTS_PLAN_H
#define LAB_RESULTS_PLAN_H

#include "lab/experiment.h"
#include "lab/results/store.h"

/* What the plan needs of the program around it. */
struct plan_files {
    /* The text that a name in the experiment stands for, the caller's to free; NULL with *error's text filled. */
    char *(*read)(void *user, const char *name, size_t *length, soloist_error *error);
    void *user;
    /* Which network a search on the puzzle would be given, as name and hash; false with an error: none. NULL: whatever
     * there is when it is run. */
    bool (*network)(void *user, const soloist_puzzle *puzzle, bool valued, char *name, size_t room,
                    soloist_error *error);
    /* Told where there is none: methods that want one are left out for these instances. May be NULL. */
    void (*left_out)(void *user, const char *source, const char *why);
};

struct plan_wish {
    const char *name; /* of the experiment in the store */
    const char *text; /* its whole text, kept with it */
    bool add;         /* what the experiment wanted before stays */
    bool endless;     /* trainings that only a cancel ends are fine */
    double scale;     /* share of the instances of every source, evenly spread, and of every training; 1: all */
};

/* Returns the experiment's number in the store, 0 with a located error; the store is then as it was. Whatever the
 * experiment wanted before and wants no more leaves its plan, not the store. */
int64_t plan_write(const struct store *store, const soloist *engine, const struct experiment *experiment,
                   const struct plan_wish *wish, const struct plan_files *files, soloist_error *error);

/* True if instance number `index` (from 0) is among the share: the first always is. */
bool plan_holds(uint64_t index, double scale);
/* Checks a method's name and options; the error is the parser's. */
bool plan_check_method(const char *text, soloist_error *error);

#endif
