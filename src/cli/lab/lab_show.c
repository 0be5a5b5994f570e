/* `soloist lab show`, `lab compare` and `lab plot`: the results in a store as tables, tests and figures. */
#include "base/buffer.h"
#include "cli/lab/lab.h"
#include "cli/shell/need.h"
#include "lab/rounding.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

/* ---- lab show ---- */

struct show_options {
    struct lab_view view;
    const char *sql;
    bool runs;
};

static const struct arg show_rows[] = {
    LAB_VIEW_ROWS(show_options),
    LAB_WHERE_ROW(show_options),
    {ARG_TEXT, "by", 0, offsetof(struct show_options, view.by), "COLUMN,...", 0, 0,
     "group runs by these columns; by default by the label and every column whose values differ within the experiment"},
    {ARG_TEXT, "of", 0, offsetof(struct show_options, view.of), "COLUMN,...", 0, 0,
     "columns or SQL expressions whose means are shown, e.g. nodes/time_s"},
    {ARG_FLAG, "runs", 0, offsetof(struct show_options, runs), NULL, 0, 0, "list every run, one per line"},
    {ARG_TEXT, "sql", 0, offsetof(struct show_options, sql), "SELECT ...", 0, 0,
     "print the result of this query on the view `runs`"},
    {0},
};

#define RUNS                                                                                                           \
    "SELECT id, label, source, number, seed, status, stopped, value, iterations, nodes, cpu_s, signature FROM runs"    \
    " WHERE (%s) ORDER BY id, source, number"

/* The name of an option that has no effect on a list of runs or on the result of a query; NULL if there is none. */
static const char *unused_option(const struct show_options *options) {
    if (!options->sql && !options->runs)
        return NULL;
    return options->view.by                      ? "--by"
           : options->view.of                    ? "--of"
           : options->view.level                 ? "--level"
           : options->sql && options->view.where ? "--where"
           : options->sql && options->runs       ? "--runs"
                                                 : NULL;
}

static int show(struct cli *cli, const struct show_options *options, const char *name) {
    struct look look = lab_look(cli, &options->view);
    struct sheet sheet;
    soloist_error error = {0};
    char sql[4096];
    if (unused_option(options))
        return cli_complain("lab show: %s does not go together with %s", unused_option(options),
                            options->sql ? "--sql" : "--runs");
    struct store *store = lab_open_experiment(options->view.store, name, NULL);
    if (!store)
        return CLI_BAD;
    if (!options->sql && !(lab_accepts_list(store, "runs", "lab show: --by", look.by) &&
                           lab_accepts_list(store, "runs", "lab show: --of", look.of) &&
                           lab_accepts(store, "runs", "lab show: --where", look.where)))
        return store_close(store), CLI_BAD;
    snprintf(sql, sizeof sql, RUNS, look.where ? look.where : "1");
    bool well = options->sql    ? look_query(store, options->sql, &sheet, &error)
                : options->runs ? look_query(store, sql, &sheet, &error)
                                : look_groups(store, &look, &sheet, &error);
    store_close(store);
    if (!well)
        return cli_complain("%s%s", options->sql ? "lab show: --sql: " : "", error.text);
    lab_print(&sheet, &options->view);
    return CLI_OK;
}

static int run_show(struct cli *cli, const struct command *self, int count, char **words) {
    struct show_options options = {.view.store = LAB_STORE};
    struct arg_list rest = {0};
    int status;
    if (lab_parse(self, count, words, &options, &rest, 0, 1, &status))
        status = show(cli, &options, rest.count ? rest.items[0] : NULL);
    arg_list_free(&rest);
    return status;
}

const struct command lab_show_command = {
    .name = "lab show",
    .summary = "print tables of means and confidence intervals",
    .usage = "[EXPERIMENT] [OPTIONS]",
    .about =
        "Intervals are Student's t intervals for means, and Wilson's for shares of runs (solved, optimal). The columns "
        "are\n"
        "those of the view `runs`: id instance label source number domain options name method seed iterations_limit\n"
        "nodes_limit time_limit memory_limit threads network status stopped solved value score cost moves pushes "
        "optimal\n"
        "solution time_s cpu_s nodes expanded iterations playouts evaluations eliminated skipped tree_depth peak_bytes "
        "ran error "
        "version\n"
        "signature finished.",
    .args = show_rows,
    .run = run_show,
};

/* ---- lab compare ---- */

struct compare_options {
    struct lab_view view;
    const char *experiment;
};

