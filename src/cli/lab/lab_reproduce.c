/* `soloist lab reproduce`: runs a published table, which is an experiment file in data/experiments, and prints our
 * numbers next to the published ones. */
#include "base/natural.h"
#include "cli/shell/format.h"
#include "cli/lab/lab.h"
#include "cli/input/levels.h"
#include "cli/shell/need.h"

#include <ctype.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

struct reproduce_options {
    struct lab_wish wish;
    struct lab_view view;
    bool list;
};

static const struct arg reproduce_rows[] = {
    {ARG_FLAG, "list", 0, offsetof(struct reproduce_options, list), NULL, 0, 0,
     "list all experiments and the time that each takes"},
    {ARG_REAL, "scale", 0, offsetof(struct reproduce_options, wish.scale), "SHARE", 1e-9, 1, LAB_SCALE_HELP},
    {ARG_TEXT, "store", 0, offsetof(struct reproduce_options, wish.store), "FILE", 0, 0, LAB_STORE_HELP},
    {ARG_LIST, "known", 0, offsetof(struct reproduce_options, wish.known), "FILE", 0, 0, LAB_KNOWN_HELP},
    {ARG_INT, "jobs", 'j', offsetof(struct reproduce_options, wish.jobs), "N", 1, 1024,
     "number of runs at the same time, one per core by default"},
    {ARG_TEXT, "data", 0, offsetof(struct reproduce_options, wish.data), "FOLDER", 0, 0, LAB_DATA_HELP},
    {ARG_TEXT, "figures", 0, offsetof(struct reproduce_options, view.figures), "FOLDER", 0, 0,
     "write the figures to FOLDER, as SVG, PNG and PDF"},
    {ARG_CHOICE, "level", 0, offsetof(struct reproduce_options, view.level), LAB_LEVEL, 0, 0, LAB_LEVEL_HELP},
    {ARG_CHOICE, "format", 'f', offsetof(struct reproduce_options, view.format), LAB_FORMAT, 0, 0, LAB_FORMAT_HELP},
    {ARG_FLAG, "quiet", 'q', offsetof(struct reproduce_options, wish.quiet), NULL, 0, 0, "print only the table"},
    {0},
};

static bool find_table(const char *id, char *path, size_t room) {
    char below[64] = "experiments/";
    size_t start = strlen(below);
    snprintf(below + start, sizeof below - start, "%.40s.lab", id);
    if (levels_find(below, path, room))
        return true;
    below[start] = (char)toupper((unsigned char)below[start]);
    return levels_find(below, path, room);
}

/* ---- the list ---- */

struct names {
    char **items;
    size_t count;
};

static int is_experiment_file(const struct dirent *entry) {
    const char *dot = strrchr(entry->d_name, '.');
    return dot && dot > entry->d_name && !strcmp(dot, ".lab");
}

/* Adds the names of the experiment files of one data folder. */
static void add_names(struct names *names, const char *folder) {
    char path[4096];
    struct dirent **entries;
    snprintf(path, sizeof path, "%s/experiments", folder);
    int count = scandir(path, &entries, is_experiment_file, NULL);
    if (count < 0)
        return;
    names->items = need_resized(names->items, names->count + (size_t)count + 1, sizeof *names->items);
    for (int i = 0; i < count; i++) {
        const char *name = entries[i]->d_name;
        names->items[names->count++] = need_text(name, strlen(name) - strlen(".lab"));
        free(entries[i]);
    }
    free(entries);
}

static int compare_names(const void *a, const void *b) {
    const char *left = *(char *const *)a, *right = *(char *const *)b;
    return natural_compare(left, strlen(left), right, strlen(right));
}

static int list_tables(void) {
    struct level_sets sets = levels_open();
    struct names names = {0};
    int width = 0;
    for (size_t i = 0; i < sets.count; i++)
        add_names(&names, sets.folders[i]);
    level_sets_close(&sets);
    if (names.count)
        qsort(names.items, names.count, sizeof *names.items, compare_names);
    for (size_t i = 0; i < names.count; i++)
        width = (int)strlen(names.items[i]) > width ? (int)strlen(names.items[i]) : width;
    printf("%-*s  %-28s  %s\n", width, "id", "time on one core, scale 1", "title");
    for (size_t i = 0; i < names.count; i++) {
        const char *name = names.items[i];
        char path[4096];
        struct lab_file file;
        if ((i && !strcmp(name, names.items[i - 1])) || /* a file that an earlier folder has, too */
            !find_table(name, path, sizeof path) || !lab_file_open(&file, path))
            continue;
        printf("%-*s  %-28s  %s\n", width, name, file.experiment.cost, file.experiment.title);
        lab_file_close(&file);
    }
    for (size_t i = 0; i < names.count; i++)
        free(names.items[i]);
    free(names.items);
    return CLI_OK;
}

