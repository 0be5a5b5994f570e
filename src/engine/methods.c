/* The methods of an engine: the built-in ones, and those that a program or a plugin adds. The table of a method is
 * checked once, when the method is added, so that a mistake in the table is reported in one sentence before the method
 * runs. */
#include "engine/engine.h"
#include "search/search.h"
#include "soloist_tools.h"

#include <string.h>

/* The method's table in the form of this version: members that an earlier header lacks are 0, and members that only a
 * later header has are ignored. */
static soloist_method complete(const soloist_method *method) {
    soloist_method whole = {0};
    memcpy(&whole, method, method->size < sizeof whole ? method->size : sizeof whole);
    return whole;
}

static bool check_size(const soloist_method *method, soloist_error *error) {
    if (method->abi != SOLOIST_ABI)
        return soloist_fail(error, 0, 0, "the method was built for version %d of the contract, this engine uses %d",
                            method->abi, SOLOIST_ABI);
    if (method->size < offsetof(soloist_method, run) + sizeof method->run)
        return soloist_fail(error, 0, 0, "the method's table does not state its size");
    return true;
}

static bool check_table(const soloist_method *method, soloist_error *error) {
    const unsigned known = 2 * SOLOIST_NEEDS_FEATURES - 1;
    if (!engine_name_is_plain(method->name))
        return soloist_fail(error, 0, 0, "a method's name consists of at most 63 characters from a-z, 0-9, - and _");
    if (!method->summary)
        return soloist_fail(error, 0, 0, "method %s has no summary", method->name);
    if (!method->run)
        return soloist_fail(error, 0, 0, "method %s lacks the function run", method->name);
    if (method->needs & ~known)
        return soloist_fail(error, 0, 0, "method %s needs something that this engine does not know (%#x)", method->name,
                            method->needs & ~known);
    return engine_check_options("method", method->name, method->options, method->options_size, error);
}

soloist_code soloist_add_method(soloist *engine, const soloist_method *method, soloist_error *error) {
    if (!engine || !method) {
        soloist_fail(error, 0, 0, "soloist_add_method needs an engine and a method");
        return SOLOIST_MISUSE;
    }
    if (!check_size(method, error))
        return SOLOIST_MISUSE;
    soloist_method whole = complete(method);
    if (!check_table(&whole, error))
        return SOLOIST_MISUSE;
    if (search_find(engine_methods(engine), whole.name, strlen(whole.name))) {
        soloist_fail(error, 0, 0, "there is already a method %s", whole.name);
        return SOLOIST_MISUSE;
    }
    struct search_method added = {.name = whole.name,
                                  .summary = whole.summary,
                                  .options = whole.options,
                                  .options_size = whole.options_size,
                                  .needs = whole.needs,
                                  .run = whole.run,
                                  .added = true};
    if (engine_append_method(engine, &added))
        return SOLOIST_OK;
    soloist_fail(error, 0, 0, "no memory for another method");
    return SOLOIST_NO_MEMORY;
}

bool soloist_method_at(const soloist *engine, size_t index, const char **name, const char **summary,
                       const soloist_option **options) {
    const struct search_method *method = engine ? search_at(engine_methods(engine), index) : NULL;
    if (!method)
        return false;
    if (name)
        *name = method->name;
    if (summary)
        *summary = method->summary;
    if (options)
        *options = method->options;
    return true;
}

const char *soloist_method_ignores(const soloist *engine, const char *method, const char *argument) {
    static const soloist_domain cost = {.aim = SOLOIST_LEAST_COST, .players = 1},
                                score = {.aim = SOLOIST_MOST_SCORE, .players = 1};
    static const struct {
        unsigned ignored;
        const char *argument, *why;
    } rows[] = {{SEARCH_IGNORES_SEED, "seed", "makes no random choices"},
                {SEARCH_IGNORES_THREADS, "threads", "searches with one thread"},
                {SEARCH_IGNORES_ITERATIONS, "iterations", "does not work in iterations"},
                {SEARCH_IGNORES_NETWORK, "network", "asks no network"}};
    if (!engine || !method || !argument)
        return NULL;
    const struct search_added *added = engine_methods(engine);
    struct search_choice choice;
    const struct search_method *found = search_find(added, method, strcspn(method, ":"));
    if (!found || search_choose(added, method, found->needs & SEARCH_NEEDS_SCORE ? &score : &cost, &choice, NULL))
        return NULL;
    unsigned ignored = search_ignores(&choice);
    search_choice_free(&choice);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (ignored & rows[i].ignored && !strcmp(argument, rows[i].argument))
            return rows[i].why;
    return NULL;
}

bool soloist_method_proves(const soloist *engine, const soloist_domain *domain, const char *method) {
    struct search_choice choice;
    soloist_error error;
    if (!engine || !domain)
        return false;
    if (search_choose(engine_methods(engine), method ? method : "auto", domain, &choice, &error) != SOLOIST_OK)
        return true;
    bool proves = choice.method->added || (choice.method->proves && choice.method->proves(choice.options));
    search_choice_free(&choice);
    return proves;
}
