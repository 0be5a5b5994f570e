#include "serve/request.h"
#include "base/json.h"

#include <stdio.h>

static const char json_type[] = "application/json; charset=utf-8";

void reply_open(struct reply *reply) {
    *reply = (struct reply){.type = json_type};
    buffer_open(&reply->body);
}

void reply_close(struct reply *reply) { buffer_close(&reply->body); }

void reply_fail(struct reply *reply, int status, const char *format, ...) {
    char text[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    struct json_writer json;
    buffer_clear(&reply->body);
    soloist_sink sink = buffer_sink(&reply->body);
    json_open(&json, &sink);
    json_object(&json, NULL);
    json_text(&json, "error", text);
    json_end(&json, '}');
    reply->status = status;
    reply->type = json_type;
}
