/* The server when the system refuses memory: requests and jobs, where each allocation fails once, and where all from
 * one on fail. Every answer is the usual one or says that memory ran out, and afterwards the server works as before. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/sanitizer.h"
#include "fault/wrap_alloc.h"
#include "serve/serve_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* At most about so many allocations are tried per call, spread over all of them. */
enum { most = HAS_THREAD_SANITIZER ? 5 : 400 }; /* the sanitizer is slow */

#define LEVEL "#######\\n#@ $ .#\\n#######\\n"

/* In builds with the address sanitizer: complains about blocks that nothing points to, and returns whether there are
 * any. */
__attribute__((weak)) int __lsan_do_recoverable_leak_check(void);

/* A request, and a part of its usual answer. A job is worked on, and the answer is what is known about it then. */
struct call {
    const char *method, *path, *body, *part;
    bool job;
};

static const struct call calls[] = {
    {"GET", "/", "", "<html", false},
    {"GET", "/api/about", "", "\"name\":\"sokoban\"", false},
    {"GET", "/api/files/0", "", "#@$.#", false},
    {"GET", "/api/jobs", "", "[", false},
    {"GET", "/api/lab", "", "[]", false},
    {"POST", "/api/read", "{\"text\":\"" LEVEL "\"}", "\"total\":1", false},
    {"POST", "/api/read", "{\"text\":\"1 2\\n2 1\\n\",\"domain\":\"pancake\"}", "\"total\":2", false},
    {"POST", "/api/explain", "{\"text\":\"######\\n#@  $#\\n#.  .#\\n# $  #\\n######\\n\"}",
     "\"reason\":\"dead square\"", false},
    {"POST", "/api/check", "{\"text\":\"" LEVEL "\",\"solution\":\"rRR\"}", "\"valid\":true", false},
    {"POST", "/api/check", "{\"text\":\"" LEVEL "\",\"solution\":\"L\"}", "\"valid\":false", false},
    {"POST", "/api/jobs", "{\"text\":\"" LEVEL "\"}", "\"solution\":\"rRR\"", true},
    {"POST", "/api/jobs", "{\"text\":\"" LEVEL "\",\"method\":\"astar\"}", "\"optimal\":true", true},
    {"POST", "/api/jobs", "{\"text\":\"2112\\n1112\\n1212\\n2121\",\"method\":\"uct\",\"iterations\":50}",
     "\"value\":", true},
    {"POST", "/api/jobs", "{\"kind\":\"hint\",\"text\":\"" LEVEL "\"}", "\"line\":\"", true},
    {"POST", "/api/jobs", "{\"kind\":\"optimize\",\"text\":\"" LEVEL "\",\"solution\":\"rRR\"}", "\"solution\":\"rRR\"",
     true},
    {"POST", "/api/jobs", "{\"kind\":\"generate\",\"domain\":\"pancake\",\"count\":2}", "\"state\":\"ended\"", true},
};

/* What is said after a job was worked on. */
static struct reply work_on(struct serve *serve, struct reply added) {
    char path[100];
    const char *id = added.status == 201 && !added.body.failed ? strstr(added.body.text, "\"id\":\"") : NULL;
    if (!id)
        return added;
    snprintf(path, sizeof path, "/api/jobs/%.*s", (int)JOB_ID_LENGTH, id + 6);
    reply_close(&added);
    while (jobs_work(serve->jobs)) /* also on a job whose announcement failed */
        ;
    return fixture_ask(serve, "GET", path, "");
}

static struct reply ask(struct serve *serve, const struct call *call) {
    struct reply reply = fixture_ask(serve, call->method, call->path, call->body);
    return call->job ? work_on(serve, reply) : reply;
}

static bool says(const struct reply *reply, const char *part) {
    const char *text = reply->constant ? reply->constant : reply->body.text;
    return text && strstr(text, part);
}

/* Whether the answer is the usual one, or the server says that it has no memory: http.c does so if the body failed. */
static bool is_right(const struct reply *reply, const struct call *call) {
    return reply->body.failed || says(reply, "memory") || (reply->status < 400 && says(reply, call->part));
}

/* Asks in a service of its own. Returns how many allocations there were. */
static uint64_t try_one(const struct call *call, uint64_t number, bool for_good) {
    struct serve serve;
    soloist *engine = fixture_open(&serve);
    assert_non_null(engine);
    wrap_alloc_begin(number, for_good);
    struct reply reply = ask(&serve, call);
    uint64_t count = wrap_alloc_end();
    if (!is_right(&reply, call))
        fail_msg("%s %s, allocation %llu: %d %s", call->path, call->body, (unsigned long long)number, reply.status,
                 reply.body.text ? reply.body.text : "");
    reply_close(&reply);
    reply = ask(&serve, call);
    if (reply.body.failed || !says(&reply, call->part))
        fail_msg("%s %s, after allocation %llu: %d %s", call->path, call->body, (unsigned long long)number,
                 reply.status, reply.body.text ? reply.body.text : "");
    reply_close(&reply);
    fixture_close(&serve, engine);
    return count;
}

static void answers_hold_or_say_that_memory_ran_out(void **unused) {
    (void)unused;
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        uint64_t count = try_one(&calls[i], 0, false);
        uint64_t step = count > most ? count / most : 1;
        for (uint64_t number = 1; number <= count; number += step) {
            try_one(&calls[i], number, false);
            try_one(&calls[i], number, true);
        }
    }
    if (__lsan_do_recoverable_leak_check)
        assert_false(__lsan_do_recoverable_leak_check());
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(answers_hold_or_say_that_memory_ran_out)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
