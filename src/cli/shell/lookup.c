/* Checks names and options before any work begins, so that a typing error wastes no time. */
#include "cli/shell/lookup.h"
#include "cli/shell/need.h"
#include "base/suggest.h"
#include "engine/engine.h"
#include "base/options.h"
#include "search/search.h"
#include "soloist_tools.h"

#include <stdlib.h>
#include <string.h>

/* The size of a struct that has all fields of the rows. */
static size_t options_room(const soloist_option *rows) {
    size_t room = 8;
    for (const soloist_option *row = rows; row && row->kind != SOLOIST_OPTION_END; row++)
        if (row->offset + options_field_size(row->kind) > room)
            room = row->offset + options_field_size(row->kind);
    return room;
}

bool lookup_options(const char *what, const soloist_option *rows, const char *text) {
    soloist_error error = {0};
    if (!text || !*text)
        return true;
    void *scratch = need_zeroed(1, options_room(rows));
    soloist_options_reset(rows, scratch);
    soloist_code code = soloist_options_parse(rows, scratch, text, &error);
    free(scratch);
    if (code == SOLOIST_OK)
        return true;
    suggest_option(rows, &error);
    cli_complain("%s: %s", what, error.text);
    return false;
}

bool lookup_domain(const struct cli *cli, const char *text, struct domain_choice *choice) {
    *choice = (struct domain_choice){0};
    if (!text)
        return true;
    char name[64];
    size_t length = strcspn(text, ":");
    snprintf(name, sizeof name, "%.*s", (int)(length < 63 ? length : 63), text);
    choice->domain = soloist_find_domain(cli->engine, name);
    choice->options = text[length] ? text + length + 1 : NULL;
    if (choice->domain)
        return lookup_options(choice->domain->name, choice->domain->options, choice->options);

    struct suggestion nearest = suggest_open(name);
    for (size_t i = 0; soloist_domain_at(cli->engine, i); i++)
        suggest_offer(&nearest, soloist_domain_at(cli->engine, i)->name);
    if (nearest.best)
        cli_complain("no domain %s: did you mean %s?", name, nearest.best);
    else
        cli_complain("no domain %s: `soloist info` lists them", name);
    return false;
}

bool method_find(const struct cli *cli, const char *name, size_t length, struct method_row *row) {
    for (size_t i = 0; soloist_method_at(cli->engine, i, &row->name, &row->summary, &row->options); i++)
        if (strlen(row->name) == length && !memcmp(row->name, name, length))
            return true;
    return false;
}

bool lookup_method(const struct cli *cli, const char *text) {
    struct method_row row;
    if (!text)
        return true;
    size_t length = strcspn(text, ":");
    if (method_find(cli, text, length, &row)) {
        char *spelled = need(search_spell(engine_methods(cli->engine), text, true));
        bool good = lookup_options(row.name, row.options, spelled[length] ? spelled + length + 1 : NULL);
        free(spelled);
        return good;
    }

    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)(length < 63 ? length : 63), text);
    struct suggestion nearest = suggest_open(name);
    for (size_t i = 0; soloist_method_at(cli->engine, i, &row.name, &row.summary, &row.options); i++)
        suggest_offer(&nearest, row.name);
    if (nearest.best)
        cli_complain("no method %s: did you mean %s?", name, nearest.best);
    else
        cli_complain("no method %s: `soloist info` lists them", name);
    return false;
}

void lookup_ignored(const struct cli *cli, const char *method) {
    static const struct {
        const char *option, *argument;
    } rows[] = {{"seed", "seed"},
                {"threads", "threads"},
                {"iterations", "iterations"},
                {"network", "network"},
                {"back-end", "network"}};
    const char *threads = args_value(&cli->given, "threads");
    bool one = threads && !strcmp(threads, "1"); /* as the method works anyway */
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *why = soloist_method_ignores(cli->engine, method, rows[i].argument);
        if (why && !(one && !strcmp(rows[i].option, "threads")))
            args_idle(&cli->given, rows[i].option, "%.*s %s", (int)strcspn(method, ":"), method, why);
    }
}
