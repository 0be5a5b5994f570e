/* The program: finds the command and runs it. */
#include "cli/cli.h"
#include "cli/input/input.h"
#include "cli/shell/help.h"
#include "cli/learn/networks.h"
#include "cli/shell/plugin.h"
#include "cli/shell/ranks.h"
#include "base/suggest.h"
#include "cli/shell/terminal.h"

#include <signal.h>
#include <string.h>

const struct command *const commands[] = {
    &solve_command, &play_command,    &show_command,       &generate_command, &check_command, &optimize_command,
    &hint_command,  &explain_command, &serve_command,      &train_command,    &eval_command,  &bench_command,
    &lab_command,   &info_command,    &new_domain_command, &help_command,     NULL,
};

const struct command *command_find(const char *name) {
    for (size_t i = 0; commands[i]; i++)
        if (!strcmp(commands[i]->name, name))
            return commands[i];
    return NULL;
}

static int no_such_command(const char *name) {
    struct suggestion nearest = suggest_open(name + strspn(name, "-"));
    for (size_t i = 0; !strpbrk(name, "./") && commands[i]; i++)
        suggest_offer(&nearest, commands[i]->name);
    if (nearest.best)
        return cli_complain("no command %s: did you mean %s?", name, nearest.best);
    if (*name == '-')
        return cli_complain(
            "%s: a command or a FILE comes first, then the options; `soloist --help` lists the commands", name);
    return cli_complain("%s: no command or file of that name; `soloist --help` lists the commands", name);
}

static int dispatch(struct cli *cli, int count, char **words) {
    const char *name = words[1];
    if (!strcmp(name, "--help") || !strcmp(name, "-h"))
        return help_overview(stdout), CLI_OK;
    if (!strcmp(name, "--version") || !strcmp(name, "-V"))
        return puts("soloist " SOLOIST_VERSION), CLI_OK;
    const struct command *command = command_find(name);
    if (!command && input_is_there(name)) {
        cli->given = (struct args_given){&solve_command, count - 1, words + 1};
        return solve_command.run(cli, &solve_command, count - 1, words + 1);
    }
    if (!command)
        return no_such_command(name);
    if (ranks_leave(cli, command))
        return CLI_OK;
    cli->given = (struct args_given){command, count - 2, words + 2};
    return command->run(cli, command, count - 2, words + 2);
}

int main(int count, char **words) {
    if (count < 2)
        return help_overview(stderr), CLI_BAD;
    /* A write beyond the limit on file sizes (ulimit -f) then fails like any other; the complaint names the file. */
    signal(SIGXFSZ, SIG_IGN);
    struct networks networks;
    struct ranks ranks;
    struct cli cli = {.engine = soloist_new(), .networks = &networks, .ranks = &ranks};
    if (!cli.engine)
        return cli_complain("out of memory");
    networks_open(&networks, cli.engine);
    ranks_look(&ranks);
    terminal_look(&cli);
    ranks_silence(&cli);
    int status = dispatch(&cli, count, words);
    /* Rank 0 finds the same mistake in the same words. A launcher would kill it as soon as another rank reports one. */
    if (ranks_is_helper(&cli) && !ranks.opened)
        status = CLI_OK;
    ranks_close(&cli);
    networks_close(&networks);
    soloist_free(cli.engine);
    plugins_close(cli.plugins);
    return cli_flush() ? status : CLI_BAD;
}
