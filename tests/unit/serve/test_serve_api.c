/* What the server answers, without a socket. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "serve_fixture.h"

#include <stdio.h>
#include <stdlib.h>

static void expect(struct serve *serve, const char *method, const char *path, const char *body, int status,
                   const char *part) {
    struct reply reply = fixture_ask(serve, method, path, body);
    const char *text = reply.constant ? reply.constant : reply.body.text ? reply.body.text : "";
    if (reply.status != status || (part && !strstr(text, part)))
        fail_msg("%s %s %s: %d %s", method, path, body, reply.status, text);
    assert_false(reply.body.failed);
    reply_close(&reply);
}

static void calls_are_answered(void **unused) {
    (void)unused;
    static const struct {
        const char *method, *path, *body;
        int status;
        const char *part;
    } rows[] = {
        {"GET", "/", "", 200, "<html"},
        {"HEAD", "/index.html", "", 200, NULL},
        {"GET", "/../etc/passwd", "", 404, "error"},
        {"GET", "/none", "", 404, "error"},
        {"POST", "/index.html", "", 405, "POST is not possible here; possible: GET, HEAD"},
        {"GET", "/api/about", "", 200, "\"name\":\"sokoban\""},
        {"GET", "/api/about", "", 200, "\"files\":[\"one.xsb\"]"},
        {"GET", "/api/about", "", 200, "\"nrpa\""},
        {"POST", "/api/about", "", 405, "possible: GET"},
        {"DELETE", "/api/jobs", "", 405, "possible: POST, GET"},
        {"POST", "/api/jobs", "{\"kind\":\"generate\",\"domain\":\"sokoban\",\"most\":{\"foo\":3}}", 400,
         "no measure 'foo'"},
        {"GET", "/api/none", "", 404, "error"},
        {"GET", "/api/lab", "", 200, "[]"},
        {"POST", "/api/lab", "{\"experiment\":\"x\"}", 404, "no store"},
        {"POST", "/api/training", "{}", 400, "number: is missing"},
        {"POST", "/api/training", "{\"number\":0}", 404, "no training"},
        {"POST", "/api/training", "{\"number\":-1}", 400, "number"},
        {"POST", "/api/training", "[]", 400, "expected a JSON object"},
        {"GET", "/api/files/0", "", 200, "#@$.#"},
        {"GET", "/api/files/1", "", 404, "error"},
        {"GET", "/api/files/-1", "", 404, "error"},
        {"GET", "/api/files/", "", 404, "error"},
        {"GET", "/api/sets/../x", "", 404, "error"},
        {"GET", "/api/sets/none", "", 404, "error"},
        {"POST", "/api/read", "{\"text\":\"5#|#@$.#|5#\"}", 200, "\"total\":1"},
        {"POST", "/api/read", "{\"text\":\"#####\\n#@$.#\\n#####\\n\"}", 200, "\"text\":\"#####\\n#@$.#\\n#####\\n\""},
        {"POST", "/api/read", "{\"text\":\"#####\\n#@$ #\\n#####\\n\"}", 200, "\"error\":"},
        {"POST", "/api/read", "{\"text\":\"\"}", 422, "error"},
        {"POST", "/api/read", "{\"text\":7}", 400, "text: expected a text"},
        {"POST", "/api/read", "{}", 400, "text: is missing"},
        {"POST", "/api/read", "[]", 400, "expected a JSON object"},
        {"POST", "/api/read", "{\"text\":\"a\\u0000b\"}", 400, "zero byte"},
        {"POST", "/api/read", "{", 400, "error"},
        {"GET", "/watch.html", "", 200, "<html"},
        {"POST", "/api/jobs/0123456789abcdef/pace", "{}", 404, "no such job"},
        {"POST", "/api/jobs/0123456789abcdef/pace", "{\"paused\":1}", 400, "paused"},
        {"POST", "/api/jobs/0123456789abcdef/pace", "{\"path\":[1,-1]}", 400, "path"},
        {"POST", "/api/jobs/0123456789abcdef/pace", "{\"path\":\"x\"}", 400, "path: expected an array"},
        {"POST", "/api/jobs/0123456789abcdef/pace", "{\"path\":{\"a\":1}}", 400, "path: expected an array"},
        {"POST", "/api/jobs/0123456789abcdef/pace", "{\"steps\":-1}", 400, "steps"},
        {"POST", "/api/jobs/0123456789abcdef/pace", "{\"delay\":11}", 400, "delay"},
        {"POST", "/api/jobs", "{\"text\":\"#####\\n#@$.#\\n#####\\n\",\"watch\":2}", 400, "watch"},
        {"POST", "/api/read", "{\"text\":\"1 2\",\"domain\":\"chess\"}", 422, "no such domain"},
        {"POST", "/api/read", "{\"text\":\"1 2\\n2 1\\n\",\"domain\":\"pancake\",\"from\":1,\"count\":5}", 200,
         "\"text\":\"2 1\\n\""},
        {"POST", "/api/explain", "{\"text\":\"######\\n#@@$.#\\n######\\n\"}", 422, "error"},
        {"POST", "/api/explain", "{\"text\":\"######\\n#@  $#\\n#.  .#\\n# $  #\\n######\\n\"}", 200,
         "\"reason\":\"dead square\""},
        {"POST", "/api/explain", "{\"text\":\"#####\\n#@$.#\\n#####\\n\"}", 200, "\"outlook\":\"unknown\""},
        {"POST", "/api/check", "{\"text\":\"#####\\n#@$.#\\n#####\\n\",\"solution\":\"R\"}", 200, "\"valid\":true"},
        {"POST", "/api/check", "{\"text\":\"#####\\n#@$.#\\n#####\\n\",\"solution\":\"L\"}", 200, "\"valid\":false"},
        {"POST", "/api/check", "{\"text\":\"#####\\n#@$.#\\n#####\\n\"}", 400, "solution"},
        {"POST", "/api/jobs", "{\"kind\":\"dance\",\"text\":\"\"}", 400, "kind"},
        {"POST", "/api/jobs", "{\"text\":\"1 2\",\"time\":1e9}", 400, "time: expected a number"},
        {"POST", "/api/jobs", "{\"text\":\"1 2\",\"threads\":9}", 400, "threads"},
        {"POST", "/api/jobs", "{\"text\":\"1 2\",\"aim\":\"foo\"}", 400, "aim: expected one of pushes, moves"},
        {"POST", "/api/jobs", "{\"text\":\"1 2\",\"aim\":\"pushes-moves\"}", 400, "aim: expected one of pushes, moves"},
        {"POST", "/api/jobs", "{\"kind\":\"optimize\",\"text\":\"1 2\",\"solution\":\"\",\"aim\":\"foo\"}", 400,
         "aim: foo: expected pushes, moves, box-lines"},
        {"POST", "/api/jobs", "{\"kind\":\"generate\"}", 400, "domain: is missing"},
        {"POST", "/api/jobs", "{\"kind\":\"generate\",\"domain\":\"sokoban\",\"least\":{\"charm\":1}}", 400, "least"},
        {"GET", "/api/jobs/0123456789abcdef", "", 404, "error"},
        {"DELETE", "/api/jobs/0123456789abcdef", "", 404, "error"},
        {"GET", "/api/jobs/0123456789abcdef/events", "", 404, "error"},
    };
    struct serve serve;
    soloist *engine = fixture_open(&serve);
    assert_non_null(engine);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        expect(&serve, rows[i].method, rows[i].path, rows[i].body, rows[i].status, rows[i].part);
    fixture_close(&serve, engine);
}

static void only_json_is_posted(void **unused) {
    (void)unused;
    static const char *const types[] = {NULL,
                                        "",
                                        "text/plain",
                                        "application/jsonp",
                                        "application/x-www-form-urlencoded",
                                        "Application/JSON; charset=utf-8"};
    enum { TYPES = sizeof types / sizeof *types };
    struct serve serve;
    soloist *engine = fixture_open(&serve);
    for (size_t i = 0; i < TYPES; i++) {
        struct request request = fixture_request("POST", "/api/read", "{\"text\":\"1 2\"}");
        struct reply reply;
        request.content_type = types[i];
        reply_open(&reply);
        serve_answer(&serve, &request, &reply);
        assert_int_equal(reply.status, i < TYPES - 1 ? 415 : 200);
        reply_close(&reply);
    }
    fixture_close(&serve, engine);
}

static void an_unchanged_file_is_not_sent_again(void **unused) {
    (void)unused;
    struct serve serve;
    soloist *engine = fixture_open(&serve);
    struct reply first = fixture_ask(&serve, "GET", "/", ""), second;
    struct request request = fixture_request("GET", "/", "");
    assert_true(first.constant_length > 0);
    request.if_none_match = first.etag;
    reply_open(&second);
    serve_answer(&serve, &request, &second);
    assert_int_equal(second.status, 304);
    assert_int_equal(second.constant_length, 0);
    reply_close(&first);
    reply_close(&second);
    fixture_close(&serve, engine);
}

enum { PATH_ROOM = 100 };

/* Adds a job; writes the path of requests about it. */
static void add(struct serve *serve, const char *body, char path[PATH_ROOM]) {
    struct reply reply = fixture_ask(serve, "POST", "/api/jobs", body);
    const char *id = reply.status == 201 ? strstr(reply.body.text, "\"id\":\"") : NULL;
    if (!id)
        fail_msg("%s", reply.body.text);
    snprintf(path, PATH_ROOM, "/api/jobs/%.*s", (int)JOB_ID_LENGTH, id + 6);
    reply_close(&reply);
}

