/* What the commands share: the context of one invocation, the table of commands, and the exit status. Only this folder
 * prints to the user and exits. */
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include "cli/shell/args.h"
#include "soloist.h"

#include <stdio.h>

/* The exit status of every command. */
enum cli_exit { CLI_OK = 0, CLI_SOME = 1, CLI_BAD = 2 };

struct plugin;
struct networks;

struct cli {
    soloist *engine;
    struct networks *networks;   /* where the engine finds them */
    struct plugin *plugins;      /* shared objects that stay open as long as the engine */
    bool out_colour, err_colour; /* may the stream carry colours */
    bool out_terminal, err_terminal;
    bool utf8;
};

struct command {
    const char *name, *summary;
    const char *usage; /* what follows the name, e.g. "FILE... [OPTIONS]" */
    const char *about; /* paragraphs for --help; may be NULL */
    const struct arg *args;
    int (*run)(struct cli *cli, const struct command *self, int count, char **words);
};

/* NULL-terminated, in the order that help shows. */
extern const struct command *const commands[];
const struct command *command_find(const char *name);

extern const struct command solve_command, play_command, generate_command, check_command, optimize_command,
    hint_command, explain_command, train_command, eval_command, bench_command, lab_command, info_command, help_command;

/* "soloist: ..." on standard error. Always returns CLI_BAD, so that a command can `return cli_complain(...)`. */
int cli_complain(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* "file:line:column: ..." on standard error; a line or a column of 0 is left out. */
void cli_complain_at(const char *file, const soloist_error *error);

/* Hands on what standard output holds. Complains, once, and returns false if that or anything before could not be
 * written. */
bool cli_flush(void);

/* A sink that writes to a stdio stream. */
soloist_sink cli_sink(FILE *stream);

/* Shared by every command that reads instances. */
#define CLI_DOMAIN_HELP "the puzzle, else recognised from the file; its options follow a colon"
#define CLI_PLUGIN_HELP "load a domain from a shared object (may be repeated)"
#define CLI_ONLY_HELP "only these instances, numbered from 1 in their file"

#endif
