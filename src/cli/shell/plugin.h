/* Domains and methods from shared objects. */
#ifndef CLI_SHELL_PLUGIN_H
#define CLI_SHELL_PLUGIN_H

#include "cli/cli.h"

/* Loads every file of the list and adds its domain and its method to the engine; complains and returns false at the
 * first file that cannot be loaded. */
bool plugins_load(struct cli *cli, const struct arg_list *files);
/* For each shared object that provides the domain or the method, writes "@" and a hash of the object's bytes; writes ""
 * if neither comes from a shared object. method: "NAME[:key=value,...]" or NULL. */
#define PLUGIN_MARK_ROOM 40
void plugins_mark(const struct plugin *plugins, const soloist_domain *domain, const char *method,
                  char mark[PLUGIN_MARK_ROOM]);
/* To be called after the engine was freed. */
void plugins_close(struct plugin *plugins);

#endif
