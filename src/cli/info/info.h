/* The parts of `soloist info` that print more than a few lines. Each returns the exit status. */
#ifndef CLI_INFO_INFO_H
#define CLI_INFO_INFO_H

#include "cli/cli.h"

int info_levels(const struct cli *cli, bool json);
/* Networks: info_is_network recognises a file name that ends in .safetensors or .net, info_network prints the network,
 * and info_back_ends prints the back ends that can compute networks. */
bool info_is_network(const char *topic);
int info_network(const char *path, bool json);
void info_back_ends(void);
int info_duplicates(const struct cli *cli, const struct arg_list *files, bool json);
/* Checks whether the plugin's domain obeys the domain contract, on the instances in `files` or, if there are no files,
 * on instances that the domain generates. */
int info_check(struct cli *cli, const char *plugin, const struct arg_list *files);
int info_space(const struct cli *cli, const char *file, bool json);

#endif