/* ---- one table ---- */

static void print_about(const struct lab_file *file, double scale, const struct plan_extent *extent) {
    printf("%s: %s\n", file->name, file->experiment.title);
    if (*file->experiment.about)
        printf("%s\n", file->experiment.about);
    if (file->experiment.share < 1)
        printf("This is a small run: it does at most %g %% of the published work.\n",
               100 * scale * file->experiment.share);
    if (scale < 1 && extent->all)
        printf("on %llu of the %llu instances in %zu set%s (scale %g)\n", (unsigned long long)extent->chosen,
               (unsigned long long)extent->all, file->experiment.source_count,
               file->experiment.source_count == 1 ? "" : "s", scale);
    if (scale < 1 && file->experiment.training_count)
        printf("trainings have %g %% of their full length\n", 100 * scale);
    printf("\n");
}

static int reproduce(struct cli *cli, struct reproduce_options *options, const char *id) {
    char path[4096];
    struct lab_file file;
    if (!find_table(id, path, sizeof path))
        return cli_complain("lab reproduce: no table %s: `soloist lab reproduce --list` lists them", id);
    if (!lab_file_open(&file, path))
        return CLI_BAD;
    bool talk = !options->wish.quiet && (options->view.format == 0 || options->view.format == 1 + SHEET_MARKDOWN);
    struct plan_extent extent = {0};
    options->wish.extent = &extent;
    options->wish.table_only = !talk;
    int64_t experiment = 0;
    int status = lab_run_file(cli, &file, &options->wish, &experiment);
    bool any = status != CLI_BAD && (status != CLI_SOME || experiment); /* not if its planning was interrupted */
    if (talk && any)
        print_about(&file, options->wish.scale, &extent);
    options->view.store = options->wish.store;
    if (status == CLI_SOME) /* the run was interrupted: report the results so far at once */
        options->view.figures = NULL;
    if (any && lab_report_store(cli, &options->view, file.name) != CLI_OK)
        status = CLI_BAD;
    lab_file_close(&file);
    return status;
}

static int run(struct cli *cli, const struct command *self, int count, char **words) {
    struct reproduce_options options = {.wish = {.store = LAB_STORE, .scale = 1}};
    struct arg_list rest = {0};
    enum args_verdict verdict = args_parse(self, count, words, &options, &rest);
    int status = verdict == ARGS_DONE ? CLI_OK : CLI_BAD;
    if (verdict == ARGS_GO && options.list)
        status = list_tables();
    else if (verdict == ARGS_GO && rest.count != 1)
        cli_complain("lab reproduce: name one table; `soloist lab reproduce --list` lists them");
    else if (verdict == ARGS_GO && !lab_refuses_lines("lab reproduce", options.wish.store) &&
             lab_join_ranks(cli, &options.wish, &(struct arg_list){0}, &status))
        status = reproduce(cli, &options, rest.items[0]);
    arg_list_free(&options.wish.known);
    arg_list_free(&rest);
    return status;
}

const struct command lab_reproduce_command = {
    .name = "lab reproduce",
    .summary = "repeat the experiment of a published table and print the published numbers beside the new ones",
    .usage = "TABLE [OPTIONS]",
    .about =
        "TABLE is T1 to T22, or the name of another file in data/experiments (--list). The runs for the table are\n"
        "stored and resumed like those of any experiment; --scale 0.1 takes a tenth of the instances. Level sets\n"
        "that no package contains are looked for in the folders of --data. The output shows the published number,\n"
        "ours, their difference and, if it is known, the reason for the difference. Each table is an experiment file\n"
        "in data/experiments: copy it to try variations.",
    .args = reproduce_rows,
    .ranks = true,
    .run = run,
};
