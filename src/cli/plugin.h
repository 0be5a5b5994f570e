/* Domains from shared objects. */
#ifndef CLI_PLUGIN_H
#define CLI_PLUGIN_H

#include "cli/cli.h"

/* Loads every file of the list and adds its domain to the engine; complains and returns false at the first that fails.
 */
bool plugins_load(struct cli *cli, const struct arg_list *files);
/* After the engine is gone. */
void plugins_close(struct plugin *plugins);

#endif
