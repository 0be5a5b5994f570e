/* The context holds the known domains and the methods that were added. A domain is found by its name, by its number, or
 * because it recognises a text. */
#include "engine/engine.h"

#include "domain/domain.h"
#include "engine/tables.h"
#include "search/search.h"

#include <stdlib.h>
#include <string.h>

struct soloist {
    const soloist_domain **domains;
    size_t count, room;
    soloist_domain **completed; /* [completed_count]: copies of domains whose groups were too short; owned */
    size_t completed_count;
    struct search_added *methods;
    soloist_network_finder finder;
    void *finder_user;
    struct tables_cache *tables;
};

const char *soloist_version(void) { return SOLOIST_VERSION; }
int soloist_abi(void) { return SOLOIST_ABI; }

static bool engine_append(soloist *engine, const soloist_domain *domain) {
    if (engine->count == engine->room) {
        size_t room = engine->room * 2 + 8;
        const soloist_domain **grown = realloc(engine->domains, room * sizeof *grown);
        if (!grown)
            return false;
        engine->domains = grown;
        engine->room = room;
    }
    engine->domains[engine->count++] = domain;
    return true;
}

soloist *soloist_new(void) {
    soloist *engine = calloc(1, sizeof *engine);
    bool good = engine && (engine->tables = tables_cache_open());
    for (size_t i = 0; good && domain_builtin[i]; i++)
        good = engine_append(engine, domain_builtin[i]);
    if (good)
        return engine;
    soloist_free(engine);
    return NULL;
}

void soloist_free(soloist *engine) {
    if (!engine)
        return;
    tables_cache_close(engine->tables);
    while (engine->completed_count)
        free(engine->completed[--engine->completed_count]);
    free(engine->completed);
    while (engine->methods) {
        struct search_added *next = engine->methods->next;
        free(engine->methods);
        engine->methods = next;
    }
    free(engine->domains);
    free(engine);
}

void soloist_find_networks(soloist *engine, soloist_network_finder finder, void *user) {
    if (!engine)
        return;
    engine->finder = finder;
    engine->finder_user = user;
}

bool engine_find_network(const soloist *engine, const soloist_puzzle *puzzle, bool valued, soloist_network **network,
                         soloist_error *error) {
    return !engine->finder || engine->finder(engine->finder_user, puzzle, valued, network, error);
}

struct tables_cache *engine_tables(const soloist *engine) {
    return engine->tables;
}

/* Checks and adds a domain whose groups are complete. */
static soloist_code add_complete(soloist *engine, const soloist_domain *domain, soloist_error *error) {
    if (!engine_check_domain(domain, error))
        return SOLOIST_MISUSE;
    if (soloist_find_domain(engine, domain->name)) {
        soloist_fail(error, 0, 0, "there is already a domain %s", domain->name);
        return SOLOIST_MISUSE;
    }
    if (engine_append(engine, domain))
        return SOLOIST_OK;
    soloist_fail(error, 0, 0, "no memory for another domain");
    return SOLOIST_NO_MEMORY;
}

/* Adds a copy with complete groups. The list of copies is enlarged first, so that nothing has to be undone if memory
 * runs out. */
static soloist_code add_copy(soloist *engine, const soloist_domain *domain, soloist_error *error) {
    soloist_domain **grown = realloc(engine->completed, (engine->completed_count + 1) * sizeof *grown);
    if (grown)
        engine->completed = grown;
    soloist_domain *copy = grown ? engine_complete_domain(domain) : NULL;
    if (!copy) {
        soloist_fail(error, 0, 0, "no memory for another domain");
        return SOLOIST_NO_MEMORY;
    }
    soloist_code code = add_complete(engine, copy, error);
    if (code == SOLOIST_OK)
        engine->completed[engine->completed_count++] = copy;
    else
        free(copy);
    return code;
}

soloist_code soloist_add_domain(soloist *engine, const soloist_domain *domain, soloist_error *error) {
    if (!engine || !domain) {
        soloist_fail(error, 0, 0, "soloist_add_domain needs an engine and a domain");
        return SOLOIST_MISUSE;
    }
    if (!engine_check_sizes(domain, error))
        return SOLOIST_MISUSE;
    return engine_domain_is_complete(domain) ? add_complete(engine, domain, error) : add_copy(engine, domain, error);
}

const struct search_added *engine_methods(const soloist *engine) { return engine->methods; }

bool engine_append_method(soloist *engine, const struct search_method *method) {
    struct search_added **end = &engine->methods, *added = calloc(1, sizeof *added);
    if (!added)
        return false;
    while (*end)
        end = &(*end)->next;
    added->method = *method;
    *end = added;
    return true;
}

const soloist_domain *soloist_find_domain(const soloist *engine, const char *name) {
    for (size_t i = 0; engine && name && i < engine->count; i++)
        if (!strcmp(engine->domains[i]->name, name))
            return engine->domains[i];
    return NULL;
}

const soloist_domain *soloist_domain_at(const soloist *engine, size_t index) {
    return engine && index < engine->count ? engine->domains[index] : NULL;
}

const soloist_domain *soloist_recognise(const soloist *engine, const char *text, size_t length) {
    const soloist_domain *best = NULL;
    int surest = 0;
    for (size_t i = 0; engine && text && i < engine->count; i++) {
        int sure = engine->domains[i]->life->recognise(text, length);
        sure = sure < 100 ? sure : 100; /* a larger number must not outdo the other domains */
        if (sure > surest) {
            surest = sure;
            best = engine->domains[i];
        }
    }
    return best;
}
