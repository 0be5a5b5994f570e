/* `--plugin FILE.so`: a domain, a method or both, which a user compiled against soloist.h and soloist_method.h. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1 /* dladdr1, dl_iterate_phdr */
#endif
#include "cli/shell/plugin.h"
#include "base/hash.h"
#include "cli/shell/files.h"
#include "cli/shell/need.h"
#include "soloist_method.h"

#include <dlfcn.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

struct plugin {
    void *handle;
    const soloist_domain *domain; /* NULL: the plugin has none */
    const char *method;           /* the name of its method; NULL: the plugin has none */
    uint64_t content;             /* key of the file's bytes */
    struct plugin *next;
};

/* dlopen looks for a bare name in the system's folders only, but a user means a file in the current folder. */
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

struct segment {
    uintptr_t address;
    bool executable;
};

static int find_segment(struct dl_phdr_info *object, size_t size, void *user) {
    struct segment *wanted = user;
    (void)size;
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &object->dlpi_phdr[i];
        uintptr_t start = (uintptr_t)object->dlpi_addr + (uintptr_t)header->p_vaddr;
        if (header->p_type == PT_LOAD && wanted->address >= start && wanted->address - start < header->p_memsz)
            wanted->executable = header->p_flags & PF_X;
    }
    return 0;
}

/* False if the address must not be called: it is outside the code, or its symbol is data, which some linkers put next
 * to the code. */
static bool is_function(void *address) {
    Dl_info info;
    const ElfW(Sym) *symbol = NULL;
    struct segment segment = {(uintptr_t)address, false};
    dl_iterate_phdr(find_segment, &segment);
    if (dladdr1(address, &info, (void **)&symbol, RTLD_DL_SYMENT) && symbol &&
        ELF64_ST_TYPE(symbol->st_info) == STT_OBJECT)
        return false;
    return segment.executable;
}

/* Finds the function of that name in the plugin; NULL if there is none. Complains and returns false if the name stands
 * for something else. */
static bool find_function(const struct plugin *plugin, const char *file, const char *name, const char *returned,
                          void **function) {
    *function = dlsym(plugin->handle, name);
    if (*function && !is_function(*function))
        return cli_complain("--plugin %s: its %s is not a function; it must be one that returns a %s", file, name,
                            returned),
               false;
    return true;
}

static bool check_table(const char *file, const char *name, const int *abi) {
    if (!abi)
        return cli_complain("--plugin %s: its %s returns NULL", file, name), false;
    if (*abi != SOLOIST_ABI)
        return cli_complain("--plugin %s: built for ABI %d, this program has %d: compile it again", file, *abi,
                            SOLOIST_ABI),
               false;
    return true;
}

static bool complain_of(const char *file, const soloist_error *error) {
    return cli_complain("--plugin %s: %s", file, error->text), false;
}

static bool add_domain(struct cli *cli, struct plugin *plugin, const char *file,
                       const soloist_domain *(*function)(void)) {
    soloist_error error = {0};
    const soloist_domain *domain = function();
    if (!check_table(file, "soloist_plugin", domain ? &domain->abi : NULL))
        return false;
    if (need_code(soloist_add_domain(cli->engine, domain, &error)) != SOLOIST_OK)
        return complain_of(file, &error);
    plugin->domain = soloist_find_domain(cli->engine, domain->name);
    return true;
}

static bool add_method(struct cli *cli, struct plugin *plugin, const char *file,
                       const soloist_method *(*function)(void)) {
    soloist_error error = {0};
    const soloist_method *method = function();
    if (!check_table(file, "soloist_plugin_method", method ? &method->abi : NULL))
        return false;
    if (need_code(soloist_add_method(cli->engine, method, &error)) != SOLOIST_OK)
        return complain_of(file, &error);
    plugin->method = method->name;
    return true;
}

static bool load(struct cli *cli, const char *file) {
    void *handle = open_file(file), *domain, *method;
    if (!handle)
        return cli_complain("--plugin %s", dlerror()), false;
    struct plugin *plugin = need_bytes(sizeof *plugin);
    *plugin = (struct plugin){.handle = handle, .content = content_key(file), .next = cli->plugins};
    cli->plugins = plugin;
    if (!find_function(plugin, file, "soloist_plugin", "domain", &domain) ||
        !find_function(plugin, file, "soloist_plugin_method", "method", &method))
        return false;
    if (!domain && !method)
        return cli_complain("--plugin %s: defines neither a function soloist_plugin, which returns a domain, nor "
                            "soloist_plugin_method, which returns a method",
                            file),
               false;
    const soloist_domain *(*domain_function)(void);
    const soloist_method *(*method_function)(void);
    *(void **)&domain_function = domain;
    *(void **)&method_function = method;
    return (!domain || add_domain(cli, plugin, file, domain_function)) &&
           (!method || add_method(cli, plugin, file, method_function));
}

bool plugins_load(struct cli *cli, const struct arg_list *files) {
    for (size_t i = 0; i < files->count; i++)
        if (!load(cli, files->items[i]))
            return false;
    return true;
}

static bool has_method(const struct plugin *plugin, const char *text) {
    size_t length = text ? strcspn(text, ":") : 0;
    return plugin->method && strlen(plugin->method) == length && !memcmp(plugin->method, text, length);
}

/* If domain and method come from the same plugin, it is written once; there are at most two plugins. */
void plugins_mark(const struct plugin *plugins, const soloist_domain *domain, const char *method,
                  char mark[PLUGIN_MARK_ROOM]) {
    size_t length = 0;
    *mark = 0;
    for (; plugins; plugins = plugins->next)
        if (plugins->domain == domain || has_method(plugins, method))
            length += (size_t)snprintf(mark + length, PLUGIN_MARK_ROOM - length, "@%016llx",
                                       (unsigned long long)plugins->content);
}

void plugins_close(struct plugin *plugins) {
    while (plugins) {
        struct plugin *next = plugins->next;
        dlclose(plugins->handle);
        free(plugins);
        plugins = next;
    }
}
