/* Who may talk to the server. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "serve/guard.h"

#include <stdio.h>
#include <string.h>

/* The status of the refusal, or 0 if the request is admitted. */
static int ask(const struct guard *guard, const struct request *request) {
    struct reply reply;
    reply_open(&reply);
    bool admitted = guard_admits(guard, request, &reply);
    int status = reply.status;
    assert_int_equal(admitted, status == 0);
    reply_close(&reply);
    return status;
}

static void only_this_machines_names_are_admitted(void **unused) {
    (void)unused;
    static const struct {
        const char *host, *origin, *site;
        int status;
    } rows[] = {
        {"127.0.0.1:8080", NULL, NULL, 0},
        {"localhost:8080", NULL, NULL, 0},
        {"LocalHost:8080", "http://localhost:8080", "same-origin", 0},
        {"[::1]:8080", NULL, "none", 0},
        {NULL, NULL, NULL, 421},
        {"", NULL, NULL, 421},
        {"127.0.0.1", NULL, NULL, 421},
        {"127.0.0.1:80801", NULL, NULL, 421},
        {"127.0.0.1:8081", NULL, NULL, 421},
        {"evil.example:8080", NULL, NULL, 421},
        {"127.0.0.1.evil.example:8080", NULL, NULL, 421},
        {"127.0.0.1:8080", "http://evil.example", NULL, 403},
        {"127.0.0.1:8080", "http://127.0.0.1:9090", NULL, 403},
        {"127.0.0.1:8080", "https://127.0.0.1:8080", NULL, 403},
        {"127.0.0.1:8080", "null", NULL, 403},
        {"127.0.0.1:8080", NULL, "cross-site", 403},
        {"127.0.0.1:8080", NULL, "same-site", 403},
    };
    struct guard guard;
    assert_true(guard_open(&guard, "127.0.0.1", 8080));
    assert_string_equal(guard.token, "");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct request request = {
            .method = "GET", .path = "/", .host = rows[i].host, .origin = rows[i].origin, .fetch_site = rows[i].site};
        if (ask(&guard, &request) != rows[i].status)
            fail_msg("row %zu: %d", i, ask(&guard, &request));
    }
}

static void other_machines_need_the_token(void **unused) {
    (void)unused;
    struct guard guard, other;
    char text[200];
    assert_true(guard_open(&guard, "0.0.0.0", 8080));
    assert_true(guard_open(&other, "0.0.0.0", 8080));
    assert_int_equal(strlen(guard.token), GUARD_TOKEN_LENGTH);
    assert_string_not_equal(guard.token, other.token);
    struct request request = {.method = "GET", .path = "/api/about", .host = "puzzles.home:8080"};
    assert_int_equal(ask(&guard, &request), 401);
    snprintf(text, sizeof text, "Bearer %s", guard.token);
    request.authorization = text;
    assert_int_equal(ask(&guard, &request), 0);
    snprintf(text, sizeof text, "Bearer %sx", guard.token);
    assert_int_equal(ask(&guard, &request), 401);
    request.authorization = NULL;
    request.cookie = text;
    snprintf(text, sizeof text, "a=b; soloist8080=%s", guard.token);
    assert_int_equal(ask(&guard, &request), 0);
    request.origin = "http://puzzles.home:8080";
    assert_int_equal(ask(&guard, &request), 0);
    request.origin = "http://evil.example";
    assert_int_equal(ask(&guard, &request), 403);
    request.origin = NULL;
    snprintf(text, sizeof text, "soloist8080=%s", other.token);
    assert_int_equal(ask(&guard, &request), 401);
    request.cookie = "soloist8080=";
    assert_int_equal(ask(&guard, &request), 401);
}

static void the_printed_address_begins_a_visit(void **unused) {
    (void)unused;
    struct guard guard;
    struct reply reply;
    assert_true(guard_open(&guard, "::", 8081));
    struct request request = {.method = "GET", .path = "/", .host = "puzzles.home:8081", .token = guard.token};
    reply_open(&reply);
    assert_false(guard_admits(&guard, &request, &reply));
    assert_int_equal(reply.status, 303);
    assert_string_equal(reply.location, "/");
    assert_non_null(strstr(reply.cookie, guard.token));
    assert_non_null(strstr(reply.cookie, "HttpOnly"));
    reply_close(&reply);
    request.path = "/api/about";
    assert_int_equal(ask(&guard, &request), 401);
    request.path = "/";
    request.token = "0123456789abcdef0123456789abcdef";
    assert_int_equal(ask(&guard, &request), 401);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_this_machines_names_are_admitted),
        cmocka_unit_test(other_machines_need_the_token),
        cmocka_unit_test(the_printed_address_begins_a_visit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