static const struct arg compare_rows[] = {
    LAB_VIEW_ROWS(compare_options),
    LAB_WHERE_ROW(compare_options),
    {ARG_TEXT, "of", 0, offsetof(struct compare_options, view.of), "COLUMN", 0, 0,
     "column or SQL expression to compare; value (cost or score) by default"},
    {ARG_TEXT, "experiment", 'e', offsetof(struct compare_options, experiment), "NAME", 0, 0, LAB_NAME_HELP},
    {0},
};

static void put_line(struct sheet *sheet, const char *what, double value, bool apart) {
    sheet_put(sheet, what);
    sheet_number(sheet, value, apart ? 0 : 3);
}

static void put_count(struct sheet *sheet, const char *what, uint64_t count) {
    sheet_put(sheet, what);
    sheet_number(sheet, (double)count, 0);
}

/* A number that is rounded to what its own interval supports; for programs, it is not rounded. */
static void put_rounded(struct sheet *sheet, const char *what, double value, double half, bool apart) {
    char text[ROUNDING_ROOM] = "";
    sheet_put(sheet, what);
    if (apart || isnan(value)) {
        sheet_number(sheet, value, 0);
        return;
    }
    rounding_value(value, half, false, text);
    sheet_put(sheet, text);
}

static void fill_comparison(struct sheet *sheet, const char *a, const char *b, const struct lab_view *view,
                            const struct look_pairs *pairs, bool apart) {
    bool any = pairs->instances;
    char text[160];
    sheet_open(sheet, 2);
    sheet_put(sheet, "what");
    sheet_put(sheet, view->of ? view->of : "value");
    put_count(sheet, "pairs of runs", pairs->runs);
    put_count(sheet, "instances with both values", pairs->instances);
    snprintf(text, sizeof text, "mean of %.100s", a);
    put_rounded(sheet, text, any ? pairs->mean_a : NAN, pairs->half_a, apart);
    snprintf(text, sizeof text, "mean of %.100s", b);
    put_rounded(sheet, text, any ? pairs->mean_b : NAN, pairs->half_b, apart);
    put_rounded(sheet, "mean difference", any ? pairs->mean_difference : NAN, pairs->half_width, apart);
    snprintf(text, sizeof text, "its interval, half width (%s %%)", view->level == 2 ? "99" : "95");
    put_rounded(sheet, text, pairs->instances > 1 ? pairs->half_width : NAN, pairs->half_width, apart);
    put_line(sheet, "effect size (mean / standard deviation)", pairs->effect, apart);
    put_line(sheet, "paired t test, p", pairs->p_t, apart);
    put_line(sheet, "Wilcoxon signed ranks, p", pairs->p_wilcoxon, apart);
    put_count(sheet, "solved equally often by both", pairs->equal);
    snprintf(text, sizeof text, "solved more often by %.100s", a);
    put_count(sheet, text, pairs->more_a);
    snprintf(text, sizeof text, "solved more often by %.100s", b);
    put_count(sheet, text, pairs->more_b);
    put_count(sheet, "solved by neither", pairs->neither);
    put_line(sheet, "McNemar's exact test, p", pairs->p_mcnemar, apart);
}

static int compare(struct cli *cli, const struct compare_options *options, const struct arg_list *labels) {
    struct look look = lab_look(cli, &options->view);
    struct look_pairs pairs;
    struct sheet sheet;
    char sentence[LOOK_SENTENCE];
    soloist_error error = {0};
    bool two = labels->count == 2;
    struct store *store = lab_open_experiment(options->view.store, options->experiment, NULL);
    if (!store)
        return CLI_BAD;
    if (!lab_accepts(store, "runs", "lab compare: --of", look.of) ||
        !lab_accepts(store, "runs", "lab compare: --where", look.where))
        return store_close(store), CLI_BAD;
    bool well = two ? look_compare(store, labels->items[0], labels->items[1], &look, &pairs, &error)
                    : look_compare_all(store, (const char *const *)labels->items, labels->count, &look, &sheet, &error);
    store_close(store);
    if (!well)
        return cli_complain("%s", error.text);
    if (two)
        fill_comparison(&sheet, labels->items[0], labels->items[1], &options->view, &pairs, look.apart);
    lab_print(&sheet, &options->view);
    if (two && !look.apart) {
        look_tell_pairs(labels->items[0], labels->items[1], &pairs, 1, &look, sentence);
        printf("\n%s.\n", sentence);
    }
    return CLI_OK;
}

static int run_compare(struct cli *cli, const struct command *self, int count, char **words) {
    struct compare_options options = {.view.store = LAB_STORE};
    struct arg_list rest = {0};
    int status;
    if (lab_parse(self, count, words, &options, &rest, 0, 1000, &status)) {
        if (rest.count == 1)
            status = cli_complain("lab compare: name two labels or more, or none to compare all");
        else
            status = compare(cli, &options, &rest);
    }
    arg_list_free(&rest);
    return status;
}

