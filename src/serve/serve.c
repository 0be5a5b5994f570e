/* Decides which function answers a request. */
#include "serve/serve.h"
#include "serve/api.h"
#include "serve/page.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

static const struct route {
    const char *method, *path;
    bool more; /* something must follow the path */
    const char *end;
    api_act *act;
} routes[] = {
    {"GET", "/api/about", false, NULL, api_about},        {"GET", "/api/sets/", true, NULL, api_set},
    {"GET", "/api/files/", true, NULL, api_file},         {"POST", "/api/read", false, NULL, api_read},
    {"POST", "/api/explain", false, NULL, api_explain},   {"POST", "/api/check", false, NULL, api_check},
    {"POST", "/api/jobs", false, NULL, api_add},          {"GET", "/api/jobs", false, NULL, api_list},
    {"GET", "/api/jobs/", true, "/events", api_events},   {"GET", "/api/jobs/", true, NULL, api_job},
    {"DELETE", "/api/jobs/", true, NULL, api_cancel},     {"POST", "/api/jobs/", true, "/pace", api_pace},
    {"POST", "/api/training", false, NULL, api_training}, {"GET", "/api/lab", false, NULL, api_lab_list},
    {"POST", "/api/lab", false, NULL, api_lab},
};
enum { ROUTES = sizeof routes / sizeof *routes, REST_ROOM = 300 };

bool serve_open(struct serve *serve, const struct serve_rules *rules, void (*changed)(void *, const struct job *),
                void *user) {
    *serve = (struct serve){.rules = *rules};
    serve->jobs = jobs_open(&(struct jobs_rules){.engine = rules->engine,
                                                 .workers = rules->workers,
                                                 .most = 256,
                                                 .most_kept = 512,
                                                 .idle_s = 180,
                                                 .reload_s = 10,
                                                 .keep_s = 1800,
                                                 .interval_s = 0.05,
                                                 .kept = rules->kept,
                                                 .changed = changed,
                                                 .user = user});
    return serve->jobs;
}

void serve_close(struct serve *serve) { jobs_close(serve->jobs); }

/* The part of the path that the route leaves open, or NULL if the path is another one. */
static const char *match(const struct route *route, const char *path, char rest[REST_ROOM]) {
    size_t start = strlen(route->path), length = strlen(path), end = route->end ? strlen(route->end) : 0;
    if (!route->more)
        return strcmp(route->path, path) ? NULL : "";
    if (strncmp(route->path, path, start) != 0 || length <= start + end || length - start - end >= REST_ROOM)
        return NULL;
    if (end && strcmp(path + length - end, route->end) != 0)
        return NULL;
    memcpy(rest, path + start, length - start - end);
    rest[length - start - end] = 0;
    return strchr(rest, '/') ? NULL : rest;
}

static bool is_json(const char *type) {
    static const char json[] = "application/json";
    return type && !strncasecmp(type, json, strlen(json)) && strchr("; ", type[strlen(json)]);
}

static void reply_wrong_method(const struct request *request, struct reply *reply) {
    reply_fail(reply, 405, "%.20s is not possible here; possible: %s", request->method, reply->allow);
}

static void answer_call(struct serve *serve, const struct request *request, struct reply *reply) {
    char rest[REST_ROOM], allowed[sizeof reply->allow] = "";
    for (int i = 0; i < ROUTES; i++) {
        const char *found = match(&routes[i], request->path, rest);
        if (!found)
            continue;
        if (strcmp(routes[i].method, request->method) != 0) {
            size_t used = strlen(allowed);
            snprintf(allowed + used, sizeof allowed - used, "%s%s", used ? ", " : "", routes[i].method);
            continue;
        }
        /* Only a page's own script can send this type, so that no form of another site can. */
        if (!strcmp(request->method, "POST") && !is_json(request->content_type))
            return reply_fail(reply, 415, "the content must be application/json");
        reply->status = 200;
        routes[i].act(serve, request, found, reply);
        return;
    }
    memcpy(reply->allow, allowed, sizeof allowed);
    if (*allowed)
        reply_wrong_method(request, reply);
    else
        reply_fail(reply, 404, "there is nothing here");
}

static void answer_file(const struct request *request, struct reply *reply) {
    const char *path = strcmp(request->path, "/") ? request->path : "/index.html";
    const struct page_file *file = page_files;
    while (file->path && strcmp(file->path, path) != 0)
        file++;
    if (!file->path)
        return reply_fail(reply, 404, "there is nothing here");
    if (strcmp(request->method, "GET") != 0 && strcmp(request->method, "HEAD") != 0) {
        snprintf(reply->allow, sizeof reply->allow, "GET, HEAD");
        return reply_wrong_method(request, reply);
    }
    bool unchanged = request->if_none_match && !strcmp(request->if_none_match, file->etag);
    reply->status = unchanged ? 304 : 200;
    reply->type = file->type;
    reply->etag = file->etag;
    reply->constant = unchanged ? "" : (const char *)file->bytes;
    reply->constant_length = unchanged ? 0 : file->length;
}

void serve_answer(struct serve *serve, const struct request *request, struct reply *reply) {
    if (strncmp(request->path, "/api/", 5) != 0)
        answer_file(request, reply);
    else
        answer_call(serve, request, reply);
}