static void what_a_pace_leaves_out_stays(void **unused) {
    (void)unused;
    struct serve serve;
    char path[PATH_ROOM];
    soloist *engine = fixture_open(&serve);
    add(&serve, "{\"text\":\"#####\\n#@$.#\\n#####\\n\",\"watch\":true,\"paused\":true}", path);
    strcat(path, "/pace");
    expect(&serve, "POST", path, "{\"steps\":3}", 200, "\"paused\":true");
    expect(&serve, "POST", path, "{\"paused\":false}", 200, "\"paused\":false");
    expect(&serve, "POST", path, "{\"every\":3,\"path\":[]}", 200, "\"paused\":false");
    expect(&serve, "POST", path, "{\"paused\":true}", 200, "\"paused\":true");
    expect(&serve, "POST", path, "{\"paused\":null}", 200, "\"paused\":true");
    add(&serve, "{\"text\":\"#####\\n#@$.#\\n#####\\n\"}", path);
    strcat(path, "/pace");
    expect(&serve, "POST", path, "{\"paused\":true}", 409, "without watch");
    fixture_close(&serve, engine);
}

/* Adds a job, works on it, and returns what is known about it then; the caller frees the text. */
static char *run(struct serve *serve, const char *body) {
    char path[PATH_ROOM];
    add(serve, body, path);
    assert_true(jobs_work(serve->jobs));
    struct reply reply = fixture_ask(serve, "GET", path, "");
    assert_int_equal(reply.status, 200);
    char *text = buffer_take(&reply.body);
    reply_close(&reply);
    return text;
}

