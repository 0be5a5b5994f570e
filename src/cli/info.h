/* The longer answers of `soloist info`. Each returns the exit status. */
#ifndef CLI_INFO_H
#define CLI_INFO_H

#include "cli/cli.h"

int info_levels(const struct cli *cli, bool json);
int info_space(const struct cli *cli, const char *file, bool json);

#endif
