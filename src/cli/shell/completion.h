/* Completion scripts for shells, made from the rows that --help shows. */
#ifndef CLI_SHELL_COMPLETION_H
#define CLI_SHELL_COMPLETION_H

#define COMPLETION_SHELLS "bash|zsh|fish"

/* Prints the script. shell: 1 + the index in COMPLETION_SHELLS. */
void completion_print(int shell);

#endif
