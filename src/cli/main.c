/* The program: finds the command and runs it. */
#include "cli/cli.h"
#include "cli/shell/help.h"
#include "cli/learn/networks.h"
#include "cli/shell/plugin.h"
#include "cli/shell/suggest.h"
#include "cli/shell/terminal.h"

#include <errno.h>
#include <string.h>

const struct command *const commands[] = {
    &solve_command, &play_command,    &generate_command, &check_command, &optimize_command,
    &hint_command,  &explain_command, &train_command,    &eval_command,  &bench_command,
    &lab_command,   &info_command,    &help_command,     NULL,
};

const struct command *command_find(const char *name) {
    for (size_t i = 0; commands[i]; i++)
        if (!strcmp(commands[i]->name, name))
            return commands[i];
    return NULL;
}

int cli_complain(const char *format, ...) {
    va_list list;
    va_start(list, format);
    fputs("soloist: ", stderr);
    vfprintf(stderr, format, list);
    fputc('\n', stderr);
    va_end(list);
    return CLI_BAD;
}

void cli_complain_at(const char *file, const soloist_error *error) {
    fprintf(stderr, "%s:", file);
    if (error->line > 0)
        fprintf(stderr, "%d:", error->line);
    if (error->line > 0 && error->column > 0)
        fprintf(stderr, "%d:", error->column);
    fprintf(stderr, " %s\n", error->text);
}

bool cli_flush(void) {
    static bool told;
    bool failed_before = ferror(stdout);
    if (!fflush(stdout) && !failed_before)
        return true;
    if (!told && failed_before)
        cli_complain("standard output could not be written");
    else if (!told)
        cli_complain("standard output could not be written: %s", strerror(errno));
    told = true;
    return false;
}

static void write_stream(void *to, const char *text, size_t n) { fwrite(text, 1, n, to); }

soloist_sink cli_sink(FILE *stream) { return (soloist_sink){write_stream, stream}; }

static int no_such_command(const char *name) {
    struct suggestion nearest = suggest_open(name + strspn(name, "-"));
    for (size_t i = 0; commands[i]; i++)
        suggest_offer(&nearest, commands[i]->name);
    if (nearest.best)
        return cli_complain("no command %s: did you mean %s?", name, nearest.best);
    return cli_complain("no command %s: `soloist --help` lists them", name);
}

static int dispatch(struct cli *cli, int count, char **words) {
    const char *name = words[1];
    if (!strcmp(name, "--help") || !strcmp(name, "-h"))
        return help_overview(stdout), CLI_OK;
    if (!strcmp(name, "--version") || !strcmp(name, "-V"))
        return puts("soloist " SOLOIST_VERSION), CLI_OK;
    const struct command *command = command_find(name);
    if (!command)
        return no_such_command(name);
    return command->run(cli, command, count - 2, words + 2);
}

int main(int count, char **words) {
    if (count < 2)
        return help_overview(stderr), CLI_BAD;
    struct networks networks;
    struct cli cli = {.engine = soloist_new(), .networks = &networks};
    if (!cli.engine)
        return cli_complain("out of memory");
    networks_open(&networks, cli.engine);
    terminal_look(&cli);
    int status = dispatch(&cli, count, words);
    networks_close(&networks);
    soloist_free(cli.engine);
    plugins_close(cli.plugins);
    return cli_flush() ? status : CLI_BAD;
}
