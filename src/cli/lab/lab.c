/* `soloist lab`: experiments are planned, run, evaluated and repeated here. Each subcommand (verb) is a struct command
 * of its own. */
#include "cli/cli.h"
#include "cli/shell/help.h"
#include "cli/lab/lab.h"
#include "cli/shell/suggest.h"

#include <string.h>

static const struct arg lab_rows[] = {{0}};

#if SOLOIST_WITH_SQLITE

static const struct command *const verbs[] = {&lab_run_command,       &lab_show_command,   &lab_compare_command,
                                              &lab_plot_command,      &lab_report_command, &lab_book_command,
                                              &lab_reproduce_command, &lab_tune_command,   &lab_list_command,
                                              &lab_repeat_command,    &lab_merge_command,  NULL};

/* The part of a name such as "lab run" after "lab ". Names contain both words, so that help and error messages show
 * what to type. */
static const char *short_name(const struct command *verb) { return verb->name + strlen("lab "); }

static void print_verbs(FILE *stream) {
    fputs("usage: soloist lab VERB [WORDS] [OPTIONS]\n\n", stream);
    for (size_t i = 0; verbs[i]; i++)
        fprintf(stream, "  %-10s %s\n", short_name(verbs[i]), verbs[i]->summary);
    fputs("\n`soloist lab VERB --help` explains a verb. Results are kept in a store, an SQLite file: lab.db in this\n"
          "folder, or the one that --store names. docs/LAB.md describes how an experiment is written.\n",
          stream);
}

static int run(struct cli *cli, const struct command *self, int count, char **words) {
    (void)self;
    if (!count)
        return print_verbs(stderr), CLI_BAD;
    if (!strcmp(words[0], "--help") || !strcmp(words[0], "-h"))
        return print_verbs(stdout), CLI_OK;
    struct suggestion nearest = suggest_open(words[0]);
    for (size_t i = 0; verbs[i]; i++) {
        if (!strcmp(short_name(verbs[i]), words[0]))
            return verbs[i]->run(cli, verbs[i], count - 1, words + 1);
        suggest_offer(&nearest, short_name(verbs[i]));
    }
    if (nearest.best)
        return cli_complain("lab: no verb %s: did you mean %s?", words[0], nearest.best);
    return cli_complain("lab: no verb %s: `soloist lab --help` lists them", words[0]);
}

#else

static int run(struct cli *cli, const struct command *self, int count, char **words) {
    (void)cli, (void)self, (void)count, (void)words;
    return cli_complain("lab: this build has no SQLite: install libsqlite3-dev (`make deps`) and build again");
}

#endif

const struct command lab_command = {
    .name = "lab",
    .summary = "run, resume, compare, plot and repeat experiments",
    .usage = "VERB [WORDS] [OPTIONS]",
    .about = "`soloist lab --help` lists the verbs.",
    .args = lab_rows,
    .run = run,
};