static void every_kind_of_work_is_done(void **unused) {
    (void)unused;
    static const struct {
        const char *body, *part;
    } rows[] = {
        {"{\"text\":\"#####\\n#@$.#\\n#####\\n\",\"tag\":\"mine\"}", "\"solution\":\"R\""},
        {"{\"text\":\"#####\\n#@$.#\\n#####\\n\",\"tag\":\"mine\"}", "\"tag\":\"mine\""},
        {"{\"text\":\"#######\\n#@ $ .#\\n#######\\n\",\"aim\":\"moves\"}", "\"value\":3,"},
        {"{\"text\":\"#######\\n#@ $ .#\\n#######\\n\",\"aim\":\"pushes\"}", "\"value\":2,"},
        {"{\"text\":\"#####\\n#@$.#\\n#####\\n\",\"aim\":\"moves\",\"method\":\"bhpa\"}",
         "\"error\":\"aim: bhpa does not prove"},
        {"{\"text\":\"#######\\n#@ $ .#\\n#######\\n\",\"method\":\"astar\"}",
         "\"optimal\":true,\"optimal_for\":\"pushes\""},
        {"{\"text\":\"#######\\n#@ $ .#\\n#######\\n\",\"aim\":\"moves\"}",
         "\"optimal\":true,\"optimal_for\":\"moves\""},
        {"{\"text\":\"112\\n221\\n112\\n\",\"domain\":\"samegame\",\"method\":\"random\",\"iterations\":3}",
         "\"optimal\":false,\"optimal_for\":null"},
        {"{\"kind\":\"optimize\",\"text\":\"#######\\n#@ $ .#\\n#######\\n\",\"solution\":\"rlrRR\"}",
         "\"optimal\":true,\"optimal_for\":\"pushes-moves\""},
        {"{\"text\":\"1 0 2 3 4 5 6 7 8\",\"domain\":\"tiles\",\"method\":\"astar\"}",
         "\"optimal\":true,\"optimal_for\":\"moves\""},
        {"{\"text\":\"11\\n11\\n\",\"domain\":\"samegame\",\"method\":\"bnb\"}",
         "\"optimal\":true,\"optimal_for\":\"score\""},
        {"{\"text\":\"#####\\n#@$.#\\n#####\\n\",\"method\":\"none\"}", "\"result\":null"},
        {"{\"text\":\"#####\\n#@$.#\\n#####\\n\",\"method\":\"none\"}", "\"error\":\""},
        {"{\"text\":\"#####\\n#@$.#\\n#####\\n\",\"domain\":\"sokoban-moves\",\"aim\":\"pushes\"}",
         "\"error\":\"aim: sokoban-moves cannot minimise pushes, only its own cost\""},
        {"{\"text\":\"#####\\n#@$.#\\n#####\\n\",\"domain\":\"sokoban-moves\",\"aim\":\"moves\"}",
         "\"optimal_for\":\"moves\""},
        {"{\"text\":\"1 0 2 3 4 5 6 7 8\",\"domain\":\"tiles\",\"aim\":\"pushes\"}", "\"error\":\"aim: tiles cannot"},
        {"{\"text\":\"11\\n11\\n\",\"domain\":\"samegame\",\"aim\":\"moves\"}",
         "\"error\":\"aim: in samegame the highest score is wanted, not the fewest moves\""},
        {"{\"text\":\"2 1\\n\",\"domain\":\"pancake\"}", "\"solution\":[2]"},
        {"{\"text\":\"11\\n11\\n\",\"domain\":\"samegame\",\"iterations\":10,\"method\":\"random\"}", "\"value\":1004"},
        {"{\"kind\":\"hint\",\"text\":\"######\\n#@ $.#\\n######\\n\"}", "\"line\":\"rR\""},
        {"{\"kind\":\"hint\",\"text\":\"1 0 2 3 4 5 6 7 8\",\"domain\":\"tiles\"}", "\"line\":\"L\""},
        {"{\"kind\":\"optimize\",\"text\":\"#######\\n#@ $ .#\\n#######\\n\",\"solution\":\"rlrRR\"}",
         "\"solution\":\"rRR\""},
        {"{\"kind\":\"optimize\",\"text\":\"#####\\n#@$.#\\n#####\\n\",\"solution\":\"L\"}", "\"error\":\""},
        {"{\"kind\":\"generate\",\"domain\":\"tiles\",\"seed\":7}", "\"text\":\""},
        {"{\"kind\":\"generate\",\"domain\":\"sokoban\",\"options\":\"width=7,height=7,boxes=2\",\"least\":{\"pushes\":"
         "3}}",
         "\"measures\":{\"cost\":"},
        {"{\"kind\":\"generate\",\"domain\":\"chess\"}", "\"error\":\"there is no such domain\""},
    };
    struct serve serve;
    soloist *engine = fixture_open(&serve);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char *text = run(&serve, rows[i].body);
        if (!strstr(text, rows[i].part) || !strstr(text, "\"state\":\"ended\""))
            fail_msg("%s: %s", rows[i].body, text);
        free(text);
    }
    fixture_close(&serve, engine);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_are_answered),
        cmocka_unit_test(only_json_is_posted),
        cmocka_unit_test(an_unchanged_file_is_not_sent_again),
        cmocka_unit_test(what_a_pace_leaves_out_stays),
        cmocka_unit_test(every_kind_of_work_is_done),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
