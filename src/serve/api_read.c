/* Answers which domains, methods, level sets and files there are, and splits texts into instances. */
#include "base/budget.h"
#include "engine/board.h"
#include "engine/engine.h"
#include "serve/api.h"

#include <stdlib.h>
#include <string.h>

/* ---- about ---- */

static void write_options(struct json_writer *json, const char *name, const soloist_option *rows) {
    static const char *const kinds[] = {"", "int", "real", "bool", "choice", "names", "name"};
    json_array(json, name);
    for (; rows && rows->kind != SOLOIST_OPTION_END; rows++) {
        json_object(json, NULL);
        json_text(json, "name", rows->name);
        json_text(json, "kind", kinds[rows->kind]);
        json_real(json, "initial", rows->initial);
        json_real(json, "least", rows->least);
        json_real(json, "most", rows->most);
        json_text(json, "choices", rows->choices);
        json_text(json, "help", rows->help);
        json_end(json, '}');
    }
    json_end(json, ']');
}

/* The names of the methods that can solve instances of the domain. */
static void write_suiting(struct json_writer *json, const soloist *engine, const soloist_domain *domain) {
    static const soloist_limits usual = {.time_s = 1, .threads = 1}; /* every job has a time limit */
    const char *name;
    json_array(json, "methods");
    for (size_t i = 0; soloist_method_at(engine, i, &name, NULL, NULL); i++) {
        bool depends;
        soloist_error error;
        if (engine_method_suits_domain(engine, domain, name, &usual, &depends, &error) == SOLOIST_OK)
            json_text(json, NULL, name);
    }
    json_end(json, ']');
}

static void write_domains(struct json_writer *json, const soloist *engine) {
    const soloist_domain *domain;
    json_array(json, "domains");
    for (size_t i = 0; (domain = soloist_domain_at(engine, i)); i++) {
        json_object(json, NULL);
        json_text(json, "name", domain->name);
        json_text(json, "summary", domain->summary);
        json_text(json, "aim", domain->aim == SOLOIST_MOST_SCORE ? "most score" : "least cost");
        json_int(json, "players", domain->players);
        json_bool(json, "reverse", domain->reverse);
        write_options(json, "options", domain->options);
        write_options(json, "generator", domain->generate ? domain->generate->options : NULL);
        write_suiting(json, engine, domain);
        json_end(json, '}');
    }
    json_end(json, ']');
}

static void write_methods(struct json_writer *json, const soloist *engine) {
    const char *name, *summary;
    const soloist_option *options;
    json_array(json, "methods");
    for (size_t i = 0; soloist_method_at(engine, i, &name, &summary, &options); i++) {
        json_object(json, NULL);
        json_text(json, "name", name);
        json_text(json, "summary", summary);
        write_options(json, "options", options);
        json_end(json, '}');
    }
    json_end(json, ']');
}

static void write_set(void *user, const char *name, const char *folder) {
    (void)folder;
    json_text(user, NULL, name);
}

static void write_limits(struct json_writer *json, const struct work_limits *limits, int workers) {
    json_object(json, "limits");
    json_real(json, "time", limits->time_s);
    json_uint(json, "memory", limits->memory);
    json_int(json, "threads", limits->threads);
    json_int(json, "jobs", workers);
    json_int(json, "text", WORK_TEXT_MOST);
    json_int(json, "body", SERVE_BODY_MOST);
    json_end(json, '}');
}

void api_about(struct serve *serve, const struct request *request, const char *rest, struct reply *reply) {
    const struct serve_rules *rules = &serve->rules;
    struct json_writer json;
    soloist_sink sink = buffer_sink(&reply->body);
    (void)request, (void)rest;
    json_open(&json, &sink);
    json_object(&json, NULL);
    json_text(&json, "version", soloist_version());
    write_domains(&json, rules->engine);
    write_methods(&json, rules->engine);
    json_array(&json, "sets");
    if (rules->sets && level_sets_each(rules->sets, write_set, &json) != SOLOIST_OK)
        reply->body.failed = true;
    json_end(&json, ']');
    json_array(&json, "files");
    for (size_t i = 0; i < rules->file_count; i++)
        json_text(&json, NULL, rules->files[i].name);
    json_end(&json, ']');
    json_bool(&json, "lab", rules->lab.desk);
    json_array(&json, "trainings");
    for (size_t i = 0; i < rules->training_count; i++)
        json_text(&json, NULL, rules->trainings[i].name);
    json_end(&json, ']');
    write_limits(&json, &rules->limits, rules->workers);
    json_end(&json, '}');
}

/* ---- texts ---- */

static void reply_text(struct reply *reply, const char *text, size_t length) {
    soloist_sink sink = buffer_sink(&reply->body);
    reply->type = "text/plain; charset=utf-8";
    sink.write(sink.to, text, length);
}

