/* Jobs as a client sees them. */
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
