#include "lab/run/lines.h"
#include "lab/lesson.h"
#include "lab/run/seal_text.h"

#include <stdio.h>
#include <string.h>

#define SEAL ",\"seal\":\""
enum { SEAL_LENGTH = sizeof SEAL - 1 + 16 + 2 }; /* with the digits, a quote and a bracket */

/* ---- reading ---- */

struct lines_cursor lines_open(const char *text, size_t length) {
    return (struct lines_cursor){.at = text, .end = text + length};
}

bool lines_recognise(const char *text, size_t length) {
    return length > 1 && ((text[0] == '{' && text[1] == '"') || (!text[0] && !text[1])); /* zero bytes: a power cut */
}

/* Whether a line ends in its own hash. */
static bool is_sealed(const char *line, size_t length) {
    char seal[SEAL_LENGTH + 1];
    if (length <= SEAL_LENGTH)
        return false;
    size_t body = length - SEAL_LENGTH;
    snprintf(seal, sizeof seal, SEAL "%016llx\"}", (unsigned long long)seal_text(line, body));
    return !memcmp(line + body, seal, SEAL_LENGTH);
}

bool lines_next(struct lines_cursor *cursor, struct json_value *object) {
    while (cursor->at < cursor->end) {
        const char *line = cursor->at, *end = memchr(line, '\n', (size_t)(cursor->end - line));
        if (!end) {
            cursor->torn = true;
            return false;
        }
        size_t length = (size_t)(end - line);
        cursor->at = end + 1;
        cursor->line++;
        if (!length)
            continue;
        if (is_sealed(line, length) && json_parse(line, length, object, NULL) && object->kind == JSON_OBJECT)
            return true;
        if (memchr(line, 0, length))
            cursor->zeroed++;
        else if (!cursor->damaged++)
            cursor->first_damaged = cursor->line;
    }
    return false;
}

/* ---- writing ---- */

/* A line that is being written. */
struct entry {
    struct buffer *text;
    soloist_sink sink;
    struct json_writer json;
    size_t start; /* where the line begins in the text */
};

static void entry_open(struct entry *entry, struct buffer *text) {
    entry->text = text;
    entry->sink = buffer_sink(text);
    entry->start = text->length;
    json_open(&entry->json, &entry->sink);
    json_object(&entry->json, NULL);
}

static void entry_close(struct entry *entry) {
    struct buffer *text = entry->text;
    if (!text->failed)
        soloist_print(&entry->sink, SEAL "%016llx\"}\n",
                      (unsigned long long)seal_text(text->text + entry->start, text->length - entry->start));
}

void lines_put_instance(struct buffer *text, const struct plan_instance *instance) {
    struct entry entry;
    entry_open(&entry, text);
    json_text(&entry.json, "instance", instance->identity);
    json_text(&entry.json, "domain", instance->domain);
    json_text(&entry.json, "options", instance->options);
    json_text(&entry.json, "name", instance->name);
    json_text(&entry.json, "text", instance->text);
    entry_close(&entry);
}

void lines_put_plan(struct buffer *text, const char *key, const struct plan_run *run) {
    struct entry entry;
    entry_open(&entry, text);
    json_raw(&entry.json, "plan", key);
    json_text(&entry.json, "label", run->label);
    json_text(&entry.json, "source", run->source);
    json_int(&entry.json, "number", run->number);
    entry_close(&entry);
}

void lines_put_experiment(struct buffer *text, const struct experiment *experiment, const struct plan_wish *wish,
                          uint64_t runs, uint64_t planned) {
    struct entry entry;
    char hash[20];
    snprintf(hash, sizeof hash, "%016llx", (unsigned long long)planned);
    entry_open(&entry, text);
    json_text(&entry.json, "experiment", wish->name);
    json_text(&entry.json, "title", experiment->title);
    json_text(&entry.json, "text", wish->text);
    json_real(&entry.json, "scale", wish->scale);
    json_uint(&entry.json, "runs", runs);
    json_text(&entry.json, "planned", hash);
    entry_close(&entry);
}

void lines_put_run(struct buffer *text, const char *key, const struct job_outcome *outcome,
                   const struct curve_row *rows) {
    struct entry entry;
    struct values values;
    entry_open(&entry, text);
    json_raw(&entry.json, "run", key);
    json_object(&entry.json, "result");
    values_of_outcome(outcome, &values);
    values_write(&values, &entry.json);
    json_end(&entry.json, '}');
    json_array(&entry.json, "curve");
    for (; rows; rows = rows->next) {
        json_object(&entry.json, NULL);
        values_of_row(rows, &values);
        values_write(&values, &entry.json);
        json_end(&entry.json, '}');
    }
    json_end(&entry.json, ']');
    entry_close(&entry);
}

void lines_put_key(struct buffer *text, const char *identity, const struct plan_run *run, const char *method) {
    soloist_sink sink = buffer_sink(text);
    struct json_writer json;
    json_open(&json, &sink);
    json_object(&json, NULL);
    json_text(&json, "instance", identity);
    json_text(&json, "method", method);
    json_uint(&json, "seed", run->seed);
    json_uint(&json, "iterations_limit", run->limits.iterations);
    json_uint(&json, "nodes_limit", run->limits.nodes);
    json_real(&json, "time_limit", run->limits.time_s);
    json_uint(&json, "memory_limit", run->limits.memory);
    json_int(&json, "threads", run->limits.threads);
    json_text(&json, "network", run->network);
    json_end(&json, '}');
}

bool lines_is_made_again(struct json_value line) {
    char method[8] = "", network[9] = "", status[16] = "";
    struct json_value run = json_member(line, "run");
    json_get_text(json_member(run, "method"), method, sizeof method);
    json_get_text(json_member(run, "network"), network, sizeof network);
    json_get_text(json_member(json_member(line, "result"), "status"), status, sizeof status);
    return (lesson_is(method) || !strcmp(network, "trained ")) && !strcmp(status, "invalid");
}
