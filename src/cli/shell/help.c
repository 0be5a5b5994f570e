/* `soloist help [COMMAND]`: the pages are made from the table of commands and their option rows. The manual
 * pages and the completion scripts come from the same rows when the program is built. */
#include "cli/shell/help.h"
#include "cli/input/levels.h"
#include "cli/shell/completion.h"
#include "cli/shell/files.h"
#include "cli/shell/man.h"
#include "cli/shell/screen.h"
#include "base/suggest.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct help_options {
    bool words, man;
    int completion;
};

#define ROW(kind, field, letter, value, least, most, text)                                                             \
    { kind, #field, letter, offsetof(struct help_options, field), value, least, most, text }
static const struct arg help_rows[] = {
    ROW(ARG_FLAG, words, 0, NULL, 0, 0,
        "for shell completion: print the options of COMMAND; if COMMAND is the word commands, domains, methods or "
        "sets, print that list instead"),
    ROW(ARG_FLAG, man, 0, NULL, 0, 0,
        "print the manual page of COMMAND, or of the whole program if no command is named; if a FILE follows COMMAND, "
        "its text is added to the page as further sections"),
    ROW(ARG_CHOICE, completion, 0, COMPLETION_SHELLS, 0, 0, "print the script that completes commands and options"),
    {0},
};
#undef ROW

void help_overview(FILE *stream) {
    fprintf(stream, "Soloist " SOLOIST_VERSION " solves one-player puzzles.\n\n"
                    "usage: soloist COMMAND [WORDS] [OPTIONS]\n"
                    "       soloist FILE... [OPTIONS]    the same as soloist solve FILE...\n\n");
    for (size_t i = 0; commands[i]; i++)
        fprintf(stream, "  %-11s %s\n", commands[i]->name, commands[i]->summary);
    fprintf(stream, "\n`soloist COMMAND --help` explains a command; `soloist info` lists domains and methods.\n"
                    "Exit status: 0 success, 1 something unsolved or incorrect, 2 bad usage or input.\n");
}

void help_command_page(const struct command *command) {
    soloist_sink sink = cli_sink(stdout);
    soloist_print(&sink, "usage: soloist %s %s\n\n%s.\n", command->name, command->usage, command->summary);
    if (command->about) {
        putchar('\n');
        screen_prose(stdout, command->about);
        putchar('\n');
    }
    for (const struct topic *topic = command->topics; topic && topic->name; topic++)
        soloist_print(&sink, "%s  %-12s %s\n", topic == command->topics ? "\n" : "", topic->name, topic->help);
    soloist_put(&sink, "\noptions:\n");
    args_help(command->args, &sink);
}

/* ---- words for shell completion ---- */

static void put_commands(struct cli *cli) {
    (void)cli;
    for (size_t i = 0; commands[i]; i++)
        puts(commands[i]->name);
}

static void put_domains(struct cli *cli) {
    for (size_t i = 0; soloist_domain_at(cli->engine, i); i++)
        puts(soloist_domain_at(cli->engine, i)->name);
}

static void put_methods(struct cli *cli) {
    const char *name;
    for (size_t i = 0; soloist_method_at(cli->engine, i, &name, NULL, NULL); i++)
        puts(name);
}

static void put_set(void *user, const char *name, const char *folder) {
    (void)user, (void)folder;
    puts(name);
}

static void put_sets(struct cli *cli) { levels_each(put_set, cli); }

static const struct word_list {
    const char *name;
    void (*put)(struct cli *cli);
} word_lists[] = {{"commands", put_commands}, {"domains", put_domains}, {"methods", put_methods}, {"sets", put_sets}};

static int put_words(struct cli *cli, const char *topic) {
    soloist_sink sink = cli_sink(stdout);
    const struct command *command = command_find(topic);
    if (command)
        return args_words(command->args, &sink), CLI_OK;
    for (size_t i = 0; i < sizeof word_lists / sizeof *word_lists; i++)
        if (!strcmp(word_lists[i].name, topic))
            return word_lists[i].put(cli), CLI_OK;
    return cli_complain("help: --words: no command or list %s", topic);
}

/* ---- the command ---- */

static int explain(const char *topic, const char *verb) {
    const struct command *command = command_find(topic);
    if (command && command->help)
        return command->help(verb);
    if (command)
        return help_command_page(command), CLI_OK;
    struct suggestion nearest = suggest_open(topic);
    for (size_t i = 0; commands[i]; i++)
        suggest_offer(&nearest, commands[i]->name);
    if (nearest.best)
        return cli_complain("no command %s: did you mean %s?", topic, nearest.best);
    return cli_complain("no command %s: `soloist --help` lists them", topic);
}

/* The topic is a command, or "soloist" for the program itself. */
static int print_manual(const char *topic, const char *path) {
    const struct command *command = command_find(topic);
    size_t length;
    char *more = path ? file_read(path, &length) : NULL;
    if (!command && strcmp(topic, "soloist") != 0)
        return explain(topic, NULL);
    if (path && !more)
        return cli_complain("help: %s: %s", path, strerror(errno));
    man_page(command, more);
    free(more);
    return CLI_OK;
}

static int run(struct cli *cli, const struct command *self, int count, char **words) {
    struct help_options options = {0};
    struct arg_list rest = {0};
    enum args_verdict verdict = args_parse(self, count, words, &options, &rest);
    const char *topic = rest.count ? rest.items[0] : NULL, *verb = rest.count > 1 ? rest.items[1] : NULL;
    arg_list_free(&rest);
    if (verdict != ARGS_GO)
        return verdict == ARGS_DONE ? CLI_OK : CLI_BAD;
    if (options.words)
        return put_words(cli, topic ? topic : "commands");
    if (options.man)
        return print_manual(topic ? topic : "soloist", verb);
    if (options.completion)
        return completion_print(options.completion), CLI_OK;
    if (topic)
        return explain(topic, verb);
    help_overview(stdout);
    return CLI_OK;
}

const struct command help_command = {
    .name = "help",
    .summary = "explain a command",
    .usage = "[COMMAND [VERB]]",
    .args = help_rows,
    .run = run,
};
