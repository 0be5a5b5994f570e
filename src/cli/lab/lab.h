/* Declarations that the subcommands of `lab` share. */
#ifndef CLI_LAB_LAB_H
#define CLI_LAB_LAB_H

#include "cli/cli.h"

#ifndef SOLOIST_WITH_SQLITE
#define SOLOIST_WITH_SQLITE 0
#endif

#include "lab/run/record.h"

#if SOLOIST_WITH_SQLITE
#include "lab/results/check.h"
#include "lab/results/curve.h"
#include "lab/results/look.h"
#include "lab/results/merge.h"
#include "lab/results/plan_store.h"
#include "lab/results/runner.h"
#define LAB_STORE "lab.db"
#else
#define LAB_STORE "lab.jsonl"
#endif
#define LAB_STORE_HELP "the results store, " LAB_STORE " by default"
#define LAB_STORE_RUN_HELP                                                                                             \
    "the results store, " LAB_STORE " by default; a name that ends in .jsonl means a file of JSON lines"
#define LAB_DATA_HELP                                                                                                  \
    "folder with level sets and boards, searched before the folders in SOLOIST_DATA; several folders are separated "   \
    "by :"

#define LAB_SCALE_HELP                                                                                                 \
    "share (0 to 1) of the instances to use, spread evenly over a file or level set, the first ones of a generator; "  \
    "each training is shortened to the same share of its length; 1 by default"

#define LAB_KNOWN_HELP                                                                                                 \
    "take finished runs of this experiment from FILE, a store or a file of JSON lines, instead of making them; the "   \
    "referee replays their solutions; may be repeated"

extern const struct command lab_run_command;

/* An experiment file that was read. */
struct lab_file {
    char *path, *text;
    char name[128]; /* the file's name without folder and extension */
    struct experiment experiment;
};
/* Reads an experiment file. path may also be relative to experiments/ in a data folder. Complains with file, line and
 * column and returns false if it cannot be read. */
bool lab_file_open(struct lab_file *file, const char *path);
void lab_file_close(struct lab_file *file);

/* How an experiment is run. */
struct lab_wish {
    const char *store, *data;
    struct arg_list known; /* files whose finished runs need not be made again */
    double scale;
    int jobs;
    bool quiet;
    bool table_only;            /* standard output is for a table: no summary is printed there */
    bool dry_run;               /* only check and count */
    struct dispatch *dispatch;  /* helpers on other ranks; set by lab_run_file */
    struct plan_extent *extent; /* filled by lab_run_file; may be NULL */
};
/* For subcommands that use all ranks that a launcher has started: connects this rank with the others and returns true
 * on rank 0. On every other rank it executes runs for rank 0 until no runs are left, and then returns false. It also
 * returns false after an error. If it returns false, the subcommand must return *status. */
bool lab_join_ranks(struct cli *cli, const struct lab_wish *wish, const struct arg_list *plugins, int *status);
/* Called on rank 0: tells the other ranks to begin. *dispatch is set to the object that sends work to the other ranks,
 * or to NULL if there are no other ranks. Complains and returns false if a rank cannot take part. */
bool lab_begin_ranks(struct cli *cli, struct dispatch **dispatch);
/* Plans and runs an experiment; after Ctrl-C it returns soon. Prints progress on a terminal. Returns an exit status,
 * CLI_SOME if runs remain. *id receives the experiment's number, 0 if it is not in a store; id may be NULL. */
int lab_run_file(struct cli *cli, const struct lab_file *file, const struct lab_wish *wish, int64_t *id);

/* Called by lab_run_file for a dry run: counts the runs and estimates how long they take, but stores no results. */
int lab_dry_run(struct cli *cli, const struct lab_file *file, const struct lab_wish *wish, const struct plan_wish *plan,
                const struct plan_files *files);
/* Called by lab_run_file to make the runs. Results go to a store (lab_run_store) or to a file of JSON lines
 * (lab_run_lines). */
int lab_run_store(struct cli *cli, const struct lab_file *file, const struct lab_wish *wish,
                  const struct plan_wish *plan, const struct plan_files *files, int64_t *id);
int lab_run_lines(struct cli *cli, const struct lab_file *file, const struct lab_wish *wish,
                  const struct plan_wish *plan, const struct plan_files *files);
/* Whether a summary of the runs is printed on standard output. */
bool lab_has_summary(const struct lab_wish *wish);
/* Reports why an experiment could not be planned or run. Returns an exit status: CLI_SOME if its planning was
 * interrupted. */
int lab_fail(const struct lab_file *file, const struct plan_wish *plan, const soloist_error *error);
/* Prints that `runs` runs with this label ended with this warning. */
void lab_warn(const char *label, uint64_t runs, const char *warning);
/* Whether the store's name ends in .jsonl, which means that the store is a file of JSON lines. */
bool lab_is_lines(const char *store);
/* Complains and returns true if the store is a file of JSON lines, which only `lab run` writes. */
bool lab_refuses_lines(const char *verb, const char *store);

