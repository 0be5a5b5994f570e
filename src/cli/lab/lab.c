/* `soloist lab`: experiments are planned, run, evaluated and repeated here. Each subcommand (verb) is a struct command
 * of its own. */
#include "cli/cli.h"
#include "cli/shell/help.h"
#include "cli/lab/lab.h"
#include "cli/shell/ranks.h"
#include "cli/shell/screen.h"
#include "base/suggest.h"

#include <string.h>

static const struct arg lab_rows[] = {{0}};

static const struct command *const verbs[] = {&lab_run_command,
#if SOLOIST_WITH_SQLITE
                                              &lab_show_command,
                                              &lab_compare_command,
                                              &lab_plot_command,
                                              &lab_report_command,
                                              &lab_book_command,
                                              &lab_reproduce_command,
                                              &lab_tune_command,
                                              &lab_list_command,
                                              &lab_repeat_command,
                                              &lab_merge_command,
#endif
                                              NULL};

/* The part of a name such as "lab run" after "lab ". Names contain both words, so that help and error messages show
 * what to type. */
static const char *short_name(const struct command *verb) { return verb->name + strlen("lab "); }

static void print_verbs(FILE *stream) {
    fputs("usage: soloist lab VERB [WORDS] [OPTIONS]\n\n", stream);
    for (size_t i = 0; verbs[i]; i++)
        fprintf(stream, "  %-10s %s\n", short_name(verbs[i]), verbs[i]->summary);
    screen_prose(
        stream,
#if SOLOIST_WITH_SQLITE
        "\n`soloist lab VERB --help` explains a verb. Results are kept in a store, an SQLite file: lab.db in this\n"
        "folder, or the one that --store names. docs/LAB.md describes how an experiment is written.\n");
#else
        "\nThis build has no SQLite: results are kept in a file of JSON lines, lab.jsonl in this folder, or the one\n"
        "that --store names. All other verbs need SQLite: install libsqlite3-dev (`make deps`) and build again, or\n"
        "merge the file on another machine. docs/LAB.md describes how an experiment is written.\n");
#endif
}

/* Complains and returns NULL if there is no such verb. */
static const struct command *find_verb(const char *name) {
    struct suggestion nearest = suggest_open(name);
    for (size_t i = 0; verbs[i]; i++) {
        if (!strcmp(short_name(verbs[i]), name))
            return verbs[i];
        suggest_offer(&nearest, short_name(verbs[i]));
    }
    if (nearest.best)
        cli_complain("lab: no verb %s: did you mean %s?", name, nearest.best);
    else if (SOLOIST_WITH_SQLITE)
        cli_complain("lab: no verb %s: `soloist lab --help` lists them", name);
    else
        cli_complain("lab: this build has no SQLite, so it has no verb but run: install libsqlite3-dev (`make deps`) "
                     "and build again");
    return NULL;
}

static int help(const char *name) {
    if (!name)
        return print_verbs(stdout), CLI_OK;
    const struct command *verb = find_verb(name);
    if (!verb)
        return CLI_BAD;
    return help_command_page(verb), CLI_OK;
}

static int run(struct cli *cli, const struct command *self, int count, char **words) {
    (void)self;
    if (!count)
        return print_verbs(stderr), CLI_BAD;
    if (!strcmp(words[0], "--help") || !strcmp(words[0], "-h"))
        return help(NULL);
    const struct command *verb = find_verb(words[0]);
    if (verb && ranks_leave(cli, verb))
        return CLI_OK;
    return verb ? verb->run(cli, verb, count - 1, words + 1) : CLI_BAD;
}

const struct command lab_command = {
    .name = "lab",
    .summary = "run, resume, compare, plot and repeat experiments",
    .usage = "VERB [WORDS] [OPTIONS]",
    .about = "`soloist lab --help` lists the verbs.",
    .args = lab_rows,
    .verbs = verbs,
    .help = help,
    .ranks = true, /* each verb has its own answer */
    .run = run,
};