const struct command lab_compare_command = {
    .name = "lab compare",
    .summary = "compare methods by paired statistical tests",
    .usage = "[A B ...] [OPTIONS]",
    .about =
        "A and B are labels of the experiment's methods; without A and B, all labels are compared with each other.\n"
        "The runs of two labels are paired by instance and seed (and by budget, if one of them has several). Then "
        "each\n"
        "instance counts once, with the means of its pairs, because runs with different seeds on one instance are not\n"
        "independent. The values are compared by the paired t test and Wilcoxon's signed-rank test; the numbers of\n"
        "instances that one label solved more often than the other are compared by McNemar's test. The effect size is\n"
        "the mean difference divided by the standard deviation of the differences. If there are more than two labels,\n"
        "the p-values are corrected for the number of comparisons by Holm's method.",
    .args = compare_rows,
    .run = run_compare,
};

/* ---- lab plot ---- */

struct plot_options {
    struct lab_view view;
    const char *x, *y, *out, *title;
    bool log_x, log_y, bars, curves, profile, ranks;
};

static const struct arg plot_rows[] = {
    {ARG_TEXT, "store", 0, offsetof(struct plot_options, view.store), "FILE", 0, 0, LAB_STORE_HELP},
    LAB_WHERE_ROW(plot_options),
    {ARG_CHOICE, "level", 0, offsetof(struct plot_options, view.level), LAB_LEVEL, 0, 0, LAB_LEVEL_HELP},
    {ARG_TEXT, "out", 'o', offsetof(struct plot_options, out), "FILE", 0, 0,
     "file for the figure; its name ends in .svg, .png or .pdf"},
    {ARG_TEXT, "x", 'x', offsetof(struct plot_options, x), "COLUMN", 0, 0,
     "column of the x axis; by default iterations_limit, or time_s with --curves"},
    {ARG_TEXT, "y", 'y', offsetof(struct plot_options, y), "COLUMN", 0, 0,
     "column whose mean is drawn; by default 100*solved, or value with --curves"},
    {ARG_TEXT, "by", 0, offsetof(struct plot_options, view.by), "COLUMN", 0, 0,
     "draw one line per value of this column; the label by default"},
    {ARG_TEXT, "title", 0, offsetof(struct plot_options, title), "TEXT", 0, 0,
     "title of the figure, by default that of the experiment"},
    {ARG_FLAG, "curves", 0, offsetof(struct plot_options, curves), NULL, 0, 0,
     "plot how runs developed over time instead of their final results"},
    {ARG_FLAG, "profile", 0, offsetof(struct plot_options, profile), NULL, 0, 0,
     "performance profile: for each label, the share of its runs whose --y (time_s by default) is at most a given "
     "multiple of the best label's --y; for score: at least a given fraction of the best score; at multiple 1, labels "
     "that are equally good are all best"},
    {ARG_FLAG, "ranks", 0, offsetof(struct plot_options, ranks), NULL, 0, 0,
     "critical-difference plot: mean ranks of the labels by the mean of --y on each instance; --y is value by default; "
     "lower numbers are better, except for score"},
    {ARG_FLAG, "log-x", 0, offsetof(struct plot_options, log_x), NULL, 0, 0, "logarithmic x axis"},
    {ARG_FLAG, "log-y", 0, offsetof(struct plot_options, log_y), NULL, 0, 0, "logarithmic y axis"},
    {ARG_FLAG, "bars", 0, offsetof(struct plot_options, bars), NULL, 0, 0, "bars instead of lines"},
    {0},
};

static bool draw_profile(const struct store *store, const struct plot_options *options, const struct look *look,
                         const char *title, soloist_error *error) {
    struct look_profile profile;
    bool well = look_profile_open(&profile, store, options->y ? options->y : "time_s", look->where, error);
    profile.figure.title = title;
    well = well && look_plot(store, &profile.figure, look, options->out, error);
    look_profile_close(&profile);
    return well;
}

static bool draw_ranks(const struct store *store, const struct plot_options *options, const struct look *look,
                       const char *title, soloist_error *error) {
    const char *y = options->y ? options->y : "value";
    struct look_ranks ranks = {.title = title, .of = y, .more = !strcmp(y, "score")};
    return look_plot_ranks(store, &ranks, look, options->out, error);
}

