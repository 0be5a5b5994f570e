#include "lab/results/save.h"
#include "base/buffer.h"
#include "lab/run/values.h"

#include <stdlib.h>
#include <string.h>

/* The value of a training is the last one of its curve. */
#define VALUE "coalesce(?%d, (SELECT value FROM curve WHERE run = ?1 AND ?2 = 'trained' ORDER BY row DESC LIMIT 1))"

/* ?1 is the run; the values follow, of which the first is the status. */
bool save_open(struct query *query, const struct store *store, soloist_error *error) {
    static const struct job nothing = {.id = 0};
    struct job_outcome outcome = {.job = &nothing};
    struct values values;
    struct buffer sql;
    buffer_open(&sql);
    soloist_sink sink = buffer_sink(&sql);
    values_of_outcome(&outcome, &values);
    soloist_put(&sink, "UPDATE run SET ");
    for (int i = 0; i < values.count; i++) {
        const char *name = values.items[i].name;
        soloist_print(&sink, "%s%s = ", i ? ", " : "", name);
        soloist_print(&sink, strcmp(name, "value") ? "?%d" : VALUE, i + 2);
    }
    soloist_put(&sink, " WHERE id = ?1 AND status IS NULL");
    char *text = buffer_take(&sql);
    bool opened = query_open(query, store, text, error);
    free(text);
    return opened;
}

void save_bind(struct query *query, int at, const struct values *values) {
    for (int i = 0; i < values->count; i++) {
        const struct value *value = &values->items[i];
        switch (value->kind) {
        case VALUE_NULL: break; /* an unbound parameter is NULL */
        case VALUE_INT: query_bind_int(query, at + i, value->whole); break;
        case VALUE_REAL: query_bind_real(query, at + i, value->real); break;
        case VALUE_TEXT: query_bind_text(query, at + i, value->text); break;
        }
    }
}

bool save_outcome(struct query *query, const struct job_outcome *outcome) {
    struct values values;
    values_of_outcome(outcome, &values);
    query_bind_int(query, 1, outcome->job->id);
    save_bind(query, 2, &values);
    return query_run(query);
}
