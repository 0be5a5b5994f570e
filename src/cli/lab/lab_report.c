/* `soloist lab report` and `lab book`: the rows, tables and figures that experiments define, on the terminal or as a
 * page of Markdown. */
#include "base/buffer.h"
#include "cli/shell/table.h"
#include "cli/shell/files.h"
#include "cli/lab/lab.h"
#include "cli/lab/lab_page.h"
#include "cli/shell/need.h"
#include "lab/results/query.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* An experiment of the store, parsed from the text that is stored with it. */
struct reported {
    struct store *store;
    int64_t id;
    char *name, *text;
    struct experiment experiment;
};

static void reported_close(struct reported *reported) {
    experiment_free(&reported->experiment);
    free(reported->name);
    free(reported->text);
    store_close(reported->store);
}

static bool reported_open(struct reported *reported, const char *path, const char *name) {
    soloist_error error = {0};
    *reported = (struct reported){0};
    reported->store = lab_open_experiment(path, name, &reported->id);
    if (!reported->store)
        return false;
    reported->name = lab_stored_text(reported->store, reported->id, "name");
    reported->text = reported->name ? lab_stored_text(reported->store, reported->id, "text") : NULL;
    if (reported->text && experiment_read(reported->text, strlen(reported->text), &reported->experiment, &error))
        return true;
    if (*error.text)
        cli_complain("%s: %s", name ? name : path, error.text);
    reported_close(reported);
    return false;
}

/* ---- shared by both ---- */

static bool write_rows(const struct reported *reported, const struct look *look, const struct lab_view *view,
                       const soloist_sink *sink, soloist_error *error) {
    struct sheet sheet;
    struct look rows = *look;
    size_t missing;
    if (!reported->experiment.row_count)
        return true;
    if (!look_extent(reported->store, reported->id, &reported->experiment, &rows, error) ||
        !look_rows(reported->store, &reported->experiment, &rows, &sheet, &missing, error))
        return false;
    table_write(&sheet, lab_format(view), sink);
    if (missing && !look->apart)
        soloist_print(sink, "\nno finished run gives a value for %zu more row%s\n", missing, missing == 1 ? "" : "s");
    sheet_close(&sheet);
    return true;
}

static bool write_tables(const struct reported *reported, const struct look *look, const struct lab_view *view,
                         const soloist_sink *sink, soloist_error *error) {
    const struct experiment *experiment = &reported->experiment;
    for (size_t i = 0; i < experiment->table_count; i++) {
        struct sheet sheet;
        if (!look_query(reported->store, experiment->tables[i].sql, &sheet, error))
            return false;
        if (!look->apart)
            soloist_print(sink, "%s%s\n\n", i || experiment->row_count ? "\n" : "", experiment->tables[i].name);
        table_write(&sheet, lab_format(view), sink);
        sheet_close(&sheet);
    }
    return true;
}

/* Writes the table of `lab show`, for an experiment that defines no row, table or figure. */
static bool write_means(const struct reported *reported, const struct look *look, const struct lab_view *view,
                        const soloist_sink *sink, soloist_error *error) {
    struct sheet sheet;
    if (!look_groups(reported->store, look, &sheet, error))
        return false;
    table_write(&sheet, lab_format(view), sink);
    sheet_close(&sheet);
    return true;
}

static struct look_figure figure_of(const struct reported *reported, size_t number) {
    const struct experiment_query *query = &reported->experiment.figures[number];
    return (struct look_figure){query->name,  query->x,    query->y,     query->log_x,
                                query->log_y, query->bars, query->plain, query->sql};
}

/* Draws a figure. If no finished run gives it a point, *drawn is false, and no file is written. */
static bool draw(const struct reported *reported, size_t number, const struct look *look, const char *path,
                 bool *drawn) {
    struct look_figure figure = figure_of(reported, number);
    soloist_error error = {0};
    bool well = look_has_points(reported->store, &figure, drawn, &error) &&
                (!*drawn || look_plot(reported->store, &figure, look, path, &error));
    if (!well)
        cli_complain("figure %s: %s", figure.title, error.text);
    return well;
}

/* ---- lab report ---- */

struct report_options {
    struct lab_view view;
};

static const struct arg report_rows[] = {
    LAB_VIEW_ROWS(report_options),
    {ARG_TEXT, "figures", 0, offsetof(struct report_options, view.figures), "FOLDER", 0, 0,
     "write the figures to FOLDER, as SVG, PNG and PDF"},
    {0},
};

