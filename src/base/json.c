/* The JSON writer: commas and escapes. One flag per level says whether a comma is due. */
#include "base/json.h"

#include "base/decimal.h"
#include "base/utf8.h"

#include <assert.h>
#include <math.h>
#include <string.h>

void json_open(struct json_writer *json, const soloist_sink *sink) { *json = (struct json_writer){.sink = sink}; }

static void put_escape(const soloist_sink *sink, unsigned char byte) {
    static const char from[] = "\"\\\b\f\n\r\t", to[] = "\"\\bfnrt";
    const char *known = byte ? strchr(from, byte) : NULL;
    if (known)
        soloist_print(sink, "\\%c", to[known - from]);
    else
        soloist_print(sink, "\\u%04x", (unsigned)byte);
}

static void put_string(const soloist_sink *sink, const char *text) {
    const char *at = text, *plain = text, *end = text + strlen(text);
    soloist_put(sink, "\"");
    for (;;) {
        size_t size = utf8_size(at, (size_t)(end - at));
        if (size && (unsigned char)*at >= 0x20 && *at != '"' && *at != '\\') {
            at += size;
            continue;
        }
        if (at > plain)
            sink->write(sink->to, plain, (size_t)(at - plain));
        if (at == end)
            break;
        put_escape(sink, (unsigned char)*at++);
        plain = at;
    }
    soloist_put(sink, "\"");
}

/* Writes what precedes every value: a comma if one is due, and the name. */
static void put_lead(struct json_writer *json, const char *name) {
    if (json->depth && json->comma[json->depth])
        soloist_put(json->sink, ",");
    json->comma[json->depth] = true;
    if (name) {
        put_string(json->sink, name);
        soloist_put(json->sink, ":");
    }
}

static void open_container(struct json_writer *json, const char *name, const char *bracket) {
    put_lead(json, name);
    soloist_put(json->sink, bracket);
    assert(json->depth + 1 < JSON_WRITER_DEEPEST);
    json->comma[++json->depth] = false;
}

void json_object(struct json_writer *json, const char *name) { open_container(json, name, "{"); }
void json_array(struct json_writer *json, const char *name) { open_container(json, name, "["); }

void json_end(struct json_writer *json, char bracket) {
    assert(json->depth > 0);
    json->depth--;
    json->sink->write(json->sink->to, &bracket, 1);
}

void json_raw(struct json_writer *json, const char *name, const char *json_value) {
    put_lead(json, name);
    soloist_put(json->sink, json_value);
}

void json_text(struct json_writer *json, const char *name, const char *text) {
    if (!text) {
        json_null(json, name);
        return;
    }
    put_lead(json, name);
    put_string(json->sink, text);
}

void json_int(struct json_writer *json, const char *name, int64_t value) {
    put_lead(json, name);
    soloist_print(json->sink, "%lld", (long long)value);
}

void json_uint(struct json_writer *json, const char *name, uint64_t value) {
    put_lead(json, name);
    soloist_print(json->sink, "%llu", (unsigned long long)value);
}

void json_real(struct json_writer *json, const char *name, double value) {
    char text[DECIMAL_ROOM] = "null";
    if (isfinite(value))
        decimal_write(value, text);
    json_raw(json, name, text);
}

void json_bool(struct json_writer *json, const char *name, bool value) {
    json_raw(json, name, value ? "true" : "false");
}

void json_null(struct json_writer *json, const char *name) { json_raw(json, name, "null"); }
