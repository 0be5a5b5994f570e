#include "cli/identity.h"
#include "base/hash.h"
#include "base/options.h"
#include "cli/board.h"
#include "cli/need.h"
#include "cli/plugin.h"

#include <stdlib.h>
#include <string.h>

/* Two keys of the same text, the second begun elsewhere: together 128 bits. */
static void hash_text(const char *text, char hex[33]) {
    size_t length = strlen(text);
    char *shifted = need_bytes(length + 3);
    memcpy(shifted, "id:", 3);
    memcpy(shifted + 3, text, length);
    snprintf(hex, 33, "%016llx%016llx", (unsigned long long)hash_bytes(text, length),
             (unsigned long long)hash_bytes(shifted, length + 3));
    free(shifted);
}

void identity_objective(const soloist_puzzle *puzzle, char *text, size_t room) {
    const soloist_option *rows = puzzle->domain->options;
    snprintf(text, room, "%s", puzzle->domain->aim == SOLOIST_MOST_SCORE ? "score" : "cost");
    for (const soloist_option *row = rows; row && row->kind != SOLOIST_OPTION_END; row++)
        if (!strcmp(row->name, "optimal"))
            options_value(row, puzzle->options, text, room);
}

/* The options that differ from their defaults; their key where they are too many to be written out. */
static void name_options(const soloist_puzzle *puzzle, char *text, size_t room) {
    const soloist_option *rows = puzzle->domain->options;
    size_t length = (size_t)options_changed(rows, puzzle->options, text, room);
    if (length < room)
        return;
    char *all = need_bytes(length + 1);
    options_changed(rows, puzzle->options, all, length + 1);
    hash_text(all, text);
    free(all);
}

bool identity_of(const struct cli *cli, const soloist_puzzle *puzzle, struct identity *identity) {
    char options[400], mark[PLUGIN_MARK_ROOM];
    *identity = (struct identity){0};
    char *text = board_root_text(cli->engine, puzzle);
    if (!text)
        return false;
    hash_text(text, identity->instance);
    free(text);
    name_options(puzzle, options, sizeof options);
    plugins_mark(cli->plugins, puzzle->domain, mark);
    snprintf(identity->domain, sizeof identity->domain, "%s%s%s%s", puzzle->domain->name, mark, *options ? ":" : "",
             options);
    identity_objective(puzzle, identity->objective, sizeof identity->objective);
    return true;
}

bool identity_equal(const struct identity *a, const struct identity *b) {
    return *a->instance && !strcmp(a->instance, b->instance) && !strcmp(a->domain, b->domain) &&
           !strcmp(a->objective, b->objective);
}

void identity_write(struct json_writer *json, const struct identity *identity) {
    json_object(json, "identity");
    json_text(json, "instance", identity->instance);
    json_text(json, "domain", identity->domain);
    json_text(json, "objective", identity->objective);
    json_end(json, '}');
}

/* A text that does not fit is none of ours. */
static void read_text(struct json_value object, const char *name, char *text, size_t room) {
    long length = json_get_text(json_member(object, name), text, room);
    if (length < 0 || (size_t)length >= room)
        *text = 0;
}

struct identity identity_read(struct json_value line) {
    struct identity identity = {0};
    struct json_value object = json_member(line, "identity");
    if (object.kind != JSON_OBJECT)
        return identity;
    read_text(object, "instance", identity.instance, sizeof identity.instance);
    read_text(object, "domain", identity.domain, sizeof identity.domain);
    read_text(object, "objective", identity.objective, sizeof identity.objective);
    return identity;
}