/* The progress block on standard error: a bar, the time left, one line per label. */
struct lab_progress {
    const struct cli *cli;
    double shown_s;
    int lines;
};
void lab_progress_show(void *progress, const struct pool_progress *report);
void lab_progress_wipe(struct lab_progress *progress);

/* Reads a file that an experiment names: it is looked for in the folder of the experiment file, in the current folder,
 * in the data folders, and as a level set. */
char *lab_read_name(void *file, const char *name, size_t *length, soloist_error *error);
/* Adds folders that are searched before those of SOLOIST_LEVELS; NULL is allowed. */
void lab_add_data(const char *folders);

#if SOLOIST_WITH_SQLITE
extern const struct command lab_show_command, lab_compare_command, lab_plot_command, lab_report_command,
    lab_book_command, lab_reproduce_command, lab_tune_command, lab_list_command, lab_repeat_command, lab_merge_command;

#define LAB_NAME_HELP "experiment in the store; needed only if the store holds several"

/* Opens a store; complains and returns NULL if that fails. */
struct store *lab_open(const char *path, enum store_mode mode);
/* Prints what could not be taken from the file `other`: damage, solutions that the referee refused, and runs whose
 * instances are not known. advise: also say how such runs can be taken. */
void lab_print_missed(FILE *out, const char *other, const struct merged *merged, bool advise);
/* Prints how many finished runs were taken from the file `other`. */
void lab_print_news(const char *other, const struct merged *merged);
/* Opens a store for reading and selects an experiment for SQL queries. If name is NULL, the store must hold only one
 * experiment. *id receives the experiment's number; id may be NULL. Complains and returns NULL if the store cannot be
 * opened or the experiment cannot be selected. */
struct store *lab_open_experiment(const char *path, const char *name, int64_t *id);

/* How results are shown. */
struct lab_view {
    const char *store, *by, *of, *where, *figures;
    int level, format; /* 0: not given; otherwise 1 + the index of the choice in LAB_LEVEL or LAB_FORMAT */
};
#define LAB_LEVEL "95|99"
#define LAB_LEVEL_HELP "confidence level of the intervals in per cent, 95 by default"
#define LAB_FORMAT "text|csv|markdown|json"
#define LAB_FORMAT_HELP "format of the table, text by default"
#define LAB_WHERE_HELP "only runs for which this SQL condition holds, e.g. \"seed < 3\""
#define LAB_VIEW_ROWS(type)                                                                                            \
    {ARG_TEXT, "store", 0, offsetof(struct type, view.store), "FILE", 0, 0, LAB_STORE_HELP},                           \
        {ARG_CHOICE, "level", 0, offsetof(struct type, view.level), LAB_LEVEL, 0, 0, LAB_LEVEL_HELP}, {                \
        ARG_CHOICE, "format", 'f', offsetof(struct type, view.format), LAB_FORMAT, 0, 0, LAB_FORMAT_HELP               \
    }
#define LAB_WHERE_ROW(type)                                                                                            \
    { ARG_TEXT, "where", 0, offsetof(struct type, view.where), "SQL", 0, 0, LAB_WHERE_HELP }
/* Parses a command's arguments: the options and `least` to `most` other words. If it returns false, the command must
 * return *status. */
bool lab_parse(const struct command *self, int count, char **words, void *options, struct arg_list *rest, size_t least,
               size_t most, int *status);
enum sheet_format lab_format(const struct lab_view *view);
struct look lab_look(const struct cli *cli, const struct lab_view *view);
/* Tests the SQL expression of an option on the columns of a table. Complains and returns false if it is wrong, or if it
 * is a list of several; NULL is right. option: such as "lab plot: --by". */
bool lab_accepts(const struct store *store, const char *table, const char *option, const char *expression);
/* The same for an option that may be a list of expressions. */
bool lab_accepts_list(const struct store *store, const char *table, const char *option, const char *expressions);
/* Writes a sheet to standard output and frees it. Ends the program if memory ran out. */
void lab_print(struct sheet *sheet, const struct lab_view *view);
/* The text in a column of row `id` of the table `experiment`; the caller frees it. Complains and returns NULL if it
 * cannot be read. */
char *lab_stored_text(const struct store *store, int64_t id, const char *column);
/* Prints the rows, tables and figures that an experiment defines, from its store. */
int lab_report_store(struct cli *cli, const struct lab_view *view, const char *name);

/* `soloist train` records a training in a store as an experiment that is named after the network's file. */
struct lab_curve {
    struct store *store; /* NULL: none */
    int64_t run;
    struct curve_writer writer;
    soloist_error error; /* error of the curve's writer */
    bool failed;
};
/* domain: the domain as the user typed it. Complains and returns false if opening fails. */
bool lab_curve_open(struct lab_curve *curve, const char *path, const char *out, const char *domain,
                    const struct lesson *lesson, const struct training_wish *wish);
/* A row that cannot be stored is reported once and does not end the training. */
void lab_curve_add(struct lab_curve *curve, const struct training_row *row);
void lab_curve_close(struct lab_curve *curve, bool trained, double time_s);

#endif

#endif
