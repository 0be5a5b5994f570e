/* A service without a socket, and requests to it. */
#ifndef TESTS_SERVE_FIXTURE_H
#define TESTS_SERVE_FIXTURE_H

#include "serve/serve.h"

#include <string.h>

static const struct serve_file fixture_files[] = {{(char *)"one.xsb", (char *)"#####\n#@$.#\n#####\n", 18}};

static inline soloist *fixture_open(struct serve *serve) {
    soloist *engine = soloist_new();
    struct serve_rules rules = {.engine = engine, .files = fixture_files, .file_count = 1};
    rules.limits = (struct work_limits){.time_s = 60, .memory = 1 << 28, .threads = 2};
    if (!engine || !serve_open(serve, &rules, NULL, NULL) || !guard_open(&serve->guard, "127.0.0.1", 8080))
        return NULL;
    return engine;
}

static inline void fixture_close(struct serve *serve, soloist *engine) {
    serve_close(serve);
    soloist_free(engine);
}

static inline struct request fixture_request(const char *method, const char *path, const char *body) {
    return (struct request){.method = method,
                            .path = path,
                            .host = "127.0.0.1:8080",
                            .content_type = "application/json",
                            .body = body,
                            .length = strlen(body)};
}

/* The caller closes the reply. */
static inline struct reply fixture_ask(struct serve *serve, const char *method, const char *path, const char *body) {
    struct request request = fixture_request(method, path, body);
    struct reply reply;
    reply_open(&reply);
    serve_answer(serve, &request, &reply);
    return reply;
}

#endif
