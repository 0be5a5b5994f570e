/* Manual pages, made from the rows that --help shows. */
#ifndef CLI_SHELL_MAN_H
#define CLI_SHELL_MAN_H

#include "cli/cli.h"

/* Prints the page soloist-NAME(1), or soloist(1) if command is NULL. more: sections in roff that follow the options;
 * may be NULL. */
void man_page(const struct command *command, const char *more);

#endif
