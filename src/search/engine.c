/* The context: which domains are known, by name, by number, and by the look of a text. */
#include "search/engine.h"

#include "domain/domain.h"

#include <stdlib.h>
#include <string.h>

struct soloist {
    const soloist_domain **domains;
    size_t count, room;
};

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
    free(engine->domains);
    free(engine);
}

soloist_code soloist_add_domain(soloist *engine, const soloist_domain *domain, soloist_error *error) {
    if (!engine || !domain) {
        soloist_fail(error, 0, 0, "soloist_add_domain wants an engine and a domain");
        return SOLOIST_MISUSE;
    }
    if (!engine_check_domain(domain, error))
        return SOLOIST_MISUSE;
    if (soloist_find_domain(engine, domain->name)) {
        soloist_fail(error, 0, 0, "there is a domain %s already", domain->name);
        return SOLOIST_MISUSE;
    }
    if (engine_append(engine, domain))
        return SOLOIST_OK;
    soloist_fail(error, 0, 0, "no memory for another domain");
    return SOLOIST_NO_MEMORY;
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