static bool draw_figures(const struct reported *reported, const struct look *look, const char *folder) {
    static const char *const endings[] = {"svg", "png", "pdf"};
    mkdir(folder, 0777);
    for (size_t i = 0; i < 3 * reported->experiment.figure_count; i++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s-%zu.%s", folder, reported->name, i / 3 + 1, endings[i % 3]);
        bool drawn;
        if (!draw(reported, i / 3, look, path, &drawn))
            return false;
        if (drawn)
            printf("figure: %s\n", path);
        else if (i % 3 == 0)
            printf("no finished run gives a point of the figure %s\n", reported->experiment.figures[i / 3].name);
    }
    return true;
}

/* Says on standard error why a report prints nothing. */
static void tell_empty(const struct reported *reported, const struct lab_view *view) {
    const struct experiment *experiment = &reported->experiment;
    if (experiment->row_count || experiment->table_count || (experiment->figure_count && view->figures))
        return;
    if (experiment->figure_count)
        cli_complain("%s defines only figures: `soloist lab report --figures FOLDER` draws them", reported->name);
    else
        cli_complain("%s defines no row, table or figure, so its report is empty: `soloist lab show` prints means",
                     reported->name);
}

int lab_report_store(struct cli *cli, const struct lab_view *view, const char *name) {
    struct look look = lab_look(cli, view);
    struct reported reported;
    soloist_error error = {0};
    soloist_sink sink = cli_sink(stdout);
    signal(SIGPIPE, SIG_IGN);
    if (!reported_open(&reported, view->store, name))
        return CLI_BAD;
    tell_empty(&reported, view);
    bool well = write_rows(&reported, &look, view, &sink, &error) &&
                write_tables(&reported, &look, view, &sink, &error) &&
                (!view->figures || draw_figures(&reported, &look, view->figures));
    reported_close(&reported);
    if (*error.text)
        cli_complain("%s", error.text);
    return well ? CLI_OK : CLI_BAD;
}

static int run_report(struct cli *cli, const struct command *self, int count, char **words) {
    struct report_options options = {.view.store = LAB_STORE};
    struct arg_list rest = {0};
    int status;
    if (lab_parse(self, count, words, &options, &rest, 0, 1, &status))
        status = lab_report_store(cli, &options.view, rest.count ? rest.items[0] : NULL);
    arg_list_free(&rest);
    return status;
}

const struct command lab_report_command = {
    .name = "lab report",
    .summary = "print the rows, tables and figures that an experiment defines",
    .usage = "[EXPERIMENT] [OPTIONS]",
    .about =
        "Uses only runs that are in the store; makes no new ones. \"agrees\" means that the published interval and\n"
        "ours overlap, and that the half width of our own 95 % interval is at most 5 % of our value; if the\n"
        "intervals overlap, but ours is wider, the report says \"not enough runs\". If the runs are less than a "
        "quarter\n"
        "of the published work, no row says \"agrees\".",
    .args = report_rows,
    .run = run_report,
};

/* ---- lab book ---- */

struct book_options {
    struct lab_view view;
    const char *title, *foreword, *machine;
    bool update, check;
};

static const struct arg book_rows[] = {
    {ARG_TEXT, "store", 0, offsetof(struct book_options, view.store), "FILE", 0, 0, LAB_STORE_HELP},
    {ARG_TEXT, "title", 0, offsetof(struct book_options, title), "TEXT", 0, 0, "title of the page"},
    {ARG_TEXT, "foreword", 0, offsetof(struct book_options, foreword), "TEXT", 0, 0, "text before the tables"},
    {ARG_TEXT, "machine", 0, offsetof(struct book_options, machine), "TEXT", 0, 0,
     "the machine that made the runs, such as \"16 cores, x86_64, Linux\", if it was not this one"},
    {ARG_CHOICE, "level", 0, offsetof(struct book_options, view.level), LAB_LEVEL, 0, 0, LAB_LEVEL_HELP},
    {ARG_FLAG, "update", 0, offsetof(struct book_options, update), NULL, 0, 0,
     "in the existing PAGE, replace only the chapters of these experiments; with --title also the head of the page"},
    {ARG_FLAG, "check", 0, offsetof(struct book_options, check), NULL, 0, 0,
     "write nothing; list the chapters of PAGE that were made from an experiment file that differs from the installed "
     "one"},
    {0},
};

/* The folder of a page's figures: for docs/RESULTS.md it is docs/figures. */
static void figures_beside(const char *page, char *folder, size_t room) {
    const char *slash = strrchr(page, '/');
    snprintf(folder, room, "%.*sfigures", slash ? (int)(slash - page + 1) : 0, page);
}

/* Writes a duration such as "3.2 h", "14 min" or "5 s". */
static void put_duration(const soloist_sink *sink, double seconds) {
    if (seconds >= 5400)
        soloist_print(sink, "%.1f h", seconds / 3600);
    else if (seconds >= 90)
        soloist_print(sink, "%.0f min", seconds / 60);
    else
        soloist_print(sink, "%.0f s", seconds);
}

