/* The help pages, all generated from the tables of commands and options. */
#ifndef CLI_SHELL_HELP_H
#define CLI_SHELL_HELP_H

#include "cli/cli.h"

void help_overview(FILE *stream);
void help_command_page(const struct command *command);

#endif
