/* The context: the known domains, found by name, by number or by recognising a text, the tables that their instances
 * share, and the methods that were added. */
#include "engine/engine.h"

#include "base/cache.h"
#include "domain/domain.h"
#include "search/search.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* Tables in use, by domain and name. */
struct shared_tables {
    struct shared_tables *next;
    const soloist_domain *domain;
    char name[64];
    void *tables;
};

struct soloist {
    const soloist_domain **domains;
    size_t count, room;
    soloist_domain **completed; /* [completed_count] owned copies of domains whose tables were too small */
    size_t completed_count;
    struct search_added *methods;
    soloist_network_finder finder;
    void *finder_user;
    pthread_mutex_t lock; /* guards the fields below */
    struct shared_tables *shared;
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
    if (engine)
        pthread_mutex_init(&engine->lock, NULL);
    for (size_t i = 0; engine && domain_builtin[i]; i++)
        if (!engine_append(engine, domain_builtin[i])) {
            soloist_free(engine);
            return NULL;
        }
    return engine;
}

void soloist_free(soloist *engine) {
    if (!engine)
        return;
    while (engine->shared) {
        struct shared_tables *next = engine->shared->next;
        engine->shared->domain->tables->close(engine->shared->tables);
        free(engine->shared);
        engine->shared = next;
    }
    pthread_mutex_destroy(&engine->lock);
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
    engine->finder = finder;
    engine->finder_user = user;
}

bool engine_find_network(const soloist *engine, const soloist_puzzle *puzzle, bool valued, soloist_network **network,
                         soloist_error *error) {
    return !engine->finder || engine->finder(engine->finder_user, puzzle, valued, network, error);
}

/* Finds the tables or builds them. The caller holds the lock, so that two runs never build the same tables at once. */
static const struct shared_tables *find_tables(soloist *engine, const soloist_puzzle *puzzle, const char *name,
                                               const soloist_limits *limits, const soloist_callbacks *callbacks,
                                               soloist_error *error) {
    const soloist_domain *domain = puzzle->domain;
    for (const struct shared_tables *s = engine->shared; s; s = s->next)
        if (s->domain == domain && !strcmp(s->name, name))
            return s;
    struct shared_tables *made = calloc(1, sizeof *made);
    char folder[4096];
    if (!made) {
        soloist_fail(error, 0, 0, "no memory for tables");
        return NULL;
    }
    made->domain = domain;
    memcpy(made->name, name, sizeof made->name);
    made->tables = domain->tables->open(puzzle->instance, cache_folder(folder, sizeof folder) ? folder : NULL,
                                        limits->threads > 1 ? limits->threads : 1, callbacks, limits->stop, error);
    if (!made->tables) {
        free(made);
        return NULL;
    }
    made->next = engine->shared;
    return engine->shared = made;
}

bool engine_attach_tables(const soloist *engine, const soloist_puzzle *puzzle, const soloist_limits *limits,
                          const soloist_callbacks *callbacks, soloist_error *error) {
    soloist *shared = (soloist *)engine; /* the tables are only a cache, so the engine stays logically const */
    char name[64] = "";
    const soloist_tables *tables = puzzle->domain->tables;
    if (!tables || !tables->name(puzzle->instance, name, sizeof name))
        return true;
    pthread_mutex_lock(&shared->lock);
    const struct shared_tables *found = find_tables(shared, puzzle, name, limits, callbacks, error);
    if (found)
        tables->attach(puzzle->instance, found->tables);
    pthread_mutex_unlock(&shared->lock);
    return found != NULL;
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

/* Adds a copy with complete groups. Room to remember the copy is taken first, so that nothing has to be taken back. */
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
        if (sure > surest) {
            surest = sure;
            best = engine->domains[i];
        }
    }
    return best;
}
