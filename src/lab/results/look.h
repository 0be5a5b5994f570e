/* Results of the experiment that store_look_at selected: tables, tests, and the rows and figures that the experiment
 * defines. Columns are SQL expressions over the view `runs`; nothing here can change the store. */
#ifndef LAB_RESULTS_LOOK_H
#define LAB_RESULTS_LOOK_H

#include "base/buffer.h"
#include "lab/experiment.h"
#include "lab/results/store.h"
#include "lab/sheet.h"
#include "lab/statistics.h"

struct look {
    /* by: the expressions by which runs are grouped; of: the expressions whose means are computed. Each is a list
     * "expression,expression". If `by` is NULL, all columns that vary are used; if `of` is NULL, all columns that have
     * values. */
    const char *by, *of;
    const char *where; /* NULL: all runs */
    double level;      /* confidence level of the intervals, such as 0.95 */
    bool apart;        /* mean and interval in separate columns, for programs */
    bool ascii;        /* write +- instead of a plus-minus sign */
    /* Set by look_extent. small: the runs are too small a share of the published work to say that a row agrees;
     * partial: they are only a part of the experiment, so the explanations in its text need not hold for them. */
    bool small, partial;
};

/* One row per group: number of runs, then mean and interval of each expression. */
bool look_groups(const struct store *store, const struct look *look, struct sheet *sheet, soloist_error *error);
/* The result of any query. */
bool look_query(const struct store *store, const char *sql, struct sheet *sheet, soloist_error *error);

/* Compares the runs with label `a` and those with label `b`, paired by instance and seed (and budget, if there are
 * several). Each instance counts once, with the means of its pairs: runs with different seeds are not independent
 * instances. */
struct look_pairs {
    uint64_t runs;      /* number of pairs of runs */
    uint64_t instances; /* number of instances with a pair in which both runs have a value */
    /* mean_difference: mean of a - b over the instances. half_a, half_b, half_width: half the widths of the confidence
     * intervals of mean_a, mean_b and mean_difference. */
    double mean_a, half_a, mean_b, half_b, mean_difference, half_width;
    double effect;          /* mean difference / standard deviation of the differences (Cohen's d); NaN: not known */
    uint64_t higher, lower; /* numbers of instances on which a is greater than b, and less than b */
    double p_t, p_wilcoxon; /* NaN: nothing to test */
    /* On how many instances both solved equally many of their runs, at least one; one solved more than the other; and
     * neither solved any. */
    uint64_t equal, more_a, more_b, neither;
    double p_mcnemar;
};
bool look_compare(const struct store *store, const char *a, const char *b, const struct look *look,
                  struct look_pairs *pairs, soloist_error *error);

/* One plain sentence on a comparison at the 5 % level. tests: number of comparisons for which the p-values were
 * corrected; 1: they were not corrected. */
enum { LOOK_SENTENCE = 900 };
void look_tell_pairs(const char *a, const char *b, const struct look_pairs *pairs, size_t tests,
                     const struct look *look, char out[LOOK_SENTENCE]);
/* Compares each pair of the given labels, or of all labels if `count` is 0, and corrects the p-values by Holm's method.
 * The last column of the sheet holds the sentence of look_tell_pairs. */
bool look_compare_all(const struct store *store, const char *const *labels, size_t count, const struct look *look,
                      struct sheet *sheet, soloist_error *error);

/* An SQL expression over the runs: the budget of a run in words, such as "300 iterations". */
#define LOOK_BUDGET                                                                                                    \
    "rtrim(iif(iterations_limit, iterations_limit || ' iterations, ', '')"                                             \
    " || iif(nodes_limit, nodes_limit || ' nodes, ', '')"                                                              \
    " || iif(time_limit, rtrim(rtrim(time_limit, '0'), '.') || ' s, ', '')"                                            \
    " || iif(memory_limit <> 1 << 30, memory_limit || ' bytes, ', '')"                                                 \
    " || iif(threads > 1, threads || ' threads', ''), ', ')"

/* The runs by which a figure compares all labels at once. A block is an instance, a seed and, if a label has several
 * budgets among the selected runs, a budget. Only runs in blocks in which every label has a run are compared. */