/* Only a name that is listed, so that no other file can be read. */
struct wanted_set {
    const char *name;
    bool listed;
};

static void compare_set(void *user, const char *name, const char *folder) {
    struct wanted_set *wanted = user;
    (void)folder;
    wanted->listed |= !strcmp(name, wanted->name);
}

void api_set(struct serve *serve, const struct request *request, const char *rest, struct reply *reply) {
    const struct level_sets *sets = serve->rules.sets;
    struct wanted_set wanted = {rest, false};
    char *text = NULL;
    size_t length = 0;
    (void)request;
    soloist_code code = sets ? level_sets_each(sets, compare_set, &wanted) : SOLOIST_OK;
    if (code == SOLOIST_OK && wanted.listed)
        code = level_sets_read(sets, rest, LEVEL_SETS_BOARDS, &text, &length);
    if (code != SOLOIST_OK)
        reply->body.failed = true;
    else if (!text)
        reply_fail(reply, 404, "no level set of this name is installed");
    else
        reply_text(reply, text, length);
    free(text);
}

void api_file(struct serve *serve, const struct request *request, const char *rest, struct reply *reply) {
    char *end;
    unsigned long number = strtoul(rest, &end, 10);
    (void)request;
    if (*end || *rest < '0' || *rest > '9' || number >= serve->rules.file_count)
        return reply_fail(reply, 404, "there is no file of this number");
    reply_text(reply, serve->rules.files[number].text, serve->rules.files[number].length);
}

/* ---- instances ---- */

static void write_instance(struct json_writer *json, const soloist *engine, const soloist_domain *domain,
                           const soloist_chunk *chunk, soloist_stop_token *stop) {
    soloist_puzzle puzzle;
    soloist_error error = {0};
    soloist_code code = soloist_puzzle_read_within(domain, NULL, chunk, stop, &puzzle, &error);
    char *text = NULL;
    json_object(json, NULL);
    json_text(json, "name", chunk->name);
    json_int(json, "line", chunk->line);
    if (code == SOLOIST_OK) {
        text = board_root_text(engine, &puzzle);
        soloist_puzzle_free(&puzzle);
    }
    json_text(json, "text", text);
    if (!text) {
        json_text(json, "error",
                  code == SOLOIST_STOPPED                           ? "reading this puzzle takes too long"
                  : code == SOLOIST_OK || code == SOLOIST_NO_MEMORY ? "out of memory"
                                                                    : error.text);
        json_int(json, "error_line", error.line);
    }
    json_end(json, '}');
    free(text);
}

struct reading {
    const soloist *engine;
    const soloist_domain *domain;
    uint64_t from, count;
};

/* Large instances take long to read, and a client waits for the reply: what is not read in time has an error. */
static void write_instances(const struct reading *reading, const char *text, size_t length, struct reply *reply) {
    soloist_cursor cursor = soloist_cursor_open(text, length);
    soloist_chunk chunk;
    struct json_writer json;
    soloist_sink sink = buffer_sink(&reply->body);
    soloist_stop_token stop;
    uint64_t number = 0;
    stop_token_open(&stop, NULL);
    soloist_stop_token_deadline(&stop, 20);
    json_open(&json, &sink);
    json_object(&json, NULL);
    json_text(&json, "domain", reading->domain->name);
    json_array(&json, "instances");
    for (; reading->domain->life->next(&cursor, &chunk); number++)
        if (number >= reading->from && number - reading->from < reading->count)
            write_instance(&json, reading->engine, reading->domain, &chunk, &stop);
    json_end(&json, ']');
    json_uint(&json, "total", number);
    json_end(&json, '}');
}

void api_read(struct serve *serve, const struct request *request, const char *rest, struct reply *reply) {
    const soloist *engine = serve->rules.engine;
    struct fields fields;
    (void)rest;
    if (!fields_open(&fields, request->body, request->length))
        return reply_fail(reply, 400, "%s", fields.error.text);
    char *text = fields_needed(&fields, "text", SERVE_BODY_MOST),
         *name = fields_text(&fields, "domain", WORK_NAME_MOST);
    struct reading reading = {engine, NULL, fields_count(&fields, "from", 0, UINT64_MAX),
                              fields_count(&fields, "count", SERVE_INSTANCES_MOST, SERVE_INSTANCES_MOST)};
    size_t length = text ? strlen(text) : 0;
    if (fields_good(&fields))
        reading.domain = name ? soloist_find_domain(engine, name) : soloist_recognise(engine, text, length);
    if (!fields_good(&fields))
        reply_fail(reply, 400, "%s", fields.error.text);
    else if (!reading.domain)
        reply_fail(reply, 422, name ? "there is no such domain" : "this is not recognised as a puzzle of any kind");
    else
        write_instances(&reading, text, length, reply);
    free(text);
    free(name);
}
