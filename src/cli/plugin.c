/* `--plugin FILE.so`: a domain that a user compiled against soloist.h. */
#include "cli/plugin.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

struct plugin {
    void *handle;
    struct plugin *next;
};

/* dlopen looks for a bare name in the system's folders only; a user means a file. */
static void *open_file(const char *file) {
    if (strchr(file, '/'))
        return dlopen(file, RTLD_NOW | RTLD_LOCAL);
    char path[4096];
    snprintf(path, sizeof path, "./%s", file);
    return dlopen(path, RTLD_NOW | RTLD_LOCAL);
}

static bool load(struct cli *cli, const char *file) {
    soloist_error error = {0};
    void *handle = open_file(file);
    if (!handle)
        return cli_complain("--plugin %s", dlerror()), false;
    struct plugin *plugin = malloc(sizeof *plugin);
    if (!plugin)
        return cli_complain("out of memory"), false;
    *plugin = (struct plugin){handle, cli->plugins};
    cli->plugins = plugin;

    const soloist_domain *(*entry)(void);
    *(void **)&entry = dlsym(handle, "soloist_plugin");
    const soloist_domain *domain = entry ? entry() : NULL;
    if (!domain)
        return cli_complain("--plugin %s: it defines no soloist_plugin that returns a domain", file), false;
    if (domain->abi != SOLOIST_ABI)
        return cli_complain("--plugin %s: built for ABI %d, this program has %d: compile it again", file, domain->abi,
                            SOLOIST_ABI),
               false;
    if (soloist_add_domain(cli->engine, domain, &error) != SOLOIST_OK)
        return cli_complain("--plugin %s: %s", file, error.text), false;
    return true;
}

bool plugins_load(struct cli *cli, const struct arg_list *files) {
    for (size_t i = 0; i < files->count; i++)
        if (!load(cli, files->items[i]))
            return false;
    return true;
}

void plugins_close(struct plugin *plugins) {
    while (plugins) {
        struct plugin *next = plugins->next;
        dlclose(plugins->handle);
        free(plugins);
        plugins = next;
    }
}
