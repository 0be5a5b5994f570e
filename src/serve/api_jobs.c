/* Requests about jobs: a client adds, lists, watches, paces and cancels them. */
#include "serve/api.h"

void api_add(struct serve *serve, const struct request *request, const char *rest, struct reply *reply) {
    struct fields fields;
    struct work work = {0};
    char id[JOB_ID_ROOM];
    (void)rest;
    if (!fields_open(&fields, request->body, request->length) || !work_read(&work, &fields, &serve->rules.limits)) {
        work_free(&work);
        return reply_fail(reply, 400, "%s", fields.error.text);
    }
    enum jobs_verdict verdict = jobs_add(serve->jobs, &work, id);
    if (verdict == JOBS_NO_MEMORY)
        reply->body.failed = true;
    else if (verdict == JOBS_FULL)
        reply_fail(reply, 503, "too many jobs are waiting: try again later");
    else
        api_job(serve, request, id, reply), reply->status = 201;
}

void api_list(struct serve *serve, const struct request *request, const char *rest, struct reply *reply) {
    soloist_sink sink = buffer_sink(&reply->body);
    (void)request, (void)rest;
    jobs_list(serve->jobs, &sink);
}

static void reply_no_job(struct reply *reply) { reply_fail(reply, 404, "there is no such job any more"); }

void api_job(struct serve *serve, const struct request *request, const char *rest, struct reply *reply) {
    soloist_sink sink = buffer_sink(&reply->body);
    (void)request;
    if (!jobs_describe(serve->jobs, rest, &sink))
        reply_no_job(reply);
}

/* Reads the moves of the path. */
static bool read_path(struct jobs_wish *wish, struct json_value path) {
    struct json_value move;
    uint64_t number;
    for (const char *step = NULL; json_next(path, &step, NULL, &move);) {
        if (wish->path_count == JOB_PATH_MOST || !json_get_uint(move, &number) || number > UINT32_MAX)
            return false;
        wish->path[wish->path_count++] = (soloist_move)number;
    }
    return true;
}

static void read_wish(struct jobs_wish *wish, struct fields *fields) {
    struct json_value path = json_member(fields->object, "path");
    wish->has_paused = fields_has(fields, "paused");
    wish->has_every = fields_has(fields, "every");
    wish->has_delay = fields_has(fields, "delay");
    wish->has_path = fields_has(fields, "path");
    work_read_pace(&wish->pace, fields);
    wish->steps = fields_count(fields, "steps", 0, 1000000);
    if (wish->has_path && fields_good(fields) && (path.kind != JSON_ARRAY || !read_path(wish, path)))
        soloist_fail(&fields->error, 0, 0, "path: expected an array of at most %d moves", (int)JOB_PATH_MOST);
}

void api_pace(struct serve *serve, const struct request *request, const char *rest, struct reply *reply) {
    struct fields fields;
    struct jobs_wish wish = {0};
    if (fields_open(&fields, request->body, request->length))
        read_wish(&wish, &fields);
    if (!fields_good(&fields))
        return reply_fail(reply, 400, "%s", fields.error.text);
    enum jobs_verdict verdict = jobs_pace(serve->jobs, rest, &wish);
    if (verdict == JOBS_UNKNOWN)
        reply_no_job(reply);
    else if (verdict == JOBS_UNWATCHED)
        reply_fail(reply, 409, "this job was added without watch: it has no pace");
    else
        api_job(serve, request, rest, reply);
}

void api_events(struct serve *serve, const struct request *request, const char *rest, struct reply *reply) {
    (void)request;
    reply->watched = jobs_watch(serve->jobs, rest);
    reply->type = "text/event-stream";
    if (!reply->watched)
        reply_no_job(reply);
}

void api_cancel(struct serve *serve, const struct request *request, const char *rest, struct reply *reply) {
    if (jobs_cancel(serve->jobs, rest))
        api_job(serve, request, rest, reply);
    else
        reply_no_job(reply);
}