enum { LOOK_BUDGETS = 160 };
struct look_blocks {
    /* The beginning of a query, "WITH ... compared AS (...)", which defines the table compared(label, instance, seed,
     * budget, wish). wish: the value of the expression `of`; NULL if the run solved nothing. */
    struct buffer sql;
    char budgets[LOOK_BUDGETS]; /* the compared budgets in words; "": no label has several */
};
/* where: selects runs; may be NULL. Returns false with an error if there are no runs to compare. The blocks must be
 * closed in either case. */
bool look_blocks_open(struct look_blocks *blocks, const struct store *store, const char *of, const char *where,
                      soloist_error *error);
void look_blocks_close(struct look_blocks *blocks);

/* Draws the mean ranks of the labels with Nemenyi's critical difference (Demsar 2006): two labels differ at the 5 %
 * level if their bars do not overlap. Each instance gives one rank: a label that solved a greater share of its compared
 * runs on the instance is better; of labels with equal shares, the one with the better mean is. of: the SQL expression
 * whose mean is taken; more: whether greater values are better. */
struct look_ranks {
    const char *title, *of;
    bool more;
};
bool look_plot_ranks(const struct store *store, const struct look_ranks *ranks, const struct look *look,
                     const char *path, soloist_error *error);

/* Finds out how much of experiment number `id`, and of the published work, was run, and sets look->small and
 * look->partial. */
bool look_extent(const struct store *store, int64_t id, const struct experiment *experiment, struct look *look,
                 soloist_error *error);
/* The rows that the experiment defines: label, published, ours, difference, why. Rows whose queries find no value in
 * the finished runs are left out; *missing is their number. */
bool look_rows(const struct store *store, const struct experiment *experiment, const struct look *look,
               struct sheet *sheet, size_t *missing, soloist_error *error);

/* The beginning of a query for the points of a figure; %s: the figure's own query. */
#define LOOK_FIGURE "WITH figure(series, x, y) AS (%s)"

/* A figure: a title, axes, and a query for the points. */
struct look_figure {
    const char *title, *x, *y; /* x, y: titles of the axes, with units */
    bool log_x, log_y, bars;
    bool plain;      /* lines without intervals and marks */
    const char *sql; /* returns series, x, y */
};
/* One point of a figure: the sample of all y values that a series has at one x value. */
struct look_point {
    const char *series;
    const char *word; /* the x value if it is a word; NULL: it is a number, in `x` */
    double x;
    const struct sample *sample;
};
/* Calls `take` for every point that a figure's query returns, sorted by series, then by x. If `take` returns false, it
 * has filled the error, and look_points returns false at once. */
bool look_points(const struct store *store, const char *sql, bool (*take)(void *user, const struct look_point *point),
                 void *user, soloist_error *error);
/* A figure of means over the runs or, if `curves` is true, over their curves. */
struct look_means {
    const char *series, *x, *y; /* SQL expressions */
    const char *where;          /* NULL: all runs */
    bool curves;
};
/* Writes the query of such a figure. A run whose instance is in several sources counts once in each point. */
void look_write_means(const soloist_sink *sink, const struct look_means *means);
/* The confidence interval of the mean. If `percent` is true, the interval is cut to 0 .. 100. */
void look_interval(const struct sample *sample, double level, bool percent, double *low, double *high);
/* The title of an axis that shows this column, with its unit. */
const char *look_axis_name(const char *column);
/* A performance profile (Dolan and More 2002): for each factor x, the percentage of a label's compared runs
 * (look_blocks) whose y is within the factor x of the best label's y in the same block. */
enum { LOOK_AXIS = 100 + LOOK_BUDGETS };
struct look_profile {
    struct look_figure figure; /* without a title */
    struct buffer sql;
    char axis[LOOK_AXIS];
};
/* `where` may be NULL. The profile must be closed in either case. */
bool look_profile_open(struct look_profile *profile, const struct store *store, const char *y, const char *where,
                       soloist_error *error);
void look_profile_close(struct look_profile *profile);
/* *any: whether the figure's query returns at least one point for the finished runs. */
bool look_has_points(const struct store *store, const struct look_figure *figure, bool *any, soloist_error *error);
/* Lets gnuplot draw the figure into a file whose name ends in .svg, .png or .pdf. */
bool look_plot(const struct store *store, const struct look_figure *figure, const struct look *look, const char *path,
               soloist_error *error);

#endif
