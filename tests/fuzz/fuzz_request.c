/* A request to the page's server: whatever it holds, it is refused by the guard or answered with a status, and what is
 * answered as JSON is JSON. The input is lines: method, path, host, origin, cookie, content type; the rest is the
 * content. Jobs are added but not run, and questions that are answered at once have little time: the searches are
 * not tested here. */
#include "base/json.h"
#include "serve/serve.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds) {
    if (!holds)
        abort();
}

/* Cuts the next line off and ends it with a zero byte; NULL if it is empty. */
static const char *take_line(char **at) {
    char *line = *at, *end = strchr(line, '\n');
    *at = end ? end + 1 : line + strlen(line);
    if (end)
        *end = 0;
    return *line ? line : NULL;
}

static void check_reply(const struct reply *reply) {
    struct json_value value;
    soloist_error error;
    require(reply->status >= 200 && reply->status < 600 && !reply->body.failed);
    if (!reply->constant && !reply->watched && reply->body.length && strstr(reply->type, "json"))
        require(json_parse(reply->body.text, reply->body.length, &value, &error));
}

static void ask(soloist *engine, const char *address, const struct request *request) {
    struct serve serve;
    struct reply reply;
    struct serve_rules rules = {.engine = engine, .limits = {.time_s = 0.02, .memory = 1 << 26, .threads = 1}};
    require(serve_open(&serve, &rules, NULL, NULL) && guard_open(&serve.guard, address, 8080));
    reply_open(&reply);
    if (guard_admits(&serve.guard, request, &reply))
        serve_answer(&serve, request, &reply);
    check_reply(&reply);
    if (reply.watched)
        jobs_unwatch(serve.jobs, reply.watched);
    reply_close(&reply);
    serve_close(&serve);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = malloc(size + 1), *at = text;
    soloist *engine = soloist_new();
    require(text && engine);
    memcpy(text, data, size);
    text[size] = 0;
    struct request request = {.method = take_line(&at), .path = take_line(&at)};
    request.host = take_line(&at);
    request.origin = take_line(&at);
    request.cookie = request.authorization = request.token = take_line(&at);
    request.content_type = take_line(&at);
    request.body = at;
    request.length = size - (size_t)(at - text);
    if (request.method && request.path) {
        ask(engine, "127.0.0.1", &request);
        ask(engine, "0.0.0.0", &request);
    }
    soloist_free(engine);
    free(text);
    return 0;
}