static bool draw_means(const struct store *store, const struct plot_options *options, const struct look *look,
                       const char *title, soloist_error *error) {
    const char *x = options->x ? options->x : options->curves ? "time_s" : "iterations_limit";
    const char *y = options->y ? options->y : options->curves ? "value" : "100*solved";
    struct look_means means = {look->by ? look->by : "label", x, y, look->where, options->curves};
    struct buffer sql;
    buffer_open(&sql);
    soloist_sink sink = buffer_sink(&sql);
    look_write_means(&sink, &means);
    need_whole(&sql);
    struct look_figure figure = {.title = title,
                                 .x = look_axis_name(x),
                                 .y = look_axis_name(y),
                                 .log_x = options->log_x,
                                 .log_y = options->log_y,
                                 .bars = options->bars,
                                 .sql = sql.text};
    bool any = true;
    bool well = (!options->curves || look_has_points(store, &figure, &any, error)) &&
                (any || soloist_fail(error, 0, 0,
                                     "nothing to draw: only trainings and searches with a time limit have curves, and "
                                     "none of them gives a point")) &&
                look_plot(store, &figure, look, options->out, error);
    buffer_close(&sql);
    return well;
}

/* The name of an option that the chosen kind of figure does not have; NULL if there is none. */
static const char *useless_option(const struct plot_options *options) {
    if (!options->profile && !options->ranks)
        return NULL;
    return options->curves       ? "--curves"
           : options->x          ? "--x"
           : options->view.by    ? "--by"
           : options->view.level ? "--level"
           : options->log_x      ? "--log-x"
           : options->log_y      ? "--log-y"
           : options->bars       ? "--bars"
                                 : NULL;
}

static int plot(struct cli *cli, const struct plot_options *options, const char *name) {
    struct look look = lab_look(cli, &options->view);
    soloist_error error = {0};
    int64_t id;
    if (options->profile && options->ranks)
        return cli_complain("lab plot: --profile and --ranks are two figures: draw one at a time");
    if (useless_option(options))
        return cli_complain("lab plot: %s does not go together with %s", useless_option(options),
                            options->profile ? "--profile" : "--ranks");
    if (!options->out)
        return cli_complain("lab plot: name the figure's file with --out FILE.svg, FILE.png or FILE.pdf");
    struct store *store = lab_open_experiment(options->view.store, name, &id);
    if (!store)
        return CLI_BAD;
    const char *table = options->curves ? "curves" : "runs";
    if (!lab_accepts(store, table, "lab plot: --by", look.by) ||
        !lab_accepts(store, table, "lab plot: --where", look.where) ||
        !lab_accepts(store, table, "lab plot: --x", options->x) ||
        !lab_accepts(store, table, "lab plot: --y", options->y))
        return store_close(store), CLI_BAD;
    char *stored = lab_stored_text(store, id, "title");
    if (!stored)
        return store_close(store), CLI_BAD;
    const char *title = options->title ? options->title : stored;
    bool well = (options->profile ? draw_profile
                 : options->ranks ? draw_ranks
                                  : draw_means)(store, options, &look, title, &error);
    store_close(store);
    free(stored);
    return well ? CLI_OK : cli_complain("%s", error.text);
}

static int run_plot(struct cli *cli, const struct command *self, int count, char **words) {
    struct plot_options options = {.view.store = LAB_STORE};
    struct arg_list rest = {0};
    int status;
    signal(SIGPIPE, SIG_IGN); /* if gnuplot is missing, an error message is printed instead */
    if (lab_parse(self, count, words, &options, &rest, 0, 1, &status))
        status = plot(cli, &options, rest.count ? rest.items[0] : NULL);
    arg_list_free(&rest);
    return status;
}

const struct command lab_plot_command = {
    .name = "lab plot",
    .summary = "draw means with intervals, as SVG, PNG or PDF",
    .usage = "[EXPERIMENT] --out FILE [OPTIONS]",
    .about =
        "Each point is the mean over the runs with the same x, drawn with its confidence interval. The columns are\n"
        "those of `lab show`; with --curves they are label source number instance method seed time_limit threads\n"
        "status run row time_s value interval nodes iterations doing generation steps games positions policy_loss\n"
        "value_loss validation_policy_loss validation_value_loss validation_entropy played played_mean\n"
        "played_interval stage iteration_solve_rate. For a search, the column `value` is the best value so far; for a\n"
        "training, it is the mean score of the policy without search.\n"
        "--profile and --ranks compare runs with the same instance and seed; if one of the labels has several "
        "budgets,\n"
        "only runs with equal budgets are compared. Only instances, seeds and budgets with runs of all labels are "
        "used;\n"
        "--where selects labels and budgets. `lab report` draws the figures that an experiment file defines. Figures "
        "are\n"
        "drawn by gnuplot.",
    .args = plot_rows,
    .run = run_plot,
};
