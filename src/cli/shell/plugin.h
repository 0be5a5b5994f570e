/* Domains from shared objects. */
#ifndef CLI_SHELL_PLUGIN_H
#define CLI_SHELL_PLUGIN_H

#include "cli/cli.h"

/* Loads every file of the list and adds its domain to the engine; complains and returns false at the first failure. */
bool plugins_load(struct cli *cli, const struct arg_list *files);
/* Writes "@" and a key of the shared object's bytes if the domain came from one, otherwise "". */
#define PLUGIN_MARK_ROOM 24
void plugins_mark(const struct plugin *plugins, const soloist_domain *domain, char mark[PLUGIN_MARK_ROOM]);
/* To be called after the engine was freed. */
void plugins_close(struct plugin *plugins);

#endif
