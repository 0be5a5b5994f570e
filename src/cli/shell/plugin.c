/* `--plugin FILE.so`: a domain that a user compiled against soloist.h. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1 /* dladdr1, dl_iterate_phdr */
#endif
#include "cli/shell/plugin.h"
#include "base/hash.h"
#include "cli/shell/files.h"
#include "cli/shell/need.h"

#include <dlfcn.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

struct plugin {
    void *handle;
    const soloist_domain *domain;
    uint64_t content; /* key of the file's bytes */
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

/* False if the address must not be called: it is outside the code, or its symbol is data (which some linkers put beside
 * the code). */
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

static bool load(struct cli *cli, const char *file) {
    soloist_error error = {0};
    void *handle = open_file(file);
    if (!handle)
        return cli_complain("--plugin %s", dlerror()), false;
    struct plugin *plugin = need_bytes(sizeof *plugin);
    *plugin = (struct plugin){.handle = handle, .content = content_key(file), .next = cli->plugins};
    cli->plugins = plugin;

    const soloist_domain *(*entry)(void);
    void *address = dlsym(handle, "soloist_plugin");
    if (address && !is_function(address))
        return cli_complain("--plugin %s: its soloist_plugin is not a function; it must be one that returns a domain",
                            file),
               false;
    *(void **)&entry = address;
    const soloist_domain *domain = entry ? entry() : NULL;
    if (!domain)
        return cli_complain("--plugin %s: defines no function soloist_plugin that returns a domain", file), false;
    if (domain->abi != SOLOIST_ABI)
        return cli_complain("--plugin %s: built for ABI %d, this program has %d: compile it again", file, domain->abi,
                            SOLOIST_ABI),
               false;
    if (need_code(soloist_add_domain(cli->engine, domain, &error)) != SOLOIST_OK)
        return cli_complain("--plugin %s: %s", file, error.text), false;
    plugin->domain = soloist_find_domain(cli->engine, domain->name);
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