static void put_scale(const soloist_sink *sink, double scale, int64_t instances, bool trainings) {
    soloist_print(sink, ", at scale %g: ", scale);
    if (instances)
        soloist_print(sink, "%lld instance%s%s", (long long)instances, instances == 1 ? "" : "s",
                      trainings ? ", " : "");
    if (trainings)
        soloist_print(sink, "trainings of %g %% of their full length", 100 * scale);
}

static bool put_effort(const struct reported *reported, const soloist_sink *sink, soloist_error *error) {
    struct query row;
    query_open(&row, reported->store,
               "WITH made AS (SELECT DISTINCT id, cpu_s, time_s, threads, status, stopped, version FROM runs)"
               " SELECT scale, (SELECT count(*) FROM made), (SELECT total(cpu_s) FROM made),"
               " (SELECT group_concat(DISTINCT version) FROM made),"
               " (SELECT total(time_s) FROM made WHERE status = 'trained'),"
               " (SELECT total(time_s * threads) FROM made WHERE status <> 'trained' AND threads > 1),"
               " (SELECT count(*) FROM instances), (SELECT total(stopped = 'memory') FROM made) FROM experiment WHERE"
               " id = ?1",
               error);
    query_bind(&row, "i", reported->id);
    if (query_next(&row) && query_int(&row, 1)) {
        double scale = query_real(&row, 0);
        soloist_print(sink, "%lld runs", (long long)query_int(&row, 1));
        if (scale < 1)
            put_scale(sink, scale, query_int(&row, 6), reported->experiment.training_count > 0);
        if (reported->experiment.share < 1)
            soloist_print(sink, ", at most %g %% of the published work", 100 * scale * reported->experiment.share);
        double threaded = query_real(&row, 5);
        if (query_real(&row, 2) > 0) {
            soloist_put(sink, threaded > 0 ? "; processor time of runs with one thread " : "; processor time ");
            put_duration(sink, query_real(&row, 2));
        }
        if (threaded > 0) {
            soloist_put(sink, "; wall time of runs with several threads, times their threads, ");
            put_duration(sink, threaded);
        }
        if (query_real(&row, 4) > 0) {
            soloist_put(sink, "; wall time of trainings ");
            put_duration(sink, query_real(&row, 4));
        }
        if (query_real(&row, 7) > 0)
            soloist_print(sink, "; %.0f stopped at the memory limit", query_real(&row, 7));
        soloist_print(sink, "; version %s.\n\n", query_text(&row, 3));
    }
    return query_close(&row);
}

static bool put_chapter(const struct reported *reported, const struct look *look, const struct book_options *options,
                        const char *page, const soloist_sink *sink) {
    const struct lab_view *view = &options->view;
    const struct experiment *experiment = &reported->experiment;
    char folder[4096], path[4300];
    soloist_error error = {0};
    bool defined = experiment->row_count || experiment->table_count || experiment->figure_count;
    soloist_print(sink, "\n## %s%s%s\n\n", reported->name, *experiment->title ? ": " : "", experiment->title);
    if (*experiment->about)
        soloist_print(sink, "%s\n\n", experiment->about);
    page_put_origin(reported->text, options->machine, sink);
    if (!put_effort(reported, sink, &error) || !write_rows(reported, look, view, sink, &error) ||
        !write_tables(reported, look, view, sink, &error) ||
        !(defined || write_means(reported, look, view, sink, &error)))
        return cli_complain("%s: %s", reported->name, error.text), false;
    figures_beside(page, folder, sizeof folder);
    if (experiment->figure_count)
        mkdir(folder, 0777);
    for (size_t i = 0; i < experiment->figure_count; i++) {
        snprintf(path, sizeof path, "%s/%s-%zu.svg", folder, reported->name, i + 1);
        bool drawn;
        if (!draw(reported, i, look, path, &drawn))
            return false;
        if (drawn)
            soloist_print(sink, "\n![%s](figures/%s-%zu.svg)\n", experiment->figures[i].name, reported->name, i + 1);
        else
            soloist_print(sink, "\nNo finished run gives a point of the figure *%s*.\n", experiment->figures[i].name);
    }
    return true;
}

#define MAKER "Written by `soloist lab book`"

static void put_head(const struct book_options *options, const soloist_sink *sink) {
    soloist_print(sink, "# %s\n\n", options->title ? options->title : "Experiments");
    if (options->foreword)
        soloist_print(sink, "%s\n\n", options->foreword);
    soloist_put(sink, MAKER "; each chapter says when and from which runs it was made.\n");
}

