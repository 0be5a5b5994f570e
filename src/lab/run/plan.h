/* Lists the runs of an experiment: reads or generates its instances, checks methods and trainings, and passes every
 * instance and every run to the callbacks of a struct plan_book, which write them into a store (results/plan_store.h)
 * or into a file of JSON lines (lines.h). */
#ifndef LAB_RUN_PLAN_H
#define LAB_RUN_PLAN_H

#include "lab/experiment.h"

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
    /* Called if runs are left out because there is no network for the instances of a source, or because an optional
     * source does not exist. May be NULL. */
    void (*left_out)(void *user, const char *source, const char *why);
    /* Called if instances of a source are equal to earlier ones with the same label. `left_out` of them are left out,
     * because another line of the experiment has them: an instance that several lines name counts once. `kept` of them
     * are not, because a set that contains an instance twice is meant to count it twice, as a generator that draws it
     * twice is. May be NULL. */
    void (*repeated)(void *user, const char *source, uint64_t left_out, uint64_t kept);
};

/* How many instances the sources have, and how many of them the scale selects. */
struct plan_extent {
    uint64_t all, chosen;
};

struct plan_wish {
    const char *name; /* name of the experiment */
    const char *text; /* its whole text, which is stored with it */
    bool add;         /* runs that were planned earlier stay in the plan */
    bool endless;     /* trainings without a limit, which end only when cancelled, are allowed */
    /* The share (0 to 1) of each source's instances that is used: evenly spread over a file, or the first ones of a
     * generator. Trainings are shortened to the same share. 1: everything is used. */
    double scale;
    struct plan_extent *extent; /* filled by plan_list; may be NULL */
    soloist_stop_token *stop;   /* ends the planning, which may take minutes; may be NULL */
    bool *interrupted;          /* set if `stop` ended the planning; may be NULL */
};

/* An instance; for a training, `text` contains the generator's options. */
struct plan_instance {
    const char *identity; /* its key: a hash of the parsed instance (engine/identity.h) or, if it cannot be parsed, of
                             its text */
    const char *former;   /* the key that the earliest versions used; NULL: the same */
    const char *domain, *options, *text, *name;
    const char *source; /* label of its source; NULL for a training, which belongs to no source */
    int64_t number;     /* number within the source */
};

/* One run on the instance that was last passed to plan_book.instance. */
struct plan_run {
    const char *method; /* the method with the current names of its options */
    const char *former; /* the method with the former names of its options */
    const char *network, *label, *source;
    uint64_t seed;
    int64_t number;
    struct experiment_limits limits;
};

/* Callbacks that store the plan. All texts that they get are valid only during the call. If a callback fails, it
 * returns false with an error, and no callback is called any more. */
struct plan_book {
    void *user;
    bool (*instance)(void *user, const struct plan_instance *instance, soloist_error *error);
    bool (*run)(void *user, const struct plan_run *run, soloist_error *error);
};

/* Lists everything. On failure returns false with line and column in the error. */
bool plan_list(const soloist *engine, const struct experiment *experiment, const struct plan_wish *wish,
               const struct plan_files *files, const struct plan_book *book, soloist_error *error);
/* Checks the names, options and budgets of all methods, and the labels that they use; plan_list does this first. */
bool plan_check_methods(const soloist *engine, const struct experiment *experiment, soloist_error *error);

/* Whether a method of a checked experiment runs with several seeds although it makes no random choices: then its runs
 * on an instance are all equal. False for runs with a time limit or with several threads, which may differ. */
bool plan_ignores_seeds(const soloist *engine, const struct experiment *experiment, size_t method);

/* Whether instance number `index` (from 0) is used if only the fraction `scale` (0 to 1) of all instances is used;
 * instance 0 is always used. */
bool plan_holds(uint64_t index, double scale);
/* Checks a method's name and options; the error is that of the option parser. */
bool plan_check_method(const soloist *engine, const char *text, soloist_error *error);
/* The text of a method or training, with its options under their current names or, if `now` is false, under their
 * former names. The caller frees it; NULL: no memory. */
char *plan_spell(const soloist *engine, const char *method, bool now);

#endif
