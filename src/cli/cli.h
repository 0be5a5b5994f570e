/* Shared by all commands: the context of one invocation and the table of commands. Only the code in src/cli prints to
 * the user and ends the program. */
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include "cli/shell/args.h"
#include "cli/shell/console.h"
#include "soloist_extra.h"

struct plugin;
struct networks;
struct ranks;

struct cli {
    soloist *engine;
    struct networks *networks;       /* the networks that the engine can find */
    struct ranks *ranks;             /* the ranks that a launcher has started */
    struct plugin *plugins;          /* shared objects that stay open as long as the engine */
    bool out_colour, err_colour;     /* whether standard output and standard error can show colours */
    bool out_terminal, err_terminal; /* err_terminal: and a line on it can be erased */
    bool utf8;
    struct args_given given; /* the command line, for warnings about options that have no effect */
};

/* A word, other than an option, that a command understands. */
struct topic {
    const char *name, *help; /* a name in capitals, such as DOMAIN, stands for any word of that kind */
};

struct command {
    const char *name, *summary;
    const char *usage; /* the text after the name, such as "FILE... [OPTIONS]" */
    const char *about; /* paragraphs for --help; may be NULL */
    const struct arg *args;
    const struct topic *topics;         /* may be NULL; an element without a name ends the list */
    const struct command *const *verbs; /* subcommands; may be NULL; a NULL element ends the list */
    /* Prints the page of `soloist help NAME [VERB]`; verb may be NULL. If this pointer is NULL, the page is made from
     * the fields of this struct. */
    int (*help)(const char *verb);
    bool ranks; /* the command uses all ranks that a launcher has started; other commands run on rank 0 alone */
    int (*run)(struct cli *cli, const struct command *self, int count, char **words);
};

/* All commands, in the order in which help shows them; NULL ends the list. */
extern const struct command *const commands[];
const struct command *command_find(const char *name);

extern const struct command solve_command, play_command, show_command, generate_command, check_command,
    optimize_command, hint_command, explain_command, serve_command, train_command, eval_command, bench_command,
    lab_command, info_command, new_domain_command, help_command;

/* Help texts for the options that are common to all commands that read instances. */
#define CLI_DOMAIN_HELP "domain and its options; by default the domain is recognised from the file"
#define CLI_PLUGIN_HELP "load a domain or a method from a shared object (may be repeated)"
#define CLI_ONLY_HELP "use only the instances with these numbers, which are counted from 1 in each file"

#endif