/* The page appears only when it is complete. */
static bool write_page(const char *page, const struct buffer *text) {
    struct new_file file;
    need_whole(text);
    if (!new_file_open(&file, page, false))
        return false;
    fwrite(text->text, 1, text->length, file.stream);
    return new_file_keep(&file);
}

static bool put_experiment(struct cli *cli, const struct book_options *options, const char *name, const char *page,
                           const soloist_sink *sink) {
    struct look look = lab_look(cli, &options->view);
    struct reported reported;
    look.ascii = false;
    if (!reported_open(&reported, options->view.store, name))
        return false;
    bool well = put_chapter(&reported, &look, options, page, sink);
    reported_close(&reported);
    return well;
}

/* The place of a name among the experiments that the user named; 0: it is not there. */
static size_t place_of(const struct arg_list *rest, const char *name, size_t length) {
    for (size_t i = 1; name && i < rest->count; i++)
        if (strlen(rest->items[i]) == length && !memcmp(rest->items[i], name, length))
            return i;
    return 0;
}

/* Copies the old page with the chapters of the named experiments made anew; those that it does not have come last. */
static bool put_updated(struct cli *cli, const struct book_options *options, const struct arg_list *rest,
                        const soloist_sink *sink) {
    const char *page = rest->items[0], *name;
    size_t length, name_length, place;
    char *old = file_read(page, &length);
    bool *done = need_zeroed(rest->count, sizeof *done), well = true;
    if (!old) {
        free(done);
        return cli_complain("%s: %s", page, strerror(errno)), false;
    }
    for (const char *at = old; well && (length = page_next(at, &name, &name_length)); at += length) {
        place = place_of(rest, name, name_length);
        size_t kept = length - (length && at[length - 1] == '\n' && at[length] ? 1 : 0);
        if (!name && options->title)
            put_head(options, sink);
        else if (!place)
            soloist_print(sink, "%s%.*s", name ? "\n" : "", (int)kept, at);
        else
            well = done[place] = put_experiment(cli, options, rest->items[place], page, sink);
    }
    for (size_t i = 1; well && i < rest->count; i++)
        well = done[i] || put_experiment(cli, options, rest->items[i], page, sink);
    free(done);
    free(old);
    return well;
}

/* Whether the file is new, empty or an earlier page: only such a file is replaced. */
static bool is_page(const char *path) {
    size_t length;
    struct stat status;
    if (stat(path, &status) || !S_ISREG(status.st_mode) || !status.st_size)
        return true;
    char *text = file_read(path, &length);
    bool ours = text && strstr(text, MAKER);
    free(text);
    return ours ||
           (cli_complain("lab book: %s is not a page that `lab book` has written: choose another name, or delete"
                         " it first",
                         path),
            false);
}

static int book(struct cli *cli, struct book_options *options, const struct arg_list *rest) {
    struct buffer text;
    bool well = true;
    if (!is_page(rest->items[0]))
        return CLI_BAD;
    options->view.format = 1 + SHEET_MARKDOWN;
    signal(SIGPIPE, SIG_IGN);
    buffer_open(&text);
    soloist_sink sink = buffer_sink(&text);
    if (options->update) {
        well = put_updated(cli, options, rest, &sink);
    } else {
        put_head(options, &sink);
        for (size_t i = 1; well && i < rest->count; i++)
            well = put_experiment(cli, options, rest->items[i], rest->items[0], &sink);
    }
    well = well && write_page(rest->items[0], &text);
    buffer_close(&text);
    return well ? CLI_OK : CLI_BAD;
}

static int run_book(struct cli *cli, const struct command *self, int count, char **words) {
    struct book_options options = {.view.store = LAB_STORE};
    struct arg_list rest = {0};
    int status;
    if (lab_parse(self, count, words, &options, &rest, 1, SIZE_MAX, &status)) {
        if (options.check && rest.count == 1)
            status = page_check(rest.items[0]);
        else if (options.check || rest.count < 2)
            status = cli_complain("lab book: expected %s", options.check ? "--check and one PAGE" : self->usage);
        else
            status = book(cli, &options, &rest);
    }
    arg_list_free(&rest);
    return status;
}

const struct command lab_book_command = {
    .name = "lab book",
    .summary = "write a store's experiments as a page of Markdown with figures",
    .usage = "PAGE EXPERIMENT... [OPTIONS], or PAGE --check",
    .about =
        "Writes PAGE, and its figures into the folder figures/ beside it. Uses only runs that are in the store;\n"
        "makes no new ones. Each chapter names the hash of the experiment file that it was made from. With --check,\n"
        "the exit status is 1 if the installed file of an experiment now has a different hash.",
    .args = book_rows,
    .run = run_book,
};
