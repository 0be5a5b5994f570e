/* `--plugin FILE.so`: a domain that a user compiled against soloist.h. */
#include "cli/plugin.h"
#include "base/hash.h"
#include "cli/files.h"
#include "cli/need.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

struct plugin {
    void *handle;
    const soloist_domain *domain;
    uint64_t content; /* key of the file's bytes */
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

static uint64_t content_key(const char *file) {
    size_t length = 0;
    char *bytes = file_read(file, &length);
    uint64_t key = bytes ? hash_bytes(bytes, length) : 0;
    free(bytes);
    return key;
}

static bool load(struct cli *cli, const char *file) {
    soloist_error error = {0};
    void *handle = open_file(file);
    if (!handle)
        return cli_complain("--plugin %s", dlerror()), false;
    struct plugin *plugin = need_bytes(sizeof *plugin);
    *plugin = (struct plugin){.handle = handle, .content = content_key(file), .next = cli->plugins};
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
    if (need_code(soloist_add_domain(cli->engine, domain, &error)) != SOLOIST_OK)
        return cli_complain("--plugin %s: %s", file, error.text), false;
    plugin->domain = domain;
    return true;
}

bool plugins_load(struct cli *cli, const struct arg_list *files) {
    for (size_t i = 0; i < files->count; i++)
        if (!load(cli, files->items[i]))
            return false;
    return true;
}

void plugins_mark(const struct plugin *plugins, const soloist_domain *domain, char mark[PLUGIN_MARK_ROOM]) {
    *mark = 0;
    for (; plugins; plugins = plugins->next)
        if (plugins->domain == domain)
            snprintf(mark, PLUGIN_MARK_ROOM, "@%016llx", (unsigned long long)plugins->content);
}

void plugins_close(struct plugin *plugins) {
    while (plugins) {
        struct plugin *next = plugins->next;
        dlclose(plugins->handle);
        free(plugins);
        plugins = next;
    }
}
